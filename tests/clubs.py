"""Two clubs with everything in them, each with its own ids; one's words are marked, so that a leak is seen."""

import datetime
import functools
import uuid
from types import SimpleNamespace

from django.apps import apps
from django.db import connection
from django.db.models import F, ForeignKey

from sessions_app.meetings.drawing import draw_meeting, set_wish
from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import (
    Change,
    ClubHand,
    Entry,
    Hand,
    Import,
    MeetingFee,
    Membership,
    Player,
    Season,
    WaitingGame,
)
from sessions_app.people.clubs import make_club, make_invite
from sessions_app.people.players import reply_key_of, set_contact
from sessions_app.table.apply_command import apply_command
from sessions_app.table.hand_queries import ask_query
from tests.factories import BY, DAY, house, table_in_play, totals

MARK = "Zzyzx"
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
TELLING = 7_310_000
LATER = DAY + datetime.timedelta(days=7)


def furnished(name, mark=""):
    """Make a club with people, tables, a draw, an invitation and a hand of its own; name each by its id."""
    club = make_club(f"{name} {mark}".strip(), by=BY)
    # Numbers that are nothing else's, so that they are known where they stand in a form.
    first_id = TELLING * (2 if mark else 1)
    players = [
        Player.objects.create(
            pk=first_id + at, club=club, full_name=f"{first} {name}{mark}", short_name=f"{first}{mark}"
        )
        for at, first in enumerate(NAMES)
    ]
    at_home = house(club, players[:4])
    Season.objects.filter(pk=at_home.season.pk).update(name=f"Autumn {mark}")
    meeting = plan_meeting(club, LATER, f"Christmas {mark}".strip(), by=BY)
    attend(meeting, {player.pk: "here" for player in players[:4]}, by=BY)
    draw_meeting(meeting, by=BY)
    set_wish(club, players[6].pk, players[7].pk, "apart", by=BY)
    hand = ClubHand.objects.create(club=club, key=f"own{mark}".lower(), name=f"Own {mark}", text="A run.", since=DAY)
    for player in players[:2]:
        set_contact(player, f"{player.pk}@club.example", "", DAY, by=BY)
    club.keeps_fees = True
    club.save()
    MeetingFee.objects.create(club=club, meeting=at_home.table_session.meeting, player=players[0], table_fee=1)
    invite = make_invite(club, "member", 7, False, by=BY)
    asked = ask_query(Entry.objects.get(session=at_home.table_session, key=at_home.hand_key), f"Was it {mark}?", by=BY)
    table_session = at_home.table_session
    # As if an older edition of the rules had scored it, so that there is something to score again.
    Hand.objects.filter(session=table_session).update(edition=0)
    return SimpleNamespace(
        club=club,
        slug=club.slug,
        secretary=at_home.secretary,
        session_id=table_session.pk,
        second_id=table_in_play(club, players[:4], number=2).pk,
        meeting_id=meeting.pk,
        played_id=table_session.meeting_id,
        season_id=at_home.season.pk,
        game_id=WaitingGame.objects.create(club=club, meeting=meeting, text=f"A game {mark}").pk,
        player_id=players[4].pk,
        reply_key=reply_key_of(players[5]),
        invite_id=invite.pk,
        import_id=Import.objects.create(club=club, kind="totals", file_name=f"{name}.csv").pk,
        query_id=asked.pk,
        hand_id=hand.pk,
        membership_id=Membership.objects.get(user=at_home.member).pk,
        change_id=Change.objects.filter(session=table_session, action="hand").first().pk,
        first_change=Change.objects.filter(session=table_session, action="start").get().pk,
        key=at_home.hand_key,
        players=[player.pk for player in players],
        waiting=contested(table_session),
        token=invite.token,
        scoring_key=table_session.scoring_key,
    )


def contested(table_session):
    """Send a hand from a tablet that knew of none: two records wait for someone's choice. Return its key."""
    key = str(uuid.uuid4())
    seats = {"E": "1", "S": "2", "W": "3", "N": "4"}
    command = {"key": key, "kind": "hand", "body": totals(table_session, 2, seat2=40), "after": None, "seats": seats}
    assert apply_command(table_session.pk, command, by=BY).outcome == "contested"
    return key


def models_of_clubs():
    return [model for model in apps.get_app_config("sessions_app").get_models() if hasattr(model, "CLUB_PATH")]


def everything_of(club):
    """Return every row of a club, by model, as a dictionary of its columns."""
    return {name: rows_of_query(sql, [club.pk]) for name, sql in queries_of_everything().items()}


# Building these queries takes far longer than running them, and tests run them hundreds of times.
@functools.cache
def queries_of_everything():
    rows = {model._meta.model_name: model.objects.of_club(0).order_by("pk") for model in models_of_clubs()}
    return {name: queryset.query.sql_with_params()[0] for name, queryset in rows.items()}


@functools.cache
def queries_of_strayed():
    """Return by foreign key the query of its rows whose club is another than that of the row they point to."""
    of_clubs = set(models_of_clubs())
    return {
        f"{field.name} of {model._meta.model_name}": model.objects.filter(**{f"{field.name}__isnull": False})
        .exclude(**{f"{field.name}__{club_of(field.related_model)}": F(club_of(model))})
        .values("pk")
        .query.sql_with_params()
        for model in of_clubs
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey) and field.related_model in of_clubs
    }


def rows_of_query(sql, parameters):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def strayed():
    """Return the rows that point to a row of another club: "player of seat 7"."""
    return [f"{what} {row['pk']}" for what, query in queries_of_strayed().items() for row in rows_of_query(*query)]


def club_of(model):
    """Return the path to the club's id."""
    return f"{model.CLUB_PATH.removesuffix('pk')}pk" if model.CLUB_PATH == "pk" else f"{model.CLUB_PATH}__pk"
