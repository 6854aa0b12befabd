"""Fees of a meeting and what points are worth: off until a club wants them, and apart from the points."""

import datetime
import io
import json
import zipfile
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from sessions_app.exchange.exports.club_csv import subscriptions_csv
from sessions_app.exchange.exports.files import whole_club_zip
from sessions_app.exchange.exports.person import player_zip
from sessions_app.meetings.fees import fee_list, fees_of_year, save_fees, still_owing
from sessions_app.meetings.services import attend, plan_meeting
from sessions_app.models import Change, Club, Meeting, MeetingFee, Player, Subscription, User
from sessions_app.people.log import Actor
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.people.merging import erase_player, why_not_merge
from sessions_app.people.transactions import ServiceError
from sessions_app.table.sessions import start_session
from tests.factories import house
from tests.logins import logins, signed_in
from tests.page_csv import rows_of

BY = Actor(name="Pat")
OWING, OWING_AMOUNTS = ("fees", "subscriptions"), ("table_fee", "refreshments", "amount")
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
    line = log_page(club, LogFilter()).lines[0].sentence
    assert line.endswith("noted the fees for the meeting of 19 November 2026: 2 people, 1 of them paid.")
    assert Change.objects.latest("pk").after[str(cast.alice.pk)] == {
        "table_fee": "1.00", "refreshments": "0.00", "paid": True,
    }  # fmt: skip
    lines = Change.objects.count()
    assert client.post(address(club, meeting), fields).status_code == 302
    assert Change.objects.count() == lines


def test_what_is_noted_stays_when_the_usual_amounts_change(client, club, cast, meeting):
    save_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
    Club.objects.filter(pk=club.pk).update(table_fee=Decimal("2.00"))
    meeting.refresh_from_db()
    assert [one.table_fee for one in fee_list(meeting).people] == [Decimal("1.00"), Decimal("2.00")]


def test_a_page_left_open_undoes_nothing_noted_since(client, club, cast, meeting):
    save_fees(meeting, {pk: (Decimal("1.00"), Decimal("0.50"), False) for pk in (cast.alice.pk, cast.bob.pk)}, by=BY)
    shown = client.get(address(club, meeting)).content.decode()
    assert f'name="initial-paid_{cast.alice.pk}" value="False"' in shown
    save_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
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
    error = f'id="id_table_{cast.alice.pk}_error">{sentence}'
    assert error in page.content.decode()
    assert not MeetingFee.objects.exists()


def test_another_clubs_player_is_refused(club, cast, meeting):
    with pytest.raises(ServiceError, match="Choose a player from the club’s list."):
        save_fees(meeting, {cast.eve.pk: (Decimal(1), Decimal(0), True)}, by=BY)


def test_an_erased_persons_fee_still_counts(club, cast, meeting):
    save_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
    erase_player(cast.alice, by=BY)
    fees = fee_list(meeting)
    assert fees.paid == Decimal("1.50")
    assert {str(one.player) for one in fees.people} == {"Former player 1", "Bob"}


class TestPointsAndMoney:
    """Alice won 480: of 100 with the others 20, 0 and 0, each pays her double."""

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
        assert "+£1.50" in page
        assert "Money: £2.50 for 1,000 points." in page

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
        assert won in page
        assert f"Money: {rate} for 1,000 points." in page
        three = rate.replace("2.50", "3.00")
        assert f"<dd>{three}</dd>" in fees
        assert f"Table {currency}</label>" in fees
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


