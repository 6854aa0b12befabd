"""The score while a hand is entered, and who pays whom, as the server and the tablet both draw them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clubscore.play.markup import Html, html, html_each, html_if, join, sticks_list
from clubscore.scoring.rotation import WINDS
from clubscore.scoring.words import pays_or_receives, signed, whole


def score(scored: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw the score at hand entry, as `entered_hand.EnteredHand.shown` gives it.

    `look` is what the page adds: `rules_page` and `own_anchors`, where lines lead to; `units`, the lines that a
    learner's stage shows at once, and the words for the `rest` of them; `mahjong`, the table's word for it; and
    `bottom`, who sits at the bottom of the drawing.
    """
    is_whole = scored["state"] == "whole"
    players = [player_score(player, look) for player in scored["players"]]
    return html(
        '<section class="score" id="score" aria-label="The score" data-state="{state}">{unchanged}{error}{next_hand}'
        '<h2>{heading}</h2><ul class="score-players">{players}</ul>{payments}{sticks}{nobody}</section>',
        state=scored["state"],
        unchanged=html_if(scored.get("changes_nothing"), '<p class="score-next"><b>No score changes.</b></p>'),
        error=error(scored["error"]) if scored["error"] else "",
        next_hand=next_hand(scored) if is_whole and scored.get("next_east") else "",
        heading="The score" if is_whole else "The score so far",
        players=join(players),
        payments=payments(scored, look["bottom"]) if scored["payments"] else "",
        sticks=sticks_list("Tally sticks to hand over", scored["sticks"] or ()),
        nobody=html_if(
            scored["nobody_pays"] and not scored["payments"],
            '<p class="hint">Nobody pays. Everyone adds their own score.</p>',
        ),
    )


