"""Reads a posted hand: the tablet's JSON, or the plain fields of a browser without JavaScript."""

import json
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clubscore.table.hand_worth import typed_sets
from clubscore.table.live_scoring import wins_of
from sessions_app.table.paper import ROWS, PaperRow

# What a plain form says of the winning tile: the word in the form, the field of the score format and its value.
WAYS = {
    **{way: (way, True) for way in ("last_tile", "robbed_kong", "dealt", "first_discard", "second_kong")},
    **{way: (way, True) for way in ("first_round", "standing", "last_of_kind")},
    "flower_replaced": ("replacement_for", "flower"),
    "thirteenth": ("consecutive", 13),
}

# What a hand needs to be whole, where nothing else is said: everyone's hand, and none after a false Mah-jong.
NEEDS = {"losers_score": True, "winner_needs_tiles": True, "false_mahjong_voids": True, "discarder_pays_more": False}
FLAGS = ("fishing", "original_call")
MAX_BODY = 20_000


@dataclass(frozen=True)
class FieldError:
    """What is wrong with a hand, as a sentence, and the seat and field to be corrected."""

    message: str
    seat: str | None = None
    field: str | None = None


@dataclass
class PostedHand:
    body: dict
    key: str | None
    after: str | None
    seats: dict | None
    device: str = ""
    why: str = ""
    drawn: bool = False
    error: FieldError | None = field(default=None)


def read_hand(post: Mapping[str, str], seat_numbers: list[str], needs: Mapping[str, Any] = NEEDS) -> PostedHand:
    """Read the form of the hand-entry page; `error` says what cannot be read or is missing, the body keeps the rest.

    `needs` says what a whole hand is under the table's rules.
    """
    error = None
    if post.get("body"):
        body = read_json(post["body"])
        error = None if body is not None else FieldError("We could not read this hand. Enter it again.")
        body = clean_body(body)
    else:
        body, error = read_plain(post, seat_numbers)
    posted = PostedHand(
        body=body,
        key=(post.get("key") or post.get("plain_key") or "").strip() or None,
        after=(post.get("after") or "").strip() or None,
        seats=read_json(post.get("seats", "")),
        device=post.get("device", "")[:80],
        why=post.get("why", "")[:500],
        drawn=bool(post.get("drawn")),
    )
    if "agreed" in post:
        posted.body["agreed"] = post["agreed"]
    give_unasked_hands(posted.body, seat_numbers, needs)
    posted.error = error or missing(posted, seat_numbers, needs)
    return posted


def read_json(text: str | None) -> dict[str, Any] | None:
    """Give the JSON object in a text, None for anything else."""
    if not isinstance(text, str) or len(text) > MAX_BODY:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def clean_body(body: dict[str, Any]) -> dict[str, Any]:
    """Keep of a posted object what a hand's body holds, with empty parts in their places."""
    body = body or {}
    hands = body.get("hands")
    hands = {seat: hand for seat, hand in hands.items() if isinstance(hand, dict)} if isinstance(hands, dict) else {}
    mahjong = body.get("mahjong")
    winners = mahjong if isinstance(mahjong, list) else [mahjong]
    known = mahjong and all(isinstance(one, dict) for one in winners)
    cleaned = {"hands": hands, "mahjong": mahjong if known else None}
    if isinstance(body.get("beside"), dict) and body["beside"]:
        cleaned["beside"] = body["beside"]
    if isinstance(body.get("penalties"), list) and body["penalties"]:
        cleaned["penalties"] = [one for one in body["penalties"] if isinstance(one, dict)]
    if isinstance(body.get("agreed"), str):
        cleaned["agreed"] = body["agreed"]
    return cleaned


def give_unasked_hands(body: dict[str, Any], seat_numbers: list[str], needs: Mapping[str, Any]) -> None:
    """Where only the winner's hand counts, the others have nothing to score, and nobody is asked for it."""
    winners = [one.get("by") for one in wins_of(body)]
    if not winners or needs["losers_score"]:
        return
    for seat in seat_numbers:
        if seat not in winners or not needs["winner_needs_tiles"]:
            body["hands"].setdefault(seat, {})


# Said by the page itself as well, before it sends a hand.
SENTENCES = {
    "blank": "Enter tiles or a total, or choose “Nothing to score”.",
    "no_winner": "Choose who went Mah-jong, or “Nobody”.",
    "no_payer": "Choose who pays the penalty.",
    "no_payee": "Choose who receives the penalty.",
    "pays_self": "Choose another player. A player cannot pay a penalty to themselves.",
    "no_source": "Choose where the last tile came from.",
    "not_whole": "“{typed}” is not a whole number. Enter the {name} in figures, for example 64.",
}


