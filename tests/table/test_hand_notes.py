"""A note on a hand: it stands behind the hand, also where later hands have been played, and on the sheet."""

import pytest
from django.urls import reverse

from tests.afternoon import hand
from tests.logins import logins, signed_in


@pytest.fixture
def client(club):
    return signed_in(logins(club)["scorekeeper"])


def note(client, club, table, key, text):
    return client.post(reverse("hand-note", args=[club.slug, table.pk, key]), {"text": text})


def page(client, club, table, key):
    return client.get(reverse("hand", args=[club.slug, table.pk, key]))


def test_each_hand_has_its_own_notes(client, club, four):
    first, second = hand(four, "2", s2=40), hand(four, "3", s3=20)
    assert note(client, club, four, second, "Jean’s first limit hand").url.endswith(f"/hands/{second}/")
    note(client, club, four, first, "Played by candle-light")
    assert page(client, club, four, first).context["notes"] == ["Played by candle-light"]
    assert page(client, club, four, second).context["notes"] == ["Jean’s first limit hand"]
    board = client.get(reverse("session-sheet", args=[club.slug, four.pk])).context["board"]
    assert [row.words for row in board.rows()] == [
        "Bob goes Mah-jong", "Played by candle-light", "Carol goes Mah-jong", "Jean’s first limit hand",
    ]  # fmt: skip


def test_an_empty_note_is_asked_for(client, club, four):
    key = hand(four, "2", s2=40)
    note(client, club, four, key, " ")
    answer = page(client, club, four, key)
    assert "Enter the note." in [str(message) for message in answer.context["messages"]]
    assert answer.context["notes"] == []
