"""Spreadsheets that look right and are not: what we cannot read is refused or asked about; each answer puts it right.

The files in secretary-files are those of clubs, of November 2026, their totals by hand. The files in trap-files were
made from figures drawn at random; their totals are the sums of these, worked out where they were drawn.
"""

import io
import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from sessions_app.models import Player, Tally
from sessions_app.people.players import add_player
from tests.exchange.test_sheet_import import nets, pages, sentences  # noqa: F401
from tests.factories import BY

DATA = Path(__file__).parent.parent / "data"
SECRETARY = DATA / "secretary-files"
TRAPS = DATA / "trap-files"
PLAYERS = [
    "Ann Abbott", "Barbara Baker", "Carol Carter", "Derek Dawson", "Elsie Ellis", "Frank Foster", "Gwen Green",
    "Harold Hughes",
]  # fmt: skip
TOTALS = {folder: json.loads((folder / "expected.json").read_text()) for folder in (SECRETARY, TRAPS)}
FILES = [(folder, name) for folder, totals in TOTALS.items() for name in totals]

# What comes in right and without a question: the secretary's own files first.
INNOCENT = {
    "b-text-dates.xlsx", "b-text-dates.ods", "c-subtotals-bf.xlsx",
    "f-scan-tabs.txt", "g-utf16.csv", "h-short-names.csv", "k-gained-lost.csv", "n-serials.csv", "r-us-dates.csv",
    "v21-pos-columns.csv", "v25-handswon.csv", "v28-monthfirst.csv", "v29-noyears.csv",
    "v31-footnotes.csv", "v47-to-date.csv", "v48-cf-between.csv", "v50-list-balance.csv",
    "v53-initials.csv", "v58-total-first.csv", "v61-stacked-with-totals.xlsx",
    "v62-table-rows-extra.csv", "v66-summary.xlsx", "v69-own-plain.csv", "v70-innocent.csv", "v75-innocent.csv",
    "x112-score-name.csv", "x113-score-name-nohead.csv", "y05-surname-first.csv", "y10-carried-forward.csv",
    "y12-sheets-total-first.xlsx", "y15-partners.csv", "y20-average.csv", "y21-top-and-played.csv",
    "y24-won-and-lost.csv", "z02-form-by-seats.csv", "z05-win-lose.csv",
}  # fmt: skip


@pytest.fixture
def eight(club):
    for name in PLAYERS:
        add_player(club, name, by=BY)


def sums(look):
    return {person.name: person.total for person in look.will_be.people if person.total}


def right(folder, name):
    return {player: total for player, total in TOTALS[folder][name].items() if total}


@pytest.mark.parametrize(("folder", "name"), FILES, ids=[name for _, name in FILES])
def test_no_total_is_wrong_without_a_question(club, eight, pages, folder, name):  # noqa: F811
    page = pages.choose((folder / name).read_bytes(), name)
    if page.status_code == 200:
        page = pages.columns(page)
    look = page.context.get("preview")
    if look is None:
        assert page.context["errors"]
    elif name in INNOCENT:
        assert sentences(page) == []
        assert sums(look) == right(folder, name)
    elif sums(look) != right(folder, name):
        assert look.open_questions or look.refused
        assert pages.save(page).status_code == 422
        assert not Tally.objects.exists()


# The answers, and the totals that follow.


def answered(pages, page, kind, value, **changes):  # noqa: F811
    """Give the question of a kind an answer; return the page that follows."""
    [question] = [one for one in page.context["preview"].questions if one.kind == kind]
    return pages.check(page, **{question.field: value}, **changes)


