"""A hand explained and changed: the preview before, the ledger after, and what the page tells of earlier versions."""

import json
import re

import pytest
from django.urls import reverse

from clubscore.engine.answers import answer as engine_answer
from clubscore.play.one_hand import given_words, penalty_words
from sessions_app.models import Player
from sessions_app.table.sessions import current_seating
from sessions_app.table.views.pending_commands import declared_words
from tests.engine.test_hand_entry import asked_as_the_script_does
from tests.factories import DAY, record, season, table_in_play, totals
from tests.logins import logins, signed_in


@pytest.fixture
def five(club, cast):
    """Five at the table, two hands: Bob wins hand 1, so East passes to him and Fay comes in; Fay wins hand 2."""
    season(club)
    table_session = table_in_play(club, cast.all)
    first = record(table_session, totals(table_session, 2, seat2=50))
    second = record(table_session, totals(table_session, 5, seat5=40))
    return table_session, first.entry, second.entry


@pytest.fixture
def client(club, five):
    return signed_in(logins(club)["scorekeeper"])


def at(club, five, name, key=None):
    return reverse(name, args=[club.slug, five[0].pk, *([key] if key else [])])


def body_of(key, five):
    return five[0].entries.get(key=key).body


def east_won(five):
    """Hand 1 as it should have been: Alice, East, went Mah-jong."""
    return {"hands": {str(seat): {"total": 50 if seat == 1 else 0} for seat in range(1, 5)}, "mahjong": {"by": "1"}}


def test_the_preview_shows_what_follows_and_changes_nothing(client, club, five):
    answer = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(east_won(five))})
    assert answer.status_code == 200
    lines = [(line.word, line.number, line.east, line.out) for row in answer.context["preview"]["rows"] for line in row]
    # Had Alice won, she would have stayed East of hand 2 and Fay would have sat out, although Fay has a hand there.
    assert lines == [
        ("before", 1, "Alice", "Fay"),
        ("after", 1, "Alice", "Fay"),
        ("before", 2, "Bob", "Alice"),
        ("after", 2, "Alice", "Fay"),
    ]
    assert [row.number for row in answer.context["preview"]["questions"]] == [2]
    assert body_of(five[1], five)["mahjong"] == {"by": "2"}


def test_confirming_the_preview_changes_the_hand(client, club, five):
    page = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(east_won(five)), "why": "misheard"})
    confirm = {
        "key": page.context["sent"]["key"],
        "body": page.context["body_json"],
        "why": page.context["sent"]["why"],
    }
    assert client.post(page.context["confirm_url"], confirm).url == at(club, five, "table")
    assert body_of(five[1], five)["mahjong"] == {"by": "1"}
    table = client.get(at(club, five, "table")).context
    assert [number for number, *_ in table["page"]["questions"]] == [2]
    hand = client.get(at(club, five, "hand", five[1])).context
    assert [(version["words"], version["why"]) for version in hand["versions"]] == [
        ("bramley-scorekeeper changed the hand", "misheard"),
        ("The test recorded the hand", ""),
    ]
    assert hand["versions"][0]["details"] == (
        "Bob goes Mah-jong; then Alice goes Mah-jong",
        "Alice: total 0; then total 50",
        "Bob: total 50; then total 0",
    )


def test_a_bad_correction_goes_back_to_the_hand_with_its_sentence(client, club, five):
    wrong = {**east_won(five), "mahjong": {"by": "1", "from": "1"}}
    answer = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(wrong)})
    assert answer.status_code == 422
    assert answer.context["entry"]["body"] == wrong
    assert "There is a problem" in answer.content.decode()


