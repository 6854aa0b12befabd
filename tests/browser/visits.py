"""How a finger reaches every page of the list in pages.py, in each of its states."""

import base64
import json
import uuid
import zlib
from types import SimpleNamespace
from urllib.parse import urlencode

from django.urls import reverse
from playwright.sync_api import expect

from sample_data.demo import SLUG, load_demo
from sessions_app.models import Club, Entry, Membership, Player, Session, User
from sessions_app.people.accounts import DEMONSTRATION_LOGINS
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session, tables_beside

BY = Actor(name="The test")
NEW_SLUG = "a-new-club"
UNKNOWN = "7a4b6a51-0000-4000-8000-000000000001"


def demonstration():
    """Load the demonstration club; name what its pages are reached by."""
    club = load_demo()
    in_play = Session.objects.of_club(club).get(state="open", table=1)
    finished = Session.objects.of_club(club).filter(state="finished").latest("date", "table")
    with_tiles = in_play.entries.get(position=in_play.entries.order_by("position")[3].position)
    return SimpleNamespace(
        club=club,
        in_play=in_play,
        finished=finished,
        hand=with_tiles,
        **new_club(finished.date),
        **{role: User.objects.get(username=name) for role, name in DEMONSTRATION_LOGINS.items()},
        given=User.objects.create_user("demo-given", must_change_password=True),
    )


def new_club(date):
    """Make a club in which nothing has happened yet but that four sat down; `newcomer` is its secretary."""
    club = Club.objects.create(name="A new club", slug=NEW_SLUG)
    newcomer = User.objects.create_user("demo-newcomer", password="demo-newcomer")
    Membership.objects.create(user=newcomer, club=club, role="secretary")
    return {"new_club": club, "newcomer": newcomer, "date": date}


def empty(name, *args):
    """Make a visit of a page of a club where its lists are empty; its secretary is the `newcomer`."""

    def visit(one, scene):
        one.open(reverse(name, args=[NEW_SLUG, *args]))

    return visit


def first_table(name):
    """Make a visit of a page of a table where nothing has been played yet, in a club that had none before."""

    def visit(one, scene):
        table_session = Session.objects.of_club(scene.new_club).first()
        if table_session is None:
            players = [somebody(scene.new_club, name) for name in ("Ann", "Bob", "Cat", "Dan")]
            table_session = start_session(scene.new_club, scene.date, 1, players, "bmja", {}, by=BY)
        one.open(reverse(name, args=[NEW_SLUG, table_session.pk]))

    return visit


def somebody(club, name):
    """Return the club's player of that name, who may be there from a visit before."""
    return Player.objects.of_club(club).filter(full_name=name).first() or add_player(club, full_name=name, by=BY)


def address(name, *args, **query):
    return reverse(name, args=[SLUG, *args]) + (f"?{urlencode(query)}" if query else "")


def plain(name, *, of="", hand=False):
    """Make a visit of an address that needs nothing more."""

    def visit(one, scene):
        args = [getattr(scene, of).pk] if of else []
        one.open(address(name, *args, *([scene.hand.key] if hand else [])))

    return visit


def by_key(name, status=200):
    """Make a visit by a tablet without a login that has opened the table by its key."""

    def visit(one, scene):
        one.open(reverse("by-key", args=[scene.in_play.scoring_key]))
        one.expect_status(status)
        one.open(address(name, scene.in_play.pk))

    return visit


def code_looked_at(one, scene):
    """A tablet's code with a note, pasted at the desk."""
    note = {"key": str(uuid.uuid4()), "kind": "note", "body": {"text": "Tea at four."}}
    text = json.dumps({"club": SLUG, "session": scene.in_play.pk, "device": "Blue tablet", "commands": [note]})
    payload = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    check = f"{zlib.crc32(payload.encode()):08x}"
    plain("take-in", of="in_play")(one, scene)
    one.page.get_by_label("The text of the code").fill(f"CS1j.{check}.1.1.{check}.{payload}.")
    one.tap("Check")
    expect(one.button("Import 1 entry")).to_be_visible()


def code_taken_in(one, scene):
    code_looked_at(one, scene)
    one.tap("Import 1 entry")
    expect(one.page.get_by_text("saved now")).to_be_visible()


def outside(path, status=200):
    def visit(one, scene):
        one.expect_status(status)
        one.open(path)

    return visit


