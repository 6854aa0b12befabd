"""Who may do what: the roles, and each decision that asks for more than a role.

A view names the roles that open it in its decorator (`@at_table(*SCOREKEEPER)`), and web/access.py checks them; what
a code opens is a row of codes.py. A function may_… says who may. What can be done at all, whoever asks, is in
clubscore/play: `can_be_undone` and the other properties of a kind in command_kinds.py, `undoable` in edits.py.
"""

import datetime
from typing import Any, Protocol

from django.utils import timezone

from clubscore.play.command_kinds import CHOOSE, kind_of
from sessions_app.models import Change, Command, Player, Session
from sessions_app.people.codes import TABLE_KEY

TABLE = "table"
SECRETARY = ("secretary",)
SCOREKEEPER = ("secretary", "scorekeeper")
MEMBER = ("secretary", "scorekeeper", "member")

# TABLE is a tablet with the table's key: it can score at that table while the table is open, and read it.
SCORING = (*SCOREKEEPER, TABLE)

# How long late hands are kept for the secretary, even from a tablet without Wi-Fi until the next meeting.
SEND_ON = datetime.timedelta(days=31)

# How long a scorekeeper may still undo at a finished table.
UNDO_AFTER_FINISH = datetime.timedelta(days=1)


class HasRole(Protocol):
    """A Membership, or the TableVisitor of a tablet that opened the table's QR code."""

    @property
    def role(self) -> str: ...


def may_read_by_key(table_session: Session) -> bool:
    """Return whether the table's key still opens its pages: during play and for a time after."""
    return table_session.is_open or _is_within(TABLE_KEY.lasts, table_session.finished_at)


def may_send_late(scoring_key: Any, table_session: Session) -> bool:
    """Return whether late hands from this key are kept: for SEND_ON after it was replaced or the table finished."""
    if scoring_key == table_session.scoring_key:
        return _is_within(SEND_ON, table_session.finished_at)
    replaced = Change.objects.filter(session=table_session, action="new scoring key").order_by("-id").first()
    return _is_within(SEND_ON, replaced and replaced.at)


def may_write(membership: HasRole, table_session: Session) -> bool:
    """Return whether a member may record and change hands at a table, which must be open."""
    return membership.role in SCORING and table_session.is_open


def may_undo(membership: HasRole, table_session: Session) -> bool:
    """Return whether a member may undo or redo: at a finished table the secretary always, a scorekeeper for a time."""
    if table_session.is_open:
        return membership.role in SCORING
    if membership.role in SECRETARY:
        return True
    return membership.role in SCOREKEEPER and _is_within(UNDO_AFTER_FINISH, table_session.finished_at)


def may_decide(membership: HasRole, table_session: Session, is_late: bool) -> bool:
    """Return whether a member may decide about a pending command; late ones are for the secretary."""
    return membership.role in SECRETARY or (may_write(membership, table_session) and not is_late)


def may_reopen(membership: HasRole, table_session: Session) -> bool:
    """Return whether a member may reopen a finished session."""
    return membership.role in SECRETARY and not table_session.is_open


def may_ask(membership: HasRole, table_session: Session) -> bool:
    """Return whether a score query may be sent: by a member always, by a tablet while its table is open."""
    return membership.role in MEMBER or table_session.is_open


def may_send(membership: HasRole, table_session: Session, kind: str, body: dict[str, Any]) -> bool:
    """Return whether a member may send a command of this kind."""
    row = kind_of(kind)
    if row is None:
        return membership.role in SCORING
    if row.is_undo_or_redo:
        return may_undo(membership, table_session)
    if row is CHOOSE and membership.role not in SECRETARY and _decides_about_late(table_session, body):
        return False
    if row.names_player:
        offered, player = players_offered(membership, table_session), body.get("player")
        if offered is not None and not (type(player) is int and offered.filter(pk=player).exists()):
            return False
    return membership.role in (SECRETARY if row.secretary_only else SCORING)


def players_offered(membership: HasRole, table_session: Session) -> Any:
    """Return the players a tablet without an account may choose, those at its table; None for all."""
    if membership.role != TABLE:
        return None
    return Player.objects.of_club(table_session.club).present().filter(seats__session=table_session).distinct()


def _decides_about_late(table_session: Session, choice: dict[str, Any]) -> bool:
    """Return whether a choice ({"keep", "drop"}) includes a late command, which only the secretary decides."""
    drop = choice.get("drop")
    named = {str(key) for key in (choice.get("keep"), *(drop if isinstance(drop, list) else ()))}
    late = Command.objects.filter(session=table_session, outcome=Command.Outcome.LATE).values_list("key", flat=True)
    return not named.isdisjoint(map(str, late))


def _is_within(span, then):
    return then is not None and timezone.now() - then < span
