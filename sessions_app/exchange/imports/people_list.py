"""Read a list of people as clubs keep it, from any spreadsheet or pasted: names, and what is written beside them.

No database here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring.words import listed
from sessions_app.exchange.exports.csv_files import telephone_of
from sessions_app.exchange.imports.sheet_shapes import HEADINGS, TOP
from sessions_app.exchange.imports.sheet_values import (
    NO,
    YES,
    ImportRefused,
    in_small_letters,
    is_total,
    read_date,
    yes_of,
)
from sessions_app.exchange.imports.spreadsheets import MAX_LETTERS, Sheet, Workbook
from sessions_app.people.fuzzy_names import GROUPS, SUFFIXES, TITLES, close_names, turned
from sessions_app.people.plain_text import tidy

MAX_LINES = 1000

MEMBER, GUEST, FORMER, OUT = "member", "guest", "former", "out"

# What a column may be called, by what it is.
COLUMN_NAMES = {
    **{meaning: tuple(HEADINGS[meaning].split("|")) for meaning in ("player", "first", "last", "guest")},
    "short_name": ("short name", "name at the table", "known as", "at the table", "nickname", "nick name", "called"),
    "left_on": ("left on", "left"),
    "joined_into": ("joined into", "merged into"),
    "in_public": ("in public", "name in public"),
    "beginner": ("beginner",),
    "email": ("email", "e mail", "mail", "email address"),
    "telephone": ("telephone", "phone", "tel", "telephone number", "phone number", "home phone", "landline"),
    "mobile": ("mobile", "mobile number", "mobile phone", "mobile telephone", "cell"),
    "agreed_on": ("agreed on", "consent", "consent given on", "agreed"),
    "status": ("status", "membership status", "member status"),
}
MEANING = {word: column for column, words in COLUMN_NAMES.items() for word in words}
# Only Export writes these: its names are right as they are.
OF_EXPORT = {"joined_into", "in_public"}
IN_PUBLIC = ("", "initials", "short", "full", "off")

# What is written with a name: a number before it, an address, a telephone number, and remarks.
NUMBERED = re.compile(r"^(?:no\.?\s*)?(?:\(?\d{1,3}\s*[.):-]+|#?\d{1,3}(?=\s))\s*(?=\D|$)", re.I)
A_MAIL = re.compile(r"(?:\be-?mail:?\s*|mailto:)?<?\s*([^\s<>@,;()]+@[^\s<>@,;()]+\.[^\s<>@,;().]+)\s*>?", re.I)
A_TELEPHONE = re.compile(
    r"(?:\b(?:tel(?:ephone)?|phone|mob(?:ile)?|t|m)\b[.:]?\s*)?(\+\d[\d\s()./-]{7,}\d|\(?0\d[\d\s()./-]{6,}\d)", re.I
)
A_GUEST = re.compile(r"(?:guests?|visitors?|yes)\Z", re.I)
HAS_LEFT = re.compile(
    r"(?:has )?(?:lapsed|left|leaver|resigned|retired|former|ex|inactive|expired|cancelled|deceased|died|dec'?d|"
    r"r\.?i\.?p)\b.*\Z",
    re.I,
)
# What clubs write in brackets and is no place that tells two people apart.
A_REMARK = re.compile(
    r"(?:hon\w*\.? |vice[- ]|life |full |associate )?(?:treasurer|secretary|chair\w*|president|organi[sz]er|leader|"
    r"co-?ordinator|committee|member)\b.*|joined\b.*|since\b.*|new|learner|paid|unpaid|current|active|\d+|"
    r"(?:mr|mrs|miss|ms|dr|rev)\.?\Z",
    re.I,
)
BESIDE = re.compile(
    r"\s[\"“‘'](?P<called>[^\"”’'“‘]{2,})[\"”’'](?=\s|$)|\s*\((?P<bracketed>[^()]*)\)|\s+[-–—]\s+(?P<behind>\S.*)$|"
    r"(?<=\S)\s*(?P<marks>[*†‡#!]+)$|,?\s+(?P<honour>[MOC]BE|BEM)$"
)
TWO_PEOPLE = re.compile(r"(.+?)\s+(?:&|\+|and)\s+(.+)\Z", re.I)
NO_PERSON = re.compile(
    r"\b(?:members|membership|u3a|mah[- ]?jong+|club|list of|players|total|committee|page \d+|printed|updated)\b", re.I
)


@dataclass
class ListedPerson:
    """Someone in a list, as they would be added; `kind` is empty where someone has to choose it."""

    key: str
    where: str
    # The line as it stands in the list.
    text: str
    name: str
    short_name: str = ""
    kind: str = MEMBER
    # Why they are left out, or why the kind has to be chosen.
    why: str = ""
    # What was read as no part of the name.
    remarks: list[str] = field(default_factory=list)
    email: str = ""
    telephone: str = ""
    is_guest: bool = False
    left_on: date | None = None
    joined_into: str = ""
    in_public: str = ""
    beginner: bool = False
    agreed_on: date | None = None


@dataclass
class PeopleList:
    """What was read: people, and sentences about what is not used."""

    people: list[ListedPerson] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_people(book: Workbook) -> PeopleList:
    """Return the people of a list, as they are shown in a table that can be changed."""
    found, headings = PeopleList(), [_headings(sheet) for sheet in book.sheets]
    used = [at for at, heading in enumerate(headings) if heading] or [0]
    for at, sheet in enumerate(book.sheets):
        if at not in used:
            found.notes.append(f"The sheet “{sheet.name}” has no column of names. We leave it out.")
            continue
        _ListReader(sheet, f"{at}-" if at else "", len(used) > 1, headings[at], found).read()
    number = sum(person.kind != OUT for person in found.people)
    if not number:
        raise ImportRefused("Paste the names, or choose a file. There are no names here yet.")
    if len(found.people) > MAX_LINES:
        raise ImportRefused(f"Choose a shorter list, of at most {MAX_LINES} lines. This one has {len(found.people)}.")
    found.people = [one for person in found.people for one in _one_or_two(person)]
    _leave_out_repeated(found.people)
    return found


def _headings(sheet: Sheet) -> tuple[int, list[str]] | None:
    """Return the row of the headings and what its columns are, if the sheet has one."""
    for at, row in enumerate(sheet.rows[:TOP]):
        words = [" ".join(re.sub(r"[^a-z0-9]", " ", re.sub(r"[’']", "", cell.casefold())).split()) for cell in row]
        columns = [MEANING.get(word, "") for word in words]
        if "player" in columns or {"first", "last"} <= set(columns):
            return at, [column if column not in columns[:nth] else "" for nth, column in enumerate(columns)]
    return None


class _ListReader:
    """Reads one sheet into a list of people."""

    def __init__(
        self, sheet: Sheet, prefix: str, is_named: bool, headings: tuple[int, list[str]] | None, found: PeopleList
    ) -> None:
        self.sheet, self.prefix, self.found = sheet, prefix, found
        self.sheet_name = f"{sheet.name}, line" if is_named else "Line"
        self.header, self.columns = headings or (-1, [])
        self.is_export = bool(OF_EXPORT & set(self.columns))

    def read(self) -> None:
        if self.columns:
            row = self.sheet.rows[self.header]
            others = [cell for cell, column in zip(row, self.columns, strict=True) if cell and not column]
            if {"telephone", "mobile"} <= set(self.columns):
                self.found.notes.append("Of two telephone numbers, we take the mobile.")
            if others:
                self.found.notes.append(f"Your file also has {listed(others, 'and')}. We leave that out.")
        for at, row in enumerate(self.sheet.rows):
            if at == self.header or not any(row):
                continue
            if at < self.header:
                self.add(at, row, {}, OUT, "above the headings")
            elif len(self.columns) > 1:
                self.read_row(at, row)
            else:
                self.read_line(at, row)

    def add(self, at: int, row: list[str], facts: dict, kind: str = "", why: str = "") -> None:
        text = ", ".join(filter(None, row))
        facts = {"name": text[:200], "kind": kind or MEMBER, "why": why} | facts
        person = ListedPerson(f"{self.prefix}{at + 1}", f"{self.sheet_name} {at + 1}", text, **facts)
        if person.kind != OUT and not any(map(str.isalpha, person.name)):
            person.kind, person.why = OUT, "no name"
        elif person.kind != OUT and not self.is_export:
            person.name = in_small_letters(person.name)
            if is_total(person.name) or NO_PERSON.search(person.name):
                person.kind, person.why = OUT, "not a name"
        self.found.people.append(person)

    def read_row(self, at: int, row: list[str]) -> None:
        """Read a row by its headings."""
        cells = {column: tidy(cell) for column, cell in zip(self.columns, row, strict=False) if column}
        if any(row[len(self.columns) :]):
            self.add(at, row, {}, "", f"it has {len(row)} cells, but there are only {len(self.columns)} columns")
            self.found.people[-1].kind = ""
            return
        name = cells.get("player") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
        facts = {"name": name} if self.is_export else _without_remarks(name)
        if not self.is_export and not cells.get("player"):
            facts["name"] = turned(facts["name"]) or facts["name"]
        if short_name := cells.get("short_name"):
            beside = {"short_name": short_name} if self.is_export else _without_remarks(short_name)
            facts |= {name: text for name, text in beside.items() if text and name != "name"}
            facts["short_name"] = beside.get("name") or beside["short_name"]
        facts["name"] = facts["name"] if self.is_export else turned(facts["name"]) or facts["name"]
        for name in ("email", "telephone"):
            facts[name] = cells.get(name) or facts.get(name, "")
        facts["telephone"] = telephone_of(cells.get("mobile") or facts["telephone"])
        self.add(at, row, facts | self.facts_of(at, cells, facts), facts.get("kind", ""))

    def facts_of(self, at: int, cells: dict[str, str], facts: dict) -> dict:
        """Return what the other columns say; a guest, a date or a status that cannot be read has to be chosen."""
        found: dict[str, Any] = {"joined_into": cells.get("joined_into", "")}
        found["in_public"] = cells.get("in_public", "").casefold()
        where = f"{self.sheet_name} {at + 1}"
        if found["in_public"] not in IN_PUBLIC:
            what = f"in public is “{found['in_public'][:20]}”; it can be initials, short, full, off, or empty."
            self.found.faults.append(f"{where}: {what}")
        readers: dict[str, Callable[[], Any]] = {
            "is_guest": lambda: facts.get("is_guest", False) or yes_of(cells.get("guest", "")),
            "beginner": lambda: yes_of(cells.get("beginner", ""), "beginner", "others"),
            "left_on": lambda: _day(cells, "left_on", "the date they left"),
            "agreed_on": lambda: _day(cells, "agreed_on", "the date they agreed"),
        }
        consent = cells.get("agreed_on", "").casefold()
        if consent in YES | NO:
            # A date is asked for, unless they said no.
            del readers["agreed_on"]
            if consent in NO - {""} and (facts["email"] or facts["telephone"]):
                remarks = [*facts.get("remarks", []), "email and telephone, as they said no"]
                found |= {"email": "", "telephone": "", "remarks": remarks}
        for name, read in readers.items():
            try:
                found[name] = read()
            except ValueError as error:
                found |= {"kind": "", "why": found.get("why") or str(error)}
        if found.get("why"):
            return found
        status = cells.get("status", "")
        if found["left_on"] or HAS_LEFT.match(status):
            found["kind"] = FORMER
        elif found["is_guest"] or A_GUEST.match(status):
            found |= {"kind": GUEST, "is_guest": True}
        return found

    def read_line(self, at: int, row: list[str]) -> None:
        """Read a line without headings: the name, and what else is written, wherever it stands."""
        facts = _without_remarks(", ".join(filter(None, map(tidy, row)))[:MAX_LETTERS])
        parts = _parts_of_name(facts)
        if not parts:
            if not facts.get("email") and not facts.get("telephone"):
                return
            parts = [""]
        # The same name in two cells.
        words = parts[0].split()
        half = len(words) // 2
        facts["name"] = " ".join(words[:half]) if half > 1 and words[:half] == words[half:] else parts[0]
        if len(parts) == 2:
            facts |= _named_by_two(parts[0], parts[1])
        elif len(parts) > 2:
            facts |= {"name": ", ".join(parts), "kind": "", "why": f"it has {len(parts)} parts"}
        self.add(at, row, facts)


def _parts_of_name(facts: dict) -> list[str]:
    """Return what stands between the commas of a line, without remarks, titles and what is written twice."""
    parts: list[str] = []
    for part in filter(None, (part.strip(" ,;:–-") for part in re.split(r"[,;]", facts["name"]))):
        if parts and part.replace(".", "").casefold() in SUFFIXES:
            parts[-1] += f", {part}" if part.casefold().rstrip(".") not in TITLES else ""
        elif parts and any(word.match(part) for word in (A_REMARK, A_GUEST, HAS_LEFT)):
            _note_remark(part, facts)
        elif part.casefold() not in map(str.casefold, parts):
            parts.append(part)
    return parts


def _day(cells: dict[str, str], column: str, name: str) -> date | None:
    text = cells.get(column, "")
    try:
        return read_date(text) if text else None
    except ValueError as error:
        raise ValueError(f"{name} is “{text[:40]}”, {error}") from None


def _named_by_two(before: str, behind: str) -> dict:
    """Return the name of "Atkins, Jean", or name and short name of "Jean Atkins, Jeannie"."""
    particles = [word for word in before.split()[:-1] if not word.islower()]
    if close_names(behind, [before]) or particles:
        return {"name": before, "short_name": behind}
    return {"name": f"{behind} {before}"}


def _without_remarks(text: str) -> dict:
    """Return a name without what is written beside it, and that; a place that tells two people apart stays."""
    facts: dict = {"remarks": [], "short_name": ""}
    for detail, pattern in (("email", A_MAIL), ("telephone", A_TELEPHONE)):
        if part := pattern.search(text):
            facts[detail] = " ".join(part[1].split())
            text = pattern.sub(" ", text)
    text = NUMBERED.sub("", re.sub(r"^[•·*]\s*", "", text.strip()))
    first = text.partition(" ")[0].casefold().strip(",.")
    for match in BESIDE.finditer(text):
        said = next(filter(None, match.groups()), "").strip()
        if match["called"] or GROUPS.get(first, set()) & GROUPS.get(said.casefold(), set()):
            facts["short_name"] = said
        elif match["bracketed"] and not any(word.match(said) for word in (A_GUEST, HAS_LEFT, A_REMARK)):
            continue
        else:
            _note_remark(said, facts)
        text = text.replace(match[0], "", 1)
    facts["name"] = tidy(text).strip(" ,;:–-")
    return facts


def _note_remark(said: str, facts: dict) -> None:
    if A_GUEST.match(said):
        facts |= {"kind": GUEST, "is_guest": True}
    elif HAS_LEFT.match(said):
        facts["kind"] = FORMER
    elif any(map(str.isalnum, said)):
        facts["remarks"].append(said)


# One line, two people; one person, two lines.


def _one_or_two(person: ListedPerson) -> list[ListedPerson]:
    """Return someone, or the two people of "Queenie & Roy Quinn", whose kind has to be chosen then."""
    names = TWO_PEOPLE.match(person.name) if person.kind != OUT else None
    if not names:
        return [person]
    first, second = names[1], names[2]
    if " " not in first and " " in second:
        first = f"{first} {second.split()[-1]}"
    elif " " not in second and " " in first:
        second = f"{second} {first.split()[-1]}"
    why = f"“{person.name}” was one line. Choose for each person, or leave one out."
    return [
        replace(person, key=person.key + at, name=name, kind="", why=why) for at, name in (("a", first), ("b", second))
    ]


def _leave_out_repeated(people: list[ListedPerson]) -> None:
    """Leave out who is in the list twice; a remark that tells two people apart becomes part of the name."""
    groups = grouped([one for one in people if one.kind != OUT], lambda one: one.name.casefold())
    for same in (group for group in groups.values() if len(group) > 1):
        for person in same[:] if same[0].remarks else same[1:]:
            if len(same) > 1 and person.remarks:
                person.name, person.remarks = f"{person.name} ({person.remarks[0]})", []
                same.remove(person)
        for person in same[1:]:
            person.kind, person.why = OUT, f"the same name as {same[0].where.replace('Line ', 'line ')}"
