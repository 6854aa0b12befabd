"""A tablet without a login: the table's key opens that one table for scoring, while it is open, and nothing else."""

import datetime
import json
import uuid
from types import SimpleNamespace

import pytest
from django.core import serializers
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sessions_app.meetings.services import attend
from sessions_app.models import Change, Command, Entry, Meeting, Player, Session, SignIn
from sessions_app.people.players import add_player
from tests.factories import BY, record, table_in_play, totals
from tests.logins import logins, signed_in
from tests.web.test_walk import TABLE, addresses, all_arguments, with_cookies

pytestmark = pytest.mark.slow

# What the key opens: the pages and presses of scoring, and reading that table.
OPENS = {
    *(
        "table",
        "tablet",
        "others",
        "last-changes",
        "session-sheet",
        "hand",
        "table-state",
        "table-views",
        "commands",
        "session-rules",
    ),
    *("hand-new", "hand-score", "hand-record", "paper", "paper-check", "take-in"),
    *("hand-change", "hand-insert", "hand-preview", "hand-correct", "hand-seating", "hand-take-out", "hand-put-back"),
    *("hand-agree", "hand-note", "hand-earlier", "hand-query"),
    *("nobody", "penalty", "undo", "redo", "finish", "choose"),
    *("seating", "exchange", "change-player", "arrive", "leave"),
}


REFUSED = [(403, 403), (405, 403), (403, 405), (404, 404), (405, 404), (404, 405)]


READS = {"table", "session-sheet", "hand", "table-state"}


# By these the public comes in, with or without a key.
PUBLIC = {name for name, answers in TABLE.items() if 200 in (answers[0][-1], answers[1][-1])} | {"by-key", "sign-out"}


@pytest.fixture
def visitor(at_home):
    return by_key(at_home.table_session)


def by_key(table_session, client=None):
    client = client or Client()
    response = client.get(reverse("by-key", args=[table_session.scoring_key]))
    assert response.url == reverse("table", args=[table_session.club.slug, table_session.pk])
    return client


def at(name, table_session, *more):
    return reverse(name, args=[table_session.club.slug, table_session.pk, *more])


def each_address(at_home, table_session=None):
    """Yield name and address of all that is not the public's, of the table or of another one."""
    table_session = table_session or at_home.table_session
    values = {
        "slug": table_session.club.slug,
        "session_id": table_session.pk,
        "meeting_id": table_session.meeting_id,
        "key": table_session.entries.first().key if table_session.entries.exists() else uuid.uuid4(),
    }
    for name in sorted({pattern.name for pattern in addresses()} - PUBLIC - {"watch", "watch-hall"}):
        wanted = set(all_arguments(name))
        if wanted <= set(values):
            yield name, reverse(name, kwargs={word: values[word] for word in wanted})


def answers(client, address):
    """Return what GET and an empty POST are answered, with nothing of it kept."""
    found = []
    for method in ("get", "post"):
        with transaction.atomic():
            found.append(getattr(with_cookies(client.cookies), method)(address).status_code)
            transaction.set_rollback(True)
    return tuple(found)


def test_the_key_opens_what_scoring_needs_and_nothing_else(at_home, visitor):
    keeper, nobody = signed_in(at_home.scorekeeper), Client()
    wrong = {}
    for name, address in each_address(at_home):
        got = answers(visitor, address)
        expected = [answers(keeper, address)] if name in OPENS else [answers(nobody, address), *REFUSED]
        if got not in expected:
            wrong[name] = (got, expected)
    assert wrong == {}


def test_every_address_of_a_session_that_the_key_opens_is_named_here():
    names = {pattern.name for pattern in addresses()}
    assert READS <= OPENS
    assert {"table", "hand-new", "hand-record", "undo", "finish"} <= names & OPENS


def test_another_table_of_the_club_is_not_there_for_it(at_home, visitor, cast):
    other = table_in_play(at_home.club, cast.all[:4], number=2)
    record(other, totals(other, 1, seat1=100))
    there = [(name, address) for name, address in each_address(at_home, other) if "session_id" in all_arguments(name)]
    got = {name: answers(visitor, address) for name, address in there}
    assert len(got) > 30
    assert {name: codes for name, codes in got.items() if not set(codes) <= {404, 405}} == {}


def test_another_clubs_table_is_not_there_for_it(at_home, visitor, other_club, cast):
    own, key = at_home.table_session, at_home.hand_key
    stranger = f"/c/{other_club.slug}/sessions/{own.pk}/table/"
    assert visitor.get(stranger).status_code == 404
    assert visitor.get(f"/c/{other_club.slug}/sessions/{own.pk}/hands/{key}/").status_code == 404


