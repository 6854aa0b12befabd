"""Taking out: every file of the desk's page, club-wide and of a season, the whole club as a zip; each is logged."""

import csv
import datetime
import io
import json
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from sessions_app.exchange.exports.club_csv import standings_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.files import FILES, STANDINGS_FILE, whole_club_zip
from sessions_app.exchange.exports.meeting import meeting_json
from sessions_app.exchange.exports.results_mail import mail_files, result_of, sessions_of
from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.league.standings import season_standings
from sessions_app.meetings.models import MEETING_FACTS
from sessions_app.meetings.services import change_meeting
from sessions_app.models import Change, Club, Meeting, MeetingFee, Player, Season
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.people.players import set_contact
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, house, record, table_in_play, totals
from tests.logins import signed_in
from tests.page_csv import rows_of

EXPORTS = (STANDINGS_FILE, *FILES)
LAST_YEAR = datetime.date(2025, 11, 13)


@pytest.fixture
def at_home(club, cast):
    """Table 1 with Alice's 100 in the season, another table a year before it, and a practice table."""
    at_home = house(club, cast.all[:4])
    before = start_session(club, LAST_YEAR, 1, cast.all[:4], "bmja", {}, by=BY)
    record(before, totals(before, 2, seat2=50))
    record(before, {"by": "3", "to": None, "amount": 30, "why": "Late"}, "fine")
    practice = table_in_play(club, cast.all[1:], number=7, practice=True)
    record(practice, totals(practice, 1, seat1=500))
    at_home.client = signed_in(at_home.secretary)
    return at_home


def taken(at_home, what, season=None):
    address = reverse("export-csv", args=[at_home.club.slug])
    answer = at_home.client.get(address, {"what": what, **({"season": season.pk} if season else {})})
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return rows_of(answer)


@pytest.mark.parametrize(
    ("what", "headings"),
    [
        ("totals", "Date,Meeting,Table,Rules,How it was scored,Player,Guest,Seat,Hands,Hands won,"),
        (
            "standings",
            "Position,Player,Tables played,Hands,Hands won,Won or lost,Best table,Ranked by the figure,",
        ),
        ("seasons", "Season,First day,Last day,Rules,How it was scored,Ranked by,Tables needed,Hands needed,"),
        (
            "hands",
            "Date,Meeting,Table,Hand,Wind of round,Goulash,Result,Player,Wind,Points,Doubles,Total,Special hand,"
            "Fishing for,Went Mah-jong,Won or lost,",
        ),
        ("payments", "Date,Meeting,Table,Hand,Paid by,Paid to,Amount,Reason"),
        ("meetings", "Date,Meeting,Begins at,Venue,Tables"),
        ("players", "Player,Name at the table,Guest,Left on,Merged into,Name in public,Email,Telephone,Agreed on,"),
    ],
)
def test_the_headings_are_for_people(at_home, what, headings):
    answer = at_home.client.get(reverse("export-csv", args=[at_home.club.slug]), {"what": what})
    first = answer.content.decode("utf-8-sig").splitlines()[0]
    assert first.startswith(headings)


