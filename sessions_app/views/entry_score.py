"""The score of a hand while it is entered: whole where it can be, else what is known of each player so far."""
from clubscore.scoring import RULE_SETS, ScoringError
from clubscore.scoring.rotation import Outcome, next_chairs
from sessions_app.services.live import score_by_seat

WHY_WORDS = {"mah-jong": "for Mah-jong", "difference": "difference", "penalty": "penalty"}


def scored_hand(table_session, chairs, body, seats, sits_out, drawn=False):
    """Score a half or wholly entered hand for the eye; never raises for what the rules refuse, but says it."""
    entered = body.get("hands") or {}
    hands = {seat["number"]: entered[seat["number"]] for seat in seats if entered.get(seat["number"]) is not None}
    winners = winners_of(body)
    names = {seat["number"]: seat["name"] for seat in seats}
    error = whole = None
    if len(hands) == len(seats) and (winners or drawn or voids(body)):
        try:
            whole = score_by_seat(body, chairs, table_session)
        except ScoringError as problem:
            error = shown_error(problem, chairs, names)
    known = whole["hands"] if whole else partly_scored(table_session, chairs, hands, body)
    special_names = {hand.key: hand.name for hand in RULE_SETS[table_session.rules].special_hands}
    return {
        "state": "whole" if whole else "part" if hands else "empty",
        "error": error,
        "players": [
            player(seat, seat["number"] in hands, winners, known.get(seat["number"]), whole, special_names)
            for seat in seats
        ],
        "payments": [payment(one, names) for one in whole["payments"]] if whole else [],
        **(what_follows(table_session, chairs, body, winners, {**names, **{o["number"]: o["name"] for o in sits_out}})
           if whole else {}),
    }  # fmt: skip


def winners_of(body):
    mahjong = body.get("mahjong")
    found = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
    return [str(one["by"]) for one in found if one.get("by")]


def voids(body):
    return any(one.get("kind") == "false mahjong" for one in body.get("penalties") or ())


def partly_scored(table_session, chairs, hands, body):
    """Score each hand entered so far by itself: who won as the winner against blank hands, the others as losers."""
    found, winners = {}, winners_of(body)
    for number, hand in hands.items():
        mine = winners[:1] == [number]
        against = next(str(seat) for seat in chairs.seated.values() if str(seat) != number)
        blank = {str(seat): {"total": 0} for seat in chairs.seated.values()}
        mahjong = body["mahjong"] if mine else {"by": against}
        try:
            alone = score_by_seat({"hands": {**blank, number: hand}, "mahjong": mahjong}, chairs, table_session)
            found[number] = alone["hands"][number]
        except ScoringError as problem:
            told = not mine or (isinstance(mahjong, dict) and {"from", "tile"} <= set(mahjong))
            found[number] = {"note": str(problem) if told else ""}
    return found


def player(seat, entered, winners, result, whole, special_names):
    result = result or {}
    return {
        **seat,
        "wins": seat["number"] in winners,
        "entered": entered,
        "note": result.get("note", ""),
        **{key: result.get(key) for key in ("total", "points", "doubles", "times", "limited")},
        "special": special_names.get(result.get("special"), ""),
        "fishing_for": special_names.get(result.get("fishing_for"), ""),
        "lines": [{"name": line["name"], "worth": worth(line)} for line in result.get("lines", ())],
        "net": whole["net"][seat["number"]] if whole else None,
    }


def worth(line):
    """Say what a line counts: "4 points", "2 doubles", "times 3"."""
    count = line.get("count", 1)
    repeated = f", {count} times" if count > 1 else ""
    for unit in ("point", "double"):
        number = line.get(f"{unit}s")
        if number is not None:
            return f"{number} {unit if number == 1 else unit + 's'}{repeated}"
    if line.get("times") is not None:
        return f"times {line['times']}{repeated}"
    return f"{line.get('limit')} for the hand"


def payment(one, names):
    to = one.get("to")
    return {
        "from": {"number": str(one["from"]), "name": names.get(str(one["from"]), "")},
        "to": {"number": str(to), "name": names.get(str(to), "")} if to is not None else None,
        "amount": one["amount"],
        "why": one["why"],
        "why_words": WHY_WORDS.get(one["why"], one["why"]),
    }


def what_follows(table_session, chairs, body, winners, names):
    """Say who is East next, who sits out and whether the next hand is a goulash."""
    house = RULE_SETS[table_session.rules].house(table_session.house_rules)
    void = voids(body) and not winners and house.rotation != "official"
    kind = "won" if winners else "void" if void else "drawn"
    after = next_chairs(chairs, Outcome(kind, tuple(int(number) for number in winners)), house)
    return {
        "next_east": names[str(after.east)],
        "east_stays": after.east == chairs.east,
        "next_out": [names[str(number)] for number in after.out],
        "goulash_next": after.goulash,
        "void": void,
    }


def shown_error(problem, chairs, names):
    seat = chairs.seated.get(problem.seat, problem.seat)
    seat = str(seat) if seat else None
    return {"message": str(problem), "seat": seat, "name": names.get(seat), "field": problem.field}