class TestOwing:
    """Alice and Bob owed for an earlier meeting; Bob has paid for this one."""

    @pytest.fixture
    def earlier(self, club, cast, meeting):
        earlier = plan_meeting(club, datetime.date(2026, 11, 5), by=BY)
        fee = (Decimal("1.00"), Decimal("0.50"), False)
        save_fees(earlier, {cast.alice.pk: fee, cast.bob.pk: (Decimal("2.00"), Decimal(0), False)}, by=BY)
        save_fees(meeting, {cast.alice.pk: fee, cast.bob.pk: (Decimal("1.00"), Decimal(0), True)}, by=BY)
        return earlier

    def test_everyone_has_paid_at_one_press_and_amounts_stay(self, client, club, cast, meeting):
        fields = sent(**{f"p{cast.alice.pk}": ("3", "0", False), f"p{cast.bob.pk}": ("1", "0.50", False)})
        assert client.post(address(club, meeting), fields | {"everyone": "1"}).status_code == 302
        fees = fee_list(meeting)
        assert (fees.total, fees.paid, fees.outstanding) == (Decimal("4.50"), Decimal("4.50"), Decimal(0))

    def test_what_is_owed_from_before_is_named_at_the_meeting(self, client, club, meeting, earlier):
        page = client.get(address(club, meeting)).content.decode()
        assert page.count("owes ") == 2
        assert "owes £1.50 from earlier meetings" in page
        assert "owes £2.00 from earlier meetings" in page
        assert "from earlier meetings" not in client.get(address(club, earlier)).content.decode()

    def test_who_still_owes_and_the_sums_of_a_year(self, client, club, cast, earlier):
        page = client.get(reverse("fees", args=[club.slug]))
        assert [(str(one.player), one.amount, len(one.fees)) for one in page.context["owing"]] == [
            ("Alice", Decimal("3.00"), 2), ("Bob", Decimal("2.00"), 1),
        ]  # fmt: skip
        assert [(one["people"], one["total"], one["paid_sum"]) for one in page.context["meetings"]] == [
            (2, Decimal("3.50"), Decimal(0)), (2, Decimal("2.50"), Decimal("1.00")),
        ]  # fmt: skip
        assert (page.context["total"], page.context["paid"]) == (Decimal("6.00"), Decimal("1.00"))
        text = strip_tags(page.content.decode())
        assert "Still owed: £5.00" in text
        assert "5 Nov, 19 Nov" in text

    def test_someone_pays_everything_at_once(self, client, club, cast, earlier):
        answer = client.post(
            reverse("fees", args=[club.slug]), {"paid": [cast.alice.pk, cast.eve.pk, "x"]}, follow=True
        )
        assert "Paid: Alice." in answer.content.decode()
        assert [str(one.player) for one in still_owing(club)] == ["Bob"]
        assert Change.objects.filter(action="fees").count() == 4

    def test_nobody_is_asked_for_the_money_of_the_erased(self, client, club, cast, earlier):
        Subscription.objects.create(club=club, player=cast.alice, year=2026, amount=12)
        erase_player(cast.alice, by=BY)
        assert [str(one.player) for one in still_owing(club, subscriptions=Subscription.objects.all())] == ["Bob"]
        secretary = signed_in(club.memberships.get(role="secretary").user)
        assert "Former player" not in secretary.get(reverse("desk", args=[club.slug])).content.decode()

    def test_the_page_is_there_where_fees_are_kept(self, client, club, earlier):
        secretary = signed_in(club.memberships.get(role="secretary").user)
        assert "Who owes what" in secretary.get(reverse("desk", args=[club.slug])).content.decode()
        Club.objects.filter(pk=club.pk).update(keeps_fees=False)
        assert client.get(reverse("fees", args=[club.slug])).status_code == 404
        assert "Who still owes what" not in secretary.get(reverse("desk", args=[club.slug])).content.decode()


def of_members(**people):
    """p1=("20", True) with ids in place of names."""
    fields = {}
    for key, (amount, paid) in people.items():
        pk = key.removeprefix("p")
        fields |= {f"amount_{pk}": amount} | ({f"paid_{pk}": "on"} if paid else {})
    return fields


