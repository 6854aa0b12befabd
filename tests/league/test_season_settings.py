"""A season's settings changed by the secretary; a locked season refuses them, and every command that counts in it."""

import dataclasses
import datetime
import re
from datetime import date

import pytest
from django.urls import reverse

from clubscore.league.methods import METHODS
from clubscore.league.ranking import Settings
from sessions_app.exchange.exports.club_csv import seasons_csv
from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.league.models import METHODS_USING_SEASON_BEFORE
from sessions_app.league.season_settings import SEASON_SETTINGS
from sessions_app.league.seasons import add_season, change_season, settings_of_last_season
from sessions_app.models import Change, Season
from sessions_app.people.transactions import ServiceError
from tests.factories import BY, house, record, totals
from tests.logins import logins, signed_in


@pytest.fixture
def home(club, cast):
    return house(club, cast.all[:4])


@pytest.fixture
def client(home):
    return signed_in(home.secretary)


def fields(**changed):
    return {
        "name": "Autumn 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-31", "rules": ["bmja"],
        "recording": "settle", "method": "average", "minimum_sessions": "3", "minimum_hands": "", "best_n": "8",
        "why": "", **changed,
    }  # fmt: skip


def words_on(answer):
    return " ".join(answer.content.decode().split())


def post(client, home, **changed):
    return client.post(reverse("season", args=[home.club.slug, home.season.pk]), fields(**changed))


def test_method_number_and_minimum_are_changed_and_logged(client, home):
    answer = post(client, home, method="best_n", best_n="6", minimum_sessions="4", minimum_hands="40", why="AGM")
    assert answer.url == reverse("seasons", args=[home.club.slug])
    home.season.refresh_from_db()
    found = home.season
    assert (found.method, found.best_n, found.minimum_sessions, found.minimum_hands) == ("best_n", 6, 4, 40)
    change = Change.objects.get(subject_type="season")
    assert (change.why, change.before["best_n"], change.after["best_n"]) == ("AGM", 8, 6)


def test_sessions_go_out_where_the_dates_change(client, home):
    version = home.season.version
    post(client, home, ends_on="2026-10-31")
    home.season.refresh_from_db()
    home.table_session.refresh_from_db()
    assert (home.season.ends_on, home.table_session.season) == (datetime.date(2026, 10, 31), None)
    assert home.season.version > version


