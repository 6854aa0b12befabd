"""Forms to register a club and for its settings: tables, public pages, money."""

import re
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.dates import MONTHS

from clubscore.scoring import RULE_SETS
from clubscore.scoring.sticks import STICK_SETS
from sessions_app.models import Club
from sessions_app.people.account_forms import NewAccountForm, ThrottledForm
from sessions_app.people.clubs import SLUG_TAKEN, is_slug_taken
from sessions_app.people.form_fields import (
    PLAIN_TEXT,
    Form,
    TidyField,
    amount_field,
    name_field,
    radio_field,
    time_field,
)
from sessions_app.people.logos import PICTURE_KINDS, PICTURE_WANTED

SLUG_WANTED = "Enter small letters, numbers and hyphens only, for example “purbeck-u3a”."
# The address of a website; a path is dropped, as framing is allowed to a whole site.
SITE = re.compile(r"(?P<origin>https?://[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?)(/[^\s;,]*)?\Z")
CONTINENTS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def time_zones() -> tuple[tuple[str, str], ...]:
    """Return the time zones named after a place, as choices; cached, as they are read from some 600 files."""
    names = sorted(name for name in available_timezones() if name.partition("/")[0] in CONTINENTS)
    return tuple((name, name.replace("_", " ").replace("/", ", ", 1)) for name in names)


def lower_slug(slug: str) -> str:
    """Return the slug in small letters; without underscores, as the names of backups cannot have them."""
    if "_" in slug:
        raise forms.ValidationError(SLUG_WANTED)
    return slug.lower()


class ClubFields(ThrottledForm):
    club_name = name_field(
        "Name of the club", "Enter the name of the club.", help_text="For example, “Purbeck u3a Mah-jong”."
    )
    slug = forms.SlugField(
        label="Address of its pages",
        max_length=40,
        required=False,
        help_text="A short word, for example “purbeck”. Leave it empty to make it from the name.",
        widget=forms.TextInput(attrs=PLAIN_TEXT),
        error_messages={"invalid": SLUG_WANTED},
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones, initial="Europe/London")
    rules = radio_field(
        "Rules",
        lambda: [(key, rule_set.name) for key, rule_set in RULE_SETS.items()],
        "Choose the rules. Each table can choose others.",
        initial="bmja",
        help_text="Most clubs and u3a groups in Britain play British (BMJA). Choose the u3a guide if your group plays "
        "by that booklet alone. You can change it later.",
    )

    def clean_slug(self) -> str:
        slug = lower_slug(self.cleaned_data["slug"])
        if is_slug_taken(slug):
            raise forms.ValidationError(SLUG_TAKEN)
        return slug

    def new_club(self) -> dict[str, str]:
        """Return the arguments of make_club."""
        data = self.cleaned_data
        return {"name": data["club_name"], **{field: data[field] for field in ("slug", "time_zone", "rules")}}


class SignUpForm(ClubFields, NewAccountForm):
    """A club with a new account for its secretary; ClubFields alone is for someone who has an account."""

    field_order = (*ClubFields.base_fields, *NewAccountForm.field_order)


# The club's settings.