def test_taking_a_hand_out_and_putting_it_back(client, club, five):
    preview = client.post(at(club, five, "hand-preview", five[2]), {"kind": "take_out"})
    assert preview.context["heading"] == "What changes without hand 2"
    client.post(preview.context["confirm_url"], {"key": preview.context["sent"]["key"]})
    assert five[0].hands.count() == 1
    page = client.get(at(club, five, "hand", five[2]))
    assert "This hand was removed" in page.content.decode()
    preview = client.post(at(club, five, "hand-preview", five[2]), {"kind": "put_back"})
    client.post(preview.context["confirm_url"], {"key": preview.context["sent"]["key"]})
    assert [hand.number for hand in five[0].hands.order_by("number")] == [1, 2]


def test_a_hand_put_before_another(client, club, five):
    nobody = {"hands": {str(seat): {"total": 0} for seat in range(1, 5)}, "mahjong": None}
    page = client.post(at(club, five, "hand-insert", five[1]), {"body": json.dumps(nobody), "drawn": "1"})
    assert page.context["heading"] == "What changes with a hand before hand 1"
    confirm = {"key": page.context["sent"]["key"], "body": page.context["body_json"], "confirmed": "1"}
    assert client.post(page.context["confirm_url"], confirm).status_code == 302
    kinds = list(five[0].hands.order_by("number").values_list("kind", "goulash"))
    # The draw is followed by a goulash: what was hand 1 is one now.
    assert kinds == [("drawn", False), ("won", True), ("won", False)]


def test_a_removed_hand_cannot_be_changed(client, club, five):
    client.post(at(club, five, "hand-take-out", five[2]))
    assert client.get(at(club, five, "hand-change", five[2])).status_code == 404


def test_the_hand_explained(client, club, five):
    context = client.get(at(club, five, "hand", five[1])).context
    assert [(shown["name"], shown["total"]) for shown in context["players_hands"]] == [
        ("Alice", 0),
        ("Bob", 50),
        ("Carol", 0),
        ("Dave", 0),
    ]
    assert context["paid"]["payments"] == [
        ("Alice", "Bob", 100, "for Mah-jong, East pays double: 2 × 50"),
        ("Carol", "Bob", 50, "for Mah-jong"),
        ("Dave", "Bob", 50, "for Mah-jong"),
    ]
    assert context["lead"]["sitting_out"] == ["Fay"]


def test_tiles_and_lines_in_plain_words(client, club, five):
    table_session = five[0]
    # Fay, North, won hand 2, so the deal passed: Carol is East, Dave South, Fay West, Alice North.
    body = {
        "hands": {
            "3": {"sets": ["exposed pung E", "concealed kong 5B"], "tiles": "9D 1C", "bonus": "F1"},
            "4": {"total": 64},
            "5": {"points": 12, "doubles": 1},
            "1": {},
        },
        "mahjong": {"by": "4"},
    }
    key = record(table_session, body).entry
    shown = {one["name"]: one for one in client.get(at(club, five, "hand", key)).context["players_hands"]}
    assert [(group.words, group.tiles) for group in shown["Carol"]["groups"]] == [
        ("Exposed pung", ("E", "E", "E")),
        ("Concealed kong", ("5B", "5B", "5B", "5B")),
        ("In the hand", ("1C", "9D")),
        ("Flowers and seasons", ("F1",)),
    ]
    # 4 for the major pung, 16 for the concealed minor kong, 4 for the flower; own wind, round wind and own flower.
    assert shown["Carol"]["sum"] == "24 points, doubled 3 times (times 8), make 192."
    assert shown["Dave"]["given"] == "A total of 64."
    assert shown["Fay"]["given"] == "12 points, 1 double, counted at the table."
    assert shown["Alice"]["given"] == "Nothing to score."


