"""One hand, explained: what every player held, each line of the score, who paid whom; on server and tablet alike."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from clubscore.play.board import Board, ScoredHand
from clubscore.play.drawn_hands import PLACES, Group, tile_groups, tile_names, winning_words
from clubscore.play.entered_hand import is_paid_for_all, totals_that_explain, why_paid
from clubscore.play.fragments import entry_form
from clubscore.play.hand_worth import WAYS, AskedHand, query
from clubscore.play.markup import Html, html, html_each, html_if, join, sticks_list
from clubscore.play.replay import Entry, HandResult
from clubscore.play.score_fragments import payment_arrows
from clubscore.play.scoring_by_seat import (
    club_hand_keys,
    is_tile_chosen,
    other_versions,
    shown_lines,
    special_names,
    unsure_of,
    unsure_words,
    win_of,
    wins_of,
)
from clubscore.play.table_words import sum_words
from clubscore.play.worth_page import rule_lines
from clubscore.scoring import RULE_SETS
from clubscore.scoring.rotation import SeatingState
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words, signed, whole, with_commas

PENALTY_NAMES = {
    "misnamed discard": "Misnamed discard",
    "misnamed discard for mahjong": "Misnamed discard, claimed for Mah-jong",
    "false mahjong": "False Mah-jong",
    "cannon": "Letting off a cannon",
    "fine": "Penalty",
}

# What is said of a hand.


def explained(
    session: Any, body: Mapping[str, Any], seating: SeatingState, played: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return what is shown of each player's hand, in the order of those who `played`.

    Of each: `wind`, `seat` (its number), `name`, whether they `won`, and the result of the score, by the names of the
    score format.
    """
    words, own = session.vocabulary(), club_hand_keys(session)
    unsure, names = unsure_of(body), special_names(session)
    others = other_versions(session, seating, body, words)

    def explain(result: Mapping[str, Any]) -> dict[str, Any]:
        seat = str(result["seat"])
        special, fishing_for = result.get("special") or "", result.get("fishing_for") or ""
        points, doubles, times = [result.get(name) for name in ("points", "doubles", "times")]
        return {
            **{name: result[name] for name in ("wind", "seat", "name", "won", "total")},
            "groups": tile_groups(shown_form(body, seat), words),
            "given": in_words(words, given_words(_form_of(body, "hands", seat))),
            "special": names.get(special, special),
            "fishing_for": names.get(fishing_for, fishing_for),
            "other": others.get(seat) or in_words(words, _other_words(_form_of(body, "beside", seat))),
            "unsure": tuple([in_words(words, unsure_words(thing)) for thing in unsure.get(seat, ())]),
            "lines": shown_lines(words, result.get("lines") or (), own),
            "sum": sum_words(points, doubles, times, result["total"], bool(result.get("limited"))),
        }

    return [explain(result) for result in played]


def worth_query(body: Mapping[str, Any], seating: SeatingState, shown: Mapping[str, Any], club: str) -> str:
    """Return the query that asks what a player's tiles are worth; "" if no tiles were entered."""
    form = _form_of(body, "hands", shown["seat"])
    if not (form.get("sets") or form.get("tiles")):
        return ""
    win = win_of(body, shown["seat"])
    source = {"wall": "wall", "kong box": "kong box", None: "wall"}.get(win.get("from"), "discard")
    ways = tuple([way for way, _ in WAYS if win.get(way) or form.get(way)])
    asked = AskedHand(
        sets=tuple(form.get("sets") or ()),
        tiles=form.get("tiles") or "",
        bonus=form.get("bonus") or "",
        own=shown["wind"],
        of_round=seating.wind_of_round,
        tile=(win.get("tile") or "").upper(),
        source="robbed" if win.get("robbed_kong") else source,
        ways=ways + ("flower",) * (win.get("replacement_for") == "flower") + ("goulash",) * seating.goulash,
        club=club,
    )
    return asked.query()


def _form_of(body: Mapping[str, Any], part: str, seat: Any) -> dict[str, Any]:
    forms = body.get(part)
    form = forms.get(str(seat)) if isinstance(forms, dict) else None
    return form if isinstance(form, dict) else {}


def shown_form(body: Mapping[str, Any], seat: Any) -> dict[str, Any]:
    """Return the form whose tiles are shown: the one that counts, or tiles entered with a figure."""
    counts, other = _form_of(body, "hands", seat), _form_of(body, "beside", seat)
    return other if {"total", "points"} & set(counts) and other else counts


