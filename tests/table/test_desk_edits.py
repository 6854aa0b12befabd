"""What the secretary does to a session as a whole: void it, let it count, move it, go back to an earlier state."""

import datetime

import pytest
from django.db import IntegrityError, transaction

from sessions_app.exchange.exports.session_csv import club_totals_csv
from sessions_app.league.standings import season_standings
from sessions_app.models import Change, Meeting, Season, Session, Tally
from sessions_app.table.apply_command import apply_command, apply_secretary_command, move_session
from sessions_app.table.carry_out import preview_command
from sessions_app.table.sessions import start_session
from tests.afternoon import BY, hand, nets, new_key, send, totals
from tests.conftest import AFTERNOON
from tests.reconciled import reconcile

EARLIER = datetime.date(2026, 6, 3)


@pytest.fixture
def autumn(club):
    return Season.objects.create(
        club=club, name="Autumn", starts_on=datetime.date(2026, 9, 1), ends_on=datetime.date(2026, 12, 31),
        rules=["bmja"], minimum_sessions=1,
    )  # fmt: skip


@pytest.fixture
def summer(club):
    return Season.objects.create(
        club=club, name="Summer", starts_on=datetime.date(2026, 5, 1), ends_on=datetime.date(2026, 8, 31),
        rules=["bmja"], minimum_sessions=1,
    )  # fmt: skip


def at_desk(session, kind, body=None, why="", key=None):
    return apply_secretary_command(
        session.pk, {"key": key or new_key(), "kind": kind, "body": body or {}, "why": why}, BY
    )


def listed(season):
    season.refresh_from_db()
    return [(row.name, row.net) for row in season_standings(season).rows]


def lock(season):
    Season.objects.filter(pk=season.pk).update(locked=True)


def last():
    return Change.objects.order_by("id").last()


def test_a_void_session_counts_nowhere_and_can_be_let_count_again(autumn, four):
    hand(four, "2", s2=40)
    before, csv = listed(autumn), club_totals_csv(four.club)
    assert before == [("Bob", 160), ("Carol", -40), ("Dave", -40), ("Alice", -80)]
    answer = at_desk(four, "void", why="Started at the wrong table")
    assert (answer.outcome, answer.message) == ("recorded", "Table cancelled. It is kept, but it does not count.")
    assert listed(autumn) == []
    assert club_totals_csv(four.club).count("\r\n") == 1
    assert (last().action, last().why) == ("void", "Started at the wrong table")
    assert last().before == {"session": {"state": "open", "practice": False, "void": False}}
    assert last().after == {"session": {"state": "finished", "practice": True, "void": True}}
    assert reconcile() == []
    at_desk(four, "count_again")
    four.refresh_from_db()
    assert (four.state, four.practice, four.void, four.season, four.finished_at) == ("open", False, False, autumn, None)
    assert (listed(autumn), club_totals_csv(four.club)) == (before, csv)
    assert reconcile() == []


def test_voiding_needs_a_reason_and_is_done_once(four):
    assert at_desk(four, "void").message == "Enter the reason. It is kept in the history."
    assert at_desk(four, "count_again").message == "This table is not cancelled."
    at_desk(four, "void", why="A mistake")
    assert at_desk(four, "void", why="A mistake").message == "This table is already cancelled."
    assert send(four, "reopen").message == "This table is cancelled. Let it count again first."
    assert send(four, "hand", totals("2", s2=40)).outcome == "late"


def test_a_practice_table_stays_one_after_being_void(club, cast):
    table = start_session(club, AFTERNOON, 1, cast.all[:4], "bmja", {}, by=BY, practice=True)
    send(table, "finish")
    at_desk(table, "void", why="A mistake")
    at_desk(table, "count_again")
    table.refresh_from_db()
    assert (table.state, table.practice, table.void) == ("finished", True, False)


def test_the_database_holds_that_what_is_void_never_counts(four):
    with pytest.raises(IntegrityError), transaction.atomic():
        Session.objects.filter(pk=four.pk).update(void=True)


