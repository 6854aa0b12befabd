"""Forms of the rules: club hands, house rules, the calculator."""

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.fields import IntegerField
from django.http import QueryDict

from clubscore.play.hand_worth import AskedHand, read_asked_hand
from clubscore.play.offered import MAX_FIGURE, NONE, form_value, read_house_rules
from clubscore.scoring import RULE_SETS, tiles
from clubscore.scoring.switches import STANDARD, HouseRules, Switch
from clubscore.scoring.words import listed
from sessions_app.models import ClubHand
from sessions_app.people.dates import LASTING, day_words
from sessions_app.people.form_fields import NUMERIC, Form, TidyField, date_field
from sessions_app.rules.switches import ShownSwitch, shown_switches

MIN_TILES, MAX_TILES = 14, 18


def figure_field(label: str, **more: Any) -> IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=MAX_FIGURE,
        widget=forms.TextInput(attrs=NUMERIC),
        error_messages={
            "invalid": f"Enter a whole number for “{label}”. For example, 500.",
            "min_value": f"Enter a whole number for “{label}”. For example, 500.",
            "max_value": f"Enter a smaller number for “{label}”. The most is {MAX_FIGURE:,}.",
        },
        **more,
    )


class ClubHandForm(forms.ModelForm):
    name = TidyField(
        label="Name",
        max_length=60,
        help_text="For example, “Dragon’s Tail”.",
        error_messages={"required": "Enter a name for the hand.", "max_length": "Enter a name of at most 60 letters."},
    )
    tiles = forms.CharField(
        label="Example tiles",
        required=False,
        max_length=80,
        help_text="Characters 1C to 9C, bamboos 1B to 9B, circles 1D to 9D, E S W N, R G P. Put spaces between.",
        error_messages={"max_length": "Enter at most 18 tiles."},
    )
    text = TidyField(
        label="Description",
        required=False,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For example, “1 to 9 of one suit, a pung of dragons and a pair of winds.”",
        error_messages={"max_length": "Enter at most 300 letters."},
    )
    worth = forms.ChoiceField(
        label="Score",
        choices=ClubHand.Worth.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what the hand scores.", "invalid_choice": "Choose what the hand scores."},
    )
    points = figure_field("Points", help_text="Only if you choose “A number of points”.")
    fishing = figure_field("Fishing score", help_text="Leave blank if fishing for it scores nothing.")
    concealed = forms.BooleanField(label="Concealed (only the last tile may be claimed)", required=False)
    since = date_field("First day", "Enter the first day as a date. For example, 12/11/2026.", near=LASTING)
    until = date_field(
        "Last day",
        "Enter the last day as a date. For example, 12/11/2026.",
        near=LASTING,
        required=False,
        help_text="Leave blank until you retire the hand.",
    )

    class Meta:
        model = ClubHand
        fields = ("name", "tiles", "text", "worth", "points", "fishing", "concealed", "since", "until")

    def clean_tiles(self) -> str:
        codes = self.cleaned_data["tiles"].upper().replace(",", " ").split()
        for code in codes:
            if code not in tiles.TILES:
                raise forms.ValidationError(f"Enter tiles such as 1C, 9B, E or R. “{code[:10]}” is not a tile.")
        many = [code for code, count in Counter(codes).items() if count > 4]
        if many:
            raise forms.ValidationError(f"Enter at most four of {tiles.tile_name(many[0])}.")
        if codes and not MIN_TILES <= len(codes) <= MAX_TILES:
            raise forms.ValidationError(f"Enter {MIN_TILES} to {MAX_TILES} tiles. You entered {len(codes)}.")
        return " ".join(codes)

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        if data.get("tiles") == "" and data.get("text") == "":
            self.add_error("tiles", "Enter example tiles, a description, or both.")
        if data.get("worth") == ClubHand.Worth.POINTS:
            if data.get("points") is None and "points" not in self.errors:
                self.add_error("points", "Enter the points the hand scores. For example, 500.")
        else:
            data["points"] = None
        since, until = data.get("since"), data.get("until")
        if since and until and until < since:
            self.add_error("until", "Enter a last day that is not before the first day.")
        return data

    def _post_clean(self) -> None:
        """Do not change the instance: the service does."""

    def facts(self) -> dict[str, Any]:
        """Return the arguments for the services."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


# House rules: a choice for each switch, or a number with a checkbox for none.


class HouseRulesForm(Form):
    """Takes the current `values` of the switches; cleaning puts those that are not standard into `house_rules`."""

    since = date_field(
        "Counts from",
        near=LASTING,
        required=False,
        help_text="Tables of that day and later use these rules. It can be a day to come.",
    )
    also_later = forms.BooleanField(required=False, initial=True)
    note = forms.CharField(
        label="Reason, or when it was agreed",
        max_length=200,
        required=False,
        help_text="For example, “Agreed at the meeting in May”. It appears with the version.",
        error_messages={"max_length": "Enter at most 200 letters."},
    )
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        rules: str,
        values: dict[str, Any],
        base: int,
        data: QueryDict | None,
        *,
        since: datetime.date,
        planned: Sequence[datetime.date] = (),
    ) -> None:
        self.rule_set = RULE_SETS[rules]
        super().__init__(data, initial={"base": base, "since": since, **_initial(self.rule_set.switches, values)})
        self.switches = self.rule_set.switches
        if planned:
            self.fields["also_later"].label = f"Also from {listed(map(day_words, planned))} on, in what is planned"
        else:
            del self.fields["also_later"]
        for words in self.switches.values():
            self._add(words)

    def _add(self, words: Switch) -> None:
        if not words.is_figure:
            self.fields[words.key] = forms.ChoiceField(
                label=words.name,
                choices=[(form_value(value), label) for value, label, _ in words.values],
                widget=forms.RadioSelect,
                error_messages={
                    "required": f"Choose an option for “{words.name}”.",
                    "invalid_choice": f"Choose one of the options for “{words.name}”.",
                },
            )
            return
        self.fields[words.key] = forms.CharField(
            label=words.name, required=False, max_length=20, widget=forms.TextInput(attrs=NUMERIC)
        )
        if words.none_allowed:
            self.fields[words.key + NONE] = forms.BooleanField(label=words.label(None), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        # What the fields of choices refused says so already.
        typed = {name: value for name, value in data.items() if isinstance(value, str)}
        ticked = {name: "on" for name, value in data.items() if name.endswith(NONE) and value}
        self.house_rules, problems = read_house_rules(self.rule_set.key, typed | ticked)
        for name, sentence in problems:
            if name not in self.errors:
                self.add_error(name, sentence)
        return data

    def groups(self, house: HouseRules) -> list[tuple[str, list[dict[str, Any]]]]:
        """Return the switches as a page shows them under these house rules, in groups: (title, rows)."""
        shown = shown_switches(self.rule_set.key, house)
        return [(title, [self._row(switch) for switch in switches]) for title, switches in shown]

    def _row(self, switch: ShownSwitch) -> dict[str, Any]:
        """Return a switch with its bound field, and that of its checkbox for none, or None if it has no checkbox."""
        none = self[switch.key + NONE] if switch.key + NONE in self.fields else None
        return {"switch": switch, "field": self[switch.key], "none": none, "is_figure": switch.words.is_figure}


def _initial(switches: dict[str, Switch], values: dict[str, Any]) -> dict[str, str | bool]:
    found: dict[str, str | bool] = {}
    for key, value in values.items():
        if not switches[key].is_figure:
            found[key] = form_value(value)
        else:
            found |= {key: "" if value in (None, STANDARD) else f"{value}", key + NONE: value is None}
    return found


def read_asked(query: QueryDict) -> AskedHand:
    return read_asked_hand({**query.dict(), "how": query.getlist("how")})
