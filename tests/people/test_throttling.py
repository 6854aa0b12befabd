"""Guessing is counted: logins by login and address together, so that a hall behind one router is never locked out."""

import datetime
import threading
from concurrent.futures import ThreadPoolExecutor

import argon2
import pytest
from argon2 import PasswordHasher
from django.contrib.auth.hashers import get_hashers
from django.contrib.auth.signals import user_login_failed
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import override_settings
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Throttle, User
from sessions_app.people.accounts import OneAtATimeArgon2, recovery_path
from sessions_app.people.known_device import address_of
from sessions_app.people.throttling import SIGN_IN, Limit, count_try, forget_tries, in_minutes, tries_left
from tests.people.test_people import text_of

pytestmark = pytest.mark.slow

HALL = {"REMOTE_ADDR": "203.0.113.7"}
ELSEWHERE = {"REMOTE_ADDR": "198.51.100.4"}


@pytest.fixture
def ann_and_bob(db):
    return [User.objects.create_user(name, password="tea and tiles") for name in ("ann", "bob")]


def sign_in(name, password, **where):
    return Client(**where).post(reverse("sign-in"), {"username": name, "password": password})


@pytest.mark.postgres
def test_after_eight_wrong_passwords_the_right_one_has_to_wait(ann_and_bob):
    codes = [sign_in("ann", "wrong", **HALL).status_code for _ in range(8)]
    answer = sign_in("ann", "tea and tiles", **HALL)
    assert codes == [422] * 8
    assert answer.status_code == 422
    assert "Too many tries with this username. Try again in 15 minutes." in text_of(answer)
    assert 'value="ann"' in answer.content.decode()


def test_one_persons_mistakes_lock_nobody_else_of_the_hall_out(ann_and_bob):
    for _ in range(20):
        sign_in("ann", "wrong", **HALL)
    assert sign_in("bob", "tea and tiles", **HALL).status_code == 302
    assert sign_in("ann", "tea and tiles", **ELSEWHERE).status_code == 302


@pytest.mark.postgres
def test_large_and_small_letters_are_one_login(ann_and_bob):
    for name in ("ann", "Ann", "ANN", "aNN") * 2:
        sign_in(name, "wrong", **HALL)
    assert sign_in("ann", "tea and tiles", **HALL).status_code == 422
    assert sign_in("Ann", "tea and tiles", **HALL).status_code == 422


def test_a_right_password_begins_the_count_anew(ann_and_bob):
    for _ in range(3):
        for _ in range(7):
            sign_in("ann", "wrong", **HALL)
        assert sign_in("ann", "tea and tiles", **HALL).status_code == 302


def test_after_a_quarter_of_an_hour_one_may_try_again(ann_and_bob):
    for _ in range(9):
        sign_in("ann", "wrong", **HALL)
    Throttle.objects.update(ends_at=timezone.now() - datetime.timedelta(seconds=1))
    assert sign_in("ann", "tea and tiles", **HALL).status_code == 302
    assert not Throttle.objects.filter(count__gt=0).exists()


def guessed_from_five_addresses(login):
    for place in range(5):
        for _ in range(8):
            sign_in(login, "wrong", REMOTE_ADDR=f"192.0.2.{place}")


@pytest.mark.parametrize("login", ["ann", "nobody"])
def test_one_login_tried_from_many_addresses_has_to_wait_whether_there_is_one_or_not(ann_and_bob, login):
    guessed_from_five_addresses(login)
    answer = sign_in(login, "tea and tiles", **ELSEWHERE)
    assert answer.status_code == 422
    assert "wrong passwords with this username from many places. Try again in 60 minutes." in text_of(answer)
    assert sign_in("bob", "tea and tiles", **ELSEWHERE).status_code == 302


