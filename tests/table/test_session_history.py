"""The pages of a session as a whole: its steps, going back, moving, making void; and a hand as it was."""

import datetime
import io

import pytest
from django.core.management import call_command
from django.urls import reverse

from sessions_app.models import Change, Session
from tests.afternoon import hand, nets, send, totals
from tests.logins import signed_in

pytestmark = pytest.mark.usefixtures("that_afternoon")


def address(at_home, name, *more):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk, *more])


def test_the_steps_lead_back_but_for_the_last(at_home):
    hand(at_home.table_session, "2", s2=40)
    text = signed_in(at_home.secretary).get(address(at_home, "session-history")).text
    steps = list(Change.objects.filter(session=at_home.table_session).order_by("pk").values_list("pk", flat=True))
    assert [pk for pk in steps if f"?step={pk}" in text] == steps[:-1]


TOTALS = (
    "date,meeting,table,rules,recording,player,guest,seat,hands,won,gained,lost,net,balance,place\n"
    "2026-03-05,,4,bmja,,Alice,,1,12,5,500,-100,400,2400,1\n"
    "2026-03-05,,4,bmja,,Bob,,2,12,3,100,-50,50,2050,2\n"
    "2026-03-05,,4,bmja,,Carol,,3,12,2,40,-490,-450,1550,3\n"
)


def brought_along(at_home, tmp_path):
    """A session of earlier totals, without hands."""
    (tmp_path / "totals.csv").write_text(TOTALS)
    call_command("import_totals", str(tmp_path / "totals.csv"), "--club", at_home.club.slug, stdout=io.StringIO())
    return Session.objects.get(imported=True)


@pytest.mark.parametrize("is_imported", [False, True])
def test_the_sheet_leads_the_secretary_to_putting_it_right(at_home, is_imported, tmp_path):
    """From the sheet by its links alone: the date corrected, then the session made void."""
    session = brought_along(at_home, tmp_path) if is_imported else at_home.table_session
    sheet, history, move, void = (
        reverse(f"session-{name}", args=[at_home.club.slug, session.pk])
        for name in ("sheet", "history", "move", "void")
    )
    for other in (at_home.scorekeeper, at_home.member):
        assert f'href="{history}"' not in signed_in(other).get(sheet).text
    client = signed_in(at_home.secretary)
    assert f'href="{history}"' in client.get(sheet).text
    page = client.get(history).text
    assert f'href="{move}"' in page
    assert f'href="{void}"' in page
    posted = {"date": "2026-11-14", "table": "3", "meeting_name": ""}
    assert client.post(move, posted | {"key": client.get(move).context["command_key"]}).status_code == 302
    assert client.post(void, {"why": "Played elsewhere"}).status_code == 302
    session.refresh_from_db()
    assert (session.date, session.table, session.void) == (datetime.date(2026, 11, 14), 3, True)


def test_of_totals_brought_along_no_step_is_known(at_home, tmp_path):
    brought = brought_along(at_home, tmp_path)
    page = signed_in(at_home.secretary).get(reverse("session-history", args=[at_home.club.slug, brought.pk]))
    assert "The totals of this table were imported. No one has changed them since." in page.text


def test_going_back_is_shown_first_and_done_once(at_home):
    table = at_home.table_session
    before, step = nets(table), Change.objects.filter(session=table).latest("pk").pk
    hand(table, "2", s2=40)
    after = nets(table)
    client = signed_in(at_home.secretary)
    page = client.get(address(at_home, "session-restore"), {"step": step})
    assert page.status_code == 200
    assert "removed" in page.text
    assert nets(table) == after
    posted = {"step": step, "key": page.context["command_key"], "why": "The wrong table"}
    for _ in range(2):
        assert client.post(address(at_home, "session-restore"), posted).status_code == 302
    assert nets(table) == before
    change = Change.objects.get(action="go_back")
    assert (change.why, change.name) == ("The wrong table", "bramley-secretary")
    client.post(address(at_home, "undo"))
    assert nets(table) == after