def test_a_hand_recorded_by_key_says_which_tablet_it_was(at_home, visitor):
    table = at_home.table_session
    hand = {"body": '{"hands": {"1": {"total": 8}, "2": {}, "3": {}, "4": {}}, "mahjong": {"by": "1"}}'}
    assert visitor.post(at("hand-record", table), hand).url == at("table", table)
    change = Change.objects.last()
    assert (change.action, change.user, change.name) == ("hand", None, "tablet at table 1")


def test_a_player_may_be_named_and_is_in_the_log_by_the_seat(at_home, visitor, cast):
    table = at_home.table_session
    visitor.post(at("tablet", table), {"seat": "2"})
    visitor.post(at("nobody", table), {})
    change = Change.objects.last()
    assert (change.user, change.name) == (None, "{2}, tablet at table 1")
    visitor.post(at("tablet", table), {"seat": "99"})
    visitor.post(at("nobody", table), {})
    assert Change.objects.last().name == "{2}, tablet at table 1"
    visitor.post(at("tablet", table), {"seat": ""})
    visitor.post(at("nobody", table), {})
    assert Change.objects.last().name == "tablet at table 1"


def test_the_log_names_the_player_with_the_tablet(at_home, visitor):
    table = at_home.table_session
    visitor.post(at("tablet", table), {"seat": "2"})
    body = '{"hands": {"1": {"total": 8}, "2": {}, "3": {}, "4": {}}, "mahjong": {"by": "1"}}'
    visitor.post(at("hand-correct", table, at_home.hand_key), {"body": body})
    page = signed_in(at_home.secretary).get(at("hand", table, at_home.hand_key)).text
    assert "Bob, tablet at table 1 changed the hand" in page


def test_no_link_leads_where_the_key_does_not(at_home, visitor):
    table = at_home.table_session
    pages = [at(name, table) for name in ("table", "hand-new", "session-sheet", "paper", "tablet", "take-in")]
    pages += [at(name, table) for name in ("seating", "arrive", "leave")]
    pages += [at(name, table, at_home.hand_key) for name in ("hand", "hand-change", "hand-insert", "hand-seating")]
    visitor.post(at("hand-correct", table, at_home.hand_key), {"body": json.dumps(winner_alone("3"))})
    found = {}
    for page in pages:
        answer = visitor.get(page)
        assert answer.status_code == 200, page
        found |= dict.fromkeys(links(answer.text), page)
    for link, page in found.items():
        assert with_cookies(visitor.cookies).get(link).status_code in (200, 204), (page, link)


def winner_alone(seat):
    return {"hands": {other: {"total": 8 if other == seat else 0} for other in "1234"}, "mahjong": {"by": seat}}


def links(text):
    found = SimpleNamespace(seen=set())
    for part in text.split('href="')[1:]:
        address = part.partition('"')[0].replace("&amp;", "&")
        if address.startswith("/") and not address.startswith("/static/"):
            found.seen.add(address)
    return sorted(found.seen - {"/sign-in/"})


def test_no_page_names_a_member_who_is_not_at_the_table(at_home, visitor, cast):
    """Fay is a member, at home today; Gus is on the meeting's list; Hal has gone home."""
    table = at_home.table_session
    Player.objects.filter(pk=cast.fay.pk).update(full_name="Fay Faraway", short_name="Faraway")
    gus, hal = add_player(at_home.club, "Gus Green", by=BY), add_player(at_home.club, "Hal Homeward", by=BY)
    attend(table.meeting, {gus.pk: "here"}, by=BY)
    attend(table.meeting, {hal.pk: "here"}, by=BY)
    attend(table.meeting, {hal.pk: "left"}, by=BY)
    pages = {address for name, address in each_address(at_home) if name in OPENS}
    texts = {page: answer.text for page in pages if (answer := visitor.get(page)).status_code == 200}
    assert len(texts) > 10
    others = ("Faraway", "Homeward", "Gus")
    assert {page for page, text in texts.items() if any(name in text for name in others)} == set()
    for name in ("arrive", "seating"):
        assert "Fay Faraway" in signed_in(at_home.scorekeeper).get(at(name, table)).text


