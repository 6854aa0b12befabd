"""The one rule for dates: which years every room takes, what is asked about, and what is said of a date far away."""

import argparse
import datetime
import html
import json
import re
import uuid
from pathlib import Path

import pytest
from django import forms
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.imports.meeting_file import read_meeting_file
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.management.commands.export_standings import day as day_option
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import ClubHand, Meeting, Player, Season, Session
from sessions_app.people.form_fields import DayField
from sessions_app.table.sessions import start_session
from tests.factories import BY, record, season, table_in_play, totals
from tests.logins import logins, signed_in

DAY = datetime.timedelta(days=1)
FOUR_DIGITS = "Enter the year with four digits, for example 2026."
WRONG_YEAR = "Enter a year from 1900 to 2999."
WRONG_YEARS = [
    ("0026-11-26", FOUR_DIGITS),
    ("0206-11-26", FOUR_DIGITS),
    ("1899-12-31", WRONG_YEAR),
    ("3000-01-01", WRONG_YEAR),
    ("9999-12-31", WRONG_YEAR),
]


def in_days(days):
    return timezone.localdate() + days * DAY


def years_on(years):
    """Return the 15th of this month, so many years on."""
    return timezone.localdate().replace(day=15, year=timezone.localdate().year + years)


@pytest.fixture
def pages(club, cast):
    users = logins(club)
    return signed_in(users["secretary"])


# A date of each room: the address, the fields besides the date, the name of the date, and what is saved.


def of_session(club, cast):
    seats = {f"player_{number}": one.pk for number, one in enumerate(cast.all[:4], 1)}
    return "session-start", [], {"table": 7, "rules": "bmja", **seats}, "date", Session


def of_move(club, cast):
    table = start_session(club, in_days(0), 1, cast.all[:4], "bmja", {}, by=BY)
    return "session-move", [table.pk], {"table": 5, "meeting_name": "Tea"}, "date", Session.objects.filter(table=5)


def of_totals(club, cast):
    seats = {f"player_{number}": one.pk for number, one in enumerate(cast.all[:2], 1)}
    nets = {"net_1": "100", "net_2": "-100", "table": 7, "rules": "bmja", "recording": "settle"}
    return "enter-totals", [], {**seats, **nets}, "date", Session


def of_plan(club, cast):
    return "meetings", [], {"name": "Summer tea", "place": "Hall"}, "date", Meeting


def of_meeting(club, cast):
    meeting = plan_meeting(club, in_days(1), by=BY)
    return "meeting-change", [meeting.pk], {"name": "Summer tea"}, "date", Meeting.objects.filter(name="Summer tea")


def of_season(club, cast):
    others = {
        "name": "Odd",
        "starts_on": "2020-01-01",
        "minimum_sessions": 3,
        "method": "average",
        "recording": "settle",
    }
    return "seasons", [], {**others, "rules": ["bmja"]}, "ends_on", Season


def of_season_start(club, cast):
    others = {"name": "Odd", "ends_on": "2999-12-31", "ends_on_is_right": "2999-12-31", "minimum_sessions": 3}
    return "seasons", [], {**others, "method": "total", "recording": "settle", "rules": ["bmja"]}, "starts_on", Season


def of_hand(club, cast):
    return "club-hand-new", [], {"name": "Tail", "text": "A run.", "worth": "limit"}, "since", ClubHand


def of_hand_end(club, cast):
    others = {"name": "Tail", "text": "A run.", "worth": "limit", "since": "1950-01-01", "since_is_right": "1950-01-01"}
    return "club-hand-new", [], others, "until", ClubHand


def of_player(club, cast):
    return (
        "player-change",
        [cast.alice.pk],
        {"full_name": "Alice", "guest": "on"},
        "left_on",
        Player.objects.exclude(left_on=None),
    )


def of_agreement(club, cast):
    others = {"full_name": "Alice", "email": "alice@example.org"}
    return "player-change", [cast.alice.pk], others, "agreed_on", Player.objects.exclude(contact=None)


ROOMS = {
    "a session": of_session,
    "a moved session": of_move,
    "totals": of_totals,
    "a planned meeting": of_plan,
    "a changed meeting": of_meeting,
    "the end of a season": of_season,
    "the start of a season": of_season_start,
    "the first day of a special hand": of_hand,
    "the last day of a special hand": of_hand_end,
    "the day a member left": of_player,
    "the day a member agreed": of_agreement,
}


