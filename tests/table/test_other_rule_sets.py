"""Western, the beginners' sheet, Baggaley, Turner and Chinese Official at a table: ledger, rotation, pages."""

import json
import re
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from django.http import QueryDict

from clubscore.league.ranking import Settings
from clubscore.play.one_hand import page_of
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rule_table import RuleTable
from sessions_app.league.standings import Span, standings
from sessions_app.models import Hand, Payment, PlayerHand, Tally
from sessions_app.people.transactions import ServiceError
from sessions_app.table.board import session_board
from sessions_app.table.hand_form import read_posted_hand
from sessions_app.table.sessions import current_seating, start_session
from sessions_app.table.views.hand_entry_page import HandEntryPage, offers, penalties, score_page, special_hands
from tests.afternoon import nets, new_key, nobody, send, totals
from tests.conftest import AFTERNOON
from tests.logins import logins, signed_in
from tests.reconciled import reconcile

# tests/data/chinese-official.jsonl, 79fadc22dce0: South draws the 7 of bamboos; 33 points, five flowers among them.
BEST_33 = {
    "sets": ["exposed pung 9B", "exposed pung 6B"], "tiles": "6C 6C 6C 7B 7B 9D 9D 9D", "bonus": "F1 F2 F3 F4 S1",
}  # fmt: skip


URLS = {"score": "/score", "save": "/save", "back": "/back"}


@pytest.fixture
def at_table(club, cast, secretary):
    def start(rules, house_rules=None, players=4):
        return start_session(club, AFTERNOON, 1, cast.all[:players], rules, house_rules or {}, by=secretary)

    return start


def record(table_session, body):
    answer = send(table_session, "hand", body)
    assert answer.outcome == "recorded", answer.message
    return answer


def chairs(table_session):
    table_session.refresh_from_db()
    return current_seating(table_session)


def test_two_win_on_one_discard_and_everybody_adds_the_own_score(at_table):
    """worked-hands.jsonl, D83."""
    four = at_table("baggaley")
    record(four, {
        "hands": {"1": {"total": 8}, "2": {"total": 4}, "3": {"total": 50}, "4": {"total": 32}},
        "mahjong": [{"by": "3", "from": "2"}, {"by": "4", "from": "2"}],
    })  # fmt: skip
    assert nets(four) == {"Alice": 8, "Bob": 4, "Carol": 50, "Dave": 32}
    assert Payment.objects.count() == 0
    won = PlayerHand.objects.filter(won=True).order_by("seat__seat_no").values_list("seat__seat_no", flat=True)
    assert list(won) == [3, 4]
    tallies = Tally.objects.order_by("seat__seat_no").values_list("won", "gained", "lost", "balance")
    assert list(tallies) == [(0, 8, 0, 8), (0, 4, 0, 4), (1, 50, 0, 50), (1, 32, 0, 32)]
    assert chairs(four).winds == (2, 3, 4, 1)
    assert reconcile() == []


def test_east_passes_after_winning_and_stays_after_a_draw_where_nobody_settles(at_table):
    four = at_table("turner")
    record(four, {"hands": {str(seat): {} for seat in range(1, 5)}, "mahjong": {"by": "1", "from": "wall"}})
    assert (nets(four)["Alice"], chairs(four).winds) == (40, (2, 3, 4, 1))
    record(four, nobody())
    assert (chairs(four).winds, chairs(four).goulash) == ((2, 3, 4, 1), False)
    assert nets(four) == {"Alice": 40, "Bob": 0, "Carol": 0, "Dave": 0}


def test_one_of_two_winners_is_corrected_away(at_table):
    four = at_table("turner")
    body = {"hands": {str(seat): {} for seat in range(1, 5)}}
    two = [{"by": "2", "from": "1"}, {"by": "4", "from": "1"}]
    answer = record(four, {**body, "mahjong": two})
    assert nets(four) == {"Alice": 0, "Bob": 20, "Carol": 0, "Dave": 20}
    assert send(four, "correct", {"entry": answer.entry, "body": {**body, "mahjong": two[0]}}).outcome == "recorded"
    assert nets(four) == {"Alice": 0, "Bob": 20, "Carol": 0, "Dave": 0}
    assert reconcile() == []


