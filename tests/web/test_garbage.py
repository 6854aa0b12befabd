"""Garbage in every field of every form: an answer below 500, and nothing recorded by it."""

import pytest
from django.db import transaction
from django.urls import reverse

from tests.logins import signed_in
from tests.share import shared

FORMS = {
    "session-start": "date table rules starting_balance sticks player_1 name_1 guest_1 player_2 player_3 player_5",
    "hand-score": "body seats key after",
    "hand-record": "body seats key after device why drawn winner from form_1 total_1 form_2 tiles_2 sets_2",
    "hand-preview": "body seats key after why kind",
    "hand-insert": "body seats key after confirmed",
    "hand-correct": "body seats key after why",
    "hand-seating": "body-winds-E body-winds-S body-winds-W body-winds-N key after",
    "penalty": "by to amount why key after seats",
    "choose": "keep drop key",
    "seating": "winds-E winds-S winds-W winds-N key after",
    "exchange": "a b entry key after",
    "change-player": "seat player key",
    "arrive": "player name guest key after",
    "leave": "seat key after",
    "players": "full_name short_name guest",
    "seasons": "name starts_on ends_on rules recording method minimum_sessions",
}

QUERIES = {
    "standings": "season method",
    "standings-csv": "season method",
    "session-start": "like",
    "table": "turn version",
}

NOTHING = '"hands": {"1": {}, "2": {}, "3": {}, "4": {}}'

GARBAGE = (
    "", " ", "0", "-1", "1.5", "99999999999999999999999", "null", "[]", "{}", '{"E": {"E": []}}',
    '{"hands": {"1": {"sets": [null]}}}',
    '{"hands": {"1": {"sets": 3, "tiles": 4}, "2": {"total": []}, "3": {"special": {}}, "4": {}}}',
    f'{{{NOTHING}, "mahjong": {{"by": {{"a": 1}}}}}}',
    f'{{{NOTHING}, "mahjong": [{{"by": "1"}}, {{"by": "2", "from": 7}}, {{}}]}}',
    f'{{{NOTHING}, "penalties": [{{"kind": 3, "by": []}}]}}',
    "new", "nobody", "<script>alert(1)</script>", "\u202eabc\ufffd", "a" * 5000, "\x00", "²",
    "0001-01-01", "9999-12-31",
)  # fmt: skip


def address(at_home, name):
    arguments = {
        "club": [at_home.club.slug],
        "table": [at_home.club.slug, at_home.table_session.pk],
        "hand": [at_home.club.slug, at_home.table_session.pk, at_home.hand_key],
    }
    if name in {"session-start", "players", "seasons", "standings", "standings-csv"}:
        return reverse(name, args=arguments["club"])
    is_of_hand = name.startswith("hand-") and name not in {"hand-score", "hand-record"}
    return reverse(name, args=arguments["hand" if is_of_hand else "table"])


@pytest.mark.parametrize("name", FORMS)
def test_garbage_in_every_field(at_home, name):
    client = signed_in(at_home.secretary)
    codes = set()
    for garbage in shared(GARBAGE, list(FORMS).index(name)):
        with transaction.atomic():
            answer = client.post(address(at_home, name), dict.fromkeys(FORMS[name].split(), garbage))
            codes.add(answer.status_code)
            transaction.set_rollback(True)
        assert b"<script>alert(1)</script>" not in answer.content
    assert codes <= {200, 302, 409, 422}


@pytest.mark.parametrize("name", QUERIES)
def test_garbage_in_the_address(at_home, name):
    client = signed_in(at_home.secretary)
    codes = {
        client.get(address(at_home, name), {field: garbage}).status_code
        for turn, field in enumerate(QUERIES[name].split(), list(QUERIES).index(name))
        for garbage in shared(GARBAGE, turn)
    }
    assert codes <= {200, 302, 404, 422}
