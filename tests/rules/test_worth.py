"""What is this hand worth?: every rule set's answer, what a hand waits for, and sentences for what cannot be."""

import datetime
import json
import re
import time
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from hypothesis import given as given_any
from hypothesis import strategies as st

from clubscore.engine.answers import answer
from clubscore.play.hand_worth import (
    NOT_LOOKED_FOR,
    AskedRules,
    every_rule_set,
    possible_last,
    query,
    worth_under_each,
)
from clubscore.play.table_words import sum_words
from clubscore.play.worth_page import rule_anchor
from clubscore.scoring import RULE_SETS
from sessions_app.models import Club, ClubHand, ClubRules, Membership, OldAddress, PlayerHand, User
from sessions_app.rules.forms import read_asked
from sessions_app.rules.rule_pages import rule_sections
from sessions_app.table.sessions import start_session
from tests.conftest import AFTERNOON
from tests.factories import BY, record
from tests.logins import logins, signed_in
from tests.queries import at_most
from tests.scoring.corpora import lines
from tests.share import shared

pytestmark = pytest.mark.slow

NAMES = [rule_set.name for rule_set in RULE_SETS.values()]


# East's hand in the East round: pung of own and round wind exposed 4, kong 16, pung of 9s 8, Mah-jong 20.
WINNING = {"sets": "exposed pung E, concealed kong 5B, exposed chow 1C", "tiles": "4C 4C 9D 9D 9D", "tile": "4C"}


def ask(client=None, fragment=False, **query):
    headers = {"HX-Request": "true"} if fragment else {}
    answer = (client or Client()).get(reverse("worth"), query, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def totals(text):
    """Give the answers of a page: title and total, None where there is none."""
    cards = re.findall(r'<li class="panel panel-card worth-card.*?</li>\s*(?=<li class="panel|</ul>)', text, re.DOTALL)
    titles = [re.sub(r"<[^>]+>", "", re.search(r"<h3>(.*?)</h3>", card, re.DOTALL)[1]).strip() for card in cards]
    found = [re.search(r'<p class="balance">([\d,]+)</p>', card) for card in cards]
    return {
        title.replace("&#x27;", "'"): int(total[1].replace(",", "")) if total else None
        for title, total in zip(titles, found, strict=True)
    }


def test_without_a_tile_nothing_is_answered(db):
    text = ask()
    assert totals(text) == {}
    assert "No tiles yet." in text


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        # bmja: 4+16+8+20 = 48, +2 drawn, two doubles; u3a: East doubles once more; western and beginners: the drawn
        # pair was not the only piece.
        ("wall", {"British (BMJA)": 200, "u3a Beginners' Guide, to the letter": 400, "Turner simple scoring": 40}),
        ("discard", {"British (BMJA)": 192, "u3a Beginners' Guide, to the letter": 384, "Turner simple scoring": 20}),
    ],
)
def test_every_rule_set_answers_a_mahjong(db, source, wanted):
    found = totals(ask(**WINNING, **{"from": source}))
    assert list(found) == NAMES
    assert {name: found[name] for name in wanted} == wanted


def test_own_wind_and_round_count(db):
    found = totals(ask(**WINNING, own="S", round="W", **{"from": "wall"}))
    # Neither own wind nor wind of the round: 50 points and no double.
    assert found["British (BMJA)"] == 50


def test_the_last_tile_is_assumed_and_said_until_it_is_told(db):
    found = ask(**WINNING)
    assert "Scored as if" not in found
    assumed = ask(sets=WINNING["sets"], tiles=WINNING["tiles"])
    assert "Scored as if 9 Circles came last." in assumed
    assert re.findall(r'name="tile" value="(\w+)"', assumed) == ["4C", "9D"]
    claimed = ask(sets=WINNING["sets"], tiles=WINNING["tiles"], **{"from": "discard"})
    assert re.findall(r'name="tile" value="(\w+)"', claimed) == ["E", "1C", "2C", "3C", "4C", "9D"]


