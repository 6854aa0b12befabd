"""A meeting from who came to its tables: attendance, the draw, places by hand, starting, the clock, a pause."""

import datetime
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubscore.seating_draw.draw import draw_tables
from clubscore.seating_draw.table_sizes import tables_in_words, ways_to_seat
from sessions_app.meetings import drawing
from sessions_app.meetings.drawing import (
    draw_meeting,
    free_people,
    seat_by_hand,
    set_wish,
    start_all,
    start_drawn,
    times_met,
)
from sessions_app.meetings.queries import meeting_page
from sessions_app.meetings.services import attend, cancel_meeting, give_extra_time, plan_meeting, save_reply, set_clock
from sessions_app.models import Attendance, Change, Club, DrawnTable, Meeting, PairWish, Player, Session, User
from sessions_app.people.log import Actor
from sessions_app.people.transactions import ServiceError
from sessions_app.table.sessions import pause_session, resume_session, start_session
from sessions_app.table.watching import hall_versions
from sessions_app.web.requests import today_in
from tests.afternoon import hand, totals
from tests.factories import record
from tests.logins import logins, signed_in
from tests.queries import assert_the_same_for_more_rows, at_most

pytestmark = pytest.mark.slow

BY = Actor(name="The test")


DAY = datetime.date(2026, 11, 19)


def people(club, number):
    return [Player.objects.create(club=club, full_name=f"Player {n:02}", short_name=f"P{n}") for n in range(number)]


@pytest.fixture
def meeting(club):
    return plan_meeting(club, DAY, by=BY)


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


def come(meeting, players, state="here"):
    attend(meeting, {player.pk: state for player in players}, by=BY)


def drawn(meeting):
    return [table.players for table in meeting.drawn_tables.order_by("number")]


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.parametrize(
    "save",
    [
        lambda meeting, player: attend(meeting, {player.pk: "here"}, by=BY),
        lambda meeting, player: save_reply(meeting, player, True, by=BY),
    ],
)
def test_attendance_and_replies_lock_the_meeting_before_they_read(meeting, cast, save):
    with CaptureQueriesContext(connection) as queries:
        save(meeting, cast.alice)
    first = next(query["sql"] for query in queries if query["sql"].startswith("SELECT"))
    assert '"sessions_app_meeting"."id"' in first
    assert first.endswith("FOR NO KEY UPDATE")


@pytest.mark.postgres
def test_a_second_meeting_of_a_day_needs_a_name(club, meeting):
    with pytest.raises(ServiceError, match="Enter a name for this meeting. There is already one on this day."):
        plan_meeting(club, DAY, by=BY)
    assert plan_meeting(club, DAY, " Evening ", by=BY).name == "Evening"


def test_who_is_late_or_has_left_is_not_drawn(meeting, cast):
    come(meeting, cast.all)
    come(meeting, [cast.dave], "late")
    come(meeting, [cast.fay], "left")
    draw_meeting(meeting, by=BY)
    assert [sorted(table) for table in drawn(meeting)] == [[cast.alice.pk, cast.bob.pk, cast.carol.pk]]


def test_somebody_taken_away_did_not_come(meeting, cast):
    come(meeting, cast.all)
    come(meeting, [cast.fay], "")
    assert Attendance.objects.filter(meeting=meeting).count() == 4
    assert Change.objects.filter(action="attendance").latest("pk").after == {str(cast.fay.pk): ""}


def test_a_player_of_another_club_cannot_come(meeting, cast):
    with pytest.raises(ServiceError, match="Choose a player from the club’s list."):
        come(meeting, [cast.alice, cast.eve])
    assert not meeting.attendances.exists()


def test_thirteen_sit_at_one_table_of_five_and_two_of_four(club, meeting):
    come(meeting, people(club, 13))
    draw_meeting(meeting, by=BY)
    assert [len(table) for table in drawn(meeting)] == [5, 4, 4]


def test_two_people_are_told_that_nobody_plays_and_the_draw_before_stays(meeting, cast):
    come(meeting, cast.all)
    draw_meeting(meeting, by=BY)
    before = drawn(meeting)
    come(meeting, [cast.alice, cast.bob, cast.carol], "left")
    too_few = "Two people are here: a table needs at least three, so nobody can play yet."
    with pytest.raises(ServiceError, match=too_few):
        draw_meeting(meeting, by=BY)
    assert drawn(meeting) == before


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_draw_locks_nothing_and_is_not_kept_once_somebody_has_left(meeting, cast, monkeypatch):
    come(meeting, cast.all)

    def somebody_leaves(*people, **wishes):
        assert not connection.in_atomic_block
        come(meeting, [cast.fay], "left")
        return draw_tables(*people, **wishes)

    monkeypatch.setattr(drawing, "draw_tables", somebody_leaves)
    with pytest.raises(ServiceError, match="Someone came, left or started to play during the draw. Draw again."):
        draw_meeting(meeting, by=BY)
    assert drawn(meeting) == []


def test_more_people_than_any_club_seats_are_not_drawn_at_once(club, meeting):
    come(meeting, people(club, 201))
    with pytest.raises(ServiceError, match="Choose at most 200 people. More cannot be drawn at once."):
        draw_meeting(meeting, by=BY)


