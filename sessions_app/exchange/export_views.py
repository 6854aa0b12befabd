"""The export page: CSV, a meeting as JSON, the whole club as a zip; a meeting's results by email."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sessions_app.exchange.exports.club_csv import log_csv as log_text
from sessions_app.exchange.exports.club_csv import log_file_name, standings_file_name
from sessions_app.exchange.exports.club_csv import standings_csv as standings_text
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.exchange.exports.files import BY_KEY, FILES, GRID, STANDINGS, whole_club_file_name, whole_club_zip
from sessions_app.exchange.exports.grid import XLSX, grid_xlsx
from sessions_app.exchange.exports.meeting import meeting_file_name, meeting_json, meetings_with_hands
from sessions_app.exchange.exports.person import login_zip, person_file_name, player_zip
from sessions_app.exchange.exports.results_mail import mail_text, results_mail, sessions_of
from sessions_app.exchange.exports.session_csv import (
    session_hands_csv,
    session_hands_file_name,
    session_totals_csv,
    session_totals_file_name,
)
from sessions_app.exchange.forms import ResultsMailForm
from sessions_app.league.standings_views import asked_league, asked_sum, chosen_season, what_if
from sessions_app.meetings.forms import FeesForm
from sessions_app.meetings.queries import fee_list
from sessions_app.meetings.services import note_fees
from sessions_app.meetings.views import of_meeting
from sessions_app.models import Club, Contact, Meeting, Membership, Player, Season, Session
from sessions_app.people.erasure import accounts_of, erase_player, is_in_other_clubs, notes_about
from sessions_app.people.log import note_export
from sessions_app.people.log_views import LogForm
from sessions_app.people.mailing import mail_refusal, mail_results, typed_addresses_from
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.people.player_forms import EraseForm
from sessions_app.people.transactions import ServiceError
from sessions_app.web.access import actor, club_member, of_session
from sessions_app.web.requests import posted, season_of, today_in

# Answer with a file; the club's log notes the export.

CSV = "text/csv; charset=utf-8"


def file_answer(content: bytes | str, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def csv_file(
    request: HttpRequest, club: Club, text: str, name: str, what: str, session: Session | None = None
) -> HttpResponse:
    """Answer with a CSV and note the export in the log; `what` is, for example, "the league table"."""
    if request.method == "GET":
        note_export(club, what, by=actor(request), session=session)
    return file_answer(text, name, CSV)


LATEST = 12
BIG_ID = 19


@require_safe
@club_member(*SECRETARY)
def exports(request: HttpRequest, club: Club) -> HttpResponse:
    season = _season(request, club)
    meetings = meetings_with_hands(club)
    wants_all = "all" in request.GET
    context = {
        "club": club,
        "season": season,
        "seasons": Season.objects.of_club(club),
        "exports": [
            file for file in (STANDINGS, GRID, *FILES) if (file.by_season or season is None) and file.is_kept(club)
        ],
        "meetings": meetings if wants_all else meetings[:LATEST],
        "has_more": len(meetings) > LATEST and not wants_all,
    }
    return render(request, "exchange/exports.html", context)


@require_safe
@club_member(*SECRETARY)
def export_csv(request: HttpRequest, club: Club) -> HttpResponse:
    export = BY_KEY.get(request.GET.get("what", "players"))
    if export is None or not export.is_kept(club):
        raise Http404("No such file")
    season = _season(request, club) if export.by_season else None
    made_of = season or season_of(club, today_in(club)) if export is STANDINGS else season
    of = f"{export.key} {season.name}" if season else export.key
    told = f"the {export.name.lower()}"
    name = file_name(club.slug, today_in(club), of)
    told = f"{told}, season {season}" if season else told
    if export is GRID and request.GET.get("format") == "xlsx":
        if request.method == "GET":
            note_export(club, told, by=actor(request))
        return file_answer(grid_xlsx(club, season), f"{name.removesuffix('.csv')}.xlsx", XLSX)
    return csv_file(request, club, export.make(club, made_of), name, told)


@require_safe
@club_member(*SECRETARY)
def export_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Answer with the JSON file of a meeting, the latest one by default."""
    wanted = request.GET.get("meeting", "")
    if wanted.isdecimal() and len(wanted) < BIG_ID:
        meeting = get_object_or_404(Meeting.objects.of_club(club).select_related("club"), pk=int(wanted))
    else:
        meeting = next(iter(meetings_with_hands(club)), None)
    if meeting is None:
        raise Http404("No meeting yet")
    text, name = meeting_json(meeting), meeting_file_name(meeting)
    if request.method == "GET":
        note_export(club, f"the meeting of {meeting.date:%-d %B %Y}", by=actor(request))
    return file_answer(text, name, "application/json")


