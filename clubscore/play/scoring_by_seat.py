"""A hand's body by seat turned into the scorer's input by wind, and its answer back; what is uncertain about it.

The replay and every page use this. What hand entry shows while a hand is entered is made of it in entered_hand.py.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from clubscore.scoring import REASONS, RULE_SETS, ScoringError, score_hand_played, score_one, tiles
from clubscore.scoring.read_hand import kinds_held, read_hand
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words, line_worth, unit_of

BODY_KEYS = {"hands", "beside", "mahjong", "penalties", "agreed"}
PLACES = ("wall", "kong box")
FIGURES = {"total", "points"}
WINNERS_TILES = 14


def score_format_of(frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Return a club's own special hand for the score format; `frozen` is how a session keeps it."""
    return {name: frozen.get(name) for name in ("key", "name", "value", "fishing")}


def club_hand_keys(table_session: Any) -> set[str]:
    """Return the keys of the club's own special hands in a session."""
    return {hand["key"] for hand in table_session.club_hands}


def special_names(table_session: Any) -> dict[str, str]:
    """Return the names of all special hands in a session by key, the club's own included."""
    club_names = {hand["key"]: hand.get("name") or hand["key"] for hand in table_session.club_hands}
    return {row.key: row.name for row in RULE_SETS[table_session.rules].special_hands} | club_names


def line_name(words: Vocabulary, line: Mapping[str, Any], club_keys: Collection[str] = ()) -> str:
    """Return the name of a score line in a table's words, with the reason if the name does not say it.

    The name of a club's own hand, whose keys are `club_keys`, stays as the club wrote it.
    """
    if line["rule"] in club_keys:
        return str(line["name"])
    reason = REASONS.get(line["rule"])
    return in_words(words, f"{line['name']}, {reason}" if reason else line["name"])


def shown_lines(
    words: Vocabulary, lines: Iterable[dict[str, Any]], club_keys: Collection[str] = ()
) -> list[dict[str, str]]:
    """Return the lines of a score as pages show them, in a table's words; `club_keys` as above."""
    named = [(line, line_name(words, line, club_keys)) for line in lines]
    return [
        {"rule": line["rule"], "name": name, "worth": line_worth(line), "unit": unit_of(line)} for line, name in named
    ]


def score_hand_input(body: Mapping[str, Any], seating: SeatingState, session: Any) -> dict[str, Any]:
    """Return the score-format input of a hand body played in this seating.

    `session` gives `rules`, `house_rules` (the overrides) and `club_hands`. ScoringError if the body names someone who
    is not playing, or if a hand was scored and one of the players has none.
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
    """Score a hand body; the answer is the score format's, with seat numbers (strings) instead of winds."""
    scored = score_hand_played(score_hand_input(body, seating, session))
    seat = {wind: str(number) for wind, number in seating.seated.items()} | {None: None}
    return {
        **scored,
        "hands": {seat[wind]: hand for wind, hand in scored["hands"].items()},
        "payments": [{**paid, "from": seat[paid["from"]], "to": seat[paid["to"]]} for paid in scored["payments"]],
        "net": {seat[wind]: net for wind, net in scored["net"].items()},
    }


def _remembered(session: Any, place: str, asked: Any, work: Callable[[], Any]) -> Any:
    """Return the result of `work` on what is asked; a session that remembers keeps the last one of each place."""
    latest = getattr(session, "latest", None)
    if latest is None:
        return work()
    if place not in latest or latest[place][0] != asked:
        latest[place] = asked, work()
    return latest[place][1]


def score_alone(session: Any, seating: SeatingState, body: Mapping[str, Any], seat: Any, form: Any) -> Any:
    """Score one player's form alone: as the winner's against blank hands, or as a loser's in a hand someone won.

    ScoringError if it cannot be scored.
    """
    own_win = next((win for win in wins_of(body) if isinstance(win, dict) and win.get("by") == seat), None)

    def work() -> Any:
        blank = {other: {"total": 0} for other in _seats(seating)}
        mahjong = own_win or {"by": next(other for other in blank if other != seat)}
        played = score_hand_input({"hands": {**blank, seat: form}, "mahjong": mahjong}, seating, session)
        return score_one(played, _wind(seat, seating, "hands"))

    return _remembered(session, seat, (own_win, form, seating), work)


