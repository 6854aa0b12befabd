"""The form that starts a session: the meeting, the table, who sits where, and the rules."""

import datetime
from collections import defaultdict
from typing import Any

from django import forms
from django.utils.html import format_html

from clubscore.scoring import RULE_SETS, HouseRules, RuleSet
from clubscore.scoring.sticks import STICK_SETS
from clubscore.scoring.words import listed
from clubscore.table.settling_up import ROUND_PAYMENTS
from sessions_app.models import ClubRules, Meeting, Player, Recording
from sessions_app.people.dates import DATE_SENTENCES, PLAYED
from sessions_app.people.form_fields import TidyField, date_field
from sessions_app.people.models import MAX_NAME
from sessions_app.people.player_forms import NEW, DidYouMean, player_choices
from sessions_app.rules.club_rules import versions_in_force
from sessions_app.table.forms import MarkedRadioSelect, MarkedSelect
from sessions_app.table.sessions import open_tables
from sessions_app.table.sticks import starting_worth

PLACES = (
    ("East", "deals first"),
    ("South", "on East’s right"),
    ("West", "opposite East"),
    ("North", "empty at a table of three"),
    ("Sits out first", "only at a table of five"),
)


def rules_words(rule_set: RuleSet, house: HouseRules, version: ClubRules | None) -> str:
    """Say what a rule set is, for how many players, what each of four starts with, and the club's version of it."""
    least, most = min(rule_set.players), max(rule_set.players)
    players = f"{least} to {most} players" if least < most else f"{least} players only"
    starts = (
        f"each of four starts with {house.starting_balance:,}" if house.starting_balance else "everyone starts at 0"
    )
    return format_html(
        '<span><b>{}</b> <span class="hint">{} {}; {}.{}</span></span>',
        rule_set.name,
        rule_set.sentence,
        players,
        starts,
        f" Your club’s version {version.number}." if version else "",
    )


def points_words(house: HouseRules) -> str:
    """Say in short what each of four starts with."""
    return f"{house.starting_balance:,} points each" if house.starting_balance else "everyone starts at 0"


