"""A paper sheet: what is asked for, where the sheet's totals part from ours, and recording it through the door."""

import json
import uuid

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer as engine_answer
from sessions_app.models import Command
from sessions_app.table.paper import paper_table, work_out
from tests.factories import record, table_in_play, totals
from tests.logins import logins, signed_in
from tests.queries import at_most

JSON = {"Accept": "application/json"}


@pytest.fixture
def keeper(club):
    return signed_in(logins(club)["scorekeeper"])


@pytest.fixture
def four(club, cast):
    return table_in_play(club, cast.all[:4], starting_balance=2000)


@pytest.fixture
def five(club, cast):
    return table_in_play(club, cast.all, starting_balance=1600)


def address(table_session, name="paper"):
    return reverse(name, args=[table_session.club.slug, table_session.pk])


def line(at, scores, winner, sheet=None, key=None):
    """Make the fields of a line; `scores` and `sheet` by seat number. What winners score is meant."""
    fields = {"meant": "1", f"key_{at}": key or str(uuid.uuid4()), f"winner_{at}": winner}
    fields |= {f"total_{at}_{seat}": str(score) for seat, score in scores.items()}
    return fields | {f"sheet_{at}_{seat}": str(total) for seat, total in (sheet or {}).items()}


def by_seat(*scores):
    return dict(enumerate(scores, 1))


def balances(table_session):
    return [seat.tally.balance for seat in table_session.seats.select_related("tally").order_by("seat_no")]


def check(keeper, table_session, **fields):
    return keeper.post(address(table_session, "paper-check"), fields).json()


def said(answer, *kinds):
    """Return what is said of the lines; of some kinds alone where they are named."""
    rows = [one for row in answer["rows"] for one in row["said"]]
    return [one["words"] for one in rows if not kinds or one["kind"] in kinds]


def test_a_sheet_without_script_is_recorded_line_by_line(keeper, four):
    first, second = uuid.uuid4(), uuid.uuid4()
    posted = line(1, by_seat(40, 0, 0, 0), "E", key=first) | line(2, by_seat(0, 0, 20, 0), "Carol", key=second)
    response = keeper.post(address(four), posted)
    assert (response.status_code, response.url) == (302, reverse("table", args=["bramley", four.pk]))
    # Alice is East and wins 40: 80 from each, and stays. Carol (West) wins 20: 40 from East, 20 from the others.
    assert balances(four) == [2000 + 240 - 40, 2000 - 80 - 20, 2000 - 80 + 80, 2000 - 80 - 20]
    assert [str(entry.key) for entry in four.entries.order_by("position")] == [str(first), str(second)]


def test_the_same_sheet_sent_again_records_nothing_twice(keeper, four):
    posted = line(1, by_seat(40, 0, 0, 0), "1") | line(2, by_seat(0, 0, 20, 0), "3") | line(3, {}, "D")
    first = keeper.post(address(four), posted, headers=JSON)
    assert first.json() == {"to": reverse("table", args=["bramley", four.pk])}
    once = balances(four)
    assert keeper.post(address(four), posted, headers=JSON).status_code == 200
    assert (balances(four), four.hands.count()) == (once, 3)


def test_a_sheet_sent_again_with_a_line_more_goes_on_where_it_stopped(keeper, four):
    posted = line(1, by_seat(0, 40, 0, 0), "2")
    keeper.post(address(four), posted)
    answer = keeper.post(address(four), posted | line(2, by_seat(0, 40, 0, 0), "2"), headers=JSON)
    assert answer.status_code == 200
    # Bob wins as South, 80 from East and 40 each, then as East, 80 from each.
    assert balances(four) == [2000 - 80 - 80, 2000 + 160 + 240, 2000 - 40 - 80, 2000 - 40 - 80]


def test_a_row_changed_after_it_was_recorded_is_refused_with_a_sentence(keeper, four):
    key = str(uuid.uuid4())
    keeper.post(address(four), line(1, by_seat(0, 40, 0, 0), "2", key=key))
    answer = keeper.post(address(four), line(1, by_seat(0, 44, 0, 0), "2", key=key), headers=JSON)
    assert (answer.status_code, four.hands.count()) == (422, 1)
    assert said(answer.json()) == [
        "Hand 1: this hand was already saved. Clear this row, then change the hand on its own page."
    ]


