"""The door: what each command does, its first answer, its refusals, and what it costs."""

import pytest
from django.db import IntegrityError

from sessions_app.exchange.exports.session_csv import session_hands_csv
from sessions_app.models import Change, Command, Entry, Hand, Payment, Player, Session
from sessions_app.people.log import Actor
from sessions_app.people.players import rename_player
from sessions_app.people.transactions import write_transaction
from sessions_app.table.carry_out import clean_command
from sessions_app.table.sessions import current_seating
from sessions_app.table.store import touch_session
from tests.afternoon import hand, nets, new_key, nobody, seating, send, totals
from tests.queries import assert_the_same_for_more_rows
from tests.reconciled import reconcile

pytestmark = pytest.mark.postgres


def counts():
    return (Entry.objects.count(), Hand.objects.count(), Command.objects.count(), Change.objects.count())


def test_a_hand_is_scored_and_paid(five):
    answer = send(five, "hand", totals("2", sat_out="5", s2=40, s3=10))
    assert (answer.outcome, answer.message) == ("recorded", "Hand 1: Bob, 40. Bob is East; Fay comes in.")
    assert nets(five) == {"Alice": -100, "Bob": 160, "Carol": -10, "Dave": -50, "Fay": 0}
    stored = Hand.objects.get()
    assert (stored.number, stored.kind, stored.wind_of_round, stored.east_stays) == (1, "won", "E", False)
    rows = list(
        stored.player_hands.order_by("seat__seat_no").values_list("seat__seat_no", "wind", "total", "won", "net")
    )
    assert rows == [
        (1, "E", 0, False, -100),
        (2, "S", 40, True, 160),
        (3, "W", 10, False, -10),
        (4, "N", 0, False, -50),
        (5, "", 0, False, 0),
    ]
    paid = Payment.objects.order_by("pk").values_list("payer__seat_no", "payee__seat_no", "amount", "why")
    assert list(paid) == [
        (1, 2, 80, "mah-jong"),
        (3, 2, 40, "mah-jong"),
        (4, 2, 40, "mah-jong"),
        (1, 3, 20, "difference"),
        (4, 3, 10, "difference"),
    ]


def test_tiles_are_scored_with_their_lines(four):
    body = {
        "hands": {
            "1": {"sets": ["exposed pung E", "concealed kong 5B"], "tiles": "1C 2C 4C 4C 9D", "bonus": "F1 S3"},
            "2": {"sets": ["exposed chow 2C", "exposed pung R"], "tiles": "7B 7B 7B 9B 9B 9B 3B 3B"},
            "3": {"points": 12, "doubles": 1},
            "4": {"total": 64},
        },
        "mahjong": {"by": "2", "tile": "9B", "from": "3"},
    }
    assert send(four, "hand", body).outcome == "recorded"
    assert nets(four) == {"Alice": 592, "Bob": 256, "Carol": -504, "Dave": -344}
    south = Hand.objects.get().player_hands.get(seat__seat_no=2)
    assert (south.points, south.doubles, south.times, south.total) == (32, 1, 2, 64)
    assert [line["name"] for line in south.lines][-2:] == ["Going Mah-jong", "Pung of dragons"]


def test_the_seats_move_on_and_the_sitter_comes_in_as_north(five):
    hand(five, "2", sat_out="5", s2=40)
    hand(five, "2", sat_out="1", seats="12345", s2=20)
    five.refresh_from_db()
    assert seating(five) == [(1, (5,)), (2, (1,))]
    assert (five.seating["winds"], five.seating["out"]) == ([2, 3, 4, 5], [1])


def test_the_same_command_again_has_the_first_answer_and_changes_nothing(four):
    key, body = new_key(), totals("2", s2=40)
    first = send(four, "hand", body, key=key)
    before = counts()
    again = send(four, "hand", body, key=key)
    assert (again.outcome, again.message, again.entry) == ("again", first.message, first.entry)
    assert counts() == before


