"""The club's meetings: the list, one meeting with attendance, seating draw, tables and clock, and its prints."""

from contextlib import suppress
from datetime import date
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.scoring import ScoringError
from clubscore.scoring.words import listed
from sessions_app.meetings.drawing import (
    count_draw,
    draw_facts,
    draw_meeting,
    free_people,
    seat_by_hand,
    seats_in_words,
    set_wish,
    start_all,
    start_drawn,
    undo_seating_change,
    unmet_requests,
)
from sessions_app.meetings.forms import ClockForm, DrawForm, MeetingForm, NewcomerForm, PlacesForm, PlanForm, WishForm
from sessions_app.meetings.models import MEETING_FACTS
from sessions_app.meetings.queries import (
    TableState,
    meeting_page,
    meeting_rev,
    past_in,
    upcoming_meetings,
    wishes_of,
    with_results,
)
from sessions_app.meetings.services import (
    STATES,
    attend,
    cancel_meeting,
    change_meeting,
    get_or_plan_meeting,
    give_extra_time,
    plan_meeting,
    plan_meetings,
    set_clock,
)
from sessions_app.models import Club, DrawnTable, Meeting, Player, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.people.player_forms import short_name_for
from sessions_app.people.players import add_player, name_order
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.rules.rule_views import club_rules_context, find_rule_set
from sessions_app.rules.tags import engine_files
from sessions_app.table.apply_command import apply_command
from sessions_app.table.meeting_result import meeting_results, short_text
from sessions_app.table.sessions import pause_session, resume_session
from sessions_app.table.views.command_requests import build_command
from sessions_app.table.views.session_sheet import sheet_boards
from sessions_app.web.access import MemberRequest, TableRequest, actor, at_table, club_member, form_of
from sessions_app.web.requests import errors_in, errors_shown, parse_id, posted, today_in, whole_address

