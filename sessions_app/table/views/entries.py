"""What a table's buttons write besides hands: who sits where, penalties, undo, finishing, choosing between hands."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from clubscore.play.command_kinds import KINDS, Value
from sessions_app.models import Club, Session
from sessions_app.people.permissions import SCOREKEEPER, SECRETARY, may_send, players_offered
from sessions_app.people.player_forms import short_name_for
from sessions_app.people.players import add_player
from sessions_app.people.transactions import ServiceError
from sessions_app.table.board import seats_of
from sessions_app.table.forms import (
    COMMAND_FORMS,
    ArriveForm,
    ChangePlayerForm,
    ExchangeForm,
    SeatingForm,
)
from sessions_app.table.sessions import current_seating
from sessions_app.table.views.board_page import board_context
from sessions_app.table.views.command_requests import add_result_message, back_to_table, send, send_form
from sessions_app.table.views.views_of_table import (
    FIELDS,
    beside,
    playing_elsewhere,
    seating_forms,
)
from sessions_app.web.access import TableRequest, actor, at_table
from sessions_app.web.requests import parse_uuid, posted


def _form_page(request, club, table_session, page, form, known=None, **context):
    """Show a page with a form; `known` is the context of the board, if it has been loaded."""
    known = known or board_context(request, club, table_session)
    context |= {"club": club, "table_session": table_session, "form": form} | {name: known[name] for name in FIELDS}
    context |= beside(request, table_session, known)
    return render(request, f"table/{page}.html", context, status=422 if form and form.errors else 200)


def _present(table_session: Session) -> list[Any]:
    at_table = current_seating(table_session).at_table
    return [seat for seat in seats_of(table_session) if seat.seat_no in at_table]


# Who sits where: as they really sat, two players exchanged, the wrong name.


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def seating(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if request.method != "POST":
        return _seating_page(request, club, table_session)
    form = SeatingForm(_present(table_session), request.POST)
    sitting_out = [str(seat) for seat in current_seating(table_session).out]
    return _send_seating(request, club, table_session, form, "seating", lambda: form.body(sitting_out))


@require_POST
@at_table(*SCOREKEEPER)
def exchange(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Exchange two players, from the hand that `entry` names, else from the next one."""
    form = ExchangeForm(_present(table_session), request.POST)
    entry = {"entry": request.POST["entry"]} if request.POST.get("entry") else {}
    return _send_seating(request, club, table_session, form, "exchange", lambda: form.cleaned_data | entry)


@require_POST
@at_table(*SCOREKEEPER)
def change_player(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    offered = players_offered(request.membership, table_session)
    form = ChangePlayerForm(club, seats_of(table_session), request.POST, players=offered)
    return _send_seating(request, club, table_session, form, "change_player", lambda: form.cleaned_data)


def _send_seating(request, club, table_session, form, kind, body):
    """Send the command of a valid form; show the page again with the errors of another."""
    answer = form.is_valid() and send_form(request, club, table_session, form, kind, body())
    return answer or _seating_page(request, club, table_session, form)


def _seating_page(request, club, table_session, wrong=None):
    """Show the page of all seating forms; `wrong` is the posted one that has errors."""
    known = board_context(request, club, table_session)
    board = known["board"]
    seating = board.done.seating
    present = [seat for seat in board.seats if seat.seat_no in seating.at_table]
    now = {wind: str(seat) for wind, seat in seating.seated.items()}
    forms = seating_forms(club, present, board.taken_seats, now, players_offered(request.membership, table_session))
    forms |= {name: wrong for name, form in forms.items() if type(form) is type(wrong)}
    return _form_page(request, club, table_session, "seating", wrong, known, board=board, **forms)


# Coming and going.


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def arrive(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    offered = players_offered(request.membership, table_session)
    form = ArriveForm(
        club,
        _present(table_session),
        posted(request),
        initial={"player": request.GET.get("player")},
        players=offered,
        playing=playing_elsewhere(table_session),
    )
    if form.is_valid():
        try:
            player = _add_player(request, club, form, offered) if form.is_new() else int(form.cleaned_data["player"])
        except ServiceError as error:
            form.add_error("name", str(error))
        else:
            if answer := send_form(request, club, table_session, form, "arrive", {"player": player}):
                return answer
    return _form_page(request, club, table_session, "arrive", form)


def _add_player(request, club, form, offered):
    """Put a new name on the club's list; from a tablet without an account it is a guest's, to be confirmed."""
    name, is_by_code = form.cleaned_data["name"], offered is not None
    guest = is_by_code or form.cleaned_data["guest"]
    return add_player(club, name, short_name_for(club, name), guest, by=actor(request), to_confirm=is_by_code).pk


# Forms whose fields are the body of their command.


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def command_form(request: TableRequest, club: Club, table_session: Session, kind: str) -> HttpResponse:
    """Show the form of a kind of command, and send what is posted; `player` is whose seat is chosen at first."""
    seats = _present(table_session)
    chosen = next((str(seat.seat_no) for seat in seats if str(seat.player_id) == request.GET.get("player")), None)
    form = COMMAND_FORMS[kind](seats, posted(request), initial={"seat": chosen})
    if form.is_valid() and (answer := send_form(request, club, table_session, form, kind, form.cleaned_data)):
        return answer
    return _form_page(request, club, table_session, "command_form", form, kind=kind)


# Penalties, and the buttons.


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCOREKEEPER)
def penalty(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Record a penalty outside a hand for a tablet that can keep nothing; hand entry asks for it."""
    if request.method != "POST":
        return redirect(f"{reverse('hand-new', args=[club.slug, table_session.pk])}#penalty")
    return _send_fields(request, club, table_session, "fine")


@require_POST
@at_table(*SCOREKEEPER)
def nobody(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    body: dict[str, Any] = {"hands": {}, "mahjong": None, "penalties": []}
    return back_to_table(request, club, table_session, send(request, table_session, "hand", body))


@require_POST
@at_table(*SCOREKEEPER)
def button(request: TableRequest, club: Club, table_session: Session, kind: str) -> HttpResponse:
    """Undo, redo or finish, say which are the last hands, or choose between two versions."""
    return _send_fields(request, club, table_session, kind)


def _send_fields(request: TableRequest, club: Club, table_session: Session, kind: str) -> HttpResponse:
    """Send the command of a form whose fields are named as the keys of its body; only digits are a number."""
    body: dict[str, Any] = {}
    for key, value in KINDS[kind].body.items():
        typed = request.POST.get(key, "").strip()
        is_number = value is Value.FIGURE and typed.isascii() and typed.isdigit() and len(typed) < 10
        if value is Value.ENTRIES:
            body[key] = request.POST.getlist(key)
        elif typed:
            body[key] = int(typed) if is_number else typed
    if not may_send(request.membership, table_session, kind, body):
        raise PermissionDenied
    return back_to_table(request, club, table_session, send(request, table_session, kind, body))


@require_POST
@at_table(*SECRETARY)
def reopen(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Open a finished session again; from a hand's page, go back to the hand."""
    result = send(request, table_session, "reopen", {})
    key = parse_uuid(request.POST.get("hand"))
    hand = table_session.entries.filter(key=key).first() if key else None
    table_session.refresh_from_db()
    if hand is None or not table_session.is_open:
        return back_to_table(request, club, table_session, result)
    add_result_message(request, result)
    messages.info(request, "Finish the table again at its table when the hand is right.")
    return redirect("hand", club.slug, table_session.pk, hand.key)