def test_the_same_key_with_another_body_is_refused(four):
    key = new_key()
    send(four, "hand", totals("2", s2=40), key=key)
    before = counts()
    answer = send(four, "hand", totals("2", s2=50), key=key)
    assert answer.outcome == "refused"
    assert counts() == before
    assert nets(four)["Bob"] == 160


BAD = {
    "a tile that is none": ({"1": {"tiles": "1X"}, "2": {"total": 4}, "3": {}, "4": {}}, {"by": "2"}),
    "a negative total": ({"1": {"total": -4}, "2": {"total": 4}, "3": {}, "4": {}}, {"by": "2"}),
    "a total no hand can have": ({"1": {"total": 10**9}, "2": {"total": 4}, "3": {}, "4": {}}, {"by": "2"}),
    "nobody's hand": ({"1": {}, "2": {"total": 4}, "3": {}}, {"by": "2"}),
    "a stranger's hand": ({"1": {}, "2": {"total": 4}, "3": {}, "9": {}}, {"by": "2"}),
    "a stranger wins": ({"1": {}, "2": {"total": 4}, "3": {}, "4": {}}, {"by": "9"}),
    "a winner who discards": ({"1": {}, "2": {"total": 4}, "3": {}, "4": {}}, {"by": "2", "from": "2"}),
    "words for a winner": ({"1": {}, "2": {"total": 4}, "3": {}, "4": {}}, "Bob"),
    "a list for a winner": ({"1": {}, "2": {"total": 4}, "3": {}, "4": {}}, {"by": ["2"]}),
    "hands in a list": ([{}, {}, {}, {}], {"by": "2"}),
    "words for hands": ({"1": "none", "2": {"total": 4}, "3": {}, "4": {}}, {"by": "2"}),
}


@pytest.mark.parametrize("what", BAD)
def test_a_hand_that_cannot_be_scored_leaves_nothing_behind(four, what):
    before = counts()
    hands, mahjong = BAD[what]
    answer = send(four, "hand", {"hands": hands, "mahjong": mahjong})
    assert answer.outcome == "invalid"
    assert answer.message.endswith(".")
    assert counts() == before


def test_a_fifth_copy_names_what_to_mend(four):
    hands = {"1": {"tiles": "5B 5B 5B"}, "2": {"total": 20}, "3": {"tiles": "5B 5B"}, "4": {}}
    answer = send(four, "hand", {"hands": hands, "mahjong": {"by": "2"}})
    assert answer.outcome == "invalid"
    assert "5" in answer.message
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    "command",
    [
        {"kind": "hand", "body": {}},
        {"key": "no key", "kind": "hand", "body": {}},
        {"key": new_key(), "kind": "explode", "body": {}},
        {"key": new_key(), "kind": "note", "body": {"text": "\u0000"}},
        {"key": new_key(), "kind": "note", "body": {"text": "\ud800"}},
        {"key": new_key(), "kind": "note", "body": {"text": "x" * 200_000}},
        {"key": new_key(), "kind": "note", "body": ["text"]},
        {"key": new_key(), "kind": "fine", "body": {"by": "1", "amount": float("nan")}},
        {"key": new_key(), "kind": "note", "body": {"text": "x"}, "after": "what"},
    ],
)
def test_a_command_that_cannot_be_read(four, command, secretary):
    from_outside = {"device": "", **command}
    answer = send(four, from_outside["kind"], from_outside["body"], key=command.get("key", "none"),
                  after=command.get("after"))  # fmt: skip
    assert answer.outcome == "invalid"
    assert Command.objects.count() == 0


def test_correcting_a_hand_moves_the_seats_of_those_after_it(five):
    first = hand(five, "1", sat_out="5", s1=40)
    hand(five, "1", sat_out="5", s1=20)
    answer = send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    assert answer.message.startswith("Hand 1 is changed: Bob, 40, not Alice. 1 other hand changed.")
    assert Hand.objects.get(number=2).seating["winds"][0] == 2
    sentence = "is not playing in this hand but has tiles entered, and"
    assert Hand.objects.get(number=2).question.startswith(f"{{1}} {sentence} {{5}} has none. Correct who sat where")


