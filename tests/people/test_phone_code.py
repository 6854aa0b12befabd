"""A code from one's phone when signing in: setting it up, giving it, recovery codes, a lost phone, turning it off."""

import base64
import datetime
import hashlib
import hmac
import json
import re
import struct
import time
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from sessions_app.models import Change, Membership, User
from sessions_app.people.accounts import recovery_path
from sessions_app.people.merging import erase_login
from tests.factories import BY
from tests.logins import logins, signed_in
from tests.people.test_account import WITH_MAIL, is_signed_in, wait_for_background
from tests.people.test_people import text_of
from tests.people.test_personal import opened
from tests.queries import at_most

pytestmark = pytest.mark.slow

PASSWORD = "tea and tiles"


def code_of(key, at=None):
    """Return what an app on a phone shows for a key in base32: RFC 6238, with SHA-1, 30 seconds and six figures."""
    counter = struct.pack(">Q", int(time.time() if at is None else at) // 30)
    digest = hmac.new(base64.b32decode(key), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def test_the_phone_of_these_tests_counts_as_the_standard_says():
    """Of RFC 6238, appendix B, the last six figures."""
    key = base64.b32encode(b"12345678901234567890")
    at = {59: "287082", 1111111109: "081804", 1234567890: "005924", 2000000000: "279037"}
    assert {second: code_of(key, second) for second in at} == at


@pytest.fixture
def people(club):
    made = logins(club)
    for user in made.values():
        user.set_password(PASSWORD)
        user.save()
    return made


@pytest.fixture
def pat(people):
    return people["secretary"]


def set_up(client):
    """Set up a phone as its owner does, and return the key that the phone keeps."""
    page = client.post(reverse("phone-code-begin"), follow=True)
    key = re.search(r'class="typed-key">([A-Z2-7 ]+)<', page.text)[1].replace(" ", "")
    done = client.post(reverse("phone-code-set-up"), {"code": code_of(key)}, follow=True)
    assert "From now on, signing in asks for a code from your phone." in text_of(done)
    # The code that set it up is used; the next is of another half-minute.
    TOTPDevice.objects.update(last_t=-1)
    return SimpleNamespace(key=key, codes=re.findall(r"<li>(\w{4} \w{4})</li>", done.text))


def give_password(user, client=None, **fields):
    client = client or Client()
    answer = client.post(reverse("sign-in"), {"username": user.username, "password": PASSWORD, **fields})
    return client, answer


def give_code(client, code, **fields):
    return client.post(reverse("sign-in-code"), {"code": code, **fields})


def test_it_is_off_and_changes_nothing_until_it_is_set_up(pat):
    client, answer = give_password(pat)
    assert (answer.url, is_signed_in(client)) == (reverse("front"), True)


def test_after_the_password_the_code_is_asked_and_lets_in(pat, club):
    phone = set_up(signed_in(pat))
    wanted = reverse("players", args=[club.slug])
    client, answer = give_password(pat, next=wanted)
    assert answer.url == f"{reverse('sign-in-code')}?next=%2Fc%2Fbramley%2Fplayers%2F"
    assert not is_signed_in(client)
    assert client.get(wanted).status_code == 302
    code = code_of(phone.key)
    assert give_code(client, f"{code[:3]} {code[3:]}", next=wanted).url == wanted
    assert is_signed_in(client)
    assert client.get(wanted).status_code == 200


@pytest.mark.parametrize("wrong", ["", "000000", "12345", "abcdefgh", "９９９９９９", "1" * 40])
def test_a_wrong_code_lets_nobody_in(pat, wrong):
    phone = set_up(signed_in(pat))
    wrong = "111111" if wrong == code_of(phone.key) else wrong
    client, _ = give_password(pat)
    answer = give_code(client, wrong)
    assert answer.status_code == 422
    assert not is_signed_in(client)
    assert ("Enter the code that your phone shows." if not wrong else "Incorrect code.") in text_of(answer)


def test_on_a_tablet_where_somebody_else_is_signed_in_the_code_is_asked_of_the_one_who_gave_the_password(people, pat):
    phone = set_up(signed_in(pat))
    client, answer = give_password(pat, signed_in(people["member"]))
    assert answer.url == reverse("sign-in-code")
    assert not is_signed_in(client)
    assert client.get(answer.url).headers["Kept-Pages"] == "all"
    assert give_code(client, code_of(phone.key)).status_code == 302
    assert client.get(reverse("account")).context["user"] == pat


def test_a_wrong_code_is_in_the_log_with_its_account(pat, caplog):
    set_up(signed_in(pat))
    client, _ = give_password(pat, Client(REMOTE_ADDR="203.0.113.7"))
    give_code(client, "abcdefgh")
    [line] = [record for record in caplog.records if record.getMessage().startswith("Sign-in refused")]
    assert line.getMessage() == "Sign-in refused: code"
    assert (line.sender["address"], len(line.sender["account"])) == ("203.0.113.7", 12)


@pytest.mark.postgres
def test_a_code_works_once(pat):
    """Whoever looks over the shoulder has nothing."""
    phone = set_up(signed_in(pat))
    first, second = give_password(pat)[0], give_password(pat)[0]
    code = code_of(phone.key)
    assert give_code(first, code).status_code == 302
    assert give_code(second, code).status_code == 422
    assert not is_signed_in(second)


def test_an_old_code_is_none(pat):
    phone = set_up(signed_in(pat))
    client, _ = give_password(pat)
    assert give_code(client, code_of(phone.key, time.time() - 120)).status_code == 422


def test_without_the_password_there_is_nothing_to_give_a_code_to(pat):
    phone = set_up(signed_in(pat))
    client = Client()
    assert client.get(reverse("sign-in-code")).url == reverse("sign-in")
    assert give_code(client, code_of(phone.key)).url == reverse("sign-in")
    assert not is_signed_in(client)


def test_the_password_is_good_for_ten_minutes_and_until_it_is_changed(pat):
    phone = set_up(signed_in(pat))
    late, _ = give_password(pat)
    session = late.session
    at = timezone.now() - datetime.timedelta(minutes=11)
    session["signed_in_by_half"] = session["signed_in_by_half"] | {"at": at.isoformat()}
    session.save()
    assert give_code(late, code_of(phone.key)).url == reverse("sign-in")
    before, _ = give_password(pat)
    pat.set_password("three tall cranes")
    pat.save()
    assert give_code(before, code_of(phone.key)).url == reverse("sign-in")


@pytest.mark.postgres
def test_wrong_codes_are_counted_and_then_the_right_one_waits_too(pat):
    phone = set_up(signed_in(pat))
    client, _ = give_password(pat)
    for _ in range(8):
        give_code(client, "abcd efgh")
    answer = give_code(client, code_of(phone.key))
    assert "Too many wrong codes. Try again in 15 minutes." in text_of(answer)
    assert not is_signed_in(client)


def test_wrong_codes_from_many_addresses_are_thirty_a_day(pat):
    phone = set_up(signed_in(pat))
    for place in range(30):
        client, _ = give_password(pat, Client(REMOTE_ADDR=f"192.0.2.{place}"))
        give_code(client, "abcd efgh")
    client, _ = give_password(pat, Client(REMOTE_ADDR="198.51.100.4"))
    assert "Too many wrong codes. Try again in 24 hours." in text_of(give_code(client, code_of(phone.key)))
    assert not is_signed_in(client)


@WITH_MAIL
def test_wrong_codes_from_elsewhere_keep_no_known_device_out_and_the_owner_is_told(pat):
    """Whoever knows the password tries on the owner's own network, and from everywhere."""
    pat.email = "pat@example.org"
    pat.save()
    phone = set_up(signed_in(pat))
    own, _ = give_password(pat)
    assert give_code(own, code_of(phone.key)).status_code == 302
    TOTPDevice.objects.update(last_t=-1)
    own.post(reverse("sign-out"))
    for place in [*["127.0.0.1"] * 9, *(f"192.0.2.{number}" for number in range(30))]:
        client, _ = give_password(pat, Client(REMOTE_ADDR=place))
        refused = give_code(client, "abcd efgh")
    assert "Too many wrong codes." in text_of(refused)
    wait_for_background()
    assert {(*sent.to, sent.subject) for sent in mail.outbox} == {
        ("pat@example.org", "Many wrong codes for your Clubscore account")
    }
    give_password(pat, own)
    assert give_code(own, code_of(phone.key)).status_code == 302
    assert is_signed_in(own)
    own.post(reverse("sign-out"))
    give_password(pat, own)
    for _ in range(8):
        give_code(own, "abcd efgh")
    assert "Too many wrong codes." in text_of(give_code(own, "abcd efgh"))


@pytest.mark.postgres
def test_a_recovery_code_lets_in_once_and_says_how_many_are_left(pat, club):
    phone = set_up(signed_in(pat))
    assert len(set(phone.codes)) == 10
    client, _ = give_password(pat)
    assert give_code(client, phone.codes[3].upper()).url == reverse("front")
    assert "That recovery code is used up. You have 9 left." in text_of(client.get(reverse("account")))
    again, _ = give_password(pat)
    assert give_code(again, phone.codes[3]).status_code == 422
    assert give_code(again, phone.codes[4].replace(" ", "")).status_code == 302
    actions = list(Change.objects.filter(club=club).order_by("pk").values_list("action", flat=True))
    assert actions == ["phone code on", "recovery code used", "recovery code used"]


def test_another_accounts_codes_let_nobody_in(people):
    pat, kim = people["secretary"], people["scorekeeper"]
    of_pat, of_kim = set_up(signed_in(pat)), set_up(signed_in(kim))
    client, _ = give_password(pat)
    for code in (code_of(of_kim.key), of_kim.codes[0]):
        assert give_code(client, code).status_code == 422
    assert give_code(client, of_pat.codes[0]).status_code == 302


def test_new_recovery_codes_end_the_old_ones(pat):
    client = signed_in(pat)
    phone = set_up(client)
    page = client.post(reverse("recovery-codes"), follow=True)
    new = re.findall(r"<li>(\w{4} \w{4})</li>", page.text)
    assert len(new) == 10
    assert not {*new} & {*phone.codes}
    other, _ = give_password(pat)
    assert give_code(other, phone.codes[0]).status_code == 422
    assert give_code(other, new[0]).status_code == 302


def test_nothing_is_asked_before_the_phone_has_given_a_code(pat):
    client = signed_in(pat)
    page = client.post(reverse("phone-code-begin"), follow=True)
    assert "otpauth://totp/Clubscore%3Abramley-secretary?secret=" in page.text
    wrong = client.post(reverse("phone-code-set-up"), {"code": "abcdef"})
    assert (wrong.status_code, "Enter the six figures that the app shows now." in text_of(wrong)) == (422, True)
    assert give_password(pat)[1].url == reverse("front")
    assert client.get(reverse("recovery-codes")).url == reverse("phone-code")


def test_another_phone_takes_the_place_of_the_first(pat):
    client = signed_in(pat)
    first = set_up(client)
    second = set_up(client)
    assert TOTPDevice.objects.count() == 1
    assert first.key != second.key
    other, _ = give_password(pat)
    assert give_code(other, code_of(first.key)).status_code == 422
    assert give_code(other, first.codes[0]).status_code == 422
    assert give_code(other, code_of(second.key)).status_code == 302


@WITH_MAIL
def test_it_is_turned_off_and_the_owner_is_told(pat, club):
    pat.email = "pat@example.org"
    pat.save()
    client = signed_in(pat)
    set_up(client)
    assert client.post(reverse("phone-code-off")).url == reverse("account")
    wait_for_background()
    assert give_password(pat)[1].url == reverse("front")
    assert (TOTPDevice.objects.count(), StaticToken.objects.count()) == (0, 0)
    assert Change.objects.filter(club=club).latest("pk").action == "phone code off"
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["pat@example.org"], "Clubscore no longer asks for a code from your phone")
    assert "bramley-secretary" in sent.body
    assert "https://scores.example/forgotten/" in sent.body


@WITH_MAIL
def test_another_secretary_lets_in_whoever_lost_the_phone(people, club):
    kim = people["scorekeeper"]
    kim.email = "kim@example.org"
    kim.save()
    set_up(signed_in(kim))
    of_kim = Membership.objects.get(user=kim)
    secretary = signed_in(people["secretary"])
    assert "Phone lost" in secretary.get(reverse("people", args=[club.slug])).text
    for who in ("scorekeeper", "member"):
        refused = signed_in(people[who]).post(reverse("person-phone-code-off", args=[club.slug, of_kim.pk]))
        assert refused.status_code == 403
    answer = secretary.post(reverse("person-phone-code-off", args=[club.slug, of_kim.pk]), follow=True)
    wait_for_background()
    assert "bramley-scorekeeper signs in without a code from a phone now." in text_of(answer)
    assert give_password(kim)[1].url == reverse("front")
    assert [one.to for one in mail.outbox] == [["kim@example.org"]]
    assert "turned off the code from the phone of bramley-scorekeeper" in text_of(
        secretary.get(reverse("log", args=[club.slug]))
    )


def test_a_secretary_does_not_do_that_for_an_account_of_another_club_or_the_operators(people, club, other_club):
    kim, secretary = people["scorekeeper"], signed_in(people["secretary"])
    set_up(signed_in(kim))
    of_kim = Membership.objects.get(user=kim)
    address = reverse("person-phone-code-off", args=[club.slug, of_kim.pk])
    elsewhere = Membership.objects.create(user=kim, club=other_club, role="member")
    assert "because it is not only used in this club" in text_of(secretary.post(address, follow=True))
    elsewhere.delete()
    User.objects.filter(pk=kim.pk).update(is_staff=True)
    assert "because it is not only used in this club" in text_of(secretary.post(address, follow=True))
    assert TOTPDevice.objects.filter(user=kim).count() == 1


def test_a_link_for_a_new_password_leaves_the_code(pat):
    """Whoever reads the owner's email has no phone."""
    phone = set_up(signed_in(pat))
    client = Client()
    form = client.get(recovery_path(pat), follow=True).request["PATH_INFO"]
    new = "three tall cranes"
    assert client.post(form, {"new_password1": new, "new_password2": new}).url == reverse("sign-in")
    answer = client.post(reverse("sign-in"), {"username": pat.username, "password": new})
    assert answer.url == reverse("sign-in-code")
    assert not is_signed_in(client)
    assert give_code(client, code_of(phone.key)).status_code == 302


def test_the_operator_turns_it_off_by_the_command(pat, capsys):
    set_up(signed_in(pat))
    call_command("recover_login", pat.username)
    assert "phone" not in capsys.readouterr().out
    assert TOTPDevice.objects.count() == 1
    call_command("recover_login", pat.username, lost_phone=True)
    out = capsys.readouterr().out
    assert "bramley-secretary signs in without a code from a phone now." in out
    assert "/recover/" in out
    assert give_password(pat)[1].url == reverse("front")
    by_hand = Change.objects.filter(action="phone code off").get()
    assert (by_hand.user, by_hand.name) == (None, "The operator")


def test_a_sign_in_from_before_gives_the_code_once(pat):
    here, there = signed_in(pat), signed_in(pat)
    phone = set_up(here)
    page = reverse("sign-in-code") + "?next=/words/"
    assert "Go on" in there.get(page).text
    assert give_code(there, code_of(phone.key), next="/words/").url == "/words/"
    assert is_signed_in(there)


def test_codes_lead_nowhere_else(pat):
    phone = set_up(signed_in(pat))
    client, _ = give_password(pat, next="//example.org/")
    assert give_code(client, code_of(phone.key), next="//example.org/").url == reverse("front")


@pytest.mark.postgres
def test_an_erased_accounts_phone_and_codes_go(people, club):
    kim = people["scorekeeper"]
    set_up(signed_in(kim))
    erase_login(User.objects.get(pk=kim.pk), by=BY)
    assert (TOTPDevice.objects.count(), StaticToken.objects.count()) == (0, 0)


def test_ones_own_data_says_that_there_is_one_and_no_secret(pat, club):
    client = signed_in(pat)
    phone = set_up(client)
    files = opened(client.get(reverse("my-data", args=[club.slug])))
    facts = json.loads(files["login.json"])["code_from_phone"]
    assert facts["since"][:10] == timezone.now().date().isoformat()
    assert facts["recovery_codes_left"] == 10
    assert phone.key not in files["login.json"]
    assert phone.codes[0].replace(" ", "") not in files["login.json"]


def test_the_clubs_own_copy_holds_no_secret(pat, club):
    client = signed_in(pat)
    set_up(client)
    files = opened(client.get(reverse("backup-zip", args=[club.slug])))
    secrets = [TOTPDevice.objects.get().key, StaticToken.objects.first().token]
    assert [secret for secret in secrets for text in files.values() if secret in text] == []


def test_a_page_asks_the_database_no_more_for_it(pat, club):
    """The phone is looked up where it matters, not on each page."""
    page = reverse("players", args=[club.slug])
    plain = signed_in(pat)
    set_up(signed_in(pat))
    with_code, _ = give_password(pat)
    give_code(with_code, StaticToken.objects.first().token)
    for client in (plain, with_code):
        client.get(page)
        with at_most(4) as queries:
            assert client.get(page).status_code == 200
        assert [query for query in queries.captured_queries if "otp_" in query["sql"]] == []
