"""The layouts in which clubs keep their results are recognised and read: headings, names, dates, numbers, totals."""

import pytest

from sessions_app.exchange.imports.sheet_results import column_letters, read_results
from sessions_app.exchange.imports.sheet_shapes import DATES_ACROSS, LIST, PLAYERS_ACROSS, recognise
from sessions_app.exchange.imports.sheet_values import (
    MONTH_FIRST,
    Years,
    is_ambiguous,
    is_total,
    looks_like_a_date,
    orders_of,
    read_date,
    read_name,
    read_number,
    years_in,
)
from sessions_app.exchange.imports.spreadsheets import read_text

TWO_TABLES = [
    ("2026-09-03", "Jean Smith", 120), ("2026-09-03", "Bob Hall", -120),
    ("2026-09-10", "Jean Smith", -40), ("2026-09-10", "Bob Hall", 40),
]  # fmt: skip


def read(text, order="day"):
    book = read_text(text)
    layouts = [recognise(sheet.name, sheet.rows) for sheet in book.sheets]
    return layouts[0], read_results(book.sheets, layouts, order)


def told(found):
    return sorted((str(one.date), one.player, one.net) for one in found.results)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (LIST, "Date,Player,Net\n03/09/2026,Jean Smith,120\n03/09/2026,Bob Hall,-120\n"
               "10/09/2026,Jean Smith,-40\n10/09/2026,Bob Hall,40\n"),
        (LIST, "Our league\n\nWhen;Who;Won/Lost\n3.9.26;Smith, Jean;120\n;Hall, Bob;(120)\n"
               "Total;;0\n\n10.9.26;Smith, Jean;40-\n;Hall, Bob;40\nGrand total;;0\n"),
        (LIST, "3 Sep 2026\tJean Smith\t120\n3 Sep 2026\tBob Hall\t-120\n"
               "10 Sep 2026\tJean Smith\t-40\n10 Sep 2026\tBob Hall\t40\n"),
        (LIST, "Thursday 3 September 2026,\nName,Points\nJean Smith,120\nBob Hall,−120\n\n"
               "Thursday 10 September 2026,\nName,Points\nJean Smith,–40\nBob Hall,40\n"),
        (DATES_ACROSS, "League 2026-27\nName,3 Sep,10 Sep,Total\nJean Smith,120,-40,80\n"
                       "Bob Hall,-120,40,-80\nTotal,0,0,0\n"),
        (DATES_ACROSS, "Pos,Surname,First name,2026-09-03,2026-09-10,17/9/26,Played\n"
                       "1,SMITH,Jean,120,-40,–,2\n2,HALL,Bob,-120,40,,2\n"),
        (PLAYERS_ACROSS, "Season 2026\nDate,SMITH Jean,HALL Bob,Check\n"
                         "03/09/26,120,-120,0\n10/09/26,-40,40,0\nTotal,80,-80,0\n"),
    ],
    ids=("list", "title and totals", "no headings", "a day above its rows", "dates across", "surnames",
         "players across"),
)  # fmt: skip
def test_the_same_results_in_every_shape(shape, text):
    layout, found = read(text)
    assert layout.shape == shape
    assert told(found) == sorted(TWO_TABLES) and found.faults == []


def test_totals_are_left_out_and_listed():
    _, found = read("Name,3/9/26,10/9/26,Total\nAnn,1,2,3\n32 Total,1,2,3\nGrand Total,1,2,3\n")
    assert [line.split(":")[0] for line in found.left_out] == ["row 3", "row 4"]
    assert [(name, figure) for _, name, figure in found.told_totals] == [("Ann", 3)]


def test_nought_is_a_result_and_a_dash_or_a_blank_is_not():
    _, found = read("Name,3/9/26,10/9/26,17/9/26,24/9/26\nAnn,0,–,,x\nBob,0,4,4,4\n")
    assert [one.net for one in found.results if one.player == "Ann"] == [0]


