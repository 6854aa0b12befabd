"""Which dates can be entered, and which are asked about because they are far from today. No forms here."""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from clubscore.play import start
from clubscore.play.start import A_YEAR, DATE_SENTENCES, DAYS_AFTER, DAYS_BEFORE, FIRST_YEAR, LAST_YEAR

__all__ = ["DATE_SENTENCES"]

FIRST_DAY, LAST_DAY = date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31)


@dataclass(frozen=True)
class Near:
    """How many days before and after today a date of some kind may be without being asked about."""

    before: int
    after: int

    def includes(self, day: date) -> bool:
        return -self.before <= (day - today()).days <= self.after


# A session that is started now; a meeting that is planned; what a club may have from long ago, such as a season; and
# totals, which are refused for a day to come.
PLAYED = Near(before=DAYS_BEFORE, after=DAYS_AFTER)
PLANNED = Near(before=A_YEAR, after=2 * A_YEAR)
LASTING = Near(before=50 * A_YEAR, after=2 * A_YEAR)
OVER = Near(before=50 * A_YEAR, after=(LAST_DAY - FIRST_DAY).days)


def today() -> date:
    return timezone.localdate()


def is_possible(day: date) -> bool:
    return FIRST_DAY <= day <= LAST_DAY


def wrong_year(day: date) -> str:
    """Return what is wrong with a date's year, or ""."""
    return start.day_problem(day.isoformat())


def day_words(day: date) -> str:
    """Write a date with all four digits of its year, whatever it is."""
    return start.day_words(day.isoformat()[:10])


def far_question(day: date) -> str:
    return start.far_question(day.isoformat(), today().isoformat())
