"""The web server's worker: a thread that serves pages is given a request only once all of it has arrived.

Whoever sends slowly waits in the poller, with thousands of others where need be, and holds no thread up.
"""

import re
import time
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from clubscore.settings import DATA_UPLOAD_MAX_MEMORY_SIZE

# Seconds in which a whole request must arrive; the largest file, over poor Wi-Fi, needs about ten.
READING_DEADLINE = 20
MAX_HEAD = 64_000
# A longer body is refused unread (sessions_app.web.middleware.BodyLimit).
MAX_BODY = DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
# All that one process keeps of requests that have not arrived whole, in bytes.
MAX_KEPT = 64_000_000
AT_ONCE = 65_536
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r\n", re.I)
ASKS_FIRST = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.I)


class BufferingWorker(ThreadWorker):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arriving = {}
        self.kept = 0

    def enqueue_req(self, conn: Any) -> None:
        """Read what there is of a request, and wait in the poller for the rest."""
        conn.received = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        conn.wanted = None
        conn.sock.setblocking(False)
        self.kept += len(conn.received)
        self.arriving[conn] = time.monotonic() + READING_DEADLINE
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_arriving, conn))
        self.on_arriving(conn, conn.sock)

    def on_arriving(self, conn: Any, sock: Any) -> None:
        try:
            data = sock.recv(AT_ONCE)
        except BlockingIOError:
            data = None
        except OSError:
            data = b""
        if data:
            conn.received += data
            self.kept += len(data)
        if data == b"" or self.kept > MAX_KEPT:
            self.drop(conn)
        elif is_whole(conn):
            self.let_go(conn)
            conn.init()
            conn.parser.unreader.unread(bytes(conn.received))
            conn.received = None
            super().enqueue_req(conn)

    def let_go(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self.kept -= len(conn.received)
        del self.arriving[conn]

    def drop(self, conn: Any) -> None:
        self.let_go(conn)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Close the connections whose request did not arrive in time, the oldest first; a stopping worker's at once."""
        super().murder_pending()
        now = time.monotonic()
        for conn, deadline in list(self.arriving.items()):
            if deadline > now and self.alive:
                break
            self.drop(conn)


def is_whole(conn: Any) -> bool:
    """Say whether all of a request is here, or so much that it is refused without the rest."""
    if conn.wanted is None:
        end = conn.received.find(b"\r\n\r\n")
        if end < 0:
            return len(conn.received) > MAX_HEAD
        head = bytes(conn.received[: end + 4])
        length = LENGTH.search(head)
        body = int(length[1]) if length else 0
        conn.wanted = end + 4 + (body if body <= MAX_BODY else 0)
        if ASKS_FIRST.search(head) and len(conn.received) < conn.wanted:
            conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    return len(conn.received) >= conn.wanted
