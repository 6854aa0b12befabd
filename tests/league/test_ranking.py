"""Standings on paper: the worked examples of the rules of standings, the chain of ties and hand-calculated values."""

import dataclasses
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from clubscore.league.methods import (
    METHODS,
    Competitor,
    Result,
    halves_up,
    handicap_values,
    positions,
    result_set_of,
    rounded,
    rounded_half_even,
)
from clubscore.league.ranking import Settings, rank, small_print

WEEKS = [date(2026, 1, 8), date(2026, 1, 15), date(2026, 1, 22), date(2026, 1, 29), date(2026, 2, 5)]


def table(week, nets, number=1, hands=12, won=3, still_playing=False):
    """One session: the net of everyone, or (net, hands, won) where the numbers matter."""
    return [
        Result((week, number), WEEKS[week], number, name, *account(net, hands, won), still_playing=still_playing)
        for name, net in nets.items()
    ]


def account(net, hands, won):
    net, hands, won = net if isinstance(net, tuple) else (net, hands, won)
    return hands, won, max(net, 0), min(net, 0), net


def standings(results, method="total", guests=(), before=None, **settings):
    names = {result.player for result in [*results, *(before or [])]}
    people = [Competitor(name, name, name in guests) for name in names]
    return rank(results, people, Settings(method, **({"minimum_sessions": 1} | settings)), before).rows


def values(rows):
    return {row.name: Fraction(*row.value) for row in rows}


def order(rows):
    return [(row.position, row.name) for row in rows]


WORKED = table(0, {"Ann": 300, "Bob": 40, "Cat": 40, "Dan": -380})


def test_places_of_the_worked_table():
    assert positions({"Ann": 300, "Bob": 40, "Cat": 40, "Dan": -380}) == {"Ann": 1, "Bob": 2, "Cat": 2, "Dan": 4}


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("average", {"Ann": 25, "Bob": Fraction(10, 3), "Cat": Fraction(10, 3), "Dan": Fraction(-95, 3)}),
        ("total", {"Ann": 300, "Bob": 40, "Cat": 40, "Dan": -380}),
        ("best_n", {"Ann": 300, "Bob": 40, "Cat": 40, "Dan": -380}),
        ("won", {"Ann": 1, "Bob": 0, "Cat": 0, "Dan": 0}),
        ("table_points", {"Ann": 4, "Bob": Fraction(3, 2), "Cat": Fraction(3, 2), "Dan": 0}),
        ("beaten", {"Ann": 100, "Bob": 50, "Cat": 50, "Dan": 0}),
        ("handicap", {"Ann": 25, "Bob": Fraction(10, 3), "Cat": Fraction(10, 3), "Dan": Fraction(-95, 3)}),
        ("rating", {"Ann": Decimal(1512), "Bob": Decimal(1500), "Cat": Decimal(1500), "Dan": Decimal(1488)}),
    ],
)
def test_worked_table_by_every_method(method, expected):
    assert values(standings(WORKED, method)) == expected


def test_every_method_has_its_words():
    assert {key: method.decimals for key, method in METHODS.items()} == {
        "average": 1, "average_session": 1, "total": 0, "best_n": 0, "table_points": 2, "beaten": 1, "handicap": 1,
        "rating": 0, "position_points": 1, "won": 0,
    }  # fmt: skip
    assert all(method.name and method.sentence.endswith(".") for method in METHODS.values())


