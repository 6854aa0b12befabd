"""Sends email for a club, one address at a time, so that recipients do not see each other.

To prevent spam, a secretary confirms an address first, a new club can only write to players who agreed, and every
club has a daily limit.
"""

import datetime
import logging
import textwrap
from email.utils import make_msgid
from enum import Enum
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.template.defaultfilters import pluralize
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from sessions_app.models import Change, Club, Meeting, User
from sessions_app.people.accounts import run_in_background
from sessions_app.people.dates import day_words
from sessions_app.people.log import log_change, log_sentences
from sessions_app.people.throttling import (
    Limit,
    account_mail,
    count_tries,
    count_try,
    in_minutes,
    tries_left,
    uncount_try,
)
from sessions_app.people.transactions import ServiceError, write_transaction

logger = logging.getLogger(__name__)
log_sentences(
    {"mail": "sent the results of {meeting} by email to {addresses}"},
    addresses=lambda it: f"{it.after.get('sent')} address{pluralize(it.after.get('sent'), 'es')}",
)


class MailRefusal(Enum):
    """Why a user cannot send a club's results."""

    NO_MAIL = "no email"
    SWITCHED_OFF = "switched off"
    NOT_CONFIRMED = "not confirmed"


def mail_refusal(user: User) -> MailRefusal | None:
    """Return why this user cannot send results, else None."""
    if not settings.SENDS_MAIL:
        return MailRefusal.NO_MAIL
    if not settings.CLUB_EMAILS_PER_DAY:
        return MailRefusal.SWITCHED_OFF
    return None if user and user.email and user.email_confirmed else MailRefusal.NOT_CONFIRMED


def typed_addresses_from(club: Club) -> datetime.datetime | None:
    """Return from when a club may send to typed addresses; None if it may now."""
    first = Change.objects.filter(club=club).order_by("pk").first()
    now = timezone.now()
    opens_at = (first.at if first else now) + datetime.timedelta(days=settings.NEW_CLUB_DAYS)
    return opens_at if opens_at > now else None


def _mail_limits(club: Club, is_new: bool) -> list[Any]:
    """Return a club's limits; all new clubs together share the limit of five clubs."""
    number, day = settings.CLUB_EMAILS_PER_DAY, 24 * 60
    own = (Limit("club mail", number, day), str(club.pk))
    return [own, (Limit("new clubs mail", 5 * number, day),)] if is_new else [own]


def _count_mails(limits: list[Any], number: int) -> None:
    """Count emails before they are sent. ServiceError if that is too many; then none are counted."""
    minutes = count_tries(*limits, number=number)
    left = min(tries_left(*limit) for limit in limits) if minutes else 0
    if left:
        raise ServiceError(f"You can send {left} more email{'' if left == 1 else 's'} today. Choose fewer people.")
    if minutes:
        raise ServiceError(f"Your club has sent as many emails as it can today. {in_minutes(minutes)}")


def sent_to(meeting: Meeting) -> set[int]:
    """Return the ids of the players to whom the results of a meeting have been sent."""
    sent = Change.objects.filter(
        club=meeting.club_id, action="mail", subject_type="meeting", subject_id=str(meeting.pk)
    )
    return {player for after in sent.values_list("after", flat=True) for player in after.get("players", ())}


def mail_results(meeting: Meeting, mail: Any, recipients: Any, *, by: Any) -> Any:
    """Send the results of a meeting to each (address, player or None); return those not accepted.

    The log records what was sent. ServiceError if none are accepted, if this user may not send them, if there are too
    many, or if the club may not write to typed addresses yet.
    """
    new_until = typed_addresses_from(meeting.club)
    if mail_refusal(by.user) or (new_until and any(player is None for _, player in recipients)):
        raise ServiceError("Choose members who agreed to get email. Your club cannot send to other addresses yet.")
    limits = _mail_limits(meeting.club, is_new=new_until is not None)
    _count_mails(limits, len(recipients))
    reply_to = meeting.club.contact_email or by.user.email
    try:
        with get_connection() as connection:
            refused = [
                recipient
                for recipient in recipients
                if not _send_results(meeting, mail, recipient, connection, reply_to)
            ]
    except (SMTPException, OSError) as error:
        logger.warning("No email of %s was accepted: %s", meeting.club.slug, error)
        refused = list(recipients)
    for limit, *what in limits:
        uncount_try(limit, *what, number=len(refused))
    sent = [recipient for recipient in recipients if recipient not in refused]
    if not sent:
        raise ServiceError("Nothing was sent. The email service did not respond. Try again later.")
    after = {"sent": len(sent), "players": [player for _, player in sent if player]}
    with write_transaction():
        log_change(meeting.club, by, "mail", meeting, {}, after)
    return refused