@pytest.mark.parametrize(
    ("rules", "winner", "figures", "expected"),
    [
        ("western", "4", (40, 16, 8, 96), (-80, -136, -168, 384)),  # D59: East pays double
        ("beginners", "1", (24, 8, 10, 4), (50, -14, -6, -30)),  # D68: everyone pays the difference
        ("beginners", "1", (24, 40, 10, 4), (18, 82, -38, -62)),  # D72: the winner pays too
    ],
)
def test_settling(at_table, rules, winner, figures, expected):
    four = at_table(rules)
    record(four, totals(winner, **{f"s{seat}": figure for seat, figure in enumerate(figures, 1)}))
    assert tuple(nets(four).values()) == expected


def test_seats_change_between_the_rounds_and_east_passes_after_every_hand(at_table):
    """A B C D, then B A D C, C D B A, D C A B, whether hands are won or drawn; then a new game."""
    four = at_table("chinese_official")
    begun = {}
    for number in range(17):
        now = chairs(four)
        begun[number] = (now.wind_of_round, now.winds)
        east = str(now.east)
        record(four, nobody() if number % 3 else totals(east, **{f"s{east}": 8}))
    assert [begun[number] for number in (0, 1, 2, 3)] == [
        ("E", (1, 2, 3, 4)), ("E", (2, 3, 4, 1)), ("E", (3, 4, 1, 2)), ("E", (4, 1, 2, 3)),
    ]  # fmt: skip
    assert [begun[number] for number in (4, 5, 8, 12, 16)] == [
        ("S", (2, 1, 4, 3)), ("S", (1, 4, 3, 2)), ("W", (3, 4, 2, 1)), ("N", (4, 3, 1, 2)), ("E", (1, 2, 3, 4)),
    ]  # fmt: skip
    assert sum(nets(four).values()) == 0
    assert reconcile() == []


def test_the_share_that_everyone_pays_is_not_said_to_be_the_hand_doubled(at_table):
    """8 points and the 8 that everyone pays are 16: East, who discarded, pays them as anybody would."""
    four = at_table("chinese_official")
    body = {"hands": {"2": {"total": 8}}, "mahjong": {"by": "2", "from": "1"}}
    body["hands"] |= {seat: {"total": 0} for seat in "134"}
    entered = score_page(four, chairs(four), body)["scored"]["payments"]
    assert [(paid["amount"], paid["why_words"]) for paid in entered] == [(16, "for Hu"), (8, "for Hu"), (8, "for Hu")]
    record(four, body)
    key = str(Hand.objects.get().entry.key)
    recorded = page_of(session_board(four, {"turn": 0}), key)["paid"]["payments"]
    assert {why for *_, why in recorded} == {"for Hu"}


def test_nobody_is_shown_to_pay_as_the_discarder_before_one_is_chosen(at_table):
    four = at_table("chinese_official")
    tiles = {"sets": ["exposed pung 3B", "exposed kong 6C", "exposed pung 8D", "concealed pung 2C", "pair 7D"]}
    body = {"hands": {"1": {}, "2": tiles, "3": {}, "4": {}}, "mahjong": {"by": "2"}}
    begun = score_page(four, chairs(four), body)["scored"]
    assert (begun["state"], begun["error"], begun["payments"]) == ("part", None, [])
    assert begun["players"][1]["total"] == 9
    chosen = score_page(four, chairs(four), {**body, "mahjong": {"by": "2", "from": "3"}})["scored"]
    assert [(paid["from"]["name"], paid["amount"]) for paid in chosen["payments"]] == [
        ("Alice", 8), ("Carol", 17), ("Dave", 8),
    ]  # fmt: skip


