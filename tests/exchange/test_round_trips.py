"""A club goes out as its zip and into an empty one, as list and afternoons or as totals: byte for byte the same."""

import csv
import datetime
import io
import json
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from clubscore.play.meeting_lines import game_table
from clubscore.scoring import RULE_SETS
from sessions_app.exchange.exports.club_csv import honours_csv, payments_csv, standings_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.files import whole_club_zip
from sessions_app.exchange.exports.meeting import meeting_json
from sessions_app.exchange.exports.session_csv import club_hands_csv, club_totals_csv, session_hands_csv
from sessions_app.exchange.imports.meeting import Brought, import_meeting_file, load_meeting
from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.exchange.imports.meeting_plan import plans_of
from sessions_app.exchange.imports.players import import_players
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.spreadsheets import read_text
from sessions_app.league.standings import season_standings
from sessions_app.meetings.services import new_joining_code, plan_meeting
from sessions_app.models import Club, Entry, Meeting, Player, Season, Session, WaitingGame
from sessions_app.people.players import add_player
from sessions_app.table.board import session_board
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, record, table_in_play, totals
from tests.imported import import_totals_text
from tests.logins import logins, signed_in
from tests.reconciled import reconcile

SETTLED = [key for key, rules in RULE_SETS.items() if rules.house_rules["recording"] == "settle"]
STRAIGHT = [key for key in RULE_SETS if key not in SETTLED]
NEXT_DAY = DAY + datetime.timedelta(days=1)
TAIL = {"key": "dragons_tail", "name": "Dragon’s Tail", "value": "half limit", "fishing": 150}


def seasons_of(club):
    for day, recording, rules in ((DAY, "settle", SETTLED), (NEXT_DAY, "straight", STRAIGHT)):
        Season.objects.create(
            club=club, name=recording, starts_on=day, ends_on=day, rules=rules, recording=recording, minimum_sessions=1
        )


def played(session, *steps):
    for kind, body in steps:
        answer = record(session, body, kind)
        assert answer.outcome == "recorded", answer.message
    return answer


def hands(session, *winners):
    """Play a hand for each winner, of totals that tell everyone apart; None is a hand without a Mah-jong."""
    for number, winner in enumerate(winners, 1):
        points = {f"seat{seat.seat_no}": 8 * number + 2 * seat.seat_no for seat in session.seats.all()}
        played(session, ("hand", totals(session, winner, **(points if winner else {}))))


def finished(session):
    played(session, ("finish", {}))


@pytest.fixture
def rich(club, cast, other_club):
    """A club which has played by every rule set, on two days, the first with two meetings, and all a table may have."""
    seasons_of(club)
    seasons_of(other_club)
    party = {"meeting_name": "Party, and tea"}
    for number, rules in enumerate(RULE_SETS, 1):
        sits = cast.all[: max(RULE_SETS[rules].players)]
        own = [TAIL] if RULE_SETS[rules].takes_club_hands else []
        day = DAY if rules in SETTLED else NEXT_DAY
        session = start_session(club, day, number, sits, rules, {}, by=BY, club_hands=own, **party)
        hands(session, 1, 2, None, 3)
        if own:
            body = totals(session, None, seat2=20)
            winner = next(iter(body["hands"]))
            body["hands"][winner] = {"special": "dragons_tail"}
            played(session, ("hand", {**body, "mahjong": {"by": winner}}))
        finished(session)
    Meeting.objects.filter(name=party["meeting_name"]).update(starts_at=datetime.time(14, 5), place="The Hall")
    again = start_session(club, DAY, 1, cast.all[1:], "bmja", {}, by=BY, sticks="guide", **party)
    hands(again, 2, 4)
    finished(again)
    evening(club, cast)
    assert reconcile() == []
    return club


def evening(club, cast):
    """The other meeting of the day, without a name: two sessions at a table, the second with a goulash."""
    hands(first := table_in_play(club, cast.all[:4], starting_balance=500), 3)
    finished(first)
    second = table_in_play(club, [cast.fay, *cast.all[:3]], sticks="older_british")
    out = played(second, ("hand", totals(second, 4, seat4=200))).entry
    played(second, ("fine", {"by": "2", "to": None, "amount": 30, "why": "Late"}), ("take_out", {"entry": out}))
    hands(second, None)
    goulash = totals(second, 2, seat2=60, seat1=12)
    goulash |= {"agreed": "1", "beside": {"4": {"total": 30}}}
    goulash["penalties"] = [
        {"kind": "misnamed discard", "by": "3", "to": "1"}, {"kind": "fine", "by": "4", "to": None, "amount": 10},
    ]  # fmt: skip
    played(second, ("hand", goulash), ("seating", {"exchange": ["1", "3"]}))
    hands(second, 1)
    finished(second)


