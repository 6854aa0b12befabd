"""Every address, with every role of two clubs and of nobody: what each is answered."""

import copy
import datetime
import uuid
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from sessions_app.models import Change, Club, ClubHand, Import, Meeting, Player, Season, Session, Tally, WaitingGame
from sessions_app.people.accounts import address_tokens, recovery_path
from sessions_app.people.clubs import make_invite
from sessions_app.people.logos import change_logo
from sessions_app.people.players import reply_key_of
from sessions_app.table.hand_queries import ask_query
from tests import share
from tests.browser.pages import NO_PAGES, VISITS
from tests.factories import BY, house
from tests.logins import logins, signed_in

LOGO = Path(__file__).parent.parent / "data" / "logos" / "logo.png"
# Of another club the secretary may do most; what is the same for all, the secretary and nobody are asked.
ASKED_SELDOM = ("other scorekeeper", "other member")
OF_ALL = ("secretary", "nobody")
WHO = ("secretary", "scorekeeper", "member", "other secretary", "other scorekeeper", "other member", "nobody")
READ = (200, 200, 200, 404, 404, 404, 302)
WRITE_PAGE = (200, 200, 403, 404, 404, 404, 302)
NO_GET = (405,) * 7
NO_POST = (405,) * 7
MOVES = (302, 302, 403, 404, 404, 404, 302)
REFUSED_FORM = (422, 422, 403, 404, 404, 404, 302)
MISSING = (404, 404, 403, 404, 404, 404, 302)
SECRETARY_MOVES = (302, 403, 403, 404, 404, 404, 302)
SECRETARY_READS = (200, 403, 403, 404, 404, 404, 302)
EVERYBODY = (200,) * 7
SECRETARY_PAGE = (200, 403, 403, 404, 404, 404, 302)
SECRETARY_REFUSED = (422, 403, 403, 404, 404, 404, 302)


# Nobody, until the club switches the page on.
NOT_PUBLIC = (404,) * 7
OWN_PAGE = (*(200,) * 6, 302)
OWN_REFUSED = (*(422,) * 6, 302)


