"""The site with two more addresses, for the tests alone: one that takes its time, one that stops every thread."""

import asyncio
import re

from sessions_app import asgi


async def application(scope, receive, send):
    if scope["path"] == "/slow/":
        await asyncio.sleep(3)
    if scope["path"] == "/hang/":
        # The search keeps the interpreter's lock for longer than the sun will shine.
        re.match(r"(a+)+$", "a" * 60 + "b")
    await asgi.application(scope, receive, send)
