"""The web server's worker: a thread serves a request from memory, and writes the answer into memory.

A client that sends or reads slowly waits in the poller, with thousands of others where need be, and holds no thread up.
"""

import errno
import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from socket import SHUT_WR
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from clubscore.settings import DATA_UPLOAD_MAX_MEMORY_SIZE

# Seconds in which a whole request must arrive; the largest file, over poor Wi-Fi, needs about ten.
READING_DEADLINE = 20
# Seconds in which an answer must be read.
SENDING_DEADLINE = 60
# Seconds for the other end to close a connection. Closed at once, what it still sends could destroy the answer.
CLOSING_DEADLINE = 2
MAX_HEAD = 64_000
# A longer body is refused unread (sessions_app.web.middleware.BodyLimit).
MAX_BODY = DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
# All that one process keeps of requests that have not arrived whole, and of answers not sent, in bytes.
MAX_KEPT = 64_000_000
AT_ONCE = 65_536
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r\n", re.I)
ASKS_FIRST = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.I)


class Memory:
    """What a thread has in place of the socket: there is nothing more to read, and what it writes is kept."""

    def __init__(self) -> None:
        self.written = bytearray()

    def recv(self, size: int) -> bytes:
        """End the connection: the rest of a broken request, or of a body that was refused, is not waited for."""
        raise ConnectionResetError(errno.ECONNRESET, "No more of the request is read.")

    def sendall(self, data: bytes) -> None:
        self.written += data

    send = sendall

    def gettimeout(self) -> float:
        return 0.0

    def setblocking(self, is_blocking: bool) -> None:
        """Do nothing: memory never blocks."""


class BufferingWorker(ThreadWorker):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The connections in the poller that no thread has, by when they are dropped.
        self.waiting: dict[Any, float] = {}
        self.kept = 0

    def wait(self, conn: Any, event: int, seconds: float, heard: Callable) -> None:
        self.kept += len(conn.held)
        self.waiting[conn] = time.monotonic() + seconds
        self.poller.register(conn.sock, event, heard)

    def let_go(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self.kept -= len(conn.held)
        del self.waiting[conn]

    def drop(self, conn: Any) -> None:
        self.let_go(conn)
        self.nr_conns -= 1
        conn.close()

    def enqueue_req(self, conn: Any) -> None:
        """Read what there is of a request, and wait in the poller for the rest."""
        conn.held = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        conn.wanted = None
        conn.is_arriving = True
        conn.sock.setblocking(False)
        self.wait(conn, EVENT_READ, READING_DEADLINE, partial(self.on_arriving, conn))
        self.on_arriving(conn, conn.sock)

    def on_arriving(self, conn: Any, sock: Any) -> None:
        data = received(sock)
        if data:
            conn.held += data
            self.kept += len(data)
        if is_whole(conn):
            self.let_go(conn)
            conn.init()
            conn.parser.unreader.unread(bytes(conn.held))
            conn.held = bytearray()
            conn.is_arriving = False
            super().enqueue_req(conn)
        elif data == b"" or self.kept > MAX_KEPT:
            self.drop(conn)

    def handle(self, conn: Any) -> Any:
        sock, conn.sock = conn.sock, Memory()
        conn.parser.unreader.sock = conn.sock
        try:
            return super().handle(conn)
        finally:
            conn.held, conn.sock = conn.sock.written, sock

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Send the answer, as fast as it is read; only then keep the connection or close it."""
        conn.sock.setblocking(False)
        self.wait(conn, EVENT_WRITE, SENDING_DEADLINE, partial(self.on_sending, conn, fs))
        self.on_sending(conn, fs, conn.sock)

    def on_sending(self, conn: Any, fs: Any, sock: Any) -> None:
        try:
            sent = sock.send(conn.held)
        except BlockingIOError:
            sent = 0
        except OSError:
            return self.drop(conn)
        del conn.held[:sent]
        self.kept -= sent
        if conn.held:
            if self.kept > MAX_KEPT:
                self.drop(conn)
            return
        self.let_go(conn)
        if fs.exception() or not fs.result():
            self.hang_up(conn)
        else:
            super().finish_request(conn, fs)

    def hang_up(self, conn: Any) -> None:
        with suppress(OSError):
            conn.sock.shutdown(SHUT_WR)
        self.wait(conn, EVENT_READ, CLOSING_DEADLINE, partial(self.on_closing, conn))

    def on_closing(self, conn: Any, sock: Any) -> None:
        if received(sock) == b"":
            self.drop(conn)

    def murder_pending(self) -> None:
        """Drop the connections whose time has run out; a stopping worker drops at once what has not arrived whole."""
        super().murder_pending()
        now = time.monotonic()
        for conn, deadline in list(self.waiting.items()):
            if deadline <= now or (conn.is_arriving and not self.alive):
                self.drop(conn)


def received(sock: Any) -> bytes | None:
    """Return what has come, None where nothing has yet, and nothing (b"") once the other end has closed."""
    try:
        return sock.recv(AT_ONCE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def is_whole(conn: Any) -> bool:
    """Say whether all of a request is here, or so much that it is refused without the rest."""
    if conn.wanted is None:
        end = conn.held.find(b"\r\n\r\n")
        if end < 0:
            return len(conn.held) > MAX_HEAD
        head = bytes(conn.held[: end + 4])
        length = LENGTH.search(head)
        body = int(length[1]) if length else 0
        conn.wanted = end + 4 + (body if body <= MAX_BODY else 0)
        if ASKS_FIRST.search(head) and len(conn.held) < conn.wanted:
            with suppress(OSError):
                conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    return len(conn.held) >= conn.wanted
