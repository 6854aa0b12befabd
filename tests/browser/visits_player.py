"""How a finger reaches a player's page, and the questions about a hand."""

from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.models import HandQuery, Player
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.table.hand_queries import answer_query, ask_query

from .visits import NEW_SLUG, address

BY = Actor(name="The test")


def player_page(one, scene):
    one.open(address("player", scene.in_play.seats.first().player_id, all="settle"))


def player_without_sessions(one, scene):
    player = Player.objects.of_club(scene.new_club).first() or add_player(scene.new_club, full_name="Ann", by=BY)
    one.open(reverse("player", args=[NEW_SLUG, player.pk]))


def query_of(scene):
    """Let the member ask about the hand, once."""
    found = HandQuery.objects.filter(entry=scene.hand).open().first()
    words = "I think my pung of Red Dragons lay concealed."
    return found or ask_query(scene.hand, words, by=Actor.of_user(scene.member))


def query_refused(one, scene):
    one.open(address("hand-query", scene.in_play.pk, scene.hand.key))
    one.expect_status(422)
    one.tap("Ask the secretary")
    expect(one.page.locator("#error-summary")).to_be_visible()


def queried_hand(one, scene):
    query_of(scene)
    one.open(address("hand", scene.in_play.pk, scene.hand.key))
    expect(one.page.get_by_role("heading", name="Score queries")).to_be_visible()


def queried_hands(one, scene):
    query_of(scene)
    one.open(address("score-queries"))


def club_with_an_answer(one, scene):
    """The club's page of a member whose question has been answered."""
    if not HandQuery.objects.filter(asked_by=scene.member).unread().exists():
        answer_query(query_of(scene), "stands", "The sheet has it lying open.", by=Actor.of_user(scene.secretary))
    one.open(address("club"))
    expect(one.page.get_by_text("The secretary has answered your question")).to_be_visible()


def answering(one, scene):
    one.open(address("score-query", query_of(scene).pk))


def answer_refused(one, scene):
    answering(one, scene)
    one.expect_status(422)
    one.tap("Send the answer")
    expect(one.page.locator("#error-summary")).to_be_visible()
