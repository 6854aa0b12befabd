"""The league table by any method, at any day, what if; trophies and cups; the seasons."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubscore.league.methods import METHODS
from clubscore.league.ranking import GROUPS
from clubscore.scoring.words import listed
from sessions_app.league.forms import (
    CupWinnerForm,
    LeaguesForm,
    SeasonForm,
    SeasonSettingsForm,
    TrophiesForm,
    WhatIfForm,
)
from sessions_app.league.records import trophies_of
from sessions_app.league.season_pictures import season_pictures as pictures_of
from sessions_app.league.seasons import (
    FIRST_METHOD,
    add_cup_winner,
    add_season,
    change_season,
    next_season,
    remove_cup_winner,
    save_leagues,
    settings_of_last_season,
)
from sessions_app.league.standings import League, league, season_settings, season_standings
from sessions_app.models import Club, CupWinner, Season, Session
from sessions_app.people.dates import day_words
from sessions_app.people.permissions import MEMBER, SECRETARY
from sessions_app.people.transactions import ServiceError
from sessions_app.web.access import MemberRequest, actor, club_member, form_of
from sessions_app.web.http_cache import cached, cached_immutable, conditional_get
from sessions_app.web.requests import (
    chosen_league,
    default_season,
    errors_in,
    page_number,
    parse_id,
    posted,
    row_from_query,
    today_in,
)


@dataclass(frozen=True)
class QueryLink:
    """A link to the same page for another season, method or group."""

    name: str
    query: str
    is_current: bool


@require_safe
@club_member(*MEMBER)
@conditional_get
def standings(request: MemberRequest, club: Club) -> HttpResponse:
    season = season_from_query(request, club)
    form = WhatIfForm(season, request.GET) if season else None
    body = cached(request, club, lambda: standings_body(request, club, season, form))
    status = 422 if form and form.errors else 200
    context = {"club": club, "season": season, "form": form, "body": body}
    return render(request, "league/standings.html", context, status=status)


def standings_body(request: MemberRequest, club: Club, season: Season | None, form: WhatIfForm | None) -> str:
    """Return the main part of the page: the same for everyone with the same role."""
    is_secretary = request.membership.role in SECRETARY
    context: dict[str, Any] = {"club": club, "season": season, "is_secretary": is_secretary}
    if season and form:
        seasons = Season.objects.of_club(club).only("name", "league")
        context |= league_page(request, season, league_from_query(season, form), form)
        context["other_seasons"] = season_links(seasons, season) if len(seasons) > 1 else []
    return render_to_string("league/_standings.html", context)


def league_page(request: HttpRequest, season: Season, found: League, form: WhatIfForm) -> dict[str, Any]:
    settings = found.table.settings
    titles = {key: replace(settings, method=key).title for key in METHODS}
    return {
        "league": found,
        "form": form,
        "what_if": what_if_panel(request, season, form),
        "season_method": season_settings(season).title.lower(),
        "methods": choice_links(request, "method", titles, settings.method),
        "group": GROUPS.get(settings.group, ""),
        "groups": group_links(request, found),
        "until": form.until if form.is_valid() else None,
        "query": request.GET.urlencode(),
    }


def group_links(request: HttpRequest, found: League) -> list[QueryLink]:
    """Return a link to everyone and to each group that has played; none if all players are in one group."""
    current = found.table.settings.group
    names = {"": "Everyone"} | {key: name for key, name in GROUPS.items() if key in (current, *found.groups)}
    return choice_links(request, "group", names, current) if current or len(found.groups) > 1 else []


def choice_links(request: HttpRequest, field: str, names: dict[str, str], current: str) -> list[QueryLink]:
    """Return links to the page with the same query, except for the value of `field`."""
    links, query = [], request.GET.copy()
    for key, name in names.items():
        query[field] = key
        links.append(QueryLink(name, query.urlencode(), key == current))
    return links


def what_if_panel(request: HttpRequest, season: Season, form: WhatIfForm) -> str:
    """Return the form below the table; without errors it does not depend on the results, so it is cached."""

    def make() -> SafeString:
        return render_to_string("league/_what_if.html", {"season": season, "form": form})

    if form.errors:
        return make()
    return cached_immutable(("what if", season.pk, repr(season_settings(season)), request.GET.urlencode()), make)


def league_from_query(season: Season, form: WhatIfForm) -> League:
    """Return the league with the settings of the query string; invalid ones are left out."""
    form.is_valid()
    return league(season, form.until, **form.settings())


def season_from_query(request: HttpRequest, club: Club) -> Season | None:
    """Return the season of ?season=, or 404 if it is another club's; without it today's season, of ?league=."""
    season: Season | None = row_from_query(request, Season.objects.of_club(club), "season")
    return season or default_season(club, today_in(club), chosen_league(request, club))


RUNNERS = 5  # as many lines as there are markers


@require_safe
@club_member(*MEMBER)
def season_pictures(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the race for the first position, five players at a time; who came; who has met whom."""
    season = season_from_query(request, club)
    pictures = pictures_of(season) if season else None
    race = pictures.race if pictures else []
    starts = range(0, len(race), RUNNERS)
    page = min(page_number(request), max(len(starts), 1))
    first = (page - 1) * RUNNERS
    here = f"season={season.pk}&" if season else ""
    groups = [
        QueryLink(f"From {at + 1}", f"{here}page={number}", number == page) for number, at in enumerate(starts, 1)
    ]
    context = {
        "club": club,
        "season": season,
        "pictures": pictures,
        "runners": race[first : first + RUNNERS],
        "groups": groups,
        **scope_links(Season.objects.of_club(club), season),
    }
    return render(request, "league/season_pictures.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def trophies(request: MemberRequest, club: Club) -> HttpResponse:
    """Show who holds the season's trophies; the secretary chooses which there are."""
    season = season_from_query(request, club)
    form = None
    if season and request.membership.role in SECRETARY:
        form = TrophiesForm(posted(request), initial={"trophies": season.trophies})
    if request.method == "POST" and not form:
        raise PermissionDenied
    if season and form and form.is_valid():
        with errors_in(form):
            change_season(season, trophies=form.cleaned_data["trophies"], by=actor(request))
            messages.success(request, "Trophies saved for this season.")
            return redirect(f"{reverse('trophies', args=[club.slug])}?season={season.pk}")
    held = trophies_of(season) if season else []
    context = {"club": club, "season": season, "form": form, "trophies": held}
    return render(request, "league/trophies.html", context, status=422 if form and form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def cups(request: MemberRequest, club: Club) -> HttpResponse:
    """Show every cup with its winners, the latest first; the secretary adds and removes them."""
    form = form_of(request, SECRETARY, lambda: CupWinnerForm(posted(request), initial=_newest_champion(club)))
    if request.POST.get("remove"):
        winner = get_object_or_404(CupWinner.objects.of_club(club), pk=parse_id(request.POST["remove"]))
        messages.success(request, f"{winner.winner} is no longer in the list of {winner.cup}, {winner.year}.")
        remove_cup_winner(winner, by=actor(request))
        return redirect("cups", club.slug)
    if form and form.is_valid():
        winner = add_cup_winner(club, by=actor(request), **form.cleaned_data)
        messages.success(request, f"{winner.winner} is in the list of {winner.cup}, {winner.year}.")
        return redirect("cups", club.slug)
    winners = groupby(CupWinner.objects.of_club(club), key=lambda winner: winner.cup)
    context = {"club": club, "cups": [(cup, list(of_cup)) for cup, of_cup in winners], "form": form}
    return render(request, "league/cups.html", context, status=422 if form and form.errors else 200)


def _newest_champion(club: Club) -> dict[str, Any]:
    """Return what the form begins with: today's season, and the player who is first in its table, if only one is."""
    season = default_season(club, today_in(club))
    if not season:
        return {}
    first = [row.name for row in season_standings(season).rows if row.position == 1]
    year = next(words for words in (str(season), season.name[:20]) if len(words) <= 20)
    return {"year": year, "winner": first[0] if len(first) == 1 else ""}


@dataclass(frozen=True)
class Award:
    """What a certificate says of its winner: they `word` the `title` in that year or season."""

    winner: str
    word: str
    title: str
    year: str
    fact: str = ""


@require_safe
@club_member(*MEMBER)
def cup_certificate(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the certificate of the winner ?winner=, or of the one added last."""
    winners = CupWinner.objects.of_club(club)
    pk = request.GET.get("winner")
    winner = get_object_or_404(winners, pk=parse_id(pk)) if pk else winners.order_by("-pk").first()
    awards = [Award(winner.winner, "won the", winner.cup, winner.year)] if winner else []
    return render(request, "league/award_certificates.html", {"club": club, "awards": awards})


CAME = {1: "came first in the", 2: "came second in the", 3: "came third in the"}


@require_safe
@club_member(*MEMBER)
def season_certificates(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a certificate for each of the first three of a season, and for each holder of a trophy."""
    season, awards = season_from_query(request, club), []
    if season:
        table = season_standings(season)
        year = str(season)
        awards = [Award(row.name, CAME[row.position], "League", year) for row in table.rows if row.position in CAME]
        for trophy, holders in trophies_of(season):
            awards += [Award(row.name, "won the trophy", trophy.name, year, row.words) for row in holders]
    return render(request, "league/award_certificates.html", {"club": club, "season": season, "awards": awards})


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*MEMBER)
def seasons(request: MemberRequest, club: Club) -> HttpResponse:
    form = None
    if request.membership.role in SECRETARY:
        league = chosen_league(request, club)
        settings = settings_of_last_season(club, league) or {"method": FIRST_METHOD}
        initial = {"rules": [club.rules], **settings, **next_season(club, league), "league": league}
        form = SeasonForm(club, posted(request), initial=initial)
    if request.method == "POST" and not form:
        raise PermissionDenied
    if form and form.is_valid():
        with errors_in(form):
            settings = settings_of_last_season(club, form.cleaned_data.get("league", ""))
            season = add_season(club, by=actor(request), **{**settings, **form.cleaned_data})
            messages.success(request, f"Season added: {season}.")
            return redirect("seasons", club.slug)
    rows = [(row, season_settings(row).title if row.method in METHODS else "") for row in Season.objects.of_club(club)]
    context = {"club": club, "form": form, "seasons": rows}
    return render(request, "league/seasons.html", context, status=422 if form and form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def season(request: MemberRequest, club: Club, season_id: int) -> HttpResponse:
    """Change the settings of one season; a locked one is only shown."""
    season = get_object_or_404(Season.objects.of_club(club), pk=season_id)
    form = SeasonSettingsForm(club, posted(request), season)
    if form.is_valid():
        with errors_in(form):
            change_season(season, by=actor(request), **form.cleaned_data)
            messages.success(request, f"Season saved: {season}. The league table is up to date.")
            return redirect("seasons", club.slug)
        season.refresh_from_db()
    context = {
        "club": club,
        "form": form,
        "season": season,
        "sessions": season.sessions.count(),
        "still_open": _tables_open(season),
        "today": club.today,
    }
    return render(request, "league/season.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@club_member(*SECRETARY)
def leagues(request: MemberRequest, club: Club) -> HttpResponse:
    """Name the leagues of a club, and add another."""
    form = LeaguesForm(club, posted(request))
    if form.is_valid() and form.cleaned_data["shown"] not in (None, club.leagues):
        messages.error(request, "Someone else has changed the leagues. They are shown as they are now.")
        return redirect("leagues", club.slug)
    if form.is_valid():
        with errors_in(form):
            save_leagues(club, form.names(), by=actor(request))
            messages.success(request, f"Leagues saved: {listed(club.leagues, 'and') or 'one for all'}.")
            return redirect("seasons", club.slug)
    return render(request, "league/leagues.html", {"club": club, "form": form}, status=422 if form.errors else 200)


@require_POST
@club_member(*SECRETARY)
def lock_season(request: MemberRequest, club: Club, season_id: int) -> HttpResponse:
    """Lock a season, or unlock a locked one."""
    season = get_object_or_404(Season.objects.of_club(club), pk=season_id)
    locked = not season.locked
    try:
        change_season(season, by=actor(request), locked=locked)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("season", club.slug, season.pk)
    state = "locked. Its hands, dates and settings cannot be changed" if locked else "unlocked. You can change it again"
    messages.success(request, f"The season {season} is {state}.")
    if locked and (still_open := _tables_open(season)):
        messages.warning(request, f"Not finished, and no one can enter hands there now: {still_open}.")
    return redirect("season", club.slug, season.pk)


def _tables_open(season: Season) -> str:
    """Return the names of the tables of a season that are still open; empty if there are none."""
    still_open = season.sessions.filter(state=Session.State.OPEN).order_by("date", "table", "pk")
    return ", ".join(f"table {session.table} on {day_words(session.date)}" for session in still_open)


SEASONS_SHOWN = 2


def season_links(seasons: Iterable[Season], current: Season | None) -> list[QueryLink]:
    """Return a link to the page for each of these seasons."""
    return [QueryLink(str(season), f"season={season.pk}", season == current) for season in seasons]


def scope_links(
    seasons: Iterable[Season], current: Season | None, all_time: Iterable[QueryLink] = ()
) -> dict[str, list[QueryLink]]:
    """Return the context of _scopes.html: the latest seasons, all time, and the earlier seasons to be folded away."""
    links = season_links(seasons, current)
    return {"links": [*links[:SEASONS_SHOWN], *all_time], "more_links": links[SEASONS_SHOWN:]}
