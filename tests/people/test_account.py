"""One's own login: name, password, signing out everywhere, and the ways back in when the password is forgotten."""

import datetime
import re
import threading
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.core.mail.backends import locmem
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Change, User
from sessions_app.people.accounts import recovery_path, recovery_tokens, run_in_background
from tests.logins import logins, signed_in
from tests.people.test_people import text_of

OLD, NEW = "tea and tiles", "three tall cranes"

WITH_MAIL = override_settings(
    SENDS_MAIL=True,
    SITE=urlsplit("https://scores.example"),
    DEFAULT_FROM_EMAIL="scores@example.org",
)


@pytest.fixture
def ann(club):
    user = logins(club)["member"]
    user.set_password(OLD)
    user.email = "ann@example.org"
    user.save()
    return user


def entered(user):
    client = Client()
    assert client.login(username=user.username, password=OLD)
    return client


def wait_for_background():
    """Wait until all that was begun before has run: one thread does it in turn."""
    done = threading.Event()
    run_in_background(done.set)
    assert done.wait(30)


class SlowPost(locmem.EmailBackend):
    """A mail server that takes a mail only when it may."""

    may_go = threading.Event()

    def send_messages(self, messages):
        self.may_go.wait(10)
        return super().send_messages(messages)


def forget(email, follow=False, **where):
    """Ask for a link, and return the answer once the mail is where it goes."""
    answer = Client(**where).post(reverse("forgotten"), {"email": email}, follow=follow)
    wait_for_background()
    return answer


def is_signed_in(client):
    return client.get(reverse("account")).status_code == 200


def change_password(client, old=OLD, new=NEW, again=NEW):
    fields = {"old_password": old, "new_password1": new, "new_password2": again}
    return client.post(reverse("account-password"), fields)


def test_signing_out_everywhere_ends_every_device(ann, club):
    here, there = entered(ann), entered(ann)
    assert here.post(reverse("sign-out-everywhere")).url == reverse("sign-in")
    assert [is_signed_in(here), is_signed_in(there)] == [False, False]
    again = entered(ann)
    assert is_signed_in(again)
    again.post(reverse("sign-out-everywhere"))
    assert not is_signed_in(again)
    assert [change.action for change in Change.objects.all()] == ["sign out everywhere"] * 2


def test_a_new_password_signs_out_every_other_device(ann):
    here, there = entered(ann), entered(ann)
    assert change_password(here).url == reverse("account")
    assert [is_signed_in(here), is_signed_in(there)] == [True, False]
    assert Client().login(username=ann.username, password=NEW)
    assert [(change.action, change.user) for change in Change.objects.all()] == [("new password", ann)]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"old": "wrong"}, "Incorrect password. Enter your current password."),
        ({"again": "other words here"}, "Enter the same password twice. These two differ."),
        ({"new": "qwerty123456", "again": "qwerty123456"}, "This password is too common."),
        ({"new": "pot of teas", "again": "pot of teas"}, "It must contain at least 12 characters."),
        ({"new": "bramley-member", "again": "bramley-member"}, "The password is too similar to the username."),
    ],
)
def test_a_wrong_change_of_password_is_said(ann, fields, sentence):
    answer = change_password(entered(ann), **fields)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert Client().login(username=ann.username, password=OLD)


def test_a_shorter_password_from_before_goes_on_until_it_is_changed(ann, club):
    ann.set_password("teapots8")
    ann.save()
    client = Client()
    assert client.post(reverse("sign-in"), {"username": ann.username, "password": "teapots8"}).status_code == 302
    assert client.get(reverse("club", args=[club.slug])).status_code == 200
    assert change_password(client, old="teapots8", new="tea pots 88", again="tea pots 88").status_code == 422
    assert change_password(client, old="teapots8", new="three pots 8").status_code == 422
    assert change_password(client, old="teapots8", new="three pots 8", again="three pots 8").status_code == 302


def test_guessing_the_old_password_on_a_tablet_left_open_is_counted(ann):
    client = entered(ann)
    for _ in range(8):
        change_password(client, old="wrong")
    assert "Too many tries. Try again in 15 minutes." in text_of(change_password(client))


