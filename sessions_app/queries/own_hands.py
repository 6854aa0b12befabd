"""A club's own special hands: what they are worth, their names at a table, and the special hands that were played."""

from dataclasses import dataclass

from clubscore.scoring import RULE_SETS
from clubscore.scoring.table import compile_table
from sessions_app.models import ClubHand, PlayerHand


@dataclass(frozen=True)
class OwnHandRow:
    """One hand in the secretary's list: its tiles, its worth as the club plays now, and whether it counts today."""

    hand: ClubHand
    tiles: tuple[str, ...]
    worth: str


@dataclass(frozen=True)
class SpecialHandPlayed:
    """A special hand that somebody held: the result row, its name, and whether it is the club's own."""

    result: PlayerHand
    name: str
    is_own: bool

    @property
    def session(self):
        return self.result.hand.session

    @property
    def player(self):
        return self.result.seat.player


def own_hand_rows(club, house, today):
    """Return the club's own hands as the list shows them: in force today, to come, and retired."""
    groups = {"now": [], "coming": [], "retired": []}
    for hand in ClubHand.objects.of_club(club):
        group = "coming" if hand.since > today else "retired" if hand.until and hand.until < today else "now"
        groups[group].append(OwnHandRow(hand, tuple(hand.tiles.split()), own_worth(hand, house)))
    return groups


def own_worth(hand, house):
    """Say what an own hand counts under house rules: "the limit, 1,000; fishing 400"."""
    told = value_words(hand.value, house)
    return told if hand.fishing is None else f"{told}; fishing {hand.fishing:,}"


def value_words(value, house):
    """Say the value of an own hand as the score format has it: points, "limit" or "half limit"."""
    base = compile_table(house).special_base
    shares = {"limit": (base, "the limit"), "half limit": (base // 2, "half the limit")}
    if value not in shares:
        return f"{value:,}"
    amount, named = shares[value]
    return f"{named}, {amount:,}" if house.limit is not None else f"{amount:,}"


def special_names(table_session):
    """Return the name of every special hand of a session by its key, the club's own included."""
    own = {hand["key"]: hand.get("name") or hand["key"] for hand in table_session.club_hands}
    return {row.key: row.name for row in RULE_SETS[table_session.rules].special_hands} | own


def special_hands_of(club, season=None, **which):
    """Return the special hands that counted in a season, or of all time, the latest first; one query.

    Practice tables are left out. Own hands have the name under which their session froze them. `which` narrows down
    the result rows further.
    """
    rows = (
        PlayerHand.objects.of_club(club)
        .filter(hand__session__practice=False, **which)
        .exclude(special="")
        .select_related("hand__session__club", "hand__entry", "seat__player")
        .order_by("-hand__session__date", "-hand__session_id", "-hand__number", "seat__chair")
    )
    if season is not None:
        rows = rows.filter(hand__session__season=season)
    return [_played(row) for row in rows]


def _played(row):
    session = row.hand.session
    own = {hand["key"] for hand in session.club_hands}
    return SpecialHandPlayed(row, special_names(session).get(row.special, row.special), row.special in own)
