"""What several forms share: the choice of a player from the list, or of somebody new."""

from sessions_app.models import Player

NEW = "new"


def short_name_for(club, full_name):
    """Return the first name, or with the initial of the last one where the club has somebody called that already."""
    first, *others = full_name.split()
    taken = {name.casefold() for name in Player.objects.of_club(club).present().values_list("short_name", flat=True)}
    with_initial = f"{first} {others[-1][0]}" if others else first
    return next((name for name in (first, with_initial) if name.casefold() not in taken), full_name)[:40]


def player_choices(club, first):
    players = Player.objects.of_club(club).present()
    return [("", first), *((str(player.pk), player.full_name) for player in players), (NEW, "Somebody new …")]
