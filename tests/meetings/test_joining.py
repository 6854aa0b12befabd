"""The code of the day: from six letters to scoring a table, on that day alone, and guessed no faster than it may be."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.meetings.services import LETTERS, end_joining_code, new_joining_code, tidy_code
from sessions_app.models import Change, Meeting
from sessions_app.people.throttling import JOIN_ANYWHERE, count_tries
from sessions_app.table.sessions import start_session
from tests.factories import BY, record
from tests.logins import logins, signed_in
from tests.people.test_people import text_of

pytestmark = pytest.mark.slow

RIGHT_NOW = datetime.datetime(2026, 11, 12, 14, 0, tzinfo=datetime.UTC)
TODAY = RIGHT_NOW.date()


@pytest.fixture(autouse=True)
def afternoon(monkeypatch):
    clock = {"now": RIGHT_NOW}
    monkeypatch.setattr("django.utils.timezone.now", lambda: clock["now"])
    return clock


@pytest.fixture
def tables(club, cast):
    """Two tables of today's meeting: the first in play, the second finished."""
    first = start_session(club, TODAY, 1, cast.all[:4], "bmja", {}, by=BY)
    second = start_session(club, TODAY, 2, cast.all[:4], "bmja", {}, by=BY)
    record(second, {}, kind="finish")
    return first, second


@pytest.fixture
def code(tables):
    return new_joining_code(tables[0].meeting, by=BY)


def join(code, client=None, **more):
    client = client or Client(**more)
    return client, client.post(reverse("join"), {"code": code})


def test_a_code_is_six_letters_that_make_no_word(code):
    assert re.fullmatch(f"[{LETTERS}]{{6}}", code)
    assert len(LETTERS) == 20
    assert not set("AEIOUY01") & set(LETTERS)


def test_from_the_code_to_the_table_without_a_login(code, tables, club):
    client, answer = join(code)
    assert answer.url == reverse("join-tables")
    page = client.get(answer.url)
    assert text_of(page).count("Table 1 Alice, Bob, Carol, Dave") == 1
    assert "Table 2" not in text_of(page)
    table = client.get(reverse("by-key", args=[tables[0].scoring_key]), follow=True)
    assert table.redirect_chain[-1][0] == reverse("table", args=[club.slug, tables[0].pk])
    assert table.status_code == 200
    assert client.get(reverse("hand-new", args=[club.slug, tables[0].pk])).status_code == 200
    assert client.get(reverse("table", args=[club.slug, tables[1].pk])).status_code == 404


def test_the_code_stands_in_no_address(code):
    client, answer = join(code)
    assert code not in answer.url
    assert client.session["joined"] == code


@pytest.mark.parametrize("typed", ["{0} {1}", "{0}-{1}", " {0}{1} ", "{0}.{1}."])
def test_the_code_may_be_written_as_people_write(code, typed):
    assert join(typed.format(code[:3], code[3:]).lower())[1].status_code == 302
    assert tidy_code("bcd fgh 12é") == "BCDFGH"


@pytest.mark.parametrize("typed", ["", "BCDFG", "BCDFGHJ", "ÉÉÉÉÉÉ", "<script>", "0" * 6, "\x00"])
def test_a_wrong_code_is_said_and_stays(code, typed):
    _, answer = join(typed)
    assert answer.status_code == 422


def test_a_code_is_good_on_the_meetings_own_day_in_the_clubs_own_zone(code, club, afternoon):
    client, _ = join(code)
    afternoon["now"] = datetime.datetime(2026, 11, 12, 23, 59, tzinfo=datetime.UTC)
    assert join(code)[1].status_code == 302
    afternoon["now"] = datetime.datetime(2026, 11, 13, 0, 1, tzinfo=datetime.UTC)
    assert join(code)[1].status_code == 422
    assert client.get(reverse("join-tables")).url == reverse("join")
    club.time_zone = "America/Jamaica"
    club.save()
    assert join(code)[1].status_code == 302
    afternoon["now"] = datetime.datetime(2026, 11, 12, 4, 59, tzinfo=datetime.UTC)
    assert join(code)[1].status_code == 422


def test_a_new_code_ends_the_old_one_and_taking_it_back_ends_both(code, tables):
    meeting = tables[0].meeting
    client, _ = join(code)
    newer = new_joining_code(meeting, by=BY)
    assert [join(code)[1].status_code, join(newer)[1].status_code] == [422, 302]
    answer = client.get(reverse("join-tables"), follow=True)
    assert "This join code has expired. Ask the scorekeeper for the new one." in text_of(answer)
    end_joining_code(meeting, by=BY)
    assert join(newer)[1].status_code == 422
    logged = list(Change.objects.filter(subject_type="meeting").values_list("action", "before", "after"))
    assert logged == [("new joining code", {}, {})] * 2 + [("end joining code", {}, {})]


