"""Who met whom this season: what the draw of tables reckons with."""

from collections import defaultdict
from datetime import date
from itertools import combinations

from sessions_app.models import Season, Seat, Tally


def season_span(club, day: date):
    """Return first and last day of what counts as this season for the draw: the club's season, else the year."""
    season = Season.objects.of_club(club).filter(starts_on__lte=day, ends_on__gte=day).first()
    if season:
        return season.starts_on, season.ends_on
    return day.replace(month=1, day=1), day.replace(month=12, day=31)


def times_met(club, day: date) -> dict[tuple[int, int], int]:
    """Return at how many meetings of the season each pair (lower id, higher id) has sat at one table so far.

    The day itself is among them: what was played in an earlier round of the afternoon counts. Two queries.
    """
    starts_on, _ = season_span(club, day)
    seats = Seat.objects.of_club(club).filter(session__date__range=(starts_on, day), session__practice=False)
    seats = seats.filter(tally__in=Tally.objects.of_club(club).played())
    at_table = defaultdict(set)
    for meeting, session, player in seats.values_list("session__meeting_id", "session_id", "player_id"):
        at_table[meeting, session].add(player)
    met = {(meeting, pair) for (meeting, _), players in at_table.items() for pair in combinations(sorted(players), 2)}
    times = defaultdict(int)
    for _, pair in met:
        times[pair] += 1
    return dict(times)