def test_a_hand_with_a_question_keeps_its_result_until_the_seating_is_corrected(five):
    first = hand(five, "1", sat_out="5", s1=40)
    second = hand(five, "1", sat_out="5", s1=20)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    assert nets(five) == {"Alice": -80 + 120, "Bob": 160 - 40, "Carol": -40 - 40, "Dave": -40 - 40, "Fay": 0}
    body = {"winds": {"E": "1", "S": "2", "W": "3", "N": "4"}, "out": ["5"]}
    answer = send(five, "insert", {"before": second, "kind": "seating", "body": body})
    assert (answer.outcome, answer.message) == (
        "recorded",
        "The entry is added. 1 hand changed. Alice is East; Bob comes in.",
    )
    assert [stored.question for stored in Hand.objects.all()] == ["", ""]
    assert seating(five) == [(1, (5,)), (1, (5,))]


def test_a_hand_open_to_question_is_mended_by_correcting_it(five):
    first = hand(five, "1", sat_out="5", s1=40)
    second = hand(five, "1", sat_out="5", s1=20)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    wrong = send(five, "correct", {"entry": second, "body": totals("2", sat_out="5", s2=20)})
    assert wrong.outcome == "invalid"
    right = totals("2", seats="2345", s2=20)
    assert send(five, "correct", {"entry": second, "body": right}).outcome == "recorded"
    assert Hand.objects.get(number=2).question == ""
    assert nets(five) == {"Alice": -80, "Bob": 160 + 120, "Carol": -80, "Dave": -80, "Fay": -40}


def test_undoing_gives_back_the_very_result_that_stood(five):
    first = hand(five, "1", sat_out="5", s1=40)
    second = hand(five, "1", sat_out="5", s1=20)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    stood = nets(five)
    send(five, "correct", {"entry": second, "body": totals("2", seats="2345", s2=20)})
    send(five, "undo")
    assert nets(five) == stood
    assert Hand.objects.get(number=2).question != ""
    assert reconcile() == []


def test_an_inserted_hand_takes_its_number(four):
    first = hand(four, "1", s1=40)
    second = hand(four, "1", s1=20)
    answer = send(four, "insert", {"before": second, "kind": "hand", "body": totals("1", s1=10)})
    assert (answer.outcome, answer.message) == ("recorded", "Hand 2 is added: Alice, 10.")
    numbers = {str(stored.entry.key): stored.number for stored in Hand.objects.select_related("entry")}
    assert numbers == {first: 1, answer.entry: 2, second: 3}


def test_many_lines_fit_between_two(four):
    hand(four, "1", s1=40)
    last = hand(four, "1", s1=20)
    for _ in range(14):
        assert send(four, "insert", {"before": last, "kind": "hand", "body": totals("1", s1=10)}).outcome == "recorded"
    assert [stored.number for stored in Hand.objects.all()] == list(range(1, 17))
    assert str(Entry.objects.last().key) == last
    assert Hand.objects.get(entry__key=last).number == 16


def test_taken_out_and_put_back(four):
    first = hand(four, "2", s2=40)
    hand(four, "2", s2=20)
    before = nets(four)
    assert send(four, "take_out", {"entry": first}).message == "Hand 1 is removed. 1 other hand changed."
    assert nets(four) == {"Alice": -40, "Bob": 80, "Carol": -20, "Dave": -20}
    assert [(stored.number, stored.seating["winds"][0]) for stored in Hand.objects.all()] == [(1, 1)]
    assert send(four, "take_out", {"entry": first}).outcome == "invalid"
    answer = send(four, "put_back", {"entry": first})
    assert (answer.message, answer.outcome) == ("Hand 1 is restored: Bob, 40. 1 other hand changed.", "recorded")
    assert nets(four) == before
    assert send(four, "put_back", {"entry": first}).outcome == "invalid"


