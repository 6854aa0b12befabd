"""A hand entered at the wrong table moves to the right one: who takes whose place, both tables' figures, and undo."""

import pytest
from django.urls import reverse

from clubscore.play.scoring_by_seat import with_other_seats
from sessions_app.models import Change, Command, Player
from tests.factories import record, season, table_in_play, totals
from tests.logins import logins, signed_in
from tests.reconciled import reconcile

OTHERS = ("Gus", "Hal", "Ivy", "Jo")


@pytest.fixture
def two(club, cast):
    """Two tables: Alice to Dave at the first, Gus, Hal, Ivy and Jo at the second, where two hands are recorded."""
    season(club)
    others = [Player.objects.create(club=club, full_name=name, short_name=name) for name in OTHERS]
    first, second = table_in_play(club, cast.all[:4]), table_in_play(club, others, number=2)
    # Gus, East, goes Mah-jong with 20 and stays East. Then Hal, South, with 64, which was a hand of the first table.
    record(second, totals(second, 1, seat1=20))
    body = {
        "hands": {"1": {"total": 8}, "2": {"total": 64}, "3": {"total": 4}, "4": {"total": 0}},
        "mahjong": {"by": "2", "from": "3"},
        "penalties": [{"kind": "misnamed discard", "by": "4", "to": "1"}],
    }
    return first, second, record(second, body).entry


@pytest.fixture
def client(club, two):
    return signed_in(logins(club)["scorekeeper"])


def at(club, table_session, name, key=None):
    return reverse(name, args=[club.slug, table_session.pk, *([key] if key else [])])


def nets(table_session):
    return {tally.player.name: tally.net for tally in table_session.tallies.select_related("player")}


def fields_of(page):
    context = page.context
    fields = {name: context[f"command_{name}"] for name in ("key", "after", "seats")}
    return fields | {"to": context["to"].pk, "version": context["entry"].version}


def moved(client, club, two):
    page = client.get(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk})
    return client.post(at(club, two[1], "hand-move", two[2]), fields_of(page))


# Hal, South, has 64: East pays 128 and the other two 64 each. The losers: Gus, East, has 4 more than Ivy and 8 more
# than Jo, doubled for East; Ivy has 4 more than Jo. The misnamed discard costs Jo 50.
GAINED = {"E": -128 + 8 + 16 + 50, "S": 256, "W": -64 - 8 + 4, "N": -64 - 16 - 4 - 50}
# Gus, East, had gone Mah-jong with 20: everyone paid 40, and the others have nothing between them.
BEFORE = {"Gus": 120, "Hal": -40, "Ivy": -40, "Jo": -40}
AT_FIRST = {"Alice": GAINED["E"], "Bob": GAINED["S"], "Carol": GAINED["W"], "Dave": GAINED["N"]}
NOTHING = dict.fromkeys(("Alice", "Bob", "Carol", "Dave"), 0)
AT_SECOND = {name: BEFORE[name] + gained for name, gained in zip(OTHERS, GAINED.values(), strict=True)}


def test_the_page_says_who_takes_whose_place_and_what_changes(client, club, two):
    assert nets(two[1]) == AT_SECOND
    hand = client.get(at(club, two[1], "hand", two[2])).content.decode()
    assert at(club, two[1], "hand-move", two[2]) in hand
    choice = client.get(at(club, two[1], "hand-move", two[2]))
    assert [other.pk for other in choice.context["tables"]] == [two[0].pk]
    context = client.get(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk}).context
    assert [(old, new) for _, _, old, new in context["winds"]] == [
        ("Gus", "Alice"),
        ("Hal", "Bob"),
        ("Ivy", "Carol"),
        ("Jo", "Dave"),
    ]
    [[there]], [[here]] = context["preview"]["rows"], context["without"]["rows"]
    assert {cell.name: cell.net for cell in there.cells} == AT_FIRST
    assert (there.word, there.number, here.word, here.number) == ("new", 1, "removed", 2)
    # Nothing is written before it is confirmed.
    assert (nets(two[0]), nets(two[1])) == (NOTHING, AT_SECOND)


def test_the_hand_is_moved_with_its_figures(client, club, two):
    answer = moved(client, club, two)
    assert answer.url == at(club, two[1], "table")
    assert "Hand 2 is now hand 1 of table 1." in client.get(answer.url).content.decode()
    assert (nets(two[0]), nets(two[1])) == (AT_FIRST, BEFORE)
    [hand] = two[0].entries.all()
    assert hand.body == {
        "hands": {"1": {"total": 8}, "2": {"total": 64}, "3": {"total": 4}, "4": {"total": 0}},
        "mahjong": {"by": "2", "from": "3"},
        "penalties": [{"kind": "misnamed discard", "by": "4", "to": "1"}],
    }
    assert reconcile() == []


