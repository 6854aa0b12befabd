"""The rules, row by row: every row once, each example counted by the command, house rules marked, and the way back."""

import datetime
import html
import io
import json
import re
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from clubscore.scoring import RULE_SETS
from sessions_app.management.commands.score_hands import answers
from sessions_app.models import ClubHand, ClubRules
from sessions_app.rules.rule_pages import NOT_IN_FORCE, rule_sections
from tests.factories import table_in_play
from tests.hand_in_tiles import hand_page, hand_with_tiles
from tests.logins import signed_in
from tests.scoring.fan_tables import fans
from tests.scoring.printed_rules import PRINTED, stated_total

CHANGED = {
    "bmja": {"limit": 600, "max_chows": 4, "east_mode": "score", "double_wind_pair": 2, "bouquet_includes_own": False},
    "u3a": {"clean_only": True, "original_call": "caller_and_winner", "limit": None},
    "western": {"limit": None, "concealed_allows_last_claim": True},
    "beginners": {"treble_means": 8, "limit": 300},
    "chinese_official": {"concealed_and_melded_kong": 6, "two_concealed_kongs": 8, "nine_gates_second_pung": True},
    "baggaley": {"losers_score": False},
    "turner": {"recording": "settle"},
}


PLAYED = [(key, {}) for key in RULE_SETS] + list(CHANGED.items())


IDS = [f"{key}{'-changed' if overrides else ''}" for key, overrides in PLAYED]


class Rows(HTMLParser):
    """Reads the rows of rules off a page: key, and the text of what its example counts."""

    def __init__(self, html):
        super().__init__()
        self.keys, self.ids, self.totals = [], [], []
        self._in_total = False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "tr" and "data-rule" in found:
            self.keys.append(found["data-rule"])
        if tag == "p" and found.get("class") == "rule-total":
            self._in_total = True
            self.totals.append("")

    def handle_endtag(self, tag):
        if tag == "p":
            self._in_total = False

    def handle_data(self, data):
        if self._in_total:
            self.totals[-1] += data

    @property
    def counted(self):
        return [int(re.match(r"Scores ([\d,]+)", text)[1].replace(",", "")) for text in self.totals]


def rows_of(answer):
    assert answer.status_code == 200
    return Rows(answer.content.decode())


def scored_by_the_command(hands):
    """Give what `manage.py score_hands` writes for hands played."""
    lines = "".join(json.dumps(hand) + "\n" for hand in hands).encode()
    return [json.loads(answer) for answer, _ in answers(io.BytesIO(lines))]


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_row_of_a_rule_set_stands_on_its_page_exactly_once(db, key):
    rows = rows_of(Client().get(reverse("rule-set", args=[key])))
    assert sorted(rows.keys) == sorted(row.key for row in (*RULE_SETS[key].rules, *RULE_SETS[key].special_hands))
    assert len(set(rows.ids)) == len(rows.ids)


@pytest.mark.parametrize("key", PRINTED)
def test_the_rows_in_force_and_their_worth_are_those_printed(key):
    sections = [section for section in rule_sections(key) if section.key != NOT_IN_FORCE]
    worth = {row.key: row.worth for section in sections for row in section.rows}
    # A special hand that no source prints has its examples.
    unprinted = {hand.key for hand in RULE_SETS[key].special_hands} - PRINTED[key].keys()
    assert {row: words for row, words in worth.items() if row not in unprinted} == PRINTED[key]


def test_the_page_of_fans_has_each_at_the_points_printed():
    sections = [section for section in rule_sections("chinese_official") if section.key.startswith("fans-")]
    assert {row.name: row.worth for section in sections for row in section.rows} == {
        name: f"{points} point{'' if points == 1 else 's'}" for name, points, _ in fans().values()
    }


@pytest.mark.parametrize(("key", "overrides"), PLAYED, ids=IDS)
def test_each_example_is_counted_by_the_command_to_the_value_beside_it(key, overrides):
    rows = [row for section in rule_sections(key, overrides) for row in section.rows]
    given = scored_by_the_command([row.example.played for row in rows])
    assert [row.example.total for row in rows] == [
        one["hands"][row.example.seat]["total"] for one, row in zip(given, rows, strict=True)
    ]
    shown = [
        {line["rule"] for line in one["hands"][row.example.seat]["lines"]} for one, row in zip(given, rows, strict=True)
    ]
    nothing = {"chow"}
    assert [row.key for row, keys in zip(rows, shown, strict=True) if row.key not in keys | nothing] == []


