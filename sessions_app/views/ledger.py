"""What the table's buttons write besides hands: nobody, penalties, undo, redo, finish, choosing between two hands."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from clubscore.scoring import RULE_SETS
from sessions_app.forms.ledger import PenaltyForm, within_a_hand
from sessions_app.queries.sheet import session_sheet
from sessions_app.services.sessions import current_chairs
from sessions_app.views.board import command_fields
from sessions_app.views.decorators import SCORING, SECRETARY, at_table
from sessions_app.views.door import as_uuid, back_to_table, may_send, send, tell
from sessions_app.views.forms import posted


@require_POST
@at_table(*SCORING)
def nobody(request, club, table_session):
    body = {"hands": {}, "mahjong": None, "penalties": []}
    return back_to_table(request, club, table_session, send(request, table_session, "hand", body))


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*SCORING)
def penalty(request, club, table_session):
    sheet, chairs = session_sheet(table_session), current_chairs(table_session)
    present = [seat for seat in sheet.seats if seat.chair in chairs.at_table]
    rules = RULE_SETS[table_session.rules]
    form = PenaltyForm(rules, present, [str(seat) for seat in chairs.seated.values()], posted(request))
    if request.method == "POST" and form.is_valid():
        answer = send(request, table_session, *form.command())
        if answer.outcome != "invalid":
            return back_to_table(request, club, table_session, answer)
        form.add_error(None, answer.message)
    told = {"within_a_hand": within_a_hand(rules), "no_hu_for": rules.no_hu_for}
    context = {"club": club, "table_session": table_session, "form": form, **told, **command_fields(sheet, chairs)}
    return render(request, "sessions_app/penalty.html", context, status=422 if form.errors else 200)


@require_POST
@at_table(*SCORING)
def undo(request, club, table_session):
    """Undo the last change; finishing by mistake, too, but not an afternoon of long ago."""
    return _send(request, club, table_session, "undo", {})


@require_POST
@at_table(*SCORING)
def redo(request, club, table_session):
    return _send(request, club, table_session, "redo", {})


@require_POST
@at_table(*SCORING)
def finish(request, club, table_session):
    return back_to_table(request, club, table_session, send(request, table_session, "finish", {}))


@require_POST
@at_table(*SECRETARY)
def reopen(request, club, table_session):
    """Open a finished session again; asked for beside a hand, it leads back to the hand."""
    answer = send(request, table_session, "reopen", {})
    hand = table_session.entries.filter(key=as_uuid(request.POST.get("hand"))).first()
    table_session.refresh_from_db()
    if hand is None or not table_session.is_open:
        return back_to_table(request, club, table_session, answer)
    tell(request, answer)
    messages.info(request, "Finish the session again at its table when the hand is right.")
    return redirect("hand", club.slug, table_session.pk, hand.key)


@require_POST
@at_table(*SCORING)
def choose(request, club, table_session):
    """Choose between two records; what came after a session was finished is the secretary's to take in or drop."""
    body = {"keep": request.POST.get("keep") or None, "drop": request.POST.getlist("drop")}
    return _send(request, club, table_session, "choose", body)


def _send(request, club, table_session, kind, body):
    if not may_send(request.membership, table_session, kind, body):
        raise PermissionDenied
    return back_to_table(request, club, table_session, send(request, table_session, kind, body))