def test_the_deal_passes_where_the_hand_belongs(client, club, two):
    moved(client, club, two)
    for table_session, east in zip(two[:2], ("Bob", "Gus"), strict=True):
        board = client.get(at(club, table_session, "table")).context["board"]
        assert board.names[board.done.seating.east] == east


def test_the_log_says_where_it_went_and_each_table_undoes_its_part(client, club, two):
    moved(client, club, two)
    logged = Change.objects.filter(why="Moved from table 2 to table 1").order_by("pk")
    assert [(change.session_id, change.action) for change in logged] == [(two[0].pk, "hand"), (two[1].pk, "take_out")]
    client.post(at(club, two[1], "undo"))
    assert (nets(two[0]), nets(two[1])) == (AT_FIRST, AT_SECOND)
    client.post(at(club, two[0], "undo"))
    assert (nets(two[0]), nets(two[1])) == (NOTHING, AT_SECOND)
    assert reconcile() == []


def test_a_hand_recorded_there_in_the_meantime_is_shown_first(client, club, two):
    page = client.get(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk})
    record(two[0], totals(two[0], 1, seat1=20))
    answer = client.post(at(club, two[1], "hand-move", two[2]), fields_of(page), follow=True)
    assert "Something has changed at table 1, so the hand was not moved." in answer.content.decode()
    assert answer.context["number"] == 2
    # Nothing is kept for anyone to choose, and nothing is removed.
    assert not Command.objects.waiting().exists()
    assert nets(two[1]) == AT_SECOND
    client.post(at(club, two[1], "hand-move", two[2]), fields_of(answer))
    # Alice, East, had 20 from each, doubled, before the hand of the second table.
    assert nets(two[0]) == {
        name: before + gained for (name, gained), before in zip(AT_FIRST.items(), BEFORE.values(), strict=True)
    }


def test_a_hand_changed_here_in_the_meantime_is_not_moved(client, club, two):
    page = client.get(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk})
    record(two[1], {"entry": two[2], "body": totals(two[1], 3, seat3=30)}, kind="correct")
    client.post(at(club, two[1], "hand-move", two[2]), fields_of(page))
    assert nets(two[0]) == NOTHING
    assert not Command.objects.waiting().exists()


def test_a_table_with_another_number_of_players_is_refused_in_words(client, club, cast, two):
    three = table_in_play(club, cast.all[:3], number=3)
    answer = client.get(at(club, two[1], "hand-move", two[2]), {"to": three.pk})
    assert answer.context["refused"] == (
        "This hand has four players, and table 3 has three. Enter the hand at table 3, then remove it here."
    )


def test_only_tables_in_play_that_day_by_the_same_rules_are_offered(client, club, cast, two):
    record(two[0], {}, kind="finish")
    table_in_play(club, cast.all[:4], number=3, practice=True)
    assert at(club, two[1], "hand-move", two[2]) not in client.get(at(club, two[1], "hand", two[2])).content.decode()
    page = client.get(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk})
    assert "No other table plays by the same rules just now." in page.content.decode()
    assert client.post(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk}).status_code == 422
    assert nets(two[1]) == AT_SECOND


def test_a_tablet_with_one_tables_code_moves_nothing_to_another(client, club, two):
    tablet = signed_in(None)
    tablet.get(reverse("by-key", args=[two[1].scoring_key]))
    assert at(club, two[1], "hand-move", two[2]) not in tablet.get(at(club, two[1], "hand", two[2])).content.decode()
    assert tablet.get(at(club, two[1], "hand-move", two[2])).status_code == 403
    assert tablet.post(at(club, two[1], "hand-move", two[2]), {"to": two[0].pk}).status_code == 403


def test_what_names_a_seat_in_a_hand_follows_and_nothing_else():
    body = {
        "hands": {"2": {"total": 1}, "4": {"sets": ["pung 1B"], "tiles": "2B 2B"}},
        "beside": {"2": {"total": 4}, "unsure": {"4": ["from"]}},
        "mahjong": [{"by": "4", "from": "wall", "tile": "2B"}, {"by": "2", "from": "4"}],
        "penalties": [{"kind": "fine", "by": "2", "to": None, "amount": 4}],
        "agreed": "2",
    }
    assert with_other_seats(body, {"2": "5", "4": "1"}) == {
        "hands": {"5": {"total": 1}, "1": {"sets": ["pung 1B"], "tiles": "2B 2B"}},
        "beside": {"5": {"total": 4}, "unsure": {"1": ["from"]}},
        "mahjong": [{"by": "1", "from": "wall", "tile": "2B"}, {"by": "5", "from": "1"}],
        "penalties": [{"kind": "fine", "by": "5", "to": None, "amount": 4}],
        "agreed": "",
    }