def _other_words(form: Mapping[str, Any]) -> str:
    """Say what else was entered for the hand, if anything."""
    if not form:
        return ""
    given = given_words(form)
    return f"Also entered: {given[:1].lower() + given[1:] if given else 'tiles.'}"


def given_words(form: Mapping[str, Any]) -> str:
    """Say how a hand was entered without tiles: a total, points and doubles, or a special hand by name."""
    if "total" in form:
        return f"A total of {with_commas(form['total'])}."
    if "points" in form:
        number, points = form.get("doubles"), form["points"]
        doubles = "" if number is None else f", {number or 'no'} double{'' if number == 1 else 's'}"
        return f"{with_commas(points)} point{'' if points == 1 else 's'}{doubles}, counted at the table."
    if form.get("special") or form.get("fishing_for"):
        return "A special hand, entered by name."
    return "" if form else "Nothing to score."


def how_words(body: Mapping[str, Any], names: dict[str, str], words: Vocabulary) -> str:
    """Say how the Mah-jong was made: the tile, where it came from, anything special; "" if nothing is known."""
    wins = wins_of(body)
    if not wins:
        return ""
    win, unsure = wins[0], unsure_of(body).get(str(wins[0].get("by")), ())
    known = win if is_tile_chosen(body, win) else {**win, "tile": None}
    parts = ", ".join(winning_words(known, {} if "from" in unsure else names, words))
    return parts and f"{parts[0].upper()}{parts[1:]}."


def penalty_words(body: Mapping[str, Any], names: Mapping[str, str], words: Vocabulary = ()) -> Iterator[str]:
    """Yield a sentence about each penalty of a hand."""
    for penalty in body.get("penalties") or []:
        by, to = names.get(str(penalty.get("by")), "?"), names.get(str(penalty.get("to")))
        amount = f" of {with_commas(penalty['amount'])}" if penalty.get("amount") else ""
        towards = f", to {to}" if to else ""
        what = in_words(words, PENALTY_NAMES.get(str(penalty.get("kind")).lower(), "Penalty"))
        yield f"{what}{amount} by {by}{towards}."


def round_of(rules: str, seating: SeatingState) -> str:
    """Return the name of the wind of the round, or "" under rules without one."""
    return WIND_NAMES[seating.wind_of_round] if RULE_SETS[rules].has_round_wind else ""


def figures_of(cells: Iterable[Any]) -> list[tuple[str, int | None, int]]:
    """Return name, net and balance of everyone at the table; no net for one who sat out. `cells` are those of a row."""
    return [(cell.name, cell.net if cell.wind else None, cell.balance) for cell in cells if cell.is_at_table]


# A hand on the page of its table, as a tablet draws it.


def page_of(board: Board, key: str) -> dict[str, Any] | None:
    """Return what the page of a hand says of it; None for one that was removed, or that these rules do not score."""
    hand, entry = board.results.get(key), board.ledger.find(key)
    scored = board.scored(hand, entry) if hand and entry else None
    if hand is None or entry is None or scored is None:
        return None
    facts, row = board.facts, next(row for row in board.rows() if row.entry is entry)
    words, names = facts.vocabulary(), {str(seat): name for seat, name in board.names.items()}
    return {
        "key": key,
        "number": hand.number,
        "words": row.words,
        "lead": {
            "how": how_words(entry.body, names, words),
            "wind_of_round": round_of(facts.rules, hand.seating),
            "sitting_out": [board.names[seat] for seat in hand.seating.out],
        },
        "players": explained(facts, entry.body, hand.seating, scored.players),
        "paid": {
            "payments": payments_in_words(facts, scored, str(hand.seating.east), names),
            "at_table": {one["wind"]: (one["seat"], one["name"]) for one in scored.players},
            "flows": [(paid["from"], paid["to"], paid["amount"]) for paid in scored.payments],
            "bottom": str(board.sides(board.look["turn"])[0][2]),
            "sticks": board.sticks_handed_over(key),
            "penalties": list(penalty_words(entry.body, names, words)),
            "cells": figures_of(row.cells),
            "is_straight": facts.settling["adds_up"],
        },
    }


def payments_in_words(
    facts: Any, scored: ScoredHand, east: str, names: Mapping[str, str]
) -> list[tuple[str, str, int, str]]:
    """Return who pays whom how much, and why, as who_pays draws it."""
    totals = totals_that_explain(RULE_SETS[facts.rules], {one["seat"]: one["total"] for one in scored.players})
    is_for_all = is_paid_for_all(scored.payments, any(one["won"] for one in scored.players))
    words = facts.vocabulary()
    return [
        (
            names[paid["from"]],
            names[paid["to"]] if paid["to"] else "nobody",
            paid["amount"],
            why_paid(paid, totals, east, is_for_all, words),
        )
        for paid in scored.payments
    ]


