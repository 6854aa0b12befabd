"""Whatever reaches the door is answered in a sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubscore.play.command_kinds import AT_TABLE
from sessions_app.models import Club, Player
from sessions_app.table.sessions import start_session
from tests.afternoon import BY, hand, send
from tests.conftest import AFTERNOON
from tests.reconciled import reconcile
from tests.share import share_of

pytestmark = pytest.mark.slow

WORDS = st.sampled_from(
    ["hands", "mahjong", "penalties", "by", "to", "from", "tile", "seat", "player", "winds", "out", "exchange", "a",
     "b", "entry", "before", "body", "kind", "keep", "drop", "amount", "text", "1", "2", "3", "4", "total", "sets"]
)  # fmt: skip


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["1", "2", "5", "E", "wall"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


class AnyBody(TestCase):
    """Whatever is sent, the door answers in a sentence and the ledger stays whole."""

    @settings(max_examples=share_of(36))
    @given(st.sampled_from(sorted(AT_TABLE)), st.dictionaries(WORDS, ANYTHING, max_size=4))
    def test_any_body_is_answered(self, kind, body):
        club = Club.objects.create(name="Bramley", slug="bramley")
        people = [Player.objects.create(club=club, full_name=name, short_name=name) for name in "ABCD"]
        session = start_session(club, AFTERNOON, 1, people, "bmja", {}, by=BY)
        first = hand(session, "1", s1=8)
        body = {name: first if value == "wall" and name in ("entry", "before", "keep") else value
                for name, value in body.items()}  # fmt: skip
        answer = send(session, kind, body)
        assert answer.outcome in {"recorded", "invalid", "late"}
        assert answer.message
        assert reconcile() == []