@pytest.mark.parametrize(
    ("changed", "field", "sentence"),
    [
        ({"name": ""}, "name", "Enter the name of the season, for example Autumn 2026."),
        ({"name": "Spring"}, "name", "Enter another name. There is already a season named Spring."),
        ({"starts_on": "2026-03-01"}, "starts_on", "Enter dates that do not overlap with the season Spring."),
        ({"ends_on": "2026-08-01"}, "ends_on", "Enter a last day that is not before the first day."),
        ({"best_n": "0"}, "best_n", "Enter 1 or more for “How many of the best tables count”."),
        (
            {"minimum_hands": "many"},
            "minimum_hands",
            "Enter a whole number for “Hands needed to be ranked”, for example 40.",
        ),
        ({"rules": []}, "rules", "Choose at least one under “Rules that count”."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(client, home, changed, field, sentence):
    spring = {"starts_on": datetime.date(2026, 1, 1), "ends_on": datetime.date(2026, 4, 30), "rules": ["bmja"]}
    Season.objects.create(club=home.club, name="Spring", **spring)
    answer = post(client, home, why="Because", **changed)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {field: [sentence]}
    assert answer.context["form"]["why"].value() == "Because"
    assert answer.context["form"][field].value() == changed[field]


def test_a_locked_season_refuses_settings_and_commands(client, home):
    lock = reverse("season-lock", args=[home.club.slug, home.season.pk])
    page = reverse("season", args=[home.club.slug, home.season.pk])
    assert "Before you lock the season, finish these tables: table 1 on 12 November 2026." in words_on(client.get(page))
    found = words_on(client.post(lock, follow=True))
    assert "Not finished, and no one can enter hands there now: table 1 on 12 November 2026." in found
    home.season.refresh_from_db()
    assert home.season.locked
    assert post(client, home, method="total").status_code == 422
    answer = record(home.table_session, totals(home.table_session, 1, seat1=50))
    assert answer.outcome == "late"
    sentence = "The season of this table is locked. You have not lost anything. "
    assert answer.message == sentence + "What you sent is kept for the secretary to check. You need do nothing more."
    with pytest.raises(ServiceError, match="The season “Autumn 2026” is locked. Unlock it before you change it."):
        change_season(home.season, by=BY, locked=False, best_n=2)
    client.post(lock)
    assert post(client, home, method="total").status_code == 302
    assert record(home.table_session, totals(home.table_session, 1, seat1=50)).outcome == "recorded"


def test_another_clubs_season_is_not_found(client, home, other_club):
    theirs = Season.objects.create(
        club=other_club, name="Theirs", starts_on=datetime.date(2026, 1, 1), ends_on=datetime.date(2026, 12, 31)
    )
    for name in ("season", "season-lock"):
        assert client.post(reverse(name, args=[home.club.slug, theirs.pk]), fields()).status_code == 404


def test_a_locked_season_that_looks_back_keeps_the_season_before(client, home):
    days = {"starts_on": datetime.date(2026, 1, 1), "ends_on": datetime.date(2026, 4, 30)}
    spring = Season.objects.create(club=home.club, name="Spring", rules=["bmja"], **days)
    autumn = change_season(home.season, by=BY, method="handicap")
    lock = reverse("season-lock", args=[home.club.slug, autumn.pk])
    first = "Autumn 2026 uses the results of Spring, which is not locked. Lock Spring first."
    assert first in words_on(client.post(lock, follow=True))
    autumn.refresh_from_db()
    assert not autumn.locked
    change_season(spring, by=BY, locked=True)
    found = words_on(client.post(lock, follow=True))
    assert "The season Autumn 2026 is locked. Its hands, dates and settings cannot be changed." in found
    assert "The season before is locked too, as this one uses its results." in found
    unlock = "Autumn 2026 is locked and uses the results of Spring. Unlock Autumn 2026 first."
    with pytest.raises(ServiceError, match=unlock):
        change_season(spring, by=BY, locked=False)
    added = {"starts_on": "2026-05-01", "ends_on": "2026-06-30", "rules": ["bmja"], "recording": "settle"}
    answer = client.post(
        reverse("seasons", args=[home.club.slug]), {**added, "name": "May", "method": "total", "minimum_sessions": 3}
    )
    assert (answer.status_code, answer.context["form"].errors["starts_on"]) == (
        422,
        [
            "Autumn 2026 is locked and uses the results of the season before it. "
            "Unlock Autumn 2026 before you change which season that is."
        ],
    )
    assert not Season.objects.filter(name="May").exists()
    client.post(lock)
    assert not change_season(spring, by=BY, locked=False).locked


def test_the_methods_that_look_back_are_known_to_the_season():
    assert sorted(METHODS_USING_SEASON_BEFORE) == sorted(
        key for key, method in METHODS.items() if method.uses_season_before
    )


def test_a_new_season_begins_like_the_last(client, home):
    kept = {"method": "best_n", "minimum_sessions": 5, "minimum_hands": 40, "best_n": 6, "trophies": ["most_sessions"]}
    change_season(home.season, by=BY, rules=["u3a", "bmja"], **kept)
    address = reverse("seasons", args=[home.club.slug])
    begun = client.get(address).context["form"].initial
    assert (begun["rules"], begun["method"], begun["minimum_sessions"]) == (["u3a", "bmja"], "best_n", 5)
    asked = {"name": "Spring 2027", "starts_on": "2027-01-01", "ends_on": "2027-04-30", "recording": "settle"}
    client.post(address, {**asked, "rules": ["u3a"], "method": "total", "minimum_sessions": 4})
    made = Season.objects.get(name="Spring 2027")
    assert (made.rules, made.method, made.minimum_sessions) == (["u3a"], "total", 4)
    assert (made.minimum_hands, made.best_n, made.trophies) == (40, 6, ["most_sessions"])


def test_every_setting_that_ranks_is_a_row_and_every_row_a_field():
    ranking = {field.name for field in dataclasses.fields(Settings)} - {"group", "of_games"}
    assert set(SEASON_SETTINGS) == ranking
    assert ranking <= {field.name for field in Season._meta.get_fields()}


# Each setting of a season, what is typed under “What if” to switch it off, and another value as it is typed and read.
STATES = {
    "method": ("best_n", ("average", "average"), ("total", "total")),
    "minimum_sessions": (4, ("1", 1), ("6", 6)),
    "minimum_hands": (40, ("0", None), ("60", 60)),
    "best_n": (6, ("1", 1), ("7", 7)),
    "by_meeting": (True, ("off", False), ("on", True)),
    "position_points": ([10, 8], ("0", []), ("9, 5", [9, 5])),
    "drop_worst": (2, ("0", 0), ("3", 3)),
}


@pytest.mark.parametrize("name", SEASON_SETTINGS)
def test_what_if_knows_the_seasons_own_off_and_another_value(client, home, name):
    own, (off, off_value), (other, value) = STATES[name]
    change_season(home.season, by=BY, **{name: own})
    page = reverse("standings", args=[home.club.slug])

    def ranked_by(typed):
        answer = client.get(page, {name: typed})
        assert answer.status_code == 200
        return getattr(answer.context["league"].table.settings, name)

    as_list = (lambda found: list(found)) if isinstance(own, list) else (lambda found: found)
    assert as_list(ranked_by("")) == own
    assert as_list(ranked_by(off)) == off_value
    assert as_list(ranked_by(other)) == value


def test_what_if_says_what_the_season_has_and_says_once_what_blank_means(client, home):
    change_season(home.season, by=BY, minimum_hands=40, drop_worst=0, by_meeting=True, position_points=[10, 8])
    form = client.get(reverse("standings", args=[home.club.slug])).context["what_if"]
    for words in ("This season: 40.", "This season: 0.", "This season: yes.", "This season: 10, 8.", "This season: 3."):
        assert words in form
    assert form.count("blank") == 1


def test_no_hands_needed_is_0_or_blank_on_the_seasons_page(client, home):
    for typed in ("0", ""):
        change_season(home.season, by=BY, minimum_hands=40)
        assert post(client, home, minimum_hands=typed).status_code == 302
        home.season.refresh_from_db()
        assert home.season.minimum_hands is None


def test_every_setting_is_on_the_page_in_the_csv_and_in_the_next_season(client, home):
    page = client.get(reverse("season", args=[home.club.slug, home.season.pk]))
    named = set(re.findall(r'name="(\w+)"', page.content.decode()))
    assert set(SEASON_SETTINGS) <= named
    assert set(SEASON_SETTINGS) <= set(seasons_csv(home.club, names=PROGRAMS).splitlines()[0].split(","))
    assert set(SEASON_SETTINGS) <= set(settings_of_last_season(home.club))


def test_a_season_with_weeks_to_go_asks_before_it_is_locked(client, home):
    page = reverse("season", args=[home.club.slug, home.season.pk])
    asks = "Once it is locked, no one can enter hands in it."
    for days, words in ((21, "This season has 3 weeks to go."), (0, "This season ends today."), (-1, "")):
        Season.objects.filter(pk=home.season.pk).update(ends_on=home.club.today + datetime.timedelta(days=days))
        found = words_on(client.get(page))
        assert (words in found, asks in found, "Lock it all the same" in found) == (True, bool(words), bool(words))
    assert "Lock the season" in found


@pytest.mark.parametrize(
    ("name", "first", "last", "expected"),
    [
        ("2025-26", date(2025, 9, 1), date(2026, 8, 31), ("2026-27", date(2026, 9, 1), date(2027, 8, 31))),
        ("League 2026", date(2026, 1, 1), date(2026, 12, 31), ("League 2027", date(2027, 1, 1), date(2027, 12, 31))),
        ("Autumn 2026", date(2026, 9, 1), date(2026, 12, 31), (None, date(2027, 1, 1), date(2027, 4, 30))),
        ("Ten weeks", date(2026, 9, 3), date(2026, 11, 11), (None, date(2026, 11, 12), date(2027, 1, 20))),
    ],
)
def test_the_next_season_begins_where_the_last_one_ended(club, name, first, last, expected):
    add_season(club, name, first, last, rules=["bmja"], by=BY)
    form = signed_in(logins(club)["secretary"]).get(reverse("seasons", args=[club.slug])).context["form"]
    assert tuple(form.initial.get(field) for field in ("name", "starts_on", "ends_on")) == expected