def wins_of(body: Mapping[str, Any]) -> list[Any]:
    """Return every Mah-jong of a hand body: none, one, or two on one discard."""
    mahjong = body.get("mahjong")
    return mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []


def win_of(body: Mapping[str, Any], seat_no: int) -> dict[str, Any]:
    """Return the Mah-jong of a seat in the body of an accepted hand; empty if someone else won."""
    return next((win for win in wins_of(body) if str(win.get("by")) == str(seat_no)), {})


def other_versions(session: Any, seating: SeatingState, body: Mapping[str, Any], words: Any = ()) -> dict[str, str]:
    """Return sentences by seat number about what the other version of a player's hand would have scored.

    For tiles entered with an announced figure it is their best reading, or why they have none.
    """
    sentences = {}
    others = body.get("beside")
    for seat, form in others.items() if isinstance(others, dict) else ():
        counts = (body.get("hands") or {}).get(seat)
        known = isinstance(form, dict) and isinstance(counts, dict) and seat in _seats(seating)
        if not known or not form:
            continue
        try:
            counted = score_alone(session, seating, body, seat, counts)["total"]
        except ScoringError:
            continue
        try:
            read_hand(form, _wind(seat, seating, "hands"))
            read = {**body, "hands": {**body["hands"], seat: form}}
            read = with_lowest_tile(read, seating, last_tiles(session, seating, read))
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
    declared = {} if _is_blank(body) else body.get("hands") or {}
    playing = {str(seat): wind for wind, seat in seating.seated.items()}
    without = [playing[seat] for seat in playing if seat not in declared]
    if any(seat not in playing for seat in declared):
        has = "has" if len(without) == 1 else "have"
        missing = f", and {' and '.join(WIND_NAMES[wind] for wind in without)} {has} none" if without else ""
        sentence = f"Someone sitting out has tiles entered{missing}"
        raise ScoringError(f"{sentence}. Correct who sat where, or change the hand.")
    if without and (declared or body.get("mahjong")):
        name = WIND_NAMES[without[0]]
        raise ScoringError(f"Enter {name}’s tiles or total, or choose “Nothing to score”.", seat=without[0])
    return {wind: declared.get(seat, {}) for seat, wind in playing.items()}


def _refuse_exposed(hands: dict[str, Any], session: Any) -> None:
    """Raise ScoringError for exposed sets in a club's own hand that must be concealed."""
    concealed = {hand["key"]: hand["name"] for hand in session.club_hands if hand.get("concealed")}
    for wind, form in hands.items():
        key = form.get("special") or form.get("fishing_for") if isinstance(form, dict) and form.get("exposed") else None
        if isinstance(key, str) and key.lower() in concealed:
            raise ScoringError("{name} cannot have exposed sets.", wind, "special", name=concealed[key.lower()])


def _is_blank(body: Mapping[str, Any]) -> bool:
    """Whether nobody went Mah-jong and no hand was entered: that is right in any seating."""
    hands = (body.get("hands") or {}).values()
    return not body.get("mahjong") and not any(any(hand.values()) if isinstance(hand, dict) else hand for hand in hands)


def _mahjong(mahjong: Any, seating: SeatingState) -> Any:
    if mahjong is None:
        return None
    if isinstance(mahjong, list):
        return [_mahjong(win, seating) for win in mahjong]
    return _by_wind(mahjong, ("by", "from"), seating, "mahjong")


