"""Read a list of players, as CSV or pasted lines, into rows with their faults. No database here."""

import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from sessions_app.exchange.imports.sheet_text import ImportRefused, day_of, is_showable, numbered_lines, yes_of
from sessions_app.people.fuzzy_names import close_names, turned
from sessions_app.people.models import MAX_NAME, MAX_SHORT_NAME

MAX_LINES = 1000

# What a column may be called, by what it is.
COLUMNS = {
    "player": ("player", "name", "full name", "member", "players", "names"),
    "first": ("first name", "forename", "given name", "christian name"),
    "last": ("last name", "surname", "family name"),
    "short_name": ("short name", "known as", "at the table", "nickname", "nick name", "called"),
    "guest": ("guest",),
    "left_on": ("left on", "left"),
    "joined_into": ("joined into",),
    "in_public": ("in public",),
    "email": ("email", "e mail", "mail", "email address"),
    "telephone": ("telephone", "phone", "tel", "mobile", "telephone number", "phone number"),
    "agreed_on": ("agreed on", "consent", "consent given on", "agreed"),
}

MEANING = {word: column for column, words in COLUMNS.items() for word in words}
WITHOUT_HEADER = ("player", "short_name", "guest")
IN_PUBLIC = ("", "initials", "short", "full", "off")
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+\Z")


@dataclass(frozen=True)
class PlayerRow:
    line: int
    name: str
    short_name: str = ""
    guest: bool = False
    left_on: date | None = None
    joined_into: str = ""
    in_public: str = ""
    email: str = ""
    telephone: str = ""
    agreed_on: date | None = None
    # The name the other way round, where it may be written surname first.
    turned: str = ""
    # The part after the comma, where it may be what someone is called at the table instead.
    nickname: str = ""

    def as_nickname(self) -> Any:
        """Return "Atkins, Jeanie" read as a name and what she is called at the table."""
        return replace(self, name=self.name.partition(",")[0], short_name=self.nickname)


NOT_AGREED = (
    "you can only store an email or phone number if you give the date the player agreed. Add it in the “agreed on” "
    "column, or leave both out."
)


class NotAgreed(ValueError):
    """Someone has an address or a number, and nothing says when they agreed that it is kept."""


@dataclass(frozen=True)
class Contacts:
    """What to do with addresses of people whose line has no date: leave all out, or take one date for all."""

    are_left_out: bool = False
    agreed_on: date | None = None


@dataclass(frozen=True)
class PlayersFile:
    """What was read; `faults` are sentences with the line they are about, `other_columns` mean nothing here.

    `not_agreed` are the lines with an address or a number, but no date.
    """

    rows: list[PlayerRow]
    faults: list[str]
    other_columns: list[str]
    not_agreed: list[int] = field(default_factory=list)


def read_players(text: str, contacts: Contacts | None = None) -> PlayersFile:
    """Return the rows of a list; the first line may name the columns, else the first cell of each line is the name."""
    lines = numbered_lines(text)
    if not lines:
        raise ImportRefused("Paste the names, or choose a file. There are no names here yet.")
    if len(lines) > MAX_LINES:
        raise ImportRefused(f"Choose a shorter list, of at most {MAX_LINES} lines. This one has {len(lines)}.")
    columns, others = _columns(lines[0][1])
    rows, faults, not_agreed = [], {}, []
    for line, cells in lines[1:] if columns else lines:
        try:
            row = _row(line, _by_column(columns or WITHOUT_HEADER, cells), contacts or Contacts())
            row = row if columns else _joined_again(row)
            rows.append(replace(row, turned=turned(row.name)))
        except NotAgreed:
            not_agreed.append(line)
            # One sentence for all of them, as there is one answer for all.
            faults[not_agreed[0]] = _not_agreed(not_agreed)
        except ValueError as error:
            faults[line] = f"Line {line}: {error}"
    return PlayersFile(rows, [*faults.values(), *_twice(rows)], others, not_agreed)


def _not_agreed(lines):
    if len(lines) == 1:
        return f"Line {lines[0]}: {NOT_AGREED}"
    return (
        f"{len(lines)} lines have an email or phone number, but not the date the player agreed (the first is line "
        f"{lines[0]}). Choose below what to do."
    )


def _columns(cells):
    """Return what the columns are where the first line names them, and the names that mean nothing."""
    words = [" ".join(re.sub(r"[^a-z]", " ", cell.casefold()).split()) for cell in cells]
    columns = [MEANING.get(word, "") for word in words]
    if "player" not in columns and not {"first", "last"} <= set(columns):
        return None, []
    for column in COLUMNS:
        if columns.count(column) > 1:
            raise ImportRefused(f"Remove one column: the first line names the {column.replace('_', ' ')} twice.")
    return columns, [cell for cell, column in zip(cells, columns, strict=True) if cell and not column]


def _by_column(columns, cells):
    found = {column: cell for column, cell in zip(columns, cells, strict=False) if column}
    if len(cells) > len(columns) and any(cells[len(columns) :]):
        raise ValueError(f"it has {len(cells)} cells, but there are only {len(columns)} columns.")
    return found


def _row(line, cells, contacts):
    name = cells.get("player") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
    if not name:
        raise ValueError("the name is missing.")
    short_name = cells.get("short_name", "")
    for text, most, what in ((name, MAX_NAME, "name"), (short_name, MAX_SHORT_NAME, "short name")):
        if len(text) > most:
            raise ValueError(f"the {what} is longer than {most} letters.")
    if not all(map(is_showable, cells.values())):
        raise ValueError("it contains a character that cannot be shown.")
    return PlayerRow(
        line=line,
        name=name,
        short_name=short_name,
        guest=yes_of(cells.get("guest", "")),
        left_on=_day(cells.get("left_on", ""), "the date they left"),
        joined_into=cells.get("joined_into", ""),
        in_public=_choice(cells.get("in_public", "")),
        **_contact(cells, contacts),
    )


def _joined_again(row):
    """Return "Atkins, Jean" as one name, which the comma has split into a name and a short name."""
    is_parted = row.short_name and " " not in row.name and not close_names(row.short_name, [row.name])
    if not is_parted:
        return row
    return replace(row, name=f"{row.name}, {row.short_name}", short_name="", nickname=row.short_name)


def _contact(cells, contacts):
    if contacts.are_left_out:
        return {}
    email, telephone = cells.get("email", ""), cells.get("telephone", "")
    agreed_on = _day(cells.get("agreed_on", ""), "the date they agreed") or contacts.agreed_on
    if email and not (MAIL.match(email) and len(email) <= 254):
        raise ValueError(f"“{email[:60]}” is not an email address, for example jean@example.org.")
    if len(telephone) > 40:
        raise ValueError("the phone number is longer than 40 characters.")
    if (email or telephone) and agreed_on is None:
        raise NotAgreed(NOT_AGREED)
    return {"email": email, "telephone": telephone, "agreed_on": agreed_on if email or telephone else None}


def _choice(text):
    if text.casefold() in IN_PUBLIC:
        return text.casefold()
    raise ValueError(f"in public is “{text[:20]}”; it can be initials, short, full, off, or empty.")


def _day(text, what):
    try:
        return day_of(text) if text else None
    except ValueError as error:
        raise ValueError(f"{what} is “{text[:20]}”, {error}") from None


def _twice(rows):
    seen, faults = {}, []
    for row in rows:
        first = seen.setdefault(row.name.casefold(), row)
        if first is not row:
            faults.append(
                f"Line {row.line}: {row.name} is already in line {first.line}. If these are two people, tell them "
                f"apart in brackets, for example “{row.name} (Wool)”."
            )
    return faults
