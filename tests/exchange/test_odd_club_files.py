"""More files as clubs keep them, each odd in its own way: read right, or asked about, and nothing is lost silently.

The sums were added up by hand, when the files were written.
"""

from pathlib import Path

import pytest

from sessions_app.models import Player, Tally
from tests.exchange.test_sheet_import import nets, pages, sentences  # noqa: F401

FILES = Path(__file__).parent.parent / "data" / "odd-club-files"

JEAN_AND_BOB = {"Jean Smith": 80, "Bob Hall": -80}
ANN_AND_BOB = {"Ann Abel": 100 - 40, "Bob Bain": -100 + 40}
WITH_TESTS = {"Ann Abel": 100, "Bob Bain": -40, "Cat Cole": -60, "Test Player One": 5000, "Test Player Two": -5000}
FOUR = {"Jean Smith": 60, "Bob Hall": -40, "Ann Lee": -20, "Cy Marsh": 0}

# Each file that is read without a question, with each player's sum and the rows that are left out.
READ = {
    "old-windows-pounds.csv": ({"Zoë Brontë": 120, "John Ré": -120}, ["row 6"]),
    "big-endian-weekdays.txt": ({"J Smith": 340, "B Hall": -340}, []),
    "season-in-the-title.csv": ({"Jean Smith": -1180, "Bob Hall": 1180}, ["row 6"]),
    "a-note-in-a-cell.csv": (JEAN_AND_BOB, []),
    "months-added-up-across.csv": (JEAN_AND_BOB, ["row 5"]),
    "months-added-up-down.csv": ({"Jean Smith": 40, "Bob Hall": -40}, ["row 4", "row 7", "row 8"]),
    "dates-from-1904.xlsx": ({"Jean Smith": 60, "Bob Hall": -60}, []),
    "totals-never-worked-out.xlsx": ({"Jean Smith": 70, "Bob Hall": -70}, ["row 4"]),
    "mornings-and-afternoons.csv": ({"Jean Smith": 45, "Bob Hall": -45}, []),
    "guests-starred.csv": ({"Jean Smith": 60, "Mary Poole": -80, "Sue Ross": 20}, ["row 5"]),
    "players-who-left.csv": ({"Jean Smith": 80, "Fred Dale": -60, "Tom Kay": -20}, []),
    "remarks-below.csv": (JEAN_AND_BOB, ["row 4", "row 5", "row 6"]),
    "empty-columns-first.xlsx": (JEAN_AND_BOB, ["row 9"]),
    "months-below-each-other.xlsx": ({"Jean Smith": 65, "Bob Hall": -65}, ["row 5", "row 7", "row 11"]),
    "total-between-players.csv": ({"Jean Smith": 70, "Bob Hall": -40, "Ann Lee": -30}, ["row 4", "row 5"]),
    "winds-and-lettered-tables.csv": (
        {"Jean Smith": 60, "Bob Hall": -60, "Ann Lee": 10, "Cy Marsh": -10}, []
    ),
    "numbered-players.csv": (JEAN_AND_BOB, []),
    "membership-numbers.csv": (JEAN_AND_BOB, []),
    "reasons-not-to-play.csv": ({"Jean Smith": 80, "Bob Hall": -60, "Ann Lee": -20}, []),
    "rows-that-are-no-players.csv": (JEAN_AND_BOB, ["row 4", "row 5"]),
    "checks-below.csv": (JEAN_AND_BOB, ["row 4", "row 5", "row 6", "row 7", "row 8"]),
    "four-names-four-scores.csv": (
        {"Jean Smith": 50, "Bob Hall": -30, "Ann Lee": -25, "Cy Marsh": 5}, []
    ),
    "winner-first.csv": (FOUR, []),
    "a-sheet-a-meeting.xlsx": ({"Jean Smith": 66, "Bob Hall": -66}, []),
    "american-dates.csv": ({"Jean Smith": 66, "Bob Hall": -66}, []),
    "points-won-and-lost.csv": ({"Jean Smith": 60, "Bob Hall": -60}, []),
    "short-years.xlsx": ({"Jean Smith": 10, "Bob Hall": -10}, []),
    "won-and-lost-in-words.csv": ({"Jean Smith": 60, "Bob Hall": -60}, []),
    "spaces-in-thousands.csv": ({"Jean Smith": 3600, "Bob Hall": -3600}, []),
    "hidden-column.xlsx": ({"Jean Smith": 70, "Bob Hall": -70}, []),
    "handicaps.csv": ({"Jean Smith": 60, "Bob Hall": -60}, []),
    "league-points-too.csv": ({"Jean Smith": 60, "Bob Hall": -60}, []),
    "merged-dates.xlsx": ({"Jean Smith": 10, "Bob Hall": -10, "Ann Lee": 4, "Cy Marsh": -4}, ["row 6"]),
    "merged-names.xlsx": (ANN_AND_BOB, []),
    "merged-names.ods": (ANN_AND_BOB, []),
    "strict-open-xml.xlsx": ({"Ann Abel": 100, "Bob Bain": -100}, []),
    "invisible-marks.csv": ({"Ann Abel": 100, "Bob Bain": -100}, []),
    "from-a-mac.csv": ({"René Roux": 100, "Zoë Zander": -100}, []),
}  # fmt: skip

HIDDEN = "Row 5 and row 6 are hidden in the file: 2 results of Test Player One and Test Player Two."

