"""The hand-entry page and its score: plain data for the templates and the page's script."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from typing import Any
from uuid import UUID, uuid4

from django.urls import reverse

from clubscore.play.drawn_hands import ROWS_WITHOUT_BONUS, TILE_ROWS, tile_names
from clubscore.play.entered_hand import EnteredHand, what_counts
from clubscore.play.score_fragments import score_data
from clubscore.play.scoring_by_seat import WORDS as UNSURE_WORDS
from clubscore.play.scoring_by_seat import wins_of
from clubscore.scoring import HouseRules, RuleSet, tiles
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.rule_table import compile_table
from clubscore.scoring.rules import ANYHOW
from clubscore.scoring.settlement import PENALTY_KINDS
from clubscore.scoring.unlikely_totals import total_queries
from clubscore.scoring.words import Vocabulary, in_words
from sessions_app.models import Club, Hand, Recording, Seat, Session
from sessions_app.rules.club_rules import value_words
from sessions_app.table.forms import cost_words, why_of
from sessions_app.table.hand_form import SENTENCES, WAYS, FieldError, PostedHand
from sessions_app.table.season_assignment import is_locked
from sessions_app.table.sessions import current_seating
from sessions_app.table.state import recent_commands
from sessions_app.table.sticks import sticks_on_table, sticks_to_hand_over
from sessions_app.table.views.board_page import bottom_of
from sessions_app.web.access import TableRequest

# How a hand may be entered without JavaScript: the word in the form, the words shown, and the offer it needs.
PLAIN_FORMS = (
    ("tiles", "Tiles", "hands"),
    ("total", "A total", "hands"),
    ("points", "Points and doubles", "doubles"),
    ("special", "A special hand by name", "special"),
    ("nothing", "Nothing to score", ""),
)

# What may be said of the winning tile, by what a rule set asks: the word in the form, and the words shown.
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
    """Return what the entry page offers: flags, and what is asked of a winning tile."""
    rules, house = table_session.rule_set, table_session.house
    table, club_hands = compile_table(house), table_session.club_hands
    losers_score = not table.losers_count_nothing
    is_fishable = bool(table.fishing_specials)
    return {
        "hands": rules.winner_needs_tiles or losers_score,
        "bonus": table.counts_bonus,
        "doubles": rules.doubling == "doubles",
        "special": bool(table.named_specials or club_hands),
        "two_winners": rules.two_may_win,
        "winner_needs_tiles": rules.winner_needs_tiles,
        "losers_score": losers_score,
        "exposable": any(worth.exposed_differs for _, worth in table.named_specials),
        "fishing": is_fishable,
        "fishing_by_name": is_fishable or any(hand.get("fishing") is not None for hand in club_hands),
        "original_call": table.counts_call(winning=True),
        "original_call_losers": table.counts_call(winning=False),
        "asks": table.asks,
        "ways": {asked: words for asked, _, words in PLAIN_WAYS if asked in table.asks},
        "dealt_is_for_east": rules.dealt_is_for_east,
        "discarder_pays_more": table_session.discarder_pays_more,
        "last_tile_may_be_loose": rules.last_tile_may_be_loose,
        "false_mahjong_voids": rules.false_mahjong_voids,
        "most_chows": house.max_chows,
        "total_questions": [asdict(question) for question in total_queries(rules, house)],
    }


def penalties(table_session: Session, words: Vocabulary = ()) -> list[dict[str, Any]]:
    """Return the penalties a table gives with a hand, without paying for all where nobody pays."""
    rules, house = table_session.rule_set, table_session.house
    return [
        {
            "key": row.key,
            "kind": row.kind,
            "words": in_words(words, row.says(house)),
            "cost": cost_words(row, house),
            "to": {"one": "needed", "anybody": "allowed"}.get(row.to, row.to),
            "amount": row.amount(house),
            "typed": PENALTY_KINDS[row.kind].has_amount and row.amount(house) is None,
            "stands_alone": row.is_plain,
            "why": why_of(row),
        }
        for row in rules.penalties
        if house.recording != Recording.STRAIGHT or not PENALTY_KINDS[row.kind].pays_for_all
    ]


# The special hands that may be entered by name.


def special_hands(table_session: Session, words: Vocabulary = ()) -> list[dict[str, Any]]:
    """Return the hands that may be entered by name, each with the tiles of its first example; the club's own last.

    `by` are the winds that may make it, `sources` and `marks` what its name says of the last tile (all as in the score
    format). One whose value is worked out from its points needs its tiles, so it is not in the list.
    """
    rules, house = table_session.rule_set, table_session.house
    return [
        {
            "key": hand.key,
            "name": in_words(words, hand.name),
            "sentence": in_words(words, hand.sentence_under(house)),
            "fishable": worth.fishing is not None,
            "exposable": worth.exposed_differs,
            "to": hand.to,
            "by": hand.made.by,
            "sources": hand.made.sources,
            "marks": hand.made.marks,
            **_worths(hand, worth, rules, house),
            "picture": _example_tiles(hand.examples[0].hand) if hand.examples else [],
        }
        for hand, worth in compile_table(house).named_specials
    ] + [_club_hand(hand, house) for hand in table_session.club_hands]


def _club_hand(hand, house):
    """Return a club's own hand, as the session froze it at its start, in the form of the rule set's."""
    fishing, value = hand.get("fishing"), hand["value"]
    concealed = " Concealed." if hand.get("concealed") else ""
    return {
        "key": hand["key"],
        "name": hand.get("name") or hand["key"],
        "sentence": f"{hand.get('text') or 'A hand of the club’s own.'}{concealed}",
        "fishable": fishing is not None,
        "exposable": False,
        "to": "winner",
        "by": ANYHOW.by,
        "sources": ANYHOW.sources,
        "marks": ANYHOW.marks,
        "worth": value_words(value, house) if isinstance(value, str) else _price_words(value, house),
        "fishing_worth": _price_words(fishing, house, is_winner=False),
        "picture": (hand.get("tiles") or "").split(),
    }


def _worths(hand, worth, rules, house):
    """Say what a special hand and fishing for it are worth: figures alone if the club has set the price."""
    if worth.points:
        return {"worth": f"{worth.points:,} points and more", "fishing_worth": ""}
    if house.price(hand.key) is None:
        return {
            "worth": _special_worth_words(hand.value, rules, house),
            "fishing_worth": _special_worth_words(hand.fishing, rules, house),
        }
    return {
        "worth": _price_words(worth.value, house),
        "fishing_worth": _price_words(worth.fishing, house, is_winner=False),
    }


def _price_words(price, house, is_winner=True):
    """Say what is paid at a price of the club's own, which may be capped at the limit; "" without a price."""
    if price is None:
        return ""
    paid, is_capped = compile_table(house).cap(price, is_winner)
    return f"the limit, {paid:,}" if is_capped else f"{paid:,}"


