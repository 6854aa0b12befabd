"""Files of any spreadsheet are read as text, bounded in size; what is hostile is refused with a sentence."""

import io
import zipfile
from datetime import date

import pytest
from openpyxl import Workbook

from sessions_app.exchange.imports.sheet_text import ImportRefused
from sessions_app.exchange.imports.spreadsheets import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, read_text, read_workbook

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


def open_document(body, **parts):
    """The bytes of an .ods file with these rows of XML."""
    out = io.BytesIO()
    spaces = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("office", "office"), ("table", "table"), ("text", "text"))
    )
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("content.xml", f"<office:document-content {spaces}><office:body><office:spreadsheet>"
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
    body = (
        "<table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell>"
        + cell.format("date", "date-value", "2026-09-03", "3 Sep")
        + '<table:table-cell table:number-columns-repeated="16380"/></table:table-row>'
        + '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
        + "<table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell>"
        + cell.format("float", "value", "-40", "(40)")
        + '</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell/>'
        + "</table:table-row>"
    )
    assert read_workbook(open_document(body)).sheets[0].rows == [["Name", "2026-09-03"], [], [], ["Ann", "-40"]]


class TestHostile:
    def test_formulas_are_never_worked_out(self):
        book = read_workbook(excel(("A", [["Ann", "=1+1"], ["Bob", '=HYPERLINK("http://example.org")']])))
        assert book.sheets[0].rows == [["Ann"], ["Bob"]]
        assert book.notes[0] == "2 cells with a formula. We used the last results, as saved in the file."
        assert book.notes[1].startswith("2 formulas without a saved result. They are read as blank.")

    def test_links_to_other_files_are_not_followed(self):
        linked = with_part(excel(("A", [["Ann", 3]])), "xl/externalLinks/externalLink1.xml", "<externalLink/>")
        book = read_workbook(linked)
        assert (book.sheets[0].rows, book.notes) == ([["Ann", "3"]], ["Links to other files were not followed."])

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
        wide = f'<table:table-row><table:table-cell table:number-columns-repeated="1000000">{cell}'
        assert refused(open_document(wide)).startswith("Choose a smaller file")
        assert refused(excel(("A", [[1] * (MAX_COLUMNS + 1)]))).startswith("Choose a smaller file")

    def test_more_rows_and_cells_than_a_club_has_are_refused(self):
        assert refused(b"1\n" * (MAX_ROWS + 1)).startswith("Choose a smaller file")
        row = b",".join([b"1"] * MAX_COLUMNS) + b"\n"
        assert refused(row * (MAX_CELLS // MAX_COLUMNS + 1)).startswith("Choose a smaller file")
        cell = "<table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>"
        many = f'<table:table-row table:number-rows-repeated="1000000">{cell}'
        assert refused(open_document(many)).startswith("Choose a smaller file")

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"PK\x03\x04 and then nothing", "Choose another file."),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old .xls", "Choose an .xlsx, .ods or .csv file."),
            (b"<html><table><tr><td>1</td></tr></table></html>", "Choose an .xlsx, .ods or .csv file."),
            (b"%PDF-1.7\x00\x01", "Choose another file."),
            (b"\n\n ,, \n", "Choose a file with results."),
        ],
        ids=("damaged", "older", "a page", "not a sheet", "empty"),
    )
    def test_what_is_no_spreadsheet_is_refused_with_what_to_do(self, content, sentence):
        assert refused(content).startswith(sentence)