@pytest.mark.parametrize("kind", ["void", "count_again", "move", "go_back"])
def test_no_tablet_may_do_what_is_the_secretarys(four, kind):
    answer = apply_command(four.pk, {"key": new_key(), "kind": kind, "body": {}, "why": "x"}, BY)
    assert (answer.outcome, answer.message) == ("invalid", f"There is no command {kind!r}.")


def test_a_moved_session_counts_in_the_season_of_its_new_date(autumn, summer, four):
    hand(four, "2", s2=40)
    answer = move_session(four, new_key(), EARLIER, 7, "Garden party", by=BY, why="Entered under the wrong date")
    assert answer.message == "The table is moved."
    four.refresh_from_db()
    assert (four.date, four.table, four.meeting.name, four.season) == (EARLIER, 7, "Garden party", summer)
    assert listed(autumn) == []
    assert listed(summer)[0] == ("Bob", 160)
    assert set(Tally.objects.filter(session=four).values_list("season", flat=True)) == {summer.pk}
    assert last().before["session"]["date"] == "2026-11-12"
    assert reconcile() == []
    move_session(four, new_key(), AFTERNOON, 1, "", by=BY)
    four.refresh_from_db()
    assert (four.date, four.table, four.meeting.date, four.season) == (AFTERNOON, 1, AFTERNOON, autumn)
    assert reconcile() == []


def test_a_tablets_undo_passes_over_what_the_secretary_did_to_the_whole_session(autumn, four):
    first, second = hand(four, "2", s2=40), hand(four, "3", s3=10)
    move_session(four, new_key(), EARLIER, 7, "", by=BY)
    send(four, "undo")
    four.refresh_from_db()
    assert [str(key) for key in four.entries.active().values_list("key", flat=True)] == [first]
    assert (four.date, four.table) == (EARLIER, 7)
    send(four, "redo")
    assert [str(key) for key in four.entries.active().values_list("key", flat=True)] == [first, second]


def test_undoing_the_end_of_a_void_session_does_not_make_it_count(four):
    send(four, "finish")
    at_desk(four, "void", why="A mistake")
    assert send(four, "undo").message == "This table is cancelled. Let it count again first."
    four.refresh_from_db()
    assert (four.state, four.void) == ("finished", True)


def test_a_refused_move_leaves_no_meeting_behind(four):
    meetings = Meeting.objects.count()
    assert move_session(four, new_key(), EARLIER, 0, "Nowhere", by=BY).outcome == "invalid"
    assert move_session(four, new_key(), four.date, four.table, "", by=BY).message.startswith(
        "Nothing has changed. Change"
    )
    assert Meeting.objects.count() == meetings


def test_another_clubs_meeting_is_no_place_to_move_to(four, other_club):
    theirs = Meeting.objects.create(club=other_club, date=EARLIER)
    body = {"date": EARLIER.isoformat(), "table": 1, "meeting": theirs.pk}
    assert at_desk(four, "move", body).message == "Choose a meeting on that date."


@pytest.mark.parametrize("locked", ["autumn", "summer"])
def test_a_locked_season_refuses_to_lose_and_to_gain_a_session(autumn, summer, four, locked):
    lock({"autumn": autumn, "summer": summer}[locked])
    answer = move_session(four, new_key(), EARLIER, 1, "", by=BY)
    assert answer.message == (f"The season “{locked.title()}” is locked. Unlock it before you change anything in it.")
    four.refresh_from_db()
    assert four.date == AFTERNOON


def test_a_locked_season_refuses_voiding_going_back_reopening_and_undoing(autumn, four):
    hand(four, "2", s2=40)
    step = last().pk
    hand(four, "2", s2=40)
    send(four, "finish")
    lock(autumn)
    sentence = "The season “Autumn” is locked. Unlock it before you change anything in it."
    assert at_desk(four, "void", why="x").message == sentence
    assert at_desk(four, "go_back", {"change": step}).message == sentence
    assert send(four, "reopen").message == sentence
    assert send(four, "undo").message == sentence


