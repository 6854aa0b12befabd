"""Whoever sends a request slowly, its head or its body, holds nobody up: a real server without a proxy."""

import socket
import time
from contextlib import ExitStack

import pytest

from clubscore.gunicorn_worker import READING_DEADLINE

from .site import Site, ask

HEAD = b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = HEAD + b"Content-Length: 2000000\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nusername="


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path)
    site.start()
    yield site
    site.stop()


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
        told = b""
        while b"\r\n\r\n" not in told.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b""):
            told += client.recv(65536)
        assert b"HTTP/1.1 403" in told
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.settimeout(10)
        client.sendall(b"GET /manifest.webmanifest HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2)
        told = b""
        while told.count(b"HTTP/1.1 200") < 2:
            told += client.recv(65536)


def test_what_is_too_large_is_refused_before_it_has_arrived(site):
    with socket.create_connection(("127.0.0.1", site.port)) as client:
        client.settimeout(10)
        client.sendall(HEAD + b"Content-Length: 900000000\r\n\r\nx")
        assert client.recv(20).startswith(b"HTTP/1.1 413")
