"""What a learner typed on the practice page: figures as whole numbers, or a sentence on what to mend."""

from dataclasses import dataclass, field

MOST_DIGITS = 9


@dataclass(frozen=True)
class Counted:
    """The figures counted, None where nothing was typed; the words as typed; and sentences by figure."""

    figures: dict
    typed: dict
    errors: dict = field(default_factory=dict)

    @property
    def is_said(self):
        return any(self.typed.values())


def read_counted(query, names):
    """Read the figures of these names from a query."""
    figures, typed, errors = {}, {}, {}
    for name in names:
        typed[name] = query.get(name, "").strip()[:20]
        digits = typed[name].replace(",", "").replace(" ", "")
        figures[name] = None
        if not digits:
            continue
        if digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS:
            figures[name] = int(digits)
        else:
            errors[name] = f"{name.capitalize()}: write a whole number, like 28."
    return Counted(figures, typed, errors)
