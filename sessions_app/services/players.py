"""Players of a club: adding and renaming."""
from sessions_app.models import Player

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction


def add_player(club, full_name, short_name="", guest=False, *, by, why=""):
    """Put a person on the club's list; an empty short name becomes the first name. ServiceError for a taken name."""
    full_name, short_name = _tidy(full_name), _tidy(short_name)
    with write_transaction():
        _refuse_taken(club, full_name)
        player = Player.objects.create(
            club=club, full_name=full_name, short_name=short_name or full_name.split()[0], guest=guest
        )
        log_change(club, by, "add", player, {}, {"guest": guest}, why)
    return player


def rename_player(player, full_name, short_name="", *, by, why=""):
    """Give a player other names. The log tells that it was done, by id; it holds no names."""
    full_name, short_name = _tidy(full_name), _tidy(short_name)
    with write_transaction():
        _refuse_taken(player.club, full_name, player)
        player.full_name, player.short_name = full_name, short_name or full_name.split()[0]
        player.save(update_fields=["full_name", "short_name"])
        log_change(player.club, by, "rename", player, {}, {}, why)
    return player


def _tidy(name):
    return " ".join(name.split())


def _refuse_taken(club, full_name, besides=None):
    if not full_name:
        raise ServiceError("Write the player's name.", "full_name")
    taken = Player.objects.of_club(club).filter(full_name__iexact=full_name)
    if besides is not None:
        taken = taken.exclude(pk=besides.pk)
    if taken.exists():
        raise ServiceError(f"The club already has a player named {full_name}.", "full_name")
