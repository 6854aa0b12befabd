"""The CSV of a club's players; how to reach them stands in it only where that is asked for."""

from sessions_app.exports.csv_writer import csv_text
from sessions_app.models import Contact, Player

COLUMNS = ["player", "short_name", "guest", "left_on", "joined_into", "in_public"]
CONTACT = ["email", "telephone", "agreed_on"]


def players_csv(club, contacts=False):
    """Return everybody a club has ever had, by name, in one query; with how to reach them, for a secretary, in two."""
    players = Player.objects.of_club(club).select_related("merged_into")
    rows = sorted(players, key=lambda player: (str(player), player.pk))
    if not contacts:
        return csv_text(COLUMNS, map(player_cells, rows))
    kept = {contact.player_id: contact for contact in Contact.objects.of_club(club)}
    return csv_text([*COLUMNS, *CONTACT], ([*player_cells(row), *contact_cells(kept.get(row.pk))] for row in rows))


def player_cells(player):
    return [
        str(player),
        player.short_name,
        "yes" if player.guest else "",
        player.left_on.isoformat() if player.left_on else "",
        str(player.merged_into) if player.merged_into else "",
        player.in_public,
    ]


def contact_cells(contact):
    return [contact.email, contact.telephone, contact.agreed_on.isoformat()] if contact else ["", "", ""]
