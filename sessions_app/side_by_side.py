"""Work that only reads, shared out over every processor."""

import signal
from multiprocessing import get_context

from django.db import connections

AT_ONCE = 4
# Fewer are done before other processes have begun.
FEW = 16


def side_by_side(work, rows, processes):
    """Yield what `work`, a function of a module, gives for each row, in any order; in this process alone for a few."""
    rows = list(rows)
    if processes == 1 or len(rows) <= FEW:
        yield from map(work, rows)
        return
    # No process may share another's connection.
    connections.close_all()
    with get_context("fork").Pool(processes, _begin) as pool:
        yield from pool.imap_unordered(work, rows, chunksize=AT_ONCE)


def _begin():
    # Ctrl-C is for the one that tells; it ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
