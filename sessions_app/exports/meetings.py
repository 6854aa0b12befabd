"""The CSV of a club's meetings, those to come too."""

from django.db.models import Count, Q

from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import Meeting

COLUMNS = ["date", "meeting", "starts_at", "place", "tables"]


def meetings_csv(club, season=None):
    """Return every meeting of a club or of a season's days, by date and name; one query."""
    meetings = Meeting.objects.of_club(club)
    if season is not None:
        meetings = meetings.filter(date__range=(season.starts_on, season.ends_on))
    counted = meetings.annotate(tables=Count("sessions", filter=Q(sessions__practice=False)))
    return csv_text(COLUMNS, map(_cells, counted.order_by("date", "name")))


def _cells(meeting):
    starts_at = f"{meeting.starts_at:%H:%M}" if meeting.starts_at else ""
    return [meeting.date.isoformat(), meeting.name, starts_at, meeting.place, meeting.tables]