MAX_MEETINGS = 200
EXTRA_MINUTES = 5
NO_SEASON = "other"  # the past meetings in no season, in ?season=
NOT_CHANGED = 204


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def meetings(request: MemberRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    initial = _initial_plan(club, today)
    form = form_of(request, SCOREKEEPER, lambda: PlanForm(club, posted(request), initial=initial))
    if form and form.is_valid():
        with errors_in(form):
            return _plan(request, club, form)
    context = {
        "club": club,
        "form": form,
        "upcoming": upcoming_meetings(club, today, MAX_MEETINGS, request.membership.player_id),
        "today": today,
        **_past(request, club, today),
    }
    return render(request, "meetings/meetings.html", context, status=422 if form and form.errors else 200)


def _past(request: MemberRequest, club: Club, today: date) -> dict[str, Any]:
    """Return the past meetings of ?season=, by default the latest season; "other" are those in no season."""
    seasons = list(Season.objects.of_club(club).filter(starts_on__lt=today))
    has_other = past_in(club, today, seasons, None).exists()
    wanted = request.GET.get("season", "")
    season = next((season for season in seasons if str(season.pk) == wanted), None)
    if wanted and season is None and wanted != NO_SEASON:
        raise Http404("No such season")
    if not wanted and seasons:
        season = seasons[0]
    past = with_results(club, list(past_in(club, today, seasons, season)[:MAX_MEETINGS]))
    return {"past": past, "season": season, "seasons": seasons, "has_other": has_other and seasons, "other": NO_SEASON}


def _plan(request: MemberRequest, club: Club, form: PlanForm) -> HttpResponse:
    """Plan one meeting and redirect to it, or plan a series and return to the list."""
    days = form.days()
    if not form.cleaned_data["repeat"]:
        return redirect("meeting", club.slug, plan_meeting(club, days[0], by=actor(request), **form.facts()).pk)
    planned = plan_meetings(club, days, by=actor(request), **form.facts())
    existing = len(days) - len(planned)
    if not planned:
        messages.info(request, "No meeting added. There was one already on each of these days.")
        return redirect("meetings", club.slug)
    words = f"{len(planned)} meeting{'' if len(planned) == 1 else 's'} added, until {day_words(days[-1])}."
    messages.success(request, f"{words} On {existing} of the days there was one already." if existing else words)
    return redirect("meetings", club.slug)


def _initial_plan(club: Club, today: date) -> dict[str, Any]:
    """Return today with the club's usual time and venue, or those of the last meeting that had either."""
    if club.usual_time or club.usual_place:
        return {"date": today, "starts_at": club.usual_time, "place": club.usual_place}
    last = Meeting.objects.of_club(club).exclude(starts_at=None, place="").order_by("-date", "-pk").first()
    return {"date": today} | ({"starts_at": last.starts_at, "place": last.place} if last else {})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def meeting_change(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Change a meeting's date, name, time or venue, or cancel it."""
    meeting = get_meeting(club, meeting_id)
    facts = {name: getattr(meeting, name) for name in ("date", "league", *MEETING_FACTS)}
    if "call_off" in request.POST:
        try:
            cancel_meeting(meeting, by=actor(request))
        except ServiceError as error:
            messages.error(request, str(error))
            return redirect("meeting-change", club.slug, meeting_id)
        messages.success(request, "Meeting cancelled.")
        return redirect("meetings", club.slug)
    form = MeetingForm(club, posted(request), initial=facts)
    # Its results would go along.
    if request.membership.role not in SECRETARY and Session.objects.filter(meeting=meeting).exists():
        form.fields.pop("league", None)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            change_meeting(meeting, by=actor(request), **form.cleaned_data)
            return redirect("meeting", club.slug, meeting.pk)
    context = {"club": club, "meeting": meeting, "form": form}
    return render(request, "meetings/meeting_change.html", context, status=422 if form.errors else 200)


def get_meeting(club: Club, meeting_id: int) -> Meeting:
    """Return a club's meeting, with the club; 404 for one of another club."""
    return get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=meeting_id)


@require_safe
@club_member(*MEMBER)
def meeting(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Show the page; with ?rev= only its tables, or 204 if they have not changed."""
    chosen = get_meeting(club, meeting_id)
    if "rev" not in request.GET:
        return _page(request, club, chosen)
    if request.GET["rev"] == meeting_rev(chosen):
        return HttpResponse(status=NOT_CHANGED)
    return _page(request, club, chosen, template="_meeting_news.html")


def _page(request, club, meeting, status=200, template="meeting.html", **forms):
    rev = meeting_rev(meeting)
    page = meeting_page(meeting)
    is_scorekeeper = request.membership.role in SCOREKEEPER
    result = meeting_results(club, [meeting]).get(meeting.pk)
    public = "public-result" if club.shows_standings else "meeting"
    link = whole_address(request, reverse(public, args=[club.slug, meeting.pk]))
    context = {
        "club": club,
        "page": page,
        "rev": rev,
        "meeting": meeting,
        "is_scorekeeper": is_scorekeeper,
        "result": result,
        "message": short_text(meeting, result, link),
        "own_reply": next((reply for reply in page.replies if reply.player_id == request.membership.player_id), None),
        "is_time_over": meeting.clock_ends_at is not None and meeting.clock_ends_at <= timezone.now(),
        "draw_form": DrawForm(club, page.free),
        "newcomer_form": NewcomerForm(club),
        "clock_form": ClockForm(),
        **forms,
    }
    context["form"] = next((form for form in forms.values() if form.errors), None)
    return render(request, f"meetings/{template}", context, status=status)


def _back(request, club, meeting):
    """Answer a change with the changed part of the page for htmx, else with a redirect to the page."""
    if request.htmx:
        return _page(request, club, meeting, template="_meeting.html")
    return redirect("meeting", club.slug, meeting.pk)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_attend(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_meeting(club, meeting_id)
    state = request.POST.get("state", "")
    states = dict.fromkeys(_posted_ids(request, "player"), state if state in STATES else "")
    with errors_shown(request):
        attend(meeting, states, by=actor(request))
    return _back(request, club, meeting)


def _posted_ids(request: MemberRequest, field: str) -> list[Any]:
    return [pk for text in request.POST.getlist(field) if (pk := parse_id(text)) is not None]


@require_POST
@club_member(*SCOREKEEPER)
def meeting_newcomer(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_meeting(club, meeting_id)
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
def meeting_draw(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_meeting(club, meeting_id)
    form = DrawForm(club, len(free_people(meeting)), request.POST)
    if form.is_valid():
        with errors_in(form):
            count_draw(club)
            draw = draw_meeting(meeting, by=actor(request), sizes=form.chosen())
            for sentence in unmet_requests(club, dict(enumerate(draw.tables, 1)), set(free_people(meeting))):
                messages.warning(request, sentence)
            return redirect("meeting", club.slug, meeting.pk)
    return _page(request, club, meeting, status=422, draw_form=form)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_back(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Undo the last seating change."""
    meeting = get_meeting(club, meeting_id)
    with errors_shown(request):
        undo_seating_change(meeting, by=actor(request))
    return redirect("meeting", club.slug, meeting.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def meeting_places(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_meeting(club, meeting_id)
    page = meeting_page(meeting)
    people = sorted(Player.objects.of_club(club).filter(pk__in=free_people(meeting)), key=name_order)
    form = PlacesForm(page.waiting, people, posted(request))
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            for sentence in seat_by_hand(meeting, form.chosen(), by=actor(request)):
                messages.warning(request, sentence)
            return redirect("meeting", club.slug, meeting.pk)
    context = {"club": club, "meeting": meeting, "page": page, "form": form, "seats_in_words": seats_in_words(club)}
    return render(request, "meetings/meeting_places.html", context, status=422 if form.errors else 200)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_start(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Start one drawn table and redirect to it, or start all of them and return to the meeting."""
    meeting = get_meeting(club, meeting_id)
    waiting = DrawnTable.objects.filter(meeting=meeting).select_related("meeting__club")
    wanted = request.POST.get("table", "")
    try:
        if not wanted:
            start_all(meeting, by=actor(request))
            return redirect("meeting", club.slug, meeting.pk)
        # A second press finds the table that has begun; a number may have been drawn again since.
        drawn = waiting.filter(number=parse_id(wanted) or 0).order_by(F("session").asc(nulls_first=True), "-pk").first()
        if drawn is None:
            raise Http404("No such table")
        session = start_drawn(drawn, by=actor(request))
    except (ServiceError, ScoringError) as error:
        messages.error(request, str(error))
        return redirect("meeting", club.slug, meeting.pk)
    return redirect("table", club.slug, session.pk)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_finish(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Finish every table of the meeting that is in play and has a hand; say which could not be."""
    meeting = get_meeting(club, meeting_id)
    finished = []
    for table in meeting_page(meeting).to_finish:
        session = table.watched.session  # type: ignore[union-attr]  # those in play are watched
        command = build_command(request, "finish", {})
        result = apply_command(session.pk, command, by=actor(request), membership=request.membership)
        if result.is_done:
            finished.append(f"table {table.number}")
        else:
            messages.warning(request, f"Table {table.number}: {result.message}")
    if finished:
        messages.success(request, f"Finished: {listed(finished, 'and')}.")
    return redirect("meeting", club.slug, meeting.pk)


@require_POST
@club_member(*SCOREKEEPER)
def meeting_clock(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_meeting(club, meeting_id)
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
def extra_time(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Give a table five more minutes, or take its extra minutes away."""
    minutes = 0 if "none" in request.POST else table_session.extra_minutes + EXTRA_MINUTES
    with errors_shown(request):
        give_extra_time(table_session, minutes, by=actor(request))
    return redirect("meeting", club.slug, table_session.played_at.pk)


@require_POST
@at_table(*SCOREKEEPER)
def pause(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    """Pause the table until another day, or resume it."""
    with errors_shown(request):
        if "go_on" in request.POST:
            resume_session(table_session, _meeting_to_resume_at(request, club, table_session), by=actor(request))
        else:
            pause_session(table_session, by=actor(request))
    return redirect("table", club.slug, table_session.pk)


def _meeting_to_resume_at(request, club, table_session):
    """Return the meeting whose page was used, else the table's own if it is today, else today's."""
    if meeting := _meeting_named(club, request.POST):
        return meeting
    today = today_in(club)
    return table_session.meeting if table_session.date == today else get_or_plan_meeting(club, today, by=actor(request))


def _meeting_named(club, data):
    """Return the meeting whose id is in the form or query string, or None; 404 if the club has no such meeting."""
    meeting_id = parse_id(data.get("meeting", ""))
    return None if meeting_id is None else get_meeting(club, meeting_id)


@require_safe
@club_member(*SCOREKEEPER)
def meeting_labels(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Print a label for each table: its number, who plays, and the QR code that opens it on a tablet."""
    meeting = get_meeting(club, meeting_id)
    sessions = Session.objects.at_meeting(meeting).being_played().order_by("table", "pk")
    labels = [
        (table, whole_address(request, reverse("by-key", args=[table.scoring_key])), f"QR code of table {table.table}")
        for table in sessions.prefetch_related("seats__player")
    ]
    context = {"club": club, "meeting": meeting, "labels": labels}
    return render(request, "meetings/meeting_labels.html", context)


@require_safe
@club_member(*MEMBER)
def meeting_sheets(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Print the score sheets of a meeting's tables, one to a page."""
    meeting = get_meeting(club, meeting_id)
    sessions = Session.objects.at_meeting(meeting).filter(void=False).with_rounds().select_related("club")
    in_order = sorted(sessions.order_by("table", "pk"), key=attrgetter("round"))
    context = {
        "club": club,
        "meeting": meeting,
        "boards": sheet_boards(in_order, request.membership.role),
        "result": meeting_results(club, [meeting]).get(meeting.pk),
    }
    return render(request, "meetings/meeting_sheets.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SCOREKEEPER)
def wishes(request: MemberRequest, club: Club) -> HttpResponse:
    form = WishForm(club, posted(request))
    meeting = _meeting_named(club, request.GET)
    if request.method == "POST" and "without" in request.POST:
        pair = _posted_ids(request, "without")
        if len(pair) == 2:
            with suppress(ServiceError):
                set_wish(club, pair[0], pair[1], "", by=actor(request))
        return redirect(request.get_full_path())
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with errors_in(form):
            set_wish(club, int(data["first"]), int(data["second"]), data["kind"], by=actor(request))
            return redirect(request.get_full_path())
    context = {"club": club, "form": form, "wishes": wishes_of(club), "meeting": meeting}
    return render(request, "meetings/wishes.html", context, status=422 if form.errors else 200)


MIN_GUEST_LINES, MAX_GUEST_LINES = 2, 6
NAMES_ON_PAGE = 28  # on a sheet of A4, with room for the fewest guests
NAMES_IF_DENSE = 42  # likewise in narrow lines, which spare a second sheet


@require_safe
@club_member(*SCOREKEEPER)
def attendance_list(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Print every name with boxes to tick, and lines for guests; players expected late are marked."""
    meeting = get_meeting(club, meeting_id)
    page = meeting_page(meeting)
    found = Player.objects.of_club(club).present().filter(to_confirm=False)
    players = sorted(found, key=lambda player: (player.guest, name_order(player)))
    context = {
        "club": club,
        "meeting": meeting,
        "players": players,
        "late": {attendance.player_id for attendance in page.late},
        "guests": range(guest_lines(len(players))),
        "is_dense": is_dense(len(players)),
        "fee": club.table_fee + club.refreshments,
    }
    return render(request, "meetings/attendance_list.html", context)


def guest_lines(names: int) -> int:
    """Return how many lines for guests follow this many names: as many as fit on the last sheet."""
    on_page = NAMES_IF_DENSE if is_dense(names) else NAMES_ON_PAGE
    return min(MAX_GUEST_LINES, max(MIN_GUEST_LINES, -names % on_page))


def is_dense(names: int) -> bool:
    return NAMES_ON_PAGE < names <= NAMES_IF_DENSE


@require_safe
@club_member(*MEMBER)
def who_sits_where(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Show the tables drawn and in play in large type, to hang on the wall."""
    meeting = get_meeting(club, meeting_id)
    page = meeting_page(meeting)
    tables = [table for table in page.tables if table.state in (TableState.WAITING, TableState.PLAYING)]
    context = {"club": club, "meeting": meeting, "tables": tables, "unseated": page.unseated}
    context["has_played"] = bool(page.tables)
    return render(request, "meetings/who_sits_where.html", context)


@require_safe
@club_member(*SCOREKEEPER)
def draw_here(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the page on which a tablet draws and starts tables, also offline."""
    today = today_in(club)
    pages = {"page": reverse("kept-of-club", args=[club.slug]), "outbox": reverse("outbox")}
    facts = {"sticks": club.stick_set, "files": engine_files(), "zone": club.time_zone}
    draw = {**draw_facts(club, today), **pages, **facts}
    players = sorted(Player.objects.of_club(club).present().filter(to_confirm=False), key=name_order)
    context = {"club": club, "today": today, "players": players, "draw": draw}
    return render(request, "meetings/draw_here.html", context)


@require_safe
@club_member(*MEMBER)
def meeting_rules(request: HttpRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Show the club's usual rules as they are on the day of a meeting; ?sheet=1 for a two-page print."""
    meeting = get_meeting(club, meeting_id)
    context = club_rules_context(request, club, find_rule_set(club.rules), meeting.date)
    page = "rules_sheet" if "sheet" in request.GET else "rules"
    return render(request, f"rules/{page}.html", context | {"day": meeting.date, "meeting": meeting})
