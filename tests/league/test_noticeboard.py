"""Paper for the wall: what the noticeboard and the annual meeting print, under which names, and who is left off."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse

from sessions_app.meetings.views import guest_lines
from sessions_app.models import Club, CupWinner, Player
from sessions_app.table.sessions import start_session
from tests.factories import BY, DAY, house, record, totals
from tests.logins import signed_in

BOTH = ["noticeboard", "annual-meeting"]
LEFT_OFF = "People who do not want to be named in public are left out. Everyone else keeps their position."


@pytest.fixture
def at_home(club, cast):
    """Alice, East, goes Mah-jong with 100 and Bob has 20: she is first, he second, Carol and Dave share the third."""
    Player.objects.filter(pk=cast.alice.pk).update(full_name="Alice Archer", in_public="off")
    Player.objects.filter(pk=cast.bob.pk).update(full_name="Bob Baker")
    made = house(club, cast.all[:4])
    made.season.minimum_sessions, made.season.trophies = 1, ["highest_hand", "most_sessions"]
    made.season.save()
    return made


def page(at_home, name, **asked):
    answer = signed_in(at_home.secretary).get(reverse(name, args=[at_home.club.slug]), asked)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def rows(text):
    """Return place and name of every row that has a place."""
    return re.findall(r'<tr><td class="num">(.*?)</td>.*?<th scope="row">(.*?)(?: <|</th>)', text)


@pytest.mark.parametrize("name", BOTH)
def test_a_club_that_shows_no_names_prints_full_ones(at_home, name):
    text = page(at_home, name, names="public")
    assert "Full names, including people who do not want to be named in public." in text
    assert "Show public names" not in text
    assert [place for place, _ in rows(text)] == ["1", "2", "3=", "3="]
    assert "Alice Archer" in text
    assert LEFT_OFF not in text


@pytest.mark.parametrize("name", BOTH)
def test_where_names_are_public_the_wall_has_them_as_each_member_chose(at_home, name):
    Club.objects.update(public_names="initials")
    text = page(at_home, name)
    assert rows(text) == [("2", "B. B."), ("3=", "C."), ("3=", "D.")]
    article = text[text.index("<article") : text.index("</article>")]
    assert "Alice" not in article
    assert "A. A." not in article
    assert "Baker" not in article
    assert LEFT_OFF in article
    # What Alice alone holds is left off with her; that all four came once is said of the others.
    assert "Best hand" not in article
    assert "Highest hand" not in article
    if name == "annual-meeting":
        assert "<dt>Players</dt><dd>4</dd>" in article
        assert "<dt>Most tables</dt><dd><b>B. B.</b>, 1 table played; <b>C.</b>" in article
    full = page(at_home, name, names="full")
    assert "Alice Archer" in full
    assert LEFT_OFF not in full
    assert "Show public names" in full


def test_the_annual_meeting_has_the_cups_with_the_winners_of_earlier_years(at_home, cast):
    for year, winner in (("2024-25", "Ethel Egg"), ("2025-26", "Bob Baker"), ("2025-26", "Alice Archer")):
        CupWinner.objects.create(club=at_home.club, cup="Chairman’s Cup", year=year, winner=winner)
    line = "<dt>Chairman’s Cup</dt><dd><b>{}</b>, 2025-26; Ethel Egg, 2024-25</dd>"
    assert line.format("Alice Archer and Bob Baker") in page(at_home, "annual-meeting", names="full")
    # Alice does not want to be named in public, and Bob has the initials that the club shows.
    Club.objects.update(public_names="initials", shows_standings=True)
    assert line.format("B. B.") in page(at_home, "annual-meeting", names="public")
    # Two in one row are named as each of them chose.
    CupWinner.objects.filter(winner="Bob Baker").update(winner="Alice Archer & Bob Baker")
    assert line.format("B. B.") in page(at_home, "annual-meeting", names="public")
    # However it was typed.
    CupWinner.objects.filter(winner="Alice Archer").update(winner="ALICE ARCHER")
    assert line.format("B. B.") in page(at_home, "annual-meeting", names="public")


def test_certificates_for_the_first_three_and_the_trophies(at_home):
    text = page(at_home, "season-certificates")
    assert re.findall(
        r'class="certificate-name[^>]*>(.*?)<.*?certificate-word">(.*?)<.*?certificate-hand">(.*?)<', text
    ) == [
        ("Alice Archer", "came first in the", "League"),
        ("Bob Baker", "came second in the", "League"),
        ("Carol", "came third in the", "League"),
        ("Dave", "came third in the", "League"),
        ("Alice Archer", "won the trophy", "Highest hand"),
        *((name, "won the trophy", "Most tables") for name in ("Alice Archer", "Bob Baker", "Carol", "Dave")),
    ]
    for name in ("annual-meeting", "trophies", "prints"):
        assert reverse("season-certificates", args=[at_home.club.slug]) in page(at_home, name)


@pytest.mark.parametrize("name", [*BOTH, "public-standings"])
def test_who_still_plays_and_what_does_not_count_is_said_on_paper_too(at_home, club, cast, name):
    Club.objects.update(public_names="full", shows_standings=True)
    other = start_session(club, DAY, 2, cast.all[:4], "u3a", {}, by=BY)
    record(other, totals(other, 1, seat1=8))
    text = page(at_home, name)
    assert len(re.findall("still playing", text)) == 3  # of four, Alice is left off
    reason = "played under “u3a Beginners' Guide, to the letter” rules, which this table does not count"
    assert f"Not counted: 12 November 2026, table 2 ({reason})." in text


def test_the_clubs_page_shows_shared_places_and_how_they_come_about(at_home):
    text = page(at_home, "club")
    top = text[text.index("top of the league table") : text.index("The whole league table")]
    assert re.findall(r'<td class="num">(\d=?)</td>', top) == ["1", "2", "3=", "3="]
    assert top.count("still playing") == 1
    assert "4 players are still playing. Their results count up to the last hand." in top
    assert (
        "Your average is all you won or lost, divided by the hands you played. "
        "Members need at least 1 table to be ranked. Guests are never ranked." in top
    )


@pytest.mark.parametrize(
    ("names", "lines"), [(0, 2), (12, 6), (22, 6), (25, 3), (28, 2), (29, 6), (40, 2), (42, 2), (43, 6), (60, 6)]
)
def test_lines_for_guests_begin_no_sheet_of_their_own(names, lines):
    assert guest_lines(names) == lines


def test_early_in_the_season_the_noticeboard_lists_everybody(at_home):
    """Nobody has the four sessions that a place asks for: all are listed, who won most first."""
    at_home.season.minimum_sessions = 4
    at_home.season.save()
    article = page(at_home, "noticeboard")
    article = article[article.index("<article") : article.index("</article>")]
    assert rows(article) == [("–", "Alice Archer"), ("–", "Bob Baker"), ("–", "Carol"), ("–", "Dave")]
    assert "Nobody has played enough to be ranked yet." in article


def test_the_noticeboard_names_first_whoever_moved_up_most(at_home, club, cast):
    """Alice 560, Carol -140, Bob -180, Dave -240; a week later Carol 460, Dave 160, Alice 60, Bob -680."""
    record(at_home.table_session, totals(at_home.table_session, 3, seat3=20))
    later = start_session(
        club, DAY + timedelta(days=7), 1, [cast.carol, cast.dave, cast.alice, cast.bob], "bmja", {}, by=BY
    )
    record(later, totals(later, 1, seat1=100, seat2=300))
    moved = re.findall(r"<p><b>(\w+)</b> .*?up </span>(\d), now (\d)", page(at_home, "noticeboard"))
    assert moved == [("Dave", "2", "2"), ("Carol", "1", "1")]


def test_a_guest_is_named_in_public_only_by_their_own_choice(at_home):
    Club.objects.update(public_names="full")
    Player.objects.filter(full_name="Bob Baker").update(guest=True)
    assert "Bob" not in page(at_home, "noticeboard")
    Player.objects.filter(full_name="Bob Baker").update(in_public="initials")
    assert "B. B." in page(at_home, "noticeboard")
