"""Sending mails that a club asks for: to each address by itself, so that nobody learns another's."""

import logging
import textwrap
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection, send_mail
from django.template.loader import render_to_string
from django.urls import reverse

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction

OUTSIDE = logging.getLogger(__name__)


def mail_results(meeting, mail, recipients, *, by, why=""):
    """Send the results of a meeting to each of these pairs of address and player (or None); return those not taken.

    What has been sent is noted. ServiceError where the mail server takes none of them.
    """
    refused = []
    try:
        with get_connection() as connection:
            for recipient in recipients:
                if not _is_taken(meeting, mail, recipient[0], connection):
                    refused.append(recipient)
    except (SMTPException, OSError) as error:
        OUTSIDE.warning("No mail of %s was taken: %s", meeting.club.slug, error)
        refused = list(recipients)
    sent = [one for one in recipients if one not in refused]
    if not sent:
        raise ServiceError("Nothing was sent. The mail server did not answer as it should; try again later.")
    after = {"sent": len(sent), "players": [player for _, player in sent if player]}
    with write_transaction():
        log_change(meeting.club, by, "mail", meeting, {}, after, why)
    return refused


def _is_taken(meeting, mail, address, connection):
    """Send one mail; a fault is of this address alone, and the next are tried all the same."""
    message = EmailMultiAlternatives(mail.subject, mail.text, to=[address], connection=connection)
    message.attach_alternative(mail.html, "text/html")
    for name, content in mail.files:
        message.attach(name, content, "text/csv")
    try:
        message.send()
    except (SMTPException, OSError) as error:
        OUTSIDE.warning("A mail of %s was not taken: %s", meeting.club.slug, error)
        return False
    return True


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


def mail_links(links):
    """Send (address, login's name, path) of links for a new password; a fault is noted outside. Needs no database."""
    for address, login, path in links:
        if not address:
            continue
        link = f"{settings.SITE.scheme}://{settings.SITE.netloc}{path}"
        text = render_to_string("sessions_app/forgotten_mail.txt", {"login": login, "link": link})
        try:
            send_mail("A new password for Clubscore", text, None, [address])
        except (SMTPException, OSError) as error:
            OUTSIDE.warning("A mail with a link was not taken: %s", error)


def mail_new_address(address, login):
    """Tell the address a login had that it has another now; a fault is noted outside. Needs no database."""
    if not address:
        return
    text = render_to_string("sessions_app/new_address_mail.txt", {"login": login})
    try:
        send_mail("Your Clubscore e-mail address has changed", text, None, [address])
    except (SMTPException, OSError) as error:
        OUTSIDE.warning("A mail about a new address was not taken: %s", error)


def _quoted(words):
    return textwrap.indent(words, "  ") + "\n\n" if words else ""


def _outcome(doubt):
    told = doubt.get_outcome_display()
    return told[0].lower() + told[1:]
