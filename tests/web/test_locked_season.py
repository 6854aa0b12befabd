"""The secretary at a session of a locked season: one hand corrected with one reason, and nothing left lying about."""

import pytest
from django.urls import reverse

from sessions_app.models import Change, Command, Season
from sessions_app.table.apply_command import apply_command
from tests.afternoon import BY, nets, new_key, send, totals
from tests.factories import house, record
from tests.logins import signed_in
from tests.reconciled import reconcile
from tests.table.test_waiting import text_of

CORRECT = "Unlock, correct this hand, lock again"


@pytest.fixture(params=["open", "finished"])
def at_home(request, club, cast):
    found = house(club, cast.all[:4])
    if request.param == "finished":
        record(found.table_session, {}, kind="finish")
    Season.objects.update(name="2026–27", locked=True)
    return found


def address(at_home, name, *more):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk, *more])


def preview(client, at_home):
    """From the hand to the page that shows what the correction would change."""
    page = client.get(address(at_home, "hand", at_home.hand_key))
    assert "This is in the locked season 2026–27." in text_of(page)
    change = address(at_home, "hand-change", at_home.hand_key)
    assert f'href="{change}">{CORRECT}</a>' in page.text
    assert client.get(change).status_code == 200
    sent = {f"form_{seat}": "nothing" for seat in "1234"} | {"form_3": "total", "total_3": "40", "winner": "3"}
    return client.post(address(at_home, "hand-preview", at_home.hand_key), sent)


def posted(page, **more):
    sent = page.context["sent"]
    return {"key": sent["key"], "body": page.context["body_json"], "confirmed": "1", **more}


def test_one_hand_is_corrected_with_one_reason_and_one_line_in_the_log(at_home):
    client = signed_in(at_home.secretary)
    state, logged = at_home.table_session.state, Change.objects.count()
    page = preview(client, at_home)
    assert CORRECT in text_of(page)
    assert f'<form method="post" action="{page.context["confirm_url"]}">' in page.text
    answer = client.post(page.context["confirm_url"], posted(page, why="Carol had won"), follow=True)
    assert "Hand 1: Carol goes Mah-jong" in text_of(answer)
    assert Change.objects.count() == logged + 1
    change = Change.objects.latest("pk")
    assert (change.action, change.why) == ("correct", "In the locked season 2026–27: Carol had won")
    at_home.table_session.refresh_from_db()
    assert at_home.table_session.state == state
    assert Season.objects.get().locked
    assert nets(at_home.table_session)["Carol"] > 0
    assert reconcile() == []


def test_at_a_finished_table_a_hand_is_corrected_at_once_and_it_stays_finished(club, cast):
    at_home = house(club, cast.all[:4])
    record(at_home.table_session, {}, kind="finish")
    client = signed_in(at_home.secretary)
    page = client.get(address(at_home, "hand", at_home.hand_key))
    change = address(at_home, "hand-change", at_home.hand_key)
    assert f'href="{change}">Correct this hand</a>' in page.text
    sent = {f"form_{seat}": "nothing" for seat in "1234"} | {"form_3": "total", "total_3": "40", "winner": "3"}
    page = client.post(address(at_home, "hand-preview", at_home.hand_key), sent)
    assert "Reason (optional)" in text_of(page)
    answer = client.post(page.context["confirm_url"], posted(page), follow=True)
    assert "Hand 1: Carol goes Mah-jong" in text_of(answer)
    at_home.table_session.refresh_from_db()
    assert at_home.table_session.state == "finished"
    assert nets(at_home.table_session)["Carol"] > 0
    assert reconcile() == []
    page = signed_in(at_home.scorekeeper).get(address(at_home, "hand", at_home.hand_key))
    assert "Correct this hand" not in page.text