@pytest.mark.parametrize(
    ("name", "kind", "answer"),
    [
        ("v04-running-sheetname.xlsx", "running", "running"),
        ("v55-running-hdr.csv", "running", "running"),
        ("v07-start1000.csv", "start", "start"),
        ("v08-start500.csv", "start", "start"),
        ("v09-start2000.csv", "start", "start"),
        ("v10-start100.csv", "start", "start"),
        ("v11-start-grid.csv", "start", "start"),
        ("v12-zeros.csv", "zeros", "absent"),
        ("y01-start-with-total.csv", "start", "start"),
        ("v54-names-once.csv", "names", "above"),
    ],
)
def test_an_answer_makes_the_totals_right(club, eight, pages, name, kind, answer):  # noqa: F811
    page = pages.looked_at((TRAPS / name).read_bytes())
    assert not page.context["preview"].can_be_saved
    page = answered(pages, page, kind, answer)
    look = page.context["preview"]
    assert sums(look) == right(TRAPS, name)
    answers = {one.field: one.answer for one in look.questions if one.options}
    assert pages.save(page, **pages.everything(page) | answers).status_code == 302
    assert {player: net for player, net in nets(club).items() if net} == right(TRAPS, name)


def test_two_figures_that_changed_places_are_found_by_the_files_totals(club, eight, pages):  # noqa: F811
    for name in ("aa8-two-swapped.csv", "aa9-two-swapped-down.csv", "ab2-two-swapped-summary.xlsx"):
        found = [one for one in sentences(pages.looked_at((TRAPS / name).read_bytes())) if "the file’s total of" in one]
        assert [one.partition("total of ")[2].partition(" is")[0] for one in found] == [
            "Agnes Appleby",
            "Bernard Booth",
        ]


def test_running_totals_say_what_each_answer_makes_of_one_player(club, eight, pages):  # noqa: F811
    page = pages.looked_at((SECRETARY / "d-running-totals.xlsx").read_bytes())
    [question] = page.context["preview"].questions
    assert question.sentence == "Are these running totals? Ann Abbott has -300, -790, -370 and -620."
    assert [words.rpartition(" ")[2] for _, words in question.options] == ["-2,080", "-620"]
    assert not pages.looked_at((SECRETARY / "b-text-dates.xlsx").read_bytes()).context["preview"].questions


def test_running_totals_can_be_chosen_and_go_on_from_sheet_to_sheet(club, pages):  # noqa: F811
    book = Workbook()
    book.active.append(["Name", "4 Sep 2025", "11 Sep 2025"])
    book.active.append(["Ann", 40, 30])
    book.active.append(["Bob", -40, -30])
    other = book.create_sheet("October")
    other.append(["Name", "2 Oct 2025"])
    other.append(["Ann", 90])
    other.append(["Bob", -90])
    content = io.BytesIO()
    book.save(content)
    page = pages.choose(content.getvalue())
    for chosen, total in (("own", 160), ("running", 120), ("joined", 90)):
        look = pages.columns(page, figures=chosen).context["preview"]
        assert (look.questions, sums(look)) == ([], {"Ann": total, "Bob": -total})


def test_zeros_of_the_absent_are_no_sessions(club, eight, pages):  # noqa: F811
    page = pages.looked_at((SECRETARY / "p-zero-absent.csv").read_bytes())
    assert len(page.context["preview"].rows) == 32
    assert len(answered(pages, page, "zeros", "absent").context["preview"].rows) == 16


def test_what_is_hidden_is_asked_about_and_can_be_left_out(club, eight, pages):  # noqa: F811
    for name in ("e-hidden-rules.xlsx", "e-hidden-rules.ods"):
        page = pages.looked_at((SECRETARY / name).read_bytes())
        assert sentences(page)[0] == "“League”: row 10 is hidden in the file: 4 results of Zed Hidden."
        look = answered(pages, page, "hidden", "drop").context["preview"]
        assert sums(look) == right(SECRETARY, name)
        assert [one.kind for one in look.open_questions] == ["unused"]


def test_a_hidden_sheet_with_figures_is_asked_about(club, eight, pages):  # noqa: F811
    page = pages.looked_at((TRAPS / "v44-hidden-sheet.xlsx").read_bytes())
    assert sentences(page) == ["The hidden sheet “Old” has 32 figures."]


