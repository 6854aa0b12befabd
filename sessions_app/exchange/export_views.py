"""Exports: CSV files, a meeting as JSON, the whole club as a zip, results by email."""

from io import BytesIO

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from clubscore.league.methods import GAME, METHODS
from clubscore.scoring import RULE_SETS, house_rules
from clubscore.site.static_storage import LEAGUE
from sessions_app.exchange.backups.club_backup import WITHHELD, write_zip
from sessions_app.exchange.exports.club_csv import grid_xlsx, standings_file_name, tablet_headings
from sessions_app.exchange.exports.club_csv import log_csv as log_text
from sessions_app.exchange.exports.club_csv import standings_csv as standings_text
from sessions_app.exchange.exports.csv_files import file_name
from sessions_app.exchange.exports.files import BY_KEY, FILES, GRID_FILE, STANDINGS_FILE, whole_club_zip
from sessions_app.exchange.exports.meeting import meeting_file_name, meeting_json, meetings_with_hands
from sessions_app.exchange.exports.person import login_zip, player_zip
from sessions_app.exchange.exports.results_mail import (
    mail_text,
    result_of,
    results_mail,
    sessions_of,
)
from sessions_app.exchange.exports.session_csv import (
    meeting_result_csv,
    meeting_result_file_name,
    session_hands_csv,
    session_hands_file_name,
    session_totals_csv,
    session_totals_file_name,
)
from sessions_app.exchange.forms import GameDaysForm, ResultsMailForm
from sessions_app.league.forms import WhatIfForm
from sessions_app.league.standings_views import league_from_query, season_from_query
from sessions_app.meetings.views import get_meeting
from sessions_app.models import Club, Contact, Meeting, Membership, Player, Season, Session
from sessions_app.people.club_admin import BACKUP, last_downloaded
from sessions_app.people.dates import day_words
from sessions_app.people.log import log_export
from sessions_app.people.mailing import mail_refusal, mail_results, sent_to, typed_addresses_from
from sessions_app.people.merging import accounts_of, erase_player, is_in_other_clubs, notes_about
from sessions_app.people.password_views import ask_password
from sessions_app.people.permissions import MEMBER, SECRETARY
from sessions_app.people.player_forms import EraseForm
from sessions_app.people.players import name_order, reply_key_of
from sessions_app.people.role_views import LogForm
from sessions_app.people.transactions import write_transaction
from sessions_app.rules.tags import engine_files
from sessions_app.table.meeting_result import mail_subject, meeting_results, short_text
from sessions_app.web.access import MemberRequest, SignedInRequest, TableRequest, actor, club_member, of_session
from sessions_app.web.requests import default_season, errors_in, posted, row_from_query, today_in, whole_address

# By the ending of a file's name.
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}
LATEST = 12  # meetings listed at first


def download(
    request: SignedInRequest | TableRequest,
    club: Club,
    content: bytes | str,
    name: str,
    what: str,
    session: Session | None = None,
) -> HttpResponse:
    """Return a response with a file, and log the export; `what` is, for example, "the league table"."""
    if request.method == "GET":
        log_export(club, what, by=actor(request), session=session)
    ending = name.rpartition(".")[2]
    response = HttpResponse(content, content_type=CONTENT_TYPES[ending])
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@club_member(*SECRETARY)
def exports(request: HttpRequest, club: Club) -> HttpResponse:
    season = row_from_query(request, Season.objects.of_club(club), "season")
    meetings = meetings_with_hands(club)
    wants_all = "all" in request.GET
    context = {
        "club": club,
        "season": season,
        "seasons": Season.objects.of_club(club),
        "exports": [
            file
            for file in (STANDINGS_FILE, GRID_FILE, *FILES)
            if (file.by_season or season is None) and file.exists_for(club)
        ],
        "meetings": meetings if wants_all else meetings[:LATEST],
        "has_more": len(meetings) > LATEST and not wants_all,
        "last_backup": last_downloaded(club),
    }
    return render(request, "exchange/exports.html", context)


@require_safe
@club_member(*SECRETARY)
def export_csv(request: MemberRequest, club: Club) -> HttpResponse:
    export = BY_KEY.get(request.GET.get("what", "players"))
    if export is None or not export.exists_for(club):
        raise Http404("No such file")
    if export.has_contacts and (asked := ask_password(request)):
        return asked
    season = row_from_query(request, Season.objects.of_club(club), "season") if export.by_season else None
    today, content = today_in(club), f"{export.key} {season}" if season else export.key
    what = f"the {export.name.lower()}" + (f", season {season}" if season else "")
    if export is GRID_FILE and request.GET.get("format") == "xlsx":
        name = file_name(club.slug, today, content, "xlsx")
        return download(request, club, grid_xlsx(club, season), name, what)
    if export is STANDINGS_FILE:
        season = season or default_season(club, today)
    return download(request, club, export.make(club, season), file_name(club.slug, today, content), what)


