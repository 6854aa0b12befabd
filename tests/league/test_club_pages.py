"""The club's page, players, seasons and standings."""

import datetime
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from sessions_app.models import Membership, Player, Season, Session
from sessions_app.people.models import unguessable_key
from sessions_app.table.sessions import start_session
from tests.factories import BY, record, table_in_play, totals
from tests.logins import logins, signed_in
from tests.page_csv import rows_of


def page(at_home, name, role="member", **query):
    return signed_in(getattr(at_home, role)).get(reverse(name, args=[at_home.club.slug]), query)


def test_the_club_page(at_home, cast):
    done = table_in_play(at_home.club, cast.all[:3], number=2)
    record(done, totals(done, 2, seat2=30))
    record(done, {}, kind="finish")
    context = page(at_home, "club").context
    assert [(card.session.table, card.names, card.hands) for card in context["in_play"]] == [
        (1, "Alice, Bob, Carol, Dave", 1)
    ]
    # Bob, South, won 30 at the table of three: 60 from East, 30 from West.
    assert [(card.session.table, card.best_name, card.best_net) for card in context["latest"]] == [(2, "Bob", 90)]
    assert context["season"] == at_home.season


def test_all_who_did_best_at_a_table_are_named(at_home, cast):
    done = table_in_play(at_home.club, cast.all[:4], number=2)
    record(done, totals(done, 2, seat2=30, seat3=0))
    record(done, {"by": "2", "to": "4", "amount": 75}, kind="fine")
    record(done, {}, kind="finish")
    # Bob's 120 are 60 from East and 30 from Carol and Dave; his 75 to Dave leave both with 45.
    context = page(at_home, "club").context
    assert [(card.best_name, card.best_net) for card in context["latest"]] == [("Bob and Dave", 45)]


def test_earlier_sessions_are_a_tap_away(at_home, cast):
    for number in range(2, 10):
        record(table_in_play(at_home.club, cast.all[:3], number=number), {}, kind="finish")
    context = page(at_home, "club").context
    assert (len(context["latest"]), context["has_more"]) == (6, True)
    context = page(at_home, "club", all="1").context
    assert (len(context["latest"]), context["has_more"]) == (8, False)


def test_all_sessions_are_read_fifty_at_a_time(at_home, cast):
    done = table_in_play(at_home.club, cast.all[:3], number=2)
    record(done, {}, kind="finish")
    row = Session.objects.filter(pk=done.pk).values().get()
    del row["id"]
    for number in range(3, 54):
        row |= {"scoring_key": unguessable_key(), "watching_key": unguessable_key(), "table": number}
        Session.objects.create(**row)
    first, second, third = (page(at_home, "club", all="1", page=str(number)) for number in (1, 2, 3))
    assert [card.session.table for card in first.context["latest"]] == list(range(2, 52))
    assert [card.session.table for card in second.context["latest"]] == [52, 53]
    assert ("page=2#latest" in first.content.decode(), "page=1#latest" in second.content.decode()) == (True, True)
    assert "Earlier tables" not in second.content.decode()
    assert "There are no earlier tables." in third.content.decode()
    for nonsense in ("0", "x", "9" * 30):
        assert page(at_home, "club", all="1", page=nonsense).context["page"] == 1


def test_the_top_of_the_table_is_made_once_until_something_changes(at_home, cast):
    Season.objects.update(minimum_sessions=1)
    client, address = signed_in(at_home.member), reverse("club", args=[at_home.club.slug])

    def asked():
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        return [row.name for row in answer.context["top"]][:2], len(queries)

    names, first = asked()
    assert names == ["Alice", "Bob"]
    assert asked() == (["Alice", "Bob"], first - 1)
    record(at_home.table_session, totals(at_home.table_session, 2, seat2=500))
    assert asked() == (["Bob", "Alice"], first)


def test_who_does_not_score_is_asked_to_make_no_tablet_ready(at_home):
    assert [page(at_home, "club", who).text.count('id="offline-ready"') for who in ("scorekeeper", "member")] == [1, 0]


def test_members_cannot_start_a_session(at_home):
    assert "Start a table" in page(at_home, "club", "scorekeeper").content.decode()
    assert "Start a table</a>" not in page(at_home, "club").content.decode()


def green_of(client, club):
    """Return the page’s green things, which are what someone does next: words of a button, or a table’s number."""
    text = client.get(reverse("club", args=[club.slug])).content.decode()
    buttons = re.findall(r'class="button-main"[^>]*>([^<]*)<', text)
    return buttons + re.findall(r'class="card card-main".*?aria-hidden="true">(\d+)<', text)


def test_one_thing_is_green_the_table_someone_sits_at_or_the_start(club, cast):
    accounts = logins(club)
    client = signed_in(accounts["scorekeeper"])
    assert green_of(client, club) == ["Start a table"]
    start_session(club, club.today, 1, cast.all[:4], "bmja", {}, by=BY)
    assert green_of(client, club) == ["1"]
    start_session(club, club.today, 2, cast.all[2:5], "bmja", {}, by=BY)
    assert green_of(client, club) == ["Start a table"]
    # Fay sits at table 2.
    Membership.objects.filter(user=accounts["scorekeeper"]).update(player=cast.all[4])
    assert green_of(client, club) == ["2"]
    # A table of another day is nobody's of today.
    Session.objects.update(date=club.today - datetime.timedelta(days=1))
    assert green_of(client, club) == ["Start a table"]


