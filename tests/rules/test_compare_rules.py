"""Two ways to play side by side: only what differs, for rule sets, editions and the club's own hands."""

import datetime

import pytest
from django.urls import reverse

from sessions_app.models import ClubHand, ClubRules
from tests.logins import logins, signed_in


@pytest.fixture
def client(club):
    return signed_in(logins(club)["member"])


def tables(client, club, one, other):
    answer = client.get(reverse("rules-compare", args=[club.slug]), {"a": one, "b": other})
    assert answer.status_code == 200
    return {title: {row.name: (row.one, row.other) for row in rows} for _, title, rows in answer.context["tables"]}


def edition(club, number, rules="bmja", **house_rules):
    return ClubRules.objects.create(club=club, rules=rules, number=number, house_rules=house_rules)


def test_the_two_british_sets_differ_in_their_switches_as_the_table_says(client, club):
    found = tables(client, club, "bmja", "u3a")
    assert found["House rules"] == {
        "What East pays and receives": ("East pays and receives double", "East’s own Mah-jong is doubled once"),
        "Score for special hands 9 to 14 if a set is exposed": ("In full", "Half"),
        "Flowers with a special hand": ("Capped at the limit", "Can take it over the limit"),
        "When the ordinary score is higher": (
            "Always use the higher score", "Use the higher score when fishing",
        ),
        "Last tile of Buried Treasure": ("May be claimed for the pair", "Only from the wall"),
        "Original call": (
            "One double for making it, one more for winning", "One double for a winner who made it",
        ),
        "Two points for drawing a loose tile": ("Not scored", "Scored"),
        "How many times East may stay by winning": ("As often as East wins", "3 times"),
        "Starting balance at a table of four": ("2,000", "3,000"),
    }  # fmt: skip
    # Hands 9 to 14 count half where exposed; nothing else is worth something else.
    assert found["Special hands"]["Imperial Jade"] == (
        "1,000; fishing 400", "1,000; exposed 500; fishing 400; exposed 200",
    )  # fmt: skip
    assert set(found["Special hands"]) == {
        "Buried Treasure", "Imperial Jade", "Heads & Tails", "Three Great Scholars", "All Winds and Dragons",
        "Four Blessings Hovering over the Door", "Fourfold Plenty",
    }  # fmt: skip
    # Sets, pairs and flowers count alike; what follows from the switches does not.
    assert found["What sets, doubles and bonuses score"] == {
        "Original call": ("1 double", "1 double, winner only"),
        "Original call won": ("1 double, winner only", "–"),
        "Winning tile from the Kong box": ("–", "2 points, winner only"),
        "East's Mah-jong": ("–", "1 double, winner only"),
        "East's special hand is doubled": ("–", "times 2, winner only"),
    }
    assert found["At the table"] == {
        "Who pays whom": ("Every payment to or from East is doubled, even above the limit.", "–")
    }


def test_the_beginners_all_settle_the_differences_and_have_no_cannon(client, club):
    found = tables(client, club, "bmja", "beginners")["At the table"]
    assert found["Who pays whom"] == (
        "Each loser pays the winner the winner's whole score. Then the others pay each other the difference between "
        "their scores. Every payment to or from East is doubled, even above the limit. No hand scores more "
        "than the limit of 1,000.",
        "Every pair of players settles the difference between their scores, the winner included.",
    )
    # Half the limit where there is one, and 300 where the beginners' sheet has none; who gets a discard is alike.
    assert found["False Mah-jong"] == ("500 to each", "300 to each")
    assert found["Letting off a cannon"] == ("every loser’s share", "–")
    assert "Who gets a discard" not in found