def test_a_club_draws_ten_times_a_minute_and_is_then_told_when_to_go_on(club, meeting, client, other_club, monkeypatch):
    come(meeting, people(club, 8))
    address = reverse("meeting-draw", args=[club.slug, meeting.pk])
    assert [client.post(address).status_code for _ in range(10)] == [302] * 10
    before = drawn(meeting)
    refused = client.post(address)
    assert refused.status_code == 422
    assert "Your club has drawn tables very many times. Try again in a minute." in refused.text
    assert drawn(meeting) == before
    drawing.count_draw(other_club)
    now = timezone.now()
    for minute in range(1, 20):
        monkeypatch.setattr(
            "django.utils.timezone.now", lambda minute=minute: now + timezone.timedelta(minutes=minute * 2)
        )
        for _ in range(10):
            drawing.count_draw(club)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now + timezone.timedelta(hours=1))
    with pytest.raises(ServiceError, match="Your club has drawn tables very many times. Try again in 23 hours."):
        drawing.count_draw(club)


def test_drawing_again_is_another_draw_and_the_same_seed_the_same(club, meeting):
    come(meeting, people(club, 16))
    first = draw_meeting(meeting, by=BY)
    again = draw_meeting(meeting, by=BY)
    meeting.refresh_from_db()
    assert (meeting.draw_seed, again.tables != first.tables) == (2, True)
    assert draw_meeting(meeting, by=BY, seed=1).tables == first.tables


def test_the_draw_leaves_tables_in_play_alone(club, meeting):
    everybody = people(club, 8)
    come(meeting, everybody)
    draw_meeting(meeting, by=BY)
    playing = start_drawn(meeting.drawn_tables.get(number=1), by=BY)
    come(meeting, people(club, 1))
    draw_meeting(meeting, by=BY)
    seated = set(playing.seats.values_list("player_id", flat=True))
    [table] = DrawnTable.objects.filter(meeting=meeting, session=None)
    assert (table.number, len(table.players), seated & set(table.players)) == (2, 5, set())


def test_the_next_round_mixes_those_of_the_first_and_takes_the_finished_tables_numbers(club, meeting):
    come(meeting, people(club, 8))
    draw_meeting(meeting, by=BY, seed=5)
    first = [set(table) for table in drawn(meeting)]
    start_all(meeting, by=BY)
    for session in meeting.sessions.order_by("table"):
        hand(session, "1", s1=20, seats="1234")
        record(session, {}, "finish")
    second = draw_meeting(meeting, by=BY, seed=5)
    assert sorted(table.number for table in meeting.drawn_tables.filter(session=None)) == [1, 2]
    assert [len(first[0] & set(table)) for table in second.tables] == [2, 2]
    assert second.cost == 4
    start_all(meeting, by=BY)
    assert sorted(meeting.sessions.values_list("table", "state")) == [
        (1, "finished"), (1, "open"), (2, "finished"), (2, "open"),
    ]  # fmt: skip


@pytest.mark.postgres
def test_meetings_are_counted_once_an_afternoon_and_only_of_who_played(club, meeting, cast):
    """Alice and Bob meet on two days, twice on one of them; Fay sat down but left before a hand was played."""
    for day, table in ((5, 1), (12, 1), (12, 2)):
        session = start_session(club, datetime.date(2026, 11, day), table, cast.all[:3], "bmja", {}, by=BY)
        hand(session, "1", s1=20, seats="123")
    start_session(club, datetime.date(2026, 11, 12), 3, cast.all[2:], "bmja", {}, by=BY)
    practice = start_session(club, datetime.date(2026, 11, 13), 1, cast.all[:3], "bmja", {}, by=BY, practice=True)
    hand(practice, "1", s1=20, seats="123")
    a, b, c = (player.pk for player in cast.all[:3])
    assert times_met(club, DAY) == {(a, b): 2, (a, c): 2, (b, c): 2}
    assert times_met(club, datetime.date(2026, 11, 11)) == {(a, b): 1, (a, c): 1, (b, c): 1}
    assert times_met(club, datetime.date(2027, 1, 7)) == {}


def test_two_new_guests_sit_at_two_tables(club, meeting):
    everybody = people(club, 8)
    gina, gary = everybody[2].pk, everybody[5].pk
    Player.objects.filter(pk__in=[gina, gary]).update(guest=True)
    come(meeting, everybody)
    for seed in range(12):
        draw = draw_meeting(meeting, by=BY, seed=seed)
        assert not any({gina, gary} <= set(table) for table in draw.tables)
        assert draw.cost == 0


@pytest.mark.postgres
def test_wishes_are_kept_by_the_draw_until_taken_away(club, meeting):
    everybody = people(club, 8)
    come(meeting, everybody)
    set_wish(club, everybody[1].pk, everybody[0].pk, "apart", by=BY)
    set_wish(club, everybody[2].pk, everybody[3].pk, "together", by=BY)
    for _ in range(6):
        tables = [set(table) for table in draw_meeting(meeting, by=BY).tables]
        assert not any({everybody[0].pk, everybody[1].pk} <= table for table in tables)
        assert any({everybody[2].pk, everybody[3].pk} <= table for table in tables)
    set_wish(club, everybody[0].pk, everybody[1].pk, "", by=BY)
    assert PairWish.objects.get().kind == "together"


