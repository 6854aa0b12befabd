"""Adding a season and changing it: its dates, what it ranks and how."""

from django import forms

from clubscore.scoring import RULE_SETS
from sessions_app.models import Season
from sessions_app.queries.methods import METHODS

RECORDINGS = [
    ("settle", "Players settle up after each hand"),
    ("straight", "Everybody adds their own score, nobody pays"),
]


class SeasonForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=60,
        help_text="“Autumn 2026” for instance.",
        error_messages={"required": "Give the season a name."},
    )
    starts_on = forms.DateField(
        label="First day",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Say on which day the season begins.", "invalid": "Write the date like 1/9/2026."},
    )
    ends_on = forms.DateField(
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Say on which day the season ends.", "invalid": "Write the date like 31/12/2026."},
    )
    rules = forms.MultipleChoiceField(
        label="Rules that count",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one set of rules."},
    )
    recording = forms.ChoiceField(
        label="Sessions that count", choices=RECORDINGS, initial="settle", widget=forms.RadioSelect
    )
    method = forms.ChoiceField(
        label="Ranked by",
        choices=[(key, method.name) for key, method in METHODS.items()],
        initial="average",
        widget=forms.RadioSelect,
    )
    minimum_sessions = forms.IntegerField(
        label="Sessions needed for a place",
        min_value=1,
        max_value=99,
        initial=3,
        error_messages={
            "required": "Say how many sessions are needed.",
            "invalid": "This is a whole number, 3 for instance.",
        },
    )

    def __init__(self, club, *args, season=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.club = club
        self.others = Season.objects.of_club(club).exclude(pk=season.pk if season else None)
        self.fields["rules"].choices = [(key, rule_set.name) for key, rule_set in RULE_SETS.items()]

    def clean(self):
        data = super().clean()
        start, end = data.get("starts_on"), data.get("ends_on")
        if start and end and end < start:
            self.add_error("ends_on", "The last day is before the first day.")
        elif start and end:
            self._clean_overlap(start, end)
        return data

    def _clean_overlap(self, start, end):
        other = self.others.filter(starts_on__lte=end, ends_on__gte=start).first()
        if other:
            self.add_error("starts_on", f"These dates overlap with the season {other.name}.")

    def clean_name(self):
        name = self.cleaned_data["name"]
        if self.others.filter(name=name).exists():
            raise forms.ValidationError(f"There is already a season named {name}.")
        return name


class SeasonSettingsForm(SeasonForm):
    """Everything of a season, with what few clubs change beside."""

    minimum_hands = forms.IntegerField(
        label="Hands needed for a place",
        required=False,
        min_value=1,
        max_value=9999,
        help_text="Leave it empty where only sessions are asked.",
        error_messages={"invalid": "This is a whole number, 40 for instance, or empty."},
    )
    best_n = forms.IntegerField(
        label="How many sessions the best ones are",
        min_value=1,
        max_value=99,
        help_text="For “best sessions” alone: the eight best, for instance.",
        error_messages={
            "required": "Say how many sessions count as the best.",
            "invalid": "This is a whole number, 8 for instance.",
            "min_value": "At least one session counts.",
        },
    )
    why = forms.CharField(
        label="Why it is changed",
        max_length=300,
        required=False,
        help_text="The log keeps it.",
        error_messages={"max_length": "Say it in 300 letters."},
    )
