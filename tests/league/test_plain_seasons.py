"""The ranking without a database: the seasons worked out elsewhere, and ratings by a decimal library."""

import json
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from random import Random

import pytest

from clubscore.engine.league_answers import answer
from clubscore.league.methods import ONE, Result, expected, ratings_after
from tests.league.plain_seasons import corpora


def as_file(row):
    """Return a row of an answer as the CSV has it."""
    names = {"place": "position", "player": "name"}
    found = ("player", "place", "sessions", "hands", "won", "net", "best_session", "value", "reason")
    values = {column: row[names.get(column, column)] for column in found}
    # Its word for a table is a session.
    values["reason"] = row["reason"].replace("table", "session")
    return {column: "" if value is None else str(value) for column, value in values.items()}


def test_every_table_of_two_seasons():
    tables = corpora()
    assert len(tables) == 36 + 43
    for question, rows in tables:
        # As a tablet asks: what it sends is JSON.
        found = [as_file(row) for row in answer(json.loads(json.dumps(question)))["rows"]]
        assert [{column: row[column] for column in rows[0]} for row in found] == rows, question["settings"]


@pytest.mark.parametrize("seed", range(3))
def test_ratings_are_those_of_28_decimal_digits(seed):
    luck = Random(seed)
    for _ in range(300):
        lead = luck.choice([luck.randint(-90_000, 90_000), luck.randint(-900, 900), 40_000 * luck.randint(-2, 2)])
        with localcontext(prec=28, rounding=ROUND_HALF_EVEN):
            share = 1 / (1 + Decimal(10) ** (Decimal(lead) / 100 / 400))
            assert abs(Decimal(expected(lead)) / ONE - share) < Decimal("1e-26")


def test_ratings_of_a_session_as_the_rules_have_them():
    """Table of four, rated 1500, 1523.17, 1476.83 and 1500: each change is 8 x the sum of (result - E)."""
    nets, rated = {"Ann": 300, "Bob": 40, "Cat": 40, "Dan": -380}, {"Bob": 152_317, "Cat": 147_683}
    session = [Result(1, None, 1, name, 16, 4, 0, 0, net) for name, net in nets.items()]

    def share(own, other):
        return 1 / (1 + Decimal(10) ** (Decimal(rated.get(other, 150_000) - rated.get(own, 150_000)) / 40_000))

    result = {1: Decimal(1), 0: Decimal("0.5"), -1: Decimal(0)}
    with localcontext(prec=28):
        after = {
            own: int(
                100 * (
                    Decimal(rated.get(own, 150_000)) / 100
                    + 8 * sum(result[(net > nets[other]) - (net < nets[other])] - share(own, other)
                              for other in nets if other != own)
                ).quantize(Decimal("0.01"))
            )
            for own, net in nets.items()
        }  # fmt: skip
    assert ratings_after(session, rated) == after