def _special_worth_words(value: Any, rules: RuleSet, house: HouseRules) -> str:
    """Say what a special hand is worth under these house rules: "the limit, 1,000"; "" if it has no such score."""
    base = house.limit or _under(rules.special_value_without_limit, house)
    if value is None or not base:
        return ""
    tenths = _under(value, house)
    share = {10: "the limit, ", 5: "half the limit, "}.get(tenths, "") if house.limit else ""
    return f"{share}{base * tenths // 10:,}"


def _under(figure, house):
    """Return a figure of a rule's row: a number, or one that a house rule decides."""
    return figure if figure is None or isinstance(figure, int) else figure.under(house)


def _example_tiles(hand):
    """Return the tile codes of a hand of the score format."""
    codes = []
    for text in hand.get("sets", ()):
        kind, tile = text.upper().split()[-2:]
        if kind == "CHOW":
            codes += [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
        else:
            codes += [tile] * {"PAIR": 2, "PUNG": 3, "KONG": 4}[kind]
    return codes + hand.get("tiles", "").upper().split()


# The page.

SAVE_FIELDS = ("body", "key", "after", "seats", "device", "why", "drawn")
SAVE_WORDS = {"new": "Save hand {}", "insert": "Save the missing hand", "change": "Show what changes"}
TITLES = {
    "new": "Hand {}, table {}",
    "insert": "A hand before hand {}, table {}",
    "change": "Change hand {}, table {}",
}


@dataclass(frozen=True)
class HandEntryPage:
    """hand_entry.html for a hand that is or was played in this seating.

    `urls` has `score`, `save` and `back`; `entry` names the entry that is changed, or before which a hand is put, as
    commands do, with the version shown; `recorded` is its recorded_score, and `asks_server` says whether only the
    server's page can show what the change does. `bottom` is the seat at the bottom of the picture. `error` is a
    FieldError, a CommandResult or a PreviewRefused. `questions` about typed totals are by seat. `types_totals` if the
    keypad comes first. `known` is the context of the board, if there is one.
    """

    table_session: Session
    seating: SeatingState
    number: int
    urls: dict[str, str]
    mode: str = "new"
    body: dict[str, Any] | None = None
    key: UUID | str | None = None
    after: UUID | str | None = None
    error: Any = None
    drawn: bool = False
    entry: dict[str, Any] | None = None
    recorded: Any = None
    asks_server: bool = False
    bottom: str = ""
    questions: dict[str, str] | None = None
    types_totals: bool = False
    known: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def people(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Who plays, and who sits out."""
        return named_seats(self.table_session, self.seating, self.known.get("everybody"))

    @cached_property
    def offered(self) -> dict[str, Any]:
        return offers(self.table_session)

    @cached_property
    def fault(self) -> FieldError | None:
        return _field_error(self.error, self.seating)

    @cached_property
    def recent(self) -> list[Any]:
        return self.known["recent_commands"] if self.known else recent_commands(self.table_session)

    @cached_property
    def score(self) -> dict[str, Any]:
        is_next = self.mode == "new"
        return score_page(self.table_session, self.seating, self.body or {}, is_next=is_next, people=self.people)

    def context(self) -> dict[str, Any]:
        """Return what the template shows."""
        (seats, _), words, error = self.people, self.table_session.vocabulary(), self.fault
        rows = TILE_ROWS if self.offered["bonus"] else ROWS_WITHOUT_BONUS
        return {
            "table_session": self.table_session,
            "club": self.table_session.club,
            "entry": self.as_json(),
            "recent_commands": self.recent,
            "bottom": self.bottom,
            "error": error,
            "error_name": next((seat["name"] for seat in seats if error and seat["number"] == error.seat), ""),
            "save_fields": SAVE_FIELDS,
            "plain_key": str(self.key or uuid4()),
            "plain_forms": [(value, shown) for value, shown, need in PLAIN_FORMS if not need or self.offered[need]],
            "tile_rows": [(in_words(words, name), codes) for name, codes in rows],
            "plain": self.plain(),
            **self.score,
        }

    def as_json(self) -> dict[str, Any]:
        """Return what the page's script reads; the template shows some of it too."""
        session, (seats, sits_out), words = self.table_session, self.people, self.table_session.vocabulary()
        storage = f"hand-{session.pk}-{self.mode}-"
        return {
            "offers": self.offered,
            "words": words,
            "special_hands": special_hands(session, words),
            "penalties": penalties(session, words),
            "no_hu_for": session.rule_set.no_hu_for,
            "tiles": tile_names(words),
            "known_keys": [key for key, _, _ in self.recent],
            "mode": self.mode,
            "hand_number": self.number,
            "wind_of_round": self.seating.wind_of_round,
            "goulash": self.seating.goulash,
            "seats": seats,
            "sits_out": sits_out,
            "chairs": self.seating.to_dict(),
            "tells_next": True,
            "sticks": sticks_on_table(session) if self.mode == "new" else None,
            "body": self.body,
            "key": str(self.key or ""),
            "after": str(self.after or ""),
            "urls": self.urls,
            "entry": self.entry or {},
            "storage": f"{storage}{self.number}",
            "save_words": SAVE_WORDS[self.mode].format(self.number),
            "title": TITLES[self.mode].format(self.number, session.table),
            "sentences": self.sentences(),
            "drawn": self.drawn,
            "score": score_data(self.score["scored"]),
            "recorded": self.recorded,
            "asks_server": self.asks_server,
            "bottom": self.bottom,
            "error": {"seat": self.fault.seat, "field": self.fault.field} if self.fault else None,
            "types_totals": self.types_totals,
        }

    def sentences(self) -> dict[str, Any]:
        """Return what the script says itself, in the table's words."""
        words = self.table_session.vocabulary()
        return {
            "save": SAVE_WORDS["new"],
            "title": TITLES["new"].format("{}", "{table}"),
            "save_older": {mode: SAVE_WORDS[mode] for mode in ("insert", "change")},
            "title_of_older": {mode: TITLES[mode].format("{}", "{table}") for mode in ("insert", "change")},
            **{key: in_words(words, sentence) for key, sentence in SENTENCES.items()},
            "unsure_from": in_words(words, UNSURE_WORDS["from"]),
        }

    def plain(self) -> dict[str, Any]:
        """Return what the form without JavaScript shows: each player's hand, who went Mah-jong and how, penalties."""
        body, asks, questions = self.body or {}, self.offered["asks"], self.questions or {}
        hands, wins = body.get("hands") or {}, wins_of(body) or [{}]
        return {
            "seats": [
                {**seat, **_plain_hand(hands.get(seat["number"])), "question": questions.get(seat["number"], "")}
                for seat in self.people[0]
            ],
            "questions": bool(questions),
            "winners": [win.get("by", "") for win in wins],
            "tile": wins[0].get("tile", ""),
            "from": wins[0].get("from", ""),
            "ways": _plain_ways(wins[0], asks),
            "ways_2": _plain_ways(wins[1] if len(wins) > 1 else {}, asks) if self.offered["two_winners"] else [],
            "penalties": [*(body.get("penalties") or []), {}],
            "drawn": self.drawn,
            "beside": json.dumps(body["beside"]) if body.get("beside") else "",
        }


def score_page(
    table_session: Session,
    seating: SeatingState,
    body: dict[str, Any],
    drawn: bool = False,
    is_next: bool = False,
    people: Any = None,
) -> dict[str, Any]:
    """Make the context of the score, for a hand entered wholly or in part; `people` are named_seats unless queried."""
    seats, sits_out = people or named_seats(table_session, seating)
    sticks = partial(sticks_to_hand_over, table_session) if is_next else None
    scored = EnteredHand(table_session, seating, body, seats, sits_out, drawn).shown(sticks)
    return {"table_session": table_session, "scored": scored}


def recorded_score(table_session: Session, played: Hand) -> Any:
    """Return what counts of a recorded hand: a correction that leaves it as it is needs no preview.

    None if every correction of the hand is looked at first.
    """
    if played.question or asks_agreement(table_session) or is_locked(table_session) or not table_session.is_open:
        return None
    return what_counts(score_page(table_session, SeatingState.from_dict(played.seating), played.entry.body)["scored"])


def named_seats(
    table_session: Session, seating: SeatingState, everybody: Iterable[Seat] | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Name who plays this hand, in table order from East, and who sits out; nobody does before a session starts.

    `everybody` are the seats of the session, queried unless given.
    """
    seats_of_all = table_session.seats.select_related("player") if everybody is None else everybody
    names = defaultdict(str, {seat.seat_no: seat.player.name for seat in seats_of_all})
    seats = [
        {"number": str(number), "name": names[number], "wind": wind, "wind_name": tiles.wind_name(wind)}
        for wind, number in seating.seated.items()
    ]
    return seats, [{"number": str(number), "name": names[number]} for number in seating.out]


def seat_numbers(seating: SeatingState) -> list[str]:
    return [str(seat) for seat in seating.seated.values()]


def _field_error(error, seating):
    """Return an error of any kind as a FieldError, with the number of the seat."""
    if error is None or isinstance(error, FieldError):
        return error
    seat = getattr(error.error, "seat", None)
    seat = seating.seated.get(seat, seat)
    return FieldError(error.message, str(seat) if seat else None, getattr(error.error, "field", None))


def _plain_ways(win, asks):
    """Return (word in the form, words shown, whether it is chosen) for each special way that a win has or may have."""
    chosen = {way for way, (name, value) in WAYS.items() if win.get(name) == value}
    words: dict[str, list[str]] = defaultdict(list)
    for asked, way, shown in PLAIN_WAYS:
        if asked in asks or way in chosen:
            words[way].append(shown[0].lower() + shown[1:] if words[way] else shown)
    return [(way, " or ".join(shown), way in chosen) for way, shown in words.items()]


def _plain_hand(hand):
    """Return how one player's hand is entered, and the words in its fields."""
    if hand is None:
        return {"form": "", "hand": {}}
    forms = {"total": "total", "points": "points", "special": "special", "fishing_for": "special"}
    form = next((word for field, word in forms.items() if field in hand), "tiles" if any(hand.values()) else "nothing")
    sets = hand.get("sets")
    return {"form": form, "hand": {**hand, "sets": ", ".join(map(str, sets)) if isinstance(sets, list) else ""}}


# Another player agreeing that a hand is right.


def asks_agreement(table_session: Session) -> bool:
    """Return whether the table asks; not at practice, nor before the club has the table."""
    return table_session.club.asks_agreement and not table_session.practice and bool(table_session.pk)


def who_agrees(request: TableRequest, table_session: Session, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return who may agree, of players as the hand-entry page names them: all but the one who holds the tablet."""
    holder = getattr(request.membership, "seat_no", "")
    return [seat for seat in seats if seat["number"] != holder] if asks_agreement(table_session) else []


# The next hand.


def next_number(table_session: Session) -> int:
    return Hand.objects.filter(session=table_session, number__gt=0).count() + 1


def next_hand_urls(club: Club, table_session: Session) -> dict[str, Any]:
    pages = {"score": "hand-score", "save": "hand-record", "page": "hand-new", "back": "table"}
    pages |= {"others": "others", "penalty": "penalty"}
    # A table that nobody has but the tablet is scored there, and nobody else saves at it.
    alone = () if table_session.pk else ("score", "others", "penalty")
    return {
        name: "" if name in alone else reverse(page, args=(club.slug, table_session.pk)) for name, page in pages.items()
    }


def _has_only_totals(body: dict[str, Any]) -> bool:
    """Return whether a hand was entered by typed totals alone, so that the next one begins with the keypad."""
    hands = [hand for hand in (body.get("hands") or {}).values() if any(hand.values())]
    return bool(hands) and all("total" in hand for hand in hands)


def next_hand_context(
    request: TableRequest,
    club: Club,
    table_session: Session,
    known: dict[str, Any],
    posted: PostedHand | None = None,
    error: Any = None,
    questions: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Make the context of the page on which the next hand is entered; `known` is that of the board, if there is one."""
    active = known["board"].ledger.active if known else []
    last, seating = active[-1] if active else None, current_seating(table_session)
    last_key = UUID(last.key) if last else None
    page = HandEntryPage(
        table_session,
        seating,
        number=known.get("next_number", 1),
        urls=next_hand_urls(club, table_session),
        body=posted.body if posted else None,
        key=request.POST.get("key") or request.POST.get("plain_key"),
        after=request.POST.get("after") if posted else last_key,
        drawn=bool(posted and posted.drawn),
        error=error,
        bottom=str(known["board"].sides(known["turn"])[0][2]) if known else bottom_of(request, table_session, seating),
        known=known,
        questions=questions,
        types_totals=last is not None and _has_only_totals(last.body),
    )
    return {
        **page.context(),
        "club": club,
        "is_settling": any(not card.is_late for card in known.get("waiting", ())),
        "agree_seats": who_agrees(request, table_session, page.people[0]),
    }
