"""What can be written into a table's ledger besides hands: penalties, seating, coming and going."""

import datetime
import json
from collections.abc import Iterable
from typing import Any

from django import forms

from clubscore.scoring import RULE_SETS, HouseRules, RuleSet
from clubscore.scoring.rotation import WINDS as LETTERS
from clubscore.scoring.rules import Foul
from clubscore.scoring.score import settling_of
from clubscore.scoring.settlement import PENALTY_KINDS, Penalty, Table
from clubscore.scoring.words import in_words
from sessions_app.models import HandQuery, Player
from sessions_app.people.log_pages import FIRST_YEAR, LAST_YEAR
from sessions_app.people.models import MAX_NAME
from sessions_app.people.player_forms import NEW, player_choices
from sessions_app.table.hand_queries import LONGEST
from sessions_app.table.models import MAX_TABLE

WINDS = (("E", "East"), ("S", "South"), ("W", "West"), ("N", "North"))
NOBODY = "nobody"


class FoulSelect(forms.RadioSelect):
    """Penalties to choose from; those that nobody receives are marked, as the page asks for no one then."""

    to_nobody: frozenset[str] = frozenset()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value in self.to_nobody:
            option["attrs"]["data-to-nobody"] = ""
        return option


NOT_PLAYING = "Choose a player who is playing in this hand."


class PenaltyForm(forms.Form):
    """A fine outside a hand, or a false Mah-jong where it voids the hand: what the table's rules have of them.

    `seats` are those who play: who sits out is asked nothing.
    """

    kind = forms.ChoiceField(
        label="What happened", widget=FoulSelect, error_messages={"required": "Choose what happened."}
    )
    by = forms.ChoiceField(
        label="Who pays",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who pays.", "invalid_choice": NOT_PLAYING},
    )
    to = forms.ChoiceField(
        label="Who receives it",
        widget=forms.RadioSelect,
        required=False,
        error_messages={"invalid_choice": NOT_PLAYING},
    )
    amount = forms.IntegerField(
        label="Amount",
        required=False,
        min_value=1,
        max_value=1_000_000,
        error_messages={
            "invalid": "Enter the amount as a whole number, for example 50.",
            "min_value": "Enter an amount of at least 1.",
        },
    )
    why = forms.CharField(label="Reason (optional)", required=False, max_length=200)

    def __init__(self, house, seats, *args, **kwargs):
        super().__init__(*args, **kwargs)
        rule_set = RULE_SETS[house.rules]
        self.seated = [str(seat.chair) for seat in seats]
        self.fouls = {foul.key: foul for foul in rule_set.fouls if is_outside_a_hand(rule_set, foul)}
        words = rule_set.vocabulary()
        self.fields["kind"].choices = [
            (foul.key, in_words(words, foul_words(foul, house))) for foul in self.fouls.values()
        ]
        choices = [(str(seat.chair), seat.player.name) for seat in seats]
        self.fields["by"].choices = choices
        self.fields["kind"].widget.to_nobody = frozenset(key for key, foul in self.fouls.items() if foul.to == "nobody")
        self.fields["to"].choices = [(NOBODY, "Nobody: the points are only taken off"), *choices]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        foul = self.fouls.get(data.get("kind"))
        if foul and foul.is_fine:
            self._clean_fine(data, foul)
        return data

    def _clean_fine(self, data, foul):
        if "amount" in data and data["amount"] is None:
            self.add_error("amount", "Enter the amount, for example 50.")
        if foul.to == "nobody":
            return
        if foul.to == "one" and data.get("to") in ("", NOBODY):
            self.add_error("to", SENTENCES["no_payee"])
        if data.get("by") and data.get("to") == data["by"]:
            self.add_error("to", SENTENCES["pays_self"])

    def known_fouls(self) -> dict[str, dict[str, Any]]:
        """Return what the tablet has to know of each penalty, to make the same command by itself."""
        return {
            key: {"kind": foul.kind, "is_fine": foul.is_fine, "to": foul.to, "why": why_of(foul)}
            for key, foul in self.fouls.items()
        }

    def command(self) -> tuple[str, dict[str, Any]]:
        """Return kind and body of the command."""
        data = self.cleaned_data
        foul = self.fouls[data["kind"]]
        if foul.is_fine:
            to = None if foul.to == "nobody" or data["to"] in ("", NOBODY) else data["to"]
            why = data["why"] or why_of(foul)
            return "fine", {"by": data["by"], "to": to, "amount": data["amount"], "why": why}
        hands = {seat: {} for seat in self.seated}
        return "hand", {"hands": hands, "mahjong": None, "penalties": [{"kind": foul.kind, "by": data["by"]}]}


