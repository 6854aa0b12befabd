"""Clubs never see each other: every address, and every write, with another club's ids in every place that takes one.

The path is tried for every address there is. For the rest of a request each address that takes a POST stands either in
CASES, with the requests in which ids are sent, or in NO_IDS; an address on neither list fails a test.
"""

import base64
import copy
import io
import json
import uuid
import zlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import resolve, reverse

from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.summary import ACCEPTED, FIELD
from sessions_app.meetings.services import new_joining_code
from sessions_app.models import Change, Club, DrawnTable, Player
from tests.clubs import LATER, MARK, everything_of, furnished, strayed
from tests.factories import BY, DAY
from tests.logins import signed_in
from tests.web.test_walk import NO_GET, NO_POST, TABLE, addresses, all_arguments
from tools.fuzz.pages import Page

IDS = (
    "session_id", "meeting_id", "season_id", "player_id", "invite_id", "hand_id", "membership_id", "change_id", "key",
    "query_id", "import_id", "game_id",
)  # fmt: skip

CLUB_NIGHT = Path(__file__).parent.parent / "data" / "club-night.json"
SEATS = {"E": "1", "S": "2", "W": "3", "N": "4"}


@dataclass(frozen=True)
class Case:
    """A request as it is good with the own club's ids; `fields` makes it from a club's ids.

    `played` sends it to the meeting that was played, and not to the one to come.
    """

    name: str
    fields: object
    as_json: bool = False
    played: bool = False
    answers: tuple = (200, 201, 302)


def start(ids, own):
    seats = dict(zip(("player_2", "player_3", "player_4"), own.players[5:8], strict=True))
    return {"date": str(LATER), "table": "9", "rules": "bmja", "player_1": ids.player_id, **seats}


def started_on_a_tablet(ids, own):
    typed = {name: str(value) for name, value in start(ids, own).items()}
    return {"key": str(uuid.uuid4()), "kind": "start", "body": typed}


def doubted(text, **more):
    """Take in a file with a name that is nearly someone's, and say whose it is by an id."""
    return lambda ids, own: {"text": text, field_of("Anne Bramley"): ids.players[0], "do": "record", **more}


PLAYERS = "player,short_name\nAnne Bramley,Anne\nZoe Quite New,Zoe\n"

TOTALS_TEXT = """date,meeting,table,rules,recording,player,guest,seat,hands,won,gained,lost,net,balance,place
2026-11-19,,9,bmja,settle,Anne Bramley,,1,1,1,30,0,30,30,1
2026-11-19,,9,bmja,settle,Bob Bramley,,2,1,0,0,-10,-10,-10,2
2026-11-19,,9,bmja,settle,Cat Bramley,,3,1,0,0,-10,-10,-10,2
2026-11-19,,9,bmja,settle,Dan Bramley,,4,1,0,0,-10,-10,-10,2
"""


def night():
    """One table of the shared afternoon, with four names of the own club, of which one is nearly right."""
    afternoon = json.loads(CLUB_NIGHT.read_text(encoding="utf-8"))
    hands = [{"input": hand["input"]} for hand in afternoon["tables"][0]["hands"][:1]]
    players = ["Anne Bramley", "Bob Bramley", "Cat Bramley", "Dan Bramley"]
    table = {**{word: afternoon["tables"][0][word] for word in ("table", "rules")}, "players": players, "hands": hands}
    return json.dumps({"club": "Bramley", "date": str(LATER), "tables": [{**table, "table": 9}]})


def sent(_kind, **body):
    """Make a command for the tablet's door; a body's value may be a function of the club's ids."""

    def fields(ids, own):
        made = {word: value(ids) if callable(value) else value for word, value in body.items()}
        return {"key": str(uuid.uuid4()), "kind": _kind, "body": made}

    return Case("commands", fields, as_json=True)


TOTALS = {"hands": {seat: {"total": 8} for seat in SEATS.values()}, "mahjong": {"by": "1"}}


def waiting_tables(own):
    return DrawnTable.objects.filter(meeting=own.meeting_id, session=None)


def changed(players, ids, own):
    """Return the players of an own table, or as many of the other club."""
    return players if ids is own else ids.players[: len(players)]


