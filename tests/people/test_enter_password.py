"""What gives much away, or cannot be undone, asks for the password again: once in a quarter of an hour."""

import datetime
import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from sessions_app.models import Change, Invite, Membership, Player
from sessions_app.people.clubs import give_login
from sessions_app.people.password_views import WHAT
from tests.factories import BY, house
from tests.logins import signed_in
from tests.people.test_people import text_of

PASSWORD = "tea and tiles"
ASKED = "Enter your password to go on"


@pytest.fixture
def at_home(club, cast):
    made = house(club, cast.all[:4])
    for user in (made.secretary, made.member):
        user.set_password(PASSWORD)
        user.save()
    return made


@pytest.fixture
def secretary(at_home):
    """The secretary's tablet, half an hour after signing in."""
    client = signed_in(at_home.secretary)
    later(client, 30)
    return client


def later(client, minutes):
    session = client.session
    session["password_confirmed_at"] = (timezone.now() - datetime.timedelta(minutes=minutes)).isoformat()
    session.save()


def fields_of(answer):
    """Return what the page's form holds, hidden or not, as a browser would send it."""
    form = answer.text.partition("<main")[2].partition("<form")[2].partition("</form>")[0]
    inputs = re.findall(r'<input[^>]*name="([^"]+)"(?:[^>]*value="([^"]*)")?', form)
    found = {}
    for name, value in inputs:
        found.setdefault(name, []).append(unescape(value))
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


def enter(client, answer, password=PASSWORD, follow=True):
    """Enter the password on the page that asks for it, and go where that leads, as a browser does."""
    assert ASKED in answer.text
    assert answer.status_code in (200, 422)
    fields = fields_of(answer) | {"confirm-password": password}
    return client.post(reverse("confirm-password"), fields, follow=follow)


def posts(at_home, cast):
    """Return everything that is sent and asks for the password: name, what the address takes, what is typed."""
    kim = Membership.objects.get(user=at_home.scorekeeper)
    slug, bob = at_home.club.slug, cast.fay.pk
    return {
        "hand-over": ([slug], {"taker": kim.pk, "after": "member"}),
        "person-recover": ([slug, kim.pk], {}),
        "person-role": ([slug, kim.pk], {"role": "secretary"}),
        "person-remove": ([slug, kim.pk], {}),
        "public-settings": ([slug], {"public_names": "full", "shows_standings": "on"}),
        "money-settings": ([slug], {"currency": "£", "points_rate": "1.25", "table_fee": "1", "refreshments": "0.5"}),
        "people-invite": ([slug], {"role": "secretary", "how_many": "one", "days": "7"}),
        "player-erase": ([slug, bob], {"name": "Fay", "sure": "on"}),
        "phone-code-off": ([], {}),
        "recovery-codes": ([], {}),
        "person-phone-code-off": ([slug, kim.pk], {}),
    }


def files(at_home, cast):
    slug = at_home.club.slug
    return {
        "export-csv": reverse("export-csv", args=[slug]) + "?what=players",
        "export-zip": reverse("export-zip", args=[slug]),
        "backup-zip": reverse("backup-zip", args=[slug]),
        "player-data": reverse("player-data", args=[slug, cast.bob.pk]),
        "my-data": reverse("my-data", args=[slug]),
    }


def test_all_that_asks_is_named_on_the_page(at_home, cast):
    assert {*posts(at_home, cast), *files(at_home, cast), "phone-code-begin"} == {*WHAT}


def test_a_phone_is_set_up_by_the_owner_alone(secretary, at_home):
    """Someone at a tablet left open could lock the owner out with a phone of their own."""
    answer = secretary.post(reverse("phone-code-begin"))
    assert ASKED in answer.text
    assert TOTPDevice.objects.count() == 0
    assert "Set up the code from your phone" in enter(secretary, answer).text
    assert TOTPDevice.objects.get().user == at_home.secretary


