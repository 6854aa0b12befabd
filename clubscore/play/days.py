"""Days as an ISO date has them: which years are meant, how far a day is from today, and how it is written."""

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
