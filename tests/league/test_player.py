"""A player's page: every figure against a sum over the exported CSV; who may see it; what it asks of the database."""

import datetime
import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from clubscore.scoring import RULE_SETS
from sample_data.season import make_season
from sessions_app.exchange.exports.club_csv import payments_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.session_csv import club_totals_csv, session_hands_csv
from sessions_app.models import Club, Player, Season, Session
from sessions_app.table.sessions import start_session
from tests.afternoon import send
from tests.factories import DAY, record, table_in_play, totals
from tests.logins import logins, signed_in
from tests.player_sums import rows_of, settled_as_british, sums

pytestmark = pytest.mark.slow

CLUB_NIGHT = Path(__file__).parent.parent / "data" / "club-night.json"


TOTALS = Path(__file__).parent.parent / "data" / "season-totals.csv"


RULES = {rules.name: key for key, rules in RULE_SETS.items()}


PLAYED = {"settle": ["bmja", "bmja", "western", "bmja"], "straight": ["turner", "baggaley", "turner"]}


DRAWING = re.compile(r"<svg class=\"chart-(?:narrow|wide)\".*?</svg>", re.DOTALL)


TICK = re.compile(r'<path d="M[\d.]+ ([\d.]+)H[\d.]+"/><text[^>]*>([−,\d]+)</text>')


BAR = re.compile(r'<rect class="bar-(up|down)" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/>')


POINTS = re.compile(r'<polyline points="([^"]+)"')


PURITY = {"sets": ["concealed pung 2B", "concealed pung 3B", "concealed pung 6B", "concealed pung 8B", "pair 9B"]}


def files_of(club):
    """Return the rows of the club's totals and of the hands of all its sessions."""
    sessions = Session.objects.of_club(club).select_related("club", "meeting").order_by("pk")
    hands = [row for session in sessions for row in rows_of(session_hands_csv(session, PROGRAMS))]
    return rows_of(club_totals_csv(club, names=PROGRAMS)), hands


def page_of(client, player, **query):
    answer = client.get(reverse("player", args=[player.club.slug, player.pk]), query)
    assert answer.status_code == 200
    return answer


def shown(page):
    """Return what a page's context shows, in the shapes of `sums`."""
    context = page.context
    form = context["form"]
    east = [(one.hands, one.won, one.net, one.average, one.share) for one in context["east"]]
    return {
        "whole": figures_of(form.whole),
        "form": [
            (str(one.date), one.result.table, one.players, one.position, one.result.hands, one.result.won,
             one.result.net, one.running)
            for one in form.played
        ],
        "by_rules": {RULES[one.name]: figures_of(one) for one in context["by_rules"]},
        "outside_hands": context["outside_hands"],
        "best_hand": form.best_hand,
        "spans": context["spans"],
        "by_size": {one.name: figures_of(one) for one in form.by_size},
        "meetings": form.meetings,
        "club_meetings": context["meetings"],
        "east": east[0],
        "not_east": east[1],
        "ways": dict(context["wins"].ways),
        "also": dict(context["wins"].also),
        "best": [best["result"].total for best in context["best_hands"]],
        "special": sorted(
            (str(held.session.date), held.result.special or held.result.fishing_for, held.is_fishing, held.result.total)
            for held in context["special_hands"]
        ),
        "met": {
            one.met.name: (one.hands, one.met.sessions, one.met.above, one.met.below, one.received, one.paid, one.net)
            for one in [*context["opponents_shown"], *context["opponents_more"]]
        },
        "to_nobody": context["to_nobody"],
    }  # fmt: skip


def figures_of(account):
    return account.hands, account.won, account.net, account.average, account.share, account.sessions


def expect_charts(page, expected):
    """Hold every bar and every point of both drawings against the nets and the running totals of the sums."""
    drawn = DRAWING.findall(page.content.decode())
    nets, running = [row[6] for row in expected.form], [0, *(row[7] for row in expected.form)]
    bars, lines = drawn[:2], drawn[2:]
    assert len(drawn) == 4
    for svg in bars:
        height, last = by_ticks(svg), nets[-20:]
        found = BAR.findall(svg)
        assert [kind for kind, *_ in found] == ["down" if net < 0 else "up" for net in last]
        for net, (kind, top, tall) in zip(last, found, strict=True):
            ends = sorted((height(0), height(net)))
            if ends[1] - ends[0] > 2:
                assert [float(top), float(top) + float(tall)] == pytest.approx(ends, abs=0.2), (net, kind)
    for svg in lines:
        height = by_ticks(svg)
        points = [tuple(map(float, point.split(","))) for point in POINTS.search(svg)[1].split()]
        assert [y for _, y in points] == pytest.approx([height(total) for total in running], abs=0.2)
        steps = [right[0] - left[0] for left, right in pairwise(points)]
        assert steps == pytest.approx([steps[0]] * len(steps), abs=0.2)