def corpus_winners():
    """Give winners of the random hands that are entered by their tiles, with the totals expected of them."""
    for case in lines("random-hands.jsonl"):
        given = case["input"]
        win = given.get("mahjong")
        if case.get("expect_error") or not isinstance(win, dict) or given.get("penalties") or given.get("club_hands"):
            continue
        hand = given["hands"][win["by"]]
        plain = set(win) <= {"by", "tile", "from", "last_tile"} and not set(hand) - {"sets", "tiles", "bonus"}
        if plain and hand.get("tiles", "") + "".join(hand.get("sets", [])) and not given.get("goulash"):
            yield given, hand, win, case["expect"]["hands"][win["by"]]["total"]


def test_the_totals_are_those_of_the_corpus():
    compared = 0
    for given, hand, win, total in corpus_winners():
        query = QueryDict(mutable=True)
        source = win["from"] if win["from"] in ("wall", "kong box") else "discard"
        query.update({
            "sets": ", ".join(hand.get("sets", [])), "tiles": hand.get("tiles", ""), "bonus": hand.get("bonus", ""),
            "own": win["by"], "round": given.get("wind_of_round", "E"), "tile": win["tile"], "from": source,
        })  # fmt: skip
        query.setlist("how", ["last_tile"] if win.get("last_tile") else [])
        played = AskedRules(given.get("rules", "bmja"), given.get("house_rules", {}), "")
        [answer] = worth_under_each(read_asked(query), [played])
        assert (answer.error, answer.total) == ("", total), given
        compared += 1
    assert compared > 60


# Waiting


def waits_of(text, title):
    card = text[text.index(title) :]
    card = card[: card.index("</table>")]
    special = r"(?: <span[^>]*>[^<]+</span>)?"
    figures = r"<td class=\"num\">([\d,–]+)</td><td class=\"num\">([\d,–]+)</td>"
    return re.findall(rf"</svg>\s*([\w ]+?){special}</th>{figures}", card)


def test_thirteen_tiles_wait_for_what_completes_them(db):
    # Nine kinds make Gates of Heaven of it: the limit of 1000.
    text = ask(tiles="1D 1D 1D 2D 3D 4D 5D 6D 7D 8D 9D 9D 9D", own="S")
    found = waits_of(text, "British (BMJA)")
    names = ["1 Circle", *(f"{number} Circles" for number in range(2, 10))]
    assert found == [(name, "1,000", "1,000") for name in names]
    assert text[: text.index("u3a Beginners")].count("Gates of Heaven</span>") == 9


# Three exposed pungs at 2, a chow, a pair and Mah-jong 20: 26 claimed, and 2 more from the wall. The last
# tile, a loose one and a robbed one double; what cannot be true of a way changes nothing there.
EXPOSED = {"sets": "exposed pung 3B, exposed pung 6C, exposed pung 8D, exposed chow 2C", "tiles": "7D"}


@pytest.mark.parametrize(
    ("own", "ways", "source", "drawn", "claimed"),
    [
        ("S", [], "wall", "28", "26"),
        ("S", ["last_tile"], "wall", "56", "52"),
        ("S", ["dealt"], "wall", "28", "26"),
        ("S", ["second_kong"], "wall", "28", "26"),
        ("S", ["flower"], "wall", "28", "26"),
        ("S", [], "kong box", "52", "26"),
        ("S", ["second_kong"], "kong box", "52", "26"),
        ("S", ["flower", "second_kong"], "kong box", "52", "26"),
        ("S", ["last_tile"], "kong box", "52", "52"),
        # A robbed tile is the fourth of its kind, so it completes no pair.
        ("S", [], "robbed", "28", "–"),
        ("S", ["last_tile"], "robbed", "56", "–"),
        ("E", ["first_discard"], "discard", "28", "26"),
        ("S", ["dealt", "first_discard", "second_kong", "standing", "first_round", "last_of_kind"], "wall", "28", "26"),
    ],
)
def test_each_way_a_waiting_hand_may_end_has_the_marks_that_can_be_true_of_it(db, own, ways, source, drawn, claimed):
    text = ask(**EXPOSED, own=own, how=ways, **{"from": source})
    assert waits_of(text, "British (BMJA)") == [("7 Circles", drawn, claimed)]
    heads = re.findall(r'<th scope="col" class="num">(\w[\w ]+)</th>', text)[:2]
    assert heads == ["Loose tile" if source == "kong box" else "Drawn", "Robbed" if source == "robbed" else "Claimed"]


