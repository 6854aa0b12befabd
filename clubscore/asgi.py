"""The ASGI application that granian serves: Django, in threads that meet no slow client.

A request waits outside the threads until all of it has arrived, and a thread hands over its whole response at once.
"""

import asyncio
import atexit
import faulthandler
import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from io import BytesIO
from typing import Any

from asgiref.wsgi import WsgiToAsgiInstance

from clubscore.server import HUNG_AFTER
from clubscore.settings import DATA_UPLOAD_MAX_MEMORY_SIZE
from clubscore.wsgi import application as django_application
from sessions_app.exchange.backups.retention import watch

# Seconds for a request's body to arrive. The largest file needs about ten over poor Wi-Fi.
READING_DEADLINE = 20
# A longer body is not kept, as sessions_app.web.middleware.BodyLimit refuses it.
MAX_BODY = DATA_UPLOAD_MAX_MEMORY_SIZE + 100_000
# Up to this it is received all the same: browsers rarely show a response that comes while they are still sending.
MAX_DISCARDED = 20_000_000
# Bytes of bodies that one process keeps.
MAX_KEPT = 64_000_000

threads = ThreadPoolExecutor(max_workers=4)
kept = 0


async def application(scope: Any, receive: Any, send: Any) -> None:
    global kept
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
                    kept += len(message["body"])
                if kept > MAX_KEPT:
                    return await refuse(send, HTTPStatus.SERVICE_UNAVAILABLE)
        await respond(send, *await asyncio.get_running_loop().run_in_executor(threads, response_to, scope, body))
    except TimeoutError:
        await refuse(send, HTTPStatus.REQUEST_TIMEOUT)
    finally:
        kept -= len(body)


def response_to(scope: Any, body: bytearray) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
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


async def respond(send: Any, status: int, headers: list[tuple[bytes, bytes]], content: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def refuse(send: Any, status: HTTPStatus) -> None:
    await respond(send, status, [], b"")


def end_when_hung() -> None:
    """End this process, with the stacks of its threads in the log, when it hangs; and when the server has gone."""
    server = multiprocessing.parent_process()
    while server and server.is_alive():
        # Set again every five seconds, unless something keeps the interpreter's lock so that this thread cannot run.
        faulthandler.dump_traceback_later(HUNG_AFTER, exit=True)
        server.join(5)
    os._exit(1)


if multiprocessing.parent_process():
    # Once the requests in hand are answered: threads of granian's would still ask for an interpreter that has gone.
    atexit.register(os._exit, 0)
    threading.Thread(target=end_when_hung, daemon=True).start()
    threading.Thread(target=watch, daemon=True).start()
