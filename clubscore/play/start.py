"""How a table starts: who sits down, with what balance, on which day and in which meeting. One wording of each refusal.

`fields` are those of the form, as text: `player_1` to `player_5` with `name_1` to `name_5`, `date`, `date_is_right`,
`table`, `meeting`, `rules`, `starting_balance`, `sticks`, `round_payments`, `practice` and `plays_twice`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clubscore.scoring.rotation import RotationError, SeatingState, first_seating
from clubscore.scoring.rulesets import RULE_SETS
from clubscore.scoring.score_format import house_rules
from clubscore.scoring.sticks import STICK_SETS, deal_out
from clubscore.scoring.switches import HouseRules
from clubscore.scoring.words import listed

# Days as an ISO date has them: which years are meant, how far a day is from today, and how it is written.

FIRST_YEAR, LAST_YEAR = 1900, 2999
A_YEAR = 366
# fmt: off
MONTHS = (
    ("January", 31), ("February", 29), ("March", 31), ("April", 30), ("May", 31), ("June", 30), ("July", 31),
    ("August", 31), ("September", 30), ("October", 31), ("November", 30), ("December", 31),
)
# fmt: on

DATE_SENTENCES = {
    "no_date": "Enter the date, for example 12/11/2026.",
    # A year typed as 26 is the year 26 for a browser.
    "four_digits": "Enter the year with four digits, for example 2026.",
    "wrong_year": f"Enter a year from {FIRST_YEAR} to {LAST_YEAR}.",
    "far": "This date is {distance}. Correct it, or choose “{day} is right”.",
    "is_right": "{day} is right",
}


def _parts(day: str) -> tuple[int, int, int] | None:
    """Return year, month and day of a date; None if there is no such date."""
    parts = day.split("-")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return None
    year, month, number = [int(part) for part in parts]
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= month <= 12 or not 1 <= number <= MONTHS[month - 1][1] or (month == 2 and number == 29 and not is_leap):
        return None
    return year, month, number


def _number(year: int, month: int, day: int) -> int:
    """Return the number of a day, counted from the 1st of March of the year 0."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 1


def days_between(earlier: str, later: str) -> int:
    """Return how many days later a date is; both must be dates."""
    before, after = _parts(earlier), _parts(later)
    return _number(*after) - _number(*before) if before and after else 0


def day_words(day: str) -> str:
    """Write a date with all four digits of its year, whatever it is: 12 November 2026."""
    year, month, number = _parts(day) or (1, 1, 1)
    return f"{number} {MONTHS[month - 1][0]} {year:04}"


