"""Tablets at a table: noting that one is there, and keeping the hand it has half entered."""

import datetime
import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from sessions_app.models import Command, Device, Draft, Entry, Hand, Meeting, Membership, Seat, Session
from sessions_app.people.log import Actor, log_change
from sessions_app.people.models import unguessable_key
from sessions_app.people.transactions import write_transaction

# Several times as often as a tablet asks who is there: else each of its questions would write.
NOTED_EVERY = datetime.timedelta(minutes=2)
DEVICES_A_DAY = datetime.timedelta(days=1)

# The cookie of a tablet can be made up: at a table so many are noted, and of a hand half entered so much is kept.
MAX_DEVICES, MAX_DRAFT = 24, 10_000


def note_device(session: Session, token: str, by: Actor) -> Device | None:
    """Note that a tablet has a table open, writing no oftener than every two minutes; return its Device.

    One too many is not noted, and None.
    """
    now = timezone.now()
    known = Device.objects.filter(session=session, token=token).first()
    if known and now - known.seen_at < NOTED_EVERY and (known.user_id, known.name) == (by.user and by.user.pk, by.name):
        return known
    with write_transaction():
        if known is None:
            Device.objects.filter(seen_at__lt=now - DEVICES_A_DAY).delete()
            # Locked, so that no two come in as the last one.
            Session.objects.select_for_update().get(pk=session.pk)
            if Device.objects.filter(session=session).count() >= MAX_DEVICES:
                return None
        noted = {"user": by.user, "name": by.name, "seen_at": now}
        return Device.objects.update_or_create(session=session, token=token, defaults=noted)[0]


def keep_draft(device: Device, *, key: UUID | str, after: UUID | str | None, body: dict[str, Any], drawn: bool) -> bool:
    """Keep what a tablet has of a hand so far, in place of what it had before; return whether it was kept.

    A hand that has reached the door, or in which nothing is entered, leaves no draft behind; nor does too long a one.
    """
    is_recorded = Command.objects.filter(session=device.session_id, key=key).exists()
    with write_transaction():
        is_empty = not (body.get("hands") or body.get("mahjong") or body.get("penalties") or drawn)
        if is_recorded or is_empty or len(json.dumps(body)) > MAX_DRAFT:
            Draft.objects.filter(device=device).delete()
            return False
        kept = {"key": key, "after": after, "body": body, "drawn": drawn, "at": timezone.now()}
        Draft.objects.update_or_create(device=device, defaults=kept)
    return True


def drop_draft(session_id: int, key: UUID | str) -> None:
    """Drop the drafts of a hand that has been recorded, on whichever tablets they were begun."""
    Draft.objects.filter(key=key, device__session=session_id).delete()


# The key by which a tablet without a login scores one table: taking it back by making another.


def replace_scoring_key(session: Session, *, by: Actor, why: str = "") -> str:
    """Give a session another scoring key; what a tablet with the old one still sends is kept for the secretary.

    The log tells that it was done; it holds no keys.
    """
    with write_transaction():
        session.scoring_key = unguessable_key()
        session.save(update_fields=["scoring_key"])
        # A hand half entered by the old key is offered to nobody; the tablet it was entered on still has it.
        Device.objects.filter(session=session, user=None).delete()
        log_change(session.club, by, "new scoring key", session, {}, {}, why, session)
    return session.scoring_key


# Keys for watching: taking an address back by making another.


def replace_watching_key(
    watched: Session | Meeting, *, by: Actor, session: Session | None = None, why: str = ""
) -> str:
    """Give a session or a meeting another watching key; the old one shows nothing any more.

    The log tells that it was done; it holds no keys.
    """
    with write_transaction():
        watched.watching_key = unguessable_key()
        watched.save(update_fields=["watching_key"])
        log_change(watched.club, by, "new watching key", watched, {}, {}, why, session)
    return watched.watching_key


# Who else scores a table just now, and the hands that other tablets have begun, in words.

HERE_FOR = datetime.timedelta(minutes=10)
THERE_NOW = datetime.timedelta(minutes=3)
AT_TABLE_A_DAY = datetime.timedelta(days=1)
A_MINUTE = 60
MAX_BEGUN = 6


