"""Sessions begun, counted in their season, finished and opened again; and what is refused."""

import datetime

import pytest

from clubscore.scoring import ScoringError
from sessions_app.league.seasons import add_season, change_season
from sessions_app.models import Change, Meeting, Season, Session
from sessions_app.people.players import add_player, rename_player
from sessions_app.people.transactions import ServiceError
from sessions_app.table.sessions import current_seating, start_session
from tests.afternoon import hand, send
from tests.conftest import AFTERNOON


def start(club, players, secretary, rules="bmja", house_rules=None, **more):
    return start_session(club, AFTERNOON, 1, players, rules, house_rules or {}, by=secretary, **more)


@pytest.mark.parametrize(
    ("players", "winds", "out"), [(3, [1, 2, 3, None], []), (4, [1, 2, 3, 4], []), (5, [1, 2, 3, 4], [5])]
)
def test_players_sit_in_the_order_given(club, cast, secretary, players, winds, out):
    session = start(club, cast.all[:players], secretary)
    assert session.seating["winds"] == winds
    assert session.seating["out"] == out
    assert current_seating(session).wind_of_round == "E"
    names = [seat.player.full_name for seat in session.seats.all()]
    assert names == ["Alice", "Bob", "Carol", "Dave", "Fay"][:players]


@pytest.mark.parametrize(
    ("rules", "players", "balance"),
    [("bmja", 4, 2000), ("bmja", 5, 1600), ("bmja", 3, 2660), ("u3a", 4, 3000), ("u3a", 5, 2400), ("u3a", 3, 4000)],
)
def test_starting_balance_is_shared_out_and_rounded_down_to_ten(club, cast, secretary, rules, players, balance):
    session = start(club, cast.all[:players], secretary, rules)
    assert session.starting_balance == balance
    assert [tally.balance for tally in session.tallies.all()] == [balance] * players


def test_starting_balance_may_be_given(club, cast, secretary):
    assert start(club, cast.all, secretary, starting_balance=100).starting_balance == 100


def test_the_start_is_logged_by_ids(club, cast, secretary):
    session = start(club, cast.all[:4], secretary, house_rules={"limit": 500})
    change = Change.objects.get()
    assert (change.action, change.subject_type, change.subject_id) == ("start", "session", str(session.pk))
    assert change.name == "Sam the secretary"
    assert change.after == {
        "date": "2026-11-12", "table": 1, "rules": "bmja", "house_rules": {"limit": 500},
        "players": [player.pk for player in cast.all[:4]], "starting_balance": 2000,
    }  # fmt: skip


def test_two_tables_share_their_meeting_and_have_three_keys_each_their_own(club, cast, secretary):
    first = start(club, cast.all[:4], secretary)
    second = start_session(club, AFTERNOON, 2, cast.all[:3], "u3a", {}, by=secretary)
    assert Meeting.objects.count() == 1
    keys = {first.scoring_key, first.watching_key, second.scoring_key, second.watching_key}
    assert len(keys) == 4
    assert {len(key) for key in keys} == {22}


@pytest.mark.parametrize("players", [2, 6])
def test_too_few_or_too_many_players(club, cast, secretary, players):
    people = [*cast.all, add_player(club, "Greta", by=secretary)][:players]
    with pytest.raises(ServiceError, match=f"three, four or five players, not {players}"):
        start(club, people, secretary)
    assert Session.objects.count() == 0


def test_another_clubs_player_cannot_be_seated(club, cast, secretary):
    with pytest.raises(ServiceError, match="Choose a player from the club’s list"):
        start(club, [*cast.all[:3], cast.eve], secretary)


def test_nobody_sits_twice(club, cast, secretary):
    with pytest.raises(ServiceError, match="Choose a different player for each seat."):
        start(club, [*cast.all[:3], cast.alice], secretary)


def test_a_house_rule_the_rule_set_does_not_know(club, cast, secretary):
    with pytest.raises(ScoringError):
        start(club, cast.all[:4], secretary, house_rules={"treble_means": 8})
    assert Change.objects.count() == 0


