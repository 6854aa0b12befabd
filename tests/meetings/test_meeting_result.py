"""The result of a meeting: every figure as the CSV of the sessions' totals adds up, and where it is shown."""

import csv
import datetime
import io
import re
from collections import defaultdict

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.exchange.exports.csv_files import PROGRAMS
from sessions_app.exchange.exports.results_mail import mail_files, mail_html, mail_text, result_of, sessions_of
from sessions_app.exchange.exports.session_csv import session_hands_csv, session_totals_csv
from sessions_app.models import Club, Meeting, Player
from sessions_app.people.log import Actor
from sessions_app.table.meeting_result import meeting_results
from sessions_app.table.sessions import start_session
from tests.afternoon import hand, send
from tests.factories import record
from tests.logins import logins, signed_in
from tests.page_csv import rows_of
from tests.queries import assert_the_same_for_more_rows

pytestmark = pytest.mark.slow

BY = Actor(name="The test")
DAY = datetime.date(2026, 11, 19)


@pytest.fixture
def people(club):
    names = ("Ann Archer", "Bob Baker", "Cat Cooper", "Dan Dyer", "Eve Ellis", "Fay Fox", "Gus Gray", "Hal Hill")
    return [Player.objects.create(club=club, full_name=name, short_name=name[:3]) for name in names]


@pytest.fixture
def meeting(club, people):
    """Two rounds of two tables of four: in the second the halves of the tables have changed."""
    ann, bob, cat, dan, eve, fay, gus, hal = people
    for table, seated, total in (
        (1, (ann, bob, cat, dan), 64),
        (2, (eve, fay, gus, hal), 200),
        (1, (ann, bob, eve, fay), 30),
        (2, (cat, dan, gus, hal), 30),
    ):
        session = start_session(club, DAY, table, seated, "bmja", {}, by=BY)
        hand(session, "1", s1=total, s2=10)
        hand(session, "2", s2=40)
        record(session, {}, "finish")
    practice = start_session(club, DAY, 1, people[:4], "bmja", {}, by=BY, practice=True)
    hand(practice, "1", s1=500)
    record(practice, {}, "finish")
    return Meeting.objects.get(club=club)


def result(meeting, **more):
    return meeting_results(meeting.club, [meeting], **more)[meeting.pk]


def sums_of_the_files(meeting):
    """Add up the totals of each table's CSV by player: net, hands and won."""
    found = defaultdict(lambda: [0, 0, 0])
    for session in meeting.sessions.filter(practice=False):
        for row in csv.DictReader(io.StringIO(session_totals_csv(session, PROGRAMS).removeprefix("\ufeff"))):
            for at, column in enumerate(("net", "hands", "won")):
                found[row["player"]][at] += int(row[column])
    return {name: tuple(figures) for name, figures in found.items()}


@pytest.mark.postgres
def test_every_sum_is_that_of_the_tables_files(meeting):
    [sums] = result(meeting).lists
    assert {row.name: (row.net, row.hands, row.won) for row in sums.rows} == sums_of_the_files(meeting)
    assert sum(row.net for row in sums.rows) == 0
    for row in sums.rows:
        assert sum(net for net in row.nets if net is not None) == row.net


@pytest.mark.postgres
def test_the_sums_as_worked_out_by_hand(meeting):
    """East wins 64 and is paid twice by each, 384; Bob's 10 is paid twice by East, once by the others, and so on.

    BMJA: the winner is paid first, East pays and receives double, then the losers settle their differences.
    """
    ranked = [(row.position_shown, row.name, row.nets) for row in result(meeting).lists[0].rows]
    first = {name: nets[0] for _, name, nets in ranked}
    # Hand 1: Ann, East, 64: 128 from each. Bob 10 to none: 10 from Cat and Dan each. Hand 2: Bob, South, 40: 80 from
    # Ann as East, who stayed, 40 from Cat and Dan each.
    assert [first[name] for name in ("Ann Archer", "Bob Baker", "Cat Cooper", "Dan Dyer")] == [
        3 * 128 - 80, -128 + 20 + 160, -128 - 10 - 40, -128 - 10 - 40,
    ]  # fmt: skip
    nets = [sum(one) for _, _, one in ranked]
    assert nets == sorted(nets, reverse=True)
    assert [position for position, _, _ in ranked] == [
        f"{1 + sum(other > net for other in nets)}{'=' if nets.count(net) > 1 else ''}" for net in nets
    ]


