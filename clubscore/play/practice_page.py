"""The page of practice, as the server and the tablet draw it: a hand, the question what it scores, and the answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clubscore.play.drawn_hands import drawn_tiles, tile_groups, tile_names, winning_words, with_winning_tile
from clubscore.play.hand_worth import query
from clubscore.play.markup import Html, html, html_each, html_if, join, link
from clubscore.play.practice import (
    BY_KEY,
    EVERYTHING,
    MAX_SEED,
    STAGES,
    Counted,
    Dealt,
    Stage,
    Verdict,
    asked_figures,
    deal,
    not_scored,
    read_counted,
    verdict,
)
from clubscore.play.scoring_by_seat import shown_lines
from clubscore.play.table_words import sum_words
from clubscore.play.worth_page import rule_addresses, rule_lines
from clubscore.scoring import RULE_SETS
from clubscore.scoring.tiles import WIND_NAMES
from clubscore.scoring.words import Vocabulary, in_words, whole


@dataclass(frozen=True)
class Exercise:
    """What is practised: the key of the rules, a learner's stage, and the number of the hand; 0 if unknown."""

    rules: str
    stage: Stage
    number: int

    def query(self, number: int = 0) -> str:
        """Return it, or the hand of another number, as the query of an address."""
        hand = str(number or self.number)
        return query([("rules", self.rules), ("stage", self.stage.key), ("hand", hand)])


def read_exercise(fields: Mapping[str, str], usual: str) -> Exercise:
    """Read an exercise from the fields of an address, each of which may be missing; `usual` is the device's stage."""
    rules, number = fields.get("rules", ""), fields.get("hand", "").strip()
    is_number = number.isascii() and number.isdecimal() and len(number) <= len(str(MAX_SEED))
    return Exercise(
        rules if rules in RULE_SETS else list(RULE_SETS)[0],
        BY_KEY.get(fields.get("stage", "")) or BY_KEY[usual],
        int(number) if is_number and int(number) <= MAX_SEED else 0,
    )


def practice_page(
    exercise: Exercise, typed: Mapping[str, str], another: int, look: Mapping[str, Any]
) -> tuple[Html, bool]:
    """Draw a hand to practise, with what is wrong with the count that was typed, and return whether it has errors.

    `another` is the number of the next hand. `look` is what the page adds: its address as others see it, `practice`;
    the `page` that is looked at; the addresses of `rules`, with KEY for which; and the tiles' `sprite`.
    """
    rule_set, stage = RULE_SETS[exercise.rules], exercise.stage
    words = rule_set.vocabulary()
    dealt = deal(exercise.rules, exercise.number, special=stage == EVERYTHING)
    counted = read_counted(typed, asked_figures(dealt, stage))
    # The first wrong count is told without the answer: it may be tried once more.
    is_first, is_judged = "again" not in typed, counted.is_entered and not counted.errors
    found = verdict(dealt, stage, counted.figures, is_first) if is_judged else None
    is_tried = found is not None and not found.is_right
    errors = [
        html('<li><a href="#count-{name}">{error}</a></li>', name=name, error=error)
        for name, error in counted.errors.items()
    ]
    is_told = bool(found) or "show" in typed
    drawn = html(
        '{errors}<div class="page-head"><div><h1>What does this hand score?</h1><p class="lead">{situation}{framed}</p>'
        '</div></div><div class="held practice-hand">{tiles}</div>'
        '<div class="practice-columns">{question}{outcome}</div>{choices}',
        errors=html_if(
            errors,
            '<div class="error-summary" role="alert" tabindex="-1" id="error-summary"><h2>There is a problem</h2>'
            "<ul>{errors}</ul></div>",
            errors=join(errors),
        ),
        situation=in_words(words, _situation(dealt)),
        framed=html_if(dealt.win, " The winning tile is framed."),
        tiles=_groups(dealt, words, look["sprite"]),
        question=_question(exercise, counted, found, another, is_tried or "again" in typed),
        outcome=_outcome(exercise, dealt, found, look, is_first and is_tried and "show" not in typed)
        if is_told
        else "",
        choices=_choices(exercise, f"{look['practice']}?{exercise.query()}"),
    )
    return drawn, bool(counted.errors)


def _situation(dealt: Dealt) -> str:
    """Return who sits where and how the hand was won: what the learner needs besides the tiles."""
    own = f"You are {WIND_NAMES[dealt.seat]}"
    if RULE_SETS[dealt.played["rules"]].has_round_wind:
        own += f"; {WIND_NAMES[dealt.played['wind_of_round']]} is the wind of the round"
    if not dealt.win:
        return f"{own}. Someone else went Mah-jong."
    return f"{own}. You go Mah-jong {', '.join(winning_words(dealt.win, WIND_NAMES))}."


def _groups(dealt: Dealt, words: Vocabulary, sprite: str) -> Html:
    names, found = tile_names(words), with_winning_tile(tile_groups(dealt.form, words), dealt.form, dealt.win or {})
    drawn = [
        drawn_tiles(group.tiles, names, sprite, group.words, marked=group.marked, mark="the winning tile")
        for group in found
    ]
    return html_each('<span class="group">{}</span>', drawn)


