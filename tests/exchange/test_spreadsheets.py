"""Files of any spreadsheet are read as text, bounded in size; what is hostile is refused with a sentence."""

import io
import struct
import zipfile
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.exchange.imports.spreadsheets import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    TURNS,
    read_text,
    read_workbook,
    workbook_from_text,
)
from tests.exchange.test_sheet_import import pages  # noqa: F401

CLUB_FILES, ODD_FILES = (Path(__file__).parent.parent / "data" / name for name in ("club-files", "odd-club-files"))

MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
ROWS = [["Name", "Score"], ["Smith, J", "1,250"], ["Ann", "-40"]]


def excel(*sheets, **states):
    """The bytes of a workbook; each sheet is a name and its rows."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        sheet.sheet_state = states.get(name, "visible")
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_part(content, name, text, replacing=False):
    """The same zip with one more part, or with another text in a part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            if part.filename != name:
                new.writestr(part, old.read(part))
        new.writestr(name, text)
    return out.getvalue()


SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet_of(rows, above="", below=""):
    """The bytes of a workbook with these rows of XML in its only sheet."""
    sheet = f"<worksheet {SPACE}>{above}<sheetData>{rows}</sheetData>{below}</worksheet>"
    return with_part(excel(("A", [["Ann", 3]])), "xl/worksheets/sheet1.xml", sheet)


def open_document(body, styles="", **parts):
    """The bytes of an .ods file with these rows of XML."""
    out = io.BytesIO()
    spaces = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"))
    )
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{MANIFEST}"/>')
        file.writestr("content.xml", f"<office:document-content {spaces}><office:automatic-styles>{styles}"
                      "</office:automatic-styles><office:body><office:spreadsheet>"
                      f'<table:table table:name="League">{body}</table:table>'
                      "</office:spreadsheet></office:body></office:document-content>")  # fmt: skip
        for name, text in parts.items():
            file.writestr(name.replace("__", "/"), text)
    return out.getvalue()


def refused(content):
    with pytest.raises(ImportRefused) as caught:
        read_workbook(content)
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b'Name,Score\n"Smith, J","1,250"\nAnn,-40\n',
        b"Name;Score\r\nSmith, J;1,250\r\nAnn;-40\r\n",
        b"Name\tScore\nSmith, J\t1,250\nAnn\t-40\n",
        b"Name|Score\nSmith, J|1,250\nAnn|-40\n",
        b"'Name','Score'\n'Smith, J','1,250'\n'Ann','-40'\n",
        b"sep=;\nName;Score\nSmith, J;1,250\nAnn;-40\n",
        "\ufeffName;Score\nSmith, J;1,250\nAnn;-40\n".encode(),
        "Name\tScore\nSmith, J\t1,250\nAnn\t-40\n".encode("utf-16"),
        b"Name;Score;\nSmith, J;1,250;\nAnn;-40;\n\n;;\n",
    ],
    ids=("commas", "semicolons", "tabs", "bars", "single quotes", "named", "marked", "UTF-16", "blank ends"),
)
def test_text_in_any_separator_encoding_and_quoting(content):
    assert read_workbook(content).sheets[0].rows == ROWS


def test_older_windows_text_keeps_its_accents():
    assert read_workbook("Name,Score\nZoë,3\nRené,4\n".encode("cp1252")).sheets[0].rows[1:] == [
        ["Zoë", "3"],
        ["René", "4"],
    ]


def test_a_title_above_and_blank_rows_keep_their_places():
    assert read_text("Our league\n\nName,Score\nAnn,4\n").sheets[0].rows == [
        ["Our league"], [], ["Name", "Score"], ["Ann", "4"]
    ]  # fmt: skip


def test_excel_values_become_text():
    book = read_workbook(
        excel(("2026", [["Name", date(2026, 9, 3), None], ["Ann", 12.0, 0.1 + 0.2], [None, True, -40]]))
    )
    assert book.sheets[0].name == "2026"
    assert book.sheets[0].rows == [["Name", "2026-09-03"], ["Ann", "12", "0.3"], ["", "yes", "-40"]]


