"""Other versions of a hand that were saved before they were read: every page shows them as text, and none fails."""

import json

import pytest
from django.urls import reverse

from clubscore.play.board import SessionRules
from clubscore.play.entered_hand import EnteredHand
from clubscore.scoring.rotation import SeatingState
from sessions_app.models import Club, Entry, PlayerHand
from sessions_app.table.reconcile import compare_session
from tests.clubs import furnished
from tests.factories import record, totals
from tests.logins import signed_in
from tools.fuzz.driver import named

ODD = {
    "no tile": {"2": {"tiles": "HELLO 1C"}},
    "no set": {"2": {"sets": ["foo", "", "pung", "concealed chow 9C", "exposed pung ZZ", "{x} {0} pung"]}},
    "no flower": {"2": {"tiles": "1C", "bonus": "ZZ F1"}},
    "lists for texts": {"2": {"sets": [{"pung": "1B"}, None, 7], "tiles": ["1C"], "bonus": {"a": 1}}},
    "no list": {"2": {"sets": 7}},
    "no hand": {"2": 5},
    "nothing by seat": [5],
    "a fault at each seat": {"1": {"tiles": "HELLO 1C"}, "2": {"sets": ["foo", "", {"pung": "1B"}, None]}, "3": 5,
                             "4": {"tiles": ["1C"], "bonus": {"a": 1}}, "unsure": {"2": ["exposed pung ZZ", 5]}},
    "doubts": {"unsure": {"2": ["exposed pung ZZ", 5]}, "2": {"tiles": "R"}},
}  # fmt: skip
# Addresses with a key or token of their own; they show no hand but that of the watching pages, which show no tiles.
BY_KEY = (
    "by-key",
    "watch",
    "watch-hall",
    "coming",
    "coming-calendar",
    "club-logo",
    "invite",
    "recover",
    "account-confirm",
)
ALL_AT_ONCE = "a fault at each seat"


def pages_of(house):
    """Yield every address, by its name, with the ids of what this club has."""
    known = {**vars(house), "rules": "bmja"}
    for name, address in named():
        if name not in BY_KEY:
            arguments = {word: known.get(word, house.key) for word in address.words}
            yield name, reverse(name, kwargs={**arguments, **({"key": "bmja"} if name == "rule-set" else {})})


@pytest.fixture
def bramley(db):
    house = furnished("Bramley")
    switched_on = dict.fromkeys(("shows_standings", "shows_honours", "shows_meetings"), True)
    Club.objects.filter(pk=house.club.pk).update(public_names="full", **switched_on)
    entry = Entry.objects.get(key=house.key)
    record(entry.session, totals(entry.session, 2, seat2=400))
    # The best hand of the season and a special hand, so that they are on every page that shows any.
    PlayerHand.objects.filter(seat__seat_no=2, hand__number=2).update(special="gates_of_heaven")
    house.key = str(Entry.objects.get(hand__number=2).key)
    return house


@pytest.mark.parametrize(
    "kind", [ALL_AT_ONCE, *(pytest.param(kind, marks=pytest.mark.long) for kind in ODD if kind != ALL_AT_ONCE)]
)
def test_every_page_shows_them(bramley, kind):
    entry = Entry.objects.get(key=bramley.key)
    Entry.objects.filter(pk=entry.pk).update(body={**entry.body, "beside": ODD[kind]})
    client = signed_in(bramley.secretary)
    pages = dict(pages_of(bramley))
    failed = {name: answer.status_code for name in pages if (answer := client.get(pages[name])).status_code >= 500}
    assert failed == {}
    wrong = [line for line in compare_session(bramley.session_id).differences if "special is" not in line]
    assert wrong == []


@pytest.mark.parametrize("beside", ODD.values(), ids=ODD)
def test_the_page_of_hand_entry_scores_the_rest(bramley, beside):
    """As on the tablet, which asks the same function."""
    hands = {**dict.fromkeys("134", {"total": 10}), "2": {"total": 400}}
    body = json.dumps({"hands": hands, "mahjong": {"by": "2"}, "beside": beside})
    client = signed_in(bramley.secretary)
    for name, more in (("hand-score", []), ("hand-preview", [bramley.key])):
        answer = client.post(reverse(name, args=[bramley.slug, bramley.session_id, *more]), {"body": body})
        assert answer.status_code in (200, 422)
    asked = {"rules": "bmja", "house_rules": {}, "club_hands": [], "words": []}
    chairs = Entry.objects.get(key=bramley.key).hand.seating
    seats = [
        {"number": str(seat), "name": str(seat), "wind": wind, "wind_name": wind}
        for seat, wind in zip("1234", "ESWN", strict=True)
    ]
    scored = EnteredHand(SessionRules(asked), SeatingState.from_dict(chairs), json.loads(body), seats, []).shown()
    assert [player["total"] for player in scored["players"]] == [10, 400, 10, 10]


def test_what_is_no_tile_is_written_as_it_was_typed(bramley):
    entry = Entry.objects.get(key=bramley.key)
    beside = {"2": {"tiles": "HELLO 1C", "sets": ["foo", "concealed chow 9C"], "bonus": "ZZ"}}
    Entry.objects.filter(pk=entry.pk).update(body={**entry.body, "beside": beside})
    client, here = signed_in(bramley.secretary), [bramley.slug, bramley.session_id, bramley.key]
    hand = client.get(reverse("hand", args=here)).text
    player = client.get(reverse("player", args=[bramley.slug, bramley.players[1]])).text
    for page in (hand, player):
        assert [text for text in ("HELLO", "foo", "concealed chow 9C", "ZZ") if text not in page] == []
        assert "1 Character" in page