def test_the_wishes_lead_back_to_the_meeting_they_were_looked_at_from(client, club, meeting):
    come(meeting, people(club, 4))
    back = reverse("meeting", args=[club.slug, meeting.pk])
    address = f"{reverse('wishes', args=[club.slug])}?meeting={meeting.pk}"
    assert f'href="{address}"' in client.get(back).content.decode()
    one, other = Player.objects.of_club(club).order_by("-pk")[:2]
    answer = client.post(address, {"first": one.pk, "second": other.pk, "kind": "apart"}, follow=True)
    assert answer.redirect_chain == [(address, 302)]
    assert f'href="{back}"' in answer.content.decode()
    assert PairWish.objects.get().kind == "apart"
    client.post(address, {"without": [one.pk, other.pk]})
    assert not PairWish.objects.exists()
    assert f'href="{back}"' not in client.get(reverse("wishes", args=[club.slug])).content.decode()


def test_wishes_that_cannot_be_kept_are_said(club, meeting, cast):
    come(meeting, cast.all[:4])
    set_wish(club, cast.alice.pk, cast.bob.pk, "apart", by=BY)
    said = "These seating requests cannot all be followed with these tables. Check the requests of Alice and Bob."
    with pytest.raises(ServiceError, match=f"^{said}$"):
        draw_meeting(meeting, by=BY)


@pytest.mark.postgres
def test_a_drawn_table_starts_once_with_its_people_in_their_seats(club, meeting, cast):
    come(meeting, cast.all)
    draw_meeting(meeting, by=BY)
    [table] = meeting.drawn_tables.all()
    session = start_drawn(table, by=BY)
    assert start_drawn(table, by=BY) == session
    assert (session.meeting, session.date, session.table) == (meeting, DAY, 1)
    assert [seat.player_id for seat in session.seats.order_by("seat_no")] == table.players


def test_who_has_gone_or_plays_elsewhere_begins_no_table(club, meeting):
    everybody = people(club, 8)
    come(meeting, everybody)
    draw_meeting(meeting, by=BY, seed=1)
    one, other = meeting.drawn_tables.order_by("number")
    gone = sorted(other.players)[:2]
    come(meeting, [Player.objects.get(pk=gone[0])], "left")
    come(meeting, [Player.objects.get(pk=gone[1])], "late")
    names = " and ".join(Player.objects.get(pk=pk).full_name for pk in sorted(gone, key=other.players.index))
    with pytest.raises(ServiceError) as refused:
        start_all(meeting, by=BY)
    sentence = f"{names} are not here. Draw again, or change seats by hand."
    assert str(refused.value) == f"No table has started, because of table 2. {sentence}"
    assert not meeting.sessions.exists()
    assert [(player.pk, table.number) for player, table in meeting_page(meeting).drawn_and_not_here] == [
        (pk, 2) for pk in gone
    ]
    come(meeting, everybody)
    playing = start_session(
        club, DAY, 9, [Player.objects.get(pk=pk) for pk in one.players[:3]], "bmja", {}, by=BY, practice=True
    )
    with pytest.raises(ServiceError, match="are at a table in play. Draw again, or change seats by hand.$"):
        start_drawn(one, by=BY)
    record(playing, {}, "finish")
    assert start_drawn(one, by=BY).table == 1


@pytest.fixture
def official(club):
    """The club plays what only four can play."""
    Club.objects.filter(pk=club.pk).update(rules="chinese_official")
    club.refresh_from_db()


def test_where_only_four_may_sit_seven_make_one_table_and_three_are_left_over(official, client, club, meeting):
    come(meeting, people(club, 7))
    meeting = Meeting.objects.get(pk=meeting.pk)
    assert meeting_page(meeting).plan.startswith("7 people are here: 1 table of four, and 3 have no table yet.")
    address = reverse("meeting-draw", args=[club.slug, meeting.pk])
    assert client.post(address, {"sizes": "4-3"}).status_code == 422
    assert client.post(address).status_code == 302
    assert [len(table) for table in drawn(meeting)] == [4]
    assert len(meeting_page(meeting).unseated) == 3
    by_hand = client.get(reverse("meeting-places", args=[club.slug, meeting.pk])).content.decode()
    assert "By the club’s rules a table has four." in by_hand
    client.post(reverse("meeting-start", args=[club.slug, meeting.pk]))
    assert meeting.sessions.get().seats.count() == 4
    come(meeting, [Player.objects.get(pk=pk) for pk in free_people(meeting)[:1]], "left")
    sentence = "^Two people are free: by the club’s rules a table needs four.$"
    with pytest.raises(ServiceError, match=sentence):
        draw_meeting(meeting, by=BY)


def test_a_couple_is_left_over_together_and_where_that_cannot_be_it_is_said(official, client, club, meeting):
    here = people(club, 7)
    come(meeting, here[:6])
    pairs = [here[:2], here[2:4], here[4:6]]
    for one, other in pairs:
        set_wish(club, one.pk, other.pk, "together", by=BY)
    couples = [{one.pk, other.pk} for one, other in pairs]
    for seed in range(6):
        [table] = draw_meeting(meeting, by=BY, seed=seed).tables
        assert sorted(len(couple & set(table)) for couple in couples) == [0, 2, 2]
    come(meeting, here[5:6], "left")
    for one, other in ((1, 2), (3, 4)):
        set_wish(club, here[one].pk, here[other].pk, "together", by=BY)
    answer = client.post(reverse("meeting-draw", args=[club.slug, meeting.pk]), follow=True)
    assert "should sit together, but one of them has no table yet." in answer.content.decode()


