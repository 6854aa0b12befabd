"""How a finger reaches the pages of names, of taking in and of taking out."""

from playwright.sync_api import expect

from sessions_app.exchange.exports.meeting import meeting_json, meetings_with_hands
from sessions_app.models import Player
from sessions_app.people.log import Actor
from sessions_app.people.merging import merge_players
from sessions_app.people.players import add_player

from .visits import address, empty, plain, refused

BY = Actor(name="The test")
TWICE, JOINED = "Margaret Hughs", "Margaret Hews"


def somebody(scene):
    return scene.in_play.seats.select_related("player").order_by("seat_no")[0].player


def twice(scene, name=TWICE):
    """Return someone of the club and the same person under a name spelt wrongly, who has played nowhere."""
    found = Player.objects.of_club(scene.club).filter(full_name=name).first()
    return somebody(scene), found or add_player(scene.club, name, guest=True, in_public="off", by=BY)


def player_change(one, scene):
    one.open(address("player-change", somebody(scene).pk))


def player_change_refused(one, scene):
    player_change(one, scene)
    one.page.get_by_role("textbox", name="Full name").fill("")
    one.page.get_by_label("Email address").fill("nowhere")
    one.expect_status(422)
    one.tap("Save")
    expect(one.page.locator("#error-summary")).to_be_visible()


def player_joined(one, scene):
    kept, gone = twice(scene, JOINED)
    if gone.merged_into is None:
        merge_players(gone, kept, by=BY)
    one.open(address("player-change", kept.pk))


def player_merge(one, scene):
    one.open(address("player-merge", somebody(scene).pk))


def player_merge_seen(one, scene):
    kept, gone = twice(scene)
    one.open(address("player-merge", gone.pk, other=kept.pk))


def player_merge_never(one, scene):
    first, second = (seat.player for seat in scene.in_play.seats.select_related("player").order_by("seat_no")[:2])
    one.open(address("player-merge", first.pk, other=second.pk))


def several_listed(one, scene):
    one.open(address("players"))
    one.page.get_by_text("Change several players at once").tap()
    one.expect_status(422)
    one.tap("Change the list")
    expect(one.page.get_by_text("Choose at least one player.").first).to_be_visible()


def did_you_mean(one, scene):
    one.open(address("players"))
    name = str(somebody(scene))
    one.page.get_by_label("Full name").fill(name[:-1] + ("e" if name[-1] != "e" else "s"))
    one.expect_status(422)
    one.tap("Add the player")
    expect(one.page.get_by_text("Did you mean").first).to_be_visible()


def looked_at(name, text, shown="What you entered"):
    """Make a visit of a page on which what was pasted is looked at; a function makes it of the scene."""

    def visit(one, scene):
        one.open(address(name))
        one.page.get_by_label("Paste the text here").fill(text(scene))
        one.tap("Check")
        expect(one.page.get_by_text(shown)).to_be_visible()

    return visit


def columns_of_a_sheet(one, scene):
    one.open(address("import-totals"))
    one.page.get_by_label("Paste the text here").fill(
        f"League 2018-19\nName,4 Sep,11 Sep,Total\n{somebody(scene)},40,–,40\nQuentin Quill,-40,4900,4860\n"
    )
    one.tap("Check")
    expect(one.page.get_by_role("heading", name="Which column is what?")).to_be_visible()


def sheet_checked(one, scene):
    columns_of_a_sheet(one, scene)
    one.tap("Check")
    expect(one.page.get_by_role("heading", name="Check and save")).to_be_visible()


def nothing_pasted(name):
    def visit(one, scene):
        one.open(address(name))
        one.expect_status(422)
        one.tap("Check")
        expect(one.page.locator("#error-summary")).to_be_visible()

    return visit


def doubtful_list(scene):
    name = str(somebody(scene))
    return f'name,guest\n{name}s,\nQuentin Quill,yes\n"Underwood, Ursula",\n'


def faulty_list(scene):
    return "name,guest,left on\nQuentin Quill,perhaps,\n,yes,\nUrsula Underwood,,sometime\n"


def earlier_totals(scene):
    name = str(somebody(scene))
    return (
        "date,table,rules,player,hands,won,net\n"
        f"2019-11-12,1,bmja,{name},8,2,-40\n2019-11-12,1,bmja,Quentin Quill,8,3,40\n"
    )


def afternoon(scene):
    meeting = meetings_with_hands(scene.club)[0]
    return meeting_json(meeting).replace(str(meeting.date), "2019-05-02")


NAMES_VISITS = {
    "imports": ("secretary", plain("imports")),
    "import-players": ("secretary", plain("import-players")),
    "import-players, refused": ("secretary", nothing_pasted("import-players")),
    "import-players, doubtful": ("secretary", looked_at("import-players", doubtful_list, "Check the list")),
    "import-players, faults": ("secretary", looked_at("import-players", faulty_list, "Check the list")),
    "import-totals": ("secretary", plain("import-totals")),
    "import-totals, looked at": ("secretary", looked_at("import-totals", earlier_totals, "What will be saved")),
    "import-totals, columns": ("secretary", columns_of_a_sheet),
    "import-totals, checked": ("secretary", sheet_checked),
    "import-night": ("secretary", plain("import-night")),
    "import-game": ("scorekeeper", plain("import-game")),
    "waiting-games": ("scorekeeper", plain("waiting-games")),
    "import-night, looked at": ("secretary", looked_at("import-night", afternoon)),
    "enter-totals": ("secretary", plain("enter-totals")),
    "enter-totals, refused": ("secretary", refused("enter-totals", "Save totals")),
    "exports": ("secretary", plain("exports")),
    "exports, empty": ("newcomer", empty("exports")),
    "players, did you mean": ("secretary", did_you_mean),
    "players, several listed": ("secretary", several_listed),
    "player-change": ("secretary", player_change),
    "player-change, refused": ("secretary", player_change_refused),
    "player-change, joined": ("secretary", player_joined),
    "player-merge": ("secretary", player_merge),
    "player-merge, seen": ("secretary", player_merge_seen),
    "player-merge, never": ("secretary", player_merge_never),
}
