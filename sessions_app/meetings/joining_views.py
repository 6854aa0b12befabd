"""Joining a table by join code: the page that shows the code, and the page where it is entered."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.meetings.forms import JoinForm
from sessions_app.meetings.services import end_joining_code, find_by_joining_code, new_joining_code, tidy_code
from sessions_app.meetings.views import get_meeting
from sessions_app.models import Club, Meeting
from sessions_app.people.codes import JOIN_CODE
from sessions_app.people.known_device import address_of, joining_device, remember_joining
from sessions_app.people.permissions import SCOREKEEPER
from sessions_app.people.throttling import (
    JOIN,
    JOIN_ANYWHERE,
    JOIN_DEVICE,
    JOIN_FROM,
    Tried,
    count_tries,
    count_try,
    in_minutes,
    uncount_try,
)
from sessions_app.table.sessions import in_play
from sessions_app.web.access import MemberRequest, actor, club_member, keep_for_a_time, with_code
from sessions_app.web.requests import posted, whole_address

JOINED = "joined"
NO_SUCH_CODE = "Enter the join code again, or ask the scorekeeper. No meeting today has this code."
BY_QR_CODE = "You can scan the QR code at the table now."
FULL = "Too many tablets have joined today. Ask the scorekeeper for a new join code."
EXPIRED = "This join code has expired. Ask the scorekeeper for the new one."


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest) -> HttpResponse:
    """Accept a join code and keep it in the visitor's session, so that no address contains it."""
    form = JoinForm(posted(request))
    if request.method == "POST" and form.is_valid():
        meeting = _try_code(request, form)
        if meeting:
            request.session[JOINED] = meeting.joining_code
            keep_for_a_time(request)
            # A game that no club has is brought to that page by the tablet.
            then = f"{reverse('game-into-joined-club')}#game" if "game" in request.GET else "join-tables"
            return remember_joining(request, redirect(then), meeting.club)
    page = render(request, "meetings/join.html", {"form": form}, status=422 if form.errors else 200)
    return remember_joining(request, page)


def _try_code(request: HttpRequest, form: JoinForm) -> Meeting | None:
    """Return the meeting of the code, or None after adding an error to the form; only wrong codes stay counted.

    A device that has joined this club before is slowed down only by its own wrong codes.
    """
    address, (device, clubs) = address_of(request), joining_device(request)
    meeting = find_by_joining_code(tidy_code(form.cleaned_data["code"]))
    own: Tried = (JOIN_DEVICE, device) if device else (JOIN, address)
    is_known = meeting is not None and meeting.club_id in clubs
    shared: list[Tried] = [] if is_known else [(JOIN_FROM, address), (JOIN_ANYWHERE,)]
    minutes = count_try(*own) or count_tries(*shared)
    if minutes:
        form.add_error(None, f"Too many wrong codes were tried. {in_minutes(minutes)} {BY_QR_CODE}")
        return None
    if meeting is None:
        form.add_error("code", NO_SUCH_CODE)
        return None
    for limit in (own, *shared):
        uncount_try(*limit)
    if not device and count_try(JOIN_CODE.opened, str(meeting.pk), meeting.joining_code):
        form.add_error(None, FULL)
        return None
    return meeting


@with_code(JOIN_CODE)
@never_cache
def join_tables(request: HttpRequest) -> HttpResponse:
    meeting = joined_meeting(request)
    if meeting is None:
        if request.session.pop(JOINED, None):
            messages.error(request, EXPIRED)
        return redirect("join")
    playing = in_play(meeting.club)
    tables = [row for row in playing if meeting.pk in (row.session.meeting_id, row.session.goes_on_at_id)]
    return render(request, "meetings/join_tables.html", {"meeting": meeting, "tables": tables})


@require_safe
@never_cache
@club_member(*SCOREKEEPER)
def joining(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting, address = get_meeting(club, meeting_id), whole_address(request, reverse("join"))
    return render(request, "meetings/joining.html", {"club": club, "meeting": meeting, "address": address})


@require_POST
@club_member(*SCOREKEEPER)
def joining_new_code(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    new_joining_code(get_meeting(club, meeting_id), by=actor(request))
    return redirect("joining", club.slug, meeting_id)


@require_POST
@club_member(*SCOREKEEPER)
def joining_end(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    end_joining_code(get_meeting(club, meeting_id), by=actor(request))
    messages.success(request, "Join code cancelled. Tablets already at a table stay there.")
    return redirect("joining", club.slug, meeting_id)


def joined_meeting(request: HttpRequest) -> Meeting | None:
    """Return today's meeting whose join code was entered on this tablet, else None."""
    return find_by_joining_code(request.session.get(JOINED, ""))
