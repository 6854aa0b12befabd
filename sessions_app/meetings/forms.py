"""Forms of a meeting: its date, table sizes, seats by hand, seating requests, the clock, join codes, fees."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms

from clubscore.scoring import RULE_SETS
from clubscore.seating_draw.table_sizes import tables_in_words, ways_to_seat
from sessions_app.meetings.models import MEETING_FACTS
from sessions_app.meetings.queries import SEAT_WORDS
from sessions_app.meetings.services import MAX_CLOCK, REPEATS, days_of
from sessions_app.models import Club, PairWish, Player
from sessions_app.people.club_forms import amount_field
from sessions_app.people.dates import PLANNED
from sessions_app.people.form_fields import (
    DayField,
    Form,
    TidyField,
    date_field,
    league_field,
    name_field,
    time_field,
)
from sessions_app.people.player_forms import NEW, DidYouMean, player_choices

MAX_SERIES = timedelta(days=2 * 366)


class MeetingForm(Form):
    date = date_field("Date", near=PLANNED)
    name = TidyField(
        label="Name",
        max_length=80,
        required=False,
        help_text="Optional. For example, “Christmas meeting”, or “Evening” if a day has two.",
    )
    starts_at = time_field("Starts at")
    place = TidyField(label="Venue", max_length=120, required=False, help_text="For example, “Village hall”.")

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if club.leagues:
            self.fields["league"] = league_field(club)


class PlanForm(MeetingForm):
    """A new meeting, or a series: how it repeats, until when, and the days without one."""

    repeat = forms.ChoiceField(
        label="How often", required=False, choices=[("", "Once"), *((row.key, row.name) for row in REPEATS.values())]
    )
    until = date_field("Until", "Enter the last day, for example 30/06/2027.", required=False)
    skipped = forms.CharField(
        label="Leave out",
        required=False,
        max_length=400,
        help_text="Days without a meeting. For example, 22/12/2026, 29/12/2026.",
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(club, *args, **kwargs)
        if league := self.fields.get("league"):
            league.required, league.choices = False, [("", "The usual one for that weekday"), *league.choices]

    def clean_skipped(self) -> list[date]:
        days = filter(None, re.split(r"[,;\s]+", self.cleaned_data["skipped"]))
        try:
            return [day for text in days if (day := DayField().clean(text))]
        except forms.ValidationError:
            raise forms.ValidationError("Enter the days to leave out with commas, for example 22/12/2026.") from None

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        first, until = data.get("date"), data.get("until")
        if data.get("repeat") and first and "until" not in self.errors:
            if until is None or until < first:
                self.add_error("until", "Enter a last day after the first meeting, for example 30/06/2027.")
            elif until - first > MAX_SERIES:
                self.add_error("until", "Enter a last day within two years of the first meeting.")
            elif "skipped" not in self.errors and not self.days():
                self.add_error("skipped", "Enter fewer days to leave out. No meeting would be left.")
        return data

    def days(self) -> list[date]:
        """Return the days of the series, or the one day."""
        data = self.cleaned_data
        repeat = REPEATS.get(data["repeat"])
        return days_of(data["date"], repeat, data["until"], data["skipped"]) if repeat else [data["date"]]

    def facts(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in (*MEETING_FACTS, "league") if name in self.fields}


class NewcomerForm(DidYouMean):
    name = name_field("Name of the new person", "Enter the name of the new person, for example Jean Brown.")
    guest = forms.BooleanField(label="A guest, not a member", required=False, initial=True)

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="newcomer_%s", **kwargs)
        self.club = club

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if Player.objects.of_club(self.club).filter(full_name__iexact=name).exists():
            raise forms.ValidationError(f"Choose {name} from the list. The club already has this name.")
        return name

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("name"):
            self.ask_if_meant("name", data["name"], Player.objects.of_club(self.club).exclude(full_name=""))
        return data


class DrawForm(Form):
    """Which table sizes are drawn; the usual ones unless others are chosen."""

    sizes = forms.ChoiceField(
        label="Tables",
        widget=forms.RadioSelect,
        required=False,
        error_messages={"invalid_choice": "Choose tables that seat the people who are here now."},
    )

    def __init__(self, club: Club, people: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ways = ways_to_seat(people, RULE_SETS[club.rules].players)
        self.fields["sizes"].choices = [("-".join(map(str, way)), tables_in_words(way)) for way in ways]
        self.fields["sizes"].initial = self.fields["sizes"].choices[0][0] if ways else ""

    def chosen(self) -> Any:
        text = self.cleaned_data["sizes"]
        return tuple(int(size) for size in text.split("-")) if text else None


class PlacesForm(Form):
    """Who sits where at the tables not begun: one choice a seat, five seats a table."""

    def __init__(self, tables: list[Any], people: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = [table.number for table in tables]
        choices = [("", "— nobody —"), *((str(player.pk), player.full_name) for player in people)]
        for table in tables:
            for at, word in enumerate(SEAT_WORDS):
                self.fields[f"seat_{table.number}_{at}"] = forms.ChoiceField(
                    label=f"Table {table.number}, {word}",
                    required=False,
                    choices=choices,
                    initial=str(table.people[at][1].pk) if at < len(table.people) else "",
                    error_messages={"invalid_choice": f"Choose a name from the list for table {table.number}, {word}."},
                )

    def tables(self) -> list[Any]:
        return [(number, [self[f"seat_{number}_{at}"] for at in range(len(SEAT_WORDS))]) for number in self.numbers]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        seats: dict[str, str] = {}
        for number in self.numbers:
            for at, word in enumerate(SEAT_WORDS):
                name = f"seat_{number}_{at}"
                who = data.get(name)
                if who and who in seats:
                    words = f"Choose someone else for table {number}, {word}."
                    self.add_error(name, f"{words} This player has a seat at table {seats[who]}.")
                elif who:
                    seats[who] = number
        return data

    def chosen(self) -> dict[int, list[int]]:
        data, seats = self.cleaned_data, range(len(SEAT_WORDS))
        return {number: [int(who) for at in seats if (who := data[f"seat_{number}_{at}"])] for number in self.numbers}


class WishForm(Form):
    first = forms.ChoiceField(label="First player", error_messages={"required": "Choose the first player."})
    second = forms.ChoiceField(label="Second player", error_messages={"required": "Choose the second player."})
    kind = forms.ChoiceField(
        label="Seat them",
        choices=[(PairWish.Kind.APART.value, "Apart"), (PairWish.Kind.TOGETHER.value, "Together")],
        initial=PairWish.Kind.APART.value,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose Apart or Together."},
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [choice for choice in player_choices(club, "— choose —") if choice[0] != NEW]
        self.fields["first"].choices = self.fields["second"].choices = choices

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("first") and data.get("first") == data.get("second"):
            self.add_error("second", "Choose two different people.")
        return data


class ClockForm(Form):
    minutes = forms.IntegerField(
        label="Minutes from now",
        min_value=1,
        max_value=MAX_CLOCK,
        initial=120,
        error_messages={
            "required": "Enter the minutes from now, for example 120.",
            "invalid": "Enter the minutes from now as a whole number, for example 120.",
            "min_value": "Enter at least 1 minute from now.",
            "max_value": f"Enter at most {MAX_CLOCK} minutes from now.",
        },
    )


# Joining a table by the join code.


class JoinForm(Form):
    code = forms.CharField(
        label="Join code",
        max_length=40,
        help_text="Six letters. Ask the scorekeeper for them.",
        widget=forms.TextInput(
            attrs={"autocapitalize": "characters", "autocomplete": "off", "autocorrect": "off", "spellcheck": "false"}
        ),
        error_messages={"required": "Enter the six letters of the join code, for example BCDFGH."},
    )


# Money, where a club wants it: what a meeting costs, what points are worth, and who has paid.


class AmountsForm(Form):
    """The amounts of each person, and “paid”.

    Every field remembers what it showed, so that a page left open undoes nothing that someone else has saved since.
    """

    AMOUNTS: dict[str, tuple[str, str]]  # {prefix of the fields: (label, attribute of the row)}

    def __init__(self, people: Sequence[Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        for row in people:
            name, key = str(row.player), row.player.pk
            for prefix, (label, attribute) in self.AMOUNTS.items():
                amount = amount_field(f"{name}, {label}", initial=getattr(row, attribute), show_hidden_initial=True)
                self.fields[f"{prefix}_{key}"] = amount
            self.fields[f"paid_{key}"] = forms.BooleanField(
                label=f"{name} has paid", required=False, initial=row.paid, show_hidden_initial=True
            )

    def names_of(self, row: Any) -> list[str]:
        return [f"{prefix}_{row.player.pk}" for prefix in (*self.AMOUNTS, "paid")]

    def rows(self) -> list[Any]:
        return [(row, *(self[name] for name in self.names_of(row))) for row in self.people]

    def chosen(self, everyone_paid: bool = False) -> dict[int, Any]:
        """Return {player id: (its amounts, paid)} of the rows changed here or not saved yet."""
        found = {}
        for row in self.people:
            names = self.names_of(row)
            if not set(names).isdisjoint(self.changed_data) or row.pk is None or (everyone_paid and not row.paid):
                *amounts, paid = (self.cleaned_data[name] for name in names)
                found[row.player.pk] = (*amounts, paid or everyone_paid)
        return found


class FeesForm(AmountsForm):
    AMOUNTS = {"table": ("table", "table_fee"), "refreshments": ("refreshments", "refreshments")}


class SubscriptionsForm(AmountsForm):
    AMOUNTS = {"amount": ("subscription", "amount")}