@pytest.mark.parametrize(("ways", "drawn"), [([], "28"), (["last_tile"], "56"), (["dealt"], "28")])
def test_a_robbed_tile_may_complete_a_chow(db, ways, drawn):
    waiting = {"sets": "exposed pung 3B, exposed pung 6C, exposed pung 8D", "tiles": "2C 4C 7D 7D"}
    text = ask(**waiting, own="S", how=ways, **{"from": "robbed"})
    assert waits_of(text, "British (BMJA)") == [("3 Characters", drawn, "52")]


@pytest.mark.parametrize(
    ("kind", "ways", "total"),
    # Three pungs of 4, Mah-jong 20 and 2 for drawing: 34; a kong scores 12 more. Doubled for all concealed, and for the
    # last tile of the wall.
    [("pung", ["dealt"], "1,000"), ("kong", ["dealt"], "92"), ("pung", ["dealt", "last_tile"], "136")],
)
def test_a_waiting_hand_is_not_as_dealt_beside_a_kong_or_with_the_last_tile(db, kind, ways, total):
    text = ask(
        sets=f"concealed {kind} 3B, concealed pung 6C, concealed chow 2C, concealed pung 8D",
        tiles="7B",
        own="E",
        how=ways,
    )
    assert waits_of(text, "British (BMJA)")[0][1] == total


# Concealed pungs 4 each and Mah-jong 20: 32 claimed, 34 doubled when drawn; kongs 16. The special hands are the limit.
@pytest.mark.parametrize(
    ("own", "way", "source", "kind", "special", "figures"),
    [
        ("S", "first_discard", "wall", "pung", "Earth&#x27;s Blessing", ("68", "1,000")),
        ("E", "dealt", "wall", "pung", "Heaven&#x27;s Blessing", ("1,000", "32")),
        ("S", "second_kong", "kong box", "kong", "Twofold Fortune", ("1,000", "56")),
    ],
)
def test_a_way_that_is_a_special_hand_names_it_at_the_tile(db, own, way, source, kind, special, figures):
    sets = f"concealed {kind} 3B, concealed {kind} 6C, concealed chow 2C, concealed pung 8D"
    text = ask(sets=sets, tiles="7B", own=own, how=way, **{"from": source})
    assert waits_of(text, "British (BMJA)") == [("7 Bamboo", *figures)]
    assert f"{special}</span>" in text[: text.index("u3a Beginners")]


def test_a_part_score_is_named_as_what_is_fished_for(db):
    # A hand one tile short of a limit hand of 1000 is paid 400 where fishing was declared.
    text = ask(tiles="1D 1D 1D 2D 3D 4D 5D 6D 7D 8D 9D 9D 9D", own="S", how="fishing")
    british = text[text.index("British (BMJA)") : text.index("u3a Beginners")]
    assert "Fishing for <b>Gates of Heaven</b>. This is its fishing score." in british
    assert "a special hand." not in british
    assert totals(text)["British (BMJA)"] == 400


def test_a_knitted_straight_and_four_winds_wait_for_the_dragons_alone(db):
    text = ask(tiles="1C 4C 7C 2B 5B 8B 3D 6D 9D E S W N")
    waits = waits_of(text, "Chinese Official (81 fan)")
    assert [name for name, *_ in waits] == ["Red Dragon", "Green Dragon", "White Dragon"]


@pytest.mark.parametrize(
    "sets", ["open pung E, closed kong 5B, melded chow 1C", "Open Peng E, closed kong 5B, open chow 1C"]
)
def test_sets_are_understood_in_the_words_of_every_rule_set(db, sets):
    assert totals(ask(**WINNING | {"sets": sets})) == totals(ask(**WINNING))


