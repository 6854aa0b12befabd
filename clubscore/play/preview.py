"""What a change does to a table: what is said after it; every hand that differs, before and after."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from clubscore.play.command_kinds import CHOOSE, CORRECT, HAND, KINDS
from clubscore.play.edits import Command, apply
from clubscore.play.ledger import Ledger
from clubscore.play.replay import HandResult, Replayed, SeatTally, seat_tallies
from clubscore.play.table_words import step_words
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import listed, literal, whole, with_commas, with_names

CHOOSE_SEATS = "By the usual rotation, players would have other seats in later hands. Choose which seats count."

# What is said after a command. Seats are written {1}, so that no name is stored.


def said_after(
    command: Command, ledger: Ledger, before: Replayed, after: Replayed, key: str | None, step: tuple[str, str] | None
) -> str:
    """Return what a command did at the table, in one line; `key` is that of its entry.

    `step` is what an undo or redo is about: the kind of that change, and the key of its entry.
    """
    kind, body = KINDS[command["kind"]], command["body"]
    about = str(key or body.get("keep") or "")
    entry, old, new = ledger.find(about), before.hand(about), after.hand(about)
    hand, values = new or old, (entry.body if entry else None) or body
    is_of_hand = hand is not None and (kind is not CHOOSE or body.get("drop"))
    undone = step_words(ledger, after, *step) if step else ""
    said = (kind.message if is_of_hand else kind.other_message or kind.message).format(
        number=hand.number if hand else "",
        won=_won_words(new, old if kind is CORRECT else None) if new else "",
        seat=f"{{{values.get('seat')}}}",
        pair=listed([f"{{{seat}}}" for seat in values.get("exchange", ())]),
        by=f"{{{values.get('by')}}}",
        to=f" to {{{values.get('to')}}}" if values.get("to") else "",
        amount=with_commas(values.get("amount")),
        text=literal(str(values.get("text") or "")),
        step=undone[:1].upper() + undone[1:],
    )
    sentences, others = [said], len(_changed_hands(before, after, (about, *(step or ()))))
    if others:
        sentences.append(f"{others}{' other' if hand or step else ''} hand{'s' if others > 1 else ''} changed.")
    if ledger.is_open:
        sentences += _turn_words(before.seating, after.seating, kind is HAND)
        wind, has_rounds = after.seating.wind_of_round, RULE_SETS[ledger.rules].has_round_wind
        if kind is HAND and has_rounds and before.seating.wind_of_round != wind:
            sentences.append(f"The {WIND_NAMES[wind]} round begins.")
    return " ".join(sentences)


def _won_words(hand: HandResult, was: HandResult | None) -> str:
    """Return who won a hand and with what: "{1}, 120"; and who had won it as it `was`, if that was another."""
    won = listed([f"{{{seat.seat}}}, {whole(seat.total)}" for seat in hand.seats if seat.won])
    lost = [f"{{{seat}}}" for seat in was.winners if seat not in hand.winners] if was else []
    return (won or ("void" if hand.is_void else "no winner")) + (f", not {listed(lost)}" if lost else "")


def _turn_words(old: SeatingState, new: SeatingState, is_played: bool = False) -> list[str]:
    """Return who is East in the next hand, and who comes in or sits out, as far as that is new; in a sentence."""
    coming = [seat for seat in old.out if seat in new.seated.values()]
    verb = "stays" if new.east == old.east else "comes in as" if new.east in coming else "is"
    parts = [f"{{{new.east}}} {verb} East"] if is_played or new.east != old.east else []
    parts += [f"{{{seat}}} comes in" for seat in coming if seat != new.east]
    parts += [f"{{{seat}}} sits out" for seat in new.out if not coming and seat not in old.out]
    if new.goulash != old.goulash and (new.goulash or not is_played):
        parts.append("goulash next" if new.goulash else "no goulash next")
    words = "; ".join(parts)
    return [f"{words[0].upper()}{words[1:]}."] if parts else []


def describe_changes(before: Replayed, after: Replayed, key: str | None = None) -> list[str]:
    """Return a sentence for each hand whose seats or scores have changed, except the one with this key."""
    sentences = [words for changes in _changed_hands(before, after, (key,)) for words in changes]
    for about, question in after.questions.items():
        if about not in before.questions and not after.hand(about):
            sentences.append(question)
    return sentences + [f"Next hand: {words}" for words in _turn_words(before.seating, after.seating)]


def _changed_hands(before: Replayed, after: Replayed, but: Collection[Any]) -> list[list[str]]:
    """Return the sentences about each hand that has changed, except those with these keys."""
    old = {hand.key: hand for hand in before.hands if hand.key not in but}
    changes = [_describe_hand(old[hand.key], hand) for hand in after.hands if hand is not old.get(hand.key, hand)]
    return [sentences for sentences in changes if sentences]


def _describe_hand(old: HandResult, new: HandResult) -> list[str]:
    parts = _describe_seats(old.seating, new.seating)
    nets = {seat.seat: seat.net for seat in old.seats}
    if any(nets.get(seat.seat, 0) != seat.net for seat in new.seats):
        parts.append("the payments are different")
    if new.seating.goulash != old.seating.goulash:
        parts.append("it is now a goulash" if new.seating.goulash else "it is no longer a goulash")
    sentences = [f"Hand {new.number}: {'; '.join(parts)}."] if parts else []
    if new.question and new.question != old.question:
        sentences.append(f"Please check hand {new.number}: {new.question}")
    if old.question and not new.question:
        sentences.append(f"Hand {new.number} no longer needs checking.")
    return sentences


def _describe_seats(old: SeatingState, new: SeatingState) -> list[str]:
    parts = []
    if old.winds[0] != new.winds[0]:
        parts.append(f"{{{new.winds[0]}}} is East, not {{{old.winds[0]}}}")
    elif old.winds != new.winds:
        parts.append("the seats are different")
    if old.out != new.out and new.out:
        parts.append(f"{' and '.join(f'{{{seat}}}' for seat in new.out)} sits out")
    if old.wind_of_round != new.wind_of_round:
        parts.append(f"the wind of the round is {WIND_NAMES[new.wind_of_round]}")
    return parts


# A change before it is made.


@dataclass(frozen=True)
class PreviewRow:
    """One hand; `nets` and `running` (balances after it) by seat number."""

    key: str
    number: int
    east: str
    sits_out: str
    wind_of_round: str
    nets: dict[int, int]
    running: dict[int, int]
    question: str


@dataclass(frozen=True)
class Preview:
    """Before and after: rows in order, final tallies by seat number, and sentences about what changes.

    If the command cannot be carried out, `message` says why and `after` is empty. `kept` is the same change if later
    hands keep the seats they were played in; None if they keep them anyway.
    """

    before: list[PreviewRow]
    after: list[PreviewRow] = field(default_factory=list)
    tallies_before: dict[int, SeatTally] = field(default_factory=dict)
    tallies_after: dict[int, SeatTally] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    message: str = ""
    error: Exception | None = None
    kept: "Preview | None" = None

    @property
    def questions(self) -> list[PreviewRow]:
        return [row for row in self.after if row.question]


def compare(
    was: Ledger, before: Replayed, ledger: Ledger, after: Replayed, key: str | None, kept: Preview | None = None
) -> Preview:
    """Compare a ledger with what it `was`, each with its replay; `key` is the entry that the change is about."""
    return Preview(
        before=preview_rows(was, before),
        after=preview_rows(ledger, after),
        tallies_before=seat_tallies(was.facts, before),
        tallies_after=seat_tallies(ledger.facts, after),
        names=ledger.names,
        changes=[with_names(change, ledger.names) for change in describe_changes(before, after, key)],
        kept=kept,
    )


def preview_with_seats_kept(ledger: Ledger, before: Replayed, command: Command, after: Replayed) -> Preview | None:
    """Preview a correction after which later hands keep the seats they were played in.

    None if no later hand would have other seats `after` it, or if some would have them all the same.
    """
    if command["kind"] != CORRECT.key or _winds(before) == _winds(after):
        return None
    keeping = {**command, "body": {**command["body"], "keep_seats": True}}
    edited, key, kept = apply(ledger, keeping, before)
    played = [hand.played_winds for hand in before.hands]
    return compare(ledger, before, edited, kept, key) if _winds(kept) == played else None


def last_tile_words(was: Any, command: Command, names: Mapping[int, str]) -> str:
    """Say where the last tile comes from now, if a correction of a hand (its body) changes that and not who won."""
    before, now = (body.get("mahjong") for body in (was, command["body"].get("body") or {}))
    if command["kind"] != CORRECT.key or not isinstance(before, dict) or not isinstance(now, dict):
        return ""
    if before.get("by") != now.get("by") or before.get("from") == now.get("from"):
        return ""
    sources = {str(seat_no): f"{name}’s discard" for seat_no, name in names.items()}
    sources.update({"wall": "from the wall", "kong box": "from the Kong box"})
    return f"The last tile is now {sources.get(str(now.get('from')), 'of unknown origin')}. "


def _winds(done: Replayed) -> list[tuple[int | None, ...]]:
    return [hand.seating.winds for hand in done.hands]


def preview_rows(ledger: Ledger, done: Replayed) -> list[PreviewRow]:
    """Return the hands that count, each with the balances after it."""
    names, running = ledger.names, dict.fromkeys(ledger.names, ledger.starting_balance)
    hands = {hand.key: hand for hand in done.hands}
    rows = []
    for entry in ledger.active:
        penalty, hand = done.penalties.get(entry.key), hands.get(entry.key)
        if penalty:
            running[penalty.payer] -= penalty.amount
            if penalty.payee is not None:
                running[penalty.payee] += penalty.amount
        if hand:
            nets = {seat.seat: seat.net for seat in hand.seats}
            for seat, net in nets.items():
                running[seat] += net
            rows.append(
                PreviewRow(
                    key=hand.key,
                    number=hand.number,
                    east=names[hand.seating.east],
                    sits_out=", ".join(names[seat] for seat in hand.seating.out),
                    wind_of_round=hand.seating.wind_of_round,
                    nets=nets,
                    running=dict(running),
                    question=hand.question,
                )
            )
    return rows


# A preview as its fragments ask for it.


@dataclass(frozen=True)
class Cell:
    net: int | None
    balance: int | None
    name: str
    differs: bool = False
    balance_differs: bool = False


@dataclass(frozen=True)
class Line:
    """One hand as it was or as it will be."""

    kind: str
    word: str
    cells: tuple[Cell, ...]
    # A line of totals has none of these.
    number: int | str = ""
    east: str = ""
    out: str = ""
    east_differs: bool = False
    out_differs: bool = False


def preview_data(preview: Preview) -> dict[str, Any]:
    """Return a preview as fragments.preview_body asks for it."""
    rows = _changed_rows(preview)
    return {
        "summary": CHOOSE_SEATS if preview.kept else _summary(rows, preview),
        "changes": preview.changes,
        "questions": preview.questions,
        "rows": rows,
        "totals": [
            _total_line("was", "before", preview, preview.tallies_before),
            _total_line("will", "after", preview, preview.tallies_after),
        ],
        "names": list(preview.names.values()),
        "has_sitter": any([row.sits_out for row in [*preview.before, *preview.after]]),
        "kept": preview_data(preview.kept) if preview.kept else None,
        "has_buttons": preview.kept is not None,
    }


def _summary(rows: list[list[Line]], preview: Preview) -> str:
    """Return a sentence about how far the change reaches."""
    same = sum(row in preview.before for row in preview.after)
    if not rows:
        return "No scores change."
    hands = "One hand changes" if len(rows) == 1 else f"{len(rows)} hands change"
    return f"{hands}; {same} {'stays' if same == 1 else 'stay'} as before." if same else f"{hands}."


def _changed_rows(preview: Preview) -> list[list[Line]]:
    """Return the hands that differ, each as its lines before and after, in the order after the change."""
    was = {row.key: row for row in preview.before}
    will = {row.key: row for row in preview.after}
    keys = [row.key for row in preview.after]
    for place, row in enumerate(preview.before):
        if row.key not in will:
            earlier = {other.key for other in preview.before[:place]}
            keys.insert(sum(key in earlier for key in keys), row.key)
    return [_pair(was.get(key), will.get(key), preview.names) for key in keys if was.get(key) != will.get(key)]


def _pair(was: PreviewRow | None, will: PreviewRow | None, names: Mapping[int, str]) -> list[Line]:
    lines = []
    if was:
        lines.append(_line("was", "before" if will else "removed", was, was, names))
    if will:
        lines.append(_line("will", "after" if was else "new", will, was or will, names))
    return lines


def _line(kind: str, word: str, row: PreviewRow, other: PreviewRow, names: Mapping[int, str]) -> Line:
    """Return the line of a hand, in which what differs from the `other` row is marked."""
    cells = []
    for seat, name in names.items():
        net, balance = row.nets.get(seat), row.running.get(seat)
        differs = other.nets.get(seat) != net, other.running.get(seat) != balance
        cells.append(Cell(net, balance, name, *differs))
    differs = other.east != row.east, other.sits_out != row.sits_out
    return Line(kind, word, tuple(cells), row.number, row.east, row.sits_out, *differs)


def _total_line(kind: str, word: str, preview: Preview, tallies: Mapping[int, SeatTally]) -> Line:
    before = preview.tallies_before
    nets = {seat: tallies[seat].net if seat in tallies else 0 for seat in preview.names}
    cells = [
        Cell(nets[seat], None, name, seat not in before or before[seat].net != nets[seat])
        for seat, name in preview.names.items()
    ]
    return Line(kind, word, tuple(cells))