def missing(posted: PostedHand, seat_numbers: list[str], needs: Mapping[str, Any] = NEEDS) -> FieldError | None:
    """Say what a whole hand still lacks: a blank is not nothing, and nobody has won until it is said."""
    blank = [seat for seat in seat_numbers if seat not in posted.body["hands"]]
    false = any(one.get("kind") == "false mahjong" for one in posted.body.get("penalties", ()))
    void = false and needs["false_mahjong_voids"]
    if blank and not void and not posted.drawn:
        return FieldError(SENTENCES["blank"], blank[0], "hand")
    if not posted.body["mahjong"] and not void and not posted.drawn:
        return FieldError(SENTENCES["no_winner"], None, "mahjong")
    unsaid = [one for one in wins_of(posted.body) if not one.get("from") and not one.get("dealt")]
    if unsaid and needs["discarder_pays_more"]:
        return FieldError(SENTENCES["no_source"], str(unsaid[0].get("by")), "mahjong")
    return None


def read_plain(post: Mapping[str, str], seat_numbers: list[str]) -> tuple[dict[str, Any], FieldError | None]:
    """Read the plain fields; what cannot be read keeps its place in the body as it was typed."""
    hands, error = {}, None
    for seat in seat_numbers:
        hand, wrong = plain_hand(post, seat)
        error = error or wrong
        if hand is not None:
            hands[seat] = hand
    body = {"hands": hands, "mahjong": plain_mahjong(post)}
    penalty, wrong = plain_penalty(post)
    if penalty:
        body["penalties"] = [penalty]
    return body, error or wrong


def plain_hand(post: Mapping[str, str], seat: str) -> tuple[dict[str, Any] | None, FieldError | None]:
    def words(name):
        return post.get(f"{name}_{seat}", "").strip()

    form, hand = words("form"), {}
    if not form:
        return None, None
    if form == "total":
        return figures(seat, total=words("total"))
    if form == "points":
        return figures(seat, points=words("points"), **({"doubles": words("doubles")} if words("doubles") else {}))
    if form == "special":
        named = {"fishing_for": words("fishing_for")} if words("fishing_for") else {"special": words("special")}
        hand = {**named, **({"exposed": True} if words("exposed") else {})}
    elif form == "tiles":
        hand["sets"] = typed_sets(words("sets"))
        if words("tiles"):
            hand["tiles"] = words("tiles")
        hand |= {flag: True for flag in FLAGS if words(flag)}
        if words("count"):
            hand["count"] = words("count")
    if words("bonus") and form in ("tiles", "special"):
        hand["bonus"] = words("bonus")
    return hand, None


def figures(seat: str, **typed: str) -> tuple[dict[str, Any], FieldError | None]:
    """Read whole numbers; the first that is none is an error, and stays as it was typed."""
    hand: dict[str, Any] = {}
    error = None
    for name, text in typed.items():
        if re.fullmatch(r"[0-9]{1,9}", text):
            hand[name] = int(text)
        else:
            hand[name] = text
            sentence = SENTENCES["not_whole"] if text else "Enter the {name} in figures, for example 64."
            error = error or FieldError(sentence.format(typed=text[:20], name=name), seat, name)
    return hand, error


def plain_mahjong(post: Mapping[str, str]) -> Any:
    winners = [seat for seat in (post.get("winner", ""), post.get("winner_2", "")) if seat]
    common: dict[str, Any] = {}
    if post.get("winning_tile", "").strip():
        common["tile"] = post["winning_tile"].strip()
    if post.get("from"):
        common["from"] = post["from"]
    for way in post.getlist("how") if hasattr(post, "getlist") else [post.get("how", "")]:
        if way in WAYS:
            name, value = WAYS[way]
            common[name] = value
    found = [{"by": seat, **common} for seat in winners]
    return None if not found else found[0] if len(found) == 1 else found


def plain_penalty(post: Mapping[str, str]) -> tuple[dict[str, Any] | None, FieldError | None]:
    kind, by = post.get("penalty_kind", ""), post.get("penalty_by", "")
    if not kind:
        return None, None
    penalty = {"kind": kind, "by": by}
    if post.get("penalty_to"):
        penalty["to"] = post["penalty_to"]
    if not by:
        return penalty, FieldError(SENTENCES["no_payer"], None, "penalties")
    if kind != "fine":
        return penalty, None
    amount, error = figures(None, amount=post.get("penalty_amount", "").strip())
    return {**penalty, **amount}, error


# Reads a posted paper sheet: lines of totals by player, who went Mah-jong, and the sheet's own running totals.

LONGEST = 40


def read_paper(post: Mapping[str, str], columns: Iterable[int]) -> list[PaperRow]:
    """Return the typed lines in order, blank ones too; `columns` are the seat numbers that have a column."""
    return [_row(post, at, columns) for at in range(1, ROWS + 1)]


def blank_rows(columns: Iterable[int]) -> list[PaperRow]:
    return read_paper({}, columns)


def _row(post, at, columns):
    def words(name):
        return " ".join(post.get(name, "").split())[:LONGEST]

    return PaperRow(
        at=at,
        key=_key(post.get(f"key_{at}")),
        totals={str(seat): words(f"total_{at}_{seat}") for seat in columns},
        winner=words(f"winner_{at}"),
        sheet={str(seat): words(f"sheet_{at}_{seat}") for seat in columns},
    )


def _key(text):
    try:
        return str(uuid.UUID(text))
    except (TypeError, ValueError):
        return str(uuid.uuid4())
