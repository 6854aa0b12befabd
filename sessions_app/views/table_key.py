"""A tablet without a login that scores one table by the table's own key: what it keeps of it, and who it is then."""

import datetime
from dataclasses import dataclass

from django.utils import timezone

from sessions_app.middleware import TABLE_KEYS as KEPT
from sessions_app.models import Change, Session
from sessions_app.services.actor import Actor

TABLE = "table"
MOST_KEPT = 12
# Whoever scored a table may still read it for a day after its last hand.
READ_ON = datetime.timedelta(days=1)
# What a tablet could not send in time is kept for the secretary, also when it has no Wi-Fi before the next meeting.
SEND_ON = datetime.timedelta(days=31)


@dataclass(frozen=True)
class TableVisitor:
    """Stands where a member's Membership stands: the role alone; `chair` is the player whose tablet it is, if told."""

    table_session: Session
    chair: str = ""
    role = TABLE

    @property
    def club(self):
        return self.table_session.club

    @property
    def actor(self):
        """The name of the log; a player stands in it by the number of the seat, as no name may stay there."""
        where = f"tablet at table {self.table_session.table}"
        return Actor(name=f"{{{self.chair}}}, {where}" if self.chair else where)


def keep_key(request, table_session):
    """Remember, in the visitor's own session, that the key was good; opened again, it is still the same tablet."""
    kept = request.session.get(KEPT, {})
    earlier = kept.pop(str(table_session.pk), {})
    same = earlier.get("key") == table_session.scoring_key
    kept[str(table_session.pk)] = {"key": table_session.scoring_key, "chair": earlier.get("chair", "") if same else ""}
    request.session[KEPT] = dict(list(kept.items())[-MOST_KEPT:])


def keep_chair(request, table_session, chair):
    """Remember which player holds this tablet; an empty chair: nobody in particular."""
    kept = request.session.get(KEPT, {})
    if str(table_session.pk) in kept:
        kept[str(table_session.pk)]["chair"] = chair
        request.session[KEPT] = kept


def has_keys(request):
    return bool(request.session.get(KEPT))


def had_key(request, session_id):
    """Return what is kept of a key that was good for this session once, else None."""
    return request.session.get(KEPT, {}).get(str(session_id))


def visitor_of(request, table_session):
    """Return the TableVisitor whose key opens this session now, for reading at least; else None."""
    kept = had_key(request, table_session.pk)
    if kept is None or kept["key"] != table_session.scoring_key:
        return None
    return TableVisitor(table_session, kept.get("chair", "")) if may_read(table_session) else None


def may_read(table_session):
    finished = table_session.finished_at
    return table_session.is_open or (finished is not None and timezone.now() - finished < READ_ON)


def may_send_late(request, table_session):
    """Say whether what is sent by a key that is good no more is still kept: a month after it was replaced, or its table
    finished."""
    if had_key(request, table_session.pk)["key"] == table_session.scoring_key:
        over = table_session.finished_at
    else:
        replaced = Change.objects.filter(session=table_session, action="new scoring key").order_by("-id").first()
        over = replaced and replaced.at
    return over is not None and timezone.now() - over < SEND_ON