def score_data(scored: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the scripts of hand entry have to know of a score, as plain data."""
    return {
        "state": scored["state"],
        "changes_nothing": bool(scored.get("changes_nothing")),
        "players": {
            player["number"]: {
                "total": player["total"],
                "brief": brief(player),
                **{name: player[name] for name in ("note", "beside", "finished", "asks_tile", "fishes")},
                "is_special": bool(player["special"]),
                "is_lowest": bool(player["not_chosen"]),
            }
            for player in scored["players"]
        },
        "payments": [
            {"payer": payer["name"], "payee": payee["name"] if payee else "nobody", "amount": whole(amount)}
            for payer, payee, amount in [(paid["from"], paid["to"], paid["amount"]) for paid in scored["payments"]]
        ],
    }


def error(problem: Mapping[str, Any]) -> Html:
    return html(
        '<p class="field-error score-error"{seat}>{name}{message}</p>',
        seat=html_if(problem["seat"], ' data-seat="{}"'),
        name=html_if(problem["name"], "{}: "),
        message=problem["message"],
    )


def next_hand(scored: Mapping[str, Any]) -> Html:
    """Say who is East next, who sits out, and what else changes."""
    kept = scored["kept_most"]
    return html(
        '<p class="score-next"><b>{east} {stays}</b>{kept}{out}{goulash}{seats}{over}</p>',
        east=scored["next_east"],
        stays="stays East" if scored["east_stays"] else "is East next",
        kept=html_if(kept, ": East has kept the deal {} time{s}, the most allowed.", s="" if kept == 1 else "s"),
        out=html_if(scored["next_out"], " {names} sits out.", names=" and ".join(scored["next_out"])),
        goulash=html_if(scored["goulash_next"], " <b>The next hand is a goulash.</b>"),
        seats=html_if(scored["seats_change"], " <b>New round: everyone change seats.</b>"),
        over=html_if(scored["game_over"], " <b>A full game has finished.</b>"),
    )


def player_score(player: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    notes = [player["note"], *player["unsure"], player["beside"]]
    return html(
        '<li class="score-player" data-seat="{seat}">{lines}{question}{notes}</li>',
        seat=player["number"],
        lines=lines(player, look),
        question=html_if(player["question"], '<p class="please-check">{}</p>'),
        notes=html_each('<p class="score-note">{}</p>', [note for note in notes if note]),
    )


def brief(player: Mapping[str, Any]) -> str:
    """Return how a score came about, in few words: "8 points × 4 = 32"."""
    total, points, times = whole(player["total"]), player["points"], player["times"]
    if player["special"]:
        return f"{player['special']}: {total}"
    if points is None or not times:
        return total
    worked = f"{whole(points)} point{'' if points == 1 else 's'}{f' × {whole(times)}' if times > 1 else ''}"
    if player["limited"]:
        return f"{worked}, limit: {total}"
    return f"{worked} = {total}" if times > 1 else worked


def lines(player: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw a player's total and the lines behind it: those of a learner's stage at once, else all behind one tap."""
    total = total_line(player, look)
    limited = html_if(player["limited"], "<li>Limit: {limit}</li>", limit=whole(player["total"]))
    if look["rest"] and player["lines"]:
        shown = rules([line for line in player["lines"] if line["unit"] in look["units"]], look)
        rest = join([rules([line for line in player["lines"] if line["unit"] not in look["units"]], look), limited])
        return html(
            '<div class="score-why">{total}</div>{shown}{rest}',
            total=total,
            shown=html_if(shown.text, '<ul class="score-rules is-learners">{rules}</ul>', rules=shown),
            rest=html_if(
                rest.text,
                '<details class="score-rest"><summary>{words}</summary><ul class="score-rules">{rules}</ul></details>',
                words=look["rest"],
                rules=rest,
            ),
        )
    if player["lines"] or player["special"] or player["fishing_for"]:
        return html(
            '<details class="score-why"><summary>{total}</summary><ul class="score-rules">'
            "{fishing}{rules}{limited}</ul></details>",
            total=total,
            fishing=html_if(player["fishing_for"], "<li>Fishing for {}</li>"),
            rules=rules(player["lines"], look),
            limited=limited,
        )
    return html('<div class="score-why">{}</div>', total)


def total_line(player: Mapping[str, Any], look: Mapping[str, Any]) -> Html:
    """Draw the player's name, the total, and what the player gains or loses."""
    total, net = player["total"], player["net"]
    unknown = "not yet" if player["entered"] else "nothing yet" if player["counts"] else "–"
    # Points that nothing multiplies are the total, which stands beside them.
    is_worked = player["special"] or player["limited"] or (player["times"] or 0) > 1
    return html(
        '<span class="score-line"><span class="wind{east}" aria-hidden="true">{wind}</span> '
        '<span class="score-name"><b>{name}</b><span class="visually-hidden">, {wind_name}</span>{mahjong} '
        '<span class="score-brief">{brief}</span></span> <span class="score-figures">{total}{net}</span></span>',
        east=" is-east" if player["wind"] == "E" else "",
        wind=player["wind"],
        name=player["name"],
        wind_name=player["wind_name"],
        mahjong=html_if(player["wins"], ' <span class="badge">{word}</span>', word=look["mahjong"]),
        brief=unknown if total is None else brief(player) if is_worked else "",
        total=html_if(total is not None, '<b class="num">{total}</b>', total=whole(total)),
        net=html_if(
            net is not None,
            ' <span class="num {css}"><span class="visually-hidden">{words} </span>{net}</span>',
            css=pays_or_receives(net) if net else "",
            words=pays_or_receives(net),
            net=signed(net),
        ),
    )


def rules(lines: Iterable[Mapping[str, Any]], look: Mapping[str, Any]) -> Html:
    """Draw lines of a score; each leads to its rule."""
    page, own = look["rules_page"], look["own_anchors"]
    return join(
        html(
            '<li><a href="{page}#{anchor}">{name}</a> <span class="num">{worth}</span></li>',
            page=page,
            anchor=own.get(line["rule"]) or f"rule-{line['rule']}",
            name=line["name"],
            worth=line["worth"],
        )
        for line in lines
    )


def hand_result(scored: Mapping[str, Any], look: Mapping[str, Any], key: str) -> Html:
    """Draw the whole score of a hand and who pays whom, as one of several on a page."""
    return html(
        '<div class="row-score"><ul class="score-players">{players}</ul>{payments}</div>',
        players=join(player_score(player, look) for player in scored["players"]),
        payments=payments(scored, look["bottom"], f"payments-{key}") if scored["payments"] else "",
    )


def payments(scored: Mapping[str, Any], bottom: Any, drawing_id: str = "payments-drawn") -> Html:
    """Draw who pays whom, around the table and in a list."""
    rows = [
        html(
            '<li><b>{payer}</b> <span class="arrow">pays{arrow}</span>{payee} <span class="why">{why}</span> '
            '<span class="amount">{amount}</span></li>',
            payer=paid["from"]["name"],
            arrow=" →" if paid["to"] else "",
            payee=html(" <b>{}</b>", paid["to"]["name"]) if paid["to"] else "",
            why=paid["why_words"],
            amount=whole(paid["amount"]),
        )
        for paid in scored["payments"]
    ]
    return html(
        '<h3>Payments</h3>{drawing}<ul class="payments">{rows}</ul>',
        drawing=payment_arrows(scored["at_table"], scored["flows"], drawing_id, bottom),
        rows=join(rows),
    )


# Who pays whom, drawn around the table: a name at each side, one arrow for a pair of players.

NAME_WIDTH, NAME_HEIGHT = 116, 38
LETTERS = 10

# Where the names go on the four sides, with East at the bottom.
MIDDLES = {"E": (180, 218), "S": (299, 120), "W": (180, 22), "N": (61, 120)}

# From side to side: the arrow's shaft, its head of 13 by 14.3, and a place for the amount that no arrow crosses.
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
    """Draw payments around the table, and add up several payments between the same two players.

    `seats`: wind -> (key, name) of each player; `flows`: (key of payer, key of payee, amount), of which those to no one
    are not drawn. `bottom`: the key of the player at the bottom of the drawing; East if that is no player.
    """
    flows = list(flows)
    names = {key: name for key, name in seats.values()}
    winds = {key: wind for wind, (key, _) in seats.items()}
    turn = WINDS.index(winds.get(bottom, WINDS[0]))
    side = {wind: WINDS[(number - turn) % len(WINDS)] for number, wind in enumerate(WINDS)}
    pairs = net_of_pairs(flows)
    arrows = [(ARROWS[side[winds[payer]] + side[winds[payee]]], whole(amount)) for payer, payee, amount in pairs]
    return html(
        '<svg class="payment-arrows" viewBox="0 0 360 240" font-size="20" role="img" aria-labelledby="{id}-title" '
        'aria-describedby="{id}-words" focusable="false"><title id="{id}-title">Who pays whom, around the table</title>'
        '<desc id="{id}-words">{words}</desc>{names}{arrows}{amounts}</svg>{sums}',
        id=drawing_id,
        words=" ".join([f"{names[payer]} pays {names[payee]} {whole(amount)}." for payer, payee, amount in pairs]),
        names=join(name_box(side[wind], name) for wind, (_, name) in seats.items()),
        arrows=join(
            html(
                '<g class="payment-arrow"><path class="shaft" d="{shaft}"/><path class="head" d="{head}"/></g>',
                shaft=arrow[0],
                head=arrow[1],
            )
            for arrow, _ in arrows
        ),
        amounts=join(
            html(
                '<text class="payment-amount" x="{x}" y="{y}" text-anchor="{anchor}">{amount}</text>',
                x=arrow[2],
                y=arrow[3],
                anchor=arrow[4],
                amount=amount,
            )
            for arrow, amount in arrows
        ),
        sums=html_each('<p class="payment-sum">{}</p>', sums_of_pairs(flows, names)),
    )


def sums_of_pairs(flows: Sequence[tuple[Any, Any, int]], names: Mapping[Any, str]) -> list[str]:
    """Return sentences about what one player pays another in all, if there are several payments between them."""
    pairs = [frozenset((payer, payee)) for payer, payee, _ in flows]
    return [
        f"In all, {names[payer]} pays {names[payee]} {whole(amount)}."
        for payer, payee, amount in net_of_pairs(flows)
        if pairs.count(frozenset((payer, payee))) > 1
    ]


def net_of_pairs(flows: Iterable[tuple[Any, Any, int]]) -> list[tuple[Any, Any, int]]:
    """Return (payer, payee, amount) of what each pair of players comes to; pairs that are even are left out."""
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
        '<g class="payment-name"><rect x="{left}" y="{top}" width="{width}" height="{height}" rx="8"/>'
        '<text x="{x}" y="{y}" dy="0.35em" text-anchor="middle">{name}</text></g>',
        left=x - NAME_WIDTH // 2,
        top=y - NAME_HEIGHT // 2,
        width=NAME_WIDTH,
        height=NAME_HEIGHT,
        x=x,
        y=y,
        name=name if len(name) <= LETTERS else f"{name[: LETTERS - 1].rstrip()}…",
    )