def test_a_table_of_chinese_official_seats_four(at_table):
    with pytest.raises(ServiceError, match="four players, not 5"):
        at_table("chinese_official", players=5)


def test_nobody_joins_a_full_table_of_chinese_official_but_takes_the_chair_of_one_who_left(at_table, cast):
    four = at_table("chinese_official")
    answer = send(four, "arrive", {"player": cast.fay.pk})
    assert (answer.outcome, answer.message) == (
        "invalid", "Chinese Official (81 fan) is for 4 players at most. No one else can join.",
    )  # fmt: skip
    assert send(four, "leave", {"seat": "4"}).outcome == "recorded"
    assert send(four, "hand", totals("2", seats="123", s2=8)).outcome == "invalid"
    assert send(four, "arrive", {"player": cast.fay.pk}).outcome == "recorded"
    record(four, totals("2", seats="1235", s2=8))
    assert nets(four) == {"Alice": -16, "Bob": 48, "Carol": -16, "Dave": 0, "Fay": -16}
    assert reconcile() == []


def test_deductions_go_to_nobody_and_the_session_is_short_of_them(at_table):
    four = at_table("chinese_official")
    fined = totals("2", s2=18) | {"penalties": [{"kind": "fine", "by": "3", "amount": 5}]}
    record(four, fined)
    assert send(four, "fine", {"by": "4", "to": None, "amount": 20, "why": "Lateness"}).outcome == "recorded"
    assert nets(four) == {"Alice": -26, "Bob": 78, "Carol": -31, "Dave": -46}
    assert sum(nets(four).values()) == -25
    assert reconcile() == []


def test_the_hand_goes_on_after_a_false_hu(at_table):
    four = at_table("chinese_official")
    record(four, totals("2", s2=8) | {"mahjong": {"by": "2", "from": "1"},
                                      "penalties": [{"kind": "false mahjong", "by": "3"}]})  # fmt: skip
    assert nets(four) == {"Alice": -16 + 20, "Bob": 32 + 20, "Carol": -8 - 60, "Dave": -8 + 20}
    assert Hand.objects.get().kind == "won"


def test_a_false_hu_and_nobody_wins_is_a_drawn_hand(at_table):
    four = at_table("chinese_official")
    record(four, nobody() | {"penalties": [{"kind": "false mahjong", "by": "3"}]})
    assert nets(four) == {"Alice": 20, "Bob": 20, "Carol": -60, "Dave": 20}
    assert (Hand.objects.get().kind, chairs(four).east) == ("drawn", 2)


def test_who_made_a_false_hu_cannot_win_the_hand(at_table):
    four = at_table("chinese_official")
    answer = send(four, "hand", totals("3", s3=8) | {"penalties": [{"kind": "false mahjong", "by": "3"}]})
    assert (answer.outcome, Hand.objects.count()) == ("invalid", 0)


@pytest.mark.parametrize(("rules", "fine"), [("western", 300), ("beginners", 300), ("baggaley", 300), ("turner", 300)])
def test_elsewhere_a_false_mahjong_voids_the_hand(at_table, rules, fine):
    four = at_table(rules)
    record(four, nobody() | {"penalties": [{"kind": "false mahjong", "by": "3"}]})
    assert nets(four) == {"Alice": fine, "Bob": fine, "Carol": -3 * fine, "Dave": fine}
    assert (Hand.objects.get().kind, chairs(four).east) == ("void", 1)


def announced(total):
    hands = {"1": {}, "2": {"total": total}, "3": {}, "4": {}}
    return {"hands": hands, "beside": {"2": BEST_33}, "mahjong": {"by": "2", "tile": "7B", "from": "wall"}}


