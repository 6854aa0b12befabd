"""The CSV of who paid whom: one row a payment of every hand and fine, club-wide or of a season."""
from django.db.models import F

from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import Payment

COLUMNS = ["date", "meeting", "table", "hand", "from", "to", "amount", "why"]
NOBODY = "nobody"


def payments_csv(club, season=None):
    """Return every payment that counts but practice, in the order of play; one query."""
    found = Payment.objects.filter(session__club=club, session__practice=False, entry__taken_out=False)
    if season is not None:
        found = found.filter(session__season=season)
    found = found.select_related("payer__player", "payee__player", "session__meeting", "entry")
    found = found.annotate(number=F("entry__hand__number"))
    ordered = found.order_by("session__date", "session__table", "session", "entry__position", "pk")
    return csv_text(COLUMNS, (payment_cells(payment) for payment in ordered.iterator(chunk_size=1000)))


def payment_cells(payment):
    session = payment.session
    return [
        session.date.isoformat(),
        session.meeting.name,
        session.table,
        payment.number or "",
        str(payment.payer.player),
        str(payment.payee.player) if payment.payee else NOBODY,
        payment.amount,
        payment.why,
    ]
