"""Every constraint of the database, tried past the ORM's checks: the bad row goes in by raw SQL or bulk_create."""

import datetime
import uuid
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import DatabaseError

from sessions_app.models import (
    Change,
    Club,
    Command,
    Entry,
    Hand,
    Invite,
    Meeting,
    MeetingFee,
    Membership,
    Payment,
    Player,
    PlayerHand,
    Season,
    Seat,
    Session,
    Subscription,
    Tally,
    User,
)
from tests.conftest import AFTERNOON

pytestmark = pytest.mark.postgres

CHAIRS = {"winds": [1, 2, 3, 4], "out": [5]}


def session_row(club, **changed):
    meeting, _ = Meeting.objects.get_or_create(club=club, date=AFTERNOON)
    return Session(**{"club": club, "meeting": meeting, "date": AFTERNOON, "table": 1, "rules": "bmja", **changed})


def entry_row(session, position=1024, **changed):
    return Entry(**{"session": session, "key": uuid.uuid4(), "position": position, "kind": "hand", **changed})


def hand_row(entry, number=1, **changed):
    facts = {
        "session": entry.session, "entry": entry, "entry_version": 1, "number": number, "wind_of_round": "E",
        "kind": "won", "seating": CHAIRS, "east_stays": False, "next_is_goulash": False, "edition": 1,
    }  # fmt: skip
    return Hand(**{**facts, **changed})


def season_row(club, name="Autumn", starts=(2026, 9, 1), ends=(2026, 12, 31), **changed):
    dates = {"starts_on": datetime.date(*starts), "ends_on": datetime.date(*ends)}
    return Season(**{"club": club, "name": name, **dates, **changed})


def refused(*rows):
    """Say that the database itself refuses these rows."""
    with pytest.raises(IntegrityError), transaction.atomic():
        type(rows[0]).objects.bulk_create(rows)


