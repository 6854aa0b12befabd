"""The tablets at a table: who is scoring there, the hands they have half entered, and the keys that let them in."""

import json
from collections import Counter
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

# Much longer than the time between two requests of a tablet, so that few of them write.
NOTED_EVERY = timedelta(minutes=2)
A_DAY = timedelta(days=1)

# A tablet's cookie can be forged: no more tablets than this are noted at a table, and no longer drafts are kept.
MAX_DEVICES, MAX_DRAFT = 24, 10_000


def note_device(session: Session, token: str, by: Actor) -> Device | None:
    """Record that a tablet has a table open and return its Device; None if too many have. Writes every two minutes."""
    now = timezone.now()
    known = Device.objects.filter(session=session, token=token).first()
    if known and now - known.seen_at < NOTED_EVERY and (known.user_id, known.name) == (by.user and by.user.pk, by.name):
        return known
    with write_transaction():
        if known is None:
            Device.objects.filter(seen_at__lt=now - A_DAY).delete()
            # Locked, so that two cannot both come in as the last one.
            Session.objects.select_for_update().get(pk=session.pk)
            if Device.objects.filter(session=session).count() >= MAX_DEVICES:
                return None
        values = {"user": by.user, "name": by.name, "seen_at": now}
        return Device.objects.update_or_create(session=session, token=token, defaults=values)[0]


def keep_draft(device: Device, *, key: UUID | str, after: UUID | str | None, body: dict[str, Any], drawn: bool) -> bool:
    """Save a tablet's half-entered hand in place of its last one; return whether it was saved.

    A hand that was sent already, is empty or is too long is not, and the last one is deleted.
    """
    is_sent = Command.objects.filter(session=device.session_id, key=key).exists()
    is_empty = not (body.get("hands") or body.get("mahjong") or body.get("penalties") or drawn)
    with write_transaction():
        if is_sent or is_empty or len(json.dumps(body)) > MAX_DRAFT:
            Draft.objects.filter(device=device).delete()
            return False
        values = {"key": key, "after": after, "body": body, "drawn": drawn, "at": timezone.now()}
        Draft.objects.update_or_create(device=device, defaults=values)
    return True


def drop_draft(session_id: int, key: UUID | str) -> None:
    """Delete the drafts of a hand that has been recorded, on every tablet."""
    Draft.objects.filter(key=key, device__session=session_id).delete()


# New keys, which end the use of the old ones. The log does not hold them.


def replace_scoring_key(session: Session, *, by: Actor) -> None:
    """Give a session a new scoring key; what tablets send with the old one is kept for the secretary."""
    with write_transaction():
        session.scoring_key = unguessable_key()
        session.save(update_fields=["scoring_key"])
        # Drafts made with the old key are offered to no other tablet; the tablet itself still has its own.
        Device.objects.filter(session=session, user=None).delete()
        log_change(session, by, "new scoring key", session, {}, {})


def replace_watching_key(watched: Session | Meeting, *, by: Actor) -> None:
    """Give a session or a meeting a new watching key; the old one shows nothing any more."""
    with write_transaction():
        watched.watching_key = unguessable_key()
        watched.save(update_fields=["watching_key"])
        where = watched if isinstance(watched, Session) else watched.club
        log_change(where, by, "new watching key", watched, {}, {})


# Who else is scoring at the table, and the hands that other tablets have begun, in words.

HERE_FOR = timedelta(minutes=10)
THERE_NOW = timedelta(minutes=3)
MAX_DRAFTS = 6
ANOTHER = "another tablet"


@dataclass(frozen=True)
class OtherDevice:
    """Another tablet at the table: "Bob’s tablet", "the secretary’s tablet (Pat)", and when it was last seen.

    One whose storage was emptied, or that is in private mode, comes back as another browser of the same person.
    """

    whose: str
    browsers: int
    ago: str

    def __str__(self) -> str:
        return f"{self._counted()}, {self.ago}"

    def _counted(self) -> str:
        if self.browsers == 1:
            return self.whose
        if self.whose == ANOTHER:
            return f"{self.browsers} other tablets"
        said = f"{self.browsers} browsers)"
        return f"{self.whose.removesuffix(')')}, {said}" if self.whose.endswith(")") else f"{self.whose} ({said}"