def test_gates_of_heaven_wait_for_nine_tiles_whatever_is_ticked(db):
    for way in ("first_discard", "second_kong", "dealt"):
        text = ask(tiles="1D 1D 1D 2D 3D 4D 5D 6D 7D 8D 9D 9D 9D", own="S", how=way)
        assert len(waits_of(text, "British (BMJA)")) == 9
        assert "No tile completes it." not in text[: text.index("u3a Beginners")]


def test_a_special_hand_cut_with_its_flowers_says_that_the_limit_counts(db):
    orphans = {"tiles": "1C 9C 1B 9B 1D 9D E S W N R G P E", "tile": "E"}
    sentence = "The limit."
    card = card_of(ask(**orphans, bonus="F1 F2 F3 F4"), "British (BMJA)")
    assert '<p class="balance">1,000</p>' in card
    assert sentence in card
    assert sentence not in card_of(ask(**orphans), "British (BMJA)")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((28, 3, 8, 224, False), "28 points, doubled 3 times (times 8), make 224."),
        ((10, 5, 96, 960, False), "10 points, doubled 5 times and trebled (times 96), make 960."),
        ((10, 0, 9, 90, False), "10 points, trebled twice (times 9), make 90."),
        ((10, 1, 16, 160, False), "10 points, doubled once and multiplied by 8 (times 16), make 160."),
        (
            (9, 6, 192, 1000, True),
            "9 points, doubled 6 times and trebled (times 192), limit: 1,000.",
        ),
        ((1200, 0, 1, 1000, True), "1,200 points, limit: 1,000."),
        ((8, None, None, 8, False), "8 points in all."),
        ((None, None, None, 1000, True), "The limit."),
        ((None, None, None, 500, False), ""),
        ((0, 0, 1, 0, False), ""),
    ],
)
def test_every_factor_of_a_total_is_named(given, expected):
    assert sum_words(*given) == expected


def test_a_wait_counts_more_drawn_than_claimed(db):
    # Pung of 2s exposed 2, of 3s exposed 2, chow, pung of 8s exposed 2 and a pair of 7s: 26 claimed, 28 drawn.
    text = ask(sets="exposed pung 3B, exposed pung 6C, exposed pung 8D, exposed chow 2C", tiles="7D", own="S")
    assert waits_of(text, "British (BMJA)") == [("7 Circles", "28", "26")]


def test_a_wait_with_too_few_points_says_so(db):
    # A melded hand worth less than 8: Chinese Official does not let it go out.
    text = ask(sets="exposed pung 3B, exposed chow 5C, exposed pung 8D, exposed chow 1C", tiles="7D", own="S")
    official = text[text.index("Chinese Official") : text.index("Baggaley")]
    assert "Needs 7 Dots, but would score " in official
    assert ": too little to go out." in official
    assert "at most" not in official
    assert "too little" not in text[: text.index("Chinese Official")]


def test_a_mahjong_with_too_few_points_shows_what_it_would_count(db):
    # Everything is claimed, the pair too: Melded Hand (6); no wind or dragon is in it: No Honors (1).
    hand = {"sets": "exposed pung 3B, exposed chow 5C, exposed pung 8D, exposed chow 1C", "tiles": "7D 7D", "own": "S"}
    text = ask(**hand, tile="7D", **{"from": "discard"})
    official = text[text.index("Chinese Official") : text.index("Baggaley")]
    assert "a Hu needs at least 8" in official
    assert "What it would score" in official
    assert re.search(r">Melded Hand</a></th><td class=\"num\">6 points<", official)
    assert re.search(r">No Honors</a></th><td class=\"num\">1 point<", official)
    # What is no Mah-jong for another reason has no lines.
    text = ask(sets="exposed pung 3B", tiles="1C 4C 7C 2D 5D 8D E S W N R")
    assert "What it would score" not in text