def test_an_announced_hand_counts_as_announced_and_the_difference_is_shown(at_table, club):
    four = at_table("chinese_official")
    live = score_page(four, chairs(four), announced(30))["scored"]
    assert [player["beside"] for player in live["players"]] == ["", "The best reading is 33; announced 30.", "", ""]
    answer = record(four, announced(30))
    assert nets(four) == {"Alice": -38, "Bob": 114, "Carol": -38, "Dave": -38}
    page = signed_in(logins(club)["member"]).get(f"/c/bramley/sessions/{four.pk}/hands/{answer.entry}/")
    assert "The best reading is 33; announced 30." in page.content.decode()


def test_tiles_that_count_stand_beside_what_was_announced(at_table):
    four = at_table("chinese_official")
    body = announced(30)
    body["hands"], body["beside"] = {**body["hands"], "2": BEST_33}, {"2": {"total": 30}}
    live = score_page(four, chairs(four), body)["scored"]
    assert live["players"][1]["beside"] == "Announced 30; the tiles score 33."
    assert live["players"][1]["total"] == 33


def test_two_winners_are_both_scored_as_winners_while_the_hand_is_entered(at_table):
    """worked-hands.jsonl, D74 (48), and the same tiles for nobody else: the other winner is still blank."""
    four = at_table("baggaley")
    hand = {"sets": ["concealed chow 1C", "concealed chow 4D", "concealed chow 7B", "exposed pung 5B", "pair G"]}
    mahjong = [{"by": "2", "tile": "G", "from": "1"}, {"by": "3", "tile": "G", "from": "1"}]
    live = score_page(four, chairs(four), {"hands": {"3": hand}, "mahjong": mahjong})["scored"]
    assert [player["total"] for player in live["players"]] == [None, None, 48, None]


def test_two_winners_are_typed_on_the_plain_page_and_shown_for_a_correction(at_table, club):
    """Their worth is that of test_baggaley.py: 48 and 34, with a fifth 5 of bamboos between them."""
    four = at_table("baggaley")
    client = signed_in(logins(club)["scorekeeper"])
    table = f"/c/{club.slug}/sessions/{four.pk}"
    typed = {
        "plain_key": new_key(), "after": "", "winner": "2", "winner_2": "3", "from": "1", "winning_tile": "5B",
        "form_1": "nothing", "form_4": "nothing",
        "form_2": "tiles", "tiles_2": "1C 2C 3C 4D 5D 6D 7B 8B 9B 5B 5B 5B G G",
        "form_3": "tiles", "tiles_3": "5B 5B",
        "sets_3": "exposed pung 2C, exposed pung 9D, exposed chow 3C, exposed pung P",
    }  # fmt: skip
    refused = client.post(f"{table}/hands/record/", typed | {"form_4": ""})
    assert (refused.status_code, refused.context["plain"]["winners"]) == (422, ["2", "3"])
    assert client.post(f"{table}/hands/record/", typed).status_code == 302
    assert nets(four) == {"Alice": 0, "Bob": 48, "Carol": 34, "Dave": 0}
    change = f"{table}/hands/{four.entries.get().key}/change/"
    assert client.get(change).context["plain"]["winners"] == ["2", "3"]


def test_tied_table_points_are_kept_exactly(at_table, club):
    """One hand of 8 on a discard: Alice first, three tie behind her only where she drew it herself."""
    four = at_table("chinese_official")
    record(four, totals("1", s1=8) | {"mahjong": {"by": "1", "from": "wall"}})
    send(four, "finish")
    span = Span(date(2026, 11, 1), date(2026, 11, 30), ("chinese_official",))
    rows = standings(club, span, Settings("table_points", minimum_sessions=1)).rows
    assert {row.name: Fraction(*row.value) for row in rows} == {
        "Alice": 4, "Bob": Fraction(1), "Carol": Fraction(1), "Dave": Fraction(1),
    }  # fmt: skip
    again = at_table("chinese_official")
    record(again, totals("1", s1=8) | {"penalties": [{"kind": "fine", "by": "1", "amount": 64}]})
    send(again, "finish")
    rows = standings(club, span, Settings("table_points", minimum_sessions=1)).rows
    # Alice 48 - 64 = -16, as the others: all four tie, 7/4 each.
    assert {row.name: Fraction(*row.value) for row in rows} == {
        "Alice": Fraction(23, 8), "Bob": Fraction(11, 8), "Carol": Fraction(11, 8), "Dave": Fraction(11, 8),
    }  # fmt: skip


