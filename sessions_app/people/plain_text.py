"""Text as it was meant, without marks that nobody sees; names that look alike; JSON. No database."""

import json
import re
import unicodedata
from typing import Any

# The one minus that Unicode does not count among the dashes.
MINUS = "\N{MINUS SIGN}"


# What nobody sees either, though Unicode counts it among letters, accents and signs: the rest of its
# Default_Ignorable_Code_Point, and those that are as wide as a blank.
UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0000-\U000e0fff]")
AS_BLANKS = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")


def without_marks(text: str) -> str:
    """Return a text without marks that nobody sees (Unicode's category Cf, and UNSEEN), and with blanks for AS_BLANKS.

    Web pages, emails and phones put them into what is copied: for the direction of text, for joining and for breaking.
    """
    if text.isascii():
        return text
    seen = AS_BLANKS.sub(" ", UNSEEN.sub("", text))
    return "".join(letter for letter in seen if unicodedata.category(letter) != "Cf")


def tidy(text: str) -> str:
    """Return a text without such marks, and with each run of blanks as one."""
    return " ".join(without_marks(text).split())


def plain_name(text: str) -> str:
    """Return a typed name tidied, without unprintable characters."""
    return without_controls(tidy(text))


def plain_figure(text: str) -> str:
    """Return a figure or a date tidied, with a hyphen for every dash and minus."""
    text = tidy(text)
    if text.isascii():
        return text
    return "".join("-" if letter == MINUS or unicodedata.category(letter) == "Pd" else letter for letter in text)


def without_controls(text: str) -> str:
    """Return a text without characters that cannot be shown: controls, and halves of characters."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) not in ("Cc", "Cs"))


def is_showable(text: str) -> bool:
    """Return whether a text has no character that cannot be shown; marks that nobody sees have left it before."""
    return without_controls(text) == text


def read_json(text: str | bytes) -> Any:
    """Return what a JSON text holds, or raise ValueError if it cannot be read or kept.

    No database keeps NaN, infinities, NUL and halves of characters.
    """
    try:
        found = json.loads(text)
        written = json.dumps(found, ensure_ascii=False, allow_nan=False)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    written.encode()
    if "\\u0000" in written:
        raise ValueError("NUL")
    return found


# A name written from right to left turns the figures behind it round, as in “120+ :محمد”, unless a mark ends it.

LEFT_TO_RIGHT = "\u200e"
_FROM_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff"
# Where such a name ends: no other word of it follows.
NAME_ENDS = re.compile(rf"(?<=[{_FROM_RIGHT}])(?![{_FROM_RIGHT}]|[\s’'\-]+[{_FROM_RIGHT}])")
TEXT_IN_HTML = re.compile(r"(<(script|style|textarea)\b.*?</\2>|<[^>]*>)", re.DOTALL | re.IGNORECASE)


def figures_in_place(text: str) -> str:
    """Return a plain text in which figures stay where they are behind names from right to left."""
    return NAME_ENDS.sub(LEFT_TO_RIGHT, text)


def figures_in_place_in_html(page: str) -> str:
    """Return a page in which they stay there; what scripts read, and what is sent again, is as it was."""
    # Every third part is text, between a tag and what that began with.
    parts = TEXT_IN_HTML.split(page)
    parts[::3] = map(figures_in_place, parts[::3])
    del parts[2::3]
    return "".join(parts)


# Names that look alike. Unicode's table of confusables has thousands of rows; these have the shape of a Latin letter in
# the fonts of our pages. Letters of other alphabets among Latin ones are refused altogether.
LOOK_LIKE = str.maketrans(
    # Cyrillic, Greek and Armenian letters, Latin ones of other languages, then figures and signs.
    "АВЕКМНОРСТУХЅІЈԌԚԜаеорсухѕіјһԁԛԝкΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχϲϳՕՏԼօսհոցզıɑɡɩᴄᴏᴠᴡᴢI1|0",
    "ABEKMHOPCTYXSlJGQWaeopcyxsijhdqwkABEZHlKMNOPTYXaikvopuxcjOSLouhngqiagicovwzlllO",
)
DASHES = re.compile("[\u2010-\u2015\u2212]")
APOSTROPHES = re.compile("[\u2018\u2019\u02bc\u02b9\u2032`´]")
# Alphabets that are written together.
TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
WORD = re.compile(r"[^\W\d_]+")


def looks(text: str) -> str:
    """Return a form of a name that is the same for every name that looks like it."""
    plain = unicodedata.normalize("NFKC", plain_name(text))
    plain = APOSTROPHES.sub("'", DASHES.sub("-", plain)).translate(LOOK_LIKE).casefold()
    return " ".join(plain.replace("rn", "m").replace("vv", "w").split())


def mixes_alphabets(text: str) -> bool:
    """Return whether a word of the text has letters of two alphabets, as of Latin and Cyrillic."""
    return any(len(_alphabets(word)) > 1 for word in WORD.findall(unicodedata.normalize("NFKC", text)))


def _alphabets(word: str) -> set[str]:
    letters = (letter for letter in word if unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lo"))
    names = {unicodedata.name(letter, "?").split()[0] for letter in letters}
    return names - TOGETHER | ({"CJK"} if names & TOGETHER else set())