CASES = (
    Case("session-start", start),
    Case("new-table-start", started_on_a_tablet, as_json=True),
    Case("players-listed", lambda ids, own: {"chosen": [ids.player_id], "listed_as": "guest"}),
    Case("arrive", lambda ids, own: {"player": ids.player_id}),
    Case("change-player", lambda ids, own: {"seat": "1", "player": ids.player_id}),
    Case("exchange", lambda ids, own: {"a": "1", "b": "2", "entry": ids.key}),
    Case("hand-move", lambda ids, own: {"to": ids.second_id}),
    Case("choose", lambda ids, own: {"keep": ids.waiting, "drop": own.key}),
    Case("hand-over", lambda ids, own: {"taker": ids.membership_id, "after": "member"}),
    Case("person-player", lambda ids, own: {"player": ids.player_id}),
    Case("people-invite", lambda ids, own: {"role": "member", "days": "7", "how_many": "one", "player": ids.player_id}),
    Case("meeting-attend", lambda ids, own: {"player": ids.player_id, "state": "late"}),
    Case("meeting-reply", lambda ids, own: {"player": ids.player_id, "coming": "yes"}),
    Case("coming", lambda ids, own: {"meeting": ids.meeting_id, "coming": "yes"}),
    Case("meeting-places", lambda ids, own: {
        f"seat_1_{at}": player for at, player in enumerate([*own.players[:3], ids.players[3]][::-1])
    }),
    Case("wishes", lambda ids, own: {"first": ids.players[4], "second": own.players[5], "kind": "apart"}),
    Case("wishes", lambda ids, own: {"without": [ids.players[6], ids.players[7]]}),
    Case("session-restore", lambda ids, own: {"step": ids.first_change}),
    Case("player-merge", lambda ids, own: {"other": ids.players[6]}),
    Case("import-players", lambda ids, own: {"text": PLAYERS, "kind_2": ids.players[0], "do": "record"}),
    Case("import-totals", doubted(TOTALS_TEXT, accept_all="1", **{FIELD: ACCEPTED})),
    Case("import-night", doubted(night())),
    Case("import-game", doubted(night())),
    Case("enter-totals", lambda ids, own: {
        "date": "2025-11-13", "table": "1", "rules": "bmja", "recording": "settle",
        "player_1": ids.players[0], "net_1": "40", "player_2": own.players[1], "net_2": "-40",
    }),
    Case("meeting-totals", lambda ids, own: {
        f"net_{table.pk}_{player}": "0" for table in waiting_tables(own) for player in changed(table.players, ids, own)
    }),
    Case("meeting-mail", lambda ids, own: {"members": ids.players[0]}, played=True),
    Case("meeting-fees", lambda ids, own: {
        f"{'initial-' * shown}{word}_{ids.players[at]}": value
        for at in range(4) for word, value in (("table", "1.00"), ("refreshments", "0.50")) for shown in (0, 1)
        if not (shown and at == 0)
    }, played=True),
    Case("me", lambda ids, own: {"player": ids.players[4]}),
    Case("fees", lambda ids, own: {"paid": ids.players[0]}),
    Case("subscriptions", lambda ids, own: {
        f"{word}_{player}": value for player in ids.players for word, value in (("amount", "20"), ("paid", "on"))
    }),
    sent("arrive", player=lambda ids: ids.player_id),
    sent("change_player", seat="1", player=lambda ids: ids.player_id),
    sent("correct", entry=lambda ids: ids.key, body=TOTALS),
    sent("take_out", entry=lambda ids: ids.key),
    sent("exchange", a="1", b="2", entry=lambda ids: ids.key),
    sent("insert", before=lambda ids: ids.key, kind="hand", body=TOTALS),
    sent("agree", entry=lambda ids: ids.key, seat="2"),
    sent("choose", keep=lambda ids: ids.waiting, drop=[]),
)  # fmt: skip


