"""Entering the next hand: the page, the score so far, and recording it."""

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from clubscore.play.entered_hand import questions_about_totals, what_counts
from clubscore.play.outcomes import Outcome
from clubscore.play.score_fragments import score_data
from clubscore.scoring.rotation import SeatingState
from sessions_app.models import Club, Hand, Session
from sessions_app.people.permissions import SCOREKEEPER, may_send_late
from sessions_app.table.apply_command import apply_command
from sessions_app.table.hand_form import PostedHand, read_json_object, read_posted_hand
from sessions_app.table.sessions import current_seating
from sessions_app.table.tags import hand_score
from sessions_app.table.views.board_page import board_context, bottom_of
from sessions_app.table.views.command_requests import add_result_message, build_command, result_json, send
from sessions_app.table.views.hand_entry_page import (
    SAVE_FIELDS,
    named_seats,
    next_hand_context,
    next_hand_urls,
    next_number,
    offers,
    recorded_score,
    score_page,
    seat_numbers,
    who_agrees,
)
from sessions_app.table.views.tablets import record_device
from sessions_app.table.views.views_of_table import beside
from sessions_app.web.access import TableRequest, actor, at_table, remember, stored_key

RECORDED = {Outcome.RECORDED, Outcome.AGAIN, Outcome.CONTESTED}


@require_safe
@at_table(*SCOREKEEPER)
def new_hand(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    if not table_session.is_open:
        messages.error(request, "This table is finished. The secretary can open it again.")
        return redirect("table", club.slug, table_session.pk)
    record_device(request, table_session)
    return remember(request, next_hand_page(request, club, table_session))


@require_POST
@at_table(*SCOREKEEPER)
def score_hand(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Answer with the score so far of the coming hand, of a correction (?hand=) or of a hand before another."""
    corrected = _hand_with_key(club, table_session, request.GET.get("hand"))
    played = corrected or _hand_with_key(club, table_session, request.GET.get("before"))
    seating = SeatingState.from_dict(played.seating) if played else current_seating(table_session)
    posted = read_posted_hand(request.POST, seat_numbers(seating), offers(table_session))
    context = score_page(table_session, seating, posted.body, posted.drawn, is_next=played is None)
    recorded = corrected and recorded_score(table_session, corrected)
    context["scored"]["changes_nothing"] = bool(recorded) and what_counts(context["scored"]) == recorded
    context |= {"request": request, "bottom": request.POST.get("bottom", "")}
    return JsonResponse({"html": hand_score(context), **score_data(context["scored"])})


def keep_hand(request: TableRequest, club: Club, table_session: Session) -> dict[str, Any]:
    """Keep a hand for the secretary if its key opened the table until not too long ago."""
    if not may_send_late(stored_key(request, table_session.pk), table_session):
        return {"is_kept": False}
    posted = read_posted_hand(request.POST, _shown_seats(request, table_session))
    if posted.error is not None:
        return {"is_kept": False}
    command = build_command(request, "hand", posted.body)
    result = apply_command(table_session.pk, command, by=actor(request), is_allowed=False)
    return {"is_kept": result.outcome is Outcome.LATE}


@require_POST
@at_table(*SCOREKEEPER, ended=keep_hand)
def record_hand(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    posted = read_posted_hand(request.POST, _shown_seats(request, table_session), offers(table_session))
    if posted.error or request.POST.get("wrong"):
        return next_hand_page(request, club, table_session, posted=posted, error=posted.error)
    # The script asks in its own page: what it sends is recorded as it comes.
    if not request.POST.get("body"):
        if questions := _unanswered(request, table_session, posted):
            return next_hand_page(request, club, table_session, posted=posted, questions=questions)
        if page := _agreement_page(request, club, table_session, posted):
            return page
    result = send(request, table_session, "hand", posted.body)
    if request.accepts("application/json") and not request.accepts("text/html"):
        return result_json(result)
    if result.outcome not in RECORDED:
        return next_hand_page(request, club, table_session, posted=posted, error=result)
    add_result_message(request, result)
    return redirect("table", club.slug, table_session.pk)


def _hand_with_key(club: Club, table_session: Session, key: str | None) -> Hand | None:
    if not key:
        return None
    try:
        return Hand.objects.of_club(club).select_related("entry").get(session=table_session, entry__key=key)
    except (Hand.DoesNotExist, ValidationError) as error:
        raise Http404("No such hand") from error


def _shown_seats(request: TableRequest, table_session: Session) -> list[str]:
    """Return who plays by what the tablet showed, even if another hand has been recorded since."""
    shown = read_json_object(request.POST.get("seats")) or {}
    return [str(seat) for seat in shown.values()] or seat_numbers(current_seating(table_session))


def _unanswered(request: TableRequest, table_session: Session, posted: PostedHand) -> dict[str, Any]:
    """Return the questions about typed totals that the page has not asked yet, by seat."""
    questions, hands = questions_about_totals(table_session, posted.body), posted.body["hands"]
    return {
        seat: question
        for seat, question in questions.items()
        if request.POST.get(f"asked_{seat}") != str(hands[seat]["total"])
    }


def _agreement_page(
    request: TableRequest, club: Club, table_session: Session, posted: PostedHand
) -> HttpResponse | None:
    """Show another player the hand before it is recorded; None if nobody is asked, or it is not complete."""
    seating = current_seating(table_session)
    others = who_agrees(request, table_session, named_seats(table_session, seating)[0])
    if not others:
        return None
    score = score_page(table_session, seating, posted.body, posted.drawn, is_next=True)
    if score["scored"]["state"] != "whole":
        return None
    command = build_command(request, "hand", posted.body)
    context = {
        "club": club,
        "number": next_number(table_session),
        "sent": {
            **dict.fromkeys(SAVE_FIELDS, ""),
            "body": json.dumps(posted.body),
            "drawn": "1" if posted.drawn else "",
            **{name: command[name] or "" for name in ("key", "after", "device")},
        },
        "urls": next_hand_urls(club, table_session),
        "agree_seats": others,
        "bottom": bottom_of(request, table_session, seating),
        **score,
    }
    return render(request, "table/hand_agree.html", context)


def next_hand_page(request: TableRequest, club: Club, table_session: Session, **entered: Any) -> HttpResponse:
    """Show the page on which the next hand is entered; `entered` is what next_hand_context takes of it."""
    known = board_context(request, club, table_session)
    context = next_hand_context(request, club, table_session, known, **entered)
    context |= beside(request, table_session, known)
    return render(request, "table/hand_entry.html", context, status=422 if entered.get("error") else 200)
