"""The replay: any series of corrections equals the same afternoon entered right the first time."""

import itertools
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubscore.scoring.rotation import SeatingState
from sessions_app.models import Club, Entry, Hand, Payment, Player, PlayerHand, Tally
from sessions_app.people.log import Actor
from sessions_app.table.carry_out import preview_command
from sessions_app.table.reconcile import survey
from sessions_app.table.sessions import current_seating, start_session
from tests.afternoon import hand, nets, nobody, send, totals
from tests.conftest import AFTERNOON
from tests.queries import assert_the_same_for_more_rows, at_most
from tests.reconciled import reconcile
from tests.share import share_of

pytestmark = pytest.mark.slow

BY = Actor(name="tablet at table 1")


TILES = [
    {"tiles": "1C 2C 3C 4C"},
    {"sets": ["exposed pung 7B"], "bonus": "F1"},
    {"sets": ["concealed kong E"], "tiles": "9D 9D"},
    {},
]


WINNING = {"sets": ["exposed pung 2D", "concealed pung 4D", "exposed pung 6D", "concealed pung 8D", "pair 9C"]}


FORMS = st.one_of(
    st.integers(0, 200).map(lambda half: {"total": 2 * half}),
    st.tuples(st.integers(0, 60), st.integers(0, 4)).map(lambda pair: {"points": 2 * pair[0], "doubles": pair[1]}),
    st.sampled_from(TILES[3:]),
)


def declared(data, chairs):
    """Draw a hand for those who sit in these chairs: by figures, by tiles, from the wall or a discard, or nobody."""
    seats = [str(seat) for seat in chairs.seated.values()]
    if data.draw(st.integers(0, 5)) == 0:
        return {"hands": {}, "mahjong": None}
    winner = data.draw(st.sampled_from(seats))
    hands = {seat: data.draw(FORMS) for seat in seats}
    if data.draw(st.booleans()):
        hands = {seat: form for seat, form in zip(seats, itertools.cycle(TILES), strict=False)}
        hands[winner] = WINNING
        mahjong = {"by": winner, "tile": "8D", "from": "wall"}
    else:
        hands[winner] = {"total": 2 * data.draw(st.integers(10, 200))}
        mahjong = {"by": winner, "from": data.draw(st.sampled_from([seat for seat in seats if seat != winner]))}
    return {"hands": hands, "mahjong": mahjong}


def derived(session):
    """Everything derived of a session, by seat numbers and places in the ledger; without ids and versions."""
    session.refresh_from_db()
    columns = ("number", "wind_of_round", "goulash", "kind", "seating", "east_stays", "next_is_goulash", "question")
    owns = ("hand__number", "seat__seat_no", "wind", "points", "doubles", "times", "total", "limited", "special", "won",
            "lines", "net")  # fmt: skip
    paid = ("entry__hand__number", "payer__seat_no", "payee__seat_no", "amount", "why")
    tally = ("seat__seat_no", "player__full_name", "hands", "won", "gained", "lost", "net", "balance", "best_hand")
    return {
        "chairs": session.seating,
        "hands": list(Hand.objects.filter(session=session).order_by("number").values_list(*columns)),
        "rows": sorted(PlayerHand.objects.filter(hand__session=session).values_list(*owns), key=str),
        "payments": sorted(Payment.objects.filter(session=session).values_list(*paid), key=str),
        "tallies": list(Tally.objects.filter(session=session).order_by("seat__seat_no").values_list(*tally)),
    }


