"""What stands under "meeting" in a CSV: a table that is played at twice on an afternoon has a number behind the name.

The key of a session in a file is its date, meeting and table. Its second session there stands as "Summer party (2)", at
a meeting without a name as "(2)"; the import of totals finds it again by that.
"""

import re
from collections import Counter

from sessions_app.models import Session

NUMBERED = re.compile(r"(?P<name>.*?) ?\((?P<nth>[2-9]|[1-9][0-9])\)\Z")


def meeting_cells(sessions):
    """Return by id what stands under meeting for each of these sessions but practice; one query.

    `sessions` holds every session of its meetings: of a club, or of one afternoon.
    """
    seen, cells = Counter(), {}
    rows = sessions.filter(practice=False).order_by("pk").values_list("pk", "meeting", "meeting__name", "table")
    for pk, meeting, name, table in rows:
        seen[meeting, table] += 1
        cells[pk] = numbered(name, seen[meeting, table])
    return cells


def cells_of_club(club):
    return meeting_cells(Session.objects.of_club(club))


def cell_of(session):
    """Return the cell of one session; a practice table has its meeting's name."""
    around = Session.objects.filter(meeting=session.meeting_id, table=session.table)
    return meeting_cells(around).get(session.pk, session.meeting.name)


def numbered(name, nth):
    """Return the name of a meeting for the nth session at a table of it."""
    return name if nth == 1 else f"{name} ({nth})".strip()


def apart(cell):
    """Return the name and the how-manieth session at the table of a cell: "Summer party (2)", or "(2)"."""
    found = NUMBERED.match(cell)
    return (found["name"], int(found["nth"])) if found else (cell, 1)
