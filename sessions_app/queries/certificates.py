"""Certificates: everything that stands on the sheet which somebody is given for a special hand."""

from dataclasses import dataclass

from sessions_app.queries.drawn_hands import Group
from sessions_app.queries.honours import Honour
from sessions_app.queries.rule_facts import shown_own_hands
from sessions_app.queries.rule_names import rule_set_name
from sessions_app.queries.rule_rows import rule_sections


@dataclass(frozen=True)
class Certificate:
    """One certificate; `is_example`: the tiles were not entered at the table, so those of the rules are drawn."""

    honour: Honour
    sentence: str
    groups: tuple[Group, ...]
    is_example: bool
    rules: str

    @property
    def played(self):
        return self.honour.played


def certificates(found):
    """Return a Certificate for each honour, by the rules its table played."""
    return [_certificate(honour) for honour in found]


def _certificate(honour):
    session = honour.played.session
    sentence, example = _described(session, honour.key)
    groups = honour.groups or example
    return Certificate(honour, sentence, groups, bool(groups) and not honour.groups, rule_set_name(session.rules))


def _described(session, key):
    """Return the sentence of a special hand of a session and an example in tiles."""
    for section in rule_sections(session.rules, session.house_rules, session.club.suit_names):
        for row in section.rows:
            if row.key == key:
                return row.sentence, row.example.groups
    for hand in session.club_hands:
        if hand["key"] == key:
            [own] = shown_own_hands(session.rule_set.house(session.house_rules), [hand])
            return own.text, (Group("", own.tiles),) if own.tiles else ()
    return "", ()
