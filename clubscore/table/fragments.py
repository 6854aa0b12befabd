"""Parts of pages that the server and the tablet draw alike: HTML from plain data, escaped in one place."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clubscore.scoring.rotation import WINDS
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import money, pays_or_receives, signed, whole
from clubscore.table.live_scoring import remembered


class Html(NamedTuple):
    """HTML already: it goes into other HTML as it is."""

    text: str


def html(template: str, *values: object) -> Html:
    """Put values into the {} of a template: what is not Html is escaped, None is nothing."""
    return Html(template.format(*[value.text if isinstance(value, Html) else escape(value) for value in values]))


def escape(value: object) -> str:
    """Return a value as text that is safe in HTML, between tags and in quoted attributes."""
    text = "" if value is None else str(value)
    for sign, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;")):
        text = text.replace(sign, safe)
    return text


def each(template: str, rows: Iterable[Iterable[object]]) -> Html:
    """Put every row of values into a template, one after the other."""
    return joined(html(template, *row) for row in rows)


def joined(parts: Iterable[Html]) -> Html:
    return Html("".join([part.text for part in parts]))


def where(condition: object, template: str, *values: object) -> Html:
    """Fill a template where there is something to say; else nothing."""
    return html(template, *values) if condition else Html("")


# The score while a hand is entered, as `entry_score.scored_hand` gives it.


def score(scored: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw the score at hand entry.

    `look` is what the page knows besides: `rules_page` and `own_anchors`, where lines lead to; `units`, which lines are
    shown at once, and the words for the `rest` of them, of a learner's stage; `mahjong`, the table's word for it; and
    `bottom`, who sits at the bottom of the drawing.
    """
    is_whole = scored["state"] == "whole"
    return html(
        '<section class="score" id="score" aria-label="The score" data-state="{}"{}>{}{}{}<h2>{}</h2>'
        '<ul class="score-players">{}</ul>{}{}{}</section>',
        scored["state"],
        where(scored.get("no_change_by"), ' data-no-change-by="{}"', scored.get("no_change_by")),
        where(scored.get("no_change_by"), '<p class="score-next"><b>No score changes.</b></p>'),
        error(scored["error"]) if scored["error"] else "",
        next_hand(scored) if is_whole and scored.get("next_east") else "",
        "The score" if is_whole else "The score so far",
        joined(player(one, look) for one in scored["players"]),
        payments(scored, look["bottom"]) if scored["payments"] else "",
        sticks(scored["sticks"]) if scored["sticks"] else "",
        where(
            scored["nobody_pays"] and not scored["payments"],
            '<p class="hint">Nobody pays. Everyone adds their own score.</p>',
        ),
    )


def error(problem: Mapping[str, Any]) -> Html:
    return html(
        '<p class="field-error score-error"{}>{}{}</p>',
        where(problem["seat"], ' data-seat="{}"', problem["seat"]),
        where(problem["name"], "{}: ", problem["name"]),
        problem["message"],
    )


def next_hand(scored: Mapping[str, Any]) -> Html:
    """Say who is East next, who sits out, and what else changes."""
    kept = scored["kept_most"]
    return html(
        '<p class="score-next"><b>{} {}</b>{}{}{}{}{}</p>',
        scored["next_east"],
        "stays East" if scored["east_stays"] else "is East next",
        where(kept, ": East has kept the deal {} time{}, the most allowed.", kept, "" if kept == 1 else "s"),
        where(scored["next_out"], " {} sits out.", " and ".join(scored["next_out"])),
        where(scored["goulash_next"], " <b>The next hand is a goulash.</b>"),
        where(scored["seats_change"], " <b>New round: everyone change seats.</b>"),
        where(scored["game_over"], " <b>A full game has finished.</b>"),
    )


