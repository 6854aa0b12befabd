"""Forms of the rules: club hands, house rules, the calculator."""

from collections import Counter
from typing import Any

from django import forms
from django.forms.fields import IntegerField
from django.http import QueryDict

from clubscore.scoring import RULE_SETS, ScoringError, tiles
from clubscore.scoring.switches import STANDARD
from clubscore.table.hand_worth import AskedHand, read_asked_hand
from sessions_app.models import ClubHand
from sessions_app.people.form_fields import NUMERIC, TidyField, date_field
from sessions_app.rules.switches import form_value

KNOWN = {code.upper(): code for code in tiles.TILES}
FEWEST, OWN_HANDS_MOST = 14, 18
HIGHEST = 1_000_000


def figure(label: str, **more: Any) -> IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=HIGHEST,
        widget=forms.TextInput(attrs=NUMERIC),
        error_messages={
            "invalid": f"Enter a whole number for “{label}”. For example, 500.",
            "min_value": f"Enter a whole number for “{label}”. For example, 500.",
            "max_value": f"Enter a smaller number for “{label}”. The most is {HIGHEST:,}.",
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
    points = figure("Points", help_text="Only if you choose “A number of points”.")
    fishing = figure("Fishing score", help_text="Leave blank if fishing for it scores nothing.")
    concealed = forms.BooleanField(label="Concealed (only the last tile may be claimed)", required=False)
    since = date_field("First day", "Enter the first day as a date. For example, 12/11/2026.")
    until = date_field(
        "Last day",
        "Enter the last day as a date. For example, 12/11/2026.",
        required=False,
        help_text="Leave blank until you retire the hand.",
    )

    class Meta:
        model = ClubHand
        fields = ("name", "tiles", "text", "worth", "points", "fishing", "concealed", "since", "until")

    def clean_tiles(self) -> str:
        codes = self.cleaned_data["tiles"].upper().replace(",", " ").split()
        for code in codes:
            if code not in KNOWN:
                raise forms.ValidationError(f"Enter tiles such as 1C, 9B, E or R. “{code[:10]}” is not a tile.")
        many = [code for code, count in Counter(codes).items() if count > 4]
        if many:
            raise forms.ValidationError(f"Enter at most four of {tiles.tile_name(many[0])}.")
        if codes and not FEWEST <= len(codes) <= OWN_HANDS_MOST:
            raise forms.ValidationError(f"Enter {FEWEST} to {OWN_HANDS_MOST} tiles. You entered {len(codes)}.")
        return " ".join(codes)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
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

    def _post_clean(self):
        """Leave the row as it is: the service writes it."""

    def facts(self) -> dict[str, Any]:
        """Return what the services take."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


# The switches of a rule set as a club changes them: a choice for each, or a figure with words of its own for none.

NONE = "_none"

# Far above what any club plays, and low enough that whatever East pays double for it is still recorded.
HOUSE_RULES_MOST = {"east_max": 999}


def _read(words, text):
    return next(value for value, _, _ in words.values if form_value(value) == text)


class HouseRulesForm(forms.Form):
    """`values` are what the switches stand at; after cleaning, `house_rules` is what differs from the rule set."""

    note = forms.CharField(
        label="Reason, or when it was agreed",
        max_length=200,
        required=False,
        help_text="For example, “Agreed at the meeting in May”. It appears with the version.",
        error_messages={"max_length": "Enter at most 200 letters."},
    )
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, rules: str, values: dict[str, Any], base: int, *args: Any, **kwargs: Any) -> None:
        self.rule_set = RULE_SETS[rules]
        super().__init__(*args, initial={"base": base, **_initial(self.rule_set.switches, values)}, **kwargs)
        self.values = values
        self.switches = self.rule_set.switches
        for words in self.switches.values():
            self._add(words)

    def _add(self, words):
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
        self.house_rules = {}
        for key, default in self.rule_set.standard.items():
            if key not in data:
                continue
            words = self.switches[key]
            value = self._figure(key, data) if words.is_figure else _read(words, data[key])
            if key not in self.errors and not (type(value) is type(default) and value == default):
                self.house_rules[key] = value
        return data

    def _figure(self, key, data):
        """Read a figure as people write it, "1,000" too; an empty one is none where none is allowed and ticked."""
        words = self.switches[key]
        typed = data[key].replace(",", "").replace("\u00a0", "").strip()
        if data.get(key + NONE) and not typed:
            return None
        if data.get(key + NONE):
            self.add_error(key, f"Choose “{words.label(None)}” or enter a number, not both.")
            return None
        try:
            value = int(typed) if typed.isascii() and typed.isdigit() else typed or STANDARD
            words.check(value)
        except ScoringError:
            value = None
        if value is None or (value != STANDARD and value > HOUSE_RULES_MOST.get(key, HIGHEST)):
            self.add_error(key, words.mend)
            return None
        return value

    def fields_of(self, key: str) -> tuple[Any, ...]:
        """Return the bound field of a switch, and that of its "none" where it has one."""
        return self[key], self[key + NONE] if key + NONE in self.fields else None


def _initial(switches, values):
    found = {}
    for key, value in values.items():
        if not switches[key].is_figure:
            found[key] = form_value(value)
        else:
            found |= {key: "" if value in (None, STANDARD) else f"{value}", key + NONE: value is None}
    return found


# One hand asked for in the address.


def read_asked(query: QueryDict) -> AskedHand:
    return read_asked_hand({**query.dict(), "how": query.getlist("how")})
