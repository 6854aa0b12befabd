"""What someone at the table says of its end, and how it ended: on every screen of the table, by server and tablet."""

import re
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import Club, Session
from sessions_app.table.sessions import start_session
from tests.afternoon import new_key, nobody, send, totals
from tests.factories import BY, DAY
from tests.logins import logins, signed_in
from tests.table.test_table_page import asked, page_of, state_of

LAST = re.compile(r'class="(?:goulash |lead )?last-hands">([^<]*)<')


@pytest.fixture
def at_table(club, cast):
    Club.objects.filter(pk=club.pk).update(public_names="full")
    table = start_session(club, DAY, 1, cast.all[:4], "bmja", {}, by=BY, starting_balance=2000)
    return SimpleNamespace(table=table, client=signed_in(logins(club)["scorekeeper"]))


def shown(at_table, *waiting):
    """Return what all screens say of the last hands; with commands that wait, what the tablet that has them says."""
    client, table = at_table.client, Session.objects.select_related("meeting", "club").get(pk=at_table.table.pk)
    drawn = asked(table, state_of(client, table), [{"key": new_key(), **one} for one in waiting])
    on_tablet = LAST.findall(drawn["html"]["felt"])
    if not waiting:
        watching = Client().get(reverse("watch", args=[table.watching_key])).content.decode()
        assert LAST.findall(page_of(client, table)) == on_tablet
        assert [*dict.fromkeys(LAST.findall(watching))] == on_tablet
        hall = Client().get(reverse("watch-hall", args=[table.meeting.watching_key])).content.decode()
        assert all(words.lower() in hall for words in on_tablet)
        sheet = client.get(reverse("session-sheet", args=[table.club.slug, table.pk])).content.decode()
        assert LAST.findall(sheet) == on_tablet
    return on_tablet


def press(at_table):
    table = at_table.table
    return at_table.client.post(
        reverse("last-hands", args=[table.club.slug, table.pk]),
        {"key": new_key(), "after": "", "seats": "{}", "text": "Last 3 hands", "last": "3"},
    )


@pytest.mark.django_db
def test_who_says_that_the_last_hands_begin_is_shown_on_every_screen_how_many_are_left(at_table):
    table, said = at_table.table, {"kind": "note", "body": {"text": "Last 3 hands", "last": 3}}
    assert shown(at_table) == []
    assert shown(at_table, said) == ["Last 3 hands"]
    assert press(at_table).status_code == 302
    assert shown(at_table) == ["Last 3 hands"]
    send(table, "hand", totals("2", s2=20))
    assert shown(at_table) == ["Last 2 hands"]
    # A void hand is played again.
    send(table, "hand", {**nobody(), "hands": {}, "penalties": [{"kind": "false mahjong", "by": "1"}]})
    assert shown(at_table) == ["Last 2 hands"]
    send(table, "hand", nobody())
    assert shown(at_table) == ["Last hand"]
    send(table, "hand", totals("2", s2=20))
    assert shown(at_table) == ["Last hand played"]
    send(table, "hand", totals("2", s2=20))
    assert shown(at_table) == ["Last hand played"]
    assert shown(at_table, said) == ["Last 3 hands"]
    send(table, "finish")
    assert shown(at_table) == []


@pytest.mark.django_db
def test_the_last_hands_are_taken_back_by_undo_and_another_note_says_nothing_of_them(at_table):
    press(at_table)
    send(at_table.table, "undo")
    send(at_table.table, "note", {"text": "Last 3 hands"})
    assert shown(at_table) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("last", "words"), [(5, ["Last 5 hands"]), (1, ["Last hand"]), (0, []), ("3", []), (True, [])])
def test_a_note_says_how_many_hands_are_left_by_its_mark_and_not_by_its_words(at_table, last, words):
    result = send(at_table.table, "note", {"text": "The bus leaves at five", "last": last})
    assert result.outcome == ("recorded" if words else "invalid")
    assert shown(at_table) == words


@pytest.mark.django_db
def test_a_finished_table_shows_the_balances_as_lines_and_says_them_in_words(at_table):
    """East pays double: of 20 to Bob, Alice 40; of 50 to Alice in the second hand, Bob 100. Nobody: nothing moves."""
    table, client = at_table.table, at_table.client
    assert "<p>Everyone starts with 2,000.</p>" in page_of(client, table)
    for body in (totals("2", s2=20), totals("1", s1=50), nobody()):
        send(table, "hand", body)
    assert "Everyone starts" not in page_of(client, table)
    assert '<svg class="curve"' not in page_of(client, table)
    send(table, "finish")
    page = page_of(client, table)
    assert (
        "The balances from hand to hand. Everyone began with 2,000. "
        "At the end: Alice 2,160, Bob 1,980, Carol 1,930, Dave 1,930."
    ) in page
    curve = page[page.index('<svg class="curve"') :]
    points = dict(re.findall(r'<g class="line-(\d)"><polyline stroke-dasharray="[^"]*" points="([^"]*)"', curve))
    assert sorted(points) == ["1", "2", "3", "4"]
    heights = {line: [int(point.split(",")[1]) for point in path.split()] for line, path in points.items()}
    assert all(len(path) == 4 for path in heights.values())
    # Higher on the page is less: Alice loses, then wins; in the last hand nothing moves.
    start, after_1, after_2, end = heights["1"]
    assert after_1 > start > after_2 == end
    assert heights["3"] == heights["4"]
    ends = [int(y) for y in re.findall(r'<text x="\d+" y="(\d+)"', curve)]
    assert len({*ends}) == 4
    assert all(below - above >= 17 for above, below in zip(ends, ends[1:], strict=False))


@pytest.mark.django_db
def test_a_table_at_which_nothing_was_won_or_lost_has_no_lines(at_table):
    send(at_table.table, "hand", nobody())
    send(at_table.table, "finish")
    assert '<svg class="curve"' not in page_of(at_table.client, at_table.table)
