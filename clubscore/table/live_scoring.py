"""From what was declared, by seat, to the scorer, by wind, and back; for the replay and for live scores."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from clubscore.scoring import REASONS, RULE_SETS, ScoringError, score_hand_played, score_one, tiles
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.score_format import kinds_held
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words

# What the score format knows of a club's own special hands.


def score_format_of(frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the score format knows of a club's own hand, as a session keeps it."""
    return {name: frozen.get(name) for name in ("key", "name", "value", "fishing")}


BODY_KEYS = {"hands", "beside", "mahjong", "penalties", "agreed"}
PLACES = ("wall", "kong box")
FIGURES = {"total", "points"}
WINNERS_TILES = 14


def own_keys(table_session: Any) -> set[str]:
    """Return the keys of the club's own special hands that a session froze."""
    return {hand["key"] for hand in table_session.club_hands}


def special_names(table_session: Any) -> dict[str, str]:
    """Return the name of every special hand of a session by its key, the club's own included."""
    own = {hand["key"]: hand.get("name") or hand["key"] for hand in table_session.club_hands}
    return {row.key: row.name for row in RULE_SETS[table_session.rules].special_hands} | own


def line_name(words: Vocabulary, line: Mapping[str, Any], own: Collection[str] = ()) -> str:
    """Return the name of a score line in a table's words, with why it counts where the name does not say it.

    The name of a hand of the club's own, whose keys are `own`, is as the club wrote it.
    """
    if line["rule"] in own:
        return str(line["name"])
    reason = REASONS.get(line["rule"])
    return in_words(words, f"{line['name']}, {reason}" if reason else line["name"])


def score_hand_input(body: Mapping[str, Any], seating: SeatingState, session: Any) -> dict[str, Any]:
    """Return the score-format input of a hand body as it is played in this seating.

    `session` gives `rules`, `house_rules` (the overrides) and `club_hands`. ScoringError where the body names someone
    who does not play, or someone who plays has no hand although a hand was scored.
    """
    _check_body(body)
    played = {
        "rules": session.rules,
        "house_rules": session.house_rules,
        "wind_of_round": seating.wind_of_round,
        "goulash": seating.goulash,
        "hands": _hands(body, seating),
        "mahjong": _mahjong(body.get("mahjong"), seating),
    }
    if session.club_hands:
        _refuse_exposed(played["hands"], session)
        played["club_hands"] = [score_format_of(hand) for hand in session.club_hands]
    if body.get("penalties"):
        played["penalties"] = [_by_wind(penalty, ("by", "to"), seating, "penalties") for penalty in body["penalties"]]
    return played


def score_by_seat(body: Mapping[str, Any], seating: SeatingState, session: Any) -> dict[str, Any]:
    """Score a hand body; the answer is the score format's, keyed by seat number instead of wind."""
    return by_seat(score_hand_played(score_hand_input(body, seating, session)), seating)


def by_seat(scored: dict[str, Any], seating: SeatingState) -> dict[str, Any]:
    """Return a scored hand keyed by seat numbers (strings) instead of winds."""
    seat = {wind: str(number) for wind, number in seating.seated.items()} | {None: None}
    payments = [{**one, "from": seat[one["from"]], "to": seat[one["to"]]} for one in scored["payments"]]
    return {
        **scored,
        "hands": {seat[wind]: hand for wind, hand in scored["hands"].items()},
        "payments": payments,
        "net": {seat[wind]: net for wind, net in scored["net"].items()},
    }


# What was worked out of late: a tap changes one hand, and leaves the others, and what the last tiles are worth.
KEPT = 100
_lately: dict[str, Any] = {}


def remembered(asked: object, work: Callable[[], Any]) -> Any:
    """Return what `work` gives, which depends on what is `asked` alone; from memory where it was asked of late."""
    key = repr(asked)
    found = _lately.get(key)
    if found is None:
        found = work()
        if len(_lately) >= KEPT:
            _lately.clear()
        _lately[key] = found
    return found


def _played_by(session: Any, seating: SeatingState) -> Any:
    """Return all of a session and a seating that a score depends on."""
    rules = session.rules, session.house_rules, session.club_hands
    return *rules, seating.winds, seating.wind_of_round, seating.goulash


def live_score(session: Any, seating: SeatingState, body: Any) -> dict[str, Any]:
    """Score a hand as far as it is entered; never raises.

    Returns what score_by_seat returns, with `errors`: a list of {"seat", "field", "sentence"} (seat number or None).
    Where something is missing, the hands that can be scored are in `hands` and there are no payments yet.
    """
    complete = {**body, "hands": {**dict.fromkeys(_seats(seating), {}), **(body.get("hands") or {})}}
    if not body.get("mahjong") and not body.get("penalties") and any(complete["hands"].values()):
        return _partly(session, seating, complete, [])
    try:
        return {**score_by_seat(complete, seating, session), "errors": []}
    except ScoringError as error:
        return _partly(session, seating, complete, [error])