def test_a_round_is_the_nth_play_at_a_table_and_practice_is_none(meeting):
    rounds = meeting.sessions.order_by("pk").with_rounds().values_list("table", "round")
    assert list(rounds) == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 0)]
    words = [session.table_words for session in meeting.sessions.order_by("pk")]
    assert words == ["table 1", "table 2", "table 1, round 2", "table 2, round 2", "table 1"]


@pytest.mark.postgres
def test_the_best_hand_and_the_special_hands_are_named_with_their_players(club, meeting, people):
    [best] = result(meeting).best
    assert (best.name, best.result.total) == ("Eve Ellis", 200)
    session = start_session(club, DAY, 3, people[:4], "bmja", {}, by=BY)
    unique = {"hands": {"1": {"special": "thirteen_unique_wonders"}}, "mahjong": {"by": "1"}}
    unique["hands"] |= {seat: {"total": 0} for seat in "234"}
    answer = send(session, "hand", unique)
    assert answer.outcome == "recorded", answer
    [special] = result(meeting).specials
    assert (special.name, special.special) == ("Ann Archer", "13 Unique Wonders")
    assert [one.result.total for one in result(meeting).best] == [special.result.total]
    assert result(meeting).still_playing


def test_a_meeting_without_a_hand_has_no_result(club, people):
    session = start_session(club, DAY, 1, people[:4], "bmja", {}, by=BY)
    assert meeting_results(club, [session.meeting]) == {}


def test_who_added_up_their_own_scores_is_not_compared_with_who_paid(club, meeting, people):
    straight = start_session(club, DAY, 3, people[:4], "bmja", {"recording": "straight"}, by=BY)
    hand(straight, "1", s1=99)
    lists = result(meeting).lists
    assert [(sums.recording, len(sums.rows)) for sums in lists] == [("settle", 8), ("straight", 4)]
    assert lists[1].rows[0].name == "Ann Archer"
    assert lists[1].rows[0].net == 99


def test_who_is_left_off_changes_no_position(meeting, people):
    everyone = {row.name: row.position_shown for row in result(meeting).lists[0].rows}
    winner = next(iter(everyone))
    some = result(meeting, names=lambda players: {
        one.pk: None if one.full_name == winner else one.full_name for one in players
    })  # fmt: skip
    assert {row.name: row.position_shown for row in some.lists[0].rows} == {
        name: position for name, position in everyone.items() if name != winner
    }


def rows_on(text):
    """Return position, player and the sum in bold of each row of a page's result."""
    [table] = re.findall(r'<table class="table-scores result-table">.*?</table>', text, re.DOTALL)
    found = re.findall(r'<td class="num">([\d=]+)</td><th scope="row">(.*?)</th>.*?<b>(.*?)</b>', table)
    return [(position, name, int(net.replace("−", "-").replace(",", ""))) for position, name, net in found]


@pytest.mark.parametrize("name", ["meeting", "meeting-sheets"])
def test_the_page_and_the_print_show_it(club, meeting, name):
    page = signed_in(logins(club)["member"]).get(reverse(name, args=[club.slug, meeting.pk])).content.decode()
    expected = {name: figures[0] for name, figures in sums_of_the_files(meeting).items()}
    assert {player: net for _, player, net in rows_on(page)} == expected
    assert "Winner" in page
    assert "Chart of what each player won or lost" in page


def test_the_hall_shows_it_under_the_names_that_are_shown(club, meeting, people, monkeypatch):
    Club.objects.filter(pk=club.pk).update(public_names="full")
    Player.objects.filter(pk=people[0].pk).update(in_public="off")
    page = Client().get(reverse("watch-hall", args=[meeting.watching_key])).content.decode()
    expected = {name: figures[0] for name, figures in sums_of_the_files(meeting).items()}
    assert {player: net for _, player, net in rows_on(page) if player != "Someone"} == {
        name: net for name, net in expected.items() if name != "Ann Archer"
    }
    assert "Ann" not in page


def test_the_public_page_has_only_those_who_agreed_and_is_off_until_switched_on(club, meeting, people):
    Player.objects.filter(pk=people[0].pk).update(in_public="off")
    addresses = [reverse("public-results", args=[club.slug]), reverse("public-result", args=[club.slug, meeting.pk])]
    for shown, names, status in ((False, "full", 404), (True, "nobody", 404), (True, "full", 200)):
        Club.objects.filter(pk=club.pk).update(public_names=names, shows_standings=shown, shows_meetings=not shown)
        assert [Client().get(address).status_code for address in addresses] == [status] * 2
    page = Client().get(addresses[1]).content.decode()
    expected = {name: figures[0] for name, figures in sums_of_the_files(meeting).items()}
    assert {player: net for _, player, net in rows_on(page)} == {
        name: net for name, net in expected.items() if name != "Ann Archer"
    }
    assert all("Ann" not in Client().get(address).content.decode() for address in addresses)


