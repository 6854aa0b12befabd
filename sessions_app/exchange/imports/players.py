"""Import a list of players into a club: checked first, then written, all or nothing."""

import re
from dataclasses import replace
from typing import Any

from sessions_app.exchange.imports.name_matches import NICKNAME, TURNED, Doubt, Look, People, doubtful, field_of
from sessions_app.exchange.imports.players_file import Contacts, PlayerRow, read_players
from sessions_app.exchange.imports.sheet_text import ImportRefused, day_of
from sessions_app.models import Change, Club, Player
from sessions_app.people.erasure import NAMELESS
from sessions_app.people.fuzzy_names import close_names
from sessions_app.people.log import log_change
from sessions_app.people.players import add_player, free_short_name, set_contact
from sessions_app.people.transactions import write_transaction

MAX_COMPARED = 300
ERASED = re.compile(rf"{NAMELESS} [0-9]{{1,6}}\Z")


def look_at_players(club: Club, text: str, chosen: Any) -> Look:
    """Return what a list would do; ImportRefused where it cannot be read at all."""
    return _look(club, read_players(text, contacts_of(chosen)), chosen)[0]


def take_in_players(club: Club, text: str, chosen: Any, key: str, *, by: Any) -> int | None:
    """Add the new players and return how many; None if this list was imported before.

    ImportRefused where it cannot be: nothing is written then. `key` is the page's own, so that a second press is known.
    """
    file = read_players(text, contacts_of(chosen))
    with write_transaction():
        Club.objects.select_for_update().get(pk=club.pk)
        if Change.objects.of_club(club).filter(action="import players", after__key=key).exists():
            return None
        look, rows = _look(club, file, chosen)
        if not look.can_be_taken:
            raise ImportRefused(*look.faults, *look.open_questions)
        _write(club, rows, look.same, by)
        if rows:
            log_change(club, by, "import players", club, {}, {"added": len(rows), "key": key})
    return len(rows)


LEAVE_OUT = "leave out"


def contacts_of(chosen: Any) -> Contacts:
    """Return what was chosen for addresses without a date; ImportRefused for a date that cannot be read."""
    try:
        agreed_on = day_of(chosen["agreed_on"].strip()) if chosen.get("agreed_on", "").strip() else None
    except ValueError:
        raise ImportRefused("Enter the date on which they all agreed, for example 12/11/2026.") from None
    return Contacts(chosen.get("contacts") == LEAVE_OUT, agreed_on)


def _look(club, file, chosen):
    """Return the Look and the rows that are new."""
    people = People(club)
    faults = [*file.faults, *_joined_faults(file.rows, people)]
    doubts = doubtful(club, [(row.name, f"Line {row.line}") for row in file.rows if not row.joined_into], chosen)
    doubts += _surname_first(file.rows, people, {doubt.name for doubt in doubts}, chosen)
    look = Look(faults=[*faults, *_twice_as_nicknames(file.rows, doubts)], doubts=doubts)
    read = _turned_round(file.rows, doubts)
    settled = {doubt.name for doubt in doubts if doubt.same or doubt.is_open}
    rows = [row for row in read if row.name not in people and row.name not in settled]
    here = [row.name for row in read if row.name in people]
    look.new, look.adds = [row.name for row in rows], len(rows)
    look.not_agreed = len(file.not_agreed)
    look.contacts, look.agreed_on = chosen.get("contacts", ""), chosen.get("agreed_on", "")
    if look.contacts == LEAVE_OUT:
        look.told.append("Email addresses and phone numbers will not be imported.")
    if here:
        number = "1 name is" if len(here) == 1 else f"{len(here)} names are"
        look.told.append(f"{number} already on the club’s list and will not change: {', '.join(here)}.")
    look.told += _nearly_twice(rows)
    if file.other_columns:
        look.told.append(f"These columns are not used here: {', '.join(file.other_columns)}.")
    return look, rows


def _surname_first(rows, people, asked, chosen):
    """Return a Doubt for each name that may have the surname first, which is assumed until someone says no."""
    found = [row for row in rows if row.turned and not row.joined_into and row.name not in asked]
    return [
        Doubt(row.name, [], _read_as(row, chosen), f"Line {row.line}", row.turned, row.nickname)
        for row in found
        if row.name not in people
    ]


def _read_as(row, chosen):
    """Return how to read a name: as chosen for all names, else for this one, else surname first."""
    of_all = chosen.get("all")
    if of_all == TURNED or of_all == NICKNAME and row.nickname:
        return of_all
    return chosen.get(field_of(row.name)) or TURNED


def _twice_as_nicknames(rows, doubts):
    """Yield a fault for each repeated name that is read with a nickname: it is probably a surname."""
    seen, lines = {}, {row.name: row.line for row in rows}
    for doubt in doubts:
        if doubt.is_nickname:
            first = seen.setdefault(doubt.before_comma.casefold(), doubt)
            if first is not doubt:
                here, before = lines[doubt.name], lines[first.name]
                yield f"Line {here}: {doubt.before_comma} is already in line {before}. Is it the surname?"


def _turned_round(rows, doubts):
    """Return the rows with the names as they were read, each name once."""
    names = {doubt.name: doubt for doubt in doubts if doubt.is_turned or doubt.is_nickname}
    read = {}
    for row in rows:
        doubt = names.get(row.name)
        if doubt:
            row = row.as_nickname() if doubt.is_nickname else replace(row, name=doubt.turned, short_name="")
        read.setdefault(row.name.casefold(), row)
    return list(read.values())


def _nearly_twice(rows):
    """Yield a sentence for each pair of similar new names; they stay two people."""
    seen = []
    for row in rows if len(rows) <= MAX_COMPARED else []:
        for close in close_names(row.name, seen):
            yield f"Line {row.line}: {row.name} is close to {close}. Both will be imported, as two people."
        seen.append(row.name)


def _joined_faults(rows, people):
    names = {row.name.casefold(): row for row in rows}
    for row in rows:
        if not row.joined_into:
            continue
        into = names.get(row.joined_into.casefold())
        if (into is None and row.joined_into not in people) or into is row or (into and into.joined_into):
            yield f"Line {row.line}: {row.name} is merged into {row.joined_into}, who is not on the list."


def _write(club, rows: list[PlayerRow], same, by):
    present = Player.objects.of_club(club).present()
    taken = {name.casefold() for name in present.values_list("short_name", flat=True)}
    made = {}
    for row in rows:
        if ERASED.match(row.name):
            made[row.name.casefold()] = _erased(club, row)
            continue
        short_name = row.short_name or free_short_name(row.name, taken)
        taken.add(short_name.casefold())
        player = add_player(club, row.name, short_name, row.guest, by=by, left_on=row.left_on, in_public=row.in_public)
        made[row.name.casefold()] = player
        if row.agreed_on:
            set_contact(player, row.email, row.telephone, row.agreed_on, by=by)
    for row in rows:
        if row.joined_into:
            into = made.get(row.joined_into.casefold()) or same.get(row.joined_into) or People(club)[row.joined_into]
            Player.objects.filter(pk=made[row.name.casefold()].pk).update(merged_into=into)


def _erased(club, row):
    """Make a player whose names were erased in the original club."""
    return Player.objects.create(club=club, erased_as=row.name, guest=row.guest, left_on=row.left_on)
