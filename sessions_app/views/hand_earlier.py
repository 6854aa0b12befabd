"""A hand as it was at an earlier step of its log: what bringing that back would change, before it is done."""

import json

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from sessions_app.models import Change
from sessions_app.views.decorators import SCORING, at_table
from sessions_app.views.door import command
from sessions_app.views.hands import hand_entry_or_404
from sessions_app.views.preview_page import Refused, preview_page

OUT = "This hand is taken out: put it back first."


@require_safe
@at_table(*SCORING)
def hand_earlier(request, club, table_session, key, change_id):
    entry = hand_entry_or_404(club, table_session, key)
    change = get_object_or_404(Change.objects.of_club(club).filter(session=table_session), pk=change_id)
    was = (change.after.get("entries") or {}).get(str(entry.key))
    if was is None:
        raise Http404("This step did not touch this hand")
    sent = command(request, "correct", {"entry": str(entry.key), "version": entry.version, "body": was["body"]})
    sent["why"] = f"As it was on {timezone.localtime(change.at, timezone.get_current_timezone()):%-d %B %Y, %H:%M}"
    try:
        if entry.taken_out:
            raise Refused(OUT, None)
        return preview_page(request, club, table_session, entry, sent, json.dumps(was["body"]))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("hand", club.slug, table_session.pk, entry.key)
