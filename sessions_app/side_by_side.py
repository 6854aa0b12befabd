"""Work that only reads, shared out over every processor."""

import signal
from multiprocessing import get_context

from django.db import connection, connections

AT_ONCE = 4
# Fewer are done before other processes have begun.
FEW = 16


def side_by_side(work, rows, processes):
    """Yield what `work`, a function of a module, gives for each row, in their order.

    In this process alone for a few, and within a transaction, of which no other process would see anything.
    """
    rows = list(rows)
    if processes == 1 or len(rows) <= FEW or connection.in_atomic_block:
        yield from map(work, rows)
        return
    # No process may share another's connection.
    connections.close_all()
    with get_context("fork").Pool(processes, _begin) as pool:
        yield from pool.imap(work, rows, chunksize=AT_ONCE)


def _begin():
    # Ctrl-C is for the one that tells; it ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
