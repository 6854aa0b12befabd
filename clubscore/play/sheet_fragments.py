"""The sheet of a session and settling up, as the server and the tablet both draw them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clubscore.play.markup import Html, figure, html, html_each, html_if, join, link, scores_table, section
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import listed, money, signed, whole

# Settling up.


def final_payments(page: Mapping[str, Any]) -> Html:
    """Draw who pays whom after a session, as settling_up.final_payments; nothing if that is None."""
    payments, about = page["final_payments"], page["settling"]
    if payments is None:
        return Html("")
    content = html("<p>Everyone is even. Nobody pays.</p>")
    if payments:
        rows = [
            html(
                '<li><b>{payer}</b> pays <b>{payee}</b> <span class="num">{amount}</span>{box}</li>',
                payer=payer,
                payee=payee or "the box",
                amount=amount,
                box=html_if(not payee, ' <span class="hint">for penalties paid to no one</span>'),
            )
            for payer, payee, amount in payments
        ]
        rate = html_if(for_a_thousand(about), '<p class="hint">{}</p>')
        content = html("<ul>{rows}</ul>{rate}", rows=join(rows), rate=rate)
    return section(page, "settle-up", "Settle up", content, ' class="final-payments"')


def for_a_thousand(about: Mapping[str, Any]) -> str:
    return f"{money(about['rate'], about['currency'])} for 1,000 points" if about["rate"] else ""


def stick_accounts(page: Mapping[str, Any]) -> Html:
    """Draw the sticks before each player, as settling_up.StickAccounts; nothing at a table without sticks."""
    found = page["stick_accounts"]
    if not found:
        return Html("")
    rows = [
        html(
            '<tr role="row"><th role="rowheader" scope="row">{name}</th>'
            '<td role="cell" data-label="Sticks">{sticks}</td>{worth}{owed}{undealt}{balance}</tr>',
            name=player.name,
            sticks=", ".join([f"{count}\u00a0×\u00a0{whole(value)}" for value, count in player.sticks.counts])
            or "none",
            worth=figure("Worth", whole(player.sticks.worth)),
            owed=figure("Still owed", signed(player.owed)),
            undealt=figure("Not in sticks", signed(found.undealt)) if found.undealt else "",
            balance=figure("Balance", html("<b>{}</b>", whole(player.balance))),
        )
        for player in found.players
    ]
    figures = ["Worth", "Still owed", *(["Not in sticks"] if found.undealt else []), "Balance"]
    missing = [f"{player.name} {signed(player.missing)}" for player in found.players if player.missing]
    label = f"Tally sticks of table {page['settling']['table']}"
    content = html(
        '{table}{spare}{debts}<p class="hint">{agree}</p>',
        table=scores_table(label, "", ["Player", "Sticks"], figures, join(rows)),
        spare=html_each(
            "<p>{} from a spare set.</p>",
            [f"{player.name} starts with {player.begins}" for player in found.players if player.begins],
        ),
        debts=html_if(" ".join(found.debts), "<p>{} This is added to the next payment between them.</p>"),
        agree="" if found.agree else f"The sticks do not agree with the balances: {', '.join(missing)}.",
    )
    return section(page, "sticks", "Tally sticks", content, ' class="stick-accounts"')


# The sheet: totals, and hand by hand.


def cell(name: str, value: object, css: str = "") -> Html:
    return html('<td role="cell" class="num{css}" data-name="{name}">{value}</td>', css=css, name=name, value=value)


def sheet(page: Mapping[str, Any]) -> Html:
    """Draw the sheet of a session: `totals` of the players, and `rows`, as totals_table and sheet_row have them."""
    provisional = html_if(page["provisional"], '<p class="message info provisional">{}</p>')
    last = html_if(page["last_hands"], '<p class="lead last-hands">{}</p>')
    return join([provisional, last, totals_table(page), final_payments(page), stick_accounts(page), hand_by_hand(page)])


def totals_table(page: Mapping[str, Any]) -> Html:
    """Draw what each player won or lost.

    Each adds their own scores where the table `adds_up`; `money` is shown if points have a rate. An imported session
    may not know the `hands`, the hands `won` and the `best_hand`.
    """
    about = page["settling"]
    columns = _totals_columns(about)
    rows = [
        html(
            '<tr role="row"><th role="rowheader" scope="row">{name}{guest}</th>{figures}</tr>',
            name=link(player["address"], player["name"]),
            guest=html_if(player["guest"], ' <span class="badge">guest</span>'),
            figures=join(figure(heading, figure_of(player)) for heading, figure_of in columns),
        )
        for player in page["totals"]
    ]
    headings = [heading for heading, _ in columns]
    rate = for_a_thousand(about) if page["final_payments"] is None else ""
    hint = html_if(rate, '<p class="hint">Money: {}.</p>')
    void = [str(number) for number in page["void"]]
    words = f"Hands {listed(void)} were void and are" if len(void) > 1 else f"Hand {listed(void)} was void and is"
    not_counted = html_if(void, '<p class="hint">{words} not counted.</p>', words=words)
    table = scores_table(f"Totals of table {about['table']}", " totals", ["Player"], headings, join(rows))
    return section(page, "totals", "Totals", join([table, not_counted, hint]))


def _totals_columns(about: Mapping[str, Any]) -> list[tuple[str, Callable[[Mapping[str, Any]], object]]]:
    """Return the heading of each column of figures, and the function that gives a player's figure."""
    gained = [("Gained", lambda player: signed(player["gained"])), ("Lost", lambda player: signed(player["lost"]))]
    return [
        ("Score" if about["adds_up"] else "Won or lost", lambda player: html("<b>{}</b>", signed(player["net"]))),
        ("Balance", lambda player: whole(player["balance"])),
        *([("Money", lambda player: player["money"])] if about["rate"] else []),
        ("Hands", lambda player: "–" if player["hands"] is None else whole(player["hands"])),
        ("Won", lambda player: "–" if player["won"] is None else whole(player["won"])),
        *([] if about["adds_up"] else gained),
        ("Highest score", lambda player: whole(player["best_hand"])),
    ]


