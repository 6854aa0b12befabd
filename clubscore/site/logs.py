"""Logging: who sent what was refused, JSON lines, secrets left out of addresses, and errors by email."""

import hashlib
import json
import logging
import re
import time
import traceback
from datetime import UTC, datetime
from email.utils import make_msgid
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import OperationalError
from filelock import FileLock

logger = logging.getLogger(__name__)

# Seconds for which the same error is not emailed again.
QUIET = 600
# The longest that anything is not said again.
MAX_QUIET = 24 * 3600
# How many exceptions of a chain are emailed, each with its traceback.
MAX_CAUSES = 8

# The secret part of an address: of invitations, links for a new password, tables' and boards' QR codes.
KEY = re.compile(r"/(invite|recover|confirm|t|w/hall|w)/[^/\s\"'?]+(/[^/\s\"'?]+(?=/))?")


def is_first(what: str, seconds: int) -> bool:
    """Whether no process of this machine has said something for so long; what is said now counts."""
    folder = settings.VAR_DIR / "said"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        with FileLock(folder / "lock", timeout=1, mode=0o600):
            for note in folder.glob("*.said"):
                # One from the future was made while the clock was wrong.
                if not 0 <= time.time() - note.stat().st_mtime < MAX_QUIET:
                    note.unlink()
            note = folder / f"{hashlib.sha256(what.encode()).hexdigest()}.said"
            if note.exists() and time.time() - note.stat().st_mtime < seconds:
                return False
            note.write_bytes(b"")
    except OSError:
        pass
    return True


class WithoutKeys(logging.Filter):
    """Replaces the keys in addresses, as Django logs the address of every failed request."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        masked = KEY.sub(r"/\1/…", message)
        if masked != message:
            record.msg, record.args = masked, ()
        return True


class NoFault(logging.Filter):
    """Makes a line of what scanners do all day, such as calling a machine by its address and not by its name."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname, record.exc_info = logging.INFO, "INFO", None
        return True


def sender_of(record: logging.LogRecord) -> dict[str, str]:
    """Return who sent the request that a record is about: a digest of the account, if known, and the address."""
    known = getattr(record, "sender", None) or getattr(getattr(record, "request", None), "sender", None)
    return known() if callable(known) else known or {}


class Lines(logging.Formatter):
    """A line of text, with who sent the request that it is about."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        line, sender = super().formatMessage(record), sender_of(record)
        account = f"account {sender['account']}" if sender.get("account") else "no account"
        number = getattr(getattr(record, "request", None), "number", "")
        line += f" [request {number}]" if number else ""
        return f"{line} [{account}, {sender['address']}]" if sender else line


class JsonLines(logging.Formatter):
    """One JSON object a line; a record of a request has its method, status and sender too."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        request = getattr(record, "request", None)
        if request is not None and hasattr(request, "method"):
            line["method"] = request.method
        if hasattr(record, "status_code"):
            line["status"] = record.status_code
        if number := getattr(request, "number", ""):
            line["request"] = number
        line |= sender_of(record)
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def without_what_was_typed(event: Any, hint: Any) -> Any:
    """Return what Sentry is sent of a fault: the exceptions by class, where they were, and the route."""
    for error in event.get("exception", {}).get("values", []):
        error.pop("value", None)
    if message := event.pop("logentry", {}).get("formatted"):
        # What Clubscore itself says, which the mail of a fault has too.
        event["logentry"] = {"message": KEY.sub(r"/\1/…", message)}
    for part in ("request", "extra", "user", "breadcrumbs"):
        event.pop(part, None)
    return event


class FaultMail(logging.Handler):
    """Emails errors to the operator: on which site and where they happened, but nothing that anyone typed.

    So exceptions appear by class, as PostgreSQL's messages quote the values it refused. What says that a database or a
    disk cannot be reached quotes none.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(logging.Formatter("{asctime} {levelname} {name}: {message}", style="{"))
        self.mailed: dict[tuple[str, str], float] = {}

    def format(self, record: logging.LogRecord) -> str:
        plain = logging.makeLogRecord({**vars(record), "exc_info": None, "exc_text": None, "stack_info": None})
        lines = [f"{_headline(record)}\n", super().format(plain), ""]
        error = record.exc_info and record.exc_info[1]
        while error and len(lines) < MAX_CAUSES:
            lines.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + _reason(error))
            error = error.__cause__ or error.__context__
        return "\n".join(lines)

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        place = (record.name, kind.__name__ if kind else record.getMessage())
        now = time.monotonic()
        # Where the disk takes no note for the other processes, this one at least keeps quiet.
        if now - self.mailed.get(place, -QUIET) < QUIET or not is_first(" ".join(place), QUIET):
            return
        self.mailed[place] = now
        to = [address for _, address in settings.ADMINS]
        headers = {"Message-ID": make_msgid(domain=_site())}
        try:
            subject, text = _headline(record)[:200], self.format(record)
            EmailMessage(subject, text, settings.SERVER_EMAIL, to, headers=headers).send()
        except Exception as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            # No fault, which would be emailed.
            logger.warning("The email of this fault could not be sent: %s", " ".join(reason.split()).rstrip("."))


def _site() -> str:
    return str(settings.SITE.hostname) if settings.SITE else "localhost"


def _headline(record: logging.LogRecord) -> str:
    """Return in a line what happened on which site."""
    words, _, reason = " ".join(record.getMessage().split()).partition(": ")
    # Django's own words, before the page's address.
    words = words.replace("Internal Server Error", "A page failed")
    if record.exc_info and record.exc_info[0]:
        reason = record.exc_info[0].__name__
    return f"{words.rstrip('.')} on {_site()}" + (f": {reason}" if reason else "")


def _reason(error: BaseException) -> str:
    """Return what the system or a database says of not being reached, with a colon before it, or ""."""
    if isinstance(error, OSError):
        return f": {error.strerror}" if error.strerror else ""
    is_away = isinstance(error, OperationalError) and not getattr(error.__cause__, "sqlstate", None)
    return f": {' '.join(str(error).split())}" if is_away else ""
