"""Changing a hand that is recorded: correct it, agree to it, add one before it, remove or restore it.

What follows from a change is shown before it is made.
"""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.play.command_kinds import CORRECT, INSERT, KINDS, REMOVE, RESTORE
from clubscore.play.entered_hand import questions_about_totals
from clubscore.play.preview import last_tile_words, preview_data
from clubscore.scoring.rotation import SeatingState
from sessions_app.models import Change, Club, Entry, PlayerHand, Session
from sessions_app.people.dates import day_words
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.table.apply_command import apply_command
from sessions_app.table.board import seats_of
from sessions_app.table.carry_out import preview_command
from sessions_app.table.forms import ExchangeForm, SeatingForm
from sessions_app.table.hand_form import PostedHand, clean_body, read_json_object, read_posted_hand
from sessions_app.table.views.board_page import board_context, command_fields
from sessions_app.table.views.command_requests import (
    add_result_message,
    back_to_table,
    build_command,
    send,
    send_form,
)
from sessions_app.table.views.hand_entry_page import (
    HandEntryPage,
    asks_agreement,
    named_seats,
    offers,
    recorded_score,
    seat_numbers,
    who_agrees,
)
from sessions_app.table.views.hand_page import corrects_closed, entry_or_404, hand_or_404, locked_season
from sessions_app.table.views.views_of_table import beside
from sessions_app.web.access import TableRequest, actor, at_table
from sessions_app.web.requests import posted


