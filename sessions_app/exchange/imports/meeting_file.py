"""Read the file of a meeting: who came, the tables, every hand as entered. No database here."""

import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, time
from typing import Any

from django.utils.text import capfirst

from clubscore.play.command_kinds import ARRIVE, LEAVE, ROWS
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.sticks import STICK_SETS
from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.people.dates import DATE_SENTENCES, is_possible
from sessions_app.people.models import MAX_NAME
from sessions_app.people.plain_text import is_showable, read_json, tidy
from sessions_app.rules.models import MAX_CLUB_HANDS

MAX_BYTES = 20_000_000
MAX_HANDS, MAX_TABLE, MAX_BALANCE = 1000, 999, 10_000_000
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
TIME = re.compile(r"[0-9]{2}:[0-9]{2}\Z")
REMOVED = "taken out"
COMING_AND_GOING = (ARRIVE.key, LEAVE.key)
LINES = (*(row.key for row in ROWS if row.adds_entry and not row.is_hand), REMOVED)
MAX_LETTERS = {"name": 80, "place": 120, "league": 40}
NOT_A_MEETING = "This is not the file of a meeting:"
NOT_A_GAME = "Read a copy of games back on a tablet first. This is not a file of games for a club:"


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
    """One hand of the file: its tiles as entered, and what the file expects of it."""

    number: int
    given: dict
    sitting: Sitting
    expected: dict
    # What does not count: other versions of tiles by wind, and who agreed to the hand; None where nobody was asked.
    other_forms: dict = field(default_factory=dict)
    agreed: str | None = None


@dataclass(frozen=True)
class FileLine:
    """An entry before hand `before` that is no hand that counts: one of LINES."""

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
    # The wind of the empty seat at the start, or "".
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
    finished: bool = False

    @property
    def number_in_keys(self) -> str:
        return str(self.number) if self.nth == 1 else f"{self.number}.{self.nth}"


@dataclass(frozen=True)
class MeetingFile:
    club: str
    date: date
    members: list[str] | None
    absent: list[str]
    tables: list[FileTable]
    # Of the meeting itself; one meeting of a day may have no name.
    name: str = ""
    starts_at: time | None = None
    place: str = ""
    league: str = ""
    # Of a game that no club had, which a tablet brings: its key there.
    game: str = ""

    @property
    def players(self) -> list[str]:
        """Everyone who has a seat, in order of tables."""
        return list(dict.fromkeys(name for table in self.tables for name in [*table.start, *table.players]))

    def words_of(self, table: FileTable) -> str:
        """Name a table; that of a game has a number only once the club has it."""
        return "This game" if self.game else f"Table {table.number}"


class InvalidFile(ValueError):
    """The sentence's end says what is missing or of the wrong kind."""


def read_meeting_file(content: bytes) -> MeetingFile:
    """Return the meeting of a file, or raise ImportRefused with one sentence."""
    try:
        return _meeting(_load_json(content))
    except InvalidFile as error:
        raise ImportRefused(f"{NOT_A_MEETING} {error}") from None


def read_games(content: bytes) -> list[MeetingFile]:
    """Return the games of a file, each as a meeting of one table, or raise ImportRefused with one sentence."""
    data = _load_json(content)
    try:
        games = [_meeting(game) for game in (data if isinstance(data, list) else [data])]
    except InvalidFile as error:
        raise ImportRefused(f"{NOT_A_GAME} {capfirst(str(error))}") from None
    if not games:
        raise ImportRefused(NOT_A_GAME)
    if any(len(game.tables) != 1 for game in games):
        raise ImportRefused("Ask your secretary to import this. It holds more than one table.")
    return games


