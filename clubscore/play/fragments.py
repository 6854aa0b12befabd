"""The table page, and what a change would do, as the server and the tablet both draw them.

Templates call these functions by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from clubscore.play.markup import Html, html, html_each, html_if, join, link
from clubscore.play.seatings import LikelySeating
from clubscore.play.sheet_fragments import final_payments, stick_accounts
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import signed, whole

# Who sits where, and the next hand.


def felt(page: Mapping[str, Any]) -> Html:
    """Draw the table: `sides` are (side, wind, seat, name, balance), the empty seat without a name.

    `wind_of_round` is its letter, or empty under rules without one; `winds_sprite` has the tiles of the winds.
    """
    wind = page["wind_of_round"]
    return html(
        '<div class="felt">{}<div class="felt-middle">{}{}</div></div>',
        join(side(*values) for values in page["sides"]),
        html_if(
            wind,
            '<svg class="tile felt-tile" aria-hidden="true" focusable="false"><use href="{}#t-{}"></use></svg>'
            "<p>{} is the wind of the round</p>",
            *(page["winds_sprite"], wind, WIND_NAMES.get(wind)),
        ),
        html_if(page["goulash"], '<p class="goulash">Goulash</p>'),
    )


def side(place: str, wind: str, seat: Any, name: str, balance: int) -> Html:
    east = " is-east" if wind == "E" else ""
    if seat is None:
        return html(
            '<div class="seat is-empty" data-side="{}" data-seat=""><span>{}</span><span>empty seat</span></div>',
            *(place, WIND_NAMES[wind]),
        )
    return html(
        '<div class="seat{}" data-side="{}" data-seat="{}">'
        '<span class="seat-wind"><span class="wind{}" aria-hidden="true">{}</span> {}</span> '
        '<span class="seat-name">{}</span> <span class="balance{}">{}</span></div>',
        *(east, place, seat, east, wind, WIND_NAMES[wind], name, owes(balance), whole(balance)),
    )


def owes(balance: int) -> str:
    return " pays" if balance < 0 else ""


def sitters(page: Mapping[str, Any]) -> Html:
    """Draw who sits out, with their balances, and who sits out next."""
    sitting_out = html_each(
        '<p class="sitter"><span>sits out</span> <b class="seat-name">{}</b> <span class="balance{}">{}</span></p> ',
        [(name, owes(balance), whole(balance)) for name, balance in page["sitting_out"]],
    )
    next_out = html_each('<p class="next-out">When the deal passes, {} sits out.</p> ', page["next_out"])
    return join([sitting_out, next_out])


def next_hand_head(page: Mapping[str, Any]) -> Html:
    """Say which hand is next, and who is East."""
    return html(
        '<h2 class="hint" id="next-hand">Hand {}</h2> <p class="next-east">{} is East</p> ',
        *(page["number"], page["east"]),
    )


def next_hand_notes(page: Mapping[str, Any]) -> Html:
    """Say why this player is East and how the last hand went; below the buttons, so that these never move."""
    notes = [
        html_if(page["is_new_game"], "<b>A full game has finished.</b> Finish the table, or start a new game. "),
        html_if(page["seats_change"], "<b>New round: everyone change seats as shown.</b> "),
        html_if(page["goulash"], "<b>The next hand is a goulash.</b> "),
    ]
    return html(
        '{} {} {}<ul class="glance">{}{}{}{}</ul>',
        html_if(page["east_words"], '<p class="east-words">{}</p>'),
        html_if(page["deal_words"], "<p>{}</p>"),
        html_if(any(note.text for note in notes), "<p>{}</p>", join(notes)),
        html_if(page["wind_of_round"], '<li class="on-felt">{} round</li> ', WIND_NAMES.get(page["wind_of_round"])),
        html_each('<li class="on-felt">{} sits out</li> ', [name for name, _ in page["sitting_out"]]),
        last_hand(page["last"]) if page["last"] else "",
        html_if(page["provisional"], '<li class="provisional">{}</li>'),
    )


def last_hand(last: Mapping[str, Any]) -> Html:
    """Say how the last hand went: `winners` are (name, total); a hand that is not sent yet has no `address`.

    If the winner's hand was `special`, the words include its total.
    """
    alone = last["winners"][0][1] if len(last["winners"]) == 1 and not last["special"] else None
    words = html("{}{}", last["words"], html_if(alone is not None, " with {}", whole(alone)))
    shares = ", ".join([f"{name} {whole(total)}" for name, total in last["winners"]])
    return html(
        "<li{}>Hand {}: {}{}</li> ",
        html_if(last["special"], ' class="is-special"'),
        last["number"],
        link(last["address"], words),
        html_if(len(last["winners"]) > 1, ": {}", shares),
    )


def finished(page: Mapping[str, Any]) -> Html:
    """Draw the final order: (position, name, net); and the best hands: (name, total, number of the hand, its page)."""
    return html(
        '<p class="next-east" id="finished" tabindex="-1">Finished</p>'
        '<h2 class="hint" id="final-order">Final order</h2>'
        '<ol class="final-order" aria-labelledby="final-order">{}</ol>{}',
        html_each(
            '<li><span class="position">{}</span> <b class="seat-name">{}</b> <span class="num">{}</span></li> ',
            [(position, name, signed(net)) for position, name, net in page["final_order"]],
        ),
        join([best_hand(*values) for values in page["best_hands"]]),
    )


def best_hand(name: str, total: int, number: int, address: str) -> Html:
    """Draw the highest score of a session; its hand has no page before it is sent."""
    words = f"{whole(total)} in hand {number}"
    return html('<p class="best-hand">Best hand: <b>{}</b>, {}</p> ', name, link(address, words))


def settled(page: Mapping[str, Any]) -> Html:
    """Draw what is left to do at a finished table: who pays whom, the sticks, the sheet and the email."""
    return html(
        '{}{}<div class="actions">{}{}</div>',
        final_payments(page),
        html_if(
            page["stick_accounts"],
            "<p>{}Each player hands back their tally sticks.</p>",
            "Settle up. " if page["final_payments"] is None else "",
        ),
        html_if(page["sheet_page"], '<a class="button-main" href="{}">See and print the sheet</a>'),
        html_if(page["mail_page"], ' <a class="button-quiet" href="{}">Email the results</a>'),
    )


def table_sticks(page: Mapping[str, Any]) -> Html:
    """Draw the sticks before each player."""
    return stick_accounts(page)


def after_hand(page: Mapping[str, Any]) -> Html:
    """Draw how the last hand went, with who pays whom (payer, payee, amount), or the sticks to hand over for it."""
    last = page["after_hand"]
    if not last:
        return Html("")
    paid = html_each(
        '<li><b>{}</b> <span class="arrow">pays</span> <b>{}</b> <span class="amount">{}</span></li> ',
        [(payer, payee, whole(amount)) for payer, payee, amount in last["paid"]],
    )
    return html(
        '<section class="after-hand" aria-labelledby="after-hand"><h2 id="after-hand">{}</h2>{}{}</section>',
        last["heading"],
        html_if(last["paid"] and not page["last_sticks"], '<ul class="paid">{}</ul>', paid),
        html_if(
            page["last_sticks"],
            '<h3>Tally sticks to hand over</h3><ul class="sticks">{}</ul>',
            html_each("<li>{}</li>", page["last_sticks"]),
        ),
    )


def questions(page: Mapping[str, Any]) -> Html:
    """Ask someone to look at hands that may be wrong: (number, question, address)."""
    return html_each(
        '<p class="message warning">Please check hand {}: {} {}</p>',
        [(number, asked, look_at_hand(number, address)) for number, asked, address in page["questions"]],
    )


def look_at_hand(number: int, address: str) -> Html:
    return html_if(address, '<a href="{}">Look at hand {}</a>', address, number)


def step(button: str, words: str) -> Html:
    """Draw what is on Undo or Redo; `words` are what it would do."""
    return html("<span>{}{}</span>", button, html_if(words, '<span class="undo-words">: {}</span>', words))


def how_long(page: Mapping[str, Any]) -> Html:
    """Say when it is fair to stop: after so many hands, or when someone has been East (name, hands)."""
    left = page["hands_to_fair_end"]
    return html(
        "{}<p>Or stop when one of you has been East:</p><ul>{}</ul>{}",
        html_if(
            left,
            "<p>The round ends after {} more hand{}. That is a fair time to stop.</p>",
            *(left, "" if left == 1 else "s"),
        ),
        html_each("<li>{}: {}</li> ", [(name, hands_words(hands)) for name, hands in page["turns_as_east"]]),
        html_if(page["east_may_stay"], '<p class="hint">Each time East stays, it takes one more hand.</p>'),
    )


def hands_words(number: int) -> str:
    return f"{number} hand{'' if number == 1 else 's'}"


# The hands so far.


# How many removed hands are drawn; a table that someone has filled with rubbish has very many.
MAX_REMOVED = 50


def hands_so_far(rows: Sequence[Html], removed: Sequence[Html], number: int, empty: str) -> Html:
    """Draw the list of hands, and the latest of those removed behind a tap; `empty` are the words before the first."""
    entries = html_if(rows, '<ol class="rows history" reversed>{}</ol>', join(rows))
    if not rows and not removed:
        entries = html('<p class="empty">{}{}”.</p>', empty, number)
    return html(
        '<section id="hands" aria-labelledby="history"><h2 id="history">Hands so far</h2>{}{}</section>',
        entries,
        html_if(
            removed,
            '<details class="removed-hands"><summary data-key="removed-hands">Removed hands ({})</summary>'
            '<p class="hint">These do not count. You can restore any of them.{}</p>'
            '<ul class="rows history">{}</ul></details>',
            len(removed),
            html_if(
                len(removed) > MAX_REMOVED, " The latest {} are shown. The others are on the score sheet.", MAX_REMOVED
            ),
            join(removed[:MAX_REMOVED]),
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
        button = entry_form(row, fields) if row["preview"] or hand_entry_page else ""
        return html(
            '<li><span class="row"><span>{}</span>{} <span class="row-aside">{}</span> {}</span></li>',
            *(row["words"], badge, moved, button),
        )
    words = html(
        '<b>{}</b> <span class="row-words">{}</span>{}{} <span class="row-aside">{}</span>',
        row["number"] or "–",
        row["words"],
        html_if(row["question"], ' <span class="badge">please check</span>'),
        badge,
        moved,
    )
    if row["score"] or (hand_entry_page and not row["removed"]):
        ways = ways_to_change(row, fields) if hand_entry_page else ""
        details = '<li><details class="row-waits"><summary data-key="{}">{}</summary>{}{}</details></li>'
        return html(details, row["key"], words, row["score"], ways)
    if row["address"] and not hand_entry_page:
        return html('<li><a href="{}">{}</a></li>', row["address"], words)
    return html('<li><span class="row">{} {}</span></li>', words, entry_form(row, fields) if hand_entry_page else "")


def moved_by(name: str, net: int) -> Html:
    """Draw what a hand moved for one player, in a column of their own; nothing for who won and lost nothing."""
    if not net:
        return Html('<span class="moved"></span> ')
    return html('<span class="moved"><span class="moved-name">{}</span> {}</span> ', name, signed(net))


def ways_to_change(row: Mapping[str, Any], fields: Html | None) -> Html:
    """Draw what can be done with a hand without the server; a hand that is sent also has a page."""
    return html(
        '<div class="actions"><a class="button-quiet" href="{0}#change-{1}">Change this hand</a>'
        '<a class="button-quiet" href="{0}#insert-{1}">Add a missing hand before this one</a>{2}{3}</div>',
        *(row["hand_entry_page"], row["key"], entry_form(row, fields)),
        html_if(
            row["address"],
            '<a class="button-quiet" href="{}">See this hand</a>',
            row["address"],
        ),
    )


def likely_seatings(offered: Sequence[LikelySeating], address: str, present: str, fields: Html | None) -> Html:
    """Draw the seatings to choose from before a hand, by the reason for each; `present` has the seats there as JSON."""
    by_reason: dict[str, list[Html]] = {}
    for one in offered:
        winds = html_each('<input type="hidden" name="seating-{}" value="{}">', one.winds.items())
        form = html(
            '<form method="post" action="{}" data-outbox="seating" data-present="{}">{}{}'
            '<button type="submit"><span>{} <span class="ready-all">{}</span></span></button></form>',
            *(address, present, fields or Html(""), winds, one.name, one.seated),
        )
        by_reason.setdefault(one.why, []).append(form)
    reasons = [(why, join(forms)) for why, forms in by_reason.items()]
    return html_if(
        reasons,
        '<section class="ready" aria-labelledby="ready"><h2 id="ready">Tap how you sit now</h2>{}</section>',
        html_each('<h3>{}</h3><div class="ready-seatings">{}</div>', reasons),
    )


def entry_form(row: Mapping[str, Any], fields: Html | None) -> Html:
    """Draw the form that removes or restores an entry; without an address only the tablet can preview it."""
    return html(
        '<form method="post"{} data-entry="{}">{}<input type="hidden" name="kind" value="{}">'
        '<input type="hidden" name="version" value="{}"><button class="{}" type="submit">{}</button></form>',
        *(html(' action="{}"', row["preview"]) if row["preview"] else "", row["key"], fields),
        *("put_back" if row["removed"] else "take_out", row["version"]),
        "button-warn" if row["is_hand"] and not row["removed"] else "line-action",
        ("Restore" if row["removed"] else "Remove") + (" this hand" if row["is_hand"] else ""),
    )


# What a change would do, as `preview.preview_data` gives it.


def preview_body(page: Mapping[str, Any]) -> Html:
    """Draw what a change does, hand by hand; for each choice if it asks about the seats of later hands."""
    if not page["kept"]:
        return join([preview_changes(page), preview_table(page)])
    keep = ("Seats as played", "Later hands keep their seats.")
    follow = ("By the rotation", "Later hands are scored in new seats.")
    keep_button = ("1", "button-main", "Keep the seats") if page["has_buttons"] else ()
    follow_button = ("", "button-quiet", "Follow the rotation") if page["has_buttons"] else ()
    return join([preview_choice(page["kept"], keep, keep_button), preview_choice(page, follow, follow_button)])


def preview_choice(page: Mapping[str, Any], words: Sequence[str], button: Sequence[str]) -> Html:
    """Draw what one choice does, with its heading, its sentence, and the value, class and words of its button."""
    return html(
        '<section class="preview-choice"><h2>{}</h2><p>{}</p>{}{}<details><summary>Hand by hand</summary>{}</details>'
        "</section>",
        *words,
        html_if(
            button,
            '<div class="actions"><button type="submit" name="keep_seats" value="{}" class="{}">{}</button></div>',
            *button,
        ),
        preview_changes(page),
        preview_table(page),
    )


def preview_changes(page: Mapping[str, Any]) -> Html:
    """Draw the sentences about what changes, as a warning if a question is among them."""
    css = " message warning" if page["questions"] else ""
    rows = html_each("<li>{}</li>", page["changes"])
    return html_if(page["changes"], '<ul class="changes{}">{}</ul>', css, rows)


def preview_table(page: Mapping[str, Any]) -> Html:
    """Draw each hand that differs, before and after, and the totals; nothing if no hand does."""
    sitter = page["has_sitter"]
    return html_if(
        page["rows"],
        '<div class="scroll-x preview-scroll" tabindex="0" role="region" aria-label="What changes, hand by hand">'
        '<table class="table-scores preview"><thead><tr><th scope="col">Hand</th>'
        '<th scope="col"><span class="visually-hidden">Before or after</span></th><th scope="col">East</th>{}{}</tr>'
        "</thead>{}<tbody>{}</tbody></table></div>"
        '<p class="hint">Each cell shows what the player won or lost in the hand, and the balance after it. '
        "What differs is in bold.</p>",
        html_if(sitter, '<th scope="col">Sits out</th>'),
        html_each('<th scope="col" class="num">{}</th>', page["names"]),
        html_each("<tbody>{}</tbody>", [join([preview_line(line, sitter) for line in row]) for row in page["rows"]]),
        join([preview_total(line, sitter) for line in page["totals"]]),
    )


def preview_line(line: Any, has_sitter: bool) -> Html:
    """Draw a hand as it was, or as it will be."""
    marked = ' class="differs"'
    cells = [
        (differs(cell.differs), cell.name, signed(cell.net), differs(cell.balance_differs), whole(cell.balance))
        for cell in line.cells
    ]
    return html(
        '<tr class="{}"><th scope="row">{}</th> <td>{}</td> <td data-name="East"{}>{}</td> {}{}</tr> ',
        *(line.kind, line.number, line.word, html_if(line.east_differs, marked), line.east),
        html_if(has_sitter, '<td data-name="Sits out"{}>{}</td> ', html_if(line.out_differs, marked), line.out),
        html_each('<td class="num{}" data-name="{}">{} <span class="preview-balance{}">{}</span></td> ', cells),
    )


def preview_total(line: Any, has_sitter: bool) -> Html:
    """Draw the totals as they were, or as they will be."""
    cells = [(differs(cell.differs), cell.name, signed(cell.net)) for cell in line.cells]
    return html(
        '<tr class="{} is-total"><th scope="row">Total</th> <td>{}</td> <td class="blank"></td> {}{}</tr> ',
        *(line.kind, line.word, html_if(has_sitter, '<td class="blank"></td> ')),
        html_each('<td class="num{}" data-name="{}">{}</td> ', cells),
    )


def differs(is_different: bool) -> str:
    return " differs" if is_different else ""
