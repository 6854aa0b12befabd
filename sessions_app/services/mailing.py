"""Sending mails that a club asks for: to each address by itself, so that nobody learns another's."""

import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage, get_connection

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
