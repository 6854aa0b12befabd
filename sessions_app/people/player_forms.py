"""Forms to add, change, merge and erase players, and for a member's own choices."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms

from clubscore.play.start import NEW
from sessions_app.models import Club, Contact, Player
from sessions_app.people.dates import LASTING, day_words
from sessions_app.people.form_fields import Form, TidyField, date_field, name_field, radio_field
from sessions_app.people.fuzzy_names import close_names, folded
from sessions_app.people.models import MAX_NAME, MAX_SHORT_NAME
from sessions_app.people.players import FACTS, ShortNames, name_order, with_suffix

# An address or a telephone number in a name would be seen wherever names are.
IS_NO_NAME = re.compile(r"@|\d[\d\s]{6,}\d")


def short_name_for(club: Club, full_name: str) -> str:
    """Return the first name, with an initial of the surname if the club already has that short name."""
    return ShortNames(club).take(full_name)


def player_choices(club: Club, first: str, players: Any = None) -> list[tuple[str, str]]:
    """Return the club's players to choose from, or only these."""
    players = Player.objects.of_club(club).present().filter(to_confirm=False) if players is None else players
    named = ((str(player.pk), player.full_name) for player in sorted(players, key=name_order))
    return [("", first), *named, (NEW, "Someone new …")]


