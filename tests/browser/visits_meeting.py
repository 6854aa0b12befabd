"""How a finger reaches the pages of a meeting and of the league: tables drawn, in play, tables asked for otherwise."""

import datetime

from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.league.records import TROPHIES
from sessions_app.meetings.drawing import draw_meeting, set_wish, start_drawn
from sessions_app.meetings.services import attend, give_extra_time, plan_meeting, save_reply, set_clock
from sessions_app.models import CupWinner, Meeting, Player, Season
from sessions_app.people.log import Actor
from sessions_app.people.players import reply_key_of

from .visits import address

BY = Actor(name="The test")


def meeting_of(scene, name):
    """Return the meeting of that name a week after the table in play, planned where there is none."""
    day = scene.in_play.date + datetime.timedelta(days=7)
    return Meeting.objects.filter(club=scene.club, date=day, name=name).first() or plan_meeting(
        scene.club, day, name, by=BY
    )


def in_full_swing(scene):
    """Return a meeting with a table in play, tables drawn, someone gone, a clock with extra time and a wish."""
    meeting = meeting_of(scene, "In full swing")
    if meeting.attendances.exists():
        return meeting
    players = [player.pk for player in Player.objects.of_club(scene.club).present().order_by("full_name")]
    attend(meeting, dict.fromkeys(players[:13], "here") | {players[13]: "late"}, by=BY)
    set_wish(scene.club, players[0], players[1], "apart", by=BY)
    draw_meeting(meeting, by=BY)
    playing = start_drawn(meeting.drawn_tables.first(), by=BY)
    set_clock(meeting, 120, by=BY)
    give_extra_time(playing, 10, by=BY)
    attend(meeting, {meeting.drawn_tables.last().players[0]: "left"}, by=BY)
    return meeting


def at_meeting(name, which=in_full_swing):
    """Make a visit of a page of a meeting."""

    def visit(one, scene):
        one.open(address(name, which(scene).pk))

    return visit


def nobody_yet(scene):
    return meeting_of(scene, "Nobody yet")


def own_link(one, scene):
    """Two of the club's players have answered; one opens the link once more."""
    player, other = Player.objects.of_club(scene.club).present().order_by("full_name")[:2]
    for meeting in Meeting.objects.of_club(scene.club):
        save_reply(meeting, player, True, by=BY)
        save_reply(meeting, other, False, by=BY)
    one.open(reverse("coming", args=[reply_key_of(player)]))


def reply_links(one, scene):
    for player in Player.objects.of_club(scene.club).present():
        reply_key_of(player)
    one.open(address("reply-links"))


def draw_refused(one, scene):
    one.open(address("meeting", nobody_yet(scene).pk))
    one.expect_status(422)
    one.tap("Draw the tables")
    expect(one.page.locator("#error-summary")).to_be_visible()


def asked_wrongly(one, scene):
    one.expect_status(422)
    one.open(address("standings", method="by-nobody"))


def cups_won(one, scene):
    CupWinner.objects.get_or_create(club=scene.club, cup="Chairman’s Cup", year="2025", winner="Jean Atkins")
    one.open(address("cups"))


def given_trophies(one, scene):
    """All trophies there are, in the season of the table in play."""
    Season.objects.filter(pk=scene.in_play.season_id).update(trophies=list(TROPHIES))
    one.open(address("trophies", season=scene.in_play.season_id))