def test_codes_are_guessed_forty_times_in_a_quarter_of_an_hour_from_one_address(code):
    codes = [join("BBBBBB")[1].status_code for _ in range(39)]
    assert join(code)[1].status_code == 302
    codes += [join("BBBBBB")[1].status_code]
    assert codes == [422] * 40
    assert "Too many wrong codes were tried. Try again in 15 minutes." in text_of(join(code)[1])
    assert join(code, REMOTE_ADDR="198.51.100.4")[1].status_code == 302


HALL = {"REMOTE_ADDR": "203.0.113.7"}


def opened(**where):
    """A phone or tablet that has opened the page for joining, as people do before they type a code."""
    client = Client(**where)
    client.get(reverse("join"))
    return client


def guess(number, client=None, **where):
    return [join("BBBBBB", client, **where)[1].status_code for _ in range(number)]


def test_one_phone_that_guesses_waits_by_itself_and_shuts_nobody_of_the_hall_out(code):
    phone = opened(**HALL)
    assert guess(60, phone) == [422] * 60
    answer = join(code, phone)[1]
    assert answer.status_code == 422
    assert "Try again in 15 minutes. You can scan the QR code at the table now." in text_of(answer)
    assert [join(code, opened(**HALL))[1].status_code for _ in range(12)] == [302] * 12
    assert join(code, **HALL)[1].status_code == 302


def test_devices_that_are_made_up_wait_and_one_that_has_joined_the_club_before_does_not(code):
    tablet, elsewhere = opened(**HALL), opened(REMOTE_ADDR="198.51.100.4")
    assert join(code, tablet)[1].status_code == 302
    for _ in range(15):
        guess(8, opened(**HALL))
    assert join(code, opened(**HALL))[1].status_code == 422
    assert [join(code, tablet)[1].status_code, join(code, elsewhere)[1].status_code] == [302, 302]
    # Its own mistakes are its own, and do not go with those of others.
    guess(8, tablet)
    assert join(code, tablet)[1].status_code == 422


def test_a_device_known_to_one_club_is_a_stranger_to_another(code, other_club):
    theirs = new_joining_code(Meeting.objects.create(club=other_club, date=TODAY), by=BY)
    tablet = opened(**HALL)
    join(code, tablet)
    for _ in range(15):
        guess(8, opened(**HALL))
    assert [join(theirs, tablet)[1].status_code, join(code, tablet)[1].status_code] == [422, 302]


def test_codes_guessed_from_many_addresses_are_a_thousand_an_hour(code):
    tablet = opened(**HALL)
    join(code, tablet)
    # The first 980 are counted at once, as a thousand pages take ten seconds.
    count_tries((JOIN_ANYWHERE,), number=980)
    for address in ("192.0.2.1", "192.0.2.2"):
        guess(10, REMOTE_ADDR=address)
    answer = join(code, opened(REMOTE_ADDR="198.51.100.4"))[1]
    assert answer.status_code == 422
    assert "Too many wrong codes were tried. Try again in 60 minutes." in text_of(answer)
    assert join(code, tablet)[1].status_code == 302


def test_a_right_code_uses_up_no_tries_and_waiting_uses_up_nobody_elses(code):
    for _ in range(3):
        phone = opened(**HALL)
        guess(7, phone)
        assert join(code, phone)[1].status_code == 302
    guess(8, phone)
    guess(200, phone)
    assert join(code, opened(**HALL))[1].status_code == 302


def test_a_device_cookie_cannot_be_made_up_and_goes_to_the_pages_for_joining_alone(code):
    tablet = opened(**HALL)
    join(code, tablet)
    kept = tablet.cookies["joining"]
    assert (kept["path"], kept["httponly"], kept["samesite"]) == (reverse("join"), True, "Lax")
    stranger = Client(**HALL)
    stranger.cookies["joining"] = kept.value[:-2]
    guess(40, stranger)
    assert join(code, stranger)[1].status_code == 422


def test_a_hall_full_of_right_codes_is_never_made_to_wait(code):
    assert {join(code)[1].status_code for _ in range(60)} == {302}


def test_the_scorekeeper_makes_shows_and_ends_the_code(tables, club):
    meeting = tables[0].meeting
    keeper = signed_in(logins(club)["scorekeeper"])
    where = [club.slug, meeting.pk]
    assert "Make a join code" in text_of(keeper.get(reverse("joining", args=where)))
    assert keeper.post(reverse("joining-new-code", args=where)).url == reverse("joining", args=where)
    code = Meeting.objects.get(pk=meeting.pk).joining_code
    page = text_of(keeper.get(reverse("joining", args=where)))
    assert f"{code[:3]} {code[3:]}" in page
    assert "The code works today only." in page
    keeper.post(reverse("joining-end", args=where))
    assert Meeting.objects.get(pk=meeting.pk).joining_code is None


def test_the_front_page_leads_there():
    assert f'href="{reverse("join")}"' in Client().get("/sign-in/").content.decode()