def score_alone(session: Any, seating: SeatingState, body: Mapping[str, Any], seat: Any, form: Any) -> Any:
    """Score one player's form by itself: as the winner's against blank hands, or a loser's of a hand someone won.

    ScoringError where it cannot be scored.
    """
    own = next((win for win in wins_of(body) if isinstance(win, dict) and win.get("by") == seat), None)

    def work() -> Any:
        blank = {other: {"total": 0} for other in _seats(seating)}
        mahjong = own or {"by": next(other for other in blank if other != seat)}
        played = score_hand_input({"hands": {**blank, seat: form}, "mahjong": mahjong}, seating, session)
        return score_one(played, _wind(seat, seating, "hands"))

    return remembered(("alone", *_played_by(session, seating), own, seat, form), work)


def wins_of(body: Mapping[str, Any]) -> list[Any]:
    """Return every Mah-jong of a hand body: none, one, or two on one discard."""
    mahjong = body.get("mahjong")
    return mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []


def other_versions(session: Any, seating: SeatingState, body: Mapping[str, Any], words: Any = ()) -> dict[str, str]:
    """Say for each player what the other form of their hand would have been worth; sentences by seat number.

    Tiles entered with an announced figure give the best reading, or why they have none.
    """
    sentences = {}
    for seat, form in (body.get("beside") or {}).items():
        counts = (body.get("hands") or {}).get(seat)
        known = isinstance(form, dict) and isinstance(counts, dict) and seat in _seats(seating)
        if not known or not form:
            continue
        try:
            counted = score_alone(session, seating, body, seat, counts)["total"]
        except ScoringError:
            continue
        try:
            read = {**body, "hands": {**body["hands"], seat: form}}
            read = with_least_tile(read, seating, last_tiles(session, seating, read))
            other = score_alone(session, seating, read, seat, form)["total"]
            sentences[seat] = _difference(counts, form, counted, other)
        except ScoringError as error:
            sentences[seat] = f"We could not score the other version of this hand. {error.sentence_in(words)}"
    return sentences


def _difference(counts: Any, form: Any, counted: int, other: int) -> str:
    if FIGURES & set(counts) and not FIGURES & set(form):
        return f"The best reading is {other}; announced {counted}."
    if FIGURES & set(form) and not FIGURES & set(counts):
        return f"Announced {other}; the tiles score {counted}."
    return f"{counted} counts. The other version gives {other}."


def _partly(session: Any, seating: SeatingState, body: Mapping[str, Any], errors: list[ScoringError]) -> dict[str, Any]:
    """Score each hand apart, as if another player had won with a plain total."""
    hands, errors = {}, list(errors)
    for seat in _seats(seating):
        try:
            hands[seat] = score_alone(session, seating, body, seat, body["hands"].get(seat) or {})
        except ScoringError as error:
            if all((known.sentence, known.typed) != (error.sentence, error.typed) for known in errors):
                errors.append(error)
    found = [{"seat": _seat_of(error, seating), "field": error.field, "sentence": str(error)} for error in errors]
    nothing = dict.fromkeys(_seats(seating), 0)
    return {
        "hands": hands,
        "payments": [],
        "net": nothing,
        "errors": found,
        "east_stays": None,
        "next_is_goulash": None,
    }


def _seat_of(error: ScoringError, seating: SeatingState) -> str | None:
    return str(seating.seated[error.seat]) if error.seat in seating.seated else None


def _seats(seating: SeatingState) -> list[str]:
    return [str(seat) for seat in seating.seated.values()]


def _check_body(body: Any) -> None:
    if not isinstance(body, dict) or set(body) - BODY_KEYS:
        raise ScoringError("This is not a hand: it has hands, mahjong and penalties, nothing else.")
    if not isinstance(body.get("hands") or {}, dict):
        raise ScoringError("The players' hands must be given by seat.")
    if not isinstance(body.get("penalties") or [], list):
        raise ScoringError("The penalties must be a list.", field="penalties")


def _hands(body: Mapping[str, Any], seating: SeatingState) -> dict[str, Any]:
    declared = {} if _says_nothing(body) else body.get("hands") or {}
    playing = {str(seat): wind for wind, seat in seating.seated.items()}
    without = [playing[seat] for seat in playing if seat not in declared]
    if any(seat not in playing for seat in declared):
        raise ScoringError(_misfit(without))
    if without and (declared or body.get("mahjong")):
        name = WIND_NAMES[without[0]]
        raise ScoringError(f"Enter {name}’s tiles or total, or choose “Nothing to score”.", seat=without[0])
    return {wind: declared.get(seat, {}) for seat, wind in playing.items()}


