"""Logging: who sent what was refused, JSON lines, secrets left out of addresses, and errors by email."""

import json
import logging
import re
import time
import traceback
from datetime import UTC, datetime

from django.core.mail import mail_admins

# Seconds for which the same error is not emailed again.
QUIET = 600
# How many exceptions of a chain are emailed, each with its traceback.
MAX_CAUSES = 8

# The secret part of an address: of invitations, links for a new password, tables' and boards' QR codes.
KEY = re.compile(r"/(invite|recover|confirm|t|w/hall|w)/[^/\s\"'?]+(/[^/\s\"'?]+(?=/))?")


class WithoutKeys(logging.Filter):
    """Replaces the keys in addresses, as Django logs the address of every failed request."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        masked = KEY.sub(r"/\1/…", message)
        if masked != message:
            record.msg, record.args = masked, ()
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
        line |= sender_of(record)
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class FaultMail(logging.Handler):
    """Emails errors to the operator: where they happened, but nothing that anyone typed.

    So exceptions appear by class only: PostgreSQL's messages quote the values it refused.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(logging.Formatter("{asctime} {levelname} {name}: {message}", style="{"))
        self.mailed: dict[tuple[str, str], float] = {}

    def format(self, record: logging.LogRecord) -> str:
        plain = logging.makeLogRecord({**vars(record), "exc_info": None, "exc_text": None, "stack_info": None})
        lines = [super().format(plain), ""]
        error = record.exc_info and record.exc_info[1]
        while error and len(lines) < MAX_CAUSES:
            lines.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__)
            error = error.__cause__ or error.__context__
        return "\n".join(lines)

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        place = (record.name, kind.__name__ if kind else record.getMessage())
        now = time.monotonic()
        if now - self.mailed.get(place, -QUIET) < QUIET:
            return
        self.mailed[place] = now
        try:
            mail_admins(f"{record.levelname} in {record.name}: {place[1]}"[:200], self.format(record))
        except Exception:
            self.handleError(record)