def test_up_to_the_first_refused_is_recorded_and_the_rest_stays_on_the_page(keeper, four):
    key = str(uuid.uuid4())
    record(four, totals(four, 1, seat1=8), key=key)
    sent = {"after": key} | line(1, by_seat(8, 0, 0, 0), "1") | line(2, by_seat(9000000, 0, 0, 0), "1")
    sent |= line(3, by_seat(0, 4, 0, 0), "2")
    response = keeper.post(address(four), sent, headers=JSON)
    assert response.status_code == 422
    answer = response.json()
    assert answer["recorded"] == "1 hand is recorded."
    assert answer["page"]["number"] == 3
    assert [row["key"] for row in answer["rows"]] == [sent["key_2"], sent["key_3"]]
    assert answer["rows"][0]["said"][-1] == {
        "kind": "problem",
        "words": "Hand 3: This total is too high for any hand.",
        "name": "winner",
        "seat": "",
    }
    assert four.hands.count() == 2


def test_a_hand_recorded_elsewhere_since_is_not_passed_over(keeper, four):
    key = str(uuid.uuid4())
    record(four, totals(four, 1, seat1=8), key=key)
    record(four, totals(four, 1, seat1=16))
    response = keeper.post(address(four), {"after": key} | line(1, by_seat(28, 0, 0, 0), "1"), headers=JSON)
    assert response.status_code == 422
    assert said(response.json()) == [
        "Hand 3: Someone else has already saved this hand. Both versions are kept. Choose which one to use."
    ]
    assert Command.objects.filter(session=four, outcome="contested").count() == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (line(1, by_seat(8, "", 0, 0), "E"), "Hand 1: enter Bob’s score. If it was nothing, enter 0."),
        (line(1, by_seat(8, 0, 0, 0), ""), "Hand 1: say who went Mah-jong, or that nobody did."),
        (
            line(1, by_seat(8, 0, 0, 0), "X"),
            "Hand 1: “X” is not playing in this hand. Enter E, S, W or N, or D for nobody.",
        ),
        (
            line(1, by_seat(8, "1o", 0, 0), "E"),
            "Hand 1: “1o” is not a whole number. Enter Bob’s score in figures, for example 64.",
        ),
        (
            line(1, by_seat(8, "-4", 0, 0), "E"),
            "Hand 1: -4 has a minus. Enter what Bob’s tiles scored, 0 or more. Who pays whom follows from that.",
        ),
        (
            line(1, by_seat(8, 0, 0, 0), "E", {4: "12x"}),
            "Hand 1: “12x” is not a whole number. Enter the sheet’s total for Dave in figures.",
        ),
    ],
)
def test_missing_or_unreadable_fields_are_listed_and_nothing_is_recorded(keeper, four, fields, words):
    response = keeper.post(address(four), fields | line(2, by_seat(0, 0, 0, 8), "Dave"))
    assert response.status_code == 422
    page = response.content.decode()
    assert page.count(words) == 2
    assert f'value="{fields["total_1_2"]}"' in page
    assert "<title>Error: Paper score sheet" in page
    assert four.hands.count() == 0


def test_an_empty_sheet_says_so(keeper, four):
    response = keeper.post(address(four), {})
    assert response.status_code == 422
    assert "Enter what each player scored in the first hand, for example 64." in response.content.decode()


def test_doubtful_figures_are_noted_and_recorded(keeper, four):
    fields = line(1, by_seat(37, 0, 1010, 1000), "E")
    assert said(check(keeper, four, **fields)) == [
        "Hand 1: Alice: British totals are even. Is 37 right?",
        "Hand 1: Carol: The limit is 1,000. Is 1,010 right?",
    ]
    assert keeper.post(address(four), fields).status_code == 302
    assert four.hands.count() == 1


