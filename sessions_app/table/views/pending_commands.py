"""Hands to check: two versions of one hand, or what came late; and the history of an entry.

`names` are by seat number as a string; `say` fills a template in the table's words.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from clubscore.play.board import Row
from clubscore.play.command_kinds import CORRECT, HAND, KINDS, kind_of
from clubscore.play.drawn_hands import say_at
from clubscore.play.scoring_by_seat import score_alone, score_by_seat, wins_of
from clubscore.play.table_words import won_words
from clubscore.scoring import ScoringError
from clubscore.scoring.words import actor_name, with_commas
from sessions_app.models import Change, Command, Entry, Seat, Session
from sessions_app.people.permissions import HasRole, may_decide
from sessions_app.table.board import SessionBoard

Say = Callable[..., str]

FORMS = {"total": "total {}", "points": "{} points", "special": "special hand {}", "fishing_for": "fishing for {}"}


def history_of(entry: Entry, seats: Iterable[Seat], say: Say) -> list[dict[str, Any]]:
    """Return the changes of an entry, the latest first; none if it is as it was first recorded."""
    key = str(entry.key)
    touched = Q(before__entries__has_key=key) | Q(after__entries__has_key=key)
    changes = Change.objects.filter(touched, session=entry.session_id).order_by("-id").select_related("user")
    names = {str(seat.seat_no): seat.player.name for seat in seats}
    lines = [_history_line(change, entry, names, say) for change in changes]
    return lines if len(lines) > 1 else []


def _history_line(change: Change, entry: Entry, names: dict[str, str], say: Callable[..., Any]) -> dict[str, Any]:
    before, after = ((side.get("entries") or {}).get(str(entry.key)) for side in (change.before, change.after))
    who, kind = actor_name(change.name, change.user_id, names) or "Someone", kind_of(change.action)
    return {
        "at": change.at,
        "words": f"{who} {(kind and kind.hand_history) or change.action}",
        "why": change.why,
        "details": tuple(_differences(before, after, names, say)) if before and after else (),
        # After this change the hand differed from what it is now, so that it can be restored.
        "earlier": change.pk if after and after.get("body") != entry.body and not entry.removed else None,
    }


def _differences(before, after, names, say):
    """Say player by player what was declared before and after."""
    was, now = before.get("body") or {}, after.get("body") or {}
    won = [winner_words(body, names, say) for body in (was, now)]
    if won[0] != won[1]:
        yield "; then ".join(won)
    for seat, name in names.items():
        old, new = ((body.get("hands") or {}).get(seat) for body in (was, now))
        if old != new:
            yield f"{name}: {declared_words(old, say)}; then {declared_words(new, say)}"


def winner_words(body: dict[str, Any], names: dict[str, str], say: Say) -> str:
    """Say who went Mah-jong: "Ann goes Mah-jong"."""
    winners = [names.get(str(win.get("by")), "?") for win in wins_of(body)]
    return won_words(winners, say) if winners else say("nobody went Mah-jong")


def declared_words(form: dict[str, Any] | None, say: Say) -> str:
    """Say in a few words what was declared for one player."""
    if form is None:
        return "no hand"
    key = next((key for key in FORMS if key in form), None)
    if key:
        number = form.get("doubles")
        doubles = f", {number} double{'' if number == 1 else 's'}" if number else ""
        text = "1 point" if key == "points" and form[key] == 1 else FORMS[key].format(with_commas(form[key]))
        return text + doubles
    parts = [*(say(text) for text in form.get("sets") or []), form.get("tiles"), form.get("bonus")]
    return ", ".join(part for part in parts if part) or "nothing to score"


# The hands to check.

# What is shown at once: cards, players' tiles on each, and letters of a line.
MAX_CARDS, MAX_HANDS, LONGEST = 10, 8, 200
AFTER_DECIDED = "This hand came after one that is now settled"

LATE_TITLES = {
    Command.LateReason.FINISHED: "This came after the table was finished",
    Command.LateReason.LOCKED: "This came after the season was locked",
    Command.LateReason.KEY_REPLACED: "This came from a tablet whose code had been replaced",
}


@dataclass(frozen=True)
class WaitingCard:
    """A waiting command, and the recorded hand (`rival`) whose place it would take, if any.

    `sent` and `recorded` are the two versions: what happened in words, who entered it and when, what each player got.
    """

    command: Command
    is_late: bool
    title: str
    words: str
    details: tuple[str, ...]
    rival: Row | None
    sent: dict[str, Any]
    recorded: dict[str, Any] | None
    can_be_recorded: bool
    has_other_players: bool

    @property
    def is_hand(self) -> bool:
        return self.command.kind == HAND.key

    @property
    def number(self) -> int | None:
        return self.rival.hand.number if self.rival and self.rival.hand else None


def waiting_cards(board: SessionBoard) -> list[WaitingCard]:
    """Return the first cards of a session's waiting commands, the oldest first; one query while nothing waits.

    What can be chosen at the table goes before what came late, as that may be very much.
    """
    commands = _waiting_commands(board.session)
    if not commands:
        return []
    names, say = _names(board), say_at(board.session.rules)
    rows = board.rows()
    keys = {command.key for command in commands}
    shown = sorted(commands, key=lambda command: command.outcome == Command.Outcome.LATE)[:MAX_CARDS]
    return [
        _card(command, names, board, rows, command.kind == HAND.key and command.after in keys, say) for command in shown
    ]


def _names(board: SessionBoard) -> dict[str, Any]:
    return {str(seat): name for seat, name in board.names.items()}


def waiting_context(board: SessionBoard, membership: HasRole) -> dict[str, Any]:
    """Return the cards of a page, how many more there are, and what can be set aside at once."""
    cards, table_session = waiting_cards(board), board.session
    if not cards:
        return {"waiting": cards}
    may_set_aside = may_decide(membership, table_session, is_late=True)
    return {
        "waiting": cards,
        "decided_here": {card.command.key for card in cards if may_decide(membership, table_session, card.is_late)},
        "more_waiting": Command.objects.filter(session=table_session).waiting().count() - len(cards),
        "waiting_late": _late_by_tablet(board) if may_set_aside else [],
    }


def _late_by_tablet(board: SessionBoard) -> list[dict[str, Any]]:
    """Return what came late from each tablet that sent more than one thing, the most first; and all of it together."""
    names, by_sender = _names(board), defaultdict(list)
    for command in _waiting_commands(board.session):
        if command.outcome == Command.Outcome.LATE:
            by_sender[_who(command, command.device, names)].append(command.key)
    senders = sorted(by_sender.items(), key=lambda sender: -len(sender[1]))[:MAX_CARDS]
    found = [{"who": who, "keys": keys} for who, keys in senders if len(keys) > 1]
    if len(by_sender) > 1:
        found.append({"who": "", "keys": [key for keys in by_sender.values() for key in keys]})
    return found


def _waiting_commands(table_session: Session) -> list[Any]:
    return list(Command.objects.filter(session=table_session).waiting().order_by("received_at", "pk"))


def command_words(kind: str, body: dict[str, Any], names: dict[str, str], say: Say) -> str:
    """Say what a command is in a few words."""
    row = kind_of(kind)
    if row is None:
        return "A change"
    now = row.entry_body(body)
    if row.is_hand or (row is CORRECT and isinstance(now, dict) and "mahjong" in now):
        return f"{row.name}: {winner_words(now, names, say)}"
    return row.name


def _sent_words(command, hand, names, say):
    """Say what was sent as the history does: "Sheila goes Mah-jong"; what is not a hand in a few words."""
    if command.kind != HAND.key or not hand:
        return command_words(command.kind, command.body, names, say)
    return won_words([names.get(str(win.get("by")), "someone") for win in wins_of(hand) if isinstance(win, dict)], say)


def _card(command, names, board, rows, is_after_waiting, say):
    """Make a command's card; a hand after one that waits itself can only be decided when that one is."""
    hand = _hand_of(command)
    hands = hand.get("hands") or {}
    is_late = command.outcome == Command.Outcome.LATE
    rival = _rival(command, rows)
    has_other_players = command.kind == HAND.key and not rival and _has_other_players(board, hands)
    return WaitingCard(
        command=command,
        is_late=is_late,
        title=_title(command, is_late, rival, is_after_waiting, has_other_players),
        words=command_words(command.kind, command.body, names, say)[:LONGEST],
        details=tuple(
            f"{names.get(seat, '?')}: {declared_words(form, say)}"[:LONGEST]
            for seat, form in sorted(hands.items())[:MAX_HANDS]
        ),
        rival=rival,
        sent={
            "words": _sent_words(command, hand, names, say)[:LONGEST],
            "who": _who(command, command.device, names),
            "device": command.device,
            "at": command.received_at,
            "shares": _shares_sent(board, hand, rival, names, is_after_waiting) if hand else [],
        },
        recorded=_recorded(board, rival, names) if rival else None,
        can_be_recorded=KINDS[command.kind].can_be_recorded_late and not is_after_waiting,
        has_other_players=has_other_players and not is_after_waiting and not is_late,
    )