@require_safe
@at_table(*SCOREKEEPER)
def change_hand(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = played_hand_or_404(club, table_session, key)
    return _entry_page(request, club, table_session, entry, "change", PostedHand(entry.body))


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def insert_hand(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Show the entry page for a hand before this one; a POST shows what it changes, a confirmed one records it."""
    entry = played_hand_or_404(club, table_session, key)
    if request.method != "POST":
        return _entry_page(request, club, table_session, entry, "insert")
    inserted = {"before": str(entry.key), "kind": "hand"}
    if request.POST.get("confirmed"):
        body = {**inserted, "body": _confirmed_body(request)}
        return _make_change(request, club, table_session, entry, INSERT.key, body, body)
    return _preview_hand(request, club, table_session, entry, "insert", inserted)


@require_POST
@at_table(*SCOREKEEPER)
def preview_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Show what correcting, removing or restoring an entry would change in every following hand."""
    entry = entry_or_404(club, table_session, key)
    kind = request.POST.get("kind")
    if kind in (REMOVE.key, RESTORE.key):
        sent = build_command(request, kind, entry_and_version(request, entry))
        return _preview_or_back(request, club, table_session, entry, sent, ("table", club.slug, table_session.pk))
    entry = played_hand_or_404(club, table_session, key)
    return _preview_hand(request, club, table_session, entry, "change", entry_and_version(request, entry))


@require_POST
@at_table(*SCOREKEEPER)
def correct_hand(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = hand_or_404(club, table_session, key)
    body = {**entry_and_version(request, entry), "body": _confirmed_body(request)}
    chosen = {**body, "keep_seats": True} if request.POST.get("keep_seats") else body
    return _make_change(request, club, table_session, entry, CORRECT.key, body, chosen)


@require_POST
@at_table(*SCOREKEEPER)
def remove_or_restore(request: TableRequest, club: Club, table_session: Session, key: UUID, kind: str) -> HttpResponse:
    """Remove or restore an entry of whatever kind; `kind` is that of the command."""
    entry = entry_or_404(club, table_session, key)
    body = entry_and_version(request, entry)
    return _make_change(request, club, table_session, entry, kind, body, body)


def _make_change(
    request: TableRequest,
    club: Club,
    table_session: Session,
    entry: Entry,
    kind: str,
    body: dict[str, Any],
    chosen: dict[str, Any],
) -> HttpResponse:
    """Carry out a change that was shown; what is finished or locked stays so. A missing reason is asked for again."""
    if not corrects_closed(request, table_session):
        return back_to_table(request, club, table_session, send(request, table_session, kind, chosen))
    sent = build_command(request, kind, body)
    result = apply_command(table_session.pk, {**sent, "body": chosen}, by=actor(request), opens_lock=True)
    add_result_message(request, result)
    back = ("hand", club.slug, table_session.pk, entry.key) if entry.kind == Entry.Kind.HAND else _table(table_session)
    if getattr(result.error, "field", None) == "why":
        return _preview_or_back(request, club, table_session, entry, sent, back, json.dumps(body.get("body")))
    return redirect(*back)


def _table(table_session: Session) -> tuple[str, str, int]:
    return "table", table_session.club.slug, table_session.pk


@require_POST
@at_table(*SCOREKEEPER)
def agree_hand(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = hand_or_404(club, table_session, key)
    body = {"entry": str(entry.key), "seat": request.POST.get("agreed", "")}
    add_result_message(request, send(request, table_session, "agree", body))
    return redirect("hand", club.slug, table_session.pk, entry.key)


@require_POST
@at_table(*SCOREKEEPER)
def hand_note(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Write a note after a hand, before the next one."""
    entry = hand_or_404(club, table_session, key)
    hands = Entry.objects.filter(session=table_session, kind=Entry.Kind.HAND).active()
    following = hands.filter(position__gt=entry.position).order_by("position").first()
    body = {"text": request.POST.get("text", "")}
    before = {"before": str(following.key), "kind": "note", "body": body} if following else None
    add_result_message(request, send(request, table_session, "insert" if before else "note", before or body))
    return redirect("hand", club.slug, table_session.pk, entry.key)


def played_hand_or_404(club: Club, table_session: Session, key: UUID) -> Entry:
    """Return the entry of a hand that counts; a removed one can only be restored."""
    entry = hand_or_404(club, table_session, key)
    if entry.removed or not hasattr(entry, "hand"):
        raise Http404("This hand was removed")
    return entry


def entry_and_version(request: HttpRequest | TableRequest, entry: Entry) -> dict[str, Any]:
    """Name an entry, and the version that the page showed, so that an edit conflict is noticed."""
    version = request.POST.get("version") or request.GET.get("version", "")
    shown = {"version": int(version)} if version.isdecimal() and len(version) < 9 else {}
    return {"entry": str(entry.key), **shown}


def _confirmed_body(request: TableRequest) -> dict[str, Any]:
    body = clean_body(read_json_object(request.POST.get("body")))
    return {**body, "agreed": request.POST["agreed"]} if "agreed" in request.POST else body


def _seating(entry: Entry) -> SeatingState:
    return SeatingState.from_dict(entry.hand.seating)


def _entry_page(request, club, table_session, entry, mode, hand=None, error=None):
    """Show the hand-entry page for a recorded hand, or for one before it; `hand` is a PostedHand."""
    here, board = (club.slug, table_session.pk), board_context(request, club, table_session)
    known = {"version": entry.version, **entry_and_version(request, entry)}
    is_change, post = mode == "change", request.POST
    save = reverse("hand-preview" if is_change else "hand-insert", args=(*here, entry.key))
    page = HandEntryPage(
        table_session,
        _seating(entry),
        number=entry.hand.number,
        urls={
            "score": reverse("hand-score", args=here) + f"?{'hand' if is_change else 'before'}={entry.key}",
            "save": f"{save}?version={known['version']}" if is_change else save,
            "page": reverse(f"hand-{mode}", args=(*here, entry.key)),
            "back": reverse("hand", args=(*here, entry.key)),
        },
        mode=mode,
        body=hand.body if hand else None,
        key=post.get("key") or post.get("plain_key"),
        after=post.get("after") if post else board["command_after"],
        error=error,
        entry=known,
        recorded=recorded_score(table_session, entry.hand) if is_change else None,
        asks_server=asks_agreement(table_session) or corrects_closed(request, table_session),
        bottom=str(board["board"].sides(board["turn"])[0][2]),
        known=board,
    )
    context = page.context() | beside(request, table_session, board)
    return render(request, "table/hand_entry.html", context, status=422 if error else 200)


# A hand as it was at an earlier point of its history: what restoring that would change.

REMOVED = "This hand was removed. Restore it first."


@require_safe
@at_table(*SCOREKEEPER)
def hand_earlier(request: HttpRequest, club: Club, table_session: Session, key: UUID, change_id: int) -> HttpResponse:
    entry = hand_or_404(club, table_session, key)
    change = get_object_or_404(Change.objects.of_club(club).filter(session=table_session), pk=change_id)
    was = (change.after.get("entries") or {}).get(str(entry.key))
    if was is None:
        raise Http404("This change did not change this hand")
    back = ("hand", club.slug, table_session.pk, entry.key)
    if entry.removed:
        messages.error(request, REMOVED)
        return redirect(*back)
    sent = build_command(request, "correct", {"entry": str(entry.key), "version": entry.version, "body": was["body"]})
    then = timezone.localtime(change.at, timezone.get_current_timezone())
    sent["why"] = f"As it was on {day_words(then)}, {then:%H:%M}"
    return _preview_or_back(request, club, table_session, entry, sent, back, json.dumps(was["body"]))


# Who really sat where in a recorded hand: an entry for the seating goes before it.


def played_winds(entry: Entry) -> dict[str, int]:
    """Return the seat at each wind as the hand was scored: one with a question may have another seating by now."""
    scored = PlayerHand.objects.filter(hand=entry.hand).exclude(wind="").values_list("wind", "seat__seat_no")
    return dict(scored) or _seating(entry).seated


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def hand_seating(request: TableRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = played_hand_or_404(club, table_session, key)
    seating = _seating(entry)
    present = [seat for seat in seats_of(table_session) if seat.seat_no in seating.at_table]
    played = {wind: str(seat) for wind, seat in played_winds(entry).items()}
    form = SeatingForm(present, posted(request), initial=played, prefix="body-winds")
    if form.is_valid():
        body = {"before": str(entry.key), "kind": "seating", "body": form.body([str(seat) for seat in seating.out])}
        if answer := send_form(request, club, table_session, form, "insert", body):
            return answer
    context = {
        "club": club,
        "table_session": table_session,
        "entry": entry,
        "form": form,
        "exchange_form": ExchangeForm(present),
        **command_fields(table_session),
    }
    return render(request, "table/hand_seating.html", context, status=422 if form.errors else 200)


# What a change would do: every hand that differs, before and after, and the questions it opens.


class PreviewRefused(ValueError):
    """The change cannot be made; `error` is the scorer's, the rotation's or the service's."""

    def __init__(self, message, error):
        super().__init__(message)
        self.message = message
        self.error = error


def _preview_hand(request, club, table_session, entry, mode, body):
    """Show what recording the posted hand would change; what the rules refuse goes back to the entry page."""
    hand = read_posted_hand(request.POST, seat_numbers(_seating(entry)), offers(table_session))
    if hand.error:
        return _entry_page(request, club, table_session, entry, mode, hand, hand.error)
    sent = build_command(request, "insert" if mode == "insert" else "correct", {**body, "body": hand.body})
    try:
        return _preview_page(request, club, table_session, entry, sent, json.dumps(hand.body))
    except PreviewRefused as error:
        return _entry_page(request, club, table_session, entry, mode, hand, error)


def _preview_or_back(request, club, table_session, entry, sent, back, body_json=""):
    """Show the preview; if the change cannot be made, say so on the page `back`."""
    try:
        return _preview_page(request, club, table_session, entry, sent, body_json)
    except PreviewRefused as error:
        messages.error(request, error.message)
        return redirect(*back)


def _preview_page(request, club, table_session, entry, sent, body_json=""):
    """Show the preview of a command; PreviewRefused if it cannot be carried out."""
    preview = preview_command(table_session.pk, sent)
    if preview.message:
        raise PreviewRefused(preview.message, preview.error)
    kind, is_hand = KINDS[sent["kind"]], entry.kind == Entry.Kind.HAND
    words = kind.preview if is_hand else kind.other_preview
    assert words, "only kinds that are shown first come here"
    number = entry.hand.number if hasattr(entry, "hand") and not entry.removed else ""
    here = (club.slug, table_session.pk)
    locked, at_once = locked_season(request, table_session), corrects_closed(request, table_session)
    button = "Correct this hand" if at_once and kind is CORRECT else words.button
    agreeing = {}
    if kind.has_entry_body and not at_once:
        seats, _ = named_seats(table_session, _seating(entry))
        wrong_url = reverse("hand-change" if kind is CORRECT else "hand-insert", args=(*here, entry.key))
        agreeing = {"agree_seats": who_agrees(request, table_session, seats), "wrong_url": wrong_url}
    context = {
        "club": club,
        "table_session": table_session,
        "heading": words.heading.format(number),
        "preview": preview_data(preview) | ({"has_buttons": False} if at_once or agreeing.get("agree_seats") else {}),
        "last_tile": last_tile_words(entry.body, sent, preview.names),
        "questions": _questions(request, preview, table_session, kind, sent["body"]),
        "sent": sent,
        "body_json": body_json,
        "outbox_body": json.dumps(sent["body"]),
        "outbox_words": words.saved_as.format(number),
        "confirm_url": reverse(f"hand-{kind.key.replace('_', '-')}", args=(*here, entry.key)),
        "confirm_words": f"Unlock, {button.lower()}, lock again" if locked else button,
        "locked_season": locked,
        "at_once": at_once,
        "back_url": reverse("hand", args=(*here, entry.key)) if is_hand else reverse("table", args=here),
        **agreeing,
    }
    return render(request, "table/hand_preview.html", context)


def _questions(request, preview, table_session, kind, body):
    """Return the questions about totals typed without JavaScript; the script has asked its own."""
    if "body" in request.POST or request.method != "POST" or not kind.has_entry_body:
        return []
    names = {str(seat_no): name for seat_no, name in preview.names.items()}
    asked = questions_about_totals(table_session, kind.entry_body(body))
    return [f"{names.get(seat, '?')}: {question}" for seat, question in asked.items()]