@pytest.mark.parametrize("step", ["", "x", "0", "9" * 40, "-1"])
def test_a_step_there_is_not_leads_back_to_the_list(at_home, step):
    client = signed_in(at_home.secretary)
    for answer in (
        client.get(address(at_home, "session-restore"), {"step": step}),
        client.post(address(at_home, "session-restore"), {"step": step}),
    ):
        assert (answer.status_code, answer["Location"]) == (302, address(at_home, "session-history"))


def test_a_session_is_moved_by_the_form(at_home):
    client = signed_in(at_home.secretary)
    page = client.get(address(at_home, "session-move"))
    assert 'value="2026-11-12"' in page.text
    assert "it counts in the season Autumn 2026" in page.text
    posted = {"date": "2026-11-13", "table": "4", "meeting_name": " Tea  dance ", "why": "x"}
    answer = client.post(address(at_home, "session-move"), posted)
    assert answer["Location"] == address(at_home, "session-sheet")
    moved = Session.objects.get(pk=at_home.table_session.pk)
    assert (moved.date, moved.table, moved.meeting.name) == (datetime.date(2026, 11, 13), 4, "Tea dance")


@pytest.mark.parametrize(
    ("posted", "expected"),
    [
        ({"date": "", "table": "1"}, "Enter the date it was played, for example 12/11/2026."),
        ({"date": "0012-01-01", "table": "1"}, "Enter the year with four digits, for example 2026."),
        ({"date": "2026-11-12", "table": "0"}, "Enter a table number of 1 or more."),
        ({"date": "2026-11-12", "table": "1000"}, "Enter a table number of 999 or less."),
        ({"date": "2026-11-12", "table": "1", "meeting_name": "x" * 81}, "Enter a shorter name, 80 letters at most."),
        ({"date": "2026-11-12", "table": "1"}, "Nothing has changed. Change the date, the table or the meeting."),
    ],
)
def test_what_cannot_be_is_said_beside_the_field(at_home, posted, expected):
    answer = signed_in(at_home.secretary).post(address(at_home, "session-move"), posted)
    assert answer.status_code == 422
    assert expected in answer.text


def test_void_and_back_by_the_pages(at_home):
    client = signed_in(at_home.secretary)
    assert client.post(address(at_home, "session-void"), {"why": ""}).status_code == 422
    assert client.post(address(at_home, "session-void"), {"why": "Twice"}).status_code == 302
    for name in ("session-sheet", "session-history", "table"):
        assert "cancelled: does not count" in client.get(address(at_home, name)).text
    assert client.get(address(at_home, "totals-csv")).status_code == 404
    assert "Let it count again" in client.get(address(at_home, "session-history")).text
    assert "This table is already cancelled." in client.get(address(at_home, "session-void")).text
    client.post(address(at_home, "session-count"))
    assert not Session.objects.get(pk=at_home.table_session.pk).void
    assert client.get(address(at_home, "totals-csv")).status_code == 200


def test_a_hand_as_it_was_then(at_home):
    table = at_home.table_session
    before = nets(table)
    recorded = Change.objects.get(action="hand")
    send(table, "correct", {"entry": at_home.hand_key, "body": totals("3", s3=10)})
    client = signed_in(at_home.scorekeeper)
    earlier = address(at_home, "hand-earlier", at_home.hand_key, recorded.pk)
    assert f'href="{earlier}"' in client.get(address(at_home, "hand", at_home.hand_key)).text
    page = client.get(earlier)
    assert page.status_code == 200
    posted = {
        "body": page.context["body_json"], "key": page.context["sent"]["key"], "why": page.context["sent"]["why"],
    }  # fmt: skip
    assert client.post(page.context["confirm_url"], posted).status_code == 302
    assert nets(table) == before
    assert Change.objects.latest("pk").why.startswith("As it was on ")


def test_a_hand_that_is_out_or_a_step_of_another_is_no_earlier_state(at_home):
    table = at_home.table_session
    first, other = Change.objects.get(action="hand"), hand(table, "2", s2=40)
    send(table, "take_out", {"entry": at_home.hand_key})
    client = signed_in(at_home.scorekeeper)
    answer = client.get(address(at_home, "hand-earlier", at_home.hand_key, first.pk))
    assert answer["Location"] == address(at_home, "hand", at_home.hand_key)
    assert client.get(address(at_home, "hand-earlier", other, first.pk)).status_code == 404
