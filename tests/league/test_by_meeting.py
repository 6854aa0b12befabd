"""A season that counts each meeting as one result, and points for the positions there; every figure worked by hand."""

import csv
import datetime
import io
from fractions import Fraction

import pytest
from django.core.management import call_command
from django.urls import reverse

from clubscore.league.methods import Competitor, Result
from clubscore.league.ranking import Settings, rank, small_print
from sessions_app.exchange.exports.club_csv import seasons_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.league.seasons import change_season
from sessions_app.league.standings import league
from sessions_app.models import Change, Meeting, Session
from tests.factories import season
from tests.logins import logins, signed_in

from .test_league import BY, play

DAYS = [datetime.date(2026, 10, 1), datetime.date(2026, 10, 8)]


def session(number, meeting, nets, hands=12):
    """One session: everyone's net; three hands won."""
    return [
        Result(number, DAYS[meeting], number, name, hands, 3, max(net, 0), min(net, 0), net, meeting=f"m{meeting}")
        for name, net in nets.items()
    ]


# Two rounds at the first meeting, two tables at the second.
PLAYED = [
    *session(1, 0, {"Ann": 300, "Bob": 40, "Cat": 40, "Dan": -380}),
    *session(2, 0, {"Ann": -100, "Bob": 60, "Cat": 0, "Dan": 40}),
    *session(3, 1, {"Ann": -50, "Bob": 50}),
    *session(4, 1, {"Cat": 50, "Dan": -50}),
]


def ranked(results, method, **settings):
    people = [Competitor(name, name) for name in {result.player for result in results}]
    return rank(results, people, Settings(method, **{"minimum_sessions": 1, "by_meeting": True, **settings})).rows


def values(rows):
    return {row.player: Fraction(*row.value) for row in sorted(rows, key=lambda row: row.name)}


@pytest.mark.parametrize(
    ("method", "settings", "expected"),
    [
        # At the first meeting Ann has 300 - 100 = 200, Bob 100, Cat 40 and Dan -340; at the second -50, 50, 50 and -50.
        ("total", {}, [150, 150, 90, -390]),
        ("average", {}, [Fraction(150, 36), Fraction(150, 36), Fraction(90, 36), Fraction(-390, 36)]),
        ("average_session", {}, [75, 75, 45, -195]),
        ("best_n", {"best_n": 1}, [200, 100, 50, -50]),
        # Of three opponents at each meeting: 3 and a half; 2 and 2 and a half; 1 and 2 and a half; 0 and a half.
        ("beaten", {}, [Fraction(350, 6), 75, Fraction(350, 6), Fraction(50, 6)]),
        # 4, 3, 2 and 1 points; then (4 + 3) / 2 for Bob and Cat, (2 + 1) / 2 for Ann and Dan.
        ("position_points", {}, [Fraction(11, 2), Fraction(13, 2), Fraction(11, 2), Fraction(5, 2)]),
        # 10, 6, 3 and 0; then (10 + 6) / 2 and (3 + 0) / 2.
        ("position_points", {"position_points": (10, 6, 3)}, [Fraction(23, 2), 14, 11, Fraction(3, 2)]),
        ("position_points", {"position_points": (10, 6, 3), "drop_worst": 1}, [10, 8, 8, Fraction(3, 2)]),
        # A table's points are for its own positions, whatever else was played: 4, 1.5, 1.5, 0; 0, 4, 1, 2; 3.5 and 0.
        ("table_points", {}, [Fraction(4, 3), 3, 2, Fraction(2, 3)]),
    ],
)
def test_each_method_counts_the_sum_of_a_meeting(method, settings, expected):
    assert list(values(ranked(PLAYED, method, **settings)).values()) == expected


def test_points_for_positions_count_meetings_whatever_the_season_counts():
    rows = ranked(PLAYED, "position_points", by_meeting=False)
    assert [(row.player, row.sessions) for row in rows] == [("Bob", 2), ("Ann", 2), ("Cat", 2), ("Dan", 2)]


def test_a_rating_moves_once_a_meeting():
    """All 1500: 8 points for each opponent beaten more than one and a half."""
    assert list(values(ranked(PLAYED[:8], "rating")).values()) == [1512, 1504, 1496, 1488]