def test_how_the_mahjong_was_made_and_what_went_wrong(client, club, five):
    body = {
        "hands": {
            "3": {"sets": ["exposed pung 2B", "exposed pung 3B", "exposed pung 4B", "exposed pung 6B", "pair 9C"]},
            **{seat: {} for seat in "451"},
        },
        "mahjong": {"by": "3", "tile": "6B", "from": "5", "last_tile": True},
        "penalties": [{"kind": "misnamed discard", "by": "4", "to": "1"}],
    }
    page = client.get(at(club, five, "hand", record(five[0], body).entry))
    context = page.context
    assert context["lead"]["how"] == "With 6 Bamboo, discarded by Fay, the last tile."
    assert context["paid"]["penalties"] == ["Misnamed discard by Dave, to Alice."]
    assert "Misnamed discard by Dave, to Alice." in page.content.decode()
    assert ("Dave", "Alice", 50, "penalty") in context["paid"]["payments"]


def test_a_hand_of_another_session_is_not_found(client, club, cast, five):
    other = table_in_play(club, cast.all[:3], number=2)
    key = record(other, totals(other, 1, seat1=10)).entry
    assert client.get(at(club, five, "hand", key)).status_code == 404


def active_rows(page):
    return [row for row in page["board"].rows() if not row.entry.removed]


def test_keeping_the_seats_of_a_questioned_hand_as_they_were_played(client, club, five):
    client.post(at(club, five, "hand-correct", five[1]), {"body": json.dumps(east_won(five))})
    page = client.get(at(club, five, "hand-seating", five[2]))
    seats = {f"body-winds-{wind}": page.context["form"][wind].value() for wind in "ESWN"}
    assert seats == {"body-winds-E": "2", "body-winds-S": "3", "body-winds-W": "4", "body-winds-N": "5"}
    client.post(at(club, five, "hand-seating", five[2]), seats)
    table = client.get(at(club, five, "table")).context
    assert table["page"]["questions"] == []
    assert [row.words for row in active_rows(table)] == [
        "Alice goes Mah-jong",
        "Seats corrected: Bob East, Carol South, Dave West, Fay North",
        "Fay goes Mah-jong",
    ]


def test_an_entry_that_is_not_a_hand_is_removed_from_the_table_page(client, club, five):
    client.post(at(club, five, "penalty"), {"by": "3", "amount": "30"})
    fine = five[0].entries.get(kind="fine").key
    preview = client.post(at(club, five, "hand-preview", fine), {"kind": "take_out"})
    assert preview.context["heading"] == "What changes without this entry"
    client.post(preview.context["confirm_url"], {"key": preview.context["sent"]["key"]})
    assert five[0].entries.get(kind="fine").removed


def test_four_figures_have_their_comma_wherever_they_are_said():
    """As the balances next to them: 1,000, never 1000."""
    fine = {"penalties": [{"kind": "fine", "by": "1", "to": "2", "amount": 1500}]}
    assert list(penalty_words(fine, {"1": "Alice", "2": "Bob"})) == ["Penalty of 1,500 by Alice, to Bob."]
    assert given_words({"total": 1000}) == "A total of 1,000."
    assert given_words({"points": 1024, "doubles": 1}) == "1,024 points, 1 double, counted at the table."
    assert declared_words({"total": 2000}, str) == "total 2,000"
    assert declared_words({"points": 1, "doubles": 1}, str) == "1 point, 1 double"
    assert declared_words({"points": "many"}, str) == "many points"


@pytest.mark.parametrize(
    ("changed", "is_said"),
    [({"from": "3"}, True), ({"by": "2", "total": 52}, False), ({"by": "4"}, False)],
    ids=["the discarder", "a total", "the winner"],
)
def test_a_correction_that_changes_no_score_is_said_to_change_none(client, club, five, changed, is_said):
    body = body_of(five[1], five)
    hands = {**body["hands"], "2": {"total": changed.pop("total", 50)}}
    sent = json.dumps({**body, "hands": hands, "mahjong": {**body["mahjong"], **changed}})
    answer = client.post(at(club, five, "hand-score") + f"?hand={five[1]}", {"body": sent}).json()
    assert ("No score changes." in answer["html"]) is answer["changes_nothing"] is is_said
    # As the rules on a tablet answer with what the page brings.
    page = client.get(at(club, five, "hand-change", five[1])).text
    assert engine_answer(asked_as_the_script_does(page, json.loads(sent), ""))["changes_nothing"] is is_said
    assert not client.post(at(club, five, "hand-score"), {"body": sent}).json()["changes_nothing"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("3", "The last tile is now Carol’s discard. No scores change."),
        ("wall", "The last tile is now from the wall. No scores change."),
        (None, "No scores change."),
    ],
)
def test_the_preview_says_where_the_last_tile_now_comes_from(client, club, five, source, words):
    body = body_of(five[1], five)
    changed = {**body, "mahjong": {**body["mahjong"], **({"from": source} if source else {})}}
    page = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(changed)})
    assert f'<p class="lead">{words}</p>' in page.text


