"""A session as a whole: every step of it, going back to an earlier one, moving it, making it void."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Club, Meeting, Season, Session
from sessions_app.people.log_pages import session_lines
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.table.commands import apply_at_desk, move_session
from sessions_app.table.forms import MoveForm, VoidForm
from sessions_app.table.preview import preview_command
from sessions_app.table.rescore import preview_rescore, rescore_season, rescore_session, sessions_of_older_editions
from sessions_app.table.views.command_requests import command, tell
from sessions_app.table.views.preview_page import changed_rows, summary, total_lines
from sessions_app.web.access import actor, at_table, club_member, of_session
from sessions_app.web.requests import id_in, new_key, posted


@require_safe
@of_session(*SECRETARY)
def session_history(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    lines = session_lines(table_session)
    context = {
        "club": club,
        "table_session": table_session,
        "lines": lines,
        # Of what was done last there is nothing to go back to.
        "newest": lines[0].pk if lines else None,
        "command_key": new_key(),
    }
    return render(request, "table/session_history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SECRETARY)
def session_restore(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Show what going back to a step would change; a POST goes back."""
    step = (request.POST if request.method == "POST" else request.GET).get("step", "")
    sent = command(request, "go_back", {"change": int(step) if step.isdecimal() and len(step) < 19 else 0})
    if request.method == "POST":
        answer = apply_at_desk(table_session.pk, sent, by=actor(request))
        tell(request, answer)
        return redirect("session-history", club.slug, table_session.pk)
    preview = preview_command(table_session.pk, sent)
    if preview.message:
        messages.error(request, preview.message)
        return redirect("session-history", club.slug, table_session.pk)
    rows = changed_rows(preview)
    context = {
        "club": club,
        "table_session": table_session,
        "line": next((line for line in session_lines(table_session) if line.pk == int(step)), None),
        "step": step,
        "summary": summary(rows, preview),
        "changes": preview.changes,
        "rows": rows,
        "totals": total_lines(preview),
        "names": list(preview.names.values()),
        "has_sitter": any(row.sits_out for row in [*preview.before, *preview.after]),
        "command_key": sent["key"],
    }
    return render(request, "table/session_restore.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@of_session(*SECRETARY)
def session_move(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    initial = {
        "date": table_session.date,
        "table": table_session.table,
        "meeting_name": table_session.meeting.name,
    }
    form = MoveForm(posted(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        answer = move_session(
            table_session,
            command(request, "move", {})["key"],
            data["date"],
            data["table"],
            data["meeting_name"],
            by=actor(request),
            why=data["why"],
        )
        if answer.status < 300:
            tell(request, answer)
            return redirect("session-sheet", club.slug, table_session.pk)
        form.add_error(getattr(answer.error, "field", None) if answer.error else None, answer.message)
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
def session_void(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    form = VoidForm(posted(request))
    if request.method == "POST" and form.is_valid():
        sent = command(request, "void", {})
        answer = apply_at_desk(table_session.pk, sent, by=actor(request))
        if answer.status < 300:
            tell(request, answer)
            return redirect("session-sheet", club.slug, table_session.pk)
        form.add_error(None, answer.message)
    context = {"club": club, "table_session": table_session, "form": form, "command_key": new_key()}
    return render(request, "table/session_void.html", context, status=422 if form.errors else 200)


@require_POST
@of_session(*SECRETARY)
def session_count(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Take the voiding back."""
    tell(request, apply_at_desk(table_session.pk, command(request, "count_again", {}), by=actor(request)))
    return redirect("session-sheet", club.slug, table_session.pk)


# Each is reckoned twice for the page; of a club's whole past it would be thousands.
SHOWN = 10


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def rescore(request: HttpRequest, club: Club) -> HttpResponse:
    error = ""
    if request.method == "POST":
        try:
            told = _carry_out(request, club)
        except ServiceError as problem:
            error = str(problem)
        else:
            messages.success(request, told)
            return redirect("rescore", club.slug)
    sessions = sessions_of_older_editions(club)
    seasons = Season.objects.of_club(club).filter(locked=False, sessions__in=sessions.order_by()).distinct()
    previews = [preview_rescore(session.pk) for session in sessions[:SHOWN]]
    context = {
        "club": club,
        "error": error,
        "why": request.POST.get("why", ""),
        "previews": previews,
        "more": sessions.count() - len(previews) if len(previews) == SHOWN else 0,
        "seasons": seasons.order_by("starts_on"),
    }
    return render(request, "table/rescore.html", context, status=422 if error else 200)


def _carry_out(request, club):
    why = request.POST.get("why", "")[:500]
    season_id, session_id = (id_in(request.POST.get(name, "")) for name in ("season", "session"))
    if season_id is not None:
        season = get_object_or_404(Season.objects.of_club(club), pk=season_id)
        number = rescore_season(season, by=actor(request), why=why)
        return f"{number} session{'' if number == 1 else 's'} of {season.name} rescored."
    if session_id is not None:
        session = get_object_or_404(Session.objects.of_club(club), pk=session_id, imported=False)
        rescore_session(session, by=actor(request), why=why)
        return f"Table {session.table} of {session.date:%-d %B %Y} is rescored."
    raise ServiceError("Choose a session or a season to rescore.")
