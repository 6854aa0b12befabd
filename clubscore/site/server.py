"""Starts granian, the web server: `python -m clubscore.site.server HOST PORT`."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from multiprocessing.connection import wait
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces, RuntimeModes
from granian.http import HTTP1Settings
from granian.log import LogLevels

from clubscore.site.settings import LOGGING, WEB_PROCESSES

# Each process gives a sign of life every few seconds (asgi.py). One that gives none for so many is ended, and another
# takes its place.
SIGN_EVERY, HUNG_AFTER = 5, 30
# Seconds before a new start, where granian gives up because its processes die one after the other.
START_AGAIN_AFTER = 5
# Where the port is named that hears the signs of life.
SIGNS_TO = "CLUBSCORE_SIGNS_TO"

logger = logging.getLogger("_granian")

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


def serve(host: str, port: int, target: str = "sessions_app.asgi:application") -> None:
    # A forked process would keep the server's signal handlers, and not stop while it starts.
    multiprocessing.set_start_method("spawn")
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as signs:
        signs.bind(("127.0.0.1", 0))
        signs.setblocking(False)
        os.environ[SIGNS_TO] = str(signs.getsockname()[1])
        while not serve_once(Granian(target, host, port, **SETTINGS), signs):
            logger.error(f"The web server gave up. It is started again in {START_AGAIN_AFTER} seconds.")
            time.sleep(START_AGAIN_AFTER)


def serve_once(server: Any, signs: socket.socket) -> bool:
    """Serve; return whether that is all, or granian gave up after it had served."""
    missed: Counter[int] = Counter()
    is_over = threading.Event()
    threading.Thread(target=end_hung_processes, args=(server, signs, missed, is_over), daemon=True).start()
    try:
        server.serve()
    except SystemExit:
        hear(signs, missed)
        # What cannot even start would fail again.
        if server.interrupt_signal or not missed:
            raise
        return False
    finally:
        is_over.set()
    return True


def end_hung_processes(server: Any, signs: socket.socket, missed: Counter[int], is_over: threading.Event) -> None:
    """End each process from which no sign comes, with the stacks of its threads in the log.

    Only those that this process could have heard are missed: while a laptop sleeps, it sleeps too.
    """
    while not is_over.wait(SIGN_EVERY):
        missed.update(missed.keys())
        hear(signs, missed)
        for process in [worker.inner for worker in list(server.wrks)]:
            if missed[process.pid] * SIGN_EVERY < HUNG_AFTER or wait([process.sentinel], timeout=0):
                continue
            logger.error(f"A process did nothing for {HUNG_AFTER} seconds: it is ended, another takes its place.")
            if os.name != "nt":
                os.kill(process.pid, signal.SIGUSR2)
                time.sleep(1)
            process.kill()


def hear(signs: socket.socket, missed: Counter[int]) -> None:
    """Begin to count anew for each process that has given a sign."""
    with suppress(BlockingIOError):
        while True:
            missed[int(signs.recv(20))] = 0


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
