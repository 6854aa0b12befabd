"""Starting a session: the meeting, the table, who sits where, and what the table plays by."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.html import format_html

from clubscore.scoring import RULE_SETS, RuleSet
from clubscore.scoring.sticks import STICK_SETS
from clubscore.scoring.words import listed
from clubscore.table.settling_up import ROUND_PAYMENTS
from sessions_app.models import ClubRules, Meeting, Player, Recording
from sessions_app.people.form_fields import date_field
from sessions_app.people.models import MAX_NAME
from sessions_app.people.player_forms import NEW, DidYouMean, player_choices
from sessions_app.rules.club_rules import newest_versions
from sessions_app.table.sessions import open_tables
from sessions_app.table.sticks import starting_worth

PLACES = (
    ("East", "deals first"),
    ("South", "on East’s right"),
    ("West", "opposite East"),
    ("North", "leave empty at a table of three"),
    ("Sits out first", "only at a table of five"),
)


@dataclass(frozen=True)
class Place:
    """One row of the form: the fields of one seat."""

    label: str
    hint: str
    player: forms.BoundField
    name: forms.BoundField
    guest: forms.BoundField


def rules_words(rule_set: RuleSet, version: ClubRules | None) -> str:
    """Say what a rule set is, for how many players, what each of four begins with, and which version the club plays."""
    house = rule_set.house(version.house_rules if version else {})
    least, most = min(rule_set.players), max(rule_set.players)
    players = f"{least} to {most} players" if least < most else f"{least} players only"
    begins = (
        f"each of four starts with {house.starting_balance:,}" if house.starting_balance else "everyone starts at 0"
    )
    return format_html(
        '<span><b>{}</b> <span class="hint">{} {}; {}.{}</span></span>',
        rule_set.name,
        rule_set.sentence,
        players,
        begins,
        f" Your club’s version {version.number}." if version else "",
    )


class RulesSelect(forms.RadioSelect):
    """Rule sets to choose from; those under which nobody pays are marked, as sticks are not offered with them."""

    nobody_pays = ()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value in self.nobody_pays:
            option["attrs"]["data-nobody-pays"] = ""
        return option


class DayForm(DidYouMean):
    """A table of a day: its meeting is the only one of the day, or is asked for."""

    date = date_field("Date", "Enter the date, for example 12/11/2026.")
    meeting = forms.ChoiceField(label="Meeting", required=False)

    def __init__(self, club, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.club = club
        self.meetings = self._meetings()
        self.fields["meeting"].choices = [
            ("", "— choose —"),
            *((str(one.pk), one.name or "Meeting with no name") for one in self.meetings),
        ]

    def _meetings(self):
        """List the club's meetings of the day that the form is about."""
        day = self.data.get("date") if self.is_bound else self.initial.get("date")
        try:
            return list(Meeting.objects.of_club(self.club).filter(date=self.fields["date"].clean(day)).order_by("name"))
        except forms.ValidationError:
            return []

    def asks_which_meeting(self) -> bool:
        return len(self.meetings) > 1

    def require_meeting(self) -> None:
        if not self.cleaned_data.get("meeting") and self.asks_which_meeting():
            self.add_error("meeting", "Choose the meeting. There is more than one on this day.")

    def meeting_name(self) -> str:
        """Name the meeting that the table belongs to: the only one of its day, or the one that was chosen."""
        chosen = [one for one in self.meetings if str(one.pk) == self.cleaned_data["meeting"]]
        of_the_day = chosen or self.meetings[:1]
        return of_the_day[0].name if of_the_day else ""