def test_every_sheet_is_read_and_a_hidden_one_is_told():
    book = read_workbook(excel(("2025", [["Ann"]]), ("Old", [["Bob"]]), ("2026", [["Cy"]]), Old="hidden"))
    assert [sheet.name for sheet in book.sheets] == ["2025", "2026"]
    assert book.notes == ["The hidden sheet “Old” was left out."]


def test_open_document_values_repeats_and_dates():
    cell = '<table:table-cell office:value-type="{}" office:{}="{}"><text:p>{}</text:p></table:table-cell>'
    words = '<table:table-cell office:value-type="string">'
    body = (
        f"<table:table-row>{words}<text:p>Name</text:p></table:table-cell>"
        + cell.format("date", "date-value", "2026-09-03", "3 Sep")
        + '<table:table-cell table:number-columns-repeated="16380"/></table:table-row>'
        + '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
        + f"<table:table-row>{words}<text:p>Ann</text:p></table:table-cell>"
        + cell.format("float", "value", "-40", "(40)")
        + '</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell/>'
        + "</table:table-row>"
    )
    assert read_workbook(open_document(body)).sheets[0].rows == [["Name", "2026-09-03"], [], [], ["Ann", "-40"]]


class TestOtherKinds:
    """The stricter standard is read; what Excel saved before 2007, or as binary, has to be saved again."""

    ROWS = [["Name", "Date", "Score"], ["Ann Abel", "2026-10-03", "100"], ["Bob Bain", "2026-10-03", "-100"]]

    def test_the_stricter_standard(self):
        assert read_workbook((ODD_FILES / "strict-open-xml.xlsx").read_bytes()).sheets[0].rows == self.ROWS

    def test_excel_before_2007_and_excel_binary_are_refused(self):
        binary = with_part(open_document(""), "xl/workbook.bin", b"").replace(b"content.xml", b"content.bin")
        for content in ((ODD_FILES / "merged-names.xls").read_bytes(), binary):
            sentence = "Choose an .xlsx, .ods or .csv file. In your spreadsheet, save this one as .xlsx."
            assert refused(content) == sentence


class TestHidden:
    """Hidden rows and columns are read, and it is known which."""

    def test_rows(self):
        for name in ("hidden-rows.xlsx", "hidden-rows.ods"):
            book = read_workbook((ODD_FILES / name).read_bytes())
            assert len(book.sheets[0].rows) == 6
            assert book.sheets[0].hidden_rows == [4, 5]

    def test_columns(self):
        book = read_workbook((ODD_FILES / "hidden-column.xlsx").read_bytes())
        assert book.sheets[0].hidden_columns == [1]

    def test_those_of_several_sheets_where_blank_ones_do_not_count(self):
        rows = "".join(
            f'<row r="{row}"{hidden}>{cell}</row>'
            for row, hidden, cell in [
                (1, "", '<c r="A1"><v>1</v></c>'),
                (2, ' hidden="1"', '<c r="A2"><v>1</v></c>'),
                (3, ' hidden="true"', ""),
                (4, ' hidden="1"', '<c r="A4"><v>1</v></c><c r="C4"><v>1</v></c>'),
                (5, ' hidden="0"', '<c r="A5"><v>1</v></c>'),
            ]
        )
        columns = '<cols><col min="3" max="16384" hidden="1"/></cols>'
        sheet = f"<worksheet {SPACE}>{columns}<sheetData>{rows}</sheetData></worksheet>"
        book = read_workbook(with_part(excel(("A", [[1]]), ("B", [[1]])), "xl/worksheets/sheet2.xml", sheet))
        assert [(sheet.hidden_rows, sheet.hidden_columns) for sheet in book.sheets] == [([], []), ([1, 3], [2])]

    def test_those_of_an_open_document_with_repeats(self):
        cell = '<table:table-cell office:value-type="float" office:value="3"/>'
        body = (
            '<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>'
            f"<table:table-row>{cell * 3}</table:table-row>"
            f'<table:table-row table:visibility="filter" table:number-rows-repeated="2">{cell}</table:table-row>'
            '<table:table-row table:visibility="collapse" table:number-rows-repeated="1000000"><table:table-cell/>'
            "</table:table-row>"
        )
        [sheet] = read_workbook(open_document(body)).sheets
        assert (sheet.hidden_rows, sheet.hidden_columns) == ([1, 2], [1, 2])

    def test_a_hidden_sheet_of_an_open_document_is_left_out(self):
        style = '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/>'
        hidden = f'</table:table><table:table table:name="Old" table:style-name="off">{FIGURE}'
        content = open_document(FIGURE + hidden, styles=f"{style}</style:style>")
        assert [sheet.name for sheet in read_workbook(content).sheets] == ["League"]
        assert read_workbook(content).notes == ["The hidden sheet “Old” was left out."]

    def test_the_page_keeps_them(self):
        sheet = read_workbook((ODD_FILES / "hidden-rows.xlsx").read_bytes())
        assert workbook_from_text(sheet.as_text()).sheets[0].hidden_rows == [4, 5]