@pytest.mark.parametrize(
    ("nets", "expected"),
    [
        ({"Ann": 5, "Bob": 4, "Cat": 3, "Dan": 2, "Eve": -14}, [4, Fraction(5, 2), Fraction(3, 2), Fraction(3, 4), 0]),
        ({"Ann": 5, "Bob": 0, "Cat": -5}, [4, Fraction(5, 4), 0]),
        ({"Ann": 5, "Bob": -5}, [Fraction(7, 2), 0]),
        ({"Ann": 0, "Bob": 0}, [Fraction(7, 4), Fraction(7, 4)]),
        ({"Ann": 5, "Bob": 5, "Cat": 5, "Dan": -15}, [Fraction(7, 3), Fraction(7, 3), Fraction(7, 3), 0]),
        ({"Ann": 0, "Bob": 0, "Cat": 0, "Dan": 0, "Eve": 0}, [Fraction(7, 4)] * 5),
    ],
)
def test_table_points(nets, expected):
    assert list(values(standings(table(0, nets), "table_points")).values()) == expected


def test_best_n_takes_all_when_fewer():
    results = [result for week, net in enumerate([100, -50, 300, 20]) for result in table(week, {"Ann": net, "Bob": 0})]
    assert values(standings(results, "best_n", best_n=2))["Ann"] == 400
    assert values(standings(results, "best_n", best_n=8))["Ann"] == 370


def test_who_played_no_hand_is_not_among_the_players():
    results = table(0, {"Ann": 100, "Bob": 0, "Cat": -100, "Dan": (-30, 0, 0)})
    rows = standings(results, "table_points")
    assert values(rows) == {"Ann": 4, "Bob": Fraction(5, 4), "Cat": 0}


def test_hands_not_known_are_not_nought():
    """Ann's sessions: +300 in 16 hands, +40 in 4, -100 in hands that nobody counted."""
    results = table(0, {"Ann": (300, 16, 3), "Bob": (-300, 16, 1)})
    results += table(1, {"Ann": (40, 4, 1), "Bob": (-40, 4, 0)})
    results += table(2, {"Ann": (-100, None, None), "Cat": (100, None, None)})
    found = {method: {row.player: row for row in standings(results, method)} for method in METHODS}
    ann = {method: rows["Ann"] for method, rows in found.items()}
    assert {method: row.sessions for method, row in ann.items()} == {
        **dict.fromkeys(METHODS, 3), "average": 2, "handicap": 2,
    }  # fmt: skip
    assert {row.hands for row in ann.values()} == {20}
    assert {row.won for row in ann.values()} == {4}
    shown = ("average", "average_session", "total")
    assert [Fraction(*ann[method].value) for method in shown] == [17, 80, 240]
    assert (ann["average"].net, ann["total"].net) == (340, 240)
    # Cat has no other session: an average per hand does not list her, and everywhere else her hands are not known.
    assert [method for method, rows in found.items() if "Cat" not in rows] == ["average", "handicap"]
    assert (found["total"]["Cat"].hands, found["total"]["Cat"].won) == (None, None)


def test_hands_not_known_add_nothing_to_the_hands_needed():
    results = table(0, {"Ann": (30, 16, 3), "Bob": (-30, None, None)})
    rows = standings(results, "total", minimum_sessions=5, minimum_hands=16)
    assert [(row.player, row.reason) for row in rows] == [("Ann", ""), ("Bob", "1 of 5 tables")]


def test_two_seats_of_one_player_in_a_session_are_one_account():
    results = table(0, {"Ann": (60, 4, 1), "Bob": -60}) + table(0, {"Ann": (-20, 5, 2)})
    ann = result_set_of(results).by_player["Ann"]
    assert [(r.hands, r.won, r.gained, r.lost, r.net) for r in ann] == [(9, 3, 60, -20, 40)]