def test_another_clubs_meeting_has_no_result_here(club, other_club, meeting):
    for one in (club, other_club):
        Club.objects.filter(pk=one.pk).update(public_names="full", shows_standings=True)
    assert Client().get(reverse("public-result", args=[other_club.slug, meeting.pk])).status_code == 404


def test_the_file_has_a_row_a_player_with_each_round(club, meeting):
    address = reverse("meeting-result-csv", args=[club.slug, meeting.pk])
    answer = signed_in(logins(club)["member"]).get(address)
    assert answer["Content-Disposition"] == 'attachment; filename="bramley-2026-11-19-result.csv"'
    rows = rows_of(answer)
    assert list(rows[0]) == [
        "date", "meeting", "recording", "place", "player", "guest", "hands", "won", "net", "best_hand",
        "round_1", "round_2",
    ]  # fmt: skip
    assert {row["player"]: (int(row["net"]), int(row["hands"]), int(row["won"])) for row in rows} == (
        sums_of_the_files(meeting)
    )
    assert all(int(row["round_1"]) + int(row["round_2"]) == int(row["net"]) for row in rows)


def test_the_mail_begins_with_it_and_its_files_have_names_of_their_own(club, meeting):
    sessions, found = sessions_of(meeting), result_of(meeting)
    text = mail_text(meeting, sessions, found)
    winner = max(sums_of_the_files(meeting).items(), key=lambda row: row[1][0])
    assert f"Winner: {winner[0]}, {winner[1][0]:+,}" in text.splitlines()[3]
    assert "Best hand: Eve Ellis, 200 points" in text
    assert re.findall(r"^Table.*", text, re.MULTILINE) == [
        "Table 1, British (BMJA)", "Table 2, British (BMJA)",
        "Table 1, round 2, British (BMJA)", "Table 2, round 2, British (BMJA)",
    ]  # fmt: skip
    html = mail_html("Results", sessions, found)
    assert html.index("<h2>Result</h2>") < html.index("<h2>Table 1, British (BMJA)</h2>")
    assert [name.removeprefix("bramley-2026-11-19-") for name, _ in mail_files(meeting, sessions, found)] == [
        "result.csv", "totals.csv", "hands.csv",
    ]  # fmt: skip
    hands = list(csv.DictReader(io.StringIO(mail_files(meeting, sessions, found)[2][1])))
    each = [session_hands_csv(session) for session in sessions]
    assert sorted(hands, key=str) == sorted((row for one in each for row in csv.DictReader(io.StringIO(one))), key=str)


def test_results_of_thirty_meetings_cost_the_same(club, people):
    def grow(number):
        taken = Meeting.objects.count()
        for at in range(taken, taken + number):
            session = start_session(club, DAY + datetime.timedelta(days=at), 1, people[:4], "bmja", {}, by=BY)
            hand(session, "1", s1=20)
            record(session, {}, "finish")

    meetings = Meeting.objects.of_club(club)
    assert_the_same_for_more_rows(grow, lambda: meeting_results(club, list(meetings)), 5)


def test_the_page_has_the_result_as_a_message_to_share(meeting, people, club):
    member, page = signed_in(logins(club)["member"]), reverse("meeting", args=[club.slug, meeting.pk])
    text = member.get(page).text
    assert 'data-copies="message" data-shares' in text
    message = re.search(r'<pre id="message" hidden>(.*?)</pre>', text, re.DOTALL)[1].splitlines()
    [sums] = result(meeting).lists
    assert message[0] == "Bramley: results of 19 November 2026"
    assert [line.split()[1] for line in message if re.match(r"\d+=? ", line)] == [
        row.name.split()[0] for row in sums.rows
    ]
    assert message[-1] == f"http://testserver{page}"
    # Without scripts it is copied by hand.
    [by_hand] = re.findall(r"<noscript>.*?<pre[^>]*>(.*?)</pre></noscript>", text, re.DOTALL)
    assert by_hand.splitlines() == message
    Club.objects.update(shows_standings=True, public_names="short")
    text = member.get(page).text
    assert f"http://testserver{reverse('public-result', args=[club.slug, meeting.pk])}\n</pre>" in text
