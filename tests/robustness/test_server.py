"""What the web server does about odd requests, and about processes that die, hang or stop: a real server, no proxy."""

import http.client
import os
import signal
import socket
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.migrated_file import copy_migrated

from .site import PATIENCE, Site, ask, log_of

WITH_FAULTS = "tests.robustness.faulty_server"
HOST = b"Host: 127.0.0.1\r\n"
POST = b"POST /sign-in/ HTTP/1.1\r\n" + HOST
GET = b"GET /healthz HTTP/1.1\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with with_database(tmp_path_factory.mktemp("site")).serving(LOG_LEVEL="INFO") as site:
        yield site


def with_database(folder):
    copy_migrated(folder / "clubscore.sqlite3")
    return Site(folder)


def answer_to(port, request):
    """Return the status of the answer and whether the connection was closed after it."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(request)
        answer = client.recv(65536)
        while b"\r\n\r\n" not in answer:
            answer += client.recv(65536)
        client.settimeout(0.5)
        try:
            while client.recv(65536):
                pass
        except TimeoutError:
            return int(answer.split()[1]), False
        return int(answer.split()[1]), True


ODD = {
    "two hosts": (GET + HOST + b"Host: elsewhere.example\r\n\r\n", (400, False)),
    "no host": (GET + b"\r\n", (400, False)),
    "two lengths": (POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", (400, True)),
    "a length that is a list": (POST + b"Content-Length: 4, 4\r\n\r\nabcd", (400, True)),
    "a length with a sign": (POST + b"Content-Length: +4\r\n\r\nabcd", (400, True)),
    "chunks of another kind": (POST + b"Transfer-Encoding: xchunked\r\n\r\nabcd", (400, True)),
    "a blank before the colon": (GET + HOST + b"Content-Length : 4\r\n\r\nabcd", (400, True)),
    "a header over two lines": (GET + HOST + b"X: a\r\n b\r\n\r\n", (400, True)),
    "headers of 120 kB": (GET + HOST + b"Cookie: a=%b\r\n" % (b"x" * 4000) * 30 + b"\r\n", (431, True)),
    "an address of 70 kB": (b"GET /%b HTTP/1.1\r\n" % (b"a" * 70_000) + HOST + b"\r\n", (414, True)),
    "an address that is no text": (b"GET /c/%ff%00%0d%0a/ HTTP/1.1\r\n" + HOST + b"\r\n", (404, False)),
    "TRACE": (b"TRACE /healthz HTTP/1.1\r\n" + HOST + b"\r\n", (405, False)),
    "HTTP/1.0": (b"GET /healthz HTTP/1.0\r\n" + HOST + b"\r\n", (200, True)),
}


@pytest.mark.parametrize(("request_", "expected"), ODD.values(), ids=ODD)
def test_odd_requests_are_refused(site, request_, expected):
    assert answer_to(site.port, request_) == expected


def test_nothing_is_read_after_a_request_with_chunks_and_a_length(site):
    """A proxy may see the end of such a request elsewhere: what follows would be another person's."""
    smuggled = GET + HOST + b"\r\n"
    request = POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as client:
        client.sendall(request)
        answer = b""
        while data := client.recv(65536):
            answer += data
    assert answer.count(b"HTTP/1.1 ") == 1


def test_a_body_somewhat_too_large_is_received_and_then_refused_with_a_page(site):
    body = b"x" * 5_000_000
    status, headers, page = ask(site.port, "POST", "/sign-in/", body, {"Content-Type": "text/plain"})
    assert (status, headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert "too large" in page


@pytest.mark.parametrize("path", ["/healthz", "/", "/sign-in/", "/static/rules/tiles/tiles.svg"])
def test_head_is_get_without_a_body_and_logs_nothing(site, path):
    before = log_of(site)
    asked = {method: ask(site.port, method, path) for method in ("HEAD", "GET")}
    assert asked["HEAD"][0] == asked["GET"][0] == 200
    assert asked["HEAD"][2] == "" != asked["GET"][2]
    assert asked["HEAD"][1]["Content-Type"] == asked["GET"][1]["Content-Type"]
    assert log_of(site) == before


def test_each_address_is_told_from_another(site):
    """Wrong passwords are counted by address: the ninth from one has to wait, the first from another does not."""

    def sign_in(source):
        connection = http.client.HTTPConnection("127.0.0.1", site.port, source_address=(source, 0))
        token = "a" * 32
        headers = {"Cookie": f"csrftoken={token}", "Content-Type": "application/x-www-form-urlencoded"}
        body = f"csrfmiddlewaretoken={token}&username=nobody&password=wrong-password"
        _, _, page = ask(site.port, "POST", "/sign-in/", body, headers, connection)
        connection.close()
        return "Too many" in page

    assert [sign_in("127.0.0.1") for _ in range(9)] == [False] * 8 + [True]
    assert not sign_in("127.0.0.2")


def workers(site):
    """Return the ids of the server's processes that answer."""
    found = Path(f"/proc/{site.server.pid}/task/{site.server.pid}/children").read_text().split()
    return {int(number) for number in found if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes()}


def listening(site):
    """Return how many processes listen on the port; each has a socket of its own there."""
    listed = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return sum(row[1].endswith(f":{site.port:04X}") and row[3] == "0A" for row in listed)


def wait_until(is_so):
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.1)