class TestTies:
    def test_higher_net(self):
        results = table(0, {"Ann": (20, 2, 0), "Bob": (40, 4, 0)})
        assert order(standings(results, "average")) == [(1, "Bob"), (2, "Ann")]

    def test_then_more_hands_won(self):
        results = table(0, {"Ann": (40, 4, 1), "Bob": (40, 4, 2)})
        assert order(standings(results)) == [(1, "Bob"), (2, "Ann")]

    def test_then_better_best_session(self):
        results = table(0, {"Ann": 20, "Cat": 0}) + table(1, {"Ann": 20, "Cat": 0})
        results += table(2, {"Bob": 50, "Cat": 0}) + table(3, {"Bob": -10, "Cat": 0})
        assert order(standings(results))[:2] == [(1, "Bob"), (2, "Ann")]

    def test_then_meetings_of_two(self):
        results = table(0, {"Ann": 10, "Bob": 30}) + table(1, {"Ann": 0, "Bob": 5})
        results += table(2, {"Ann": 30, "Cat": 0}) + table(3, {"Bob": 5, "Cat": 0})
        assert order(standings(results))[:2] == [(1, "Bob"), (2, "Ann")]

    def test_meetings_need_the_same_table(self):
        results = table(0, {"Ann": 10, "Cat": 0}, number=1) + table(0, {"Bob": 10, "Dan": 0}, number=2)
        assert order(standings(results)) == [(1, "Ann"), (1, "Bob"), (3, "Cat"), (3, "Dan")]

    def test_three_left_share_although_they_met(self):
        results = table(0, {"Ann": 10, "Bob": 20, "Cat": 0}) + table(1, {"Ann": 20, "Bob": 0, "Cat": 10})
        results += table(2, {"Ann": 0, "Bob": 10, "Cat": 20}) + table(3, {"Ann": -5, "Bob": -5, "Dan": 1})
        results += table(4, {"Cat": -5, "Dan": 1})
        rows = standings(results)
        assert order(rows) == [(1, "Ann"), (1, "Bob"), (1, "Cat"), (4, "Dan")]
        assert [row.shared for row in rows] == [True, True, True, False]

    def test_an_unranked_player_is_not_one_of_three(self):
        results = table(0, {"Ann": 10, "Bob": 30, "Gil": 30}) + table(1, {"Ann": 30, "Bob": 10, "Gil": 10})
        results += table(2, {"Ann": 0, "Bob": 0}) + table(3, {"Ann": -1, "Bob": 0}) + table(4, {"Ann": 1, "Bob": 0})
        rows = standings(results, guests={"Gil"})
        assert order(rows) == [(1, "Ann"), (1, "Bob"), (None, "Gil")]

    def test_equal_as_shown_is_not_equal(self):
        results = table(0, {"Ann": (1001, 100, 1), "Bob": (2003, 200, 0)})
        assert order(standings(results, "average")) == [(1, "Bob"), (2, "Ann")]

    def test_best_session_counts_all_sessions_with_best_n(self):
        results = table(0, {"Ann": 50, "Bob": 50}) + table(1, {"Ann": 0, "Bob": (0, 12, 4)})
        assert order(standings(results, "best_n", best_n=1)) == [(1, "Bob"), (2, "Ann")]


class TestQualifying:
    RESULTS = [
        *table(0, {"Ann": 10, "Bob": 20, "Gil": 30}),
        *table(1, {"Ann": 10, "Bob": 20, "Zed": (5, 40, 0)}),
        *table(2, {"Ann": 10, "Dan": 1}),
    ]

    def test_reasons_below_the_line_by_name(self):
        rows = standings(self.RESULTS, guests={"Gil"}, minimum_sessions=3)
        assert [(row.position, row.name, row.reason) for row in rows] == [
            (1, "Ann", ""),
            (None, "Bob", "2 of 3 tables"),
            (None, "Dan", "1 of 3 tables"),
            (None, "Gil", "guest"),
            (None, "Zed", "1 of 3 tables"),
        ]
        assert values(rows)["Bob"] == 40

    def test_enough_hands_do_too(self):
        rows = standings(self.RESULTS, guests={"Gil"}, minimum_sessions=3, minimum_hands=40)
        assert order(rows)[:2] == [(1, "Ann"), (2, "Zed")]

    def test_names_stand_by_code_point(self):
        rows = standings(table(0, {"Zoë": 0, "ann": 0, "Élise": 0, "Zoe": 0}))
        assert [row.name for row in rows] == ["Zoe", "Zoë", "ann", "Élise"]

    def test_still_playing(self):
        rows = standings(table(0, {"Ann": 5}) + table(1, {"Bob": 4}, still_playing=True))
        assert [(row.name, row.still_playing) for row in rows] == [("Ann", False), ("Bob", True)]