# What the pages offer


def offered(rules, at_table):
    four = at_table(rules)
    return offers(four), [one["key"] for one in penalties(four)]


BRITISH_ASKS = ("loose_tile", "second_kong", "last_of_wall", "last_discard", "robbed_kong", "dealt", "first_discard")


@pytest.mark.parametrize(
    ("rules", "asks", "true"),
    [
        # With exposed sets a special hand scores half in the guide alone.
        ("bmja", BRITISH_ASKS, {"hands", "bonus", "doubles", "special", "fishing", "original_call"}),
        ("u3a", BRITISH_ASKS, {"hands", "bonus", "doubles", "special", "exposable", "fishing", "original_call"}),
        (
            "western",
            ("loose_tile", "last_of_wall", "robbed_kong", "dealt", "first_discard", "standing", "thirteenth"),
            {"hands", "bonus", "doubles", "special"},
        ),
        ("beginners", ("loose_tile", "last_of_wall", "dealt"), {"hands", "bonus", "doubles", "special"}),
        (
            "baggaley",
            ("loose_tile", "flower_replaced", "dealt", "first_round"),
            {"hands", "bonus", "special", "two_winners"},
        ),
        ("turner", (), {"two_winners"}),
        (
            "chinese_official",
            ("loose_tile", "flower_replaced", "last_of_wall", "last_discard", "robbed_kong", "last_of_kind"),
            {"hands", "bonus"},
        ),
    ],
)
def test_a_table_is_offered_only_what_its_rule_set_has(at_table, rules, asks, true):
    found, _ = offered(rules, at_table)
    named = ("hands", "bonus", "doubles", "special", "exposable", "fishing", "original_call", "two_winners")
    assert (found["asks"], {name for name in named if found[name]}) == (asks, true)


@pytest.mark.parametrize(
    ("rules", "house_rules", "not_asked"),
    [
        ("bmja", {"hand_heavens_blessing": None}, {"dealt"}),
        ("u3a", {"hand_earths_blessing": None, "hand_twofold_fortune": None}, {"first_discard", "second_kong"}),
        # The last tile and a loose one still double.
        ("bmja", {"hand_plum_blossom": None, "hand_plucking_the_moon": None}, set()),
        ("western", {"hand_thirteenth_mahjong": None, "hand_first_discard": None}, {"thirteenth", "first_discard"}),
        # The doubles of the original hand still count.
        ("western", {"hand_original_hand": None}, set()),
        ("western", {"limit": None}, set()),
        ("chinese_official", {"minimum_points": 0}, set()),
    ],
)
def test_a_table_is_not_asked_what_its_house_rules_count_for_nothing(at_table, rules, house_rules, not_asked):
    found, usual = offers(at_table(rules, house_rules)), offers(at_table(rules))
    assert set(usual["asks"]) - set(found["asks"]) == not_asked
    assert set(found["ways"]) <= set(found["asks"])


def test_a_table_that_plays_no_hand_to_fish_for_is_not_asked_who_was_fishing(at_table):
    fished = [hand.key for hand in RULE_SETS["bmja"].special_hands if hand.fishable]
    some = at_table("bmja", {f"hand_{key}": None for key in fished[1:]})
    none = at_table("bmja", {f"hand_{key}": None for key in fished})
    assert [(offers(one)["fishing"], offers(one)["fishing_by_name"]) for one in (some, none)] == [
        (True,) * 2,
        (False,) * 2,
    ]
    every = {f"hand_{hand.key}": None for hand in RULE_SETS["bmja"].special_hands}
    nothing = at_table("bmja", every)
    assert (offers(nothing)["special"], special_hands(nothing)) == (False, [])