@require_safe
@club_member(*SECRETARY)
def export_night(request: MemberRequest, club: Club) -> HttpResponse:
    """Return the JSON file of a meeting, the latest one by default."""
    meeting = row_from_query(request, Meeting.objects.of_club(club).select_related("club"), "meeting")
    meeting = meeting or next(iter(meetings_with_hands(club)), None)
    if meeting is None:
        raise Http404("No meeting yet")
    what = f"the meeting of {day_words(meeting.date)}"
    return download(request, club, meeting_json(meeting), meeting_file_name(meeting), what)


@require_safe
@club_member(*SECRETARY)
def export_zip(request: MemberRequest, club: Club) -> HttpResponse:
    if asked := ask_password(request):
        return asked
    today = today_in(club)
    name = file_name(club.slug, today, "whole club", "zip")
    return download(request, club, whole_club_zip(club, today), name, "the whole club")


@require_safe
@club_member(*SECRETARY)
def backup_zip(request: MemberRequest, club: Club) -> HttpResponse:
    """Return the club's backup for `manage.py restore`, without passwords and email addresses of accounts."""
    if asked := ask_password(request):
        return asked
    content = BytesIO()
    write_zip(club, content, WITHHELD)
    name = file_name(club.slug, today_in(club), "backup", "zip")
    return download(request, club, content.getvalue(), name, BACKUP)


# Files for a spreadsheet.