def _refuse_exposed(hands: dict[str, Any], session: Any) -> None:
    """A hand of the club's own that must be concealed has no exposed sets."""
    concealed = {hand["key"]: hand["name"] for hand in session.club_hands if hand.get("concealed")}
    for wind, form in hands.items():
        key = form.get("special") or form.get("fishing_for") if isinstance(form, dict) and form.get("exposed") else None
        if isinstance(key, str) and key.lower() in concealed:
            raise ScoringError("{name} cannot have exposed sets.", wind, "special", name=concealed[key.lower()])


def _says_nothing(body: Mapping[str, Any]) -> bool:
    """Nobody went Mah-jong and no hand was read out: it is right for any seating."""
    hands = (body.get("hands") or {}).values()
    return not body.get("mahjong") and not any(any(hand.values()) if isinstance(hand, dict) else hand for hand in hands)


def _misfit(without: list[str]) -> str:
    missing = f", and {' and '.join(WIND_NAMES[wind] for wind in without)} has none" if without else ""
    sentence = f"Someone sitting out has tiles entered{missing}"
    return f"{sentence}. Correct who sat where, or change the hand."


def _mahjong(mahjong: Any, seating: SeatingState) -> Any:
    if mahjong is None:
        return None
    if isinstance(mahjong, list):
        return [_mahjong(one, seating) for one in mahjong]
    return _by_wind(mahjong, ("by", "from"), seating, "mahjong")


