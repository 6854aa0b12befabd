"""A practice table is scored like any other and counts nowhere."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from sessions_app.exports.session_totals import club_totals_csv
from sessions_app.models import Session
from sessions_app.queries.standings import season_standings
from sessions_app.services.reconcile import reconcile
from sessions_app.services.seasons import place_sessions

from .page_cast import DAY, house, record, signed_in, table_in_play, totals

IN_WORDS = "practice: does not count"


@pytest.fixture
def at_home(club, cast):
    return house(club, cast.all[:4])


@pytest.fixture
def practice(at_home, cast):
    """Bob, East, goes Mah-jong with 40 at a practice table on a day of the season."""
    made = table_in_play(at_home.club, [cast.bob, cast.carol, cast.dave, cast.fay], number=7, practice=True)
    record(made, totals(made, 1, seat1=40))
    return made


def page(at_home, name, *args):
    return signed_in(at_home.scorekeeper).get(reverse(name, args=[at_home.club.slug, *args]))


def test_it_is_chosen_at_the_start(at_home, cast):
    players = {f"player_{n}": player.pk for n, player in enumerate(cast.all[:4], 1)}
    fields = {"date": DAY.isoformat(), "table": "5", "rules": "bmja", "practice": "on", **players}
    signed_in(at_home.scorekeeper).post(reverse("session-start", args=[at_home.club.slug]), fields)
    started = Session.objects.get(table=5)
    assert (started.practice, started.season) == (True, None)
    assert started.seats.count() == 4


def test_it_is_scored_like_any_other(practice):
    assert [tally.net for tally in practice.tallies.order_by("seat__chair")] == [240, -80, -80, -80]


def test_it_changes_no_standings_and_no_totals(at_home, cast, practice):
    table = season_standings(at_home.season)
    assert {row.name: row.net for row in table.rows} == {"Alice": 600, "Bob": -160, "Carol": -220, "Dave": -220}
    assert table.left_out == []
    exported = club_totals_csv(at_home.club).splitlines()
    assert len(exported) == 1 + 4
    assert not any("Fay" in line for line in exported)


def test_it_stays_out_of_a_season_made_or_moved_later(at_home, practice):
    place_sessions(at_home.club)
    practice.refresh_from_db()
    assert practice.season is None
    assert reconcile() == []


def test_the_database_refuses_a_season_for_it(at_home, practice):
    with pytest.raises(IntegrityError), transaction.atomic():
        Session.objects.filter(pk=practice.pk).update(season=at_home.season)


def test_every_page_of_it_says_so(at_home, practice):
    for name in ("table", "session-sheet"):
        assert page(at_home, name, practice.pk).content.decode().count(IN_WORDS) == 1
        assert IN_WORDS not in page(at_home, name, at_home.table_session.pk).content.decode()
    assert page(at_home, "club").content.decode().count(IN_WORDS) == 1
    for name, key in (("watch", practice.watching_key), ("watch-hall", practice.meeting.watching_key)):
        watching = signed_in(at_home.scorekeeper).get(reverse(name, args=[key]))
        assert watching.content.decode().count(IN_WORDS) == 1
    record(practice, {}, kind="finish")
    assert page(at_home, "club").content.decode().count(IN_WORDS) == 1


def test_its_totals_are_no_file_to_bring_along(at_home, practice):
    assert page(at_home, "totals-csv", practice.pk).status_code == 404
    assert page(at_home, "hands-csv", practice.pk).status_code == 200


def test_a_change_of_its_players_or_hands_keeps_it_out(at_home, practice):
    seasons_version = at_home.season.version
    record(practice, totals(practice, 2, seat2=20))
    at_home.season.refresh_from_db()
    assert {tally.season for tally in practice.tallies.all()} == {None}
    assert at_home.season.version - seasons_version == 2  # the start and the one hand of the table that counts