@pytest.mark.parametrize("key", RULE_SETS)
def test_as_the_source_has_it_the_page_prints_the_totals_the_rows_give(db, key):
    """What the page prints next to an example is the total its row states, where the row's first example has tiles."""
    rows = rows_of(Client().get(reverse("rule-set", args=[key])))
    stated = {}
    for row in (*RULE_SETS[key].rules, *RULE_SETS[key].special_hands):
        drawn = [one for one in row.examples if one.hand.get("tiles") or one.hand.get("sets")]
        stated.setdefault(row.key, []).append(stated_total(RULE_SETS[key], (drawn or row.examples)[0]))
    assert len(rows.counted) == len(rows.keys)
    for rule, total in zip(rows.keys, rows.counted, strict=True):
        assert total in stated[rule], rule


@pytest.mark.parametrize(
    ("key", "rule", "worth"),
    [
        ("bmja", "pung_major_exposed", "4 points"),
        ("bmja", "kong_major_concealed", "32 points"),
        ("bmja", "imperial_jade", "1,000; fishing 400"),
        ("bmja", "all_pair_honours", "500; fishing 200"),
        ("u3a", "imperial_jade", "1,000; exposed 500; fishing 400; exposed 200"),
        ("u3a", "east_special_doubled", "times 2"),
        ("u3a", "bonus_beside_special", "what they score on their own"),
        ("western", "four_flowers", "3 doubles"),
        ("western", "thirteen_odd_majors", "600"),
        ("beginners", "one_suit_alone", "times 3"),
        ("chinese_official", "all_green", "88 points"),
        ("baggaley", "four_kongs", "300 points"),
        ("turner", "self_drawn", "40 points"),
    ],
)
def test_worth_of_rows(key, rule, worth):
    rows = [row for section in rule_sections(key) if section.key != "other" for row in section.rows]
    assert [row.worth for row in rows if row.key == rule] == [worth]


def test_a_changed_limit_changes_the_worth_of_special_hands_and_marks_them():
    [special] = [section for section in rule_sections("bmja", {"limit": 600}) if section.key == "special"]
    worth = {row.key: (row.worth, row.differs) for row in special.rows}
    assert worth["imperial_jade"] == ("600; fishing 240", True)
    assert worth["purity"] == ("its points, doubled 3 times", False)


def test_a_row_that_is_not_in_force_says_what_would_bring_it():
    [other] = [section for section in rule_sections("bmja") if section.key == "other"]
    assert {row.key: row.under for row in other.rows}["east_wins"] == (
        "What East pays and receives: East’s own Mah-jong is doubled once"
    )


def test_the_8_and_the_50_stand_on_the_pages(db):
    official = Client().get(reverse("rule-set", args=["chinese_official"])).content.decode()
    assert "Everyone pays the winner 8 points." in official
    british = Client().get(reverse("rule-set", args=["bmja"])).content.decode()
    assert '<td data-label="Costs: ">50</td>' in british
    assert '<td data-label="Costs: ">500 to each</td>' in british


def test_who_gets_a_discard_stands_on_every_page(db):
    both = {key: "both win" in Client().get(reverse("rule-set", args=[key])).content.decode() for key in RULE_SETS}
    assert {key for key, win in both.items() if win} == {"baggaley", "turner"}


@pytest.mark.parametrize("key", ["no-such-set", "BMJA", "0"])
def test_a_rule_set_that_is_none_is_not_found(db, key):
    assert Client().get(reverse("rule-set", args=[key])).status_code == 404


# A club


def club_page(at_home, **query):
    return signed_in(at_home.member).get(reverse("rules", args=[at_home.club.slug]), query)


def test_a_club_without_house_rules_plays_as_the_source(at_home):
    text = club_page(at_home).content.decode()
    assert "What we play: British (BMJA)" in text
    assert "No house rules are changed." in text
    assert "we differ" not in text


def test_a_clubs_house_rules_are_marked_where_they_differ(at_home):
    ClubRules.objects.create(club=at_home.club, rules="bmja", number=1, house_rules={"limit": 600, "max_chows": 4})
    text = club_page(at_home).content.decode()
    assert "With version 1 of the club’s house rules." in text
    differing = text[text.index('<ul class="rules-differing">') : text.index("</ul>", text.index("rules-differing"))]
    chows = "Chows in an ordinary Mah-jong: Any number of chows"
    assert re.findall(r"<b>(.*?)</b>", differing) == ["Limit: 600", chows]
    assert text.count('class="is-different"') == 2
    assert "600; fishing 240" in text


def test_a_clubs_page_shows_every_rule_set_under_the_clubs_own_editions(at_home):
    ClubRules.objects.create(club=at_home.club, rules="western", number=1, house_rules={"limit": 500})
    assert "We play" in club_page(at_home, rules="western").content.decode()
    assert "500" in club_page(at_home, rules="western").content.decode()
    assert club_page(at_home, rules="none").status_code == 404


