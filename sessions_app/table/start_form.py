"""The form that starts a session: the meeting, the table, who sits where, and the rules."""

import datetime
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.html import format_html

from clubscore.play import start
from clubscore.play.settling_up import ROUND_PAYMENTS
from clubscore.play.start import NEW, PLACES
from clubscore.scoring import RULE_SETS, HouseRules, RuleSet
from clubscore.scoring.sticks import STICK_SETS
from sessions_app.models import ClubRules, Meeting, Player, Recording
from sessions_app.people.dates import PLAYED
from sessions_app.people.form_fields import TidyField, date_field
from sessions_app.people.models import MAX_NAME
from sessions_app.people.player_forms import DidYouMean, player_choices
from sessions_app.rules.club_rules import versions_in_force
from sessions_app.table.forms import MarkedRadioSelect, MarkedSelect
from sessions_app.table.sessions import open_tables


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


def meeting_choices(meetings: Iterable[Meeting], today: datetime.date) -> list[tuple[str, str]]:
    """Return the meetings of one day to choose from, each by its name or as today's."""
    return [(str(meeting.pk), start.meeting_words(meeting.choice, str(today))) for meeting in meetings]


class DayForm(DidYouMean):
    """A table of a day: its meeting is the only one of the day, or is asked for."""

    date = date_field("Date", near=PLAYED)
    meeting = forms.CharField(label="Meeting", required=False, widget=forms.Select)

    def __init__(self, club, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.club = club
        day = self.day()
        self.meetings = list(Meeting.objects.to_play_at(club).filter(date=day)) if day else []
        self.meeting_choices = meeting_choices(self.meetings, club.today)
        self.fields["meeting"].widget.choices = [("", "— choose —"), *self.meeting_choices]

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
        for name, sentence in start.meeting_problems(self.cleaned_data, [key for key, _ in self.meeting_choices]):
            self.add_error(name, sentence)

    def meeting_name(self) -> str:
        """Return the name of the table's meeting: the one chosen, or the only one of its day."""
        chosen = [meeting for meeting in self.meetings if str(meeting.pk) == self.cleaned_data["meeting"]]
        return next((meeting.name for meeting in chosen or self.meetings), "")


class StartForm(DayForm):
    """What start.py checks, as text, and what only the club's records can say: who is on its list and who plays."""

    table = forms.CharField(
        label="Table number", required=False, widget=forms.NumberInput({"min": 1, "max": start.MOST_TABLES})
    )
    rules = forms.ChoiceField(label="Rules", widget=MarkedRadioSelect)
    starting_balance = forms.CharField(
        label="Starting balance of each player",
        required=False,
        widget=forms.NumberInput({"min": 0, "max": start.MOST_POINTS}),
        help_text="Leave it empty to use the balance in the rules.",
    )
    sticks = forms.ChoiceField(
        label="Tally sticks", required=False, help_text="For rules in which the players pay each other."
    )
    round_payments = forms.BooleanField(label=ROUND_PAYMENTS, required=False)

    plays_twice = forms.BooleanField(label="Start this table too", required=False)
    practice = forms.BooleanField(label="Practice table (it does not count)", required=False)

    def __init__(self, club, *args, **kwargs):
        super().__init__(club, *args, **kwargs)
        newest = versions_in_force(club, self.day() or club.today)
        self.houses = houses = {
            key: rules.house(newest[key].house_rules if key in newest else {}) for key, rules in RULE_SETS.items()
        }
        # Sticks are not offered with these.
        self.nobody_pays = {key for key, house in houses.items() if house.recording != Recording.SETTLE}
        self.fields["rules"].choices = [
            (key, rules_words(RULE_SETS[key], house, newest.get(key))) for key, house in houses.items()
        ]
        self.fields["rules"].widget.marks = {
            key: {"data-name": rules.name} | ({"data-nobody-pays": ""} if key in self.nobody_pays else {})
            for key, rules in RULE_SETS.items()
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

    def asks_about_open_tables(self) -> bool:
        """Whether the box is shown: the question is open, or it has been answered."""
        return "plays_twice" in self.errors or bool(self["plays_twice"].value())

    def rules_in_short(self) -> str:
        """Say by which rules the table would play now, as start_here.js says it of later choices."""
        rules = self["rules"].value()
        marks = self.fields["rules"].widget.marks.get(rules)
        if not marks:
            return "choose the rules"
        sticks = STICK_SETS.get(self["sticks"].value() or "") if rules not in self.nobody_pays else None
        return f"{marks['data-name']}, sticks of {sticks.name}" if sticks else marks["data-name"]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        fields = {name: str(value) for name, value in data.items() if value not in (None, "", False)}
        self.people = start.people_of(fields)
        for person in self.people:
            if person.player == NEW and person.name:
                self._clean_new_name(person)
        self._refuse(*start.seat_problems(fields), *start.table_problems(fields), *start.balance_problems(fields))
        self.require_meeting()
        if not self.errors:
            self._refuse(*start.rules_problems(fields, self.houses[data["rules"]]))
        if not self.errors:
            data["table"], data["starting_balance"] = int(data["table"]), start.whole_number(data["starting_balance"])
            seated = {str(player): table for player, table in open_tables(self.club.pk, data["date"]).items()}
            self._refuse(*start.busy_problems(fields, seated, self.names))
        return data

    def _refuse(self, *problems: tuple[str, str]) -> None:
        """Add what start.py refuses; a field that could not be read has its error already."""
        unread = set(self.errors)
        for name, sentence in problems:
            if name not in unread:
                self.add_error(name, sentence)

    def _clean_new_name(self, person: start.Person) -> None:
        place, field = PLACES[person.place - 1][0], f"name_{person.place}"
        if Player.objects.of_club(self.club).filter(full_name__iexact=person.name).exists():
            self.add_error(field, f"{place}: the club already has {person.name}. Choose the name from the list.")
        else:
            known = Player.objects.of_club(self.club).exclude(full_name="")
            self.ask_if_meant(field, person.name, known, f"{place}: ")

    def chosen(self) -> list[tuple[int | None, str, bool]]:
        """Return who sits down, in seat order: (player's id, "", False), or (None, new name, is a guest)."""
        return [
            (None, person.name, self.cleaned_data[f"guest_{person.place}"])
            if person.player == NEW
            else (int(person.player), "", False)
            for person in self.people
        ]
