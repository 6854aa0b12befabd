"""The honours: who held which special hand and when, and which have not been seen yet."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Max

from clubscore.scoring import rule_set_name
from sessions_app.models import Club, PlayerHand, Season, Session
from sessions_app.rules.club_rules import SpecialHandPlayed, rules_in_force, special_hands_of
from sessions_app.rules.drawn_hands import Group, tile_groups
from sessions_app.rules.rule_pages import rule_sections, shown_club_hands


@dataclass(frozen=True)
class Honour:
    """One special hand that went Mah-jong, with its tiles where they were entered; `is_first`: of its kind."""

    played: SpecialHandPlayed
    groups: tuple[Group, ...]
    is_first: bool = False

    @property
    def key(self) -> Any:
        return self.played.result.special


@dataclass(frozen=True)
class SpecialHand:
    """A special hand that the club plays: what it is worth, an example of it, and when it was last seen, ever."""

    key: str
    name: str
    worth: str
    sentence: str
    anchor: str
    is_own: bool
    groups: tuple[Group, ...]
    last_seen: date | None = None


def honours(club: Club, season: Season | None = None) -> list[Any]:
    """Return the special hands that went Mah-jong in a season, or of all time, the latest first; one query."""
    return _marked([one for one in special_hands_of(club, season) if one.result.won])


def honours_of_hand(table_session: Session, entry_key: UUID) -> list[Any]:
    """Return the special hands that won one hand of a session; one query, or none where practice was played."""
    found = special_hands_of(table_session.club, hand__session=table_session, hand__entry__key=entry_key)
    return _marked([one for one in found if one.result.won])


def _marked(found):
    first = {one.result.special: one for one in found}
    return [Honour(one, _tiles(one), first[one.result.special] is one) for one in found]


def _tiles(one):
    form = one.result.hand.entry.body["hands"].get(str(one.result.seat.chair)) or {}
    return tile_groups(form) if form.get("sets") or form.get("tiles") else ()


def special_hands_played(club: Club, on: date | None = None) -> list[SpecialHand]:
    """Return every special hand of the club's rules, its own included, with an example in tiles; four queries."""
    played = rules_in_force(club, on=on)
    sections = rule_sections(played.rules, played.overrides, club.suit_names)
    rows = next((section.rows for section in sections if section.key == "special"), ())
    known = [
        SpecialHand(row.key, row.name, row.worth, row.sentence, row.anchor, False, row.example.groups) for row in rows
    ]
    own = shown_club_hands(played.house, [hand.frozen() for hand in played.hands])
    known += [
        SpecialHand(
            key=hand.key,
            name=shown.name,
            worth=shown.worth,
            sentence=shown.text,
            anchor=shown.anchor,
            is_own=True,
            groups=(Group("", shown.tiles),) if shown.tiles else (),
        )
        for hand, shown in zip(played.hands, own, strict=True)
    ]
    return known


def not_yet_seen(club: Club, found: list[Any], today: date) -> list[SpecialHand]:
    """Return the SpecialHands that the club plays and that are not among those found, with when each was last seen."""
    seen = {one.key for one in found}
    missing = [hand for hand in special_hands_played(club, today) if hand.key not in seen]
    won = PlayerHand.objects.of_club(club).filter(
        won=True, hand__session__practice=False, special__in=[hand.key for hand in missing]
    )
    last = dict(won.values_list("special").annotate(last=Max("hand__session__date")))
    return [SpecialHand(**{**vars(hand), "last_seen": last.get(hand.key)}) for hand in missing]


# Certificates: everything that stands on the sheet which somebody is given for a special hand.


@dataclass(frozen=True)
class Certificate:
    """One certificate; `is_example`: the tiles were not entered at the table, so those of the rules are drawn."""

    honour: Honour
    sentence: str
    groups: tuple[Group, ...]
    is_example: bool
    rules: str

    @property
    def played(self) -> Any:
        return self.honour.played


def certificates(found: list[Any]) -> list[Any]:
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
            [own] = shown_club_hands(session.rule_set.house(session.house_rules), [hand])
            return own.text, (Group("", own.tiles),) if own.tiles else ()
    return "", ()