def sign_in_refused(one, scene):
    outside("/sign-in/", 422)(one, scene)
    one.tap("Sign in")
    expect(one.page.locator("#error-summary")).to_be_visible()


def sent_from_an_old_page(one, scene):
    outside("/sign-up/", 403)(one, scene)
    one.page.get_by_label("Name of the club").fill("Otley Tiles and Tea")
    one.page.get_by_label("Your name").fill("Pat Green")
    one.page.evaluate("document.querySelector('main [name=csrfmiddlewaretoken]').value = 'x'.repeat(64)")
    one.tap("Register the club")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Please send that once more")
    expect(one.page.get_by_role("listitem").filter(has_text="Otley Tiles and Tea")).to_be_visible()


def sent_without_cookies(one, scene):
    outside("/sign-in/", 403)(one, scene)
    one.context.clear_cookies()
    one.tap("Sign in")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("This browser does not accept cookies from Clubscore")


def signed_in_from_an_old_page(one, scene):
    outside("/sign-in/", 403)(one, scene)
    one.page.evaluate("document.querySelector('main [name=csrfmiddlewaretoken]').value = 'x'.repeat(64)")
    one.tap("Sign in")
    expect(one.page.locator("#messages")).to_contain_text("Enter your password again.")


def refused(name, words, *, of="", status=422):
    """Make a visit of a form that is sent empty and comes back with its problems."""

    def visit(one, scene):
        plain(name, of=of)(one, scene)
        one.expect_status(status)
        one.tap(words)
        expect(one.page.locator("#error-summary")).to_be_visible()

    return visit


def all_looks(one, scene):
    """Turn every switch on, look at the page, and leave the cookie out for the pages after it."""
    outside("/looks/")(one, scene)
    for name in ("Large type", "High contrast", "Left hand"):
        switch = one.page.get_by_role("switch", name=name)
        if not switch.is_checked():
            switch.tap()
        expect(switch).to_be_checked()
    one.context.clear_cookies(name="looks")


def again(one, scene):
    one.open(address("session-start", again=scene.finished.pk))


def practice(one, scene):
    """The players of a finished table sit down once more, for practice."""
    players = [seat.player for seat in scene.finished.seats.order_by("seat_no")[:4]]
    made = start_session(scene.club, scene.finished.date, 90, players, scene.club.rules, {}, by=BY, practice=True)
    one.open(address("table", made.pk))


def in_entry(way=None, then=None):
    """Make a visit of the hand-entry page: at one player, by one way, with something entered."""

    def visit(one, scene):
        one.forget_drafts()
        one.open(address("hand-new", scene.in_play.pk))
        name = one.page.locator(".seat-card .seat-name").first.inner_text()
        if way:
            one.choose_hand(name, way)
        if then:
            then(one, name)
        # The score of what was entered redraws parts of the page when it comes.
        one.page.wait_for_load_state("networkidle")

    return visit


def half_a_hand(one, name):
    one.tap(f"{name} goes Mah-jong")
    one.tiles({"sets": ["exposed pung 7D", "concealed kong R", "exposed chow 4B"], "tiles": "9C 9C", "bonus": "F1 S3"})


def anything_special(one, name):
    half_a_hand(one, name)
    one.tap("Anything special?")


def changing_a_set(one, name):
    half_a_hand(one, name)
    one.page.locator(".tray-set").first.tap()


def typed_total(one, name):
    one.figures("64")


def points_and_doubles(one, name):
    one.tap("Points and doubles")
    one.figures("36")


def special_by_name(one, name):
    one.tap(f"{name} goes Mah-jong")
    one.tap("Special hand by name")
    one.page.locator(".special-hand").first.tap()


def whole_hand(one, name):
    one.figures("64")
    one.everybody()
    one.page.get_by_role("group", name="Who went Mah-jong?").get_by_role("button", name=name, exact=True).tap()
    names = one.page.locator(".seat-card .seat-name").all_text_contents()
    one.choose_hands(*([other, "nothing", ""] for other in names if other != name))
    one.everybody()
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")


def with_problems(one, name):
    one.choose_hand(name, "nothing")
    one.page.locator("#go-on").tap()
    expect(one.page.locator("#error-summary")).to_be_visible()


def with_penalties(one, name):
    one.tap("Penalty")


def half_a_sheet(one, scene):
    """A total and a winner are missing; the sheet's own totals are open."""
    plain("paper", of="in_play")(one, scene)
    one.expect_status(422)
    one.page.keyboard.type("37")
    one.page.keyboard.press("t")
    one.tap("Save 1 hand")
    expect(one.page.locator("#error-summary")).to_be_visible()


