"""Names in a file that are close to a name on the club's list, for someone to decide."""

from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any

from sessions_app.models import Club, Player
from sessions_app.people.fuzzy_names import close_names

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
    told: list[str] = field(default_factory=list)
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
