"""Is that right? A member asks about a hand; the secretary sees what is open, and answers."""

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Doubt
from sessions_app.people.permissions import READING, SECRETARY, TABLE
from sessions_app.people.transactions import ServiceError
from sessions_app.table.forms import AnswerForm, AskForm
from sessions_app.table.hand_queries import answer, ask, doubts_of_club, doubts_of_hand, has_changed, read_answers
from sessions_app.table.sheet import seats_of
from sessions_app.table.views.hand_page import hand_entry_or_404
from sessions_app.web.access import actor, at_table, club_member
from sessions_app.web.requests import posted

SENT = "The secretary has your question. The answer will appear with this hand, and you will be told."


@require_http_methods(["GET", "HEAD", "POST"])
@at_table(*READING)
def hand_doubt(request, club, table_session, key):
    entry = hand_entry_or_404(club, table_session, key)
    form = AskForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            ask(entry, form.cleaned_data["text"], by=actor(request))
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, SENT)
            return redirect("hand", club.slug, table_session.pk, entry.key)
    context = {"club": club, "table_session": table_session, "entry": entry, "form": form}
    return render(request, "table/hand_doubt.html", context, status=422 if form.errors else 200)


@require_POST
@at_table(*READING)
def answer_read(request, club, table_session, key):
    """“I have read it”: from the club's page, or from a tablet at the table."""
    read_answers(hand_entry_or_404(club, table_session, key), by=actor(request))
    is_tablet = request.membership.role == TABLE
    return redirect("table", club.slug, table_session.pk) if is_tablet else redirect("club", club.slug)


@require_safe
@club_member(*SECRETARY)
def doubts(request, club):
    waiting, answered = doubts_of_club(club)
    return render(request, "table/doubts.html", {"club": club, "waiting": waiting, "answered": answered})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def doubt(request, club, doubt_id):
    """Answer one question."""
    found = Doubt.objects.of_club(club).select_related("session", "entry__hand")
    one = get_object_or_404(found, pk=doubt_id)
    form = AnswerForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            answer(one, form.cleaned_data["outcome"], form.cleaned_data["text"], by=actor(request))
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, "Your answer now appears with the hand.")
            return redirect("hand", club.slug, one.session_id, one.entry.key)
    told = next(told for told in doubts_of_hand(one.entry, seats_of(one.session)) if told.doubt.pk == one.pk)
    context = {"club": club, "told": told, "form": form, "table_session": one.session, "has_changed": has_changed(one)}
    return render(request, "table/doubt.html", context, status=422 if form.errors else 200)