def test_nothing_completes_a_hand_of_thirteen_odd_tiles(db):
    text = ask(tiles="1C 4C 7C 2B 5B 8B 3D 6D 9D E E S S")
    british = text[text.index("British (BMJA)") : text.index("u3a Beginners")]
    assert "No tile completes it." in british


# What cannot be


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"tiles": "1C X9"}, "East&#x27;s hand has an unknown tile: X9."),
        ({"tiles": "F1 1C"}, "Flower 1 (Plum Blossom) is a flower or season: enter it among East&#x27;s bonus tiles."),
        ({"sets": "exposed chow 8C"}, "East cannot have a chow from 8 Characters."),
        ({"sets": "a pung of winds"}, "East&#x27;s set a pung of winds is not understood"),
        ({"bonus": "F1 F1"}, "Flower 1 (Plum Blossom) appears twice, and there is only one."),
        ({"tiles": "1C 1C 1C 1C 1C"}, "1 Character is at the table 5 times; there are only four."),
    ],
)
def test_what_cannot_be_is_said_once_in_a_sentence_and_kept(db, query, sentence):
    text = ask(**query)
    assert text.count(sentence) == 1
    assert "<title>Error: " in text
    [[name, typed]] = query.items()
    assert f'name="{name}" value="{typed}"' in text


def test_a_hand_that_is_no_mahjong_in_one_rule_set_is_one_in_another(db):
    text = ask(sets="exposed chow 1C, exposed chow 4D, exposed chow 7B", tiles="2C 2C 2C G G", tile="G", own="S")
    found = totals(text)
    assert (found["British (BMJA)"], found["Baggaley's simplified game"]) == (None, 68)
    assert "too many chows" in text


ODD = ["", "\x00", "x" * 5000, "🀄", "E E", "-1", "null", "<script>", "%", "1C," * 300]


@pytest.mark.parametrize("name", ["sets", "tiles", "bonus", "own", "round", "tile", "from", "how", "club"])
def test_no_input_breaks_the_page(db, name):
    beside = ({}, {"tiles": "1C 1C 1C 2C 2C 2C 3C 3C 3C 4C 4C 4C 5C 5C"}, {"sets": "pair E"})
    for others in beside:
        for text in shared(ODD, beside.index(others) + len(name)):
            assert Client().get(reverse("worth"), {**others, name: text}).status_code == 200


def test_every_way_of_winning_is_answered(db):
    ways = ["last_tile", "dealt", "first_discard", "second_kong", "flower", "original_call", "standing", "first_round",
            "last_of_kind", "fishing", "goulash"]  # fmt: skip
    for source in ("wall", "discard", "kong box", "robbed"):
        for way in ways:
            answer = Client().get(reverse("worth"), {**WINNING, "from": source, "how": way})
            assert len(totals(answer.content.decode())) in (0, len(NAMES))
    assert "East with tiles" not in ask(**WINNING, how=ways)


# The club's house rules


@pytest.fixture
def member(club):
    ClubRules.objects.create(club=club, rules="bmja", number=1, house_rules={"east_mode": "score"})
    return signed_in(logins(club)["member"])


def test_a_member_sees_the_house_rules_of_the_own_club_first(member, club):
    found = totals(ask(member, **WINNING))
    assert next(iter(found.items())) == ("Bramley: British (BMJA) house rules", 400)


def test_a_clubs_rules_are_asked_by_its_name_only_where_it_shows_itself(member, club):
    assert list(totals(ask(club="bramley", **WINNING))) == NAMES
    Club.objects.filter(pk=club.pk).update(public_names="initials")
    assert list(totals(ask(club="bramley", **WINNING)))[0] == "Bramley: British (BMJA) house rules"
    assert list(totals(ask(club="no-such-club", **WINNING))) == NAMES
    OldAddress.objects.create(club=club, slug="before")
    assert list(totals(ask(club="before", **WINNING)))[0] == "Bramley: British (BMJA) house rules"


# The address is the hand


def test_the_link_brings_the_same_hand_again(db):
    text = ask(**WINNING, own="S", how="last_tile")
    [link] = re.findall(r'To share this hand: <a href="([^"]+)"', text)
    again = Client().get(link.replace("&amp;", "&")).content.decode()
    assert totals(again) == totals(text)
    assert 'value="last_tile" checked' in again


