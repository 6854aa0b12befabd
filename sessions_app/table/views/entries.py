"""Who sits where: seating as it really was, two players exchanged, the wrong name, coming and going."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from clubscore.scoring import RULE_SETS, house_rules
from clubscore.scoring.rotation import SeatingState
from clubscore.table.seatings import likely_seatings
from sessions_app.models import Club, Seat, Session
from sessions_app.people.permissions import SCORING, SECRETARY, may_send, players_offered
from sessions_app.people.player_forms import short_name_for
from sessions_app.people.players import add_player
from sessions_app.people.transactions import ServiceError
from sessions_app.table.forms import (
    ArriveForm,
    ChangePlayerForm,
    ExchangeForm,
    LeaveForm,
    PenaltyForm,
    SeatingForm,
    within_a_hand,
)
from sessions_app.table.sessions import current_seating, open_tables
from sessions_app.table.sheet import session_sheet
from sessions_app.table.views.command_requests import back_to_table, send, send_form, tell
from sessions_app.table.views.table import command_fields
from sessions_app.web.access import actor, at_table
from sessions_app.web.requests import parse_uuid, posted


def _seating_page(request, club, table_session, wrong=None):
    """Show the page of all seating forms; `wrong` is the posted one that has errors."""
    sheet, seating = session_sheet(table_session), current_seating(table_session)
    present = [seat for seat in sheet.seats if seat.chair in seating.at_table]
    now = {wind: str(seat) for wind, seat in seating.seated.items()}
    forms = seating_forms(club, present, sheet.seats, now, players_offered(request.membership, table_session))
    house = house_rules(table_session.rules, table_session.house_rules)
    names = {seat.chair: seat.player.name for seat in sheet.seats}
    before = SeatingState.from_dict(sheet.hands[-1].hand.chairs) if sheet.hands else None
    context = {
        "club": club,
        "table_session": table_session,
        "chairs": seating,
        "ready": likely_seatings(names, before, seating, house),
        **forms,
        **command_fields(sheet, seating),
    }
    if wrong is not None:
        context |= {f"{wrong.prefix}_form": wrong, "form": wrong}
    return render(request, "table/seating.html", context, status=422 if wrong is not None else 200)


def seating_forms(club: Club, present: Any, everyone: Any, now: Any = None, players: Any = None) -> dict[str, Any]:
    """Return the forms of who sits where: for the seats at the table, who sits there now, and the players offered."""
    return {
        "seating_form": SeatingForm(present, initial=now, prefix="seating"),
        "exchange_form": ExchangeForm(present, prefix="exchange"),
        "player_form": ChangePlayerForm(club, everyone, prefix="player", players=players),
    }


def _present(table_session):
    at_table = current_seating(table_session).at_table
    return [seat for seat in session_sheet(table_session).seats if seat.chair in at_table]


def _answer(request, club, table_session, form, kind, body):
    """Send the command; an invalid one comes back on the page with its sentence."""
    answer = send_form(request, club, table_session, form, kind, body)
    return answer or _seating_page(request, club, table_session, form)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def seating(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if request.method != "POST":
        return _seating_page(request, club, table_session)
    form = SeatingForm(_present(table_session), request.POST, prefix="seating")
    if not form.is_valid():
        return _seating_page(request, club, table_session, form)
    out = [str(seat) for seat in current_seating(table_session).out]
    return _answer(request, club, table_session, form, "seating", form.body(out))


@require_POST
@at_table(*SCORING)
def exchange(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    form = ExchangeForm(_present(table_session), request.POST, prefix="exchange")
    if not form.is_valid():
        return _seating_page(request, club, table_session, form)
    # From the next hand on where no hand is named.
    entry = {"entry": request.POST["entry"]} if request.POST.get("entry") else {}
    return _answer(request, club, table_session, form, "exchange", {**form.cleaned_data, **entry})


@require_POST
@at_table(*SCORING)
def change_player(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    seen = players_offered(request.membership, table_session)
    seats = session_sheet(table_session).seats
    form = ChangePlayerForm(club, seats, request.POST, prefix="player", players=seen)
    if not form.is_valid():
        return _seating_page(request, club, table_session, form)
    body = {"seat": form.cleaned_data["seat"], "player": int(form.cleaned_data["player"])}
    return _answer(request, club, table_session, form, "change_player", body)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def arrive(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    seen = players_offered(request.membership, table_session)
    initial = {"player": request.GET.get("player")}
    playing = {} if table_session.practice else open_tables(club.pk, table_session.date, besides=table_session)
    present = _present(table_session)
    form = ArriveForm(club, present, posted(request), initial=initial, players=seen, playing=playing)
    if request.method == "POST" and form.is_valid():
        try:
            player = _added(request, club, form, seen) if form.is_new() else int(form.cleaned_data["player"])
        except ServiceError as error:
            form.add_error("name", str(error))
            return _coming_and_going(request, club, table_session, "arrive", form)
        if answer := send_form(request, club, table_session, form, "arrive", {"player": player}):
            return answer
    return _coming_and_going(request, club, table_session, "arrive", form)


def _added(request, club, form, seen):
    """Put a new name on the club's list; from a tablet without a login it is a guest's, to be confirmed."""
    name, is_by_code = form.cleaned_data["name"], seen is not None
    guest = is_by_code or form.cleaned_data["guest"]
    return add_player(club, name, short_name_for(club, name), guest, by=actor(request), to_confirm=is_by_code).pk


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def leave(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    seats = _present(table_session)
    leaving = [str(seat.chair) for seat in seats if str(seat.player_id) == request.GET.get("player")]
    form = LeaveForm(seats, posted(request), initial={"seat": leaving[0] if leaving else None})
    is_ready = request.method == "POST" and form.is_valid()
    if is_ready and (answer := send_form(request, club, table_session, form, "leave", form.cleaned_data)):
        return answer
    return _coming_and_going(request, club, table_session, "leave", form)


def _coming_and_going(request, club, table_session, page, form):
    fields = command_fields(session_sheet(table_session), current_seating(table_session))
    context = {"club": club, "table_session": table_session, "form": form, **fields}
    return render(request, f"table/{page}.html", context, status=422 if form.errors else 200)


# What the table's buttons write besides hands: nobody, penalties, undo, redo, finish, choosing between two hands.


@require_POST
@at_table(*SCORING)
def nobody(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    body = {"hands": {}, "mahjong": None, "penalties": []}
    return back_to_table(request, club, table_session, send(request, table_session, "hand", body))


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def penalty(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    sheet, seating = session_sheet(table_session), current_seating(table_session)
    page = penalty_page(table_session, [seat for seat in sheet.seats if seat.chair in seating.winds], posted(request))
    form = page["form"]
    is_ready = request.method == "POST" and form.is_valid()
    if is_ready and (answer := send_form(request, club, table_session, form, *form.command())):
        return answer
    context = {"club": club, "table_session": table_session, **page, **command_fields(sheet, seating)}
    return render(request, "table/penalty.html", context, status=422 if form.errors else 200)


def penalty_page(table_session: Session, playing: list[Seat], data: Any = None) -> dict[str, Any]:
    """Return the form of a penalty for those who play, and what the page says of other penalties."""
    rules = RULE_SETS[table_session.rules]
    form = PenaltyForm(rules.house(table_session.house_rules), playing, data)
    return {"form": form, "within_a_hand": within_a_hand(rules), "no_hu_for": rules.no_hu_for}


@require_POST
@at_table(*SCORING)
def undo(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Undo the last change; finishing by mistake, too, but not a meeting of long ago."""
    return _send(request, club, table_session, "undo", {})


