"""Forms to register a club and for its settings: tables, public pages, money."""

import re
from decimal import Decimal
from typing import Any
from zoneinfo import available_timezones

from django import forms

from clubscore.scoring import RULE_SETS
from sessions_app.models import Club
from sessions_app.people.account_forms import CountedForm, NewAccountForm
from sessions_app.people.clubs import SLUG_TAKEN

CONTINENTS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def time_zones() -> list[tuple[str, str]]:
    """Return the time zones named after a place, as choices."""
    names = sorted(name for name in available_timezones() if name.partition("/")[0] in CONTINENTS)
    return [(name, name.replace("_", " ").replace("/", ", ", 1)) for name in names]


class ClubFields(CountedForm):
    club_name = forms.CharField(
        label="Name of the club",
        max_length=80,
        help_text="For example, “Purbeck u3a Mah-jong”.",
        error_messages={"required": "Enter the name of the club."},
    )
    slug = forms.SlugField(
        label="Address of its pages",
        max_length=40,
        required=False,
        help_text="A short word, for example “purbeck”. Leave it empty to make it from the name.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}),
        error_messages={"invalid": "Enter small letters, numbers and hyphens only, for example “purbeck-u3a”."},
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones, initial="Europe/London")
    rules = forms.ChoiceField(
        label="Rules",
        choices=lambda: [(key, rule_set.name) for key, rule_set in RULE_SETS.items()],
        initial="bmja",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the rules. Each table can choose others."},
    )
    club_fields = ("club_name", "slug", "time_zone", "rules")

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"].lower()
        if Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(SLUG_TAKEN)
        return slug

    def new_club(self) -> dict[str, str]:
        """Return what make_club takes."""
        data = self.cleaned_data
        return {"name": data["club_name"], **{field: data[field] for field in ("slug", "time_zone", "rules")}}


class SignUpForm(ClubFields, NewAccountForm):
    """A club with a new account for its secretary; ClubFields alone is for someone who has an account."""

    field_order = (*ClubFields.club_fields, *NewAccountForm.login_fields)


# The club's settings.


class ClubSettingsForm(forms.Form):
    asks_agreement = forms.BooleanField(
        label="Another player agrees to each hand",
        required=False,
        help_text="After each hand, another player takes the tablet, checks the score and says whether it is right. "
        "A hand that no one agreed to still counts, and is marked.",
    )


# Which pages are public, and which names they show.

NAMED = ("shows_standings", "shows_honours")


class PublicForm(forms.Form):
    public_names = forms.ChoiceField(
        label="Names in public",
        choices=Club.PublicNames.choices,
        widget=forms.RadioSelect,
        help_text="Used on public pages, and when someone watches a table. A player’s own choice comes first.",
        error_messages={"required": "Choose how names are shown."},
    )
    shows_standings = forms.BooleanField(
        label="League table", required=False, help_text="The league table of the season so far."
    )
    shows_honours = forms.BooleanField(
        label="Roll of honour", required=False, help_text="Who went Mah-jong with a special hand, and the tiles."
    )
    shows_meetings = forms.BooleanField(
        label="Meetings", required=False, help_text="When and where the club plays next. It shows no names."
    )

    def clean(self) -> dict[str, bool]:
        data = super().clean()
        if data.get("public_names") == Club.PublicNames.NOBODY and any(data.get(name) for name in NAMED):
            self.add_error("public_names", "Choose how to show names on the league table and roll of honour.")
        return data


# Money, where a club wants it: what a meeting costs, what points are worth, and who has paid.

MOST = Decimal("9999.99")


class AmountField(forms.DecimalField):
    """Accepts 1,50 for 1.50; a comma before three digits is an error."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = re.sub(r"^(\s*\d+),(\d{1,2}\s*)$", r"\1.\2", value)
        return super().to_python(value)


def amount_field(label: str, most: Decimal = MOST, **more: Any) -> AmountField:
    """Make a field for an amount in the club's currency, two decimals at most."""
    return AmountField(
        label=label,
        min_value=0,
        max_value=most,
        max_digits=7,
        decimal_places=2,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input-short"}),
        error_messages={
            "required": f"Enter an amount for “{label}”, for example 1.50, or 0 for nothing.",
            "invalid": f"Enter an amount for “{label}”, for example 1.50.",
            "min_value": f"Enter 0 or more for “{label}”.",
            "max_value": f"Enter {most:,} or less for “{label}”.",
            "max_decimal_places": f"Enter an amount for “{label}”, for example 1.50.",
            "max_digits": f"Enter {most:,} or less for “{label}”.",
            "max_whole_digits": f"Enter {most:,} or less for “{label}”.",
        },
        **more,
    )


class MoneyForm(forms.Form):
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
    points_rate = amount_field(
        "What 1,000 points are worth",
        required=False,
        help_text="In the club’s currency. Leave it empty if points are not worth money.",
    )

    def clean_points_rate(self) -> Any:
        return self.cleaned_data["points_rate"] or None
