"""A meeting's fees, and its results by email."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from sessions_app.exchange.exports.results_mail import mail_text, results_mail, sessions_of
from sessions_app.exchange.forms import ResultsMailForm
from sessions_app.meetings.forms import FeesForm
from sessions_app.meetings.queries import fee_list
from sessions_app.meetings.services import note_fees
from sessions_app.meetings.views import of_meeting
from sessions_app.models import Club, Contact
from sessions_app.people.mailing import mail_refusal, mail_results, typed_addresses_from
from sessions_app.people.permissions import SCOREKEEPER, SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.web.access import actor, club_member
from sessions_app.web.requests import posted


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def meeting_fees(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Show and save who owes what for a meeting and who has paid; 404 if the club keeps no fees."""
    if not club.keeps_fees:
        raise Http404("This club keeps no fees")
    meeting = of_meeting(request, club, meeting_id)
    fees = fee_list(meeting)
    form = FeesForm(fees.people, posted(request))
    if request.method == "POST" and form.is_valid():
        changed = note_fees(meeting, form.chosen(), by=actor(request))
        messages.success(request, "The fees are saved." if changed else "Nothing was changed.")
        return redirect("meeting-fees", club.slug, meeting.pk)
    context = {"club": club, "meeting": meeting, "fees": fees, "form": form}
    return render(request, "exchange/meeting_fees.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def meeting_mail(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Send the results by email, to members with an address and to addresses typed in."""
    meeting = of_meeting(request, club, meeting_id)
    sessions = sessions_of(meeting)
    contacts = Contact.objects.of_club(club).filter(player__merged_into=None, player__left_on=None).exclude(email="")
    contacts = contacts.select_related("player").order_by("player__full_name")
    refusal = mail_refusal(request.user)
    others_from = typed_addresses_from(club)
    can_send = sessions and not refusal
    form = ResultsMailForm(contacts, posted(request), takes_others=others_from is None) if can_send else None
    text = mail_text(meeting, sessions)
    if request.method == "POST" and form and form.is_valid():
        try:
            recipients = form.recipients()
            refused = mail_results(meeting, results_mail(meeting, sessions), recipients, by=actor(request))
        except ServiceError as error:
            form.add_error(None, str(error))
        else:
            sent = _sent_words(len(recipients) - len(refused))
            if not refused:
                messages.success(request, sent)
                return redirect("meeting", club.slug, meeting.pk)
            form = form.left_over(refused, f"{sent} {_refused_words(refused)}")
    context = {
        "club": club,
        "meeting": meeting,
        "sessions": sessions,
        "form": form,
        "text": text,
        "refusal": refusal and refusal.name,
        "others_from": others_from,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "exchange/meeting_mail.html", context, status=status)


def _sent_words(number):
    return f"Sent to {number} address{'' if number == 1 else 'es'}."


def _refused_words(refused):
    addresses = ", ".join(address for address, _ in refused)
    return f"Not sent to {addresses}. Check these addresses below, then send again."
