"""The words of the table page and the sheet: an entry in a sentence, who sits on which side, East's hands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clubscore.play.command_kinds import EXCHANGE, HAND, KINDS, PENALTY, SEATING, Value
from clubscore.play.ledger import Ledger
from clubscore.play.replay import Replayed
from clubscore.play.scoring_by_seat import wins_of
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import OFFICIAL, WINDS, HandOutcome, SeatingState, has_kept_most
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import whole, with_commas

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

# Before the first hand; its number follows.
NO_HANDS = "No hands yet. When someone goes Mah-jong, press “Enter hand "


class HandEnd(NamedTuple):
    """How a hand ended: its kind, whether it was a goulash, the names of the winners, and any special hand."""

    kind: str
    goulash: bool
    winners: Sequence[str]
    special: str = ""  # as `special_words` returns it


def entry_words(
    kind: str, body: Mapping[str, Any], end: HandEnd | None, names: Mapping[str, str], say: Callable[..., str]
) -> str:
    """Return a short sentence about an entry; `say` fills a template in the table's words.

    `names` are by seat, as in bodies; `end` is None unless it is a hand that counts.
    """
    if kind == HAND.key:
        return hand_words(end, body, names, say)
    if kind == SEATING.key and "exchange" in body:
        a, b = [names.get(str(seat), "?") for seat in body["exchange"]]
        return EXCHANGE.sheet.format(a=a, b=b)
    if kind == SEATING.key:
        winds = body.get("winds", {})
        seats = [f"{names.get(str(winds[wind]), '?')} {WIND_NAMES[wind]}" for wind in WINDS if wind in winds]
        return f"Seats corrected: {', '.join(seats)}"
    if kind == PENALTY.key:
        to = f" to {names.get(str(body['to']), '?')}" if body.get("to") else ""
        why = f": {body['why']}" if body.get("why") else ""
        by, amount = names.get(str(body.get("by")), "?"), with_commas(body.get("amount"))
        return PENALTY.sheet.format(by=by, amount=amount, to=to) + why
    values = {"seat": Value.SEAT, **KINDS[kind].body}
    slots = {
        key: names.get(str(said), "Someone") if values.get(key) is Value.SEAT else said for key, said in body.items()
    }
    return KINDS[kind].sheet.format(**slots) or str(body.get("text", ""))


def step_words(ledger: Ledger, done: Replayed, kind: str, key: str) -> str:
    """Return two or three words for what Undo undoes: a command, and its entry (`key`); a hand by its number.

    A removed hand has the number that it would have again.
    """
    entry, hands = ledger.find(key), {hand.key for hand in done.hands}
    which = KINDS[entry.kind if entry else HAND.key].undo.format("hand")
    if entry and entry.kind == HAND.key:
        earlier = ledger.entries[: ledger.entries.index(entry)]
        which += f" {1 + sum([other.key in hands for other in earlier])}"
    return KINDS[kind].undo.format(which)


def key_of(before: Mapping[str, Any]) -> str:
    """Return the key of the entry that a change is about, or ""; `before` is how it was before the change."""
    return str([*(before.get("entries") or {}), ""][0])


def hand_words(end: HandEnd | None, body: Mapping[str, Any], names: Mapping[str, str], say: Callable[..., str]) -> str:
    """Return how a hand ended: who went Mah-jong, that nobody did, or that it is void.

    A false Mah-jong after which the hand continued comes first, so that the special hand follows its winner.
    """
    if end is None:
        return f"Removed: {removed_words(body, names, say)}"
    goulash = " (a goulash)" if end.goulash else ""
    false_mahjongs = [penalty for penalty in body.get("penalties") or [] if penalty.get("kind") == "false mahjong"]
    by = false_mahjongs[0].get("by") if false_mahjongs else None
    false = say("False Mah-jong by {who}", who=names.get(str(by), "someone")) if by else ""
    if not end.winners and end.kind == "void":
        return f"{false or say('False Mah-jong by someone')}: the hand is void{goulash}"
    special = f": {end.special}" if end.special else ""
    return f"{false}{'. ' if false else ''}{won_words(end.winners, say)}{goulash}{special}"


def special_words(won: Iterable[tuple[str, int]], names: Mapping[str, str]) -> str:
    """Return the special hand of the only winner: "13 Unique Wonders, 1,000"; empty if there is none.

    `won` are each winner's special hand (its key) and total, `names` the names of special hands by key.
    """
    hands = list(won)
    special, total = hands[0] if len(hands) == 1 else ("", 0)
    return f"{names.get(special, special)}, {whole(total)}" if special else ""


def won_words(winners: Sequence[str], say: Callable[..., str]) -> str:
    """Return who went Mah-jong, by their names, or that nobody did."""
    if not winners:
        return say("Nobody went Mah-jong")
    verb = "goes" if len(winners) == 1 else "go"
    return say(f"{{who}} {verb} Mah-jong", who=" and ".join(winners))


def removed_words(body: Mapping[str, Any], names: Mapping[str, str], say: Callable[..., str]) -> str:
    """Return what a removed hand was, from what was declared."""
    winners = [names.get(str(win.get("by")), "someone") for win in wins_of(body)]
    return say("{who} had gone Mah-jong", who=" and ".join(winners)) if winners else say("a hand without a Mah-jong")


def last_hands_words(left: int) -> str:
    """Return how many hands are left, for the middle of the felt."""
    return f"Last {left} hands" if left > 1 else "Last hand" if left else "Last hand played"


def places_of(histories: Sequence[Sequence[Any]]) -> list[Any]:
    """Return who sits on each of the four sides of the table, as seat numbers, while the winds move round.

    `histories` are the winds of each hand in order, the next hand's last. People stay in their chairs, so each
    seating is turned until most of them sit where they did.
    """
    sides = list(histories[0])
    for winds in histories[1:]:
        turned = [[winds[(side - turn) % 4] for side in range(4)] for turn in range(4)]
        staying = [
            len([1 for a, b in zip(placed, sides, strict=True) if a is not None and a == b]) for placed in turned
        ]
        sides = turned[staying.index(max(staying))]
    return sides


def east_words(hands: Sequence[tuple[int, str]], east: int) -> str:
    """Return how long East has been East: "East for the third hand in a row"; empty for the first hand.

    `hands` are who was East in each hand so far, and its kind; a void hand is played again.
    """
    running = 1
    for was_east, kind in reversed(hands):
        if was_east != east:
            break
        running += kind != "void"
    return f"East for the {ordinal(running)} hand in a row" if running > 1 else ""


def ordinal(number: int) -> str:
    """Return an ordinal, in words up to the tenth: "third", "12th", "21st"."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def deal_words(seating: SeatingState, outcome: HandOutcome, house: Any, east: str) -> str:
    """Return why the deal has passed although East won the last hand, played in this seating; else an empty text."""
    if not has_kept_most(seating, outcome, house):
        return ""
    times = f"{seating.kept} time{'' if seating.kept == 1 else 's'}"
    return f"The deal passes: {east} has kept it {times}, the most allowed."


