"""The table page, and what a change would do, as the server and the tablet both draw them.

Templates call these functions by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from clubscore.play.markup import Html, html, html_each, html_if, join, link, sticks_list
from clubscore.play.seatings import LikelySeating
from clubscore.play.sheet_fragments import final_payments, stick_accounts
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import signed, whole

# Who sits where, and the next hand.


def felt(page: Mapping[str, Any]) -> Html:
    """Draw the table: `sides` are (side, wind, seat, name, balance, its last change), the empty seat without a name.

    `wind_of_round` is its letter, or empty under rules without one; `winds_sprite` has the tiles of the winds.
    """
    wind = page["wind_of_round"]
    tile = html_if(
        wind,
        '<svg class="tile felt-tile" aria-hidden="true" focusable="false"><use href="{sprite}#t-{wind}"></use></svg>'
        "<p>{name} is the wind of the round</p>",
        sprite=page["winds_sprite"],
        wind=wind,
        name=WIND_NAMES.get(wind),
    )
    return html(
        '<div class="felt">{sides}<div class="felt-middle">{tile}{goulash}{last}</div></div>',
        sides=join(side(*values) for values in page["sides"]),
        tile=tile,
        goulash=html_if(page["goulash"], '<p class="goulash">Goulash</p>'),
        last=html_if(page["last_hands"], '<p class="goulash last-hands">{}</p>'),
    )


def side(place: str, wind: str, seat: Any, name: str, balance: int, moved: int) -> Html:
    if seat is None:
        return html(
            '<div class="seat is-empty" data-side="{side}" data-seat=""><span>{wind}</span>'
            "<span>empty seat</span></div>",
            side=place,
            wind=WIND_NAMES[wind],
        )
    return html(
        '<div class="seat{east}" data-side="{side}" data-seat="{seat}">'
        '<span class="seat-wind"><span class="wind{east}" aria-hidden="true">{wind}</span> {wind_name}</span> '
        '<span class="seat-name">{name}</span> {balance}</div>',
        east=" is-east" if wind == "E" else "",
        side=place,
        seat=seat,
        wind=wind,
        wind_name=WIND_NAMES[wind],
        name=name,
        balance=balance_and_change(balance, moved),
    )


def balance_and_change(balance: int, moved: int) -> Html:
    """Draw a player's balance, and what the last hand changed."""
    return html(
        '<span class="balance{owes}">{balance}</span>{change}',
        owes=" pays" if balance < 0 else "",
        balance=whole(balance),
        change=html_if(moved and signed(moved), ' <span class="change">{}</span>'),
    )


def sitters(page: Mapping[str, Any]) -> Html:
    """Draw who sits out, with their balances, and who sits out next."""
    sitting_out = [
        html(
            '<p class="sitter"><span>sits out</span> <b class="seat-name">{name}</b> {balance}</p> ',
            name=name,
            balance=balance_and_change(balance, moved),
        )
        for name, balance, moved in page["sitting_out"]
    ]
    next_out = html_each('<p class="next-out">When the deal passes, {} sits out.</p> ', page["next_out"])
    return join([*sitting_out, next_out])


def next_hand_head(page: Mapping[str, Any]) -> Html:
    """Say which hand is next, and who is East."""
    return html(
        '<h2 class="hint" id="next-hand">Hand {number}</h2> <p class="next-east">{east} is East</p> ',
        number=page["number"],
        east=page["east"],
    )


def next_hand_notes(page: Mapping[str, Any]) -> Html:
    """Say why this player is East; below the buttons, so that these never move."""
    notes = [
        html_if(page["is_new_game"], "<b>A full game has finished.</b> Finish the table, or start a new game. "),
        html_if(page["seats_change"], "<b>New round: everyone change seats as shown.</b> "),
        html_if(page["goulash"], "<b>The next hand is a goulash.</b> "),
    ]
    return html(
        '{start}{east} {deal} {notes}<ul class="glance">{round}{out}{provisional}</ul>',
        start=html_if(page["starts_with"] and whole(page["starts_with"]), "<p>Everyone starts with {}.</p>"),
        east=html_if(page["east_words"], '<p class="east-words">{}</p>'),
        deal=html_if(page["deal_words"], "<p>{}</p>"),
        notes=html_if(any(note.text for note in notes), "<p>{notes}</p>", notes=join(notes)),
        round=html_if(WIND_NAMES.get(page["wind_of_round"]), '<li class="on-felt">{} round</li> '),
        out=html_each('<li class="on-felt">{} sits out</li> ', [name for name, *_ in page["sitting_out"]]),
        provisional=html_if(page["provisional"], '<li class="provisional">{}</li>'),
    )