def test_a_winner_with_too_few_points_is_asked_about_before_anything_is_saved(keeper, four):
    fields = line(1, by_seat(1000, 2, 4, 8), "W") | line(2, by_seat(40, 0, 0, 0), "1")
    words = "Hand 1: Carol: A winner scores at least 20. Is 4 right?"
    answer = keeper.post(address(four), fields | {"meant": ""}, headers=JSON)
    assert (answer.status_code, said(answer.json(), "asked"), four.hands.count()) == (422, [words], 0)
    page = keeper.post(address(four), fields | {"meant": ""}).content.decode()
    assert page.count(words) == 2
    assert 'name="meant"' in page
    assert keeper.post(address(four), fields, headers=JSON).status_code == 200
    assert four.hands.count() == 2


def test_who_sits_out_follows_by_itself(keeper, five):
    # Fay (5) sits out, then Alice (1), who lost the deal.
    right = line(1, {1: 0, 2: 8, 3: 0, 4: 0, 5: ""}, "S") | line(2, {1: "", 2: 0, 3: 8, 4: 0, 5: 0}, "S")
    wrong = right | {"total_2_1": "4", "total_2_5": ""}
    assert said(check(keeper, five, **wrong), "problem") == [
        "Hand 2: Alice sits out, but has 4.",
        "Hand 2: enter Fay’s score. If it was nothing, enter 0.",
    ]
    assert keeper.post(address(five), right).status_code == 302
    # Bob: 16 from East and 8 each; Bob as East then pays Carol 16, the others 8.
    assert balances(five) == [1600 - 16, 1600 + 32 - 16, 1600 - 8 + 32, 1600 - 8 - 8, 1600 - 8]


def test_no_line_is_asked_who_sits_where_after_one_without_a_winner(keeper, five):
    answer = check(keeper, five, **line(1, {1: 0, 2: 8, 3: 0, 4: 0}, "") | line(2, {1: 4, 2: 0, 3: 8, 4: 0}, "S"))
    assert said(answer) == ["Hand 1: say who went Mah-jong, or that nobody did."]
    assert [row["running"] for row in answer["rows"]] == [None, None]


# Bob wins 8 as South (16 from East, 8 each), and again as East (16 from each).
AFTER_ONE = by_seat(1984, 2032, 1992, 1992)


AFTER_TWO = by_seat(1968, 2080, 1976, 1976)


BOB_WINS = by_seat(0, 8, 0, 0)


def test_totals_that_agree(keeper, four):
    answer = check(keeper, four, **line(1, BOB_WINS, "S", AFTER_ONE) | line(2, BOB_WINS, "E", AFTER_TWO))
    assert answer["rows"][1]["running"] == {"1": "1,968", "2": "2,080", "3": "1,976", "4": "1,976"}
    assert (said(answer, "difference", "problem"), answer["difference"]) == (
        [],
        "The sheet’s totals agree with ours, after 2 hands. We have taken them to start at 2,000.",
    )


def test_totals_may_begin_at_nought(keeper, four):
    nought = {seat: total - 2000 for seat, total in AFTER_TWO.items()} | {1: "\u221232", 2: "+80"}
    answer = check(keeper, four, **line(1, BOB_WINS, "S") | line(2, BOB_WINS, "E", nought))
    assert (said(answer, "difference", "problem"), answer["difference"]) == (
        [],
        "The sheet’s totals agree with ours, after hand 2. We have taken them to start at 0.",
    )


def test_a_difference_is_shown_where_it_begins_and_where_it_grows(keeper, four):
    draws = {at: line(at, {}, "D") for at in range(1, 7)}
    sheets = {1: 2000, 2: 2040, 3: 2040, 4: 2050, 5: 2000}
    fields = draws[6]
    for at, total in sheets.items():
        fields |= draws[at] | {f"sheet_{at}_2": str(total), f"sheet_{at}_1": "2000"}
    assert said(check(keeper, four, **fields)) == [
        "From hand 2 on, Bob’s total on the sheet is 40 more than ours; after hand 5 it agrees again.",
        "From hand 4 on, Bob’s total on the sheet is 50 more than ours; after hand 5 it agrees again.",
    ]


