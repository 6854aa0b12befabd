"""Changing the ledger at an older hand: correct it, put one before it, take it out; what follows is shown first."""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.scoring.rotation import SeatingState
from clubscore.table.command_kinds import CORRECT, KINDS, PUT_BACK, TAKE_OUT, CommandKind
from clubscore.table.entry_score import questions_about_totals
from clubscore.table.preview import Preview, preview_data
from sessions_app.models import Change, Club, Entry, Hand, PlayerHand, Session
from sessions_app.people.permissions import SCORING
from sessions_app.table.apply_command import correct_in_locked_season
from sessions_app.table.carry_out import preview_command
from sessions_app.table.forms import ExchangeForm, SeatingForm
from sessions_app.table.hand_form import clean_body, read_hand, read_json
from sessions_app.table.sessions import current_seating
from sessions_app.table.sheet import session_sheet
from sessions_app.table.views.command_requests import back_to_table, command, send, send_form, tell
from sessions_app.table.views.entry_page import entry_page, offers, seats_of, who_agrees
from sessions_app.table.views.hand_entry import hand_command, seat_numbers
from sessions_app.table.views.hand_page import hand_entry_or_404, line_or_404, locked_season
from sessions_app.table.views.table import bottom_of, command_fields
from sessions_app.web.access import actor, at_table
from sessions_app.web.requests import posted


@require_safe
@at_table(*SCORING)
def change_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = played_hand_or_404(club, table_session, key)
    return _entry(request, club, table_session, entry, "change", entry.body)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def insert_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Show the entry page for a hand before this one; a POST shows what it changes, a confirmed one records it."""
    entry = played_hand_or_404(club, table_session, key)
    if request.method != "POST":
        return _entry(request, club, table_session, entry, "insert")
    if request.POST.get("confirmed"):
        body = {"before": str(entry.key), "kind": "hand", "body": _confirmed_body(request)}
        return back_to_table(request, club, table_session, send(request, table_session, "insert", body))
    posted = read_hand(request.POST, seat_numbers(_seating(entry)), offers(table_session))
    body = {"before": str(entry.key), "kind": "hand", "body": posted.body}
    return _preview(request, club, table_session, entry, "insert", posted, body)


@require_POST
@at_table(*SCORING)
def preview_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Show what a correction, taking out or putting back would change in every following hand."""
    entry = line_or_404(club, table_session, key)
    kind = request.POST.get("kind")
    if kind in (TAKE_OUT.key, PUT_BACK.key):
        sent = command(request, kind, line_known(request, entry))
        return _preview_or_back(request, club, table_session, entry, sent, ("table", club.slug, table_session.pk))
    entry = played_hand_or_404(club, table_session, key)
    posted = read_hand(request.POST, seat_numbers(_seating(entry)), offers(table_session))
    body = {**line_known(request, entry), "body": posted.body}
    return _preview(request, club, table_session, entry, "change", posted, body)


@require_POST
@at_table(*SCORING)
def correct_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = hand_entry_or_404(club, table_session, key)
    body = {**line_known(request, entry), "body": _confirmed_body(request)}
    chosen = {**body, "keep_seats": True} if request.POST.get("keep_seats") else body
    if locked_season(request, table_session) is None:
        return back_to_table(request, club, table_session, send(request, table_session, "correct", chosen))
    sent = command(request, "correct", body)
    answer = correct_in_locked_season(table_session.pk, {**sent, "body": chosen}, by=actor(request))
    tell(request, answer)
    if getattr(answer.error, "field", None) == "why":
        return preview_page(request, club, table_session, entry, sent, json.dumps(body["body"]))
    return redirect("hand", club.slug, table_session.pk, entry.key)


@require_POST
@at_table(*SCORING)
def take_out_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = line_or_404(club, table_session, key)
    known = line_known(request, entry)
    return back_to_table(request, club, table_session, send(request, table_session, "take_out", known))


