"""Results by date go out as CSV and .xlsx with the season's ranking, and come in again with the same figures."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import load_workbook

from sessions_app.exchange.imports.summary import FIELD
from sessions_app.models import Change, Player, Season, Tally
from tests.exchange.test_sheet_import import CROSS, pages  # noqa: F401
from tests.logins import logins, signed_in


@pytest.fixture
def filled(club, pages):  # noqa: F811
    """A season of three players and three dates, with one session needed to be ranked."""
    pages.saved(CROSS)
    Season.objects.update(minimum_sessions=1)
    return Season.objects.get(club=club)


def taken_out(club, season, **more):
    client = signed_in(club.memberships.get(role="secretary").user)
    return client.get(reverse("export-csv", args=[club.slug]), {"what": "grid", "season": season.pk, **more})


def figures(club):
    tallies = Tally.objects.of_club(club).values_list("session__date", "player__full_name", "net")
    return sorted((str(day), name, net) for day, name, net in tallies)


def test_players_down_and_dates_across_with_the_ranking(club, filled):
    text = taken_out(club, filled).content.decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [
        ["Position", "Player", "Guest", "2025-09-04", "2025-09-11", "2025-09-18", "Tables played", "Total",
         "Average per table"],
        ["1", "Jean Smith", "", "120", "", "-40", "2", "80", "40.0"],
        ["2", "Bob Hall", "", "-120", "60", "40", "3", "-20", "-6.7"],
        ["3", "Ann Lee", "", "", "-60", "", "1", "-60", "-60.0"],
    ]  # fmt: skip
    assert Change.objects.latest("pk").action == "export"


def test_without_a_season_everyone_has_a_position_by_their_total(club, filled):
    client = signed_in(club.memberships.get(role="secretary").user)
    answer = client.get(reverse("export-csv", args=[club.slug]), {"what": "grid"})
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    places = [(row[0], row[1], row[-1]) for row in rows[1:]]
    assert places == [("1", "Jean Smith", "80"), ("2", "Bob Hall", "-20"), ("3", "Ann Lee", "-60")]


def test_the_workbook_has_true_dates_and_numbers(club, filled):
    answer = taken_out(club, filled, format="xlsx")
    assert answer["Content-Disposition"].endswith('.xlsx"')
    sheet = load_workbook(io.BytesIO(answer.content)).active
    assert sheet.title == "2025–26"
    rows = list(sheet.iter_rows(values_only=True))
    assert [cell.date().isoformat() for cell in rows[0][3:6]] == ["2025-09-04", "2025-09-11", "2025-09-18"]
    assert rows[1][:8] == (1, "Jean Smith", None, 120, None, -40, 2, 80)


def with_earlier_headings(content):
    """Return a file as it was exported when a table was called a session."""
    assert b"Tables played" in content
    assert b"Average per table" in content
    return content.replace(b"Tables played", b"Sessions").replace(b"Average per table", b"Average per session")


@pytest.mark.parametrize(
    ("more", "as_exported"),
    [({}, bytes), ({"format": "xlsx"}, bytes), ({}, with_earlier_headings)],
    ids=("csv", "xlsx", "earlier csv"),
)
def test_what_came_in_goes_out_equal(club, other_club, filled, more, as_exported):
    before = figures(club)
    content = as_exported(taken_out(club, filled, **more).content)
    logins(other_club)
    client = signed_in(other_club.memberships.get(role="secretary").user)
    url = reverse("import-totals", args=[other_club.slug])
    page = client.post(url, {"file": SimpleUploadedFile("grid", content)})
    fields = {
        "kept": page.context["kept"],
        "choices": page.context["choices"].as_text(),
        "seasons": "1",
        "checked": "1",
    }
    fields[FIELD] = client.post(url, fields).context["preview"].will_be.key
    assert client.post(url, fields | {"do": "record"}).status_code == 302
    assert figures(other_club) == before


def test_a_name_like_a_formula_is_made_harmless(club, filled):
    Player.objects.filter(full_name="Jean Smith").update(full_name="=1+1")
    sheet = load_workbook(io.BytesIO(taken_out(club, filled, format="xlsx").content)).active
    assert sheet["B2"].value == "'=1+1"
    assert sheet["B2"].data_type == "s"
    assert "'=1+1" in taken_out(club, filled).content.decode()
