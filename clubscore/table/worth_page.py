"""The answers to “What is this hand worth?”, as the server and the tablet draw them: HTML from what was asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from clubscore.scoring import RULE_SETS
from clubscore.scoring.tiles import tile_name
from clubscore.scoring.words import whole
from clubscore.table.drawn_hands import picture
from clubscore.table.hand_worth import (
    WAITING,
    WHOLE,
    Answer,
    Asked,
    Played,
    ShownLine,
    Wait,
    answers,
    every_rule_set,
    last_tile,
    possible_last,
    query,
    ways_of,
)
from clubscore.table.markup import Html, html, html_each, html_if, join

ENTER = "Enter 14 tiles to score a Mah-jong, or 13 to see which tiles would complete it."


def worth_answers(asked: Asked, clubs: Sequence[Played], look: Mapping[str, Any]) -> tuple[Html, str]:
    """Draw what a hand is worth under these clubs' rules and every rule set; also the error, where all have the same.

    `look` is what the page knows besides: its own address, `page`, and those of `worth` as others see it, of the
    `rules` of a rule set and of a club (`club_rules`), with KEY for which one; the tiles' `sprite`; `units`, which
    lines are shown at once, and the words for the `rest` of them, of a learner's stage; `shared_club` of the link, the
    names of `hidden_clubs`, and `other_clubs`, pairs of name and slug, which may be asked instead.
    """
    found = [] if asked.is_empty else answers(asked, [*clubs, *every_rule_set()])
    refusals = {one.refused for one in found}
    if found and len(refusals) == 1 and all(one.error for one in found):
        error = found[0].refused
        return section(html(
            '<div class="error-summary" id="error-summary"><h2>There is a problem</h2><p>{}</p></div>', error
        )), error  # fmt: skip
    if asked.is_empty:
        return section(html('<p class="empty">No tiles yet.</p>')), ""
    is_whole, is_waiting = asked.size == WHOLE, asked.size == WAITING
    size = f"{asked.size} tile{'' if asked.size == 1 else 's'}"
    return section(
        last_tiles(asked, look) if is_whole and possible_last(asked) else "",
        html("<h2>{}</h2>", "As a Mah-jong" if is_whole else f"{size}, and someone else went Mah-jong"),
        html_if(not is_whole and not is_waiting, '<p class="hint">{}</p>', ENTER),
        html('<ul class="worth-cards">{}</ul>', join(card(one, asked, look, one is found[0]) for one in found)),
        sharing(asked, look),
    ), ""


def section(*parts: Html | str) -> Html:
    return html('<div id="worth-answers" class="worth-answers">{}</div>', join(html("{}", part) for part in parts))


def last_tiles(asked: Asked, look: Mapping[str, Any]) -> Html:
    """Ask which tile came last."""
    last, choices, sprite = last_tile(asked), possible_last(asked), look["sprite"]
    return html(
        '<fieldset class="worth-question worth-last"><legend>The last tile</legend>'
        '<div class="choices">{}</div>{}</fieldset>',
        html_each(
            '<label class="choice"><input type="radio" id="last-{}" name="tile" value="{}"{}>{}'
            '<span class="visually-hidden">{}</span></label>',
            [
                (code, code, " checked" * (code == last), picture(code, "tile-small", sprite), tile_name(code))
                for code in choices
            ],
        ),
        html_if(
            asked.tile not in choices,
            '<p class="hint">Scored as if {} came last. If it did not, tap another tile.</p>',
            tile_name(last),
        ),
    )


def card(one: Answer, asked: Asked, look: Mapping[str, Any], is_first: bool) -> Html:
    """Draw the answer of one set of rules."""
    total = one.total
    return html(
        '<li class="panel panel-card worth-card{}"{}><div class="worth-head"><h3>{}{}</h3>{}</div>{}{}{}{}{}{}{}</li>',
        " is-clubs" if one.is_clubs else "",
        html_if(total is not None, ' data-glance="{}: {}"', one.title, whole(total)),
        one.title,
        html_if(one.is_clubs, ' <span class="badge">house rules</span>'),
        html_if(total is not None, '<p class="balance">{}</p>', whole(total)),
        html_if(one.error, '<p class="worth-refused">{}</p>', one.error),
        html_if(
            one.special,
            "<p><b>{}</b>, {}.</p>",
            one.special,
            "the club’s own special hand" if one.own else "a special hand",
        ),
        html_if(one.fishing_for, "<p>Fishing for <b>{}</b>. This is its fishing score.</p>", one.fishing_for),
        html_if(one.own_note, '<p class="hint">{}</p>', one.own_note),
        html_if(one.sum, '<p class="sum">{}</p>', one.sum),
        html_if(asked.size == WAITING and total is not None, '<p class="worth-brief">{}</p>', one.waits_told),
        how_scored(one, asked, look, is_first)
        if one.lines or one.waits
        else html_if(total == 0, '<p class="hint">Nothing in it scores.</p>'),
    )


def how_scored(one: Answer, asked: Asked, look: Mapping[str, Any], is_open: bool) -> Html:
    """Draw what stands behind the tap on a card: the tiles that complete the hand, and the lines of its score."""
    shown = [line for line in one.lines if line.unit in look["units"]]
    rest = [line for line in one.lines if line.unit not in look["units"]]
    return html(
        "<details{}><summary>{}</summary>{}{}</details>",
        " open" if is_open else "",
        "Tiles that complete it, and how it is scored"
        if one.waits
        else "What it would score"
        if one.error
        else "How it is scored",
        completing(one.waits, asked, look["sprite"]) if one.waits else "",
        rule_lines(
            shown, rest, look["rest"], one.place, lambda rule, at: rule_address(one.rules, one.rules_of, rule, at, look)
        ),
    )


def completing(waits: Iterable[Wait], asked: Asked, sprite: str) -> Html:
    """Draw which tiles complete the hand, and what each would make it score."""
    drawn, claimed = ways_of(asked)
    return html(
        '<table class="table-scores worth-waits"><caption>Tiles that complete it</caption><thead><tr>'
        '<th scope="col">Tile</th><th scope="col" class="num">{}</th><th scope="col" class="num">{}</th></tr></thead>'
        "<tbody>{}</tbody></table>",
        "Loose tile" if drawn == "kong box" else "Drawn",
        "Robbed" if claimed == "robbed" else "Claimed",
        join(
            html(
                '<tr><th scope="row">{} {}{}</th>{}</tr>',
                picture(wait.tile, "tile-small", sprite),
                wait.name,
                html_if(wait.special, ' <span class="hint">{}</span>', wait.special),
                html('<td class="num" colspan="2">{}: too little</td>', wait.too_little)
                if wait.too_little is not None
                else html_each('<td class="num">{}</td>', [[whole(wait.drawn) or "–"], [whole(wait.claimed) or "–"]]),
            )
            for wait in waits
        ),
    )


def sharing(asked: Asked, look: Mapping[str, Any]) -> Html:
    """Draw the link that shows the same hand to others, and those that ask other clubs."""
    link = f"{look['worth']}?{replace(asked, club=look['shared_club']).query()}"
    others = [
        html('<a href="{}?{}">{}</a>', look["worth"], replace(asked, club=slug).query(), name)
        for name, slug in look["other_clubs"]
    ]
    return html(
        '<p class="worth-share hint">To share this hand: <a href="{}">{}</a>{}</p>{}',
        link,
        link,
        html_each(" Only members of {} will see its house rules.", [[name] for name in look["hidden_clubs"]]),
        html_if(
            others,
            '<p class="hint">Also under the house rules of: {}</p>',
            join(html("{}{}", ", " if at else "", other) for at, other in enumerate(others)),
        ),
    )


# The lines of a score, each leading to its rule.


def rule_lines(
    shown: Sequence[Any], rest: Sequence[Any], words: str, place: str, address: Callable[[str, str], str]
) -> Html:
    """Draw lines of a score: those of a learner's stage, and the rest, if any, behind a tap on these words.

    `place` is that of the score among others on the page; `address` gives where a rule stands, with the way back to
    the line at a place.
    """
    return html(
        "{}{}",
        lines_table(shown, place, address, " is-learners" if words else "") if shown else "",
        html_if(
            rest,
            '<details class="lines-rest"><summary>{}</summary>{}</details>',
            words,
            lines_table(rest, f"{place}more-", address),
        ),
    )


def lines_table(some: Sequence[ShownLine], place: str, address: Callable[[str, str], str], css_class: str = "") -> Html:
    return html(
        '<table class="table-scores lines{}"><thead class="visually-hidden"><tr><th scope="col">What scores</th>'
        '<th scope="col">Worth</th></tr></thead><tbody>{}</tbody></table>',
        css_class,
        join(
            html(
                '<tr id="line-{}"><th scope="row">{}</th><td class="num">{}</td></tr>',
                f"{place}{number}",
                line.name
                if line.is_untold
                else html('<a href="{}">{}</a>', address(line.rule, f"{place}{number}"), line.name),
                line.worth,
            )
            for number, line in enumerate(some, 1)
        ),
    )


def rule_address(rules: str, club: str, rule: str, at: str, look: Mapping[str, Any]) -> str:
    """Return where the rule of a line stands: on the page of the club whose rules they are, or on the public one."""
    pairs = [("back", f"{look['page']}#line-{at}")] if look["page"] else []
    if not club:
        page, anchor = look["rules"].replace("KEY", rules), rule_anchor(rules, rule)
    else:
        page = look["club_rules"].replace("KEY", club)
        anchor = f"rule-{rule}" if rows_of(rules, rule) else f"own-{rule}"
    return f"{page}?{query(pairs)}#{anchor}" if pairs else f"{page}#{anchor}"


def rule_anchor(rules: str, rule: str) -> str:
    """Return where a rule stands on the public page of its rules, on which what is not in force has its own place."""
    house, rows = RULE_SETS[rules].house(), rows_of(rules, rule)
    return f"rule-{rule}" if not rows or any(house.plays(row) for row in rows) else f"rule-{rule}-otherwise"


def rows_of(rules: str, rule: str) -> list[Any]:
    rows: list[Any] = [*RULE_SETS[rules].rules, *RULE_SETS[rules].special_hands]
    return [row for row in rows if row.key == rule]
