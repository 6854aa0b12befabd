"""Forms for results by email, for imports, for hands from another tablet, and for one table's totals."""

import datetime
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from sessions_app.exchange.imports.sheet_values import number_of
from sessions_app.exchange.imports.totals_file import LIMITS, RECORDINGS, TotalsRow
from sessions_app.meetings.queries import SEAT_WORDS
from sessions_app.models import Club, Contact, DrawnTable, Meeting, Player
from sessions_app.people.dates import OVER, day_words
from sessions_app.people.form_fields import Form, TidyField, date_field
from sessions_app.people.models import MAX_NAME
from sessions_app.people.plain_text import is_showable
from sessions_app.people.player_forms import NEW, player_choices
from sessions_app.rules.club_rules import known_rule_sets
from sessions_app.table.start_form import DayForm

# Each is a separate email, sent while the page waits.
MAX_RECIPIENTS = 50


class GameDaysForm(Form):
    """The days whose games count in the league of a tablet, which reads them itself."""

    first_day = date_field("First day", required=False)
    last_day = date_field("Last day", required=False)


class ResultsMailForm(Form):
    members = forms.MultipleChoiceField(
        label="Members who let the club keep their email address",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Choose members from the list."},
    )
    others = forms.CharField(
        label="Other email addresses",
        required=False,
        max_length=20000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"Enter one on each line. You can send to {MAX_RECIPIENTS} addresses at a time, members included.",
    )

    def __init__(
        self,
        contacts: Iterable[Contact],
        *args: Any,
        takes_others: bool = True,
        sent: Collection[int] = (),
        **kwargs: Any,
    ) -> None:
        """Everyone who agreed is ticked, but for players in `sent`, who have the results already."""
        super().__init__(*args, **kwargs)
        self.takes_others = takes_others
        if not takes_others:
            del self.fields["others"]
        self.contacts = {str(contact.player_id): contact for contact in contacts}
        self.fields["members"].choices = [(key, contact.player.full_name) for key, contact in self.contacts.items()]
        ticked = [key for key, contact in self.contacts.items() if contact.player_id not in sent]
        self.fields["members"].initial = ticked[:MAX_RECIPIENTS]

    def clean_others(self) -> list[str]:
        addresses = list(filter(None, map(str.strip, re.split(r"[,;\n]", self.cleaned_data["others"]))))
        for address in addresses:
            try:
                validate_email(address)
            except ValidationError as error:
                sentence = f"Enter email addresses like jean@example.org. “{address}” is not one."
                raise ValidationError(sentence) from error
        return addresses

    def clean(self) -> Any:
        data = super().clean()
        if not self.errors and not self.recipients():
            either = "Choose a member, or enter an email address."
            raise ValidationError(either if self.takes_others else "Choose at least one member.")
        if not self.errors and len(self.recipients()) > MAX_RECIPIENTS:
            raise ValidationError(f"Choose at most {MAX_RECIPIENTS} addresses, then send to the others.")
        return data

    def recipients(self) -> list[tuple[str, int | None]]:
        """Return each address once, ignoring case, with its player's id or None."""
        found: dict[str, tuple[str, int | None]] = {}
        for key in self.cleaned_data.get("members", []):
            contact = self.contacts[key]
            found[contact.email.casefold()] = contact.email, contact.player_id
        for address in self.cleaned_data.get("others", []):
            _, player = found.get(address.casefold(), ("", None))
            found[address.casefold()] = address, player
        return list(found.values())

    def left_over(self, refused: Collection[tuple[str, int | None]], sentence: str) -> "ResultsMailForm":
        """Return this form with only the refused addresses, and a sentence about them."""
        members = [str(player) for _, player in refused if player]
        others = [address for address, player in refused if not player]
        data = {"members": members, "others": "\n".join(others)}
        form = ResultsMailForm(self.contacts.values(), data, takes_others=self.takes_others)
        form.full_clean()
        form.add_error(None, sentence)
        return form


# Imports: pasted text or a file, of a limited size.

# The browser must not change what is pasted. It fills it in again after Back, which autocomplete="off" would forbid.
VERBATIM = {"spellcheck": "false", "autocapitalize": "none"}
MAX_IMPORT_BYTES = 1_000_000
TOO_LARGE = "Choose a smaller file, of at most a million letters. You can import a larger one in parts."


# Of games that a tablet brings together, in letters.
MAX_GAMES = 1_000_000


class ImportForm(Form):
    chosen = ""
    text = forms.CharField(
        label="Paste the text here", required=False, strip=False, widget=forms.Textarea({"rows": 8, **VERBATIM})
    )
    file = forms.FileField(label="Or choose a file", required=False, allow_empty_file=True)
    # Of the file that was chosen first, while its text goes from page to page.
    file_name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        if len(self.cleaned_data["text"].encode()) > MAX_IMPORT_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        return self.cleaned_data["text"]

    def clean_file(self) -> bytes:
        """Return the bytes of the file, or b"" if none was chosen."""
        file = self.cleaned_data["file"]
        if not file:
            return b""
        if file.size > MAX_IMPORT_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        file.seek(0)
        self.chosen = file.name
        return file.read()

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["file_name"] = self.chosen[:200] or data.get("file_name", "")
        if not self.errors and not (data["text"].strip() or data["file"].strip()):
            self.add_error("text", "Paste the text, or choose a file.")
        return data