def memory(site):
    """Return the MB that the server's processes have in memory."""
    statuses = [Path(f"/proc/{number}/status").read_text() for number in workers(site)]
    return sum(int(status.split("VmRSS:")[1].split()[0]) for status in statuses) / 1000


@pytest.mark.long
def test_unfinished_requests_do_not_fill_the_memory(tmp_path):
    """A hundred of 2.5 MB each are 250 MB; each of two processes keeps 64."""
    begun = POST + b"Content-Length: 2500000\r\n\r\n" + b"x" * 2_400_000
    with with_database(tmp_path).serving() as site, ExitStack() as stack:
        wait_until(lambda: listening(site) == 2)
        before = memory(site)
        for _ in range(100):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=10))
            with suppress(OSError):
                client.sendall(begun)
        assert memory(site) - before < 190
        assert [ask(site.port, "GET", "/healthz")[0] for _ in range(20)] == [200] * 20


@pytest.mark.long
def test_a_process_that_is_killed_is_replaced_while_another_answers(tmp_path):
    with with_database(tmp_path).serving() as site:
        wait_until(lambda: listening(site) == 2)
        killed = min(workers(site))
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: len(workers(site) - {killed}) == 2)
        assert [ask(site.port, "GET", "/healthz")[0] for _ in range(20)] == [200] * 20
        assert "Unexpected exit from worker-1" in log_of(site)


@pytest.mark.long
def test_no_process_outlives_the_server(tmp_path):
    site = with_database(tmp_path)
    site.start()
    wait_until(lambda: listening(site) == 2)
    left = workers(site)
    site.server.kill()
    site.server.wait()
    wait_until(lambda: not any(Path(f"/proc/{number}").exists() for number in left))


@pytest.mark.long
def test_a_process_that_hangs_leaves_its_stacks_in_the_log_and_is_replaced(tmp_path):
    with with_database(tmp_path).serving(WITH_FAULTS) as site:
        wait_until(lambda: listening(site) == 2)
        before = workers(site)
        threading.Thread(target=answer_to, args=(site.port, b"GET /hang/ HTTP/1.1\r\n" + HOST + b"\r\n")).start()
        wait_until(lambda: len(workers(site) & before) == 1 and len(workers(site)) == 2)
        assert [ask(site.port, "GET", "/healthz")[0] for _ in range(20)] == [200] * 20
        assert "A process did nothing for 6 seconds: it is ended, another takes its place." in log_of(site)
        assert "with_faults.py" in log_of(site)


@pytest.mark.long
def test_a_laptop_that_slept_has_no_hung_process(tmp_path):
    with with_database(tmp_path).serving(WITH_FAULTS) as site:
        wait_until(lambda: listening(site) == 2)
        before = workers(site)
        os.killpg(site.server.pid, signal.SIGSTOP)
        time.sleep(9)
        os.killpg(site.server.pid, signal.SIGCONT)
        woken = time.monotonic()
        while time.monotonic() < woken + 3:
            assert ask(site.port, "GET", "/healthz")[0] == 200
        assert (workers(site), log_of(site)) == (before, "")


@pytest.mark.long
def test_it_starts_again_when_its_processes_die_one_after_the_other(tmp_path):
    with with_database(tmp_path).serving(WITH_FAULTS) as site:
        wait_until(lambda: listening(site) == 2)

        def kills_all():
            for number in workers(site):
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            return "crash loop" in log_of(site)

        wait_until(kills_all)
        wait_until(lambda: "The web server gave up. It is started again in 1 seconds." in log_of(site))
        wait_until(lambda: listening(site) == 2)
        assert [ask(site.port, "GET", "/healthz")[0] for _ in range(20)] == [200] * 20
    assert site.server.returncode == 0


@pytest.mark.long
def test_requests_in_hand_are_answered_when_the_server_stops(tmp_path):
    site = with_database(tmp_path)
    site.start(WITH_FAULTS)
    wait_until(lambda: listening(site) == 2)
    found = []
    asking = threading.Thread(target=lambda: found.append(ask(site.port, "GET", "/slow/")[0]))
    asking.start()
    time.sleep(1)
    site.stop()
    asking.join()
    assert (found, site.server.returncode) == ([404], 0)
    with pytest.raises(ConnectionRefusedError):
        ask(site.port, "GET", "/healthz")


@pytest.mark.long
def test_its_faults_are_json_lines_where_the_log_is(tmp_path):
    with with_database(tmp_path).serving(LOG_FORMAT="json") as site:
        wait_until(lambda: listening(site) == 2)
        os.kill(min(workers(site)), signal.SIGKILL)
        wait_until(lambda: '"level": "ERROR", "logger": "_granian", "message": "Unexpected exit' in log_of(site))