@pytest.fixture(params=ROOMS.values(), ids=ROOMS)
def room(request, club, cast, pages):
    """Send the form of a room with a date; give the answer, and whether it was saved."""
    name, args, fields, date_name, saved = request.param(club, cast)
    address = reverse(name, args=[club.slug, *args])

    class Room:
        date = date_name
        typed = fields

        def send(self, date, **more):
            answer = pages.post(address, {**fields, date_name: str(date), **more})
            rows = saved.objects if hasattr(saved, "objects") else saved
            return answer, rows.exists()

    return Room()


def test_a_year_that_nobody_means_is_refused_and_nothing_typed_is_lost(room):
    for written, sentence in WRONG_YEARS:
        answer, is_saved = room.send(written)
        assert (answer.status_code, is_saved) == (422, False), written
        assert answer.context["form"].errors[room.date] == [sentence]
        assert f'value="{written}"' in answer.text
        for value in room.typed.values():
            if isinstance(value, str):
                assert html.escape(value) in answer.text


@pytest.mark.parametrize("last", ["1900-01-01", "2999-12-31"])
def test_the_first_and_the_last_day_are_taken(room, last, request):
    if last.startswith("2999") and "totals" in request.node.name:
        return  # refused, as it is to come
    answer, is_saved = room.send(last, **{f"{room.date}_is_right": last})
    ends_first = room.date in ("until", "ends_on") and last.startswith("1900")
    assert is_saved is not ends_first, answer.context and answer.context["form"].errors


def test_a_date_far_away_is_asked_about_once(room, request):
    day, words = (years_on(-60), "60 years ago") if "totals" in request.node.name else (years_on(36), "36 years ahead")
    if room.date in ("starts_on",):
        day, words = years_on(-60), "60 years ago"
    answer, is_saved = room.send(day)
    written = f"{day.day} {day:%B %Y}"
    assert (answer.status_code, is_saved) == (422, False)
    question = f"This date is {words}. Correct it, or choose “{written} is right”."
    assert answer.context["form"].errors[room.date] == [question]
    assert f'name="{room.date}_is_right" value="{day}"' in answer.text
    assert f"> {written} is right</label>" in answer.text
    # The tick is for this very date.
    _, is_saved = room.send(day, **{f"{room.date}_is_right": str(day + DAY)})
    assert not is_saved
    _, is_saved = room.send(day, **{f"{room.date}_is_right": str(day)})
    assert is_saved


def test_a_date_that_is_near_is_not_asked_about(room):
    answer, is_saved = room.send(in_days(0))
    assert is_saved, answer.context["form"].errors


@pytest.mark.parametrize(
    ("name", "days", "is_asked"),
    [
        ("a session", 7, False), ("a session", 8, True), ("a session", -366, False), ("a session", -367, True),
        ("a moved session", 7, False), ("a moved session", 8, True), ("a moved session", -367, True),
        ("totals", -50 * 366, False), ("totals", -50 * 366 - 1, True),
        ("a planned meeting", 732, False), ("a planned meeting", 733, True), ("a planned meeting", -367, True),
        ("the end of a season", 732, False), ("the end of a season", 733, True),
    ],
)  # fmt: skip
def test_what_is_far_depends_on_what_is_dated(club, cast, pages, name, days, is_asked):
    page, args, fields, date_name, _ = ROOMS[name](club, cast)
    answer = pages.post(reverse(page, args=[club.slug, *args]), {**fields, date_name: str(in_days(days))})
    assert (answer.status_code == 422) is is_asked


def test_a_tick_stays_while_something_else_is_corrected(club, cast, pages):
    _, _, fields, _, _ = of_session(club, cast)
    day = years_on(2)
    fields |= {"date": day, "date_is_right": day, "player_2": ""}
    answer = pages.post(reverse("session-start", args=[club.slug]), fields)
    assert f'name="date_is_right" value="{day}" id="id_date_is_right" checked' in answer.text
    assert list(answer.context["form"].errors) == ["player_2"]


def test_a_date_that_stays_as_it_was_is_not_asked_about_again(club, pages):
    day = years_on(30)
    meeting = plan_meeting(club, day, by=BY)
    address = reverse("meeting-change", args=[club.slug, meeting.pk])
    assert pages.post(address, {"date": day, "name": "Jubilee"}).status_code == 302
    meeting.refresh_from_db()
    assert (meeting.date, meeting.name) == (day, "Jubilee")


