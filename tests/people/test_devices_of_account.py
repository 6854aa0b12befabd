"""An account lists where it is signed in, in plain words, and ends any of these sign-ins by itself."""

import datetime
import importlib
import json
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Change, SignIn, User
from sessions_app.people.merging import erase_login
from sessions_app.people.sign_ins import device_words
from tests.factories import BY
from tests.logins import logins, signed_in
from tests.people.test_account import is_signed_in
from tests.people.test_people import text_of
from tests.people.test_personal import opened

WEBKIT, BLINK = (f"AppleWebKit/{version} (KHTML, like Gecko)" for version in ("605.1.15", "537.36"))
IPAD = f"Mozilla/5.0 (iPad; CPU OS 15_8 like Mac OS X) {WEBKIT} Version/15.6.6 Mobile/15E148 Safari/604.1"
WINDOWS = f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {BLINK} Chrome/142.0.0.0 Safari/537.36"
PASSWORD = "tea and tiles"


@pytest.fixture
def ann(club):
    user = logins(club)["member"]
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(user, agent=WINDOWS):
    client = Client(headers={"user-agent": agent})
    fields = {"username": user.username, "password": PASSWORD}
    assert client.post(reverse("sign-in"), fields).status_code == 302
    return client


def devices(client):
    """Return what the account page lists, each as its words and its button's value, None for this device."""
    text = client.get(reverse("account")).text.partition('class="rows devices"')[2].partition("</ul>")[0]
    found = []
    for item in text.split("<li>")[1:]:
        key = item.partition('name="device" value="')[2].partition('"')[0]
        found.append((item.partition("<b>")[2].partition("</b>")[0], "this one" in item, key))
    return found


def test_each_device_is_named_and_this_one_is_marked(ann):
    tablet, laptop = sign_in(ann, IPAD), sign_in(ann)
    assert [row[:2] for row in devices(tablet)] == [
        ("Safari on an iPad", True),
        ("Chrome on a Windows computer", False),
    ]
    assert [row[:2] for row in devices(laptop)] == [
        ("Chrome on a Windows computer", True),
        ("Safari on an iPad", False),
    ]
    today = timezone.localdate()
    assert (
        text_of(tablet.get(reverse("account"))).count(f"Signed in on {today.day} {today:%B %Y}. Last used today.") == 2
    )


def test_the_day_of_last_use_is_that_of_the_other_device(ann):
    tablet, laptop = sign_in(ann, IPAD), sign_in(ann)
    session = tablet.session
    session["last_used"] = "2026-11-05"
    session.save()
    assert "Last used on 5 November 2026." in text_of(laptop.get(reverse("account")))


@pytest.mark.postgres
def test_one_device_is_signed_out_and_the_others_stay(ann, club):
    tablet, laptop, phone = (
        sign_in(ann, IPAD),
        sign_in(ann),
        sign_in(ann, "Mozilla/5.0 (Android 15; Mobile) Firefox/142"),
    )
    [key] = [key for words, _, key in devices(laptop) if words == "Safari on an iPad"]
    answer = laptop.post(reverse("device-sign-out"), {"device": key}, follow=True)
    assert "That device is signed out." in text_of(answer)
    assert [is_signed_in(one) for one in (tablet, laptop, phone)] == [False, True, True]
    assert [change.action for change in Change.objects.filter(club=club)] == ["sign out device"]
    again = laptop.post(reverse("device-sign-out"), {"device": key}, follow=True)
    assert "That device was already signed out." in text_of(again)


def test_nobody_ends_a_sign_in_of_another_account(ann, other_club):
    eve = signed_in(logins(other_club)["secretary"])
    laptop, tablet = sign_in(ann), sign_in(ann, IPAD)
    for key in [row[2] for row in devices(laptop)] + [tablet.session.session_key]:
        eve.post(reverse("device-sign-out"), {"device": key})
    assert is_signed_in(tablet)
    assert is_signed_in(laptop)


def test_the_page_does_not_hold_what_signs_in(ann):
    tablet, laptop = sign_in(ann, IPAD), sign_in(ann)
    text = laptop.get(reverse("account")).text
    assert tablet.session.session_key not in text
    assert laptop.session.session_key not in text