def is_outside_a_hand(rule_set: RuleSet, foul: Foul) -> bool:
    """Tell whether a penalty may be given apart from a hand: a fine, or what makes a hand of its own, a void one."""
    return foul.is_fine or (foul.kind == "false mahjong" and rule_set.false_mahjong_voids)


def foul_words(foul: Foul, house: HouseRules) -> str:
    return foul.words if foul.is_fine else f"{foul.words}: the hand is void and played again. {cost_words(foul, house)}"


def cost_words(foul: Foul, house: HouseRules) -> str:
    """Say what a penalty costs before it is given; nothing where the amount is typed, or in its own words."""
    kind = PENALTY_KINDS[foul.kind]
    if kind.pays_for_all:
        return "Pays the winner for everyone."
    if kind.has_amount:
        return ""
    nobody_scored = Table(dict.fromkeys(LETTERS, 0), (), None, [], settling_of(house))
    shares = kind.charge(Penalty(kind.key, "S", "W", 0), nobody_scored)
    return f"Costs {shares[0][2]:,}{' to each other player' if len(shares) > 1 else ''}."


def why_of(foul: Foul) -> str:
    """Return what stands for a fine without a reason given: the foul itself, where it is one in particular."""
    return "" if foul.to == "anybody" else foul.words.split(":")[0]


def within_a_hand(rule_set: RuleSet) -> list[str]:
    """Return the words of the penalties that can only be given with a hand."""
    return [foul.words.split(":")[0] for foul in rule_set.fouls if not is_outside_a_hand(rule_set, foul)]