def autumn(club, secretary, **more):
    dates = {"starts_on": datetime.date(2026, 9, 1), "ends_on": datetime.date(2026, 12, 31)}
    return add_season(club, "Autumn", by=secretary, **{**dates, "rules": ["bmja"], **more})


def test_a_session_counts_in_the_season_of_its_date(club, cast, secretary):
    season = autumn(club, secretary)
    session = start(club, cast.all[:4], secretary)
    assert session.season == season
    assert {tally.season for tally in session.tallies.all()} == {season}


def test_other_rules_or_recording_do_not_count(club, cast, secretary):
    autumn(club, secretary)
    assert start(club, cast.all[:4], secretary, "u3a").season is None
    assert start(club, cast.all[:4], secretary, house_rules={"recording": "straight"}).season is None


def test_a_season_opened_later_takes_its_sessions_in_and_lets_them_go_when_it_shrinks(club, cast, secretary):
    session = start(club, cast.all[:4], secretary)
    season = autumn(club, secretary)
    session.refresh_from_db()
    assert session.season == season
    assert {tally.season for tally in session.tallies.all()} == {season}
    version = Season.objects.get().version
    change_season(season, ends_on=datetime.date(2026, 11, 11), by=secretary)
    session.refresh_from_db()
    assert session.season is None
    assert {tally.season for tally in session.tallies.all()} == {None}
    assert Season.objects.get().version > version


def test_every_hand_raises_the_versions_of_session_and_season(club, cast, secretary):
    season = autumn(club, secretary)
    session = start(club, cast.all[:4], secretary)
    season.refresh_from_db()
    before = (session.version, season.version)
    hand(session, "2", s2=40)
    session.refresh_from_db()
    season.refresh_from_db()
    assert (session.version, season.version) == (before[0] + 1, before[1] + 1)


def test_seasons_that_overlap_are_refused_in_a_sentence(club, secretary):
    autumn(club, secretary)
    with pytest.raises(ServiceError, match="overlap with the season Autumn"):
        add_season(club, "Winter", datetime.date(2026, 12, 31), datetime.date(2027, 3, 1), by=secretary, rules=["bmja"])
    with pytest.raises(ServiceError, match="before the first day"):
        add_season(club, "Winter", datetime.date(2027, 3, 1), datetime.date(2027, 1, 1), by=secretary, rules=["bmja"])


def test_players_are_added_once_and_renamed_without_names_in_the_log(club, secretary):
    player = add_player(club, "  Greta   Green ", by=secretary)
    assert (player.full_name, player.short_name) == ("Greta Green", "Greta")
    with pytest.raises(ServiceError, match="already has a player named greta green"):
        add_player(club, "greta green", by=secretary)
    rename_player(player, "Greta Grey", by=secretary)
    assert [(change.action, change.before, change.after) for change in Change.objects.all()] == [
        ("add", {}, {"guest": False}),
        ("rename", {}, {}),
    ]


def test_a_session_brought_along_as_totals_shows_its_seats_in_order(club, cast):
    meeting = Meeting.objects.create(club=club, date=AFTERNOON)
    session = Session.objects.create(club=club, meeting=meeting, date=AFTERNOON, table=1, rules="bmja", imported=True)
    for chair, player in enumerate(cast.all, 1):
        session.seats.create(club=club, player=player, seat_no=chair)
    chairs = current_seating(session)
    assert (chairs.winds, chairs.out) == ((1, 2, 3, 4), (5,))


def test_finish_and_reopen(club, cast, secretary):
    session = start(club, cast.all[:4], secretary)
    assert send(session, "finish").message == "The table is finished."
    session.refresh_from_db()
    assert (session.state, session.finished_at is None) == ("finished", False)
    assert send(session, "finish").outcome == "late"
    assert send(session, "reopen", why="One more hand was played").outcome == "recorded"
    session.refresh_from_db()
    assert (session.state, session.finished_at) == ("open", None)
    assert Change.objects.last().why == "One more hand was played"
