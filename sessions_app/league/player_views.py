"""One player's page: form, averages, ways of winning, best and special hands, head-to-head, attendance."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import in_words, line_name, unit_of, worth
from clubscore.table.live_scoring import own_keys, special_names
from sessions_app.league.player_hands import best_hands, by_east, opponents, special_hands, wins_of_player
from sessions_app.league.player_page import Scope, form_of_player, meetings_of_club, recordings_of
from sessions_app.league.standings_views import ScopeLink, scope_page, season_links
from sessions_app.models import Club, Player, PlayerHand, Recording, Season, Session
from sessions_app.people.permissions import MEMBER
from sessions_app.rules.drawn_hands import Group, sum_words, tile_groups, tile_names
from sessions_app.table.views.hand_page import Line, given_words, shown_form
from sessions_app.web.access import club_member
from sessions_app.web.requests import today_in

BIG_ID = 19
SHOWN = 10
ALL_TIME = {"settle": "All time", "straight": "All time, own scores"}


@dataclass(frozen=True)
class BestHand:
    """One of the player's highest hands as the page draws it."""

    result: PlayerHand
    groups: tuple[Group, ...]
    tile_names: dict
    special: str
    given: str
    lines: tuple[Line, ...]
    sum: str

    @property
    def session(self) -> Session:
        return self.result.hand.session


@require_safe
@club_member(*MEMBER)
def player(request: HttpRequest, club: Club, player_id: int) -> HttpResponse:
    one = get_object_or_404(Player.objects.of_club(club).select_related("merged_into"), pk=player_id)
    if one.merged_into:
        return redirect("player", club.slug, one.merged_into_id)
    seasons = list(Season.objects.of_club(club).order_by("-starts_on"))
    recordings = recordings_of(one)
    scope = asked_scope(request, club, seasons, recordings)
    form = form_of_player(one, scope)
    met, to_nobody = opponents(one, scope, form)
    latest = form.played[::-1]
    east = by_east(one, scope)
    context = {
        "club": club,
        "player": one,
        "scope": scope,
        **scope_page(season_links(seasons, scope.season), all_time_links(scope, recordings)),
        "form": form,
        "latest": latest[:SHOWN],
        "earlier": latest[SHOWN:],
        "east": east,
        "outside_hands": (form.whole.net or 0) - sum(account.net or 0 for account in east),
        "by_rules": form.by_rules(rule_set_name),
        "wins": wins_of_player(one, scope),
        "best_hands": [best_hand(row) for row in best_hands(one, scope)],
        "special_hands": special_hands(one, scope),
        "opponents": met,
        "opponents_shown": met[:SHOWN],
        "opponents_more": met[SHOWN:],
        "to_nobody": to_nobody,
        "meetings": meetings_of_club(club, scope),
        "spans": form.by_span("{:%B %Y}".format if scope.season else "{:%Y}".format),
        "adds_up": scope.recording == Recording.STRAIGHT,
    }
    return render(request, "league/player.html", context)


def asked_scope(request: HttpRequest, club: Club, seasons: list[Season], recordings: list[str]) -> Scope:
    """Return what ?season= or ?all= asks for; without them the season of today, where there is none all time."""
    today = today_in(club)
    wanted, of_all = request.GET.get("season", ""), request.GET.get("all")
    season = next((season for season in seasons if season.starts_on <= today), None)
    if wanted.isdecimal() and len(wanted) < BIG_ID:
        season = get_object_or_404(Season.objects.of_club(club), pk=int(wanted))
    elif of_all is not None:
        season = None
    if season:
        return Scope(season, season.recording)
    recording = of_all if of_all in ALL_TIME else next(iter(recordings), Recording.SETTLE)
    return Scope(None, str(recording))


def all_time_links(scope: Scope, recordings: list[str]) -> list[ScopeLink]:
    """Return the links to all time by every recording the player has played by."""
    is_all = scope.season is None
    return [
        ScopeLink(ALL_TIME[recording], f"all={recording}", is_all and scope.recording == recording)
        for recording in recordings or [Recording.SETTLE]  # type: ignore[list-item]
    ]


def best_hand(row: PlayerHand) -> BestHand:
    """Draw one of the highest hands, in the words of its table."""
    session = row.hand.session
    body, words = row.hand.entry.body, session.vocabulary()
    own = own_keys(session)
    form = (body.get("hands") or {}).get(str(row.seat.chair)) or {}
    return BestHand(
        result=row,
        groups=tile_groups(shown_form(body, row), words),
        tile_names=tile_names(words),
        special=special_names(session).get(row.special, row.special),
        given=in_words(words, given_words(form)),
        lines=tuple(Line(line_name(words, line, own), worth(line), line["rule"], unit_of(line)) for line in row.lines),
        sum=sum_words(row.points, row.doubles, row.times, row.total, row.limited),
    )
