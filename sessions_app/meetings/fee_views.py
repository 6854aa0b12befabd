"""Fees and subscriptions: of a meeting, of everyone who owes any, and of a year."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sessions_app.meetings.fees import (
    AmountList,
    fee_list,
    fees_of_year,
    mark_paid,
    paid_in_year,
    save_fees,
    save_subscriptions,
    still_owing,
    subscription_list,
    subscriptions_not_saved,
    subscriptions_of,
    usual_fees,
    without_fees,
)
from sessions_app.meetings.forms import FeesForm, SubscriptionsForm
from sessions_app.meetings.models import PaidHow
from sessions_app.meetings.views import get_meeting
from sessions_app.models import Club, Meeting
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.web.access import MemberRequest, actor, club_member
from sessions_app.web.requests import posted

YEARS = range(1950, 2100)  # of subscriptions


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def meeting_fees(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Show and save who owes what for a meeting and who has paid; 404 if the club keeps no fees."""
    if not club.keeps_fees:
        raise Http404("This club keeps no fees")
    meeting = get_meeting(club, meeting_id)
    fees = fee_list(meeting)
    form = FeesForm(fees.people, posted(request))
    if request.method == "POST" and form.is_valid():
        changed = save_fees(meeting, form.chosen("everyone" in request.POST), by=actor(request))
        messages.success(request, "The fees are saved." if changed else "Nothing was changed.")
        return redirect("meeting-fees", club.slug, meeting.pk)
    earlier = {debt.player.pk: debt.amount for debt in still_owing(club, meeting)}
    rows = [(*row, earlier.get(row[0].player.pk)) for row in form.rows()]
    context = {"club": club, "meeting": meeting, "fees": fees, "form": form, "rows": rows}
    return render(request, "meetings/meeting_fees.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def fees(request: MemberRequest, club: Club) -> HttpResponse:
    """Who still owes what, to be noted as paid, and the sums of a year; 404 if the club keeps no fees."""
    if not club.keeps_fees:
        raise Http404("This club keeps no fees")
    subscriptions = list(subscriptions_of(club))
    not_noted = without_fees(club)
    usual = usual_fees(club, not_noted)
    owing = still_owing(club, subscriptions=[*subscriptions, *subscriptions_not_saved(club)], usual=usual)
    if request.method == "POST":
        how = request.POST.get("how", "")
        ticked = request.POST.getlist("paid")
        paid = [debt for debt in owing if str(debt.player.pk) in ticked]
        fees = [fee for debt in paid for fee in debt.fees]
        paid_subscriptions = [row for debt in paid for row in debt.subscriptions]
        mark_paid(fees, paid_subscriptions, usual, by=actor(request), how=how if how in PaidHow else "")
        names = ", ".join(str(debt.player) for debt in paid)
        messages.success(request, f"Paid: {names}." if paid else "Nothing was changed.")
        return redirect("fees", club.slug)
    days = Meeting.objects.of_club(club).exclude(fees=None).dates("date", "month")
    years = sorted({club.year_of(day) for day in days} | {row.year for row in subscriptions})
    year = requested_year(request, years, years[-1] if years else club.year)
    meetings = fees_of_year(club, year)
    members = AmountList([row for row in subscriptions if row.year == year])
    context = {
        "club": club,
        "owing": owing,
        "not_noted": not_noted,
        "usual_fee": club.table_fee + club.refreshments,
        "is_anything_noted": bool(years),
        "hows": PaidHow.choices,
        "who_paid": paid_in_year(club, year),
        "owed": sum(debt.amount for debt in owing),
        "years": years,
        "year": year,
        "meetings": meetings,
        "members": members,
        "total": sum((meeting["total"] for meeting in meetings), members.total),
        "paid": sum((meeting["paid_sum"] for meeting in meetings), members.paid),
    }
    return render(request, "meetings/fees.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def subscriptions(request: MemberRequest, club: Club) -> HttpResponse:
    """Show and save the members’ subscriptions of ?year= and who has paid; 404 if the club keeps no fees."""
    if not club.keeps_fees:
        raise Http404("This club keeps no fees")
    year = requested_year(request, YEARS, club.year)
    found = subscription_list(club, year)
    form = SubscriptionsForm(found.people, posted(request))
    if request.method == "POST" and form.is_valid():
        changed = save_subscriptions(club, year, form.chosen("everyone" in request.POST), by=actor(request))
        messages.success(request, "The subscriptions are saved." if changed else "Nothing was changed.")
        return redirect(f"{reverse('subscriptions', args=[club.slug])}?year={year}")
    years = [other for other in (year - 1, year + 1) if other in YEARS]
    amounts = {"Half": club.subscription / 2, "Joint": club.joint_subscription}
    usual = [(words, amount) for words, amount in amounts.items() if amount]
    context = {"club": club, "year": year, "years": years, "subscriptions": found, "form": form, "usual": usual}
    return render(request, "meetings/subscriptions.html", context, status=422 if form.errors else 200)


def requested_year(request: HttpRequest, years: Iterable[int], default: int) -> int:
    value = request.GET.get("year", "")
    return next((year for year in years if str(year) == value), default)