@dataclass(frozen=True)
class OtherDraft:
    """The next hand as far as another tablet has entered it."""

    whose: str
    ago: str
    draft: Draft


def others_at(session: Session, token: str) -> list[OtherDevice]:
    """Return the other tablets seen lately, the latest first; those that are named alike are counted."""
    now = timezone.now()
    seen = Device.objects.filter(session=session, seen_at__gte=now - HERE_FOR).exclude(token=token)
    devices = list(seen.order_by("-seen_at", "pk"))
    whose = _owners(session, devices)
    browsers = Counter(whose[device.pk] for device in devices)
    latest: dict[str, timedelta] = {}
    for device in devices:
        latest.setdefault(whose[device.pk], now - device.seen_at)
    return [
        OtherDevice(name, browsers[name], "now" if age < THERE_NOW else ago_words(age)) for name, age in latest.items()
    ]


def others_words(others: list[OtherDevice]) -> str:
    """Return a sentence about who else is scoring, or ""."""
    return "Another tablet is open at this table." if others else ""


def saved_since(session: Session, after: UUID | str | None) -> str:
    """Return a sentence about what was saved after the entry of this key (None: at all), or "".

    An entry that has not arrived yet is followed by nothing.
    """
    newer = Entry.objects.filter(session=session).active()
    if after is not None:
        position = Entry.objects.filter(session=session, key=after).values_list("position", flat=True).first()
        if position is None:
            return ""
        newer = newer.filter(position__gt=position)
    newest = newer.last()
    if newest is None:
        return ""
    number = Hand.objects.filter(entry=newest).values_list("number", flat=True).first()
    what = f"Hand {number} has been saved" if number else "This table has been changed"
    return f"{what} on another tablet. Check the table before you save this hand."


def drafts_of_others(session: Session, token: str, last: UUID | str | None) -> list[OtherDraft]:
    """Return what other tablets have entered of the hand after the entry `last` (a key or None), the latest first."""
    now = timezone.now()
    found = Draft.objects.filter(device__session=session, after=last, at__gte=now - A_DAY)
    drafts = list(found.exclude(device__token=token).select_related("device").order_by("-at", "pk")[:MAX_DRAFTS])
    if not drafts:
        return []
    keys = [draft.key for draft in drafts]
    sent = set(Command.objects.filter(session=session, key__in=keys).values_list("key", flat=True))
    whose = _owners(session, [draft.device for draft in drafts])
    waiting = (draft for draft in drafts if draft.key not in sent)
    return [OtherDraft(whose[draft.device_id], ago_words(now - draft.at), draft) for draft in waiting]


def _owners(session: Session, devices: Collection[Device]) -> dict[int, str]:
    """Return whose tablet each device is, by its id: from the account and its role, or the player who holds it."""
    if not devices:
        return {}
    users = [device.user_id for device in devices if device.user_id]
    roles = dict(Membership.objects.filter(club=session.club_id, user__in=users).values_list("user_id", "role"))
    seats = Seat.objects.filter(session=session).select_related("player")
    names = {f"{{{seat.seat_no}}}": seat.player.name for seat in seats}
    return {device.pk: _owner(device, roles, names) for device in devices}


def _owner(device: Device, roles: dict[int, str], names: dict[str, str]) -> str:
    if device.user_id is None:
        name = names.get(device.name.partition(",")[0])
        return f"{name}’s tablet" if name else ANOTHER
    if roles.get(device.user_id) == Membership.Role.SECRETARY:
        return f"the secretary’s tablet ({device.name})"
    return f"{device.name}’s tablet"


def ago_words(age: timedelta) -> str:
    """Return how long ago something was: "now", "1 minute ago", "3 hours ago"."""
    minutes = int(age.total_seconds()) // 60
    if minutes < 1:
        return "now"
    number, unit = (minutes, "minute") if minutes < 60 else (minutes // 60, "hour")
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
