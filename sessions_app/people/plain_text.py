"""Text as it was meant: without marks that nobody sees, and with one kind of minus. No database here."""

import re
import unicodedata

# The one minus that Unicode does not count among the dashes.
MINUS = "\N{MINUS SIGN}"
THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+\Z")


def without_marks(text: str) -> str:
    """Return a text without marks that nobody sees (Unicode's category Cf).

    Web pages, emails and phones put them into what is copied: for the direction of text, for joining and for breaking.
    """
    if text.isascii():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


def tidy(text: str) -> str:
    """Return a text without such marks, and with each run of blanks as one."""
    return " ".join(without_marks(text).split())


def plain_figure(text: str) -> str:
    """Return a figure or a date tidied, with a hyphen for every dash and minus."""
    text = tidy(text)
    if text.isascii():
        return text
    return "".join("-" if letter == MINUS or unicodedata.category(letter) == "Pd" else letter for letter in text)


def plain_number(text: str) -> str:
    """Return a number's text without commas between thousands, with a hyphen for any minus."""
    text = plain_figure(text)
    return text.replace(",", "") if THOUSANDS.match(text) else text


def is_showable(text: str) -> bool:
    """Return whether a text has no unprintable character; marks that nobody sees have left it before."""
    return not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text)
