"""The ASGI application that granian serves: Django, in threads that meet no slow client.

A request waits outside the threads until all of it has arrived, and a thread hands over its whole response at once.
What else the site does is handed in by sessions_app/asgi.py.
"""

import asyncio
import atexit
import faulthandler
import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http import HTTPStatus
from io import BytesIO
from typing import Any

from asgiref.wsgi import WsgiToAsgiInstance

from clubscore.site.server import SIGN_EVERY, SIGNS_TO
from clubscore.site.settings import DATA_UPLOAD_MAX_MEMORY_SIZE
from clubscore.site.wsgi import application as django_application

# Seconds for a request's body to arrive. The largest file needs about ten over poor Wi-Fi.
READING_DEADLINE = 20
# A longer body is not kept, as sessions_app.web.middleware.BodyLimit refuses it.
MAX_BODY = DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
# Up to this it is received all the same: browsers rarely show a response that comes while they are still sending.
MAX_DISCARDED = 20_000_000
# Bytes of bodies that one process keeps.
MAX_KEPT = 64_000_000

# Seconds in which monitors have an answer, whatever keeps the database.
ANSWER_WITHIN = 2.5

logger = logging.getLogger(__name__)
Response = tuple[int, list[tuple[bytes, bytes]], bytes]


class Site:
    """The application. `silent` is what monitors read where the database does not answer, `database` where it is."""

    def __init__(self, silent: str, database: Callable[[], str]) -> None:
        self.silent, self.database = silent, database
        self.threads = ThreadPoolExecutor(max_workers=4)
        # Pages that wait for the database keep no monitor waiting, and the one address that asks it not the other.
        self.monitors = {path: ThreadPoolExecutor(max_workers=1) for path in ("/healthz", "/readyz")}
        self.kept = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = bytearray()
        try:
            async with asyncio.timeout(READING_DEADLINE):
                left = int(dict(scope["headers"]).get(b"content-length", 0))
                is_kept, left = left <= MAX_BODY, left if left <= MAX_DISCARDED else 0
                while left > 0:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    left -= len(message["body"])
                    if is_kept:
                        body += message["body"]
                        self.kept += len(message["body"])
                    if self.kept > MAX_KEPT:
                        return await respond(send, HTTPStatus.SERVICE_UNAVAILABLE)
            if scope["path"] in self.monitors:
                return await respond(send, *await self.answer_to_monitor(scope, body))
            loop = asyncio.get_running_loop()
            await respond(send, *await loop.run_in_executor(self.threads, response_to, scope, body))
        except TimeoutError:
            await respond(send, HTTPStatus.REQUEST_TIMEOUT)
        finally:
            self.kept -= len(body)

    async def answer_to_monitor(self, scope: Any, body: bytearray) -> Response:
        """Return Django's response; if it does not come in time, that the database is silent, logged once."""
        asked = self.monitors[scope["path"]].submit(response_to, scope, body)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(asked), ANSWER_WITHIN)
        except TimeoutError:
            # Where it waits behind another, that one has said so.
            if not asked.cancelled():
                sentence = f"The database, {self.database()}, has not answered for {ANSWER_WITHIN} seconds."
                asyncio.get_running_loop().run_in_executor(None, logger.error, sentence)
            headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
            return HTTPStatus.SERVICE_UNAVAILABLE, headers, self.silent.encode()


def response_to(scope: Any, body: bytearray) -> Response:
    """Return the status, headers and content of Django's response."""
    adapter: Any = WsgiToAsgiInstance(django_application)  # type: ignore[no-untyped-call]
    adapter.scope = scope
    started: Any = []
    response = django_application(adapter.build_environ(scope, BytesIO(body)), lambda *start: started.extend(start))
    try:
        content = b"".join(response)
    finally:
        response.close()
    status, headers = started
    return int(status[:3]), [(name.lower().encode(), value.encode("latin-1")) for name, value in headers], content


async def respond(
    send: Any, status: int, headers: list[tuple[bytes, bytes]] | None = None, content: bytes = b""
) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers or []})
    await send({"type": "http.response.body", "body": content})


def give_signs_of_life() -> None:
    """Tell the server every few seconds that this process lives, and end when the server has gone."""
    server = multiprocessing.parent_process()
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as signs:
        while server and server.is_alive():
            with suppress(OSError):
                signs.sendto(str(os.getpid()).encode(), ("127.0.0.1", int(os.environ[SIGNS_TO])))
            server.join(SIGN_EVERY)
    os._exit(1)


def live_in_server(watch: Callable[[], None]) -> None:
    """In a process of the server: show it that this one lives, and let `watch` run beside the pages."""
    if not multiprocessing.parent_process():
        return
    if os.name != "nt":
        # Whatever keeps the interpreter's lock: the server asks for the stacks before it ends a process that hangs.
        faulthandler.register(signal.SIGUSR2, all_threads=True)
    # Once the requests in hand are answered: threads of granian's would still ask for an interpreter that has gone.
    atexit.register(os._exit, 0)
    threading.Thread(target=give_signs_of_life, daemon=True).start()
    threading.Thread(target=watch, daemon=True).start()