def test_somebody_at_two_tables_on_a_day_is_asked_about(club, eight, pages):  # noqa: F811
    page = pages.looked_at((TRAPS / "v42-two-tables.csv").read_bytes())
    [sentence] = [one for one in sentences(page) if "Gwen Green is at" in one]
    assert sentence.endswith("on 18 September 2025.")


def test_whose_result_it_really_was_can_be_said_on_the_page(club, eight, pages):  # noqa: F811
    rows = [f"18/9/25,{at // 4 + 1},{name},{(30, -10, -10, -10)[at % 4]}" for at, name in enumerate(PLAYERS)]
    # Somebody wrote Gwen for Barbara.
    text = "Date,Table,Player,Score\n" + "\n".join(rows).replace("1,Barbara Baker", "1,Gwen Green") + "\n"
    page = pages.looked_at(text)
    [question] = page.context["preview"].questions
    assert question.sentence == "Gwen Green is at table 1 (−10) and table 2 (−10) on 18 September 2025."
    assert [(cell.label, cell.text) for cell in question.cells] == [
        ("Player", "Gwen Green"), ("Gwen Green", "-10"), ("Player", "Gwen Green"), ("Gwen Green", "-10")
    ]  # fmt: skip
    page = pages.check(page, **{question.cells[0].field: "Barbara Baker"})
    assert sentences(page) == []
    assert pages.save(page).status_code == 302
    assert nets(club) == {name: (30, -10, -10, -10)[at % 4] for at, name in enumerate(PLAYERS)}