def _load_json(content):
    if len(content) > MAX_BYTES:
        raise ImportRefused(f"Choose a smaller file, of at most {MAX_BYTES // 1_000_000} megabytes.")
    try:
        return read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ImportRefused("The file is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise ImportRefused(f"The file is not JSON: line {error.lineno}, column {error.colno}.") from None
    except ValueError:
        raise ImportRefused("The file is not JSON: a number is too large, or it is nested too deeply.") from None


def _meeting(data):
    if not isinstance(data, dict):
        raise InvalidFile("it is not a JSON object.")
    members = None if data.get("members") is None else _names(data, "members", "the file")
    tables: list[FileTable] = []
    rounds: Counter[int] = Counter()
    for number, row in enumerate(_value(data, "tables", "the file", list, needed=True), 1):
        table = _table(number, row, members or [])
        has_winner = any(hand.given.get("mahjong") for hand in table.hands)
        # One number with other hands is the day's next session at that table.
        if has_winner and table in [replace(one, nth=1) for one in tables]:
            raise ImportRefused(f"Table {table.number} is in the file twice, with the same hands. Remove one of them.")
        rounds[table.number] += 1
        tables.append(replace(table, nth=rounds[table.number]))
    return MeetingFile(
        club=_name(data.get("club"), "the club's name"),
        date=_date(data.get("date")),
        members=members,
        absent=_names(data, "absent", "the file"),
        tables=tables,
        game=_name(data["game"], "the game's key") if data.get("game") else "",
        **_about_meeting(_value(data, "meeting", "the file")),
    )


def _about_meeting(data):
    found = {}
    for key, most in MAX_LETTERS.items():
        found[key] = _name(data[key], f"the meeting's {key}") if data.get(key) else ""
        if len(found[key]) > most:
            raise InvalidFile(f"the meeting's {key} is longer than {most} letters.")
    return found | {"starts_at": _time(data["starts_at"]) if data.get("starts_at") else None}


def _table(number, data, members):
    where = f"table {number} of the file"
    if not isinstance(data, dict):
        raise InvalidFile(f"{where} is not an object.")
    number = data.get("table", number)
    if type(number) is not int or not 1 <= number <= MAX_TABLE:
        raise InvalidFile(f"{where} has no number from 1 to {MAX_TABLE}.")
    where = f"table {number}"
    hands = [_hand(where, *row) for row in enumerate(_value(data, "hands", where, list, needed=True), 1)]
    if len(hands) > MAX_HANDS:
        raise InvalidFile(f"{where} has more than {MAX_HANDS} hands.")
    players = _names(data, "players", where)
    rules = data.get("rules", "bmja")
    if not isinstance(rules, str):
        raise InvalidFile(f"{where}: “rules” does not name rules that Clubscore knows.")
    start, empty = _start(data, hands, players, where)
    if players:
        # A member may come to a table late.
        there = dict.fromkeys(name for hand in hands for name in hand.sitting.people)
        players += [name for name in there if name in members and name not in players]
        for hand in hands:
            _refuse_others(hand.sitting, players, f"{where}, hand {hand.number}")
    balance, sticks = data.get("starting_balance"), data.get("sticks") or ""
    if balance is not None and (type(balance) is not int or abs(balance) > MAX_BALANCE):
        raise InvalidFile(f"{where}: its starting balance is not a whole number of points.")
    if sticks and (not isinstance(sticks, str) or sticks not in STICK_SETS):
        raise InvalidFile(f"{where}: choose tally sticks from {', '.join(STICK_SETS)}.")
    return FileTable(
        number=number,
        rules=rules,
        house_rules=_value(data, "house_rules", where),
        club_hands=_club_hands(data, hands, where),
        start=start,
        empty=empty,
        players=players,
        hands=hands,
        final=_numbers_by_name(data, "final", where),
        next_hand=_value(data, "next_hand", where),
        lines=tuple(_line(where, row) for row in _value(data, "lines", where, list)),
        starting_balance=balance,
        sticks=sticks,
        finished=data.get("finished") is True,
    )


def _line(where, data):
    if not isinstance(data, dict) or data.get("kind") not in LINES or type(data.get("before")) is not int:
        raise InvalidFile(f"{where}: an entry is not one of {', '.join(LINES)}, or has no hand after it.")
    hand = _hand(where, data["before"], data) if data["kind"] == REMOVED else None
    return FileLine(data["before"], data["kind"], data, hand)


def _club_hands(data: dict[str, Any], hands: list[Any], where: str) -> list[Any]:
    """Return the club hands of a table: those it names itself and those of its hands, each once."""
    found: dict[str, dict] = {}
    for holder, place in [(data, where), *((hand.given, f"{where}, hand {hand.number}") for hand in hands)]:
        for row in _value(holder, "club_hands", place, list):
            if not isinstance(row, dict) or not isinstance(row.get("key"), str):
                raise InvalidFile(f"{place}: one of the club’s own hands has no “key”.")
            key = row["key"].lower()
            club_hand = row | {"key": key, "name": row.get("name", row["key"]), "fishing": row.get("fishing")}
            if found.setdefault(key, club_hand) != club_hand:
                raise InvalidFile(f"{place}: the club’s own hand {key[:40]!r} differs from the one before.")
    if len(found) > MAX_CLUB_HANDS:
        raise InvalidFile(f"{where} has {len(found)} of the club's own hands: at most {MAX_CLUB_HANDS}.")
    return list(found.values())


def _start(data: dict[Any, Any], hands: list[FileHand], players: list[Any], where: str) -> tuple[Any, str]:
    """Return who sat down first, in the order East, South, West, North, sitting out, and the wind of the empty seat.

    Three whose winds are not given leave North empty.
    """
    start = _sitting(_value(data, "start", where), where)
    if start.seats is None and hands:
        start = hands[0].sitting
    order = start.people if start.seats else players
    if players:
        _refuse_others(start, players, f"{where}, at the start")
    if len(set(order)) != len(order) or not 3 <= len(order) <= 5:
        raise InvalidFile(f"{where} needs three to five different players at the start.")
    seats = start.seats or dict(zip(WINDS, order, strict=False))
    return order, next((wind for wind in WINDS if wind not in seats), "")


def _refuse_others(sitting: Sitting, players: list[Any], where: str) -> None:
    """Refuse someone who is not among the players: a misspelt name would make the right player leave."""
    for name in sitting.people:
        if name not in players:
            raise ImportRefused(
                f"{where.capitalize()}: {name} is not in the table’s list of players. Add or correct the name."
            )


def _hand(where: str, number: int, data: dict[str, Any]) -> FileHand:
    where = f"{where}, hand {number}"
    if not isinstance(data, dict):
        raise InvalidFile(f"{where} is not an object.")
    own_number = data.get("number")
    if own_number is not None and (type(own_number) is not int or own_number != number):
        so = f"its number in the file is {json.dumps(own_number)[:20]}"
        raise ImportRefused(f"{where.capitalize()}: {so}. Number the hands 1, 2, 3 and so on, in the order of play.")
    given = _value(data, "input", where, needed=True)
    _value(given, "hands", where)
    expect = _value(data, "expect", where)
    hands: Any = expect.get("hands") if isinstance(expect.get("hands"), dict) else {}
    totals = {wind: row.get("total") for wind, row in hands.items() if isinstance(row, dict)}
    expected: dict[str, Any] = {
        **{name: data[name] for name in ("wind_of_round", "goulash") if name in data},
        "net_by_wind": _numbers(expect.get("net"), f"{where}: net"),
        "totals_by_wind": _numbers({wind: total for wind, total in totals.items() if total is not None}, where),
        "net": _numbers_by_name(data, "net_by_player", where),
    }
    other_forms, agreed = _value(data, "beside", where), data.get("agreed")
    if any(not isinstance(form, dict | None) for form in other_forms.values()) or not isinstance(agreed, str | None):
        raise InvalidFile(f"{where}: the “beside” or “agreed” of the hand cannot be read.")
    return FileHand(number, given, _sitting(data, where), expected, other_forms, agreed)


def _sitting(data: dict[str, Any], where: str) -> Sitting:
    """Read `seats` (wind to name) and `sits_out` (a name, a list of names or null), each optional."""
    seats = _value(data, "seats", where)
    unknown = [wind for wind in seats if wind not in set(WINDS)]
    if unknown:
        raise InvalidFile(f"{where}: there is no wind {unknown[0][:20]!r}.")
    named = [wind for wind in WINDS if seats.get(wind) is not None]
    people = {wind: _name(seats[wind], f"{where}: the name of {wind}") for wind in named}
    for name, winds in Counter(people.values()).items():
        if winds > 1:
            raise ImportRefused(f"{where.capitalize()}: {name} sits at two winds. Correct one of them.")
    if people and ("E" not in people or len(people) < 3):
        raise ImportRefused(f"{where.capitalize()}: name who is East, and two or three others.")
    out = data.get("sits_out")
    names = out if isinstance(out, list) else [out] if out is not None else []
    sits_out = tuple(_name(name, f"{where}: who sits out") for name in names)
    return Sitting(people or None, sits_out if "sits_out" in data else None)


# Values of the right kind, or InvalidFile.


def _value(data, name, where, kind=dict, needed=False):
    value = data.get(name)
    if value is None and not needed:
        return kind()
    if not isinstance(value, kind):
        word = "an object" if kind is dict else "a list"
        raise InvalidFile(f"{where} has no {name}." if value is None else f"{where}: {name} is not {word}.")
    return value


def _names(data: dict[str, Any], key: str, where: str) -> list[Any]:
    return [_name(name, f"{where}: a name in {key}") for name in _value(data, key, where, list)]


def _name(name: Any, what: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise InvalidFile(f"{what} is missing.")
    plain = tidy(name)
    if len(plain) > MAX_NAME or not is_showable(plain):
        raise InvalidFile(f"{what} is too long, or contains a character that cannot be shown.")
    return plain


def _numbers_by_name(data: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    return {tidy(name): value for name, value in _numbers(data.get(key), f"{where}: {key}").items()}


def _numbers(values: Any, what: str) -> dict[str, Any]:
    if values is None:
        return {}
    if not isinstance(values, dict) or any(type(value) is not int for value in values.values()):
        raise InvalidFile(f"{what} is not an object of whole numbers.")
    return values


def _date(text: Any) -> date:
    try:
        day = date.fromisoformat(text if isinstance(text, str) and DATE.match(text) else "")
    except ValueError:
        raise InvalidFile("its date is not a date. Enter it like 2026-11-12.") from None
    if not is_possible(day):
        raise InvalidFile(f"the year of its date is wrong. {DATE_SENTENCES['wrong_year']}")
    return day


def _time(text: str) -> time:
    with suppress(ValueError):
        if isinstance(text, str) and TIME.match(text):
            return time.fromisoformat(text)
    raise InvalidFile("the start of its meeting is not a time. Enter it like 14:00.")