# Name of the address: the answers to GET and to an empty POST, for everyone in WHO.
TABLE = {
    "healthz": (EVERYBODY, NO_POST),
    "readyz": (EVERYBODY, NO_POST),
    "service-worker": (EVERYBODY, NO_POST),
    "manifest": (EVERYBODY, NO_POST),
    "outbox": (EVERYBODY, NO_POST),
    "front": ((302, 302, 302, 302, 302, 302, 200), NO_POST),
    "sign-in": (EVERYBODY, (422,) * 7),
    "sign-in-code": ((302,) * 7, (302,) * 7),
    "sign-out": (NO_GET, (302,) * 7),
    "first-hand": (EVERYBODY, NO_POST),
    "trial-kit": (EVERYBODY, NO_POST),
    "words": (EVERYBODY, NO_POST),
    "laptop": (EVERYBODY, NO_POST),
    "wifi": (EVERYBODY, NO_POST),
    "licences": (EVERYBODY, NO_POST),
    "sign-up": (EVERYBODY, (422,) * 7),
    "invite": (EVERYBODY, (*(302,) * 6, 422)),
    "account": (OWN_PAGE, OWN_REFUSED),
    "account-password": (OWN_PAGE, OWN_REFUSED),
    "account-confirm-send": (NO_GET, (302,) * 7),
    "account-confirm": ((200, *(410,) * 5, 302), (302, *(410,) * 5, 302)),
    "phone-code": (OWN_PAGE, NO_POST),
    "phone-code-begin": (NO_GET, (302,) * 7),
    "phone-code-set-up": ((302,) * 7, (302,) * 7),
    "phone-code-off": (NO_GET, (302,) * 7),
    "recovery-codes": ((302,) * 7, (302,) * 7),
    "confirm-password": ((302,) * 7, OWN_REFUSED),
    "sign-out-everywhere": (NO_GET, (302,) * 7),
    "device-sign-out": (NO_GET, (302,) * 7),
    "forgotten": (EVERYBODY, EVERYBODY),
    "recover": ((302,) * 7, (302,) * 7),
    "people": (SECRETARY_PAGE, NO_POST),
    "players-listed": (NO_GET, SECRETARY_REFUSED),
    "people-invite": (NO_GET, SECRETARY_REFUSED),
    "invite-link": (SECRETARY_PAGE, NO_POST),
    "invite-revoke": (NO_GET, SECRETARY_MOVES),
    "person-role": (NO_GET, SECRETARY_MOVES),
    "person-player": (SECRETARY_PAGE, SECRETARY_MOVES),
    "person-remove": (NO_GET, SECRETARY_MOVES),
    "person-recover": (NO_GET, SECRETARY_PAGE),
    "person-phone-code-off": (NO_GET, SECRETARY_MOVES),
    "hand-over": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "join": (EVERYBODY, (422,) * 7),
    "join-tables": ((302,) * 7, NO_POST),
    "joining": (WRITE_PAGE, NO_POST),
    "joining-new-code": (NO_GET, MOVES),
    "joining-end": (NO_GET, MOVES),
    "looks": (EVERYBODY, (302,) * 7),
    "learning": (EVERYBODY, (302,) * 7),
    "rule-sets": (EVERYBODY, NO_POST),
    "games": (EVERYBODY, NO_POST),
    "tablet-league": (EVERYBODY, NO_POST),
    "kept-of-games": (EVERYBODY, NO_POST),
    "game-into-club": (EVERYBODY, NO_POST),
    "game-copies": (EVERYBODY, NO_POST),
    "game-into-joined-club": ((302,) * 7, (302,) * 7),
    "game-house-rules": (EVERYBODY, NO_POST),
    "game-take-in": (EVERYBODY, NO_POST),
    "game-table": (EVERYBODY, NO_POST),
    "game-entry": (EVERYBODY, NO_POST),
    "game-seating": (EVERYBODY, NO_POST),
    "game-arrive": (EVERYBODY, NO_POST),
    "game-leave": (EVERYBODY, NO_POST),
    "game-sheet": (EVERYBODY, NO_POST),
    "rule-set": (EVERYBODY, NO_POST),
    "worth": (EVERYBODY, NO_POST),
    "practice": (EVERYBODY, NO_POST),
    "rules": (READ, NO_POST),
    "session-rules": (READ, NO_POST),
    "meeting-rules": (READ, NO_POST),
    "club": (READ, NO_POST),
    "session-start": (WRITE_PAGE, REFUSED_FORM),
    "new-table": (WRITE_PAGE, NO_POST),
    "kept-of-club": (WRITE_PAGE, NO_POST),
    "needs-of-club": (WRITE_PAGE, NO_POST),
    "new-hand-new": (WRITE_PAGE, NO_POST),
    "new-seating": (WRITE_PAGE, NO_POST),
    "new-arrive": (WRITE_PAGE, NO_POST),
    "new-leave": (WRITE_PAGE, NO_POST),
    "new-session-sheet": (WRITE_PAGE, NO_POST),
    "new-table-take-in": (WRITE_PAGE, NO_POST),
    "draw-here": (WRITE_PAGE, NO_POST),
    "new-table-start": (NO_GET, (422, 422, 403, 404, 404, 404, 401)),
    "session-sheet": (READ, NO_POST),
    "table": (READ, NO_POST),
    "commands": (NO_GET, (422, 422, 403, 404, 404, 404, 401)),
    "table-state": ((200, 200, 200, 404, 404, 404, 401), NO_POST),
    "hand-new": (WRITE_PAGE, NO_POST),
    "hand-score": (NO_GET, WRITE_PAGE),
    "hand-record": (NO_GET, REFUSED_FORM),
    "hand": (READ, NO_POST),
    "hand-change": (WRITE_PAGE, NO_POST),
    "hand-insert": (WRITE_PAGE, REFUSED_FORM),
    "hand-preview": (NO_GET, REFUSED_FORM),
    "hand-correct": (NO_GET, MOVES),
    "hand-seating": (WRITE_PAGE, REFUSED_FORM),
    "hand-move": (WRITE_PAGE, REFUSED_FORM),
    "hand-take-out": (NO_GET, MOVES),
    "hand-put-back": (NO_GET, MOVES),
    "hand-agree": (NO_GET, MOVES),
    "hand-note": (NO_GET, MOVES),
    "hand-query": (READ, (422, 422, 422, 404, 404, 404, 302)),
    "answer-read": (NO_GET, (302, 302, 302, 404, 404, 404, 302)),
    "paper": (WRITE_PAGE, REFUSED_FORM),
    "paper-check": (NO_GET, WRITE_PAGE),
    "nobody": (NO_GET, MOVES),
    "penalty": (MOVES, MOVES),
    "undo": (NO_GET, MOVES),
    "redo": (NO_GET, MOVES),
    "finish": (NO_GET, MOVES),
    "last-hands": (NO_GET, MOVES),
    "reopen": (NO_GET, SECRETARY_MOVES),
    "choose": (NO_GET, MOVES),
    "seating": (WRITE_PAGE, REFUSED_FORM),
    "exchange": (NO_GET, REFUSED_FORM),
    "change-player": (NO_GET, REFUSED_FORM),
    "arrive": (WRITE_PAGE, REFUSED_FORM),
    "last-changes": (WRITE_PAGE, NO_POST),
    "table-views": (WRITE_PAGE, NO_POST),
    "leave": (WRITE_PAGE, REFUSED_FORM),
    "totals-csv": (READ, NO_POST),
    "hands-csv": (READ, NO_POST),
    "watching": (WRITE_PAGE, NO_POST),
    "watching-new-key": (NO_GET, MOVES),
    "by-key": ((302,) * 7, NO_POST),
    "scoring": (WRITE_PAGE, NO_POST),
    "scoring-new-key": (NO_GET, MOVES),
    "tablet": (WRITE_PAGE, MOVES),
    "others": (WRITE_PAGE, NO_POST),
    "take-in": (WRITE_PAGE, REFUSED_FORM),
    "watch": (READ, NO_POST),
    "watch-hall": (READ, NO_POST),
    "hall": (READ, NO_POST),
    "late": ((200, 403, 403, 404, 404, 404, 302), NO_POST),
    "meetings": (READ, REFUSED_FORM),
    "meeting": (READ, NO_POST),
    "meeting-attend": (NO_GET, MOVES),
    "meeting-reply": (NO_GET, (302, 302, 302, 404, 404, 404, 302)),
    "reply-links": (SECRETARY_PAGE, SECRETARY_MOVES),
    "coming": (EVERYBODY, (404,) * 7),
    "coming-calendar": (EVERYBODY, NO_POST),
    "meeting-change": (WRITE_PAGE, REFUSED_FORM),
    "meeting-newcomer": (NO_GET, REFUSED_FORM),
    "meeting-draw": (NO_GET, REFUSED_FORM),
    "meeting-back": (NO_GET, MOVES),
    "meeting-places": (WRITE_PAGE, MOVES),
    "who-sits-where": (READ, NO_POST),
    "meeting-start": (NO_GET, MOVES),
    "meeting-finish": (NO_GET, MOVES),
    "meeting-clock": (NO_GET, REFUSED_FORM),
    "meeting-labels": (WRITE_PAGE, NO_POST),
    "meeting-sheets": (READ, NO_POST),
    "attendance-list": (WRITE_PAGE, NO_POST),
    "meeting-fees": (MISSING, MISSING),
    "fees": (MISSING, MISSING),
    "subscriptions": (MISSING, MISSING),
    "meeting-mail": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "meeting-totals": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "meeting-result-csv": (READ, NO_POST),
    "prints": (READ, NO_POST),
    "score-sheet": (READ, NO_POST),
    "noticeboard": (READ, NO_POST),
    "annual-meeting": (READ, NO_POST),
    "wishes": (WRITE_PAGE, REFUSED_FORM),
    "extra-time": (NO_GET, MOVES),
    "pause": (NO_GET, MOVES),
    "hall-watching": (WRITE_PAGE, NO_POST),
    "hall-new-key": (NO_GET, MOVES),
    "standings": (READ, NO_POST),
    "standings-csv": (READ, NO_POST),
    "honours": (READ, NO_POST),
    "certificates": (READ, NO_POST),
    "certificate": ((*(404,) * 6, 302), NO_POST),
    "cups": (READ, SECRETARY_REFUSED),
    "cup-certificate": (READ, NO_POST),
    "season-certificates": (READ, NO_POST),
    "season-pictures": (READ, NO_POST),
    "trophies": (READ, SECRETARY_MOVES),
    "players": (READ, REFUSED_FORM),
    "player": (READ, NO_POST),
    "imports": (SECRETARY_PAGE, NO_POST),
    "import-players": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "import-totals": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "import-night": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "import-game": (WRITE_PAGE, REFUSED_FORM),
    "waiting-games": (WRITE_PAGE, NO_POST),
    "waiting-game-discard": (NO_GET, MOVES),
    "enter-totals": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "exports": (SECRETARY_PAGE, NO_POST),
    "export-csv": (SECRETARY_READS, NO_POST),
    "export-night": (SECRETARY_READS, NO_POST),
    "export-zip": (SECRETARY_READS, NO_POST),
    "backup-zip": (SECRETARY_READS, NO_POST),
    "player-change": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "player-merge": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "player-unmerge": (NO_GET, SECRETARY_MOVES),
    "season": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "season-lock": (NO_GET, SECRETARY_MOVES),
    "leagues": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "seasons": (READ, (422, 403, 403, 404, 404, 404, 302)),
    "desk": ((200, 403, 403, 404, 404, 404, 302), NO_POST),
    "house-rules": ((200, 403, 403, 404, 404, 404, 302), (422, 403, 403, 404, 404, 404, 302)),
    "house-rules-choose": (NO_GET, SECRETARY_MOVES),
    "club-hands": ((200, 403, 403, 404, 404, 404, 302), NO_POST),
    "club-hand-new": ((200, 403, 403, 404, 404, 404, 302), (422, 403, 403, 404, 404, 404, 302)),
    "club-hand": ((200, 403, 403, 404, 404, 404, 302), (422, 403, 403, 404, 404, 404, 302)),
    "club-hand-retire": (NO_GET, SECRETARY_MOVES),
    "rules-compare": (READ, NO_POST),
    "me": (READ, (422, 422, 422, 404, 404, 404, 302)),
    "data": (READ, NO_POST),
    "my-data": (READ, NO_POST),
    "player-data": (SECRETARY_READS, NO_POST),
    "player-erase": (SECRETARY_READS, (422, 403, 403, 404, 404, 404, 302)),
    "operator": ((404,) * 7, NO_POST),
    "score-queries": (SECRETARY_PAGE, NO_POST),
    "score-query": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "log": (SECRETARY_READS, NO_POST),
    "log-csv": (SECRETARY_READS, NO_POST),
    "session-history": (SECRETARY_READS, NO_POST),
    "session-restore": (SECRETARY_MOVES, SECRETARY_MOVES),
    "session-move": (SECRETARY_READS, (422, 403, 403, 404, 404, 404, 302)),
    "session-void": (SECRETARY_READS, (422, 403, 403, 404, 404, 404, 302)),
    "session-count": (NO_GET, SECRETARY_MOVES),
    "import-back": (SECRETARY_READS, SECRETARY_MOVES),
    "hand-earlier": (WRITE_PAGE, NO_POST),
    "public": (NOT_PUBLIC, NO_POST),
    "public-standings": (NOT_PUBLIC, NO_POST),
    "public-frame": (NOT_PUBLIC, NO_POST),
    "public-results": (NOT_PUBLIC, NO_POST),
    "public-result": (NOT_PUBLIC, NO_POST),
    "public-honours": (NOT_PUBLIC, NO_POST),
    "public-meetings": (NOT_PUBLIC, NO_POST),
    "public-meetings-calendar": (NOT_PUBLIC, NO_POST),
    "public-settings": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "money-settings": (SECRETARY_PAGE, SECRETARY_REFUSED),
    "club-logo": (EVERYBODY, NO_POST),
    "desk-settings": (SECRETARY_PAGE, SECRETARY_REFUSED),
}


