"""Names that are written from right to left do not turn the figures behind them round."""

import re
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.urls import reverse

from sessions_app.models import Club, Player, User
from sessions_app.people.players import rename_player, set_contact
from tests.factories import BY, DAY, house
from tests.logins import signed_in

NAME = "محمد علي"
# Unicode's mark of a direction, which nobody sees. Between the two words it would turn these round.
MARK = "\u200e"


@pytest.fixture
def at_home(club, cast):
    at_home = house(club, cast.all[:4])
    rename_player(cast.bob, NAME, NAME, by=BY)
    at_home.client = signed_in(at_home.secretary)
    return at_home


@pytest.mark.parametrize("page", ["club", "standings", "players", "fees", "meetings", "log"])
def test_a_mark_ends_each_name_in_the_text_of_a_page(at_home, page):
    Club.objects.filter(pk=at_home.club.pk).update(keeps_fees=True, subscription=12)
    text = at_home.client.get(reverse(page, args=[at_home.club.slug])).text
    between_tags = re.findall(r">([^<]*)<", re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL))
    shown = [part for part in between_tags if NAME in part]
    assert [part for part in shown if part.count(NAME) != part.count(NAME + MARK)] == []
    assert shown or page in ("club", "meetings", "log")


def test_what_a_form_sends_again_and_what_scripts_read_is_as_it_was(at_home, cast):
    page = at_home.client.get(reverse("player-change", args=[at_home.club.slug, cast.bob.pk])).text
    assert f'value="{NAME}"' in page
    table = at_home.client.get(reverse("table", args=[at_home.club.slug, at_home.table_session.pk])).text
    assert all(MARK not in script for script in re.findall(r"<script.*?</script>", table, re.DOTALL))
    assert f"{NAME}{MARK}" in table


def test_the_email_of_results_has_it_too(at_home, cast, settings):
    settings.SENDS_MAIL, settings.NEW_CLUB_DAYS, settings.DEFAULT_FROM_EMAIL = True, 0, "scores@example.org"
    settings.SITE = urlsplit("https://scores.example.org")
    User.objects.filter(pk=at_home.secretary.pk).update(email="secretary@example.org", email_confirmed=True)
    set_contact(Player.objects.get(pk=cast.alice.pk), "alice@example.org", "", DAY, by=BY)
    where = reverse("meeting-mail", args=[at_home.club.slug, at_home.table_session.meeting_id])
    assert at_home.client.post(where, {"members": [cast.alice.pk]}).status_code == 302
    # He pays East twice 100, and gets 20 from each of two.
    assert re.search(rf"{NAME}{MARK} +−160", mail.outbox[0].body)
    assert f"{NAME}{MARK}<" in mail.outbox[0].alternatives[0][0]
