"""Fees of a meeting and what points are worth: off until a club wants them, and apart from the points."""

import datetime
from decimal import Decimal

import pytest
from django.urls import reverse

from sessions_app.meetings.queries import fee_list
from sessions_app.meetings.services import attend, note_fees, plan_meeting
from sessions_app.models import Change, Club, MeetingFee
from sessions_app.people.erasure import erase_player
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import Wanted, log_page
from sessions_app.people.transactions import ServiceError
from tests.page_cast import house, logins, signed_in

BY = Actor(name="Pat")


DAY = datetime.date(2026, 11, 19)


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


@pytest.fixture
def meeting(club, cast):
    """Alice and Bob are here, Carol comes late; £1 for the table, 50p for tea."""
    Club.objects.filter(pk=club.pk).update(keeps_fees=True, table_fee=Decimal("1.00"), refreshments=Decimal("0.50"))
    club.refresh_from_db()
    meeting = plan_meeting(club, DAY, by=BY)
    attend(meeting, {cast.alice.pk: "here", cast.bob.pk: "here", cast.carol.pk: "late"}, by=BY)
    return meeting


def address(club, meeting):
    return reverse("meeting-fees", args=[club.slug, meeting.pk])


def sent(**people):
    """alice=("1", "0.50", True) with ids in place of names."""
    fields = {}
    for key, (table, refreshments, paid) in people.items():
        pk = key.removeprefix("p")
        fields |= {f"table_{pk}": table, f"refreshments_{pk}": refreshments} | ({f"paid_{pk}": "on"} if paid else {})
    return fields


def test_a_club_that_keeps_none_has_no_list(client, club, meeting):
    Club.objects.filter(pk=club.pk).update(keeps_fees=False)
    assert client.get(address(club, meeting)).status_code == 404
    assert "Fees" not in client.get(reverse("meeting", args=[club.slug, meeting.pk])).content.decode()


def test_the_list_begins_with_the_clubs_usual_amounts(client, club, meeting):
    page = client.get(address(club, meeting))
    fees = page.context["fees"]
    assert [str(one.player) for one in fees.people] == ["Alice", "Bob"]
    assert (fees.table_fees, fees.refreshments, fees.total) == (Decimal("2.00"), Decimal("1.00"), Decimal("3.00"))
    assert (fees.paid, fees.outstanding) == (Decimal("0.00"), Decimal("3.00"))
    assert "£3.00" in page.content.decode()


def test_who_has_paid_and_other_amounts_are_kept_and_told_in_the_log(client, club, cast, meeting):
    fields = sent(**{f"p{cast.alice.pk}": ("1,00", "0", True), f"p{cast.bob.pk}": ("1", "0,5", False)})
    assert client.post(address(club, meeting), fields).status_code == 302
    fees = fee_list(meeting)
    assert (fees.total, fees.paid, fees.outstanding) == (Decimal("2.50"), Decimal("1.00"), Decimal("1.50"))
    line = log_page(club, Wanted()).lines[0].sentence
    assert line.endswith("noted the fees for the meeting of 19 November 2026: 2 people, 1 of them paid.")
    assert Change.objects.latest("pk").after[str(cast.alice.pk)] == {
        "table_fee": "1.00", "refreshments": "0.00", "paid": True,
    }  # fmt: skip
    lines = Change.objects.count()
    assert client.post(address(club, meeting), fields).status_code == 302
    assert Change.objects.count() == lines


def test_what_is_noted_stays_when_the_usual_amounts_change(client, club, cast, meeting):
    note_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
    Club.objects.filter(pk=club.pk).update(table_fee=Decimal("2.00"))
    meeting.refresh_from_db()
    assert [one.table_fee for one in fee_list(meeting).people] == [Decimal("1.00"), Decimal("2.00")]