def test_standings_tell_the_line_the_reason_and_the_small_print(at_home):
    found = page(at_home, "standings").context["league"]
    assert found.ranked == []
    assert [(row.name, row.shown, row.reason) for row in found.below] == [
        ("Alice", "600.0", "1 of 3 tables"),
        ("Bob", "-160.0", "1 of 3 tables"),
        ("Carol", "-220.0", "1 of 3 tables"),
        ("Dave", "-220.0", "1 of 3 tables"),
    ]
    text = page(at_home, "standings").content.decode()
    assert "−160.0" in text
    assert "Members need at least 3 tables to be ranked. Guests are never ranked." in text
    assert "still playing" in text


def test_standings_by_another_method(at_home):
    Season.objects.update(minimum_sessions=1)
    context = page(at_home, "standings", method="total").context
    rows = context["league"].ranked
    assert [(row.position, row.name, row.shown) for row in rows] == [
        (1, "Alice", "600"), (2, "Bob", "-160"), (3, "Carol", "-220"), (3, "Dave", "-220"),
    ]  # fmt: skip
    assert context["league"].is_what_if


def test_standings_as_csv(at_home):
    answer = page(at_home, "standings-csv")
    rows = rows_of(answer)
    assert [(row["player"], row["net"], row["value"]) for row in rows][0] == ("Alice", "600", "600.0000")
    assert answer.headers["Content-Disposition"] == ('attachment; filename="bramley-2026-12-31-standings-average.csv"')


@pytest.mark.parametrize("name", ["standings", "standings-csv"])
def test_another_clubs_season_is_not_found(at_home, other_club, name):
    other = Season.objects.create(
        club=other_club, name="Theirs", starts_on=datetime.date(2026, 1, 1), ends_on=datetime.date(2026, 12, 31)
    )
    assert page(at_home, name, season=other.pk).status_code == 404


def test_a_club_without_a_season_says_so(at_home, other_club):
    strangers = logins(other_club)
    client = signed_in(strangers["secretary"])
    text = client.get(reverse("standings", args=[other_club.slug])).content.decode()
    assert "There is no season yet." in text
    assert client.get(reverse("standings-csv", args=[other_club.slug])).status_code == 404


def test_totals_and_hands_as_csv(at_home):
    client = signed_in(at_home.member)
    totals_file = client.get(reverse("totals-csv", args=[at_home.club.slug, at_home.table_session.pk]))
    rows = rows_of(totals_file)
    assert [(row["player"], row["net"], row["balance"], row["place"]) for row in rows] == [
        ("Alice", "600", "2600", "1"),
        ("Bob", "-160", "1840", "2"),
        ("Carol", "-220", "1780", "3"),
        ("Dave", "-220", "1780", "3"),
    ]
    hands_file = client.get(reverse("hands-csv", args=[at_home.club.slug, at_home.table_session.pk]))
    assert len(hands_file.content.decode("utf-8-sig").splitlines()) > 1


def test_adding_a_player(at_home):
    client = signed_in(at_home.scorekeeper)
    address = reverse("players", args=[at_home.club.slug])
    client.post(address, {"full_name": "Gwen Hill", "guest": "on"})
    gwen = Player.objects.get(full_name="Gwen Hill")
    assert (gwen.club, gwen.short_name, gwen.guest) == (at_home.club, "Gwen", True)
    answer = client.post(address, {"full_name": " gwen  hill", "short_name": "Gwennie"})
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"full_name": [
        "The club already has a player named Gwen Hill. If this is someone else, enter what tells them apart."
    ]}  # fmt: skip
    assert 'value="Gwennie"' in answer.content.decode()


def test_nobody_is_called_like_somebody_else_at_the_table(at_home):
    client = signed_in(at_home.scorekeeper)
    address = reverse("players", args=[at_home.club.slug])
    client.post(address, {"full_name": "Alice Brown", "somebody_else": "on"})
    assert Player.objects.get(full_name="Alice Brown").short_name == "Alice B"
    answer = client.post(address, {"full_name": "Robert Hill", "short_name": "bob", "somebody_else": "on"})
    assert answer.context["form"].errors == {"short_name": ["Someone else is called bob at the table. Add an initial."]}


def test_adding_a_season(at_home):
    client = signed_in(at_home.secretary)
    address = reverse("seasons", args=[at_home.club.slug])
    fields = {
        "name": "Spring 2027", "starts_on": "2027-01-01", "ends_on": "2027-05-31", "rules": ["bmja"],
        "recording": "settle", "method": "total", "minimum_sessions": "2",
    }  # fmt: skip
    assert client.post(address, fields).status_code == 302
    spring = Season.objects.get(name="Spring 2027")
    assert (spring.club, spring.method, spring.minimum_sessions, spring.rules) == (at_home.club, "total", 2, ["bmja"])
    answer = client.post(address, {**fields, "name": "Summer", "starts_on": "2027-05-01", "ends_on": "2027-04-01"})
    assert answer.context["form"].errors == {"ends_on": ["Enter a last day that is not before the first day."]}
    answer = client.post(address, {**fields, "name": "Spring 2027", "ends_on": "2027-08-01"})
    assert answer.context["form"].errors == {
        "name": ["Enter another name. There is already a season named Spring 2027."],
        "starts_on": ["Enter dates that do not overlap with the season Spring 2027."],
    }
