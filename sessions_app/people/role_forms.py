"""Forms to invite people, link them to players, and hand the club over."""

from typing import Any

from django import forms

from sessions_app.models import Club, Membership, Player
from sessions_app.people.fuzzy_names import close_names

ROLES = [
    ("member", "Member: can read everything"),
    ("scorekeeper", "Scorekeeper: can score at any table"),
    ("secretary", "Secretary: can do everything"),
]

DAYS = [("1", "For a day"), ("7", "For a week"), ("30", "For 30 days")]
HOW_MANY = [("one", "One person"), ("many", "Everyone who has the link")]
NOT_MANY = "Choose “One person” to invite a secretary."
NOT_MANY_PLAYERS = "Choose “One person”, or choose “No one in particular” as the player."
NOT_LISTED = "Choose a player from the list."


class InviteForm(forms.Form):
    role = forms.ChoiceField(
        label="Role",
        choices=ROLES,
        initial="member",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a role."},
    )
    how_many = forms.ChoiceField(
        label="Who can use the link",
        choices=HOW_MANY,
        initial="one",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who can use the link."},
    )
    days = forms.ChoiceField(
        label="How long the link works",
        choices=DAYS,
        initial="7",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how long the link works."},
    )
    player = forms.ChoiceField(
        label="Player",
        required=False,
        help_text="A player who joins with this link can choose what they are called in public.",
        error_messages={"invalid_choice": NOT_LISTED},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players_without_account(club)
        self.fields["player"].choices = [("", "No one in particular"), *_named(self.players)]

    def clean(self) -> dict[str, str]:
        data = super().clean()
        if data.get("how_many") == "many" and data.get("role") == "secretary":
            self.add_error("how_many", NOT_MANY)
        elif data.get("how_many") == "many" and data.get("player"):
            self.add_error("how_many", NOT_MANY_PLAYERS)
        return data

    def for_player(self) -> Player | None:
        return self.players.get(self.cleaned_data["player"])


class PlaysAsForm(forms.Form):
    """Links a member to a player; a player with a similar name is preselected."""

    player = forms.ChoiceField(label="Plays as", required=False, error_messages={"invalid_choice": NOT_LISTED})

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players_without_account(membership.club, membership)
        self.fields["player"].choices = [("", "Does not play"), *_named(self.players)]
        self.fields["player"].initial = self._likely(membership)

    def _likely(self, membership):
        if membership.player_id:
            return str(membership.player_id)
        by_name = {player.full_name: pk for pk, player in self.players.items()}
        near = close_names(membership.user.get_full_name(), by_name)
        return by_name[near[0]] if near else ""

    def chosen(self) -> Player | None:
        return self.players.get(self.cleaned_data["player"])


def players_without_account(club: Club, membership: Membership | None = None) -> dict[str, Player]:
    """Return {id as text: player} of current players without an account, and the player of this membership."""
    taken = Membership.objects.of_club(club).exclude(pk=membership and membership.pk).exclude(player=None)
    players = Player.objects.of_club(club).present().exclude(pk__in=taken.values("player"))
    return {str(player.pk): player for player in players.order_by("full_name", "pk")}


def _named(players):
    return [(pk, player.full_name) for pk, player in players.items()]


class HandOverForm(forms.Form):
    taker = forms.ChoiceField(
        label="Who takes the club over",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who takes the club over.", "invalid_choice": "Choose one of these people."},
    )
    after = forms.ChoiceField(
        label="What you will be afterwards",
        choices=[("scorekeeper", "A scorekeeper"), ("member", "A member"), ("nothing", "No longer in the club")],
        initial="scorekeeper",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what you will be afterwards."},
    )

    def __init__(self, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Membership.objects.of_club(membership.club).exclude(pk=membership.pk).select_related("user")
        self.others = {str(other.pk): other for other in others.order_by("user__username")}
        self.fields["taker"].choices = [
            (pk, f"{other.user.get_full_name() or other.user.username} ({other.user.username})")
            for pk, other in self.others.items()
        ]