def finished(page: Mapping[str, Any]) -> Html:
    """Draw the final order: (position, name, net); and the best hands: (name, total, number of the hand, its page)."""
    rows = [
        html(
            '<li><span class="position">{position}</span> <b class="seat-name">{name}</b> '
            '<span class="num">{net}</span></li> ',
            position=position,
            name=name,
            net=signed(net),
        )
        for position, name, net in page["final_order"]
    ]
    return html(
        '<p class="next-east" id="finished" tabindex="-1">Finished</p>'
        '<h2 class="hint" id="final-order">Final order</h2>'
        '<ol class="final-order" aria-labelledby="final-order">{rows}</ol>{curve}{best}',
        rows=join(rows),
        curve=balance_curve(page["lines"]),
        best=join([best_hand(*values) for values in page["best_hands"]]),
    )


# The curve of the balances, in its own units: room for the lines, then for the names at their ends.
WIDTH, HEIGHT, NAMES_AT, NAME_HEIGHT = 320, 190, 216, 17
# Each line has dashes of its own, for whoever cannot tell the colours, and for paper.
DASHES = ("", "8 5", "1 5", "11 5 1 5", "16 6")


def balance_curve(lines: Sequence[tuple[str, Sequence[int]]]) -> Html:
    """Draw each player's balances from the start to the end (name, balances), with the start as a line across."""
    balances = [balance for _, line in lines for balance in line]
    if not balances or max(balances) == min(balances):
        return Html("")
    lowest, highest = min(balances), max(balances)

    def height(balance: int) -> int:
        return NAME_HEIGHT + (highest - balance) * (HEIGHT - 2 * NAME_HEIGHT) // (highest - lowest)

    drawn, last = [], len(lines[0][1]) - 1
    # The names have to stand apart: the highest first, and none so low that those under it fall off.
    below, ordered = 0, sorted(enumerate(lines), key=lambda line: -line[1][1][-1])
    for place, (number, (name, line)) in enumerate(ordered):
        lowest_place = HEIGHT - 4 - (len(ordered) - 1 - place) * NAME_HEIGHT
        below = min(max(height(line[-1]) + 5, below + NAME_HEIGHT), lowest_place)
        points = " ".join([f"{4 + at * (NAMES_AT - 12) // last},{height(balance)}" for at, balance in enumerate(line)])
        drawn.append(
            html(
                '<g class="line-{number}"><polyline stroke-dasharray="{dashes}" points="{points}"/>'
                '<text x="{x}" y="{y}" fill="currentColor" stroke="none">{name}</text></g>',
                number=number % 5 + 1,
                dashes=DASHES[number % 5],
                points=points,
                x=NAMES_AT,
                y=below,
                name=name if len(name) <= 11 else f"{name[:10]}…",
            )
        )
    ends = ", ".join([f"{name} {whole(line[-1])}" for _, (name, line) in ordered])
    return html(
        '<svg class="curve" viewBox="0 0 {width} {height}" role="img" aria-label="{words}" focusable="false" '
        'fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round" '
        'font-size="15" font-weight="700"><path opacity=".4" d="M4 {start}H{right}"/>{drawn}</svg>',
        width=WIDTH,
        height=HEIGHT,
        words=f"The balances from hand to hand. Everyone began with {whole(lines[0][1][0])}. At the end: {ends}.",
        start=height(lines[0][1][0]),
        right=NAMES_AT - 8,
        drawn=join(drawn),
    )


def best_hand(name: str, total: int, number: int, address: str) -> Html:
    """Draw the highest score of a session; its hand has no page before it is sent."""
    hand = link(address, f"{whole(total)} in hand {number}")
    return html('<p class="best-hand">Best hand: <b>{name}</b>, {hand}</p> ', name=name, hand=hand)


def settled(page: Mapping[str, Any]) -> Html:
    """Draw what is left to do at a finished table: who pays whom, the sticks, the sheet and the email."""
    return html(
        '{payments}{sticks}<div class="actions">{sheet}{email}</div>',
        payments=final_payments(page),
        sticks=html_if(
            page["stick_accounts"],
            "<p>{first}Each player hands back their tally sticks.</p>",
            first="Settle up. " if page["final_payments"] is None else "",
        ),
        sheet=html_if(page["sheet_page"], '<a class="button-main" href="{}">See and print the sheet</a>'),
        email=html_if(page["mail_page"], ' <a class="button-quiet" href="{}">Email the results</a>'),
    )


