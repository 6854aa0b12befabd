"""What the hand-entry page and its score are drawn from: plain data for the templates and for the tablet's script."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest

from clubscore.scoring import RULE_SETS, HouseRules, RuleSet, ScoringError, tiles
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.rules import SpecialHand
from clubscore.scoring.settlement import PENALTY_KINDS
from clubscore.scoring.table import compile_table
from clubscore.scoring.unlikely_totals import total_queries
from clubscore.scoring.words import Vocabulary, in_words
from clubscore.table.drawn_hands import TILE_ROWS, tile_names
from clubscore.table.entry_score import scored_hand
from clubscore.table.live_scoring import WORDS as UNSURE_WORDS
from clubscore.table.live_scoring import wins_of
from sessions_app.models import Entry, Session
from sessions_app.rules.club_rules import value_words
from sessions_app.table.forms import cost_words
from sessions_app.table.hand_form import SENTENCES, WAYS, FieldError
from sessions_app.table.state import recent_commands
from sessions_app.table.sticks import sticks_on_table, sticks_to_hand_over

PLAIN_FORMS = (
    ("tiles", "Tiles", "hands"),
    ("total", "A total", "hands"),
    ("points", "Points and doubles", "doubles"),
    ("special", "A special hand by name", "special"),
    ("nothing", "Nothing to score", ""),
)

# What may be said of the winning tile, by what a rule set asks: the word in the plain form, and the words shown.
PLAIN_WAYS = (
    ("last_of_wall", "last_tile", "Last tile of the wall"),
    ("last_discard", "last_tile", "The last discard"),
    ("robbed_kong", "robbed_kong", "Robbing a kong"),
    ("dealt", "dealt", "With the tiles as dealt"),
    ("first_discard", "first_discard", "On East’s first discard"),
    ("second_kong", "second_kong", "Replacement of a second kong"),
    ("flower_replaced", "flower_replaced", "It replaced a flower"),
    ("standing", "standing", "Standing hand"),
    ("thirteenth", "thirteenth", "East’s thirteenth in a row"),
    ("first_round", "first_round", "Before everyone’s second turn"),
    ("last_of_kind", "last_of_kind", "The other three are on the table"),
)


def offers(table_session: Session) -> dict[str, Any]:
    """Return what the entry page offers: truths, the largest number of chows, and what is asked of a winning tile."""
    rules = RULE_SETS[table_session.rules]
    house = rules.house(table_session.house_rules)
    losers_score = house.losers_score is not False and not rules.winner_alone_scores
    return {
        "hands": rules.winner_needs_tiles or losers_score,
        "doubles": rules.doubling == "doubles",
        "special": any(hand.doubles is None for hand in rules.special_hands) or bool(table_session.club_hands),
        "two_winners": rules.two_may_win,
        "winner_needs_tiles": rules.winner_needs_tiles,
        "losers_score": losers_score,
        "max_chows": house.max_chows,
        "exposable": any(hand.exposable for hand in rules.special_hands),
        "fishing": any(hand.fishable for hand in rules.special_hands),
        "fishing_by_name": any(hand.fishable for hand in rules.special_hands) or _own_fishable(table_session),
        "original_call": house.original_call is not None,
        "original_call_losers": house.original_call == "caller_and_winner",
        "asks": rules.asks,
        "ways": {asked: words for asked, _, words in PLAIN_WAYS if asked in rules.asks},
        "dealt_is_for_east": rules.dealt_is_for_east,
        "discarder_pays_more": rules.discarder_pays_more,
        "last_tile_may_be_loose": rules.last_tile_may_be_loose,
        "false_mahjong_voids": rules.false_mahjong_voids,
        "total_questions": [asdict(question) for question in total_queries(rules, house)],
    }


def _own_fishable(table_session):
    return any(hand.get("fishing") is not None for hand in table_session.club_hands)


def penalties(table_session: Session, words: Vocabulary = ()) -> list[dict[str, Any]]:
    """Return the penalties a table gives with a hand; who pays for all is not asked where nobody pays."""
    rules = RULE_SETS[table_session.rules]
    house = rules.house(table_session.house_rules)
    nobody_pays = house.recording == "straight"
    return [
        {
            "key": foul.key,
            "kind": foul.kind,
            "words": in_words(words, foul.says(house)),
            "cost": cost_words(foul, house),
            "to": {"one": "needed", "anybody": "allowed"}.get(foul.to, foul.to),
            "amount": foul.amount(house),
            "typed": PENALTY_KINDS[foul.kind].has_amount and foul.amount(house) is None,
        }
        for foul in rules.fouls
        if not (nobody_pays and PENALTY_KINDS[foul.kind].pays_for_all)
    ]


def tile_rows(words: Vocabulary) -> list[tuple[str, Any]]:
    """Return the rows of the tile grid: a name in the table's words, and the codes."""
    return [(in_words(words, name), codes) for name, codes in TILE_ROWS]


