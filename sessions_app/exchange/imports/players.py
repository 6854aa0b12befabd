"""Import a list of players, as CSV or pasted lines: checked first, then written, all or nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from clubscore.scoring.words import listed
from sessions_app.exchange.exports.csv_files import telephone_of
from sessions_app.exchange.imports.name_matches import (
    TURNED,
    ImportPreview,
    People,
    UnsureName,
    field_of,
    find_unsure,
)
from sessions_app.exchange.imports.sheet_shapes import HEADINGS
from sessions_app.exchange.imports.sheet_values import (
    ImportRefused,
    day_of,
    named_day_of,
    numbered_lines,
    yes_of,
)
from sessions_app.models import Change, Club, Player
from sessions_app.people.fuzzy_names import SimilarNames, close_names, turned
from sessions_app.people.log import log_change, log_sentences
from sessions_app.people.merging import NAMELESS
from sessions_app.people.models import MAX_NAME, MAX_SHORT_NAME
from sessions_app.people.plain_text import is_showable, tidy
from sessions_app.people.players import FACTS, ShortNames, add_player, set_contact
from sessions_app.people.transactions import write_transaction

# Read a list into rows with their faults. No database here.

MAX_LINES = 1000

log_sentences(
    {"import players": "imported a list of players, {new} new"}, new=lambda it: it.after.get("added") or "none"
)

# What a column may be called, by what it is.
COLUMN_NAMES = {
    **{meaning: tuple(HEADINGS[meaning].split("|")) for meaning in ("player", "first", "last", "guest")},
    "short_name": ("short name", "name at the table", "known as", "at the table", "nickname", "nick name", "called"),
    "left_on": ("left on", "left"),
    "joined_into": ("joined into", "merged into"),
    "in_public": ("in public", "name in public"),
    "beginner": ("beginner",),
    "email": ("email", "e mail", "mail", "email address"),
    "telephone": ("telephone", "phone", "tel", "mobile", "telephone number", "phone number"),
    "agreed_on": ("agreed on", "consent", "consent given on", "agreed"),
}

MEANING = {word: column for column, words in COLUMN_NAMES.items() for word in words}
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
    beginner: bool = False
    email: str = ""
    telephone: str = ""
    agreed_on: date | None = None
    # The name the other way round, where it may be written surname first.
    turned: str = ""


NOT_AGREED = (
    "you can only store an email or phone number if you give the date the player agreed. Add it in the “agreed on” "
    "column, or leave both out."
)


class NotAgreed(ValueError):
    """A line has an address or a number, but no date when the player agreed that the club keeps it."""


@dataclass(frozen=True)
class Contacts:
    """What to do with the addresses on lines without a date: leave all of them out, or use one date for all."""

    are_left_out: bool = False
    agreed_on: date | None = None


@dataclass(frozen=True)
class PlayersFile:
    """What was read, with a sentence for each fault; `other_columns` are not used.

    `not_agreed` are the lines with an address or a number, but no date.
    """

    rows: list[PlayerRow]
    faults: list[str]
    other_columns: list[str]
    not_agreed: list[int]


def read_players(text: str, contacts: Contacts | None = None) -> PlayersFile:
    """Return the rows of a list; the first line may name the columns, else the first cell of each line is the name."""
    lines = [(line, [tidy(cell) for cell in cells]) for line, cells in numbered_lines(text)]
    if not lines:
        raise ImportRefused("Paste the names, or choose a file. There are no names here yet.")
    if len(lines) > MAX_LINES:
        raise ImportRefused(f"Choose a shorter list, of at most {MAX_LINES} lines. This one has {len(lines)}.")
    columns, others = _columns(lines[0][1])
    rows, faults, not_agreed = [], {}, []
    for line, cells in lines[1:] if columns else lines:
        try:
            named = _without_details(_by_column(columns, cells)) if columns else _pasted(cells)
            row = _row(line, named, contacts or Contacts())
            if not columns and row.short_name and not (" " in row.name or close_names(row.short_name, [row.name])):
                # The comma has split “Atkins, Jean” into a name and a short name.
                row = replace(row, name=f"{row.name}, {row.short_name}", short_name="")
            rows.append(replace(row, turned=turned(row.name)))
        except NotAgreed:
            not_agreed.append(line)
            # One sentence for all of them, as there is one answer for all.
            faults[not_agreed[0]] = _not_agreed(not_agreed)
        except ValueError as error:
            faults[line] = f"Line {line}: {error}"
    return PlayersFile(rows, [*faults.values(), *_repeated_names(rows)], others, not_agreed)


def _not_agreed(lines: list[int]) -> str:
    if len(lines) == 1:
        return f"Line {lines[0]}: {NOT_AGREED}"
    return (
        f"{len(lines)} lines have an email or phone number, but not the date the player agreed (the first is line "
        f"{lines[0]}). Choose below what to do."
    )


def _columns(cells: list[str]) -> tuple[list[str] | None, list[Any]]:
    """Return what the columns are where the first line names them, and the names that mean nothing."""
    words = [" ".join(re.sub(r"[^a-z]", " ", re.sub(r"[’']", "", cell.casefold())).split()) for cell in cells]
    columns = [MEANING.get(word, "") for word in words]
    if "player" not in columns and not {"first", "last"} <= set(columns):
        return None, []
    for column in COLUMN_NAMES:
        if columns.count(column) > 1:
            raise ImportRefused(f"Remove one column: the first line names the {column.replace('_', ' ')} twice.")
    return columns, [cell for cell, column in zip(cells, columns, strict=True) if cell and not column]


def _by_column(columns: list[str] | tuple[str, str, str], cells: list[str]) -> dict[Any, Any]:
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
    in_public = cells.get("in_public", "")
    if in_public.casefold() not in IN_PUBLIC:
        raise ValueError(f"in public is “{in_public[:20]}”; it can be initials, short, full, off, or empty.")
    return PlayerRow(
        line=line,
        name=name,
        short_name=short_name,
        guest=yes_of(cells.get("guest", "")),
        left_on=_day(cells, "left_on", "the date they left"),
        joined_into=cells.get("joined_into", ""),
        in_public=in_public.casefold(),
        beginner=yes_of(cells.get("beginner", ""), "beginner", "others"),
        **_contact(cells, contacts),
    )


# What people paste with a name: a number before it, that someone is a guest, an address, a telephone number.
NUMBERED = re.compile(r"^(?:no\.?\s*)?(?:\(?\d{1,3}\s*[.):-]+|#?\d{1,3}(?=\s))\s*(?=\D|$)", re.I)
A_GUEST = re.compile(r"\s*\((?:guest|visitor)\)\s*", re.I)
A_MAIL = re.compile(r"(?:\be-?mail:?\s*|mailto:)?<?\s*([^\s<>@,;()]+@[^\s<>@,;()]+\.[^\s<>@,;().]+)\s*>?", re.I)
A_TELEPHONE = re.compile(
    r"(?:\b(?:tel(?:ephone)?|phone|mob(?:ile)?|t|m)\b[.:]?\s*)?(\+\d[\d\s()./-]{7,}\d|\(?0\d[\d\s()./-]{6,}\d)", re.I
)


def _without_details(cells: dict[str, str]) -> dict[str, str]:
    """Return cells with what was pasted beside the name, in the columns that it belongs to."""
    found = dict(cells)
    for column in ("player", "short_name"):
        text = cells.get(column, "")
        for detail, pattern in (("email", A_MAIL), ("telephone", A_TELEPHONE)):
            if part := pattern.search(text):
                found[detail] = found.get(detail) or " ".join(part[1].split())
                text = pattern.sub(" ", text)
        if A_GUEST.search(text):
            found["guest"], text = "guest", A_GUEST.sub(" ", text)
        text = NUMBERED.sub("", text) if column == "player" else text
        found[column] = tidy(text).strip(" ,;:–-") if text != cells.get(column, "") else text
    return found


def _pasted(cells: list[str]) -> dict[str, str]:
    """Return what a line without headings has: the name, and what else was pasted, wherever it stands."""
    kept: list[str] = []
    found: dict[str, str] = {}
    for cell in cells:
        parts = _without_details({"player": cell})
        name = parts.pop("player")
        found |= {column: text for column, text in parts.items() if text}
        kept += [name] if name or not (parts.keys() - {"short_name"} or NUMBERED.match(cell)) else []
    return {"short_name": "", "guest": ""} | _by_column(WITHOUT_HEADER, kept) | found


def _contact(cells, contacts):
    if contacts.are_left_out:
        return {}
    email, telephone = cells.get("email", ""), telephone_of(cells.get("telephone", ""))
    agreed_on = _day(cells, "agreed_on", "the date they agreed") or contacts.agreed_on
    if email and not (len(email) <= 254 and MAIL.match(email)):
        raise ValueError(f"“{email[:60]}” is not an email address, for example jean@example.org.")
    if len(telephone) > 40:
        raise ValueError("the phone number is longer than 40 characters.")
    if (email or telephone) and agreed_on is None:
        raise NotAgreed(NOT_AGREED)
    return {"email": email, "telephone": telephone, "agreed_on": agreed_on if email or telephone else None}


def _day(cells, column, name):
    return named_day_of(cells[column], name) if cells.get(column) else None


def _repeated_names(rows: list[PlayerRow]) -> list[str]:
    seen: dict[str, PlayerRow] = {}
    faults = []
    for row in rows:
        first = seen.setdefault(row.name.casefold(), row)
        if first is not row:
            faults.append(
                f"Line {row.line}: {row.name} is already in line {first.line}. If these are two people, tell them "
                f"apart in brackets, for example “{row.name} (Wool)”."
            )
    return faults


# Say what a list would do to the club, and write it.

MAX_COMPARED = 300
ERASED = re.compile(rf"{NAMELESS} [0-9]{{1,6}}\Z")
LEAVE_OUT = "leave out"


def preview_players_file(club: Club, text: str, chosen: Any) -> ImportPreview:
    """Return what a list would do; ImportRefused where it cannot be read at all."""
    return _preview(club, read_players(text, contacts_of(chosen)), chosen)[0]


def import_players_file(club: Club, text: str, chosen: Any, key: str, *, by: Any) -> int | None:
    """Add the new players and return how many; None if this list was imported before.

    ImportRefused where it cannot be: nothing is written then. `key` is the page's own, so that a second press is known.
    """
    file = read_players(text, contacts_of(chosen))
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        if Change.objects.of_club(club).filter(action="import players", after__key=key).exists():
            return None
        preview, rows = _preview(club, file, chosen)
        preview.refuse_open()
        _write(club, rows, preview.same, by)
        if rows:
            log_change(club, by, "import players", club, {}, {"added": len(rows), "key": key})
    return len(rows)


def contacts_of(chosen: Any) -> Contacts:
    """Return what was chosen for addresses without a date; ImportRefused for a date that cannot be read."""
    text = chosen.get("agreed_on", "").strip()
    try:
        agreed_on = day_of(text) if text else None
    except ValueError:
        raise ImportRefused("Enter the date on which they all agreed, for example 12/11/2026.") from None
    return Contacts(chosen.get("contacts") == LEAVE_OUT, agreed_on)


def _preview(club, file, chosen):
    """Return the Preview and the rows that are new."""
    people = People(club)
    present = [row for row in file.rows if not row.joined_into]
    unsure_names = find_unsure(people, [(row.name, f"Line {row.line}") for row in present], chosen)
    asked = {unsure.name for unsure in unsure_names}
    # A name that may have the surname first is read so until someone says no.
    unsure_names += [
        UnsureName(row.name, [], chosen.get(field_of(row.name)) or TURNED, f"Line {row.line}", row.turned)
        for row in present
        if row.turned and row.name not in asked and row.name not in people
    ]
    faults = [*file.faults, *_faults_of_merged(file.rows, people)]
    preview = ImportPreview(faults=faults, unsure_names=unsure_names, not_agreed=len(file.not_agreed))
    preview.contacts, preview.agreed_on = chosen.get("contacts", ""), chosen.get("agreed_on", "")
    settled = {unsure.name for unsure in unsure_names if unsure.same or unsure.is_open}
    read = _with_names_as_read(file.rows, unsure_names)
    rows = [row for row in read if row.name not in people and row.name not in settled]
    here = [row.name for row in read if row.name in people]
    preview.new, preview.adds = [row.name for row in rows], len(rows)
    if preview.contacts == LEAVE_OUT:
        preview.notes.append("Email addresses and phone numbers will not be imported.")
    if here:
        number = "1 name is" if len(here) == 1 else f"{len(here)} names are"
        preview.notes.append(f"{number} already on the club’s list and will not change: {', '.join(here)}.")
    preview.notes += _similar_names(rows)
    if file.other_columns:
        preview.notes.append(f"Your file also has {listed(file.other_columns, 'and')}. We leave that out.")
    return preview, rows


def _with_names_as_read(rows, unsure_names):
    """Return the rows with the names as they were read, each name once."""
    unsure_of = {unsure.name: unsure for unsure in unsure_names}
    read: dict[str, PlayerRow] = {}
    for row in rows:
        unsure = unsure_of.get(row.name)
        if unsure and unsure.is_turned:
            row = replace(row, name=unsure.turned, short_name="")
        read.setdefault(row.name.casefold(), row)
    return list(read.values())


def _similar_names(rows: list[Any]) -> Iterator[str]:
    """Yield a sentence for each pair of similar new names; they stay two people."""
    seen = SimilarNames()
    for row in rows if len(rows) <= MAX_COMPARED else []:
        for close in seen.close_to(row.name):
            yield (
                f"Line {row.line}: {row.name} and {close} are nearly the same name. "
                "If they are one person, take one of them out of the list."
            )
        seen.add(row.name)


def _faults_of_merged(rows, people):
    """Yield a fault for each player merged into someone who is not on the list, or is merged too."""
    names = {row.name.casefold(): row for row in rows}
    for row in rows:
        if not row.joined_into:
            continue
        into = names.get(row.joined_into.casefold())
        if (into is None and row.joined_into not in people) or into is row or (into and into.joined_into):
            yield f"Line {row.line}: {row.name} is merged into {row.joined_into}, who is not on the list."


def _write(club, rows, same, by):
    new, short = {}, ShortNames(club, [row.name for row in rows])
    for row in rows:
        name = row.name.casefold()
        if ERASED.match(row.name):
            # The original club erased the name.
            new[name] = Player.objects.create(club=club, erased_as=row.name, guest=row.guest, left_on=row.left_on)
            continue
        facts = {fact: getattr(row, fact) for fact in FACTS}
        new[name] = add_player(club, row.name, short.take(row.name, row.short_name), by=by, **facts)
        if row.agreed_on:
            set_contact(new[name], row.email, row.telephone, row.agreed_on, by=by)
    for row in rows:
        if row.joined_into:
            into = new.get(row.joined_into.casefold()) or same.get(row.joined_into) or People(club)[row.joined_into]
            Player.objects.filter(pk=new[row.name.casefold()].pk).update(merged_into=into)
