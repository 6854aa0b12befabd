"""Entering the next hand: the page, its live score, recording it, and another player agreeing to it."""

import json
import logging
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from clubscore.scoring.rotation import SeatingState
from clubscore.table.entry_score import questions_about_totals
from clubscore.table.outcomes import Outcome
from sessions_app.models import Club, Entry, Hand, Session
from sessions_app.people.permissions import SCORING, may_send_late
from sessions_app.table.apply_command import apply_command
from sessions_app.table.hand_form import PostedHand, read_hand, read_json
from sessions_app.table.season_assignment import is_locked
from sessions_app.table.sessions import current_seating
from sessions_app.table.tags import hand_score, score_basis
from sessions_app.table.views.command_requests import send, tell
from sessions_app.table.views.entry_page import (
    SAVE_FIELDS,
    entry_page,
    is_asked,
    offers,
    score_page,
    seats_of,
    who_agrees,
)
from sessions_app.table.views.hand_page import hand_entry_or_404
from sessions_app.table.views.keys import begun_json, note
from sessions_app.table.views.pending_commands import is_settling
from sessions_app.table.views.table import bottom_of
from sessions_app.web.access import actor, at_table, device_token, remember, stored_key
from sessions_app.web.requests import new_key


@require_POST
@at_table(*SCORING)
def agree_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = hand_entry_or_404(club, table_session, key)
    body = {"entry": str(entry.key), "seat": request.POST.get("agreed", "")}
    tell(request, send(request, table_session, "agree", body))
    return redirect("hand", club.slug, table_session.pk, entry.key)


OUTSIDE = logging.getLogger(__name__)
LOGGED = 20_000  # the most that is kept of what a tablet says

RECORDED = {Outcome.RECORDED, Outcome.AGAIN, Outcome.CONTESTED}


@require_safe
@at_table(*SCORING)
def new_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if not table_session.is_open:
        messages.error(request, "This session is finished. The secretary can open it again.")
        return redirect("table", club.slug, table_session.pk)
    note(request, table_session)
    return remember(request, next_hand_page(request, club, table_session))


@require_POST
@at_table(*SCORING)
def score_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    corrected = _played(club, table_session, request.GET.get("hand"))
    played = corrected or _played(club, table_session, request.GET.get("before"))
    seating = SeatingState.from_dict(played.chairs) if played else current_seating(table_session)
    posted = read_hand(request.POST, seat_numbers(seating), offers(table_session))
    if other := request.POST.get("tablet", ""):
        # The tablet's answer and what it was given, against what the same hand is here.
        here = {"session": table_session.pk, "chairs": seating.to_dict(), "body": posted.body, "drawn": posted.drawn}
        OUTSIDE.warning("A tablet scored a hand otherwise: %s; here: %s", json.dumps(other[:LOGGED]), json.dumps(here))
    context = score_page(table_session, seating, posted.body, posted.drawn, is_next=played is None)
    if corrected and changes_no_score(table_session, corrected, context["scored"]):
        context["scored"]["no_change_by"] = request.POST.get("body", "")
    context |= {"request": request, "bottom": request.POST.get("bottom", "")}
    return HttpResponse(hand_score(context), headers={"Score-Basis": score_basis(context)})


