"""One hand, explained: what every player held, each line of the score, who paid whom, and its earlier versions."""

from dataclasses import dataclass

from clubscore.lists import with_commas
from clubscore.scoring.rotation import Chairs
from clubscore.scoring.words import in_words
from sessions_app.forms.worth_form import WAYS, Asked
from sessions_app.models import Payment, PlayerHand
from sessions_app.queries.drawn_hands import Group, sum_words, tile_groups, unit_of, winning_words, worth
from sessions_app.queries.own_hands import special_names
from sessions_app.queries.table_words import line_name, own_keys
from sessions_app.services.live import beside_told, wins_of
from sessions_app.services.unsure import unsure_of, unsure_words
from sessions_app.views.entry_score import WHY_WORDS

ORDER = "ESWN"
PENALTY_NAMES = {
    "misnamed discard": "Misnamed discard",
    "misnamed discard for mahjong": "Misnamed discard, claimed for Mah-jong",
    "false mahjong": "False Mah-jong",
    "cannon": "Letting off a cannon",
    "fine": "A fine",
}


@dataclass(frozen=True)
class Line:
    """One rule that counted, its key, what it is worth in words, and the unit it counts in."""

    name: str
    worth: str
    rule: str
    unit: str


@dataclass(frozen=True)
class ExplainedHand:
    """One player's hand as the page shows it."""

    result: PlayerHand
    name: str
    groups: tuple[Group, ...]
    given: str
    special: str
    fishing_for: str
    beside: str
    unsure: tuple[str, ...]
    lines: tuple[Line, ...]
    sum: str
    prefix: str  # of the ids of its lines
    asked: str  # the query that asks what these tiles are worth under other rules


@dataclass(frozen=True)
class Paid:
    """One payment with the word for its reason; `flow`: the rows of both seats and the amount."""

    payer: str
    payee: str
    amount: int
    why: str
    flow: tuple[int, int | None, int]


def explained_hands(table_session, hand):
    """Return the players' hands in the order East, South, West, North; one query."""
    results = PlayerHand.objects.filter(hand=hand).exclude(wind="").select_related("seat__player")
    body, words, own = hand.entry.body, table_session.vocabulary(), own_keys(table_session)
    unsure = unsure_of(body)
    told = beside_told(table_session, Chairs.from_dict(hand.chairs), body, words)
    names = special_names(table_session)
    return [
        ExplainedHand(
            result=result,
            name=result.seat.player.name,
            groups=tile_groups(shown_form(body, result), words),
            given=in_words(words, given_words(form_of(body, "hands", result))),
            special=names.get(result.special, result.special),
            fishing_for=names.get(result.fishing_for, result.fishing_for),
            beside=told.get(str(result.seat.chair)) or in_words(words, beside_words(form_of(body, "beside", result))),
            unsure=tuple(in_words(words, unsure_words(one)) for one in unsure.get(str(result.seat.chair), ())),
            lines=tuple(
                Line(line_name(words, line, own), worth(line), line["rule"], unit_of(line)) for line in result.lines
            ),
            sum=sum_words(result.points, result.doubles, result.times, result.total, result.limited),
            prefix=f"{result.wind}-",
            asked=asked_query(table_session, hand, result),
        )
        for result in sorted(results, key=lambda result: ORDER.index(result.wind))
    ]


def asked_query(table_session, hand, result):
    """Write the query that asks what a hand given by its tiles is worth; nothing for one that was not."""
    form = form_of(hand.entry.body, "hands", result)
    if not (form.get("sets") or form.get("tiles")):
        return ""
    win = next((one for one in wins_of(hand.entry.body) if str(one.get("by")) == str(result.seat.chair)), {})
    places = {"wall": "wall", "kong box": "kong box", None: "wall"}
    source = "robbed" if win.get("robbed_kong") else places.get(win.get("from"), "discard")
    ways = tuple(way for way, _ in WAYS if win.get(way) or form.get(way))
    asked = Asked(
        sets=tuple(form.get("sets") or ()),
        tiles=form.get("tiles") or "",
        bonus=form.get("bonus") or "",
        own=result.wind,
        of_round=hand.wind_of_round,
        tile=(win.get("tile") or "").upper(),
        source=source,
        ways=ways + ("flower",) * (win.get("replacement_for") == "flower") + ("goulash",) * hand.goulash,
        club=table_session.club.slug,
    )
    return asked.query()


def form_of(body, part, result):
    return (body.get(part) or {}).get(str(result.seat.chair)) or {}


def shown_form(body, result):
    """Return the form whose tiles are shown: the one that counts, or tiles beside a figure."""
    counts, beside = form_of(body, "hands", result), form_of(body, "beside", result)
    return beside if {"total", "points"} & set(counts) and beside else counts


def payments_of(table_session, hand):
    """Return the payments of a hand, winner's first; one query."""
    words = table_session.vocabulary()
    payments = (
        Payment.objects.filter(entry=hand.entry_id).select_related("payer__player", "payee__player").order_by("pk")
    )
    return [
        Paid(
            payer=payment.payer.player.name,
            payee=payment.payee.player.name if payment.payee else "nobody",
            amount=payment.amount,
            why=in_words(words, WHY_WORDS.get(payment.why, payment.why)),
            flow=(payment.payer_id, payment.payee_id, payment.amount),
        )
        for payment in payments
    ]


def beside_words(form):
    """Say what is only shown beside the hand that counts; nothing where there is none."""
    return f"Beside it: {given_words(form) or 'Tiles were entered, too.'}" if form else ""


def given_words(form):
    """Say how a hand without tiles was given: a total, points and doubles, or a special hand by name."""
    if "total" in form:
        return f"The total was given: {with_commas(form['total'])}."
    if "points" in form:
        doubles = form.get("doubles")
        counted = "" if doubles is None else f", {doubles} double{'' if doubles == 1 else 's'}"
        return f"Counted at the table: {with_commas(form['points'])} points{counted}."
    if form.get("special") or form.get("fishing_for"):
        return "A special hand, given by its name."
    return "" if form else "Nothing to score."


def how_words(body, names, words):
    """Say how the Mah-jong was made: the tile, where it came from, anything special; empty where nothing is known."""
    mahjong = body.get("mahjong")
    wins = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
    parts = []
    for win in wins[:1]:
        doubted = unsure_of(body).get(str(win.get("by")), ())
        known = {**win, "tile": None} if "tile" in doubted else win
        parts += winning_words(known, {} if "from" in doubted else names, words)
    said = ", ".join(parts)
    return f"{said[:1].upper()}{said[1:]}." if parts else ""


def penalty_words(body, names, words=()):
    """Say each penalty of a hand in a sentence."""
    for penalty in body.get("penalties") or []:
        by, to = names.get(str(penalty.get("by")), "?"), names.get(str(penalty.get("to")))
        amount = f" of {with_commas(penalty['amount'])}" if penalty.get("amount") else ""
        towards = f", to {to}" if to else ""
        what = in_words(words, PENALTY_NAMES.get(str(penalty.get("kind")).lower(), "Penalty"))
        yield f"{what}{amount} by {by}{towards}."
