"""Whose names these are: names in a file that are close to a name on the club's list, for someone to decide."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2s
from typing import Any

from sessions_app.models import Club, Player
from sessions_app.people.fuzzy_names import close_names, folded

# Find the players of a club by the names in a file.


class People:
    """A club's players by name as written, else in other letter case; a merged one stands for the one he is now."""

    def __init__(self, club: Club) -> None:
        players = {player.pk: player for player in Player.objects.of_club(club).order_by("-pk")}
        self.written, self.folded = {}, {}
        for player in sorted(players.values(), key=is_present):
            kept = player
            while kept.merged_into_id:
                kept = players[kept.merged_into_id]
            self.add(str(player), kept)

    def add(self, name: str, player: Player) -> None:
        self.written[name] = self.folded[name.casefold()] = player

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Player:
        return self.written.get(name) or self.folded[name.casefold()]

    def get(self, name: Any) -> Player | None:
        return self.written.get(name) or self.folded.get(name.casefold())


def is_present(player: Player) -> bool:
    return player.left_on is None and player.merged_into_id is None


NEW, TURNED, NICKNAME = "new", "turned", "nickname"


@dataclass(frozen=True)
class Doubt:
    """A name and whom it may be; `chosen` is a player's id as text, "new", or nothing while nobody has chosen.

    Of a name that may be written surname first `turned` is the other way round, which holds ("turned") until someone
    says that it is right as it is ("new"), or that `nickname` is what someone is called ("nickname").
    """

    name: str
    candidates: list[Player]
    chosen: str
    where: str = ""
    turned: str = ""
    nickname: str = ""

    @property
    def is_turned(self) -> bool:
        return self.chosen == TURNED and bool(self.turned)

    @property
    def is_nickname(self) -> bool:
        return self.chosen == NICKNAME and bool(self.nickname)

    @property
    def before_comma(self) -> str:
        return self.name.partition(",")[0]

    @property
    def field(self) -> str:
        return field_of(self.name)

    @property
    def is_open(self) -> bool:
        return self.chosen != NEW and self.same is None and not (self.is_turned or self.is_nickname)

    @property
    def same(self) -> Player | None:
        return next((player for player in self.candidates if str(player.pk) == self.chosen), None)


@dataclass
class Look:
    """What a file would do: nothing is written before it is accepted, and nothing is accepted while it has faults."""

    faults: list[str] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    adds: int = 0
    tables: list = field(default_factory=list)
    # Of a list of players: how many have an address but no date, and what to do with them.
    not_agreed: int = 0
    contacts: str = ""
    agreed_on: str = ""

    @property
    def open_doubts(self) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.is_open]

    @property
    def open_questions(self) -> list[str]:
        return [f"{doubt.where}: choose who {doubt.name} is." for doubt in self.open_doubts]

    @property
    def close_doubts(self) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.candidates]

    @property
    def turned_doubts(self) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.turned and not doubt.candidates]

    @property
    def may_be_nicknames(self) -> bool:
        return any(doubt.nickname for doubt in self.turned_doubts)

    @property
    def are_nicknames(self) -> bool:
        return self.may_be_nicknames and all(doubt.is_nickname for doubt in self.turned_doubts if doubt.nickname)

    @property
    def can_be_taken(self) -> bool:
        return not self.faults and not self.open_doubts

    @property
    def same(self) -> dict[str, Player]:
        return {doubt.name: doubt.same for doubt in self.doubts if doubt.same}


def field_of(name: str) -> str:
    """Return the field of the form in which someone chooses who a name is."""
    return f"who_{blake2s(name.encode(), digest_size=6).hexdigest()}"


def doubtful(club: Club, names: Any, chosen: Any) -> list[Doubt]:
    """Return a Doubt for every name that nobody of the club has but someone nearly has, in three queries at most.

    `names` are pairs of a name and where it stands; `chosen` maps fields to what someone chose.
    """
    people = People(club)
    known = {str(one): one for one in Player.objects.of_club(club).filter(merged_into=None).exclude(full_name="")}
    found = []
    for name, where in names:
        near = [] if name in people else [known[close] for close in close_names(name, known)]
        if near:
            found.append(Doubt(name, near, chosen.get(field_of(name), ""), where))
    return found


# The names of a club's own spreadsheet, with the best match for each and its reason.

AS = "as "


@dataclass(frozen=True)
class NameChoice:
    """A name of the file that no player has as it is written, with whom it may be and which was chosen."""

    name: str
    results: int
    options: list[tuple[str, str]]
    chosen: str
    reason: str

    @property
    def field(self) -> str:
        return field_of(self.name)