def addresses(resolver=None):
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern)
        elif isinstance(pattern, URLPattern):
            yield pattern


@pytest.fixture
def walk(club, other_club, cast):
    at_home = house(club, cast.all[:4])
    strangers = logins(other_club)
    users = [at_home.secretary, at_home.scorekeeper, at_home.member, *strangers.values(), None]
    cookies = [signed_in(user).cookies for user in users]
    clients = {who: lambda kept=kept: with_cookies(kept) for who, kept in zip(WHO, cookies, strict=True)}

    meeting = at_home.table_session.meeting
    club_hand = ClubHand.objects.create(club=club, key="tail", name="Tail", text="A run.", since=meeting.date)
    table_session = at_home.table_session
    change_logo(club, LOGO.read_bytes(), by=BY)
    keys = {
        "watch": table_session.watching_key, "watch-hall": meeting.watching_key, "by-key": table_session.scoring_key,
        "club-logo": club.logo_key,
        "rule-set": "western", "game-house-rules": "western",
        **dict.fromkeys(("coming", "coming-calendar"), reply_key_of(cast.alice)),
    }  # fmt: skip

    waiting = WaitingGame.objects.create(club=club, meeting=meeting, text="{}")
    asked = ask_query(table_session.entries.get(key=at_home.hand_key), "It was concealed.", by=BY)
    invite = make_invite(club, "member", 7, False, by=BY)
    _, _, uid, token, _ = recovery_path(at_home.member).split("/")
    at_home.secretary.email = "pat@example.org"
    at_home.secretary.save()
    tokens = {"recover": token, "account-confirm": address_tokens.make_token(at_home.secretary)}

    def address(name):
        arguments = {
            "slug": club.slug,
            "session_id": at_home.table_session.pk,
            "meeting_id": meeting.pk,
            "game_id": waiting.pk,
            "hand_id": club_hand.pk,
            "season_id": at_home.season.pk,
            "key": keys.get(name, at_home.hand_key),
            "token": tokens.get(name, invite.token),
            "uidb64": uid,
            "invite_id": invite.pk,
            "import_id": Import.objects.get_or_create(club=club, kind="totals")[0].pk,
            "query_id": asked.pk,
            "player_id": cast.alice.pk,
            "change_id": Change.objects.filter(session=table_session, action="hand").latest("pk").pk,
            "membership_id": at_home.member.memberships.get().pk,
        }
        pattern = next(pattern for pattern in addresses() if pattern.name == name)
        wanted = {*all_arguments(pattern.name)}
        return reverse(name, kwargs={word: arguments[word] for word in wanted})

    return clients, address