@require_safe
@of_session(*MEMBER)
def totals_csv(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    if table_session.practice:
        raise Http404("A practice table has no totals that count")
    text, name = session_totals_csv(table_session), session_totals_file_name(table_session)
    return download(request, club, text, name, "the totals", session=table_session)


@require_safe
@club_member(*MEMBER)
def meeting_result(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    meeting = get_meeting(club, meeting_id)
    text = meeting_result_csv(meeting_results(club, [meeting]).get(meeting.pk))
    return download(request, club, text, meeting_result_file_name(meeting), "the result of a meeting")


@require_safe
@of_session(*MEMBER)
def hands_csv(request: TableRequest, club: Club, table_session: Session) -> HttpResponse:
    text, name = session_hands_csv(table_session), session_hands_file_name(table_session)
    return download(request, club, text, name, "the hands", session=table_session)


@require_safe
@club_member(*MEMBER)
def standings_csv(request: MemberRequest, club: Club) -> HttpResponse:
    season = season_from_query(request, club)
    if season is None:
        raise Http404("No season yet")
    form = WhatIfForm(season, request.GET)
    table = league_from_query(season, form).table
    ranked_by = f"{season.league} {table.settings.method} {table.settings.group}".strip()
    name = standings_file_name(club.slug, form.until or season.ends_on, ranked_by)
    return download(request, club, standings_text(table.rows, table.settings.unit), name, "the league table")


# How the games of a tablet are ranked, as it says in its list.
GAME_METHODS = ("average", "average_session", "total", "won", "best_n")


@require_safe
def tablet_league(request: HttpRequest) -> HttpResponse:
    """Show the league table of the games that this browser keeps, which it ranks; the server knows of none of them."""
    facts = {
        "files": engine_files() | {"rules": static(LEAGUE)},
        "rules": {key: [rules.name, house_rules(key, {}).recording] for key, rules in RULE_SETS.items()},
        "headings": tablet_headings(),
        "games": reverse("games"),
    }
    methods = [(key, METHODS[key].title(GAME)) for key in GAME_METHODS]
    return render(request, "league/tablet.html", {"facts": facts, "methods": methods, "days": GameDaysForm()})


# Personal data: shown, exported as a zip, and erased on request.


@require_safe
@club_member(*MEMBER)
def data(request: MemberRequest, club: Club) -> HttpResponse:
    """Show what the club keeps about its players and accounts."""
    secretaries = Membership.objects.of_club(club).filter(role="secretary").select_related("user").order_by("pk")
    players = Player.objects.of_club(club).filter(merged_into=None, erased_as="")
    is_secretary = request.membership.role in SECRETARY
    context = {
        "club": club,
        "secretaries": [row.user.display_name for row in secretaries],
        "is_secretary": is_secretary,
        "players": sorted(players, key=name_order) if is_secretary else [],
    }
    return render(request, "exchange/data.html", context)


@require_safe
@club_member(*MEMBER)
def my_data(request: MemberRequest, club: Club) -> HttpResponse:
    if asked := ask_password(request):
        return asked
    content = login_zip(request.user, club)
    return _zip(request, club, content, "me", "everything kept about their own account")


@require_safe
@club_member(*SECRETARY)
def player_data(request: MemberRequest, club: Club, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.of_club(club).select_related("club"), pk=player_id)
    if asked := ask_password(request):
        return asked
    return _zip(request, club, player_zip(player), str(player), "everything kept about one player")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def player_erase(request: MemberRequest, club: Club, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.of_club(club).filter(merged_into=None, erased_as=""), pk=player_id)
    accounts = accounts_of(player)
    own = [user for user in accounts if not is_in_other_clubs(user, club)]
    form = EraseForm(player, bool(own), posted(request))
    if request.method == "POST" and form.is_valid():
        if asked := ask_password(request):
            return asked
        with errors_in(form):
            new_name = erase_player(player, by=actor(request), with_login=form.cleaned_data.get("login", False))
            messages.success(request, f"The names are erased. They are now {new_name} in every table.")
            return redirect("players", club.slug)
    context = {
        "club": club,
        "player": player,
        "form": form,
        "own_logins": own,
        "shared_logins": [user for user in accounts if user not in own],
        "notes": notes_about(player),
    }
    return render(request, "exchange/player_erase.html", context, status=422 if form.errors else 200)


def _zip(request: MemberRequest, club: Club, content: bytes, whose: str, what: str) -> HttpResponse:
    name = file_name(club.slug, today_in(club), f"kept about {whose}", "zip")
    return download(request, club, content, name, what)


@require_safe
@club_member(*SECRETARY)
def log_csv(request: MemberRequest, club: Club) -> HttpResponse:
    form = LogForm(request.GET)
    name = file_name(club.slug, today_in(club), "log")
    return download(request, club, log_text(club, form.filters()), name, "the history")


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def meeting_mail(request: MemberRequest, club: Club, meeting_id: int) -> HttpResponse:
    """Send the results by email, to members with an address and to addresses typed in."""
    meeting = get_meeting(club, meeting_id)
    sessions = sessions_of(meeting)
    agreed = Contact.objects.of_club(club).filter(player__merged_into=None, player__left_on=None).exclude(email="")
    contacts = sorted(agreed.select_related("player"), key=lambda contact: name_order(contact.player))
    refusal = mail_refusal(request.user)
    others_from = typed_addresses_from(club)
    can_send = sessions and not refusal
    sent_before = sent_to(meeting)
    form = None
    if can_send:
        form = ResultsMailForm(contacts, posted(request), takes_others=others_from is None, sent=sent_before)
    result, link = result_of(meeting), whole_address(request, reverse("meeting", args=[club.slug, meeting.pk]))
    if request.method == "POST" and form and form.is_valid():
        with errors_in(form):
            recipients = form.recipients()
            mail = results_mail(meeting, sessions, link, _own_links(request, recipients))
            refused = mail_results(meeting, mail, recipients, by=actor(request))
            number = len(recipients) - len(refused)
            sent = f"Sent to {number} address{'' if number == 1 else 'es'}."
            if not refused:
                messages.success(request, sent)
                return redirect("meeting", club.slug, meeting.pk)
            addresses = ", ".join(address for address, _ in refused)
            sentence = f"{sent} Not sent to {addresses}. Check these addresses below, then send again."
            form = form.left_over(refused, sentence)
    context = {
        "club": club,
        "meeting": meeting,
        "sessions": sessions,
        "form": form,
        "text": mail_text(meeting, sessions, result, link),
        "refusal": refusal and refusal.name,
        "others_from": others_from,
        "has_hands": not all(session.imported for session in sessions),
        "sent_before": [row.player.full_name for row in contacts if row.player_id in sent_before],
        "addresses": [contact.email for contact in contacts],
        "subject": mail_subject(meeting),
        "short_text": short_text(meeting, result, link),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "exchange/meeting_mail.html", context, status=status)


def _own_links(request: MemberRequest, recipients: list[tuple[str, int | None]]) -> dict[int, str]:
    """Return the address of each player's own link, by id."""
    players = Player.objects.in_bulk([player for _, player in recipients if player])
    with write_transaction():
        return {
            pk: whole_address(request, reverse("coming", args=[reply_key_of(player)])) for pk, player in players.items()
        }
