"""Guessing is counted: logins by login and address together, so that a hall behind one router is never locked out."""

import datetime
import threading

import pytest
from django.contrib.auth.signals import user_login_failed
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import override_settings
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Tries, User
from sessions_app.services.tries import SIGN_IN, Limit, count_try, forget_tries, in_minutes
from sessions_app.visitor_address import address_of

from .test_people import text_of

HALL = {"REMOTE_ADDR": "203.0.113.7"}
ELSEWHERE = {"REMOTE_ADDR": "198.51.100.4"}


@pytest.fixture
def ann_and_bob(db):
    return [User.objects.create_user(name, password="tea and tiles") for name in ("ann", "bob")]


def sign_in(name, password, **where):
    return Client(**where).post(reverse("sign-in"), {"username": name, "password": password})


def test_after_eight_wrong_passwords_the_right_one_has_to_wait(ann_and_bob):
    codes = [sign_in("ann", "wrong", **HALL).status_code for _ in range(8)]
    answer = sign_in("ann", "tea and tiles", **HALL)
    assert codes == [422] * 8 and answer.status_code == 422
    assert "Too many tries with this name. Try again in 15 minutes." in text_of(answer)
    assert 'value="ann"' in answer.content.decode()


def test_one_persons_mistakes_lock_nobody_else_of_the_hall_out(ann_and_bob):
    for _ in range(20):
        sign_in("ann", "wrong", **HALL)
    assert sign_in("bob", "tea and tiles", **HALL).status_code == 302
    assert sign_in("ann", "tea and tiles", **ELSEWHERE).status_code == 302


def test_large_and_small_letters_are_one_login(ann_and_bob):
    for name in ("ann", "Ann", "ANN", "aNN") * 2:
        sign_in(name, "wrong", **HALL)
    assert sign_in("ann", "tea and tiles", **HALL).status_code == 422


def test_a_right_password_begins_the_count_anew(ann_and_bob):
    for _ in range(3):
        for _ in range(7):
            sign_in("ann", "wrong", **HALL)
        assert sign_in("ann", "tea and tiles", **HALL).status_code == 302


def test_after_a_quarter_of_an_hour_one_may_try_again(ann_and_bob):
    for _ in range(9):
        sign_in("ann", "wrong", **HALL)
    Tries.objects.update(ends_at=timezone.now() - datetime.timedelta(seconds=1))
    assert sign_in("ann", "tea and tiles", **HALL).status_code == 302
    assert not Tries.objects.exists()


def test_neither_login_nor_address_can_be_read_in_the_database(ann_and_bob):
    sign_in("ann", "wrong", **HALL)
    [kept] = Tries.objects.all()
    assert len(kept.digest) == 64 and int(kept.digest, 16)
    assert "ann" not in str(kept) and "203.0.113.7" not in str(kept)


def test_what_is_over_is_swept_away(db):
    count_try(SIGN_IN, "ann", "1")
    Tries.objects.update(ends_at=timezone.now() - datetime.timedelta(days=1))
    count_try(SIGN_IN, "bob", "1")
    assert Tries.objects.count() == 1


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