def table_sticks(page: Mapping[str, Any]) -> Html:
    """Draw the sticks before each player."""
    return stick_accounts(page)


def after_hand(page: Mapping[str, Any]) -> Html:
    """Draw how the last hand went, with who pays whom (payer, payee, amount), or the sticks to hand over for it.

    A hand that is not sent yet has no `address`.
    """
    last = page["after_hand"]
    if not last:
        return Html("")
    paid = [
        html(
            '<li><b>{payer}</b> <span class="arrow">pays</span> <b>{payee}</b> '
            '<span class="amount">{amount}</span></li> ',
            payer=payer,
            payee=payee,
            amount=whole(amount),
        )
        for payer, payee, amount in last["paid"]
    ]
    return html(
        '<section class="after-hand" aria-labelledby="after-hand"><h2 id="after-hand"{css}>Hand {number}: {words}</h2>'
        "{paid}{sticks}</section>",
        css=html_if(last["special"], ' class="is-special"'),
        number=last["number"],
        words=link(last["address"], last["words"]),
        paid=html_if(paid and not page["last_sticks"], '<ul class="paid">{rows}</ul>', rows=join(paid)),
        sticks=sticks_list("Tally sticks to hand over", page["last_sticks"]),
    )


def questions(page: Mapping[str, Any]) -> Html:
    """Ask someone to look at hands that may be wrong: (number, question, address)."""
    return join(
        html(
            '<p class="message warning">Please check hand {number}: {question} {look}</p>',
            number=number,
            question=question,
            look=html_if(address, '<a href="{}">Look at hand {number}</a>', number=number),
        )
        for number, question, address in page["questions"]
    )


def step(button: str, words: str) -> Html:
    """Draw what is on Undo or Redo; `words` are what it would do."""
    does = html_if(words, '<span class="undo-words">: {}</span>')
    return html("<span>{button}{does}</span>", button=button, does=does)


def how_long(page: Mapping[str, Any]) -> Html:
    """Say when it is fair to stop: after so many hands, or when someone has been East (name, hands)."""
    left = page["hands_to_fair_end"]
    return html(
        "{fair}<p>Or stop when one of you has been East:</p><ul>{turns}</ul>{hint}",
        fair=html_if(
            left,
            "<p>The round ends after {} more hand{s}. That is a fair time to stop.</p>",
            s="" if left == 1 else "s",
        ),
        turns=html_each(
            "<li>{}</li> ",
            [f"{name}: {hands} hand{'' if hands == 1 else 's'}" for name, hands in page["turns_as_east"]],
        ),
        hint=html_if(page["east_may_stay"], '<p class="hint">Each time East stays, it takes one more hand.</p>'),
    )


# The hands so far.


# How many removed hands are drawn; a table that someone has filled with rubbish has very many.
MAX_REMOVED = 50


def hands_so_far(rows: Sequence[Html], removed: Sequence[Html], number: int, empty: str) -> Html:
    """Draw the list of hands, and the latest of those removed behind a tap; `empty` are the words before the first."""
    entries = html_if(rows, '<ol class="rows history" reversed>{rows}</ol>', rows=join(rows))
    if not rows and not removed:
        entries = html('<p class="empty">{}”.</p>', f"{empty}{number}")
    latest = html_if(
        len(removed) > MAX_REMOVED, " The latest {most} are shown. The others are on the score sheet.", most=MAX_REMOVED
    )
    return html(
        '<section id="hands" aria-labelledby="history"><h2 id="history">Hands so far</h2>{entries}{removed}</section>',
        entries=entries,
        removed=html_if(
            removed,
            '<details class="removed-hands"><summary data-key="removed-hands">Removed hands ({number})</summary>'
            '<p class="hint">These do not count. You can restore any of them.{latest}</p>'
            '<ul class="rows history">{rows}</ul></details>',
            number=len(removed),
            latest=latest,
            rows=join(removed[:MAX_REMOVED]),
        ),
    )