def files(club):
    tables = [
        standings_csv(season_standings(season).rows, names=PROGRAMS)
        for season in Season.objects.of_club(club).order_by("name")
    ]
    return {
        "totals": club_totals_csv(club, names=PROGRAMS),
        "hands": club_hands_csv(club, names=PROGRAMS),
        "payments": payments_csv(club, names=PROGRAMS),
        "honours": honours_csv(club),
        **{f"standings {number}": text for number, text in enumerate(tables)},
    }


def taken_out(club):
    with zipfile.ZipFile(io.BytesIO(whole_club_zip(club, DAY))) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def expect_rich(rich):
    """What the round trip stands for is really in it: the file of every kind has the rows that are hard to keep."""
    found = files(rich)
    assert all(text.count("\r\n") > 1 for text in found.values())
    assert ",(2),1,bmja," in found["totals"]
    assert '"Party, and tea (2)",1,bmja,' in found["totals"]
    assert ",E,yes,won," in found["hands"]
    assert ",penalty\r\n" in found["payments"]
    assert Entry.objects.filter(removed=True).count() == 1
    night = next(text for name, text in taken_out(rich).items() if name.startswith("afternoons/") and "agreed" in text)
    assert '"agreed": "Fay"' in night
    assert '"beside": {' in night


def test_list_and_afternoons_make_the_same_club(rich, other_club):
    expect_rich(rich)
    Player.objects.filter(club=other_club).delete()
    out = taken_out(rich)
    import_players(other_club, read_text(out["players.csv"]), {}, "k", by=BY)
    Club.objects.filter(pk=other_club.pk).update(name=rich.name)
    other_club.refresh_from_db()
    nights = [text for name, text in out.items() if name.startswith("afternoons/")]
    assert len(nights) == 3
    for text in nights:
        assert import_meeting_file(other_club, text, {"accept_all": "1"}, by=BY).notes == []
    there = taken_out(other_club)
    assert files(other_club) == files(rich)
    assert sorted(text for name, text in there.items() if name.startswith("afternoons/")) == sorted(nights)
    assert there["players.csv"] == out["players.csv"]
    assert reconcile() == []
    for text in nights:
        assert import_meeting_file(other_club, text, {}, by=BY).recorded == 0


def test_totals_alone_make_the_same_totals_and_again_change_nothing(rich, other_club):
    Player.objects.filter(club=other_club).delete()
    out = club_totals_csv(rich, names=PROGRAMS)
    import_totals_text(other_club, out, accept_all="1")
    assert club_totals_csv(other_club, names=PROGRAMS) == out
    assert Meeting.objects.of_club(other_club).count() == 3
    for club in (other_club, rich):
        assert not import_totals_text(club, out).has_changes


def test_a_hand_that_was_taken_out_comes_in_taken_out(club, other_club, cast):
    session = table_in_play(club, cast.all[:4])
    out = played(session, ("hand", totals(session, 2, seat2=64, seat3=12))).entry
    played(session, ("take_out", {"entry": out}))
    hands(session, 1)
    Player.objects.filter(club=other_club).delete()
    loaded = load_meeting(read_meeting_file(meeting_json(session.meeting).encode()), BY, brought=Brought(other_club))
    assert loaded.notes == []
    [entry] = Entry.objects.filter(session__club=other_club, removed=True)
    assert entry.body["mahjong"] == {"by": "2"}
    assert entry.body["hands"]["3"] == {"total": 12}
    assert Session.objects.get(club=other_club).hands.count() == 1


def test_a_hand_taken_out_that_fits_no_more_becomes_a_note(club, other_club, cast):
    session = table_in_play(club, cast.all[:4])
    out = played(session, ("hand", totals(session, 2, seat2=64))).entry
    played(session, ("take_out", {"entry": out}))
    night = json.loads(meeting_json(session.meeting))
    night["tables"][0]["lines"][0]["input"]["hands"]["E"] = {"tiles": "1C 1C 1C 1C 1C"}
    loaded = load_meeting(read_meeting_file(json.dumps(night).encode()), BY, brought=Brought(other_club))
    [note] = Entry.objects.filter(session__club=other_club)
    assert (note.kind, note.body["text"][:54]) == ("note", "A hand removed before hand 1 no longer fits here. 1 Ch")
    assert len(loaded.notes) == 1
    assert loaded.notes[0].startswith("Table 1: A hand removed before hand 1 no longer fits")