def test_a_hand_put_in_before_one_just_like_it_is_not_said_to_change_nothing(client, club, five):
    address = client.get(at(club, five, "hand-insert", five[1])).context["entry"]["urls"]["score"]
    answer = client.post(address, {"body": json.dumps(body_of(five[1], five))}).json()
    assert answer["state"] == "whole"
    assert "Alice pays Bob 100." in answer["html"]
    assert "No score changes." not in answer["html"]
    assert not answer["changes_nothing"]


def nets(five):
    return {tally.seat.player.name: tally.net for tally in five[0].tallies.select_related("seat__player")}


def confirmed(client, page, **choice):
    sent = {"key": page.context["sent"]["key"], "body": page.context["body_json"], **choice}
    return client.post(page.context["confirm_url"], sent)


def test_a_change_of_who_won_offers_first_to_keep_the_seats_as_played(client, club, five):
    page = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(east_won(five))})
    assert page.context["preview"]["kept"]["questions"] == []
    # What each player has after hands 1 and 2 is in the comment of the next test.
    after = page.context["preview"]["kept"]["totals"][1].cells
    assert [cell.net for cell in after] == [300, -180, -140, -140, 160]
    # Hand 1 was not Fay's.
    assert [cell.name for cell in after if not cell.differs] == ["Fay"]
    buttons = re.findall(r'<button[^>]*name="keep_seats" value="(1?)"[^>]*>([^<]*)<', page.text)
    assert buttons == [("1", "Keep the seats"), ("", "Follow the rotation")]


def test_later_hands_keep_their_seats_in_one_tap_and_one_undo(client, club, five):
    before = nets(five)
    # Hand 1: Bob's 50 is 100 from East Alice, 50 from Carol and from Dave. Hand 2: East Bob pays Fay 80, Carol and
    # Dave 40.
    assert before == {"Alice": -100, "Bob": 120, "Carol": -90, "Dave": -90, "Fay": 160}
    page = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(east_won(five))})
    assert confirmed(client, page, keep_seats="1").url == at(club, five, "table")
    # East Alice's 50 is 100 from each of three now; hand 2 stays as it was.
    assert nets(five) == {"Alice": 300, "Bob": -180, "Carol": -140, "Dave": -140, "Fay": 160}
    table = client.get(at(club, five, "table")).context
    assert table["page"]["questions"] == []
    assert [row.words for row in active_rows(table)] == [
        "Alice goes Mah-jong",
        "Seats corrected: Bob East, Carol South, Dave West, Fay North",
        "Fay goes Mah-jong",
    ]
    client.post(at(club, five, "undo"))
    assert nets(five) == before
    assert [row.words for row in active_rows(client.get(at(club, five, "table")).context)][:2] == [
        "Bob goes Mah-jong",
        "Fay goes Mah-jong",
    ]
    client.post(at(club, five, "redo"))
    assert nets(five) == {"Alice": 300, "Bob": -180, "Carol": -140, "Dave": -140, "Fay": 160}


