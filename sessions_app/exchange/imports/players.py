"""Import a list of people: shown as a table that can be changed, then written, all or nothing."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sessions_app.exchange.exports.csv_files import telephone_of
from sessions_app.exchange.imports.name_matches import NEW, People, nearest
from sessions_app.exchange.imports.people_list import FORMER, GUEST, MEMBER, OUT, ListedPerson, read_people
from sessions_app.exchange.imports.sheet_values import ImportRefused, read_date
from sessions_app.exchange.imports.spreadsheets import Workbook
from sessions_app.models import Change, Club, Player
from sessions_app.people.fuzzy_names import SimilarNames
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.merging import NAMELESS
from sessions_app.people.models import MAX_NAME, MAX_SHORT_NAME
from sessions_app.people.plain_text import is_showable, plain_name
from sessions_app.people.players import ShortNames, add_player, set_contact
from sessions_app.people.transactions import write_transaction

log_sentences(
    {"import players": "imported a list of players, {new} new"}, new=lambda it: it.after.get("added") or "none"
)

KINDS = {MEMBER: "Member", GUEST: "Guest", FORMER: "Former", OUT: "Leave out"}
LEAVE_OUT, AGREED = "leave out", "agreed"
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+\Z")
ERASED = re.compile(rf"{NAMELESS} [0-9]{{1,6}}\Z")
TYPED = re.compile(r"(?:name|short_name|kind|email|telephone)_[0-9-]{1,12}[ab]?\Z")
MAX_COMPARED = 300


@dataclass
class CheckedPerson:
    """Someone of the list with what can be chosen for them; `same` is the player of the club that they are."""

    listed: ListedPerson
    options: list[tuple[str, str]]
    chosen: str
    # The name at the table, if none is entered.
    usual_short_name: str = ""
    same: Player | None = None
    fault: str = ""

    @property
    def is_added(self) -> bool:
        return self.listed.kind != OUT and self.same is None and self.chosen != ""


@dataclass
class PeoplePreview:
    """What a list would do: nothing is written before it is accepted, and nothing while something is open."""

    people: list[CheckedPerson]
    left_out: list[CheckedPerson]
    here: list[str]
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # How many have an address or a number but no date, and what to do with them.
    not_agreed: int = 0
    contacts: str = ""
    agreed_on: str = ""
    # All that was changed so far: a page leaves out people that the club has.
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def new(self) -> list[str]:
        return [person.listed.name for person in self.people if person.is_added]

    @property
    def adds(self) -> int:
        return len(self.new)

    @property
    def has_contacts(self) -> bool:
        return any(person.listed.email or person.listed.telephone for person in self.people)


def preview_players(club: Club, book: Workbook, data: Mapping[str, str]) -> PeoplePreview:
    """Return what a list would do, with what was changed on the page; ImportRefused where it cannot be read at all."""
    typed = {name: text[:300] for name, text in data.items() if TYPED.match(name)}
    found = read_people(book)
    agreed_on, wrong_day = _agreed_on(data)
    people = People(club)
    for person in found.people:
        _change(person, typed)
    named = [person for person in found.people if person.kind != OUT and not person.joined_into]
    near = nearest(people, [person.name for person in named])
    preview = PeoplePreview([], [], [])
    preview.notes, preview.typed = found.notes, typed
    preview.faults = [*found.faults, *_faults_of_merged(found.people, people)]
    preview.contacts = data.get("contacts", "") or (AGREED if agreed_on else "")
    preview.agreed_on = data.get("agreed_on", "")
    for person in found.people:
        if person.name in people and person.kind != OUT:
            preview.here.append(person.name)
            continue
        if preview.contacts == LEAVE_OUT:
            person.email = person.telephone = ""
        checked = _checked(person, near.get(person.name, []), typed)
        checked.fault = _fault_of(person, checked)
        (preview.left_out if person.kind == OUT else preview.people).append(checked)
    _ask_about_repeated(preview)
    _ask_for_dates(preview, agreed_on, wrong_day)
    preview.faults += [f"{person.listed.where}: {person.fault}" for person in preview.people if person.fault]
    short = ShortNames(club, preview.new)
    for checked in preview.people:
        if checked.is_added and not ERASED.match(checked.listed.name):
            checked.usual_short_name = short.take(checked.listed.name, checked.listed.short_name)
    preview.notes += _sentences_about(preview)
    return preview


def import_players(club: Club, book: Workbook, data: Mapping[str, str], key: str, *, by: Actor) -> int | None:
    """Add the new players and return how many; None if this list was imported before.

    ImportRefused where it cannot be: nothing is written then. `key` is the page's own, so that a second press is known.
    """
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        if Change.objects.of_club(club).filter(action="import players", after__key=key).exists():
            return None
        preview = preview_players(club, book, data)
        if preview.faults:
            raise ImportRefused(*preview.faults)
        added = [person for person in preview.people if person.is_added]
        _write(club, added, {one.listed.name.casefold(): one.same for one in preview.people if one.same}, by)
        if added:
            log_change(club, by, "import players", club, {}, {"added": len(added), "key": key})
    return len(added)


def _agreed_on(data: Mapping[str, str]) -> tuple[date | None, str]:
    """Return the date on which they all agreed, and what to say of one that cannot be read."""
    text = data.get("agreed_on", "").strip()
    if not text or data.get("contacts") == LEAVE_OUT:
        return None, ""
    try:
        return read_date(text), ""
    except ValueError:
        return None, "Enter the date on which they all agreed, for example 12/11/2026."


def _change(person: ListedPerson, data: Mapping[str, str]) -> None:
    """Put what was changed on the page into someone of the list."""
    for name in ("name", "short_name", "email", "telephone"):
        if (text := data.get(f"{name}_{person.key}")) is not None:
            setattr(person, name, plain_name(text)[:300])
    person.telephone = telephone_of(person.telephone)
    chosen = data.get(f"kind_{person.key}", "").removeprefix(f"{NEW}-")
    if chosen in KINDS:
        person.why = person.why if chosen == person.kind else ""
        person.kind, person.is_guest = chosen, chosen == GUEST or (chosen == FORMER and person.is_guest)


def _checked(person: ListedPerson, near: list[Player], data: Mapping[str, str]) -> CheckedPerson:
    """Return someone with what can be chosen: where the club has a name close to theirs, someone has to choose."""
    chosen = data.get(f"kind_{person.key}", "")
    options = list(KINDS.items())
    if near and person.kind != OUT:
        players = [(str(one.pk), f"Same as {one}{', a former member' if one.left_on else ''}") for one in near]
        new = [(f"{NEW}-{kind}", f"Someone new: {words.lower()}") for kind, words in options[:-1]]
        options = [*players, *new, options[-1]]
        chosen = chosen if chosen in dict(options) else ""
        return CheckedPerson(person, options, chosen, same=next((one for one in near if str(one.pk) == chosen), None))
    return CheckedPerson(person, options, person.kind)


def _fault_of(person: ListedPerson, checked: CheckedPerson) -> str:
    """Say what has to be put right before someone can be added, or nothing."""
    if person.kind == OUT or checked.same:
        return ""
    if not checked.chosen:
        return person.why if not person.kind else f"choose who {person.name} is."
    if not any(map(str.isalnum, person.name)):
        return "enter the name, or leave it out."
    for text, most, what in ((person.name, MAX_NAME, "name"), (person.short_name, MAX_SHORT_NAME, "short name")):
        if len(text) > most:
            return f"the {what} is longer than {most} letters."
    if not all(map(is_showable, (person.name, person.short_name, person.email, person.telephone))):
        return "it contains a character that cannot be shown."
    if person.email and not (len(person.email) <= 254 and MAIL.match(person.email)):
        return f"“{person.email[:60]}” is not an email address, for example jean@example.org."
    return "the phone number is longer than 40 characters." if len(person.telephone) > 40 else ""


def _ask_about_repeated(preview: PeoplePreview) -> None:
    seen: dict[str, CheckedPerson] = {}
    for person in preview.people:
        first = seen.setdefault(person.listed.name.casefold(), person)
        if first is not person and not person.fault:
            person.fault = (
                f"{person.listed.name} is already in {first.listed.where.replace('Line', 'line')}. If these are two "
                f"people, tell them apart in brackets, for example “{person.listed.name} (Wool)”."
            )


def _ask_for_dates(preview: PeoplePreview, agreed_on: date | None, wrong_day: str) -> None:
    """Give all whose address has no date the one that was entered, or leave the addresses out; else ask."""
    for person in (one.listed for one in preview.people if not one.same):
        if not (person.email or person.telephone):
            person.agreed_on = None
        elif person.agreed_on is None:
            person.agreed_on = agreed_on
            preview.not_agreed += 1
    if wrong_day:
        preview.faults.append(wrong_day)
    elif preview.not_agreed and not agreed_on:
        preview.faults.append(
            "Enter the date on which they agreed that you keep their email address and telephone number, or leave "
            "those out."
        )


def _sentences_about(preview: PeoplePreview) -> Iterator[str]:
    if preview.contacts == LEAVE_OUT:
        yield "Email addresses and phone numbers will not be imported."
    if preview.here:
        number = "1 name is" if len(preview.here) == 1 else f"{len(preview.here)} names are"
        yield f"{number} already on the club’s list and will not change: {', '.join(preview.here)}."
    seen = SimilarNames()
    added = [person.listed for person in preview.people if person.is_added]
    for person in added if len(added) <= MAX_COMPARED else []:
        # What stands in brackets tells two people apart already.
        if "(" in person.name:
            continue
        for close in seen.close_to(person.name):
            yield (
                f"{person.where}: {person.name} and {close} are nearly the same name. "
                "If they are one person, leave one of them out."
            )
        seen.add(person.name)


def _faults_of_merged(people: list[ListedPerson], club: People) -> Iterator[str]:
    """Yield a fault for each player merged into someone who is not on the list, or is merged too."""
    names = {person.name.casefold(): person for person in people if person.kind != OUT}
    for person in people:
        if not person.joined_into or person.kind == OUT:
            continue
        into = names.get(person.joined_into.casefold())
        if (into is None and person.joined_into not in club) or into is person or (into and into.joined_into):
            yield f"{person.where}: {person.name} is merged into {person.joined_into}, who is not on the list."


def _write(club: Club, people: list[CheckedPerson], same: Mapping[str, Player], by: Actor) -> None:
    new: dict[str, Player] = {}
    for checked in people:
        person = checked.listed
        name = person.name.casefold()
        if person.kind == FORMER and not person.left_on:
            person.left_on = club.today
        elif person.kind != FORMER:
            person.left_on = None
        facts: dict[str, Any] = {"guest": person.is_guest, "beginner": person.beginner, "left_on": person.left_on}
        if ERASED.match(person.name):
            # The original club erased the name.
            new[name] = Player.objects.create(club=club, erased_as=person.name, **facts)
            continue
        new[name] = add_player(club, person.name, checked.usual_short_name, by=by, in_public=person.in_public, **facts)
        if person.agreed_on:
            set_contact(new[name], person.email, person.telephone, person.agreed_on, by=by)
    for person in (checked.listed for checked in people):
        if person.joined_into:
            into = new.get(person.joined_into.casefold()) or same.get(person.joined_into.casefold())
            into = into or People(club)[person.joined_into]
            Player.objects.filter(pk=new[person.name.casefold()].pk).update(merged_into=into)
