"""Whose names these are: names in a file that are close to a name on the club's list, for someone to decide."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2s
from typing import Any

from clubscore.league.methods import grouped
from clubscore.scoring.words import listed
from sessions_app.exchange.imports.sheet_values import ImportRefused, refuse_too_many
from sessions_app.models import Club, Import, Player
from sessions_app.people.fuzzy_names import GROUPS, SimilarNames, folded
from sessions_app.people.players import name_order

# Find the players of a club by the names in a file.


class People:
    """A club's players by name as written, else in other letter case; a merged one stands for the one they are now."""

    def __init__(self, club: Club) -> None:
        players = {player.pk: player for player in Player.objects.of_club(club).order_by("-pk")}
        # Those that a name of a file may mean, by their names.
        self.named = {str(one): one for one in players.values() if one.full_name and not one.merged_into_id}
        self.written: dict[str, Player] = {}
        self.folded: dict[str, Player] = {}
        for player in sorted(players.values(), key=lambda one: one.left_on is None and one.merged_into_id is None):
            merged = player
            while merged.merged_into_id:
                merged = players[merged.merged_into_id]
            self.add(str(player), merged)
        self.players, self.club = players, club
        self._remembered: dict[str, int] | None = None

    def add(self, name: str, player: Player) -> None:
        self.written[name] = self.folded[name.casefold()] = player

    def get(self, name: str) -> Player | None:
        return self.written.get(name) or self.folded.get(name.casefold())

    def last(self, name: str) -> Player | None:
        """Return whom a name of a file led to at the club's last import with it, as they are known today."""
        if self._remembered is None:
            self._remembered = {}
            for names in Import.objects.of_club(self.club).order_by("pk").values_list("names", flat=True):
                self._remembered |= {digest: kept["player"] for digest, kept in names.items()}
        player = self.players.get(self._remembered.get(field_of(name), 0))
        while player and player.merged_into_id:
            player = self.players[player.merged_into_id]
        return player if player and player.full_name else None

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Player:
        return self.written.get(name) or self.folded[name.casefold()]


NEW = "new"
# A name of a spreadsheet can also be a guest's, or nobody's.
GUEST, OUT = "guest", "out"
A_GUEST = re.compile(r"(?:an? )?(?:guest|visitor)s?(?: ?\d+)?\Z", re.I)
NOBODY = re.compile(r"(?:nobody|no[ -]?one|bye|dummy|empty|blank|none|n/?a|n\. ?n\.|nn)(?: ?\d+)?\Z", re.I)


def field_of(name: str) -> str:
    """Return the field of the form in which someone chooses who a name is."""
    return f"who_{blake2s(name.encode(), digest_size=6).hexdigest()}"


# Names and players to choose from on one page.
MOST_OPTIONS = 6_000

# Each new name is compared with every player: pairs of them that are compared for one import.
MAX_PAIRS = 200_000


def refuse_too_many_names(new: int, people: People) -> None:
    most = MAX_PAIRS // max(1, len(people.named))
    if new > most:
        raise ImportRefused(
            f"Choose a shorter list, of at most {most:,} new names. This one has {new:,}, and each is compared with "
            f"the club’s {len(people.named):,} players."
        )


def nearest(people: People, names: Iterable[str]) -> dict[str, list[Player]]:
    """Return the players whom names that no player has may mean, the likeliest first."""
    unknown = [name for name in names if name not in people]
    refuse_too_many_names(len(unknown), people)
    similar = SimilarNames(people.named)
    found = {}
    for name in unknown:
        last = people.last(name)
        near = [people.named[close] for close in similar.close_to(name)]
        found[name] = list(dict.fromkeys([*([last] if last else []), *near]))
    return found


# The names of a file, with the best match for each.

# A large club's list; the command line has no such limit.
MAX_PEOPLE = 400

AS = "as "


@dataclass(frozen=True)
class NameChoice:
    """A name of the file that no player has as it is written, with whom it may be and which was chosen."""

    name: str
    results: int
    options: list[tuple[str, str]]
    chosen: str
    reason: str = ""
    # Who has a name close to it.
    near: tuple[str, ...] = ()
    # Whether it may be one of several, and nothing says which.
    is_unsure: bool = False

    @property
    def field(self) -> str:
        return field_of(self.name)


