"""What the noticeboard shows after a meeting, and the report on a season for the annual meeting."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from math import ceil
from typing import Any

from clubscore.scoring.rotation import WINDS
from sessions_app.league.records import honours, records, trophies_of
from sessions_app.league.standings import League, league
from sessions_app.models import Club, Meeting, Player, PlayerHand, Season, Tally
from sessions_app.people.players import public_names, sum_of_known
from sessions_app.table.meeting_result import NotableHand, notable_hands

NEXT = 3
MOVERS = 3


def noticeboard(season: Season, today: date, is_public: bool = False) -> dict[str, Any]:
    """Return what the noticeboard shows of a season, under full or under public names; a fixed number of queries.

    `listed` are the ranked rows or, while nobody is ranked, all rows, the highest net first; `best` (everyone who is
    level) and `specials` are of the last meeting; `names` are the players' names on it, by id.
    """
    found = league(season)
    day = found.last_day
    specials = [one for one in honours(season.club, season) if one.played.session.date == day]
    best = best_hands_of(season, day) if day else []
    people = [row.standing.player for row in found.rows] + [one.played.player.pk for one in specials]
    names = board_names(season.club, people + [one.result.seat.player_id for one in best], is_public)
    found = under(names, found)
    up = sorted((row for row in found.rows if row.moved and row.moved > 0), key=lambda row: -row.moved)
    return {
        "league": found,
        "listed": found.ranked or sorted(found.below, key=lambda row: -row.standing.net),
        "movers": up[:MOVERS],
        "movers_more": len(up[MOVERS:]),
        "best": [one for one in best if one.result.seat.player_id in names],
        "specials": [one for one in specials if one.played.player.pk in names],
        "next_meetings": Meeting.objects.upcoming(season.club, _after(day, today), NEXT),
        "names": names,
    }


def board_names(club: Club, ids: Iterable[Any], is_public: bool) -> dict[int, str]:
    """Return these players' names on paper, by id; a player on no public list has no public name; one query."""
    players = Player.objects.in_bulk(set(ids))
    if not is_public:
        return {pk: str(player) for pk, player in players.items()}
    return {pk: name for pk, name in public_names(club, players.values()).items() if name}


def under(names: dict[int, str], found: League) -> League:
    """Return a League under these names, without players who have none."""
    rows = [
        replace(row, standing=replace(row.standing, name=names[row.standing.player]))
        for row in found.rows
        if row.standing.player in names
    ]
    return replace(found, rows=rows)


def _after(last_day, today):
    """Return the day from which a meeting is still to come: today's has passed once it has been played."""
    return max(today, last_day + timedelta(days=1)) if last_day else today


def best_hands_of(season: Season, day: date) -> list[NotableHand]:
    """Return the highest hands of a day of a season, all that are level; none where its totals were imported."""
    # The day's few seats first: asked in one, PostgreSQL may read every hand there is for the highest.
    seats = list(Tally.objects.filter(season=season, session__date=day).values_list("seat_id", flat=True))
    hands = PlayerHand.objects.filter(seat__in=seats, total__gt=0)
    return notable_hands(hands.filter(total=hands.order_by("-total").values("total")[:1]))


def hands_at_table(tallies: Any) -> Any:
    """Return how many hands a table played by what its players did; None unless known for every player."""
    if any(tally.hands is None for tally in tallies):
        return None
    return ceil(sum(tally.hands for tally in tallies) / min(len(tallies), len(WINDS)))


def annual_meeting(season: Season, is_public: bool = False) -> dict[str, Any]:
    """Return the report for the annual meeting: league table, trophies, records, attendance.

    Under full or public names; the sums include players who are left off. `days` are the days with sessions; `hands`
    are those known, None where none are; of `without_hands` sessions they are not known.
    """
    tallies = Tally.objects.filter(season=season).played().select_related("player", "session")
    days, players = {}, {}
    sessions, at_table = Counter(), defaultdict(list)
    for tally in tallies:
        days.setdefault(tally.player_id, set()).add(tally.session.date)
        players[tally.player_id] = tally.player
        sessions[tally.player_id] += 1
        at_table[tally.session].append(tally)
    found, trophies = league(season), trophies_of(season)
    made, specials = records(season.club, season), honours(season.club, season)
    ids = {*players, *(row.standing.player for row in found.rows), *(one.played.player.pk for one in specials)}
    ids |= {holder.player for _, holders in trophies for holder in holders}
    ids |= {holder.player.pk for record in made for holder in record.holders}
    names = board_names(season.club, ids, is_public)
    all_days = sorted(set().union(*days.values()))
    visits = len({(tally.player_id, tally.session.date) for tally in tallies})
    came = [
        {"name": names[pk], "is_guest": player.guest, "days": len(days[pk]), "sessions": sessions[pk]}
        for pk, player in players.items()
        if pk in names
    ]
    recorded = PlayerHand.objects.filter(hand__session__season=season, hand__number__gt=0).values("hand").distinct()
    imported = [hands_at_table(some) for session, some in at_table.items() if session.imported]
    hands = sum_of_known([recorded.count() or None, *imported])
    return {
        "league": under(names, found),
        "trophies": _held(names, trophies),
        "records": _records_of(names, made),
        "honours": [one for one in specials if one.played.player.pk in names],
        "days": all_days,
        "sessions": len(at_table),
        "hands": hands,
        "without_hands": imported.count(None),
        "players": len(players),
        "people_a_day": visits / len(all_days) if all_days else 0,
        "came": sorted(came, key=lambda one: (-one["days"], -one["sessions"], one["name"])),
        "names": names,
    }


def _held(names, trophies):
    """Leave out players without a name, and a trophy that only they hold."""
    named = [(trophy, holders, [one for one in holders if one.player in names]) for trophy, holders in trophies]
    return [(trophy, some) for trophy, holders, some in named if some or not holders]


def _records_of(names, made):
    named = [replace(one, holders=tuple(h for h in one.holders if h.player.pk in names)) for one in made]
    return [one for one in named if one.holders]