def ways_from(board: Board, hand: HandResult) -> list[tuple[str, str]]:
    """Return the ways from the page of a hand: to the hand before and after it, to the table and to the sheet."""
    hands = board.done.hands
    at = [one.key for one in hands].index(hand.key)
    before, after = hands[max(at - 1, 0) : at], hands[at + 1 : at + 2]
    ways = [
        *[(board.address("hand_page", one.key), f"← Hand {one.number}") for one in before],
        (board.look["table_page"], "The table"),
        (board.look["sheet_page"], "The sheet"),
        *[(board.address("hand_page", one.key), f"Hand {one.number} →") for one in after],
    ]
    return [(address, words) for address, words in ways if address]


def look_of(board: Board, hand: HandResult, entry: Entry) -> dict[str, Any]:
    """Return how players_hands shows a hand on the page of its table."""
    look = board.look

    def address(rule: str, _place: str) -> str:
        anchor = look["own_anchors"].get(rule) or f"rule-{rule}"
        return f"{look['rules_page']}#{anchor}"

    def worth(shown: Mapping[str, Any]) -> str:
        asked = worth_query(entry.body, hand.seating, shown, look["slug"])
        back = query([("back", f"{board.address('hand_page', entry.key)}#seat-{shown['wind']}")])
        return f"{look['worth_page']}?{asked}&{back}" if asked else ""

    return {
        **{name: look[name] for name in ("units", "rest")},
        **{"words": board.facts.vocabulary(), "sprite": look["tiles_sprite"], "address": address, "worth": worth},
    }


# How it is drawn.


def players_hands(players: Iterable[Mapping[str, Any]], look: Mapping[str, Any]) -> Html:
    """Draw what each player held and scored.

    `look`: `words` and `sprite` of the tiles, the `units` of a learner's stage with the words for the `rest`, the
    `address` of the rule of a line, by the rule and the place of the line; and `worth`, that of the page that says what
    a player's tiles are worth by other rules, or "".
    """
    return join([players_hand(player, look) for player in players])