def everything_public(club):
    switched_on = dict.fromkeys(("shows_standings", "shows_honours", "shows_meetings"), True)
    Club.objects.filter(pk=club.pk).update(public_names="initials", framed_by="https://example.org", **switched_on)


def with_cookies(cookies):
    """A new client each time, so that signing out in one step of the walk does not reach the next."""
    client = Client()
    client.cookies = copy.deepcopy(cookies)
    return client


def all_arguments(name):
    """Return what an address takes at least."""
    ways = [parameters for [(_, parameters)], *_ in get_resolver().reverse_dict.getlist(name)]
    return min(ways, key=len)


def test_every_address_has_a_name_that_stands_in_the_table():
    assert {pattern.name for pattern in addresses()} == set(TABLE)


def test_every_page_stands_on_the_list_of_pages_and_nothing_else_is_taken_for_one(walk, club):
    clients, address = walk
    everything_public(club)
    answers, bare = {}, []
    for name in TABLE:
        for who in ("secretary", "nobody"):
            answer = with_all_looks(clients[who]()).get(address(name))
            answers[name] = kind(answer)
            if answers[name] != "elsewhere":
                break
        if answers[name] == "page" and b' class="is-large is-contrast is-left">' not in answer.content:
            bare.append(name)
    # Those who turned the looks on have them on every page; how they look there, tests/browser/test_every_page.py asks.
    assert bare == []
    listed = {visit.split(",")[0] for visit in VISITS}
    assert {name for name, answer in answers.items() if answer == "page"} - listed == set()
    assert {name: answer for name, answer in answers.items() if answer != "page" and name not in listed} == NO_PAGES