def test_who_was_left_over_plays_the_next_round(official, club, meeting):
    come(meeting, people(club, 6))
    draw_meeting(meeting, by=BY)
    left_over = {player.pk for player in meeting_page(Meeting.objects.get(pk=meeting.pk)).unseated}
    start_all(meeting, by=BY)
    record(meeting.sessions.get(), {}, "finish")
    assert left_over < set(draw_meeting(meeting, by=BY).tables[0])


def test_a_table_which_the_rules_do_not_allow_is_told_and_none_begins(client, club, meeting):
    """Drawn by rules that seat three, and the club plays others since."""
    come(meeting, people(club, 7))
    draw_meeting(meeting, by=BY)
    Club.objects.filter(pk=club.pk).update(rules="chinese_official")
    address = reverse("meeting-start", args=[club.slug, meeting.pk])
    why = "Under these rules a table seats four players, not 3."
    for sent, sentence in (
        ({}, f"No table has started, because of table 2. {why}"),
        ({"table": "2"}, why),
    ):
        answer = client.post(address, sent, follow=True)
        assert sentence in answer.content.decode()
    assert not meeting.sessions.exists()


@pytest.mark.postgres
def test_places_by_hand_move_people_between_tables(club, meeting):
    everybody = [player.pk for player in people(club, 7)]
    attend(meeting, dict.fromkeys(everybody, "here"), by=BY)
    draw_meeting(meeting, by=BY)
    seat_by_hand(meeting, {1: everybody[:3], 2: everybody[3:]}, by=BY)
    assert drawn(meeting) == [everybody[:3], everybody[3:]]
    set_wish(club, everybody[0], everybody[4], "apart", by=BY)
    set_wish(club, everybody[1], everybody[5], "together", by=BY)
    assert seat_by_hand(meeting, {1: everybody[:5], 2: []}, by=BY) == [
        "Player 00 and Player 04 should be kept apart, but both are at table 1.",
        "Player 01 and Player 05 should sit together, but one of them has no table yet.",
    ]
    assert drawn(meeting) == [everybody[:5]]
    draw_meeting(meeting, by=BY)
    assert seat_by_hand(meeting, {1: everybody[:3], 2: everybody[3:]}, by=BY) == [
        "Player 01 and Player 05 should sit together, but are at tables 1 and 2."
    ]


@pytest.mark.postgres
def test_the_last_draw_is_taken_back_with_the_places_set_by_hand(client, club, meeting):
    everybody = [player.pk for player in people(club, 8)]
    attend(meeting, dict.fromkeys(everybody, "here"), by=BY)
    address = reverse("meeting-back", args=[club.slug, meeting.pk])
    assert "Draw the tables first." in client.post(address, follow=True).content.decode()
    draw_meeting(meeting, by=BY)
    first = drawn(meeting)
    seat_by_hand(meeting, {1: everybody[:4], 2: everybody[4:]}, by=BY)
    draw_meeting(meeting, by=BY)
    third = drawn(meeting)
    client.post(address)
    assert drawn(meeting) == [everybody[:4], everybody[4:]]
    client.post(address)
    assert drawn(meeting) == third
    seat_by_hand(meeting, dict(enumerate(first, 1)), by=BY)
    attend(meeting, {everybody[0]: "left"}, by=BY)
    answer = client.post(address, follow=True).content.decode()
    assert "Someone who had a seat then has left, or is at another table. Draw again." in answer
    assert drawn(meeting) == first


def test_who_sits_where_is_printed_for_what_is_drawn_and_in_play(client, club, meeting, two_tables):
    """The tables in play by wind, the drawn ones by seat, and everyone without a place."""
    come(meeting, [Player.objects.create(club=club, full_name=f"New {n}", short_name=f"N{n}") for n in range(2)])
    draw_meeting(meeting, by=BY)
    come(meeting, [Player.objects.create(club=club, full_name="Last Come", short_name="Last")])
    page = client.get(reverse("who-sits-where", args=[club.slug, meeting.pk])).content.decode()
    assert re.findall(r"<h3[^>]*>(.*?)</h3>", page) == ["Table 1", "Table 2", "Table 3"]
    seats = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    winds = ["East", "South", "West", "North"]
    assert [wind for wind, _ in seats] == [*winds, *winds[:3], *winds[:3]]
    assert {name for _, name in seats[7:]} == {"Fay Late", "New 0", "New 1"}
    assert {name for _, name in seats[:7]} == {f"P{n}" for n in range(7)}
    assert "<b>No table yet:</b> Last Come</p>" in page


def test_who_sits_where_is_not_offered_once_the_tables_are_played(client, club):
    meeting = plan_meeting(club, club.today, by=BY)
    come(meeting, people(club, 4))
    draw_meeting(meeting, by=BY)
    address, prints = reverse("who-sits-where", args=[club.slug, meeting.pk]), reverse("prints", args=[club.slug])
    assert address in client.get(prints).content.decode()
    start_all(meeting, by=BY)
    session = meeting.sessions.get()
    hand(session, "1", s1=20, seats="1234")
    assert address in client.get(prints).content.decode()
    record(session, {}, "finish")
    assert address not in client.get(prints).content.decode()
    assert "These tables have been played." in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({1: (0, 1)}, "Table 1 would have 2. By the club’s rules a table has three, four or five."),
        ({1: (0, 1, 1)}, "Choose each person only once."),
        ({1: (0, 1, 9)}, "Choose only people who are here and not at another table."),
        ({7: (0, 1, 2)}, "One of these tables has already started. Check the seating draw again."),
    ],
)
def test_places_that_cannot_be_change_nothing(club, meeting, tables, sentence):
    everybody = [player.pk for player in people(club, 4)] + [None] * 5 + [999_999]
    attend(meeting, dict.fromkeys(everybody[:4], "here"), by=BY)
    draw_meeting(meeting, by=BY)
    before = drawn(meeting)
    with pytest.raises(ServiceError) as refused:
        seat_by_hand(meeting, {number: [everybody[at] for at in places] for number, places in tables.items()}, by=BY)
    assert str(refused.value) == sentence
    assert drawn(meeting) == before