def test_after_too_many_guesses_the_answer_to_the_right_password_is_the_answer_to_a_wrong_one(ann):
    """Else guessing would go on: what is said next to “too many tries” would tell which one was right."""
    client = entered(ann)
    for _ in range(8):
        change_password(client, old="wrong")
    assert text_of(change_password(client)) == text_of(change_password(client, old="wrong"))
    assert text_of(change_email(client, password=OLD)) == text_of(change_email(client, password="wrong"))


def test_name_and_address_are_changed_and_the_log_holds_neither(ann):
    client = entered(ann)
    client.post(reverse("account"), {"name": "  Ann   Mary Smith ", "email": "smith@example.org", "password": OLD})
    ann.refresh_from_db()
    assert (ann.get_full_name(), ann.email) == ("Ann Mary Smith", "smith@example.org")
    assert (ann.first_name, ann.last_name) == ("Ann Mary", "Smith")
    [change] = Change.objects.all()
    assert (change.action, change.before, change.after) == ("change login", {}, {})


def change_email(client, email="eve@example.org", password=""):
    return client.post(reverse("account"), {"name": "Ann Smith", "email": email, "password": password})


@pytest.mark.parametrize(
    ("password", "sentence"),
    [
        ("", "Enter your current password to change the email address."),
        ("wrong", "Incorrect password. Enter your current password."),
    ],
)
@pytest.mark.parametrize("email", ["eve@example.org", "ANN@example.org", ""])
def test_on_a_tablet_left_open_nobody_changes_the_address_without_the_password(ann, email, password, sentence):
    answer = change_email(entered(ann), email, password)
    assert (answer.status_code, sentence in text_of(answer)) == (422, True)
    ann.refresh_from_db()
    assert (ann.email, Change.objects.count()) == ("ann@example.org", 0)


def test_the_name_alone_is_changed_without_the_password(ann):
    assert change_email(entered(ann), ann.email).status_code == 302
    ann.refresh_from_db()
    assert ann.get_full_name() == "Ann Smith"


def test_guessing_the_password_for_another_address_is_counted_with_the_other_guesses(ann):
    client = entered(ann)
    for _ in range(4):
        change_password(client, old="wrong")
        change_email(client, password="wrong")
    assert "Too many tries. Try again in 15 minutes." in text_of(change_email(client, password=OLD))
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    assert change_email(client, ann.email).status_code == 302


def test_nobody_takes_the_name_of_another_member(ann, club, other_club):
    eve = logins(other_club)["member"]
    eve.first_name, eve.last_name = "Eve", "Wool"
    eve.save()
    client = entered(ann)
    taken = {"name": "BRAMLEY-Secretary", "email": ann.email}
    answer = client.post(reverse("account"), taken)
    assert (answer.status_code, "Enter a name that tells you apart" in text_of(answer)) == (422, True)
    assert client.post(reverse("account"), {"name": "Pat {2}", "email": ann.email}).status_code == 422
    ann.refresh_from_db()
    assert (ann.get_full_name(), Change.objects.count()) == ("", 0)
    assert client.post(reverse("account"), {"name": "Eve Wool", "email": ann.email}).status_code == 302


@WITH_MAIL
def test_the_old_address_is_told_of_the_new_one_and_older_links_end(ann):
    link = recovery_path(ann)
    assert Client().get(link).status_code == 302
    assert change_email(entered(ann), password=OLD).status_code == 302
    wait_for_background()
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["ann@example.org"], "Your Clubscore email address has changed")
    assert ann.username in sent.body
    assert "eve@example.org" not in sent.body
    assert Client().get(link).status_code == 410


NEW_PASSWORD = "Your Clubscore password has changed"


def by_link(user):
    client = Client()
    page = client.get(recovery_path(user), follow=True).request["PATH_INFO"]
    return client.post(page, {"new_password1": NEW, "new_password2": NEW})


@WITH_MAIL
@pytest.mark.parametrize("change", [lambda ann: change_password(entered(ann)), by_link])
def test_who_has_an_address_is_told_of_a_new_password(ann, change):
    assert change(ann).status_code == 302
    wait_for_background()
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["ann@example.org"], NEW_PASSWORD)
    assert ann.username in sent.body
    assert f"https://scores.example{reverse('forgotten')}" in sent.body
    assert NEW not in sent.body
    assert "/recover/" not in sent.body