def test_a_meeting_whose_name_ends_like_a_second_table_stays_itself(club, other_club):
    head = "date,meeting,table,rules,player,hands,won,net\n"
    rows = "2026-11-12,Heat (2),1,bmja,Ann Brown,8,2,40\n2026-11-12,Heat (2),1,bmja,Roy Parr,8,2,-40\n"
    add_player(club, "Ann Brown", by=BY)
    import_totals_text(club, head + rows)
    assert Meeting.objects.of_club(club).get().name == "Heat (2)"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"meeting": {"name": "x" * 81}}, "the meeting's name is longer than 80 letters."),
        ({"meeting": {"starts_at": "2 o'clock"}}, "the start of its meeting is not a time. Enter it like 14:00."),
        (
            {"hands": [{"input": {}, "agreed": 3}]},
            "table 1, hand 1: the “beside” or “agreed” of the hand cannot be read.",
        ),
        ({"sticks": "mine"}, "table 1: choose tally sticks from guide, older_british."),
        ({"starting_balance": "much"}, "table 1: its starting balance is not a whole number of points."),
    ],
)
def test_what_a_file_tells_of_meeting_and_table_is_checked(more, sentence):
    table = {"table": 1, "players": ["Ann", "Bob", "Cat"], "hands": []}
    night = {"club": "B", "date": "2026-11-12", "tables": [table]}
    (night if "meeting" in more else table).update(more)
    with pytest.raises(ImportRefused, match=sentence.replace(".", r"\.")):
        read_meeting_file(json.dumps(night).encode())


def test_hands_of_older_files_keep_their_keys():
    """A file without a name for its meeting was loaded under these keys: loaded again, nothing is there twice."""
    hand = {"input": {"hands": {"E": {"total": 20}, "S": {}, "W": {}}, "mahjong": {"by": "E"}}}
    table = {"table": 1, "players": ["Ann", "Bob", "Cat"], "hands": [hand]}
    night = {"club": "B", "date": "2026-11-12", "tables": [table, {**table, "hands": [hand | {"goulash": False}]}]}
    named = {**night, "meeting": {"name": "Tea"}}
    keys = [
        [step.key for plan in plans_of(read_meeting_file(json.dumps(one).encode())) for step in plan.steps]
        for one in (night, named)
    ]
    assert keys[0][0] == "d0ba400c-7885-50bd-86c9-985412468b65"
    assert len({*keys[0], *keys[1]}) == 4


@pytest.mark.parametrize("way", ["account", "join code"])
def test_several_games_have_the_figures_of_the_same_hands_entered_at_the_club(rich, other_club, way):
    """By whoever keeps the score there, and by the waiting place of the join code: nets, and each line of hands.csv."""
    there = list(Session.objects.filter(club=rich, club_hands=[]).order_by("date", "pk"))
    files = []
    for session in there:
        table = game_table(session_board(session))
        meeting = {"name": f"Played elsewhere, 19:30: {', '.join(table['players'])}"[:80]}
        facts = {"club": "A game at home", "game": f"game-{session.pk}", "date": str(session.date)}
        files.append({**facts, "meeting": meeting, "members": [], "tables": [table]})
    assert len(files) > 2
    Player.objects.filter(club=other_club).delete()
    address, text = reverse("import-game", args=[other_club.slug]), json.dumps(files)
    keeper = signed_in(logins(other_club)["scorekeeper"])
    if way == "join code":
        code = new_joining_code(plan_meeting(other_club, other_club.today, by=BY), by=BY)
        guest = Client()
        guest.post(reverse("join"), {"code": code})
        guest.post(reverse("game-into-joined-club"), {"text": text})
        [waiting] = WaitingGame.objects.of_club(other_club)
        address, text = f"{address}?waiting={waiting.pk}", waiting.text
    look = keeper.post(address, {"text": text}).context["preview"]
    accept = [question.key for question in look.table_questions]
    assert keeper.post(address, {"text": text, "do": "record", "accept": accept}).status_code == 302
    brought = list(Session.objects.filter(club=other_club).order_by("pk"))
    assert list(map(nets_of, brought)) == list(map(nets_of, there))
    assert [lines_of(session) for session in brought] == [lines_of(session) for session in there]
    assert reconcile() == []


def nets_of(session):
    return {str(seat.player): seat.tally.net for seat in session.seats.all() if hasattr(seat, "tally")}


def lines_of(session):
    """Return the lines of hands.csv, without which session it is and when it was entered."""
    rows = list(csv.DictReader(io.StringIO(session_hands_csv(session, names=PROGRAMS))))
    assert rows
    apart = ("session", "table", "meeting", "entered", "key", "season")
    return [{name: value for name, value in row.items() if not name.lower().startswith(apart)} for row in rows]