def test_the_clock_and_extra_time_for_one_table(club, meeting, cast):
    come(meeting, cast.all)
    draw_meeting(meeting, by=BY)
    session = start_drawn(meeting.drawn_tables.get(), by=BY)
    before = timezone.now()
    set_clock(meeting, 90, by=BY)
    give_extra_time(session, 10, by=BY)
    [table] = meeting_page(meeting).tables
    assert table.watched.session.clock_ends_at - meeting.clock_ends_at == datetime.timedelta(minutes=10)
    assert datetime.timedelta(minutes=89) < meeting.clock_ends_at - before < datetime.timedelta(minutes=91)
    set_clock(meeting, None, by=BY)
    session.refresh_from_db()
    assert (meeting.clock_ends_at, session.extra_minutes) == (None, 0)


def the_clock_rings_at(meeting, text):
    Meeting.objects.filter(pk=meeting.pk).update(clock_ends_at=datetime.datetime.fromisoformat(text))


def clock_on(answer):
    """Return what a page says of the time."""
    words = re.sub(r"<[^>]+>", "", answer.content.decode())
    return re.findall(r"[Uu]ntil \d\d:\d\d|Time is up(?: \(play was due to end at \d\d:\d\d\))?", words)


def test_every_page_tells_the_clock_in_the_clubs_own_time(client, club, meeting, cast):
    """16:10 in London in July is 15:10 by the server's clock; the table has ten minutes more."""
    Club.objects.filter(pk=club.pk).update(time_zone="Europe/London", public_names="full")
    come(meeting, cast.all)
    draw_meeting(meeting, by=BY)
    session = start_drawn(meeting.drawn_tables.get(), by=BY)
    give_extra_time(session, 10, by=BY)
    the_clock_rings_at(meeting, "2099-07-01T15:10+00:00")
    at_table = reverse("table", args=[club.slug, session.pk])
    watching = reverse("watch", args=[session.watching_key])
    hall = reverse("watch-hall", args=[meeting.watching_key])
    assert clock_on(client.get(reverse("meeting", args=[club.slug, meeting.pk]))) == [
        "until 16:10", "Until 16:20", "until 16:10",
    ]  # fmt: skip
    assert [clock_on(client.get(page)) for page in (at_table, watching, hall)] == [
        ["until 16:20"], ["Until 16:20"], ["Until 16:20"],
    ]  # fmt: skip
    known = {page: client.get(page).content.decode() for page in (watching, hall)}
    revs = {page: re.search(r'data-rev="([^"]+)"', text)[1] for page, text in known.items()}
    version = Session.objects.get(pk=session.pk).version
    assert client.get(f"{at_table}?version={version}", headers={"HX-Request": "true"}).status_code == 204
    the_clock_rings_at(meeting, "2020-07-01T15:10+00:00")
    # Nothing was written at the table: that its time is up is news all the same.
    news = client.get(f"{at_table}?version={version}", headers={"HX-Request": "true"})
    assert clock_on(news) == ["Time is up"]
    for page, rev in revs.items():
        assert clock_on(client.get(page, {"rev": rev})) == ["Time is up"]
    assert clock_on(client.get(reverse("meeting", args=[club.slug, meeting.pk]))) == [
        *(f"Time is up (play was due to end at {time})" for time in ("16:10", "16:20", "16:10")),
    ]  # fmt: skip


def test_extra_time_can_be_taken_back_and_the_table_hears_of_it(client, club, meeting, cast):
    come(meeting, cast.all)
    draw_meeting(meeting, by=BY)
    session = start_drawn(meeting.drawn_tables.get(), by=BY)
    set_clock(meeting, 90, by=BY)
    before = Session.objects.get(pk=session.pk).version
    address = reverse("extra-time", args=[club.slug, session.pk])
    client.post(address)
    session.refresh_from_db()
    assert (session.extra_minutes, session.version) == (5, before + 1)
    assert "Remove extra time" in client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
    client.post(address, {"none": "1"})
    session.refresh_from_db()
    assert (session.extra_minutes, session.version) == (0, before + 2)
    log = (
        signed_in(User.objects.get(username="bramley-secretary")).get(reverse("log", args=[club.slug])).content.decode()
    )
    assert f"removed the extra time at table 1 of {DAY.day} {DAY:%B %Y}." in log
    assert f"gave 5 extra minutes at table 1 of {DAY.day} {DAY:%B %Y}." in log
    assert "Remove extra time" not in client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()