def plain_forms(offered: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the ways in which a hand may be given without JavaScript."""
    return [(value, words) for value, words, needed in PLAIN_FORMS if not needed or offered[needed]]


def plain_ways(offered: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what may be said of the winning tile without JavaScript."""
    return [(value, words) for asked, value, words in PLAIN_WAYS if asked in offered["asks"]]


# The club's own special hands in the list from which the entry page picks by name.


def own_specials(table_session: Session, house: HouseRules) -> list[dict[str, Any]]:
    """Return the own hands that a session froze at its start, in the form of the rule set's own."""
    return [_offered(hand, house) for hand in table_session.club_hands]


def _offered(hand, house):
    fishing = hand.get("fishing")
    concealed = " Concealed." if hand.get("concealed") else ""
    return {
        "key": hand["key"],
        "name": hand.get("name") or hand["key"],
        "sentence": f"{hand.get('text') or 'A hand of the club’s own.'}{concealed}",
        "fishable": fishing is not None,
        "exposable": False,
        "to": "winner",
        "worth": value_words(hand["value"], house) if isinstance(hand["value"], str) else _paid(hand["value"], house),
        "fishing_worth": _paid(fishing, house, is_winner=False),
        "picture": (hand.get("tiles") or "").split(),
    }


SAVE_FIELDS = ("body", "key", "after", "seats", "device", "why", "drawn")
SAVE_WORDS = {"new": "Save hand {}", "insert": "Save hand {}", "change": "Show what changes"}
TITLES = {"new": "Hand {}, table {}", "insert": "Hand {}, table {}", "change": "Change hand {}, table {}"}


def entry_page(
    table_session: Session,
    seating: SeatingState,
    *,
    number: int,
    urls: dict[str, str],
    mode: str = "new",
    body: dict[str, Any] | None = None,
    key: UUID | str | None = None,
    after: UUID | str | None = None,
    error: Any = None,
    drawn: bool = False,
    entry: Entry | None = None,
) -> dict[str, Any]:
    """Make the context of hand_entry.html for a hand that is or was played in this seating.

    `urls` has `score`, `save` and `back`; `entry` names the entry that is changed, or before which a hand is put, as
    commands do, with the version shown; `error` is a ScoringError, a CommandResult, a FieldError or a sentence.
    """
    seats, sits_out = seats_of(table_session, seating)
    words = table_session.vocabulary()
    error = entry_error(error, seating, words)
    recent, kept = recent_commands(table_session), f"hand-{table_session.pk}-{mode}-"
    number_or_slot = table_session.table if table_session.pk else "{table}"
    data = {
        **_every_hand(table_session, words),
        "known_keys": [key for key, _, _ in recent],
        "mode": mode,
        "hand_number": number,
        "wind_of_round": seating.wind_of_round,
        "goulash": seating.goulash,
        "seats": seats,
        "sits_out": sits_out,
        "chairs": seating.to_dict(),
        "tells_next": True,
        "sticks": sticks_on_table(table_session) if mode == "new" else None,
        "body": body,
        "key": str(key or ""),
        "after": str(after or ""),
        "urls": urls,
        "entry": entry or {},
        "storage": f"{kept}{number}",
        "storage_start": kept,
        "save_words": SAVE_WORDS[mode].format(number),
        "title": TITLES[mode].format(number, table_session.table),
        "sentences": {
            "save": SAVE_WORDS["new"],
            "title": TITLES["new"].format("{}", number_or_slot),
            "show_changes": SAVE_WORDS["change"],
            "title_of_change": TITLES["change"].format("{}", number_or_slot),
            **{key: in_words(words, sentence) for key, sentence in SENTENCES.items()},
            "unsure_from": in_words(words, UNSURE_WORDS["from"]),
        },
        "drawn": drawn,
        "error": {"seat": error.seat, "field": error.field} if error else None,
    }
    return {
        "table_session": table_session,
        "club": table_session.club,
        "entry": data,
        "recent_commands": recent,
        "error": error,
        "error_name": next((seat["name"] for seat in seats if error and seat["number"] == error.seat), ""),
        "save_fields": SAVE_FIELDS,
        "plain_key": data["key"] or str(uuid4()),
        "plain_forms": plain_forms(data["offers"]),
        "plain_ways": plain_ways(data["offers"]),
        "tile_rows": tile_rows(words),
        "plain": plain_fields(seats, body or {}, drawn),
        **score_page(table_session, seating, body or {}, is_next=mode == "new"),
    }


def _every_hand(table_session, words):
    """Return what the page's script gets of the table, whichever of its hands is entered."""
    return {
        "table": table_session.table,
        "offers": offers(table_session),
        "words": words,
        "special_hands": special_hands(table_session, words),
        "penalties": penalties(table_session, words),
        "no_hu_for": RULE_SETS[table_session.rules].no_hu_for,
        "tiles": tile_names(words),
    }


def score_page(
    table_session: Session, seating: SeatingState, body: dict[str, Any], drawn: bool = False, is_next: bool = False
) -> dict[str, Any]:
    """Make the context of the score, for a hand entered wholly or in part."""
    seats, sits_out = seats_of(table_session, seating)
    sticks = partial(sticks_to_hand_over, table_session) if is_next else None
    scored = scored_hand(table_session, seating, body, seats, sits_out, drawn, sticks)
    seated = [seating.to_dict(), seats, sits_out]
    return {"table_session": table_session, "scored": scored, "seated": seated}


def seats_of(table_session: Session, seating: SeatingState) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Name who plays this hand, in table order from East, and who sits out; nobody does before a session starts."""
    names = defaultdict(str, {seat.chair: seat.player.name for seat in table_session.seats.select_related("player")})
    seats = [
        {"number": str(number), "name": names[number], "wind": wind, "wind_name": tiles.wind_name(wind)}
        for wind, number in seating.seated.items()
    ]
    return seats, [{"number": str(number), "name": names[number]} for number in seating.out]


def special_hands(table_session: Session, words: Vocabulary = ()) -> list[dict[str, Any]]:
    """The hands that may be entered by name under the table's house rules, each with the tiles of its first example.

    One whose value is worked out from its points needs its tiles, so it has no place in the list.
    """
    rules = RULE_SETS[table_session.rules]
    house = rules.house(table_session.house_rules)
    by_key = {hand.key: hand for hand in rules.special_hands if hand.doubles is None and house.plays(hand)}
    return [
        {
            "key": hand.key,
            "name": in_words(words, hand.name),
            "sentence": in_words(words, hand.sentence),
            "fishable": hand.fishable,
            "exposable": hand.exposable,
            "to": hand.to,
            **worths(hand, rules, house),
            "picture": example_tiles(hand.examples[0].hand) if hand.examples else [],
        }
        for hand in by_key.values()
    ] + own_specials(table_session, house)


def worths(hand: SpecialHand, rules: RuleSet, house: HouseRules) -> dict[str, str]:
    """Say what a special hand and fishing for it are worth: figures alone where the club has set the price."""
    if house.price(hand.key) is None:
        words = worth_words(hand.value, hand.points, rules, house)
        return {"worth": words, "fishing_worth": worth_words(hand.fishing, None, rules, house)}
    worth = compile_table(house).named(hand.key, {})
    return {"worth": _paid(worth.value, house), "fishing_worth": _paid(worth.fishing, house, is_winner=False)}


def _paid(price, house, is_winner=True):
    """Say what is paid at a price of the club's own, which the limit may cut; nothing where there is none."""
    if price is None:
        return ""
    paid, is_cut = compile_table(house).cap(price, is_winner)
    return f"the limit, {paid:,}" if is_cut else f"{paid:,}"


def worth_words(value: Any, points: Any, rules: RuleSet, house: HouseRules) -> str:
    """Say what a special hand is worth under these house rules: "the limit, 1,000"; nothing where it depends."""
    if points is not None:
        return f"{amount_under(points, house):,} points and more"
    base = house.limit or amount_under(rules.special_value_without_limit, house)
    if value is None or not base:
        return ""
    tenths = amount_under(value, house)
    named = {10: "the limit, ", 5: "half the limit, "}.get(tenths, "") if house.limit else ""
    return f"{named}{base * tenths // 10:,}"


def amount_under(figure: Any, house: HouseRules) -> int | None:
    """Read a figure of a rule's row: a number, or one that a house rule decides."""
    return figure if figure is None or isinstance(figure, int) else figure.under(house)


def example_tiles(hand: Mapping[str, Any]) -> list[str]:
    """Spread a hand of the score format out as tile codes."""
    found = []
    for one in hand.get("sets", ()):
        kind, tile = one.upper().split()[-2:]
        if kind == "CHOW":
            found += [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
        else:
            found += [tile] * {"PAIR": 2, "PUNG": 3, "KONG": 4}[kind]
    return found + hand.get("tiles", "").upper().split()


def entry_error(error: Any, seating: SeatingState, words: Vocabulary = ()) -> Any:
    """Read an error of whatever kind as a FieldError whose seat is a number, said in the table's words.

    A CommandResult and a refused preview are said in them already, a sentence of the service has none of them.
    """
    if error is None or isinstance(error, FieldError):
        return error
    cause = getattr(error, "error", None) or error
    seat = getattr(cause, "seat", None)
    seat = seating.seated.get(seat, seat)
    message = (
        error.sentence_in(words) if isinstance(error, ScoringError) else getattr(error, "message", None) or str(cause)
    )
    return FieldError(message, str(seat) if seat else None, getattr(cause, "field", None))


def plain_fields(seats: list[dict[str, Any]], body: dict[str, Any], drawn: bool = False) -> dict[str, Any]:
    """What the form without JavaScript shows: each player's hand as text, who went Mah-jong and how, one penalty."""
    hands = body.get("hands") or {}
    winners = wins_of(body) or [{}]
    return {
        "seats": [{**seat, **plain_hand(hands.get(seat["number"]))} for seat in seats],
        "winners": [one.get("by", "") for one in winners],
        "tile": winners[0].get("tile", ""),
        "from": winners[0].get("from", ""),
        "how": [way for way, (name, value) in WAYS.items() if winners[0].get(name) == value],
        "penalty": next(iter(body.get("penalties") or []), {}),
        "drawn": drawn,
    }


def plain_hand(hand: dict[str, Any] | None) -> dict[str, Any]:
    """One player's hand for the plain form: which of its ways, and the words in its fields."""
    if hand is None:
        return {"form": "", "hand": {}}
    forms = {"total": "total", "points": "points", "special": "special", "fishing_for": "special"}
    form = next((word for field, word in forms.items() if field in hand), "tiles" if any(hand.values()) else "nothing")
    sets = hand.get("sets")
    return {"form": form, "hand": {**hand, "sets": ", ".join(map(str, sets)) if isinstance(sets, list) else ""}}


# Who is asked whether a hand is right, where the club asks for that; and who agreed to one.


def is_asked(table_session: Session) -> bool:
    """Say whether the table asks; not where nothing counts, at practice, nor before the club knows the table."""
    return table_session.club.asks_agreement and not table_session.practice and bool(table_session.pk)


def who_agrees(request: HttpRequest, table_session: Session, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return who may agree, of players as the hand-entry page names them: all but the one who holds the tablet."""
    holds = getattr(request.membership, "chair", "")
    return [seat for seat in seats if seat["number"] != holds] if is_asked(table_session) else []


def is_unagreed(table_session: Session, entry: Entry) -> bool:
    """Say whether a hand was left, or changed, without anybody having agreed to it, and the table asks for it."""
    return is_asked(table_session) and entry.body.get("agreed") == ""


def agreed_name(entry: Entry, names: dict[str, str]) -> str:
    """Name who agreed to a hand, empty where nobody did; `names` by seat number as a string."""
    return names.get(entry.body.get("agreed"), "")