def round_words(seating: SeatingState, rules: str) -> str:
    """Return the round that begins with a hand in this seating; empty within a round, and without rounds."""
    rule_set = RULE_SETS[rules]
    if seating.hands_in_round or not rule_set.has_round_wind:
        return ""
    changed = ", seats changed" if rule_set.rotation == OFFICIAL else ""
    return f"{WIND_NAMES[seating.wind_of_round]} round{changed}"


def final_order(nets: Iterable[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Return (position, name, net) from the best total down, of (seat, name, net); equal totals share a position."""
    rows = sorted(nets, key=lambda row: (-row[2], row[0]))
    return [(1 + len([1 for other in rows if other[2] > net]), name, net) for _, name, net in rows]


# How a total came about.

ONCE_OR_TWICE = {1: "once", 2: "twice"}


def sum_words(points: int | None, doubles: int | None, times: int | None, total: int, limited: bool) -> str:
    """Return how points and doubles make the total: "28 points, doubled 3 times (times 8), make 224."

    For a special hand without points, only that it is the limit; else empty.
    """
    if points is None:
        return "The limit." if limited else ""
    if total == 0:
        return ""
    counted = f"{points:,} point{'' if points == 1 else 's'}"
    by = multiplied(doubles, times)
    if limited:
        return f"{counted}{f', {by}' if by else ''}, limit: {total:,}."
    return f"{counted}, {by}, make {total:,}." if by else f"{counted} in all."


def multiplied(doubles: int | None, times: int | None) -> str:
    """Return what multiplies the points: "doubled 5 times and trebled (times 96)"; empty if nothing does."""
    rest, trebles = (times or 1) // 2 ** (doubles or 0), 0
    while rest % 3 == 0:
        rest, trebles = rest // 3, trebles + 1
    by = [f"doubled {ONCE_OR_TWICE.get(doubles, f'{doubles} times')}"] if doubles else []
    by += [("trebled", "trebled twice")[trebles - 1] if trebles < 3 else f"trebled {trebles} times"] if trebles else []
    by += [f"multiplied by {rest}"] if rest > 1 else []
    return " and ".join(by) + (f" (times {times})" if doubles or trebles else "")
