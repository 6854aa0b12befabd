"""A gunicorn worker that buffers requests and responses in memory, so that a slow client never holds up a thread.

While a client sends or reads slowly, its connection is in the poller, which can hold thousands of others.
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

# Seconds for a whole request to arrive. The largest file needs about ten over poor Wi-Fi.
READING_DEADLINE = 20
# Seconds for a response to be read.
SENDING_DEADLINE = 60
# Seconds for the client to close its end. If we closed first, data still arriving could reset the response.
CLOSING_DEADLINE = 2
MAX_HEAD = 64_000
# A longer body is refused unread (sessions_app.web.middleware.BodyLimit).
MAX_BODY = DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
# Bytes of incomplete requests and unsent responses that one process buffers.
MAX_BUFFERED = 64_000_000
CHUNK = 65_536
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r\n", re.I)
EXPECTS_CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.I)


class MemorySocket:
    """Takes the socket's place while a thread serves a request: reading fails, and what is written is buffered."""

    def __init__(self) -> None:
        self.written = bytearray()

    def recv(self, size: int) -> bytes:
        """Fail, so that no thread waits for the rest of a broken request or of a refused body."""
        raise ConnectionResetError(errno.ECONNRESET, "No more of the request is read.")

    def sendall(self, data: bytes) -> None:
        self.written += data

    send = sendall

    def gettimeout(self) -> float:
        return 0.0

    def setblocking(self, is_blocking: bool) -> None:
        """Do nothing, as memory never blocks."""


class BufferingWorker(ThreadWorker):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The connections in the poller, each with the time at which it is dropped.
        self.deadlines: dict[Any, float] = {}
        self.buffered = 0

    def watch(self, conn: Any, event: int, seconds: float, callback: Callable[..., None]) -> None:
        self.buffered += len(conn.buffer)
        self.deadlines[conn] = time.monotonic() + seconds
        self.poller.register(conn.sock, event, callback)

    def unwatch(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self.buffered -= len(conn.buffer)
        del self.deadlines[conn]

    def drop(self, conn: Any) -> None:
        self.unwatch(conn)
        self.nr_conns -= 1
        conn.close()

    def enqueue_req(self, conn: Any) -> None:
        """Read what has arrived of a request, and leave the rest to the poller."""
        conn.buffer = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        conn.expected = None
        conn.is_arriving = True
        conn.sock.setblocking(False)
        self.watch(conn, EVENT_READ, READING_DEADLINE, partial(self.on_arriving, conn))
        self.on_arriving(conn, conn.sock)

    def on_arriving(self, conn: Any, sock: Any) -> None:
        data = receive(sock)
        if data:
            conn.buffer += data
            self.buffered += len(data)
        if is_complete(conn):
            self.unwatch(conn)
            conn.init()
            conn.parser.unreader.unread(bytes(conn.buffer))
            conn.buffer = bytearray()
            conn.is_arriving = False
            super().enqueue_req(conn)
        elif data == b"" or self.buffered > MAX_BUFFERED:
            self.drop(conn)

    def handle(self, conn: Any) -> Any:
        sock, conn.sock = conn.sock, MemorySocket()
        conn.parser.unreader.sock = conn.sock
        try:
            return super().handle(conn)
        finally:
            conn.buffer, conn.sock = conn.sock.written, sock

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Send the response as fast as the client reads it, then keep or close the connection."""
        conn.sock.setblocking(False)
        self.watch(conn, EVENT_WRITE, SENDING_DEADLINE, partial(self.on_sending, conn, fs))
        self.on_sending(conn, fs, conn.sock)

    def on_sending(self, conn: Any, fs: Any, sock: Any) -> None:
        try:
            sent = sock.send(conn.buffer)
        except BlockingIOError:
            sent = 0
        except OSError:
            return self.drop(conn)
        del conn.buffer[:sent]
        self.buffered -= sent
        if conn.buffer:
            if self.buffered > MAX_BUFFERED:
                self.drop(conn)
            return
        self.unwatch(conn)
        if fs.exception() or not fs.result():
            self.hang_up(conn)
        else:
            super().finish_request(conn, fs)

    def hang_up(self, conn: Any) -> None:
        with suppress(OSError):
            conn.sock.shutdown(SHUT_WR)
        self.watch(conn, EVENT_READ, CLOSING_DEADLINE, partial(self.on_closing, conn))

    def on_closing(self, conn: Any, sock: Any) -> None:
        if receive(sock) == b"":
            self.drop(conn)

    def murder_pending(self) -> None:
        """Drop connections past their deadline, and incomplete requests when the worker is stopping."""
        super().murder_pending()
        now = time.monotonic()
        for conn, deadline in list(self.deadlines.items()):
            if deadline <= now or (conn.is_arriving and not self.alive):
                self.drop(conn)


def receive(sock: Any) -> bytes | None:
    """Return the next bytes, None if none have arrived yet, or b"" if the connection was closed."""
    try:
        data: bytes = sock.recv(CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
    return data


def is_complete(conn: Any) -> bool:
    """Whether a request has arrived in full, or enough of it to refuse it."""
    if conn.expected is None:
        end = conn.buffer.find(b"\r\n\r\n")
        if end < 0:
            return len(conn.buffer) > MAX_HEAD
        head = bytes(conn.buffer[: end + 4])
        length = LENGTH.search(head)
        body = int(length[1]) if length else 0
        conn.expected = end + 4 + (body if body <= MAX_BODY else 0)
        if EXPECTS_CONTINUE.search(head) and len(conn.buffer) < conn.expected:
            with suppress(OSError):
                conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    return bool(len(conn.buffer) >= conn.expected)
