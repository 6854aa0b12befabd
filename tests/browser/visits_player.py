"""How a finger reaches a player's page, and the questions about a hand."""

from django.urls import reverse

from sessions_app.models import Player
from sessions_app.services.actor import Actor
from sessions_app.services.players import add_player

from .visits import NEW_SLUG, address

BY = Actor(name="The test")


def player_page(one, scene):
    one.open(address("player", scene.in_play.seats.first().player_id, all="settle"))


def player_without_sessions(one, scene):
    player = Player.objects.of_club(scene.new_club).first() or add_player(scene.new_club, full_name="Ann", by=BY)
    one.open(reverse("player", args=[NEW_SLUG, player.pk]))
