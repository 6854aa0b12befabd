"""Commands the door kept until somebody chooses: two hands for one place, or what came after a session was finished."""

from dataclasses import dataclass

from sessions_app.models import Command
from sessions_app.queries.sheet import Row
from sessions_app.views.hand_versions import hand_words, winner_words

WAITING = [Command.Outcome.CONTESTED, Command.Outcome.LATE]
DEEDS = {"hand": "A hand", "undo": "An undo", "finish": "Finishing", "fine": "A fine", "correct": "A change of a hand"}


@dataclass(frozen=True)
class WaitingCard:
    """One kept command, and the recorded hand that stands in its place, if one does."""

    command: Command
    is_late: bool
    words: str
    details: tuple[str, ...]
    rival: Row | None


def waiting_cards(table_session, sheet):
    """Return the cards of a session's kept commands, the oldest first; one query."""
    names = {str(seat.chair): seat.player.name for seat in sheet.seats}
    kept = Command.objects.filter(session=table_session, outcome__in=WAITING).order_by("received_at", "pk")
    return [_card(command, names, sheet) for command in kept]


def _card(command, names, sheet):
    is_hand = command.kind == "hand"
    hands = command.body.get("hands") or {}
    is_late = command.outcome == Command.Outcome.LATE
    return WaitingCard(
        command=command,
        is_late=is_late,
        words=f"A hand: {winner_words(command.body, names)}" if is_hand else DEEDS.get(command.kind, "A change"),
        details=tuple(f"{names.get(seat, '?')}: {hand_words(form)}" for seat, form in hands.items()),
        rival=_rival(command, sheet) if is_hand and not is_late else None,
    )


def _rival(command, sheet):
    """Return the first hand recorded after the line this command's sender knew as the last."""
    hands = sheet.hands
    if command.after is None:
        return hands[0] if hands else None
    known = next((row.entry.position for row in sheet.rows if row.entry.key == command.after), None)
    return next((row for row in hands if known is not None and row.entry.position > known), None)


def decides_about_late(table_session, choice):
    """Say whether a choice ({"keep", "drop"}) takes in or drops what came late: that is the secretary's to do."""
    drop = choice.get("drop")
    named = {str(key) for key in (choice.get("keep"), *(drop if isinstance(drop, list) else ()))}
    late = Command.objects.filter(session=table_session, outcome=Command.Outcome.LATE).values_list("key", flat=True)
    return not named.isdisjoint(map(str, late))