def player(one: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw a player's score; as it was drawn of late, as most stay as they were while a hand is entered."""
    drawn: Html = remembered(("drawn", one, look), lambda: _player(one, look))
    return drawn


def _player(one: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    return html(
        '<li class="score-player" data-seat="{}" data-total="{}" data-note="{}" data-beside="{}"{}{}{} data-brief="{}">'
        "{}{}{}{}{}</li>",
        one["number"],
        whole(one["total"]),
        one["note"],
        one["beside"],
        where(one["finished"], ' data-finished="{}"', one["finished"]),
        where(one["asks_tile"] is not None, ' data-asks-tile="{}"', "yes" if one["asks_tile"] else "no"),
        where(one["not_chosen"], " data-at-least"),
        brief(one),
        lines(one, look),
        where(one["doubtful"], '<p class="doubtful-total">{}</p>', one["doubtful"]),
        where(one["note"], '<p class="score-note">{}</p>', one["note"]),
        each('<p class="score-note">{}</p>', [[sentence] for sentence in one["unsure"]]),
        where(one["beside"], '<p class="score-note">{}</p>', one["beside"]),
    )


def brief(one: Mapping[str, Any]) -> str:
    """Return how a score came about, in few words: "8 points × 4 = 32"."""
    total, points, times = whole(one["total"]), one["points"], one["times"]
    if one["special"]:
        return f"{one['special']}: {total}"
    if points is None or not times:
        return total
    worked = f"{whole(points)} point{'' if points == 1 else 's'}{f' × {whole(times)}' if times > 1 else ''}"
    if one["limited"]:
        return f"{worked}, capped at the limit: {total}"
    return f"{worked} = {total}" if times > 1 else worked


def lines(one: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw a player's total and the lines behind it: at once those of a learner's stage, else all behind one tap."""
    limited = where(one["limited"], "<li>Capped at the limit</li>")
    if look["rest"] and one["lines"]:
        shown = rules([line for line in one["lines"] if line["unit"] in look["units"]], look)
        rest = html("{}{}", rules([line for line in one["lines"] if line["unit"] not in look["units"]], look), limited)
        return html(
            '<div class="score-why">{}</div>{}{}',
            total_line(one, look),
            where(shown.text, '<ul class="score-rules is-learners">{}</ul>', shown),
            where(
                rest.text,
                '<details class="score-rest"><summary>{}</summary><ul class="score-rules">{}</ul></details>',
                look["rest"],
                rest,
            ),
        )
    if one["lines"] or one["special"] or one["fishing_for"]:
        return html(
            '<details class="score-why"><summary>{}</summary><ul class="score-rules">{}{}{}</ul></details>',
            total_line(one, look),
            where(one["fishing_for"], "<li>Fishing for {}</li>", one["fishing_for"]),
            rules(one["lines"], look),
            limited,
        )
    return html('<div class="score-why">{}</div>', total_line(one, look))


def total_line(one: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw who it is, the total, and what it gains or loses."""
    total, net = one["total"], one["net"]
    unknown = "not yet" if one["entered"] else "nothing yet" if one["counts"] else "–"
    return html(
        '<span class="score-line"><span class="wind{}" aria-hidden="true">{}</span> <span class="score-name"><b>{}</b>'
        '<span class="visually-hidden">, {}</span>{} <span class="score-brief">{}</span></span> '
        '<span class="score-figures">{}{}</span></span>',
        " is-east" if one["wind"] == "E" else "",
        one["wind"],
        one["name"],
        one["wind_name"],
        where(one["wins"], ' <span class="badge">{}</span>', look["mahjong"]),
        unknown if total is None else brief(one) if one["times"] or one["special"] else "",
        where(total is not None, '<b class="num">{}</b>', whole(total)),
        where(
            net is not None,
            ' <span class="num {}"><span class="visually-hidden">{} </span>{}</span>',
            pays_or_receives(net) if net else "",
            pays_or_receives(net),
            signed(net),
        ),
    )


def rules(some: Iterable[Mapping[str, Any]], look: Mapping[str, Any]) -> Html:
    """Draw lines of a score; each leads to its rule."""
    page, own = look["rules_page"], look["own_anchors"]
    return each(
        '<li><a href="{}#{}">{}</a> <span class="num">{}</span></li>',
        [(page, own.get(line["rule"]) or f"rule-{line['rule']}", line["name"], line["worth"]) for line in some],
    )


def hand_result(scored: Mapping[str, Any], look: Mapping[str, Any], key: str) -> Html:
    """Draw the whole score of a hand and who pays whom, as one of several on a page."""
    return html(
        '<div class="row-score"><ul class="score-players">{}</ul>{}</div>',
        joined(player(one, look) for one in scored["players"]),
        payments(scored, look["bottom"], f"payments-{key}") if scored["payments"] else "",
    )


def payments(scored: Mapping[str, Any], bottom: Any, drawing_id: str = "payments-drawn") -> Html:
    """Draw who pays whom, around the table and in a list."""
    return html(
        '<h3>Payments</h3>{}<ul class="payments">{}</ul>',
        payment_arrows(scored["at_table"], scored["flows"], drawing_id, bottom),
        each(
            '<li><b>{}</b> <span class="arrow">pays{}</span>{} <span class="why">{}</span> '
            '<span class="amount">{}</span></li>',
            [
                (
                    paid["from"]["name"],
                    " →" if paid["to"] else "",
                    where(paid["to"], " <b>{}</b>", paid["to"] and paid["to"]["name"]),
                    paid["why_words"],
                    whole(paid["amount"]),
                )
                for paid in scored["payments"]
            ],
        ),
    )


def sticks(sentences: Iterable[str]) -> Html:
    rows = each("<li>{}</li>", [[sentence] for sentence in sentences])
    return html('<h3>Tally sticks to hand over</h3><ul class="sticks">{}</ul>', rows)


# Who pays whom, drawn around the table: a name at each side, one arrow for a pair of players.

NAME_WIDTH, NAME_HEIGHT = 116, 38
LETTERS = 10

# The four sides, by who sits there with East at the bottom: where the names stand.
MIDDLES = {"E": (180, 218), "S": (299, 120), "W": (180, 22), "N": (61, 120)}

# From side to side: the arrow's shaft, its head of 13 by 14.3, and where its amount is written, which no arrow crosses.
ARROWS = {
    "ES": ("M224 196L274.3 150.7", "M284 142L279.1 156.0L269.6 145.4z", 264, 190, "start"),
    "EW": ("M180 196L180.0 57.0", "M180 44L187.2 57.0L172.8 57.0z", 188, 170, "start"),
    "EN": ("M136 196L85.7 150.7", "M76 142L90.4 145.4L80.9 156.0z", 96, 190, "end"),
    "SE": ("M284 142L233.7 187.3", "M224 196L228.9 182.0L238.4 192.6z", 264, 190, "start"),
    "SW": ("M284 98L233.7 52.7", "M224 44L238.4 47.4L228.9 58.0z", 264, 64, "start"),
    "SN": ("M238 120L135.0 120.0", "M122 120L135.0 112.8L135.0 127.2z", 239, 111, "end"),
    "WE": ("M180 44L180.0 183.0", "M180 196L172.8 183.0L187.2 183.0z", 172, 85, "end"),
    "WS": ("M224 44L274.3 89.3", "M284 98L269.6 94.6L279.1 84.0z", 264, 64, "start"),
    "WN": ("M136 44L85.7 89.3", "M76 98L80.9 84.0L90.4 94.6z", 96, 64, "end"),
    "NE": ("M76 142L126.3 187.3", "M136 196L121.6 192.6L131.1 182.0z", 96, 190, "end"),
    "NS": ("M122 120L225.0 120.0", "M238 120L225.0 127.2L225.0 112.8z", 121, 144, "start"),
    "NW": ("M76 98L126.3 52.7", "M136 44L131.1 58.0L121.6 47.4z", 96, 64, "end"),
}


def payment_arrows(
    seats: Mapping[str, tuple[Any, str]], flows: Iterable[tuple[Any, Any, int]], drawing_id: str, bottom: Any = None
) -> Html:
    """Draw payments around the table, and say what the payments between two players come to where they are several.

    `seats`: wind -> (key, name) of who plays; `flows`: (key of payer, key of payee, amount); what goes to nobody is
    not drawn. `bottom`: the key of who sits at the bottom of the table's picture; East where that is nobody who plays.
    """
    flows = list(flows)
    names = {key: name for key, name in seats.values()}
    winds = {key: wind for wind, (key, _) in seats.items()}
    turn = WINDS.index(winds.get(bottom, WINDS[0]))
    side = {wind: WINDS[(number - turn) % len(WINDS)] for number, wind in enumerate(WINDS)}
    pairs = net_of_pairs(flows)
    arrows = [(*ARROWS[side[winds[payer]] + side[winds[payee]]], whole(amount)) for payer, payee, amount in pairs]
    return html(
        '<svg class="payment-arrows" viewBox="0 0 360 240" font-size="20" role="img" aria-labelledby="{0}-title" '
        'aria-describedby="{0}-words" focusable="false"><title id="{0}-title">Who pays whom, around the table</title>'
        '<desc id="{0}-words">{1}</desc>{2}{3}{4}</svg>{5}',
        drawing_id,
        " ".join([f"{names[payer]} pays {names[payee]} {whole(amount)}." for payer, payee, amount in pairs]),
        joined(name_box(side[wind], name) for wind, (_, name) in seats.items()),
        each(
            '<g class="payment-arrow"><path class="shaft" d="{}"/><path class="head" d="{}"/></g>',
            [(shaft, head) for shaft, head, *_ in arrows],
        ),
        each(
            '<text class="payment-amount" x="{}" y="{}" text-anchor="{}">{}</text>',
            [place for _, _, *place in arrows],
        ),
        each('<p class="payment-sum">{}</p>', [[words] for words in sums_of_pairs(flows, names)]),
    )


def sums_of_pairs(flows: Sequence[tuple[Any, Any, int]], names: Mapping[Any, str]) -> list[str]:
    """Say what one player pays another in all, where the list has several payments between them."""
    pairs = [frozenset((payer, payee)) for payer, payee, _ in flows]
    return [
        f"In all, {names[payer]} pays {names[payee]} {whole(amount)}."
        for payer, payee, amount in net_of_pairs(flows)
        if pairs.count(frozenset((payer, payee))) > 1
    ]


def net_of_pairs(flows: Iterable[tuple[Any, Any, int]]) -> list[tuple[Any, Any, int]]:
    """Add up what goes between each two players: one row for a pair, from who pays in the end; nothing for none."""
    found: dict[tuple[Any, Any], int] = {}
    for payer, payee, amount in flows:
        if payee is None:
            continue
        way, sign = ((payer, payee), 1) if (payee, payer) not in found else ((payee, payer), -1)
        found[way] = found.get(way, 0) + sign * amount
    return [(a, b, amount) if amount > 0 else (b, a, -amount) for (a, b), amount in found.items() if amount]


def name_box(side: str, name: str) -> Html:
    x, y = MIDDLES[side]
    return html(
        '<g class="payment-name"><rect x="{}" y="{}" width="{}" height="{}" rx="8"/>'
        '<text x="{}" y="{}" dy="0.35em" text-anchor="middle">{}</text></g>',
        x - NAME_WIDTH // 2,
        y - NAME_HEIGHT // 2,
        NAME_WIDTH,
        NAME_HEIGHT,
        x,
        y,
        name if len(name) <= LETTERS else f"{name[: LETTERS - 1].rstrip()}…",
    )


# The table page: who sits where, the next hand, the hands so far.


def felt(page: Mapping[str, Any]) -> Html:
    """Draw the table: `sides` are (side, wind, seat, name, balance), the empty chair without a name.

    `wind_of_round` is its letter, or nothing under rules that have none; `winds_sprite` has the tiles of the winds.
    """
    wind = page["wind_of_round"]
    return html(
        '<div class="felt">{}<div class="felt-middle">{}{}</div></div>',
        joined(side(*one) for one in page["sides"]),
        where(
            wind,
            '<svg class="tile felt-tile" aria-hidden="true" focusable="false"><use href="{}#t-{}"></use></svg>'
            "<p>{} is the wind of the round</p>",
            page["winds_sprite"],
            wind,
            WIND_NAMES.get(wind),
        ),
        where(page["goulash"], '<p class="goulash">Goulash</p>'),
    )


def side(place: str, wind: str, seat: Any, name: str, balance: int) -> Html:
    east = " is-east" if wind == "E" else ""
    if seat is None:
        return html(
            '<div class="seat is-empty" data-side="{}" data-seat=""><span>{}</span><span>empty seat</span></div>',
            place,
            WIND_NAMES[wind],
        )
    return html(
        '<div class="seat{}" data-side="{}" data-seat="{}">'
        '<span class="seat-wind"><span class="wind{}" aria-hidden="true">{}</span> {}</span> '
        '<span class="seat-name">{}</span> <span class="balance">{}</span></div>',
        *(east, place, seat, east, wind, WIND_NAMES[wind], name, whole(balance)),
    )


def sitters(page: Mapping[str, Any]) -> Html:
    """Draw who sits out, with their balances, and who sits out next."""
    return html(
        "{}{}",
        each(
            '<p class="sitter"><span>sits out</span> <b class="seat-name">{}</b> <span class="balance">{}</span></p> ',
            [(name, whole(balance)) for name, balance in page["sitting_out"]],
        ),
        each('<p class="next-out">When the deal passes, {} sits out.</p> ', [(name,) for name in page["next_out"]]),
    )


def next_hand_head(page: Mapping[str, Any]) -> Html:
    """Say which hand is next, and who is East."""
    return html(
        '<h2 class="hint" id="next-hand">Hand {}</h2> <p class="next-east">{} is East</p> ',
        page["number"],
        page["east"],
    )


def next_hand_notes(page: Mapping[str, Any]) -> Html:
    """Say why the next hand's East is East, and how the last hand went: after the buttons, which so never move."""
    notes = [
        where(page["is_new_game"], "<b>A full game has finished.</b> Finish the session, or start a new game. "),
        where(page["seats_change"], "<b>New round: everyone change seats as shown.</b> "),
        where(page["goulash"], "<b>Play a goulash.</b> "),
    ]
    return html(
        '{} {} {}<ul class="glance">{}{}{}{}</ul>',
        where(page["east_words"], '<p class="east-words">{}</p>', page["east_words"]),
        where(page["deal_words"], "<p>{}</p>", page["deal_words"]),
        where(any(note.text for note in notes), "<p>{}</p>", joined(notes)),
        where(page["wind_of_round"], '<li class="on-felt">{} round</li> ', WIND_NAMES.get(page["wind_of_round"])),
        each('<li class="on-felt">{} sits out</li> ', [[name] for name, _ in page["sitting_out"]]),
        last_hand(page["last"]) if page["last"] else "",
        where(page["provisional"], '<li class="provisional">{}</li>', page["provisional"]),
    )


def last_hand(last: Mapping[str, Any]) -> Html:
    """Say how the last hand went: `winners` are (name, total); one that is not sent yet has no `address`.

    Where the winner's hand was `special`, the words say its total.
    """
    alone = last["winners"][0][1] if len(last["winners"]) == 1 and not last["special"] else None
    words = html("{}{}", last["words"], where(alone is not None, " with {}", whole(alone)))
    shares = ", ".join([f"{name} {whole(total)}" for name, total in last["winners"]])
    return html(
        "<li{}>Hand {}: {}{}</li> ",
        where(last["special"], ' class="is-special"'),
        last["number"],
        html('<a href="{}">{}</a>', last["address"], words) if last["address"] else words,
        where(len(last["winners"]) > 1, ": {}", shares),
    )


def finished(page: Mapping[str, Any]) -> Html:
    """Draw the final order: (position, name, net); and the best hands: (name, total, number of the hand, its page)."""
    return html(
        '<p class="next-east" id="finished" tabindex="-1">Finished</p>'
        '<h2 class="hint" id="final-order">Final order</h2>'
        '<ol class="final-order" aria-labelledby="final-order">{}</ol>{}',
        each(
            '<li><span class="position">{}</span> <b class="seat-name">{}</b> <span class="num">{}</span></li> ',
            [(position, name, signed(net)) for position, name, net in page["final_order"]],
        ),
        joined([best_hand(*one) for one in page["best_hands"]]),
    )


def best_hand(name: str, total: int, number: int, address: str) -> Html:
    """Draw the highest score of a session; its hand has no page before it is sent."""
    words = f"{whole(total)} in hand {number}"
    linked = html('<a href="{}">{}</a>', address, words) if address else words
    return html('<p class="best-hand">Best hand: <b>{}</b>, {}</p> ', name, linked)


def settled(page: Mapping[str, Any]) -> Html:
    """Draw what is left to do at a finished table: who pays whom, the sticks, the sheet and the email."""
    return html(
        '{}{}<div class="actions">{}{}</div>',
        final_payments(page),
        where(
            page["stick_accounts"],
            "<p>{}Each player hands back their tally sticks.</p>",
            "Settle up. " if page["final_payments"] is None else "",
        ),
        where(page["sheet_page"], '<a class="button-main" href="{}">See and print the sheet</a>', page["sheet_page"]),
        where(page["mail_page"], ' <a class="button-quiet" href="{}">Email the results</a>', page["mail_page"]),
    )


def final_payments(page: Mapping[str, Any]) -> Html:
    """Draw who pays whom after a session, as settling_up.final_payments has them; nothing where that is None."""
    about = page["settling"]
    if page["final_payments"] is None:
        return Html("")
    rows = each(
        '<li><b>{}</b> pays <b>{}</b> <span class="num">{}</span>{}</li>',
        [
            (
                payer,
                payee or "the box",
                amount,
                where(not payee, ' <span class="hint">for penalties paid to no one</span>'),
            )
            for payer, payee, amount in page["final_payments"]
        ],
    )
    return html(
        '<section class="final-payments" aria-labelledby="settle-up-{0}"><h{1} id="settle-up-{0}">Settle up</h{1}>'
        "{2}</section>",
        about["session"],
        page["level"],
        html("<ul>{}</ul>{}", rows, where(about["rate"], '<p class="hint">{}</p>', for_a_thousand(about)))
        if page["final_payments"]
        else html("<p>Everyone is even. Nobody pays.</p>"),
    )


def for_a_thousand(about: Mapping[str, Any]) -> str:
    return f"{money(about['rate'], about['currency'])} for 1,000 points" if about["rate"] else ""


def table_sticks(page: Mapping[str, Any]) -> Html:
    """Draw the sticks to hand over for the last hand, and those before each player."""
    return html(
        "{}{}",
        where(
            page["last_sticks"],
            '<section class="panel" aria-labelledby="sticks"><h2 id="sticks">Tally sticks to hand over for hand {}</h2>'
            '<ul class="sticks">{}</ul></section>',
            page["number"] - 1,
            each("<li>{}</li>", [[sentence] for sentence in page["last_sticks"]]),
        ),
        stick_accounts(page),
    )


# The heading of a column, and what a figure of it is called on a phone.
COLUMN = '<th role="columnheader" scope="col"{}>{}</th>'
FIGURE = '<td role="cell" class="num" data-label="{}">{}</td>'


def stick_accounts(page: Mapping[str, Any]) -> Html:
    """Draw the sticks before each player, as settling_up.StickAccounts; nothing at a table without sticks."""
    found, about = page["stick_accounts"], page["settling"]
    if not found:
        return Html("")
    headings = ["Worth", "Still owed", *(["Not in sticks"] if found.undealt else []), "Balance"]
    rows = [
        (
            player.name,
            ", ".join([f"{count}\u00a0×\u00a0{whole(value)}" for value, count in player.sticks.counts]) or "none",
            html(FIGURE, "Worth", whole(player.sticks.worth)),
            html(FIGURE, "Still owed", signed(player.owed)),
            where(found.undealt, FIGURE, "Not in sticks", signed(found.undealt)),
            html(FIGURE, "Balance", html("<b>{}</b>", whole(player.balance))),
        )
        for player in found.players
    ]
    missing = [f"{player.name} {signed(player.missing)}" for player in found.players if player.missing]
    return html(
        '<section class="stick-accounts" aria-labelledby="sticks-{0}"><h{1} id="sticks-{0}">Tally sticks</h{1}>'
        '<div class="scroll-x" tabindex="0" role="region" aria-label="Tally sticks of table {2}">'
        '<table class="table-scores" role="table"><thead role="rowgroup"><tr role="row">{3}</tr></thead>'
        '<tbody role="rowgroup">{4}</tbody></table></div>{5}{6}<p class="hint">{7}</p></section>',
        about["session"],
        page["level"],
        about["table"],
        html("{}{}{}", html(COLUMN, "", "Player"), html(COLUMN, "", "Sticks"), columns(headings)),
        each(
            '<tr role="row"><th role="rowheader" scope="row">{}</th><td role="cell" data-label="Sticks">{}</td>'
            "{}{}{}{}</tr>",
            rows,
        ),
        each(
            "<p>{} starts with {} from a spare set.</p>",
            [(player.name, player.begins) for player in found.players if player.begins],
        ),
        where(found.debts, "<p>{} This is added to the next payment between them.</p>", " ".join(found.debts)),
        "The sticks and what is still owed agree with every balance."
        if found.agree
        else f"The sticks do not agree with the balances: {', '.join(missing)}.",
    )


def columns(headings: Iterable[str]) -> Html:
    """Draw the headings of columns of figures."""
    return each(COLUMN, [(Html(' class="num"'), heading) for heading in headings])


def hands_so_far(rows: Sequence[Html], removed: Sequence[Html], number: int, empty: str) -> Html:
    """Draw the list of hands, and those removed behind a tap; `empty` are the words before the first."""
    entries = where(rows, '<ol class="rows history" reversed>{}</ol>', joined(rows))
    if not rows and not removed:
        entries = html('<p class="empty">{}{}”.</p>', empty, number)
    return html(
        '<section id="hands" aria-labelledby="history"><h2 id="history">Hands so far</h2>{}{}</section>',
        entries,
        where(
            removed,
            '<details class="taken-out"><summary data-key="taken-out">Removed hands ({})</summary>'
            '<p class="hint">These do not count. You can restore any of them.</p>'
            '<ul class="rows history">{}</ul></details>',
            len(removed),
            joined(removed),
        ),
    )


def history_row(row: Mapping[str, Any], fields: Html | None = None) -> Html:
    """Draw an entry in the list of hands; `fields` are what every form of the page carries.

    A hand that is `waiting` to be sent has no page yet: it shows its `score`, and who pays whom. On a tablet every hand
    of an open table can be changed without the server: `entry_page` is where, by the end of the address.
    """
    moved = ", ".join([f"{name} {signed(net)}" for name, net in row["moved"]])
    badge = where(row["waiting"], ' <span class="badge">{}</span>', row["waiting"])
    is_changed_here = row.get("entry_page", "")
    if not row["is_hand"]:
        button = entry_form(row, fields) if row["preview"] or is_changed_here else ""
        return html(
            '<li><span class="row"><span>{}</span>{} <span class="row-aside">{}</span> {}</span></li>',
            *(row["words"], badge, moved, button),
        )
    words = html(
        '<b>{}</b> <span class="row-words">{}</span>{}{} <span class="row-aside">{}</span>',
        row["number"] or "–",
        row["words"],
        where(row["question"], ' <span class="badge">please check</span>'),
        badge,
        moved,
    )
    if row["score"] or (is_changed_here and not row["removed"]):
        ways = ways_to_change(row, fields) if is_changed_here else ""
        details = '<li><details class="row-waits"><summary data-key="{}">{}</summary>{}{}</details></li>'
        return html(details, row["key"], words, row["score"], ways)
    if row["address"] and not is_changed_here:
        return html('<li><a href="{}" data-change="{}">{}</a></li>', row["address"], row["change_address"], words)
    return html('<li><span class="row">{} {}</span></li>', words, entry_form(row, fields) if is_changed_here else "")


def ways_to_change(row: Mapping[str, Any], fields: Html | None) -> Html:
    """Draw what can be done with a hand, sent or not, without the server; one that is sent has a page besides."""
    return html(
        '<div class="actions"><a class="button-quiet" href="{0}#change-{1}">Change this hand</a>'
        '<a class="button-quiet" href="{0}#insert-{1}">Add a missing hand before this one</a>{2}{3}</div>',
        *(row["entry_page"], row["key"], entry_form(row, fields)),
        where(
            row["address"],
            '<a class="button-quiet" href="{}" data-change="{}">See this hand</a>',
            *(row["address"], row["change_address"]),
        ),
    )


def entry_form(row: Mapping[str, Any], fields: Html | None) -> Html:
    """Draw the form that removes or restores an entry; without an address only the tablet can show what it does."""
    return html(
        '<form method="post"{} data-entry="{}">{}<input type="hidden" name="kind" value="{}">'
        '<input type="hidden" name="version" value="{}"><button class="{}" type="submit">{}</button></form>',
        *(html(' action="{}"', row["preview"]) if row["preview"] else "", row["key"], fields),
        *("put_back" if row["removed"] else "take_out", row["version"]),
        "button-warn" if row["is_hand"] and not row["removed"] else "line-action",
        ("Restore" if row["removed"] else "Remove") + (" this hand" if row["is_hand"] else ""),
    )


# The sheet: totals, settling up, and hand by hand.

# Letters that fit above a column of 90 px.
MAX_IN_COLUMN = 8


def sheet(page: Mapping[str, Any]) -> Html:
    """Draw the sheet of a session: `totals` of the players, and `rows`, as totals_table and sheet_row have them."""
    return html(
        "{}{}{}{}{}",
        where(page["provisional"], '<p class="message info provisional">{}</p>', page["provisional"]),
        totals_table(page),
        final_payments(page),
        stick_accounts(page),
        hand_by_hand(page),
    )


def totals_table(page: Mapping[str, Any]) -> Html:
    """Draw what each player won or lost; `adds_up` where each adds their own scores, `money` where points are worth."""
    about, adds_up = page["settling"], page["settling"]["adds_up"]
    won = "Score" if adds_up else "Won or lost"
    gained = [] if adds_up else ["Gained", "Lost"]
    headings = [won, "Balance", *(["Money"] if about["rate"] else []), "Hands", "Won", *gained, "Best hand"]
    return html(
        '<section aria-labelledby="totals-{0}"><h{1} id="totals-{0}">Totals</h{1}>'
        '<div class="scroll-x sheet-frame" tabindex="0" role="region" aria-label="Totals of table {2}">'
        '<table class="table-scores totals" role="table"><thead role="rowgroup"><tr role="row">{3}{4}</tr></thead>'
        '<tbody role="rowgroup">{5}</tbody></table></div>{6}</section>',
        about["session"],
        page["level"],
        about["table"],
        html(COLUMN, "", "Player"),
        columns(headings),
        joined([totals_row(one, won, about) for one in page["totals"]]),
        where(
            about["rate"] and page["final_payments"] is None, '<p class="hint">Money: {}.</p>', for_a_thousand(about)
        ),
    )


def totals_row(one: Mapping[str, Any], won: str, about: Mapping[str, Any]) -> Html:
    """Draw a player's totals; an imported session may not know the `hands`, the hands `won` and the `best_hand`."""
    known = ["–" if one[name] is None else whole(one[name]) for name in ("hands", "won")]
    gained = [("Gained", signed(one["gained"])), ("Lost", signed(one["lost"]))]
    figures = [
        (won, html("<b>{}</b>", signed(one["net"]))),
        ("Balance", whole(one["balance"])),
        *([("Money", one["money"])] if about["rate"] else []),
        ("Hands", known[0]),
        ("Won", known[1]),
        *([] if about["adds_up"] else gained),
        ("Best hand", whole(one["best_hand"])),
    ]
    return html(
        '<tr role="row"><th role="rowheader" scope="row">{}{}</th>{}</tr>',
        html('<a href="{}">{}</a>', one["address"], one["name"]) if one["address"] else one["name"],
        where(one["guest"], ' <span class="badge">guest</span>'),
        each(FIGURE, figures),
    )


def hand_by_hand(page: Mapping[str, Any]) -> Html:
    """Draw every line of the ledger with what it did to the balances."""
    about, names = page["settling"], [one["name"] for one in page["totals"]]
    none = "No hands have been played yet."
    if page["imported"]:
        none = "This session was imported as totals, without its hands."
    return html(
        '<section aria-labelledby="hands-{0}"><h{1} id="hands-{0}">Hand by hand</h{1}>{2}</section>',
        about["session"],
        page["level"],
        hands_table(page, names) if page["rows"] else html('<p class="empty">{}</p>', none),
    )


def hands_table(page: Mapping[str, Any], names: Sequence[str]) -> Html:
    about = page["settling"]
    is_long = any([len(word) > MAX_IN_COLUMN for name in names for word in name.replace("-", " ").split()])
    to_nobody = -sum([one["net"] for one in page["totals"]]) if about["settles"] else 0
    return html(
        '<div class="scroll-x sheet-frame" tabindex="0" role="region" aria-label="Hands of table {}">'
        '<table class="table-scores sheet sheet-of-{}{}" role="table"><thead role="rowgroup"><tr role="row">{}{}{}</tr>'
        '</thead><tbody role="rowgroup"><tr role="row" class="start"><td role="cell"></td>'
        '<th role="rowheader" scope="row">Start</th>{}</tr>{}<tr role="row" class="is-total"><td role="cell"></td>'
        '<th role="rowheader" scope="row">{}</th>{}</tr></tbody></table></div><p class="hint screen-only">'
        "Each cell shows the wind, the points won or lost, and the balance after the hand.</p>{}",
        about["table"],
        len(names),
        " has-long-names" if is_long else "",
        html(COLUMN, "", "Hand"),
        html(COLUMN, "", "What happened"),
        columns(names),
        each(CELL, [(whole(page["starting_balance"]),) for _ in names]),
        joined([sheet_row(row) for row in page["rows"]]),
        "Score" if about["adds_up"] else "Won or lost",
        each(CELL, [(signed(one["net"]),) for one in page["totals"]]),
        where(to_nobody, '<p class="hint">Penalties paid to no one: {}.</p>', whole(to_nobody)),
    )


CELL = '<td role="cell" class="num">{}</td>'


def sheet_row(row: Mapping[str, Any]) -> Html:
    """Draw a line of the ledger: a hand that counts by its `number`, or an arrival, a penalty, or what was removed.

    `round_words` say which round begins with it; a hand that is not sent yet has no `address`.
    """
    words = html('<a href="{}">{}</a>', row["address"], row["words"]) if row["address"] else row["words"]
    if row["number"] is None:
        return html(
            '<tr role="row" class="other-line{}"><td role="cell"></td><th role="rowheader" scope="row">{}</th>{}</tr>',
            where(row["removed"], " is-out"),
            words,
            each(
                CELL, [(net_and_balance(signed(net), balance) if net else "",) for _, net, balance, _ in row["cells"]]
            ),
        )
    return html(
        '<tr role="row"{}><td role="cell">{}</td><th role="rowheader" scope="row">{}{}{}{}</th>{}</tr>',
        where(row["question"], ' class="is-question"'),
        row["number"],
        words,
        where(row["is_unagreed"], ' <span class="badge">not agreed yet</span>'),
        where(row["is_asked"], ' <span class="badge screen-only">score query</span>'),
        where(row["round_words"], '<span class="sheet-round">{}</span>', row["round_words"]),
        joined([hand_cell(*cell) for cell in row["cells"]]),
    )


def hand_cell(wind: str | None, net: int, balance: int, won: bool) -> Html:
    """Draw what a hand did to one player; no wind for who sits out, None for who is not at the table."""
    if wind is None:
        return html(CELL, "–")
    if not wind:
        return html(CELL, net_and_balance("sits out", balance, " hint"))
    drawn = html(
        '<span class="sheet-wind{}" title="{}">{}</span> {}',
        where(wind == "E", " is-east"),
        WIND_NAMES[wind],
        wind,
        signed(net),
    )
    return html('<td role="cell" class="num{}">{}</td>', where(won, " won"), net_and_balance(drawn, balance))


def net_and_balance(net: object, balance: int, more: str = "") -> Html:
    return html('<span class="sheet-net{}">{}</span><span class="sheet-balance">{}</span>', more, net, whole(balance))


# What a change would do, before it is done, as `preview.preview_data` gives it.


def preview_body(page: Mapping[str, Any]) -> Html:
    """Draw what a change does, hand by hand; where it asks about the seats of later hands, for each choice."""
    if not page["kept"]:
        return joined([preview_changes(page), preview_table(page)])
    keep = ("Seats as played", "Later hands keep their seats.", "1", "Keep the seats", "button-main")
    follow = (
        "By the rotation",
        "Later hands are scored in new seats.",
        "",
        "Follow the rotation",
        "button-quiet",
    )
    return joined([preview_choice(page["kept"], keep, page), preview_choice(page, follow, page)])


def preview_choice(page: Mapping[str, Any], words: Sequence[str], asked: Mapping[str, Any]) -> Html:
    """Draw what one choice does, with its button where the page that is `asked` for it has_buttons."""
    heading, does, value, button, look = words
    return html(
        '<section class="preview-choice"><h2>{}</h2><p>{}</p>{}{}<details><summary>Hand by hand</summary>{}</details>'
        "</section>",
        *(heading, does),
        where(
            asked["has_buttons"],
            '<div class="actions"><button type="submit" name="keep_seats" value="{}" class="{}">{}</button></div>',
            *(value, look, button),
        ),
        preview_changes(page),
        preview_table(page),
    )


def preview_changes(page: Mapping[str, Any]) -> Html:
    """Draw the sentences of what changes, as a warning where a question is among them."""
    rows = each("<li>{}</li>", [[change] for change in page["changes"]])
    warns = where(page["questions"], " message warning")
    return where(page["changes"], '<ul class="changes{}">{}</ul>', warns, rows)


def preview_table(page: Mapping[str, Any]) -> Html:
    """Draw each hand that differs, before and after, and the totals; nothing where no hand does."""
    sitter = page["has_sitter"]
    return where(
        page["rows"],
        '<div class="scroll-x preview-scroll" tabindex="0" role="region" aria-label="What changes, hand by hand">'
        '<table class="table-scores preview"><thead><tr><th scope="col">Hand</th>'
        '<th scope="col"><span class="visually-hidden">Before or after</span></th><th scope="col">East</th>{}{}</tr>'
        "</thead>{}<tbody>{}</tbody></table></div>"
        '<p class="hint">Each cell shows what the player won or lost in the hand, and the balance after it.</p>',
        where(sitter, '<th scope="col">Sits out</th>'),
        each('<th scope="col" class="num">{}</th>', [[name] for name in page["names"]]),
        each("<tbody>{}</tbody>", [[joined([preview_line(line, sitter) for line in row])] for row in page["rows"]]),
        joined([preview_total(line, sitter) for line in page["totals"]]),
    )


def preview_line(line: Any, has_sitter: bool) -> Html:
    """Draw a hand as it was, or as it will be."""
    return html(
        '<tr class="{}"><th scope="row">{}</th> <td>{}</td> <td data-name="East"{}>{}</td> {}{}</tr> ',
        *(line.kind, line.number, line.word, where(line.east_differs, ' class="differs"'), line.east),
        where(
            has_sitter,
            '<td data-name="Sits out"{}>{}</td> ',
            where(line.out_differs, ' class="differs"'),
            line.out,
        ),
        each(
            '<td class="num{}" data-name="{}">{} <span class="preview-balance{}">{}</span></td> ',
            [
                (differs(cell.differs), cell.name, signed(cell.net), differs(cell.balance_differs), whole(cell.balance))
                for cell in line.cells
            ],
        ),
    )


def preview_total(line: Any, has_sitter: bool) -> Html:
    """Draw the totals as they were, or as they will be."""
    return html(
        '<tr class="{} is-total"><th scope="row">Total</th> <td>{}</td> <td class="blank"></td> {}{}</tr> ',
        *(line.kind, line.word, where(has_sitter, '<td class="blank"></td> ')),
        each(
            '<td class="num{}" data-name="{}">{}</td> ',
            [(differs(cell.differs), cell.name, signed(cell.net)) for cell in line.cells],
        ),
    )


def differs(is_different: bool) -> str:
    return " differs" if is_different else ""
