"""Text out of a spreadsheet: its encoding, what stands between its cells, its lines. No database here."""
import csv
import io
import unicodedata

from sessions_app.csv_cells import unguarded
from sessions_app.imports.refusal import ImportRefused

SEPARATORS = ",;\t"


def text_of(content: bytes) -> str:
    """Return the text of a file in UTF-8, with or without its mark, or as older spreadsheets on Windows save it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        raise ImportRefused("This file is not text. Save it in the spreadsheet as “CSV UTF-8”.") from None


def separator_of(text: str) -> str:
    """Return what stands between the cells: a comma, a semicolon or a tab, whichever the first line has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    outside = "".join(part for place, part in enumerate(first.split('"')) if place % 2 == 0)
    return max(SEPARATORS, key=outside.count)


def with_commas(text: str) -> str:
    """Return the same sheet with commas between its cells; what is no CSV stays as it is, for the reader to refuse."""
    separator = separator_of(text)
    if separator == ",":
        return text
    out = io.StringIO(newline="")
    try:
        csv.writer(out).writerows(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        return text
    return out.getvalue()


def numbered_lines(text: str) -> list[tuple[int, list[str]]]:
    """Return line number and cells of every line that is not empty; ImportRefused for what is no CSV."""
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text), strict=True)
    lines, line = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((line, [" ".join(unguarded(cell).split()) for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ImportRefused(f"Line {line}: this is not CSV ({error}).") from None
    return lines


def is_showable(text: str) -> bool:
    return not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text)