# What these take by POST names nothing that belongs to a club but by the path.
WITHOUT_IDS = """
game-into-joined-club waiting-game-discard
account-confirm account-confirm-send confirm-password device-sign-out phone-code-begin phone-code-set-up phone-code-off
recovery-codes sign-in-code person-phone-code-off
sign-in sign-out sign-up invite account account-password sign-out-everywhere forgotten recover looks learning join
players seasons season season-lock leagues invite-revoke answer-read person-role person-remove person-recover
joining-new-code joining-end meetings meeting-change meeting-newcomer meeting-draw meeting-start meeting-clock
meeting-back meeting-finish
extra-time pause hall-new-key watching-new-key scoring-new-key tablet hand-score hand-record hand-insert
hand-preview hand-correct hand-seating hand-take-out hand-put-back hand-agree hand-note hand-query score-query paper
paper-check import-back last-hands
nobody penalty undo redo finish reopen seating leave take-in session-move session-void session-count desk-settings
house-rules house-rules-choose public-settings money-settings player-change player-unmerge
player-erase trophies cups club-hand-new club-hand club-hand-retire reply-links
"""

NO_IDS = {*WITHOUT_IDS.split()}


# What a tablet says it knew; a key that is none of the table's is one it cannot have known. The hand that a
# seating goes before is in the form's address too, which alone the server reads.
SAID = {"after", "before"}


@pytest.fixture(scope="module")
def furnished_once(django_db_setup, django_db_blocker):
    """Furnish both clubs once; the transaction of each test is within this one, and leaves them as they were."""
    with django_db_blocker.unblock(), transaction.atomic():
        own, other = furnished("Bramley"), furnished("Otley", MARK)
        own.secretary.email, own.secretary.email_confirmed = "secretary@example.org", True
        own.secretary.save()
        yield own, other
        transaction.set_rollback(True)


@pytest.fixture
def two(furnished_once, db, monkeypatch, settings):
    settings.SENDS_MAIL, settings.SITE = True, urlsplit("http://testserver")
    # Only meetings to come take answers.
    monkeypatch.setattr("sessions_app.meetings.coming_views.today_in", lambda club: DAY)
    own, other = copy.deepcopy(furnished_once)
    return own, other, signed_in(own.secretary)


def arguments_of(name, ids):
    wanted = all_arguments(name)
    facts = {word: getattr(ids, word) for word in wanted}
    return facts | {"key": ids.reply_key} if name in ("coming", "coming-calendar") else facts


def test_every_id_that_stands_in_an_address_is_tried():
    words = {word for pattern in addresses() for word in all_arguments(pattern.name)}
    assert words - {"slug", "token", "uidb64"} <= {*IDS}


def test_every_address_that_takes_a_post_stands_on_a_list():
    takes_post = {name for name, (_, post) in TABLE.items() if post != NO_POST}
    assert takes_post == {case.name for case in CASES} | NO_IDS
    assert not {case.name for case in CASES} & NO_IDS


def test_no_form_sends_an_id_to_an_address_without_a_case(two):
    """The lists are held against the pages themselves: whatever form names one of the club's own people or hands."""
    own, _, client = two
    telling = {str(pk) for pk in own.players} | {str(own.key), str(own.waiting)}
    found = {}
    for name, (get, _) in TABLE.items():
        if get == NO_GET or not {*all_arguments(name)} <= {"slug", *IDS}:
            continue
        of_own = arguments_of(name, own)
        meetings = [{"meeting_id": own.meeting_id}, {"meeting_id": own.played_id}] if "meeting_id" in of_own else [{}]
        for meeting in meetings:
            answer = client.get(reverse(name, kwargs=of_own | meeting))
            if not answer.headers.get("Content-Type", "").startswith("text/html"):
                continue
            for form in Page(answer.content.decode()).forms:
                to = urlsplit(urljoin(answer.request["PATH_INFO"], form.action)).path
                ids = [field for field, value in form.fields if value in telling or {*field.split("_")} & telling]
                if form.method == "post" and {*ids} - SAID and resolve(to).url_name in NO_IDS:
                    found[resolve(to).url_name] = {*ids} - SAID
    assert found == {}, found


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_the_own_club_finds_another_clubs_id(two, method):
    own, other, client = two
    before = everything_of(other.club)
    found = {}
    for name in TABLE:
        words = [word for word in all_arguments(name) if word in IDS]
        if "slug" not in all_arguments(name):
            continue
        for word in words:
            arguments = {**arguments_of(name, own), word: getattr(other, word)}
            with transaction.atomic():
                answer = getattr(client, method)(reverse(name, kwargs=arguments))
                transaction.set_rollback(True)
            assert MARK.encode() not in answer.content, (name, word)
            found[name, word] = answer.status_code
    assert {where: code for where, code in found.items() if code not in (404, 405)} == {}
    assert len({name for name, _ in found}) > 40
    assert everything_of(other.club) == before


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_another_club_is_found_at_all(two, method):
    own, other, client = two
    found = {}
    for name in TABLE:
        if "slug" in all_arguments(name):
            address = reverse(name, kwargs=arguments_of(name, other))
            found[name] = getattr(client, method)(address).status_code
    assert {name: code for name, code in found.items() if code not in (404, 405)} == {}