@pytest.mark.parametrize("kind", ["arrive", "change_player"])
def test_no_member_who_is_not_at_the_table_is_brought_there_by_number(at_home, visitor, cast, kind):
    table = at_home.table_session
    gus = add_player(at_home.club, "Gus Green", by=BY)
    attend(table.meeting, {gus.pk: "here"}, by=BY)
    body = {"seat": "4"} if kind == "change_player" else {}
    for player in (cast.fay.pk, gus.pk, str(cast.fay.pk), None, 10**30):
        answer = send(visitor, table, kind=kind, body={**body, "player": player})
        assert (answer.status_code, answer.json()["outcome"]) == (403, "not-allowed")
    fields = {"player": cast.fay.pk, "seat": "4"}
    assert visitor.post(at(kind.replace("_", "-"), table), fields).status_code == 422
    assert not table.seats.filter(player__in=[cast.fay, gus]).exists()


def test_by_the_code_a_member_comes_under_the_whole_name_and_anybody_else_as_a_guest(at_home, visitor, cast):
    table = at_home.table_session
    Player.objects.filter(pk=cast.fay.pk).update(full_name="Fay Faraway")
    assert visitor.post(at("arrive", table), {"player": "new", "name": "fay  faraway"}).status_code == 302
    assert table.seats.filter(player=cast.fay).exists()
    visitor.post(at("leave", table), {"seat": table.seats.get(player=cast.fay).seat_no})
    assert visitor.post(at("arrive", table), {"player": "new", "name": "Gus Green"}).status_code == 302
    gus = Player.objects.get(full_name="Gus Green")
    assert (gus.guest, gus.to_confirm) == (True, True)


def test_a_name_typed_by_the_code_is_offered_nowhere_until_it_is_confirmed(at_home, visitor):
    club, table = at_home.club, at_home.table_session
    visitor.post(at("arrive", table), {"player": "new", "name": "Gus Green"})
    gus, keeper = Player.objects.get(full_name="Gus Green"), signed_in(at_home.scorekeeper)
    lists = [reverse(name, args=[club.slug]) for name in ("session-start", "wishes")]
    lists += [reverse(name, args=[club.slug, table.meeting_id]) for name in ("attendance-list",)]
    answers = {page: keeper.get(page) for page in lists}
    assert {page: answer.status_code for page, answer in answers.items()} == dict.fromkeys(lists, 200)
    assert {page for page, answer in answers.items() if "Gus Green" in answer.text} == set()
    players = reverse("players", args=[club.slug])
    assert "New names to confirm" in keeper.get(players).text
    assert "New names to confirm" not in signed_in(at_home.member).get(players).text
    assert signed_in(at_home.member).post(players, {"confirm": gus.pk}).status_code == 403
    assert keeper.post(players, {"confirm": gus.pk}).status_code == 302
    assert keeper.post(players, {"confirm": gus.pk}).status_code == 404
    change = Change.objects.last()
    assert (change.action, change.before, change.after) == ("change", {"to_confirm": True}, {"to_confirm": False})
    assert {page for page in lists if "Gus Green" in keeper.get(page).text} == set(lists)


def test_by_the_code_no_more_than_twenty_names_are_added(at_home, visitor):
    table = at_home.table_session
    for number in range(22):
        answer = visitor.post(at("arrive", table), {"player": "new", "name": f"Guest {number}"})
    assert (answer.status_code, Player.objects.filter(to_confirm=True).count()) == (422, 20)
    assert "Too many new names are waiting to be confirmed." in answer.text


def test_a_hundred_tablets_a_day_open_a_table_and_their_sign_ins_end_with_it(at_home, monkeypatch):
    """Whoever opens it without keeping cookies made a row each time, for five months."""
    table, first = at_home.table_session, by_key(at_home.table_session)
    for _ in range(99):
        by_key(table)
    address = reverse("by-key", args=[table.scoring_key])
    refused = Client().get(address)
    assert (refused.status_code, SignIn.objects.count()) == (429, 100)
    assert "Ask the scorekeeper for a new code." in refused.text
    assert by_key(table, first).get(at("table", table)).status_code == 200
    signed_in(at_home.scorekeeper).post(at("scoring-new-key", table))
    table.refresh_from_db()
    assert Client().get(reverse("by-key", args=[table.scoring_key])).status_code == 302
    lasts = {row.expire_date - timezone.now() for row in SignIn.objects.filter(user=None)}
    assert max(lasts) < datetime.timedelta(days=39)
    client = Client()
    client.get(reverse("by-key", args=[table.scoring_key]))
    client.force_login(at_home.scorekeeper)
    [signed] = SignIn.objects.filter(pk=client.session.session_key)
    assert signed.expire_date - timezone.now() > datetime.timedelta(days=55)