@pytest.mark.parametrize(
    ("what", "columns"),
    [
        ("seasons", {"Rules": "British (BMJA)", "How it was scored": "players pay each other",
                     "Ranked by": "Average per hand"}),
        ("totals", {"Rules": "British (BMJA)", "How it was scored": "players pay each other"}),
        ("payments", {"Reason": "Mah-jong"}),
        ("hands", {"Result": "Mah-jong"}),
    ],
)  # fmt: skip
def test_what_stands_in_a_column_is_in_words_for_people(at_home, what, columns):
    answer = at_home.client.get(reverse("export-csv", args=[at_home.club.slug]), {"what": what})
    row = next(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {name: row[name] for name in columns} == columns


def test_a_league_table_of_meetings_says_so_in_its_headings(at_home):
    Season.objects.update(by_meeting=True)
    address, query = reverse("export-csv", args=[at_home.club.slug]), {"what": "standings"}
    assert ",Meetings played,Hands,Hands won,Won or lost,Best meeting," in at_home.client.get(address, query).text


def test_people_read_how_many_tables_are_needed_and_programs_sessions(at_home):
    Season.objects.update(minimum_sessions=3)
    address, query = reverse("export-csv", args=[at_home.club.slug]), {"what": "standings"}
    reasons = {row["reason"] for row in rows_of(at_home.client.get(address, query))}
    assert reasons == {"1 of 3 tables"}
    for_programs = standings_csv(season_standings(at_home.season).rows, names=PROGRAMS)
    assert "1 of 3 sessions" in for_programs
    assert "tables" not in for_programs


def test_totals_with_the_headings_for_people_come_in_again(at_home):
    answer = at_home.client.get(reverse("export-csv", args=[at_home.club.slug]), {"what": "totals"})
    file = SimpleUploadedFile("totals.csv", answer.content)
    page = at_home.client.post(reverse("import-totals", args=[at_home.club.slug]), {"file": file})
    assert page.context["preview"].questions == []
    assert page.context["preview"].plan.summary == "Nothing changes"


def test_payments_of_the_club_and_of_a_season(at_home):
    found = [(row["date"], row["hand"], row["from"], row["to"], row["amount"], row["why"])
            for row in taken(at_home, "payments")]  # fmt: skip
    assert found[:3] == [
        ("2025-11-13", "1", "Alice", "Bob", "100", "mah-jong"),
        ("2025-11-13", "1", "Carol", "Bob", "50", "mah-jong"),
        ("2025-11-13", "1", "Dave", "Bob", "50", "mah-jong"),
    ]
    assert ("2025-11-13", "", "Carol", "nobody", "30", "fine") in found
    assert {row["date"] for row in taken(at_home, "payments", at_home.season)} == {"2026-11-12"}
    # Three losers pay East 200 each, and two of them pay Bob his 20.
    assert sum(int(row["amount"]) for row in taken(at_home, "payments", at_home.season)) == 640


def test_hands_of_the_club_end_with_what_everybody_has(at_home):
    rows = taken(at_home, "hands")
    last = {(row["date"], row["player"]): row["running"] for row in rows}
    assert last["2026-11-12", "Alice"] == "600"
    assert last["2025-11-13", "Carol"] == "-80"
    assert {row["date"] for row in taken(at_home, "hands", at_home.season)} == {"2026-11-12"}
    assert "7" not in {row["table"] for row in rows}


def test_who_came(at_home, cast):
    rows = [(row["date"], row["player"], row["tables"]) for row in taken(at_home, "attendance", at_home.season)]
    assert rows == [("2026-11-12", name, "1") for name in ("Alice", "Bob", "Carol", "Dave")]
    assert len(taken(at_home, "attendance")) == 8


def test_totals_and_standings_of_a_season(at_home):
    assert [row["net"] for row in taken(at_home, "totals", at_home.season)] == ["600", "-160", "-220", "-220"]
    assert len(taken(at_home, "totals")) == 8
    assert taken(at_home, "standings", at_home.season)[0]["player"] == "Alice"


def test_players_with_how_to_reach_them(at_home, cast):
    set_contact(cast.fay, "fay@example.org", "", DAY, by=BY)
    by_name = {row["player"]: row for row in taken(at_home, "players")}
    assert (by_name["Fay"]["email"], by_name["Fay"]["agreed_on"]) == ("fay@example.org", "2026-11-12")


def test_each_file_is_logged(at_home):
    Club.objects.filter(pk=at_home.club.pk).update(keeps_fees=True)
    for export in EXPORTS:
        taken(at_home, export.key)
    sentences = [line.sentence for line in log_page(at_home.club, LogFilter(what="exports")).lines]
    assert sentences[0] == "bramley-secretary exported the history."
    assert len(sentences) == len(EXPORTS) == 12
    taken(at_home, "hands", at_home.season)
    newest = log_page(at_home.club, LogFilter(what="exports")).lines[0].sentence
    assert newest == "bramley-secretary exported the hands, season Autumn 2026."


def test_the_whole_club_has_every_file_and_a_page_in_plain_words(at_home, cast):
    set_contact(cast.fay, "fay@example.org", "01234 567", DAY, by=BY)
    answer = at_home.client.get(reverse("export-zip", args=[at_home.club.slug]))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        texts = {name: file.read(name).decode() for name in file.namelist()}
    meetings = {session.date: session.meeting_id for session in at_home.club.sessions.filter(practice=False)}
    afternoons = {f"afternoons/{date}-{pk}.json" for date, pk in meetings.items()}
    assert set(texts) == {
        "README.txt", "players.csv", "totals.csv", "hands.csv", "payments.csv", "attendance.csv", "honours.csv",
        "meetings.csv", "seasons.csv", "standings/2026-09-01-to-2026-12-31.csv", "log.csv", *afternoons,
    }  # fmt: skip
    expect_every_file_told(texts)
    assert texts["README.txt"].startswith("Bramley: everything this club has played in Clubscore")
    assert "example.org" not in "".join(texts.values())
    assert "01234" not in "".join(texts.values())
    assert json.loads(texts[sorted(afternoons)[1]])["session_totals"] == {
        "Alice": 600, "Bob": -160, "Carol": -220, "Dave": -220,
    }  # fmt: skip


def expect_every_file_told(texts):
    """Hold what the page in a zip tells of against what is there, both ways; a folder is named once."""
    found = {line.split()[0] for line in texts["README.txt"].splitlines() if re.match(r"[a-z]+(\.csv|/) ", line)}
    assert found == {re.sub("/.*", "/", name) for name in texts if name != "README.txt"}


def test_fees_are_there_where_they_are_kept(at_home, cast):
    meeting = at_home.table_session.meeting
    address = reverse("export-csv", args=[at_home.club.slug])
    assert at_home.client.get(address, {"what": "fees"}).status_code == 404
    MeetingFee.objects.create(
        club=at_home.club,
        meeting=meeting,
        player=cast.bob,
        table_fee="2.50",
        refreshments="0.80",
        paid=True,
        how="cash",
    )
    assert taken(at_home, "fees", at_home.season) == [
        {"date": "2026-11-12", "meeting": "", "player": "Bob", "table_fee": "2.50", "refreshments": "0.80",
         "paid": "yes", "how": "in cash"}
    ]  # fmt: skip
    with zipfile.ZipFile(io.BytesIO(whole_club_zip(at_home.club, DAY))) as file:
        texts = {name: file.read(name).decode() for name in file.namelist()}
    assert "fees.csv" in texts
    expect_every_file_told(texts)


def test_meetings_and_seasons(at_home):
    Meeting.objects.filter(date=DAY).update(starts_at=datetime.time(14), place="The Hall", name="Tea")
    assert [list(row.values()) for row in taken(at_home, "meetings")] == [
        ["2025-11-13", "", "", "", "1"], ["2026-11-12", "Tea", "14:00", "The Hall", "1"],
    ]  # fmt: skip
    assert len(taken(at_home, "meetings", at_home.season)) == 1
    [row] = taken(at_home, "seasons")
    assert list(row.values()) == [
        "Autumn 2026", "2026-09-01", "2026-12-31", "bmja", "settle", "average", "3", "", "8", "", "", "", "", "0",
    ]  # fmt: skip


def test_an_afternoon(at_home):
    answer = at_home.client.get(reverse("export-night", args=[at_home.club.slug]))
    assert answer["Content-Disposition"] == 'attachment; filename="bramley-2026-11-12-afternoon.json"'
    assert json.loads(answer.content)["tables"][0]["players"] == ["Alice", "Bob", "Carol", "Dave"]


def test_looking_at_the_page_or_at_nothing_logs_nothing(at_home):
    lines = Change.objects.count()
    assert at_home.client.get(reverse("exports", args=[at_home.club.slug])).status_code == 200
    assert at_home.client.get(reverse("export-csv", args=[at_home.club.slug]), {"what": "secrets"}).status_code == 404
    assert at_home.client.head(reverse("export-zip", args=[at_home.club.slug])).status_code == 200
    assert Change.objects.count() == lines


def test_queries_do_not_grow_with_the_club(at_home):
    makes = {export.key: export.make for export in EXPORTS if export.key != "log"}
    most = {"standings": 1, "totals": 2, "hands": 4, "payments": 2, "attendance": 4, "honours": 2, "players": 2,
            "meetings": 1, "seasons": 1, "fees": 1, "subscriptions": 1}  # fmt: skip
    counts = []
    for rows in (1, 30):
        for number in range(rows):
            more = [Player(club=at_home.club, full_name=f"{name} {rows} {number}") for name in ("Ida", "Joy", "Kim")]
            another = table_in_play(at_home.club, Player.objects.bulk_create(more), number=rows + number + 3)
            record(another, totals(another, 2, seat2=32))
        counts.append({})
        for what, make in makes.items():
            with CaptureQueriesContext(connection) as queries:
                make(at_home.club, Season.objects.get(pk=at_home.season.pk))
            counts[-1][what] = len(queries)
    assert counts[0] == counts[1]
    assert {what: count for what, count in counts[0].items() if count > most[what] + 1} == {}


def test_the_same_file_has_the_same_words_wherever_it_leaves(at_home, cast):
    """Downloaded, attached to the results, in the club's zip: one table of one meeting is the same in each."""
    session, meeting = at_home.table_session, at_home.table_session.meeting
    downloaded = {
        what: at_home.client.get(reverse(f"{what}-csv", args=[at_home.club.slug, session.pk])).content.decode()
        for what in ("totals", "hands")
    }
    mailed = dict(mail_files(meeting, sessions_of(meeting), result_of(meeting)))
    assert mailed["bramley-2026-11-12-totals.csv"] == downloaded["totals"]
    assert mailed["bramley-2026-11-12-hands.csv"] == downloaded["hands"]
    result = at_home.client.get(reverse("meeting-result-csv", args=[at_home.club.slug, meeting.pk])).content.decode()
    assert mailed["bramley-2026-11-12-result.csv"] == result
    assert result.splitlines()[0].endswith(",Player,Guest,Hands,Hands won,Won or lost,Best hand,Round 1")
    with zipfile.ZipFile(io.BytesIO(whole_club_zip(at_home.club, DAY))) as file:
        for what in ("totals", "hands", "payments", "seasons", "meetings"):
            address = reverse("export-csv", args=[at_home.club.slug])
            page = at_home.client.get(address, {"what": what}).content.decode()
            assert file.read(f"{what}.csv").decode() == page, what
        standings = file.read("standings/2026-09-01-to-2026-12-31.csv").decode()
    assert standings == at_home.client.get(reverse("standings-csv", args=[at_home.club.slug])).content.decode()


def test_what_is_said_of_a_meeting_is_in_each_file_of_meetings(at_home):
    facts = {"name": "Tea", "starts_at": datetime.time(14), "place": "The Hall"}
    assert set(facts) == set(MEETING_FACTS)
    meeting = at_home.table_session.meeting
    change_meeting(meeting, meeting.date, by=BY, **facts)
    [row] = taken(at_home, "meetings", at_home.season)
    assert (row["meeting"], row["starts_at"], row["place"]) == ("Tea", "14:00", "The Hall")
    meeting.refresh_from_db()
    assert json.loads(meeting_json(meeting))["meeting"] == {"name": "Tea", "starts_at": "14:00", "place": "The Hall"}
    kept = read_meeting_file(meeting_json(meeting).encode())
    assert {name: getattr(kept, name) for name in facts} == facts
    logged = Change.objects.filter(action="change").latest("pk").after
    assert logged == {"date": "2026-11-12", "name": "Tea", "starts_at": "14:00", "place": "The Hall"}
