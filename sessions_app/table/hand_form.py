"""Reads a posted hand: the tablet's JSON, or the plain fields of a browser without JavaScript."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.datastructures import MultiValueDict

from clubscore.play.hand_worth import typed_sets
from clubscore.play.scoring_by_seat import wins_of
from sessions_app.people.plain_text import plain_figure, read_json

# What the plain form says of the winning tile: the word in the form, the field of the score format and its value.
WAYS = {
    **{way: (way, True) for way in ("last_tile", "robbed_kong", "dealt", "first_discard", "second_kong")},
    **{way: (way, True) for way in ("first_round", "standing", "last_of_kind")},
    "flower_replaced": ("replacement_for", "flower"),
    "thirteenth": ("consecutive", 13),
}

# What makes a hand complete by default: everyone's tiles, and nobody's after a false Mah-jong.
NEEDS = {"losers_score": True, "winner_needs_tiles": True, "false_mahjong_voids": True, "discarder_pays_more": False}
FLAGS = ("fishing", "original_call")
MAX_BODY = 20_000

# The page's script has these too, to show before it sends a hand.
SENTENCES = {
    "blank": "Enter tiles or a total, or choose “Nothing to score”.",
    "no_winner": "Choose who went Mah-jong, or “Nobody”.",
    "no_payer": "Choose who pays the penalty.",
    "no_payee": "Choose who receives the penalty.",
    "pays_self": "Choose another player. A player cannot pay a penalty to themselves.",
    "no_source": "Choose where the last tile came from.",
    "not_whole": "“{typed}” is not a whole number. Enter the {name} in figures, for example 64.",
}


@dataclass(frozen=True)
class FieldError:
    """What is wrong with a hand, as a sentence, and the seat and field to be corrected."""

    message: str
    seat: str | None = None
    field: str | None = None


@dataclass
class PostedHand:
    body: dict[str, Any]
    drawn: bool = False
    error: FieldError | None = None


def read_posted_hand(
    post: MultiValueDict[str, str], seat_numbers: list[str], needs: Mapping[str, Any] = NEEDS
) -> PostedHand:
    """Read the form of the hand-entry page; `error` says what is unreadable or missing, the body keeps the rest.

    `needs` says what makes a hand complete under the table's rules.
    """
    if text := post.get("body"):
        body = read_json_object(text)
        error = FieldError("We could not read this hand. Enter it again.") if body is None else None
        body = clean_body(body)
    else:
        body, error = _read_plain(post, seat_numbers)
    if "agreed" in post:
        body["agreed"] = post["agreed"]
    _add_unasked_hands(body, seat_numbers, needs)
    drawn = bool(post.get("drawn"))
    return PostedHand(body, drawn, error or _missing(body, drawn, seat_numbers, needs))


def read_json_object(text: str | None) -> dict[str, Any] | None:
    """Return the JSON object in a text, None for anything else."""
    if not isinstance(text, str) or len(text) > MAX_BODY:
        return None
    try:
        found = read_json(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def clean_body(body: dict[str, Any] | None) -> dict[str, Any]:
    """Return the parts of a posted object that belong to a hand, without what is malformed."""
    body = body or {}
    hands, mahjong = body.get("hands"), body.get("mahjong")
    winners = mahjong if isinstance(mahjong, list) else [mahjong]
    is_won = mahjong and all(isinstance(win, dict) for win in winners)
    hands = hands.items() if isinstance(hands, dict) else ()
    cleaned: dict[str, Any] = {
        "hands": {seat: hand for seat, hand in hands if isinstance(hand, dict)},
        "mahjong": mahjong if is_won else None,
    }
    if isinstance(body.get("beside"), dict) and body["beside"]:
        cleaned["beside"] = body["beside"]
    if isinstance(body.get("penalties"), list) and body["penalties"]:
        cleaned["penalties"] = [penalty for penalty in body["penalties"] if isinstance(penalty, dict)]
    if isinstance(body.get("agreed"), str):
        cleaned["agreed"] = body["agreed"]
    return cleaned


def _add_unasked_hands(body: dict[str, Any], seat_numbers: list[str], needs: Mapping[str, Any]) -> None:
    """Where only the winner's hand counts, give the others, who are not asked, nothing to score."""
    winners = [win.get("by") for win in wins_of(body)]
    if not winners or needs["losers_score"]:
        return
    for seat in seat_numbers:
        if seat not in winners or not needs["winner_needs_tiles"]:
            body["hands"].setdefault(seat, {})