def test_which_of_two_meetings_is_asked_on_a_day_far_away(club, cast, pages):
    day = years_on(3)
    for name in ("Morning", "Evening"):
        plan_meeting(club, day, name=name, by=BY)
    _, _, fields, _, _ = of_session(club, cast)
    address = reverse("session-start", args=[club.slug])
    answer = pages.post(address, {**fields, "date": day, "date_is_right": day})
    assert answer.context["form"].errors == {"meeting": ["Which meeting is this table part of?"]}


# Every field, whoever adds it.


def forms_with_dates(cls=forms.BaseForm):
    for form in cls.__subclasses__():
        if form.__module__.startswith("sessions_app"):
            yield from ((form, name) for name, field in form.base_fields.items() if isinstance(field, forms.DateField))
        yield from forms_with_dates(form)


def test_every_date_of_every_form_follows_the_rule(client):
    client.get("/")  # so that every room's forms are imported
    found = dict.fromkeys(forms_with_dates())
    assert len(found) > 12
    assert [(form, name) for form, name in found if not isinstance(form.base_fields[name], DayField)] == []


def test_no_template_has_a_date_field_of_its_own():
    templates = Path(__file__).parents[2] / "templates"
    assert [path for path in templates.rglob("*.html") if re.search(r"""type=["']?date\b""", path.read_text())] == []


@pytest.mark.parametrize(
    "name", ["session-start", "meetings", "seasons", "standings", "draw-here", "log", "club-hand-new"]
)
def test_a_browser_knows_the_first_and_the_last_day(club, pages, name):
    season(club)
    fields = re.findall(r'<input type="date"[^>]*>', pages.get(reverse(name, args=[club.slug])).text)
    assert fields
    assert all('min="1900-01-01" max="2999-12-31"' in field for field in fields)


@pytest.mark.parametrize(("name", "field"), [("standings", "on"), ("log", "first"), ("log", "last")])
def test_what_is_only_looked_up_has_possible_years_too(club, pages, name, field):
    season(club)
    for written, sentence in WRONG_YEARS:
        answer = pages.get(reverse(name, args=[club.slug]), {field: written})
        assert answer.status_code == 422
        assert answer.context["form"].errors[field] == [sentence]


@pytest.mark.parametrize(("written", "_"), WRONG_YEARS)
def test_the_command_line_takes_possible_years_only(written, _):
    with pytest.raises(argparse.ArgumentTypeError, match=WRONG_YEAR):
        day_option(written)


@pytest.mark.parametrize(("written", "_"), WRONG_YEARS)
def test_a_meeting_file_says_that_the_year_is_wrong(written, _):
    content = {"club": "Bramley", "date": written, "tables": [], "members": []}
    with pytest.raises(ImportRefused, match=f"the year of its date is wrong. {WRONG_YEAR}"):
        read_meeting_file(json.dumps(content).encode())


# A tablet that started a session without the network.


@pytest.fixture
def start(club, cast, pages):
    address = reverse("new-table-start", args=[club.slug])
    basis = pages.get(reverse("kept-of-club", args=[club.slug])).json()["start"][club.rules]["basis"]
    seats = {f"player_{number}": str(one.pk) for number, one in enumerate(cast.all[:4], 1)}
    key = str(uuid.uuid4())

    def send(day, **more):
        body = {"basis": basis, "table": "1", "rules": "bmja", "date": str(day), **seats, **more}
        return pages.post(address, json.dumps({"key": key, "body": body}), content_type="application/json")

    return send


@pytest.mark.parametrize(("written", "sentence"), WRONG_YEARS)
def test_a_start_in_a_wrong_year_waits_for_the_right_date(start, club, written, sentence):
    answer = start(written)
    assert (answer.status_code, answer.json()["message"]) == (422, sentence)
    [today] = answer.json()["agree"]
    assert today["words"] == f"Use today’s date, {club.today.day} {club.today:%B %Y}"
    assert start(written, **today["fields"]).status_code == 201
    assert Session.objects.get().date == club.today


def test_a_start_far_from_today_is_asked_about(start, club):
    day = years_on(5)
    answer = start(day)
    assert answer.status_code == 422
    assert (
        answer.json()["message"]
        == f"This date is 5 years ahead. Correct it, or choose “{day.day} {day:%B %Y} is right”."
    )
    assert [one["words"] for one in answer.json()["agree"]] == [
        f"Use today’s date, {club.today.day} {club.today:%B %Y}",
        f"{day.day} {day:%B %Y} is right",
    ]
    assert start(day, **answer.json()["agree"][1]["fields"]).status_code == 201
    assert Session.objects.get().date == day


