"""The layouts in which clubs keep their results are recognised and read: headings, names, dates, numbers, totals."""

from dataclasses import replace

import pytest

from sessions_app.exchange.imports.sheet_figures import other_totals
from sessions_app.exchange.imports.sheet_results import Reading, read_sheet, results_of
from sessions_app.exchange.imports.sheet_shapes import DATES_ACROSS, LIST, PLAYERS_ACROSS, TABLES, recognise_layout
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
from sessions_app.exchange.imports.spreadsheets import column_letters, read_text

TWO_TABLES = [
    ("2026-09-03", "Jean Smith", 120), ("2026-09-03", "Bob Hall", -120),
    ("2026-09-10", "Jean Smith", -40), ("2026-09-10", "Bob Hall", 40),
]  # fmt: skip


def read(text, order="day"):
    [sheet] = read_text(text).sheets
    read = read_sheet(0, sheet, recognise_layout(sheet.name, sheet.rows))
    return read, results_of([read], Reading(order))


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
        (TABLES, "Date,Table,Player 1,Score,Player 2,Score\n"
                 "03/09/26,1,Jean Smith,120,Bob Hall,(120)\n"
                 "10/09/26,1,Bob Hall,40,Jean Smith,40-\nTotals,,,160,,-160\n"),
        (TABLES, "Autumn 2026\nDate,East,South,West,East score,South score,West score\n"
                 "3 Sep,\"Smith, Jean\",HALL Bob,,120,-120,\n10 Sep,HALL Bob,\"Smith, Jean\",,40,-40,\n"),
    ],
    ids=("list", "title and totals", "no headings", "a day above its rows", "dates across", "surnames",
         "players across", "a table a row", "names, then scores"),
)  # fmt: skip
def test_the_same_results_in_every_shape(shape, text):
    sheet, found = read(text)
    assert sheet.layout.shape == shape
    assert sorted((str(one.date), one.player, one.net) for one in found.results) == sorted(TWO_TABLES)
    assert found.faults == []


def test_totals_are_left_out_and_listed():
    sheet, _ = read("Name,3/9/26,10/9/26,Total\nAnn,1,2,3\n32 Total,1,2,3\nGrand Total,1,2,3\n")
    assert sheet.left_rows == {2: "a total", 3: "a total"}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Name,3/9/26,10/9/26,Total\nAnn,1,2,4\nBob,-1,-2,-3\n", [("Ann", 4, 3)]),
        ("Name,3/9/26,10/9/26,Season\nAnn,1,5,3\nBob,4,2,9\nCy,-7,1,-6\nDot,2,-8,-6\n", [("Ann", 3, 6), ("Bob", 9, 6)]),
        ("Name,3/9/26,10/9/26,Age\nAnn,1,5,70\nBob,4,2,81\nCy,-7,1,66\n", []),
        ("Date,Ann,Bob,Cy,Dot\n3/9/26,4,1,-7,2\n10/9/26,5,2,1,-8\nTotal,6,6,-6,-6\n", [("Ann", 6, 9), ("Bob", 6, 3)]),
        ("Date,Name,Net,Running total\n3/9/26,Ann,5,4\n3/9/26,Bob,-5,-5\n10/9/26,Ann,1,5\n10/9/26,Bob,-1,-6\n"
         "17/9/26,Ann,2,7\n17/9/26,Bob,-2,-8\n", [("Ann", 4, 5)]),
    ],
    ids=("a total", "any heading where most are sums", "no total", "below players across", "a list with its balances"),
)  # fmt: skip
def test_totals_that_are_not_the_sums_are_found_where_others_are(text, wrong):
    sheet, found = read(text)
    assert [(one.name, one.total, one.here) for one in other_totals([sheet], found)] == wrong


def test_nought_is_a_result_and_a_dash_or_a_blank_is_not():
    _, found = read("Name,3/9/26,10/9/26,17/9/26,24/9/26\nAnn,0,–,,x\nBob,0,4,4,4\n")
    assert [one.net for one in found.results if one.player == "Ann"] == [0]


def test_every_fault_is_kept_with_its_cell():
    _, found = read("Date,Name,Score\n31/02/2026,Ann,4\n03/09/2026,Bob,12.555\n03/09/2026,Cy,ten\n04/09/2026,Di,4\n")
    assert [(fault.cell.name, fault.text) for fault in found.faults] == [
        ("A2", "31/02/2026"),
        ("C3", "12.555"),
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
     "3 Sept '26", "46268", "w/c 3 Sep 2026", "Thurs 3rd of September 2026", "3/9/26 pm"],
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
    assert not is_ambiguous(["03/09/26", "24/09/26"])
    assert orders_of(["24/09/26"]) == {"day"}
    assert not is_ambiguous(["9/24/26"])
    assert orders_of(["9/24/26"]) == {"month"}
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
     ("12.0", 12), ("120 pts", 120), ("£1,200", 1200), ("-£5", -5), 
     ("lost 60", -60), ("won 60", 60), ("abs", None), ("0", 0), ("–", None), ("", None), ("DNP", None)],
)  # fmt: skip
def test_numbers(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["12.5", "$5", "(-5)", "-5-", "ten", "1.250", "123456789", "#REF!", "=1+1"])
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


