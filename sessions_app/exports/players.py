"""The CSV of a club's players."""
from sessions_app.exports.csv_writer import csv_text, file_name
from sessions_app.models import Player

COLUMNS = ["player", "short_name", "guest", "left_on", "joined_into"]


def players_csv(club):
    """Return everybody a club has ever had, by name, in one query."""
    players = Player.objects.of_club(club).select_related("merged_into")
    rows = sorted(players, key=lambda player: (str(player), player.pk))
    return csv_text(COLUMNS, (player_cells(player) for player in rows))


def player_cells(player):
    return [
        str(player),
        player.short_name,
        "yes" if player.guest else "",
        player.left_on.isoformat() if player.left_on else "",
        str(player.merged_into) if player.merged_into else "",
    ]


def players_file_name(club, today):
    return file_name(club.slug, today, "players")
