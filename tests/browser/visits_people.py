"""How a finger reaches the pages of logins and people: signing up, invitations, roles, handing over."""

from contextlib import contextmanager
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth import login as sign_in
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import expect

from sessions_app.meetings.services import end_joining_code, new_joining_code
from sessions_app.models import Invite, Meeting, Membership
from sessions_app.people import phone_code
from sessions_app.people.accounts import address_tokens, recovery_path
from sessions_app.people.clubs import link_player, make_invite, revoke_invite
from sessions_app.people.log import Actor
from sessions_app.people.sign_ins import CONFIRMED_AT, SessionStore

from .visits import address

BY = Actor(name="The test")


def sent_empty(path, words):
    """Make a visit of a form outside a club that is sent as it is and comes back with its problems."""

    def visit(one, scene):
        one.open(path)
        one.expect_status(422)
        one.tap(words)
        expect(one.page.locator("#error-summary")).to_be_visible()

    return visit


def account_on_three_devices(one, scene):
    for agent in ("Mozilla/5.0 (iPad) Version/18.5 Safari/604.1", "Mozilla/5.0 (Windows NT 10.0) Chrome/142.0"):
        request = HttpRequest()
        request.session, request.META["HTTP_USER_AGENT"] = SessionStore(), agent
        sign_in(request, scene.member)
        request.session.save()
    one.open(reverse("account"))


def new_password_typed(one, scene):
    one.open(reverse("account-password"))
    one.page.get_by_label("New password", exact=True).fill("pots of teas")
    one.button("Show password").nth(1).tap()
    expect(one.page.locator(".password-strength")).to_contain_text("Good.")


def account_refused(one, scene):
    one.open(reverse("account"))
    one.page.get_by_label("Your name").fill("")
    one.expect_status(422)
    one.tap("Save")
    expect(one.page.locator("#error-summary")).to_be_visible()


def invited(scene, once=True):
    found = Invite.objects.of_club(scene.club).usable().filter(once=once).first()
    return found or make_invite(scene.club, "scorekeeper", 7, once, by=BY)


def invite(one, scene):
    one.open(reverse("invite", args=[invited(scene).token]))


def invite_refused(one, scene):
    sent_empty(reverse("invite", args=[invited(scene).token]), "Join the club")(one, scene)


def invite_over(one, scene):
    over = make_invite(scene.club, "member", 1, True, by=BY)
    revoke_invite(over, by=BY)
    one.expect_status(410)
    one.open(reverse("invite", args=[over.token]))


def invite_link(one, scene):
    one.open(address("invite-link", invited(scene, once=False).pk))


def people_opened(one, scene):
    invited(scene)
    one.open(address("people"))
    for summary in one.page.locator("summary").all():
        summary.tap()


def person_player(one, scene):
    one.open(address("person-player", Membership.objects.get(user=scene.scorekeeper, club=scene.club).pk))


def me(one, scene):
    """One's own page, of a login that is said to be someone who has a seat."""
    own = Membership.objects.select_related("club").get(user=scene.member, club=scene.club)
    link_player(own, own.player or scene.in_play.seats.order_by("seat_no")[0].player, by=BY)
    one.open(address("me"))


def me_refused(one, scene):
    me(one, scene)
    one.page.get_by_label("Telephone").fill("01234 567")
    one.page.get_by_label("I agree").uncheck()
    one.expect_status(422)
    one.tap("Save")
    expect(one.page.locator("#error-summary")).to_be_visible()


def account_confirm(one, scene):
    secretary = Membership.objects.of_club(scene.club).filter(role="secretary").first().user
    secretary.email = "pat@example.org"
    secretary.save()
    one.open(reverse("account-confirm", args=[address_tokens.make_token(secretary)]))


def account_confirm_over(one, scene):
    one.expect_status(410)
    one.open(reverse("account-confirm", args=["never-made"]))


def recover(one, scene):
    one.open(recovery_path(scene.newcomer))


def recover_refused(one, scene):
    sent_empty(recovery_path(scene.newcomer), "Save the new password")(one, scene)