def test_htmx_gets_the_answers_alone_and_no_cache_mixes_the_two(db):
    answer = Client().get(reverse("worth"), WINNING, headers={"HX-Request": "true"})
    assert answer.content.decode().strip().startswith('<div id="worth-answers"')
    assert "HX-Request" in answer["Vary"]
    whole = Client().get(
        reverse("worth"), WINNING, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"}
    )
    assert "<html" in whole.content.decode()


def test_the_last_tile_is_never_one_of_a_kong():
    asked = read_asked(QueryDict("sets=concealed kong 5B,exposed pung E,pair 7D&tiles=1C"))
    assert possible_last(asked) == ["7D", "1C"]
    assert [played.rules for played in every_rule_set()] == list(RULE_SETS)


ADDRESSES = ["/worth/?tiles=1C+1C+1C", "/rules/", "/rules/bmja/", "/practice/?hand=7", "/learning/"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_is_asked_of_the_database_for_somebody_without_an_account(db, address):
    with at_most(0):
        assert Client().get(address).status_code == 200


def links_of(text):
    """Give the links from the lines of the first card to their rules."""
    card = text.split('<li class="panel panel-card worth-card')[1]
    return [link.replace("&amp;", "&") for link in re.findall(r'<th scope="row"><a href="([^"]+)"', card)]


# Only a house rule lets a claimed last tile leave the hand concealed: that row is not in force as the source has it.
CLAIMED = {"tiles": "2B 2B 2B 5C 5C 5C 7D 7D 7D 3C 4C 5C 8B 8B", "tile": "8B", "from": "discard", "own": "S"}


@pytest.mark.parametrize("is_member", [True, False])
def test_every_line_of_a_clubs_card_leads_to_its_rule(club, is_member):
    Club.objects.filter(pk=club.pk).update(public_names="initials")
    ClubRules.objects.create(club=club, rules="bmja", number=1, house_rules={"concealed_allows_last_claim": True})
    client = signed_in(logins(club)["member"]) if is_member else Client()
    links = links_of(ask(client, **CLAIMED, club="bramley"))
    assert len(links) == 5  # three pungs, Mah-jong, and the double of the house rule
    assert any("#rule-all_concealed_last_claimed" in link for link in links)
    for link in links:
        page, anchor = link.split("#")
        assert page.startswith("/c/bramley/rules/?" if is_member else "/rules/bmja/?")
        answer = client.get(page)
        assert answer.status_code == 200
        assert f'id="{anchor}"' in answer.content.decode()


# A run, a pung of dragons and a pair of winds with two chows too many for bmja: the club's own hand all the same.
SNAKE = "1B 2B 3B 4B 5B 6B 7B 8B 9B R R R E E"


def club_hand(club, **changed):
    facts = {"key": "dragons_tail", "name": "Dragon’s Tail", "tiles": SNAKE, "worth": "half limit", "fishing": 200}
    return ClubHand.objects.create(club=club, since=datetime.date(2026, 1, 1), **{**facts, **changed})


def card_of(text, title):
    return next(card for card in text.split('<li class="panel panel-card worth-card') if title in card)


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        # Half the limit, and the winning East has a double outside of it by this club's house rule.
        ({"tiles": SNAKE}, 1000),
        ({"sets": "concealed chow 1B, concealed pung R, pair E", "tiles": "9B 8B 7B 6B 5B 4B"}, 1000),
        ({"tiles": SNAKE, "own": "S"}, 500),
        # South's own flower: 4 points, doubled once, added to the 500.
        ({"tiles": SNAKE, "own": "S", "bonus": "F2"}, 508),
        ({"tiles": SNAKE.replace("E E", "S S")}, None),
        ({"sets": "exposed pung R", "tiles": "1B 2B 3B 4B 5B 6B 7B 8B 9B E E"}, None),
    ],
)
def test_a_clubs_own_hand_is_known_by_the_tiles_of_its_example_and_scored(member, club, query, counts):
    club_hand(club)
    text = ask(member, **query)
    card = card_of(text, "Bramley: British (BMJA)")
    assert totals(text)["Bramley: British (BMJA) house rules"] == counts
    assert ("<b>Dragon’s Tail</b>, the club’s own special hand." in card) == (counts is not None)
    # What the rules alone say of these tiles stands after it and does not gainsay it.
    assert ("Without it: " in card) == (counts is not None)
    assert NOT_LOOKED_FOR not in ask(**query)