def history_row(row: Mapping[str, Any], fields: Html | None = None) -> Html:
    """Draw an entry in the list of hands; `fields` are the fields of every form on the page.

    A hand that is `waiting` to be sent has no page yet: it shows its `score`, and who pays whom. On a tablet every hand
    of an open table can be changed without the server, on the `hand_entry_page`.
    """
    moved = join([moved_by(*one) for one in row["moved"]])
    badge = html_if(row["waiting"], ' <span class="badge">{}</span>')
    hand_entry_page = row.get("hand_entry_page", "")
    if not row["is_hand"]:
        return html(
            '<li><span class="row"><span>{words}</span>{badge} <span class="row-aside">{moved}</span> {button}</span>'
            "</li>",
            words=row["words"],
            badge=badge,
            moved=moved,
            button=entry_form(row, fields) if row["preview"] or hand_entry_page else "",
        )
    words = html(
        '<b>{number}</b> <span class="row-words">{words}</span>{check}{badge} <span class="row-aside">{moved}</span>',
        number=row["number"] or "–",
        words=row["words"],
        check=html_if(row["question"], ' <span class="badge">please check</span>'),
        badge=badge,
        moved=moved,
    )
    if row["score"] or (hand_entry_page and not row["removed"]):
        return html(
            '<li><details class="row-waits"><summary data-key="{key}">{words}</summary>{score}{ways}</details></li>',
            key=row["key"],
            words=words,
            score=row["score"],
            ways=ways_to_change(row, fields) if hand_entry_page else "",
        )
    if row["address"] and not hand_entry_page:
        return html("<li>{}</li>", link(row["address"], words))
    button = entry_form(row, fields) if hand_entry_page else ""
    return html('<li><span class="row">{words} {button}</span></li>', words=words, button=button)


def moved_by(name: str, net: int) -> Html:
    """Draw what a hand moved for one player, in a column of their own; nothing for who won and lost nothing."""
    if not net:
        return Html('<span class="moved"></span> ')
    return html('<span class="moved"><span class="moved-name">{name}</span> {net}</span> ', name=name, net=signed(net))


def ways_to_change(row: Mapping[str, Any], fields: Html | None) -> Html:
    """Draw what can be done with a hand without the server; a hand that is sent also has a page."""
    return html(
        '<div class="actions"><a class="button-quiet" href="{page}#change-{key}">Change this hand</a>'
        '<a class="button-quiet" href="{page}#insert-{key}">Add a missing hand before this one</a>{remove}{see}</div>',
        page=row["hand_entry_page"],
        key=row["key"],
        remove=entry_form(row, fields),
        see=html_if(row["address"], '<a class="button-quiet" href="{}">See this hand</a>'),
    )


def likely_seatings(offered: Sequence[LikelySeating], address: str, present: str, fields: Html | None) -> Html:
    """Draw the seatings to choose from before a hand, by the reason for each; `present` has the seats there as JSON."""
    by_reason: dict[str, list[Html]] = {}
    for seating in offered:
        winds = [
            html('<input type="hidden" name="winds-{wind}" value="{seat}">', wind=wind, seat=seat)
            for wind, seat in seating.winds.items()
        ]
        form = html(
            '<form method="post" action="{address}" data-outbox="seating" data-present="{present}">{fields}{winds}'
            '<button type="submit"><span>{name} <span class="ready-all">{seated}</span></span></button></form>',
            address=address,
            present=present,
            fields=fields,
            winds=join(winds),
            name=seating.name,
            seated=seating.seated,
        )
        by_reason.setdefault(seating.why, []).append(form)
    reasons = [
        html('<h3>{why}</h3><div class="ready-seatings">{forms}</div>', why=why, forms=join(forms))
        for why, forms in by_reason.items()
    ]
    return html_if(
        reasons,
        '<section class="ready" aria-labelledby="ready"><h2 id="ready">Tap how you sit now</h2>{reasons}</section>',
        reasons=join(reasons),
    )


def entry_form(row: Mapping[str, Any], fields: Html | None) -> Html:
    """Draw the form that removes or restores an entry; without an address only the tablet can preview it."""
    return html(
        '<form method="post"{action} data-entry="{key}">{fields}<input type="hidden" name="kind" value="{kind}">'
        '<input type="hidden" name="version" value="{version}"><button class="{css}" type="submit">{words}</button>'
        "</form>",
        action=html_if(row["preview"], ' action="{}"'),
        key=row["key"],
        fields=fields,
        kind="put_back" if row["removed"] else "take_out",
        version=row["version"],
        css="button-warn" if row["is_hand"] and not row["removed"] else "line-action",
        words=("Restore" if row["removed"] else "Remove") + (" this hand" if row["is_hand"] else ""),
    )


# What a change would do, as `preview.preview_data` gives it.


