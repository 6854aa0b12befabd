"""The CSV of the special hands that went Mah-jong."""

from sessions_app.exports.csv_writer import csv_text
from sessions_app.exports.meeting_cell import cells_of_club
from sessions_app.queries.own_hands import special_hands_of

COLUMNS = ["date", "meeting", "table", "hand", "player", "special", "name", "total"]


def honours_csv(club, season=None):
    """Return the special hands of a club or a season, the earliest first; two queries."""
    won = [one for one in special_hands_of(club, season) if one.result.won]
    meetings = cells_of_club(club)
    # The order of play by what the file itself shows, so that another installation writes the same.
    won = sorted(reversed(won), key=lambda one: (one.session.date, meetings[one.session.pk], one.session.table))
    return csv_text(COLUMNS, (_cells(one, meetings) for one in won))


def _cells(one, meetings):
    result, hand = one.result, one.result.hand
    session = hand.session
    return [
        session.date.isoformat(),
        meetings[session.pk],
        session.table,
        hand.number,
        str(result.seat.player),
        result.special,
        one.name,
        result.total,
    ]
