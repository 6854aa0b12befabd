"""The hand-entry page and its score: plain data for the templates and the page's script."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any
from uuid import UUID, uuid4

from django.urls import reverse

from clubscore.play.drawn_hands import ROWS_WITHOUT_BONUS, TILE_ROWS, tile_names
from clubscore.play.entered_hand import EnteredHand, what_counts
from clubscore.play.offered import PLAIN_WAYS, offers, penalties, special_hands
from clubscore.play.score_fragments import score_data
from clubscore.play.scoring_by_seat import WORDS as UNSURE_WORDS
from clubscore.play.scoring_by_seat import wins_of
from clubscore.scoring import tiles
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.words import in_words
from sessions_app.models import Club, Hand, Seat, Session
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