class ClubSettingsForm(Form):
    name = name_field("Name of the club", "Enter the name of the club.")
    slug = forms.SlugField(
        label="Address of its pages",
        max_length=60,
        help_text="If you change it, the old address will still work.",
        widget=forms.TextInput(attrs=PLAIN_TEXT),
        error_messages=dict.fromkeys(("required", "invalid"), SLUG_WANTED),
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones)
    usual_place = TidyField(
        label="Usual venue", max_length=120, required=False, help_text="Filled in when you add a meeting."
    )
    usual_time = time_field("Usual start")
    contact_email = forms.EmailField(
        label="Contact",
        required=False,
        help_text="The club’s email address. Public pages show it, and replies to the club’s emails go there.",
        error_messages={"invalid": "Enter an email address, for example club@example.org."},
    )
    logo = forms.FileField(
        label="Logo",
        required=False,
        error_messages={"empty": PICTURE_WANTED},
        help_text=f"{PICTURE_WANTED} Pages and prints show it next to the club’s name.",
        widget=forms.FileInput(attrs={"accept": ",".join(kind for _, kind in PICTURE_KINDS)}),
    )
    removes_logo = forms.BooleanField(label="Remove the logo", required=False)
    stick_set = forms.ChoiceField(
        label="Tally sticks",
        required=False,
        choices=[("", "No sticks"), *((key, sticks.name) for key, sticks in STICK_SETS.items())],
        help_text="Filled in when you start a table.",
    )
    asks_agreement = forms.BooleanField(
        label="Another player agrees to each hand",
        required=False,
        help_text="After each hand, another player takes the tablet, checks the score and says whether it is right. "
        "A hand that no one agreed to still counts, and is marked.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored, choices = self.initial.get("time_zone"), time_zones()
        # A command may have set a zone that is not named after a place, for example UTC.
        if stored and stored not in dict(choices):
            choices = ((stored, stored), *choices)
        self.fields["time_zone"].choices = choices

    def clean_slug(self) -> str:
        return lower_slug(self.cleaned_data["slug"])

    def clean_logo(self) -> bytes | None:
        """Return the picture, or None if none is chosen."""
        chosen = self.cleaned_data["logo"]
        return chosen.read() if chosen else None

    def clean(self) -> dict[str, Any]:
        """Make the picture empty if the logo is removed and no other is chosen."""
        data = super().clean()
        if data.get("logo") is None and data.get("removes_logo"):
            data["logo"] = b""
        return data


# Which pages are public, and which names they show.


class PublicForm(Form):
    public_names = radio_field(
        "Names in public",
        Club.PublicNames.choices,
        "Choose how names are shown.",
        help_text="Used on public pages, and when someone watches a table. A player’s own choice comes first.",
    )
    shows_standings = forms.BooleanField(
        label="League table", required=False, help_text="The league tables of all seasons, and the results of meetings."
    )
    shows_honours = forms.BooleanField(
        label="Roll of honour", required=False, help_text="Who went Mah-jong with a special hand, and the tiles."
    )
    shows_meetings = forms.BooleanField(
        label="Meetings", required=False, help_text="When and where the club plays next. It shows no names."
    )
    framed_by = forms.CharField(
        label="Websites that may show parts of these pages",
        required=False,
        max_length=400,
        help_text="For example, https://www.example.org. If there are several, put a space between them.",
    )

    def clean_framed_by(self) -> str:
        sites = []
        for typed in self.cleaned_data["framed_by"].split():
            site = SITE.match(typed.lower())
            if not site:
                raise forms.ValidationError(f"Enter websites like https://www.example.org. “{typed}” is not one.")
            sites.append(site["origin"])
        return " ".join(dict.fromkeys(sites))

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        shows_names = data.get("shows_standings") or data.get("shows_honours")
        if shows_names and data.get("public_names") == Club.PublicNames.NOBODY:
            self.add_error("public_names", "Choose how to show names on the league table and roll of honour.")
        return data


# Money, which is optional: what a meeting costs, what points are worth, and who has paid.


class MoneyForm(Form):
    keeps_fees = forms.BooleanField(
        label="Keep a list of fees at each meeting",
        required=False,
        help_text="Who owes what for the table and for refreshments, who has paid, and the totals.",
    )
    currency = forms.ChoiceField(
        label="The club’s currency",
        choices=Club.Currency.choices,
        error_messages={"required": "Choose a currency.", "invalid_choice": "Choose a currency from the list."},
    )
    table_fee = amount_field("Table fee", initial=0, help_text="For each person at a meeting, in the club’s currency.")
    refreshments = amount_field("Refreshments", initial=0, help_text="For each person, in the club’s currency.")
    subscription = amount_field(
        "Yearly subscription",
        required=False,
        initial=0,
        help_text="For each member, in the club’s currency. Leave it empty if there is none.",
    )
    joint_subscription = amount_field(
        "Joint subscription",
        required=False,
        initial=0,
        help_text="For each of two who share one. Leave it empty if there is none.",
    )
    year_begins = forms.TypedChoiceField(
        label="The year begins in",
        required=False,
        empty_value="1",
        initial=1,
        coerce=int,
        choices=MONTHS.items(),
        help_text="For example, in September, where subscriptions are paid for the season.",
    )
    points_rate = amount_field(
        "What 1,000 points are worth",
        required=False,
        nothing=None,
        help_text="In the club’s currency. Leave it empty if points are not worth money.",
    )

    def clean_year_begins(self) -> int:
        return int(self.cleaned_data["year_begins"])