def _hand_of(command: Command) -> dict[str, Any]:
    """Return the body of the hand that a command records or changes; {} if it is about something else."""
    body = KINDS[command.kind].entry_body(command.body)
    return body if isinstance(body, dict) and isinstance(body.get("hands"), dict) else {}


def _has_other_players(board, hands):
    """Return whether a hand names others than those who play now."""
    return bool(hands) and set(hands) != {str(seat) for seat in board.done.seating.seated.values()}


def _title(command, is_late, rival, is_after_waiting, has_other_players):
    if is_late:
        return LATE_TITLES[command.late_reason]
    if KINDS[command.kind].checks_version:
        return "Two versions of one hand" if rival else "Two versions of one entry"
    if is_after_waiting:
        return "This hand came after one that is not settled yet. Choose that one first"
    if rival:
        return "Two versions of one hand"
    return "This hand was sent for other players" if has_other_players else AFTER_DECIDED


def _who(sent, device, names):
    """Name who sent a command or made a change, and on which tablet."""
    shown = actor_name(sent.name, sent.user_id, names)
    return f"{shown} ({device})" if shown and device and device not in shown else shown or device or "someone"


def _rival(command, rows):
    """Return the row of the recorded hand whose place this command would take."""
    if KINDS[command.kind].checks_version:
        wanted = str(command.body.get("entry"))
        return next((row for row in rows if row.hand and row.entry.key == wanted), None)
    if command.kind != HAND.key or (command.after is None and command.seats is None):
        return None
    later = rows
    if command.after is not None:
        known = next((at for at, row in enumerate(rows) if row.entry.key == str(command.after)), len(rows))
        later = rows[known + 1 :]
    return next((row for row in later if row.hand), None)


