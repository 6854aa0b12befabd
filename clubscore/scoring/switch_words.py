"""The switches in a club's words: their headings, what each value is called, what to mend in a figure typed wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

GROUPS = (
    ("limit", "The limit"),
    ("pay", "Who pays whom"),
    ("win", "What a Mah-jong needs"),
    ("special", "Special hands"),
    ("count", "Points and doubles"),
    ("deal", "East and the next hand"),
    ("start", "At the start"),
)


@dataclass(frozen=True)
class SwitchWords:
    """What a club reads of one switch.

    `values` are (value, its label, how a sentence goes on after "The BMJA plays"); a figure has `figure`, the same two
    with {} for it, and `mend`, what to type instead.
    """

    key: str
    group: str
    name: str
    values: tuple[tuple[Any, str, str], ...] = ()
    figure: tuple[str, str] = ("{}", "{}")
    mend: str = ""

    @property
    def is_figure(self) -> bool:
        """Whether any whole number may be typed; the values beside it are those with words of their own."""
        return bool(self.mend)

    def label(self, value: Any) -> str:
        """Name a value, as a choice in a form is named: "No limit"."""
        return self._said(value, 1)

    def plays(self, value: Any) -> str:
        """Say a value after "The BMJA plays" or "your club plays": "without a limit"."""
        return self._said(value, 2)

    def _said(self, value: Any, place: int) -> str:
        for row in self.values:
            if type(row[0]) is type(value) and row[0] == value:
                return str(row[place])
        return self.figure[place - 1].format(f"{value:,}" if isinstance(value, int) else value)


def _yes_no(key: str, group: str, name: str, yes: tuple[str, str], no: tuple[str, str]) -> SwitchWords:
    return SwitchWords(key, group, name, ((True, *yes), (False, *no)))


SWITCH_WORDS = (
    SwitchWords(
        "limit", "limit", "Limit", ((None, "No limit", "without a limit"),), ("{}", "a limit of {}"),
        mend="The limit is a whole number of tens, from 100 to 1,000,000: 1,000 for instance.",
    ),
    SwitchWords("limit_applies_to", "limit", "Whose hand the limit cuts", (
        ("all", "Everybody’s hand", "a limit for everybody’s hand"),
        ("winner", "The winner’s hand alone", "a limit for the winner’s hand alone"),
    )),
    SwitchWords("east_mode", "pay", "What East pays and receives", (
        ("settlement", "East pays and receives double", "that East pays and receives double"),
        ("score", "East’s own Mah-jong is doubled once", "that East’s own Mah-jong is doubled once"),
        ("none", "The same as everybody else", "that East pays and receives like everybody else"),
    )),
    SwitchWords("recording", "pay", "Paying or adding up", (
        ("settle", "Players pay each other", "that players pay each other"),
        ("straight", "Each adds up their own score, nobody pays", "that each adds up their own score and nobody pays"),
    )),
    SwitchWords("round_payments_to", "pay", "Rounding", (
        (0, "Pay exactly", "exact payments"),
        (10, "Each payment to the nearest 10", "each payment rounded to the nearest 10"),
    )),
    SwitchWords("max_chows", "win", "Chows in an ordinary Mah-jong", (
        (0, "No chow", "no chows in an ordinary Mah-jong"),
        (1, "One chow at most", "one chow at most"),
        (2, "Two chows at most", "two chows at most"),
        (3, "Three chows at most", "three chows at most"),
        (4, "Any number of chows", "any number of chows"),
    )),
    _yes_no("clean_only", "win", "One suit alone",
        ("One suit, with or without honours, or all honours", "that an ordinary Mah-jong is one suit or all honours"),
        ("Suits may be mixed", "that suits may be mixed")),
    SwitchWords(
        "minimum_points", "win", "Points a Mah-jong needs", (), ("{} points", "a minimum of {} points"),
        mend="The fewest points of a Mah-jong are a whole number from 0 to 88: 8 for instance.",
    ),
    SwitchWords("exposed_special", "special", "Special hands 9 to 14 with exposed sets", (
        ("full", "In full", "exposed special hands in full"),
        ("half", "Half", "exposed special hands at half"),
    )),
    _yes_no("special_bonus_over_limit", "special", "Flowers beside a special hand",
        ("May lift it over the limit", "that flowers may lift a special hand over the limit"),
        ("Cut at the limit", "that flowers never lift a special hand over the limit")),
    SwitchWords("best_of_special", "special", "When the ordinary value is higher", (
        ("none", "The special hand’s value counts all the same", "that a special hand keeps its own value"),
        ("fishing", "The higher counts when fishing", "that the higher value counts when fishing"),
        ("all", "The higher counts, winning or fishing", "that the higher value always counts"),
    )),
    SwitchWords("buried_treasure_last_claim", "special", "Last tile of Buried Treasure", (
        ("none", "Only from the wall", "that its last tile comes from the wall"),
        ("pair", "May be claimed for the pair", "that its last tile may be claimed for the pair"),
        ("any", "May be claimed", "that its last tile may be claimed"),
    )),
    SwitchWords(
        "special_value", "special", "Special hands where there is no limit", (), ("{}", "special hands at {}"),
        mend="The value of the special hands is a whole number, 1,000,000 at most: 600 for instance.",
    ),
    SwitchWords("original_call", "count", "Original call", (
        ("winner", "One double for a winner who made it", "one double for a winner who made it"),
        ("caller_and_winner", "One double for whoever made it, one more for winning",
         "one double for whoever made it and one more for winning"),
    )),
    _yes_no("concealed_allows_last_claim", "count", "All concealed, but the last tile was claimed",
        ("Still concealed", "that such a hand is still concealed"),
        ("No longer concealed", "that such a hand is no longer concealed")),
    _yes_no("two_points_on_loose_tile", "count", "Two points for drawing a loose tile",
        ("Counted", "2 points for drawing it from the Kong box too"),
        ("Not counted", "2 points for the wall alone")),
    _yes_no("bouquet_includes_own", "count", "Four flowers or four seasons",
        ("Your own is included", "that your own flower is included"),
        ("Your own counts besides", "that your own flower counts besides")),
    SwitchWords("double_wind_pair", "count", "Pair of own wind and wind of the round", (
        (2, "2 points", "2 points for it"),
        (4, "4 points", "4 points for it"),
    )),
    SwitchWords("treble_means", "count", "A treble", (
        (3, "Times 3", "a treble as times 3"),
        (8, "Times 8", "a treble as times 8"),
    )),
    _yes_no("losers_score", "count", "Players who did not win",
        ("Score what they hold", "that everybody scores"),
        ("Score nothing", "that the winner alone scores")),
    SwitchWords("concealed_and_melded_kong", "count", "A concealed and a melded kong", (
        (3, "3 points, as two single kongs", "3 points for the two"),
        (5, "5 points", "5 points for the two"),
        (6, "6 points", "6 points for the two"),
    )),
    SwitchWords("two_concealed_kongs", "count", "Two concealed kongs", (
        (6, "6 points", "6 points for the two"),
        (8, "8 points", "8 points for the two"),
    )),
    _yes_no("all_types_with_seven_pairs", "count", "All Types among seven pairs",
        ("Counted", "that All Types counts among seven pairs"),
        ("Not counted", "that All Types does not count among seven pairs")),
    _yes_no("tile_hog_of_honors", "count", "Four equal honors among seven pairs",
        ("A Tile Hog", "that they are a Tile Hog"),
        ("No Tile Hog", "that they are no Tile Hog")),
    _yes_no("nine_gates_second_pung", "count", "Second pung of terminals with Nine Gates",
        ("Counted", "that the second pung counts"),
        ("Not counted", "that the second pung does not count")),
    SwitchWords(
        "east_max", "deal", "How often East may keep the deal by winning",
        ((None, "As often as East wins", "that East stays as long as East wins"),
         (0, "Never", "that East never keeps the deal by winning"),
         (1, "Once", "that East keeps the deal once at most")),
        ("{} times", "that East keeps the deal {} times at most"),
        mend="How often East may stay is a whole number, 999 at most: 3 for instance.",
    ),
    _yes_no("east_stays_on_win", "deal", "When East goes Mah-jong",
        ("East stays", "that East stays after winning"),
        ("The deal passes", "that the deal passes even when East wins")),
    _yes_no("east_stays_on_draw", "deal", "When nobody goes Mah-jong",
        ("East stays", "that East stays after a draw"),
        ("The deal passes", "that the deal passes after a draw")),
    _yes_no("goulash", "deal", "After a hand that nobody won",
        ("A goulash is played", "a goulash after a draw"),
        ("An ordinary hand is played", "no goulashes")),
    SwitchWords(
        "starting_balance", "start", "Starting balance at a table of four", (), ("{}", "a starting balance of {}"),
        mend="The starting balance is a whole number, 1,000,000 at most: 2,000 for instance.",
    ),
)  # fmt: skip
WORDS_OF = {words.key: words for words in SWITCH_WORDS}
