"""The CSV of the special hands that went Mah-jong."""
from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import Meeting
from sessions_app.queries.own_hands import special_hands_of

COLUMNS = ["date", "meeting", "table", "hand", "player", "special", "name", "total"]


def honours_csv(club, season=None):
    """Return the special hands of a club or a season, the earliest first; two queries."""
    won = [one for one in special_hands_of(club, season) if one.result.won]
    meetings = dict(Meeting.objects.of_club(club).values_list("pk", "name"))
    return csv_text(COLUMNS, (_cells(one, meetings) for one in reversed(won)))


def _cells(one, meetings):
    result, hand = one.result, one.result.hand
    session = hand.session
    return [
        session.date.isoformat(),
        meetings[session.meeting_id],
        session.table,
        hand.number,
        str(result.seat.player),
        result.special,
        one.name,
        result.total,
    ]
