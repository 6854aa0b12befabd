"""The league table as CSV: two whole seasons by every method, against tables worked out elsewhere."""

import csv
import io
import json
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clubscore.league.ranking import SESSION, TIES, WORDS, Settings
from sessions_app.exchange.exports.club_csv import standings_file_name
from sessions_app.league.standings import Span, describe_span, league, season_standings, standings
from sessions_app.league.tags import league_rows
from sessions_app.models import Club, Season, Tally
from tests.queries import at_most

pytestmark = pytest.mark.slow

DATA = Path(__file__).parent.parent / "data"
CORPORA = {"season-totals.csv": "season-standings.json", "season-unknown-totals.csv": "season-unknown-standings.json"}
TABLES = json.loads((DATA / "season-standings.json").read_text(encoding="utf-8"))
HEADER = "place,player,sessions,hands,won,net,best_session,value,reason"
AUTUMN = Span(date(2025, 9, 4), date(2025, 12, 4), ("bmja",))
SPRING = ["--from", "2026-01-08", "--to", "2026-04-09"]


@pytest.fixture
def bars(db):
    call_command("import_totals", str(DATA / "season-totals.csv"), club="bars", stdout=io.StringIO())
    return Club.objects.get(slug="bars")


@pytest.fixture
def spring(bars):
    autumn = {"name": "Autumn", "starts_on": AUTUMN.starts_on, "ends_on": AUTUMN.ends_on}
    Season.objects.create(club=bars, rules=["bmja"], **autumn)
    days = {"starts_on": date(2026, 1, 8), "ends_on": date(2026, 4, 9)}
    return Season.objects.create(club=bars, name="Spring", rules=["bmja"], method="handicap", **days)


def exported(*args):
    out = io.StringIO()
    call_command("export_standings", "--club", "bars", *args, stdout=out)
    return out.getvalue()


def arguments(args):
    words = []
    for key, value in args.items():
        if key == "previous":
            words += ["--previous-from", value["from"], "--previous-to", value["to"]]
        else:
            words += [f"--{key.replace('_', '-')}", str(value)]
    return words


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def known(rows):
    """Keep the columns that the data has; the first lines of the file, below, have all of them."""
    return [{column: row[column] for column in TABLES[0]["rows"][0]} for row in rows]


@pytest.mark.parametrize(("totals", "number"), [("season-totals.csv", 36), ("season-unknown-totals.csv", 43)])
def test_every_table_of_two_seasons(db, totals, number):
    call_command("import_totals", str(DATA / totals), club="bars", stdout=io.StringIO())
    tables = json.loads((DATA / CORPORA[totals]).read_text(encoding="utf-8"))
    wrong = [table["args"] for table in tables if known(rows_of(exported(*arguments(table["args"])))) != table["rows"]]
    assert wrong == []
    assert len(tables) == number


def test_first_lines_as_a_spreadsheet_gets_them(bars):
    lines = exported("--from", "2025-09-04", "--to", "2025-12-04", "--method", "total").split("\r\n")
    assert lines[:2] == ["\ufeff" + HEADER, "1,Jean A,10,115,28,1380,700,1380.0000,"]


def test_nobody_to_list_gives_the_header_alone(bars):
    assert exported("--from", "2024-01-01", "--to", "2024-12-31") == f"\ufeff{HEADER}\r\n"


def test_minimum_hands_is_another_way_in(bars):
    reasons = {row["player"]: row["reason"] for row in rows_of(exported(*SPRING, "--minimum-sessions", "12"))}
    by_hands = rows_of(exported(*SPRING, "--minimum-sessions", "12", "--minimum-hands", "60"))
    let_in = {row["player"] for row in by_hands if not row["reason"] and reasons[row["player"]]}
    assert let_in
    assert [row for row in by_hands if int(row["hands"]) >= 60 and row["reason"] not in ("", "guest")] == []


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--from", "12/11/2026", "--to", "2026-12-01"], "“12/11/2026” is not a date such as 2026-11-12"),
        (["--from", "2026-12-01", "--to", "2026-11-01"], "The span ends on 2026-11-01, before it starts"),
        ([*SPRING, "--method", "luck"], "invalid choice: 'luck'"),
        ([*SPRING, "--rules", "bmja,poker"], "there are no rules called poker"),
        ([*SPRING, "--minimum-sessions", "x"], "“x” is not a whole number from 0 to 9999"),
        ([*SPRING, "--previous-from", "2025-09-01"], "--previous-from and --previous-to belong together."),
    ],
)
def test_wrong_options_are_refused(db, args, sentence):
    Club.objects.create(name="Bars", slug="bars")
    with pytest.raises(CommandError) as refusal:
        exported(*args)
    assert sentence in str(refusal.value)


