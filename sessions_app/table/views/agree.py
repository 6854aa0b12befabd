"""Another player agrees to a hand: who is asked, the step of a browser without JavaScript, and agreeing later."""

import json

from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from sessions_app.people.permissions import SCORING
from sessions_app.table.views.command_requests import send, tell
from sessions_app.table.views.entry_page import SAVE_FIELDS, score_page, seats_of
from sessions_app.table.views.hand_page import hand_entry_or_404
from sessions_app.table.views.preview_page import who_agrees
from sessions_app.table.views.table import bottom_of
from sessions_app.web.access import at_table


@require_POST
@at_table(*SCORING)
def agree_hand(request, club, table_session, key):
    entry = hand_entry_or_404(club, table_session, key)
    body = {"entry": str(entry.key), "seat": request.POST.get("agreed", "")}
    tell(request, send(request, table_session, "agree", body))
    return redirect("hand", club.slug, table_session.pk, entry.key)


def agree_page(request, club, table_session, chairs, posted, urls, number):
    """Ask about a hand typed without JavaScript before it is recorded; None where nobody is asked, or it does not fit.

    The tablet's script asks in its own page: what it sends is recorded as it comes.
    """
    others = who_agrees(request, table_session, seats_of(table_session, chairs)[0])
    if not others or request.POST.get("body"):
        return None
    score = score_page(table_session, chairs, posted.body, posted.drawn, is_next=True)
    if score["scored"]["state"] != "whole":
        return None
    sent = {**dict.fromkeys(SAVE_FIELDS, ""), "body": json.dumps(posted.body), "drawn": "1" if posted.drawn else ""}
    sent |= {"key": posted.key or "", "after": posted.after or "", "device": posted.device}
    context = {"club": club, "number": number, "sent": sent, "urls": urls, "agree_seats": others, **score}
    context["bottom"] = bottom_of(request, table_session, chairs)
    return render(request, "table/hand_agree.html", context)