def players_hand(player: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    wind, words = player["wind"], look["words"]
    has_rest = any([line["unit"] not in look["units"] for line in player["lines"]])
    hints = [sentence for sentence in (player["given"], player["other"], *player["unsure"]) if sentence]
    names = tile_names(words)
    groups = [held(group, names, look["sprite"]) for group in player["groups"]]
    return html(
        '<section class="panel players-hand" aria-labelledby="seat-{wind}"><div class="players-hand-head">'
        '<h2 id="seat-{wind}"><span class="wind{east}" aria-hidden="true">{wind}</span> {name} '
        '<span class="hint">{wind_name}{mahjong}</span></h2><p class="balance">{total}</p></div>'
        "{groups}{hints}{special}{fishing}{lines}{sum}{counts}{worth}</section>",
        wind=wind,
        east=" is-east" if wind == "E" else "",
        name=player["name"],
        wind_name=WIND_NAMES[wind],
        mahjong=html_if(player["won"], ", {word}", word=in_words(words, "Mah-jong")),
        total=whole(player["total"]),
        groups=html_if(groups, '<div class="held">{groups}</div>', groups=join(groups)),
        hints=html_each('<p class="hint">{}</p>', hints),
        special=html_if(player["special"], "<p><b>{}</b>, a special hand.</p>"),
        fishing=html_if(player["fishing_for"], "<p>Fishing for <b>{}</b>.</p>"),
        lines=rule_lines(player["lines"], look["units"], look["rest"], f"{wind}-", look["address"]),
        sum=html_if(player["sum"], '<p class="sum">{}</p>'),
        counts=html_if(has_rest, '<p class="counts">Total: <b>{total}</b></p>', total=whole(player["total"])),
        worth=html_if(
            look["worth"](player),
            '<p class="screen-only"><a class="line-action" href="{}">What is it worth under other rules?</a></p>',
        ),
    )


def held(group: Group, names: Mapping[str, str], sprite: str) -> Html:
    """Draw tiles that lie together, with what they are called; what is no tile is written as it is."""
    drawn = [
        html(
            '<svg class="tile" role="img" aria-label="{name}" focusable="false"><use href="{sprite}#t-{code}"></use>'
            "</svg>",
            name=names[code],
            sprite=sprite,
            code=code,
        )
        if code in PLACES
        else html("<span>{}</span>", code)
        for code in group.tiles
    ]
    frame = '<figure class="group"><span class="tiles">{tiles}</span><figcaption>{words}</figcaption></figure>'
    return html(frame, tiles=join(drawn), words=group.words)


def who_pays(page: Mapping[str, Any]) -> Html:
    """Draw who pays whom, the sticks handed over, the penalties, and what it brought everyone.

    `payments` are (payer, payee, amount, why), `cells` (name, net or None for one who sits out, balance).
    """
    straight = page["is_straight"]
    nobody = "Nobody pays. Everyone adds their own score." if straight else "Nobody pays."
    paid = [
        html(
            '<li><b>{payer}</b> <span class="arrow">pays →</span> <b>{payee}</b> '
            '<span class="amount">{amount}</span> <span class="why">{why}</span></li>',
            payer=payer,
            payee=payee,
            amount=whole(amount),
            why=why,
        )
        for payer, payee, amount, why in page["payments"]
    ]
    payments = html("<p>{}</p>", nobody)
    if paid:
        drawing = payment_arrows(page["at_table"], page["flows"], "payments-drawn", page["bottom"])
        payments = html('{drawing}<ul class="payments">{rows}</ul>', drawing=drawing, rows=join(paid))
    rows = [
        html(
            '<tr><th scope="row">{name}</th><td class="num">{net}</td><td class="num">{balance}</td></tr>',
            name=name,
            net=html('<span class="hint">sits out</span>') if net is None else signed(net),
            balance=whole(balance),
        )
        for name, net, balance in page["cells"]
    ]
    return html(
        '<section class="panel panel-card" aria-labelledby="payments"><h2 id="payments">{heading}</h2>{payments}'
        '{sticks}{penalties}<table class="table-scores"><thead><tr><th scope="col">Player</th>'
        '<th scope="col" class="num">This hand</th><th scope="col" class="num">Balance</th></tr></thead>'
        "<tbody>{rows}</tbody></table></section>",
        heading="Payments" if straight else "Who pays whom",
        payments=payments,
        sticks=sticks_list("Tally sticks handed over", page["sticks"]),
        penalties=html_each("<p>{}</p>", page["penalties"]),
        rows=join(rows),
    )


def hand_lead(page: Mapping[str, Any]) -> Html:
    """Draw what is said of a hand under its heading: how it was won, the wind of the round, who sat out."""
    sentences = [f"{page['wind_of_round']} is the wind of the round."] if page["wind_of_round"] else []
    sentences += [f"{name} sits out." for name in page["sitting_out"]]
    how = html_if(page["how"], '<p class="lead">{}</p>')
    return html('{how}<p class="lead">{sentences}</p>', how=how, sentences=" ".join(sentences))


def hand_of_table(
    page: Mapping[str, Any], look: Mapping[str, Any], ways: Iterable[tuple[str, str]], change_page: str
) -> Html:
    """Draw a hand as a view of its table: the ways to the others, what is said of it, and all of the above.

    `page` is that of page_of; on the `change_page` the hand is changed. What only the server knows of it goes to the
    end of the side.
    """
    links = [
        html('<a class="button-quiet" href="{address}">{words}</a>', address=to, words=words) for to, words in ways
    ]
    return html(
        '<nav class="actions hand-nav" aria-label="Hands">{links}</nav>'
        '<div class="page-head"><div><h1 tabindex="-1">Hand {number}: {words}</h1>{lead}</div><div class="actions">'
        '<a class="button-main" href="{page}#change-{key}">Change this hand</a></div></div>'
        '<div class="hand-columns"><div class="players-hands">{hands}</div><div class="hand-side">{paid}'
        '<div id="of-server"></div></div></div>',
        links=join(links),
        number=page["number"],
        words=page["words"],
        lead=hand_lead(page["lead"]),
        page=change_page,
        key=page["key"],
        hands=players_hands(page["players"], look),
        paid=who_pays(page["paid"]),
    )


def something_wrong(row: Mapping[str, Any]) -> Html:
    """Draw how a hand is removed, or a missing one added, without the server; `row` as fragments.history_row has it."""
    return html(
        '<section class="panel" aria-labelledby="change"><h2 id="change">Something wrong?</h2>'
        '<p class="hint">You will see what changes before anything is saved.</p><div class="actions">'
        '<a class="button-quiet" href="{page}#insert-{key}">Add a missing hand before this one</a>{form}'
        "</div></section>",
        page=row["hand_entry_page"],
        key=row["key"],
        form=entry_form(row, None),
    )
