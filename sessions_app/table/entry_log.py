"""What the history says of the commands at a table; their sentences are in clubscore/play/command_kinds.py."""

from typing import Any

from clubscore.play.command_kinds import HAND, ROWS, kind_of
from clubscore.scoring import is_void
from clubscore.scoring.words import with_commas
from sessions_app.people.log import after_colon, format_date, log_sentences
from sessions_app.people.log_sentences import LoggedChange, who, words_of

# The rest of a hand's body, and how a difference in it is described.
REST_OF_HAND = {"mahjong": "how it was won", "penalties": "the penalties", "beside": "the notes on the figures"}


def _entry(it: LoggedChange, state: dict[str, Any]) -> dict[str, Any]:
    return (state.get("entries") or {}).get(it.change.subject_id) or {}


def _body(it: LoggedChange, state: dict[str, Any]) -> dict[str, Any]:
    return _entry(it, state).get("body") or {}


def _kind(it: LoggedChange) -> str:
    return str((_entry(it, it.after) or _entry(it, it.before)).get("kind", HAND.key))


def _which(it: LoggedChange) -> str:
    """What the entry is called: hand 5, a hand, a penalty."""
    if _kind(it) != HAND.key:
        row = kind_of(_kind(it))
        return (row and row.log_name) or "an entry"
    number = it.names.numbers.get(it.change.subject_id)
    return f"hand {number}" if number and number > 0 else "a hand"


def _winners(it: LoggedChange, body: dict[str, Any]) -> str:
    mahjong = body.get("mahjong")
    wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
    winners = [it.seat(win.get("by")) for win in wins if isinstance(win, dict)]
    penalties, session = body.get("penalties") or [], it.change.session
    if session and not winners and is_void(session.rules, penalties):
        by = next(penalty.get("by") for penalty in penalties if is_void(session.rules, [penalty]))
        return f"void after a false Mah-jong by {it.seat(by)}"
    return f"{' and '.join(winners) or 'nobody'} went Mah-jong"


def _result(it: LoggedChange, state: dict[str, Any]) -> str:
    """Who won a hand, after a colon; empty for other entries."""
    return f": {_winners(it, _body(it, state))}" if _kind(it) == HAND.key else ""


def _differences(it: LoggedChange) -> str:
    if _kind(it) != HAND.key:
        return ""
    before, after = _body(it, it.before), _body(it, it.after)
    was, now = _winners(it, before), _winners(it, after)
    if was != now:
        return f": before, {was}; now, {now}"
    hands_before, hands = before.get("hands") or {}, after.get("hands") or {}
    changed = [
        _tiles_changed(it.seat(seat_no), hands_before.get(seat_no), hands.get(seat_no))
        for seat_no in sorted({*hands_before, *hands}, key=lambda seat_no: (len(seat_no), seat_no))
        if hands_before.get(seat_no) != hands.get(seat_no)
    ]
    changed += [words for key, words in REST_OF_HAND.items() if (before.get(key) or None) != (after.get(key) or None)]
    return after_colon([now, f"changed: {', '.join(changed)}" if changed else "nothing changed"])


def _tiles_changed(name: str, before: Any, after: Any) -> str:
    """Return whose tiles changed, with both figures if only totals were entered."""
    totals = [form["total"] for form in (before, after) if form and form.keys() == {"total"}]
    if len(totals) < 2:
        return f"{name}’s tiles"
    return f"{name}’s total, {with_commas(totals[1])} (was {with_commas(totals[0])})"


def _payment(it: LoggedChange) -> str:
    body = _body(it, it.after)
    to = f" to {it.seat(body['to'])}" if body.get("to") else ""
    return f"{it.seat(body.get('by'))} pays {with_commas(body.get('amount'))}{to}"


def _seats_given(it: LoggedChange) -> str:
    before, after = it.before.get("seats") or {}, it.after.get("seats") or {}
    given = [
        f"the seat of {it.names.player(before[seat_no]['player'])} to {it.names.player(after[seat_no]['player'])}"
        for seat_no in sorted(after)
        if seat_no in before
    ]
    return " and ".join(given) or "a seat to another player"


def _step(it: LoggedChange) -> str:
    """Which change was undone or redone, and whose it was unless it was their own."""
    change = it.names.undone.get(it.subject)
    if not change:
        return "a change"
    whose = who(change, it.names)
    this = "this" if whose == who(it.change, it.names) else f"what {whose} had done"
    return f"{this}: {words_of(change, it.names)}"


def _place(it: LoggedChange, state: dict[str, Any]) -> str:
    session = state.get("session") or {}
    parts = []
    if "table" in session:
        parts.append(f"table {session['table']}")
    if "date" in session:
        parts.append(f"of {format_date(session['date'])}")
    meeting = it.names.meetings.get(session.get("meeting", 0))
    if meeting and meeting.name:
        parts.append(f"({meeting.name})")
    return " ".join(parts) or "elsewhere"


log_sentences(
    {row.key: row.log for row in ROWS},
    which=_which,
    result=lambda it: _result(it, it.after),
    earlier_result=lambda it: _result(it, it.before),
    differences=_differences,
    payment=_payment,
    pair=lambda it: " and ".join(map(it.seat, _body(it, it.after).get("exchange") or [])) or "two players",
    seat=lambda it: it.seat(_body(it, it.after).get("seat")),
    seats_given=_seats_given,
    step=_step,
    text=lambda it: _body(it, it.after).get("text", ""),
    place_before=lambda it: _place(it, it.before),
    place_after=lambda it: _place(it, it.after),
)