def send(client, case, ids, own):
    arguments = arguments_of(case.name, own)
    address = reverse(case.name, kwargs={**arguments, "meeting_id": own.played_id} if case.played else arguments)
    fields = case.fields(ids, own)
    if case.as_json:
        return client.post(address, json.dumps(fields), content_type="application/json")
    return client.post(address, fields)


def label(case):
    return f"{case.name}-{case.fields(*[Dummy()] * 2)['kind']}" if case.as_json else case.name


class Dummy:
    players = ("",) * 8

    def __getattr__(self, name):
        return name


@pytest.mark.parametrize("case", CASES, ids=label)
def test_the_request_is_good_with_the_clubs_own_ids(two, case):
    """Else the next test would show nothing."""
    own, _, client = two
    lines = Change.objects.count()
    assert send(client, case, own, own).status_code in case.answers
    assert Change.objects.count() > lines


@pytest.mark.parametrize("case", CASES, ids=label)
def test_another_clubs_ids_write_nothing_and_show_nothing(two, case):
    own, other, client = two
    before, mine = everything_of(other.club), everything_of(own.club)
    answer = send(client, case, other, own)
    assert answer.status_code in (302, 404, 409, 422)
    assert MARK not in answer.content.decode()
    if answer.status_code == 302:
        assert MARK not in client.get(answer.url).content.decode()
    assert everything_of(other.club) == before
    assert strayed() == []
    assert {**everything_of(own.club), "device": mine["device"]} == mine


QUERIES = (
    ("session-start", "again", "session_id"),
    ("standings", "season", "season_id"),
    ("standings-csv", "season", "season_id"),
    ("season-pictures", "season", "season_id"),
    ("exports", "season", "season_id"),
    ("export-csv", "season", "season_id"),
    ("export-night", "meeting", "meeting_id"),
    ("enter-totals", "meeting", "meeting_id"),
    ("enter-totals", "session", "session_id"),
    ("wishes", "meeting", "meeting_id"),
    ("player-merge", "other", "player_id"),
    ("trophies", "season", "season_id"),
    ("hand-new", "hand", "key"),
    ("hand-score", "hand", "key"),
    ("session-restore", "step", "change_id"),
    ("session-history", "before", "change_id"),
    ("hand-move", "to", "second_id"),
    ("log", "before", "change_id"),
)


@pytest.mark.parametrize(("name", "field", "word"), QUERIES)
def test_another_clubs_id_in_a_question_shows_nothing(two, name, field, word):
    own, other, client = two
    address = reverse(name, kwargs=arguments_of(name, own))
    answer = client.get(address, {field: getattr(other, word)}, follow=True)
    assert answer.status_code in (200, 404, 405, 422)
    assert MARK not in answer.content.decode()


def test_a_write_whose_address_asks_for_another_clubs_season_finds_none(two):
    own, other, client = two
    for ids, code in ((own, 302), (other, 404)):
        address = f"{reverse('trophies', args=[own.slug])}?season={ids.season_id}"
        assert client.post(address, {"trophies": "highest_hand"}).status_code == code


def test_reopening_beside_another_clubs_hand_leads_to_no_hand(two):
    own, other, client = two
    where = [own.slug, own.session_id]
    client.post(reverse("choose", args=where), {"keep": own.waiting, "drop": own.key})
    for ids, to in ((other, reverse("table", args=where)), (own, reverse("hand", args=[*where, own.waiting]))):
        assert client.post(reverse("finish", args=where)).status_code == 302
        key = ids.waiting if ids is own else ids.key
        assert client.post(reverse("reopen", args=where), {"hand": key}).url == to