class Names:
    """The players of a file by the names in it: those of the club, then those that are new."""

    def __init__(
        self,
        club: Club,
        days: Mapping[str, list[date]],
        chosen: Mapping[str, str],
        guests: Collection[str] = (),
        is_asked: bool = False,
    ) -> None:
        """`days` has the days on which each name of the file has a result; the file says that `guests` are guests.

        With `is_asked` each name of the file is another person, and nobody is chosen before someone says who it is.
        """
        refuse_too_many(len(days), MAX_PEOPLE, "players")
        self.days, self.chosen, self.guests, self.is_asked = days, chosen, guests, is_asked
        self.people = People(club)
        self.by_id = {str(one.pk): one for one in self.people.named.values()}
        self.by_short_name = grouped(self.people.named.values(), lambda one: one.short_name.casefold())
        self.new: list[str] = []
        # Those of the new ones that are guests, and names that are left out.
        self.new_guests: set[str] = set()
        self.left_out: list[str] = []
        self.similar, self.similar_new = SimilarNames(self.people.named), SimilarNames()
        self.players: dict[str, str] = {}
        self.days_of: dict[str, set[date]] = defaultdict(set)
        unknown = [name for name in days if name not in self.people]
        refuse_too_many_names(len(unknown), self.people)
        everyone = [(str(player.pk), str(player)) for player in sorted(self.people.named.values(), key=name_order)]
        self.all_players = everyone if len(unknown) * len(everyone) <= MOST_OPTIONS else []
        for name in days:
            if name in self.people:
                self.assign(name, str(self.people[name]))
        # The longest spelling of a new name comes first: "J Smith" is asked about, not "Jean Smith".
        in_turn = unknown if is_asked else sorted(unknown, key=lambda one: (-len(folded(one)), one))
        chosen_of = {name: self.choose(name) for name in in_turn}
        # All names that are no player's as they are written: first those that nobody has decided, then those near one.
        in_order = [choice for name in unknown if (choice := chosen_of[name]).near or not is_asked]
        self.everyone = sorted(in_order, key=lambda choice: (not choice.is_unsure, not choice.near))
        order = {name: at for at, name in enumerate(days)}
        for names in (self.new, self.left_out):
            names.sort(key=lambda name: order[name])

    @property
    def choices(self) -> list[NameChoice]:
        """Names that are close to someone’s."""
        return [choice for choice in self.everyone if choice.near]

    @property
    def same(self) -> dict[str, Player]:
        """The players that were chosen for names that nobody has as they are written."""
        return {choice.name: self.by_id[choice.chosen] for choice in self.everyone if choice.chosen in self.by_id}

    @property
    def open_questions(self) -> list[str]:
        return [
            f"Choose who “{choice.name}” is: {listed([*sorted(choice.near), 'someone new'], 'or')}."
            for choice in self.everyone
            if choice.is_unsure
        ]

    def choose(self, name: str) -> NameChoice:
        """Decide who a name is: as someone chose, else the best match; ask if there is more than one answer."""
        last, posted = self.people.last(name), self.chosen.get(field_of(name), "")
        likely = GUEST if A_GUEST.match(name) or name in self.guests else NEW
        likely = NEW if self.is_asked else OUT if NOBODY.match(name) else likely
        as_new = [(NEW, f"New member: {name}"), (GUEST, f"New guest: {name}"), (OUT, "Leave out")]
        near = self.by_short_name.get(name.casefold(), [])
        near = near + [self.people.named[one] for one in alike(name, self.people.named, self.similar)]
        near = list(dict.fromkeys([last, *near] if last else near))
        in_file = [] if self.is_asked else alike(name, self.new, self.similar_new)
        if likely == OUT and last is None:
            near, in_file = [], []
        close = (*map(str, near), *in_file)
        options = {str(one.pk): f"{one}{', a former member' if one.left_on else ''}" for one in near}
        options |= {AS + field_of(one): f"{one}, in this file" for one in in_file}
        options |= {NEW: "Someone new"} if self.is_asked else dict(as_new)
        options |= {pk: player for pk, player in self.all_players if pk == posted or not close}
        best, reason = self.best_choice(name, near, in_file, last) if close else (likely, "")
        picked = posted if posted in options else best
        if best in (NEW, GUEST, OUT):
            picked = posted if posted in options else likely
        # One letter changed: the same person at two tables, or two people? Another number is another person.
        free = [one for one in close if not self.days_of[one] & set(self.days[name])]
        like = [one for one in close if NUMBER.findall(one) == NUMBER.findall(name)]
        is_near = picked == NEW and not all(is_form_of(name, one) for one in like)
        is_sure = posted in options or folded(name) == folded(str(near[0] if near else ""))
        is_unsure = last is None and (len(free) > 1 or is_near) and not is_sure
        if self.is_asked and close:
            picked = posted or (str(last.pk) if last else NEW if {"accept_all", "all_new"} & {*self.chosen} else "")
            is_unsure = picked not in options
        if picked in self.by_id:
            self.assign(name, str(self.by_id[picked]))
        elif picked.startswith(AS):
            self.assign(name, next(one for one in in_file if AS + field_of(one) == picked))
        elif picked in (NEW, GUEST, OUT):
            self.assign_new(name, picked)
        else:
            self.assign(name, name)
        return NameChoice(name, len(self.days[name]), [*options.items()], picked, reason, close, is_unsure)

    def assign(self, name: str, player: str) -> None:
        self.players[name] = player
        self.days_of[player] |= set(self.days[name])

    def assign_new(self, name: str, picked: str) -> None:
        """Make a name a new member's or guest's, or leave it out; letter case alone makes no other player."""
        if picked == OUT:
            self.left_out.append(name)
            return
        if picked == GUEST:
            self.new_guests.add(name)
        same = next((one for one in self.new if one.casefold() == name.casefold()), None)
        if same is None:
            self.new.append(name)
            self.similar_new.add(name)
        self.assign(name, same or name)

    def best_choice(self, name: str, near: list[Player], in_file: list[str], last: Player | None) -> tuple[str, str]:
        """Return the choice made beforehand, and why where the name does not say it."""
        if last is not None:
            return str(last.pk), "as you chose last time"
        played = set(self.days[name])
        absent = [one for one in near if not self.days_of[str(one)] & played]
        if absent:
            return str(absent[0].pk), ""
        if near or self.days_of[in_file[0]] & played:
            return NEW, f"played on a day when {near[0] if near else in_file[0]} did"
        return (AS + field_of(in_file[0]) if is_form_of(name, in_file[0]) else NEW), ""


