"""The club's page, players' pages, the roll of honour with certificates, and everything that is printed."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from clubscore.league.ranking import small_print
from clubscore.play.drawn_hands import tile_groups, tile_names
from clubscore.play.one_hand import given_words, shown_form
from clubscore.play.scoring_by_seat import club_hand_keys, shown_lines, special_names
from clubscore.play.table_words import sum_words
from clubscore.scoring import RULE_SETS
from clubscore.scoring.words import in_words
from sessions_app.league.noticeboard import annual_report, noticeboard_of
from sessions_app.league.player_page import (
    Scope,
    best_hands,
    by_east,
    form_of_player,
    meetings_of_club,
    opponents,
    recordings_of,
    special_hands,
    wins_of_player,
)
from sessions_app.league.records import certificates_for, honours_of, honours_of_hand, not_yet_seen, records
from sessions_app.league.standings import season_standings
from sessions_app.league.standings_views import QueryLink, scope_links, season_from_query
from sessions_app.models import (
    Club,
    Command,
    DrawnTable,
    Meeting,
    Player,
    PlayerHand,
    Recording,
    Season,
    Session,
    WaitingGame,
)
from sessions_app.people.permissions import MEMBER, SCOREKEEPER, SECRETARY
from sessions_app.rules.club_rules import rules_in_force
from sessions_app.rules.rule_pages import paying_sentences
from sessions_app.table.hand_queries import unread_answers
from sessions_app.table.sessions import SessionCard, in_play, latest_finished, tables_of_last_day
from sessions_app.web.access import MemberRequest, club_member, of_session
from sessions_app.web.http_cache import cached
from sessions_app.web.requests import chosen_league, default_season, page_number, parse_id, row_from_query, today_in

TOP = 5
LATEST = 6
A_PAGE = 50


@require_safe
@club_member(*MEMBER)
def club(request: MemberRequest, club: Club) -> HttpResponse:
    is_secretary = request.membership.role in SECRETARY
    today = today_in(club)
    season = default_season(club, today, chosen_league(request, club))
    wants_all, page = "all" in request.GET, page_number(request)
    number = A_PAGE if wants_all else LATEST
    latest = latest_finished(club, number + 1, (page - 1) * number if wants_all else 0)
    tables = in_play(club)
    context = {
        "club": club,
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "is_secretary": is_secretary,
        "waiting": Command.objects.of_club(club).waiting().count() if request.membership.to_do else 0,
        "games": request.membership.role in SCOREKEEPER and WaitingGame.objects.of_club(club).exists(),
        "answers": unread_answers(request.user, session__club=club),
        "today": today,
        "next_meeting": next(iter(Meeting.objects.upcoming(club, today, 1)), None),
        "in_play": tables,
        "own_table": _own_table(tables, request.membership.player_id, today),
        "latest": latest[:number],
        "again": tables_of_last_day(latest),
        "has_more": len(latest) > number,
        "wants_all": wants_all,
        "page": page,
        "season": season,
        **(cached(request, club, lambda: top_of(season), part=f"top of season {season.pk}") if season else {}),
    }
    return render(request, "league/club.html", context)


def _own_table(tables: list[SessionCard], player: int | None, today: date) -> SessionCard | None:
    """Return the table of today at which this player sits, or the only one; None where it is not known."""
    ours = [card for card in tables if card.session.date == today and not card.session.paused]
    own = [card for card in ours if player in [tally.player_id for tally in card.session.tallies.all()]]
    return own[0] if own else ours[0] if len(ours) == 1 else None


def top_of(season: Season) -> dict[str, str | list[Any]]:
    """Return the top of a season's table, what it is ranked by, and the small print."""
    table = season_standings(season)
    return {
        "top": [row for row in table.rows if row.position][:TOP],
        "method_name": table.settings.title,
        "still_playing": table.still_playing,
        "top_words": " ".join(small_print(table.settings)[:2]),
    }


