"""A table cannot be filled with rubbish: so many entries a minute, so many in all; and the secretary can heal it."""

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import Change, Command, Entry
from tests.afternoon import hand, nets, new_key, send, totals
from tests.factories import record, table_in_play
from tests.logins import signed_in
from tests.reconciled import reconcile
from tests.table.test_table_page import asked, page_of, state_of

pytestmark = pytest.mark.slow

FULL = (
    "This table has so many entries that no more can be added. You have not lost anything. "
    "Finish this table and start a new one, or ask the secretary to remove what does not belong here."
)
WAIT = (
    "Very many entries were sent from this table in the last minute. You have not lost anything. "
    "Wait a minute, then send this one again."
)
# As much as can be said beside a hand.
BESIDE = {seat: {"tiles": "1C " * 66, "sets": ["exposed pung 1B"] * 7} for seat in "1234"}


def post(client, table, kind="note", body=None, key=None):
    command = {"key": key or str(uuid.uuid4()), "kind": kind, "body": body or {"text": "Tea."}}
    address = reverse("commands", args=[table.club.slug, table.pk])
    return client.post(address, json.dumps(command), content_type="application/json")


def by_key(table):
    client = Client()
    client.get(reverse("by-key", args=[table.scoring_key]))
    return client


def minutes_later(monkeypatch, minutes):
    now = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now + timezone.timedelta(minutes=minutes))


# Commands of tablets without an account, in a minute.


def test_after_sixty_in_a_minute_the_others_wait_and_none_is_lost(at_home, monkeypatch):
    """As a tablet sends that was without Wi-Fi for hours: one after the other, the refused one again and again."""
    table, tablet = at_home.table_session, by_key(at_home.table_session)
    keys = [str(uuid.uuid4()) for _ in range(80)]
    sent = [post(tablet, table, key=key).status_code for key in keys[:60]]
    refused = post(tablet, table, key=keys[60])
    assert (sent, refused.status_code, refused["Retry-After"]) == ([201] * 60, 429, "60")
    assert (refused.json()["outcome"], refused.json()["message"]) == ("wait", WAIT)
    assert not Command.objects.filter(key=keys[60]).exists()
    # Another tablet of the table waits too, as a cookie is soon thrown away; asking after an earlier one is no new one.
    assert post(by_key(table), table).status_code == 429
    assert post(tablet, table, key=keys[0]).json()["outcome"] == "again"
    minutes_later(monkeypatch, 1.1)
    assert [post(tablet, table, key=key).status_code for key in keys[60:]] == [201] * 20
    notes = Entry.objects.filter(session=table, kind="note").order_by("position")
    assert [str(entry.key) for entry in notes] == keys


def test_accounts_and_other_tables_are_not_counted(at_home, club, cast):
    table, tablet = at_home.table_session, by_key(at_home.table_session)
    other = table_in_play(club, cast.all[:4], number=2)
    while post(tablet, table).status_code == 201:
        pass
    assert post(by_key(other), other).status_code == 201
    assert post(signed_in(at_home.scorekeeper), table).status_code == 201


def test_a_form_of_a_page_says_so_and_keeps_what_was_typed(at_home):
    table, tablet = at_home.table_session, by_key(at_home.table_session)
    while post(tablet, table).status_code == 201:
        pass
    here = [table.club.slug, table.pk]
    body = json.dumps(totals("1", s1=88))
    page = tablet.post(reverse("hand-record", args=here), {"key": new_key(), "body": body})
    assert (page.status_code, WAIT in page.text, "88" in page.text) == (422, True, True)


# Entries of a session.


@pytest.fixture
def full(at_home):
    """A table with a thousand entries."""
    table = at_home.table_session
    last = Entry.objects.filter(session=table).last().position
    Entry.objects.bulk_create(
        Entry(session=table, key=uuid.uuid4(), kind="note", body={"text": "Tea."}, position=last + 1024 * at)
        for at in range(1, 1000)
    )
    return at_home


