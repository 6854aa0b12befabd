"""Entering the next hand: the page, its live score, recording it, and another player agreeing to it."""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from clubscore.scoring.rotation import Chairs
from clubscore.table.entry_score import questions_about_totals
from clubscore.table.outcomes import Outcome
from sessions_app.models import Club, Entry, Hand, Session
from sessions_app.people.permissions import SCORING, may_send_late
from sessions_app.table.commands import apply_command
from sessions_app.table.hand_form import PostedHand, read_hand, read_json
from sessions_app.table.sessions import current_chairs
from sessions_app.table.views.command_requests import send, tell
from sessions_app.table.views.entry_page import SAVE_FIELDS, entry_page, offers, score_page, seats_of
from sessions_app.table.views.hand_page import hand_entry_or_404
from sessions_app.table.views.keys import begun_json, note
from sessions_app.table.views.pending_commands import is_settling
from sessions_app.table.views.preview_page import who_agrees
from sessions_app.table.views.table import bottom_of
from sessions_app.web.access import actor, at_table, device_token, had_key, remember
from sessions_app.web.requests import new_key


@require_POST
@at_table(*SCORING)
def agree_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = hand_entry_or_404(club, table_session, key)
    body = {"entry": str(entry.key), "seat": request.POST.get("agreed", "")}
    tell(request, send(request, table_session, "agree", body))
    return redirect("hand", club.slug, table_session.pk, entry.key)


def agree_page(
    request: HttpRequest,
    club: Club,
    table_session: Session,
    chairs: Chairs,
    posted: PostedHand,
    urls: dict[str, str],
    number: int,
) -> HttpResponse | None:
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


RECORDED = {Outcome.RECORDED, Outcome.AGAIN, Outcome.CONTESTED}


@require_safe
@at_table(*SCORING)
def new_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if not table_session.is_open:
        messages.error(request, "This session is finished. The secretary can open it again.")
        return redirect("table", club.slug, table_session.pk)
    note(request, table_session)
    return remember(request, _entry(request, club, table_session))


@require_POST
@at_table(*SCORING)
def score_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    chairs = _chairs_of(club, table_session, request.GET.get("hand"))
    posted = read_hand(request.POST, seat_numbers(chairs), offers(table_session))
    is_next = "hand" not in request.GET
    context = score_page(table_session, chairs, posted.body, posted.drawn, is_next)
    return render(request, "table/_score.html", context | {"bottom": request.POST.get("bottom", "")})


def keep_hand(request: HttpRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Keep a hand for the secretary that came by a key which opens the table no more, not too long ago."""
    if not may_send_late(had_key(request, table_session.pk)["key"], table_session):
        return {"is_kept": False}
    posted = read_hand(request.POST, believed_seats(request) or seat_numbers(current_chairs(table_session)))
    if posted.error is not None:
        return {"is_kept": False}
    sent = hand_command("hand", posted.body, posted)
    answer = apply_command(table_session.pk, sent, by=actor(request), is_allowed=False)
    return {"is_kept": answer.outcome is Outcome.LATE}


@require_POST
@at_table(*SCORING, ended=keep_hand)
def record_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    seats = believed_seats(request) or seat_numbers(current_chairs(table_session))
    posted = read_hand(request.POST, seats, offers(table_session))
    if posted.error or request.POST.get("wrong"):
        return _entry(request, club, table_session, posted, posted.error)
    questions = _unanswered(request, table_session, posted)
    if questions:
        return _entry(request, club, table_session, posted, questions=questions)
    asked = _asked_first(request, club, table_session, posted)
    if asked:
        return asked
    sent = hand_command("hand", posted.body, posted)
    answer = apply_command(table_session.pk, sent, by=actor(request), role=request.membership.role)
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse(answer.to_json(), status=answer.status)
    if answer.outcome not in RECORDED:
        return _entry(request, club, table_session, posted, answer)
    tell(request, answer)
    return redirect("table", club.slug, table_session.pk)


def _chairs_of(club, table_session, key):
    """The chairs of the coming hand, or of the one that ?hand= names: it is scored as it was played."""
    if not key:
        return current_chairs(table_session)
    try:
        played = Hand.objects.of_club(club).get(session=table_session, entry__key=key)
    except (Hand.DoesNotExist, ValidationError) as error:
        raise Http404("No such hand") from error
    return Chairs.from_dict(played.chairs)


def hand_command(kind: str, body: dict[str, Any], posted: PostedHand) -> dict[str, Any]:
    return {
        "key": posted.key or new_key(),
        "kind": kind,
        "body": body,
        "device": posted.device,
        "after": posted.after,
        "seats": posted.seats,
        "why": posted.why,
    }


def believed_seats(request: HttpRequest) -> list[str]:
    """Whom the tablet showed as playing: a hand is read by these seats, also where another was recorded meanwhile."""
    seats = read_json(request.POST.get("seats", "")) or {}
    return [str(seat) for seat in seats.values()]


def seat_numbers(chairs: Chairs) -> list[str]:
    return [str(seat) for seat in chairs.seated.values()]


def _unanswered(request, table_session, posted):
    """Return the questions about totals typed without JavaScript that this page has not asked yet, by seat.

    The tablet's script asks in its own page: what it sends is recorded as it comes.
    """
    if request.POST.get("body"):
        return {}
    questions, hands = questions_about_totals(table_session, posted.body), posted.body["hands"]
    return {
        seat: question
        for seat, question in questions.items()
        if request.POST.get(f"asked_{seat}") != str(hands[seat]["total"])
    }


def _asked_first(request, club, table_session, posted):
    """Show the hand to another player first, where the club asks for that and the tablet's script has not done so."""
    chairs = current_chairs(table_session)
    return agree_page(request, club, table_session, chairs, posted, _urls(club, table_session), _number(table_session))


def _number(table_session):
    return Hand.objects.filter(session=table_session, number__gt=0).count() + 1


def _urls(club, table_session):
    here = (club.slug, table_session.pk)
    return {
        "score": reverse("hand-score", args=here),
        "save": reverse("hand-record", args=here),
        "page": reverse("hand-new", args=here),
        "back": reverse("table", args=here),
        "draft": reverse("hand-draft", args=here),
    }


def _entry(request, club, table_session, posted=None, error=None, questions=()):
    last = Entry.objects.filter(session=table_session).active().order_by("position").last()
    chairs = current_chairs(table_session)
    bottom = bottom_of(request, table_session, chairs)
    context = {"is_settling": is_settling(table_session), "bottom": bottom} | entry_page(
        table_session,
        chairs,
        number=_number(table_session),
        urls=_urls(club, table_session),
        mode="new",
        body=posted.body if posted else None,
        key=posted.key if posted else None,
        after=posted.after if posted else (str(last.key) if last else None),
        drawn=bool(posted and posted.drawn),
        error=error,
    )
    context["plain"]["questions"] = bool(questions)
    for seat in context["plain"]["seats"]:
        seat["question"] = dict(questions).get(seat["number"], "")
    context["entry"]["begun"] = begun_json(table_session, device_token(request), last.key if last else None)
    others = who_agrees(request, table_session, context["entry"]["seats"])
    return render(
        request,
        "table/hand_entry.html",
        {"club": club, "table_session": table_session, "agree_seats": others, **context},
        status=422 if error else 200,
    )
