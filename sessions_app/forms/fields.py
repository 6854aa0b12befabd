"""What several forms share: the choice of a player from the list, or of somebody new, who may be on it already."""

from django import forms

from sessions_app.close_names import close_names
from sessions_app.models import Player
from sessions_app.services.players import free_short_name

NEW = "new"


def short_name_for(club, full_name):
    """Return the first name, or with the initial of the last one where the club has somebody called that already."""
    taken = {name.casefold() for name in Player.objects.of_club(club).present().values_list("short_name", flat=True)}
    return free_short_name(full_name, taken)


def player_choices(club, first, players=None):
    """Return the club's players to choose from, or only these."""
    players = Player.objects.of_club(club).present().filter(to_confirm=False) if players is None else players
    return [("", first), *((str(player.pk), player.full_name) for player in players), (NEW, "Somebody new …")]


class DidYouMean(forms.Form):
    """Asks once about new names that are nearly somebody's on the list; `meant` is who was found, by field."""

    somebody_else = forms.BooleanField(label="This is somebody else", required=False)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.meant = {}

    def ask_if_meant(self, field, name, players, before=""):
        """Add an error to the field where the name is close to one of these players, unless it is somebody else."""
        if self.cleaned_data.get("somebody_else"):
            return
        by_name = {str(player): player for player in players}
        found = [by_name[close] for close in close_names(name, by_name)]
        if found:
            self.meant[field] = found
            told = " or ".join(_with_state(player) for player in found)
            asked = f"did you mean {told}?" if before else f"Did you mean {told}?"
            self.add_error(field, f"{before}{asked} If not, tick “This is somebody else”.")


def _with_state(player):
    if player.merged_into_id:
        return f"{player}, who was joined into another"
    return f"{player}, a former member," if player.left_on else str(player)