def _send_results(meeting, mail, recipient, connection, reply_to):
    """Send one email; return whether it was accepted."""
    address, player = recipient
    text = mail.text_for(player)
    message = EmailMultiAlternatives(
        mail.subject, text, to=[address], reply_to=[reply_to], connection=connection, headers=_headers()
    )
    message.attach_alternative(mail.html_for(player), "text/html")
    for name, content in mail.files:
        message.attach(name, content, "text/csv")
    try:
        message.send()
    except (SMTPException, OSError) as error:
        logger.warning("An email of %s was not accepted: %s", meeting.club.slug, error)
        return False
    return True


def mail_answer(query: Any) -> None:
    """Send the secretary's answer to the member who asked about a hand. Errors are only logged."""
    asker, session, entry = query.asked_by, query.session, query.entry
    if mail_refusal(asker):
        return
    try:
        _count_mails(_mail_limits(session.club, typed_addresses_from(session.club) is not None), 1)
    except ServiceError as error:
        logger.warning("An email of %s was not sent: %s", session.club.slug, error)
        return
    hand = f"hand {entry.hand.number}" if hasattr(entry, "hand") else "a removed hand"
    about = f"{hand} of table {session.table}, {day_words(session.date)}"
    link = _link(reverse("hand", args=[session.club.slug, session.pk, entry.key]))
    outcome = query.get_outcome_display()
    outcome = outcome[0].lower() + outcome[1:]
    text = f"You asked about {about}:\n\n{_quoted(query.text)}The secretary has answered: {outcome}.\n\n"
    text += f"{_quoted(query.answer)}The hand: {link}\n"
    _send(asker.email, f"{session.club.name}: your question about {hand}", text)


# The emails about an account: the name of the template, and the subject.
ACCOUNT_MAILS = {
    "forgotten": "A new password for Clubscore",
    "new_address": "Your Clubscore email address has changed",
    "new_password": "Your Clubscore password has changed",
    "code_off": "Clubscore no longer asks for a code from your phone",
    "wrong_codes": "Many wrong codes for your Clubscore account",
    "confirm_address": "Confirm your email address for Clubscore",
}


def tell_owner(kind: str, user: User, address: str | None = None) -> None:
    """Tell the owner of an account what was changed, by one of ACCOUNT_MAILS: it may have been someone else."""
    address = user.email if address is None else address
    if settings.SENDS_MAIL and address and not count_try(account_mail(kind), address.casefold()):
        run_in_background(mail_about_account, kind, address, user.get_username(), reverse("forgotten"))


def mail_about_account(kind: str, address: str, login: str, path: str) -> None:
    """Send one of ACCOUNT_MAILS, unless the address is empty. Errors are only logged. Uses no database."""
    if address:
        text = render_to_string(f"people/{kind}_mail.txt", {"login": login, "link": _link(path)})
        _send(address, ACCOUNT_MAILS[kind], text)


def _send(address: str, subject: str, text: str | SafeString) -> None:
    try:
        EmailMessage(subject, text, to=[address], headers=_headers()).send()
    except (SMTPException, OSError) as error:
        logger.warning("The email “%s” was not accepted: %s", subject, error)


def _headers() -> dict[str, str]:
    """Name mails after the site: the machine's own name may be localhost."""
    assert settings.SITE, "no mail is sent without it (settings.py)"
    return {"Message-ID": make_msgid(domain=settings.SITE.hostname)}


def _link(path: str) -> str:
    assert settings.SITE, "no mail is sent without it (settings.py)"
    return f"{settings.SITE.scheme}://{settings.SITE.netloc}{path}"


def _quoted(words):
    return textwrap.indent(words, "  ") + "\n\n" if words else ""