@require_POST
@at_table(*SCORING)
def put_back_hand(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = line_or_404(club, table_session, key)
    known = line_known(request, entry)
    return back_to_table(request, club, table_session, send(request, table_session, "put_back", known))


def played_hand_or_404(club: Club, table_session: Session, key: UUID) -> Entry:
    """Return the entry of a hand that counts; one that was taken out can only be put back."""
    entry = hand_entry_or_404(club, table_session, key)
    if entry.taken_out or not hasattr(entry, "hand"):
        raise Http404("This hand was removed")
    return entry


def line_known(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    """Name a line, and the version of it that the page showed: a later one makes the change contested."""
    version = request.POST.get("version") or request.GET.get("version", "")
    known = {"version": int(version)} if version.isdecimal() and len(version) < 9 else {}
    return {"entry": str(entry.key), **known}


def _seating(entry):
    return SeatingState.from_dict(entry.hand.chairs)


def _confirmed_body(request):
    body = clean_body(read_json(request.POST.get("body", "")))
    return {**body, "agreed": request.POST["agreed"]} if "agreed" in request.POST else body


def _version_known(request, entry):
    return line_known(request, entry).get("version", entry.version)


def _preview(request, club, table_session, entry, mode, posted, body):
    """Show the preview; what the rules refuse goes back to the entry page with its sentence."""
    if posted.error:
        return _entry(request, club, table_session, entry, mode, posted.body, posted, posted.error)
    kind = "insert" if mode == "insert" else "correct"
    sent = hand_command(kind, body, posted)
    try:
        return preview_page(request, club, table_session, entry, sent, json.dumps(posted.body))
    except Refused as error:
        return _entry(request, club, table_session, entry, mode, posted.body, posted, error)


def _preview_or_back(request, club, table_session, entry, sent, back, body_json=""):
    """Show the preview; what cannot be done is said on the page that `back` names."""
    try:
        return preview_page(request, club, table_session, entry, sent, body_json)
    except Refused as error:
        messages.error(request, error.message)
        return redirect(*back)


def _entry(request, club, table_session, entry, mode, body=None, posted=None, error=None):
    here = (club.slug, table_session.pk)
    last = Entry.objects.filter(session=table_session).active().order_by("position").last()
    save = reverse("hand-preview" if mode == "change" else "hand-insert", args=(*here, entry.key))
    known = {"entry": str(entry.key), "version": _version_known(request, entry)}
    context = entry_page(
        table_session,
        _seating(entry),
        number=entry.hand.number,
        urls={
            "score": reverse("hand-score", args=here) + f"?{'hand' if mode == 'change' else 'before'}={entry.key}",
            "save": f"{save}?version={known['version']}" if mode == "change" else save,
            "page": reverse(f"hand-{mode}", args=(*here, entry.key)),
            "back": reverse("hand", args=(*here, entry.key)),
        },
        mode=mode,
        body=body,
        key=posted.key if posted else None,
        after=posted.after if posted else str(last.key),
        error=error,
        entry=known,
    )
    bottom = bottom_of(request, table_session, current_seating(table_session))
    page = {"club": club, "table_session": table_session, "bottom": bottom, **context}
    return render(request, "table/hand_entry.html", page, status=422 if error else 200)


# A hand as it was at an earlier step of its log: what bringing that back would change, before it is done.

OUT = "This hand was removed. Restore it first."


@require_safe
@at_table(*SCORING)
def hand_earlier(request: HttpRequest, club: Club, table_session: Session, key: UUID, change_id: int) -> HttpResponse:
    entry = hand_entry_or_404(club, table_session, key)
    change = get_object_or_404(Change.objects.of_club(club).filter(session=table_session), pk=change_id)
    was = (change.after.get("entries") or {}).get(str(entry.key))
    if was is None:
        raise Http404("This change did not change this hand")
    sent = command(request, "correct", {"entry": str(entry.key), "version": entry.version, "body": was["body"]})
    sent["why"] = f"As it was on {timezone.localtime(change.at, timezone.get_current_timezone()):%-d %B %Y, %H:%M}"
    back = ("hand", club.slug, table_session.pk, entry.key)
    if entry.taken_out:
        messages.error(request, OUT)
        return redirect(*back)
    return _preview_or_back(request, club, table_session, entry, sent, back, json.dumps(was["body"]))


# Who really sat where in a hand already recorded: a line of seating goes before it.


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def hand_seating(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    entry = played_hand_or_404(club, table_session, key)
    sheet, seating = session_sheet(table_session), SeatingState.from_dict(entry.hand.chairs)
    present = [seat for seat in sheet.seats if seat.chair in seating.at_table]
    played = played_winds(entry.hand) or {wind: str(seat) for wind, seat in seating.seated.items()}
    form = SeatingForm(present, posted(request), initial=played, prefix="seating")
    if request.method == "POST" and form.is_valid():
        line = {"before": str(entry.key), "kind": "seating", "body": form.body([str(seat) for seat in seating.out])}
        if answer := send_form(request, club, table_session, form, "insert", line):
            return answer
    context = {
        "club": club,
        "table_session": table_session,
        "entry": entry,
        "form": form,
        "exchange_form": ExchangeForm(present, prefix="exchange"),
        **command_fields(sheet, current_seating(table_session)),
    }
    return render(request, "table/hand_seating.html", context, status=422 if form.errors else 200)


def played_winds(hand: Hand) -> dict[str, str]:
    """Return who had which wind when the hand was scored; a hand open to question may have another seating by now."""
    rows = PlayerHand.objects.filter(hand=hand).exclude(wind="").values_list("wind", "seat__chair")
    return {wind: str(chair) for wind, chair in rows}


# What a change would do, before it is done: every hand that differs, before and after, and the questions it opens.


class Refused(ValueError):
    """The change cannot be made; `error` is the scorer's, the rotation's or the service's."""

    def __init__(self, message, error):
        super().__init__(message)
        self.message = message
        self.error = error


def preview_page(
    request: HttpRequest, club: Club, table_session: Session, entry: Entry, sent: dict[str, Any], body_json: str = ""
) -> HttpResponse:
    """Answer with the preview of a command; Refused where it cannot be carried out."""
    preview = preview_command(table_session.pk, sent)
    if preview.message:
        raise Refused(preview.message, preview.error)
    kind, is_hand = KINDS[sent["kind"]], entry.kind == Entry.Kind.HAND
    words = kind.preview if is_hand else kind.other_preview
    number = entry.hand.number if hasattr(entry, "hand") and not entry.taken_out else ""
    locked = locked_season(request, table_session) if kind is CORRECT else None
    asked = {} if locked else asked_with(request, club, table_session, entry, kind)
    context = {
        "club": club,
        "table_session": table_session,
        "heading": words.heading.format(number),
        "preview": preview_data(preview) | ({"has_buttons": False} if locked or asked.get("agree_seats") else {}),
        "last_tile": _last_tile_words(entry, sent, preview),
        "doubtful": doubtful_in(request, preview, table_session, kind, sent["body"]),
        "sent": sent,
        "body_json": body_json,
        "outbox_body": json.dumps(sent["body"]),
        "outbox_words": words.saved_as.format(number),
        "confirm_url": address(club, table_session, f"hand-{kind.key.replace('_', '-')}", entry),
        "confirm_words": words.button,
        "locked_season": locked,
        "back_url": address(club, table_session, "hand", entry)
        if is_hand
        else reverse("table", args=[club.slug, table_session.pk]),
        **asked,
    }
    return render(request, "table/hand_preview.html", context)


def _last_tile_words(entry, sent, preview):
    """Say where the last tile comes from now; nothing where that, or who won, is not what a correction changes."""
    was, now = (body.get("mahjong") for body in (entry.body, sent["body"].get("body") or {}))
    is_same_winner = isinstance(was, dict) and isinstance(now, dict) and was.get("by") == now.get("by")
    if sent["kind"] != CORRECT.key or not is_same_winner or was.get("from") == now.get("from"):
        return ""
    sources = {str(seat_no): f"{name}’s discard" for seat_no, name in preview.names.items()}
    sources |= {"wall": "from the wall", "kong box": "from the Kong box"}
    return f"The last tile is now {sources.get(str(now.get('from')), 'of unknown origin')}."


def doubtful_in(
    request: HttpRequest, preview: Preview, table_session: Session, kind: CommandKind, body: dict[str, Any]
) -> list[str]:
    """Return the questions about totals typed without JavaScript; the tablet's script has asked its own."""
    if "body" in request.POST or request.method != "POST" or not kind.has_entry_body:
        return []
    names = {str(chair): name for chair, name in preview.names.items()}
    asked = questions_about_totals(table_session, kind.entry_body(body))
    return [f"{names.get(seat, '?')}: {question}" for seat, question in asked.items()]


def asked_with(
    request: HttpRequest, club: Club, table_session: Session, entry: Entry, kind: CommandKind
) -> dict[str, Any]:
    """Return who may agree to a hand corrected or put in, and where it is entered again."""
    if not kind.has_entry_body:
        return {}
    seats, _ = seats_of(table_session, SeatingState.from_dict(entry.hand.chairs))
    wrong_url = address(club, table_session, "hand-change" if kind is CORRECT else "hand-insert", entry)
    return {"agree_seats": who_agrees(request, table_session, seats), "wrong_url": wrong_url}


def address(club: Club, table_session: Session, name: str, entry: Entry) -> str:
    return reverse(name, args=[club.slug, table_session.pk, entry.key])