def test_without_a_limit_the_hands_that_score_by_their_doubles_are_not_offered_by_name(at_table):
    """Settled: "With `limit` null All Winds and Dragons and the original hand score by their three doubles"."""
    named = [{hand["key"] for hand in special_hands(at_table("western", rules))} for rules in ({}, {"limit": None})]
    assert named[0] - named[1] == {"all_winds_and_dragons", "original_hand"}


def test_the_tablet_knows_who_can_have_a_hand_by_name_and_how(at_table):
    for rules in ("bmja", "western"):
        for hand in special_hands(at_table(rules)):
            [row] = [row for row in rule_hands(rules) if row.key == hand["key"]]
            win = row.examples[0].mahjong or {"by": "S"}
            assert win["by"] in hand["by"]
            assert not hand["sources"] or win["from"] in hand["sources"]
            assert all(win[mark] == value for mark, value in hand["marks"].items())
    by = {hand["key"]: hand["by"] for hand in (*special_hands(at_table("u3a")), *special_hands(at_table("western")))}
    assert {key: winds for key, winds in by.items() if winds != "ESWN"} == {
        "heavens_blessing": "E", "earths_blessing": "SWN", "first_discard": "SWN", "thirteenth_mahjong": "E",
    }  # fmt: skip


def rule_hands(rules):
    house = RULE_SETS[rules].house()
    return [row for row in RULE_SETS[rules].special_hands if house.plays(row)]


def entry_of(four, client, query=""):
    return client.get(f"/c/bramley/sessions/{four.pk}/hands/new/{query}").content.decode()


@pytest.mark.parametrize(("rules", "counts"), [("bmja", True), ("chinese_official", True), ("turner", False)])
def test_flowers_are_entered_only_where_they_count(at_table, club, rules, counts):
    four, client = at_table(rules), signed_in(logins(club)["scorekeeper"])
    assert ('data-tile="F1"' in entry_of(four, client)) is counts
    assert ("Flowers and seasons" in entry_of(four, client, "?plain")) is counts


def test_a_rule_set_whose_rows_read_no_flowers_counts_none():
    """As a house rule "flowers do not count" would do it: no row of flowers is left in force."""
    bmja = RULE_SETS["bmja"]
    without = replace(bmja, rules=tuple(row for row in bmja.rules if row.of not in ("bonus tile", "bonus")))
    assert (RuleTable(bmja, bmja.house()).counts_bonus, RuleTable(without, bmja.house()).counts_bonus) == (True, False)


def test_where_no_tiles_count_none_are_typed(at_table, club):
    page = entry_of(at_table("turner"), signed_in(logins(club)["scorekeeper"]), "?plain")
    assert "Winning tile" not in page
    assert "Single concealed tiles" not in page
    assert "Type tiles as" not in page
    assert "Who went Mah-Jongg" in page
    assert "Last tile from" in page
    assert "Not chosen yet</option>" in page
    assert 'name="form_1"' not in page


def test_a_hand_is_typed_by_its_winner_alone_where_no_tiles_count(at_table, club):
    four, client = at_table("turner"), signed_in(logins(club)["scorekeeper"])
    typed = {"plain_key": new_key(), "winner": "2", "from": "3"}
    assert client.post(f"/c/bramley/sessions/{four.pk}/hands/record/", typed).status_code == 302
    assert nets(four) == {"Alice": 0, "Bob": 20, "Carol": 0, "Dave": 0}
    refused = client.post(f"/c/bramley/sessions/{four.pk}/hands/record/", {**typed, "plain_key": new_key(), "from": ""})
    assert 'id="plain-2"' in refused.content.decode()


def test_where_nobody_pays_nobody_has_to_say_who_discarded(at_table):
    tiles = {"sets": ["exposed pung 2C", "exposed pung 5B", "concealed pung 8D"], "tiles": "9C 9C 9C P P"}
    body = {"hands": {"1": tiles, "2": {}, "3": {}, "4": {}}, "mahjong": {"by": "1", "tile": "9C"}}
    for recording, asked in (("settle", True), ("straight", False)):
        four = at_table("chinese_official", {"recording": recording, "minimum_points": 0})
        assert offers(four)["discarder_pays_more"] is asked
        state = score_page(four, current_seating(four), body)["scored"]["state"]
        assert state == ("part" if asked else "whole")


