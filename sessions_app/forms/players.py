"""Adding a player to the club, changing what is kept about one, and joining two entries of one person."""

from django import forms

from sessions_app.close_names import folded
from sessions_app.forms.fields import DidYouMean, short_name_for
from sessions_app.models import Player
from sessions_app.models.player import LONGEST_NAME, LONGEST_SHORT_NAME
from sessions_app.services.players import told_apart

AS_THE_CLUB = {
    "nobody": "nothing in public, as it is now",
    "initials": "initials, as it is now",
    "short": "first names, as it is now",
    "full": "full names, as it is now",
}


class NameFields(DidYouMean):
    """The names of somebody new, or of `player` where one is changed; close and equal names are asked about."""

    full_name = forms.CharField(
        label="Full name",
        max_length=LONGEST_NAME,
        help_text="As it shall stand in the league table, “Jean Atkins” for instance.",
        error_messages={"required": "Write the player's name."},
    )
    short_name = forms.CharField(
        label="Short name",
        max_length=LONGEST_SHORT_NAME,
        required=False,
        help_text="For the table: “Jean”. Leave it empty and the first name is taken.",
    )
    apart = forms.CharField(
        label="What tells them apart",
        max_length=30,
        required=False,
        help_text="Only for two people of the same name: a place or an age, “Wool” or “the younger”. "
        "It stands in brackets after the name.",
    )

    def __init__(self, club, *args, player=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.club, self.player = club, player

    def clean(self):
        data = super().clean()
        name = data.get("full_name")
        if name and data.get("apart"):
            name = data["full_name"] = told_apart(name, data["apart"])
        if name and len(name) > LONGEST_NAME:
            self.add_error("apart", f"With this the name is longer than {LONGEST_NAME} letters: shorten it.")
        elif name:
            self._clean_name(name)
        if name and "short_name" in data:
            data["short_name"] = self._short_name(name, " ".join(data["short_name"].split()))
        return data

    def _clean_name(self, name):
        others = self.others()
        same = next((player for player in others if str(player).casefold() == name.casefold()), None)
        if same:
            self.wants_apart = True
            self.add_error("full_name", f"{same_name(same)} If this is somebody else, say below what tells them apart.")
        elif self.player is None or folded(name) != folded(self.player.full_name):
            self.ask_if_meant("full_name", name, others)

    def others(self):
        players = Player.objects.of_club(self.club).exclude(full_name="").select_related("merged_into")
        return [player for player in players if self.player is None or player.pk != self.player.pk]

    def _short_name(self, full_name, short_name):
        if not short_name:
            return short_name_for(self.club, full_name)
        present = Player.objects.of_club(self.club).present().filter(short_name__iexact=short_name)
        if present.exclude(pk=self.player and self.player.pk).exists():
            self.add_error("short_name", f"Somebody else is called {short_name} at the table. Add an initial.")
        return short_name

    def clean_full_name(self):
        return " ".join(self.cleaned_data["full_name"].split())

    def clean_apart(self):
        return " ".join(self.cleaned_data["apart"].replace("(", " ").replace(")", " ").split())

    wants_apart = False


def same_name(player):
    """Say that somebody of this name is there already, and as what."""
    if player.merged_into:
        return f"{player.full_name} was joined into {player.merged_into}."
    if player.left_on:
        return f"The club already has {player.full_name}, among the former members."
    return f"The club already has a player named {player.full_name}."


class ReachFields(forms.Form):
    """What one is called in public, and how the club reaches one: for the secretary, and for the player."""

    in_public = forms.ChoiceField(
        label="In public",
        widget=forms.RadioSelect,
        required=False,
        error_messages={"invalid_choice": "Choose what they are called in public."},
    )
    email = forms.EmailField(
        label="Address for mail",
        required=False,
        max_length=254,
        error_messages={"invalid": "Write the address like jean@example.org, or leave it empty."},
    )
    telephone = forms.CharField(label="Telephone", required=False, max_length=40)

    def offer_public_names(self, club):
        self.fields["in_public"].choices = [
            ("", f"As the club decides: {AS_THE_CLUB[club.public_names]}"),
            *Player.InPublic.choices,
        ]

    def is_reached(self):
        """Whether there is anything that is kept only with the player's agreement."""
        return bool(self.cleaned_data.get("email") or self.cleaned_data.get("telephone"))


class PlayerForm(NameFields):
    guest = forms.BooleanField(label="A guest, not a member", required=False)


class PlayerChangeForm(ReachFields, NameFields):
    """Everything that is kept about one player, for the secretary."""

    field_order = ("full_name", "somebody_else", "apart", "short_name", "guest", "left_on")
    guest = forms.BooleanField(label="A guest, not a member", required=False)
    left_on = forms.DateField(
        label="Left the club on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="A former member is no longer offered at the tables; everything played stays. Empty: still here.",
        error_messages={"invalid": "Write the date like 12/11/2026, or leave it empty."},
    )
    agreed_on = forms.DateField(
        label="Agreed to this being kept on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the date like 12/11/2026."},
    )

    def __init__(self, club, *args, **kwargs):
        super().__init__(club, *args, **kwargs)
        self.offer_public_names(club)

    def clean(self):
        data = super().clean()
        if self.is_reached() and not data.get("agreed_on") and "agreed_on" in data:
            self.add_error(
                "agreed_on", "Say on which day the player agreed to the address or number being kept, or empty both."
            )
        return data

    def facts(self):
        return {name: self.cleaned_data[name] for name in ("guest", "left_on", "in_public")}

    def contact(self):
        return {name: self.cleaned_data[name] for name in ("email", "telephone", "agreed_on")}


