"""Starts granian, the web server: `python -m clubscore.server HOST PORT`."""

import multiprocessing
import os
import sys
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, RuntimeModes
from granian.http import HTTP1Settings
from granian.log import LogLevels

from clubscore.settings import LOGGING, WEB_PROCESSES

# Seconds after which a process ends itself if none of its threads could run (asgi.py); another takes its place.
HUNG_AFTER = 30

SETTINGS: dict[str, Any] = {
    "interface": Interfaces.ASGINL,
    "http": HTTPModes.http1,
    "websockets": False,
    # The other mode may wait for ever when it stops with nothing in hand.
    "runtime_mode": RuntimeModes.st,
    # On Windows granian has no more than one.
    "workers": 1 if os.name == "nt" else WEB_PROCESSES,
    # Milliseconds for a request's head to arrive, and its largest size.
    "http1_settings": HTTP1Settings(header_read_timeout=20_000, max_buffer_size=65_536),
    # A process that dies, or that needs more memory (MB) than large imports do, is replaced.
    "respawn_failed_workers": True,
    "workers_max_rss": 750,
    # Connections that a process holds at once: fewer than the files it may open (1024 on most systems).
    "backpressure": 900,
    # Seconds for the requests in hand when the server stops; Docker waits ten.
    "workers_kill_timeout": 8,
    "log_level": LogLevels.error,
    "log_dictconfig": {
        "formatters": LOGGING["formatters"],
        "filters": LOGGING["filters"],
        "handlers": {"stderr": LOGGING["handlers"]["stderr"]},  # type: ignore[index]
        "loggers": {"_granian": {"handlers": ["stderr"], "propagate": False}},
    },
}


def serve(host: str, port: int, target: str = "clubscore.asgi:application") -> None:
    # A forked process would keep the server's signal handlers, and not stop while it starts.
    multiprocessing.set_start_method("spawn")
    Granian(target, host, port, **SETTINGS).serve()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