def test_a_new_key_shuts_the_old_one_out(at_home, visitor):
    table = at_home.table_session
    signed_in(at_home.secretary).post(at("scoring-new-key", table))
    assert visitor.get(at("table", table)).status_code == 403
    assert "A new code was made for table 1." in visitor.get(at("hand-new", table)).text
    before = Entry.objects.count()
    assert visitor.post(at("nobody", table)).status_code == 403
    assert Entry.objects.count() == before
    assert visitor.get(reverse("by-key", args=[table.scoring_key])).status_code == 404
    table.refresh_from_db()
    assert by_key(table, visitor).get(at("table", table)).status_code == 200
    assert Change.objects.filter(action="new scoring key", session=table).count() == 1


def send(client, table, **more):
    """Send a hand as the outbox of a tablet does."""
    command = {"key": str(uuid.uuid4()), "kind": "hand", "body": winner_alone("1"), "device": "tablet ACD", **more}
    return client.post(at("commands", table), json.dumps(command), content_type="application/json")


def waiting(table):
    return Command.objects.filter(session=table).waiting().count()


def test_a_replaced_key_fills_no_page(at_home, visitor, monkeypatch):
    """Four hundred entries by it made the table's page 1.26 MB for everyone at the table."""
    monkeypatch.setattr("sessions_app.table.apply_command.MAX_KEPT", 15)
    table, secretary = at_home.table_session, signed_in(at_home.secretary)
    secretary.post(at("scoring-new-key", table))
    small = len(secretary.get(at("table", table)).content)
    hand = {seat: {"tiles": "1B 2B 3B", "bonus": "x" * 2000} for seat in "1234"}
    answers = [send(visitor, table, body={"hands": hand, "mahjong": {"by": "1"}}) for _ in range(18)]
    assert [answer.status_code for answer in answers] == [403] * 18
    found = [answer.json() for answer in answers]
    assert [one["status"] for one in found] == [409] * 15 + [403] * 3
    assert found[-1]["message"].startswith(
        "Too many entries at this table have not been checked yet, so this one was not sent."
    )
    assert waiting(table) == 15
    page = secretary.get(at("table", table))
    assert page.text.count("This came from a tablet whose code had been replaced") == 10
    assert "5 more to check." in page.text
    assert len(page.content) < small + 60_000
    state = secretary.get(at("table-state", table))
    assert len(state.content) < 20_000
    assert len(state.json()["waiting"]) == 10


def test_what_is_too_large_to_be_decided_about_is_not_kept(at_home, visitor):
    table = at_home.table_session
    signed_in(at_home.secretary).post(at("scoring-new-key", table))
    answer = send(visitor, table, body={"hands": {"1": {"tiles": "x" * 10_000}}, "mahjong": {"by": "1"}})
    assert (answer.status_code, waiting(table)) == (403, 0)
    assert answer.json()["message"].startswith("This entry is too large to send.")


def test_the_secretary_sets_everything_of_one_tablet_aside_at_once(at_home, visitor):
    table, secretary = at_home.table_session, signed_in(at_home.secretary)
    own = send(visitor, table, device="tablet HKM").json()
    assert own["outcome"] == "recorded"
    secretary.post(at("scoring-new-key", table))
    for _ in range(14):
        send(visitor, table)
    send(visitor, table, device="tablet HKM")
    for page in (at("table", table), reverse("late", args=[table.club.slug])):
        text = secretary.get(page).text
        assert "Leave out all 14: tablet at table 1 (tablet ACD)" in text
        assert "Leave out all 15</button>" in text
    assert "Leave out all" not in signed_in(at_home.member).get(at("table", table)).text
    assert "Leave out all" not in signed_in(at_home.scorekeeper).get(at("table", table)).text
    [one, _] = secretary.get(at("table", table)).context["waiting_late"]
    assert secretary.post(at("choose", table), {"drop": one["keys"]}).status_code == 302
    assert waiting(table) == 1
    assert Command.objects.get(session=table, outcome="late").device == "tablet HKM"
    secretary.post(at("undo", table))
    assert waiting(table) == 15


def test_setting_aside_does_not_let_a_replaced_key_begin_again(at_home, visitor, monkeypatch):
    monkeypatch.setattr("sessions_app.table.apply_command.MAX_KEPT", 10)
    table, secretary = at_home.table_session, signed_in(at_home.secretary)
    secretary.post(at("scoring-new-key", table))
    for _ in range(10):
        send(visitor, table)
    [one] = secretary.get(at("table", table)).context["waiting_late"]
    secretary.post(at("choose", table), {"drop": one["keys"]})
    assert (waiting(table), send(visitor, table).json()["status"]) == (0, 403)