@require_safe
@club_member(*MEMBER)
def honours(request: HttpRequest, club: Club) -> HttpResponse:
    of_all_time, league = "all" in request.GET, chosen_league(request, club)
    season = None if of_all_time else season_from_query(request, club)
    has_scope = season or of_all_time
    found = honours_of(club, season, league) if has_scope else []
    today = today_in(club)
    day = min(today, season.ends_on) if season else today
    seasons = Season.objects.of_club(club).order_by("-starts_on")
    all_time = [
        QueryLink(
            f"{name}, all time" if name else "All time",
            urlencode({"all": 1} | ({"league": name} if name else {})),
            of_all_time and name == league,
        )
        for name in club.leagues or [""]
    ]
    context = {
        "club": club,
        "season": season,
        "league": league,
        "is_over": day < today,
        **scope_links(seasons, season, all_time),
        "of_all_time": of_all_time,
        "honours": found,
        "records": records(club, season, league) if has_scope else [],
        "not_seen": not_yet_seen(club, found, day),
    }
    return render(request, "league/honours.html", context)


@require_safe
@club_member(*MEMBER)
def certificates(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a certificate for every special hand of a season, each on its own page."""
    season = season_from_query(request, club)
    found = honours_of(club, season) if season else []
    context = {"club": club, "season": season, "certificates": certificates_for(found)}
    return render(request, "league/certificates.html", context)


@require_safe
@of_session(*MEMBER)
def certificate(request: HttpRequest, club: Club, table_session: Session, key: UUID) -> HttpResponse:
    """Show the certificate of one hand: two if two players won it with special hands."""
    found = honours_of_hand(table_session, key)
    if not found:
        raise Http404("No special hand won here")
    return render(request, "league/certificates.html", {"club": club, "certificates": certificates_for(found)})


PLAYERS = (3, 4, 5)
ROWS = 16


@require_safe
@club_member(*MEMBER)
def prints(request: MemberRequest, club: Club) -> HttpResponse:
    today = today_in(club)
    to_play = DrawnTable.objects.of_club(club).filter(Q(session=None) | Q(session__state=Session.State.OPEN))
    context = {
        "club": club,
        "drawn": set(to_play.values_list("meeting_id", flat=True)),
        "is_scorekeeper": request.membership.role in SCOREKEEPER,
        "players": PLAYERS,
        "of_today": [row for league in club.leagues or [""] if (row := default_season(club, today, league))],
        "seasons": Season.objects.of_club(club),
        "next_meetings": Meeting.objects.upcoming(club, today),
    }
    return render(request, "league/prints.html", context)


@require_safe
@club_member(*MEMBER)
def score_sheet(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a blank sheet for a table: hands down the page, players across it; of ?meeting=, by the rules of its day.

    It has one with names for each of its drawn tables.
    """
    players = next((number for number in PLAYERS if str(number) == request.GET.get("players")), 4)
    meeting_id = parse_id(request.GET.get("meeting", ""))
    meeting = Meeting.objects.of_club(club).filter(pk=meeting_id).first() if meeting_id else None
    played = rules_in_force(club, on=meeting.date if meeting else None, as_started_now=True)
    drawn = _sheets_of_draw(club, meeting) if meeting else []
    context = {
        "club": club,
        "sheets": drawn or [BlankSheet([""] * players)],
        "meeting": meeting,
        "has_names": bool(drawn),
        "number": players,
        "choices": PLAYERS,
        "hands": range(1, ROWS + 1),
        "rule_set": RULE_SETS[club.rules],
        "adds_up": played.house.recording == "straight",
        "paying": paying_sentences(club.rules, played.overrides),
        "limit": played.house.limit,
    }
    return render(request, "league/score_sheet.html", context)


@dataclass(frozen=True)
class BlankSheet:
    """A sheet to write on: a name for each player, blank where anyone may play, and the table."""

    names: list[str]
    table: int | None = None


def _sheets_of_draw(club: Club, meeting: Meeting) -> list[BlankSheet]:
    """Return a sheet for each drawn table that has not started, its people in their seats."""
    drawn = DrawnTable.objects.filter(meeting=meeting, session=None)
    names = Player.objects.of_club(club).in_bulk([player for table in drawn for player in table.players])
    return [
        BlankSheet([str(names[player]) for player in table.players if player in names], table.number) for table in drawn
    ]


def has_public_names(request: HttpRequest, club: Club) -> bool:
    """Return whether paper for the wall has public names: if the club shows any, unless ?names=full."""
    return club.public_names != club.PublicNames.NOBODY and request.GET.get("names") != "full"


@require_safe
@club_member(*MEMBER)
def noticeboard(request: HttpRequest, club: Club) -> HttpResponse:
    season, is_public = season_from_query(request, club), has_public_names(request, club)
    context = {
        "club": club,
        "season": season,
        "board": noticeboard_of(season, today_in(club), is_public) if season else None,
        "is_large": "large" in request.GET,
        "is_public": is_public,
    }
    return render(request, "league/noticeboard.html", context)


@require_safe
@club_member(*MEMBER)
def annual_meeting(request: HttpRequest, club: Club) -> HttpResponse:
    season, is_public = season_from_query(request, club), has_public_names(request, club)
    year = annual_report(season, is_public) if season else None
    context = {"club": club, "season": season, "year": year, "is_public": is_public}
    return render(request, "league/annual_meeting.html", context)


# One player's page: form, averages, ways of winning, best and special hands, head-to-head, attendance.


SHOWN = 10
ALL_TIME = {"settle": "All time", "straight": "All time, own scores"}


@require_safe
@club_member(*MEMBER)
def player(request: HttpRequest, club: Club, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.of_club(club).select_related("club", "merged_into"), pk=player_id)
    if player.merged_into:
        return redirect("player", club.slug, player.merged_into_id)
    seasons = list(Season.objects.of_club(club).order_by("-starts_on"))
    recordings = recordings_of(player)
    scope = scope_from_query(request, player, seasons, recordings)
    form = form_of_player(player, scope)
    met, to_nobody = opponents(player, scope, form)
    latest = form.played[::-1]
    east = by_east(player, scope)
    context = {
        "club": club,
        "player": player,
        "scope": scope,
        **scope_links(seasons, scope.season, all_time_links(scope, recordings)),
        "form": form,
        "latest": latest[:SHOWN],
        "earlier": latest[SHOWN:],
        "east": east,
        "outside_hands": (form.whole.net or 0) - sum(account.net or 0 for account in east),
        "by_rules": form.by_rules,
        "wins": wins_of_player(player, scope),
        "best_hands": [best_hand(row) for row in best_hands(player, scope)],
        "special_hands": special_hands(player, scope),
        "opponents_shown": met[:SHOWN],
        "opponents_more": met[SHOWN:],
        "to_nobody": to_nobody,
        "meetings": meetings_of_club(club, scope),
        "spans": form.by_month_or_year("{:%B %Y}" if scope.season else "{:%Y}"),
        "adds_up": scope.recording == Recording.STRAIGHT,
    }
    return render(request, "league/player.html", context)


def scope_from_query(request: HttpRequest, player: Player, seasons: list[Season], recordings: list[str]) -> Scope:
    """Return the scope of ?season= or ?all=; without them today's season, or all time if there is none.

    Of several leagues it is the one where the player was last.
    """
    all_time, club = request.GET.get("all"), player.club
    season = row_from_query(request, Season.objects.of_club(club), "season")
    if season is None and all_time is None:
        today, league = today_in(club), chosen_league(request, club)
        if club.leagues and "league" not in request.GET:
            played = Session.objects.filter(tallies__player=player, practice=False).order_by("-date", "-pk")
            league = played.values_list("meeting__league", flat=True).first() or league
        season = next((row for row in seasons if row.starts_on <= today and row.league == league), None)
    if season:
        return Scope(season, season.recording)
    recording = all_time if all_time in ALL_TIME else next(iter(recordings), Recording.SETTLE)
    return Scope(None, str(recording))


def all_time_links(scope: Scope, recordings: list[str]) -> list[QueryLink]:
    """Return a link to all time for each way of recording the player has played by."""
    is_all = scope.season is None
    return [
        QueryLink(ALL_TIME[recording], f"all={recording}", is_all and scope.recording == recording)
        for recording in recordings or [Recording.SETTLE]
    ]


def best_hand(row: PlayerHand) -> dict[str, Any]:
    """Return one of the highest hands with its tiles, in the words of its table."""
    session = row.hand.session
    body, words = row.hand.entry.body, session.vocabulary()
    form = (body.get("hands") or {}).get(str(row.seat.seat_no)) or {}
    return {
        "result": row,
        "session": session,
        "groups": tile_groups(shown_form(body, row.seat.seat_no), words),
        "tile_names": tile_names(words),
        "special": special_names(session).get(row.special, row.special),
        "given": in_words(words, given_words(form)),
        "lines": shown_lines(words, row.lines, club_hand_keys(session)),
        "sum": sum_words(row.points, row.doubles, row.times, row.total, row.limited),
    }
