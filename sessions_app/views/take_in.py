"""Taking in at the desk what waits on a tablet without Wi-Fi, from its code: looked at first, recorded once."""

from dataclasses import dataclass
from datetime import datetime

from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_http_methods

from sessions_app.forms.take_in import TakeInForm
from sessions_app.imports.refusal import ImportRefused
from sessions_app.imports.waiting_code import check_place, read_code
from sessions_app.models import Command, Seat
from sessions_app.queries.table_words import say_at
from sessions_app.services.commands import apply_command
from sessions_app.views.decorators import SCORING, at_table
from sessions_app.views.door import actor, may_send
from sessions_app.views.forms import posted
from sessions_app.views.hand_versions import hand_words
from sessions_app.views.waiting import LONGEST, MOST_HANDS, command_words

WHY = "taken in by the code of a tablet"
HERE_ALREADY = {
    Command.Outcome.APPLIED: "is recorded already",
    Command.Outcome.CONTESTED: "is here already and waits to be decided",
    Command.Outcome.LATE: "is here already and waits for the secretary",
    Command.Outcome.DROPPED: "was put aside already",
}
DONE = {
    "recorded": "is recorded now",
    "again": "was recorded already",
    "contested": "is kept beside another record, until somebody chooses",
    "late": "is kept for the secretary",
}
# What becomes a line at the end of the ledger: what comes after it stands on it.
LINES = ("hand", "arrive", "leave", "seating", "exchange", "fine", "note")
NOT_ALLOWED = "is for the secretary to take in"
HELD_BACK = "is not taken in yet: see to the one before it first, and take the same code in again"


@dataclass(frozen=True)
class Row:
    """One entry of the code in words: what it is, when it was made, and how it stands."""

    words: str
    at: datetime | None
    stands: str
    details: tuple[str, ...] = ()
    is_well: bool = True


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def take_in(request, club, table_session):
    form = TakeInForm(posted(request), request.FILES)
    context = {"club": club, "table_session": table_session, "form": form}
    if request.method != "POST" or not form.is_valid():
        return _page(request, context, 422 if form.errors else 200)
    try:
        code = read_code(form.code)
        check_place(code, table_session)
    except ImportRefused as error:
        form.add_error("text", str(error))
        return _page(request, context, 422)
    context |= {"code": code, "text": form.code}
    if request.POST.get("do") == "record":
        rows = _record(request, table_session, code)
        return _page(request, context | {"rows": rows, "is_done": True, "is_well": all(row.is_well for row in rows)})
    rows = _preview(table_session, code)
    return _page(request, context | {"rows": rows, "new": sum(not row.stands for row in rows)})


def _page(request, context, status=200):
    return render(request, "sessions_app/take_in.html", context, status=status)


def _preview(table_session, code):
    keys = [command["key"] for command in code.commands]
    kept = Command.objects.filter(session=table_session, key__in=keys)
    here = {str(key): outcome for key, outcome in kept.values_list("key", "outcome")}
    row = _row_of(table_session)
    return [row(command, HERE_ALREADY.get(here.get(command["key"]), "")) for command in code.commands]


def _record(request, table_session, code):
    """Send each command through the door in order; what comes after a refused line waits for it to be mended."""
    rows, row, is_held = [], _row_of(table_session), False
    for command in code.commands:
        if is_held:
            rows.append(row(command, HELD_BACK, False))
            continue
        if not may_send(request.membership, table_session, command["kind"], command["body"]):
            rows.append(row(command, NOT_ALLOWED, False))
            continue
        answer = apply_command(table_session.pk, {**command, "why": command["why"] or WHY}, by=actor(request))
        table_session.refresh_from_db()
        is_well = answer.outcome in DONE
        rows.append(row(command, DONE.get(answer.outcome) or f"is not recorded: {answer.message}", is_well))
        is_held = not is_well and command["kind"] in LINES
    return rows


def _row_of(table_session):
    """Return the function that makes a command's row, with the names and in the words of its table."""
    seats = Seat.objects.filter(session=table_session).select_related("player")
    names, say = {str(seat.chair): seat.player.name for seat in seats}, say_at(table_session)

    def row(command, stands, is_well=True):
        body = command["body"]
        words = command_words(command["kind"], body, names, say)
        hands = _hands(body if command["kind"] == "hand" else body.get("body"))
        details = tuple(f"{names.get(seat, '?')}: {hand_words(form, say)}"[:LONGEST] for seat, form in hands)
        return Row(words, _time(command["made_at"]), stands, details, is_well)

    return row


def _hands(body):
    """The players' hands that a hand or a change of one holds, by seat; nothing of nonsense."""
    hands = body.get("hands") if isinstance(body, dict) else None
    if not isinstance(hands, dict):
        return []
    return sorted((seat, form) for seat, form in hands.items() if isinstance(form, dict))[:MOST_HANDS]


def _time(text):
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return found if found and found.tzinfo else None