def recover_over(one, scene):
    one.expect_status(410)
    one.open(reverse("recover", args=["MQ", "never-made"]))


def hand_over_refused(one, scene):
    sent_empty(address("hand-over"), "Hand the club over")(one, scene)


@contextmanager
def phone_of(user):
    """Let signing in ask this account for a code while a page is looked at."""
    phone_code.begin(user)
    phone = TOTPDevice.objects.get(user=user)
    TOTPDevice.objects.filter(pk=phone.pk).update(confirmed=True)
    phone_code.renew_recovery_codes(user, by=BY)
    yield phone
    phone_code.forget(user)


def phone_code_on(one, scene):
    with phone_of(scene.secretary):
        one.open(reverse("phone-code"))


def account_with_phone(one, scene):
    with phone_of(scene.secretary):
        one.open(reverse("account"))


def people_with_phone(one, scene):
    with phone_of(scene.scorekeeper):
        people_opened(one, scene)


def recovery_codes(one, scene):
    with phone_of(scene.secretary):
        one.open(reverse("recovery-codes"))


def phone_code_set_up(one, scene):
    one.open(reverse("phone-code"))
    one.tap("Set it up")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Set up the code from your phone")


def phone_code_refused(one, scene):
    phone_code_set_up(one, scene)
    one.expect_status(422)
    one.tap("Turn it on")
    expect(one.page.locator("#error-summary")).to_be_visible()


def sign_in_code(one, scene):
    with phone_of(scene.newcomer):
        one.open(reverse("sign-in"))
        one.page.get_by_label("Username").fill("demo-newcomer")
        one.page.get_by_label("Password").fill("demo-newcomer")
        one.tap("Sign in")
        expect(one.page.get_by_role("heading", level=1)).to_have_text("Enter the code from your phone")


def sign_in_code_refused(one, scene):
    sign_in_code(one, scene)
    one.expect_status(422)
    one.tap("Sign in")
    expect(one.page.locator("#error-summary")).to_be_visible()


def after_a_while(one):
    """Let the password have been entered an hour ago in the sign-in of this tablet."""
    cookies = {cookie["name"]: cookie["value"] for cookie in one.context.cookies()}
    session = SessionStore(cookies["sessionid"])
    session[CONFIRMED_AT] = (timezone.now() - timedelta(hours=1)).isoformat()
    session.save()


def password_asked(one, scene):
    one.open(address("hand-over"))
    one.page.get_by_role("radio").first.check()
    after_a_while(one)
    one.tap("Hand the club over")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Enter your password to go on")


def password_wrong(one, scene):
    password_asked(one, scene)
    one.expect_status(422)
    one.tap("Go on")
    expect(one.page.locator("#error-summary")).to_be_visible()


def download_begun(one, scene):
    one.open(address("exports"))
    after_a_while(one)
    one.follow("Export the whole club")
    one.page.get_by_label("Your password").fill("demo-secretary")
    with one.page.expect_download():
        one.tap("Go on")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Your download is on its way")


def joined(one, scene):
    """Come by the code of the day to the choice of the tables."""
    meeting = scene.in_play.meeting
    code_of(one, meeting)


def code_of(one, meeting):
    code = meeting.joining_code or new_joining_code(meeting, by=BY)
    one.open(reverse("join"))
    one.page.get_by_label("Join code").fill(code)
    one.tap("Show the tables")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Choose your table")


def joined_nothing(one, scene):
    """Come by a code to a meeting at which no table has been started."""
    day = timezone.now().astimezone(ZoneInfo(scene.new_club.time_zone)).date()
    meeting, _ = Meeting.objects.get_or_create(club=scene.new_club, date=day, name="Empty")
    code_of(one, meeting)


def joining(one, scene):
    new_joining_code(scene.in_play.meeting, by=BY)
    one.open(address("joining", scene.in_play.meeting_id))


def joining_without(one, scene):
    end_joining_code(scene.in_play.meeting, by=BY)
    one.open(address("joining", scene.in_play.meeting_id))


def joining_over(one, scene):
    one.open(address("joining", scene.finished.meeting_id))