class AnyAfternoon(TestCase):
    """Play an afternoon with mistakes and mend them; then enter the ledger that resulted, right the first time."""

    def setUp(self):
        self.club = Club.objects.create(name="Bramley", slug="bramley")
        names = ["Alice", "Bob", "Carol", "Dave", "Fay", "Gus"]
        self.players = [Player.objects.create(club=self.club, full_name=name, short_name=name) for name in names]

    def start(self, data):
        count = data.draw(st.integers(3, 5), label="players")
        rules = data.draw(st.sampled_from(["bmja", "u3a"]), label="rules")
        return start_session(self.club, AFTERNOON, 1, self.players[:count], rules, {}, by=BY)

    @settings(max_examples=share_of(25))
    @given(st.data())
    def test_corrections_equal_the_afternoon_entered_right_the_first_time(self, data):
        session = self.start(data)
        steps = [self.record, self.record, self.record, self.correct, self.insert, self.take_out, self.come, self.go,
                 self.undo, self.fine, self.exchange]  # fmt: skip
        for _ in range(data.draw(st.integers(3, 12), label="steps")):
            data.draw(st.sampled_from(steps))(session, data)
        self.check(session)
        self.mend(session, data)
        self.check(session)
        assert survey().questions == []
        assert derived(session) == derived(self.entered_again(session))

    def check(self, session):
        assert reconcile() == []
        assert sum(Tally.objects.filter(session=session).values_list("net", flat=True)) == 0
        for stored in Hand.objects.filter(session=session):
            assert sum(stored.player_hands.values_list("net", flat=True)) == 0

    def record(self, session, data):
        session.refresh_from_db()
        answer = send(session, "hand", declared(data, current_seating(session)))
        assert answer.outcome == "recorded", answer

    def hands(self, session):
        return list(Hand.objects.filter(session=session).select_related("entry"))

    def correct(self, session, data):
        self.at_some_hand(session, data, lambda key, body: send(session, "correct", {"entry": key, "body": body}))

    def insert(self, session, data):
        self.at_some_hand(
            session, data, lambda key, body: send(session, "insert", {"before": key, "kind": "hand", "body": body})
        )

    def at_some_hand(self, session, data, write):
        hands = self.hands(session)
        if not hands:
            return
        chosen = data.draw(st.sampled_from(hands), label="which hand")
        body = declared(data, SeatingState.from_dict(chosen.seating))
        assert write(str(chosen.entry.key), body).outcome == "recorded"

    def take_out(self, session, data):
        hands = self.hands(session)
        if hands:
            chosen = data.draw(st.sampled_from(hands), label="taken out")
            assert send(session, "take_out", {"entry": str(chosen.entry.key)}).outcome == "recorded"
            if data.draw(st.booleans(), label="put back at once"):
                assert send(session, "undo").outcome == "recorded"

    def come(self, session, data):
        send(session, "arrive", {"player": data.draw(st.sampled_from(self.players)).pk})

    def go(self, session, data):
        session.refresh_from_db()
        send(session, "leave", {"seat": str(data.draw(st.sampled_from(current_seating(session).at_table)))})

    def fine(self, session, data):
        send(session, "fine", {"by": "1", "to": "2", "amount": data.draw(st.integers(1, 50))})

    def exchange(self, session, data):
        session.refresh_from_db()
        a, b = data.draw(st.permutations(current_seating(session).at_table))[:2]
        send(session, "exchange", {"a": str(a), "b": str(b)})

    def undo(self, session, data):
        before = derived(session)
        if send(session, "undo").outcome == "recorded" and data.draw(st.booleans()):
            assert send(session, "redo").outcome == "recorded"
            assert derived(session) == before

    def mend(self, session, data):
        """Do what a scorekeeper does about each hand open to question: enter it for those who sat there."""
        for key in list(session.entries.filter(removed=False).values_list("key", flat=True)):
            stored = Hand.objects.filter(entry__session=session, entry__key=key).exclude(question="").first()
            if stored:
                body = declared(data, SeatingState.from_dict(stored.seating))
                assert send(session, "correct", {"entry": str(key), "body": body}).outcome == "recorded"
        for sentence in survey().questions:
            self.take_out_misfits(session, sentence)

    def take_out_misfits(self, session, sentence):
        """Take out who came or left where that can no longer be, one after another."""
        for entry in list(session.entries.filter(removed=False).exclude(kind__in=["hand", "fine"])):
            if not any("please check" in found for found in survey().questions):
                return
            assert send(session, "take_out", {"entry": str(entry.key)}).outcome == "recorded"
            self.mend_hands_only(session)

    def mend_hands_only(self, session):
        for stored in Hand.objects.filter(session=session).exclude(question="").select_related("entry"):
            send(session, "correct", {"entry": str(stored.entry.key), "body": nobody()})

    def entered_again(self, session):
        """Enter the lines that stand, in order, into a new session; people keep their seat numbers."""
        seats = list(session.seats.select_related("player").order_by("seat_no"))
        first = [seat.player for seat in seats if seat.at_start]
        again = start_session(self.club, AFTERNOON, 2, first, session.rules, {}, by=BY)
        player = {str(seat.seat_no): seat.player for seat in seats}
        for seat in seats[len(first) :]:
            self.seat_without_coming(again, seat)
        for entry in session.entries.filter(removed=False).order_by("position"):
            body = {"player": player[entry.body["seat"]].pk} if entry.kind == "arrive" else entry.body
            answer = send(again, entry.kind, body)
            assert answer.outcome == "recorded", answer
        return again

    def seat_without_coming(self, again, seat):
        """A seat whose arrival may have been taken out keeps its number, as it does in the session itself."""
        again.seats.create(club=self.club, player=seat.player, seat_no=seat.seat_no, at_start=False)


