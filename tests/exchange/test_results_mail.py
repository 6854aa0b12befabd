"""The results of a meeting by mail: to those who agreed or are typed in, with the CSV with the words."""

import datetime
import re
from smtplib import SMTPRecipientsRefused
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse
from django.utils import timezone

from sessions_app.exchange.exports.results_mail import ResultsMail
from sessions_app.models import Change, Contact, Meeting, Player
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.people.mailing import mail_results
from tests.factories import house
from tests.logins import signed_in

AGREED = datetime.date(2026, 9, 1)


@pytest.fixture
def at_home(club, cast):
    made = house(club, cast.all[:4])
    made.secretary.email, made.secretary.email_confirmed = "secretary@example.org", True
    made.secretary.save()
    for player in (cast.alice, cast.bob):
        Contact.objects.create(
            club=club, player=player, email=f"{player.full_name.lower()}@example.org", agreed_on=AGREED
        )
    return made


@pytest.fixture
def client(at_home):
    return signed_in(at_home.secretary)


@pytest.fixture
def where(club, at_home):
    return reverse("meeting-mail", args=[club.slug, at_home.table_session.meeting_id])


@pytest.fixture
def sends(settings):
    settings.SENDS_MAIL, settings.SITE = True, urlsplit("http://testserver")
    settings.DEFAULT_FROM_EMAIL = "scores@example.org"
    settings.NEW_CLUB_DAYS = 0


def test_where_no_mail_is_sent_the_page_says_so_and_offers_the_files(client, club, at_home, where):
    page = client.get(where).content.decode()
    assert "This site cannot send email yet" in page
    assert "Send the results" not in page
    for name in ("totals-csv", "hands-csv"):
        assert reverse(name, args=[club.slug, at_home.table_session.pk]) in page
    assert client.post(where, {"others": "pat@example.org"}).status_code == 422
    assert mail.outbox == []


def test_sent_to_those_who_agreed_and_those_typed_in_each_by_itself(client, club, cast, where, sends):
    sent = {"members": [cast.alice.pk], "others": "pat@example.org; ALICE@example.org\nkim@example.org"}
    assert client.post(where, sent).status_code == 302
    assert sorted(one.to for one in mail.outbox) == [["ALICE@example.org"], ["kim@example.org"], ["pat@example.org"]]
    one = mail.outbox[0]
    assert one.subject == "Bramley: results of 12 November 2026"
    assert "Table 1, British (BMJA), still in play" in one.body
    assert "Alice      +600   1 hand, 1 won" in one.body
    assert [name for name, _, _ in one.attachments] == [
        "bramley-2026-11-12-result.csv", "bramley-2026-11-12-totals.csv", "bramley-2026-11-12-hands.csv",
    ]  # fmt: skip
    assert "Alice" in one.attachments[0][1]
    assert "Result so far" in one.body
    assert "     1  Alice      +600" in one.body
    meeting = Meeting.objects.get()
    assert f"http://testserver{reverse('meeting', args=[club.slug, meeting.pk])}" in one.body
    assert one.reply_to == ["secretary@example.org"]
    [(sheet, kind)] = one.alternatives
    words = " ".join(re.sub(r"<[^>]*>", " ", sheet).split())
    assert kind == "text/html"
    # Typed totals of 100, 20 and nothing else: Alice, East, has twice 100 of each; Bob has 20 of Carol and 20 of Dave.
    assert "Player Won or lost Balance Hands Won Alice +600 2,600 1 1 Bob −160 1,840 1 0" in words
    assert "1 Alice goes Mah-jong E +600 2,600 S −160 1,840 W −220 1,780 N −220 1,780" in words
    line = log_page(club, LogFilter()).lines[0].sentence
    assert line.endswith("sent the results of the meeting of 12 November 2026 by email to 3 addresses.")
    assert Change.objects.latest("pk").after == {"sent": 3, "players": [cast.alice.pk]}


def test_each_player_gets_the_own_result_and_the_own_link_and_nobody_elses(client, club, cast, where, sends):
    assert client.post(where, {"members": [cast.alice.pk, cast.bob.pk], "others": "kim@example.org"}).status_code == 302
    bodies = {one.to[0].partition("@")[0]: one.body for one in mail.outbox}
    # Alice has 200 of each of three; Bob pays 200 and has 20 of Carol and 20 of Dave.
    assert bodies["alice"].startswith("Your result: +600, position 1 of 4.\n")
    assert bodies["bob"].startswith("Your result: −160, position 2 of 4.\n")
    assert bodies["kim"].startswith("Bramley: results of 12 November 2026\n")
    links = {who: re.findall(r"http://testserver/coming/(\S+)/", body) for who, body in bodies.items()}
    keys = dict(Player.objects.filter(club=club).values_list("full_name", "reply_key"))
    assert links == {"alice": [keys["Alice"]], "bob": [keys["Bob"]], "kim": []}
    html = {one.to[0].partition("@")[0]: one.alternatives[0][0] for one in mail.outbox}
    assert "</h1><p>Your result: −160, position 2 of 4.</p>" in html["bob"]
    assert "Your result" not in html["kim"]