def _by_wind(row: Any, names: tuple[str, ...], seating: SeatingState, field: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise ScoringError("A Mah-jong or a penalty says who by.", field=field)
    return {**row, **{name: _wind(row[name], seating, field) for name in names if row.get(name) is not None}}


def with_other_seats(body: Mapping[str, Any], seats: Mapping[str, str]) -> dict[str, Any]:
    """Return a hand's body for another table, where other seats play: `seats` has them by those of the body.

    Nobody there has agreed to it.
    """
    agreed = {"agreed": ""} if "agreed" in body else {}
    return {part: reseated(value, seats) for part, value in body.items()} | agreed


def reseated(value: Any, seats: Mapping[str, str]) -> Any:
    """Return a part of a hand's body with other names for its seats: keys, and values of `by`, `from` and `to`."""
    if isinstance(value, list):
        return [reseated(item, seats) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        seats.get(key, key): seats.get(item, item)
        if key in ("by", "from", "to") and isinstance(item, str)
        else reseated(item, seats)
        for key, item in value.items()
    }


def _wind(seat: Any, seating: SeatingState, field: str) -> Any:
    if seat in PLACES:
        return seat
    number = int(seat) if isinstance(seat, str) and seat.isdecimal() and len(seat) < 5 else None
    wind = seating.wind_of(number) if number else None
    if wind is None:
        raise ScoringError("Choose a player who is playing in this hand.", field=field)
    return wind


# What players were not sure of, and the last tile if it is not known.

# Marks a last tile that nobody was asked for, as the score is the same with any.
ANY_TILE = "any tile"
WORDS = {
    "from": "Nobody was sure, so the last tile is scored as a discard.",
    "tile": "Nobody was sure which group the last tile completed, so the lowest score is used.",
}
# While a hand is entered: what is still to be chosen, and how it is scored until then.
NOT_CHOSEN = {
    "from": "Scored as a discard, until you choose where the last tile came from.",
    "tile": "This is the lowest score, until you choose the last tile.",
}


def unsure_of(body: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what nobody was sure of, by seat (a string): "from", "tile" or a set that still applies."""
    hands = body.get("hands")
    if not isinstance(hands, dict):
        return {}
    wins = {str(win.get("by")): win for win in wins_of(body) if isinstance(win, dict)}
    found = {}
    for seat, things in _all_unsure(body).items():
        win = wins.get(seat, {})
        is_claimed = bool(win.get("from")) and win["from"] not in PLACES
        possible = ["from"] * is_claimed + ["tile"] * bool(win.get("tile")) + _exposed_sets(hands.get(seat))
        kept = [thing for thing in possible if thing in things]
        if kept:
            found[seat] = kept
    return found


def _all_unsure(body: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return what nobody was sure of, by seat; empty if it is malformed."""
    others = body.get("beside")
    unsure = others.get("unsure") if isinstance(others, dict) else None
    if not isinstance(unsure, dict):
        return {}
    return {seat: things for seat, things in unsure.items() if isinstance(things, list)}


def _exposed_sets(hand: Any) -> list[str]:
    sets = hand.get("sets") if isinstance(hand, dict) else None
    texts = [text for text in sets if isinstance(text, str)] if isinstance(sets, list) else []
    exposed = [text for text in texts if text.startswith("exposed ") and len(text.split()) == 3]
    return [text for text in exposed if text.split()[2] in tiles.TILES]


def unsure_words(thing: str) -> str:
    """Return the sentence about one thing that nobody was sure of."""
    if thing in WORDS:
        return WORDS[thing]
    _, kind, tile = thing.split()
    return f"{kind.capitalize()} of {tiles.tile_name(tile)}: nobody was sure, so it is scored as exposed."


def last_tiles(session: Any, seating: SeatingState, body: Mapping[str, Any]) -> dict[str, int]:
    """Return the total of the only winner by each tile that may have been the last; empty without tiles.

    As long as nobody has chosen where it came from, it is a discard, which scores least.
    """
    win, hand = _winner_with_tiles(body)
    if not hand:
        return {}

    def work() -> dict[str, int]:
        found = {}
        for tile in _codes_in(hand) if _size(hand) == WINNERS_TILES else ():
            tried = {**body, "mahjong": {**_with_source(win, seating), "tile": tile}}
            try:
                found[tile] = score_alone(session, seating, tried, win["by"], hand)["total"]
            except ScoringError:
                continue
        return found

    totals: dict[str, int] = _remembered(session, "last tile", (win, hand, seating), work)
    return totals


def _codes_in(hand: Mapping[str, Any]) -> list[str]:
    """Return the tiles that a hand has, each once; none if it cannot be read."""
    try:
        kinds = kinds_held(hand)
    except ScoringError:
        return []
    return [tile for kind, tile in enumerate(tiles.TILES) if kind in kinds]


def with_lowest_tile(body: Mapping[str, Any], seating: SeatingState, totals: Mapping[str, int]) -> Any:
    """Return the body with the tile of `last_tiles` that scores least, unless one was chosen for sure."""
    win, hand = _winner_with_tiles(body)
    if not hand or not totals:
        return body
    tile = _lowest(totals) if _is_open(body, win) else win["tile"]
    return {**body, "mahjong": {**_with_source(win, seating), "tile": tile}}


def last_tile_state(body: Mapping[str, Any], seat: str, totals: Mapping[str, int]) -> dict[str, Any]:
    """Return what a page has to know about a player's last tile; `totals` are those of `last_tiles`.

    `finished` is the tile that counts until one is chosen; `asks_tile` says whether the score depends on it, None while
    tiles are missing; `not_chosen` names what is scored at its lowest until it is chosen: "from", "tile".
    """
    win, hand = _winner_with_tiles(body)
    if not hand or not totals or win["by"] != seat:
        is_refused = bool(hand) and win["by"] == seat and _size(hand) == WINNERS_TILES
        return {"finished": "", "asks_tile": True if is_refused else None, "not_chosen": []}
    asks, is_open = len(set(totals.values())) > 1, _is_open(body, win)
    is_tile_missing = is_open and asks and "tile" not in _all_unsure(body).get(seat, ())
    missing = ["from"] * (not win.get("from") and not win.get("dealt")) + ["tile"] * is_tile_missing
    return {"finished": _lowest(totals) if is_open else "", "asks_tile": asks, "not_chosen": missing}


def _size(hand: Mapping[str, Any]) -> int:
    """Return the number of tiles in a hand, a kong counting as three."""
    sets, singles = hand.get("sets") or [], hand.get("tiles") or ""
    return sum(2 if str(text).startswith("pair") else 3 for text in sets) + len(str(singles).split())


def _lowest(totals: Mapping[str, int]) -> str:
    return min(totals, key=lambda tile: totals[tile])


def _is_open(body: Mapping[str, Any], win: Mapping[str, Any]) -> bool:
    """Whether nobody chose the last tile, or was sure of it."""
    return not win.get("tile") or not is_tile_chosen(body, win)


def is_tile_chosen(body: Mapping[str, Any], win: Mapping[str, Any]) -> bool:
    """Whether someone chose the last tile of a hand, and it is not just the lowest or any tile."""
    return not {"tile", ANY_TILE} & set(_all_unsure(body).get(str(win.get("by")), ()))


def _winner_with_tiles(body: Mapping[str, Any]) -> Any:
    """Return the Mah-jong and the tiles of the only winner; empty if there are two, or no tiles."""
    wins, hands = wins_of(body), body.get("hands")
    win = wins[0] if len(wins) == 1 and isinstance(wins[0], dict) else {}
    hand = hands.get(win.get("by")) if isinstance(hands, dict) and isinstance(win.get("by"), str) else None
    has_tiles = isinstance(hand, dict) and (hand.get("sets") or hand.get("tiles"))
    return win, hand if has_tiles else {}


def _with_source(win: Mapping[str, Any], seating: SeatingState) -> Any:
    """Return a Mah-jong with its source; if none is chosen, a discard, by another player than East if possible."""
    others = [seat for seat in reversed(_seats(seating)) if seat != win["by"]]
    return win if win.get("from") or win.get("dealt") else {**win, "from": others[0]}
