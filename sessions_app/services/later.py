"""Work that goes on while the answer is already on its way, so that the time it takes tells nothing to who asked.

Such work reads nothing from the database and writes nothing there.
"""

import logging
from concurrent.futures import ThreadPoolExecutor

FAULTS = logging.getLogger(__name__)
# Its thread begins with the first work, in the process that has it to do, and is waited for when that process ends.
_WORKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="later")


def do_later(work, *what):
    """Hand this work on, and return at once; a fault of it is told outside."""
    _WORKER.submit(_do, work, *what)


def wait_until_done():
    """Return when all that was handed on before is done."""
    _WORKER.submit(bool).result()


def _do(work, *what):
    try:
        work(*what)
    except Exception:
        FAULTS.exception("What was to be done later could not be done.")