class DayForm(DidYouMean):
    """A table of a day: its meeting is the only one of the day, or is asked for."""

    date = date_field("Date", near=PLAYED)
    meeting = forms.ChoiceField(label="Meeting", required=False)

    def __init__(self, club, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.club = club
        self.meetings = self._meetings()
        self.fields["meeting"].choices = [
            ("", "— choose —"),
            *((str(meeting.pk), meeting.name or "Meeting with no name") for meeting in self.meetings),
        ]

    def _meetings(self) -> list[Any]:
        """Return the club's meetings on the form's date."""
        day = self.day()
        return list(Meeting.objects.of_club(self.club).filter(date=day).order_by("name")) if day else []

    def day(self) -> datetime.date | None:
        """Return the form's date, None where it is none."""
        day = self.data.get("date") if self.is_bound else self.initial.get("date")
        try:
            return self.fields["date"].to_python(day)
        except forms.ValidationError:
            return None

    def asks_which_meeting(self) -> bool:
        return len(self.meetings) > 1

    def require_meeting(self) -> None:
        if not self.cleaned_data.get("meeting") and self.asks_which_meeting():
            self.add_error("meeting", "Choose the meeting. There is more than one on this day.")

    def meeting_name(self) -> str:
        """Return the name of the table's meeting: the one chosen, or the only one of its day."""
        chosen = [meeting for meeting in self.meetings if str(meeting.pk) == self.cleaned_data["meeting"]]
        return next((meeting.name for meeting in chosen or self.meetings), "")


# What a tablet says too, where it starts a session without the network.
SENTENCES = DATE_SENTENCES | {
    "no_player": "Choose a player for {place}.",
    "no_name": "Enter the new player’s name for {place}.",
    "seated_twice": "Choose another player for {place}. This one already has a seat.",
    "table": "Enter a table number from 1 to 99.",
    "players": "Choose other rules, or change the players.",
    "balance": "Enter the starting balance as a whole number, for example 2000.",
    "sticks": "Enter {worth}, which is what each player’s tally sticks are worth. Or select “No sticks”.",
}


class StartForm(DayForm):
    sentences = SENTENCES
    table = forms.IntegerField(
        label="Table number",
        min_value=1,
        max_value=99,
        error_messages={
            **dict.fromkeys(("required", "invalid"), "Enter the table number, for example 1."),
            **dict.fromkeys(("min_value", "max_value"), SENTENCES["table"]),
        },
    )
    rules = forms.ChoiceField(label="Rules", widget=MarkedRadioSelect)
    starting_balance = forms.IntegerField(
        label="Starting balance of each player",
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text="Leave it empty to use the balance in the rules.",
        error_messages={
            **dict.fromkeys(("invalid", "min_value"), SENTENCES["balance"]),
            "max_value": "Enter a starting balance of 1,000,000 or less.",
        },
    )
    sticks = forms.ChoiceField(
        label="Tally sticks", required=False, help_text="For rules in which the players pay each other."
    )
    round_payments = forms.BooleanField(label=ROUND_PAYMENTS, required=False)

    plays_twice = forms.BooleanField(label="Start this table too", required=False)
    practice = forms.BooleanField(label="Practice table (it does not count)", required=False)

    def __init__(self, club, *args, **kwargs):
        super().__init__(club, *args, **kwargs)
        self.asks_about_open_tables = False
        newest = versions_in_force(club, self.day() or club.today)
        houses = {
            key: rules.house(newest[key].house_rules if key in newest else {}) for key, rules in RULE_SETS.items()
        }
        # Sticks are not offered with these.
        self.nobody_pays = {key for key, house in houses.items() if house.recording != Recording.SETTLE}
        self.fields["rules"].choices = [
            (key, rules_words(RULE_SETS[key], house, newest.get(key))) for key, house in houses.items()
        ]
        self.fields["rules"].widget.marks = {
            key: {"data-name": RULE_SETS[key].name, "data-points": points_words(house)}
            | ({"data-nobody-pays": ""} if key in self.nobody_pays else {})
            for key, house in houses.items()
        }
        self.fields["sticks"].choices = [("", "No sticks"), *((key, sticks.name) for key, sticks in STICK_SETS.items())]
        choices = player_choices(club, "— nobody —")
        self.names = dict(choices)
        day = self.day()
        elsewhere = {
            str(player): {"label": f"{self.names.get(str(player), '')}, at table {number}"}
            for player, number in (open_tables(club.pk, day) if day else {}).items()
        }
        for number, (place, _) in enumerate(PLACES, 1):
            self.fields[f"player_{number}"] = forms.ChoiceField(
                label=place,
                required=False,
                choices=choices,
                widget=MarkedSelect,
                error_messages={"invalid_choice": f"Choose a player for {place} from the list."},
            )
            self.fields[f"player_{number}"].widget.marks = elsewhere
            self.fields[f"name_{number}"] = TidyField(
                label=f"{place}: new player’s name", required=False, max_length=MAX_NAME
            )
            self.fields[f"guest_{number}"] = forms.BooleanField(label="Guest", required=False)

    def places(self) -> list[dict[str, Any]]:
        """Return the fields of each seat, with its label and hint."""
        return [
            {"label": label, "hint": hint, **{name: self[f"{name}_{number}"] for name in ("player", "name", "guest")}}
            for number, (label, hint) in enumerate(PLACES, 1)
        ]

    def rules_in_short(self) -> str:
        """Say by which rules the table would play now, as start_here.js says it of later choices."""
        rules = self["rules"].value()
        marks = self.fields["rules"].widget.marks.get(rules)
        if not marks:
            return "choose the rules"
        if rules in self.nobody_pays:
            return f"{marks['data-name']}, {marks['data-points']}"
        if sticks := STICK_SETS.get(self["sticks"].value() or ""):
            return f"{marks['data-name']}, sticks of {sticks.name}"
        typed = self["starting_balance"].value()
        points = f"{int(typed):,} points each" if str(typed or "").isdecimal() else marks["data-points"]
        return f"{marks['data-name']}, {points}, no sticks"

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        seen: set[str] = set()
        for number, (place, _) in enumerate(PLACES, 1):
            if f"player_{number}" in data:
                self._clean_place(number, place, data, seen)
        self.require_meeting()
        if not self.errors:
            self._clean_number(data)
            self._clean_starting_balance(data)
        if not self.errors and not data["practice"]:
            self._ask_about_open_tables(data)
        return data

    def _ask_about_open_tables(self, data: dict[str, Any]) -> None:
        """Ask once about players who still sit at another table of the day."""
        playing, names = open_tables(self.club.pk, data["date"]), defaultdict(list)
        for player in (player for player, _, _ in self.chosen() if player in playing):
            names[playing[player]].append(self.names[str(player)])
        self.asks_about_open_tables = bool(names)
        if not data["plays_twice"]:
            for table in sorted(names):
                who = f"{listed(names[table])} {'is' if len(names[table]) == 1 else 'are'} still playing"
                asked = f"{who} at table {table}. Finish that table first, or select “Start this table too”."
                self.add_error("plays_twice", asked)

    def _clean_place(self, number: int, place: str, data: dict[str, Any], seen: set[str]) -> None:
        name = data.setdefault(f"name_{number}", "")
        chosen = NEW if name and not data[f"player_{number}"] else data[f"player_{number}"]
        if chosen == NEW:
            self._clean_new_name(number, place, name)
        elif not chosen and (number <= 3 or (number == 4 and data.get("player_5"))):
            self.add_error(f"player_{number}", SENTENCES["no_player"].format(place=place))
        who = name.casefold() if chosen == NEW else chosen
        if who and who in seen:
            self.add_error(f"player_{number}", SENTENCES["seated_twice"].format(place=place))
        seen.add(who)
        data[f"player_{number}"] = chosen

    def _clean_new_name(self, number: int, place: str, name: str) -> None:
        if not name:
            self.add_error(f"name_{number}", SENTENCES["no_name"].format(place=place))
        elif Player.objects.of_club(self.club).filter(full_name__iexact=name).exists():
            self.add_error(f"name_{number}", f"{place}: the club already has {name}. Choose the name from the list.")
        else:
            known = Player.objects.of_club(self.club).exclude(full_name="")
            self.ask_if_meant(f"name_{number}", name, known, f"{place}: ")

    def _clean_number(self, data: dict[str, Any]) -> None:
        seated, rule_set = len(self.chosen()), RULE_SETS[data["rules"]]
        if seated not in rule_set.players:
            self.add_error("rules", f"{SENTENCES['players']} {rule_set.name} is not for {seated} players.")

    def _clean_starting_balance(self, data: dict[str, Any]) -> None:
        """Refuse a balance that the sticks are not worth."""
        worth = None
        if data["rules"] not in self.nobody_pays:
            worth = starting_worth(data["sticks"], len(self.chosen()))
        if worth is not None and data["starting_balance"] not in (None, worth):
            self.add_error("starting_balance", SENTENCES["sticks"].format(worth=f"{worth:,}"))

    def chosen(self) -> list[tuple[int | None, str, bool]]:
        """Return who sits down, in seat order: (player's id, "", False), or (None, new name, is a guest)."""
        data = self.cleaned_data
        rows = [(data[f"player_{n}"], data[f"name_{n}"], data[f"guest_{n}"]) for n in range(1, len(PLACES) + 1)]
        return [(None, name, guest) if who == NEW else (int(who), "", False) for who, name, guest in rows if who]