def test_results_that_did_not_change_are_not_written_again(four):
    for _ in range(3):
        hand(four, "1", s1=8)
    versions = dict(Hand.objects.values_list("number", "version"))
    rows = set(PlayerHand.objects.filter(hand__number__lt=3).values_list("pk", flat=True))
    last = Hand.objects.get(number=3).entry.key
    send(four, "correct", {"entry": str(last), "body": totals("1", s1=10)})
    assert dict(Hand.objects.values_list("number", "version")) == {**versions, 3: 2}
    assert set(PlayerHand.objects.filter(hand__number__lt=3).values_list("pk", flat=True)) == rows


def test_tiles_stay_with_the_person_and_are_scored_by_the_new_wind(four):
    first = hand(four, "1", s1=8)
    pung_of_south_winds = {"sets": ["concealed pung S"]}
    body = {"hands": {"1": {}, "2": pung_of_south_winds, "3": {"total": 20}, "4": {}}, "mahjong": {"by": "3"}}
    second = send(four, "hand", body).entry
    own = PlayerHand.objects.get(hand__entry__key=second, seat__seat_no=2)
    assert (own.wind, own.total) == ("S", 16)
    send(four, "correct", {"entry": first, "body": totals("2", s2=8)})
    own = PlayerHand.objects.get(hand__entry__key=second, seat__seat_no=2)
    assert (own.wind, own.total) == ("E", 8)


def test_a_hand_the_rules_no_longer_allow_is_open_to_question(four):
    first = hand(four, "1", s1=8)
    heavens_blessing = {
        "sets": ["concealed pung 2D", "concealed pung 4D", "concealed pung 6D", "concealed pung 8D", "pair 9C"]
    }
    mahjong = {"by": "1", "tile": "8D", "from": "wall", "dealt": True}
    send(four, "hand", {"hands": {"1": heavens_blessing, "2": {}, "3": {}, "4": {}}, "mahjong": mahjong})
    before = nets(four)
    assert before["Alice"] == 48 + 6000
    answer = send(four, "correct", {"entry": first, "body": totals("2", s2=8)})
    assert answer.outcome == "recorded"
    assert Hand.objects.get(number=2).question != ""
    assert nets(four)["Alice"] == -16 + 6000


