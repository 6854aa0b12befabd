"""What the noticeboard shows after a meeting, and the report on a season for the annual meeting."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from math import ceil
from typing import Any

from clubscore.league.methods import sum_of_known
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.words import listed
from sessions_app.league.records import honours_of, records, trophies_of
from sessions_app.league.standings import League, league
from sessions_app.models import Club, CupWinner, Meeting, Player, PlayerHand, Season, Tally
from sessions_app.people.players import name_order, public_names
from sessions_app.table.meeting_result import NotableHand, notable_hands

BETWEEN_NAMES = re.compile(r"\s*[,;/&+]\s*|\s+and\s+", re.IGNORECASE)
MAX_MEETINGS = 3
MAX_MOVERS = 3


def noticeboard_of(season: Season, today: date, is_public: bool = False) -> dict[str, Any]:
    """Return what the noticeboard shows of a season, with full or public names; a fixed number of queries.

    `listed` are the ranked rows or, while nobody is ranked, all rows, the highest net first; `best` (everyone who is
    level) and `specials` are of the last meeting; `names` are the players' names on it, by id.
    """
    found = league(season)
    day = found.last_day
    specials = [honour for honour in honours_of(season.club, season) if honour.played.session.date == day]
    best = best_hands_of(season, day) if day else []
    people = [row.player for row in found.rows] + [honour.played.player.pk for honour in specials]
    names = board_names(season.club, people + [hand.result.seat.player_id for hand in best], is_public)
    found = renamed_league(found, names)
    up = sorted((row for row in found.rows if (row.moved or 0) > 0), key=lambda row: -(row.moved or 0))
    # Once today's meeting has been played, the next one is on a later day.
    next_day = max(today, day + timedelta(days=1)) if day else today
    return {
        "league": found,
        "listed": found.ranked or sorted(found.below, key=lambda row: -row.net),
        "movers": up[:MAX_MOVERS],
        "movers_more": len(up[MAX_MOVERS:]),
        "best": [hand for hand in best if hand.result.seat.player_id in names],
        "specials": [honour for honour in specials if honour.played.player.pk in names],
        "next_meetings": Meeting.objects.filter(league=season.league).upcoming(season.club, next_day, MAX_MEETINGS),
        "names": names,
    }


def board_names(club: Club, ids: Iterable[Any], is_public: bool) -> dict[int, str]:
    """Return these players' names on paper, by id, without players left off public lists if it is public; one query."""
    players = Player.objects.in_bulk(set(ids))
    if not is_public:
        return {pk: str(player) for pk, player in players.items()}
    return {pk: name for pk, name in public_names(club, players.values()).items() if name}


def renamed_league(found: League, names: dict[int, str]) -> League:
    """Return the league with these names, without players who have none."""
    rows = [replace(row, name=names[row.player]) for row in found.rows if row.player in names]
    return replace(found, rows=rows)


def best_hands_of(season: Season, day: date) -> list[NotableHand]:
    """Return the highest hands of a day of a season, all that are level; none if its totals were imported."""
    # The day's few seats first: with a subquery PostgreSQL may read every hand there is for the highest.
    seats = list(Tally.objects.filter(season=season, session__date=day).values_list("seat_id", flat=True))
    hands = PlayerHand.objects.filter(seat__in=seats, total__gt=0)
    return notable_hands(hands.filter(total=hands.order_by("-total").values("total")[:1]))


def annual_report(season: Season, is_public: bool = False) -> dict[str, Any]:
    """Return the report for the annual meeting: all that is read out there, with full or public names.

    The sums include players who are left off. `days` are the days with sessions; `hands` are those known, None if none
    are; `without_hands` is the number of sessions where they are not known.
    """
    of_player, at_table = defaultdict(list), defaultdict(list)
    for tally in Tally.objects.filter(season=season).played().select_related("player", "session"):
        of_player[tally.player].append(tally)
        at_table[tally.session].append(tally)
    days = {player: {tally.session.date for tally in tallies} for player, tallies in of_player.items()}
    all_days = sorted(set().union(*days.values()))
    found, trophies = league(season), trophies_of(season)
    made, specials = records(season.club, season), honours_of(season.club, season)
    ids = {player.pk for player in of_player} | {row.player for row in found.rows}
    ids |= {honour.played.player.pk for honour in specials}
    ids |= {holder.player for _, holders in trophies for holder in holders}
    ids |= {holder.player.pk for record in made for holder in record.holders}
    names = board_names(season.club, ids, is_public)
    came = [
        {"name": names[player.pk], "is_guest": player.guest, "days": len(days[player]), "sessions": len(tallies)}
        for player, tallies in of_player.items()
        if player.pk in names
    ]
    recorded = PlayerHand.objects.filter(hand__session__season=season, hand__number__gt=0).values("hand").distinct()
    imported = [_hands_played(tallies) for session, tallies in at_table.items() if session.imported]
    return {
        "league": renamed_league(found, names),
        "cups": _cups_of(season.club, is_public),
        # Without players who have no name, and without a trophy or record that only they hold.
        "trophies": [
            (trophy, shown)
            for trophy, holders in trophies
            if (shown := [holder for holder in holders if holder.player in names]) or not holders
        ],
        "records": [
            replace(record, holders=holders)
            for record in made
            if (holders := tuple(holder for holder in record.holders if holder.player.pk in names))
        ],
        "honours": [honour for honour in specials if honour.played.player.pk in names],
        "days": all_days,
        "sessions": len(at_table),
        "hands": sum_of_known([recorded.count() or None, *imported]),
        "without_hands": imported.count(None),
        "players": len(of_player),
        "people_a_day": sum(map(len, days.values())) / len(all_days) if all_days else 0,
        "came": sorted(came, key=lambda row: (-row["days"], -row["sessions"], name_order(row["name"]))),
        "names": names,
    }


def _hands_played(tallies):
    """Return how many hands a table played by what its players did; None unless known for every player."""
    if any(tally.hands is None for tally in tallies):
        return None
    return ceil(sum(tally.hands for tally in tallies) / min(len(tallies), len(WINDS)))


def _cups_of(club: Club, is_public: bool) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each cup with its winners, the latest first, as year and names; in public without those left off.

    A row may name several, as "Ann Abbott and Bob Baker".
    """
    players = {str(player).casefold(): player.pk for player in Player.objects.of_club(club)} if is_public else {}
    shown = board_names(club, players.values(), True) if is_public else {}
    cups: dict[str, dict[str, list[str]]] = {}
    for won in CupWinner.objects.of_club(club):
        typed = [won.winner] if won.winner.casefold() in players else BETWEEN_NAMES.split(won.winner)
        if players.keys().isdisjoint(name.casefold() for name in typed):
            typed = [won.winner]
        for name in typed:
            player = players.get(name.casefold())
            if name := name if player is None else shown.get(player, ""):
                cups.setdefault(won.cup, {}).setdefault(won.year, []).append(name)
    return [(cup, [(year, listed(names, "and")) for year, names in years.items()]) for cup, years in cups.items()]
