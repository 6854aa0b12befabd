"""Whose names these are: the players of a club's spreadsheet, with the best match for each name and its reason."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sessions_app.exchange.imports.name_matches import NEW, People, field_of
from sessions_app.models import Club, Player
from sessions_app.people.fuzzy_names import close_names, folded

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
        told = self.memory.get("names", {}).get(field_of(name))
        return next((one for full, one in self.club_names.items() if field_of(full) == told), None)

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