def _missing(body: dict[str, Any], drawn: bool, seat_numbers: list[str], needs: Mapping[str, Any]) -> FieldError | None:
    """Return the FieldError of what a complete hand still lacks: a blank is not nothing, nor no winner a draw."""
    is_false = any(penalty.get("kind") == "false mahjong" for penalty in body.get("penalties", ()))
    is_partial = drawn or (is_false and needs["false_mahjong_voids"])
    blank = [seat for seat in seat_numbers if seat not in body["hands"]]
    if blank and not is_partial:
        return FieldError(SENTENCES["blank"], blank[0], "hand")
    if not body["mahjong"] and not is_partial:
        return FieldError(SENTENCES["no_winner"], None, "mahjong")
    no_source = [win for win in wins_of(body) if not win.get("from") and not win.get("dealt")]
    if no_source and needs["discarder_pays_more"]:
        return FieldError(SENTENCES["no_source"], str(no_source[0].get("by")), "mahjong")
    return None


# The plain fields.


def _read_plain(post: MultiValueDict[str, str], seat_numbers: list[str]) -> tuple[dict[str, Any], Any | None]:
    """Return a hand's body and the first FieldError; what cannot be read stays in the body as typed."""
    hands, errors = {}, []
    for seat in seat_numbers:
        hand, error = _plain_hand(post, seat)
        errors.append(error)
        if hand is not None:
            hands[seat] = hand
    body = {"hands": hands, "mahjong": _plain_mahjong(post)}
    columns = (post.getlist(f"penalty_{name}") for name in ("kind", "by", "to", "amount"))
    penalties = [_plain_penalty(*row) for row in zip_longest(*columns, fillvalue="") if row[0]]
    if penalties:
        body["penalties"] = [penalty for penalty, _ in penalties]
        errors += [error for _, error in penalties]
    if beside := read_json_object(post.get("beside")):
        body["beside"] = beside
    return body, next(filter(None, errors), None)


def _plain_hand(post, seat):
    fields = ("form", "total", "points", "doubles", "sets", "tiles", "bonus", "special", "fishing_for", "exposed")
    typed = {name: post.get(f"{name}_{seat}", "").strip() for name in (*fields, "count", *FLAGS)}
    form, hand = typed["form"], {}
    if not form:
        return None, None
    if form == "total":
        return _figures(seat, total=typed["total"])
    if form == "points":
        return _figures(seat, points=typed["points"], **({"doubles": typed["doubles"]} if typed["doubles"] else {}))
    if form == "special":
        name = "fishing_for" if typed["fishing_for"] else "special"
        hand = {name: typed[name], **({"exposed": True} if typed["exposed"] else {})}
    elif form == "tiles":
        hand = {"sets": typed_sets(typed["sets"])}
        hand |= {name: typed[name] for name in ("tiles", "count") if typed[name]}
        hand |= {flag: True for flag in FLAGS if typed[flag]}
    if typed["bonus"] and form in ("tiles", "special"):
        hand["bonus"] = typed["bonus"]
    return hand, None


def _figures(seat, **typed):
    """Read whole numbers; the first text that is not one is an error, and stays as typed."""
    hand, error = {}, None
    for name, text in typed.items():
        if re.fullmatch(r"[0-9]{1,9}", plain_figure(text)):
            hand[name] = int(plain_figure(text))
        else:
            hand[name] = text
            sentence = SENTENCES["not_whole"] if text else "Enter the {name} in figures, for example 64."
            error = error or FieldError(sentence.format(typed=text[:20], name=name), seat, name)
    return hand, error


def _plain_mahjong(post: MultiValueDict[str, str]) -> list[dict[str, Any]] | dict[str, Any] | None:
    winning = {"tile": post.get("winning_tile", "").strip(), "from": post.get("from")}
    win = {name: value for name, value in winning.items() if value}
    wins = [
        {"by": post[winner], **win, **dict(WAYS[way] for way in post.getlist(ways) if way in WAYS)}
        for winner, ways in (("winner", "how"), ("winner_2", "how_2"))
        if post.get(winner)
    ]
    return wins if len(wins) > 1 else wins[0] if wins else None


def _plain_penalty(kind, by, to, amount):
    penalty = {"kind": kind, "by": by, **({"to": to} if to else {})}
    if not by:
        return penalty, FieldError(SENTENCES["no_payer"], None, "penalties")
    if kind != "fine":
        return penalty, None
    figures, error = _figures(None, amount=amount.strip())
    return {**penalty, **figures}, error