def test_where_a_login_has_signed_in_before_strangers_keep_nobody_out(ann_and_bob):
    tablet, url = Client(**HALL), reverse("sign-in")
    assert tablet.post(url, {"username": "ann", "password": "tea and tiles"}).status_code == 302
    tablet.post(reverse("sign-out"))
    guessed_from_five_addresses("ann")
    guessed_from_five_addresses("bob")
    assert (
        tablet.post(url, {"username": "ann", "password": "tea and tiles"}, REMOTE_ADDR="192.0.2.99").status_code == 302
    )
    tablet.post(reverse("sign-out"))
    assert tablet.post(url, {"username": "bob", "password": "tea and tiles"}).status_code == 422
    [known] = [cookie for name, cookie in tablet.cookies.items() if name.startswith("known-")]
    assert (known["path"], known["httponly"], known["samesite"]) == (url, True, "Lax")


def test_a_known_device_is_counted_by_itself_and_none_can_be_made_up(ann_and_bob):
    tablet, url = Client(), reverse("sign-in")
    tablet.post(url, {"username": "ann", "password": "tea and tiles"})
    [name] = [name for name in tablet.cookies if name.startswith("known-")]
    right = {"username": "ann", "password": "tea and tiles"}
    for place in range(5):
        for _ in range(8):
            tablet.post(url, {"username": "ann", "password": "wrong"}, REMOTE_ADDR=f"192.0.2.{place + 100}")
    assert tablet.post(url, right, **ELSEWHERE).status_code == 422
    assert sign_in("ann", "tea and tiles", **ELSEWHERE).status_code == 302
    guessed_from_five_addresses("ann")
    stranger = Client(**HALL)
    stranger.cookies[name] = tablet.cookies[name].value.replace(":", "x:", 1)
    assert stranger.post(url, right).status_code == 422


def test_a_new_password_by_a_link_lets_the_owner_in_while_strangers_try(ann_and_bob):
    guessed_from_five_addresses("ann")
    phone = Client(**ELSEWHERE)
    form = phone.get(recovery_path(ann_and_bob[0]), follow=True)
    new = {"new_password1": "three tall cranes", "new_password2": "three tall cranes"}
    assert phone.post(form.request["PATH_INFO"], new).status_code == 302
    answer = phone.post(reverse("sign-in"), {"username": "ann", "password": "three tall cranes"})
    assert answer.status_code == 302


def test_neither_login_nor_address_can_be_read_in_the_database(ann_and_bob):
    sign_in("ann", "wrong", **HALL)
    kept = Throttle.objects.all()
    assert [len(one.digest) for one in kept] == [64, 64, 64]
    assert all(int(one.digest, 16) for one in kept)
    assert not [one for one in kept if "ann" in str(one) or "203.0.113.7" in str(one)]