def test_a_difference_seen_later_began_somewhere_between(keeper, four):
    fields = line(1, {}, "D", by_seat(2000, 2000, 2000, 2000)) | line(2, {}, "D") | line(3, {}, "D")
    fields |= line(4, {}, "D", by_seat(2000, 2000, 1960, 2000))
    assert said(check(keeper, four, **fields)) == [
        "Somewhere in hands 2 to 4: Carol’s total on the sheet is then 40 less than ours."
    ]


def test_checking_without_script_shows_the_balances_and_records_nothing(keeper, four):
    response = keeper.post(address(four), line(1, BOB_WINS, "S", by_seat(1984, 2032, 1992, 1990)) | {"do": "check"})
    page = response.content.decode()
    assert response.status_code == 200
    assert "From hand 1 on, Dave’s total on the sheet is 2 less than ours." in page
    assert '<span class="paper-balance">2,032</span>' in page
    assert four.hands.count() == 0


def test_a_difference_is_shown_when_the_sheet_is_recorded(keeper, four):
    fields = line(1, BOB_WINS, "S", by_seat(1984, 2032, 1992, 1990))
    page = keeper.post(address(four), fields, follow=True).content.decode()
    assert "1 hand is recorded." in page
    assert "From hand 1 on, Dave’s total on the sheet is 2 less than ours." in page


def test_a_finished_session_has_no_page_to_key_in(keeper, four):
    record(four, {}, kind="finish")
    assert keeper.get(address(four)).url == reverse("table", args=["bramley", four.pk])


def page_data(response):
    text = response.content.decode().split('<script id="paper-data" type="application/json">')[1]
    return json.loads(text.split("</script>")[0])


def test_the_page_brings_the_coming_deal_and_what_the_server_has(keeper, four):
    answer = record(four, totals(four, 2, seat2=8))
    data = page_data(keeper.get(address(four)))
    assert (data["number"], data["after"], data["decided"]) == (2, answer.entry, [answer.entry])
    assert [deal["winds"] for deal in data["deals"]] == [{"E": "2", "S": "3", "W": "4", "N": "1"}]
    assert len(set(data["keys"])) == 20


@pytest.fixture
def deals_of(keeper):
    """Ask what the page asks of the rules, for hands won by these."""

    def asked(table_session, *winners):
        question = page_data(keeper.get(address(table_session)))["engine"]["question"]
        return engine_answer({**question, "winners": winners})["deals"]

    return asked


def test_deals_follow_the_rotation(five, deals_of):
    # Lost, drawn (East stays, then a goulash), won by East, lost; by a wind, a seat number and D alike.
    first, *deals = deals_of(five, "S", "D", "2", "W")
    second = {"E": "2", "S": "3", "W": "4", "N": "5"}
    assert [(deal["winds"], deal["goulash"]) for deal in deals] == [
        (second, False),
        (second, True),
        (second, False),
        ({"E": "3", "S": "4", "W": "5", "N": "1"}, False),
    ]
    assert [deal["winner"] for deal in (first, *deals)] == ["2", "D", "2", "4", None]


def test_deals_follow_a_winner_typed_as_a_name(five, deals_of):
    assert [deal["winner"] for deal in deals_of(five, "Bob", "da", "nobody")] == ["2", "4", "D", None]


@pytest.mark.parametrize("winner", ["", "X", "5", "?", "Zoe"])
def test_deals_end_where_nobody_who_plays_won(five, deals_of, winner):
    assert [deal["winner"] for deal in deals_of(five, "E", winner, "E")] == ["1", None]


def test_a_deal_kept_as_often_as_may_be_passes(club, cast, deals_of):
    from_u3a = table_in_play(club, cast.all[:4])
    from_u3a.rules = "u3a"
    from_u3a.save()
    # East may keep the deal three times by winning.
    assert [deal["winds"]["E"] for deal in deals_of(from_u3a, *"EEEE")] == ["1", "1", "1", "1", "2"]


def test_reckoning_a_full_sheet_reads_no_more_than_an_empty_one(four):
    with at_most(3):
        table = paper_table(four)
        assert work_out(table, []) == []