def _recorded(board, rival, names):
    changes = Change.objects.filter(session=board.session, after__entries__has_key=rival.entry.key)
    change, entry = changes.order_by("-id").first(), board.entry_row(rival.entry)
    shares = [{"name": cell.name, "total": cell.total, "net": cell.net} for cell in rival.cells if cell.wind]
    who = _who(change, "", names) if change else entry.device or "someone"
    # Whoever corrected it since may have done so on another tablet.
    device, at = entry.device if entry.version == 1 else "", change.at if change else entry.changed_at
    return {"words": rival.words, "who": who, "device": device, "at": at, "shares": shares}


def _shares_sent(board, hand, rival, names, is_after_waiting):
    """Score what was sent in the seating it was meant for; after a hand not decided yet, nobody knows who was East."""
    seating = rival.hand.seating if rival else board.done.seating
    hands = {**{str(seat): {} for seat in seating.seated.values()}, **hand["hands"]}
    is_whole = hand.get("mahjong") or hand.get("penalties") or not any(hands.values())
    scored: dict[str, Any] = {"hands": {}, "net": {} if is_whole else dict.fromkeys(hands, 0)}
    if is_whole:
        with suppress(ScoringError):
            scored = score_by_seat({**hand, "hands": hands}, seating, board.session)

    def total(seat):
        with suppress(ScoringError):
            return (scored["hands"].get(seat) or score_alone(board.session, seating, hand, seat, hands[seat]))["total"]

    nets = {} if is_after_waiting else scored["net"]
    return [
        {"name": name, "total": total(seat), "net": nets.get(seat)}
        for seat, name in names.items()
        if seat in hand["hands"]
    ]
