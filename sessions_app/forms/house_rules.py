"""The switches of a rule set as a club changes them: a choice for each, or a figure with words of its own for none."""

import json

from django import forms

from clubscore.scoring import HOUSE_RULE_SWITCHES, RULE_SETS, ScoringError
from clubscore.scoring.switch_words import WORDS_OF

SWITCHES = {switch.key: switch for switch in HOUSE_RULE_SWITCHES}
NONE = "_none"
MOST = {  # far above what any club plays, and low enough that whatever East pays double for it is still recorded
    "limit": 1_000_000,
    "special_value": 1_000_000,
    "starting_balance": 1_000_000,
    "east_max": 999,
}


def token(value):
    """Write a value as it stands in a form: true is not 1."""
    return value if isinstance(value, str) else json.dumps(value)


def _read(words, text):
    return next(value for value, _, _ in words.values if token(value) == text)


class HouseRulesForm(forms.Form):
    """`values` are what the switches stand at; after cleaning, `house_rules` is what differs from the rule set."""

    note = forms.CharField(
        label="Why, or when it was agreed",
        max_length=200,
        required=False,
        help_text="“Agreed at the meeting in May” for instance. It stands beside the edition.",
        error_messages={"max_length": "Say it in 200 letters."},
    )
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, rules, values, base, *args, **kwargs):
        super().__init__(*args, initial={"base": base, **_initial(values)}, **kwargs)
        self.rule_set = RULE_SETS[rules]
        self.values = values
        for key in self.rule_set.house_rules:
            self._add(WORDS_OF[key])

    def _add(self, words):
        if not words.is_figure:
            self.fields[words.key] = forms.ChoiceField(
                label=words.name,
                choices=[(token(value), label) for value, label, _ in words.values],
                widget=forms.RadioSelect,
                error_messages={
                    "required": f"{words.name}: choose one.",
                    "invalid_choice": f"{words.name}: choose one of those below.",
                },
            )
            return
        self.fields[words.key] = forms.CharField(
            label=words.name, required=False, max_length=20, widget=forms.TextInput(attrs={"inputmode": "numeric"})
        )
        if SWITCHES[words.key].none_allowed:
            self.fields[words.key + NONE] = forms.BooleanField(label=words.label(None), required=False)

    def clean(self):
        data = super().clean()
        self.house_rules = {}
        for key, default in self.rule_set.house_rules.items():
            if key not in data:
                continue
            value = self._figure(key, data) if WORDS_OF[key].is_figure else _read(WORDS_OF[key], data[key])
            if key not in self.errors and not (type(value) is type(default) and value == default):
                self.house_rules[key] = value
        return data

    def _figure(self, key, data):
        """Read a figure as people write it, "1,000" too; an empty one is none where none is allowed and ticked."""
        typed = data[key].replace(",", "").replace("\u00a0", "").strip()
        if data.get(key + NONE) and not typed:
            return None
        if data.get(key + NONE):
            self.add_error(key, f"{WORDS_OF[key].name}: either “{WORDS_OF[key].label(None)}”, or a figure.")
            return None
        try:
            value = int(typed) if typed.isascii() and typed.isdigit() else typed
            SWITCHES[key].check(value)
        except ScoringError:
            value = None
        if value is None or value > MOST.get(key, value):
            self.add_error(key, WORDS_OF[key].mend)
            return None
        return value

    def fields_of(self, key):
        """Return the bound field of a switch, and that of its "none" where it has one."""
        return self[key], self[key + NONE] if key + NONE in self.fields else None


def _initial(values):
    found = {}
    for key, value in values.items():
        if not WORDS_OF[key].is_figure:
            found[key] = token(value)
        else:
            found |= {key: "" if value is None else f"{value}", key + NONE: value is None}
    return found
