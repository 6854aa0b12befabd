"""From what was declared, by seat, to the scorer, by wind, and back; for the replay and for live scores."""

from collections.abc import Mapping
from typing import Any

from clubscore.scoring import RULE_SETS, ScoringError, score_hand_played, tiles
from clubscore.scoring.rotation import Chairs
from clubscore.scoring.tiles import WIND_NAMES

# The rules a club plays: editions of its house rules, and special hands of its own.


def score_format_of(frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the score format knows of a club's own hand, as a session keeps it."""
    return {name: frozen.get(name) for name in ("key", "name", "value", "fishing")}


BODY_KEYS = {"hands", "beside", "mahjong", "penalties", "agreed"}
PLACES = ("wall", "kong box")
FIGURES = {"total", "points"}


def own_keys(table_session: Any) -> set[str]:
    """Return the keys of the club's own special hands that a session froze."""
    return {hand["key"] for hand in table_session.club_hands}


def special_names(table_session: Any) -> dict[str, str]:
    """Return the name of every special hand of a session by its key, the club's own included."""
    own = {hand["key"]: hand.get("name") or hand["key"] for hand in table_session.club_hands}
    return {row.key: row.name for row in RULE_SETS[table_session.rules].special_hands} | own


def score_hand_input(body: Mapping[str, Any], chairs: Chairs, session: Any) -> dict[str, Any]:
    """Return the score-format input of a hand body as it is played in these chairs.

    `session` gives `rules`, `house_rules` (the overrides) and `club_hands`. ScoringError where the body names someone
    who does not play, or someone who plays has no hand although a hand was scored.
    """
    _check_body(body)
    played = {
        "rules": session.rules,
        "house_rules": session.house_rules,
        "wind_of_round": chairs.wind_of_round,
        "goulash": chairs.goulash,
        "hands": _hands(body, chairs),
        "mahjong": _mahjong(body.get("mahjong"), chairs),
    }
    if session.club_hands:
        _refuse_exposed(played["hands"], session)
        played["club_hands"] = [score_format_of(hand) for hand in session.club_hands]
    if body.get("penalties"):
        played["penalties"] = [_by_wind(penalty, ("by", "to"), chairs, "penalties") for penalty in body["penalties"]]
    return played


def score_by_seat(body: Mapping[str, Any], chairs: Chairs, session: Any) -> dict[str, Any]:
    """Score a hand body; the answer is the score format's, keyed by seat number instead of wind."""
    return by_seat(score_hand_played(score_hand_input(body, chairs, session)), chairs)


def by_seat(scored: dict[str, Any], chairs: Chairs) -> dict[str, Any]:
    """Return a scored hand keyed by seat numbers (strings) instead of winds."""
    seat = {wind: str(number) for wind, number in chairs.seated.items()} | {None: None}
    payments = [{**one, "from": seat[one["from"]], "to": seat[one["to"]]} for one in scored["payments"]]
    return {
        **scored,
        "hands": {seat[wind]: hand for wind, hand in scored["hands"].items()},
        "payments": payments,
        "net": {seat[wind]: net for wind, net in scored["net"].items()},
    }


def live_score(session: Any, chairs: Chairs, body: Any) -> dict[str, Any]:
    """Score a hand as far as it is entered; never raises.

    Returns what score_by_seat returns, with `errors`: a list of {"seat", "field", "sentence"} (seat number or None).
    Where something is missing, the hands that can be scored are in `hands` and there are no payments yet.
    """
    complete = {**body, "hands": {**dict.fromkeys(_seats(chairs), {}), **(body.get("hands") or {})}}
    if not body.get("mahjong") and not body.get("penalties") and any(complete["hands"].values()):
        return _partly(session, chairs, complete, [])
    try:
        return {**score_by_seat(complete, chairs, session), "errors": []}
    except ScoringError as error:
        return _partly(session, chairs, complete, [error])


def score_alone(session: Any, chairs: Chairs, body: Mapping[str, Any], seat: Any, form: Any) -> Any:
    """Score one player's form by itself: as the winner's against blank hands, or a loser's of a hand someone won.

    ScoringError where it cannot be scored.
    """
    blank = {other: {"total": 0} for other in _seats(chairs)}
    own = next((win for win in wins_of(body) if isinstance(win, dict) and win.get("by") == seat), None)
    mahjong = own or {"by": next(other for other in blank if other != seat)}
    return score_by_seat({"hands": {**blank, seat: form}, "mahjong": mahjong}, chairs, session)["hands"][seat]


def wins_of(body: Mapping[str, Any]) -> list[Any]:
    """Return every Mah-jong of a hand body: none, one, or two on one discard."""
    mahjong = body.get("mahjong")
    return mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []


def beside_told(session: Any, chairs: Chairs, body: Mapping[str, Any], words: Any = ()) -> dict[str, str]:
    """Say for each player what the form beside the one that counts would have been worth; sentences by seat number.

    Tiles beside an announced figure give the best reading, or why they have none.
    """
    told = {}
    for seat, form in (body.get("beside") or {}).items():
        counts = (body.get("hands") or {}).get(seat)
        known = isinstance(form, dict) and isinstance(counts, dict) and seat in _seats(chairs)
        if not known or not form:
            continue
        try:
            counted = score_alone(session, chairs, body, seat, counts)["total"]
        except ScoringError:
            continue
        try:
            told[seat] = _difference(counts, form, counted, score_alone(session, chairs, body, seat, form)["total"])
        except ScoringError as error:
            told[seat] = f"We could not score the other version of this hand. {error.sentence_in(words)}"
    return told


def _difference(counts: Any, form: Any, counted: int, beside: int) -> str:
    if FIGURES & set(counts) and not FIGURES & set(form):
        return f"The best reading is {beside}; announced {counted}."
    if FIGURES & set(form) and not FIGURES & set(counts):
        return f"Announced {beside}; the tiles score {counted}."
    return f"{counted} counts. The other version gives {beside}."


def _partly(session: Any, chairs: Chairs, body: Mapping[str, Any], errors: list[ScoringError]) -> dict[str, Any]:
    """Score each hand apart, as if another player had won with a plain total."""
    hands, errors = {}, list(errors)
    for seat in _seats(chairs):
        try:
            hands[seat] = score_alone(session, chairs, body, seat, body["hands"].get(seat) or {})
        except ScoringError as error:
            if str(error) not in map(str, errors):
                errors.append(error)
    told = [{"seat": _seat_of(error, chairs), "field": error.field, "sentence": str(error)} for error in errors]
    nothing = dict.fromkeys(_seats(chairs), 0)
    return {"hands": hands, "payments": [], "net": nothing, "errors": told, "east_stays": None, "next_is_goulash": None}


def _seat_of(error: ScoringError, chairs: Chairs) -> str | None:
    return str(chairs.seated[error.seat]) if error.seat in chairs.seated else None


def _seats(chairs: Chairs) -> list[str]:
    return [str(seat) for seat in chairs.seated.values()]


def _check_body(body: Any) -> None:
    if not isinstance(body, dict) or set(body) - BODY_KEYS:
        raise ScoringError("This is not a hand: it has hands, mahjong and penalties, nothing else.")
    if not isinstance(body.get("hands") or {}, dict):
        raise ScoringError("The players' hands must be given by seat.")
    if not isinstance(body.get("penalties") or [], list):
        raise ScoringError("The penalties must be a list.", field="penalties")


def _hands(body: Mapping[str, Any], chairs: Chairs) -> dict[str, Any]:
    declared = {} if _says_nothing(body) else body.get("hands") or {}
    playing = {str(seat): wind for wind, seat in chairs.seated.items()}
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
    """Nobody went Mah-jong and no hand was read out: whoever sits there, nothing can be wrong with it."""
    hands = (body.get("hands") or {}).values()
    return not body.get("mahjong") and not any(any(hand.values()) if isinstance(hand, dict) else hand for hand in hands)


def _misfit(without: list[str]) -> str:
    missing = f", and {' and '.join(WIND_NAMES[wind] for wind in without)} has none" if without else ""
    told = f"Someone sitting out has tiles entered{missing}"
    return f"{told}. Correct who sat where, or change the hand."


def _mahjong(mahjong: Any, chairs: Chairs) -> Any:
    if mahjong is None:
        return None
    if isinstance(mahjong, list):
        return [_mahjong(one, chairs) for one in mahjong]
    return _by_wind(mahjong, ("by", "from"), chairs, "mahjong")


def _by_wind(row: Any, names: tuple[str, ...], chairs: Chairs, field: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise ScoringError("A Mah-jong or a penalty says who by.", field=field)
    return {**row, **{name: _wind(row[name], chairs, field) for name in names if row.get(name) is not None}}


def _wind(seat: Any, chairs: Chairs, field: str) -> Any:
    if seat in PLACES:
        return seat
    number = int(seat) if isinstance(seat, str) and seat.isdecimal() and len(seat) < 5 else None
    wind = chairs.wind_of(number) if number else None
    if wind is None:
        raise ScoringError("Choose a player who is playing in this hand.", field=field)
    return wind


WORDS = {
    "from": "Nobody was sure, so the last tile is scored as a discard.",
    "tile": "Nobody was sure which group the last tile completed, so the lowest score is used.",
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


def with_least_tile(table_session: Any, chairs: Chairs, body: Mapping[str, Any]) -> Any:
    """Return the body with the last tile that scores least, where nobody was sure which group it completed."""
    wins, hands = wins_of(body), body.get("hands") or {}
    seat = wins[0].get("by") if len(wins) == 1 else None
    if not isinstance(seat, str) or "tile" not in _unsure(body).get(seat, ()) or not hands.get(seat):
        return body
    found = []
    for tile in tiles.TILES:
        tried = {**body, "mahjong": {**wins[0], "tile": tile}}
        try:
            found.append((score_alone(table_session, chairs, tried, seat, hands[seat])["total"], tried))
        except ScoringError:
            continue
    return min(found, key=lambda one: one[0])[1] if found else body


def _unsure(body: Mapping[str, Any]) -> Any:
    """Return what nobody was sure of, by seat; empty if it is malformed."""
    beside = body.get("beside")
    unsure = beside.get("unsure") if isinstance(beside, dict) else None
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
