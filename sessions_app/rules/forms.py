"""A special hand of the club's own: its name, its tiles or words, what it counts, and from when to when."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.forms.fields import DateField, IntegerField
from django.http import QueryDict

from clubscore.scoring import RULE_SETS, ScoringError, tiles
from clubscore.scoring.switches import SWITCHES
from sessions_app.models import ClubHand
from sessions_app.rules.drawn_hands import typed_sets

KNOWN = {code.upper(): code for code in tiles.TILES}


FEWEST, OWN_HANDS_MOST = 14, 18


HIGHEST = 1_000_000


DATE_WIDGET = {"type": "date"}


def figure(label: str, **more: Any) -> IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=HIGHEST,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
        error_messages={
            "invalid": f"{label}: write a whole number, 500 for instance.",
            "min_value": f"{label}: write a whole number, 500 for instance.",
            "max_value": f"{label}: write a smaller number.",
        },
        **more,
    )


def day(label: str, **more: Any) -> DateField:
    return forms.DateField(
        label=label,
        widget=forms.DateInput(attrs=DATE_WIDGET, format="%Y-%m-%d"),
        error_messages={"required": f"{label}: say which day.", "invalid": f"{label}: write it like 12/11/2026."},
        **more,
    )


class OwnHandForm(forms.ModelForm):
    name = forms.CharField(
        label="Name",
        max_length=60,
        help_text="“Dragon’s Tail” for instance.",
        error_messages={"required": "Give the hand a name.", "max_length": "The name has 60 letters at most."},
    )
    tiles = forms.CharField(
        label="One example, in tiles",
        required=False,
        max_length=80,
        help_text="1C to 9C characters, 1B bamboos, 1D circles, E S W N, R G P, with blanks between.",
        error_messages={"max_length": "A hand has 18 tiles at most."},
    )
    text = forms.CharField(
        label="In words",
        required=False,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="“1 to 9 of one suit, a pung of dragons and a pair of winds.”",
        error_messages={"max_length": "Say it in 300 letters."},
    )
    worth = forms.ChoiceField(
        label="It counts",
        choices=ClubHand.Worth.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Say what the hand counts.", "invalid_choice": "Say what the hand counts."},
    )
    points = figure("How many points", help_text="Where it counts so many points.")
    fishing = figure("Points for who was fishing for it", help_text="Leave it empty where fishing counts nothing.")
    concealed = forms.BooleanField(label="Concealed: nothing is claimed but the last tile", required=False)
    since = day("First day")
    until = day("Last day", required=False, help_text="Leave it empty until it is retired.")

    class Meta:
        model = ClubHand
        fields = ("name", "tiles", "text", "worth", "points", "fishing", "concealed", "since", "until")

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())

    def clean_text(self) -> str:
        return " ".join(self.cleaned_data["text"].split())

    def clean_tiles(self) -> str:
        codes = self.cleaned_data["tiles"].upper().replace(",", " ").split()
        for code in codes:
            if code not in KNOWN:
                raise forms.ValidationError(f"There is no tile {code[:10]}. Write 1C to 9C, 1B, 1D, E S W N or R G P.")
        many = [code for code, count in Counter(codes).items() if count > 4]
        if many:
            raise forms.ValidationError(f"There are only four of {tiles.tile_name(many[0])}.")
        if codes and not FEWEST <= len(codes) <= OWN_HANDS_MOST:
            raise forms.ValidationError(
                f"A hand has {FEWEST} tiles, with four kongs {OWN_HANDS_MOST}: these are {len(codes)}."
            )
        return " ".join(codes)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("tiles") == "" and data.get("text") == "":
            self.add_error("tiles", "Say how the hand is made: in tiles, in words, or both.")
        if data.get("worth") == ClubHand.Worth.POINTS:
            if data.get("points") is None and "points" not in self.errors:
                self.add_error("points", "Say how many points the hand counts.")
        else:
            data["points"] = None
        since, until = data.get("since"), data.get("until")
        if since and until and until < since:
            self.add_error("until", "The last day is before the first day.")
        return data

    def _post_clean(self):
        """Leave the row as it is: the service writes it."""

    def facts(self) -> dict[str, Any]:
        """Return what the services take."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


# The switches of a rule set as a club changes them: a choice for each, or a figure with words of its own for none.


NONE = "_none"


# Far above what any club plays, and low enough that whatever East pays double for it is still recorded.
HOUSE_RULES_MOST = {
    "limit": 1_000_000,
    "special_value": 1_000_000,
    "starting_balance": 1_000_000,
    "east_max": 999,
}


def token(value: int | str) -> str:
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

    def __init__(self, rules: str, values: dict[str, Any], base: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, initial={"base": base, **_initial(values)}, **kwargs)
        self.rule_set = RULE_SETS[rules]
        self.values = values
        for key in self.rule_set.house_rules:
            self._add(SWITCHES[key])

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

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        self.house_rules = {}
        for key, default in self.rule_set.house_rules.items():
            if key not in data:
                continue
            value = self._figure(key, data) if SWITCHES[key].is_figure else _read(SWITCHES[key], data[key])
            if key not in self.errors and not (type(value) is type(default) and value == default):
                self.house_rules[key] = value
        return data

    def _figure(self, key, data):
        """Read a figure as people write it, "1,000" too; an empty one is none where none is allowed and ticked."""
        typed = data[key].replace(",", "").replace("\u00a0", "").strip()
        if data.get(key + NONE) and not typed:
            return None
        if data.get(key + NONE):
            self.add_error(key, f"{SWITCHES[key].name}: either “{SWITCHES[key].label(None)}”, or a figure.")
            return None
        try:
            value = int(typed) if typed.isascii() and typed.isdigit() else typed
            SWITCHES[key].check(value)
        except ScoringError:
            value = None
        if value is None or value > HOUSE_RULES_MOST.get(key, value):
            self.add_error(key, SWITCHES[key].mend)
            return None
        return value

    def fields_of(self, key: str) -> tuple[Any, ...]:
        """Return the bound field of a switch, and that of its "none" where it has one."""
        return self[key], self[key + NONE] if key + NONE in self.fields else None


