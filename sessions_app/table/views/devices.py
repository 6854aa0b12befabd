"""Tablets that see each other at a table: who else is here, and the hand that another has begun."""

import uuid

from django.db import DatabaseError
from django.http import JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from sessions_app.people.permissions import SCORING, may_write
from sessions_app.table.devices import begun_at, keep_draft, note_device, others_at, others_words, saved_meanwhile
from sessions_app.table.hand_form import clean_body, read_json
from sessions_app.web.access import actor, at_table, device_token, remember


def note(request, table_session):
    """Note that this tablet scores the table; a database that cannot be written to now is no reason to fail."""
    if not may_write(request.membership, table_session):
        return None
    try:
        return note_device(table_session, device_token(request), actor(request))
    except (DatabaseError, OSError):
        return None


@require_safe
@never_cache
@at_table(*SCORING)
def others(request, club, table_session):
    """Answer with the line of the table page that says who else scores here."""
    note(request, table_session)
    words = others_words(others_at(table_session, device_token(request)))
    return remember(request, JsonResponse({"words": words}))


@require_POST
@at_table(*SCORING)
def hand_draft(request, club, table_session):
    """Keep a hand half entered; tell whether it is recorded, what was saved meanwhile, and who else has begun it."""
    body, key = clean_body(read_json(request.POST.get("body", ""))), _uuid(request.POST.get("key"))
    if key is None or read_json(request.POST.get("body", "")) is None:
        return JsonResponse({"kept": False, "message": "This hand cannot be read."}, status=422)
    after, drawn = _uuid(request.POST.get("after")), bool(request.POST.get("drawn"))
    device = note(request, table_session)
    is_kept = device is not None and keep_draft(device, key=key, after=after, body=body, drawn=drawn)
    is_recorded = not is_kept and table_session.commands.filter(key=key).exists()
    also = [one.whose for one in begun_at(table_session, device_token(request), after)]
    told = {"kept": is_kept, "recorded": is_recorded, "also": also, "meanwhile": saved_meanwhile(table_session, after)}
    return remember(request, JsonResponse(told))


def begun_json(table_session, token, last):
    """Return what other tablets have begun, as the entry page's script takes it over."""
    return [
        {
            "whose": one.whose,
            "ago": one.ago,
            "key": str(one.draft.key),
            "after": str(one.draft.after or ""),
            "body": one.draft.body,
            "drawn": one.draft.drawn,
        }
        for one in begun_at(table_session, token, last)
    ]


def at_table_json(request, table_session, last):
    """Return who else scores here, and whose tablet has begun the coming hand, as state.json tells it."""
    if request.membership.role not in SCORING:
        return {"devices": [], "begun": []}
    token = device_token(request)
    return {
        "devices": [str(one) for one in others_at(table_session, token)],
        "begun": [one.whose for one in begun_at(table_session, token, last)],
    }


def _uuid(text):
    try:
        return uuid.UUID(text or "")
    except ValueError:
        return None