def test_penalties_are_those_of_the_rule_set(at_table):
    assert offered("turner", at_table)[1] == ["false mahjong", "fine"]
    assert offered("bmja", at_table)[1] == [
        "misnamed discard", "misnamed discard for mahjong", "cannon", "false mahjong", "fine",
    ]  # fmt: skip
    assert offered("chinese_official", at_table)[1] == [
        "false mahjong", "shown tiles", "knocked tiles", "lateness", "repeated", "discretion", "fine",
    ]  # fmt: skip


@pytest.mark.parametrize(("house_rules", "false_hu", "shown"), [
    ({}, 20, 10), ({"false_hu_fine": 1500, "shown_tiles_fine": 25}, "1,500", 25),
])  # fmt: skip
def test_a_false_hu_costs_what_the_house_rules_say(at_table, house_rules, false_hu, shown):
    one, other = penalties(at_table("chinese_official", house_rules))[:2]
    assert one["words"] == f"False Hu: {false_hu} to each, and the hand goes on"
    assert one["cost"] == f"Costs {false_hu} to each other player."
    assert (one["amount"], one["typed"]) == (None, False)
    assert other["words"] == f"Tiles shown after a false Hu: {shown} to each"
    assert (other["amount"], other["typed"]) == (shown, False)


def test_nobody_pays_for_all_where_nobody_pays(at_table):
    four = at_table("bmja", {"recording": "straight"})
    assert [one["key"] for one in penalties(four)] == ["misnamed discard", "false mahjong", "fine"]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("bmja", ("Mah-jong", "7 Circles", "3 Bamboo", "Pung")),
        ("western", ("Mah Jong", "7 Circles", "3 Bamboo", "Pung")),
        ("beginners", ("Mah-Jongg", "7 Wheels", "3 Bamboo", "Pung")),
        ("baggaley", ("Mah-Jongg", "7 Cakes", "3 Sticks", "Peng")),
        ("turner", ("Mah-Jongg", "7 Cakes", "3 Sticks", "Peng")),
        ("chinese_official", ("Hu", "7 Dots", "3 Bamboo", "Pung")),
    ],
)
def test_pages_speak_in_the_words_of_the_rule_set(at_table, club, rules, words):
    four = at_table(rules)
    client = signed_in(logins(club)["scorekeeper"])
    table = client.get(f"/c/bramley/sessions/{four.pk}/table/").content.decode()
    entry = client.get(f"/c/bramley/sessions/{four.pk}/hands/new/").content.decode()
    mahjong, circles, bamboo, pung = words
    assert mahjong in re.search(r'id="nobody"[^>]*>([^<]*)<', table)[1]
    assert re.search(r'data-tile="7D" aria-label="([^"]*)"', entry)[1] == circles
    assert re.search(r'data-tile="3B" aria-label="([^"]*)"', entry)[1] == bamboo
    assert re.search(r'data-kind="pung"[^>]*>([^<]*)<', entry)[1] == pung


def test_a_clubs_own_names_of_the_suits_win(at_table, club):
    club.suit_names = {"D": "Coins"}
    club.save()
    four = at_table("baggaley")
    names = HandEntryPage(four, chairs(four), number=1, urls=URLS).context()["entry"]["tiles"]
    assert (names["7D"], names["3B"], names["F4"]) == ("7 Coins", "3 Sticks", "Flower 4 (Bamboo)")


def test_the_button_for_no_winner_says_the_same_where_it_is_not_a_goulash(at_table, club):
    four = at_table("western")
    page = signed_in(logins(club)["scorekeeper"]).get(f"/c/bramley/sessions/{four.pk}/table/").content.decode()
    assert re.search(r'id="nobody"[^>]*>([^<]*)<', page)[1] == "Nobody went Mah Jong"