@pytest.fixture
def phones(at_home):
    for user in (at_home.secretary, at_home.scorekeeper):
        TOTPDevice.objects.create(user=user, name="phone")


SENT = (
    "hand-over", "person-recover", "person-role", "people-invite", "player-erase", "phone-code-off", "recovery-codes",
    "person-phone-code-off", "person-remove", "public-settings", "money-settings",
)  # fmt: skip


@pytest.mark.parametrize("name", SENT)
@pytest.mark.usefixtures("phones")
def test_what_is_sent_asks_first_and_then_goes_on_as_typed(secretary, at_home, cast, name):
    arguments, typed = posts(at_home, cast)[name]
    before = Change.objects.count(), Membership.objects.filter(role="secretary").count(), Invite.objects.count()
    answer = secretary.post(reverse(name, args=arguments), typed)
    assert f"Before you {WHAT[name]}, please show that it is you." in text_of(answer)
    assert (
        Change.objects.count(), Membership.objects.filter(role="secretary").count(), Invite.objects.count()
    ) == before  # fmt: skip
    wrong = enter(secretary, answer, "wrong")
    assert (wrong.status_code, "Incorrect password. Enter the password you sign in with." in wrong.text) == (422, True)
    assert f"Before you {WHAT[name]}" in text_of(wrong)
    assert Change.objects.count() == before[0]
    done = enter(secretary, wrong)
    assert done.status_code == 200
    assert ASKED not in done.text
    assert Change.objects.count() > before[0]


def test_the_club_is_handed_over_to_whom_one_chose(secretary, at_home, cast):
    arguments, typed = posts(at_home, cast)["hand-over"]
    done = enter(secretary, secretary.post(reverse("hand-over", args=arguments), typed))
    assert "bramley-scorekeeper is now the secretary of Bramley." in text_of(done)
    roles = dict(Membership.objects.of_club(at_home.club).values_list("user__username", "role"))
    assert (roles["bramley-scorekeeper"], roles["bramley-secretary"]) == ("secretary", "member")


@pytest.mark.parametrize("name", ["export-csv", "export-zip", "backup-zip", "player-data", "my-data"])
def test_a_file_asks_first_and_then_comes(secretary, at_home, cast, name):
    address, page = files(at_home, cast)[name], reverse("exports", args=[at_home.club.slug])
    answer = secretary.get(address, headers={"referer": f"http://testserver{page}"})
    assert "Content-Disposition" not in answer.headers
    assert f"Before you {WHAT[name]}" in text_of(answer)
    assert Change.objects.filter(action="export").count() == 0
    begun = enter(secretary, answer)
    assert "Your download is on its way" in text_of(begun)
    assert f'<meta http-equiv="refresh" content="0; url={address}">' in begun.text
    assert f'<a class="button-main" href="{page}">Back</a>' in begun.text
    assert secretary.get(address)["Content-Disposition"].startswith("attachment;")


def test_lists_without_addresses_do_not_ask(secretary, at_home):
    for what in ("totals", "hands", "standings", "attendance"):
        answer = secretary.get(reverse("export-csv", args=[at_home.club.slug]) + f"?what={what}")
        assert answer["Content-Disposition"].startswith("attachment;")


def test_ordinary_roles_and_invitations_do_not_ask(secretary, at_home):
    slug = at_home.club.slug
    kim = Membership.objects.get(user=at_home.scorekeeper)
    assert secretary.post(reverse("person-role", args=[slug, kim.pk]), {"role": "member"}).status_code == 302
    typed = {"role": "member", "how_many": "many", "days": "7"}
    assert secretary.post(reverse("people-invite", args=[slug]), typed).status_code == 302


def test_a_secretary_is_not_made_less_without_the_password(secretary, at_home):
    give_login(at_home.club, "kim", "secretary", by=BY)
    kim = Membership.objects.get(user__username="kim")
    answer = secretary.post(reverse("person-role", args=[at_home.club.slug, kim.pk]), {"role": "member"})
    assert ASKED in answer.text
    kim.refresh_from_db()
    assert kim.role == "secretary"