@pytest.mark.postgres
def test_what_has_ended_is_not_listed(ann):
    laptop = sign_in(ann)
    sign_in(ann, IPAD).post(reverse("sign-out"))
    old = sign_in(ann, IPAD)
    SignIn.objects.filter(pk=old.session.session_key).update(expire_date=timezone.now() - datetime.timedelta(days=1))
    assert [words for words, _, _ in devices(laptop)] == ["Chrome on a Windows computer"]
    sign_in(ann, IPAD)
    new = "three tall cranes"
    laptop.post(reverse("account-password"), {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert [words for words, _, _ in devices(laptop)] == ["Chrome on a Windows computer"]


@pytest.mark.postgres
def test_signing_out_everywhere_and_erasing_leave_no_device(ann):
    laptop, _ = sign_in(ann), sign_in(ann, IPAD)
    laptop.post(reverse("sign-out-everywhere"))
    assert SignIn.objects.filter(user=ann).count() == 0
    sign_in(ann, IPAD)
    erase_login(User.objects.get(pk=ann.pk), by=BY)
    assert SignIn.objects.filter(user=ann).count() == 0


def test_ones_own_data_names_the_devices(ann, club):
    laptop, _ = sign_in(ann), sign_in(ann, IPAD)
    facts = json.loads(opened(laptop.get(reverse("my-data", args=[club.slug])))["login.json"])
    assert {row["device"] for row in facts["signed_in"]} == {"Chrome on a Windows computer", "Safari on an iPad"}
    assert {row["last_used"] for row in facts["signed_in"]} == {timezone.now().date().isoformat()}


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (IPAD, "Safari on an iPad"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {WEBKIT} Version/18.5 Safari/605.1.15",
         "Safari on a Mac or an iPad"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {BLINK} Chrome/142.0.0.0 Safari/537.36",
         "Chrome on a Mac"),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) {WEBKIT} CriOS/142.0 Mobile/15E148 Safari/604.1",
         "Chrome on an iPhone"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {BLINK} Chrome/142.0.0.0 Mobile Safari/537.36",
         "Chrome on an Android phone"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {BLINK} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36",
         "Samsung Internet on an Android tablet"),
        (f"Mozilla/5.0 (Linux; Android 11; KFTRWI) {BLINK} Silk/130.3 like Chrome/130.0 Safari/537.36",
         "Silk on a Fire tablet"),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {BLINK} Chrome/142.0.0.0 Safari/537.36",
         "Chrome on a Chromebook"),
        (f"{WINDOWS} Edg/142.0.0.0", "Edge on a Windows computer"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0", "Firefox on a Linux computer"),
        ("Mozilla/5.0 (Android 15; Tablet) Gecko/142.0", "A browser on an Android tablet"),
        ("", "A device of another kind"),
        ("<script>" * 500, "A device of another kind"),
    ],
)  # fmt: skip
def test_what_a_browser_says_of_itself_in_words(agent, words):
    assert device_words(agent) == words


def test_sign_ins_from_before_the_list_go_on(ann):
    """An upgrade in the middle of a season signs nobody out: the rows of Django's own table are taken over."""
    laptop = sign_in(ann)
    row = SignIn.objects.get()
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE django_session (session_key varchar(40) PRIMARY KEY, session_data text,"
            " expire_date timestamp with time zone)"
        )
        cursor.execute(
            "INSERT INTO django_session SELECT session_key, session_data, expire_date FROM sessions_app_signin"
        )
    row.delete()
    assert not is_signed_in(laptop)
    migration = importlib.import_module("sessions_app.migrations.0039_sign_ins_know_their_account")
    migration.take_over(apps, SimpleNamespace(connection=connection))
    assert is_signed_in(laptop)
    assert "django_session" not in connection.introspection.table_names()
    # The salt of Django's own engine: what that has signed is still read.
    assert SessionStore().decode(row.session_data)["_auth_user_id"] == str(ann.pk)
    assert devices(laptop) == []
    session = laptop.session
    session["last_used"] = "2026-01-01"
    session.save()
    assert [words for words, _, _ in devices(laptop)] == ["Chrome on a Windows computer"]