@pytest.mark.parametrize("how", ["replaced", "finished"])
def test_a_key_that_is_good_no_more_sends_for_a_month(at_home, visitor, how, monkeypatch):
    table, secretary = at_home.table_session, signed_in(at_home.secretary)
    secretary.post(at("scoring-new-key" if how == "replaced" else "finish", table))
    now = timezone.now()
    form = {"body": json.dumps(winner_alone("1"))}
    monkeypatch.setattr("django.utils.timezone.now", lambda: now + timezone.timedelta(days=30))
    assert send(visitor, table).json()["status"] == 409
    assert "What you sent has arrived" in visitor.post(at("hand-record", table), form).text
    assert waiting(table) == 2
    monkeypatch.setattr("django.utils.timezone.now", lambda: now + timezone.timedelta(days=32))
    answer = send(visitor, table).json()
    assert (answer["outcome"], answer["status"], waiting(table)) == ("not-allowed", 403, 2)
    assert answer["message"].startswith("This table’s code expired long ago")
    assert "What you sent has arrived" not in visitor.post(at("hand-record", table), form).text
    assert waiting(table) == 2


def test_no_key_of_a_table_is_in_the_log(at_home):
    """Someone who reads the log scores and watches nothing by it: neither by the old keys nor by the new."""
    table, client = at_home.table_session, signed_in(at_home.secretary)
    keys = [table.scoring_key, table.watching_key, table.meeting.watching_key]
    client.post(at("scoring-new-key", table))
    client.post(at("watching-new-key", table))
    client.post(reverse("hall-new-key", args=[at_home.club.slug, table.meeting_id]))
    client.post(reverse("joining-new-code", args=[at_home.club.slug, table.meeting_id]))
    table, meeting = Session.objects.get(pk=table.pk), Meeting.objects.get(pk=table.meeting_id)
    keys += [table.scoring_key, table.watching_key, meeting.watching_key, meeting.joining_code]
    assert len({*keys}) == 7
    assert all(keys)
    assert Change.objects.filter(action__startswith="new ").count() == 4
    log = serializers.serialize("json", Change.objects.all())
    assert [key for key in keys if key in log] == []


def test_when_the_table_has_finished_its_key_reads_for_a_time_and_writes_nothing(at_home, visitor):
    table = at_home.table_session
    assert visitor.post(at("finish", table)).status_code == 302
    page = visitor.get(at("table", table))
    assert (page.status_code, "Finished" in page.text) == (200, True)
    assert visitor.post(at("undo", table)).status_code == 403
    assert visitor.post(at("nobody", table)).status_code == 403
    assert visitor.post(at("finish", table)).status_code == 403
    Session.objects.filter(pk=table.pk).update(finished_at=timezone.now() - timezone.timedelta(hours=25))
    assert visitor.get(at("table", table)).status_code == 403
    assert Client().get(reverse("by-key", args=[table.scoring_key])).status_code == 403


def test_reopening_and_what_came_late_are_not_for_a_tablet(at_home, visitor):
    assert visitor.post(at("reopen", at_home.table_session)).status_code == 403


def test_a_member_who_has_the_key_scores_that_table_too(at_home):
    member = signed_in(at_home.member)
    table = at_home.table_session
    assert member.get(at("hand-new", table)).status_code == 403
    by_key(table, member)
    assert member.get(at("hand-new", table)).status_code == 200
    assert member.get(reverse("club", args=[at_home.club.slug])).status_code == 200


def test_a_scorekeeper_who_has_the_key_writes_under_the_own_name(at_home):
    keeper = by_key(at_home.table_session, signed_in(at_home.scorekeeper))
    keeper.post(at("nobody", at_home.table_session))
    assert Change.objects.last().user == at_home.scorekeeper


def test_a_stranger_signed_in_elsewhere_scores_by_key_alone(at_home, other_club):
    eve = signed_in(logins(other_club)["secretary"])
    assert eve.get(at("table", at_home.table_session)).status_code == 404
    by_key(at_home.table_session, eve)
    assert eve.get(at("table", at_home.table_session)).status_code == 200
    assert eve.get(reverse("club", args=[at_home.club.slug])).status_code == 404


def test_a_key_of_totals_brought_along_opens_nothing(at_home):
    Session.objects.filter(pk=at_home.table_session.pk).update(imported=True)
    assert Client().get(reverse("by-key", args=[at_home.table_session.scoring_key])).status_code == 404


def test_the_code_leads_to_the_table(at_home):
    page = signed_in(at_home.scorekeeper).get(at("scoring", at_home.table_session))
    address = f"http://testserver/t/{at_home.table_session.scoring_key}/"
    assert page.text.count(address) == 2
    assert 'aria-label="QR code for scoring this table"' in page.text