def test_at_a_table_of_the_official_rules_the_discarder_pays_the_hand(client, club):
    found = tables(client, club, "bmja", "chinese_official")["At the table"]
    assert found["Who pays whom"][1] == (
        "Everyone pays the winner 8 points. The player who discarded the winning tile also pays the value of the hand. "
        "If the winner drew it, everyone pays the value of the hand."
    )
    called = "by mistake and showed their tiles. They pay each of the others. The hand "
    assert found["False Mah-jong"] == (
        f"500 to each. A player called Mah-jong {called}is void.",
        f"20 to each. A player called Hu {called}goes on, and the caller cannot win it.",
    )
    assert found["Lateness: 10, 20, 40 or 60, to nobody"][0] == "–"
    assert "Who gets a discard" not in found  # Hu comes first, as Mah-jong does


def test_two_editions_of_the_clubs_own(client, club):
    edition(club, 1, limit=600)
    edition(club, 2, limit=800, max_chows=4)
    found = tables(client, club, "bmja-1", "bmja-2")
    assert found["House rules"] == {
        "Limit": ("600", "800"),
        "Chows in an ordinary Mah-jong": ("One chow at most", "Any number of chows"),
    }
    # Half-limit hands: 300 and 400, fishing a fifth of the limit.
    assert found["Special hands"]["Knitting"] == ("300; fishing 120", "400; fishing 160")
    assert "What sets, doubles and bonuses score" not in found


def test_a_dash_stands_where_one_has_no_such_thing(client, club):
    found = tables(client, club, "bmja", "turner")
    assert found["House rules"]["Limit"] == ("1,000", "–")
    assert found["Special hands"]["Purity"][1] == "–"


def test_nothing_differs(client, club):
    answer = client.get(reverse("rules-compare", args=[club.slug]), {"a": "bmja", "b": "bmja"})
    assert answer.context["tables"] == []
    assert "There is no difference between British (BMJA) and British (BMJA)." in answer.content.decode()


def test_own_hands_stand_with_the_editions(client, club):
    edition(club, 1)
    ClubHand.objects.create(
        club=club, key="tail", name="Dragon’s Tail", worth="half limit", fishing=200, since=datetime.date(2020, 1, 1)
    )
    found = tables(client, club, "bmja", "bmja-1")
    answer = client.get(reverse("rules-compare", args=[club.slug]))
    assert answer.content.decode().count("as they are today.") == 1
    assert found == {"Special hands": {"Dragon’s Tail (your club’s own)": ("–", "half the limit, 500; fishing 200")}}


@pytest.mark.parametrize("key", ["poker", "bmja-7", "bmja-x", "bmja-99999999999999999999", "western-1", "", "-1"])
def test_what_is_not_there_is_not_found(client, club, other_club, key):
    edition(club, 1)
    edition(other_club, 7)
    assert client.get(reverse("rules-compare", args=[club.slug]), {"a": key}).status_code == 404


def test_at_first_the_source_stands_beside_the_newest_edition(client, club):
    edition(club, 1, limit=600)
    edition(club, 2, limit=700)
    context = client.get(reverse("rules-compare", args=[club.slug])).context
    assert (context["one"].key, context["other"].key) == ("bmja", "bmja-2")


def test_one_thing_said_in_other_words_is_no_difference(client, club):
    found = tables(client, club, "bmja", "western")["What sets, doubles and bonuses score"]
    assert not {name for name in found if "ung" in name or "air" in name} - {"Snatching a kong"}
    assert found["No chows"] == ("1 double, winner only", "10 points, winner only")
    assert found["All four flowers"] == ("2 doubles", "3 doubles")
    assert found["Standing hand"] == ("–", "100 points, winner only")


def test_a_row_of_the_same_worth_that_asks_something_else_is_told_in_its_sentence(client, club):
    edition(club, 1, concealed_allows_last_claim=True)
    found = tables(client, club, "bmja", "bmja-1")
    assert found["House rules"] == {
        "All concealed, but the last tile was claimed": ("No longer concealed", "Still concealed")
    }
    one, other = found["What sets, doubles and bonuses score"]["All concealed"]
    assert one.startswith("1 double, winner only: ")
    assert one != other
    assert other.endswith("even when that tile was claimed.")
