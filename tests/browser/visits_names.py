"""How a finger reaches the pages of names: changing a player, joining two entries of one person."""

from playwright.sync_api import expect

from sessions_app.models import Player
from sessions_app.services.actor import Actor
from sessions_app.services.merging import merge_players
from sessions_app.services.players import add_player

from .visits import address

BY = Actor(name="The test")
TWICE = "Margaret Hughs"


def somebody(scene):
    return scene.in_play.seats.select_related("player").order_by("chair")[0].player


def twice(scene):
    """Return somebody of the club and the same person under a name spelt wrongly, who has played nowhere."""
    found = Player.objects.of_club(scene.club).filter(full_name=TWICE, merged_into=None).first()
    return somebody(scene), found or add_player(scene.club, TWICE, by=BY)


def player_change(one, scene):
    one.open(address("player-change", somebody(scene).pk))


def player_change_refused(one, scene):
    player_change(one, scene)
    one.page.get_by_label("Full name").fill("")
    one.page.get_by_label("Address for mail").fill("nowhere")
    one.expect_status(422)
    one.tap("Save")
    expect(one.page.locator("#error-summary")).to_be_visible()


def player_joined(one, scene):
    kept, gone = twice(scene)
    merge_players(gone, kept, by=BY)
    one.open(address("player-change", kept.pk))


def player_merge(one, scene):
    one.open(address("player-merge", somebody(scene).pk))


def player_merge_seen(one, scene):
    kept, gone = twice(scene)
    one.open(address("player-merge", gone.pk, other=kept.pk))


def player_merge_never(one, scene):
    first, second = (seat.player for seat in scene.in_play.seats.select_related("player").order_by("chair")[:2])
    one.open(address("player-merge", first.pk, other=second.pk))


def did_you_mean(one, scene):
    one.open(address("players"))
    name = str(somebody(scene))
    one.page.get_by_label("Full name").fill(name[:-1] + ("e" if name[-1] != "e" else "s"))
    one.expect_status(422)
    one.tap("Add the player")
    expect(one.page.get_by_text("Did you mean").first).to_be_visible()


NAMES_VISITS = {
    "players, did you mean": ("secretary", did_you_mean),
    "player-change": ("secretary", player_change),
    "player-change, refused": ("secretary", player_change_refused),
    "player-change, joined": ("secretary", player_joined),
    "player-merge": ("secretary", player_merge),
    "player-merge, seen": ("secretary", player_merge_seen),
    "player-merge, never": ("secretary", player_merge_never),
}