def by_ticks(svg):
    """Return the height of any value by the lowest and the highest line of the ground, as they are labelled."""
    ticks = [(float(y), int(words.replace(",", "").replace("−", "-"))) for y, words in TICK.findall(svg)]
    (low_y, low), (high_y, high) = ticks[0], ticks[-1]
    return lambda value: low_y + (high_y - low_y) * (value - low) / (high - low)


def expect_sums(client, club, payments):
    """Hold every figure of everyone's page against the files; return how many pages were held."""
    session_totals, hands = files_of(club)
    held = 0
    for player in Player.objects.of_club(club).filter(tallies__hands__gt=0).distinct():
        expected = sums(str(player), session_totals, hands, payments)
        page = page_of(client, player, all="settle")
        assert shown(page) == vars(expected), player
        expect_charts(page, expected)
        held += 1
    return held


@pytest.mark.postgres
def test_every_figure_of_the_club_afternoon(db):
    call_command("load_club_night", str(CLUB_NIGHT), verbosity=0)
    club = Club.objects.get()
    client = signed_in(logins(club)["member"])
    assert expect_sums(client, club, rows_of(payments_csv(club, names=PROGRAMS))) == 12


def test_every_figure_of_a_made_season_with_payments_worked_out_again(db):
    list(make_season("made", people=9, meetings=4, hands=3, seed=5))
    club = Club.objects.get(slug="made")
    client = signed_in(logins(club)["member"])
    _, hands = files_of(club)
    assert expect_sums(client, club, list(settled_as_british(hands))) == 9


def test_the_figures_stand_on_the_page_as_they_are_summed(db):
    call_command("load_club_night", str(CLUB_NIGHT), verbosity=0)
    club = Club.objects.get()
    sheila = Player.objects.get(full_name="Sheila P")
    page = page_of(signed_in(logins(club)["member"]), sheila)
    words = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode())))
    final = json.loads(CLUB_NIGHT.read_text())["session_totals"]["Sheila P"]
    expected = sums("Sheila P", *files_of(club), rows_of(payments_csv(club, names=PROGRAMS)))
    hands, won, net, average, percent, _ = expected.whole
    assert net == final == 6370
    assert f"Won or lost +{net:,} Average per hand {average} Mah-jongs {won} of {hands} hands, {percent}%" in words
    assert f"Best hand {expected.best[0]:,} Meetings 1 of 1, 1 table" in words
    for other, (together, sessions, above, below, received, paid, between) in expected.met.items():
        signs = f"{between:+,}".replace("-", "−") if between else "0"
        assert f"{other} {together} {sessions} {above} {below} {received:,} {paid:,} {signs}" in words


def test_totals_brought_along_count_and_say_what_is_not_known(db):
    call_command("import_totals", str(TOTALS), club="bramley", verbosity=0)
    club = Club.objects.get()
    session_totals, _ = files_of(club)
    client = signed_in(logins(club)["member"])
    someone = Player.objects.of_club(club).filter(tallies__session__recording="settle").order_by("pk").first()
    settled = [row for row in session_totals if row["recording"] == "settle"]
    expected = sums(str(someone), settled, [], [])
    page = page_of(client, someone, all="settle")
    assert shown(page) == vars(expected)
    expect_charts(page, expected)
    assert page.context["form"].without_hands == expected.whole[5] > 1
    assert expected.outside_hands == expected.whole[2] != 0
    assert "entered as totals" in page.content.decode()


def test_a_season_counts_what_counts_in_it(db):
    list(make_season("made", people=5, meetings=3, hands=2, seed=8))
    club = Club.objects.get(slug="made")
    season = Season.objects.of_club(club).get()
    session_totals, hands = files_of(club)
    days = sorted({row["date"] for row in session_totals})
    Season.objects.filter(pk=season.pk).update(ends_on=datetime.date.fromisoformat(days[1]))
    inside = [row for row in session_totals if row["date"] <= days[1]]
    player = Player.objects.of_club(club).filter(tallies__hands__gt=0).order_by("pk").first()
    client = signed_in(logins(club)["member"])
    found = page_of(client, player, season=season.pk)
    hands = [row for row in hands if row["date"] <= days[1]]
    expected = sums(str(player), inside, hands, list(settled_as_british(hands)), "%B %Y")
    assert shown(found) == vars(expected)
    expect_charts(found, expected)


