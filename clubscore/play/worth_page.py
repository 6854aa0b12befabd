"""The answers to “What is this hand worth?”, as the server and the tablet draw them: HTML from what was asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from clubscore.play.drawn_hands import picture
from clubscore.play.hand_worth import (
    COMPLETE_SIZE,
    FISHING_SIZE,
    Answer,
    AskedHand,
    AskedRules,
    CompletingTile,
    every_rule_set,
    last_tile,
    possible_last,
    query,
    sources_of,
    worth_under_each,
)
from clubscore.play.markup import Html, html, html_each, html_if, join, link
from clubscore.scoring import RULE_SETS
from clubscore.scoring.tiles import tile_name
from clubscore.scoring.words import whole

ENTER = "Enter 14 tiles to score a Mah-jong, or 13 to see which tiles would complete it."


def worth_answers(asked: AskedHand, clubs: Sequence[AskedRules], look: Mapping[str, Any]) -> tuple[Html, str]:
    """Draw what a hand is worth under these clubs' rules and every rule set; also the error, if all have the same.

    `look` is what the page adds: its own address, `page`, and those of `worth` as others see it, of the `rules` of a
    rule set and of a club (`club_rules`), with KEY for which one; the tiles' `sprite`; `units`, the lines that a
    learner's stage shows at once, and the words for the `rest` of them; `shared_club` of the link.
    """
    if asked.is_empty:
        return _frame(html('<p class="empty">No tiles yet.</p>')), ""
    found = worth_under_each(asked, [*clubs, *every_rule_set()])
    if all(answer.error for answer in found) and len({answer.refused for answer in found}) == 1:
        error = found[0].refused
        summary = '<div class="error-summary" id="error-summary"><h2>There is a problem</h2><p>{}</p></div>'
        return _frame(html(summary, error)), error
    is_complete, is_fishing = asked.size == COMPLETE_SIZE, asked.size == FISHING_SIZE
    size = f"{asked.size} tile{'' if asked.size == 1 else 's'}"
    shared = f"{look['worth']}?{replace(asked, club=look['shared_club']).query()}"
    cards = join(card(answer, asked, look, answer is found[0]) for answer in found)
    return _frame(
        last_tiles(asked, look) if is_complete and possible_last(asked) else Html(""),
        html("<h2>{}</h2>", "As a Mah-jong" if is_complete else f"{size}, and someone else went Mah-jong"),
        html_if("" if is_complete or is_fishing else ENTER, '<p class="hint">{}</p>'),
        html('<ul class="worth-cards">{}</ul>', cards),
        html('<p class="worth-share hint">To share this hand: {}</p>', link(shared, shared)),
    ), ""


def _frame(*parts: Html) -> Html:
    return html('<div id="worth-answers" class="worth-answers">{}</div>', join(parts))


def last_tiles(asked: AskedHand, look: Mapping[str, Any]) -> Html:
    """Ask which tile came last."""
    last, choices, sprite = last_tile(asked), possible_last(asked), look["sprite"]
    return html(
        '<fieldset class="worth-question worth-last"><legend>The last tile</legend>'
        '<div class="choices">{choices}</div>{assumed}</fieldset>',
        choices=join(
            html(
                '<label class="choice"><input type="radio" id="last-{code}" name="tile" value="{code}"{checked}>{tile}'
                '<span class="visually-hidden">{name}</span></label>',
                code=code,
                checked=" checked" * (code == last),
                tile=picture(code, "tile-small", sprite),
                name=tile_name(code),
            )
            for code in choices
        ),
        assumed=html_if(
            asked.tile not in choices,
            '<p class="hint">Scored as if {name} came last. If it did not, tap another tile.</p>',
            name=tile_name(last),
        ),
    )


def card(answer: Answer, asked: AskedHand, look: Mapping[str, Any], is_first: bool) -> Html:
    """Draw the answer of one set of rules."""
    total = answer.total
    scored = html_if(total == 0, '<p class="hint">Nothing in it scores.</p>')
    if answer.lines or answer.completing:
        scored = how_scored(answer, asked, look, is_first)
    return html(
        '<li class="panel panel-card worth-card{css}"{glance}><div class="worth-head"><h3>{title}{badge}</h3>{total}'
        "</div>{refused}{special}{fishing}{note}{sum}{brief}{scored}</li>",
        css=" is-clubs" if answer.of.is_clubs else "",
        glance=html_if(total is not None, ' data-glance="{title}: {total}"', title=answer.of.title, total=whole(total)),
        title=answer.of.title,
        badge=html_if(answer.of.is_clubs, ' <span class="badge">house rules</span>'),
        total=html_if(total is not None, '<p class="balance">{total}</p>', total=whole(total)),
        refused=html_if(answer.error, '<p class="worth-refused">{}</p>'),
        special=html_if(
            answer.special,
            "<p><b>{}</b>, {whose}.</p>",
            whose="the club’s own special hand" if answer.own else "a special hand",
        ),
        fishing=html_if(answer.fishing_for, "<p>Fishing for <b>{}</b>. This is its fishing score.</p>"),
        note=html_if(answer.own_note, '<p class="hint">{}</p>'),
        sum=html_if(answer.sum, '<p class="sum">{}</p>'),
        brief=html_if(
            asked.size == FISHING_SIZE and total is not None,
            '<p class="worth-brief">{words}</p>',
            words=answer.completing_words,
        ),
        scored=scored,
    )


def how_scored(answer: Answer, asked: AskedHand, look: Mapping[str, Any], is_open: bool) -> Html:
    """Draw what a tap on a card shows: the tiles that complete the hand, and the lines of its score."""
    words = "What it would score" if answer.error else "How it is scored"
    address = rule_addresses(answer.of.rules, answer.of.rules_of, look)
    return html(
        "<details{open}><summary>{words}</summary>{completing}{lines}</details>",
        open=" open" if is_open else "",
        words="Tiles that complete it, and how it is scored" if answer.completing else words,
        completing=completing_table(answer.completing, asked, look["sprite"]) if answer.completing else "",
        lines=rule_lines(answer.lines, look["units"], look["rest"], answer.place, address),
    )


def completing_table(found: Iterable[CompletingTile], asked: AskedHand, sprite: str) -> Html:
    """Draw which tiles complete the hand, and what each would make it score."""
    drawn, claimed = sources_of(asked)
    rows = [
        html(
            '<tr><th scope="row">{tile} {name}{special}</th>{worth}</tr>',
            tile=picture(tile.tile, "tile-small", sprite),
            name=tile.name,
            special=html_if(tile.special, ' <span class="hint">{}</span>'),
            worth=html('<td class="num" colspan="2">{}: too little</td>', tile.too_little)
            if tile.too_little is not None
            else html_each('<td class="num">{}</td>', [whole(tile.drawn) or "–", whole(tile.claimed) or "–"]),
        )
        for tile in found
    ]
    return html(
        '<table class="table-scores worth-waits"><caption>Tiles that complete it</caption><thead><tr>'
        '<th scope="col">Tile</th><th scope="col" class="num">{drawn}</th><th scope="col" class="num">{claimed}</th>'
        "</tr></thead><tbody>{rows}</tbody></table>",
        drawn="Loose tile" if drawn == "kong box" else "Drawn",
        claimed="Robbed" if claimed == "robbed" else "Claimed",
        rows=join(rows),
    )


# The lines of a score, each leading to its rule.


def rule_lines(
    lines: Sequence[Any], units: Sequence[str], words: str, place: str, address: Callable[[str, str], str]
) -> Html:
    """Draw lines of a score: those of a learner's stage, by its `units`, and the rest behind a tap on these words.

    `place` is that of the score among others on the page; `address` takes a rule and the place of its line.
    """
    shown = [line for line in lines if line["unit"] in units]
    rest = [line for line in lines if line["unit"] not in units]
    return html(
        "{shown}{rest}",
        shown=lines_table(shown, place, address, " is-learners" if words else "") if shown else "",
        rest=html_if(
            rest,
            '<details class="lines-rest"><summary>{words}</summary>{lines}</details>',
            words=words,
            lines=lines_table(rest, f"{place}more-", address),
        ),
    )


def lines_table(lines: Sequence[Any], place: str, address: Callable[[str, str], str], css: str = "") -> Html:
    rows = [
        html(
            '<tr id="line-{place}"><th scope="row">{rule}</th><td class="num">{worth}</td></tr>',
            place=f"{place}{at}",
            rule=link("" if line.get("is_untold") else address(line["rule"], f"{place}{at}"), line["name"]),
            worth=line["worth"],
        )
        for at, line in enumerate(lines, 1)
    ]
    return html(
        '<table class="table-scores lines{css}"><thead class="visually-hidden"><tr><th scope="col">What scores</th>'
        '<th scope="col">Worth</th></tr></thead><tbody>{rows}</tbody></table>',
        css=css,
        rows=join(rows),
    )


def rule_addresses(rules: str, club: str, look: Mapping[str, Any]) -> Callable[[str, str], str]:
    """Return a function that takes a rule and the place of its line, and returns the address that explains the rule.

    It is on the page of the club, or else of the rule set, and leads back to the line.
    """

    def address(rule: str, place: str) -> str:
        if club:
            page = look["club_rules"].replace("KEY", club)
            anchor = f"rule-{rule}" if _rows_of(rules, rule) else f"own-{rule}"
        else:
            page, anchor = look["rules"].replace("KEY", rules), rule_anchor(rules, rule)
        back = "?" + query([("back", f"{look['page']}#line-{place}")]) if look["page"] else ""
        return f"{page}{back}#{anchor}"

    return address


def rule_anchor(rules: str, rule: str) -> str:
    """Return the anchor of a rule on the public page of its rules; rules not in force have anchors of their own."""
    house, rows = RULE_SETS[rules].house(), _rows_of(rules, rule)
    return f"rule-{rule}" if not rows or any(house.plays(row) for row in rows) else f"rule-{rule}-otherwise"


def _rows_of(rules: str, rule: str) -> list[Any]:
    rows: list[Any] = [*RULE_SETS[rules].rules, *RULE_SETS[rules].special_hands]
    return [row for row in rows if row.key == rule]