# Each file that raises a question, with what is asked.
ASKED = {
    "summary-and-chart.xlsx": [
        "Table 1 on 12 September 2023 has the same players and results as table 1 on 5 September 2023."
    ],
    "a-day-twice.csv": [
        "Jean Smith has 2 results on 4 September 2024: 60 and -20.",
        "Bob Hall has 2 results on 4 September 2024: -60 and 20.",
    ],
    "hidden-rows.xlsx": [HIDDEN],
    "hidden-rows.ods": [HIDDEN],
    "a-player-twice.csv": [
        "Jean Smith has 2 results on 4 September 2024: 60 and 5.",
        "Table 2 on 4 September 2024 adds up to +5, not 0.",
    ],
    "broken-formulas.csv": [
        "Cell C2: the result of Jean Smith is “#REF!”, which is not a whole number. Enter it like 120 or -120."
    ],
    "names-written-once.csv": ["Cell A3 and Cell A5: the name is missing."],
    "wrong-total.csv": ["Cell B2: the file’s total of Jean Smith is +90, but the results add up to +80."],
    "league-table-as-at.xlsx": ["6 figures are not imported, in the sheet “Totals”."],
    "players-then-scores.csv": ["4 figures are not imported, in column I and column J."],
    "won-and-lost-below-points.csv": ["2 figures are not imported, in column D."],
}


# What is refused, each with a sentence: dates or names in two cells, tables side by side, a file of Excel before 2007.
NO_PLAYERS = "Choose the column with the players’ names."
NO_DATES = (
    "Choose the column with the dates, or enter one day below. Above columns of results, your file needs whole dates, "
    "such as 4/9/26."
)
OTHER_KIND = "Choose an .xlsx, .ods or .csv file. In your spreadsheet, save this one as .xlsx."
REFUSED = {
    "merged-names.xls": OTHER_KIND,
    "months-side-by-side.xlsx": "Choose “Player” for one column only.",
    "a-sheet-a-month.xlsx": f"Sep 2024: {NO_DATES}",
    "days-as-numbers.csv": NO_DATES,
    "months-above-days.xlsx": NO_DATES,
    "months-without-days.csv": NO_DATES,
    "surnames-below.csv": NO_PLAYERS,
    "table-and-score-a-day.xlsx": NO_PLAYERS,
    "tables-side-by-side.xlsx": NO_PLAYERS,
    "two-games-a-day.csv": NO_PLAYERS,
    "weeks-with-dates.csv": NO_DATES,
    "weeks-without-dates.csv": NO_DATES,
    "year-apart.csv": NO_DATES,
}


def content(name):
    return (FILES / name).read_bytes()


def test_every_file_is_expected():
    assert {path.name for path in FILES.iterdir()} == {*READ, *ASKED, *REFUSED, "results-never-worked-out.xlsx"}


@pytest.mark.parametrize("name", READ)
def test_an_odd_file_is_read_right(club, pages, name):  # noqa: F811
    sums, left_out = READ[name]
    page = pages.looked_at(content(name))
    assert sentences(page) == []
    assert [line.split(":")[0] for line in page.context["preview"].left_out] == left_out
    assert pages.save(page).status_code == 302
    assert nets(club) == sums
    # No total has become a player.
    assert set(Player.objects.of_club(club).values_list("full_name", flat=True)) == set(sums)


@pytest.mark.parametrize("name", ASKED)
def test_an_odd_file_raises_a_question(club, pages, name):  # noqa: F811
    page = pages.looked_at(content(name))
    assert sentences(page) == ASKED[name]
    assert pages.save(page, **pages.everything(page)).status_code == 302


def test_results_that_were_never_worked_out_are_named(club, pages):  # noqa: F811
    page = pages.looked_at(content("results-never-worked-out.xlsx"))
    look = page.context["preview"]
    assert [question.sentence for question in look.questions] == [
        f"Cell {cell}: what {name} won or lost is a formula without a saved result. Enter it, or save the file again."
        for cell, name in (("E2", "Jean Smith"), ("E3", "Bob Hall"))
    ]
    assert look.will_be.left_out[0] == "2 results of Jean Smith and Bob Hall that cannot be read."
    # Sent on as they stand they are asked about again.
    as_they_stand = {cell.field: cell.text for question in look.questions for cell in question.cells}
    assert not pages.check(page, **as_they_stand).context["preview"].can_be_saved


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_a_sentence(club, pages, name):  # noqa: F811
    page = pages.choose(content(name))
    assert page.status_code == 422
    [sentence, *_] = page.context.get("errors") or page.context["form"].non_field_errors()
    assert sentence == REFUSED[name]


def test_a_summary_of_the_seasons_is_not_imported_unless_chosen(club, pages):  # noqa: F811
    sheets = pages.choose(content("summary-and-chart.xlsx")).context["sheets"]
    assert [(one.sheet.name, one.layout.used) for one in sheets] == [
        ("Summary", False), ("2023-24", True), ("2024-25", True)
    ]  # fmt: skip


def test_mornings_and_afternoons_are_meetings(club, pages):  # noqa: F811
    pages.saved(content("mornings-and-afternoons.csv"))
    found = Tally.objects.values_list("session__date", "session__meeting__name", "session__table").distinct()
    assert sorted((str(day), meeting, table) for day, meeting, table in found) == [
        ("2024-09-04", "Afternoon", 1), ("2024-09-04", "Morning", 1), ("2024-09-11", "", 1)
    ]  # fmt: skip


def test_names_written_once_can_be_entered_below(club, pages):  # noqa: F811
    page = pages.looked_at(content("names-written-once.csv"))
    pages.save(page, **{"cell-0-2-0": "Ann Abel", "cell-0-4-0": "Bob Bain"})
    assert nets(club) == ANN_AND_BOB