class TestOneRowATable:
    def test_each_row_is_a_table_of_its_own(self):
        sheet, found = read(
            "Date,Player 1,Score 1,Player 2,Score 2,Player 3,Score 3\n"
            "03/09/26,Ann,60,Bob,-40,Cy,-20\n,Di,8,Eve,-8,,\n10/09/26,Ann,4,Di,-4,Bob,–\n"
        )
        assert sheet.layout.columns == ("date", "player", "net", "player", "net", "player", "net")
        assert [(str(one.date), one.table, one.player, one.net) for one in found.results] == [
            ("2026-09-03", 1, "Ann", 60), ("2026-09-03", 1, "Bob", -40), ("2026-09-03", 1, "Cy", -20),
            ("2026-09-03", 2, "Di", 8), ("2026-09-03", 2, "Eve", -8),
            ("2026-09-10", 1, "Ann", 4), ("2026-09-10", 1, "Di", -4),
        ]  # fmt: skip

    def test_it_is_known_without_headings_with_the_number_of_the_table(self):
        sheet, found = read("3/9/26,2,Ann,60,Bob,-40,Cy,-20\n13/9/26,3,Ann,6,Bob,-4,Cy,-2\n")
        assert (sheet.layout.shape, sheet.layout.header) == (TABLES, None)
        assert sheet.layout.columns == ("date", "table", "player", "net", "player", "net", "player", "net")
        assert {(str(one.date), one.table) for one in found.results} == {("2026-09-03", 2), ("2026-09-13", 3)}

    def test_a_figure_that_cannot_be_read_is_told_with_its_cell(self):
        _, found = read("Date,East,Score,South,Score\n3/9/26,Ann,60,Bob,-60\n4/9/26,Ann,2,Bob,-2.555\n")
        [fault] = found.faults
        assert (fault.cell.name, fault.sentence[:24]) == ("E3", "what Bob won or lost is ")

    @pytest.mark.parametrize("heading", ["Rules", "Venue", "Notes", ""])
    def test_other_lists_with_two_columns_of_words_stay_lists(self, heading):
        sheet, _ = read(f"Date,Name,Score,{heading},\n3/9/26,Ann,60,tea,16\n3/9/26,Bob,-60,tea,16\n")
        assert (sheet.layout.shape, sheet.layout.columns[:3]) == (LIST, ("date", "player", "net"))

    def test_a_player_without_a_column_of_points_is_asked_for(self):
        sheet, _ = read("Date,East,Score,South,Score\n3/9/26,Ann,60,Bob,-60\n")
        columns = ("date", "player", "net", "player", "")
        assert read_sheet(0, sheet.sheet, replace(sheet.layout, columns=columns)).missing == [
            "Choose one column with what was won or lost for each column with a player."
        ]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("League 2024\nName,4 Dec,8 Jan\nAnn,6,2\nBob,-6,-2\n", ["2024-12-04", "2025-01-08"]),
        ("Date,Ann,Bob\n4/9/24,6,-6\n11/9/24,No meeting,\n18/9/24,2,-2\n", ["2024-09-04", "2024-09-18"]),
    ],
    ids=("a year in the title that ends on the way", "a day without a meeting"),
)
def test_days_are_in_their_years(text, days):
    _, found = read(text)
    assert sorted({str(one.date) for one in found.results}) == days
    assert {one.player for one in found.results} == {"Ann", "Bob"}
    assert found.faults == []


def test_tables_stand_above_their_results():
    _, found = read(
        "Table 1\n4 September 2024\nName,Score\nAnn,60\nBob,-60\nTable 2\nCy,5\nDi,-5\n"
        "Table 1\n11 September 2024\nAnn,6\n"
    )
    assert [(str(one.date), one.table, one.player) for one in found.results] == [
        ("2024-09-04", 1, "Ann"), ("2024-09-04", 1, "Bob"), ("2024-09-04", 2, "Cy"), ("2024-09-04", 2, "Di"),
        ("2024-09-11", 1, "Ann"),
    ]  # fmt: skip


def test_winds_and_running_totals_are_no_players():
    sheet, _ = read("Date,East,South,West\n4/9/24,6,-2,-4\n11/9/24,6,-2,-4\n")
    assert "result" not in sheet.layout.columns
    _, found = read("Date,Ann,Ann running,Bob,Bob running\n4/9/24,6,6,-6,-6\n11/9/24,2,8,-2,-8\n")
    assert {one.player for one in found.results} == {"Ann", "Bob"}