def _question(exercise: Exercise, counted: Counted, found: Verdict | None, another: int, is_tried: bool) -> Html:
    """Draw the form that asks for the count; after a right one its main button leads to the next hand.

    Once it `is_tried`, the next answer is told in full.
    """
    is_right = found is not None and found.is_right
    required = list(counted.typed)[-1]
    fields = [("rules", exercise.rules), ("stage", exercise.stage.key), ("hand", exercise.number)]
    fields += [("again", 1)] if is_tried else []
    return html(
        '<form class="practice-form" method="get" novalidate>{hidden}<div class="practice-fields">{figures}</div>'
        '<div class="actions"><button{main} type="submit">Check my answer</button> '
        '<button type="submit" name="show" value="1">Show the answer</button> '
        '<a class="{next_css}" href="?{next}">Next hand</a></div>'
        '<p class="state-line" id="practice-tally" role="status" hidden></p></form>',
        hidden=join(
            html('<input type="hidden" name="{name}" value="{value}">', name=name, value=value)
            for name, value in fields
        ),
        figures=join(_figure(name, counted, name == required) for name in counted.typed),
        main=html_if(not is_right, ' class="button-main"'),
        next_css="button-main" if is_right else "button-quiet",
        next=exercise.query(another),
    )


def _figure(name: str, counted: Counted, is_required: bool) -> Html:
    """Draw one figure of the count, as it was typed."""
    error = counted.errors.get(name)
    return html(
        '<div class="field"><label for="count-{name}">{label}{optional}</label>{error}<input id="count-{name}" '
        'name="{name}" inputmode="numeric" autocomplete="off" value="{value}"{described}></div>',
        name=name,
        label=name.capitalize(),
        optional=html_if(not is_required, ' <span class="hint">(optional)</span>'),
        error=html_if(error, '<span class="field-error" id="error-{name}">{}</span>', name=name),
        value=counted.typed[name],
        described=html_if(error, ' aria-invalid="true" aria-describedby="error-{name}"', name=name),
    )


def _outcome(exercise: Exercise, dealt: Dealt, found: Verdict | None, look: Mapping[str, Any], is_hint: bool) -> Html:
    """Draw the right answer, after what is wrong with the count if there is one; as a hint, that alone."""
    if found and is_hint:
        return html(
            '<section class="panel" aria-labelledby="verdict">{}'
            "<p>Count again and check, or press “Show the answer”.</p></section>",
            _verdict(exercise, found),
        )
    rule_set, scored = RULE_SETS[exercise.rules], dealt.scored
    lines, stage = shown_lines(rule_set.vocabulary(), scored["lines"]), exercise.stage
    special = [row.name for row in rule_set.special_hands if row.key == scored["special"]]
    worked = sum_words(*(scored[key] for key in ("points", "doubles", "times", "total", "limited")))
    # What the points make ends with the total.
    total = whole(scored["total"]) if scored["points"] is None or not worked else ""
    return html(
        '<section class="panel" aria-labelledby="verdict">{verdict}{special}{lines}<p class="sum">{worked}{total}</p>'
        "{not_scored}</section>",
        verdict=_verdict(exercise, found) if found else html('<h2 id="verdict" tabindex="-1">How it is scored</h2>'),
        special=html_each("<p><b>{}</b>, a special hand.</p>", special[:1]),
        lines=rule_lines(lines, stage.units, stage.rest, "", rule_addresses(exercise.rules, "", look)),
        worked=worked,
        total=html_if(total, " Total: <b>{}</b>"),
        not_scored=html_each(
            '<p class="hint">{}</p>', [in_words(rule_set.vocabulary(), words) for words in not_scored(dealt)]
        ),
    )


def _verdict(exercise: Exercise, found: Verdict) -> Html:
    return html(
        '<h2 id="verdict" tabindex="-1" data-hand="{hand}" data-right="{right}">{verdict}</h2>{sentences}',
        hand=f"{exercise.rules}/{exercise.stage.key}/{exercise.number}",
        right="yes" if found.is_right else "no",
        verdict=html(
            '<span class="is-right">✓ Right</span>' if found.is_right else '<span class="pays">Not quite</span>'
        ),
        sentences=html_if(
            found.sentences, '<ul class="verdict-sentences">{rows}</ul>', rows=html_each("<li>{}</li>", found.sentences)
        ),
    )


def _choices(exercise: Exercise, shared: str) -> Html:
    """Draw what else may be practised, and the address of this hand."""
    return html(
        '<section class="practice-choices" aria-labelledby="what-to-practise">'
        '<h2 id="what-to-practise">What to practise</h2><form method="get" class="plain-fields">'
        '<label>Rules <select name="rules">{rules}</select></label> '
        '<label>Stage <select name="stage">{stages}</select></label> '
        '<button type="submit">Deal a hand</button></form>'
        '<p class="hint">Hand {number}. To share it: {link}</p></section>',
        rules=_options(RULE_SETS.values(), exercise.rules),
        stages=_options(STAGES, exercise.stage.key),
        number=exercise.number,
        link=link(shared, shared),
    )


def _options(rows: Iterable[Any], chosen: str) -> Html:
    return join(
        html(
            '<option value="{key}"{selected}>{name}</option>',
            key=row.key,
            selected=html_if(row.key == chosen, " selected"),
            name=row.name,
        )
        for row in rows
    )
