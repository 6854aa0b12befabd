"""Forms for what is entered at a table besides hands, for the secretary's changes of a session, and score queries."""

import json
from collections.abc import Iterable
from typing import Any

from django import forms

from clubscore.play.command_kinds import LEAVE
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.tiles import WIND_NAMES
from sessions_app.models import HandQuery, Player
from sessions_app.people.dates import PLAYED
from sessions_app.people.form_fields import Form, TidyField, date_field, radio_field
from sessions_app.people.models import MAX_NAME
from sessions_app.people.player_forms import NEW, player_choices
from sessions_app.table.hand_queries import LONGEST
from sessions_app.table.models import MAX_TABLE

CHOOSE = ("", "— choose —")


class MarkedOptions(forms.widgets.ChoiceWidget):
    """A widget that gives some of its options attributes; `marks` has them by the options' values."""

    marks: dict[str, dict[str, str]] = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"] |= self.marks.get(value, {})
        return option


class MarkedSelect(MarkedOptions, forms.Select):
    pass


class MarkedRadioSelect(MarkedOptions, forms.RadioSelect):
    pass


def _names(seats):
    return [(str(seat.seat_no), seat.player.name) for seat in seats]


def _full_names(seats):
    return [(str(seat.seat_no), seat.player.full_name) for seat in seats]


# Who sits where.