@pytest.fixture
def two_seasons(club, cast, secretary):
    """A season of two rule sets that settle, with fines and two sessions at a table, and one of two that add up."""
    made = {}
    for number, (recording, rules) in enumerate(PLAYED.items()):
        first = DAY + datetime.timedelta(days=100 * number)
        made[recording] = Season.objects.create(
            club=club, name=recording, starts_on=first, ends_on=first + datetime.timedelta(days=60),
            rules=sorted(set(rules)), recording=recording,
        )  # fmt: skip
        for place, key in enumerate(rules):
            day = first + datetime.timedelta(days=30 * (place // 2))
            session = start_session(club, day, 1, cast.all[: 4 + place % 2], key, {}, by=secretary)
            for who, points in ((1, 40), (None, 0), (0, 64), (2, 18)):
                winner = None if who is None else list(totals(session, None)["hands"])[who]
                each = {f"seat{seat}": 4 * seat + 2 * place for seat in range(1, 6)} | {f"seat{winner}": points}
                answer = record(session, totals(session, winner, **(each if winner else {})))
                assert answer.outcome == "recorded", answer.message
            if recording == "settle":
                fine = {"by": "1", "to": "2" if place else None, "amount": 30, "why": ""}
                assert record(session, fine, "fine").outcome == "recorded"
    return made


@pytest.mark.parametrize("recording", ["settle", "straight"])
def test_a_season_of_two_rule_sets_settled_or_added_up(two_seasons, client, club, cast, recording):
    played = [[row for row in rows if row["date"] in days_of(two_seasons[recording])] for rows in files_of(club)]
    payments = [
        row for row in rows_of(payments_csv(club, names=PROGRAMS)) if row["date"] in days_of(two_seasons[recording])
    ]
    assert bool(payments) == (recording == "settle")
    for player in cast.all:
        expected = sums(str(player), *played, payments, "%B %Y")
        page = page_of(client, player, season=two_seasons[recording].pk)
        assert shown(page) == vars(expected), player
        expect_charts(page, expected)
    of_alice = sums("Alice", *played, payments, "%B %Y")
    assert len(of_alice.by_rules) == 2
    assert len(of_alice.spans) == 2
    assert of_alice.outside_hands == (-120 if recording == "settle" else 0)


def days_of(season):
    return {str(season.starts_on + datetime.timedelta(days=number)) for number in range(61)}


@pytest.fixture
def client(club):
    return signed_in(logins(club)["member"])


def test_practice_and_void_sessions_never_count(client, club, cast, secretary):
    practice = table_in_play(club, cast.all[:4], practice=True)
    record(practice, totals(practice, 1, seat1=100))
    void = table_in_play(club, cast.all[:4], number=2)
    record(void, totals(void, 1, seat1=100))
    Session.objects.filter(pk=void.pk).update(practice=True, void=True, state="finished", season=None)
    page = page_of(client, cast.alice, all="settle")
    assert page.context["form"].played == ()
    assert "Alice has not played at a table that counts yet." in page.content.decode()


def test_the_best_hand_is_drawn_with_its_lines(client, club, cast, four):
    send(four, "hand", {"hands": {"1": PURITY, "2": {}, "3": {}, "4": {}},
                        "mahjong": {"by": "1", "tile": "9B", "from": "wall"}})  # fmt: skip
    page = page_of(client, cast.alice)
    [best] = page.context["best_hands"]
    tiles = [group.tiles for group in best["groups"]]
    assert tiles == [("2B",) * 3, ("3B",) * 3, ("6B",) * 3, ("8B",) * 3, ("9B",) * 2]
    assert [line["name"] for line in best["lines"]] == [line["name"] for line in best["result"].lines] != []
    assert [held.name for held in page.context["special_hands"]] == ["Buried Treasure"]
    assert dict(page.context["wins"].ways) == {"drawn from the wall": 1}


def test_own_scores_added_stand_apart_from_what_was_settled(client, club, cast):
    settled = table_in_play(club, cast.all[:4])
    record(settled, totals(settled, 1, seat1=100))
    added = table_in_play(club, cast.all[:4], number=2)
    record(added, totals(added, 2, seat2=50))
    Session.objects.filter(pk=added.pk).update(recording="straight")
    found = {word: page_of(client, cast.alice, all=word).context["form"].whole for word in ("settle", "straight")}
    assert [(one.sessions, one.won) for one in found.values()] == [(1, 1), (1, 0)]


def test_a_player_joined_into_another_leads_there(client, club, cast):
    Player.objects.filter(pk=cast.fay.pk).update(merged_into=cast.alice)
    answer = client.get(reverse("player", args=[club.slug, cast.fay.pk]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("player", args=[club.slug, cast.alice.pk]))


def test_names_lead_to_the_page(client, club, cast, four):
    record(four, totals(four, 1, seat1=100))
    address = reverse("player", args=[club.slug, cast.alice.pk])
    assert f'href="{address}"' in client.get(reverse("session-sheet", args=[club.slug, four.pk])).content.decode()