def test_replies_go_to_the_clubs_contact(client, club, cast, where, sends):
    type(club).objects.filter(pk=club.pk).update(contact_email="club@example.org")
    client.post(where, {"members": [cast.alice.pk]})
    assert mail.outbox[0].reply_to == ["club@example.org"]


def test_everyone_who_agreed_is_ticked_until_the_results_were_sent_to_them(client, cast, where, sends):
    def ticked():
        return client.get(where).context["form"]["members"].value()

    assert ticked() == [str(cast.alice.pk), str(cast.bob.pk)]
    client.post(where, {"members": [cast.alice.pk]})
    assert ticked() == [str(cast.bob.pk)]
    assert "Sent already to: Alice." in client.get(where).text


def test_without_a_mail_server_the_own_mail_program_opens_with_blind_copies(client, club, cast, where):
    page = client.get(where).text
    [address] = re.findall(r'href="(mailto:[^"]*)"', page)
    parts = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
    assert parts["bcc"] == ["alice@example.org,bob@example.org"]
    assert parts["subject"] == ["Bramley: results of 12 November 2026"]
    lines = parts["body"][0].splitlines()
    assert "1 Alice +600" in lines
    assert "2 Bob −160" in lines
    assert lines[-1] == f"http://testserver{reverse('meeting', args=[club.slug, Meeting.objects.get().pk])}"
    assert len(address) < 2000
    assert 'data-copies="mail-text"' in page


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ("pat@", "Enter email addresses like jean@example.org. “pat@” is not one."),
        ("", "Choose a member, or enter an email address."),
    ],
)
def test_what_is_no_address_is_asked_again(client, where, sends, others, sentence):
    page = client.post(where, {"others": others})
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert mail.outbox == []


def test_another_players_address_cannot_be_chosen(client, cast, where, sends):
    page = client.post(where, {"members": [cast.eve.pk]})
    assert "Choose members from the list." in page.content.decode()
    assert mail.outbox == []