@dataclass
class ImportPreview:
    """What a file would do: nothing is written before it is accepted, and nothing is accepted while it has faults."""

    names: Names
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    adds: int = 0
    # What is asked of the tables as they will be, and which of it is ticked.
    table_questions: list[Any] = field(default_factory=list)
    accepted: Collection[str] = ()
    tables: list = field(default_factory=list)

    def refuse_open(self) -> None:
        """Raise ImportRefused while something has to be put right, or a name to be chosen."""
        if self.faults or self.names.open_questions:
            raise ImportRefused(*self.faults, *self.names.open_questions)


def alike(name: str, others: Iterable[str], similar: SimilarNames) -> list[str]:
    """Return those of the others that are close to a name, then those whose initials it may be."""
    return list(dict.fromkeys([*similar.close_to(name), *(one for one in others if are_initials(name, one))]))


def are_initials(name: str, other: str) -> bool:
    """Return whether a name is the first letters of the words of another: GG and Gwen Green."""
    letters = name.replace(".", "").replace(" ", "")
    if not (1 < len(letters) < 5 and letters.isupper()):
        return False
    return letters.casefold() == "".join(word[0] for word in folded(other).split())


NUMBER = re.compile(r"\d+")


def is_form_of(name: str, other: str) -> bool:
    """Return whether two names are one written in two ways: J Smith, Smith Jean, Jean, JS; not Jane Smyth."""
    one, two = folded(name).split(), folded(other).split()
    if are_initials(name, other) or 1 in (len(one), len(two)) or sorted(one) == sorted(two):
        return True

    firsts, lasts = (one[0], two[0]), (one[-1], two[-1])
    if lasts[0] == lasts[1]:
        is_short_form = GROUPS.get(one[0], set()) & GROUPS.get(two[0], set()) and one[0][:2] != two[0][:2]
        return bool(is_short_form) or _is_initial(*firsts)
    return firsts[0] == firsts[1] and _is_initial(*lasts)


def _is_initial(word: str, other: str) -> bool:
    return word[0] == other[0] and 1 in (len(word), len(other))
