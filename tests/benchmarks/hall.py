"""A county's afternoon: tables that record and watchers who poll, against the real server on this machine.

`python -m tests.benchmarks.hall TABLES WATCHERS SECONDS` with DATABASE_URL in the environment; prints JSON. Every table
sends a hand each three minutes, every watcher asks each three seconds whether there is news.
"""

import asyncio
import importlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import uuid

import django

EVERY_HAND, EVERY_LOOK = 180, 3
# Until then each watcher has had the whole board once; afterwards most looks hear that nothing is new.
WARM_UP = 20
CLOCK = os.sysconf("SC_CLK_TCK")
TOKEN = "benchmark" + "x" * 23
# As ./run starts it.
SERVER = ["-k", "gthread", "-w", "2", "--threads", "4", "--keep-alive", "10", "--log-level", "error"]


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.settings"
    django.setup()
    tables, watchers, seconds = map(int, sys.argv[1:4])
    made = importlib.import_module("tests.benchmarks.hall_tables").make_tables(tables)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", *SERVER, "--bind", f"127.0.0.1:{port}", "clubscore.wsgi:application"]
    with subprocess.Popen(command) as server:
        try:
            wait_for(port)
            told = asyncio.run(afternoon(port, made, watchers, seconds, server.pid))
        finally:
            server.terminate()
    json.dump(told, sys.stdout)


def free_port():
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def wait_for(port):
    for _ in range(300):
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("The server did not start.")


class Person:
    """Somebody with a connection of their own, kept open between requests as browsers do."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def ask(self, method, address, headers=(), body=b""):
        """Return (status, body, milliseconds); a connection the server has closed meanwhile is opened anew."""
        lines = [f"{method} {address} HTTP/1.1", "Host: localhost", *headers]
        lines += [f"Content-Length: {len(body)}"] if body else []
        sent = "\r\n".join([*lines, "", ""]).encode() + body
        began = time.perf_counter()
        for last in (False, True):
            try:
                if self.writer is None:
                    self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
                self.writer.write(sent)
                status, given = await self._answer()
                return status, given, (time.perf_counter() - began) * 1000
            except (OSError, asyncio.IncompleteReadError):
                self.writer = None
                if last:
                    raise

    async def _answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(head.split(" ", 2)[1])
        length = re.search(r"(?i)content-length: (\d+)", head)
        given = await self.reader.readexactly(int(length[1])) if length else b""
        if not length and status not in (204, 304):
            given, _ = await self.reader.read(), self.writer.close()
            self.writer = None
        elif "connection: close" in head.lower():
            self.writer.close()
            self.writer = None
        return status, given


async def afternoon(port, tables, watchers, seconds, pid):
    until = time.monotonic() + WARM_UP + seconds
    hands, looks, statuses = [], [], {}
    tasks = [record(Person(port), table, until, hands, statuses) for table in tables]
    tasks += [look(Person(port), tables[at % len(tables)], until, looks, statuses) for at in range(watchers)]
    running = [asyncio.create_task(task) for task in tasks]
    await asyncio.sleep(WARM_UP)
    hands.clear(), looks.clear(), statuses.clear()
    before, own, began = spent(pid), time.process_time(), time.monotonic()
    await asyncio.sleep(seconds - 1)
    busy, lasted = spent(pid) - before, time.monotonic() - began
    own = time.process_time() - own
    told = {"seconds": lasted, "server": busy / lasted, "askers": own / lasted, "cores": os.cpu_count()}
    told |= {"hands": list(hands), "looks": list(looks), "statuses": dict(statuses)}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return told


async def record(person, table, until, hands, statuses):
    """Send a hand each three minutes, the first at some time within them."""
    rng = random.Random(table["key"])
    await asyncio.sleep(rng.random() * EVERY_HAND)
    headers = [
        f"Cookie: sessionid={table['cookie']}; csrftoken={TOKEN}", f"X-CSRFToken: {TOKEN}",
        "Content-Type: application/json",
    ]  # fmt: skip
    while time.monotonic() < until:
        hands_of = {seat: {"total": 2 * rng.randrange(40)} for seat in "1234"}
        hand = {"hands": hands_of, "mahjong": {"by": rng.choice("1234")}}
        command = {"key": str(uuid.uuid4()), "kind": "hand", "body": hand, "device": "bench"}
        status, _, taken = await person.ask("POST", table["commands"], headers, json.dumps(command).encode())
        hands.append(taken)
        statuses[f"hand {status}"] = statuses.get(f"hand {status}", 0) + 1
        await asyncio.sleep(EVERY_HAND)


async def look(person, table, until, looks, statuses):
    """Ask each three seconds whether there is news, as the watching page's script does."""
    rng, rev = random.Random(id(person)), ""
    await asyncio.sleep(rng.random() * EVERY_LOOK)
    while time.monotonic() < until:
        began = time.monotonic()
        status, given, taken = await person.ask("GET", f"{table['watch']}?rev={rev}", ["HX-Request: true"])
        looks.append(taken)
        statuses[f"look {status}"] = statuses.get(f"look {status}", 0) + 1
        if status == 200:
            rev = re.search(rb'rev="([0-9a-f]+)"', given)[1].decode()
        await asyncio.sleep(max(0, EVERY_LOOK - (time.monotonic() - began)))


def spent(pid):
    """Return the processor seconds of the server's processes so far."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=True)
    total = 0
    for one in [pid, *map(int, children.stdout.split())]:
        with open(f"/proc/{one}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / CLOCK


if __name__ == "__main__":
    main()
