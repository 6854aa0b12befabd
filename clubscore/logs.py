"""How the log is written: a line of JSON for each, and faults by mail."""

import json
import logging
import re
import time
import traceback
from datetime import UTC, datetime

from django.core.mail import mail_admins

# The same fault again within this many seconds is not mailed again.
QUIET = 600
# A fault and what led to it, each from where it was raised.
MAX_CAUSES = 8

# What an address holds that opens something: invitations, links for a new password, keys of tables and of boards.
KEY = re.compile(r"/(invite|recover|confirm|t|w/hall|w)/[^/\s\"'?]+(/[^/\s\"'?]+(?=/))?")


class WithoutKeys(logging.Filter):
    """Leave keys out of the log: Django writes the address of every request that goes wrong."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        masked = KEY.sub(r"/\1/…", message)
        if masked != message:
            record.msg, record.args = masked, ()
        return True


class JsonLines(logging.Formatter):
    """One object a line; a request brings its method and the status it was answered with."""

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
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class FaultMail(logging.Handler):
    """Mail a fault to the people who run the site: where it happened, and nothing that anybody has typed.

    What an error says of itself may be just that, as PostgreSQL names the values it refuses: its kind must do.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(logging.Formatter("{asctime} {levelname} {name}: {message}", style="{"))
        self.mailed = {}

    def format(self, record: logging.LogRecord) -> str:
        plain = logging.makeLogRecord({**vars(record), "exc_info": None, "exc_text": None, "stack_info": None})
        lines = [super().format(plain), ""]
        error = record.exc_info and record.exc_info[1]
        while error and len(lines) < MAX_CAUSES:
            lines.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__)
            error = error.__cause__ or error.__context__
        return "\n".join(lines)

    def emit(self, record: logging.LogRecord) -> None:
        place = (record.name, record.exc_info[0].__name__ if record.exc_info else record.getMessage())
        now = time.monotonic()
        if now - self.mailed.get(place, -QUIET) < QUIET:
            return
        self.mailed[place] = now
        try:
            mail_admins(f"{record.levelname} in {record.name}: {place[1]}"[:200], self.format(record))
        except Exception:
            self.handleError(record)