@pytest.mark.parametrize(("address", "sends_mail"), [("", True), ("ann@example.org", False)])
def test_no_mail_of_a_new_password_without_an_address_or_where_none_is_sent(ann, address, sends_mail):
    User.objects.filter(pk=ann.pk).update(email=address)
    with WITH_MAIL, override_settings(SENDS_MAIL=sends_mail):
        assert change_password(entered(ann)).status_code == 302
        wait_for_background()
    assert mail.outbox == []


@WITH_MAIL
def test_nobodys_mailbox_is_filled_with_word_of_new_passwords(ann):
    client, words = entered(ann), [OLD, NEW]
    for _ in range(5):
        assert change_password(client, old=words[0], new=words[1], again=words[1]).status_code == 302
        words.reverse()
    wait_for_background()
    assert [sent.subject for sent in mail.outbox] == [NEW_PASSWORD] * 3


@WITH_MAIL
def test_a_link_comes_by_mail_and_works_once(ann):
    forget("ANN@example.org")
    [sent] = mail.outbox
    assert (sent.to, sent.from_email, sent.subject) == (
        ["ann@example.org"],
        "scores@example.org",
        "A new password for Clubscore",
    )
    link = re.search(r"https://scores\.example(/recover/\S+)", sent.body).group(1)
    client = Client()
    form = client.get(link, follow=True)
    address = form.request["PATH_INFO"]
    assert link.split("/")[-2] not in address
    weak = client.post(address, {"new_password1": "password", "new_password2": "password"})
    assert weak.status_code == 422
    assert "This password is too common." in text_of(weak)
    assert client.post(address, {"new_password1": NEW, "new_password2": NEW}).url == reverse("sign-in")
    assert Client().login(username=ann.username, password=NEW)
    over = Client().get(link)
    assert over.status_code == 410
    assert "It has been used, it is more than a day old, or" in text_of(over)


@WITH_MAIL
@override_settings(ALLOWED_HOSTS=["*"])
def test_the_link_in_a_mail_leads_to_the_sites_own_address_whatever_the_request_says(ann):
    forget("ann@example.org", headers={"host": "evil.example"})
    assert "evil.example" not in mail.outbox[0].body


@WITH_MAIL
def test_the_answer_does_not_tell_whether_there_is_such_a_login(ann):
    answers = [forget(to, follow=True) for to in ("ann@example.org", "a@b.org")]
    assert len(mail.outbox) == 1
    assert text_of(answers[0]) == text_of(answers[1])


@WITH_MAIL
def test_the_same_work_is_done_before_the_answer_whether_there_is_such_a_login(ann):
    asked = []
    for to, place in (("ann@example.org", "192.0.2.1"), ("ann@example.com", "192.0.2.2")):
        with CaptureQueriesContext(connection) as queries:
            forget(to, REMOTE_ADDR=place)
        asked.append([re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries])
    assert asked[0] == asked[1]
    assert len(mail.outbox) == 1


@WITH_MAIL
@override_settings(EMAIL_BACKEND=f"{__name__}.SlowPost")
def test_the_answer_does_not_wait_for_the_mail(ann):
    SlowPost.may_go.clear()
    try:
        answer = Client().post(reverse("forgotten"), {"email": "ann@example.org"})
        assert (answer.status_code, mail.outbox) == (302, [])
    finally:
        SlowPost.may_go.set()
    wait_for_background()
    assert [sent.to for sent in mail.outbox] == [["ann@example.org"]]


@WITH_MAIL
def test_nobodys_mailbox_is_filled(ann):
    for number in range(6):
        forget("ann@example.org", REMOTE_ADDR=f"192.0.2.{number}")
    assert len(mail.outbox) == 3
    answers = [forget(f"{number}@example.org") for number in range(11)]
    assert [answer.status_code for answer in answers] == [302] * 10 + [422]


def test_without_mail_the_page_says_whom_to_ask(ann):
    answer = Client().get(reverse("forgotten"))
    assert "Ask your club’s secretary" in text_of(answer)
    assert "<form" not in answer.content.decode()
    assert Client().post(reverse("forgotten"), {"email": "ann@example.org"}).status_code == 200
    assert mail.outbox == []