def test_later_hands_follow_the_rotation_where_that_is_chosen(client, club, cast, five):
    four = table_in_play(club, cast.all[:4], number=2)
    first = record(four, totals(four, 2, seat2=50)).entry
    record(four, totals(four, 3, seat3=40))
    # As above, and East Bob pays Carol 80, Alice and Dave 40.
    assert nets([four]) == {"Alice": -140, "Bob": 120, "Carol": 110, "Dave": -90}
    preview = at(club, [four], "hand-preview", first)
    page = client.post(preview, {"body": json.dumps(east_won(None))})
    confirmed(client, page, keep_seats="")
    # Alice stays East of hand 2: she pays Carol 80, Bob and Dave 40.
    assert nets([four]) == {"Alice": 220, "Bob": -140, "Carol": 60, "Dave": -140}
    assert not four.entries.filter(kind="seating").exists()
    client.post(at(club, [four], "undo"))
    page = client.post(preview, {"body": json.dumps(east_won(None))})
    confirmed(client, page, keep_seats="1")
    assert nets([four]) == {"Alice": 260, "Bob": -180, "Carol": 60, "Dave": -140}
    # And hand 3 goes on from there: Carol won hand 2, so the deal passed from Bob to her.
    four.refresh_from_db()
    assert current_seating(four).east == 3


@pytest.mark.parametrize(
    "body",
    [
        {
            "hands": {"1": {"total": 0}, "2": {"total": 62}, "3": {"total": 0}, "4": {"total": 0}},
            "mahjong": {"by": "2"},
        },
        {"hands": {"1": {"total": 0}, "2": {"total": 0}, "3": {"total": 8}, "4": {"total": 0}}, "mahjong": {"by": "3"}},
    ],
    ids=["another total", "the deal passes all the same"],
)
def test_nothing_is_asked_where_no_later_hand_would_have_other_seats(client, club, five, body):
    page = client.post(at(club, five, "hand-preview", five[1]), {"body": json.dumps(body)})
    assert page.context["preview"]["kept"] is None
    assert "keep_seats" not in page.text
    confirmed(client, page, keep_seats="1")
    assert not five[0].entries.filter(kind="seating").exists()


def test_nothing_is_asked_of_the_last_hand(client, club, five):
    won_by_east = {**body_of(five[2], five), "mahjong": {"by": "2"}}
    page = client.post(at(club, five, "hand-preview", five[2]), {"body": json.dumps(won_by_east)})
    assert page.status_code == 200
    assert "keep_seats" not in page.text
    confirmed(client, page, keep_seats="1")
    assert not five[0].entries.filter(kind="seating").exists()


def test_a_namesake_who_really_played_is_one_of_two_buttons(client, club, five):
    page = at(club, five, "hand", five[1])
    assert "Who really played" not in client.get(page).text
    baker, _ = (Player.objects.create(club=club, full_name=name) for name in ("Bob Baker", "Bobbie Cook"))
    Player.objects.create(club=club, full_name="Bob Gone", left_on=DAY)
    assert [(str(seat.player), str(other)) for seat, other in client.get(page).context["namesakes"]] == [
        (five[0].seats.get(seat_no=2).player.full_name, "Bob Baker")
    ]
    asked = client.get(page).text
    assert f"Who really played: {five[0].seats.get(seat_no=2).player.full_name} or Bob Baker?" in asked
    shown = re.findall(r'name="(seat|player)" value="(\d+)"', asked)
    assert shown == [("seat", "2"), ("player", str(baker.pk))]
    client.post(at(club, five, "change-player"), dict(shown))
    assert nets(five) == {"Alice": -100, "Bob Baker": 120, "Carol": -90, "Dave": -90, "Fay": 160}
    client.post(at(club, five, "undo"))
    assert nets(five) == {"Alice": -100, "Bob": 120, "Carol": -90, "Dave": -90, "Fay": 160}


def test_a_member_who_may_not_write_is_not_asked_who_really_played(club, five):
    Player.objects.create(club=club, full_name="Bob Baker")
    page = signed_in(logins(club)["member"]).get(at(club, five, "hand", five[1]))
    assert page.status_code == 200
    assert page.context["namesakes"] == []
