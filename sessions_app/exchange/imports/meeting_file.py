"""Read the file of a meeting: who came, the tables, every hand as entered. No database here."""

import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, time
from typing import Any

from clubscore.scoring.rotation import WINDS
from clubscore.scoring.sticks import STICK_SETS
from clubscore.table.command_kinds import ARRIVE, LEAVE, ROWS
from sessions_app.exchange.imports.sheet_text import ImportRefused, is_showable
from sessions_app.people.log_pages import FIRST_YEAR, LAST_YEAR
from sessions_app.people.models import MAX_NAME
from sessions_app.rules.models import MAX_CLUB_HANDS

MAX_BYTES = 20_000_000
MAX_HANDS = 1000
MAX_TABLE = 999
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
TIME = re.compile(r"[0-9]{2}:[0-9]{2}\Z")
TAKEN_OUT = "taken out"
COMING_AND_GOING = (ARRIVE.key, LEAVE.key)
LINES = (*(row.key for row in ROWS if row.adds_entry and not row.is_hand), TAKEN_OUT)
LONGEST_MEETING = {"name": 80, "place": 120}
MAX_BALANCE = 10_000_000
NOT_AN_AFTERNOON = "This is not the file of a meeting:"


@dataclass(frozen=True)
class Sitting:
    """Who sits where according to the file: wind to name, and who sits out; None where the file does not say."""

    seats: dict[str, str] | None
    out: tuple[str, ...] | None

    @property
    def people(self) -> list[str]:
        return [*(self.seats or {}).values(), *(self.out or ())]


@dataclass(frozen=True)
class FileHand:
    """One hand of the file; `says` is all that the file expects of it."""

    number: int
    given: dict
    sitting: Sitting
    says: dict
    # What does not count: other forms by wind, and who agreed to the hand; None where nobody was asked.
    other_forms: dict = field(default_factory=dict)
    agreed: str | None = None


@dataclass(frozen=True)
class FileLine:
    """What stands between the hands, before hand `before`: one of LINES."""

    before: int
    kind: str
    given: dict
    hand: FileHand | None = None


@dataclass(frozen=True)
class FileTable:
    number: int
    rules: str
    house_rules: dict
    club_hands: list
    start: list[str]
    empty: str
    players: list[str]
    hands: list[FileHand]
    final: dict
    next_hand: dict
    lines: tuple[FileLine, ...] = ()
    starting_balance: int | None = None
    sticks: str = ""
    # Which session of its number in the file it is, from 1.
    nth: int = 1

    @property
    def number_in_keys(self) -> str:
        return str(self.number) if self.nth == 1 else f"{self.number}.{self.nth}"


@dataclass(frozen=True)
class FileMeeting:
    """What the file tells of the meeting itself; one meeting of a day may be without a name."""

    name: str = ""
    starts_at: time | None = None
    place: str = ""


@dataclass(frozen=True)
class MeetingFile:
    club: str
    date: date
    members: list[str] | None
    absent: list[str]
    tables: list[FileTable]
    session_totals: dict = field(default_factory=dict)
    meeting: FileMeeting = FileMeeting()

    @property
    def players(self) -> list[str]:
        """Everyone who has a seat, in order of tables."""
        return list(dict.fromkeys(name for table in self.tables for name in [*table.start, *table.players]))


def read_meeting_file(content: bytes) -> MeetingFile:
    """Return the meeting of a file, or raise ImportRefused with one sentence."""
    data = parsed(content)
    if not isinstance(data, dict):
        raise ImportRefused(f"{NOT_AN_AFTERNOON} it is not a JSON object.")
    try:
        return meeting_file_of(data)
    except Misshapen as error:
        raise ImportRefused(f"{NOT_AN_AFTERNOON} {error}") from None


