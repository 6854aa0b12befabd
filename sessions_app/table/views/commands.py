"""Where a tablet's outbox sends what was done at a table, and asks how the table stands: JSON always, never a page."""

import json

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubscore.table.command_kinds import CORRECT, kind_of
from clubscore.table.outcomes import Outcome, Reason
from sessions_app.models import Session
from sessions_app.people.permissions import READING, SCORING, may_send, may_send_late
from sessions_app.table.command_results import SENTENCES
from sessions_app.table.commands import apply_command
from sessions_app.table.views.keys import at_table_json
from sessions_app.table.views.table import told_state
from sessions_app.web.access import Verdict, access_to, actor, had_key

MAX_BYTES = 200_000
FORBIDDEN = 403


@require_POST
@never_cache
def commands(request: HttpRequest, slug: str, session_id: int) -> HttpResponse:
    access = access_to(request, slug, session_id, SCORING)
    if access.verdict in (Verdict.SIGN_IN, Verdict.NONE, Verdict.NO):
        return _refused(request, access.verdict)
    if access.verdict in (Verdict.REPLACED, Verdict.FINISHED):
        key = had_key(request, session_id)["key"]
        if not may_send_late(key, access.table_session):
            return _told(403, Outcome.NOT_ALLOWED, Reason.CODE_EXPIRED)
    command, fault = _read(request)
    if fault:
        return _told(400, Outcome.UNREADABLE, fault)
    request.membership, table_session = access.membership, access.table_session
    is_allowed = access.verdict is not Verdict.REPLACED
    may = may_send(access.membership, table_session, command.get("kind"), command["body"])
    # Pressed while the table was in play, perhaps, and sent when it had finished.
    kind = kind_of(command.get("kind"))
    is_late = not may and kind is not None and kind.is_step
    if is_allowed and not may and not is_late:
        return _told(403, Outcome.NOT_ALLOWED, Reason.SECRETARY_ONLY)
    answer = apply_command(
        table_session.pk,
        command,
        by=actor(request),
        is_allowed=is_allowed,
        is_late=is_late,
        role=access.membership.role,
    )
    if not is_allowed or answer.status == FORBIDDEN:
        return JsonResponse(answer.to_json() | {"outcome": Outcome.NOT_ALLOWED}, status=403)
    if answer.snapshot is None:
        table_session.refresh_from_db(from_queryset=Session.objects.select_related("club"))
    told = told_state(table_session, answer.snapshot)
    pages = _changed_pages(table_session, kind, answer)
    return JsonResponse(answer.to_json() | {"state": told, "pages": pages}, status=answer.status)


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
        return _refused(request, access.verdict)
    request.membership, told = access.membership, told_state(access.table_session)
    return JsonResponse(told | at_table_json(request, access.table_session, told["last"]))


def _refused(request, verdict):
    if verdict is Verdict.SIGN_IN:
        return _told(401, Outcome.SIGN_IN, Reason.SIGNED_OUT)
    if verdict in (Verdict.YES, Verdict.NONE):
        return _told(404, Outcome.NOT_FOUND, Reason.OTHER_ACCOUNT)
    return _told(403, Outcome.NOT_ALLOWED, Reason.NOT_SCORING)


def _told(status, outcome, reason):
    return JsonResponse({"status": status, "outcome": outcome, "message": SENTENCES[reason]}, status=status)


def _read(request):
    """Return the command that was posted, and the Reason why it cannot be read where that is so."""
    try:
        text = request.body
    except RequestDataTooBig:
        return None, Reason.TOO_LARGE_TO_READ
    if len(text) > MAX_BYTES:
        return None, Reason.TOO_LARGE_TO_READ
    try:
        command = json.loads(text)
    except (ValueError, RecursionError):
        command = None
    is_command = isinstance(command, dict) and isinstance(command.setdefault("body", {}), dict)
    return command, None if is_command else Reason.UNREADABLE
