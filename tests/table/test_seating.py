"""Seating as it really was, two exchanged, the wrong name, coming, going and penalties."""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from sessions_app.models import Player
from sessions_app.table.sessions import current_seating
from tests.factories import record, table_in_play, totals
from tests.logins import logins, signed_in


@pytest.fixture
def five(club, cast):
    return table_in_play(club, cast.all)


@pytest.fixture
def post(club, five):
    client = signed_in(logins(club)["scorekeeper"])

    def posted(name, /, **fields):
        return client.post(
            reverse(name, args=[club.slug, five.pk]), {key.replace("__", "-"): value for key, value in fields.items()}
        )

    return posted


def chairs(table_session):
    table_session.refresh_from_db()
    now = current_seating(table_session)
    return now.winds, now.out


def balances(table_session):
    return [tally.balance for tally in table_session.tallies.order_by("seat__seat_no")]


def test_who_really_sits_where(post, five):
    assert post("seating", winds__E="2", winds__S="3", winds__W="4", winds__N="5").status_code == 302
    assert chairs(five) == ((2, 3, 4, 5), (1,))


def test_a_seating_that_cannot_be_is_said_and_kept(post, five):
    answer = post("seating", winds__E="2", winds__S="2", winds__W="4", winds__N="")
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"S": ["Choose another player for South. This one already has a seat."]}
    assert 'href="#id_winds-S"' in answer.content.decode()
    assert answer.context["seating_form"]["E"].value() == "2"
    assert chairs(five) == ((1, 2, 3, 4), (5,))


def test_two_change_places(post, five):
    post("exchange", a="1", b="5")
    assert chairs(five) == ((5, 2, 3, 4), (1,))


def test_the_wrong_name(post, club, five):
    gwen = Player.objects.create(club=club, full_name="Gwen", short_name="Gwen")
    post("change-player", seat="2", player=str(gwen.pk))
    assert five.seats.get(seat_no=2).player == gwen


def test_another_clubs_player_is_no_choice(post, cast):
    answer = post("change-player", seat="2", player=str(cast.eve.pk))
    assert list(answer.context["form"].errors) == ["player"]
    # Everyone else of the club is at the table, and nobody new is added here.
    assert [value for value, _ in answer.context["form"].fields["player"].choices] == [""]


def test_somebody_leaves_and_the_sitter_takes_the_chair(post, five):
    post("leave", seat="3")
    assert chairs(five) == ((1, 2, 5, 4), ())


def test_somebody_new_comes(post, club, five):
    post("leave", seat="3")
    post("arrive", player="new", name="Gwen Hill", guest="on")
    assert chairs(five) == ((1, 2, 5, 4), (6,))
    assert five.seats.get(seat_no=6).player.full_name == "Gwen Hill"


def test_who_left_may_come_back(post, cast, five):
    post("leave", seat="3")
    post("arrive", player=str(cast.carol.pk))
    assert chairs(five) == ((1, 2, 5, 4), (3,))


def test_six_are_too_many(post, club, five):
    answer = post("arrive", player="new", name="Gwen Hill")
    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors() == [
        "British (BMJA) is for 5 players at most. No one else can join."
    ]


def test_a_fine_to_nobody(post, five):
    post("penalty", by="2", amount="30", why="late")
    assert balances(five) == [1600, 1570, 1600, 1600, 1600]


def test_a_fine_to_somebody(post, five):
    post("penalty", by="2", to="4", amount="30")
    assert balances(five) == [1600, 1570, 1600, 1630, 1600]


def test_a_fine_to_or_by_someone_who_sits_out_counts_where_it_is_recorded_all_the_same(five):
    record(five, {"by": "2", "to": "5", "amount": 30}, kind="fine")
    assert balances(five) == [1600, 1570, 1600, 1600, 1630]
    record(five, {"by": "5", "to": "1", "amount": 10}, kind="fine")
    assert balances(five) == [1610, 1570, 1600, 1600, 1620]


def test_a_false_mahjong_voids_the_hand(post, five):
    body = {"hands": {}, "mahjong": None, "penalties": [{"kind": "false mahjong", "by": "3"}]}
    record(five, body | {"hands": {str(seat): {} for seat in (1, 2, 3, 4)}})
    # Half the limit, 500, to each of the other three who play.
    assert balances(five) == [2100, 2100, 100, 2100, 1600]
    assert (five.hands.get().kind, chairs(five)[0]) == ("void", (1, 2, 3, 4))


@pytest.mark.parametrize(
    "fields",
    [{}, {"by": "2"}, {"by": "2", "amount": "lots"}, {"by": "2", "amount": "0"}, {"by": "2", "to": "2", "amount": "5"},
     {"by": "9", "amount": "5"}, {"by": "2", "amount": "1000001"}],
    ids=str,
)  # fmt: skip
def test_a_penalty_that_lacks_something_is_refused_in_a_sentence(post, five, fields):
    answer = post("penalty", **fields)
    assert answer.status_code == 302
    assert [message.level_tag for message in get_messages(answer.wsgi_request)] == ["error"]
    assert five.entries.count() == 0


def test_hand_entry_asks_for_a_penalty_that_belongs_to_no_hand(club, five):
    answer = signed_in(logins(club)["scorekeeper"]).get(f"/c/bramley/sessions/{five.pk}/penalty/")
    assert answer.url == f"/c/bramley/sessions/{five.pk}/hands/new/#penalty"


def test_the_sheet_tells_of_fines_and_seats(post, club, five):
    record(five, {"by": "2", "to": "5", "amount": 30, "why": "late"}, kind="fine")
    post("exchange", a="1", b="5")
    record(five, totals(five, 5, seat5=10))
    page = signed_in(accounts_of(club)).get(reverse("session-sheet", args=[club.slug, five.pk]))
    assert [row.words for row in page.context["board"].rows()] == [
        "Bob pays a penalty of 30 to Fay: late",
        "Alice and Fay swap seats",
        "Fay goes Mah-jong",
    ]
    running = [[cell.balance for cell in row.cells] for row in page.context["board"].rows()]
    # Fay, East, wins 10: each of the three others pays 20.
    assert running == [
        [1600, 1570, 1600, 1600, 1630],
        [1600, 1570, 1600, 1600, 1630],
        [1600, 1550, 1580, 1580, 1690],
    ]


def accounts_of(club):
    return club.memberships.get(role="member").user
