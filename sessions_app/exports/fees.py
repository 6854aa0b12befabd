"""The CSV of what meetings cost those who came: apart from the points, where a club keeps it."""

from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import MeetingFee

COLUMNS = ["date", "meeting", "player", "table_fee", "refreshments", "paid"]


def has_fees(club):
    return club.keeps_fees or MeetingFee.objects.of_club(club).exists()


def fees_csv(club, season=None):
    """Return every fee that was noted, of a club or of a season's days, by date and name; one query."""
    fees = MeetingFee.objects.of_club(club).select_related("meeting", "player")
    if season is not None:
        fees = fees.filter(meeting__date__range=(season.starts_on, season.ends_on))
    ordered = sorted(fees, key=lambda fee: (fee.meeting.date, fee.meeting.name, str(fee.player), fee.pk))
    return csv_text(COLUMNS, map(_cells, ordered))


def _cells(fee):
    paid = "yes" if fee.paid else ""
    return [fee.meeting.date.isoformat(), fee.meeting.name, str(fee.player), fee.table_fee, fee.refreshments, paid]