class TestMerged:
    """Words in a cell over several rows are of each of its rows, as people read them; figures are of one."""

    def test_words_are_filled_down_and_figures_are_not(self):
        rows = (
            '<row r="1"><c r="A1" t="str"><v>Ann</v></c><c r="B1"><v>5</v></c><c r="C1"><v>1</v></c></row>'
            '<row r="2"><c r="C2"><v>2</v></c></row><row r="3"/><row r="4"><c r="C4"><v>4</v></c></row>'
        )
        merged = '<mergeCells><mergeCell ref="A1:A4"/><mergeCell ref="B1:B4"/><mergeCell ref="C4:E4"/></mergeCells>'
        assert read_workbook(sheet_of(rows, below=merged)).sheets[0].rows == [
            ["Ann", "5", "1"], ["Ann", "", "2"], [], ["Ann", "", "4"]
        ]  # fmt: skip


class TestErrors:
    """A formula that failed is no blank: the import asks about it."""

    def test_in_excel(self):
        rows = '<row r="2"><c r="A2" t="str"><v>Ann</v></c><c r="C2" t="e"><f>B9</f><v>#REF!</v></c></row>'
        assert read_workbook(sheet_of(rows)).sheets[0].rows == [[], ["Ann", "", "#REF!"]]

    def test_in_an_open_document(self):
        error = (
            '<table:table-cell table:formula="of:=[.B9]" office:value-type="string" office:string-value="" '
            f'xmlns:calcext="{CALCEXT}" calcext:value-type="error"><text:p>#REF!</text:p></table:table-cell>'
        )
        body = f"<table:table-row>{FIGURE_CELL}<table:table-cell/>{error}</table:table-row>"
        assert read_workbook(open_document(body)).sheets[0].rows == [["3", "", "#REF!"]]


CALCEXT = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
FIGURE_CELL = '<table:table-cell office:value-type="float" office:value="3"/>'
FIGURE = f"<table:table-row>{FIGURE_CELL}</table:table-row>"