ONE_MORE = {
    "hand": totals("1", s1=40),
    "note": {"text": "Tea."},
    "fine": {"by": "1", "to": "2", "amount": 10},
    "exchange": {"a": "1", "b": "2"},
    "leave": {"seat": "4"},
}


@pytest.mark.parametrize("kind", ONE_MORE)
def test_no_more_than_a_thousand_entries_are_added(full, kind):
    answer = send(full.table_session, kind, ONE_MORE[kind])
    assert (answer.outcome, answer.message) == ("invalid", FULL)
    assert Entry.objects.count() == 1000


def test_in_the_middle_neither(full):
    before = {"before": full.hand_key, "kind": "hand", "body": totals("1", s1=40)}
    assert send(full.table_session, "insert", before).message == FULL


def test_a_full_table_can_be_corrected_emptied_and_finished(full):
    table = full.table_session
    notes = [str(key) for key in Entry.objects.filter(kind="note").values_list("key", flat=True)[:3]]
    assert send(table, "correct", {"entry": full.hand_key, "body": totals("2", s2=40)}).outcome == "recorded"
    assert send(table, "undo").outcome == "recorded"
    assert send(table, "redo").outcome == "recorded"
    assert [send(table, "take_out", {"entry": note}).outcome for note in notes] == ["recorded"] * 3
    assert send(table, "put_back", {"entry": notes[0]}).outcome == "recorded"
    assert [hand(table, "1", s1=40) and 1, send(table, "note", {"text": "Tea."}).outcome] == [1, "recorded"]
    assert send(table, "put_back", {"entry": notes[1]}).message == FULL
    assert send(table, "undo").outcome == "recorded"
    assert send(table, "finish").outcome == "recorded"
    assert reconcile() == []


def test_no_more_than_a_million_letters_are_added(at_home):
    table = at_home.table_session
    last = Entry.objects.filter(session=table).last().position
    Entry.objects.bulk_create(
        Entry(session=table, key=uuid.uuid4(), kind="note", body={"text": "é" * 1_990}, position=last + 1024 * at)
        for at in range(1, 499)
    )
    assert send(table, "note", {"text": "Tea."}).outcome == "recorded"
    assert send(table, "note", {"text": "e" * 2_000}).outcome == "recorded"
    assert send(table, "note", {"text": "e" * 2_000}).message == FULL
    hand_and_more = {**totals("2", s2=40), "beside": BESIDE}
    assert send(table, "correct", {"entry": at_home.hand_key, "body": totals("2", s2=40)}).outcome == "recorded"
    long = Entry.objects.filter(body__text__startswith="é").first()
    assert send(table, "take_out", {"entry": str(long.key)}).outcome == "recorded"
    assert send(table, "hand", hand_and_more).outcome == "recorded"


def test_removed_entries_count_three_times_over(full):
    """Else adding and removing would fill the database."""
    table = full.table_session
    assert send(table, "take_out", {"entry": str(Entry.objects.last().key)}).outcome == "recorded"
    for _ in range(2):
        last = Entry.objects.last().position
        Entry.objects.bulk_create(
            Entry(session=table, key=uuid.uuid4(), kind="note", body={"text": "T"}, position=last + at, removed=True)
            for at in range(1, 1000)
        )
    assert [send(table, "note", {"text": "Tea."}).outcome for _ in range(3)] == ["recorded", "invalid", "invalid"]


# The state that tablets get, and how the secretary heals a table.


@pytest.fixture
def healed(at_home):
    """A table with sixty hands of rubbish, which the secretary has removed by going back to before them."""
    table, before = at_home.table_session, Change.objects.latest("pk").pk
    at_home.small = len(json.dumps(state_of(signed_in(at_home.secretary), table)))
    for _ in range(60):
        assert record(table, {**totals("2", s2=40), "beside": BESIDE}).outcome == "recorded"
    at_home.large = len(json.dumps(state_of(signed_in(at_home.secretary), table)))
    back = reverse("session-restore", args=[table.club.slug, table.pk])
    signed_in(at_home.secretary).post(back, {"step": before, "why": "Rubbish"})
    assert Entry.objects.active().count() == 1
    return at_home