def test_a_table_put_aside_waits_holds_nobody_and_is_told_to_those_who_watch(five, cast):
    come(five.meeting, cast.all)
    before = five.version
    pause_session(five, by=BY)
    page = meeting_page(five.meeting)
    assert (page.tables[0].state, page.free, five.version) == ("paused", 5, before + 1)
    assert free_people(five.meeting) == sorted(player.pk for player in cast.all)
    resume_session(five, five.meeting, by=BY)
    page = meeting_page(five.meeting)
    assert (page.tables[0].state, page.free, five.goes_on_at) == ("playing", 0, None)
    assert list(Change.objects.order_by("pk").values_list("action", flat=True))[-2:] == ["pause", "go on"]


@pytest.mark.postgres
def test_a_table_put_aside_goes_on_next_week(client, club, cast, five, settings):
    """The fifth table of 12 November is paused, and goes on a week later next to a table drawn there."""
    hand(five, "1", s1=20, seats="1234")
    pause_session(five, by=BY)
    home = client.get(reverse("club", args=[club.slug])).content.decode()
    assert '<span class="badge">paused</span>' in home
    next_week = plan_meeting(club, timezone.localdate() + datetime.timedelta(days=7), by=BY)
    come(next_week, [*cast.all, *people(club, 4)])
    address = reverse("meeting", args=[club.slug, next_week.pk])
    assert "Table 1 of 12 November" in client.get(address).content.decode()
    assert len(free_people(next_week)) == 9
    client.post(reverse("pause", args=[club.slug, five.pk]), {"go_on": "1", "meeting": next_week.pk})
    five.refresh_from_db()
    assert (five.paused, five.goes_on_at, str(five.date)) == (False, next_week, "2026-11-12")
    assert [(table.number, table.state) for table in meeting_page(next_week).tables] == [(1, "playing")]
    assert not set(free_people(next_week)) & {player.pk for player in cast.all}
    draw_meeting(next_week, by=BY)
    assert [(table.number, len(table.players)) for table in next_week.drawn_tables.all()] == [(2, 4)]
    set_clock(next_week, 60, by=BY)
    five.refresh_from_db()
    assert five.clock_ends_at == next_week.clock_ends_at
    for name, text in (("meeting-labels", "Table 1"), ("meeting-sheets", "Table 1")):
        assert text in client.get(reverse(name, args=[club.slug, next_week.pk])).content.decode()
    assert [pk for pk, _, _ in hall_versions(club, next_week.date)] == [five.pk]
    Club.objects.filter(pk=club.pk).update(public_names="full")
    hall = client.get(reverse("watch-hall", args=[next_week.watching_key])).content.decode()
    assert "Table 1" in hall
    assert "started on 12 November" in hall


def test_a_table_does_not_go_on_while_its_people_play_elsewhere(client, club, cast, five):
    pause_session(five, by=BY)
    other = start_session(club, five.date, 2, cast.all[:3], "bmja", {}, by=BY)
    with pytest.raises(ServiceError) as refused:
        resume_session(five, five.meeting, by=BY)
    assert str(refused.value) == "Table 1 cannot resume yet. Still at another table: Alice, Bob and Carol."
    record(other, {}, "finish")
    resume_session(five, five.meeting, by=BY)
    assert not five.paused


def test_a_hand_entered_at_a_paused_table_goes_on_with_it(five, club, cast):
    hand(five, "1", s1=20, seats="1234")
    pause_session(five, by=BY)
    before = five.version
    Session.objects.filter(pk=five.pk).update(date=today_in(club) - datetime.timedelta(days=7))
    today = plan_meeting(club, today_in(club), by=BY)
    found = record(five, totals("2", s2=20, seats="1234")).message
    five.refresh_from_db()
    assert found == "Hand 2: Bob, 20. Bob is East; Fay comes in. The table was paused. Play has resumed."
    assert (five.paused, five.goes_on_at, five.hands.count()) == (False, today, 2)
    assert five.version > before
    log = [(change.action, change.why) for change in Change.objects.order_by("pk")]
    assert log[-2:] == [("go on", "A hand was saved there."), ("hand", "")]
    assert record(five, {}, "undo").message == "Hand 2 undone. Alice comes in as East."
    assert (five.paused, five.hands.count()) == (False, 1)


def test_at_a_paused_table_each_is_told_how_they_go_on(client, five):
    """The press is a scorekeeper's; a tablet that has the table's key alone goes on by saving a hand."""
    pause_session(five, by=BY)
    tablet = Client()
    by_itself = tablet.get(reverse("by-key", args=[five.scoring_key]), follow=True).content.decode()
    assert "<b>This table is paused.</b> To resume, save the next hand." in by_itself
    assert ">Resume<" not in by_itself
    keeper = client.get(reverse("table", args=[five.club.slug, five.pk])).content.decode()
    assert ">Resume<" in keeper
    assert "save the next hand" not in keeper
    resume_session(five, five.meeting, by=BY)
    assert "save the next hand" not in tablet.get(reverse("table", args=[five.club.slug, five.pk])).content.decode()


def test_a_hand_that_comes_days_after_the_pause_counts_and_puts_nothing_in_the_diary(client, club, cast, five):
    """A tablet sends what waited on it, on a day without a meeting or while its people play at another table."""
    pause_session(five, by=BY)
    Session.objects.filter(pk=five.pk).update(date=today_in(club) - datetime.timedelta(days=7))
    meetings = Meeting.objects.count()
    found = record(five, totals("1", s1=20, seats="1234")).message
    assert found == (
        "Hand 1: Alice, 20. Alice stays East. "
        "This table is still paused. Ask a scorekeeper to press “Resume” before you play on."
    )
    start_session(club, today_in(club), 2, cast.all[:3], "bmja", {}, by=BY)
    assert record(five, totals("2", s2=20, seats="1234")).message.startswith(
        "Hand 2: Bob, 20. Bob is East; Fay comes in. This table is still paused"
    )
    five.refresh_from_db()
    assert (five.paused, five.goes_on_at, five.hands.count()) == (True, None, 2)
    assert Meeting.objects.count() == meetings + 1