def moving_a_hand(one, scene):
    """A hand that was played at a second table, which is started for it."""
    if not tables_beside(scene.in_play):
        players = [
            add_player(scene.club, full_name=name, by=BY) for name in ("Gus Reed", "Hal Ash", "Ivy Dale", "Jo Ely")
        ]
        start_session(scene.club, scene.in_play.date, 2, players, scene.in_play.rules, None, by=BY)
    plain("hand-move", of="in_play", hand=True)(one, scene)
    one.page.get_by_role("link", name="Table 2").tap()
    expect(one.button("Move the hand")).to_be_visible()


def correction(one, scene):
    """The second hand gets another winner, and later hands other chairs; without rules on the tablet."""
    one.forget_drafts()
    second = scene.in_play.entries.order_by("position")[1]
    one.open(address("hand-change", scene.in_play.pk, second.key))
    one.page.evaluate("() => { window.Worker = function () { throw new Error('none'); }; }")
    group = one.page.get_by_role("group", name="Who went Mah-jong?")
    group.get_by_role("button", pressed=False).first.tap()
    expect(one.page.locator("#score")).to_have_attribute("data-state", "whole")
    one.tap("Show what changes")
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("What changes")


def correction_made(one, scene):
    correction(one, scene)
    one.tap("Follow the rotation")
    expect(one.page.locator("#board")).to_contain_text("Please check hand")


def hand_in_question(one, scene):
    plain("table", of="in_play")(one, scene)
    one.page.get_by_role("link", name="Look at hand").first.tap()
    expect(one.page.locator("#main")).to_contain_text("Please check this hand")


def taken_out(one, scene):
    send(scene.in_play, "take_out", {"entry": str(scene.hand.key)})
    plain("hand", of="in_play", hand=True)(one, scene)


def waiting(one, scene):
    """Two tablets sent a hand for the same place."""
    last = str(Entry.objects.filter(session=scene.in_play).order_by("position")[3].key)
    seated = Entry.objects.filter(session=scene.in_play).order_by("position")[4].body["hands"]
    body = {"hands": {seat: {"total": 8} for seat in seated}, "mahjong": {"by": next(iter(seated))}}
    send(scene.in_play, "hand", body, after=last, device="Second tablet")
    plain("table", of="in_play")(one, scene)
    expect(one.page.locator(".waiting")).to_be_visible()


def send(table_session, kind, body, **more):
    apply_command(table_session.pk, {"key": UNKNOWN, "kind": kind, "body": body, **more}, by=BY)


def asking(visit):
    """Make a visit as it is where the club asks another player to agree to each hand."""

    def asked(one, scene):
        Club.objects.filter(pk=scene.club.pk).update(asks_agreement=True)
        visit(one, scene)
        Club.objects.filter(pk=scene.club.pk).update(asks_agreement=False)

    return asked


def before_it_is_left(one, name):
    whole_hand(one, name)
    one.page.locator("#go-on").tap()
    expect(one.page.locator("#agree-title")).to_be_focused()


def typed_and_shown(one, scene):
    """The plain form leads to a page of its own with the score and the question."""
    one.open(address("hand-new", scene.in_play.pk) + "?plain")
    for choice in one.page.locator("select[name^=form_]").all():
        choice.select_option("nothing")
    one.page.locator("[type=checkbox][name=drawn]").check()
    one.page.locator(".plain-hand .button-main").tap()
    expect(one.page.locator("#agree-title")).to_be_visible()


def not_agreed(one, scene):
    """A hand gone on without is marked on the sheet, and can be agreed to on its page; leave it as it was."""
    body = dict(scene.hand.body)
    Entry.objects.filter(pk=scene.hand.pk).update(body={**body, "agreed": ""})
    plain("session-sheet", of="in_play")(one, scene)
    expect(one.page.get_by_text("not agreed yet")).to_be_visible()
    plain("hand", of="in_play", hand=True)(one, scene)
    Entry.objects.filter(pk=scene.hand.pk).update(body=body)


def more_of_the_table(one, scene):
    plain("table", of="in_play")(one, scene)
    one.page.get_by_text("Stop or pause").tap()
    # A press where the last one was, right after it, is ignored.
    one.page.locator(".board-more").evaluate("(one) => { one.open = true; }")