def with_all_looks(client):
    client.cookies["looks"] = "large.contrast.left"
    return client


KINDS = {"text/csv": "csv", "text/plain": "text", "application/json": "json", "application/zip": "zip"}


def kind(response):
    """Name what a GET was answered with, as NO_PAGES does."""
    if response.status_code in (301, 302):
        return "elsewhere"
    if response.status_code == 405:
        return "press"
    content = response["Content-Type"].split(";")[0]
    if content == "text/html" and not response.content.startswith(b"<!doctype"):
        return "part of a page"
    return "page" if content == "text/html" else KINDS.get(content, content)


@pytest.mark.parametrize("method", ["get", "post"])
def test_walk(walk, method):
    clients, address = walk
    place = 0 if method == "get" else 1
    wrong = {}
    for name, answers in TABLE.items():
        to = address(name)
        for who, expected in zip(WHO, answers[place], strict=True):
            seldom = who in ASKED_SELDOM or (len(set(answers[place])) == 1 and who not in OF_ALL)
            if seldom and not share.is_long:
                continue
            with transaction.atomic():
                code = getattr(clients[who](), method)(to).status_code
                transaction.set_rollback(True)
            if code != expected:
                wrong[name, who] = code
    assert wrong == {}


OLD_DAYS = [("0001-01-01", True)]
OTHER_OLD_DAYS = [("0001-01-01", False), *(("9999-12-31", one) for one in (True, False)), ("0026-11-26", True)]


