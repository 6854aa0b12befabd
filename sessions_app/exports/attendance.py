"""The CSV of who came: one row a player and meeting, from the list at the door and from the seats at the tables."""

from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import Attendance, Meeting, Player, Seat

COLUMNS = ["date", "meeting", "player", "guest", "listed", "tables"]


def attendance_csv(club, season=None):
    """Return who stood on a meeting's list or sat at a table that counts, by date, then name; four queries."""
    meetings = Meeting.objects.of_club(club)
    attendances = Attendance.objects.of_club(club)
    seats = Seat.objects.of_club(club).filter(session__practice=False)
    if season is not None:
        span = (season.starts_on, season.ends_on)
        meetings = meetings.filter(date__range=span)
        attendances = attendances.filter(meeting__date__range=span)
        seats = seats.filter(session__date__range=span)
    listed = {(one.meeting_id, one.player_id): _state(one) for one in attendances}
    tables = {}
    for meeting, player, table in seats.order_by("session__table").values_list(
        "session__meeting", "player", "session__table"
    ):
        at = tables.setdefault((meeting, player), [])
        if table not in at:
            at.append(table)
    by_id, people = meetings.in_bulk(), Player.objects.of_club(club).in_bulk()
    came = {*listed, *tables}
    rows = sorted(came, key=lambda key: (by_id[key[0]].date, by_id[key[0]].name, str(people[key[1]]), key))
    return csv_text(
        COLUMNS, (_cells(by_id[key[0]], people[key[1]], listed.get(key, ""), tables.get(key, [])) for key in rows)
    )


def _state(attendance):
    return "left early" if attendance.left else "late" if attendance.late else "here"


def _cells(meeting, player, listed, tables):
    return [
        meeting.date.isoformat(),
        meeting.name,
        str(player),
        "yes" if player.guest else "",
        listed,
        " ".join(map(str, tables)),
    ]