def test_a_page_left_open_undoes_nothing_noted_since(client, club, cast, meeting):
    note_fees(meeting, {pk: (Decimal("1.00"), Decimal("0.50"), False) for pk in (cast.alice.pk, cast.bob.pk)}, by=BY)
    shown = client.get(address(club, meeting)).content.decode()
    assert f'name="initial-paid_{cast.alice.pk}" value="False"' in shown
    note_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
    fields = sent(**{f"p{cast.alice.pk}": ("1.00", "0.50", False), f"p{cast.bob.pk}": ("1.00", "0.50", True)})
    for pk in (cast.alice.pk, cast.bob.pk):
        fields |= {f"initial-table_{pk}": "1.00", f"initial-refreshments_{pk}": "0.50", f"initial-paid_{pk}": "False"}
    assert client.post(address(club, meeting), fields).status_code == 302
    assert [one.paid for one in fee_list(meeting).people] == [True, True]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("a pound", "Enter an amount for “Alice, table”, for example 1.50."),
        ("-1", "Enter 0 or more for “Alice, table”."),
        ("1,234", "Enter an amount for “Alice, table”, for example 1.50."),
        ("0.001", "Enter an amount for “Alice, table”, for example 1.50."),
        ("", "Enter an amount for “Alice, table”, for example 1.50, or 0 for nothing."),
        ("123456", "Enter 9,999.99 or less for “Alice, table”."),
        ("1e3000", "Enter 9,999.99 or less for “Alice, table”."),
        ("NaN", "Enter an amount for “Alice, table”, for example 1.50."),
    ],
)
def test_an_amount_that_is_none_is_asked_again(client, club, cast, meeting, typed, sentence):
    fields = sent(**{f"p{cast.alice.pk}": (typed, "0", True), f"p{cast.bob.pk}": ("1", "0", False)})
    page = client.post(address(club, meeting), fields)
    assert page.status_code == 422
    beside = f'id="id_table_{cast.alice.pk}_error">{sentence}'
    assert beside in page.content.decode() and not MeetingFee.objects.exists()


def test_another_clubs_player_is_refused(club, cast, meeting):
    with pytest.raises(ServiceError, match="Choose a player from the club’s list."):
        note_fees(meeting, {cast.eve.pk: (Decimal(1), Decimal(0), True)}, by=BY)


def test_an_erased_persons_fee_still_counts(club, cast, meeting):
    note_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
    erase_player(cast.alice, by=BY)
    fees = fee_list(meeting)
    assert fees.paid == Decimal("1.50")
    assert {str(one.player) for one in fees.people} == {"Former player 1", "Bob"}


class TestPointsAndMoney:
    """Alice won 480: of 100 with 20, 0 and 0 beside it, each pays her double."""

    @pytest.fixture
    def sheet(self, club, cast):
        at_home = house(club, cast.all[:4])
        address = reverse("session-sheet", args=[club.slug, at_home.table_session.pk])
        return lambda: signed_in(at_home.member).get(address).content.decode()

    def test_points_never_become_money_of_themselves(self, sheet):
        assert "£" not in sheet()

    def test_a_rate_shows_what_each_has_won_to_the_penny(self, club, sheet):
        Club.objects.filter(pk=club.pk).update(points_rate=Decimal("2.50"))
        page = sheet()
        assert "+£1.50" in page and "Money: £2.50 for 1,000 points." in page

    @pytest.mark.parametrize(("currency", "won", "rate"), [("€", "+€1.50", "€2.50"), ("CHF", "+CHF 1.50", "CHF 2.50")])
    def test_in_the_currency_of_the_club(self, club, meeting, sheet, currency, won, rate):
        secretary = signed_in(club.memberships.get(role="secretary").user)
        settings = {"keeps_fees": "on", "table_fee": "1,00", "refreshments": "0.5", "points_rate": "2,5"}
        where = reverse("money-settings", args=[club.slug])
        assert (
            "Choose a currency from the list." in secretary.post(where, settings | {"currency": "¥"}).content.decode()
        )
        assert secretary.post(where, settings | {"currency": currency}).status_code == 302
        pages = [
            secretary.get(reverse(name, args=[club.slug, meeting.pk])) for name in ("meeting-fees", "attendance-list")
        ]
        page, fees, door = (one.replace("\xa0", " ") for one in (sheet(), *(one.content.decode() for one in pages)))
        assert won in page and f"Money: {rate} for 1,000 points." in page
        three = rate.replace("2.50", "3.00")
        assert f"<dd>{three}</dd>" in fees and f"Table {currency}</label>" in fees
        assert f"Pays {rate.replace('2.50', '1.50')}" in door
        assert "£" not in page + fees + door

    def test_the_secretary_sets_it_and_takes_it_away_again(self, club, sheet):
        secretary = signed_in(club.memberships.get(role="secretary").user)
        settings = {"currency": "£", "table_fee": "1", "refreshments": "0.5", "points_rate": "1.25"}
        where = reverse("money-settings", args=[club.slug])
        assert secretary.post(where, settings).status_code == 302
        club.refresh_from_db()
        assert (club.points_rate, club.table_fee, club.keeps_fees) == (Decimal("1.25"), Decimal("1.00"), False)
        assert Change.objects.latest("pk").after["points_rate"] == "1.25"
        assert secretary.post(where, settings | {"points_rate": ""}).status_code == 302
        club.refresh_from_db()
        assert club.points_rate is None