class SeatingForm(forms.Form):
    """Who really sits where, from the next hand on."""

    def __init__(self, seats, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.seats = seats
        choices = [("", "— empty seat —"), *((str(seat.chair), seat.player.name) for seat in seats)]
        for letter, name in WINDS:
            self.fields[letter] = forms.ChoiceField(label=name, choices=choices, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        seen = set()
        for letter, name in WINDS:
            seat = data.get(letter)
            if seat and seat in seen:
                self.add_error(letter, f"Choose another player for {name}. This one already has a seat.")
            seen.add(seat)
        if "E" in data and not data["E"]:
            self.add_error("E", "Choose who is East.")
        if not self.errors and len(seen - {""}) < min(len(self.seats), 4):
            self.add_error("N", "Choose a player for each seat. Only a table of three has an empty seat.")
        return data

    @property
    def present(self) -> str:
        """The seats at the table as JSON, for the tablet."""
        return json.dumps([str(seat.chair) for seat in self.seats])

    def body(self, sitting_out_before: Iterable[str]) -> dict[str, Any]:
        """Return the seating: winds to seats, and who sits out, those who sat out before first."""
        winds = {letter: self.cleaned_data[letter] for letter, _ in WINDS if self.cleaned_data[letter]}
        out = [str(seat.chair) for seat in self.seats if str(seat.chair) not in winds.values()]
        return {"winds": winds, "out": sorted(out, key=lambda seat: (seat not in sitting_out_before, int(seat)))}


class ExchangeForm(forms.Form):
    """Two players sat the other way round."""

    a = forms.ChoiceField(label="One player", error_messages={"required": "Choose the first player."})
    b = forms.ChoiceField(label="The other player", error_messages={"required": "Choose the second player."})

    def __init__(self, seats, *args, **kwargs):
        super().__init__(*args, **kwargs)
        choices = [("", "— choose —"), *((str(seat.chair), seat.player.name) for seat in seats)]
        self.fields["a"].choices = self.fields["b"].choices = choices

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("a") and data.get("a") == data.get("b"):
            self.add_error("b", "Choose two different players.")
        return data


class PlayerSelect(forms.Select):
    """Players to choose from; those who still play at another table are marked with the question about that."""

    questions = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value in self.questions:
            option["attrs"]["data-question"] = self.questions[value]
        return option


class ArriveForm(forms.Form):
    """Someone joins the table."""

    player = forms.ChoiceField(label="Player", required=False, widget=PlayerSelect)
    plays_twice = forms.BooleanField(label="Seat the player here too", required=False)
    name = forms.CharField(label="New player's name", required=False, max_length=MAX_NAME)
    guest = forms.BooleanField(label="A guest, not a member", required=False)

    def __init__(self, club, seats, *args, players=None, playing=None, **kwargs):
        """`players`: whom a tablet without a login may see. Of the others it seats those whose whole name is typed.

        `playing` tells at which other table players still sit, by their ids.
        """
        super().__init__(*args, **kwargs)
        self.club = club
        self.playing = playing or {}
        self.seats_known_by_name = players is not None
        here = {str(seat.player_id) for seat in seats}
        choices = [one for one in player_choices(club, "— choose —", players) if one[0] not in here]
        self.fields["player"].choices = choices
        self.fields["player"].widget.questions = {
            value: self._question(name, self.playing[int(value)])
            for value, name in choices
            if value.isdecimal() and int(value) in self.playing
        }
        if self.seats_known_by_name:
            self.fields["name"].help_text = "For a guest, or a member who is not in the list. Enter their full name."
            del self.fields["guest"]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        name = " ".join(data.get("name", "").split())
        if name and not data.get("player"):
            data["player"] = NEW
        known = Player.objects.of_club(self.club).filter(full_name__iexact=name)
        if data.get("player") == NEW and not name:
            self.add_error("name", "Enter the new player’s name.")
        elif data.get("player") == NEW and self.seats_known_by_name and known.present().exists():
            data["player"] = str(known.present().first().pk)
        elif data.get("player") == NEW and known.exists():
            self.add_error("name", f"The club already has {name}. Choose the name from the list.")
        elif "player" in data and not data["player"]:
            self.add_error("player", "Choose the player who is joining.")
        data["name"] = name
        self._ask_about_other_table(data)
        return data

    @staticmethod
    def _question(name, table):
        playing = f"{name} is still playing at table {table}."
        return f"{playing} Finish that table first, or select “Seat the player here too”."

    def _ask_about_other_table(self, data):
        """Ask once about a player who sits at another open table."""
        player = data.get("player") or ""
        table = self.playing.get(int(player)) if player.isdecimal() else None
        if table and not data["plays_twice"]:
            name = dict(self.fields["player"].choices).get(player) or data["name"]
            self.add_error("plays_twice", self._question(name, table))

    def is_new(self) -> bool:
        return self.cleaned_data["player"] == NEW


class LeaveForm(forms.Form):
    """Someone goes home."""

    seat = forms.ChoiceField(
        label="Player", widget=forms.RadioSelect, error_messages={"required": "Choose the player who is leaving."}
    )

    def __init__(self, seats, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["seat"].choices = [(str(seat.chair), seat.player.full_name) for seat in seats]


class ChangePlayerForm(forms.Form):
    """It was not Ann but Anna: another person in the same seat, for the whole session."""

    seat = forms.ChoiceField(label="Written down as", error_messages={"required": "Choose the name that is wrong."})
    player = forms.TypedChoiceField(
        label="It really was", coerce=int, error_messages={"required": "Choose who it really was."}
    )

    def __init__(self, club, seats, *args, players=None, **kwargs):
        super().__init__(*args, **kwargs)
        here = {str(seat.player_id) for seat in seats}
        self.fields["seat"].choices = [
            ("", "— choose —"),
            *((str(seat.chair), seat.player.full_name) for seat in seats),
        ]
        self.fields["player"].choices = [
            choice
            for choice in player_choices(club, "— choose —", players)
            if choice[0] not in here and choice[0] != NEW
        ]


# What the secretary says about a session as a whole: where it belongs, and why it shall not count.

WHY = "It is kept in the history."


class MoveForm(forms.Form):
    date = forms.DateField(
        label="Date",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={
            "required": "Enter the date it was played, for example 12/11/2026.",
            "invalid": "Enter the date, for example 12/11/2026.",
        },
    )
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
    meeting_name = forms.CharField(
        label="Meeting",
        max_length=80,
        required=False,
        help_text="The meeting’s name, if it has one. For example, “Christmas party”. Leave it empty if not.",
        error_messages={"max_length": "Enter a shorter name, 80 letters at most."},
    )
    why = forms.CharField(label="Reason (optional)", max_length=200, required=False, help_text=WHY)

    def clean_date(self) -> datetime.date:
        date = self.cleaned_data["date"]
        if not FIRST_YEAR <= date.year <= LAST_YEAR:
            raise forms.ValidationError("Enter the year with four digits, for example 2026.")
        return date

    def clean_meeting_name(self) -> str:
        return " ".join(self.cleaned_data["meeting_name"].split())


class VoidForm(forms.Form):
    why = forms.CharField(
        label="Reason",
        max_length=200,
        help_text="For example, “Started twice by mistake”. It is kept in the history.",
        error_messages={"required": "Enter the reason. It is kept in the history."},
    )


# Asking whether a hand is right, and the secretary's answer.

TOO_LONG = f"Enter {LONGEST} characters or fewer."


class AskForm(forms.Form):
    text = forms.CharField(
        label="What do you think is wrong?",
        help_text="For example, “I had a concealed pung of 7 Circles, but it was scored as exposed.”",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Enter what you think is wrong.", "max_length": TOO_LONG},
    )


class AnswerForm(forms.Form):
    outcome = forms.ChoiceField(
        label="What is your answer?",
        choices=HandQuery.Outcome.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose your answer."},
    )
    text = forms.CharField(
        label="Comment (optional)",
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"max_length": TOO_LONG},
    )