def test_a_tables_key_opens_no_table_of_another_club(two):
    own, other, _ = two
    tablet = Client()
    tablet.get(reverse("by-key", args=[own.scoring_key]))
    assert tablet.get(reverse("table", args=[own.slug, own.session_id])).status_code == 200
    for slug in (own.slug, other.slug):
        answer = tablet.get(reverse("table", args=[slug, other.session_id]))
        assert (answer.status_code, MARK in answer.content.decode()) == (404, False)


def test_a_joining_code_leads_to_its_own_clubs_tables_alone(two, monkeypatch):
    own, other, _ = two
    monkeypatch.setattr(Club, "today", DAY)
    for house in (own, other):
        new_joining_code(house.club.sessions.get(pk=house.session_id).meeting, by=BY)
    client = Client()
    meeting = own.club.sessions.get(pk=own.session_id).meeting
    page = client.post(reverse("join"), {"code": meeting.joining_code}, follow=True).content.decode()
    assert "Table 1" in page
    assert MARK not in page


def test_the_log_holds_no_line_of_another_club(two):
    own, other, client = two
    assert client.post(reverse("arrive", args=[own.slug, own.session_id]), {"player": own.player_id}).status_code == 302
    assert MARK not in client.get(reverse("log", args=[own.slug])).content.decode()
    assert MARK not in client.get(reverse("log-csv", args=[own.slug])).content.decode()


def test_a_name_that_another_club_has_too_is_another_person(two):
    own, other, client = two
    theirs = Player.objects.get(pk=other.player_id)
    client.post(reverse("players", args=[own.slug]), {"full_name": theirs.full_name, "short_name": ""})
    assert Player.objects.filter(full_name=theirs.full_name).count() == 2
    assert strayed() == []


def test_totals_of_another_club_brought_in_are_of_people_of_the_own_club(two, tmp_path):
    own, other, _ = two
    sheet = signed_in(other.secretary).get(reverse("totals-csv", args=[other.slug, other.session_id]))
    before = everything_of(other.club)
    file = tmp_path / "totals.csv"
    file.write_bytes(sheet.content.replace(str(DAY).encode(), str(LATER).encode()))
    call_command("import_totals", str(file), "--club", own.slug, stdout=io.StringIO())
    assert Player.objects.of_club(own.club).filter(full_name__contains=MARK).count() == 4
    assert everything_of(other.club) == before
    assert strayed() == []


def test_an_afternoon_with_another_clubs_people_is_of_people_of_the_own_club(two, tmp_path):
    own, other, _ = two
    before = everything_of(other.club)
    names = list(Player.objects.of_club(other.club).order_by("pk").values_list("full_name", flat=True))[:3]
    afternoon = json.loads(CLUB_NIGHT.read_text(encoding="utf-8"))
    table = afternoon["tables"][2]
    hands = [{"input": hand["input"]} for hand in table["hands"][:2]]
    table = {"table": 3, "rules": "u3a", "players": names, "hands": hands}
    file = tmp_path / "afternoon.json"
    file.write_text(json.dumps({"club": own.club.name, "date": str(LATER), "tables": [table]}))
    call_command("load_club_night", str(file), stdout=io.StringIO(), stderr=io.StringIO())
    assert own.club.sessions.count() == 3
    assert Player.objects.of_club(own.club).filter(full_name__in=names).count() == 3
    assert everything_of(other.club) == before
    assert strayed() == []


def test_what_waits_on_another_clubs_tablet_is_not_taken_in(two):
    own, other, client = two
    payload = {
        "v": 1, "club": other.slug, "session": other.session_id, "device": "",
        "commands": [{"key": str(uuid.uuid4()), "kind": "note", "body": {"text": "Tea"}, "after": None, "seats": None}],
    }  # fmt: skip
    text = code_of(payload)
    for do in ("look", "record"):
        answer = client.post(reverse("take-in", args=[own.slug, own.session_id]), {"text": text, "do": do})
        assert answer.status_code == 422
        assert "This code is from a table of another club." in answer.content.decode()


def code_of(payload):
    packed = base64.urlsafe_b64encode(json.dumps(payload).encode()).decode().rstrip("=")
    summed = f"{zlib.crc32(packed.encode()):08x}"
    return f"CS1j.{summed}.1.1.{summed}.{packed}."
