"""Odd keys, ids, queries and fields at every address, on both databases: nothing is a fault of the site."""

import re
from urllib.parse import quote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from sessions_app.models import Throttle
from tests.clubs import furnished
from tests.logins import signed_in
from tools.fuzz.driver import is_page, named, words_asked_for
from tools.fuzz.pages import Page

pytestmark = pytest.mark.postgres

# As they stand in an address: NUL, half a character, a letter of another alphabet, another folder, and too long a key.
ODD_KEYS = ("%00", "a%00b", "%ED%A0%80", "%C3%A9", "..%2f..", "a" * 65, "%20")
ODD_VALUES = ("\x00", "a\x00b", "9" * 22, str(2**63), str(-(2**63) - 1), "9" * 5000, "NaN", "1e400", "²", "9999-12-31",
              "0001-01-01", "%ED%A0%80")  # fmt: skip
# A form of these pages is no form of the club, or ends who is signed in.
LEAVING = ("/sign-out/", "/looks/", "/sign-in/", "/sign-up/")


@pytest.fixture
def own(db):
    return furnished("Bramley")


@pytest.fixture
def clients(own):
    tablet = Client(raise_request_exception=False)
    tablet.get(reverse("by-key", args=[own.scoring_key]))
    secretary = signed_in(own.secretary)
    secretary.raise_request_exception = False
    return {"secretary": secretary, "tablet": tablet, "nobody": Client(raise_request_exception=False)}


def path_of(address, own, **odd):
    """Return the path of an address, each part as the house has it or as it is given."""
    given = {"uidb64": "MQ", "rules": "bmja", **vars(own), **odd}
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(given[found[1]]), address.route)


def sent(client, method, *request):
    """Send a request and take back what it wrote; return the status."""
    with transaction.atomic():
        answer = getattr(client, method)(*request)
        if answer.streaming:
            b"".join(answer.streaming_content)
        transaction.set_rollback(True)
    return answer.status_code


def with_keys():
    """Yield each address that has a key, with the words of its keys."""
    for name, address in named():
        if words := re.findall(r"<key:(\w+)>", address.route):
            yield name, address, words


def test_every_key_is_of_one_kind():
    routes = " ".join(address.route for _, address in named())
    assert "<str:" not in routes
    assert {name for name, *_ in with_keys()} == {
        "account-confirm", "by-key", "club-logo", "coming", "coming-calendar", "invite", "recover", "watch",
        "watch-hall",
    }  # fmt: skip


def test_what_no_key_can_be_is_no_address(own, clients):
    answered = {
        (name, word, odd, who, method): sent(client, method, path_of(address, own, **{word: odd}))
        for name, address, words in with_keys()
        for word in words
        for odd in ODD_KEYS
        for who, client in clients.items()
        for method in ("get", "post")
    }
    assert len(answered) == 10 * len(ODD_KEYS) * 3 * 2
    assert {case: code for case, code in answered.items() if code != 404} == {}


@pytest.mark.long
def test_odd_parts_of_every_address(own, clients):
    paths = [
        path_of(address, own, **{word: odd})
        for _, address in named()
        for word in address.words
        for odd in (*ODD_KEYS, "9" * 22, str(2**63), "9" * 5000)
    ]
    requests = [(who, method, path) for path in paths for who in clients for method in ("get", "post")]
    assert [one for one in requests if sent(clients[one[0]], *one[1:]) >= 500] == []


@pytest.mark.long
def test_odd_values_in_every_query(own, clients):
    words = [word for word in words_asked_for() if word != "backup"]
    queries = {odd: "&".join(f"{word}={quote(odd, safe='%')}" for word in words) for odd in ODD_VALUES}
    paths = [f"{path_of(address, own)}?{query}" for _, address in named() for query in queries.values()]
    requests = [(who, path) for path in paths for who in clients]
    assert [(who, path[:200]) for who, path in requests if sent(clients[who], "get", path) >= 500] == []


@pytest.mark.long
def test_odd_values_in_every_field(own, clients):
    """Each field of each form by itself, with the others as the page gives them."""
    faults, fields = [], 0
    for name, address in named():
        page = clients["secretary"].get(path_of(address, own))
        if page.status_code != 200 or not is_page(page):
            continue
        for form in Page(page.content.decode()).forms:
            action = form.action or path_of(address, own)
            if form.method != "post" or action.startswith(LEAVING):
                continue
            usual = dict(form.fields)
            for field in usual:
                fields += 1
                for odd in ODD_VALUES:
                    # Otherwise the thousandth request waits.
                    Throttle.objects.all().delete()
                    if sent(clients["secretary"], "post", action, usual | {field: odd}) >= 500:
                        faults.append((name, action, field, odd[:30]))
    assert fields > 500
    assert faults == []
