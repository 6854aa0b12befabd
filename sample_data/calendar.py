"""Plans the meetings of made-up clubs: weeks, players, tables and hands. No database."""

import datetime
from dataclasses import dataclass

from clubscore.seating_draw.draw import table_sizes

from .luck import Luck

HANDS_A_TABLE = (8, 10, 11, 12, 12, 13, 14, 14, 15, 16, 16, 17, 18, 20, 24)
OFFICIAL_HANDS = (16, 16, 16, 12, 8)
COMES = (0.55, 0.65, 0.7, 0.75, 0.8, 0.9)


@dataclass(frozen=True)
class PlannedTable:
    """One table: its players (indices into the club's list), and how many hands it plays."""

    number: int
    players: tuple[int, ...]
    rules: str
    hands: int
    is_practice: bool = False


@dataclass(frozen=True)
class PlannedMeeting:
    club: int
    week: int
    came: tuple[int, ...]
    tables: tuple[PlannedTable, ...]

    @property
    def hands(self):
        return sum(table.hands for table in self.tables)


def meetings(clubs, players, hands, seed):
    """Yield the meetings, the oldest first, until that many hands are planned; `clubs` are each club's rule sets."""
    left, week = hands, 0
    while left > 0:
        for club, rules in enumerate(clubs):
            meeting = _meeting(club, week, rules, players, left, Luck(f"{seed}/{week}/{club}"))
            left -= meeting.hands
            if meeting.tables:
                yield meeting
        week += 1


def _meeting(club, week, rules, players, left, luck):
    share = luck.one_of(COMES)
    people = [player for player in range(players) if luck.chance(share)]
    people = people if len(people) > 3 else list(range(4))
    came = shuffled(people, luck)
    tables, at = [], 0
    for number, size in enumerate(_sizes(len(came), rules[0]), 1):
        hands = min(left, luck.one_of(OFFICIAL_HANDS if rules[0] == "chinese_official" else HANDS_A_TABLE))
        if hands == 0:
            break
        left -= hands
        at_table, at = shuffled(came[at : at + size], luck), at + size
        plays = luck.one_of(rules[1:]) if rules[1:] and luck.chance(0.15) else rules[0]
        tables.append(PlannedTable(number, at_table, plays, hands, luck.chance(0.02)))
    return PlannedMeeting(club, week, came, tuple(tables))


def _sizes(people, rules):
    return [4] * (people // 4) if rules == "chinese_official" else table_sizes(people)


def shuffled(people, luck):
    left = list(people)
    return tuple(left.pop(int(luck.one_of(range(len(left))))) for _ in people)


def first_day(weeks, last_day):
    """Return the Monday of the first of `weeks` weeks, the last of which is the week before `last_day`'s."""
    monday = last_day - datetime.timedelta(days=last_day.weekday())
    return monday - datetime.timedelta(weeks=weeks)