# What is said of a date far away.


def test_the_year_stands_in_lists_unless_it_is_this_year(club, cast, pages):
    day = years_on(36)
    start_session(club, in_days(0), 1, cast.all[:4], "bmja", {}, by=BY)
    start_session(club, day, 2, cast.all[:4], "bmja", {}, by=BY)
    page = pages.get(reverse("club", args=[club.slug])).text
    assert f'<span class="hint">{day.day} {day:%B %Y}</span>' in page
    assert f'<span class="hint">{in_days(0).day} {in_days(0):%B}</span>' in page


def test_a_narrow_table_page_hides_this_year_only(club, cast, pages):
    near = start_session(club, in_days(0), 1, cast.all[:4], "bmja", {}, by=BY)
    far = start_session(club, years_on(36), 2, cast.all[:4], "bmja", {}, by=BY)
    page = {one: pages.get(reverse("table", args=[club.slug, one.pk])).text for one in (near, far)}
    assert f'<span class="year"> {near.date.year}</span>' in page[near]
    assert f"<span> {far.date.year}</span>" in page[far]


NO_SEASON = '<span class="badge">counts in no season</span>'


def badges(pages, club, table):
    return [
        NO_SEASON in pages.get(reverse(name, args=[club.slug, table.pk])).text for name in ("table", "session-sheet")
    ]


def test_table_and_sheet_say_that_a_session_counts_in_no_season(club, cast, pages):
    season(club)
    inside, far = (
        table_in_play(club, cast.all[:4]),
        start_session(club, years_on(36), 2, cast.all[:4], "bmja", {}, by=BY),
    )
    practice = start_session(club, years_on(36), 3, cast.all[:4], "bmja", {}, by=BY, practice=True)
    other_rules = table_in_play(club, cast.all[:4], number=4)
    Session.objects.filter(pk=other_rules.pk).update(season=None)
    assert [badges(pages, club, one) for one in (inside, far, practice, other_rules)] == [
        [False, False], [True, True], [False, False], [True, True],
    ]  # fmt: skip
    sheet = pages.get(reverse("session-sheet", args=[club.slug, far.pk])).text
    assert f'<a href="{reverse("session-move", args=[club.slug, far.pk])}">move the table</a>' in sheet


def test_a_club_without_seasons_is_not_told_of_any(club, cast, pages):
    assert badges(pages, club, table_in_play(club, cast.all[:4])) == [False, False]


def test_a_sheet_without_a_session_says_nothing_of_seasons(club, pages):
    season(club)
    assert NO_SEASON not in pages.get(reverse("session-sheet", args=[club.slug, 0])).text


def test_club_admin_lists_sessions_with_a_date_that_cannot_be_right(club, cast, pages):
    far = years_on(36)
    tables = [start_session(club, in_days(days), 1, cast.all[:4], "bmja", {}, by=BY) for days in (-400, 0, 7)]
    tables += [
        start_session(club, day, number, cast.all[:4], "bmja", {}, by=BY) for number, day in ((2, far), (3, far))
    ]
    Session.objects.filter(pk=tables[4].pk).update(date="0026-11-26")
    page = pages.get(reverse("desk", args=[club.slug])).text
    found = re.findall(r"Table \d is dated [^<]*", page)
    assert sorted(found) == [
        f"Table 2 is dated {far.day} {far:%B %Y}. Move it if that is wrong",
        "Table 3 is dated 26 November 0026. Move it if that is wrong",
    ]
    assert reverse("session-move", args=[club.slug, tables[4].pk]) in page


# What earlier versions stored.


@pytest.mark.parametrize("written", ["0026-11-26", "9999-12-31"])
def test_a_clubs_own_totals_of_a_wrong_year_are_named_until_the_table_is_moved(club, cast, written, tmp_path, capsys):
    table = table_in_play(club, cast.all[:4])
    record(table, totals(table, 1, seat1=100))
    for rows in (Session, Meeting):
        rows.objects.update(date=written)
    call_command("export_totals", "--club", club.slug)
    file = tmp_path / "totals.csv"
    file.write_text(capsys.readouterr().out)
    assert f"{written}," in file.read_text()
    with pytest.raises(CommandError, match=f"Cell A2: the date is “{written}”, whose year is wrong"):
        call_command("import_totals", str(file), "--club", club.slug)
