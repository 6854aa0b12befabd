"""Read the text of lists that are imported: encoding, separator, lines, dates, yes and no. No database here."""

import csv
import io
import re
from datetime import date

from sessions_app.exchange.exports.csv_files import unguarded
from sessions_app.people.dates import DATE_SENTENCES, is_possible
from sessions_app.people.plain_text import plain_figure, without_marks

# Why a file cannot be imported: a sentence for each fault, with its line number.


class ImportRefused(ValueError):
    """Nothing was changed; `sentences` say what to fix."""

    SHOWN = 20

    def __init__(self, *sentences: str) -> None:
        self.sentences = list(sentences)
        super().__init__(str(self))

    def __str__(self) -> str:
        more = len(self.sentences) - self.SHOWN
        return "\n".join(self.sentences[: self.SHOWN] + ([f"And {more} more."] if more > 0 else []))


def refuse_too_many(number: int, most: int, what: str) -> None:
    if number > most:
        raise ImportRefused(f"Choose a smaller file: at most {most:,} {what} at once, and this one has {number:,}.")


SEPARATORS = ",;\t"
YES, NO = {"yes", "y", "true", "1", "x", "guest"}, {"", "no", "n", "false", "0", "member"}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
A_DATE_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})([-/.])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})\Z")
A_DATE_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})([-/.])(?P<month>[0-9]{1,2})\2(?P<year>[0-9]{4}|[0-9]{2})\Z")
A_DATE_IN_WORDS = re.compile(r"(?P<day>[0-9]{1,2})[- ](?P<month>[a-z]{3,9})\.?[- ](?P<year>[0-9]{4}|[0-9]{2})\Z", re.I)


def text_of(content: bytes) -> str:
    """Return the text of a file in UTF-8, with or without its mark, or as spreadsheets on Windows or a Mac save it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    # Only “CSV (Macintosh)” ends lines so.
    is_mac = b"\r" in content and b"\n" not in content
    try:
        return content.decode("mac_roman" if is_mac else "cp1252")
    except UnicodeDecodeError:
        raise ImportRefused("Choose a text file. In your spreadsheet, save the list as “CSV UTF-8”.") from None


def separator_of(text: str) -> str:
    """Return the separator: the comma, semicolon or tab that the first line has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    outside = "".join(part for place, part in enumerate(first.split('"')) if place % 2 == 0)
    return max(SEPARATORS, key=outside.count)


def numbered_lines(text: str) -> list[tuple[int, list[str]]]:
    """Return line number and cells of every line that is not empty; ImportRefused if the text is not CSV."""
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text), strict=True)
    lines, line = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((line, [without_marks(unguarded(cell)).strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ImportRefused(f"Line {line}: this is not CSV ({error}).") from None
    return lines


def day_of(text: str) -> date:
    """Read 2026-11-12, 12/11/2026, 12.11.2026, 12-11-2026 or 12 Nov 2026: day before month, as the British write it.

    ValueError ends a sentence that begins with the cell.
    """
    plain = plain_figure(text)
    found = A_DATE_YEAR_FIRST.match(plain) or A_DATE_DAY_FIRST.match(plain) or A_DATE_IN_WORDS.match(plain)
    not_a_date = "which is not a date. Enter it like 12/11/2026 or 2026-11-12."
    if not found:
        raise ValueError(not_a_date)
    if len(found["year"]) == 2:
        raise ValueError("whose year has two digits. Enter all four, for example 12/11/2026.")
    try:
        month = found["month"]
        number = int(month) if month.isdigit() else MONTHS.index(month[:3].casefold()) + 1
        day = date(int(found["year"]), number, int(found["day"]))
    except ValueError:
        raise ValueError(not_a_date) from None
    return in_possible_year(day)


def in_possible_year(day: date) -> date:
    """Return the day; ValueError if nobody can have meant its year."""
    if not is_possible(day):
        raise ValueError(f"whose year is wrong. {DATE_SENTENCES['wrong_year']}")
    return day


def named_day_of(text: str, name: str) -> date:
    """Read a date; the ValueError is a whole sentence, with the name of the cell."""
    try:
        return day_of(text)
    except ValueError as error:
        raise ValueError(f"{name} is “{text[:40]}”, {error}") from None


def yes_of(text: str, name: str = "guest", others: str = "a member") -> bool:
    """Read yes and no as lists of members have them; ValueError for anything else."""
    if text.casefold() in YES | NO:
        return text.casefold() in YES
    raise ValueError(f"{name} is “{text[:20]}”; it can be yes, or empty for {others}.")