def preview_body(page: Mapping[str, Any]) -> Html:
    """Draw what a change does, hand by hand; for each choice if it asks about the seats of later hands."""
    if not page["kept"]:
        return join([preview_changes(page), preview_table(page)])
    keep = ("Seats as played", "Later hands keep their seats.")
    follow = ("By the rotation", "Later hands are scored in new seats.")
    button = '<button type="submit" name="keep_seats" value="{value}" class="{css}">{words}</button>'
    keep_button = html(button, value="1", css="button-main", words="Keep the seats")
    follow_button = html(button, value="", css="button-quiet", words="Follow the rotation")
    has_buttons = page["has_buttons"]
    return join(
        [
            preview_choice(page["kept"], keep, keep_button if has_buttons else None),
            preview_choice(page, follow, follow_button if has_buttons else None),
        ]
    )


def preview_choice(page: Mapping[str, Any], words: Sequence[str], button: Html | None) -> Html:
    """Draw what one choice does, with its heading, its sentence and its button."""
    return html(
        '<section class="preview-choice"><h2>{heading}</h2><p>{sentence}</p>{button}{changes}'
        "<details><summary>Hand by hand</summary>{hands}</details></section>",
        heading=words[0],
        sentence=words[1],
        button=html_if(button, '<div class="actions">{button}</div>', button=button),
        changes=preview_changes(page),
        hands=preview_table(page),
    )


def preview_changes(page: Mapping[str, Any]) -> Html:
    """Draw the sentences about what changes, as a warning if a question is among them."""
    css = " message warning" if page["questions"] else ""
    rows = html_each("<li>{}</li>", page["changes"])
    return html_if(page["changes"], '<ul class="changes{css}">{rows}</ul>', css=css, rows=rows)


def preview_table(page: Mapping[str, Any]) -> Html:
    """Draw each hand that differs, before and after, and the totals; nothing if no hand does."""
    sitter = page["has_sitter"]
    hands = [join([preview_line(line, sitter) for line in row]) for row in page["rows"]]
    return html_if(
        page["rows"],
        '<div class="scroll-x preview-scroll" tabindex="0" role="region" aria-label="What changes, hand by hand">'
        '<table class="table-scores preview"><thead><tr><th scope="col">Hand</th>'
        '<th scope="col"><span class="visually-hidden">Before or after</span></th><th scope="col">East</th>'
        "{sitter}{names}</tr></thead>{hands}<tbody>{totals}</tbody></table></div>"
        '<p class="hint">Each cell shows what the player won or lost in the hand, and the balance after it. '
        "What differs is in bold.</p>",
        sitter=html_if(sitter, '<th scope="col">Sits out</th>'),
        names=html_each('<th scope="col" class="num">{}</th>', page["names"]),
        hands=html_each("<tbody>{}</tbody>", hands),
        totals=join([preview_total(line, sitter) for line in page["totals"]]),
    )


def preview_line(line: Any, has_sitter: bool) -> Html:
    """Draw a hand as it was, or as it will be."""
    return html(
        '<tr class="{kind}"><th scope="row">{number}</th> <td>{word}</td> '
        '<td data-name="East"{east_differs}>{east}</td> {out}{cells}</tr> ',
        kind=line.kind,
        number=line.number,
        word=line.word,
        east_differs=html_if(line.east_differs, ' class="differs"'),
        east=line.east,
        out=html_if(
            has_sitter,
            '<td data-name="Sits out"{differs}>{out}</td> ',
            differs=html_if(line.out_differs, ' class="differs"'),
            out=line.out,
        ),
        cells=join(preview_cell(cell) for cell in line.cells),
    )


def preview_total(line: Any, has_sitter: bool) -> Html:
    """Draw the totals as they were, or as they will be."""
    return html(
        '<tr class="{kind} is-total"><th scope="row">Total</th> <td>{word}</td> <td class="blank"></td> '
        "{sitter}{cells}</tr> ",
        kind=line.kind,
        word=line.word,
        sitter=html_if(has_sitter, '<td class="blank"></td> '),
        cells=join(preview_cell(cell) for cell in line.cells),
    )


def preview_cell(cell: Any) -> Html:
    """Draw what a player won or lost, and the balance after it, if it is of a hand."""
    return html(
        '<td class="num{differs}" data-name="{name}">{net}{balance}</td> ',
        differs=" differs" if cell.differs else "",
        name=cell.name,
        net=signed(cell.net),
        balance=html_if(
            cell.balance is not None,
            ' <span class="preview-balance{differs}">{balance}</span>',
            differs=" differs" if cell.balance_differs else "",
            balance=whole(cell.balance),
        ),
    )