def distance_words(days: int) -> str:
    """Say how far a day is from today: 12 days ahead, 2 years ago."""
    far = abs(days)
    number, unit = (far, "day") if far < A_YEAR else ((4 * far + 730) // 1461, "year")
    return f"{number} {unit}{'' if number == 1 else 's'} {'ahead' if days > 0 else 'ago'}"


def day_problem(day: str) -> str:
    """Return what is wrong with a date itself, or ""."""
    parts = _parts(day)
    if parts is None:
        return DATE_SENTENCES["no_date"]
    if parts[0] < 1000:
        return DATE_SENTENCES["four_digits"]
    return "" if FIRST_YEAR <= parts[0] <= LAST_YEAR else DATE_SENTENCES["wrong_year"]


def far_question(day: str, today: str) -> str:
    """Ask whether a day that is far from today is meant."""
    return DATE_SENTENCES["far"].format(distance=distance_words(days_between(today, day)), day=day_words(day))


# The form.

FOUR = 4
PLACES = (
    ("East", "deals first"),
    ("South", "on East’s right"),
    ("West", "opposite East"),
    ("North", "empty at a table of three"),
    ("Sits out first", "only at a table of five"),
)
# What the list of players has for someone who is not on it yet.
NEW = "new"
# How many days before and after today a table may start without being asked about.
DAYS_BEFORE, DAYS_AFTER = 366, 7
MOST_TABLES, MOST_POINTS = 99, 1_000_000

SENTENCES = {
    "no_player": "Choose a player for {place}.",
    "no_name": "Enter the new player’s name for {place}.",
    "seated_twice": "Choose another player for {place}. This one already has a seat.",
    "no_table": "Enter the table number, for example 1.",
    "table": f"Enter a table number from 1 to {MOST_TABLES}.",
    "meeting": "Which meeting is this table part of?",
    "players": "Choose other rules, or change the players. {rules} is not for {number} players.",
    "balance": "Enter the starting balance as a whole number, for example 2000.",
    "balance_too_high": f"Enter a starting balance of {MOST_POINTS:,} or less.",
    "plays_twice": "{who} still playing at table {table}. Finish that table first, or select “Start this table too”.",
    "sticks": "Enter {worth:,}, which is what each player’s tally sticks are worth. Or select “No sticks”.",
}


@dataclass(frozen=True)
class Person:
    """Someone who sits down: the number of the place, and the player's id or the name of someone new."""

    place: int
    player: str
    name: str


def people_of(fields: Mapping[str, str]) -> list[Person]:
    """Return who sits down, in the order of the seats."""
    people = []
    for place in range(1, len(PLACES) + 1):
        player, name = fields.get(f"player_{place}", ""), fields.get(f"name_{place}", "")
        if player or name:
            people.append(Person(place, player or NEW, name))
    return people


def seat_problems(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each seat's problem: nobody where somebody is needed, no name, or somebody who has a seat."""
    people, seen = people_of(fields), []
    taken = [person.place for person in people]
    for place, (label, _) in enumerate(PLACES, 1):
        if place not in taken and (place < FOUR or (place == FOUR and place + 1 in taken)):
            yield f"player_{place}", SENTENCES["no_player"].format(place=label)
    for person in people:
        label, _ = PLACES[person.place - 1]
        who = person.name.lower() if person.player == NEW else person.player
        if not who:
            yield f"name_{person.place}", SENTENCES["no_name"].format(place=label)
        elif who in seen:
            yield f"player_{person.place}", SENTENCES["seated_twice"].format(place=label)
        seen.append(who)


def busy_problems(
    fields: Mapping[str, str], seated: Mapping[str, int], names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Ask about players who still sit at another table of the day: `seated` has its number, by their ids."""
    if fields.get("practice") or fields.get("plays_twice"):
        return
    busy = [person.player for person in people_of(fields) if person.player in seated]
    for table in sorted({seated[player] for player in busy}):
        who = [names[player] for player in busy if seated[player] == table]
        yield (
            "plays_twice",
            SENTENCES["plays_twice"].format(who=f"{listed(who)} {'is' if len(who) == 1 else 'are'}", table=table),
        )


def is_near(day: str, today: str) -> bool:
    return -DAYS_BEFORE <= days_between(today, day) <= DAYS_AFTER


def day_problems(fields: Mapping[str, str], today: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the day; one far from today is asked about once."""
    day = fields.get("date", "")
    problem = day_problem(day)
    if not problem and not is_near(day, today) and fields.get("date_is_right") != day:
        problem = far_question(day, today)
    if problem:
        yield "date", problem


def whole_number(typed: str) -> int | None:
    """Return a number of 0 or more; None if it is not one. One of ten figures stands for all that are longer."""
    return int(typed[:10]) if typed.isdecimal() else None


def table_problems(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    number = whole_number(fields.get("table", ""))
    if number is None:
        yield "table", SENTENCES["no_table"]
    elif not 1 <= number <= MOST_TABLES:
        yield "table", SENTENCES["table"]


def meeting_words(meeting: Mapping[str, str], today: str) -> str:
    """Name a meeting among others of its day, with the time it starts if that is known."""
    day, starts_at = meeting["date"], meeting["starts_at"]
    words = meeting["name"] or ("Today’s meeting" if day == today else f"Meeting of {day_words(day)}")
    return f"{words}, {starts_at}" if starts_at else words


def meeting_problems(fields: Mapping[str, str], keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Ask which of the day's meetings a table belongs to, where there are several."""
    candidates = list(keys)
    if len(candidates) > 1 and fields.get("meeting", "") not in candidates:
        yield "meeting", SENTENCES["meeting"]


def starting_worth(sticks: str, players: int) -> int | None:
    """Return what each player's sticks are worth at the start; None without sticks."""
    stick_set = STICK_SETS.get(sticks)
    return deal_out(stick_set, players).purses[0].worth if stick_set else None


def starting_balance_for(house: HouseRules, players: int) -> int:
    """Return what each player starts with: what four would have, shared out and rounded down to a multiple of 10."""
    shared = (house.starting_balance or 0) * FOUR
    return shared // FOUR if players == FOUR else shared // players // 10 * 10


def rules_problems(fields: Mapping[str, str], house: HouseRules) -> Iterator[tuple[str, str]]:
    """Yield why these rules are not for so many players, or why the sticks are not worth the starting balance."""
    number, rule_set = len(people_of(fields)), RULE_SETS[fields["rules"]]
    if number not in rule_set.players:
        yield "rules", SENTENCES["players"].format(rules=rule_set.name, number=number)
        return
    balance = whole_number(fields.get("starting_balance", ""))
    worth = starting_worth(fields.get("sticks", ""), number) if house.recording == "settle" else None
    if worth is not None and balance not in (None, worth):
        yield "starting_balance", SENTENCES["sticks"].format(worth=worth)


def balance_problems(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    typed = fields.get("starting_balance", "")
    balance = whole_number(typed)
    if typed and balance is None:
        yield "starting_balance", SENTENCES["balance"]
    elif balance is not None and balance > MOST_POINTS:
        yield "starting_balance", SENTENCES["balance_too_high"]


@dataclass(frozen=True)
class Beginning:
    """How a table begins: who sits where, and by which house rules and sticks and with what balance they play."""

    seating: SeatingState
    house_rules: dict[str, Any]
    sticks: str
    starting_balance: int


def beginning(
    rules: str,
    switches: Mapping[str, Any],
    players: int,
    sticks: str = "",
    starting_balance: int | None = None,
    round_payments: bool = False,
) -> Beginning:
    """Return how a table of so many begins by these rules; RotationError if they do not seat so many.

    The balance is the one chosen, else what the sticks are worth, or that of the house rules.
    """
    house = house_rules(rules, switches)
    seating = first_seating(range(1, players + 1), house)
    if house.recording != "settle":
        # Nobody pays, so no stick would ever move.
        sticks, round_payments = "", False
    worth = starting_worth(sticks, players)
    if starting_balance is None:
        starting_balance = starting_balance_for(house, players) if worth is None else worth
    rounded = {"round_payments_to": 10} if round_payments else {}
    return Beginning(seating, {**switches, **rounded}, sticks, starting_balance)


def start(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a table starts on a tablet without the club.

    Besides the `fields` the question has the club's day `today`, its `meetings`, who is `seated` elsewhere with the
    `names` of all, and the `house_rules` of the rules chosen. The answer has the `problems` by field, with the words of
    the tick for a day far from today and the `meetings` to choose from; who sits down; and how they begin once all is
    well.
    """
    fields, today, switches = question["fields"], question["today"], question["house_rules"]
    day = fields.get("date", "")
    meetings = [meeting for meeting in question["meetings"] if meeting["date"] == day]
    day_wrong = list(day_problems(fields, today))
    which_meeting = list(meeting_problems(fields, [meeting["key"] for meeting in meetings]))
    is_far = not day_problem(day) and not is_near(day, today)
    answer: dict[str, Any] = {
        "is_right": DATE_SENTENCES["is_right"].format(day=day_words(day)) if is_far else "",
        "meetings": [[meeting["key"], meeting_words(meeting, today)] for meeting in meetings],
    }
    people, seats_wrong = people_of(fields), list(seat_problems(fields))
    problems = [*seats_wrong, *day_wrong, *table_problems(fields), *which_meeting, *balance_problems(fields)]
    problems = problems or list(rules_problems(fields, house_rules(fields["rules"], switches)))
    problems = problems or list(busy_problems(fields, question["seated"], question["names"]))
    if not problems:
        balance = whole_number(fields.get("starting_balance", ""))
        facts = (fields.get("sticks", ""), balance, bool(fields.get("round_payments")))
        try:
            begun = beginning(fields["rules"], switches, len(people), *facts)
        except RotationError as error:
            return {**answer, "problems": [("rules", str(error))]}
        answer["beginning"] = {
            "chairs": begun.seating.to_dict(),
            "house_rules": begun.house_rules,
            "sticks": begun.sticks,
            "starting_balance": begun.starting_balance,
        }
        answer["people"] = [[PLACES[person.place - 1][0], person.player, person.name] for person in people]
    return {**answer, "problems": problems}