@pytest.mark.parametrize(
    ("written", "in_season"), [*OLD_DAYS, *(pytest.param(*one, marks=pytest.mark.long) for one in OTHER_OLD_DAYS)]
)
def test_no_page_breaks_on_a_date_of_earlier_versions(walk, club, written, in_season):
    """They took any year, and what was stored then is still shown."""
    clients, address = walk
    everything_public(club)
    day = datetime.date.fromisoformat(written)
    Meeting.objects.of_club(club).update(date=day, starts_at=datetime.time(23, 30))
    ClubHand.objects.of_club(club).update(since=day, until=day)
    Player.objects.of_club(club).filter(short_name="Bob").update(left_on=day)
    season = Season.objects.of_club(club).first() if in_season else None
    Session.objects.of_club(club).update(date=day, season=season)
    Tally.objects.of_club(club).update(season=season)
    Season.objects.of_club(club).update(starts_on=day, ends_on=day)
    broken = {name: clients["secretary"]().get(address(name)).status_code for name in TABLE}
    assert {name for name, code in broken.items() if code >= 500} == set()
    for name in TABLE:
        if name.startswith("public") and name != "public-settings":
            assert clients["nobody"]().get(address(name)).status_code == 200, name


def test_another_clubs_hand_is_not_found_through_the_own_club(walk, club, other_club, cast):
    clients, _ = walk
    stranger = reverse("hand", args=[other_club.slug, 1, uuid.uuid4()])
    assert clients["secretary"]().get(stranger).status_code == 404
    assert clients["other secretary"]().get(stranger).status_code == 404