def test_going_on_from_the_table_on_a_later_day_is_at_that_days_meeting(client, club, five):
    pause_session(five, by=BY)
    Session.objects.filter(pk=five.pk).update(date=timezone.localdate() - datetime.timedelta(days=7))
    board = client.get(reverse("table", args=[club.slug, five.pk])).content.decode()
    assert ">Resume<" in board
    assert "Pause until another day" not in board
    client.post(reverse("pause", args=[club.slug, five.pk]), {"go_on": "1"})
    five.refresh_from_db()
    assert five.goes_on_at.date == today_in(club)
    with pytest.raises(ServiceError, match="You cannot cancel this meeting, because someone has already come to it."):
        cancel_meeting(five.goes_on_at, by=BY)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((3,), "1 table of three"),
        ((4, 4), "2 tables of four"),
        ((5, 4, 4), "1 table of five and 2 of four"),
        ((5, 4, 3, 3), "1 table of five, 1 of four and 2 of three"),
    ],
)
def test_tables_in_words(sizes, words):
    assert tables_in_words(sizes) == words


def test_ways_to_seat_begin_with_the_usual_one():
    assert ways_to_seat(13) == [(5, 4, 4), (5, 5, 3), (4, 3, 3, 3)]
    assert ways_to_seat(2) == []


def test_a_tap_on_a_name_says_that_somebody_has_come(client, club, meeting, cast):
    address = reverse("meeting-attend", args=[club.slug, meeting.pk])
    answer = client.post(address, {"player": cast.alice.pk, "state": "here"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert '<div id="meeting">' in answer.content.decode()
    assert [one.player for one in meeting_page(meeting).here] == [cast.alice]


def test_every_name_keeps_its_place_whoever_comes_and_goes(client, club, meeting, cast):
    address = reverse("meeting-attend", args=[club.slug, meeting.pk])
    for player, state, is_here in [
        (cast.carol, "here", True),
        (cast.alice, "late", False),
        (cast.carol, "left", False),
    ]:
        client.post(address, {"player": player.pk, "state": state})
        text = client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
        buttons = re.findall(r'<button id="name-(\d+)"[^>]* form="(\w+)"[^>]*>(.*?)</button>', text)
        assert [int(pk) for pk, _, _ in buttons] == [player.pk for player in cast.all]
        [(form, words)] = [(form, words) for pk, form, words in buttons if int(pk) == player.pk]
        assert (form, "✓" in words) == ("goes" if is_here else "comes", is_here)
    assert [words for word in ("running late", "left early") for *_, words in buttons if word in words] == [
        '<span>Alice <span class="hint">running late</span></span>',
        '<span>Carol <span class="hint">left early</span></span>',
    ]


def test_whoever_plays_is_here_though_nobody_noted_it(client, club, meeting, cast):
    start_session(club, DAY, 1, [cast.alice, cast.bob, cast.carol, cast.dave], "bmja", None, by=BY)
    attend(meeting, {cast.bob.pk: "left", cast.carol.pk: "late", cast.fay.pk: "here"}, by=BY)
    text = client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
    assert "Who is here: 4" in text
    buttons = re.findall(r'<button id="name-\d+"[^>]* form="(\w+)"([^>]*)>(.*?)</button>', text)
    assert [(form, "is-here" in is_here, re.sub("<[^>]+>", "", words)) for form, is_here, words in buttons] == [
        ("comes", True, "✓ Alice at table 1: is here"),
        ("comes", False, "Bob left early"),
        ("comes", True, "✓ Carol at table 1: is here"),
        ("comes", True, "✓ Dave at table 1: is here"),
        ("goes", True, "✓ Fay: is here; tap to undo"),
    ]


def test_the_page_of_a_meeting_draws_starts_and_tells(client, club, meeting):
    come(meeting, people(club, 7))
    client.post(reverse("meeting-draw", args=[club.slug, meeting.pk]), {"sizes": "4-3"})
    page = client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
    assert "Start 2 tables" in page
    client.post(reverse("meeting-start", args=[club.slug, meeting.pk]))
    assert sorted(session.seats.count() for session in Session.objects.filter(meeting=meeting)) == [3, 4]
    page = client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
    assert "Not finished: table 1, table 2." in page


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("meeting-draw", {"sizes": "9"}, "Choose tables that seat the people who are here now."),
        ("meeting-draw", {}, "Nobody is here: a table needs at least three, so nobody can play yet."),
        ("meeting-clock", {"minutes": "soon"}, "Enter the minutes from now as a whole number, for example 120."),
        ("meeting-newcomer", {"name": "ALICE"}, "Choose ALICE from the list. The club already has this name."),
    ],
)
def test_what_cannot_be_is_said_on_the_page(client, club, meeting, cast, name, fields, sentence):
    answer = client.post(reverse(name, args=[club.slug, meeting.pk]), fields)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_the_queries_of_a_meeting_do_not_grow(client, club, meeting):
    def grow(tables):
        come(meeting, people(club, 4 + 4 * tables))
        draw_meeting(meeting, by=BY)
        for table in meeting.drawn_tables.filter(session=None)[1:]:
            start_drawn(table, by=BY)

    address = reverse("meeting", args=[club.slug, meeting.pk])
    assert_the_same_for_more_rows(grow, lambda: client.get(address), 20)
    assert client.get(address).status_code == 200


