"""Starting a session, and its sheet."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.rotation import OFFICIAL
from sessions_app.models import Club, Command, Player, Recording, Session
from sessions_app.people.permissions import READING, SCOREKEEPER, SECRETARY
from sessions_app.people.player_forms import short_name_for
from sessions_app.people.players import add_player
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.hand_queries import asked_about
from sessions_app.table.in_play import in_play, last_tables
from sessions_app.table.sessions import start_session as open_session
from sessions_app.table.sheet import Sheet, final_payments, seats_with_money
from sessions_app.table.sheet import session_sheet as read_sheet
from sessions_app.table.start_form import StartForm
from sessions_app.table.sticks import stick_accounts
from sessions_app.web.access import actor, club_member, of_session
from sessions_app.web.requests import id_in, posted, today_in


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def start_session(request: HttpRequest, club: Club) -> HttpResponse:
    form = StartForm(club, posted(request), initial=_likely(request, club))
    if request.method == "POST" and form.is_valid():
        try:
            table_session = _start(request, club, form)
        except (ScoringError, ServiceError) as error:
            form.add_error(None, str(error))
        else:
            return redirect("table", club.slug, table_session.pk)
    context = {"club": club, "form": form, "last_time": last_tables(club)}
    return render(request, "table/session_start.html", context, status=422 if form.errors else 200)


def _start(request, club, form):
    data = form.cleaned_data
    with write_transaction():
        known = {player.pk: player for player in Player.objects.of_club(club)}
        players = [
            known[pk] if pk else add_player(club, name, short_name_for(club, name), guest, by=actor(request))
            for pk, name, guest in form.chosen()
        ]
        return open_session(
            club,
            data["date"],
            data["table"],
            players,
            data["rules"],
            None,
            by=actor(request),
            meeting_name=form.meeting_name(),
            starting_balance=data["starting_balance"],
            sticks=data["sticks"],
            round_payments=data["round_payments"],
            practice=data["practice"],
        )


def _likely(request, club):
    """What the form begins with: today, the next free table, the club's rules; with ?again= another session's own."""
    today = today_in(club)
    taken = {card.session.table for card in in_play(club) if card.session.date == today}
    initial = {
        "date": today,
        "table": next(number for number in range(1, 100) if number not in taken),
        "rules": club.rules,
        "sticks": club.stick_set,
    }
    again = id_in(request.GET.get("again", ""))
    earlier = Session.objects.of_club(club).filter(pk=again).first() if again else None
    return initial | (_again(earlier, taken) if earlier else {})


def _again(earlier, taken):
    """The table, the rules and the seats of an earlier session, as it began."""
    seats = earlier.seats.filter(at_start=True).order_by("chair")
    table = {} if earlier.table in taken else {"table": earlier.table}
    players = {f"player_{number}": seat.player_id for number, seat in enumerate(seats, 1)}
    rounded = earlier.house_rules.get("round_payments_to") == 10
    return {**table, "rules": earlier.rules, "sticks": earlier.sticks, "round_payments": rounded, **players}


@require_safe
@of_session(*READING)
def session_sheet(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    page = sheet_page(read_sheet(table_session))
    context = {
        "club": club,
        **page,
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "is_secretary": request.membership.role in SECRETARY,
        "asked_about": asked_about([table_session]),
        "waiting": Command.objects.filter(session=table_session).waiting().count(),
    }
    return render(request, "table/session_sheet.html", context)


def sheet_page(sheet: Sheet) -> dict[str, Any]:
    """What the totals and the hands of one session need to be shown."""
    table_session = sheet.session
    rate = None if table_session.practice else table_session.club.points_rate
    return {
        "table_session": table_session,
        "sheet": sheet,
        "points_rate": rate,
        "seats_with_money": seats_with_money(sheet, rate),
        "final_payments": final_payments(sheet, rate),
        "adds_up": table_session.recording == Recording.STRAIGHT,
        "seats_change": RULE_SETS[table_session.rules].rotation == OFFICIAL,
        "stick_accounts": stick_accounts(table_session, sheet.seats),
    }