def parsed(content: bytes) -> Any:
    if len(content) > MAX_BYTES:
        raise ImportRefused(f"Choose a smaller file, of at most {MAX_BYTES // 1_000_000} megabytes.")
    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=no_number)
    except UnicodeDecodeError:
        raise ImportRefused("The file is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise ImportRefused(f"The file is not JSON: line {error.lineno}, column {error.colno}.") from None
    except (ValueError, RecursionError):
        raise ImportRefused("The file is not JSON: a number is too large, or it is nested too deeply.") from None


def no_number(name: str) -> None:
    raise ValueError(name)


class Misshapen(ValueError):
    """The sentence's end says what is missing or of the wrong kind."""


def meeting_file_of(data: dict) -> MeetingFile:
    members = None if data.get("members") is None else names_of(data, "members", "the file")
    rows, tables, times = a_list(data, "tables", "the file", needed=True), [], Counter()
    for place, row in enumerate(rows, 1):
        table = table_of(place, row, members or [])
        once_only(table, tables)
        times[table.number] += 1
        tables.append(replace(table, nth=times[table.number]))
    return MeetingFile(
        club=name_of(data.get("club"), "the club's name"),
        date=date_of(data.get("date")),
        members=members,
        absent=names_of(data, "absent", "the file"),
        tables=tables,
        session_totals=numbers_by_name(data, "session_totals", "the file"),
        meeting=meeting_of(an_object(data, "meeting", "the file")),
    )


def once_only(table: FileTable, before: list[FileTable]) -> None:
    """Refuse a table that stands in the file twice; one number with other hands is the day's next session there."""
    if any(hand.given.get("mahjong") for hand in table.hands) and table in [replace(one, nth=1) for one in before]:
        raise ImportRefused(f"Table {table.number} is in the file twice, with the same hands. Remove one of them.")


def meeting_of(data: dict) -> FileMeeting:
    words = {}
    for key, longest in LONGEST_MEETING.items():
        word = name_of(data[key], f"the meeting's {key}") if data.get(key) else ""
        if len(word) > longest:
            raise Misshapen(f"the meeting's {key} is longer than {longest} letters.")
        words[key] = word
    return FileMeeting(starts_at=time_of(data["starts_at"]) if data.get("starts_at") else None, **words)


def table_of(place: int, data: Any, members: list[str]) -> FileTable:
    where = f"table {place} of the file"
    if not isinstance(data, dict):
        raise Misshapen(f"{where} is not an object.")
    number = data.get("table", place)
    if type(number) is not int or not 1 <= number <= MAX_TABLE:
        raise Misshapen(f"{where} has no number from 1 to {MAX_TABLE}.")
    where = f"table {number}"
    hands = [hand_of(where, *row) for row in enumerate(a_list(data, "hands", where, needed=True), 1)]
    if len(hands) > MAX_HANDS:
        raise Misshapen(f"{where} has more than {MAX_HANDS} hands.")
    players = names_of(data, "players", where)
    rules = data.get("rules", "bmja")
    if not isinstance(rules, str):
        raise Misshapen(f"{where}: “rules” does not name rules that Clubscore knows.")
    start, empty = start_of(data, hands, players, where)
    if players:
        # A member may come to a table late.
        there = dict.fromkeys(name for hand in hands for name in hand.sitting.people)
        players += [name for name in there if name in members and name not in players]
    for place, hand in enumerate(hands, 1) if players else ():
        only_players(hand.sitting, players, f"{where}, hand {place}")
    return FileTable(
        number=number,
        rules=rules,
        house_rules=an_object(data, "house_rules", where),
        club_hands=club_hands_of(data, hands, where),
        start=start,
        empty=empty,
        players=players,
        hands=hands,
        final=numbers_by_name(data, "final", where),
        next_hand=an_object(data, "next_hand", where),
        lines=tuple(line_of(where, row) for row in a_list(data, "lines", where)),
        starting_balance=balance_of(data.get("starting_balance"), where),
        sticks=sticks_of(data.get("sticks"), where),
    )


def balance_of(value: Any, where: str) -> int | None:
    if value is not None and (type(value) is not int or abs(value) > MAX_BALANCE):
        raise Misshapen(f"{where}: its starting balance is not a whole number of points.")
    return value


def sticks_of(key: str, where: str) -> str:
    if key and (not isinstance(key, str) or key not in STICK_SETS):
        raise Misshapen(f"{where}: choose tally sticks from {', '.join(STICK_SETS)}.")
    return key or ""


def line_of(where: str, data: Any) -> FileLine:
    if not isinstance(data, dict) or data.get("kind") not in LINES or type(data.get("before")) is not int:
        raise Misshapen(f"{where}: an entry is not one of {', '.join(LINES)}, or has no hand after it.")
    hand = hand_of(where, data["before"], data) if data["kind"] == TAKEN_OUT else None
    return FileLine(data["before"], data["kind"], data, hand)


def club_hands_of(data: dict, hands: list[FileHand], where: str) -> list:
    """Gather the club's own hands of a table: those it names itself and those its hands bring along, each once."""
    found: dict[str, dict] = {}
    places = [(data, where), *((hand.given, f"{where}, hand {hand.number}") for hand in hands)]
    for holder, place in places:
        for row in a_list(holder, "club_hands", place):
            if not isinstance(row, dict) or not isinstance(row.get("key"), str):
                raise Misshapen(f"{place}: one of the club’s own hands has no “key”.")
            own = row | {"key": row["key"].lower()}
            own |= {"name": own.get("name", row["key"]), "fishing": own.get("fishing")}
            if found.setdefault(own["key"], own) != own:
                raise Misshapen(f"{place}: the club’s own hand {own['key'][:40]!r} differs from the one before.")
    if len(found) > MAX_CLUB_HANDS:
        raise Misshapen(f"{where} has {len(found)} of the club's own hands: at most {MAX_CLUB_HANDS}.")
    return list(found.values())


def start_of(data: dict, hands: list[FileHand], players: list[str], where: str) -> tuple[list[str], str]:
    """Return who sat down first, in the order East, South, West, North, sitting out, and the wind of the empty seat.

    Three whose winds are not given leave North empty.
    """
    start = sitting_of(an_object(data, "start", where), where)
    if start.seats is None:
        start = hands[0].sitting if hands else start
    order = start.people if start.seats else players
    if players:
        only_players(start, players, f"{where}, at the start")
    if len(set(order)) != len(order) or not 3 <= len(order) <= 5:
        raise Misshapen(f"{where} needs three to five different players at the start.")
    seats = start.seats or dict(zip(WINDS, order, strict=False))
    return order, next((wind for wind in WINDS if wind not in seats), "")


def only_players(sitting: Sitting, players: list[str], where: str) -> None:
    """Refuse someone who is not among the players: a name written otherwise would have the right one leave."""
    for name in sitting.people:
        if name not in players:
            raise ImportRefused(
                f"{where.capitalize()}: {name} is not in the table’s list of players. Add or correct the name."
            )


def hand_of(where: str, number: int, data: Any) -> FileHand:
    where = f"{where}, hand {number}"
    if not isinstance(data, dict):
        raise Misshapen(f"{where} is not an object.")
    own_number = data.get("number")
    if own_number is not None and (type(own_number) is not int or own_number != number):
        so = f"its number in the file is {json.dumps(own_number)[:20]}"
        raise ImportRefused(f"{where.capitalize()}: {so}. Number the hands 1, 2, 3 and so on, in the order of play.")
    given = an_object(data, "input", where, needed=True)
    an_object(given, "hands", where)
    expect = an_object(data, "expect", where)
    says = {
        **{name: data[name] for name in ("wind_of_round", "goulash") if name in data},
        "net_by_wind": numbers_of(expect.get("net"), f"{where}: net"),
        "totals_by_wind": totals_of(expect.get("hands"), where),
        "net": numbers_by_name(data, "net_by_player", where),
        "running": numbers_by_name(data, "running", where),
    }
    other_forms, agreed = an_object(data, "beside", where), data.get("agreed")
    if any(not isinstance(form, dict | None) for form in other_forms.values()) or not isinstance(agreed, str | None):
        raise Misshapen(f"{where}: the “beside” or “agreed” of the hand cannot be read.")
    return FileHand(number, given, sitting_of(data, where), says, other_forms, agreed)


def totals_of(hands: Any, where: str) -> dict[str, int]:
    if not isinstance(hands, dict):
        return {}
    totals = {wind: row.get("total") for wind, row in hands.items() if isinstance(row, dict)}
    return numbers_of({wind: total for wind, total in totals.items() if total is not None}, where)


def sitting_of(data: dict, where: str) -> Sitting:
    """Read `seats` (wind to name) and `sits_out` (a name, a list of names or null), each optional."""
    seats = an_object(data, "seats", where)
    unknown = [wind for wind in seats if wind not in set(WINDS)]
    if unknown:
        raise Misshapen(f"{where}: there is no wind {unknown[0][:20]!r}.")
    named = [wind for wind in WINDS if seats.get(wind) is not None]
    people = {wind: name_of(seats[wind], f"{where}: the name of {wind}") for wind in named}
    for name in people.values():
        if list(people.values()).count(name) > 1:
            raise ImportRefused(f"{where.capitalize()}: {name} sits at two winds. Correct one of them.")
    if people and ("E" not in people or len(people) < 3):
        raise ImportRefused(f"{where.capitalize()}: name who is East, and two or three others.")
    out = data.get("sits_out")
    names = out if isinstance(out, list) else [out] if out is not None else []
    sits_out = tuple(name_of(name, f"{where}: who sits out") for name in names)
    return Sitting(people or None, sits_out if "sits_out" in data else None)


def an_object(data: dict, name: str, where: str, needed: bool = False) -> dict:
    return of_kind(data, name, where, needed, dict, "an object")


def a_list(data: dict, name: str, where: str, needed: bool = False) -> list:
    return of_kind(data, name, where, needed, list, "a list")


def of_kind(data: dict, name: str, where: str, needed: bool, kind: type, word: str) -> Any:
    value = data.get(name)
    if value is None and not needed:
        return kind()
    if not isinstance(value, kind):
        raise Misshapen(f"{where} has no {name}." if value is None else f"{where}: {name} is not {word}.")
    return value


def names_of(data: dict, key: str, where: str) -> list[str]:
    return [name_of(name, f"{where}: a name in {key}") for name in a_list(data, key, where)]


def name_of(name: str, what: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise Misshapen(f"{what} is missing.")
    tidy = " ".join(name.split())
    if len(tidy) > MAX_NAME or not is_showable(tidy):
        raise Misshapen(f"{what} is too long, or contains a character that cannot be shown.")
    return tidy


def numbers_by_name(data: dict, key: str, where: str) -> dict[str, int]:
    return {" ".join(name.split()): value for name, value in numbers_of(data.get(key), f"{where}: {key}").items()}


def numbers_of(values: Any, what: str) -> dict[str, int]:
    if values is None:
        return {}
    if not isinstance(values, dict) or any(type(value) is not int for value in values.values()):
        raise Misshapen(f"{what} is not an object of whole numbers.")
    return values


def date_of(text: str) -> date:
    with suppress(ValueError):
        if isinstance(text, str) and DATE.match(text):
            day = date.fromisoformat(text)
            if FIRST_YEAR <= day.year <= LAST_YEAR:
                return day
    raise Misshapen("its date is not a date. Enter it like 2026-11-12.")


def time_of(text: str) -> time:
    with suppress(ValueError):
        if isinstance(text, str) and TIME.match(text):
            return time.fromisoformat(text)
    raise Misshapen("the start of its meeting is not a time. Enter it like 14:00.")