class TestSubscriptions:
    @pytest.fixture
    def keeping(self, club, cast):
        """£20 a year; Dave is a guest and Fay has left."""
        Club.objects.filter(pk=club.pk).update(keeps_fees=True, subscription=Decimal("20.00"))
        Player.objects.filter(pk=cast.dave.pk).update(guest=True)
        Player.objects.filter(pk=cast.fay.pk).update(left_on=DAY)
        club.refresh_from_db()
        return reverse("subscriptions", args=[club.slug]) + "?year=2026"

    def noted(self):
        found = Subscription.objects.order_by("year", "player__full_name")
        return [(str(one.player), one.year, one.amount, one.paid) for one in found]

    def test_each_member_owes_the_usual_amount_until_it_is_noted(self, client, keeping):
        page = client.get(keeping)
        found = page.context["subscriptions"]
        assert [(str(one.player), one.amount, one.paid) for one in found.people] == [
            (name, Decimal("20.00"), False) for name in ("Alice", "Bob", "Carol")
        ]
        assert (found.total, found.paid, found.outstanding) == (60, 0, 60)
        assert self.noted() == []

    def test_who_has_paid_what_is_saved_and_logged(self, client, club, cast, keeping):
        alice, bob, carol = cast.alice.pk, cast.bob.pk, cast.carol.pk
        fields = of_members(**{f"p{alice}": ("20", True), f"p{bob}": ("12.50", True), f"p{carol}": ("20", False)})
        assert client.post(keeping, fields)["Location"] == keeping
        assert self.noted() == [
            ("Alice", 2026, Decimal("20.00"), True),
            ("Bob", 2026, Decimal("12.50"), True),
            ("Carol", 2026, Decimal("20.00"), False),
        ]
        found = client.get(keeping).context["subscriptions"]
        assert (found.total, found.paid, found.outstanding) == (Decimal("52.50"), Decimal("32.50"), Decimal("20.00"))
        change = Change.objects.get(action="subscriptions")
        assert change.after[str(bob)] == {"year": 2026, "amount": "12.50", "paid": True}
        page = signed_in(club.memberships.get(role="secretary").user).get(reverse("log", args=[club.slug]))
        assert "noted subscriptions: 3 people, 2 of them paid" in page.content.decode()

    def test_everyone_has_paid_at_one_press_for_this_year_alone(self, client, cast, keeping):
        fields = of_members(**{f"p{player.pk}": ("20", False) for player in cast.all[:3]})
        client.post(keeping.replace("2026", "2025"), fields)
        client.post(keeping, fields | {"everyone": "1"})
        assert [(year, paid) for _, year, _, paid in self.noted()] == [(2025, False)] * 3 + [(2026, True)] * 3

    def test_they_are_owed_with_the_fees_and_in_the_sums_of_the_year(self, client, club, cast, meeting, keeping):
        """Alice owes £1.50 for the meeting and £20; Bob £20; Carol has paid hers."""
        client.post(address(club, meeting), sent(**{f"p{cast.alice.pk}": ("1", "0.50", False),
                                                    f"p{cast.bob.pk}": ("1", "0.50", True)}))  # fmt: skip
        people = {f"p{pk}": ("20", pk == cast.carol.pk) for pk in (cast.alice.pk, cast.bob.pk, cast.carol.pk)}
        client.post(keeping, of_members(**people))
        fees = reverse("fees", args=[club.slug])
        page = client.get(fees, {"year": "2026"})
        assert [(str(one.player), one.amount) for one in page.context["owing"]] == [
            ("Alice", Decimal("21.50")), ("Bob", Decimal("20.00")),
        ]  # fmt: skip
        # £3 for the meeting and £60; £1.50 and £20 of them paid.
        assert (page.context["total"], page.context["paid"]) == (Decimal("63.00"), Decimal("21.50"))
        assert "19 Nov, subscription 2026" in strip_tags(page.content.decode())
        client.post(fees, {"paid": [cast.alice.pk]})
        page = client.get(fees, {"year": "2026"})
        assert [str(one.player) for one in page.context["owing"]] == ["Bob"]
        assert page.context["paid"] == Decimal("43.00")

    def test_a_wrong_amount_is_refused_and_what_was_typed_stays(self, client, cast, keeping):
        fields = of_members(**{f"p{player.pk}": ("20", False) for player in cast.all[:3]})
        page = client.post(keeping, fields | {f"amount_{cast.bob.pk}": "twenty"})
        assert page.status_code == 422
        assert self.noted() == []
        text = page.content.decode()
        assert "Enter an amount for “Bob, subscription”, for example 1.50." in text
        assert 'value="twenty"' in text

    def test_who_has_left_stays_in_the_years_that_were_noted(self, client, cast, keeping):
        Subscription.objects.create(club=cast.fay.club, player=cast.fay, year=2025, amount=15, paid=True)
        people = client.get(keeping.replace("2026", "2025")).context["subscriptions"].people
        assert [str(one.player) for one in people] == ["Alice", "Bob", "Carol", "Fay"]

    def test_the_export_and_the_players_own_file_have_them(self, club, cast, keeping):
        Subscription.objects.create(club=club, player=cast.bob, year=2026, amount=20, paid=True)
        assert subscriptions_csv(club).splitlines()[1:] == [
            "2026,Alice,20.00,,",
            "2026,Bob,20.00,yes,",
            "2026,Carol,20.00,,",
        ]
        with zipfile.ZipFile(io.BytesIO(player_zip(cast.bob))) as kept:
            facts = json.loads(kept.read("player.json"))
        assert facts["subscriptions"] == [{"year": 2026, "amount": "20.00", "paid": True, "how": ""}]

    def test_players_with_a_subscription_each_for_a_year_are_two_people(self, club, cast, keeping):
        for player in (cast.bob, cast.carol):
            Subscription.objects.create(club=club, player=player, year=2026)
        assert why_not_merge(cast.bob, cast.carol) == [
            "Both have a subscription for 2026, so they are two people there."
        ]

    def test_a_club_without_fees_has_no_such_page(self, client, club, keeping):
        Club.objects.filter(pk=club.pk).update(keeps_fees=False)
        assert client.get(keeping).status_code == 404