def keep_hand(request: HttpRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Keep a hand for the secretary that came by a key which opens the table no more, not too long ago."""
    if not may_send_late(stored_key(request, table_session.pk)["key"], table_session):
        return {"is_kept": False}
    posted = read_hand(request.POST, believed_seats(request) or seat_numbers(current_seating(table_session)))
    if posted.error is not None:
        return {"is_kept": False}
    sent = hand_command("hand", posted.body, posted)
    answer = apply_command(table_session.pk, sent, by=actor(request), is_allowed=False)
    return {"is_kept": answer.outcome is Outcome.LATE}


@require_POST
@at_table(*SCORING, ended=keep_hand)
def record_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    seats = believed_seats(request) or seat_numbers(current_seating(table_session))
    posted = read_hand(request.POST, seats, offers(table_session))
    if posted.error or request.POST.get("wrong"):
        return next_hand_page(request, club, table_session, posted, posted.error)
    questions = _unanswered(request, table_session, posted)
    if questions:
        return next_hand_page(request, club, table_session, posted, questions=questions)
    asked = _asked_first(request, club, table_session, posted)
    if asked:
        return asked
    sent = hand_command("hand", posted.body, posted)
    answer = apply_command(table_session.pk, sent, by=actor(request), membership=request.membership)
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse(answer.to_json(), status=answer.status)
    if answer.outcome not in RECORDED:
        return next_hand_page(request, club, table_session, posted, answer)
    tell(request, answer)
    return redirect("table", club.slug, table_session.pk)


def _played(club, table_session, key):
    """The hand that ?hand= or ?before= names, in whose seating is scored; None for the coming one."""
    if not key:
        return None
    try:
        return Hand.objects.of_club(club).select_related("entry").get(session=table_session, entry__key=key)
    except (Hand.DoesNotExist, ValidationError) as error:
        raise Http404("No such hand") from error


def changes_no_score(table_session: Session, played: Hand, scored: dict[str, Any]) -> bool:
    """Say whether a correction changes no score, payment or seat, so that it may be saved without being shown first."""
    if played.question or is_asked(table_session) or is_locked(table_session):
        return False
    before = score_page(table_session, SeatingState.from_dict(played.chairs), played.entry.body)["scored"]
    return before["state"] == scored["state"] == "whole" and _what_counts(before) == _what_counts(scored)


def _what_counts(scored):
    counts = ("number", "wins", "total", "net", "special", "fishing_for")
    follows = ("payments", "next_east", "next_out", "goulash_next", "seats_change", "game_over")
    return [{name: one[name] for name in counts} for one in scored["players"]], [scored[name] for name in follows]


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
    """Whom the tablet showed as playing: a hand is read by these seats, also where another has been recorded since."""
    seats = read_json(request.POST.get("seats", "")) or {}
    return [str(seat) for seat in seats.values()]


def seat_numbers(seating: SeatingState) -> list[str]:
    return [str(seat) for seat in seating.seated.values()]


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
    """Show a hand typed without JavaScript to another player first; None where nobody is asked, or it does not fit.

    The tablet's script asks in its own page: what it sends is recorded as it comes.
    """
    seating = current_seating(table_session)
    others = who_agrees(request, table_session, seats_of(table_session, seating)[0])
    if not others or request.POST.get("body"):
        return None
    score = score_page(table_session, seating, posted.body, posted.drawn, is_next=True)
    if score["scored"]["state"] != "whole":
        return None
    sent = {**dict.fromkeys(SAVE_FIELDS, ""), "body": json.dumps(posted.body), "drawn": "1" if posted.drawn else ""}
    sent |= {"key": posted.key or "", "after": posted.after or "", "device": posted.device}
    context = {"club": club, "number": _number(table_session), "sent": sent, "urls": _urls(club, table_session)}
    context |= {"agree_seats": others, "bottom": bottom_of(request, table_session, seating), **score}
    return render(request, "table/hand_agree.html", context)


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


def types_totals(body: dict[str, Any]) -> bool:
    """Say whether a hand was entered by typed totals alone, so that the next one begins with the keypad."""
    typed = [hand for hand in (body.get("hands") or {}).values() if any(hand.values())]
    return bool(typed) and all("total" in hand for hand in typed)


def next_hand_page(
    request: HttpRequest,
    club: Club,
    table_session: Session,
    posted: PostedHand | None = None,
    error: Any = None,
    questions: Any = (),
) -> HttpResponse:
    """Draw the page on which the next hand is entered."""
    last = Entry.objects.filter(session=table_session).active().order_by("position").last()
    seating = current_seating(table_session)
    bottom = bottom_of(request, table_session, seating)
    context: dict[str, Any] = {"is_settling": is_settling(table_session), "bottom": bottom} | entry_page(
        table_session,
        seating,
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
    context["entry"]["types_totals"] = bool(last) and types_totals(last.body)
    context["entry"]["begun"] = begun_json(table_session, device_token(request), last.key if last else None)
    others = who_agrees(request, table_session, context["entry"]["seats"])
    return render(
        request,
        "table/hand_entry.html",
        {"club": club, "table_session": table_session, "agree_seats": others, **context},
        status=422 if error else 200,
    )
