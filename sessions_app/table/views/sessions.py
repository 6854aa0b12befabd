"""Starting a session; restoring, moving and cancelling it."""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from clubscore.play.preview import preview_data
from clubscore.scoring import ScoringError
from sessions_app.models import Club, Meeting, Player, Season, Session
from sessions_app.people.log_pages import session_lines
from sessions_app.people.permissions import SCOREKEEPER, SECRETARY
from sessions_app.people.player_forms import short_name_for
from sessions_app.people.players import add_player
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.apply_command import apply_secretary_command, move_session
from sessions_app.table.carry_out import preview_command
from sessions_app.table.forms import MoveForm, VoidForm
from sessions_app.table.sessions import SeasonLocked, in_play, last_tables, starting_balance_words
from sessions_app.table.sessions import start_session as open_session
from sessions_app.table.start_form import StartForm
from sessions_app.table.views.command_requests import add_result_message, build_command
from sessions_app.table.what_will_be import questions_about_counting
from sessions_app.web.access import MemberRequest, TableRequest, actor, at_table, club_member, of_session
from sessions_app.web.requests import new_key, parse_id, posted, today_in


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def start_session(request: MemberRequest, club: Club) -> HttpResponse:
    earlier = _session_to_repeat(request, club)
    form, late = StartForm(club, posted(request), initial=_initial(club, earlier)), ""
    if form.is_valid():
        try:
            table_session = start_as_entered(request, club, form)
        except (ScoringError, ServiceError) as error:
            form.add_error(None, str(error))
            if isinstance(error, SeasonLocked) and request.membership.role in SECRETARY:
                late = _late_totals(form.cleaned_data, form.chosen())
        else:
            if why := starting_balance_words(table_session):
                messages.success(request, why)
            return redirect("table", club.slug, table_session.pk)
    context = {
        "club": club,
        "form": form,
        "late": late,
        "last_time": last_tables(club),
        "missing": list(_missing(earlier, form)) if earlier else [],
    }
    return render(request, "table/session_start.html", context, status=422 if form.errors else 200)


def _late_totals(data: dict[str, Any], chosen: Iterable[tuple[Any, str, bool]]) -> str:
    """Return the query of the page that adds the totals of a table as it was entered here."""
    fields = {"date": str(data["date"]), "table": data["table"], "player": [pk for pk, _, _ in chosen if pk]}
    return urlencode(fields, doseq=True)


def start_as_entered(request: TableRequest, club: Club, form: StartForm, tablet_key: UUID | None = None) -> Session:
    """Start the session that a valid form describes, and add the new players it names."""
    data = form.cleaned_data
    chosen = {name: data[name] for name in ("starting_balance", "sticks", "round_payments", "practice")}
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
            tablet_key=tablet_key,
            **chosen,
        )


def _session_to_repeat(request: MemberRequest, club: Club) -> Session | None:
    """Return the session that ?again= names, whose rules and players the form begins with."""
    again = parse_id(request.GET.get("again", ""))
    return Session.objects.of_club(club).filter(pk=again).first() if again else None


def _initial(club: Club, earlier: Session | None) -> dict[Any, Any]:
    today = today_in(club)
    taken = {card.session.table for card in in_play(club) if card.session.date == today}
    free = next(number for number in range(1, 100) if number not in taken)
    if earlier is None:
        return {"date": today, "table": free, "rules": club.rules, "sticks": club.stick_set}
    seats = earlier.seats.filter(at_start=True).order_by("seat_no")
    return {
        "date": today,
        "table": free if earlier.table in taken else earlier.table,
        "rules": earlier.rules,
        "sticks": earlier.sticks,
        "round_payments": earlier.house_rules.get("round_payments_to") == 10,
        **{f"player_{number}": seat.player_id for number, seat in enumerate(seats, 1)},
    }


def _missing(earlier: Session, form: StartForm) -> Iterator[str]:
    """Say why players of the earlier session have no seat on the form."""
    offered = {value for value, _ in form.fields["player_1"].choices}
    for seat in earlier.seats.select_related("player").order_by("seat_no"):
        if str(seat.player_id) not in offered:
            yield f"{seat.player} is no longer on the list of players."
        elif not seat.at_start:
            yield f"{seat.player} came later that day. Choose a seat here, or press “Add a player” at the table."


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SECRETARY)
def session_restore(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Show what going back to a step would change; a POST goes back."""
    step = (request.POST if request.method == "POST" else request.GET).get("step", "")
    sent = build_command(request, "go_back", {"change": parse_id(step) or 0})
    if request.method == "POST":
        result = apply_secretary_command(table_session.pk, sent, by=actor(request))
        add_result_message(request, result)
        return redirect("session-history", club.slug, table_session.pk)
    preview = preview_command(table_session.pk, sent)
    if preview.message:
        messages.error(request, preview.message)
        return redirect("session-history", club.slug, table_session.pk)
    context = {
        "club": club,
        "table_session": table_session,
        "line": next((line for line in session_lines(table_session) if line.pk == int(step)), None),
        "step": step,
        "preview": preview_data(preview),
        "command_key": sent["key"],
    }
    return render(request, "table/session_restore.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@of_session(*SECRETARY)
def session_move(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    initial = {
        "date": table_session.date,
        "table": table_session.table,
        "meeting_name": table_session.meeting.name,
    }
    form = MoveForm(posted(request), initial=initial)
    if form.is_valid():
        data = form.cleaned_data
        result = move_session(
            table_session,
            request.POST.get("key") or new_key(),
            data["date"],
            data["table"],
            data["meeting_name"],
            by=actor(request),
            why=data["why"],
        )
        if result.is_done:
            add_result_message(request, result)
            return redirect("session-sheet", club.slug, table_session.pk)
        form.add_error(getattr(result.error, "field", None), result.message)
    context = {
        "club": club,
        "table_session": table_session,
        "form": form,
        "seasons": Season.objects.of_club(club),
        "meetings": Meeting.objects.of_club(club).exclude(name="").order_by("-date")[:8],
        "command_key": new_key(),
    }
    return render(request, "table/session_move.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@of_session(*SECRETARY)
def session_void(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    form = VoidForm(posted(request))
    if form.is_valid():
        sent = build_command(request, "void", {})
        result = apply_secretary_command(table_session.pk, sent, by=actor(request))
        if result.is_done:
            add_result_message(request, result)
            return redirect("session-sheet", club.slug, table_session.pk)
        form.add_error(None, result.message)
    context = {"club": club, "table_session": table_session, "form": form, "command_key": new_key()}
    return render(request, "table/session_void.html", context, status=422 if form.errors else 200)


@require_POST
@of_session(*SECRETARY)
def session_count(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Let a cancelled session count again; what is asked of the tables as they will be is asked about first."""
    accepted = request.POST.getlist("accept")
    table_questions = questions_about_counting(table_session)
    if any(question.key not in accepted for question in table_questions):
        context = {
            "club": club,
            "table_session": table_session,
            "table_questions": table_questions,
            "accepted": accepted,
        }
        return render(request, "table/session_count.html", context | {"command_key": new_key()}, status=422)
    command = build_command(request, "count_again", {})
    add_result_message(request, apply_secretary_command(table_session.pk, command, by=actor(request)))
    return redirect("session-sheet", club.slug, table_session.pk)
