"""A special hand of the club's own: its name, its tiles or words, what it counts, and from when to when."""

from collections import Counter

from django import forms

from clubscore.scoring import tiles
from sessions_app.models import ClubHand

KNOWN = {code.upper(): code for code in tiles.TILES}
FEWEST, MOST = 14, 18
HIGHEST = 1_000_000
DATE_WIDGET = {"type": "date"}


def figure(label, **more):
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


def day(label, **more):
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

    def clean_name(self):
        return " ".join(self.cleaned_data["name"].split())

    def clean_text(self):
        return " ".join(self.cleaned_data["text"].split())

    def clean_tiles(self):
        codes = self.cleaned_data["tiles"].upper().replace(",", " ").split()
        for code in codes:
            if code not in KNOWN:
                raise forms.ValidationError(f"There is no tile {code[:10]}. Write 1C to 9C, 1B, 1D, E S W N or R G P.")
        many = [code for code, count in Counter(codes).items() if count > 4]
        if many:
            raise forms.ValidationError(f"There are only four of {tiles.tile_name(many[0])}.")
        if codes and not FEWEST <= len(codes) <= MOST:
            raise forms.ValidationError(f"A hand has {FEWEST} tiles, with four kongs {MOST}: these are {len(codes)}.")
        return " ".join(codes)

    def clean(self):
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

    def facts(self):
        """Return what the services take."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}