@pytest.mark.parametrize("is_locked", [False, True], ids=["finished", "locked"])
def test_a_hand_is_added_removed_and_restored_at_once_with_what_it_changes_shown(club, cast, is_locked):
    at_home = house(club, cast.all[:4])
    session = at_home.table_session
    record(session, {}, kind="finish")
    Season.objects.update(locked=is_locked)
    client, first = signed_in(at_home.secretary), nets(session)
    versions = {entry.key: entry.version for entry in session.entries.all()}
    key = at_home.hand_key

    def made(page, words):
        assert (f"Unlock, {words.lower()}, lock again" if is_locked else words) in text_of(page)
        assert nets(session) == now
        answer = client.post(page.context["confirm_url"], posted(page, why="The paper sheet has it"), follow=True)
        assert answer.status_code == 200
        session.refresh_from_db()
        assert (session.state, Season.objects.get().locked) == ("finished", is_locked)
        assert reconcile() == []
        return nets(session)

    now = first
    page = client.get(address(at_home, "hand", key))
    assert "Add a missing hand before this one" in page.text
    assert "Remove this hand" in page.text
    sent = {f"form_{seat}": "nothing" for seat in "1234"} | {"form_3": "total", "total_3": "40", "winner": "3"}
    now = made(client.post(address(at_home, "hand-insert", key), sent), "Add the hand")
    assert now["Carol"] > first["Carol"]
    [added] = [entry.key for entry in session.entries.all() if entry.key not in versions]
    both = now
    now = made(client.post(address(at_home, "hand-preview", added), {"kind": "take_out"}), "Remove the hand")
    assert now == first
    now = made(client.post(address(at_home, "hand-preview", added), {"kind": "put_back"}), "Restore the hand")
    assert now == both


def test_without_a_reason_nothing_is_corrected_and_nothing_typed_is_lost(at_home):
    client, before = signed_in(at_home.secretary), nets(at_home.table_session)
    page = preview(client, at_home)
    again = client.post(page.context["confirm_url"], posted(page, why=" "))
    assert "Enter a reason. It is kept in the history." in text_of(again)
    assert nets(at_home.table_session) == before
    client.post(again.context["confirm_url"], posted(again, why="Carol had won"))
    assert nets(at_home.table_session) != before


def test_a_hand_removed_meanwhile_is_said_to_be_and_no_correction_is_shown(at_home):
    client = signed_in(at_home.secretary)
    page = preview(client, at_home)
    removal = {"key": new_key(), "kind": "take_out", "body": {"entry": str(at_home.hand_key)}, "why": "Twice"}
    assert apply_command(at_home.table_session.pk, removal, BY, opens_lock=True).outcome == "recorded"
    before = nets(at_home.table_session)
    answer = client.post(page.context["confirm_url"], posted(page, why=""), follow=True)
    assert answer.status_code == 200
    assert "This entry has been removed. Restore it before you change it." in text_of(answer)
    assert "This hand was removed" in text_of(answer)
    assert nets(at_home.table_session) == before


def test_a_locked_season_looked_back_on_by_a_later_locked_one_stays(at_home):
    later = {"starts_on": "2027-01-01", "ends_on": "2027-12-31", "rules": ["bmja"], "method": "rating"}
    Season.objects.create(club=at_home.club, name="Later", locked=True, **later)
    client, before = signed_in(at_home.secretary), nets(at_home.table_session)
    page = preview(client, at_home)
    answer = client.post(page.context["confirm_url"], posted(page, why="Carol had won"), follow=True)
    assert "Later is locked and uses the results of 2026–27. Unlock Later first." in text_of(answer)
    assert nets(at_home.table_session) == before


def test_nobody_but_the_secretary_corrects_it(at_home):
    client, before = signed_in(at_home.scorekeeper), nets(at_home.table_session)
    page = client.get(address(at_home, "hand", at_home.hand_key))
    assert CORRECT not in page.text
    sent = {"body": '{"hands": {}, "mahjong": null}', "key": new_key(), "why": "Because"}
    client.post(address(at_home, "hand-correct", at_home.hand_key), sent)
    assert nets(at_home.table_session) == before


def test_the_secretary_leaves_nothing_waiting(at_home):
    client, is_open = signed_in(at_home.secretary), at_home.table_session.is_open
    answer = client.post(address(at_home, "finish" if is_open else "reopen"), {"key": new_key()}, follow=True)
    assert "The season “2026–27” is locked. Unlock it before you change anything in it." in text_of(answer)
    assert not Command.objects.filter(outcome="late").exists()


def test_what_waits_in_a_locked_season_can_be_put_aside(at_home):
    key = new_key()
    assert send(at_home.table_session, "hand", totals("2", s2=40), key=key).outcome == "late"
    client = signed_in(at_home.secretary)
    client.post(address(at_home, "choose"), {"keep": key})
    assert Command.objects.get(key=key).outcome == "late"
    client.post(address(at_home, "choose"), {"drop": key, "why": "Twice"})
    assert Command.objects.get(key=key).outcome == "dropped"
    assert "Nothing to check." in text_of(client.get(reverse("late", args=[at_home.club.slug])))