class DidYouMean(Form):
    """Asks once about new names similar to a player's; `meant` holds the players found, by field."""

    somebody_else = forms.BooleanField(label="This is someone else", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meant: dict[str, list[Player]] = {}

    def ask_if_meant(self, field: str, name: str, players: Iterable[Any], before: str = "") -> None:
        """Add an error to the field if the name is close to one of these players and the box is not ticked."""
        if self.cleaned_data.get("somebody_else"):
            return
        by_name = {str(player): player for player in players}
        found = [by_name[close] for close in close_names(name, by_name)]
        if found:
            self.meant[field] = found
            names = " or ".join(_with_state(player) for player in found)
            question = f"{before}{'did' if before else 'Did'} you mean {names}?"
            self.add_error(field, f"{question} If not, select “This is someone else”.")


def _with_state(player: Player) -> str:
    if player.merged_into_id:
        return f"{player}, who was merged into another"
    return f"{player}, a former member," if player.left_on else str(player)


AS_THE_CLUB = {"nobody": "no names", "initials": "initials", "short": "first names", "full": "full names"}


def _as_the_club(club: Club) -> str:
    return f"The same as for everyone in the club: {AS_THE_CLUB[club.public_names]}"


class NameFields(DidYouMean):
    """The names of a new player, or of `player` if one is changed; equal and similar names are errors."""

    full_name = name_field(
        "Full name",
        "Enter the player’s full name.",
        help_text="As it will appear in the league table, for example “Jean Atkins”.",
    )
    short_name = TidyField(
        label="Short name",
        max_length=MAX_SHORT_NAME,
        required=False,
        help_text="Used at the table, for example “Jean”. Leave it empty to use the first name.",
    )
    apart = TidyField(
        label="What tells them apart",
        max_length=30,
        required=False,
        help_text="Only if two people have the same name. For example, where they live (“Wool”) or “the younger”. "
        "It appears in brackets after the name.",
    )

    wants_apart = False

    def __init__(self, club: Club, *args: Any, player: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.player = club, player

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        name = data.get("full_name")
        if name and IS_NO_NAME.search(name):
            self.add_error("full_name", "Enter the name alone. An email address or telephone number has its own box.")
            return data
        if name and data.get("apart"):
            name = data["full_name"] = with_suffix(name, data["apart"])
        if name and len(name) > MAX_NAME:
            self.add_error("apart", f"Enter a shorter name. This one is longer than {MAX_NAME} letters.")
        elif name:
            self._clean_name(name)
        if name and "short_name" in data:
            data["short_name"] = self._short_name(name, data["short_name"])
        return data

    def _clean_name(self, name: str) -> None:
        others = Player.objects.of_club(self.club).other_than(self.player).exclude(full_name="")
        others = others.select_related("merged_into")
        same = next((player for player in others if str(player).casefold() == name.casefold()), None)
        if same:
            self.wants_apart = True
            self.add_error("full_name", f"{same_name(same)} If this is someone else, enter what tells them apart.")
        elif self.player is None or folded(name) != folded(self.player.full_name):
            self.ask_if_meant("full_name", name, others)

    def _short_name(self, full_name, short_name):
        if not short_name:
            return short_name_for(self.club, full_name)
        present = Player.objects.of_club(self.club).present().filter(short_name__iexact=short_name)
        if present.other_than(self.player).exists():
            self.add_error("short_name", f"Someone else is called {short_name} at the table. Add an initial.")
        return short_name

    def clean_apart(self) -> str:
        return " ".join(self.cleaned_data["apart"].replace("(", " ").replace(")", " ").split())


def same_name(player: Player) -> str:
    """Return the error for a name that is taken."""
    if player.merged_into:
        return f"{player.full_name} was merged into {player.merged_into}."
    if player.left_on:
        return f"The club already has {player.full_name}, among the former members."
    return f"The club already has a player named {player.full_name}."


class ContactFields(Form):
    """Contact details, which need the player's agreement."""

    email = forms.EmailField(
        label="Email address",
        required=False,
        max_length=254,
        error_messages={"invalid": "Enter the email address in full, for example jean@example.org, or leave it empty."},
    )
    telephone = TidyField(label="Telephone", required=False, max_length=40)

    def has_contact(self) -> bool:
        return bool(self.cleaned_data.get("email") or self.cleaned_data.get("telephone"))


class ReachFields(ContactFields):
    """A player's name in public and contact details: for the secretary and for the player."""

    in_public = forms.ChoiceField(
        label="In public",
        widget=forms.RadioSelect,
        required=False,
        error_messages={"invalid_choice": "Choose what they are called in public."},
    )

    def offer_public_names(self, club: Club) -> None:
        self.fields["in_public"].choices = [("", _as_the_club(club)), *Player.InPublic.choices]


class AgreedContactFields(ContactFields):
    """Contact details as the secretary enters them, with the date the player agreed."""

    agreed_on = date_field("Agreed to this on", near=LASTING, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.has_contact() and not data.get("agreed_on") and "agreed_on" in data:
            error = "Enter the date the player agreed to this, or clear the email address and telephone."
            self.add_error("agreed_on", error)
        return data

    def contact(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("email", "telephone", "agreed_on")}


class PlayerForm(AgreedContactFields, NameFields):
    guest = forms.BooleanField(label="A guest, not a member", required=False)


# How players can be listed, and the facts that follow.
LISTED = {
    "member": {"guest": False, "beginner": False},
    "guest": {"guest": True, "beginner": False},
    "beginner": {"guest": False, "beginner": True},
}


class ListedForm(Form):
    """Lists several players at once as members, guests or beginners."""

    chosen = forms.MultipleChoiceField(
        label="Players",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one player.", "invalid_choice": "Choose players from the list."},
    )
    listed_as = radio_field("List them as", [(key, key.capitalize()) for key in LISTED], "Choose how to list them.")

    def __init__(self, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {str(player.pk): player for player in players}
        self.fields["chosen"].choices = [
            (key, f"{player.full_name}{', guest' if player.guest else ', beginner' if player.beginner else ''}")
            for key, player in self.players.items()
        ]

    def facts(self) -> dict[str, Any]:
        """Return the facts for change_player_facts."""
        return LISTED[self.cleaned_data["listed_as"]]


class PlayerChangeForm(ReachFields, AgreedContactFields, NameFields):
    """Everything that is stored about one player, for the secretary."""

    field_order = ("full_name", "somebody_else", "apart", "short_name", "guest", "beginner", "left_on")
    guest = forms.BooleanField(label="A guest, not a member", required=False)
    beginner = forms.BooleanField(label="A beginner, also ranked among the beginners", required=False)
    left_on = date_field(
        "Left the club on",
        "Enter the date, for example 12/11/2026, or leave it empty.",
        near=LASTING,
        required=False,
        help_text="You cannot choose a former member at a table. What they played stays. "
        "Leave it empty for a current member.",
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(club, *args, **kwargs)
        self.offer_public_names(club)

    def facts(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in FACTS}


class MergeForm(Form):
    """Which player is the same person as `player`, and which name to keep."""

    other = forms.ChoiceField(
        label="The same person as",
        error_messages={
            "required": "Choose who is the same person.",
            "invalid_choice": "Choose a player from the list.",
        },
    )
    keep = radio_field(
        "The name to keep", (("other", "The other one"), ("this", "This one")), required=False, initial="other"
    )

    def __init__(self, player: Player, others: list[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {str(player.pk): player for player in others}
        self.fields["other"].choices = [("", "— choose —"), *self.players.items()]
        self.player = player

    def gone_and_kept(self) -> tuple[Player, Player]:
        other = self.players[self.cleaned_data["other"]]
        return (other, self.player) if self.cleaned_data["keep"] == "this" else (self.player, other)


class MergedFactsForm(Form):
    """A choice for each fact in which two players to be merged differ."""

    LEGENDS = {
        "in_public": "In public",
        "guest": "Member or guest",
        "beginner": "Beginner or not",
        "left_on": "Still here or not",
    }

    def __init__(self, gone: Player, kept: Player, defaults: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.both = {"gone": gone, "kept": kept}
        for name, default in defaults.items():
            choices = [(which, f"{_fact_in_words(name, player)} ({player})") for which, player in self.both.items()]
            initial = next(which for which, player in self.both.items() if getattr(player, name) == default)
            self.fields[name] = radio_field(self.LEGENDS[name], choices, required=False, initial=initial)

    def facts(self) -> dict[str, Any]:
        """Return the chosen values; facts without a choice are left out."""
        return {name: getattr(self.both[which], name) for name, which in self.cleaned_data.items() if which}


def _fact_in_words(name, player):
    if name == "guest":
        return "A guest" if player.guest else "A member"
    if name == "beginner":
        return "A beginner" if player.beginner else "Not a beginner"
    if name == "left_on":
        return f"Left the club on {day_words(player.left_on)}" if player.left_on else "Still here"
    return player.get_in_public_display() if player.in_public else _as_the_club(player.club)


# Erasing asks twice, as it cannot be undone.


class EraseForm(Form):
    name = name_field("The player’s full name", "Enter the player’s full name, so that you do not erase the wrong one.")
    sure = forms.BooleanField(
        label="I know that this cannot be undone",
        error_messages={"required": "Select “I know that this cannot be undone”."},
    )

    login = forms.BooleanField(label="Erase the account too", required=False, initial=True)
    field_order = ("name", "login", "sure")

    def __init__(self, player: Player, has_login: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if not has_login:
            del self.fields["login"]
        self.fields["name"].help_text = f"As it appears here: {player.full_name}"

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name.casefold() != self.player.full_name.casefold():
            raise forms.ValidationError(f"Enter the name as it appears here: {self.player.full_name}.")
        return name


# A member's own choices: name in public and contact details.


class MeForm(ReachFields):
    agrees = forms.BooleanField(label="I agree that the club may keep these", required=False)

    def __init__(self, player: Player, contact: Contact | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["in_public"].error_messages["invalid_choice"] = "Choose what you are called in public."
        self.offer_public_names(player.club)
        self.stored = {"email": contact.email, "telephone": contact.telephone} if contact else {}
        self.agreed_on = contact and contact.agreed_on
        self.initial = {"in_public": player.in_public, "agrees": bool(contact), **self.stored}

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.has_contact() and not data.get("agrees"):
            self.add_error("agrees", "Select “I agree that the club may keep these”, or clear both boxes.")
        return data

    def contact(self, today: date) -> dict[str, Any]:
        """Return the contact details with the date of agreement, an earlier date if nothing changed."""
        data = {name: self.cleaned_data[name] for name in ("email", "telephone")}
        return {**data, "agreed_on": self.agreed_on if data == self.stored else today}