def test_why_a_clubs_own_hand_does_not_count_is_said(member, club):
    club_hand(club)
    assert NOT_LOOKED_FOR in ask(member, tiles=SNAKE.replace("E E", "S S"))
    text = ask(member, sets="exposed pung R", tiles="1B 2B 3B 4B 5B 6B 7B 8B 9B E E")
    assert "Dragon’s Tail cannot have exposed sets." in text
    assert NOT_LOOKED_FOR not in text


@pytest.mark.parametrize(("bonus", "total"), [("", 500), ("F2", 508), ("F2 S2", 532), ("F1 F2 F3 F4", 564)])
def test_a_clubs_own_hand_counts_on_the_page_what_it_counts_at_the_table(club, cast, bonus, total):
    # A flower is 4 points; the own flower or season doubles them, all four flowers double them twice.
    club_hand(club)
    member = signed_in(logins(club)["member"])
    people = [cast.alice, cast.bob, cast.carol, cast.dave]
    session = start_session(club, AFTERNOON, 1, people, "bmja", None, by=BY)
    record(session, {"hands": {"1": {}, "2": {"special": "dragons_tail", "bonus": bonus}, "3": {}, "4": {}},
                     "mahjong": {"by": "2", "from": "wall"}, "penalties": []})  # fmt: skip
    result = PlayerHand.objects.get(seat__player=cast.bob)
    assert (result.total, result.special) == (total, "dragons_tail")
    text = ask(member, tiles=SNAKE, bonus=bonus, own="S")
    assert totals(text)["Bramley: British (BMJA) house rules"] == total
    names = re.findall(r"<th scope=\"row\"><a[^>]*>([^<]+)</a>", card_of(text, "Bramley: British (BMJA)"))
    assert names == [line["name"] for line in result.lines]


def test_the_better_of_a_clubs_own_hand_and_its_tiles_counts_and_the_other_is_told(member, club):
    # Four concealed pungs of honours are All Winds and Dragons in the rules: the limit.
    tiles = "S S S W W W N N N G G G P P"
    hand = club_hand(club, name="Three Cold Winds", key="three_cold_winds", tiles=tiles, worth="points", points=640)
    card = card_of(ask(member, tiles=tiles, own="S"), "Bramley: British (BMJA)")
    assert "<b>All Winds and Dragons</b>, a special hand." in card
    assert "As the club’s own Three Cold Winds it would score 640." in card
    hand.worth, hand.points = "limit", None
    hand.save()
    card = card_of(ask(member, tiles=tiles, own="S"), "Bramley: British (BMJA)")
    assert "<b>Three Cold Winds</b>, the club’s own special hand." in card
    assert "Without it, the tiles score 1,000." in card


def test_thirteen_tiles_wait_for_a_clubs_own_hand_and_are_paid_for_fishing(member, club):
    club_hand(club)
    query = {"tiles": SNAKE.removesuffix(" E"), "own": "S"}
    text = ask(member, **query)
    assert waits_of(text, "Bramley: British (BMJA)") == [("East Wind", "500", "500")]
    assert "Dragon’s Tail</span>" in card_of(text, "Bramley: British (BMJA)")
    fishing = ask(member, **query, how="fishing")
    assert totals(fishing)["Bramley: British (BMJA) house rules"] == 200
    assert "Fishing for <b>Dragon’s Tail</b>. This is its fishing score." in fishing


