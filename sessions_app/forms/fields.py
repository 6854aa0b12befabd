"""What several forms share: the choice of a player from the list, or of somebody new."""

from sessions_app.models import Player

NEW = "new"


def player_choices(club, first):
    players = Player.objects.of_club(club).present()
    return [("", first), *((str(player.pk), player.full_name) for player in players), (NEW, "Somebody new …")]