class TestHandicap:
    """The season before: Ann 10 a hand, Bob -5, Cat (one session, unranked) 20, Gil (guest) 30."""

    BEFORE = [
        *table(0, {"Ann": (100, 10, 1), "Bob": (-50, 10, 1), "Cat": (200, 10, 1), "Gil": (300, 10, 1)}),
        *table(1, {"Ann": (100, 10, 1), "Bob": (-50, 10, 1), "Gil": (300, 10, 1)}),
    ]
    NOW = [
        *table(2, {"Ann": (120, 12, 1), "Bob": (-60, 12, 1), "Cat": (0, 12, 1), "Dan": (12, 12, 1), "Gil": (0, 12, 1)}),
        *table(3, {"Ann": 0, "Bob": 0, "Cat": 0, "Dan": 0, "Gil": 0}),
    ]

    def test_hand_calculated(self):
        rows = standings(self.NOW, "handicap", {"Gil"}, self.BEFORE, minimum_sessions=2)
        assert values(rows) == {
            "Ann": 5,
            "Bob": Fraction(-5, 2) + 12,  # 80 % of 10 - -5
            "Cat": 0,  # above the best ranked: never negative
            "Dan": Fraction(1, 2),  # did not play then
            "Gil": 0,
        }
        assert [row.net for row in rows] == [-60, 120, 12, 0, 0]

    def test_nobody_ranked_before(self):
        rows = standings(self.NOW, "handicap", {"Gil"}, self.BEFORE[:1], minimum_sessions=2)
        assert values(rows)["Bob"] == Fraction(-5, 2)

    # Every setting besides the method, with another value, and whether it holds for the season before too.
    OTHERS = {
        "minimum_sessions": (3, True),
        "minimum_hands": (1, True),
        "best_n": (1, False),
        "by_meeting": (True, True),
        "position_points": ((3, 1), False),
        "drop_worst": (1, False),
        "group": ("guests", False),
        "of_games": (True, True),
    }

    def ranking(self, **settings):
        people = [Competitor(name, name, name == "Gil") for name in ("Ann", "Bob", "Cat", "Dan", "Gil")]
        return rank(self.NOW, people, Settings("handicap", **{"minimum_sessions": 2} | settings), self.BEFORE)

    def test_it_is_known_of_every_setting_whether_it_holds_for_the_season_before(self):
        assert {"method", *self.OTHERS} == {field.name for field in dataclasses.fields(Settings)}

    @pytest.mark.parametrize("name", OTHERS)
    def test_who_is_listed_now_changes_nothing_in_the_season_before(self, name):
        value, holds = self.OTHERS[name]
        before = self.ranking(**{name: value}).settings.of_season_before
        assert before == Settings("handicap", **{"minimum_sessions": 2} | ({name: value} if holds else {}))
        if not holds:
            given = {"Ann": 0, "Bob": 12, "Cat": 0, "Gil": 0}
            assert self.ranking(**{name: value}).handicaps == self.ranking().handicaps == given

    def test_a_setting_that_nobody_has_thought_of_holds_for_this_season_alone(self):
        """One that hides players, as somebody may add it: a field of Settings, used in `listed`."""

        @dataclasses.dataclass(frozen=True)
        class MoreSettings(Settings):
            hidden: tuple = ()

        settings = MoreSettings("handicap", minimum_sessions=2, hidden=("Ann",))
        assert settings.of_season_before == Settings("handicap", minimum_sessions=2)

    @pytest.mark.parametrize(("value", "whole"), [("5/2", 3), ("7/2", 4), ("249/100", 2), ("-1/2", 0), ("0", 0)])
    def test_halves_go_up(self, value, whole):
        assert halves_up(*Fraction(value).as_integer_ratio()) == whole

    def test_without_a_season_before_it_is_the_average(self):
        assert Fraction(*handicap_values(result_set_of(self.NOW), 8, None)["Ann"]) == 5


