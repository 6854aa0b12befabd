"""Penalties that a table offers: the words, and which penalty of the score format each becomes. No arithmetic."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Foul:
    """One kind of penalty a table may give.

    `kind` is the score format's. `to` says who receives a fine: "one" who is named, "anybody" (one who is named, or
    nobody), "each" other player, "nobody"; empty where the kind says it. A fine without `amount` is typed.
    """

    key: str
    words: str
    kind: str = "fine"
    to: str = ""
    amount: int | None = None

    @property
    def is_fine(self) -> bool:
        """Whether it is a plain fine, which may also be paid outside a hand."""
        return self.kind == "fine" and self.to != "each"


MISNAMED_DISCARD = Foul("misnamed discard", "Misnamed discard, claimed for a set", "misnamed discard", "one")
MISNAMED_FOR_MAHJONG = Foul(
    "misnamed discard for mahjong", "Misnamed discard, claimed for Mah-jong", "misnamed discard for mahjong"
)
CANNON = Foul("cannon", "Letting off a cannon", "cannon")
FALSE_MAHJONG = Foul("false mahjong", "False Mah-jong", "false mahjong")
FINE = Foul("fine", "A fine", to="anybody")
# Chinese Official, "Fouls and Penalties"
FALSE_HU = Foul("false mahjong", "False Hu: 20 to each, and the hand goes on", "false mahjong")
SHOWN_TILES = Foul("shown tiles", "Tiles shown after a false Hu: 10 to each", to="each", amount=10)
KNOCKED_TILES = Foul("knocked tiles", "Knocked tiles: 5 to 60 to the player affected", to="one")
LATENESS = Foul("lateness", "Lateness: 10, 20, 40 or 60, to nobody", to="nobody")
REPEATED = Foul("repeated", "Empty call, wall touched too early or late pung, again: 5, 10, 20, to nobody", to="nobody")
DISCRETION = Foul("discretion", "At the referee's discretion: 5 to 60, to nobody", to="nobody")