def test_a_thousand_own_hands_are_asked_in_a_moment(member, club):
    query = {"tiles": SNAKE.removesuffix(" E"), "own": "S"}
    ask(member, **query)
    for number in range(1_000):
        club_hand(club, key=f"tail_{number}", name=f"Tail {number}")
    began = time.process_time()
    text = ask(member, **query)
    assert time.process_time() - began < 1.5  # 5 seconds where each hand was read together with all the others
    assert waits_of(text, "Bramley: British (BMJA)") == [("East Wind", "500", "500")]


def test_the_line_of_a_clubs_own_hand_leads_its_members_to_it_and_nobody_else(member, club):
    club_hand(club)
    Club.objects.filter(pk=club.pk).update(public_names="initials")
    text = ask(member, tiles=SNAKE, own="S", bonus="F2")
    found = re.findall(r"</th><td class=\"num\">([^<]+)</td>", card_of(text, "Bramley: British (BMJA)"))
    assert found == ["500 points", "8 points"]
    link = links_of(text)[0]
    page, anchor = link.split("#")
    assert anchor == "own-dragons_tail"
    assert f'id="{anchor}"' in member.get(page).content.decode()
    text = ask(tiles=SNAKE, own="S", club="bramley")
    assert totals(text)["Bramley: British (BMJA) house rules"] == 500
    assert links_of(text) == []
    assert '<th scope="row">Dragon’s Tail</th>' in text


def test_the_link_names_the_club_whose_house_rules_it_shows(member, club):
    Club.objects.filter(pk=club.pk).update(public_names="initials")
    [link] = re.findall(r'To share this hand: <a href="([^"]+)"', ask(member, **WINNING))
    assert next(iter(totals(Client().get(link.replace("&amp;", "&")).content.decode()))).startswith("Bramley: ")


def test_more_clubs_than_are_asked_may_be_chosen(member, club):
    user = User.objects.get(pk=member.session["_auth_user_id"])
    for name in ("Ashby", "Calverley", "Dunnington"):
        Membership.objects.create(user=user, club=Club.objects.create(name=name, slug=name.lower()), role="member")
    text = ask(member, **WINNING)
    assert [title for title in totals(text) if "house rules" in title] == [
        f"{name}: British (BMJA) house rules" for name in ("Ashby", "Bramley", "Calverley")
    ]
    assert next(iter(totals(ask(member, club="dunnington", **WINNING)))).startswith("Dunnington: ")


# The tablet without a network


def asked_as_the_script_does(page, **query):
    """Return what static/rules/worth.js asks of the rules on the tablet."""
    known = json.loads(page.split('<script id="worth-data" type="application/json">')[1].split("</script>")[0])
    known["look"]["worth"] = f"http://testserver{known['look']['worth']}"
    return {**known, "ask": "worth", "asked": {**query, "how": []}}


@pytest.mark.parametrize("query", [{}, WINNING, {"tiles": "1C X9"}, {"tiles": SNAKE.removesuffix(" E"), "own": "S"}])
def test_the_tablet_draws_what_the_server_draws(member, club, query):
    club_hand(club, name="Dragon’s <b>Tail</b>")
    page = ask(member)
    here = {"HX-Request": "true", "HX-Current-URL": "http://testserver/worth/"}
    theirs = member.get(reverse("worth"), query, headers=here).text
    assert answer(asked_as_the_script_does(page, **query))["html"] == theirs
    assert theirs.startswith('<div id="worth-answers" class="worth-answers">')
    assert "<b>Tail" not in theirs


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_line_leads_to_where_its_rule_stands(rules):
    rows = [row for section in rule_sections(rules) for row in section.rows]
    anchors = {row.key: row.anchor for row in sorted(rows, key=lambda row: not row.under)}
    assert {rule: rule_anchor(rules, rule) for rule in anchors} == anchors


SENDABLE = st.text(st.characters(codec="utf-8"))


@given_any(st.lists(st.tuples(SENDABLE, SENDABLE)))
def test_a_query_is_written_as_a_form_writes_it(pairs):
    assert query(pairs) == urlencode(pairs)