def test_leaving_and_coming_back(five, cast):
    assert send(five, "leave", {"seat": "1"}).message == "Alice has left the table. Fay comes in as East."
    five.refresh_from_db()
    assert (five.seating["winds"], five.seating["out"]) == ([5, 2, 3, 4], [])
    answer = send(five, "arrive", {"player": cast.alice.pk})
    assert (answer.outcome, answer.message) == ("recorded", "Alice is at the table. Alice sits out.")
    five.refresh_from_db()
    assert (five.seating["winds"], five.seating["out"]) == ([5, 2, 3, 4], [1])
    assert five.seats.count() == 5


def test_a_newcomer_has_the_next_number(four, cast):
    assert send(four, "arrive", {"player": cast.fay.pk}).outcome == "recorded"
    seat = four.seats.get(player=cast.fay)
    assert (seat.seat_no, seat.at_start) == (5, False)
    assert four.tallies.get(seat=seat).balance == 2000


def test_another_clubs_player_cannot_come(four, cast):
    answer = send(four, "arrive", {"player": cast.eve.pk})
    assert (answer.outcome, answer.message) == ("invalid", "Choose a player from the club’s list.")
    assert four.seats.count() == 4


def test_those_who_cannot_leave_are_named(club, four):
    send(four, "leave", {"seat": "1"})
    answer = send(four, "leave", {"seat": "2"})
    assert (answer.outcome, answer.message) == (
        "invalid",
        "A table needs three players: Bob cannot leave while only three play.",
    )


def test_two_who_sat_the_other_way_round_keep_their_hands(four):
    first = hand(four, "2", s2=40, s1=8)
    assert nets(four)["Alice"] == -80 + 16 + 16
    answer = send(four, "exchange", {"a": "1", "b": "2", "entry": first})
    assert (answer.outcome, answer.message) == ("recorded", "Alice and Bob have swapped seats. 1 hand changed.")
    assert [stored.seating["winds"] for stored in Hand.objects.all()] == [[2, 1, 3, 4]]
    assert nets(four) == {"Alice": -80 + 8 + 8, "Bob": 240, "Carol": -80 - 8, "Dave": -80 - 8}


def test_it_was_not_alice_but_fay(four, cast):
    hand(four, "1", s1=40)
    answer = send(four, "change_player", {"seat": "1", "player": cast.fay.pk})
    assert answer.outcome == "recorded"
    assert nets(four) == {"Fay": 240, "Bob": -80, "Carol": -80, "Dave": -80}
    assert send(four, "change_player", {"seat": "1", "player": cast.bob.pk}).outcome == "invalid"
    send(four, "undo")
    assert nets(four)["Alice"] == 240


def test_a_fine_outside_a_hand(four):
    answer = send(four, "fine", {"by": "1", "to": "2", "amount": 30, "why": "Late"})
    assert answer.message == "Alice pays a penalty of 30 to Bob."
    send(four, "fine", {"by": "1", "to": None, "amount": 20})
    assert nets(four) == {"Alice": -50, "Bob": 30, "Carol": 0, "Dave": 0}
    tally = four.tallies.get(seat__seat_no=1)
    assert (tally.gained, tally.lost, tally.hands, tally.balance) == (0, -50, 0, 1950)
    send(four, "take_out", {"entry": answer.entry})
    assert nets(four) == {"Alice": -20, "Bob": 0, "Carol": 0, "Dave": 0}
    assert Payment.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {"by": "1", "to": "1", "amount": 30}, {"by": "9", "amount": 30}, {"by": "1", "amount": 0},
        {"by": "1", "amount": 2.5}, {"by": "1", "amount": True}, {"amount": 30}, {"by": "1", "amount": 10**12},
    ],
)  # fmt: skip
def test_a_fine_that_cannot_be(four, body):
    assert send(four, "fine", body).outcome == "invalid"
    assert Entry.objects.count() == 0


def test_a_drawn_hand_counts_as_played_and_a_void_one_does_not(four):
    send(four, "hand", nobody())
    send(four, "hand", {"hands": {}, "mahjong": None, "penalties": [{"kind": "false mahjong", "by": "3"}]})
    assert [(stored.kind, stored.goulash) for stored in Hand.objects.all()] == [("drawn", False), ("void", True)]
    four.refresh_from_db()
    assert four.seating["goulash"] is True
    assert nets(four) == {"Alice": 500, "Bob": 500, "Carol": -1500, "Dave": 500}
    assert {tally.hands for tally in four.tallies.all()} == {1}