def test_every_fault_is_kept_with_its_cell():
    _, found = read("Date,Name,Score\n31/02/2026,Ann,4\n03/09/2026,Bob,12.5\n03/09/2026,Cy,ten\n04/09/2026,Di,4\n")
    assert [(fault.cell.name, fault.text) for fault in found.faults] == [
        ("A2", "31/02/2026"),
        ("C3", "12.5"),
        ("C4", "ten"),
    ]
    assert len(found.results) == 1


@pytest.mark.parametrize(
    ("text", "name", "is_guest"),
    [
        ("Smith, J", "J Smith", False), ("SMITH John", "John Smith", False), ("John S.", "John S.", False),
        ("JOHN SMITH", "John Smith", False), ("John SMITH", "John Smith", False),
        ("SMITH-JONES Mary", "Mary Smith-Jones", False),
        ("McDONALD, Ian", "Ian McDonald", False), ("O'BRIEN Pat", "Pat O'Brien", False),
        ("AN Other", "AN Other", False),
        ("Pat Lee (guest)", "Pat Lee", True), ("Jean Smith", "Jean Smith", False),
    ],
)  # fmt: skip
def test_names(text, name, is_guest):
    assert read_name(text) == (name, is_guest)


@pytest.mark.parametrize(
    "text",
    ["03/09/2026", "3/9/26", "3.9.26", "3-9-2026", "3 Sep 2026", "3rd September 2026", "Thu 3 Sep 26",
     "Thursday, 3 September 2026", "03-Sep-26", "Sep 3, 2026", "2026-09-03", "2026-09-03 19:30:00",
     "3 Sept '26", "46268"],
)  # fmt: skip
def test_dates_in_british_forms(text):
    assert str(read_date(text)) == "2026-09-03"


def test_dates_without_a_year_take_that_of_the_season():
    assert str(read_date("3 Sep", years=Years(2025, 2026))) == "2025-09-03"
    assert str(read_date("8/1", years=Years(2025, 2026))) == "2026-01-08"
    assert [str(years_in(text)) for text in ("League 2025-26", "2025/2026", "Autumn 2026", "Results")] == [
        "2025–26", "2025–26", "2026", "None"
    ]  # fmt: skip


def test_the_order_of_day_and_month_is_asked_only_where_nothing_tells_it():
    assert is_ambiguous(["03/09/26", "10/09/26"])
    assert not is_ambiguous(["03/09/26", "24/09/26"]) and orders_of(["24/09/26"]) == {"day"}
    assert not is_ambiguous(["9/24/26"]) and orders_of(["9/24/26"]) == {"month"}
    assert not is_ambiguous(["3 Sep 26", "2026-09-03", "9/9/26"])
    assert is_ambiguous(["24/9/26", "9/24/26"])
    assert str(read_date("9/3/26", MONTH_FIRST)) == "2026-09-03"


@pytest.mark.parametrize("text", ["12.5", "Week 1", "May 2026", "120", "1 250", "Ann 3"])
def test_what_is_no_date(text):
    assert not looks_like_a_date(text)
    with pytest.raises(ValueError, match="which is not a date"):
        read_date(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,250", 1250), ("(120)", -120), ("120-", -120), ("−120", -120), ("– 120", -120), ("+5", 5), ("1 250", 1250),
     ("12.0", 12), ("120 pts", 120), ("0", 0), ("–", None), ("", None), ("DNP", None)],
)  # fmt: skip
def test_numbers(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["12.5", "£5", "(-5)", "-5-", "ten", "1.250", "123456789", "#REF!", "=1+1"])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match="which"):
        read_number(text)


@pytest.mark.parametrize(
    "text", ["Total", "32 Total", "Grand total", "Sub-total", "Totals:", "Average", "No. of players"]
)
def test_totals_are_known_by_their_words(text):
    assert is_total(text)


@pytest.mark.parametrize("text", ["Max Hastings", "Countess", "Best Player", "Jean Minns", "Tote Hall"])
def test_people_are_no_totals(text):
    assert not is_total(text)


def test_columns_are_named_as_a_spreadsheet_does():
    assert [column_letters(at) for at in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