def test_the_best_meeting_breaks_a_tie_and_the_reason_counts_meetings():
    rows = ranked(PLAYED, "total", minimum_sessions=2)
    assert [(row.position, row.player, row.best_session) for row in rows[:2]] == [(1, "Ann", 200), (2, "Bob", 100)]
    assert {row.reason for row in ranked(PLAYED, "total")} == {""}
    assert {row.reason for row in ranked(PLAYED, "total", minimum_sessions=3)} == {"2 of 3 meetings"}


def test_a_meeting_that_someone_missed_is_the_first_to_be_dropped():
    """Eve came to the first meeting alone and was third of five: 3 points, and nothing of hers is dropped."""
    rows = ranked([*PLAYED, *session(5, 0, {"Eve": 60})], "position_points", drop_worst=1)
    # Ann 5, Bob 4, Eve 3, Cat 2, Dan 1 at the first; 3.5 and 1.5 at the second.
    expected = {"Ann": 5, "Bob": 4, "Cat": Fraction(7, 2), "Dan": Fraction(3, 2), "Eve": 3}
    assert values(rows) == expected


def test_hands_that_are_not_known_leave_those_of_the_other_round():
    known, unknown = session(1, 0, {"Ann": 48, "Bob": -48}), session(2, 0, {"Ann": 100, "Bob": -100}, hands=None)
    (ann, _), (total, _) = ranked(known + unknown, "average"), ranked(known + unknown, "total")
    assert (Fraction(*ann.value), ann.hands) == (4, 12)
    assert (Fraction(*total.value), total.hands, total.sessions) == (148, 12, 1)


def test_the_small_print_says_what_counts():
    assert small_print(Settings("average_session", 2, by_meeting=True)) == [
        "Your average is all you won or lost, divided by the number of meetings you came to.",
        "What you play at one meeting counts as one result.",
        "Members need at least 2 meetings to be ranked. Guests are never ranked.",
        "Ties are decided in this order: higher total, more hands won, better score at their best meeting. If only two "
        "players are still level, the one who beat the other more often at the same meeting goes first. Otherwise they "
        "share the position.",
    ]
    assert small_print(Settings("position_points", position_points=(10, 6, 3), drop_worst=2))[0] == (
        "Each meeting gives points for positions: 10, 6, 3, then 0. Players who tie share the points. Your 2 lowest "
        "meetings do not count. A meeting that you missed counts as 0 points. Your score is the sum of your points."
    )


@pytest.fixture
def autumn(club, cast):
    """Two rounds on the first day, one on the second: Alice has 80, then -40 and -40; Bob the reverse at the second."""
    made = season(club)
    three = cast.all[:3]
    play(club, three, DAYS[0], "1")
    play(club, three, DAYS[0], "1")
    play(club, three, DAYS[1], "2")
    assert Meeting.objects.filter(sessions__in=Session.objects.all()).distinct().count() == 2
    return made


@pytest.fixture
def secretary(club, autumn):
    return signed_in(logins(club)["secretary"])


def fields(**changed):
    return {
        "name": "Autumn 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-31", "rules": ["bmja"],
        "recording": "settle", "method": "total", "minimum_sessions": "2", "best_n": "8", **changed,
    }  # fmt: skip


def test_the_secretary_sets_it_and_it_is_logged_exported_and_begins_the_next_season(club, autumn, secretary):
    address = reverse("season", args=[club.slug, autumn.pk])
    asked = fields(by_meeting="on", position_points="10, 8,6 5", drop_worst="1")
    assert secretary.post(address, asked).status_code == 302
    autumn.refresh_from_db()
    assert (autumn.by_meeting, autumn.position_points, autumn.drop_worst) == (True, [10, 8, 6, 5], 1)
    change = Change.objects.get(subject_type="season")
    assert (change.after["by_meeting"], change.after["position_points"]) == (True, [10, 8, 6, 5])
    [row] = csv.DictReader(io.StringIO(seasons_csv(club, names=PROGRAMS)))
    assert [row[name] for name in ("by_meeting", "position_points", "drop_worst")] == ["yes", "10 8 6 5", "1"]
    assert secretary.get(address).context["form"]["position_points"].value() == "10, 8, 6, 5"
    secretary.post(
        reverse("seasons", args=[club.slug]),
        fields(name="Spring 2027", starts_on="2027-01-01", ends_on="2027-04-30"),
    )
    spring = club.seasons.get(name="Spring 2027")
    assert (spring.by_meeting, spring.position_points, spring.drop_worst) == (True, [10, 8, 6, 5], 1)


