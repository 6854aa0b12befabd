"""Money, where a club wants it: what a meeting costs, what points are worth, and who has paid."""

import re
from decimal import Decimal

from django import forms

from sessions_app.models import Club

MOST = Decimal("9999.99")


class AmountField(forms.DecimalField):
    """Takes 1,50 for 1.50; a comma before three figures is no decimal one, and is asked about."""

    def to_python(self, value):
        if isinstance(value, str):
            value = re.sub(r"^(\s*\d+),(\d{1,2}\s*)$", r"\1.\2", value)
        return super().to_python(value)


def amount_field(label, most=MOST, **more):
    """Make a field for an amount in the club's currency, two decimals at most."""
    return AmountField(
        label=label,
        min_value=0,
        max_value=most,
        max_digits=7,
        decimal_places=2,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input-short"}),
        error_messages={
            "required": f"{label}: write an amount, 0 for nothing.",
            "invalid": f"{label}: write an amount like 1.50.",
            "min_value": f"{label}: an amount is never below nothing.",
            "max_value": f"{label}: that is more than can be kept, {most:,}.",
            "max_decimal_places": f"{label}: write an amount like 1.50.",
            "max_digits": f"{label}: that is more than can be kept, {most:,}.",
            "max_whole_digits": f"{label}: that is more than can be kept, {most:,}.",
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
    table_fee = amount_field("Table fee", initial=0, help_text="In the club’s currency, what each pays for a meeting.")
    refreshments = amount_field("Refreshments", initial=0, help_text="In the club’s currency, what each pays for them.")
    points_rate = amount_field(
        "What 1,000 points are worth",
        required=False,
        help_text="In the club’s currency. Leave it empty and points stay points: no sheet speaks of money.",
    )

    def clean_points_rate(self):
        return self.cleaned_data["points_rate"] or None


class FeesForm(forms.Form):
    """The list of one meeting: a table fee, refreshments and “paid” for each person.

    Every field remembers what it showed, so that a page left open undoes nothing that somebody else has noted since.
    """

    def __init__(self, people, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.people = people
        for one in people:
            name, key = one.player.full_name or str(one.player), one.player.pk
            own = {"show_hidden_initial": True}
            self.fields[f"table_{key}"] = amount_field(f"{name}, table", initial=one.table_fee, **own)
            self.fields[f"refreshments_{key}"] = amount_field(f"{name}, refreshments", initial=one.refreshments, **own)
            self.fields[f"paid_{key}"] = forms.BooleanField(
                label=f"{name} has paid", required=False, initial=one.paid, **own
            )

    def rows(self):
        return [
            (one, self[f"table_{one.player.pk}"], self[f"refreshments_{one.player.pk}"], self[f"paid_{one.player.pk}"])
            for one in self.people
        ]

    def chosen(self):
        """Return {player id: (table fee, refreshments, paid)} of those changed here, and of those not noted yet."""
        data, changed = self.cleaned_data, set(self.changed_data)
        found = {}
        for one in self.people:
            names = [f"{word}_{one.player.pk}" for word in ("table", "refreshments", "paid")]
            if changed & set(names) or not one.is_noted:
                found[one.player.pk] = tuple(data[name] for name in names)
        return found
