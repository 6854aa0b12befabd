"""What tests ask of a database after they have played: whether stored results and ledgers agree."""

from sessions_app.table.reconcile import survey


def reconcile(repair=False):
    """Return a sentence for each difference between stored results and the ledgers; rebuild them with `repair`."""
    return survey(repair).differences