@require_safe
@club_member(*SECRETARY)
def export_zip(request: HttpRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    content = whole_club_zip(club, today)
    if request.method == "GET":
        note_export(club, "the whole club", by=actor(request))
    return file_answer(content, whole_club_file_name(club, today), "application/zip")


def _season(request, club):
    """Return the season of ?season=, another club's is a 404; None for the whole club."""
    wanted = request.GET.get("season", "")
    if wanted.isdecimal() and len(wanted) < BIG_ID:
        return get_object_or_404(Season.objects.of_club(club), pk=int(wanted))
    return None


# Everything that comes as a file for a spreadsheet.


@require_safe
@of_session(*MEMBER)
def totals_csv(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    if table_session.practice:
        raise Http404("A practice table has no totals that count")
    text, name = session_totals_csv(table_session), session_totals_file_name(table_session)
    return csv_file(request, club, text, name, "the totals", table_session)


@require_safe
@of_session(*MEMBER)
def hands_csv(request: HttpRequest, club: Club, table_session: Session) -> HttpResponse:
    text, name = session_hands_csv(table_session), session_hands_file_name(table_session)
    return csv_file(request, club, text, name, "the hands", table_session)


@require_safe
@club_member(*MEMBER)
def standings_csv(request: HttpRequest, club: Club) -> HttpResponse:
    season = chosen_season(request, club)
    if season is None:
        raise Http404("No season yet")
    form = what_if(request, season)
    table = asked_league(season, form).table
    name = standings_file_name(club.slug, form.until or season.ends_on, table.settings.method)
    return csv_file(request, club, standings_text(table.rows), name, "the league table")


@require_safe
@club_member(*MEMBER)
def standings_added_csv(request: HttpRequest, club: Club) -> HttpResponse:
    _, found = asked_sum(request, club)
    if found is None:
        raise Http404("No seasons that can be added up")
    table = found.table
    name = standings_file_name(club.slug, table.counting.ends_on, f"added up {table.settings.method}")
    return csv_file(request, club, standings_text(table.rows), name, "the seasons added up")


# What is kept about people: shown, exported as a zip, and erased on request.

ZIP = "application/zip"


@require_safe
@club_member(*MEMBER)
def data(request: HttpRequest, club: Club) -> HttpResponse:
    """Show what the club keeps about its players and accounts."""
    secretaries = Membership.objects.of_club(club).filter(role="secretary").select_related("user").order_by("pk")
    names = [one.user.get_full_name() or one.user.get_username() for one in secretaries]
    is_secretary = request.membership.role in SECRETARY
    context = {
        "club": club,
        "secretaries": names,
        "is_secretary": is_secretary,
        "players": Player.objects.of_club(club).filter(merged_into=None, erased_as="").order_by("full_name")
        if is_secretary
        else [],
    }
    return render(request, "exchange/data.html", context)


@require_safe
@club_member(*MEMBER)
def my_data(request: HttpRequest, club: Club) -> HttpResponse:
    content = login_zip(request.user, club)
    return _zip(request, club, content, "me", "everything kept about their own account")


@require_safe
@club_member(*SECRETARY)
def player_data(request: HttpRequest, club: Club, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.of_club(club).select_related("club"), pk=player_id)
    return _zip(request, club, player_zip(player), str(player), "everything kept about one player")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def player_erase(request: HttpRequest, club: Club, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.of_club(club).filter(merged_into=None, erased_as=""), pk=player_id)
    logins = accounts_of(player)
    own = [user for user in logins if not is_in_other_clubs(user, club)]
    form = EraseForm(player, bool(own), posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            with_login = form.cleaned_data.get("login", False)
            now = erase_player(player, by=actor(request), with_login=with_login)
        except ServiceError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"The names are erased. They are now {now} in every table.")
            return redirect("data", club.slug)
    context = {
        "club": club,
        "player": player,
        "form": form,
        "own_logins": own,
        "shared_logins": [user for user in logins if user not in own],
        "notes": notes_about(player),
        "sessions": player.seats.count(),
    }
    return render(request, "exchange/player_erase.html", context, status=422 if form.errors else 200)


def _zip(request, club, content, whose, what):
    if request.method == "GET":
        note_export(club, what, by=actor(request))
    return file_answer(content, person_file_name(club, whose, today_in(club)), ZIP)


# The club's log: every change as a sentence, filtered, a page at a time, and as CSV.


@require_safe
@club_member(*SECRETARY)
def log_csv(request: HttpRequest, club: Club) -> HttpResponse:
    form = LogForm(request.GET)
    return csv_file(request, club, log_text(club, form.wanted()), log_file_name(club, today_in(club)), "the history")


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