class SeatingForm(Form):
    """Who really sits where, from the next hand on."""

    prefix = "winds"

    def __init__(self, seats, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.seats = seats
        choices = [("", "— empty seat —"), *_names(seats)]
        for wind, name in WIND_NAMES.items():
            self.fields[wind] = forms.ChoiceField(label=name, choices=choices, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        seen = set()
        for wind, name in WIND_NAMES.items():
            seat = data.get(wind)
            if seat and seat in seen:
                self.add_error(wind, f"Choose another player for {name}. This one already has a seat.")
            seen.add(seat)
        if "E" in data and not data["E"]:
            self.add_error("E", "Choose who is East.")
        if not self.errors and len(seen - {""}) < min(len(self.seats), 4):
            self.add_error("N", "Choose a player for each seat. Only a table of three has an empty seat.")
        return data

    @property
    def present(self) -> str:
        """The seats at the table as JSON, for the tablet."""
        return json.dumps([str(seat.seat_no) for seat in self.seats])

    def body(self, sitting_out_before: Iterable[str]) -> dict[str, Any]:
        """Return the seating: winds to seats, and who sits out, those who sat out before first."""
        winds = {wind: self.cleaned_data[wind] for wind in WINDS if self.cleaned_data[wind]}
        out = [str(seat.seat_no) for seat in self.seats if str(seat.seat_no) not in winds.values()]
        return {"winds": winds, "out": sorted(out, key=lambda seat: (seat not in sitting_out_before, int(seat)))}


class ExchangeForm(Form):
    """Two players sat the other way round."""

    a = forms.ChoiceField(label="One player", error_messages={"required": "Choose the first player."})
    b = forms.ChoiceField(label="The other player", error_messages={"required": "Choose the second player."})

    def __init__(self, seats, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["a"].choices = self.fields["b"].choices = [CHOOSE, *_names(seats)]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("a") and data.get("a") == data.get("b"):
            self.add_error("b", "Choose two different players.")
        return data


class ArriveForm(Form):
    """Someone joins the table."""

    player = forms.ChoiceField(label="Player", required=False, widget=MarkedSelect)
    plays_twice = forms.BooleanField(label="Seat the player here too", required=False)
    name = TidyField(label="New player’s name", required=False, max_length=MAX_NAME)
    guest = forms.BooleanField(label="A guest, not a member", required=False)

    def __init__(self, club, seats, *args, players=None, playing=None, **kwargs):
        """`players` are those a tablet without an account may see; others it seats if their full name is typed.

        `playing` has the table at which players still sit, by their ids.
        """
        super().__init__(*args, **kwargs)
        self.club = club
        self.playing = playing or {}
        self.seats_by_name = players is not None
        here = {str(seat.player_id) for seat in seats}
        choices = [choice for choice in player_choices(club, "— choose —", players) if choice[0] not in here]
        self.fields["player"].choices = choices
        self.fields["player"].widget.marks = {
            value: {
                "data-question": self._question(name, self.playing[int(value)]),
                "label": f"{name}, at table {self.playing[int(value)]}",
            }
            for value, name in choices
            if value.isdecimal() and int(value) in self.playing
        }
        if self.seats_by_name:
            self.fields["name"].help_text = "For a guest, or a member who is not in the list. Enter their full name."
            del self.fields["guest"]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        name = data.setdefault("name", "")
        if name and not data.get("player"):
            data["player"] = NEW
        if data.get("player") == NEW:
            self._clean_new_name(data, name)
        elif "player" in data and not data["player"]:
            self.add_error("player", "Choose the player who is joining.")
        self._ask_about_other_table(data)
        return data

    def _clean_new_name(self, data: dict[str, Any], name: str) -> None:
        known = Player.objects.of_club(self.club).filter(full_name__iexact=name)
        if not name:
            self.add_error("name", "Enter the new player’s name.")
        elif self.seats_by_name and (player := known.present().first()):
            data["player"] = str(player.pk)
        elif known.exists():
            self.add_error("name", f"The club already has {name}. Choose the name from the list.")

    @staticmethod
    def _question(name, table):
        playing = f"{name} is still playing at table {table}."
        return f"{playing} Finish that table first, or select “Seat the player here too”."

    def _ask_about_other_table(self, data: dict[str, Any]) -> None:
        """Ask once about a player who sits at another open table."""
        player = data.get("player") or ""
        table = self.playing.get(int(player)) if player.isdecimal() else None
        if table and not data["plays_twice"]:
            name = dict(self.fields["player"].choices).get(player) or data["name"]
            self.add_error("plays_twice", self._question(name, table))

    def is_new(self) -> bool:
        return self.cleaned_data["player"] == NEW


class ChangePlayerForm(Form):
    """It was not Ann but Anna: another person in the same seat, for the whole session."""

    seat = forms.ChoiceField(label="Written down as", error_messages={"required": "Choose the name that is wrong."})
    player = forms.TypedChoiceField(
        label="It really was", coerce=int, error_messages={"required": "Choose who it really was."}
    )

    def __init__(self, club, seats, *args, players=None, **kwargs):
        super().__init__(*args, **kwargs)
        here = {str(seat.player_id) for seat in seats}
        self.fields["seat"].choices = [CHOOSE, *_full_names(seats)]
        self.fields["player"].choices = [
            choice
            for choice in player_choices(club, "— choose —", players)
            if choice[0] not in here and choice[0] != NEW
        ]


class CommandForm(Form):
    """A form with a page of its own, command_form.html, and the keys of its command's body as its fields."""

    title, hint, button = "", "", ""

    def __init__(self, seats, *args, **kwargs):
        """`seats` are those at the table, to choose from as `seat`."""
        super().__init__(*args, **kwargs)
        if "seat" in self.fields:
            self.fields["seat"].choices = _full_names(seats)


class LeaveForm(CommandForm):
    title, button = "A player is leaving", "Leave the table"
    hint = "Their score stays on the sheet. A player who sits out takes the seat."
    seat = radio_field("Player", error="Choose the player who is leaving.")


# By the kind of their command, which is their address too.
COMMAND_FORMS: dict[str, type[CommandForm]] = {LEAVE.key: LeaveForm}


# The secretary's changes of a session.

KEPT = "It is kept in the history."


class MoveForm(Form):
    date = date_field("Date", "Enter the date it was played, for example 12/11/2026.", near=PLAYED)
    table = forms.IntegerField(
        label="Table",
        min_value=1,
        max_value=MAX_TABLE,
        error_messages={
            "required": "Enter the table number, for example 2.",
            "invalid": "Enter the table as a number, for example 2.",
            "min_value": "Enter a table number of 1 or more.",
            "max_value": f"Enter a table number of {MAX_TABLE} or less.",
        },
    )
    meeting_name = TidyField(
        label="Meeting",
        max_length=80,
        required=False,
        help_text="The meeting’s name, if it has one. For example, “Christmas party”. Leave it empty if not.",
        error_messages={"max_length": "Enter a shorter name, 80 letters at most."},
    )
    why = forms.CharField(label="Reason (optional)", max_length=200, required=False, help_text=KEPT)


class VoidForm(Form):
    why = forms.CharField(
        label="Reason",
        max_length=200,
        help_text=f"For example, “Started twice by mistake”. {KEPT}",
        error_messages={"required": f"Enter the reason. {KEPT}"},
    )


# Score queries, and the secretary's answer.

TOO_LONG = f"Enter {LONGEST} characters or fewer."


class AskForm(Form):
    text = forms.CharField(
        label="What do you think is wrong?",
        help_text="For example, “I had a concealed pung of 7 Circles, but it was scored as exposed.”",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Enter what you think is wrong.", "max_length": TOO_LONG},
    )


class AnswerForm(Form):
    outcome = radio_field("What is your answer?", HandQuery.Outcome.choices, "Choose your answer.")
    text = forms.CharField(
        label="Comment (optional)",
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"max_length": TOO_LONG},
    )