def test_a_misspelt_name_at_another_table_is_asked_about(club, eight, pages):  # noqa: F811
    nets = {"4/9/25": [10, 20, -40, 10, 70, -30, -20, -20], "18/9/25": [-60, 30, 10, 20, -50, 30, 40, -20]}
    seats = [
        (day, at // 4 + 1, name, net)
        for day in nets
        for at, (name, net) in enumerate(zip(PLAYERS, nets[day], strict=True))
    ]
    rows = "\n".join(",".join(map(str, seat)) for seat in seats).replace("18/9/25,2,Elsie Ellis", "18/9/25,2,Ann Abbot")
    text = f"Date,Table,Player,Score\n{rows}\n"
    page = pages.looked_at(text)
    assert sentences(page) == ["Choose who “Ann Abbot” is: Ann Abbott or someone new."]
    [choice] = page.context["preview"].names.choices
    page = pages.check(page, **{choice.field: Player.objects.get(full_name="Ann Abbott").pk})
    at = "Ann Abbott is at table 1 (−60) and table 2 (−50) on 18 September 2025."
    assert sentences(page) == [at]


def test_questions_of_one_kind_are_one(club, eight, pages):  # noqa: F811
    rows = "".join(f"{name},10,20,30,40\n" for name in PLAYERS)
    page = pages.looked_at("Name,4/9/25,4/9/25,18/9/25,18/9/25\n" + rows.replace("Baker,10", "Baker,-10"))
    [question] = [one for one in page.context["preview"].questions if one.kind == "twice"]
    assert question.sentence == "Players have more than one result on a day, 16 times."
    assert len(question.lines) == 16


def test_figures_that_are_not_used_are_counted_with_where_they_are(club, eight, pages):  # noqa: F811
    page = pages.looked_at((TRAPS / "v39-bonus.csv").read_bytes())
    assert sentences(page) == ["32 figures are not imported, in column D (“Bonus”)."]
    assert page.context["preview"].will_be.left_out == ["32 figures in column D (“Bonus”)."]
    page = pages.looked_at((TRAPS / "v58-total-first.csv").read_bytes())
    assert page.context["preview"].will_be.left_out == [
        "24 figures in column A (“Pos”), column C (“Total”) and column D (“Played”)."
    ]


# Dates that are typed, and headings that are guessed again.


def test_one_date_can_be_typed_for_each_sheet(club, eight, pages):  # noqa: F811
    page = pages.choose((TRAPS / "v46-week-sheets.xlsx").read_bytes())
    wrong = pages.columns(page, **{"day-0": "the first"})
    assert (wrong.status_code, wrong.context["sheets"][0].day) == (422, "the first")
    fields = {f"day-{at}": day for at, day in enumerate(["4/9/25", "18/9/25", "2/10/25", "6/11/25"])}
    assert sums(pages.columns(page, **fields).context["preview"]) == right(TRAPS, "v46-week-sheets.xlsx")


def test_other_headings_are_looked_at_again(club, eight, pages):  # noqa: F811
    text = "Harwood,,\nAnn Abbott,home,1\nWho,When,Score\nAnn Abbott,4/9/25,40\nCarol Carter,4/9/25,-40\n"
    page = pages.columns(pages.choose(text), do="look", **{"header-0": "1"})
    assert page.context.get("preview") is None
    page = pages.columns(page, do="look", **{"header-0": "3", "shape-0": "list"})
    [sheet] = page.context["sheets"]
    assert sheet.layout.columns == ("player", "date", "net")
    assert sums(pages.columns(page).context["preview"]) == {"Ann Abbott": 40, "Carol Carter": -40}


def test_when_a_form_was_sent_is_no_date_of_play(club, eight, pages):  # noqa: F811
    for name in ("j-gsheet.csv", "j2.csv", "j3.csv", "j5.csv"):
        look = pages.looked_at((SECRETARY / name).read_bytes()).context["preview"]
        assert sums(look) == right(SECRETARY, name)
        assert {str(row.date) for row in look.rows} == {"2025-09-04", "2025-09-18", "2025-10-02", "2025-11-06"}


# Whose names these are.


def test_a_new_name_can_be_matched_on_the_page(club, eight, pages):  # noqa: F811
    page = pages.looked_at("Date,Player,Score\n4/9/25,Flossie,40\n4/9/25,Ann Abbott,-40\n")
    [choice] = page.context["preview"].names.everyone
    frank = Player.objects.get(full_name="Frank Foster")
    assert (choice.name, (str(frank.pk), "Frank Foster") in choice.options) == ("Flossie", True)
    page = pages.check(page, **{choice.field: frank.pk})
    assert page.context["preview"].names.new == []
    assert pages.save(page, **{choice.field: frank.pk}).status_code == 302
    assert nets(club) == {"Frank Foster": 40, "Ann Abbott": -40}


def test_initials_are_offered_for_the_name(club, eight, pages):  # noqa: F811
    [*_, gwen, _] = pages.looked_at((SECRETARY / "h-short-names.csv").read_bytes()).context["preview"].names.choices
    assert gwen.name == "GG"
    assert dict(gwen.options)[gwen.chosen] == "Gwen Green"


def test_a_name_that_may_be_two_players_is_asked_about(club, eight, pages):  # noqa: F811
    add_player(club, "Harold Pemberton", by=BY)
    page = pages.looked_at("Date,Player,Score\n4/9/25,Harold,40\n4/9/25,Ann Abbott,-40\n")
    assert sentences(page) == ["Choose who “Harold” is: Harold Hughes, Harold Pemberton or someone new."]
    [choice] = page.context["preview"].names.choices
    other = next(value for value, name in choice.options if name == "Harold Pemberton")
    assert pages.save(page).status_code == 422
    assert pages.save(page, **{choice.field: other}).status_code == 302
    assert nets(club) == {"Harold Pemberton": 40, "Ann Abbott": -40}


# Figures with decimals, dates with the year first, and a result that is chosen by hand.

DECIMALS = "Date,Ann,Bob\n2025-09-04,7.9,-7.9\n2025-09-11,6,-6\n2025-09-18,-8.75,8.75\n"
POUNDS = "Player,4/9/25,18/9/25,Total\nAnn,£3.30,-£5.20,-£1.90\nBob,-£3.30,£5.20,£1.90\n"


@pytest.mark.parametrize(
    ("text", "answer", "words", "total"),
    [
        (DECIMALS, "round", "Round each to a whole number: 7.9 is 8", 8 + 6 - 9),
        (DECIMALS, "count", "Count in hundredths: 7.9 is 790", 790 + 600 - 875),
        (DECIMALS.replace("8.75", "8.5"), "count", "Count in tenths: 7.9 is 79", 79 + 60 - 85),
        (POUNDS, "round", "Round each to a whole number: £3.30 is 3", 3 - 5),
        (POUNDS, "count", "Count in pence: £3.30 is 330", 330 - 520),
    ],
)
def test_decimals_are_one_choice_for_the_file(club, pages, text, answer, words, total):  # noqa: F811
    page = pages.looked_at(text)
    [question] = page.context["preview"].questions
    assert (question.kind, dict(question.options)[answer]) == ("decimals", words)
    assert pages.save(page).status_code == 422
    page = answered(pages, page, "decimals", answer)
    assert sums(page.context["preview"]) == {"Ann": total, "Bob": -total}
    assert pages.save(page, **pages.everything(page) | {question.field: answer}).status_code == 302


@pytest.mark.parametrize(
    "text",
    [
        "Date,Ann,Bob,Cy\n4/9/25,£3.30,-£1.10,-£2.20\n18/9/25,-£5.25,£5.20,£0.05\nTotal,-£1.95,£4.10,-£2.15\n",
        "Date,Player 1,Score,Player 2,Score,Player 3,Score\n4/9/25,Ann,3.30,Bob,(1.10),Cy,2.20-\n"
        "18/9/25,Bob,5.20,Ann,-5.25,Cy,0.05\n",
        "Name,4/9/25,18/9/25,Total\nAnn,3.3,-5.25,-1.95\nBob,-1.1,5.2,4.1\nCy,-2.2,0.05,-2.15\n",
    ],
    ids=("players across", "a table a row", "dates across"),
)
def test_decimals_are_figures_in_every_layout(club, pages, text):  # noqa: F811
    page = pages.looked_at(text)
    assert [question.kind for question in page.context["preview"].questions] == ["decimals"]
    assert sums(answered(pages, page, "decimals", "count").context["preview"]) == {"Bob": 410, "Ann": -195, "Cy": -215}


def test_dates_with_the_year_first_are_known_by_their_weeks(club, pages):  # noqa: F811
    rows = [f"{name},26-09-{day:02},{net}" for day in (3, 10, 17) for name, net in (("Ann", 40), ("Bob", -40))]
    look = pages.looked_at("\n".join(["Player,Date,Net", *rows])).context["preview"]
    assert [str(day) for day in look.will_be.days] == ["2026-09-03", "2026-09-10", "2026-09-17"]


def test_a_result_with_another_heading_is_chosen_and_the_dates_are_looked_at_again(club, pages):  # noqa: F811
    people = (("Ann", 26), ("Bob", -26))
    rows = [f"{name},2/{day}/2026,200,{200 + net},{net}" for day in (24, 25) for name, net in people]
    page = pages.choose("\n".join(["Name,Date,Buyin,Cashout,P/L", *rows]))
    assert (page.status_code, page.context["errors"]) == (422, ["Choose the column with what each player won or lost."])
    [sheet] = page.context["sheets"]
    assert sheet.layout.columns == ("player", "date", "", "", "")
    look = pages.columns(page, order="day", **{"column-0-4": "net"}).context["preview"]
    assert [str(day) for day in look.will_be.days] == ["2026-02-24", "2026-02-25"]
    assert sums(look) == {"Ann": 52, "Bob": -52}