class TestHostile:
    def test_formulas_are_never_worked_out(self):
        book = read_workbook(excel(("A", [["Ann", "=1+1"], ["Bob", '=HYPERLINK("http://example.org")']])))
        assert book.sheets[0].rows == [["Ann", "#NONE!"], ["Bob", "#NONE!"]]

    def test_links_to_other_files_are_not_followed(self):
        linked = with_part(excel(("A", [["Ann", 3]])), "xl/externalLinks/externalLink1.xml", "<externalLink/>")
        book = read_workbook(linked)
        assert book.sheets[0].rows == [["Ann", "3"]]

    @pytest.mark.parametrize(
        "content",
        [
            with_part(excel(("A", [["Ann", 3]])), "xl/vbaProject.bin", "macro"),
            open_document("", Basic__Standard__Module1="macro"),
        ],
        ids=("xlsm", "ods"),
    )
    def test_macros_are_refused(self, content):
        assert refused(content).startswith("Choose a file without macros.")

    def test_a_zip_bomb_is_refused_before_it_is_unpacked(self):
        bomb = with_part(excel(("A", [["Ann", 3]])), "xl/sharedStrings.xml", b"<sst>" + b" " * 200_000_000)
        assert len(bomb) < 300_000
        assert refused(bomb).startswith("Choose a smaller file")

    def test_entities_that_grow_are_refused(self):
        lols = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
        assert refused(with_part(excel(("A", [["Ann"]])), "xl/workbook.xml", lols)).startswith("Choose another file.")
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            file.writestr("content.xml", lols)
        assert refused(out.getvalue()).startswith("Choose another file.")

    def test_a_million_columns_are_refused(self):
        assert refused(b",".join([b"1"] * 400_001)).startswith("Choose a smaller file")
        cell = "<text:p>1</text:p></table:table-cell></table:table-row>"
        words = 'office:value-type="string"'
        wide = f'<table:table-row><table:table-cell {words} table:number-columns-repeated="1000000">{cell}'
        assert refused(open_document(wide)).startswith("Choose a smaller file")
        assert refused(excel(("A", [[1] * (MAX_COLUMNS + 1)]))).startswith("Choose a smaller file")

    def test_more_rows_and_cells_than_a_club_has_are_refused(self):
        assert refused(b"1\n" * (MAX_ROWS + 1)).startswith("Choose a smaller file")
        row = b",".join([b"1"] * MAX_COLUMNS) + b"\n"
        assert refused(row * (MAX_CELLS // MAX_COLUMNS + 1)).startswith("Choose a smaller file")
        cell = "<table:table-cell office:value-type='string'><text:p>1</text:p></table:table-cell></table:table-row>"
        many = f'<table:table-row table:number-rows-repeated="1000000">{cell}'
        assert refused(open_document(many)).startswith("Choose a smaller file")

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"PK\x03\x04 and then nothing", "Choose another file."),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old .xls", "Choose an .xlsx, .ods or .csv file."),
            (b"<html><table><tr><td>1</td></tr></table></html>", "Choose an .xlsx, .ods or .csv file."),
            (b"%PDF-1.7\x00\x01", "Choose another file."),
            (b"\n\n ,, \n", "Choose another file. This one is empty."),
        ],
        ids=("damaged", "older", "a page", "not a sheet", "empty"),
    )
    def test_what_is_no_spreadsheet_is_refused_with_what_to_do(self, content, sentence):
        assert refused(content).startswith(sentence)

    @pytest.mark.parametrize(
        ("part", "text", "sentence"),
        [
            ("xl/worksheets/sheet1.xml", "<f " * 1_000_000, "Choose a smaller file"),
            ("xl/worksheets/sheet1.xml", f"<worksheet {SPACE}>" + "<a/>" * 700_000, "Choose a smaller file"),
            ("xl/worksheets/sheet1.xml", f"<worksheet {SPACE}><sheetData>" + "<c/>" * 700_000, "Choose a smaller file"),
            ("xl/workbook.xml", f"<workbook {SPACE}>" + "<a/>" * 700_000, "Choose a smaller file"),
        ],
        ids=("formulas left open", "elements", "cells", "workbook"),
    )
    def test_millions_of_elements_are_refused(self, part, text, sentence):
        content = with_part(excel(("A", [["Ann", 3]])), part, text)
        assert len(content) < 20_000
        assert refused(content).startswith(sentence)

    @pytest.mark.parametrize(
        ("part", "text"),
        [
            ("xl/styles.xml", f"<styleSheet {SPACE}><cellXfs>" + "<xf/>" * 600_000 + "</cellXfs></styleSheet>"),
            ("xl/styles.xml", f"<styleSheet {SPACE}><fonts>" + "<font/>" * 400_000 + "</fonts></styleSheet>"),
            ("xl/sharedStrings.xml", f"<sst {SPACE}><si><t>Ann</t></si>" + "<si/>" * 600_000 + "</sst>"),
        ],
        ids=("formats", "fonts", "texts"),
    )
    def test_millions_of_styles_and_texts_do_no_harm(self, part, text):
        content = with_part(excel(("A", [["Ann", 3]])), part, text)
        assert len(content) < 20_000
        assert read_workbook(content).sheets[0].rows == [["Ann", "3"]]

    def test_blank_rows_repeated_without_end_are_blank_rows(self):
        blank = '<table:table-row table:number-rows-repeated="1000000000"><table:table-cell/></table:table-row>'
        assert read_workbook(open_document(FIGURE + blank * 40_000)).sheets[0].rows == [["3"]]

    def test_a_million_letters_are_the_most_of_any_kind(self):
        """One text in many cells is a small file and would be a page of 30 MB."""
        text = f"<sst {SPACE}><si><t>" + "&quot;" * 300 + "</t></si></sst>"
        row = "<row>" + '<c t="s"><v>0</v></c>' * 350 + "</row>"
        content = with_part(sheet_of(row * 43), "xl/sharedStrings.xml", text)
        assert len(content) < 10_000
        assert refused(content).startswith("Choose a smaller file")
        cell = f"<text:p>{'x' * 300}</text:p></table:table-cell></table:table-row>"
        many = 'office:value-type="string" table:number-columns-repeated="350"'
        body = f'<table:table-row table:number-rows-repeated="43"><table:table-cell {many}>{cell}'
        assert refused(open_document(body)).startswith("Choose a smaller file")

    def test_a_text_of_megabytes_in_many_cells(self):
        text = f"<sst {SPACE}><si><t>{'x' * 3_000_000}</t></si></sst>"
        content = with_part(sheet_of("<row>" + '<c t="s"><v>0</v></c>' * 300 + "</row>"), "xl/sharedStrings.xml", text)
        assert refused(content).startswith("Choose another file. This one takes too long to read.")

    @pytest.mark.parametrize(
        "cell",
        ['<c r="XFD1048576"><v>1</v></c>', '<c r="A1048576"><v>1</v></c>', '<c r="ZZZZZZZZ99999999999"><v>1</v></c>'],
        ids=("the last", "the last row", "none"),
    )
    def test_a_cell_far_from_the_others_is_refused_before_there_is_room_for_all_between(self, cell):
        assert refused(sheet_of(f'<row r="1"><c r="A1"><v>1</v></c></row><row>{cell}</row>')).startswith(
            "Choose a smaller file"
        )

    def test_cells_merged_over_one_another_without_end(self):
        rows = "".join(f'<row r="{row}"><c r="B{row}"><v>1</v></c></row>' for row in range(2, 5_000))
        merged = "<mergeCells>" + '<mergeCell ref="A1:A5000"/>' * 60_000 + "</mergeCells>"
        first = '<row r="1"><c r="A1" t="str"><v>Ann</v></c></row>'
        assert refused(sheet_of(first + rows, below=merged)).startswith("Choose a smaller file")

    def test_a_zip_that_hides_its_size_is_refused(self):
        bomb = bytearray(with_part(excel(("A", [["Ann"]])), "xl/sharedStrings.xml", b"<sst>" + b" " * 4_900_000))
        size = struct.pack("<I", 4_900_005)
        assert bomb.count(size) == 2
        assert refused(bytes(bomb.replace(size, struct.pack("<I", 100)))).startswith("Choose another file.")

    def test_a_packing_that_cannot_be_bounded_is_refused(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as file:
            file.writestr("xl/workbook.xml", b" " * 4_000_000)
        assert refused(out.getvalue()).startswith("Choose another file.")

    def test_a_password_is_named(self):
        ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
        zipped = bytearray(excel(("A", [["Ann"]])))
        for start, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            zipped[zipped.index(start) + at] |= 1
        for content in (ole, bytes(zipped)):
            assert (
                refused(content) == "Choose a file without a password. In your spreadsheet, save this one without it."
            )

    def test_many_files_at_once_leave_the_site_its_threads(self):
        held = [TURNS.acquire(blocking=False) for _ in range(2)]
        try:
            assert refused(excel(("A", [["Ann"]]))) == (
                "Choose the file again in a minute. Other files are being read just now."
            )
        finally:
            for _ in held:
                TURNS.release()
        assert read_workbook(excel(("A", [["Ann"]]))).sheets[0].rows == [["Ann"]]

    def test_the_largest_page_can_be_sent_on(self, club, pages):  # noqa: F811
        """A page keeps the file: with quotes, each a word of six letters there, it is still a few MB."""
        rows = [["Name", "3 Oct 2025", "Notes"], *([f"Player {row}", 0, '"' * 300] for row in range(2_300))]
        page = pages.choose(excel(("A", rows)))
        assert page.status_code == 200
        assert len(page.content) < 6_000_000
        assert pages.columns(page).status_code == 422
