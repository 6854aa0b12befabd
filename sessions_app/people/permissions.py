"""Who may do what: the roles, and each decision that asks for more than a role.

A page names the roles that open it in its decorator (`@at_table(*SCORING)`), and web/access.py lets in or refuses.
`membership` is a Membership, or the TableVisitor of a tablet that came by the table's key.
"""

import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from clubscore.table.command_kinds import CHOOSE, kind_of
from sessions_app.models import Attendance, Change, Command, Membership, Player, Seat, Session

TABLE = "table"


SECRETARY = ("secretary",)


SCOREKEEPER = ("secretary", "scorekeeper")


MEMBER = ("secretary", "scorekeeper", "member")


# At one table alone, whoever has its key as well: to score while it is open, and to read.
SCORING = (*SCOREKEEPER, TABLE)


READING = (*MEMBER, TABLE)


# Whoever scored a table by its key may still read it for a day after its last hand.
READ_ON = datetime.timedelta(days=1)


# What a tablet could not send in time is kept for the secretary, also when it has no Wi-Fi before the next meeting.
SEND_ON = datetime.timedelta(days=31)


# A scorekeeper may still undo at a finished table for a day.
UNDO_ON = datetime.timedelta(days=1)


def may_read_by_key(table_session: Session) -> bool:
    """Say whether the table's key still opens its pages: while it is in play, and for a day after."""
    return table_session.is_open or _is_within(READ_ON, table_session.finished_at)


def may_send_late(scoring_key: Any, table_session: Session) -> bool:
    """Say whether what is sent by a key that was good once is still kept: a month after it was replaced, or its table
    finished."""
    if scoring_key == table_session.scoring_key:
        return _is_within(SEND_ON, table_session.finished_at)
    replaced = Change.objects.filter(session=table_session, action="new scoring key").order_by("-id").first()
    return _is_within(SEND_ON, replaced and replaced.at)


def may_write(membership: Membership, table_session: Session) -> bool:
    """Say whether somebody may record and change hands at a table, which must be in play."""
    return membership.role in SCORING and table_session.is_open


def may_undo(membership: Membership, table_session: Session) -> bool:
    """Say whether somebody may undo at a table: at a finished one the scorekeeper for a day, the secretary always."""
    if table_session.is_open:
        return membership.role in SCORING
    if membership.role in SECRETARY:
        return True
    return membership.role in SCOREKEEPER and _is_within(UNDO_ON, table_session.finished_at)


def may_decide(membership: Membership, table_session: Session, is_late: bool) -> bool:
    """Say whether somebody is offered to decide about a kept command: what came late is the secretary's."""
    return membership.role in SECRETARY or (may_write(membership, table_session) and not is_late)


def may_reopen(membership: Membership, table_session: Session) -> bool:
    """Say whether somebody is offered to open a finished session again."""
    return membership.role in SECRETARY and not table_session.is_open


def may_ask(membership: Membership, table_session: Session) -> bool:
    """Say whether somebody may ask whether a hand is right: a member always, a tablet while its table is in play."""
    return membership.role in MEMBER or table_session.is_open


def may_send(membership: Membership, table_session: Session, kind: str, body: dict[str, Any]) -> bool:
    """Say whether somebody may send a command of this kind."""
    row = kind_of(kind)
    if row is None:
        return membership.role in SCORING
    if row.is_step:
        return may_undo(membership, table_session)
    if row is CHOOSE and membership.role not in SECRETARY and _decides_about_late(table_session, body):
        return False
    if row.names_player:
        offered, player = players_offered(membership, table_session), body.get("player")
        if offered is not None and not (type(player) is int and offered.filter(pk=player).exists()):
            return False
    return membership.role in (SECRETARY if row.secretary_only else SCORING)


def players_offered(membership: Membership, table_session: Session) -> Any:
    """Return the players from whom a tablet without a login may choose, who are at the meeting; None for all."""
    if membership.role != TABLE:
        return None
    meeting = table_session.played_at
    listed = Attendance.objects.filter(meeting=meeting, left=False).values("player")
    seated = Seat.objects.filter(session__in=Session.objects.at_meeting(meeting)).values("player")
    return Player.objects.of_club(table_session.club).present().filter(Q(pk__in=listed) | Q(pk__in=seated))


def _decides_about_late(table_session, choice):
    """Say whether a choice ({"keep", "drop"}) takes in or drops what came late: that is the secretary's to do."""
    drop = choice.get("drop")
    named = {str(key) for key in (choice.get("keep"), *(drop if isinstance(drop, list) else ()))}
    late = Command.objects.filter(session=table_session, outcome=Command.Outcome.LATE).values_list("key", flat=True)
    return not named.isdisjoint(map(str, late))


def _is_within(span, then):
    return then is not None and timezone.now() - then < span