def test_a_mail_server_that_is_away_is_told_and_what_was_typed_is_kept(client, where, sends, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = client.post(where, {"others": "pat@example.org"})
    assert page.status_code == 422
    shown = page.content.decode()
    assert "Nothing was sent. The email service did not respond. Try again later." in shown
    assert "pat@example.org" in shown
    assert not Change.objects.filter(action="mail").exists()


class OneRefused(EmailBackend):
    """A mail server that knows no Alice: what else is sent it takes."""

    def send_messages(self, messages):
        if any("alice" in address for one in messages for address in one.to):
            raise SMTPRecipientsRefused({"alice@example.org": (550, b"No such user")})
        return super().send_messages(messages)


def test_one_address_that_is_refused_stops_nobody_and_alone_is_left_to_send_again(
    client, club, cast, where, sends, settings
):
    settings.EMAIL_BACKEND = f"{__name__}.OneRefused"
    sent = {"members": [cast.alice.pk, cast.bob.pk], "others": "pat@example.org"}
    page = client.post(where, sent)
    assert sorted(one.to for one in mail.outbox) == [["bob@example.org"], ["pat@example.org"]]
    assert page.status_code == 422
    assert "Sent to 2 addresses. Not sent to alice@example.org." in page.content.decode()
    assert (page.context["form"]["members"].value(), page.context["form"]["others"].value()) == (
        [str(cast.alice.pk)], "",
    )  # fmt: skip
    assert Change.objects.get(action="mail").after == {"sent": 2, "players": [cast.bob.pk]}


def test_former_members_are_not_offered(client, club, cast, where, sends):
    Player.objects.filter(pk=cast.alice.pk).update(left_on=AGREED)
    assert [words for _, words in client.get(where).context["form"]["members"].field.choices] == ["Bob"]


def test_more_than_fifty_are_sent_in_parts(client, where, sends):
    page = client.post(where, {"others": "\n".join(f"pat{number}@example.org" for number in range(51))})
    assert "Choose at most 50 addresses, then send to the others." in page.content.decode()
    assert mail.outbox == []


def test_scorekeepers_have_nothing_to_do_with_addresses(at_home, where):
    assert signed_in(at_home.scorekeeper).get(where).status_code == 403


def to(number, first=0):
    return {"others": ",".join(f"someone{one}@example.org" for one in range(first, first + number))}


def test_a_club_sends_a_hundred_emails_a_day_and_no_more(client, cast, where, sends, monkeypatch):
    assert [client.post(where, to(50, 50 * part)).status_code for part in range(2)] == [302, 302]
    page = client.post(where, {**to(1, 200), "members": [cast.alice.pk]})
    assert (page.status_code, len(mail.outbox)) == (422, 100)
    assert "Your club has sent as many emails as it can today. Try again in 24 hours." in page.content.decode()
    tomorrow = timezone.now() + datetime.timedelta(hours=24, minutes=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: tomorrow)
    signed_in(get_user_model().objects.get(username="bramley-secretary")).post(where, to(1, 200))
    assert len(mail.outbox) == 101


def test_what_is_left_of_the_day_is_told_and_another_club_has_its_own(client, club, where, sends, settings):
    settings.CLUB_EMAILS_PER_DAY = 10
    assert client.post(where, to(7)).status_code == 302
    page = client.post(where, to(4, 7))
    assert "You can send 3 more emails today. Choose fewer people." in page.content.decode()
    assert client.post(where, to(3, 7)).status_code == 302
    assert len(mail.outbox) == 10
    assert client.post(where, to(11, 20)).status_code == 422


def test_mails_that_were_not_taken_are_not_counted(client, cast, where, sends, settings):
    settings.CLUB_EMAILS_PER_DAY = 2
    settings.EMAIL_BACKEND = f"{__name__}.OneRefused"
    client.post(where, {"members": [cast.alice.pk, cast.bob.pk]})
    assert client.post(where, to(1)).status_code == 302
    assert client.post(where, to(1, 1)).status_code == 422
    assert sorted(one.to for one in mail.outbox) == [["bob@example.org"], ["someone0@example.org"]]


def test_a_new_club_sends_to_those_alone_who_agreed(client, club, cast, where, sends, settings, monkeypatch):
    settings.NEW_CLUB_DAYS = 14
    page = client.get(where).content.decode()
    assert "Your club is new." in page
    assert "Other email addresses" not in page
    assert client.post(where, {"others": "pat@example.org"}).status_code == 422
    assert client.post(where, {"members": [cast.alice.pk], "others": "pat@example.org"}).status_code == 302
    assert [one.to for one in mail.outbox] == [["alice@example.org"]]
    later = timezone.now() + datetime.timedelta(days=14, minutes=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    again = signed_in(get_user_model().objects.get(username="bramley-secretary"))
    assert again.post(where, {"others": "pat@example.org"}).status_code == 302
    assert mail.outbox[-1].to == ["pat@example.org"]


def test_all_new_clubs_together_send_no_more_than_five(client, club, other_club, cast, where, sends, settings):
    """Signing up one club after another gains nothing by it."""
    settings.NEW_CLUB_DAYS, settings.CLUB_EMAILS_PER_DAY = 14, 2
    sent = {"members": [cast.alice.pk, cast.bob.pk]}
    made = [type(club).objects.create(name=f"Club {number}", slug=f"club-{number}") for number in range(5)]
    for one in made:
        mail_of_new_club(one)
    assert len(mail.outbox) == 10
    assert client.post(where, sent).status_code == 422
    settings.NEW_CLUB_DAYS = 0
    assert client.post(where, sent).status_code == 302


def mail_of_new_club(club):
    meeting = Meeting.objects.create(club=club, date=AGREED)
    secretary = get_user_model().objects.get(username="bramley-secretary")
    recipients = [(f"{club.slug}-{one}@example.org", one) for one in range(1, 3)]
    mail_results(meeting, ResultsMail("Results", "words", "<p>words</p>", []), recipients, by=Actor.of_user(secretary))


@pytest.mark.parametrize("fields", [{"email_confirmed": False}, {"email": ""}])
def test_a_secretary_confirms_an_address_before_anything_is_sent(client, at_home, cast, where, sends, fields):
    get_user_model().objects.filter(pk=at_home.secretary.pk).update(**fields)
    page = client.get(where).content.decode()
    assert "Confirm your email address before you send results." in page
    assert "Send the results" not in page
    assert client.post(where, {"members": [cast.alice.pk]}).status_code == 422
    assert mail.outbox == []


def test_the_operator_switches_the_mails_of_clubs_off(client, cast, where, sends, settings):
    settings.CLUB_EMAILS_PER_DAY = 0
    page = client.get(where).content.decode()
    assert "Clubs cannot send email from this site." in page
    assert "Send the results" not in page
    assert client.post(where, {"members": [cast.alice.pk]}).status_code == 422
    assert mail.outbox == []
