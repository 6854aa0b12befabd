"""A session as a whole: every step of it, going back to an earlier one, moving it, making it void."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Meeting, Season
from sessions_app.people.log_pages import session_lines
from sessions_app.people.permissions import SECRETARY
from sessions_app.table.commands import apply_at_desk, move_session
from sessions_app.table.forms import MoveForm, VoidForm
from sessions_app.table.preview import preview_command
from sessions_app.table.views.command_requests import command, tell
from sessions_app.table.views.preview_page import changed_rows, summary, total_lines
from sessions_app.web.access import actor, at_table, of_session
from sessions_app.web.requests import new_key, posted


@require_safe
@of_session(*SECRETARY)
def session_history(request, club, table_session):
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
def session_restore(request, club, table_session):
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
def session_move(request, club, table_session):
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
def session_void(request, club, table_session):
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
def session_count(request, club, table_session):
    """Take the voiding back."""
    tell(request, apply_at_desk(table_session.pk, command(request, "count_again", {}), by=actor(request)))
    return redirect("session-sheet", club.slug, table_session.pk)