class MergeForm(forms.Form):
    """Who is the same person as `player`, and under which of the two names they go on."""

    other = forms.ChoiceField(
        label="The same person as",
        error_messages={
            "required": "Choose who is the same person.",
            "invalid_choice": "Choose a player from the list.",
        },
    )
    keep = forms.ChoiceField(
        label="The name that stays",
        widget=forms.RadioSelect,
        required=False,
        choices=(("other", "The other one"), ("this", "This one")),
        initial="other",
    )

    def __init__(self, player, others, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.players = {str(one.pk): one for one in others}
        self.fields["other"].choices = [("", "— choose —"), *((pk, str(one)) for pk, one in self.players.items())]
        self.player = player

    def gone_and_kept(self):
        other = self.players[self.cleaned_data["other"]]
        return (other, self.player) if self.cleaned_data["keep"] == "this" else (self.player, other)


class HoldsForm(forms.Form):
    """What holds of one person whose two entries say otherwise: a radio for each fact in which they differ."""

    LEGENDS = {"in_public": "In public", "guest": "Member or guest", "left_on": "Still here or not"}

    def __init__(self, gone, kept, likely, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.both = {"gone": gone, "kept": kept}
        for name in likely:
            self.fields[name] = forms.ChoiceField(
                label=self.LEGENDS[name],
                widget=forms.RadioSelect,
                required=False,
                choices=[(which, f"{self._words(name, one)} ({one})") for which, one in self.both.items()],
                initial=next(which for which, one in self.both.items() if getattr(one, name) == likely[name]),
            )

    def _words(self, name, one):
        if name == "guest":
            return "A guest" if one.guest else "A member"
        if name == "left_on":
            return f"Left the club on {one.left_on:%-d %B %Y}" if one.left_on else "Still here"
        as_the_club = f"As the club decides: {AS_THE_CLUB[one.club.public_names]}"
        return one.get_in_public_display() if one.in_public else as_the_club

    def facts(self):
        """Return what was chosen; what was not is left out."""
        return {name: getattr(self.both[which], name) for name, which in self.cleaned_data.items() if which}
