"""The club's meetings: the list, one meeting with attendance, seating draw, tables and clock, and its prints."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.scoring import ScoringError
from sessions_app.meetings.drawing import (
    draw_facts,
    draw_meeting,
    free_people,
    go_back,
    place_by_hand,
    seats_in_words,
    set_wish,
    start_all,
    start_drawn,
    wishes_not_kept,
)
from sessions_app.meetings.forms import ClockForm, DrawForm, MeetingForm, NewcomerForm, PlacesForm, PlanForm, WishForm
from sessions_app.meetings.queries import (
    TableState,
    meeting_page,
    meeting_rev,
    past_in,
    upcoming_meetings,
    with_results,
)
from sessions_app.meetings.services import (
    STATES,
    attend,
    call_off,
    change_meeting,
    give_extra_time,
    meeting_on,
    plan_meeting,
    plan_meetings,
    set_clock,
)
from sessions_app.models import Club, DrawnTable, Meeting, Player, Season, Session
from sessions_app.people.permissions import MEMBER, SCOREKEEPER
from sessions_app.people.player_forms import short_name_for
from sessions_app.people.players import add_player
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.tags import engine_files
from sessions_app.table.hand_queries import asked_about
from sessions_app.table.meeting_result import meeting_results
from sessions_app.table.sessions import pause_session, resume_session
from sessions_app.table.sheet import session_sheets
from sessions_app.table.views.session_sheet import sheet_context
from sessions_app.web.access import actor, at_table, club_member
from sessions_app.web.requests import posted, today_in, whole_address

MANY = 200
EXTRA = 5
OTHER = "other"  # the past meetings in no season, in ?season=
NOTHING_NEW = 204


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def meetings(request: HttpRequest, club: Club) -> HttpResponse:
    may_plan = request.membership.role in SCOREKEEPER
    today = today_in(club)
    form = PlanForm(posted(request), initial=_as_last_time(club, today)) if may_plan else None
    if request.method == "POST":
        if not may_plan:
            raise PermissionDenied
        if form.is_valid() and (answer := _planned(request, club, form)):
            return answer
    context = {
        "club": club,
        "form": form,
        "upcoming": upcoming_meetings(club, today, MANY, request.membership.player_id),
        "today": today,
        **_past(request, club, today),
    }
    return render(request, "meetings/meetings.html", context, status=422 if form and form.errors else 200)


def _past(request, club, today):
    """The past meetings of ?season=, by default the latest one; "other" are those in no season."""
    seasons = list(Season.objects.of_club(club).filter(starts_on__lt=today))
    has_other = past_in(club, today, seasons, None).exists()
    wanted = request.GET.get("season", "")
    season = next((one for one in seasons if str(one.pk) == wanted), None)
    if wanted and season is None and wanted != OTHER:
        raise Http404("No such season")
    if not wanted and seasons:
        season = seasons[0]
    past = with_results(club, list(past_in(club, today, seasons, season)[:MANY]))
    return {"past": past, "season": season, "seasons": seasons, "has_other": has_other and seasons, "other": OTHER}


def _planned(request, club, form):
    """Plan the meeting and go there, or the series and stay; None, with an error in the form, where it cannot be."""
    days = form.days()
    try:
        if not form.cleaned_data["repeat"]:
            return redirect("meeting", club.slug, plan_meeting(club, *days, by=actor(request), **form.facts()).pk)
        planned = plan_meetings(club, days, by=actor(request), **form.facts())
    except ServiceError as error:
        form.add_error(error.field, str(error))
        return None
    there = len(days) - len(planned)
    if not planned:
        messages.info(request, "No meeting added. There was one already on each of these days.")
        return redirect("meetings", club.slug)
    words = f"{len(planned)} meeting{'' if len(planned) == 1 else 's'} added, until {days[-1]:%-d %B %Y}."
    messages.success(request, f"{words} On {there} of the days there was one already." if there else words)
    return redirect("meetings", club.slug)


def _as_last_time(club, today):
    """Begin with today and the usual time and place, or those of the last meeting that had one."""
    if club.usual_time or club.usual_place:
        return {"date": today, "starts_at": club.usual_time, "place": club.usual_place}
    last = Meeting.objects.of_club(club).exclude(starts_at=None, place="").order_by("-date", "-pk").first()
    return {"date": today} | ({"starts_at": last.starts_at, "place": last.place} if last else {})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def meeting_change(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Change a meeting's date, name, time or venue, or cancel it."""
    meeting = of_meeting(request, club, meeting_id)
    facts = {name: getattr(meeting, name) for name in ("date", "name", "starts_at", "place")}
    if "call_off" in request.POST:
        try:
            call_off(meeting, by=actor(request))
        except ServiceError as error:
            messages.error(request, str(error))
            return redirect("meeting-change", club.slug, meeting_id)
        messages.success(request, "Meeting cancelled.")
        return redirect("meetings", club.slug)
    form = MeetingForm(posted(request), initial=facts)
    if request.method == "POST" and form.is_valid():
        try:
            change_meeting(meeting, by=actor(request), **form.cleaned_data)
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            return redirect("meeting", club.slug, meeting.pk)
    context = {"club": club, "meeting": meeting, "form": form}
    return render(request, "meetings/meeting_change.html", context, status=422 if form.errors else 200)


