"""How a finger reaches the log, the steps of a session, and what is kept about people."""

from django.urls import reverse
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import expect

from sessions_app.models import Change, Club, Import, Player
from sessions_app.people.sign_ins import SessionStore

from .visits import SLUG, address, correction_made, plain


def nothing_like_that(one, scene):
    one.open(address("log", who="nobody-of-this-name"))


def log_refused(one, scene):
    one.expect_status(422)
    one.open(address("log", table="seven"))
    expect(one.page.locator("#error-summary")).to_be_visible()


def going_back(one, scene):
    """Look at what going back to the second hand would change."""
    step = Change.objects.filter(session=scene.in_play, action="hand").order_by("pk")[1]
    one.open(address("session-restore", scene.in_play.pk, step=step.pk))
    expect(one.page.get_by_role("button", name="Restore to this point")).to_be_visible()


def as_it_was(one, scene):
    """A corrected hand has an earlier state to bring back."""
    second = scene.in_play.entries.order_by("position")[1]
    if second.version == 1:
        correction_made(one, scene)
    one.open(address("hand", scene.in_play.pk, second.key))
    one.page.get_by_role("link", name="Restore this version").first.tap()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("What changes")


def erasing(one, scene):
    players = Player.objects.filter(club__slug=SLUG)
    player = players.filter(seats=None).first() or players.first()
    one.open(address("player-erase", player.pk))


def erasing_refused(one, scene):
    erasing(one, scene)
    one.expect_status(422)
    one.tap("Erase the names for good")
    expect(one.page.locator("#error-summary")).to_be_visible()


def as_operator(one, scene):
    scene.secretary.is_superuser = True
    scene.secretary.save(update_fields=["is_superuser"])
    phone = TOTPDevice.objects.create(user=scene.secretary, name="phone")
    cookies = {cookie["name"]: cookie["value"] for cookie in one.context.cookies()}
    session = SessionStore(cookies["sessionid"])
    session[DEVICE_ID_SESSION_KEY] = phone.persistent_id
    session.save()
    one.open(reverse("operator"))
    phone.delete()
    scene.secretary.is_superuser = False
    scene.secretary.save(update_fields=["is_superuser"])


def import_back(one, scene):
    club = Club.objects.get(slug=SLUG)
    row = Import.objects.filter(club=club).first() or Import.objects.create(club=club, kind="totals")
    one.open(address("import-back", row.pk))


LOG_VISITS = {
    "import-back": ("secretary", import_back),
    "log": ("secretary", plain("log")),
    "log, nothing like that": ("secretary", nothing_like_that),
    "log, refused": ("secretary", log_refused),
    "session-history": ("secretary", plain("session-history", of="in_play")),
    "session-restore": ("secretary", going_back),
    "session-move": ("secretary", plain("session-move", of="finished")),
    "session-void": ("secretary", plain("session-void", of="finished")),
    "data": ("member", plain("data")),
    "data, for the secretary": ("secretary", plain("data")),
    "player-erase": ("secretary", erasing),
    "player-erase, refused": ("secretary", erasing_refused),
    "operator": ("secretary", as_operator),
}