# What a tablet says too, where it starts a session without the network.
SENTENCES = {
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
            "required": "Enter the table number, for example 1.",
            "invalid": "Enter the table number, for example 1.",
            "min_value": SENTENCES["table"],
            "max_value": SENTENCES["table"],
        },
    )
    rules = forms.ChoiceField(label="Rules", widget=RulesSelect)
    starting_balance = forms.IntegerField(
        label="Starting balance of each player",
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text="Leave it empty to use the balance in the rules.",
        error_messages={
            "invalid": SENTENCES["balance"],
            "min_value": SENTENCES["balance"],
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
        newest = newest_versions(club)
        self.fields["rules"].choices = [
            (key, rules_words(rule_set, newest.get(key))) for key, rule_set in RULE_SETS.items()
        ]
        self.fields["rules"].widget.nobody_pays = {key for key in RULE_SETS if not self._settles(key, newest)}
        self.fields["sticks"].choices = [("", "No sticks"), *((key, sticks.name) for key, sticks in STICK_SETS.items())]
        choices = player_choices(club, "— nobody —")
        for number, (place, _) in enumerate(PLACES, 1):
            self.fields[f"player_{number}"] = forms.ChoiceField(
                label=place,
                required=False,
                choices=choices,
                error_messages={"invalid_choice": f"Choose a player for {place} from the list."},
            )
            self.fields[f"name_{number}"] = forms.CharField(
                label=f"{place}: new player's name", required=False, max_length=MAX_NAME
            )
            self.fields[f"guest_{number}"] = forms.BooleanField(label="Guest", required=False)

    @staticmethod
    def _settles(key, newest):
        version = newest.get(key)
        house = RULE_SETS[key].house(version.house_rules if version else {})
        return house.recording == Recording.SETTLE

    def places(self) -> list[Place]:
        return [
            Place(label, hint, self[f"player_{number}"], self[f"name_{number}"], self[f"guest_{number}"])
            for number, (label, hint) in enumerate(PLACES, 1)
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        seen = set()
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

    def _ask_about_open_tables(self, data):
        """Ask once about players who sit at another open table of the day."""
        playing, names = open_tables(self.club.pk, data["date"]), defaultdict(list)
        for player in (player for player, _, _ in self.chosen() if player in playing):
            names[playing[player]].append(dict(self.fields["player_1"].choices)[str(player)])
        self.asks_about_open_tables = bool(names)
        if not data["plays_twice"]:
            for table in sorted(names):
                who = f"{listed(names[table])} {'is' if len(names[table]) == 1 else 'are'} still playing"
                asked = f"{who} at table {table}. Finish that table first, or select “Start this table too”."
                self.add_error("plays_twice", asked)

    def _clean_place(self, number, place, data, seen):
        name = " ".join(data.get(f"name_{number}", "").split())
        chosen = NEW if name and not data[f"player_{number}"] else data[f"player_{number}"]
        if chosen == NEW:
            self._clean_new_name(number, place, name)
        elif not chosen and (number <= 3 or (number == 4 and data.get("player_5"))):
            self.add_error(f"player_{number}", SENTENCES["no_player"].format(place=place))
        who = name.casefold() if chosen == NEW else chosen
        if who and who in seen:
            self.add_error(f"player_{number}", SENTENCES["seated_twice"].format(place=place))
        seen.add(who)
        data[f"player_{number}"], data[f"name_{number}"] = chosen, name

    def _clean_new_name(self, number, place, name):
        if not name:
            self.add_error(f"name_{number}", SENTENCES["no_name"].format(place=place))
        elif Player.objects.of_club(self.club).filter(full_name__iexact=name).exists():
            self.add_error(f"name_{number}", f"{place}: the club already has {name}. Choose the name from the list.")
        else:
            known = Player.objects.of_club(self.club).exclude(full_name="")
            self.ask_if_meant(f"name_{number}", name, known, f"{place}: ")

    def _clean_number(self, data):
        seated = len(self.chosen())
        allowed = RULE_SETS[data["rules"]].players
        if seated not in allowed:
            name = RULE_SETS[data["rules"]].name
            self.add_error("rules", f"{SENTENCES['players']} {name} is not for {seated} players.")

    def _clean_starting_balance(self, data):
        """Refuse a balance that the sticks dealt out are not worth."""
        worth = None
        if data["rules"] not in self.fields["rules"].widget.nobody_pays:
            worth = starting_worth(data["sticks"], len(self.chosen()))
        if worth is not None and data["starting_balance"] not in (None, worth):
            self.add_error("starting_balance", SENTENCES["sticks"].format(worth=f"{worth:,}"))

    def chosen(self) -> list[tuple[int | None, str, bool]]:
        """List who sits down, in seat order: (player's id, "", guest) or (None, new name, guest)."""
        data = self.cleaned_data
        rows = [(data[f"player_{n}"], data[f"name_{n}"], data[f"guest_{n}"]) for n in range(1, len(PLACES) + 1)]
        return [(None, name, guest) if who == NEW else (int(who), "", False) for who, name, guest in rows if who]