def test_the_tables_follow_the_play_and_nothing_else_of_the_page_is_sent(client, club, meeting):
    come(meeting, people(club, 4))
    draw_meeting(meeting, by=BY)
    start_all(meeting, by=BY)
    address = reverse("meeting", args=[club.slug, meeting.pk])

    def rev_on(answer):
        return re.search(r'data-rev="([^"]+)"', answer.content.decode())[1]

    rev = rev_on(client.get(address))
    with at_most(5):
        assert client.get(address, {"rev": rev}).status_code == 204
    hand(meeting.sessions.get(), "1", s1=20, seats="1234")
    news = client.get(address, {"rev": rev})
    text = news.content.decode()
    assert text.lstrip().startswith('<div id="meeting-tables"')
    assert "1 hand</span>" in text
    assert "name-buttons" not in text
    rev = rev_on(news)
    assert client.get(address, {"rev": rev}).status_code == 204
    come(meeting, [Player.objects.create(club=club, full_name="Fay Late", short_name="Fay")])
    news = client.get(address, {"rev": rev})
    assert "Fay Late" in news.content.decode()
    rev = rev_on(news)
    Meeting.objects.filter(pk=meeting.pk).update(clock_ends_at=timezone.now() - datetime.timedelta(minutes=1))
    assert "Time is up" in client.get(address, {"rev": rev}).content.decode()


@pytest.fixture
def two_tables(club, meeting):
    """Seven play at a table of four and one of three; the eighth came late and has no place."""
    come(meeting, people(club, 7))
    draw_meeting(meeting, by=BY, seed=1)
    for table in meeting.drawn_tables.all():
        start_drawn(table, by=BY)
    come(meeting, [Player.objects.create(club=club, full_name="Fay Late", short_name="Fay")])
    return list(meeting.sessions.order_by("table"))


def test_a_late_comer_joins_a_table_in_play_from_the_meetings_page(club, meeting, client, two_tables):
    fay = Player.objects.get(short_name="Fay")
    page = client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
    for table_session in two_tables:
        assert f'href="{reverse("arrive", args=[club.slug, table_session.pk])}?player={fay.pk}"' in page
    form = client.get(reverse("arrive", args=[club.slug, two_tables[0].pk]), {"player": fay.pk}).content.decode()
    assert f'<option value="{fay.pk}" selected>Fay Late</option>' in form


@pytest.mark.postgres
def test_who_has_left_is_taken_from_their_table_and_may_join_another(club, meeting, client, two_tables):
    leaver = two_tables[0].seats.get(seat_no=2).player
    come(meeting, [leaver], "left")
    assert [(player, table.number) for player, table in meeting_page(meeting).still_seated] == [(leaver, 1)]
    address = reverse("leave", args=[club.slug, two_tables[0].pk])
    page = client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()
    assert f'href="{address}?player={leaver.pk}"' in page
    form = client.get(address, {"player": leaver.pk}).content.decode()
    assert re.findall(r'name="seat" value="(\d)"[^>]* checked', form) == ["2"]
    client.post(address, {"seat": "2"})
    come(meeting, [leaver])
    assert meeting_page(meeting).still_seated == []
    assert leaver in meeting_page(meeting).unseated
    assert leaver.pk in free_people(meeting)


def test_who_plays_is_not_told_that_nobody_does(club, meeting, client, two_tables):
    """Of whom a table is to be drawn are those alone who are free; where all play there is nothing to press."""
    address = reverse("meeting", args=[club.slug, meeting.pk])
    one_free = client.get(address).content.decode()
    assert "One person is free: a table needs at least three." in one_free
    assert "nobody plays" not in one_free
    assert "Draw the tables</button>" in one_free
    come(meeting, [Player.objects.get(short_name="Fay")], "left")
    all_play = client.get(address).content.decode()
    assert "Everyone who is here is already playing." in all_play
    assert "Draw the tables</button>" not in all_play
    refused = client.post(reverse("meeting-draw", args=[club.slug, meeting.pk]))
    assert (refused.status_code, refused.content.decode().count("Everyone who is here is already playing.")) == (422, 2)


def test_beside_a_table_started_without_a_draw_others_may_come_and_be_drawn(club, meeting, client, five):
    page = client.get(reverse("meeting", args=[club.slug, five.meeting_id])).content.decode()
    assert "Tap anyone else who is here, then draw tables for them." in page
    assert "plays already" not in page


def test_who_has_played_to_the_end_lacks_no_place(club, meeting, client, two_tables):
    """While others play on, and on any later day, only who has had no table stands there without a place."""
    fay, (first, second) = Player.objects.get(short_name="Fay"), two_tables
    address = reverse("meeting", args=[club.slug, meeting.pk])
    record(first, {}, "finish")
    assert meeting_page(meeting).unseated == [fay]
    record(second, {}, "finish")
    page = client.get(address).content.decode()
    assert "All tables have finished." in page
    assert "No table yet" not in page
    draw_meeting(meeting, by=BY)
    assert meeting_page(meeting).unseated == []
    assert "All tables have finished." not in client.get(address).content.decode()