def of_meeting(request: HttpRequest, club: Club, meeting_id: int) -> Meeting:
    return get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=meeting_id)


@require_safe
@club_member(*MEMBER)
def meeting(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """The page; with ?rev= its tables alone, and 204 while nothing at them is new."""
    chosen = of_meeting(request, club, meeting_id)
    if "rev" not in request.GET:
        return _page(request, club, chosen)
    if request.GET["rev"] == meeting_rev(chosen):
        return HttpResponse(status=NOTHING_NEW)
    return _page(request, club, chosen, template="_meeting_news.html")


def _page(request, club, meeting, status=200, template="meeting.html", **forms):
    rev = meeting_rev(meeting)
    page = meeting_page(meeting)
    is_scorekeeper = request.membership.role in SCOREKEEPER
    context = {
        "club": club,
        "page": page,
        "rev": rev,
        "meeting": meeting,
        "is_scorekeeper": is_scorekeeper,
        "result": meeting_results(club, [meeting]).get(meeting.pk),
        "is_today": meeting.date == today_in(club),
        "is_past": meeting.date < today_in(club),
        "own_reply": next((one for one in page.replies if one.player_id == request.membership.player_id), None),
        "is_time_over": meeting.clock_ends_at is not None and meeting.clock_ends_at <= timezone.now(),
        "draw_form": DrawForm(club, page.free),
        "newcomer_form": NewcomerForm(club),
        "clock_form": ClockForm(),
        **forms,
    }
    context["form"] = next((form for form in forms.values() if form.errors), None)
    return render(request, f"meetings/{template}", context, status=status)


def _back(request, club, meeting):
    """Answer a change: the page's changed part for htmx, else the page again."""
    if request.htmx:
        return _page(request, club, meeting, template="_meeting.html")
    return redirect("meeting", club.slug, meeting.pk)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_attend(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = of_meeting(request, club, meeting_id)
    state = request.POST.get("state", "")
    people = [int(text) for text in request.POST.getlist("player") if text.isdecimal() and len(text) < 19]
    try:
        attend(meeting, dict.fromkeys(people, state if state in STATES else ""), by=actor(request))
    except ServiceError as error:
        messages.error(request, str(error))
    return _back(request, club, meeting)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_newcomer(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = of_meeting(request, club, meeting_id)
    form = NewcomerForm(club, request.POST)
    if not form.is_valid():
        return _page(request, club, meeting, status=422, newcomer_form=form)
    name = form.cleaned_data["name"]
    with write_transaction():
        player = add_player(club, name, short_name_for(club, name), form.cleaned_data["guest"], by=actor(request))
        attend(meeting, {player.pk: "here"}, by=actor(request))
    return redirect("meeting", club.slug, meeting.pk)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_draw(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = of_meeting(request, club, meeting_id)
    form = DrawForm(club, len(free_people(meeting)), request.POST)
    if form.is_valid():
        try:
            draw = draw_meeting(meeting, by=actor(request), sizes=form.chosen())
        except ServiceError as error:
            form.add_error(error.field, str(error))
        else:
            for sentence in wishes_not_kept(club, dict(enumerate(draw.tables, 1)), set(free_people(meeting))):
                messages.warning(request, sentence)
            return redirect("meeting", club.slug, meeting.pk)
    return _page(request, club, meeting, status=422, draw_form=form)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_back(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Undo the last seating change."""
    meeting = of_meeting(request, club, meeting_id)
    try:
        go_back(meeting, by=actor(request))
    except ServiceError as error:
        messages.error(request, str(error))
    return redirect("meeting", club.slug, meeting.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def meeting_places(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = of_meeting(request, club, meeting_id)
    page = meeting_page(meeting)
    people = Player.objects.of_club(club).filter(pk__in=free_people(meeting)).order_by("full_name")
    form = PlacesForm(page.not_begun, people, posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            not_kept = place_by_hand(meeting, form.chosen(), by=actor(request))
        except ServiceError as error:
            form.add_error(None, str(error))
        else:
            for sentence in not_kept:
                messages.warning(request, sentence)
            return redirect("meeting", club.slug, meeting.pk)
    words = seats_in_words(club)
    context = {"club": club, "meeting": meeting, "page": page, "form": form, "seats_in_words": words}
    return render(request, "meetings/meeting_places.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_start(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Start one drawn table and go there, or all of them and stay."""
    meeting = of_meeting(request, club, meeting_id)
    waiting = DrawnTable.objects.filter(meeting=meeting).select_related("meeting__club")
    wanted = request.POST.get("table", "")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 5 else 0
    try:
        if not wanted:
            start_all(meeting, by=actor(request))
            return redirect("meeting", club.slug, meeting.pk)
        # A second press finds the table that has begun; a number may have been drawn again since.
        drawn = waiting.filter(number=number).order_by(F("session").asc(nulls_first=True), "-pk").first()
        if drawn is None:
            raise Http404("No such table")
        session = start_drawn(drawn, by=actor(request))
    except (ServiceError, ScoringError) as error:
        messages.error(request, str(error))
        return redirect("meeting", club.slug, meeting.pk)
    return redirect("table", club.slug, session.pk)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_clock(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = of_meeting(request, club, meeting_id)
    if "stop" in request.POST:
        set_clock(meeting, None, by=actor(request))
        return redirect("meeting", club.slug, meeting.pk)
    form = ClockForm(request.POST)
    if not form.is_valid():
        return _page(request, club, meeting, status=422, clock_form=form)
    set_clock(meeting, form.cleaned_data["minutes"], by=actor(request))
    return redirect("meeting", club.slug, meeting.pk)


@require_POST
@at_table(*SCOREKEEPER)
def extra_time(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Five minutes more for one table, or none again."""
    minutes = 0 if "none" in request.POST else table_session.extra_minutes + EXTRA
    try:
        give_extra_time(table_session, minutes, by=actor(request))
    except ServiceError as error:
        messages.error(request, str(error))
    return redirect("meeting", club.slug, table_session.played_at.pk)


@require_POST
@at_table(*SCOREKEEPER)
def pause(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    """Pause the table until another day, or resume it."""
    try:
        if "go_on" in request.POST:
            resume_session(table_session, _where_it_goes_on(request, club, table_session), by=actor(request))
        else:
            pause_session(table_session, by=actor(request))
    except ServiceError as error:
        messages.error(request, str(error))
    return redirect("table", club.slug, table_session.pk)


def _where_it_goes_on(request, club, table_session):
    """The meeting from whose page it was asked, else its own on its own day, else today's."""
    wanted = request.POST.get("meeting", "")
    if wanted.isdecimal() and len(wanted) < 19:
        return of_meeting(request, club, int(wanted))
    today = today_in(club)
    return table_session.meeting if table_session.date == today else meeting_on(club, today, by=actor(request))


@require_safe
@club_member(*SCOREKEEPER)
def meeting_labels(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """One label a table to stand on it: its number, who plays, and the code that opens it on a tablet."""
    meeting = of_meeting(request, club, meeting_id)
    sessions = Session.objects.at_meeting(meeting).being_played().order_by("table", "pk")
    labels = [
        (one, whole_address(request, reverse("by-key", args=[one.scoring_key])), f"QR code of table {one.table}")
        for one in sessions.prefetch_related("seats__player")
    ]
    context = {"club": club, "meeting": meeting, "labels": labels}
    return render(request, "meetings/meeting_labels.html", context)


@require_safe
@club_member(*MEMBER)
def meeting_sheets(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """The score sheets of all tables of a meeting, each on its own page of paper."""
    meeting = of_meeting(request, club, meeting_id)
    sessions = Session.objects.at_meeting(meeting).filter(void=False).with_rounds().select_related("club")
    sessions = sessions.order_by("round", "table", "pk")
    sheets = [sheet_context(sheet, level=3) for sheet in session_sheets(list(sessions))]
    context = {
        "club": club,
        "meeting": meeting,
        "sheets": sheets,
        "asked_about": asked_about(sessions),
        "result": meeting_results(club, [meeting]).get(meeting.pk),
    }
    return render(request, "meetings/meeting_sheets.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def wishes(request: HttpRequest, club: Club) -> HttpResponse:
    form = WishForm(club, posted(request))
    came_from = _meeting_come_from(request, club)
    if request.method == "POST" and "without" in request.POST:
        pair = [int(text) for text in request.POST.getlist("without") if text.isdecimal() and len(text) < 19]
        if len(pair) == 2:
            _wish(request, club, form, *pair, "")  # type: ignore[call-arg]
        return redirect(request.get_full_path())
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        if _wish(request, club, form, int(data["first"]), int(data["second"]), data["kind"]):
            return redirect(request.get_full_path())
    listed = club.pair_wishes.select_related("first", "second").order_by("first__full_name", "pk")
    context = {"club": club, "form": form, "wishes": listed, "meeting": came_from}
    return render(request, "meetings/wishes.html", context, status=422 if form.errors else 200)


def _meeting_come_from(request, club):
    """Return the meeting whose page led here, or None."""
    number = request.GET.get("meeting", "")
    return of_meeting(request, club, int(number)) if number.isdecimal() and len(number) < 19 else None


def _wish(request, club, form, first, second, kind):
    try:
        set_wish(club, first, second, kind, by=actor(request))
    except ServiceError as error:
        if form.is_bound and kind:
            form.add_error(error.field, str(error))
        return False
    return True


MAX_GUESTS, FEWEST_GUESTS = 6, 2
A_PAGE = 28  # names on a sheet of A4 that leave room for the fewest guests


@require_safe
@club_member(*SCOREKEEPER)
def attendance_list(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Every name with boxes to tick, and lines for guests; players expected late are marked."""
    meeting = of_meeting(request, club, meeting_id)
    page = meeting_page(meeting)
    players = Player.objects.of_club(club).present().filter(to_confirm=False).order_by("guest", "full_name", "pk")
    context = {
        "club": club,
        "meeting": meeting,
        "players": players,
        "late": {one.player_id for one in page.late},
        "guests": range(guest_lines(len(players))),
        "fee": club.table_fee + club.refreshments,
    }
    return render(request, "meetings/attendance_list.html", context)


def guest_lines(names: int) -> int:
    """Return how many lines for guests follow so many names: what is left of the last sheet."""
    return min(MAX_GUESTS, max(FEWEST_GUESTS, -names % A_PAGE))


@require_safe
@club_member(*MEMBER)
def who_sits_where(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """The tables as they are drawn and in play, in large type, to hang up before the meeting sits down."""
    meeting = of_meeting(request, club, meeting_id)
    page = meeting_page(meeting)
    tables = [table for table in page.tables if table.state in (TableState.WAITING, TableState.PLAYING)]
    context = {"club": club, "meeting": meeting, "tables": tables, "unseated": page.unseated}
    return render(request, "meetings/who_sits_where.html", context)


@require_safe
@club_member(*SCOREKEEPER)
def draw_here(request: HttpRequest, club: Club) -> HttpResponse:
    """The page on which a tablet draws tables and starts them, without the network too."""
    today = today_in(club)
    pages = {"page": reverse("new-table", args=[club.slug]), "outbox": reverse("outbox")}
    draw = {**draw_facts(club, today), **pages, "sticks": club.stick_set, "files": engine_files()}
    players = Player.objects.of_club(club).present().filter(to_confirm=False).order_by("full_name", "pk")
    return render(request, "meetings/draw_here.html", {"club": club, "today": today, "players": players, "draw": draw})