class TestWhoOwesWhat:
    """One page over all meetings, those without fees noted among them, and subscriptions."""

    def page(self, client, club):
        return client.get(reverse("fees", args=[club.slug]))

    def test_nobody_has_paid_where_nothing_is_noted(self, client, club, meeting, cast):
        page = self.page(client, club)
        text = page.content.decode()
        assert "Everyone has paid" not in text
        assert "Not looked at yet: 1 meeting" in text
        assert "We have counted £1.50 for everyone who came." in text
        assert address(club, meeting) in text
        # £1.50 each; Carol comes late, and owes nothing before she comes.
        assert [(str(one.player), one.amount) for one in page.context["owing"]] == [
            ("Alice", Decimal("1.50")), ("Bob", Decimal("1.50"))
        ]  # fmt: skip

    def test_who_played_where_nobody_was_ticked_owes_too_but_not_for_practice(self, client, club, meeting, cast):
        played = start_session(club, DAY - datetime.timedelta(days=7), 1, cast.all[:4], "bmja", {}, by=BY)
        start_session(club, DAY - datetime.timedelta(days=6), 1, cast.all[:4], "bmja", {}, by=BY, practice=True)
        page = self.page(client, club)
        assert page.context["not_noted"] == [played.meeting, meeting]
        # Alice and Bob also came to the other meeting.
        assert {str(debt.player): debt.amount for debt in page.context["owing"]} == {
            "Alice": Decimal("3.00"), "Bob": Decimal("3.00"), "Carol": Decimal("1.50"), "Dave": Decimal("1.50"),
        }  # fmt: skip

    def test_one_who_pays_leaves_the_others_owing(self, client, club, meeting, cast):
        client.post(reverse("fees", args=[club.slug]), {"paid": [cast.alice.pk]})
        page = self.page(client, club)
        assert [(str(one.player), one.amount) for one in page.context["owing"]] == [("Bob", Decimal("1.50"))]
        assert page.context["not_noted"] == []
        assert MeetingFee.objects.get(player=cast.alice).paid

    def test_subscriptions_not_saved_yet_are_owed_too(self, client, club, meeting, cast):
        Club.objects.filter(pk=club.pk).update(subscription=Decimal("12.00"))
        owed = {str(one.player): one.amount for one in self.page(client, club).context["owing"]}
        assert (owed["Alice"], owed["Carol"]) == (Decimal("13.50"), Decimal("12.00"))

    def test_the_files_have_everybody_who_owes_as_the_page_has(self, client, club, meeting, cast):
        Club.objects.filter(pk=club.pk).update(subscription=Decimal("12.00"))
        Subscription.objects.create(club=club, player=cast.alice, year=club.today.year, amount="12.00", paid=True)
        club.refresh_from_db()
        secretary = signed_in(User.objects.get(username="bramley-secretary"))
        texts = {what: secretary.get(reverse("export-csv", args=[club.slug]), {"what": what}) for what in OWING}
        unpaid = [row for answer in texts.values() for row in rows_of(answer) if not row["paid"]]
        owed = sum(Decimal(row[name]) for row in unpaid for name in OWING_AMOUNTS if name in row)
        # Alice and Bob came, £1.50 each; of five members four have not paid £12.
        assert owed == Decimal("51.00") == self.page(client, club).context["owed"]
        people = [row["player"] for row in rows_of(texts["subscriptions"])]
        assert people == ["Alice", "Bob", "Carol", "Dave", "Fay"]
        with zipfile.ZipFile(io.BytesIO(whole_club_zip(club, DAY))) as file:
            assert {what: file.read(f"{what}.csv") for what in OWING} == {
                what: answer.content for what, answer in texts.items()
            }

    def test_everyone_has_paid_once_that_is_known(self, client, club, meeting, cast):
        client.post(reverse("fees", args=[club.slug]), {"paid": [cast.alice.pk, cast.bob.pk]})
        assert "Everyone has paid." in self.page(client, club).content.decode()

    def test_how_it_was_paid_is_noted_and_said_in_the_history(self, client, club, meeting, cast):
        client.post(reverse("fees", args=[club.slug]), {"paid": [cast.alice.pk], "how": "bank"})
        assert MeetingFee.objects.get(player=cast.alice).how == "bank"
        page = self.page(client, club)
        assert [(str(who), amount, how) for who, amount, how in page.context["who_paid"]] == [
            ("Alice", Decimal("1.50"), "to the bank")
        ]
        assert log_page(club, LogFilter()).lines[0].sentence.endswith("1 of them paid to the bank.")

    def test_a_way_to_pay_that_is_none_is_not_noted(self, client, club, meeting, cast):
        client.post(reverse("fees", args=[club.slug]), {"paid": [cast.alice.pk, "x"], "how": "magic"})
        assert (MeetingFee.objects.get(player=cast.alice).how, MeetingFee.objects.filter(paid=True).count()) == ("", 1)

    def test_meetings_before_the_first_fee_are_not_asked_about(self, client, club, meeting, cast):
        earlier = plan_meeting(club, DAY - datetime.timedelta(days=7), by=BY)
        attend(earlier, {cast.alice.pk: "here"}, by=BY)
        save_fees(meeting, {cast.alice.pk: (Decimal("1.00"), Decimal("0.50"), True)}, by=BY)
        assert self.page(client, club).context["not_noted"] == []


