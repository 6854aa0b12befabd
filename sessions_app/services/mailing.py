"""Sending mails that a club asks for: to each address by itself, so that nobody learns another's."""

import logging
import textwrap
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection, send_mail
from django.urls import reverse

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction

OUTSIDE = logging.getLogger(__name__)


def mail_results(meeting, subject, text, files, addresses, players, *, by, why=""):
    """Send the results of a meeting to each of these addresses, and note it; `players` are those among them.

    ServiceError where the mail server does not take them; what has been sent until then is noted all the same.
    """
    sent = 0
    try:
        with get_connection() as connection:
            for address in addresses:
                message = EmailMessage(subject, text, to=[address], connection=connection)
                for name, content in files:
                    message.attach(name, content, "text/csv")
                message.send()
                sent += 1
    except (SMTPException, OSError) as error:
        OUTSIDE.warning("A mail of %s was not taken: %s", meeting.club.slug, error)
        told = f"The mail server took {sent} of {len(addresses)}, then no more." if sent else "Nothing was sent."
        raise ServiceError(f"{told} The mail server did not answer as it should; try again later.") from error
    finally:
        if sent:
            with write_transaction():
                log_change(meeting.club, by, "mail", meeting, {}, {"sent": sent, "players": players}, why)
    return sent


def mail_answer(doubt):
    """Tell whoever asked about a hand what the secretary has answered. A fault is noted outside, and stops nothing."""
    asker, session, entry = doubt.asked_by, doubt.session, doubt.entry
    if not (settings.SENDS_MAIL and asker.email):
        return
    hand = f"hand {entry.hand.number}" if hasattr(entry, "hand") else "a hand taken out"
    about = f"{hand} of table {session.table}, {session.date:%-d %B %Y}"
    path = reverse("hand", args=[session.club.slug, session.pk, entry.key])
    text = f"You asked about {about}:\n\n{_quoted(doubt.text)}The secretary has answered: {_outcome(doubt)}.\n\n"
    text += f"{_quoted(doubt.answer)}The hand: {settings.SITE.scheme}://{settings.SITE.netloc}{path}\n"
    try:
        send_mail(f"{session.club.name}: your question about {hand}", text, None, [asker.email])
    except (SMTPException, OSError) as error:
        OUTSIDE.warning("A mail of %s was not taken: %s", session.club.slug, error)


def _quoted(words):
    return textwrap.indent(words, "  ") + "\n\n" if words else ""


def _outcome(doubt):
    told = doubt.get_outcome_display()
    return told[0].lower() + told[1:]