class WaitingGameForm(Form):
    """Games from a tablet with the join code, which nobody reads before the club opens it."""

    text = forms.CharField(
        max_length=MAX_GAMES,
        strip=False,
        error_messages={
            "required": "Bring the game from its own page.",
            "max_length": "Bring fewer games at once.",
        },
    )


# Hands from another tablet: the text of its code, or the file with it.

MAX_CODE_BYTES = 500_000


class TakeInForm(Form):
    text = forms.CharField(
        label="The text of the code",
        required=False,
        max_length=MAX_CODE_BYTES,
        widget=forms.Textarea({"rows": 5, **VERBATIM}),
    )
    file = forms.FileField(label="Or the file that the tablet saved", required=False)

    def clean_file(self) -> str:
        """Return the text of the file, or "" if none was chosen."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > MAX_CODE_BYTES:
            raise forms.ValidationError("Choose the file that the tablet saved. This file is too large to be one.")
        try:
            return file.read().decode("utf-8")
        except UnicodeDecodeError:
            sentence = "Choose the file that the tablet saved. This file is not the text of a code."
            raise forms.ValidationError(sentence) from None

    @property
    def code(self) -> str:
        return self.cleaned_data["text"] or self.cleaned_data["file"]


# One table's totals, entered without hands.

# A table of five, and one who came or went in between.
ROWS = range(1, 7)
# The sessions that a table may have at one meeting.
ROUNDS = range(1, 10)
MAX_TABLE, MAX_HANDS = LIMITS["table"][1], LIMITS["hands"][1]
ENTER_TABLE = f"Enter the table number, from 1 to {MAX_TABLE}."
ENTER_HANDS = "Enter the hands that player {} played as a whole number, for example 16, or leave it blank."


class TotalsForm(DayForm):
    """One table's totals; the fields of each player end in the number of the row, as `net_1`."""

    date = date_field("Date", near=OVER)
    table = forms.IntegerField(
        label="Table number",
        min_value=1,
        max_value=MAX_TABLE,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), ENTER_TABLE),
    )
    round = forms.TypedChoiceField(
        label="Round",
        required=False,
        coerce=int,
        empty_value=1,  # type: ignore[arg-type]  # the stubs know text alone
        choices=[(nth, str(nth)) for nth in ROUNDS],
        error_messages={"invalid_choice": "Choose the round from the list."},
    )
    rules = forms.ChoiceField(label="Rules")
    recording = forms.ChoiceField(label="How the results were made", choices=list(RECORDINGS.items()))
    # The session that the totals replace: one without hands, or one of totals.
    session = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)
    why = TidyField(label="Why is it corrected?", required=False, max_length=500)

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(club, *args, **kwargs)
        self.fields["rules"].choices = list(known_rule_sets().items())
        players = self._player_choices()
        for number in ROWS:
            self.fields |= _player_fields(number, players)

    def _player_choices(self) -> list[tuple[str, str]]:
        """Return the choices of players, with former members that are in totals to be corrected."""
        choices = player_choices(self.club, "— nobody —")
        chosen = {str(self.initial.get(f"player_{number}") or self.data.get(f"player_{number}", "")) for number in ROWS}
        others = chosen - {value for value, _ in choices}
        ids = [one for one in others if one.isdecimal() and len(one) < 19]
        former = Player.objects.of_club(self.club).filter(pk__in=ids).exclude(full_name="")
        choices[-1:-1] = [(str(one.pk), str(one)) for one in former]
        return choices

    def rows(self) -> list[dict[str, Any]]:
        """Return the number and the bound fields of each player."""
        fields = ("player", "name", "guest", "net", "hands")
        return [{"number": number} | {name: self[f"{name}_{number}"] for name in fields} for number in ROWS]

    def clean_date(self) -> datetime.date:
        day = self.cleaned_data["date"]
        if day > self.club.today:
            raise forms.ValidationError(f"Enter an earlier date. {day_words(day)} has not come yet.")
        return day

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        self.require_meeting()
        self.known = {str(one.pk): one for one in Player.objects.of_club(self.club).exclude(full_name="")}
        self.nets: dict[int, int] = {}
        seen: set[str] = set()
        for number in ROWS:
            if f"player_{number}" in data:
                self._clean_row(number, data, seen)
        if not self.errors and len(self.nets) < 2:
            self.add_error("player_1", "Choose at least two players.")
        return data

    def _clean_row(self, number: int, data: dict[str, Any], seen: set[str]) -> None:
        name = data.get(f"name_{number}", "")
        chosen = NEW if name and not data[f"player_{number}"] else data[f"player_{number}"]
        data[f"player_{number}"] = chosen
        text = data.get(f"net_{number}", "")
        if not chosen:
            if text or data.get(f"hands_{number}") is not None:
                self.add_error(f"player_{number}", f"Choose player {number}, or clear that row.")
            return
        if chosen == NEW:
            self._clean_new_name(number, name)
        who = name.casefold() if chosen == NEW else chosen
        if who and who in seen:
            self.add_error(f"player_{number}", f"Choose another player {number}. This one is in a row above.")
        seen.add(who)
        net = number_of(text)
        if net is None:
            result = "won or lost as a whole number, for example 120 or -120."
            self.add_error(f"net_{number}", f"Enter what player {number} {result}")
        else:
            self.nets[number] = net

    def _clean_new_name(self, number: int, name: str) -> None:
        field, known = f"name_{number}", self.known.values()
        if not name or not is_showable(name):
            self.add_error(field, f"Enter the new player’s name for player {number}.")
        elif any(str(one).casefold() == name.casefold() for one in known):
            self.add_error(field, f"Choose {name} from the list for player {number}. The club already has that name.")
        else:
            self.ask_if_meant(field, name, known, f"Player {number}: ")

    def totals_rows(self) -> list[TotalsRow]:
        """Return the rows as a file of totals would have them."""
        data = self.cleaned_data
        table = {name: data[name] for name in ("date", "table", "rules", "recording")}
        rows = []
        for number, net in self.nets.items():
            known = self.known.get(data[f"player_{number}"])
            player = {
                "player": str(known or data[f"name_{number}"]),
                "guest": known.guest if known else data[f"guest_{number}"],
                "hands": data[f"hands_{number}"],
            }
            rows.append(TotalsRow(line=number, meeting=self.meeting_name(), net=net, **table, **player))
        return rows


