"""A client that sends a request or reads its answer slowly holds nobody up: a real server without a proxy."""

import socket
import time
from contextlib import ExitStack

import pytest

from clubscore.site.asgi import READING_DEADLINE
from tests.test_run import ROOT

from .site import Site, ask

# With the cookie Django reads the body, to find the token in it.
HEAD = b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: csrftoken=" + b"a" * 32 + b"\r\n"
BODY = HEAD + b"Content-Length: 2000000\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nusername="


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with Site(tmp_path_factory.mktemp("site")).serving() as site:
        yield site


@pytest.mark.long
@pytest.mark.parametrize("begun", [HEAD, BODY], ids=["head", "body"])
def test_sixty_slow_senders_hold_nobody_up_and_are_closed_in_time(site, begun):
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", site.port))) for _ in range(60)]
        for one in slow:
            one.sendall(begun)
        time.sleep(0.5)
        began = time.monotonic()
        answers = [ask(site.port, "GET", "/learning/")[0] for _ in range(20)]
        assert answers == [200] * 20
        assert time.monotonic() - began < 10
        slow[0].settimeout(READING_DEADLINE + 10)
        while time.monotonic() - began < READING_DEADLINE + 10:
            time.sleep(1)
            try:
                # A byte now and then buys no more time.
                slow[0].sendall(b"x")
            except OSError:
                break
        assert time.monotonic() - began < READING_DEADLINE + 8


# Each is answered or not, and then left open.
BROKEN = {
    "a body in chunks that never ends": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nuser",
    "a body too long to be read": HEAD + b"Content-Length: 900000000\r\n\r\nx",
    "a head too long to be read": HEAD + b"".join(b"X-%d: %s\r\n" % (number, b"x" * 7000) for number in range(10)),
    "nothing but blank lines": b"\r\n\r\n",
    "a header that is none": HEAD + b"Content-Length : 5\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a connection to be closed": b"GET /learning/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
}


def answered_beside(site, stack, begun):
    """Open connections, send each what it begins with, and ask for pages at the same time."""
    for request in begun:
        one = stack.enter_context(socket.socket())
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        one.connect(("127.0.0.1", site.port))
        one.sendall(request)
    time.sleep(1)
    began = time.monotonic()
    answers = [ask(site.port, "GET", "/learning/")[0] for _ in range(20)]
    return answers, time.monotonic() - began


@pytest.mark.long
@pytest.mark.parametrize("begun", BROKEN.values(), ids=BROKEN)
def test_forty_broken_requests_hold_nobody_up(site, begun):
    with ExitStack() as stack:
        answers, took = answered_beside(site, stack, [begun] * 40)
        assert answers == [200] * 20
        assert took < 10


@pytest.mark.long
def test_forty_who_do_not_read_their_answers_hold_nobody_up(site):
    with ExitStack() as stack:
        asked = b"GET /learning/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200
        answers, took = answered_beside(site, stack, [asked] * 40)
        assert answers == [200] * 20
        assert took < 10


@pytest.mark.long
def test_a_long_answer_arrives_whole_however_slowly_it_is_read(site):
    with socket.socket() as client:
        client.settimeout(10)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        client.connect(("127.0.0.1", site.port))
        client.sendall(b"GET /static/rules/tiles/tiles.svg HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        answer = b""
        while data := client.recv(4096):
            answer += data
            time.sleep(0.002)
        assert answer.partition(b"\r\n\r\n")[2] == (ROOT / "static/rules/tiles/tiles.svg").read_bytes()


@pytest.mark.long
def test_a_request_in_pieces_and_two_on_one_connection_are_answered(site):
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.settimeout(10)
        for piece in (b"GET /mani", b"fest.webmanifest HTTP/1.1\r\nHost: 127", b".0.0.1\r\n", b"\r\n"):
            client.sendall(piece)
            time.sleep(0.05)
        assert client.recv(20).startswith(b"HTTP/1.1 200")
        client.recv(65536)
        client.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        assert client.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"a=bc")
        found = b""
        while b"\r\n\r\n" not in found.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b""):
            found += client.recv(65536)
        assert b"HTTP/1.1 403" in found
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.settimeout(10)
        client.sendall(b"GET /manifest.webmanifest HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2)
        found = b""
        while found.count(b"HTTP/1.1 200") < 2:
            found += client.recv(65536)


@pytest.mark.long
def test_what_is_too_large_is_refused_before_it_has_arrived(site):
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.settimeout(10)
        client.sendall(HEAD + b"Content-Length: 900000000\r\n\r\nx")
        assert client.recv(20).startswith(b"HTTP/1.1 413")
