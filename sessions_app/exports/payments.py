"""The CSV of who paid whom: one row a payment of every hand and fine, club-wide or of a season."""

from django.db.models import F

from sessions_app.exports.csv_writer import csv_text
from sessions_app.exports.meeting_cell import cells_of_club
from sessions_app.models import Payment

COLUMNS = ["date", "meeting", "table", "hand", "from", "to", "amount", "why"]
NOBODY = "nobody"


def payments_csv(club, season=None):
    """Return every payment that counts but practice, in the order of play; two queries."""
    found = Payment.objects.filter(session__club=club, session__practice=False, entry__taken_out=False)
    if season is not None:
        found = found.filter(session__season=season)
    found = found.select_related("payer__player", "payee__player", "session", "entry")
    found = found.annotate(number=F("entry__hand__number"))
    ordered = found.order_by(
        "session__date", "session__meeting__name", "session__table", "session", "entry__position", "pk"
    )
    meetings = cells_of_club(club)
    return csv_text(COLUMNS, (payment_cells(payment, meetings) for payment in ordered.iterator(chunk_size=1000)))


def payment_cells(payment, meetings):
    session = payment.session
    return [
        session.date.isoformat(),
        meetings[session.pk],
        session.table,
        payment.number or "",
        str(payment.payer.player),
        str(payment.payee.player) if payment.payee else NOBODY,
        payment.amount,
        payment.why,
    ]