def test_totals_brought_along_can_be_void_and_moved(autumn, summer, club, cast):
    meeting = Meeting.objects.create(club=club, date=AFTERNOON)
    brought = Session.objects.create(
        club=club, meeting=meeting, season=autumn, date=AFTERNOON, table=1, rules="bmja", imported=True,
        state="finished",
    )  # fmt: skip
    seats = [brought.seats.create(club=club, player=player, seat_no=n) for n, player in enumerate(cast.all[:2], 1)]
    for seat, net in zip(seats, (50, -50), strict=True):
        Tally.objects.create(
            club=club, session=brought, seat=seat, season=autumn, player=seat.player, hands=4, net=net, balance=net
        )
    move_session(brought, new_key(), EARLIER, 1, "", by=BY)
    assert listed(summer) == [("Alice", 50), ("Bob", -50)]
    at_desk(brought, "void", why="Twice in the list")
    assert listed(summer) == []
    at_desk(brought, "count_again")
    assert listed(summer) == [("Alice", 50), ("Bob", -50)]
    assert reconcile() == []


@pytest.mark.parametrize("opens_lock", [False, True])
def test_totals_brought_along_have_no_hand_to_correct(four, opens_lock):
    Session.objects.filter(pk=four.pk).update(imported=True, state="finished")
    correct = {"key": new_key(), "kind": "correct", "body": {"entry": new_key(), "body": totals("2", s2=40)}}
    answer = apply_command(four.pk, correct, BY, opens_lock=opens_lock)
    assert answer.message == "Only the totals of this table are known. It has no hands to change."


def test_what_was_sent_as_a_kind_is_quoted_as_it_came(four):
    answer = apply_command(four.pk, {"key": new_key(), "kind": "{1} {", "body": {}}, BY)
    assert answer.message == "There is no command '{1} {'."


@pytest.fixture
def long_afternoon(four, cast):
    """Three hands, then: the second corrected, Fay for Alice, a fourth hand, the first taken out."""
    keys = [hand(four, "2", s2=40) for _ in range(3)]
    then, step = nets(four), last().pk
    send(four, "correct", {"entry": keys[1], "body": totals("3", s3=100)})
    send(four, "change_player", {"seat": "1", "player": cast.fay.pk})
    hand(four, "4", s4=20)
    send(four, "take_out", {"entry": keys[0]})
    return keys, then, step


def test_a_session_goes_back_to_how_it_was_and_forward_again(four, long_afternoon):
    keys, then, step = long_afternoon
    latest, lines = nets(four), four.entries.count()
    command = {"key": new_key(), "kind": "go_back", "body": {"change": step}}
    preview = preview_command(four.pk, command)
    assert {preview.names[chair]: account.net for chair, account in preview.tallies_after.items()} == then
    assert nets(four) == latest
    assert apply_secretary_command(four.pk, command, BY).message.startswith("Table restored to that point. ")
    assert nets(four) == then
    assert four.entries.count() == lines
    assert [str(key) for key in four.entries.active().values_list("key", flat=True)] == keys
    assert last().action == "go_back"
    assert reconcile() == []
    send(four, "undo")
    assert nets(four) == latest
    assert reconcile() == []
    send(four, "redo")
    assert nets(four) == then


def test_going_back_to_now_or_to_another_sessions_step_is_refused(four, five, long_afternoon):
    now, theirs = last().pk, Change.objects.filter(session=five).first().pk
    assert at_desk(four, "go_back", {"change": now}).message.startswith("Nothing has changed since then")
    for step in (theirs, 0, None, "1", 10**30, True):
        assert (
            at_desk(four, "go_back", {"change": step}).message == "We could not find this point in the table’s history."
        )


def test_going_back_gives_seats_back_one_after_the_other(four, cast):
    hand(four, "2", s2=40)
    then, step = nets(four), last().pk
    send(four, "change_player", {"seat": "1", "player": cast.fay.pk})
    send(four, "change_player", {"seat": "2", "player": cast.alice.pk})
    assert at_desk(four, "go_back", {"change": step}).outcome == "recorded"
    assert nets(four) == then