def test_a_hand_that_an_older_edition_took_keeps_its_result_when_an_earlier_one_is_corrected(four):
    """Exposed sets beside "with the tiles as dealt" were taken until 26 November 2026."""
    first = hand(four, "1", s1=8)
    second = hand(four, "1", s1=100, s2=20)
    before = nets(four)
    exposed = {"sets": ["exposed pung 2D", "concealed pung 4D", "concealed pung 6D", "concealed pung 8D", "pair 9C"]}
    dealt = {"by": "1", "tile": "8D", "from": "wall", "dealt": True}
    entry = Entry.objects.get(key=second)
    Entry.objects.filter(pk=entry.pk).update(body={"hands": {**entry.body["hands"], "1": exposed}, "mahjong": dealt})
    Hand.objects.filter(number=2).update(edition=1)
    send(four, "correct", {"entry": first, "body": totals("2", s2=8)})
    kept = Hand.objects.get(number=2)
    assert kept.edition == 1
    assert "with the tiles as dealt" in kept.question
    # What the first hand gave is another, what the second gave is not: 8 from Alice, who is East, twice.
    assert nets(four)["Alice"] == before["Alice"] - 48 - 16


def test_a_preview_says_what_the_correction_then_does(five):
    first = hand(five, "1", sat_out="5", s1=40)
    hand(five, "1", sat_out="5", s1=20)
    command = {"key": str(uuid.uuid4()), "kind": "correct", "body": {
        "entry": first, "body": totals("2", sat_out="5", s2=40)}}  # fmt: skip
    before = derived(five)
    preview = preview_command(five.pk, command)
    assert derived(five) == before
    assert [(row.number, row.east, row.sits_out, row.question) for row in preview.before] == [
        (1, "Alice", "Fay", ""), (2, "Alice", "Fay", "")]  # fmt: skip
    assert [(row.number, row.east, row.sits_out, bool(row.question)) for row in preview.after] == [
        (1, "Alice", "Fay", False), (2, "Bob", "Alice", True)]  # fmt: skip
    assert preview.after[0].nets == {1: -80, 2: 160, 3: -40, 4: -40, 5: 0}
    assert preview.after[1].running == {1: 1640, 2: 1720, 3: 1520, 4: 1520, 5: 1600}
    assert [row.number for row in preview.questions] == [2]
    assert preview.changes[0] == "Hand 2: Bob is East, not Alice; Alice sits out."
    sentence = "is not playing in this hand but has tiles entered, and"
    assert f"Please check hand 2: Alice {sentence} Fay has none" in preview.changes[1]
    send(five, "correct", command["body"])
    assert {seat: account.net for seat, account in preview.tallies_after.items()} == {
        tally.seat.seat_no: tally.net for tally in five.tallies.select_related("seat")
    }


def test_a_preview_of_what_cannot_be_says_why(four):
    first = hand(four, "1", s1=40)
    body = totals("2", s2=40)
    body["hands"]["2"] = {"total": -2}
    preview = preview_command(
        four.pk, {"key": str(uuid.uuid4()), "kind": "correct", "body": {"entry": first, "body": body}}
    )
    assert preview.after == []
    assert preview.message.endswith(".")
    assert len(preview.before) == 1


def test_previewing_writes_nothing(four):
    first = hand(four, "1", s1=40)
    command = {"key": str(uuid.uuid4()), "kind": "take_out", "body": {"entry": first}}
    with at_most(4) as queries:
        preview_command(four.pk, command)
    assert {query["sql"].split()[0] for query in queries.captured_queries} == {"SELECT"}


def test_correcting_the_first_of_many_hands_costs_a_fixed_number_of_queries(four):
    def grow(rows):
        for _ in range(rows):
            four.refresh_from_db()
            hand(four, str(four.seating["winds"][2]), s2=8, s3=6)

    def correct():
        answer = send(four, "correct", {"entry": first, "body": totals("3", s3=next(scores))})
        assert answer.outcome == "recorded"

    first, scores = hand(four, "1", s1=40), iter((10, 20, 30, 40))
    assert_the_same_for_more_rows(grow, correct, 16)
    assert [Hand.objects.filter(entry__key=first).count(), Hand.objects.count()] == [1, 32]
    assert reconcile() == []