@dataclass(frozen=True)
class Other:
    """Another tablet at the table: "Bob’s tablet", "the secretary’s tablet (Pat)", and when it was last seen."""

    whose: str
    ago: str

    def __str__(self):
        return f"{self.whose}, {self.ago}"


@dataclass(frozen=True)
class Begun:
    """The coming hand as another tablet has entered it so far."""

    whose: str
    ago: str
    draft: Draft


def others_at(session: Session, token: str) -> list[Other]:
    """Return the Others seen lately, the latest first."""
    now = timezone.now()
    seen = Device.objects.filter(session=session, seen_at__gte=now - HERE_FOR).exclude(token=token)
    devices = list(seen.order_by("-seen_at", "pk"))
    whose = owners(session, devices)
    return [Other(whose[device.pk], seen_words(now - device.seen_at)) for device in devices]


def saved_since(session: Session, after: UUID | str | None) -> str:
    """Say what was saved behind the line a hand was begun after; empty while nothing was.

    `after` is that line's key, None at the beginning. A line that has not arrived yet is followed by nothing.
    """
    behind = Entry.objects.filter(session=session).active()
    if after is not None:
        begun_at_position = Entry.objects.filter(session=session, key=after).values_list("position", flat=True).first()
        if begun_at_position is None:
            return ""
        behind = behind.filter(position__gt=begun_at_position)
    newest = behind.order_by("position").last()
    if newest is None:
        return ""
    number = Hand.objects.filter(entry=newest).values_list("number", flat=True).first()
    what = f"Hand {number} has been saved" if number else "This table has been changed"
    return f"{what} on another tablet. Check the table before you save this hand."


def others_words(others: list[Other]) -> str:
    """Say in a sentence who else is there; nothing where nobody is."""
    return f"Also scoring here: {'; '.join(map(str, others))}." if others else ""


def begun_at(session: Session, token: str, last: UUID | str | None) -> list[Begun]:
    """Return what other tablets have begun of the hand after the line `last` (a key or None), the latest first."""
    now = timezone.now()
    drafts = Draft.objects.filter(device__session=session, after=last, at__gte=now - AT_TABLE_A_DAY).exclude(
        device__token=token
    )
    drafts = list(drafts.select_related("device").order_by("-at", "pk")[:MAX_BEGUN])
    sent = Command.objects.filter(session=session, key__in=[draft.key for draft in drafts]) if drafts else ()
    recorded = {command.key for command in sent}
    whose = owners(session, [draft.device for draft in drafts])
    return [
        Begun(whose[draft.device_id], ago_words(now - draft.at), draft) for draft in drafts if draft.key not in recorded
    ]


def owners(session: Session, devices: Collection[Device]) -> dict[int, str]:
    """Say whose each device is, by its id: by the login and its role, or by the player who holds it."""
    if not devices:
        return {}
    users = [device.user_id for device in devices if device.user_id]
    roles = dict(Membership.objects.filter(club=session.club_id, user__in=users).values_list("user_id", "role"))
    seats = Seat.objects.filter(session=session).select_related("player")
    names = {f"{{{seat.chair}}}": seat.player.name for seat in seats}
    return {device.pk: _owner(device, roles, names) for device in devices}


def _owner(device, roles, names):
    if device.user_id is None:
        name = names.get(device.name.partition(",")[0])
        return f"{name}’s tablet" if name else "another tablet"
    if roles.get(device.user_id) == Membership.Role.SECRETARY:
        return f"the secretary’s tablet ({device.name})"
    return f"{device.name}’s tablet"


def seen_words(time: timedelta) -> str:
    """Say how long ago a tablet was there; one that has the table open is noted every two minutes."""
    return "now" if time < THERE_NOW else ago_words(time)


def ago_words(time: timedelta) -> str:
    """Say how long ago something was: "now", "1 minute ago", "3 hours ago"."""
    minutes = int(time.total_seconds()) // A_MINUTE
    if minutes < 1:
        return "now"
    number, unit = (minutes, "minute") if minutes < A_MINUTE else (minutes // A_MINUTE, "hour")
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