@pytest.mark.parametrize("typed", ["ten", "10, 12", "10; 8", "10, -1", "1000"])
def test_points_that_cannot_be_are_refused_and_kept_on_the_page(club, autumn, secretary, typed):
    answer = secretary.post(reverse("season", args=[club.slug, autumn.pk]), fields(position_points=typed))
    assert answer.status_code == 422
    sentence = "Enter points that do not rise from one position to the next, for example 10, 8, 6, 5."
    assert answer.context["form"].errors == {"position_points": [sentence]}
    assert answer.context["form"]["position_points"].value() == typed


def test_the_settings_are_saved_as_the_page_shows_them(club, autumn, secretary):
    address = reverse("season", args=[club.slug, autumn.pk])
    form = secretary.get(address).context["form"]
    shown = {
        field.name: field.value() for field in form if field.value() not in ("", None) and field.value() is not False
    }
    assert shown["drop_worst"] == 0
    assert secretary.post(address, shown).status_code == 302


def test_a_locked_season_keeps_it(club, autumn, secretary):
    change_season(autumn, by=BY, locked=True)
    answer = secretary.post(reverse("season", args=[club.slug, autumn.pk]), fields(by_meeting="on"))
    assert answer.status_code == 422
    autumn.refresh_from_db()
    assert not autumn.by_meeting


def test_the_page_counts_meetings(club, autumn, secretary):
    """First meeting: Alice 80 + 80, Bob and Carol -40 - 40. Second: Bob 60, Alice -40, Carol -20."""
    change_season(autumn, by=BY, by_meeting=True, minimum_sessions=2, method="average_session")
    page = secretary.get(reverse("standings", args=[club.slug]))
    rows = league(autumn).ranked
    shown = [(row.name, row.shown, row.sessions, row.form) for row in rows]
    assert shown == [
        ("Alice", "60.0", 2, (160, -40)),
        ("Bob", "-10.0", 2, (-80, 60)),
        ("Carol", "-50.0", 2, (-80, -20)),
    ]
    text = page.content.decode()
    assert ">Meetings</th>" in text
    assert ">Average per meeting</th>" in text
    assert ">Best meeting</th>" in text


def test_what_if_it_counted_meetings(club, autumn, secretary):
    found = secretary.get(
        reverse("standings", args=[club.slug]), {"by_meeting": "on", "method": "position_points", "drop_worst": 1}
    )
    assert ">Points for positions</th>" in found.content.decode()
    # 3 points for the first of three; Bob and Carol share 2 and 1, then Bob has 3, Alice 1 and Carol 2.
    rows = league(autumn, method="position_points", drop_worst=1, minimum_sessions=1).ranked
    assert [(row.name, row.shown) for row in rows] == [
        ("Alice", "3.0"),
        ("Bob", "3.0"),
        ("Carol", "2.0"),
    ]


def test_what_if_it_counted_sessions_and_every_meeting(club, autumn, secretary):
    change_season(autumn, by=BY, by_meeting=True, method="position_points", drop_worst=1, minimum_sessions=1)
    address = reverse("standings", args=[club.slug])
    dropped = "Your lowest meeting does not count."
    assert dropped in secretary.get(address).text
    page = secretary.get(address, {"drop_worst": "0"})
    assert dropped not in page.text
    # The meeting of 3, 1.5 and 1.5 points, and that of 1, 3 and 2, both count.
    assert [(row.name, row.shown) for row in page.context["league"].ranked] == [
        ("Bob", "4.5"), ("Alice", "4.0"), ("Carol", "3.5"),
    ]  # fmt: skip
    assert ">Tables</th>" in secretary.get(address, {"by_meeting": "off", "method": "total"}).text
    assert ">Meetings</th>" in secretary.get(address, {"method": "total"}).text


def test_the_command_counts_meetings(club, autumn, capsys):
    span = ["--club", club.slug, "--from", "2026-10-01", "--to", "2026-10-31", "--minimum-sessions", "2"]
    call_command("export_standings", *span, "--by-meeting", "--method", "average_session")
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    assert [(row[1], row[2], row[7]) for row in rows] == [
        ("Alice", "2", "60.0000"), ("Bob", "2", "-10.0000"), ("Carol", "2", "-50.0000"),
    ]  # fmt: skip
    points = ["--method", "position_points", "--position-points", "10,6,3", "--drop-worst", "1"]
    call_command("export_standings", *span, *points)
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    assert [(row[1], row[7]) for row in rows] == [("Alice", "10.0000"), ("Bob", "10.0000"), ("Carol", "6.0000")]
