"""Tablets at a table: noting that one is there, and keeping the hand it has half entered."""

import datetime
import json

from django.utils import timezone

from sessions_app.models import Command, Device, Draft, Session

from .transactions import write_transaction

# Several times as often as a tablet asks who is there: else each of its questions would write.
NOTED_EVERY = datetime.timedelta(minutes=2)
A_DAY = datetime.timedelta(days=1)
# The cookie of a tablet can be made up: at a table so many are noted, and of a hand half entered so much is kept.
MOST_DEVICES, LONGEST_DRAFT = 24, 10_000


def note_device(session, token, by):
    """Note that a tablet has a table open, writing no oftener than every two minutes; return its Device.

    One too many is not noted, and None.
    """
    now = timezone.now()
    known = Device.objects.filter(session=session, token=token).first()
    if known and now - known.seen_at < NOTED_EVERY and (known.user_id, known.name) == (by.user and by.user.pk, by.name):
        return known
    with write_transaction():
        if known is None:
            Device.objects.filter(seen_at__lt=now - A_DAY).delete()
            # Locked, so that no two come in as the last one.
            Session.objects.select_for_update().get(pk=session.pk)
            if Device.objects.filter(session=session).count() >= MOST_DEVICES:
                return None
        noted = {"user": by.user, "name": by.name, "seen_at": now}
        return Device.objects.update_or_create(session=session, token=token, defaults=noted)[0]


def keep_draft(device, *, key, after, body, drawn):
    """Keep what a tablet has of a hand so far, in place of what it had before; return whether it was kept.

    A hand that has reached the door, or in which nothing is entered, leaves no draft behind; nor does too long a one.
    """
    is_recorded = Command.objects.filter(session=device.session_id, key=key).exists()
    with write_transaction():
        is_empty = not (body.get("hands") or body.get("mahjong") or body.get("penalties") or drawn)
        if is_recorded or is_empty or len(json.dumps(body)) > LONGEST_DRAFT:
            Draft.objects.filter(device=device).delete()
            return False
        kept = {"key": key, "after": after, "body": body, "drawn": drawn, "at": timezone.now()}
        Draft.objects.update_or_create(device=device, defaults=kept)
    return True


def drop_draft(session_id, key):
    """Drop the drafts of a hand that has been recorded, on whichever tablets they were begun."""
    Draft.objects.filter(key=key, device__session=session_id).delete()
