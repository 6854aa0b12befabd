"""Leagues side by side, of members, guests and beginners: each with its own positions; every figure worked by hand."""

import csv
import datetime
import io

import pytest
from django.core.management import call_command
from django.urls import reverse

from clubscore.league.methods import Competitor, Result
from clubscore.league.ranking import Settings, rank, small_print
from sessions_app.exchange.exports.club_csv import players_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.models import Change, Club, Player
from tests.factories import season
from tests.logins import logins, signed_in
from tests.page_csv import rows_of

from .test_league import play

DAY = datetime.date(2026, 10, 1)
NETS = {"Ann": 300, "Bob": 40, "Cat": 100, "Dan": -40, "Eve": -380, "Fay": -20}
PEOPLE = [
    Competitor("Ann", "Ann"),
    Competitor("Bob", "Bob"),
    Competitor("Cat", "Cat", guest=True),
    Competitor("Dan", "Dan", beginner=True),
    Competitor("Eve", "Eve", beginner=True),
    Competitor("Fay", "Fay", guest=True, beginner=True),
]


def ranked(group, results, before=None, **settings):
    return rank(results, PEOPLE, Settings(**{"minimum_sessions": 1, "group": group, **settings}), before).rows


def table(number, nets, hands=12):
    return [Result(number, DAY, number, name, hands, 3, max(net, 0), min(net, 0), net) for name, net in nets.items()]


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("", [(1, "Ann"), (2, "Bob"), (3, "Dan"), (4, "Eve"), (None, "Cat"), (None, "Fay")]),
        ("members", [(1, "Ann"), (2, "Bob")]),
        ("guests", [(1, "Cat"), (2, "Fay")]),
        ("beginners", [(1, "Dan"), (2, "Eve")]),
    ],
)
def test_each_group_has_positions_of_its_own(group, expected):
    assert [(row.position, row.name) for row in ranked(group, table(1, NETS), method="total")] == expected


def test_opponents_of_every_group_count():
    """Of five opponents Dan beat two, Fay's -20 being more than his -40: only Eve, so 1 of 5; Eve none."""
    rows = ranked("beginners", table(1, NETS), method="beaten")
    assert [(row.position, row.name, row.shown) for row in rows] == [(1, "Dan", "20.0"), (2, "Eve", "0.0")]


def test_a_handicap_is_measured_by_the_best_member_of_the_season_before():
    """Before, Ann had 300 / 12 = 25 a hand, Dan -40 / 12 and Cat 100 / 12: 80 % of the rest is 23 and 13 a hand."""
    before, now = table(1, NETS), table(2, {"Dan": 12, "Cat": 24})
    [dan], [cat] = (ranked(group, now, before, method="handicap") for group in ("beginners", "guests"))
    assert (dan.shown, cat.shown) == ("24.0", "15.0")


def test_the_small_print_says_who_is_in_the_table():
    assert [small_print(Settings(group=group))[1] for group in ("members", "guests", "beginners")] == [
        "Only members who are not beginners are in this table. They need at least 3 tables to be ranked.",
        "Only guests are in this table. They need at least 3 tables to be ranked.",
        "Only beginners are in this table. They need at least 3 tables to be ranked.",
    ]


@pytest.fixture
def autumn(club, cast):
    """Alice wins 80 as East, Bob and Carol lose 40 each; Bob is a beginner and Carol a guest."""
    made = season(club)
    made.minimum_sessions, made.method = 1, "total"
    made.save()
    play(club, cast.all[:3], DAY, "1")
    Player.objects.filter(pk=cast.bob.pk).update(beginner=True)
    Player.objects.filter(pk=cast.carol.pk).update(guest=True)
    return made


@pytest.fixture
def secretary(club, autumn):
    return signed_in(logins(club)["secretary"])


def positions_on(page):
    return [(row.position, row.name) for row in page.context["league"].rows]