def test_unknown_club(db):
    with pytest.raises(CommandError, match="There is no club at /c/bars/."):
        exported(*SPRING)


def test_standings_take_one_query_for_any_number_of_players(bars):
    before = Span(date(2025, 1, 1), date(2025, 8, 31), ())
    with at_most(1):
        many = standings(bars, AUTUMN, Settings("rating"), before)
    assert len(many.rows) == 19
    Tally.objects.of_club(bars).exclude(session__date=date(2025, 9, 4)).update(hands=0)
    with at_most(1):
        few = standings(bars, AUTUMN, Settings("rating"), before)
    assert len(few.rows) == 8


def test_a_season_takes_two_queries_and_looks_back_one_season(spring):
    with at_most(2):
        table = season_standings(spring)
    expected = next(table for table in TABLES if "previous" in table["args"] and table["args"]["method"] == "handicap")
    names = [(str(row.position or ""), row.name, str(row.net)) for row in table.rows]
    assert names == [(row["place"], row["player"], row["net"]) for row in expected["rows"]]


def test_each_players_handicap_stands_by_the_name(spring):
    """What the value has above the average per hand, in the tables worked out elsewhere."""
    [expected] = [one for one in TABLES if "previous" in one["args"] and one["args"]["method"] == "handicap"][:1]
    above = {
        row["player"]: round(float(row["value"]) - int(row["net"]) / int(row["hands"])) for row in expected["rows"]
    }
    found = league(spring)
    assert {row.name: row.given for row in found.rows} == above
    assert len(set(above.values())) > 3
    page = league_rows(found.rows, found, spring.club)
    assert page.count(">handicap ") == sum(points > 0 for points in above.values())
    assert {row.given for row in league(spring, method="average").rows} == {0}


def test_another_method_and_an_earlier_date(spring):
    table = league(spring, until=date(2026, 1, 8), method="total", minimum_sessions=1).table
    assert [(row.name, row.shown) for row in table.rows][:2] == [("Margaret H", "448"), ("Roy S", "191")]
    assert len(table.rows) == 8


def test_sessions_that_do_not_count_are_told(bars):
    table = standings(bars, Span(date(2025, 10, 16), date(2025, 10, 16), ("bmja",)), Settings())
    assert [(row.date, row.table) for row in table.left_out] == [(date(2025, 10, 16), 6)]
    reason = table.left_out[0].reason
    assert reason.startswith("played under “Baggaley")
    assert reason.endswith("” rules, which this table does not count")


@pytest.mark.parametrize(
    ("rules", "recording", "said"),
    [
        (("bmja",), "settle", "“British (BMJA)” rules, where players paid each other"),
        (
            ("bmja", "western", "u3a"),
            "straight",
            "“British (BMJA)”, “Western (h2g2)” or “u3a Beginners' Guide, to the letter” rules, "
            "where players added up their own scores",
        ),
    ],
)
def test_the_small_print_names_the_rule_sets_so_that_each_can_be_told_from_the_next(rules, recording, said):
    span = Span(date(2025, 10, 16), date(2025, 12, 4), rules, recording)
    assert describe_span(span) == f"tables played from 16 October 2025 to 4 December 2025 under {said}"


def test_another_recording_does_not_count(bars):
    table = standings(bars, Span(date(2026, 2, 19), date(2026, 2, 19), ("bmja",)), Settings())
    assert [(row.table, row.reason) for row in table.left_out] == [(7, "players added up their own scores")]


def test_small_print_comes_from_what_was_used(spring):
    first, season_before, method, qualifying, ties = season_standings(spring, minimum_sessions=5).small_print
    assert first.startswith("This league table counts tables played from 8 January 2026 to 9 April 2026 under ")
    assert season_before == "The season before: 4 September 2025 to 4 December 2025."
    assert method.startswith("Your score is your average per hand plus a handicap")
    assert qualifying == "Members need at least 5 tables to be ranked. Guests are never ranked."
    assert ties == TIES.format(**WORDS[SESSION])


def test_file_name():
    assert standings_file_name("bars", date(2026, 4, 9), "best_n") == "bars-2026-04-09-standings-best_n.csv"