def test_a_year_of_subscriptions_may_begin_with_the_season(club, client, cast):
    """On 19 November 2026 a year from September is 2026–27; in the months before, it is still 2025–26."""
    money = dict(keeps_fees=True, subscription=Decimal("12.00"), joint_subscription=Decimal("9.00"), year_begins=9)
    Club.objects.filter(pk=club.pk).update(**money)
    club.refresh_from_db()
    assert [club.year_of(datetime.date(2026, month, 1)) for month in (1, 8, 9, 12)] == [2025, 2025, 2026, 2026]
    assert club.days_of_year(2026) == (datetime.date(2026, 9, 1), datetime.date(2027, 8, 31))
    text = client.get(reverse("subscriptions", args=[club.slug]), {"year": 2026}).content.decode()
    assert "<h1>Subscriptions for 2026–27</h1>" in text
    plan_meeting(club, datetime.date(2027, 3, 4), by=BY)
    late = plan_meeting(club, datetime.date(2027, 9, 2), by=BY)
    for meeting in Meeting.objects.of_club(club):
        save_fees(meeting, {cast.alice.pk: (Decimal(1), Decimal(0), False)}, by=BY)
    assert [row["meeting__date"].month for row in fees_of_year(club, 2026)] == [3]
    assert [row["meeting"] for row in fees_of_year(club, 2027)] == [late.pk]


def test_joint_and_half_year_amounts_take_one_press(club, client, cast):
    Club.objects.filter(pk=club.pk).update(keeps_fees=True, subscription=Decimal("15.00"), joint_subscription=9)
    page = reverse("subscriptions", args=[club.slug])
    text = strip_tags(client.get(page).content.decode())
    assert "Half: £7.50 for Alice" in " ".join(text.split())
    fields = {f"amount_{player.pk}": "15.00" for player in cast.all}
    # The button’s own value comes after that of its field, as a browser sends them.
    fields[f"amount_{cast.bob.pk}"] = ["15.00", "9.00"]
    client.post(page, fields)
    amounts = dict(Subscription.objects.values_list("player", "amount"))
    assert {amounts[cast.alice.pk], amounts[cast.carol.pk]} == {Decimal("15.00")}
    assert amounts[cast.bob.pk] == Decimal("9.00")