def _by_wind(row: Any, names: tuple[str, ...], seating: SeatingState, field: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise ScoringError("A Mah-jong or a penalty says who by.", field=field)
    return {**row, **{name: _wind(row[name], seating, field) for name in names if row.get(name) is not None}}


def _wind(seat: Any, seating: SeatingState, field: str) -> Any:
    if seat in PLACES:
        return seat
    number = int(seat) if isinstance(seat, str) and seat.isdecimal() and len(seat) < 5 else None
    wind = seating.wind_of(number) if number else None
    if wind is None:
        raise ScoringError("Choose a player who is playing in this hand.", field=field)
    return wind


# Stands with what nobody was sure of: the score is the same with any last tile, so nobody was asked for it.
ANY_TILE = "any tile"
WORDS = {
    "from": "Nobody was sure, so the last tile is scored as a discard.",
    "tile": "Nobody was sure which group the last tile completed, so the lowest score is used.",
}
# While a hand is entered: what is still to be chosen, and how it counts until then.
NOT_CHOSEN = {
    "from": "Scored as a discard, until you choose where the last tile came from.",
    "tile": "This is the lowest score, until you choose the last tile.",
}


def unsure_of(body: Mapping[str, Any]) -> Any:
    """Return what nobody was sure of, by seat (a string), leaving out what no longer applies."""
    hands = body.get("hands")
    if not isinstance(hands, dict):
        return {}
    wins = [win for win in wins_of(body) if isinstance(win, dict)]
    claimed = {str(win.get("by")) for win in wins if is_claimed(win)}
    finished = {str(win.get("by")) for win in wins if win.get("tile")}
    found = {}
    for seat, doubts in _unsure(body).items():
        known = ["from"] * (seat in claimed) + ["tile"] * (seat in finished) + _sets(hands.get(seat))
        kept = [doubt for doubt in known if doubt in doubts]
        if kept:
            found[seat] = kept
    return found


def unsure_words(doubt: Any) -> Any:
    """Return the sentence about one thing that nobody was sure of."""
    if doubt in WORDS:
        return WORDS[doubt]
    _, kind, tile = doubt.split()
    return f"{kind.capitalize()} of {tiles.tile_name(tile)}: nobody was sure, so it is scored as exposed."


def last_tiles(session: Any, seating: SeatingState, body: Mapping[str, Any]) -> dict[str, int]:
    """Return what the one winner's tiles are worth by each tile that may have been the last; empty without tiles.

    Where nobody has chosen where it came from, it counts as a discard, which is worth least.
    """
    win, hand = _winner_with_tiles(body)
    if not hand:
        return {}

    def work() -> dict[str, int]:
        found, held = {}, _held(hand)
        for tile in held if held and _size(hand) == WINNERS_TILES else ():
            tried = {**body, "mahjong": {**_with_source(win, seating), "tile": tile}}
            try:
                found[tile] = score_alone(session, seating, tried, win["by"], hand)["total"]
            except ScoringError:
                continue
        return found

    worth: dict[str, int] = remembered(("last", *_played_by(session, seating), win, hand), work)
    return worth


def _held(hand: Mapping[str, Any]) -> list[str]:
    """Return the tiles that a hand has, each once; nothing where it cannot be read."""
    try:
        kinds = kinds_held(hand) if hand else set()
    except ScoringError:
        return []
    return [tile for kind, tile in enumerate(tiles.TILES) if kind in kinds]


def with_least_tile(body: Mapping[str, Any], seating: SeatingState, found: Mapping[str, int]) -> Any:
    """Return the body with the tile of `last_tiles` that scores least, where nobody chose one or was sure of it."""
    win, hand = _winner_with_tiles(body)
    if not hand or not found:
        return body
    tile = _least(found) if _is_open(body, win) else win["tile"]
    return {**body, "mahjong": {**_with_source(win, seating), "tile": tile}}


def asked_of_last_tile(body: Mapping[str, Any], seat: str, found: Mapping[str, int]) -> dict[str, Any]:
    """Return what a player is asked of the last tile, by what it is worth as each tile (`last_tiles`).

    `finished` is the tile that counts until one is chosen; `asks_tile` says whether the score depends on it, None while
    tiles are missing; `not_chosen` names what counts as is worth least until it is chosen: "from", "tile".
    """
    win, hand = _winner_with_tiles(body)
    if not hand or not found or win["by"] != seat:
        is_refused = bool(hand) and win["by"] == seat and _size(hand) == WINNERS_TILES
        return {"finished": "", "asks_tile": True if is_refused else None, "not_chosen": []}
    asks, is_open = len(set(found.values())) > 1, _is_open(body, win)
    is_unsaid = is_open and asks and "tile" not in _unsure(body).get(seat, ())
    missing = ["from"] * (not win.get("from") and not win.get("dealt")) + ["tile"] * is_unsaid
    return {"finished": _least(found) if is_open else "", "asks_tile": asks, "not_chosen": missing}


def _size(hand: Mapping[str, Any]) -> int:
    """Count the tiles of a hand; a kong takes the room of three."""
    sets, singles = hand.get("sets") or [], hand.get("tiles") or ""
    return sum(2 if str(one).startswith("pair") else 3 for one in sets) + len(str(singles).split())


def _least(found: Mapping[str, int]) -> str:
    return min(found, key=lambda tile: found[tile])


def _is_open(body: Mapping[str, Any], win: Mapping[str, Any]) -> bool:
    """Tell whether nobody chose the last tile, or was sure of it."""
    return not win.get("tile") or not is_tile_chosen(body, win)


def is_tile_chosen(body: Mapping[str, Any], win: Mapping[str, Any]) -> bool:
    """Tell whether someone chose the last tile that a hand has: not where it is the lowest score's or any would do."""
    return not {"tile", ANY_TILE} & set(_unsure(body).get(str(win.get("by")), ()))


def _winner_with_tiles(body: Mapping[str, Any]) -> Any:
    """Return the Mah-jong and the tiles of the one winner; empty where there are two, or no tiles."""
    wins, hands = wins_of(body), body.get("hands")
    win = wins[0] if len(wins) == 1 and isinstance(wins[0], dict) else {}
    hand = hands.get(win.get("by")) if isinstance(hands, dict) and isinstance(win.get("by"), str) else None
    has_tiles = isinstance(hand, dict) and (hand.get("sets") or hand.get("tiles"))
    return win, hand if has_tiles else {}


def _with_source(win: Mapping[str, Any], seating: SeatingState) -> Any:
    """Return a Mah-jong whose last tile was discarded, if possible by another than East, unless that is chosen."""
    others = [seat for seat in reversed(_seats(seating)) if seat != win["by"]]
    return win if win.get("from") or win.get("dealt") else {**win, "from": others[0]}


def _unsure(body: Mapping[str, Any]) -> Any:
    """Return what nobody was sure of, by seat; empty if it is malformed."""
    others = body.get("beside")
    unsure = others.get("unsure") if isinstance(others, dict) else None
    if not isinstance(unsure, dict):
        return {}
    return {seat: doubts for seat, doubts in unsure.items() if isinstance(doubts, list)}


def is_claimed(win: Any) -> Any:
    """Tell whether Mah-jong was made on a tile that a player discarded or added to a kong."""
    return bool(win.get("from")) and win["from"] not in PLACES


def _sets(hand: Any) -> Any:
    """The exposed sets of a hand, as they are written."""
    sets = hand.get("sets") if isinstance(hand, dict) else None
    texts = [text for text in sets if isinstance(text, str)] if isinstance(sets, list) else []
    return [text for text in texts if text.startswith("exposed ") and _codes(text) in ([code] for code in tiles.TILES)]


def _codes(text: Any) -> Any:
    return text.split()[2:]
