"""A county's afternoon: tables that record and watchers who poll, against the real server on this machine.

`python -m tools.benchmarks.hall TABLES WATCHERS SECONDS` with DATABASE_URL in the environment; prints JSON. Every table
sends a hand each three minutes and asks for its board each five seconds and for who else is there each thirty, as its
scripts do; every watcher asks each three seconds whether there is news. An answer that is none ends the run.
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

EVERY_HAND, EVERY_BOARD, EVERY_OTHERS, EVERY_LOOK = 180, 5, 30, 3
GOOD = (200, 201, 204)
# Of the looks that were due, so many must have been answered.
LEAST_SHARE = 0.95
# Until then each watcher has had the whole board once; afterwards most looks hear that nothing is new.
WARM_UP = 20
CLOCK = os.sysconf("SC_CLK_TCK")
TOKEN = "benchmark" + "x" * 23


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    django.setup()
    tables, watchers, seconds = map(int, sys.argv[1:4])
    hall_tables = importlib.import_module("tools.benchmarks.hall_tables")
    hall_tables.put_aside()
    made = hall_tables.make_tables(tables)
    port = free_port()
    # As ./run starts it.
    command = [sys.executable, "-m", "clubscore.site.server", "127.0.0.1", str(port)]
    with subprocess.Popen(command) as server:
        try:
            wait_for(port)
            found = asyncio.run(afternoon(port, made, watchers, seconds))
        finally:
            server.terminate()
            server.wait()
            hall_tables.put_aside()
    check(found, watchers)
    json.dump(found, sys.stdout)


def check(found, watchers):
    """A quick refusal is no quick answer, and a look that was never answered has no time at all."""
    wrong = {what: times for what, times in found["statuses"].items() if int(what.split()[-1]) not in GOOD}
    if wrong:
        sys.exit(f"Not everything was answered as it should be: {wrong}.")
    due = watchers * (found["seconds"] // EVERY_LOOK)
    if len(found["looks"]) < LEAST_SHARE * due:
        sys.exit(f"Of {due:.0f} looks that were due, {len(found['looks'])} were answered.")


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
    """Someone with a connection of their own, kept open between requests as browsers do."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def ask(self, method, address, headers=(), body=b""):
        """Return (status, body, milliseconds); a connection the server has since closed is opened again."""
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


async def afternoon(port, tables, watchers, seconds):
    until = time.monotonic() + WARM_UP + seconds
    kept = Kept()
    tasks = [record(Person(port), table, until, kept) for table in tables]
    tasks += [look(Person(port), tables[at % len(tables)], until, kept) for at in range(watchers)]
    for table in tables:
        tasks += [board(Person(port), table, until, kept), others(Person(port), table, until, kept)]
    running = [asyncio.create_task(task) for task in tasks]
    await asyncio.sleep(WARM_UP)
    kept.clear()
    before, own, began = machine_busy(), time.process_time(), time.monotonic()
    await asyncio.sleep(seconds - 1)
    busy, lasted = machine_busy() - before, time.monotonic() - began
    own = time.process_time() - own
    found = {"seconds": lasted, "server": (busy - own) / lasted, "askers": own / lasted, "cores": os.cpu_count()}
    found |= {what: list(times) for what, times in kept.times.items()} | {"statuses": dict(kept.statuses)}
    for task in running:
        task.cancel()
    for given in await asyncio.gather(*running, return_exceptions=True):
        if isinstance(given, Exception):
            raise given
    return found


class Kept:
    """What was answered: milliseconds by what was asked, and how often with which status."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.times = {"hands": [], "boards": [], "others": [], "looks": []}
        self.statuses = {}

    def add(self, what, status, taken):
        self.times[what].append(taken)
        named = f"{what} {status}"
        self.statuses[named] = self.statuses.get(named, 0) + 1


def signed_in(table, device=""):
    more = f"; device={device}" if device else ""
    return f"Cookie: sessionid={table['cookie']}; csrftoken={TOKEN}{more}"


async def record(person, table, until, kept):
    """Send a hand each three minutes, the first at some time within them."""
    rng = random.Random(table["key"])
    await asyncio.sleep(rng.random() * EVERY_HAND)
    headers = [signed_in(table), f"X-CSRFToken: {TOKEN}", "Content-Type: application/json"]
    while time.monotonic() < until:
        hands_of = {seat: {"total": 2 * rng.randrange(40)} for seat in "1234"}
        hand = {"hands": hands_of, "mahjong": {"by": rng.choice("1234")}}
        command = {"key": str(uuid.uuid4()), "kind": "hand", "body": hand, "device": "bench"}
        status, _, taken = await person.ask("POST", table["commands"], headers, json.dumps(command).encode())
        kept.add("hands", status, taken)
        await asyncio.sleep(EVERY_HAND)


async def board(person, table, until, kept):
    """Ask each five seconds whether the table's own page is still as it stands there."""
    rng, version = random.Random(table["key"]), ""
    await asyncio.sleep(rng.random() * EVERY_BOARD)
    headers = [signed_in(table, table["device"]), "HX-Request: true"]
    while time.monotonic() < until:
        began = time.monotonic()
        status, given, taken = await person.ask("GET", f"{table['table']}?version={version}", headers)
        kept.add("boards", status, taken)
        if status == 200:
            version = re.search(rb'data-version="(\d+)"', given)[1].decode()
        await asyncio.sleep(max(0, EVERY_BOARD - (time.monotonic() - began)))


async def others(person, table, until, kept):
    """Ask each half minute who else scores here, by which the others learn that this tablet does."""
    await asyncio.sleep(random.Random(table["key"]).random() * EVERY_OTHERS)
    while time.monotonic() < until:
        status, _, taken = await person.ask("GET", table["others"], [signed_in(table, table["device"])])
        kept.add("others", status, taken)
        await asyncio.sleep(EVERY_OTHERS)


async def look(person, table, until, kept):
    """Ask each three seconds whether there is news, as the watching page's script does."""
    rng, rev = random.Random(id(person)), ""
    await asyncio.sleep(rng.random() * EVERY_LOOK)
    while time.monotonic() < until:
        began = time.monotonic()
        status, given, taken = await person.ask("GET", f"{table['watch']}?rev={rev}", ["HX-Request: true"])
        kept.add("looks", status, taken)
        if status == 200:
            rev = re.search(rb'rev="([0-9a-f]+)"', given)[1].decode()
        await asyncio.sleep(max(0, EVERY_LOOK - (time.monotonic() - began)))


def machine_busy():
    """Return the seconds that all processors together have worked so far, a database's processes among them."""
    with open("/proc/stat") as file:
        user, nice, system, _idle, _waiting, hard, soft = map(int, file.readline().split()[1:8])
    return (user + nice + system + hard + soft) / CLOCK


if __name__ == "__main__":
    main()
