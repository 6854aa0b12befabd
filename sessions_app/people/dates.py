"""Which dates can be entered, and which are asked about because they are far from today. No forms here."""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

FIRST_YEAR, LAST_YEAR = 1900, 2999
FIRST_DAY, LAST_DAY = date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31)

# What a tablet says too, where it starts a session without the network.
DATE_SENTENCES = {
    "no_date": "Enter the date, for example 12/11/2026.",
    # A year typed as 26 is the year 26 for a browser.
    "four_digits": "Enter the year with four digits, for example 2026.",
    "wrong_year": f"Enter a year from {FIRST_YEAR} to {LAST_YEAR}.",
    "far": "This date is {distance}. Correct it, or choose “{day} is right”.",
    "is_right": "{day} is right",
}


@dataclass(frozen=True)
class Near:
    """How many days before and after today a date of some kind may be without being asked about."""

    before: int
    after: int

    def includes(self, day: date) -> bool:
        return -self.before <= (day - today()).days <= self.after


A_YEAR = 366
# A session that is started now; a meeting that is planned; what a club may have from long ago, such as a season; and
# totals, which are refused for a day to come.
PLAYED = Near(before=A_YEAR, after=7)
PLANNED = Near(before=A_YEAR, after=2 * A_YEAR)
LASTING = Near(before=50 * A_YEAR, after=2 * A_YEAR)
OVER = Near(before=50 * A_YEAR, after=(LAST_DAY - FIRST_DAY).days)


def today() -> date:
    return timezone.localdate()


def is_possible(day: date) -> bool:
    return FIRST_DAY <= day <= LAST_DAY


def wrong_year(day: date) -> str:
    """Return what is wrong with a date's year, or ""."""
    if is_possible(day):
        return ""
    return DATE_SENTENCES["four_digits" if day.year < 1000 else "wrong_year"]


def day_words(day: date) -> str:
    """Write a date with all four digits of its year, whatever it is."""
    return f"{day.day} {day:%B} {day.year:04}"


def distance_words(day: date) -> str:
    """Say how far a date is from today: 12 days ahead, 2 years ago."""
    days = (day - today()).days
    number, unit = (abs(days), "day") if abs(days) < A_YEAR else (round(abs(days) / 365.25), "year")
    return f"{number} {unit}{'' if number == 1 else 's'} {'ahead' if days > 0 else 'ago'}"
