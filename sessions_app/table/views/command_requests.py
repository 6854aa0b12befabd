"""Commands as they are sent: by a tablet's outbox, which is answered with JSON, and by a page's form."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubscore.play.command_kinds import kind_of
from clubscore.play.outcomes import Outcome, Reason
from sessions_app.models import Club, PlayerHand, Session
from sessions_app.people.permissions import SCOREKEEPER, may_send, may_send_late
from sessions_app.people.plain_text import read_json
from sessions_app.table.apply_command import apply_command
from sessions_app.table.command_results import CommandResult
from sessions_app.table.hand_form import read_json_object
from sessions_app.table.views.board_page import board_context
from sessions_app.table.views.table import full_state, json_outcome, refuse_in_json
from sessions_app.web.access import Expired, Refused, TableRequest, Verdict, access_to, actor, stored_key
from sessions_app.web.requests import new_key

LOG = logging.getLogger(__name__)
MAX_BYTES = 200_000
MAX_LOGGED = 10_000
STATUSES = {
    Outcome.RECORDED: 200,
    Outcome.AGAIN: 200,
    Outcome.CONTESTED: 409,
    Outcome.LATE: 409,
    Outcome.REFUSED: 409,
    Outcome.INVALID: 422,
    Outcome.NOT_ALLOWED: 403,
    Outcome.WAIT: 429,
}


@require_POST
@never_cache
def commands(request: TableRequest, slug: str, session_id: int) -> HttpResponse:
    access = access_to(request, slug, session_id, SCOREKEEPER)
    if isinstance(access, Refused):
        return refuse_in_json(access.verdict)
    request.membership, table_session = access.membership, access.session
    if isinstance(access, Expired) and not may_send_late(stored_key(request, session_id), table_session):
        return json_outcome(403, Outcome.NOT_ALLOWED, Reason.CODE_EXPIRED)
    sent, fault = read_command(request)
    if fault:
        return json_outcome(422, Outcome.UNREADABLE, fault)
    is_replaced = isinstance(access, Expired) and access.verdict is Verdict.REPLACED
    is_allowed, kind = not is_replaced, kind_of(sent.get("kind"))
    # apply_command asks whether an undo is permitted.
    is_undo = kind is not None and kind.is_undo_or_redo
    if is_allowed and not is_undo and not may_send(access.membership, table_session, sent.get("kind"), sent["body"]):
        return json_outcome(403, Outcome.NOT_ALLOWED, Reason.SECRETARY_ONLY)
    answer = apply_command(table_session.pk, sent, actor(request), is_allowed, membership=access.membership)
    if not is_allowed or answer.outcome is Outcome.NOT_ALLOWED:
        return result_json(answer, {"outcome": Outcome.NOT_ALLOWED}, http_status=403)
    if answer.outcome is Outcome.WAIT:
        return result_json(answer, headers={"Retry-After": "60"})
    _log_difference(table_session, sent, answer)
    if answer.snapshot is None:
        table_session.refresh_from_db(from_queryset=Session.objects.select_related("club"))
    reply = {"state": full_state(table_session, answer.snapshot)}
    return result_json(answer, reply)


def status_of(result: CommandResult) -> int:
    """Return the HTTP status that says what became of a command: 201 if it added the entry that it names."""
    return 201 if result.is_new else STATUSES[result.outcome]


def result_json(
    result: CommandResult, reply: Mapping[str, Any] | None = None, http_status: int | None = None, **more: Any
) -> JsonResponse:
    """Answer with the result of a command, and with the `reply` that its sender also gets."""
    status = status_of(result)
    return JsonResponse({"status": status, **result.to_json(), **(reply or {})}, status=http_status or status, **more)


def _log_difference(table_session, sent, answer):
    """Log a hand for which the tablet had `shown` other totals than those that count."""
    shown = sent.get("shown")
    are_totals = isinstance(shown, dict) and all(type(total) is int for total in shown.values())
    if not are_totals or answer.outcome is not Outcome.RECORDED:
        return
    results = PlayerHand.objects.filter(hand__session=table_session, hand__entry__key=answer.entry).exclude(wind="")
    stored = {str(seat): total for seat, total in results.values_list("seat__seat_no", "total")}
    if stored and stored != shown:
        body = json.dumps(sent["body"])[:MAX_LOGGED]
        LOG.warning(
            "A tablet showed other scores for hand %s of session %s: %s, not %s; entered: %s",
            answer.entry,
            table_session.pk,
            json.dumps(shown)[:MAX_LOGGED],
            json.dumps(stored),
            body,
        )


def read_command(request: HttpRequest) -> tuple[Any, Reason | None]:
    """Return the command that was posted as JSON, and the Reason if it cannot be read."""
    try:
        text = request.body
    except RequestDataTooBig:
        return None, Reason.TOO_LARGE_TO_READ
    if len(text) > MAX_BYTES:
        return None, Reason.TOO_LARGE_TO_READ
    try:
        sent = read_json(text)
    except ValueError:
        sent = None
    is_command = isinstance(sent, dict) and isinstance(sent.setdefault("body", {}), dict)
    return sent, None if is_command else Reason.UNREADABLE


# From a posted form to a command, and from its result back to a page.


def build_command(request: HttpRequest, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """Make a command of the fields that a page posted; a button pressed twice posts the same key."""
    post = request.POST
    return {
        "key": post.get("key") or post.get("plain_key") or new_key(),
        "kind": kind,
        "body": body,
        "device": post.get("device", ""),
        "after": post.get("after") or None,
        "seats": read_json_object(post.get("seats")),
        "why": post.get("why", ""),
    }


def send(request: TableRequest, table_session: Session, kind: str, body: dict[str, Any]) -> CommandResult:
    command = build_command(request, kind, body)
    return apply_command(table_session.pk, command, by=actor(request), membership=request.membership)


def send_form(
    request: TableRequest, club: Club, table_session: Session, form: Form, kind: str, body: dict[str, Any]
) -> HttpResponse | None:
    """Send a form's command and answer with the table; if it is refused, add the error to the form and return None."""
    result = send(request, table_session, kind, body)
    if result.outcome in (Outcome.INVALID, Outcome.WAIT):
        form.add_error(None, result.message)
        return None
    return back_to_table(request, club, table_session, result)


def back_to_table(request: TableRequest, club: Club, table_session: Session, result: CommandResult) -> HttpResponse:
    """Show the result of a command on the table page: its fragment for htmx, else a redirect."""
    add_result_message(request, result)
    if not request.htmx:
        return redirect("table", club.slug, table_session.pk)
    table_session.refresh_from_db()
    return render(request, "table/_board.html", board_context(request, club, table_session))


def add_result_message(request: HttpRequest, result: CommandResult) -> None:
    if result.message:
        level = messages.SUCCESS if result.is_done else messages.ERROR
        messages.add_message(request, level, result.message)
