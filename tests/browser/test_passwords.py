"""A password as it is typed: shown when asked, and a new one judged, without the server."""

import re
from pathlib import Path

import pytest
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.models import User

SCRIPT = Path(__file__).parent.parent.parent / "static" / "people" / "password.js"
PASSWORD = "tea and tiles"


@pytest.fixture
def ann(live_server, transactional_db):
    return User.objects.create_user("annwool", password=PASSWORD, first_name="Ann", last_name="Greenwood")


@pytest.mark.long
def test_a_password_is_shown_on_demand_and_sent_hidden(tablet, ann):
    """By keyboard alone, and told to a screen reader."""
    one = tablet()
    one.open(reverse("sign-in"))
    field = one.page.get_by_label("Password")
    one.page.get_by_label("Username").fill("annwool")
    field.fill("wrong")
    expect(field).to_have_attribute("type", "password")
    field.press("Tab")
    expect(one.button("Show password")).to_be_focused()
    one.page.keyboard.press("Enter")
    expect(field).to_have_attribute("type", "text")
    expect(field).to_have_value("wrong")
    expect(one.page.get_by_role("status").filter(has_text="Your password is shown.")).to_have_count(1)
    one.tap("Hide password")
    expect(field).to_have_attribute("type", "password")
    one.tap("Show password")
    one.page.evaluate(
        "document.querySelector('main form').addEventListener('submit',"
        " (event) => { sessionStorage.type = event.target.elements.password.type })"
    )
    field.fill(PASSWORD)
    field.press("Enter")
    expect(one.page.get_by_role("heading", level=1)).not_to_have_text("Sign in")
    assert one.page.evaluate("sessionStorage.type") == "password"


TYPED = [
    ("", ""),
    ("seven777", "Too short. Use 12 letters or more. 8 so far."),
    ("password1234", "Easy to guess. Many people use it."),
    ("Qwerty123456", "Easy to guess. Many people use it."),
    ("PeanutButter", "Easy to guess. Many people use it."),
    ("teateateatea", "Easy to guess. Many people use it."),
    ("abcdefghijkl", "Easy to guess. Many people use it."),
    ("1205196413071967", "Easy to guess. Use letters too."),
    ("annwool 2026!!", "Easy to guess. It has your name in it."),
    ("mrs greenwood rules", "Easy to guess. It has your name in it."),
    ("aabbaabbabab1", "Easy to guess. Use more different letters."),
    ("pots of teas", "Good."),
    ("three tall cranes", "Very good."),
]


def test_a_new_password_is_judged_while_it_is_typed(tablet, ann):
    one = tablet(ann)
    one.open(reverse("account-password"))
    field, hint = one.page.get_by_label("New password", exact=True), one.page.locator(".password-strength > span").first
    for typed, words in TYPED:
        field.fill(typed)
        expect(hint).to_have_text(words)
    expect(one.page.get_by_role("status").filter(has_text="Very good.")).to_have_count(1)
    expect(one.page.locator(".password-strength")).to_have_count(1)


@pytest.mark.long
def test_a_name_typed_in_the_same_form_counts(tablet, live_server, transactional_db):
    one = tablet()
    one.open(reverse("sign-up"))
    one.page.get_by_label("Your name").fill("Marjorie Pickles")
    field, hint = one.page.get_by_label("Password", exact=True), one.page.locator(".password-strength > span").first
    field.fill("hello marjorie x")
    expect(hint).to_have_text("Easy to guess. It has your name in it.")
    one.page.get_by_label("Your name").fill("Jean Pickles")
    expect(hint).to_have_text("Very good.")


@pytest.mark.long
def test_what_the_script_calls_common_the_server_refuses():
    """What the hint says must come true: each word of its list is in the server's."""
    listed = re.search(r"const COMMON = \((.*?)\)\.split", SCRIPT.read_text(encoding="utf-8"), re.S)[1]
    words = " ".join(re.findall(r'"(.*?)"', listed)).split()
    refused = []
    for word in words:
        try:
            password_validation.validate_password(word)
        except ValidationError as error:
            refused += [word] if "This password is too common." in error.messages else []
    assert len(words) > 30
    assert refused == words
