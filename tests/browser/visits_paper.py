"""How a finger reaches what a club prints, mails and shows to everyone."""

import datetime
import uuid

from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.meetings.drawing import draw_meeting
from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import Club, Meeting, Player, PlayerHand
from sessions_app.people.log import Actor
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session

from .visits import SLUG, address, empty, plain
from .visits_meeting import at_meeting

BY = Actor(name="The test")
BURIED_TREASURE = {
    "sets": ["concealed pung 2B", "concealed pung 3B", "concealed pung 6B", "concealed pung 8B", "pair 9B"]
}


def special_hand(scene):
    """Return a hand of the demonstration club that was won by a special hand, played where there is none."""
    won = PlayerHand.objects.of_club(scene.club).filter(won=True, hand__session__practice=False).exclude(special="")
    found = won.select_related("hand__entry").order_by("pk").first()
    if found is None:
        players = [seat.player for seat in scene.finished.seats.order_by("seat_no")[:4]]
        made = start_session(scene.club, scene.finished.date, 21, players, "bmja", {}, by=BY)
        played = {
            "hands": {"1": BURIED_TREASURE, "2": {}, "3": {}, "4": {}},
            "mahjong": {"by": "1", "tile": "9B", "from": "wall"},
        }
        for kind, body in (("hand", played), ("finish", {})):
            apply_command(made.pk, {"key": str(uuid.uuid4()), "kind": kind, "body": body}, by=BY)
        found = won.select_related("hand__entry").get()
    return found.hand


def after_a_special_hand(name):
    """Make a visit of an address of the club where someone has gone Mah-jong with a special hand."""

    def visit(one, scene):
        special_hand(scene)
        one.open(address(name))

    return visit


def noticeboard(one, scene):
    """The board with a special hand and a date to come."""
    special_hand(scene)
    day = scene.in_play.date + datetime.timedelta(days=14)
    if not Meeting.objects.of_club(scene.club).filter(date=day).exists():
        plan_meeting(scene.club, day, starts_at=datetime.time(14), place="Village hall", by=BY)
    one.open(address("noticeboard"))


def certificate(one, scene):
    hand = special_hand(scene)
    one.open(address("certificate", hand.session_id, hand.entry.key))


SHOWN = {
    "framed_by": "https://example.org",
    "shows_standings": True,
    "shows_honours": True,
    "shows_meetings": True,
    "public_names": "short",
}
HIDDEN = {
    "framed_by": "",
    "shows_standings": False,
    "shows_honours": False,
    "shows_meetings": False,
    "public_names": "nobody",
}


def in_public(name, of=lambda scene: ()):
    """Make a visit of a public page, switched on for as long as it is looked at; `of`: what else its address names."""

    def visit(one, scene):
        special_hand(scene)
        switched(scene, **SHOWN)
        one.open(reverse(name, args=[SLUG, *of(scene)]))
        switched(scene, **HIDDEN)

    return visit


def switched(scene, **settings):
    Club.objects.filter(pk=scene.club.pk).update(**settings)


def settings_in_use(one, scene):
    switched(scene, **SHOWN)
    one.open(address("public-settings"))
    switched(scene, **HIDDEN)


def without_names(one, scene):
    one.open(address("public-settings"))
    one.page.get_by_label("League table").check()
    one.expect_status(422)
    one.tap("Save")
    expect(one.page.locator("#error-summary")).to_be_visible()


PUBLIC_VISITS = {
    "public": ("nobody", in_public("public")),
    "public-standings": ("nobody", in_public("public-standings")),
    "noticeboard, public names": ("member", in_public("noticeboard")),
    "public-frame": ("nobody", in_public("public-frame")),
    "public-results": ("nobody", in_public("public-results")),
    "public-result": ("nobody", in_public("public-result", lambda scene: [scene.finished.meeting_id])),
    "public-honours": ("nobody", in_public("public-honours")),
    "public-meetings": ("nobody", in_public("public-meetings")),
    "public-settings": ("secretary", settings_in_use),
    "public-settings, all off": ("newcomer", empty("public-settings")),
    "public-settings, refused": ("secretary", without_names),
    "money-settings": ("secretary", plain("money-settings")),
    "leagues": ("secretary", plain("leagues")),
}


def keeping_fees(visit):
    """Make a visit as it is where the club keeps a list of fees, and points are worth money."""

    def visited(one, scene):
        switched(scene, keeps_fees=True, table_fee="1.00", refreshments="0.50", points_rate="1.00")
        visit(one, scene)
        switched(scene, keeps_fees=False, points_rate=None)

    return visited


def subscriptions(one, scene):
    switched(scene, subscription="20.00")
    one.open(address("subscriptions"))
    switched(scene, subscription=0)


def a_fee_that_is_none(one, scene):
    at_meeting("meeting-fees")(one, scene)
    one.page.get_by_text("Change amounts").click()
    one.page.locator(".fee-amount input").first.fill("a pound")
    one.expect_status(422)
    one.tap("Save fees")
    expect(one.page.locator("#error-summary")).to_be_visible()


def drawn_meeting(scene):
    """Return a meeting of today that is drawn at two tables, one of five."""
    meeting = Meeting.objects.of_club(scene.club).filter(name="Drawn").first()
    if meeting is None:
        meeting = plan_meeting(scene.club, scene.club.today, name="Drawn", by=BY)
        here = Player.objects.of_club(scene.club).present()[:9]
        attend(meeting, {player.pk: "here" for player in here}, by=BY)
        draw_meeting(meeting, by=BY)
    return meeting


def drawn_totals(one, scene):
    one.open(address("meeting-totals", drawn_meeting(scene).pk))


def drawn_totals_refused(one, scene):
    drawn_totals(one, scene)
    one.expect_status(422)
    one.page.locator(".drawn-row input").first.fill("30")
    one.tap("Save totals")


def results_by_mail(one, scene):
    one.open(address("meeting-mail", scene.finished.meeting_id))


OFFICE_VISITS = {
    "meeting-fees": ("scorekeeper", keeping_fees(at_meeting("meeting-fees"))),
    "fees": ("scorekeeper", keeping_fees(plain("fees"))),
    "subscriptions": ("scorekeeper", keeping_fees(subscriptions)),
    "meeting-fees, refused": ("scorekeeper", keeping_fees(a_fee_that_is_none)),
    "attendance-list, with fees": ("scorekeeper", keeping_fees(at_meeting("attendance-list"))),
    "session-sheet, with money": ("member", keeping_fees(plain("session-sheet", of="finished"))),
    "meeting-totals": ("secretary", drawn_totals),
    "meeting-totals, refused": ("secretary", drawn_totals_refused),
    "meeting-mail": ("secretary", results_by_mail),
}