@pytest.mark.parametrize(("minutes", "is_asked"), [(0, False), (14, False), (16, True), (-10, True)])
def test_it_is_asked_once_in_a_quarter_of_an_hour(at_home, minutes, is_asked):
    """Ten minutes ahead is a clock that was put back: that is no reason to trust."""
    client = signed_in(at_home.secretary)
    later(client, minutes)
    answer = client.get(reverse("backup-zip", args=[at_home.club.slug]))
    assert (ASKED.encode() in answer.content) == is_asked


def test_signing_in_and_entering_it_count_in_that_sign_in_alone(secretary, at_home):
    address = reverse("backup-zip", args=[at_home.club.slug])
    enter(secretary, secretary.get(address))
    assert secretary.get(address)["Content-Type"] == "application/zip"
    assert signed_in(at_home.secretary).get(address)["Content-Type"] == "application/zip"
    other = signed_in(at_home.secretary)
    later(other, 30)
    assert ASKED in other.get(address).text


def test_a_sign_in_from_before_is_asked(at_home):
    client = signed_in(at_home.secretary)
    session = client.session
    del session["password_confirmed_at"]
    session.save()
    assert ASKED in client.get(reverse("export-zip", args=[at_home.club.slug])).text


def test_a_form_with_problems_is_corrected_before_the_password_is_asked(secretary, at_home, cast):
    answer = secretary.post(reverse("player-erase", args=[at_home.club.slug, cast.fay.pk]), {"name": "Someone else"})
    assert (answer.status_code, ASKED in answer.text) == (422, False)
    assert Player.objects.get(pk=cast.fay.pk).full_name == "Fay"


def test_guesses_are_counted_with_those_on_the_account_page(secretary, at_home):
    answer = secretary.get(reverse("backup-zip", args=[at_home.club.slug]))
    for _ in range(8):
        answer = enter(secretary, answer, "wrong")
    right = enter(secretary, answer)
    assert (right.status_code, "Too many tries. Try again in 15 minutes." in text_of(right)) == (422, True)
    typed = {"old_password": PASSWORD, "new_password1": "three tall cranes", "new_password2": "three tall cranes"}
    assert "Too many tries." in text_of(secretary.post(reverse("account-password"), typed))


def test_the_role_is_asked_before_the_password(at_home):
    member = signed_in(at_home.member)
    later(member, 30)
    assert member.get(reverse("backup-zip", args=[at_home.club.slug])).status_code == 403


def test_the_password_leads_nowhere_else(secretary, at_home):
    for elsewhere in ("https://example.org/", "//example.org/", "javascript:alert(1)", "/\\example.org"):
        fields = {"confirm-password": PASSWORD, "confirm-next": elsewhere, "confirm-back": elsewhere}
        assert secretary.post(reverse("confirm-password"), fields).url == reverse("front")
        wrong = secretary.post(reverse("confirm-password"), fields | {"confirm-password": "wrong"})
        assert "example.org" not in wrong.text.partition('class="actions')[2]


def test_what_is_typed_is_carried_along_escaped_and_whole(secretary, at_home, cast):
    Player.objects.filter(pk=cast.fay.pk).update(full_name='Fay "<b>O’Hara</b>"')
    typed = {"name": 'Fay "<b>O’Hara</b>"', "sure": "on"}
    answer = secretary.post(reverse("player-erase", args=[at_home.club.slug, cast.fay.pk]), typed)
    assert "<b>O’Hara" not in answer.text
    enter(secretary, answer)
    assert Player.objects.get(pk=cast.fay.pk).erased_as == "Former player 1"


def test_no_browser_keeps_the_page(secretary, at_home):
    answer = secretary.get(reverse("backup-zip", args=[at_home.club.slug]))
    assert 'autocomplete="current-password"' in answer.text
    assert "no-store" in answer["Cache-Control"]
    assert secretary.get(reverse("confirm-password")).url == reverse("front")