def test_no_name_is_kept_in_the_register(four):
    key = new_key()
    assert send(four, "leave", {"seat": "1"}, key=key).message == "Alice has left the table. Bob is East."
    assert "Alice" not in str(Command.objects.get(key=key).answer)
    rename_player(Player.objects.get(full_name="Alice"), "Alison Brown", by=type("By", (), {"user": None, "name": "x"}))
    assert send(four, "leave", {"seat": "1"}, key=key).message == "Alison has left the table. Bob is East."


def test_a_session_brought_along_as_totals_has_no_hands(four):
    Session.objects.filter(pk=four.pk).update(imported=True)
    assert send(four, "hand", totals("2", s2=40)).outcome == "invalid"


def test_recording_costs_the_same_at_any_length(four):
    def record(rows=1):
        for _ in range(rows):
            hand(four, "1", s1=8)

    # Two of them are the savepoint of the test.
    assert_the_same_for_more_rows(record, record, 15)


def test_a_refused_write_undoes_those_before_it(four):
    entry = Entry.objects.get(key=hand(four, "1", s1=8))
    version = Session.objects.get(pk=four.pk).version
    nothing_paid = Payment(session=four, entry=entry, payer=four.seats.first(), amount=0, why="fine")

    def write():
        with write_transaction():
            touch_session(four)
            Payment.objects.bulk_create([nothing_paid])

    with pytest.raises(IntegrityError):
        write()
    assert Session.objects.get(pk=four.pk).version == version


def test_texts_no_database_can_hold_are_taken_without_what_cannot_be_kept():
    sent = {"key": new_key(), "kind": "note", "body": {"text": "x"}, "why": "a\0b\ud800c", "device": "\0"}
    kept = clean_command({**sent, "seats": {"E": "1\0"}})
    assert (kept["why"], kept["device"], kept["seats"]) == ("ab?c", "", {"E": "1"})


def test_a_false_mahjong_is_void_in_whatever_letters_it_is_written(four):
    body = {"hands": {}, "mahjong": None, "penalties": [{"kind": " False Mahjong ", "by": "3"}]}
    assert send(four, "hand", body).outcome == "recorded"
    assert Hand.objects.get().kind == "void"
    assert nets(four) == {"Alice": 500, "Bob": 500, "Carol": -1500, "Dave": 500}
    four.refresh_from_db()
    assert current_seating(four).goulash is False


def test_braces_in_a_name_or_a_hand_are_no_seat(four):
    rename_player(Player.objects.get(full_name="Bob"), "{1}", "{1}", by=Actor())
    bob = Player.objects.get(full_name="{1}")
    taken = send(four, "change_player", {"seat": "1", "player": bob.pk})
    assert (taken.outcome, taken.message) == ("invalid", "{1} already has a seat at this table.")
    body = {"hands": {"1": {"sets": ["exposed pung {2}"]}, **{seat: {"total": 0} for seat in "234"}},
            "mahjong": {"by": "1"}}  # fmt: skip
    wrong = send(four, "hand", body)
    assert (wrong.outcome, wrong.message) == ("invalid", "East's set has an unknown tile: {2}.")
    left = send(four, "leave", {"seat": "2"})
    assert (left.outcome, left.message) == ("recorded", "{1} has left the table.")
    refused = send(four, "leave", {"seat": "1"})
    assert refused.message == "A table needs three players: Alice cannot leave while only three play."


def test_a_question_names_the_players_in_the_csv_too(five):
    first = hand(five, "1", sat_out="5", s1=40)
    hand(five, "1", sat_out="5", s1=20)
    send(five, "correct", {"entry": first, "body": totals("2", sat_out="5", s2=40)})
    sentence = "Alice is not playing in this hand but has tiles entered, and Fay has none."
    assert sentence in session_hands_csv(five)