@pytest.mark.postgres
def test_what_is_over_is_swept_away(db):
    count_try(SIGN_IN, "ann", "1")
    Throttle.objects.update(ends_at=timezone.now() - datetime.timedelta(days=1))
    count_try(SIGN_IN, "bob", "1")
    assert Throttle.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_tries_than_one_after_another():
    limit, answers = Limit("test", 5, 15), []

    def try_four_times():
        answers.extend(count_try(limit, "ann", "1") for _ in range(4))
        connection.close()

    threads = [threading.Thread(target=try_four_times) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [0] * 5 + [15] * 15


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_sixteen_wrong_passwords_at_once_are_eight_tries():
    """Counted after the password was looked at, all sixteen would have been; so many does Django tell as failed."""
    User.objects.create_user("ann", password="tea and tiles")
    looked_at, answers = [], []

    def failed(sender, credentials, **kwargs):
        looked_at.append(credentials["username"])

    def guess(number):
        answers.append(sign_in("ann", f"wrong {number}", **HALL).status_code)
        connection.close()

    user_login_failed.connect(failed)
    try:
        threads = [threading.Thread(target=guess, args=[number]) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        user_login_failed.disconnect(failed)
    assert (answers, looked_at) == ([422] * 16, ["ann"] * 8)


@pytest.mark.postgres
def test_what_is_left_is_told_before_anything_was_counted_and_after(db):
    limit = Limit("test", 5, 15)
    left = [tries_left(limit, "a")]
    for number in (2, 3):
        count_try(limit, "a", number=number)
        left.append(tries_left(limit, "a"))
    assert left == [5, 3, 0]


def test_the_wait_is_said_in_words(db):
    limit = Limit("test", 1, 1)
    assert [count_try(limit, "a"), in_minutes(count_try(limit, "a"))] == [0, "Try again in a minute."]
    forget_tries(limit, "a")
    assert count_try(limit, "a") == 0
    assert in_minutes(12) == "Try again in 12 minutes."


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "198.51.100.4", "203.0.113.7"),
        (1, "198.51.100.4", "198.51.100.4"),
        (1, "10.9.9.9, 198.51.100.4", "198.51.100.4"),
        (2, "10.9.9.9, 198.51.100.4, 192.0.2.1", "198.51.100.4"),
        (2, "198.51.100.4", "203.0.113.7"),
        (1, "", "203.0.113.7"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "::ffff:198.51.100.4", "198.51.100.4"),
        (1, "not an address " * 20, "not an address not an address not an add"),
    ],
)
def test_the_address_is_what_the_nearest_proxies_say_and_not_what_a_visitor_writes(proxies, forwarded, expected):
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}, **HALL)
    with override_settings(PROXIES=proxies):
        assert address_of(request) == expected


def test_very_many_names_tried_from_one_address_have_to_wait_and_a_hall_does_not(ann_and_bob, monkeypatch):
    for _ in range(3):
        assert sign_in("bob", "tea and tiles", **HALL).status_code == 302
    # A hall signs in as often as it likes; each right password takes its try back.
    assert [sign_in(f"nobody{n}", "wrong", **HALL).status_code for n in range(120)] == [422] * 120
    answer = sign_in("ann", "tea and tiles", **HALL)
    assert answer.status_code == 422
    assert "Too many wrong passwords from this network." in text_of(answer)
    assert sign_in("ann", "tea and tiles", **ELSEWHERE).status_code == 302


def test_passwords_are_computed_one_at_a_time(monkeypatch):
    """Each computation takes 100 MiB: what is measured is how many are inside the real one at once."""
    inside, most = [], []

    class Watched(PasswordHasher):
        def verify(self, *what):
            inside.append(1)
            most.append(len(inside))
            try:
                return super().verify(*what)
            finally:
                inside.pop()

    hasher = OneAtATimeArgon2()
    encoded = hasher.encode("tea and tiles", "saltsaltsalt")
    monkeypatch.setattr(argon2, "PasswordHasher", Watched)
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda n: hasher.verify("tea and tiles", encoded), range(6))) == [True] * 6
    assert most == [1] * 6
    assert get_hashers()[0].__class__.__mro__[1] is OneAtATimeArgon2


@pytest.mark.postgres
def test_the_log_tells_once_a_day_that_a_club_or_a_code_has_come_to_a_limit(db, caplog, monkeypatch):
    now, limit = timezone.now(), Limit("looks of club", 3, 10, is_told=True)
    moment = {"now": now}
    monkeypatch.setattr(timezone, "now", lambda: moment["now"])

    def told(*what, hours=0, tries=5):
        moment["now"] += datetime.timedelta(hours=hours)
        caplog.clear()
        for _ in range(tries):
            count_try(limit, *what)
        return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]

    assert told("7", tries=2) == []
    assert told("7") == ["Limit reached: looks of club 7, 3 in 10 minutes"]
    assert told("7", hours=1) == []
    assert told("8", "a key that nobody reads") == ["Limit reached: looks of club 8, 3 in 10 minutes"]
    assert told("7", hours=24) == ["Limit reached: looks of club 7, 3 in 10 minutes"]
