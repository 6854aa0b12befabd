"""Signing a club up: its name, its address, where it plays and by which rules."""

from zoneinfo import available_timezones

from django import forms

from clubscore.scoring import RULE_SETS
from sessions_app.forms.logins import NewLoginForm
from sessions_app.models import Club
from sessions_app.services.clubs import SLUG_TAKEN

CONTINENTS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def time_zones():
    """Return the zones that have a place's name, as choices."""
    names = sorted(name for name in available_timezones() if name.partition("/")[0] in CONTINENTS)
    return [(name, name.replace("_", " ").replace("/", ", ", 1)) for name in names]


class ClubFields(forms.Form):
    club_name = forms.CharField(
        label="Name of the club",
        max_length=80,
        help_text="“Purbeck u3a Mah-jong” for instance.",
        error_messages={"required": "Write the club's name."},
    )
    slug = forms.SlugField(
        label="Address of its pages",
        max_length=40,
        required=False,
        help_text="A short word for it, “purbeck” for instance. Leave it empty and it is made from the name.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}),
        error_messages={"invalid": "Use small letters, figures and hyphens alone, “purbeck-u3a” for instance."},
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones, initial="Europe/London")
    rules = forms.ChoiceField(
        label="Rules it plays by",
        choices=lambda: [(key, rule_set.name) for key, rule_set in RULE_SETS.items()],
        initial="bmja",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the rules; each table can choose others."},
    )
    club_fields = ("club_name", "slug", "time_zone", "rules")

    def clean_slug(self):
        slug = self.cleaned_data["slug"].lower()
        if Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(SLUG_TAKEN)
        return slug

    def new_club(self):
        """Return what make_club takes."""
        data = self.cleaned_data
        return {"name": data["club_name"], **{field: data[field] for field in ("slug", "time_zone", "rules")}}


class SignUpForm(ClubFields, NewLoginForm):
    """A club with a login for its first secretary; ClubFields alone is for who has one."""

    field_order = (*ClubFields.club_fields, *NewLoginForm.login_fields)