def refused_sql(sql, *values, error=IntegrityError):
    with pytest.raises(error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


@pytest.fixture
def session(club):
    session = session_row(club)
    session.save()
    return session


@pytest.fixture
def seats(session, cast):
    return [
        Seat.objects.create(club=session.club, session=session, player=player, seat_no=chair)
        for chair, player in enumerate(cast.all[:4], 1)
    ]


@pytest.fixture
def entry(session):
    entry = entry_row(session)
    entry.save()
    return entry


@pytest.fixture
def hand(entry):
    hand = hand_row(entry)
    hand.save()
    return hand


@pytest.fixture
def elsewhere(other_club, cast):
    """Another club's session with Eve in it."""
    session = session_row(other_club)
    session.save()
    seat = Seat.objects.create(club=other_club, session=session, player=cast.eve, seat_no=1)
    return seat


def test_two_entries_with_one_key(session, entry):
    refused(entry_row(session, 2048, key=entry.key))


def test_one_key_may_stand_in_two_sessions(club, entry):
    other = session_row(club, table=2)
    other.save()
    Entry.objects.bulk_create([entry_row(other, key=entry.key)])
    assert Entry.objects.filter(key=entry.key).count() == 2


def test_two_entries_at_one_position(session, entry):
    refused(entry_row(session, entry.position))


def test_two_commands_with_one_key(session):
    key = uuid.uuid4()
    rows = [Command(session=session, key=key, kind="hand", outcome="applied") for _ in range(2)]
    refused(*rows)


def test_two_seats_in_one_chair(session, seats, cast):
    refused(Seat(club=session.club, session=session, player=cast.fay, seat_no=1))


def test_a_player_twice_in_one_session(session, seats, cast):
    refused(Seat(club=session.club, session=session, player=cast.alice, seat_no=5))


def test_a_player_merged_into_itself(cast):
    refused_sql("UPDATE sessions_app_player SET merged_into_id = id WHERE id = %s", cast.alice.pk)


@pytest.mark.parametrize("amount", [0, -10])
def test_a_payment_of_nothing(session, entry, seats, amount):
    refused(Payment(session=session, entry=entry, payer=seats[0], payee=seats[1], amount=amount, why="mah-jong"))


def test_a_payment_to_oneself(session, entry, seats):
    refused(Payment(session=session, entry=entry, payer=seats[0], payee=seats[0], amount=10, why="mah-jong"))


def test_a_payment_to_nobody_is_allowed(session, entry, seats):
    Payment.objects.bulk_create([Payment(session=session, entry=entry, payer=seats[0], amount=10, why="fine")])
    assert Payment.objects.get().payee is None


def tally_row(seat, **changed):
    """A tally of this seat, right but for what is changed."""
    facts = {"club": seat.club, "session": seat.session, "seat": seat, "player": seat.player}
    return Tally(**{**facts, **changed})


def test_two_tallies_of_a_seat(seats):
    refused(tally_row(seats[0]), tally_row(seats[0]))


def test_a_tally_with_a_loss_above_nothing(seats):
    refused(tally_row(seats[0], lost=5))


def test_overlapping_seasons(club):
    season_row(club).save()
    refused(season_row(club, "Winter", (2026, 12, 31), (2027, 3, 1)))
    refused(season_row(club, "The whole year", (2026, 1, 1), (2026, 12, 31)))
    refused(season_row(club, "A month", (2026, 10, 1), (2026, 10, 31)))


def test_a_season_moved_over_another(club):
    season_row(club).save()
    season_row(club, "Winter", (2027, 1, 1), (2027, 3, 1)).save()
    refused_sql("UPDATE sessions_app_season SET starts_on = '2026-12-31' WHERE name = 'Winter'")


def test_seasons_that_touch_and_seasons_of_two_clubs_do_not_overlap(club, other_club):
    Season.objects.bulk_create(
        [season_row(club), season_row(club, "Winter", (2027, 1, 1), (2027, 3, 1)), season_row(other_club)]
    )
    assert Season.objects.count() == 3


def test_a_season_that_ends_before_it_starts(club):
    refused(season_row(club, "Backwards", (2026, 12, 31), (2026, 9, 1)))


def test_two_hands_of_one_number(session, hand):
    entry = entry_row(session, 2048)
    entry.save()
    refused(hand_row(entry, hand.number))


def test_two_hands_of_one_entry(entry, hand):
    refused(hand_row(entry, 2))


def test_two_players_hands_of_one_wind(hand, seats):
    refused(PlayerHand(hand=hand, seat=seats[0], wind="E"), PlayerHand(hand=hand, seat=seats[1], wind="E"))


def test_two_players_hands_of_one_seat(hand, seats):
    refused(PlayerHand(hand=hand, seat=seats[0], wind="E"), PlayerHand(hand=hand, seat=seats[0], wind="S"))


UNKNOWN = {
    "role": lambda it: Membership(club=it.club, user=it.user, role="chairman"),
    "entry kind": lambda it: entry_row(it.session, kind="hands"),
    "command outcome": lambda it: Command(session=it.session, key=uuid.uuid4(), kind="hand", outcome="lost"),
    "session state": lambda it: session_row(it.club, state="paused"),
    "session recording": lambda it: session_row(it.club, recording="both"),
    "session table": lambda it: session_row(it.club, table=0),
    "season recording": lambda it: season_row(it.club, recording="both"),
    "hand kind": lambda it: hand_row(it.entry, kind="lost"),
    "hand wind": lambda it: hand_row(it.entry, wind_of_round="X"),
    "hand number": lambda it: hand_row(it.entry, 0),
    "players' hand wind": lambda it: PlayerHand(hand=it.hand, seat=it.seat, wind="X"),
    "payment why": lambda it: Payment(session=it.session, entry=it.entry, payer=it.seat, amount=5, why="love"),
    "public names": lambda it: Club(name="X", slug="x", public_names="all"),
    "a fee below nothing": lambda it: MeetingFee(
        club=it.club, meeting=it.session.meeting, player=it.fay, table_fee=Decimal("-0.01")
    ),
    "a subscription below nothing": lambda it: Subscription(
        club=it.club, player=it.fay, year=2026, amount=Decimal("-0.01")
    ),
    "a club's subscription below nothing": lambda it: Club(name="X", slug="x", subscription=Decimal("-0.01")),
    "a club's fee below nothing": lambda it: Club(name="X", slug="x", refreshments=Decimal("-0.01")),
    "a rate of nothing": lambda it: Club(name="X", slug="x", points_rate=Decimal(0)),
    "seat number": lambda it: Seat(club=it.club, session=it.session, player=it.fay, seat_no=0),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_unknown_values(what, request, club, session, entry, seats, cast):
    class It:
        user = User.objects.create_user("sam")
        seat = seats[0]
        fay = cast.fay

    It.club, It.session, It.entry = club, session, entry
    if what.startswith("players"):
        It.hand = hand_row(entry)
        It.hand.save()
    refused(UNKNOWN[what](It))


def test_a_user_twice_in_one_club(club):
    user = User.objects.create_user("sam")
    refused(*(Membership(club=club, user=user, role=role) for role in ("secretary", "member")))


def test_two_logins_of_one_player(club, cast):
    users = [User.objects.create_user(name) for name in ("sam", "kim")]
    refused(*(Membership(club=club, user=user, role="member", player=cast.fay) for user in users))


def test_an_invitation_of_a_player_is_for_one(club, cast):
    over = datetime.datetime(2026, 11, 12, tzinfo=datetime.UTC)
    refused(Invite(club=club, role="member", expires_at=over, player=cast.fay, once=False))


def test_two_fees_of_one_player_at_one_meeting(session, club, cast):
    refused(*(MeetingFee(club=club, meeting=session.meeting, player=cast.fay) for _ in range(2)))


def test_two_subscriptions_of_one_player_for_one_year(club, cast):
    refused(*(Subscription(club=club, player=cast.fay, year=2026) for _ in range(2)))


def test_two_meetings_of_one_name_on_one_date(club):
    refused(Meeting(club=club, date=AFTERNOON), Meeting(club=club, date=AFTERNOON))


@pytest.fixture
def change(club):
    return Change.objects.create(
        club=club, action="rename", subject_type="player", subject_id="1", why="Spelt it wrong", before={"a": 1}
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [("action", "none"), ("name", "x"), ("before", "{}"), ("after", "[]"), ("subject_id", "2"), ("why", "Other"),
     ("at", "2020-01-01 00:00:00+00")],
)  # fmt: skip
def test_the_log_refuses_changing(change, column, value):
    refused_sql(f"UPDATE sessions_app_change SET {column} = %s", value)


def test_the_log_refuses_deleting(change):
    refused_sql("DELETE FROM sessions_app_change")


def test_the_log_refuses_replacing_and_truncating(change):
    if connection.vendor == "postgresql":
        refused_sql("SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE sessions_app_change")
        return
    columns = [field.column for field in Change._meta.concrete_fields]
    taken = ", ".join("'forged'" if column == "action" else column for column in columns)
    refused_sql(f"INSERT OR REPLACE INTO sessions_app_change SELECT {taken} FROM sessions_app_change")


def test_only_the_reason_may_be_emptied(change):
    Change.objects.filter(pk=change.pk).update(why="")
    assert Change.objects.get().why == ""
    with pytest.raises(DatabaseError), transaction.atomic():
        Change.objects.filter(pk=change.pk).update(why="", action="other")


def test_nothing_is_read_but_through_its_club(hand, seats, elsewhere, club, other_club, change):
    PlayerHand.objects.create(hand=hand, seat=seats[0], wind="E")
    tally_row(seats[0]).save()
    rows = [Player, Session, Seat, Entry, Hand, PlayerHand, Tally, Change, Meeting]
    assert {model.__name__: model.objects.of_club(other_club).count() for model in rows} == {
        "Player": 1, "Session": 1, "Seat": 1, "Entry": 0, "Hand": 0, "PlayerHand": 0, "Tally": 0, "Change": 0,
        "Meeting": 1,
    }  # fmt: skip
    assert Club.objects.of_club(club.pk).get() == club