@require_POST
@at_table(*SCORING)
def redo(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    return _send(request, club, table_session, "redo", {})


@require_POST
@at_table(*SCORING)
def finish(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    return back_to_table(request, club, table_session, send(request, table_session, "finish", {}))


@require_POST
@at_table(*SECRETARY)
def reopen(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Open a finished session again; asked for on a hand's page, it leads back to the hand."""
    answer = send(request, table_session, "reopen", {})
    hand = table_session.entries.filter(key=parse_uuid(request.POST.get("hand"))).first()
    table_session.refresh_from_db()
    if hand is None or not table_session.is_open:
        return back_to_table(request, club, table_session, answer)
    tell(request, answer)
    messages.info(request, "Finish the session again at its table when the hand is right.")
    return redirect("hand", club.slug, table_session.pk, hand.key)


@require_POST
@at_table(*SCORING)
def choose(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Choose between two records; what came after a session was finished is the secretary's to keep or drop."""
    body = {"keep": request.POST.get("keep") or None, "drop": request.POST.getlist("drop")}
    return _send(request, club, table_session, "choose", body)


def _send(request, club, table_session, kind, body):
    if not may_send(request.membership, table_session, kind, body):
        raise PermissionDenied
    return back_to_table(request, club, table_session, send(request, table_session, kind, body))