def test_the_page_offers_the_groups_that_have_played(club, secretary):
    address = reverse("standings", args=[club.slug])
    page = secretary.get(address)
    assert [(link.name, link.is_current) for link in page.context["groups"]] == [
        ("Everyone", True), ("Members", False), ("Guests", False), ("Beginners", False),
    ]  # fmt: skip
    assert positions_on(page) == [(1, "Alice"), (2, "Bob"), (None, "Carol")]
    page = secretary.get(address, {"group": "beginners", "method": "average"})
    assert positions_on(page) == [(1, "Bob")]
    assert ": beginners</span>" in page.content.decode()
    assert "group=guests" in next(link.query for link in page.context["groups"] if link.name == "Guests")
    assert all("group=beginners" in link.query for link in page.context["methods"])


def test_the_season_ranks_a_group_as_it_ranks_everyone(club, secretary):
    page = secretary.get(reverse("standings", args=[club.slug]), {"group": "beginners"})
    assert not page.context["league"].is_what_if
    assert not page.context["form"].is_filled_in


def test_a_club_of_members_alone_is_offered_no_groups(club, secretary):
    Player.objects.update(guest=False, beginner=False)
    address = reverse("standings", args=[club.slug])
    assert secretary.get(address).context["groups"] == []
    page = secretary.get(address, {"group": "guests"})
    assert "No one in this group has played yet." in page.content.decode()
    assert [link.name for link in page.context["groups"]] == ["Everyone", "Members", "Guests"]


def test_a_group_that_does_not_exist_is_refused(club, secretary):
    page = secretary.get(reverse("standings", args=[club.slug]), {"group": "juniors"})
    assert page.status_code == 422
    assert "Choose one of the groups under “Players”." in page.content.decode()


def test_a_group_is_exported_by_page_and_by_command(club, secretary, capsys):
    answer = secretary.get(reverse("standings-csv", args=[club.slug]), {"group": "guests"})
    assert answer["Content-Disposition"].endswith('-standings-total-guests.csv"')
    of_page = rows_of(answer)
    assert [(row["place"], row["player"], row["value"], row["reason"]) for row in of_page] == [
        ("1", "Carol", "-40.0000", "")
    ]
    options = ["--from", "2026-09-01", "--to", "2026-12-31", "--method", "total", "--minimum-sessions", "1"]
    call_command("export_standings", "--club", club.slug, *options, "--group", "guests")
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out.lstrip("\ufeff")))) == of_page


def test_the_public_pages_have_the_groups(client, club, cast, autumn):
    Club.objects.filter(pk=club.pk).update(shows_standings=True, public_names="full")
    page = reverse("public-standings", args=[club.slug])
    found = client.get(page, {"group": "beginners"})
    assert [(row.position, row.name) for row in found.context["rows"]] == [(1, "Bob")]
    body = found.content.decode()
    assert "Bob" in body
    assert "Alice" not in body
    assert "?group=members" in body
    assert client.get(page, {"group": "juniors"}).status_code == 404
    # Guests have no public name unless they chose one.
    assert client.get(page, {"group": "guests"}).context["rows"] == []


def test_the_secretary_makes_a_member_a_beginner_and_it_is_logged_listed_and_exported(club, cast, secretary):
    address = reverse("player-change", args=[club.slug, cast.alice.pk])
    answer = secretary.post(address, {"full_name": "Alice Archer", "short_name": "Alice", "beginner": "on"})
    assert answer.status_code == 302
    change = Change.objects.get(subject_type="player", action="change")
    assert (change.before, change.after) == ({"beginner": False}, {"beginner": True})
    assert secretary.get(reverse("players", args=[club.slug])).content.decode().count("<td>beginner</td>") == 2
    rows = {
        row["player"]: row["beginner"]
        for row in csv.DictReader(io.StringIO(players_csv(club, names=PROGRAMS).lstrip("\ufeff")))
    }
    assert (rows["Alice Archer"], rows["Bob"], rows["Carol"]) == ("yes", "yes", "")
