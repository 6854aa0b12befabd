"""Commands as they are sent: by a tablet's outbox, which is answered with JSON, and by a page's form."""

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubscore.table.command_kinds import CORRECT, kind_of
from clubscore.table.outcomes import Outcome, Reason
from sessions_app.models import Club, Session
from sessions_app.people.permissions import READING, SCORING, may_send, may_send_late
from sessions_app.table.apply_command import apply_command
from sessions_app.table.command_results import SENTENCES, CommandResult
from sessions_app.table.views.keys import at_table_json
from sessions_app.table.views.table import board_page, told_state
from sessions_app.web.access import Verdict, access_to, actor, stored_key
from sessions_app.web.requests import new_key, parse_uuid

MAX_BYTES = 200_000
FORBIDDEN = 403


@require_POST
@never_cache
def commands(request: HttpRequest, slug: str, session_id: int) -> HttpResponse:
    access = access_to(request, slug, session_id, SCORING)
    if access.verdict in (Verdict.SIGN_IN, Verdict.NONE, Verdict.NO):
        return refused(request, access.verdict)
    if access.verdict in (Verdict.REPLACED, Verdict.FINISHED):
        key = stored_key(request, session_id)["key"]
        if not may_send_late(key, access.table_session):
            return answered(403, Outcome.NOT_ALLOWED, Reason.CODE_EXPIRED)
    sent, fault = read_command(request)
    if fault:
        return answered(400, Outcome.UNREADABLE, fault)
    request.membership, table_session = access.membership, access.table_session
    is_allowed = access.verdict is not Verdict.REPLACED
    kind = kind_of(sent.get("kind"))
    # Whether an undo is permitted is asked where it is carried out.
    is_undo = kind is not None and kind.is_step
    may = is_undo or may_send(access.membership, table_session, sent.get("kind"), sent["body"])
    if is_allowed and not may:
        return answered(403, Outcome.NOT_ALLOWED, Reason.SECRETARY_ONLY)
    answer = apply_command(table_session.pk, sent, actor(request), is_allowed, membership=access.membership)
    if not is_allowed or answer.status == FORBIDDEN:
        return JsonResponse(answer.to_json() | {"outcome": Outcome.NOT_ALLOWED}, status=403)
    if answer.snapshot is None:
        table_session.refresh_from_db(from_queryset=Session.objects.select_related("club"))
    now = told_state(table_session, answer.snapshot)
    pages = _changed_pages(table_session, kind, answer)
    return JsonResponse(answer.to_json() | {"state": now, "pages": pages}, status=answer.status)


def _changed_pages(table_session, kind, answer):
    """Return the addresses of the pages that tell of a hand as it was before a correction; a tablet may keep them."""
    if kind is not CORRECT or not answer.entry:
        return []
    here = (table_session.club.slug, table_session.pk, answer.entry)
    return [reverse("hand", args=here), reverse("hand-change", args=here)]


@require_safe
@never_cache
def state(request: HttpRequest, slug: str, session_id: int) -> HttpResponse:
    # The outbox asks here for a fresh token against forgery, whether or not it is signed in.
    get_token(request)
    access = access_to(request, slug, session_id, READING)
    if access.verdict is not Verdict.YES or access.table_session.imported:
        return refused(request, access.verdict)
    request.membership, now = access.membership, told_state(access.table_session)
    return JsonResponse(now | at_table_json(request, access.table_session, now["last"]))


def refused(request: HttpRequest, verdict: Verdict) -> JsonResponse:
    """Answer a tablet that may not, in JSON."""
    if verdict is Verdict.SIGN_IN:
        return answered(401, Outcome.SIGN_IN, Reason.SIGNED_OUT)
    if verdict in (Verdict.YES, Verdict.NONE):
        return answered(404, Outcome.NOT_FOUND, Reason.OTHER_ACCOUNT)
    return answered(403, Outcome.NOT_ALLOWED, Reason.NOT_SCORING)


def answered(status: int, outcome: Outcome, reason: Reason) -> JsonResponse:
    return JsonResponse({"status": status, "outcome": outcome, "message": SENTENCES[reason]}, status=status)


def read_command(request: HttpRequest) -> tuple[Any, Reason | None]:
    """Return the command that was posted, and the Reason why it cannot be read where that is so."""
    try:
        text = request.body
    except RequestDataTooBig:
        return None, Reason.TOO_LARGE_TO_READ
    if len(text) > MAX_BYTES:
        return None, Reason.TOO_LARGE_TO_READ
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        sent = None
    is_command = isinstance(sent, dict) and isinstance(sent.setdefault("body", {}), dict)
    return sent, None if is_command else Reason.UNREADABLE


# From a posted form to a command, and from its answer back to a page.


def command(request: HttpRequest, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """Make a command of what the page posted; a page posts the same key when its button is pressed twice."""
    return {
        "key": parse_uuid(request.POST.get("key")) or new_key(),
        "kind": kind,
        "body": body,
        "device": request.POST.get("device", "")[:80],
        "after": parse_uuid(request.POST.get("after")),
        "seats": _seats(request.POST.get("seats")),
        "why": request.POST.get("why", "")[:500],
    }


def send(request: HttpRequest, table_session: Session, kind: str, body: dict[str, Any]) -> CommandResult:
    sent = command(request, kind, body)
    return apply_command(table_session.pk, sent, by=actor(request), membership=request.membership)


def send_form(
    request: HttpRequest, club: Club, table_session: Session, form: Form, kind: str, body: dict[str, Any]
) -> HttpResponse | None:
    """Send a form's command and answer with the table; None where it is refused: then the form says why."""
    answer = send(request, table_session, kind, body)
    if answer.outcome is Outcome.INVALID:
        form.add_error(None, answer.message)
        return None
    return back_to_table(request, club, table_session, answer)


def back_to_table(request: HttpRequest, club: Club, table_session: Session, answer: CommandResult) -> HttpResponse:
    """Tell the answer on the table's page: its fragment for htmx, else a redirect."""
    tell(request, answer)
    if not request.htmx:
        return redirect("table", club.slug, table_session.pk)
    table_session.refresh_from_db()
    return render(request, "table/_board.html", board_page(request, club, table_session))


def tell(request: HttpRequest, answer: CommandResult) -> None:
    level = messages.SUCCESS if answer.status < 300 else messages.ERROR
    if answer.message:
        messages.add_message(request, level, answer.message)
    if answer.changes:
        messages.info(request, " ".join(answer.changes))


def _seats(text):
    try:
        seats = json.loads(text or "null")
    except (ValueError, RecursionError):
        return None
    return seats if isinstance(seats, dict) else None