def test_a_link_is_over_after_a_day(ann, monkeypatch):
    link = recovery_path(ann)
    assert Client().get(link).status_code == 302
    tomorrow = timezone.now().replace(tzinfo=None) + datetime.timedelta(days=1, minutes=1)
    monkeypatch.setattr(recovery_tokens, "_now", lambda: tomorrow)
    assert Client().get(link).status_code == 410


def test_a_link_is_over_once_its_login_signs_in_or_out_everywhere(ann):
    for happens in (lambda: entered(ann), lambda: signed_in(ann).post(reverse("sign-out-everywhere"))):
        ann.refresh_from_db()
        link = recovery_path(ann)
        happens()
        assert Client().get(link).status_code == 410


@pytest.mark.parametrize("uid", ["", "x", "MQ", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "_____w"])
def test_a_made_up_link_is_over(ann, uid):
    token = default_token_generator.make_token(ann)
    assert Client().get(f"/recover/{uid or '-'}/{token}/").status_code == 410


def test_the_command_prints_a_link(ann, capsys):
    call_command("recover_login", ann.username)
    link = re.search(r"(/recover/\S+)", capsys.readouterr().out).group(1)
    assert Client().get(link, follow=True).status_code == 200
    assert [(change.action, change.name) for change in Change.objects.all()] == [("recovery link", "The operator")]
    with pytest.raises(CommandError, match="There is no account called nobody."):
        call_command("recover_login", "nobody")


def test_the_last_secretary_is_gone_and_the_operator_names_another(club, ann):
    User.objects.filter(username="bramley-secretary").update(password="!")
    call_command("give_login", club.slug, ann.username, "secretary")
    assert entered(ann).get(reverse("people", args=[club.slug])).status_code == 200


def ask_for_link(client):
    answer = client.post(reverse("account-confirm-send"), follow=True)
    wait_for_background()
    return answer


@WITH_MAIL
def test_an_address_is_confirmed_by_a_link_sent_to_it_and_by_pressing_while_signed_in(ann):
    client = entered(ann)
    assert "ann@example.org is not confirmed yet." in text_of(client.get(reverse("account")))
    ask_for_link(client)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["ann@example.org"], "Confirm your email address for Clubscore")
    link = re.search(r"https://scores\.example(/account/confirm/\S+)", sent.body).group(1)
    # Mail programs open links too, and anyone else who gets the mail is not signed in as this login.
    assert client.get(link).status_code == 200
    assert Client().post(link).url.startswith(reverse("sign-in"))
    ann.refresh_from_db()
    assert not ann.email_confirmed
    assert client.post(link).url == reverse("account")
    ann.refresh_from_db()
    assert ann.email_confirmed
    assert "ann@example.org is confirmed." in text_of(client.get(reverse("account")))
    assert [change.action for change in Change.objects.all()] == ["confirm address"]


@WITH_MAIL
def test_another_address_is_not_confirmed_and_ends_the_link_for_the_one_before(ann):
    client = entered(ann)
    ask_for_link(client)
    link = re.search(r"https://scores\.example(/account/confirm/\S+)", mail.outbox[0].body).group(1)
    assert client.post(link).status_code == 302
    assert change_email(client, password=OLD).status_code == 302
    ann.refresh_from_db()
    assert (ann.email, ann.email_confirmed) == ("eve@example.org", False)
    assert [client.get(link).status_code, client.post(link).status_code] == [410, 410]


@WITH_MAIL
def test_nobodys_mailbox_is_filled_with_links_to_confirm_or_word_of_a_new_address(ann):
    client = entered(ann)
    answers = [ask_for_link(client) for _ in range(4)]
    assert "You have asked for too many links. Try again in 60 minutes." in text_of(answers[-1])
    assert len(mail.outbox) == 3
    mail.outbox.clear()
    for _ in range(5):
        change_email(client, "victim@example.org", OLD)
        change_email(client, "ann@example.org", OLD)
    wait_for_background()
    assert [sent.to for sent in mail.outbox].count(["victim@example.org"]) == 3