class Names:
    """The players of a file by the names in it: those of the club, then those that are new."""

    def __init__(self, club: Club, days: Mapping[str, list[date]], chosen: Mapping[str, str], memory: Mapping) -> None:
        """`days` has the days on which each name of the file has a result."""
        self.days = days
        counts = {name: len(some) for name, some in days.items()}
        self.days_of: dict[str, set[date]] = defaultdict(set)
        self.people = People(club)
        self.club_names = {
            str(one): one for one in Player.objects.of_club(club).filter(merged_into=None).exclude(full_name="")
        }
        self.by_pk = {str(one.pk): one for one in self.club_names.values()}
        self.by_short = defaultdict(list)
        for one in self.club_names.values():
            self.by_short[one.short_name.casefold()].append(one)
        self.memory, self.asked = memory, chosen
        self.choices: list[NameChoice] = []
        self.new: list[str] = []
        self.players: dict[str, str] = {}
        unknown = [name for name in counts if name not in self.people]
        for name in counts:
            if name in self.people:
                self.be(name, str(self.people[name]))
        # The longest spelling of a new name comes first: "J Smith" is asked about, not "Jean Smith".
        for name in sorted(unknown, key=lambda one: (-len(folded(one)), one)):
            self.choose(name, counts[name])
        order = {name: at for at, name in enumerate(counts)}
        self.choices.sort(key=lambda choice: order[choice.name])
        self.new.sort(key=lambda name: order[name])

    def choose(self, name: str, results: int) -> None:
        near = self.by_short[name.casefold()] + [self.club_names[one] for one in close_names(name, self.club_names)]
        near = list(dict.fromkeys(near))
        alike = close_names(name, self.new)
        last = self.last_time(name)
        if last is not None and last not in near:
            near.insert(0, last)
        if not near and not alike:
            self.be_new(name)
            return
        options = [(str(one.pk), f"{one}{', a former member' if one.left_on else ''}") for one in near]
        options += [(AS + field_of(one), f"{one}, in this file") for one in alike]
        options.append((NEW, f"Someone new: {name}"))
        best, reason = self.best(name, near, alike, last)
        picked = self.asked.get(field_of(name), best)
        picked = picked if picked in dict(options) else best
        self.choices.append(NameChoice(name, results, options, picked, reason))
        if picked == NEW:
            self.be_new(name)
        elif picked in self.by_pk:
            self.be(name, str(self.by_pk[picked]))
        else:
            self.be(name, next(one for one in alike if AS + field_of(one) == picked))

    def be(self, name: str, player: str) -> None:
        self.players[name] = player
        self.days_of[player] |= set(self.days[name])

    def best(self, name: str, near: list[Player], alike: list[str], last: Player | None) -> tuple[str, str]:
        """Return the choice made beforehand, and why in a few words."""
        if last is not None:
            return str(last.pk), "as you chose last time"
        played = set(self.days[name])
        absent = [one for one in near if not self.days_of[str(one)] & played]
        if absent:
            return str(absent[0].pk), why_alike(name, str(absent[0]), absent[0].short_name, len(absent))
        if near or self.days_of[alike[0]] & played:
            return NEW, f"played on a day when {near[0] if near else alike[0]} did"
        why = why_alike(name, alike[0], "", len(alike))
        return (NEW, "a similar name, in this file") if why == NEARLY else (AS + field_of(alike[0]), why)

    def last_time(self, name: str) -> Player | None:
        remembered = self.memory.get("names", {}).get(field_of(name))
        return next((one for full, one in self.club_names.items() if field_of(full) == remembered), None)

    def be_new(self, name: str) -> None:
        """Take a name as that of a new player; another in other letter case is the same one."""
        same = next((one for one in self.new if one.casefold() == name.casefold()), None)
        if same is None:
            self.new.append(name)
        self.be(name, same or name)

    @property
    def chosen_names(self) -> dict[str, str]:
        """What to remember: by the field of each name asked about, the field of the name it was read as."""
        return {one.field: field_of(self.players[one.name]) for one in self.choices if one.chosen != NEW}


NEARLY = "nearly the same spelling"


def why_alike(name: str, other: str, short_name: str, number: int) -> str:
    """Say in a few words why two names may be one person's."""
    also = f", one of {number}" if number > 1 else ""
    if folded(name) == folded(other):
        return "the same name, written differently"
    if short_name and name.casefold() == short_name.casefold():
        return f"the name at the table{also}"
    one, two = folded(name).split(), folded(other).split()
    if len(one) == 1 or len(two) == 1:
        return f"part of the name{also}"
    if sorted(one) == sorted(two):
        return "the same name, surname first"
    if one[0][0] == two[0][0] and 1 in (len(one[0]), len(two[0])) and one[-1] == two[-1]:
        return f"the same surname and initial{also}"
    if one[0][0] == two[0][0] and one[0] == two[0] and 1 in (len(one[-1]), len(two[-1])):
        return f"the same first name and initial{also}"
    if one[-1] == two[-1] and close_names(one[0], [two[0]]) and one[0][:2] != two[0][:2]:
        return f"a short form of the name{also}"
    return NEARLY