def hand_by_hand(page: Mapping[str, Any]) -> Html:
    """Draw every entry of the ledger with what it did to the balances."""
    if not page["rows"]:
        none = "No hands have been played yet."
        if page["imported"]:
            none = "Only the totals of this table are known, not its hands."
        return section(page, "hands", "Hand by hand", html('<p class="empty">{}</p>', none))
    about, names = page["settling"], [player["name"] for player in page["totals"]]
    css = f" sheet sheet-of-{len(names)}"
    body = html(
        '<tr role="row" class="start"><td role="cell"></td><th role="rowheader" scope="row">Start</th>{start}</tr>'
        '{rows}<tr role="row" class="is-total"><td role="cell"></td><th role="rowheader" scope="row">{heading}</th>'
        "{totals}</tr>",
        start=join(cell(name, whole(page["starting_balance"])) for name in names),
        rows=join(sheet_row(row, names) for row in page["rows"]),
        heading="Score" if about["adds_up"] else "Won or lost",
        totals=join(cell(player["name"], signed(player["net"])) for player in page["totals"]),
    )
    to_nobody = -sum([player["net"] for player in page["totals"]]) if about["settles"] else 0
    content = html(
        '{table}<p class="hint screen-only">'
        "Each cell shows the wind, the points won or lost, and the balance after the hand. "
        "The winner is in bold.</p>{penalties}",
        table=scores_table(f"Hands of table {about['table']}", css, ["Hand", "What happened"], names, body),
        penalties=html_if(to_nobody, '<p class="hint">Penalties paid to no one: {sum}.</p>', sum=whole(to_nobody)),
    )
    return section(page, "hands", "Hand by hand", content)


def sheet_row(row: Mapping[str, Any], names: Sequence[str]) -> Html:
    """Draw an entry of the ledger: a hand that counts by its `number`, or an arrival, a penalty, or a removed entry.

    `round_words` say which round begins with it; a hand that is not sent yet has no `address`.
    """
    words = link(row["address"], row["words"])
    if row["number"] is None:
        cells = [
            cell(name, net_and_balance(signed(net), balance) if net else "")
            for name, (_, net, balance, _) in zip(names, row["cells"], strict=True)
        ]
        return html(
            '<tr role="row" class="other-line{out}"><td role="cell"></td><th role="rowheader" scope="row">{words}</th>'
            "{cells}</tr>",
            out=" is-out" if row["removed"] else "",
            words=words,
            cells=join(cells),
        )
    return html(
        '<tr role="row"{question}><td role="cell">{number}</td>'
        '<th role="rowheader" scope="row">{words}{losers}{unagreed}{asked}{round}</th>{cells}</tr>',
        question=html_if(row["question"], ' class="is-question"'),
        number=row["number"],
        words=words,
        # On paper a row has one line.
        losers=html_if(row["losers_points"], '<span class="hint screen-only">; {}</span>'),
        unagreed=html_if(row["is_unagreed"], ' <span class="badge">not agreed yet</span>'),
        asked=html_if(row["is_asked"], ' <span class="badge screen-only">score query</span>'),
        round=html_if(row["round_words"], '<span class="sheet-round">{}</span>'),
        cells=join([hand_cell(name, *values) for name, values in zip(names, row["cells"], strict=True)]),
    )


def hand_cell(name: str, wind: str | None, net: int, balance: int, won: bool) -> Html:
    """Draw what a hand did to one player; an empty wind for one who sits out, None for one who is not at the table."""
    if wind is None:
        return cell(name, "–")
    if not wind:
        return cell(name, net_and_balance("sits out", balance, " hint"))
    title = '<span class="sheet-wind" title="{title}">{wind}</span> {net}'
    drawn = html(title, title=WIND_NAMES[wind], wind=wind, net=signed(net))
    return cell(name, net_and_balance(drawn, balance), " won" if won else "")


def net_and_balance(net: object, balance: int, css: str = "") -> Html:
    return html(
        '<span class="sheet-net{css}">{net}</span><span class="sheet-balance">{balance}</span>',
        css=css,
        net=net,
        balance=whole(balance),
    )
