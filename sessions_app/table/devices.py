"""The tablets at a table: whether another one is open there, what was saved on it, and the keys that let them in."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from sessions_app.models import Device, Entry, Hand, Meeting, Session
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.models import unguessable_key
from sessions_app.people.transactions import write_transaction

# Much longer than the time between two requests of a tablet, so that few of them write.
NOTED_EVERY = timedelta(minutes=2)
# A little longer than until it is noted again.
HERE_FOR = timedelta(minutes=3)
A_DAY = timedelta(days=1)

log_sentences(
    {
        "new scoring key": "gave the table a new QR code for scoring{at}",
        ("new watching key", "session"): "gave the table a new QR code for watching{at}",
        ("new watching key", "meeting"): "gave {meeting} a new QR code for watching",
    }
)

# A tablet's cookie can be forged: no more tablets than this are noted at a table.
MAX_DEVICES = 24


def note_device(session: Session, token: str) -> None:
    """Record that a tablet has a table open, unless too many have. Writes every two minutes."""
    now = timezone.now()
    known = Device.objects.filter(session=session, token=token).first()
    if known and now - known.seen_at < NOTED_EVERY:
        return
    with write_transaction():
        if known is None:
            Device.objects.filter(seen_at__lt=now - A_DAY).delete()
            # Locked, so that two cannot both come in as the last one.
            Session.objects.select_for_update().get(pk=session.pk)
            if Device.objects.filter(session=session).count() >= MAX_DEVICES:
                return
        Device.objects.update_or_create(session=session, token=token, defaults={"seen_at": now})


def others_words(session: Session, token: str) -> str:
    """Return a sentence about another tablet that was seen lately, or ""."""
    seen = Device.objects.filter(session=session, seen_at__gte=timezone.now() - HERE_FOR).exclude(token=token)
    return "Another tablet is open here." if seen.exists() else ""


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


# New keys, which end the use of the old ones. The log does not hold them.


def replace_scoring_key(session: Session, *, by: Actor) -> None:
    """Give a session a new scoring key; what tablets send with the old one is kept for the secretary."""
    with write_transaction():
        session.scoring_key = unguessable_key()
        session.save(update_fields=["scoring_key"])
        # Those that may still come are noted again.
        Device.objects.filter(session=session).delete()
        log_change(session, by, "new scoring key", session, {}, {})


def replace_watching_key(watched: Session | Meeting, *, by: Actor) -> None:
    """Give a session or a meeting a new watching key; the old one shows nothing any more."""
    with write_transaction():
        watched.watching_key = unguessable_key()
        watched.save(update_fields=["watching_key"])
        where = watched if isinstance(watched, Session) else watched.club
        log_change(where, by, "new watching key", watched, {}, {})
