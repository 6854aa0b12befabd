"""Who else scores a table just now, and the hands that other tablets have begun, in words."""

import datetime
from dataclasses import dataclass

from django.utils import timezone

from sessions_app.models import Command, Device, Draft, Entry, Hand, Membership, Seat

HERE_FOR = datetime.timedelta(minutes=10)
THERE_NOW = datetime.timedelta(minutes=3)
A_DAY = datetime.timedelta(days=1)
A_MINUTE = 60
MOST_BEGUN = 6


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


def others_at(session, token):
    """Return the Others seen lately, the latest first."""
    now = timezone.now()
    seen = Device.objects.filter(session=session, seen_at__gte=now - HERE_FOR).exclude(token=token)
    devices = list(seen.order_by("-seen_at", "pk"))
    whose = owners(session, devices)
    return [Other(whose[device.pk], seen_words(now - device.seen_at)) for device in devices]


def saved_meanwhile(session, after):
    """Say what was saved behind the line a hand was begun after; empty while nothing was.

    `after` is that line's key, None at the beginning. A line that has not arrived yet is followed by nothing.
    """
    behind = Entry.objects.filter(session=session).standing()
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
    return f"{what} on another tablet meanwhile. Look at the table before you save this one."


def others_words(others):
    """Say in a sentence who else is there; nothing where nobody is."""
    return f"Also scoring here: {'; '.join(map(str, others))}." if others else ""


def begun_at(session, token, last):
    """Return what other tablets have begun of the hand after the line `last` (a key or None), the latest first."""
    now = timezone.now()
    drafts = Draft.objects.filter(device__session=session, after=last, at__gte=now - A_DAY).exclude(device__token=token)
    drafts = list(drafts.select_related("device").order_by("-at", "pk")[:MOST_BEGUN])
    sent = Command.objects.filter(session=session, key__in=[draft.key for draft in drafts]) if drafts else ()
    recorded = {command.key for command in sent}
    whose = owners(session, [draft.device for draft in drafts])
    return [
        Begun(whose[draft.device_id], ago_words(now - draft.at), draft) for draft in drafts if draft.key not in recorded
    ]


def owners(session, devices):
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


def seen_words(time):
    """Say how long ago a tablet was there; one that has the table open is noted every two minutes."""
    return "now" if time < THERE_NOW else ago_words(time)


def ago_words(time):
    """Say how long ago something was: "now", "1 minute ago", "3 hours ago"."""
    minutes = int(time.total_seconds()) // A_MINUTE
    if minutes < 1:
        return "now"
    number, unit = (minutes, "minute") if minutes < A_MINUTE else (minutes // A_MINUTE, "hour")
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