def test_the_state_is_small_again_once_rubbish_is_removed(healed):
    table, client = healed.table_session, signed_in(healed.secretary)
    now = state_of(client, table)
    assert healed.large > 100_000
    assert len(json.dumps(now)) < healed.small + 60_000
    assert [row[0] for row in now["ledger"]["entries"] if not row[4]] == [healed.hand_key]
    assert "The latest 50 are shown. The others are on the score sheet." in page_of(client, table)
    tablet = asked(table, now, [])
    assert (tablet["known"], tablet["balances"]) == (True, now["balances"])


def test_everything_goes_on_at_a_healed_table(healed):
    """Restoring one of the removed hands, undoing that, undoing the restoration, and the next hand on a tablet."""
    table = healed.table_session
    oldest = str(Entry.objects.filter(removed=True).first().key)
    assert send(table, "put_back", {"entry": oldest}).outcome == "recorded"
    assert Entry.objects.active().count() == 2
    assert send(table, "undo").outcome == "recorded"
    now = state_of(signed_in(healed.secretary), table)
    command = {"key": new_key(), "kind": "hand", "body": totals("3", s3=20)}
    tablet = asked(table, now, [command])
    assert (tablet["known"], tablet["refused"], tablet["number"]) == (True, {}, 3)
    # What the tablet was not sent, it leaves to the server.
    restore = {"key": new_key(), "kind": "put_back", "body": {"entry": oldest}}
    assert asked(table, now, [restore])["refused"].keys() == {restore["key"]}
    assert asked(table, now, [], ask="preview", command=restore) == {"known": False}
    assert asked(table, now, [{"key": new_key(), "kind": "undo", "body": {}}])["known"] is True
    assert send(table, "undo").outcome == "recorded"
    assert Entry.objects.active().count() == 61
    assert reconcile() == []


def test_what_is_removed_at_an_ordinary_table_is_undone_and_restored_on_the_tablet(at_home):
    table = at_home.table_session
    keys = [hand(table, "2", s2=10 * number) for number in range(1, 31)]
    for key in keys[::2]:
        send(table, "take_out", {"entry": key})
    for _ in range(3):
        send(table, "undo")
    now = state_of(signed_in(at_home.secretary), table)
    assert len(now["ledger"]["entries"]) == 31
    assert len(now["ledger"]["changes"]) == 1 + 30 + 15 - 3
    assert len(now["ledger"]["undone"]) == 3
    first = {"key": new_key(), "kind": "put_back", "body": {"entry": keys[0]}}
    steps = [{"key": new_key(), "kind": kind, "body": {}} for kind in ("undo", "redo", "redo", "redo")]
    tablet = asked(table, now, [*steps, first])
    assert (tablet["known"], tablet["refused"]) == (True, {})
    for command in [*steps, first]:
        send(table, command["kind"], command["body"])
    assert tablet["balances"] == state_of(signed_in(at_home.secretary), table)["balances"]


def test_very_many_corrections_are_not_sent_to_tablets(at_home):
    table, client = at_home.table_session, signed_in(at_home.secretary)
    for number in range(60):
        body = {**totals("2", s2=10 + number), "beside": {"3": {"tiles": "1C " * 66}, "4": {"tiles": "2C " * 66}}}
        assert send(table, "correct", {"entry": at_home.hand_key, "body": body}).outcome == "recorded"
    now = state_of(client, table)
    assert len(json.dumps(now)) < 20_000
    assert (now["ledger"]["changes"], len(now["undo"])) == ([], 6)
    assert asked(table, now, [{"key": new_key(), "kind": "undo", "body": {}}])["known"] is True
    send(table, "undo")
    assert nets(table)["Bob"] == (10 + 58) * 4