def _initial(values):
    found = {}
    for key, value in values.items():
        if not SWITCHES[key].is_figure:
            found[key] = token(value)
        else:
            found |= {key: "" if value is None else f"{value}", key + NONE: value is None}
    return found


# One hand asked for in the address: its tiles, the winds, how its last tile came. Whatever is typed stays as it is.


WINDS = "ESWN"


SOURCES = (
    ("wall", "From the wall"),
    ("discard", "A discard"),
    ("kong box", "A loose tile (Kong box)"),
    ("robbed", "Robbing a kong"),
)


WAYS = (
    ("last_tile", "The last tile of the wall, or the final discard"),
    ("dealt", "With the tiles as dealt"),
    ("first_discard", "On East’s first discard"),
    ("second_kong", "Replacement of a second kong"),
    ("flower", "It replaced a flower"),
    ("original_call", "An original call was made"),
    ("standing", "A standing hand"),
    ("first_round", "Before everybody’s second turn"),
    ("last_of_kind", "The other three are on the table"),
    ("fishing", "Fishing was declared (a hand that did not win)"),
    ("goulash", "It was a goulash"),
)


LONGEST = 400  # characters of one field: no hand has so many


SIZES = {"pair": 2, "pung": 3, "kong": 3, "chow": 3}


@dataclass(frozen=True)
class Asked:
    """What was asked: texts as typed, winds, source and ways as known; `tile` is the last one, empty where not told."""

    sets: tuple[str, ...] = ()
    tiles: str = ""
    bonus: str = ""
    own: str = "E"
    of_round: str = "E"
    tile: str = ""
    source: str = "wall"
    ways: tuple[str, ...] = ()
    club: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.sets or self.tiles or self.bonus)

    @property
    def sets_typed(self) -> str:
        return ", ".join(self.sets)

    @property
    def size(self) -> int:
        """The number of tiles, a kong counting three; a set nobody understands counts as one of three."""
        kinds = [(text.lower().split() or [""])[-2:][0] for text in self.sets]
        return sum(SIZES.get(kind, 3) for kind in kinds) + len(self.tiles.split())

    @property
    def form(self) -> dict[str, Any]:
        """The hand in the score format."""
        form = {"sets": list(self.sets), "tiles": self.tiles, "bonus": self.bonus}
        return form | {way: True for way in ("fishing", "original_call") if way in self.ways}

    def query(self) -> str:
        """Write the hand as the query of an address; what is as usual is left out."""
        kept = {
            "sets": self.sets_typed,
            "tiles": self.tiles,
            "bonus": self.bonus,
            "own": self.own,
            "round": self.of_round,
            "tile": self.tile,
            "from": self.source,
            "club": self.club,
        }
        pairs = [(key, value) for key, value in kept.items() if value]
        return urlencode([*pairs, *(("how", way) for way in self.ways)])


def read_asked(query: QueryDict) -> Asked:
    """Read a hand from a query; what is no choice of the page is taken for the usual."""
    sources, ways = dict(SOURCES), dict(WAYS)
    source = query.get("from", "")
    return Asked(
        sets=tuple(typed_sets(_text(query, "sets"))),
        tiles=" ".join(_text(query, "tiles").upper().replace(",", " ").split()),
        bonus=" ".join(_text(query, "bonus").upper().replace(",", " ").split()),
        own=_wind(query.get("own", "")),
        of_round=_wind(query.get("round", "")),
        tile=_text(query, "tile").strip().upper()[:2],
        source=source if source in sources else "wall",
        ways=tuple(way for way in ways if way in query.getlist("how")),
        club=_text(query, "club")[:60],
    )


def _text(query, key):
    return query.get(key, "")[:LONGEST]


def _wind(value):
    wind = value.strip().upper()
    return wind if len(wind) == 1 and wind in WINDS else "E"


# What a learner typed on the practice page: figures as whole numbers, or a sentence on what to mend.


MOST_DIGITS = 9


@dataclass(frozen=True)
class Counted:
    """The figures counted, None where nothing was typed; the words as typed; and sentences by figure."""

    figures: dict
    typed: dict
    errors: dict = field(default_factory=dict)

    @property
    def is_said(self) -> bool:
        return any(self.typed.values())


def read_counted(query: QueryDict, names: tuple[Any, ...]) -> Counted:
    """Read the figures of these names from a query."""
    figures, typed, errors = {}, {}, {}
    for name in names:
        typed[name] = query.get(name, "").strip()[:20]
        digits = typed[name].replace(",", "").replace(" ", "")
        figures[name] = None
        if not digits:
            continue
        if digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS:
            figures[name] = int(digits)
        else:
            errors[name] = f"{name.capitalize()}: write a whole number, like 28."
    return Counted(figures, typed, errors)