def _player_fields(number: int, players: list[tuple[str, str]]) -> dict[str, Any]:
    return {
        f"player_{number}": forms.ChoiceField(
            label=f"Player {number}",
            required=False,
            choices=players,
            error_messages={"invalid_choice": f"Choose player {number} from the list."},
        ),
        f"name_{number}": TidyField(label=f"Player {number}: new player’s name", required=False, max_length=MAX_NAME),
        f"guest_{number}": forms.BooleanField(label="Guest", required=False),
        # Not a number field: the number pad of many phones has no minus.
        f"net_{number}": forms.CharField(label="Won or lost", required=False),
        f"hands_{number}": forms.IntegerField(
            label="Hands",
            required=False,
            min_value=0,
            max_value=MAX_HANDS,
            error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), ENTER_HANDS.format(number)),
        ),
    }


# The totals of all drawn tables of a meeting, as one grid.


@dataclass(frozen=True)
class DrawnRows:
    """A drawn table: its people in their seats, each with the name of a field for what they won or lost."""

    drawn: DrawnTable
    people: list[tuple[str, Player, str]]


class MeetingTotalsForm(Form):
    """What everyone at the drawn tables won or lost; a table that is left blank stays as it was drawn."""

    def __init__(self, meeting: Meeting, recording: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meeting, self.recording = meeting, recording
        drawn = list(DrawnTable.objects.filter(meeting=meeting, session=None).order_by("number"))
        known = Player.objects.of_club(meeting.club_id).in_bulk([pk for one in drawn for pk in one.players])
        self.drawn: list[DrawnRows] = []
        for one in drawn:
            seats = [seat for seat in zip(SEAT_WORDS, one.players, strict=False) if seat[1] in known]
            people = [(word, known[pk], f"net_{one.pk}_{pk}") for word, pk in seats]
            self.drawn.append(DrawnRows(one, people))
            self.fields |= {name: TidyField(label=str(who), required=False) for _, who, name in people}

    def tables(self) -> list[tuple[DrawnTable, list[tuple[str, Any]]]]:
        """Return each drawn table with its people: the word for the seat, and the bound field."""
        return [(one.drawn, [(word, self[name]) for word, _, name in one.people]) for one in self.drawn]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        self.rows: list[tuple[DrawnTable, list[TotalsRow]]] = []
        for one in self.drawn:
            if any(data.get(name) for _, _, name in one.people):
                self.rows.append((one.drawn, self._clean_table(one, data)))
        if not self.errors and not self.rows:
            raise ValidationError("Enter what each player of a table won or lost.")
        return data

    def _clean_table(self, table: DrawnRows, data: dict[str, Any]) -> list[TotalsRow]:
        about: dict[str, Any] = {"date": self.meeting.date, "meeting": self.meeting.name, "table": table.drawn.number}
        about |= {"rules": self.meeting.club.rules, "recording": self.recording}
        rows = []
        for line, (_, player, name) in enumerate(table.people, 1):
            net = number_of(data.get(name, ""))
            if net is None:
                words = f"Table {table.drawn.number}: enter what {player} won or lost as a whole number, such as -120."
                self.add_error(name, words)
                continue
            rows.append(TotalsRow(line=line, player=str(player), guest=player.guest, net=net, **about))
        return rows