def test_a_clubs_page_leads_to_those_of_its_other_rules(at_home):
    ClubRules.objects.create(club=at_home.club, rules="western", number=1, house_rules={"limit": 500})
    client, slug = signed_in(at_home.member), at_home.club.slug
    others = {key: reverse("rules", args=[slug, key]) for key in RULE_SETS if key != "bmja"}
    usual = club_page(at_home).text
    assert [address for address in others.values() if f'href="{address}"' not in usual] == []
    western = html.unescape(client.get(others["western"]).text)
    assert "The rules: Western (h2g2)" in western
    assert "With version 1 of the club’s house rules." in western
    assert f'href="{reverse("rules", args=[slug])}"' in western
    assert client.get(reverse("rules", args=[slug, "none"])).status_code == 404


def test_the_clubs_own_special_hands_stand_on_its_page(at_home):
    ClubHand.objects.create(
        club=at_home.club, key="dragons-tail", name="Dragon’s Tail", text="A run and a pung of dragons.",
        tiles="1B 2B 3B R R R", worth="half limit", fishing=200, since=datetime.date(2026, 1, 1),
    )  # fmt: skip
    text = club_page(at_home).content.decode()
    row = text[text.index('id="own-dragons-tail"') :]
    assert "Dragon’s Tail" in row
    assert "half the limit, 500; fishing 200" in row
    assert 'aria-label="1 Bamboo, 2 Bamboo, 3 Bamboo, Red Dragon, Red Dragon, Red Dragon"' in row


def test_the_sheet_of_two_pages_names_every_rule_in_force_with_its_worth(at_home):
    ClubHand.objects.create(
        club=at_home.club, key="dragons-tail", name="Dragon’s Tail", text="A run and a pung of dragons.",
        tiles="1B 2B 3B R R R", worth="half limit", fishing=200, since=datetime.date(2026, 1, 1),
    )  # fmt: skip
    ClubRules.objects.create(club=at_home.club, rules="bmja", number=1, house_rules={"limit": 600})
    sheet = html.unescape(club_page(at_home, sheet=1).text)
    assert "<title>Rules sheet: British (BMJA) – Bramley" in sheet
    assert "version 1 of our house rules" in sheet
    assert "<b>Limit:</b> 600" in sheet
    assert "600; fishing 240" in sheet
    assert "<b>Dragon’s Tail.</b> A run and a pung of dragons." in sheet
    assert "<div><dt>Exposed pung of 2 to 8</dt><dd>2 points</dd></div>" in sheet
    shown = re.findall(r'<span class="rule-name">(.*?)</span>', html.unescape(club_page(at_home).text))
    in_force = shown[: shown.index("Dragon’s Tail")]
    assert [name for name in in_force if name not in sheet] == []
    assert len(in_force) > 40
    assert "The booklet: every rule in full" in sheet
    assert "What we play" in sheet


# From a line to its rule, and back


def test_from_every_line_one_tap_leads_to_its_rule_and_back_to_the_line(at_home):
    client = signed_in(at_home.member)
    key = hand_with_tiles(at_home)
    address = reverse("hand", args=[at_home.club.slug, at_home.table_session.pk, key])
    text = client.get(address).content.decode()
    links = re.findall(r'<tr id="(line-[^"]+)"><th scope="row"><a href="([^"]+)"', text)
    assert len(links) == 9
    for line, link in links:
        parts = urlsplit(link.replace("&amp;", "&"))
        page = client.get(f"{parts.path}?{parts.query}")
        assert parts.fragment in rows_of(page).ids
        assert parse_qs(parts.query)["back"] == [f"{address}#{line}"]
        assert f'href="{address}#{line}"' in page.content.decode()


def test_the_rules_of_a_session_are_those_it_froze(at_home, cast):
    table_session = table_in_play(at_home.club, cast.all[:4], number=2)
    ClubRules.objects.create(club=at_home.club, rules="bmja", number=1, house_rules={"limit": 600})
    address = reverse("session-rules", args=[at_home.club.slug, table_session.pk])
    assert "1,000; fishing 400" in signed_in(at_home.member).get(address).content.decode()
    assert "600; fishing 240" in club_page(at_home).content.decode()


ELSEWHERE = ["https://example.org/", "//example.org", "javascript:alert(1)", "/no/such/page/", "x" * 5000]


@pytest.mark.parametrize("back", ELSEWHERE)
def test_no_way_back_leads_elsewhere(db, back):
    answer = Client().get(reverse("rule-set", args=["bmja"]), {"back": back})
    assert "rules-back" not in answer.content.decode()


def test_a_hand_in_tiles_can_be_asked_for_under_other_rules(at_home):
    text = hand_page(at_home, hand_with_tiles(at_home)).content.decode()
    [link] = re.findall(r'href="(/worth/\?sets=[^"]+tile=4C[^"]*)"', text)
    answer = signed_in(at_home.member).get(link.replace("&amp;", "&"))
    assert "As a Mah-jong" in answer.content.decode()
