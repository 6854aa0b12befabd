"""Reads an installation's settings file into the environment, so that every command uses the same database.

Standard library only, as ./run reads the file before anything is installed.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress

# Windows has none, and no root either.
with suppress(ImportError):
    import pwd

NAME = "clubscore.env"
# Every setting there is; docs/settings.md says what each does.
NAMES = (
    "ALLOWED_HOSTS", "CLUBSCORE_VAR", "CLUB_EMAILS_PER_DAY", "DATABASE_URL", "DEBUG", "DIRECT_DATABASE_URL",
    "EMAIL_URL", "FAULTS_TO", "LOG_FORMAT", "LOG_LEVEL", "MAIL_FROM", "NEW_CLUB_DAYS", "PROXIES", "SECRET_KEY",
    "SENTRY_DSN", "SIGN_UP", "SITE_URL", "TIME_ZONE", "WEB_CONCURRENCY",
)  # fmt: skip


def read_settings(folder: str) -> None:
    """Add the file's settings to the environment, where they are not set yet; ValueError says what is wrong.

    The file is clubscore.env in `folder`, or the one that CLUBSCORE_ENV names; an empty CLUBSCORE_ENV means none.
    """
    path = os.environ.get("CLUBSCORE_ENV", os.path.join(folder, NAME))
    if not path or ("CLUBSCORE_ENV" not in os.environ and not os.path.lexists(path)):
        return
    for number, (name, value) in _lines(path):
        if name not in NAMES:
            raise ValueError(f"{path}, line {number}: there is no setting {name}; docs/settings.md lists them.")
        os.environ.setdefault(name, value)


def work_directly() -> None:
    """Let a command go to the database itself, where the site goes through a pooler."""
    if direct := os.environ.get("DIRECT_DATABASE_URL"):
        os.environ["DATABASE_URL"] = direct


def wrong_sentry_dsn() -> str:
    """Return a sentence if SENTRY_DSN is set and is no address of a project."""
    address = os.environ.get("SENTRY_DSN", "")
    if not address or re.fullmatch(r"https?://[^@/\s]+@[^@/\s]+/(\S+/)?\d+", address):
        return ""
    return "SENTRY_DSN must be https://KEY@HOST/NUMBER, as Sentry or GlitchTip shows it for a project."


def wrong_user(folder: str) -> str:
    """Return a sentence if this is root and the data are another's: what root makes, its owner could not write to."""
    var = os.environ.get("CLUBSCORE_VAR") or os.path.join(folder, "var")
    found = next((path for path in (var, folder) if os.path.exists(path)), folder)
    owner = os.stat(found).st_uid
    if os.name != "posix" or os.geteuid() != 0 or owner == 0:
        return ""
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = f"user {owner}"
    return f"{found} belongs to {name}: run this as {name}, with 'sudo -u {name}' before it."


def _lines(path: str) -> Iterator[tuple[int, tuple[str, str]]]:
    try:
        # Windows' editor may begin a file with a mark.
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} cannot be read: it is no text.") from error
    except OSError as error:
        hint = "; run this as the user that Clubscore runs as" if isinstance(error, PermissionError) else ""
        raise ValueError(f"{path} cannot be read: {error.strerror}{hint}.") from error
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, sign, value = line.partition("=")
        if not sign or not name.isidentifier():
            raise ValueError(f"{path}, line {number}: a setting is written NAME=value.")
        # A pair of quotation marks round a value is removed, as systemd and Docker do.
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        yield number, (name, value[1:-1] if is_quoted else value)