class TestRating:
    def test_second_session_expects_from_the_ratings_of_the_first(self):
        """Two players: 1500 each, +12 and -12; then E of the leader is 1 / (1 + 10^(-24/400)) = 0.534484…"""
        results = table(0, {"Ann": 10, "Bob": -10}) + table(1, {"Ann": 10, "Bob": -10})
        assert values(standings(results, "rating")) == {"Ann": Decimal("1523.17"), "Bob": Decimal("1476.83")}

    def test_order_of_tables_is_by_number(self):
        late = table(0, {"Ann": 10, "Bob": -10}, number=10) + table(0, {"Ann": -10, "Bob": 10}, number=2)
        assert values(standings(late, "rating")) == {"Ann": Decimal("1500.83"), "Bob": Decimal("1499.17")}

    def test_begins_where_the_season_before_ended(self):
        before = table(0, {"Ann": 10, "Gil": -10})
        rows = standings(table(1, {"Ann": 10, "Gil": -10}), "rating", {"Gil"}, before)
        assert values(rows) == {"Ann": Decimal("1523.17"), "Gil": Decimal("1476.83")}

    def test_a_table_of_one_moves_nobody(self):
        assert values(standings(table(0, {"Ann": 10}), "rating")) == {"Ann": Decimal(1500)}


@pytest.mark.parametrize(
    ("value", "decimals", "shown", "in_a_file"),
    [
        (Fraction(300, 48), 1, "6.3", "6.2"),
        (Fraction(-300, 48), 1, "-6.3", "-6.2"),
        (Fraction(5, 2), 0, "3", "2"),
        (Fraction(7, 2), 0, "4", "4"),
        (Fraction(1, 20000), 4, "0.0001", "0.0000"),
        (Fraction(3, 20000), 4, "0.0002", "0.0002"),
        (Fraction(-1, 100000), 4, "0.0000", "0.0000"),
        (Fraction(-1, 4), 1, "-0.3", "-0.2"),
        (Fraction(-1, 40), 1, "0.0", "0.0"),
        (Fraction(-5, 4), 4, "-1.2500", "-1.2500"),
        (Decimal("1512.25"), 4, "1512.2500", "1512.2500"),
        (0, 4, "0.0000", "0.0000"),
    ],
)
def test_halves_go_away_from_zero_for_people_and_to_even_in_a_file(value, decimals, shown, in_a_file):
    value = value.as_integer_ratio()
    assert (rounded(value, decimals), rounded_half_even(value, decimals)) == (shown, in_a_file)


def test_small_print_names_the_settings_used():
    method, qualifying, ties = small_print(Settings("best_n", 1, 40, 6))
    assert method == "Your score is the total of your best 6 tables, or of all your tables if you played fewer."
    assert qualifying == "Members need at least 1 table or at least 40 hands to be ranked. Guests are never ranked."
    assert ties.startswith("Ties are decided in this order: higher total, more hands won")


def test_two_sessions_of_a_day_at_the_same_table_are_rated_as_they_were_begun():
    """1500 each, Ann wins: 1512 and 1488. Then Bob wins, of whom 0.47 was expected: 24 x 0.53 = 12.83."""
    first = [replace_session(result, 1) for result in table(0, {"Ann": 10, "Bob": -10})]
    second = [replace_session(result, 2) for result in table(0, {"Ann": -10, "Bob": 10})]
    rated = {"Ann": Decimal("1499.17"), "Bob": Decimal("1500.83")}
    assert values(standings(first + second, "rating")) == values(standings(second + first, "rating")) == rated


def replace_session(result, session):
    return result._replace(session=session)