def test_the_table_is_asked_to_change_seats_between_rounds(at_table, club):
    four = at_table("chinese_official")
    client = signed_in(logins(club)["scorekeeper"])
    found = []
    for _ in range(5):
        page = client.get(f"/c/bramley/sessions/{four.pk}/table/").content.decode()
        found.append("New round: everyone change seats as shown." in page)
        record(four, nobody())
    assert found == [False, False, False, False, True]


@pytest.mark.parametrize(("rules", "expected"), [("western", True), ("baggaley", False), ("turner", False)])
def test_the_wind_of_the_round_is_shown_if_it_counts(at_table, club, rules, expected):
    four = at_table(rules)
    page = signed_in(logins(club)["scorekeeper"]).get(f"/c/bramley/sessions/{four.pk}/table/").content.decode()
    assert ("East is the wind of the round" in page) is expected


def test_a_paper_sheet_of_totals_cannot_tell_who_discarded(at_table, club):
    four = at_table("chinese_official")
    client = signed_in(logins(club)["scorekeeper"])
    answer = client.get(f"/c/bramley/sessions/{four.pk}/paper/", follow=True)
    assert answer.redirect_chain == [(f"/c/bramley/sessions/{four.pk}/table/", 302)]
    assert "At this table the discarder pays more" in answer.content.decode()
    assert "Type in a paper score sheet" not in answer.content.decode()


def test_a_session_begins_with_what_each_rule_set_is(club):
    page = signed_in(logins(club)["scorekeeper"]).get("/c/bramley/sessions/start/").content.decode()
    for rule_set in RULE_SETS.values():
        assert rule_set.name.replace("'", "&#x27;") in page
        assert rule_set.sentence.replace("'", "&#x27;") in page
    assert "4 players only; everyone starts at 0." in page
    assert "3 to 5 players; each of four starts with 3,000." in page


def test_the_plain_form_asks_for_no_hand_that_cannot_count(at_table):
    four = at_table("chinese_official")
    post = QueryDict(f"winner=2&form_2=total&total_2=18&plain_key={new_key()}")
    found = read_posted_hand(post, ["1", "2", "3", "4"], offers(four)).error
    assert (found.message, found.seat) == ("Choose where the last tile came from.", "2")
    posted = read_posted_hand(QueryDict(f"{post.urlencode()}&from=3"), ["1", "2", "3", "4"], offers(four))
    assert posted.error is None
    assert posted.body["hands"] == {"2": {"total": 18}, "1": {}, "3": {}, "4": {}}


def test_a_false_hu_alone_does_not_say_how_the_hand_ended(at_table):
    four = at_table("chinese_official")
    body = {"hands": {str(seat): {} for seat in range(1, 5)}, "mahjong": None,
            "penalties": [{"kind": "false mahjong", "by": "3"}]}  # fmt: skip
    posted = read_posted_hand({"body": json.dumps(body), "key": new_key()}, ["1", "2", "3", "4"], offers(four))
    assert posted.error.field == "mahjong"


def test_a_penalty_of_chinese_official_takes_points_off_that_nobody_receives(at_table, club):
    four = at_table("chinese_official")
    rows = {row["key"]: (row["stands_alone"], row["to"], row["why"]) for row in penalties(four)}
    assert rows["lateness"] == (True, "nobody", "Lateness")
    assert rows["knocked tiles"][:2] == (True, "needed")
    assert rows["false mahjong"][0] is False
    client, address = signed_in(logins(club)["scorekeeper"]), f"/c/bramley/sessions/{four.pk}/penalty/"
    client.post(address, {"by": "4", "amount": "20", "why": "Lateness"})
    client.post(address, {"by": "4", "to": "1", "amount": "5"})
    assert nets(four) == {"Alice": 5, "Bob": 0, "Carol": 0, "Dave": -25}
