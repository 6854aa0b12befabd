"""Django settings; whatever differs between installations comes from the environment."""

import os
import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from zoneinfo import available_timezones

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from clubscore import __version__
from clubscore.site import logs, settings_file, sqlite_file

VERSION = __version__
BASE_DIR = Path(__file__).resolve().parent.parent.parent
# How one types ./run.
RUN = "py run" if os.name == "nt" else "./run"
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
DAY = 24 * 60 * 60
# For how many seconds a write waits for another, of this site or of any other program that has the database open.
MAX_WAIT = 5
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
# PostgreSQL parses and plans a statement once per connection, not each time. That saves a quarter of a page's time.
PREPARED = {"server_side_binding": True, "prepare_threshold": 5}


def env_choice(name: str, allowed: tuple[str, ...], default: str) -> str:
    value = os.environ.get(name) or default
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")
    return value


def env_number(name: str, default: int, low: int, high: int) -> int:
    value = os.environ.get(name) or str(default)
    if not value.isdecimal() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} must be a number from {low} to {high}, not {value!r}.")
    return int(value)


def env_list(name: str) -> list[str]:
    """Return the parts of a setting written with commas between."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def parse_url(value: str, schemes: tuple[str, ...]) -> SplitResult | None:
    """Return the parts of a URL; None without a host, or with another scheme or a port that cannot be."""
    with suppress(ValueError):
        parts = urlsplit(value)
        if parts.scheme in schemes and parts.hostname and parts.port != 0:
            return parts
    return None


def refuse_bare_signs(name: str, value: str, *, may_follow: bool = False) -> None:
    """Raise if a username or password in a URL holds a sign that ends it there: what follows it has the @.

    With `may_follow` an @ may also stand after the host.
    """
    host, *rest = re.split("[/?#]", value.partition("://")[2], maxsplit=1)
    if "@" in "".join(rest) and not (may_follow and "@" in host):
        raise ImproperlyConfigured(
            f"{name} has a /, ? or # in its username or password: there, write %2F for /, %3F for ? and %23 for #."
        )


def env_site_url() -> SplitResult | None:
    value = os.environ.get("SITE_URL", "")
    if not value:
        return None
    parts = parse_url(value, ("http", "https"))
    if parts is None or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(
            f"SITE_URL must be http://NAME or https://NAME, with a port if need be and nothing after it, not {value!r}."
        )
    return parts


def env_hosts() -> list[str]:
    """Return the host names that the site answers to; this machine's own are always among them."""
    hosts = env_list("ALLOWED_HOSTS")
    wrong = [host for host in hosts if set(host) & set("/ @?#")]
    if wrong:
        raise ImproperlyConfigured(
            f"ALLOWED_HOSTS must be host names or addresses with commas between, or *, not {wrong[0]!r}."
        )
    return [*hosts, *([SITE.hostname] if SITE and SITE.hostname else []), "localhost", "127.0.0.1", "[::1]"]


def env_time_zone() -> str:
    value = os.environ.get("TIME_ZONE") or "Europe/London"
    if value not in available_timezones():
        raise ImproperlyConfigured(f"TIME_ZONE must be the name of a time zone such as Europe/London, not {value!r}.")
    return value


def env_mail() -> dict[str, Any]:
    """Return the settings for sending email; empty if none is sent."""
    value = os.environ.get("EMAIL_URL", "")
    if not value:
        return {}
    refuse_bare_signs("EMAIL_URL", value)
    parts = parse_url(value, ("smtp", "smtp+tls", "smtps"))
    if parts is None or not parts.port:
        raise ImproperlyConfigured(
            "EMAIL_URL must be smtp+tls://USER:PASSWORD@HOST:PORT, or begin with smtps or smtp, but it begins with "
            f"{value.partition(':')[0][:20]!r} or lacks the host or the port."
        )
    if parts.scheme == "smtp" and parts.password and parts.hostname not in THIS_MACHINE:
        raise ImproperlyConfigured(
            "EMAIL_URL begins with smtp://, which would send its password unencrypted: write smtp+tls:// (mostly port "
            "587) or smtps:// (mostly port 465). Without a user and password, smtp:// may stay."
        )
    sender = os.environ.get("MAIL_FROM", "")
    if "@" not in sender:
        raise ImproperlyConfigured(
            f"MAIL_FROM must be the address mails come from where EMAIL_URL is set, not {sender!r}."
        )
    if SITE is None:
        raise ImproperlyConfigured("EMAIL_URL needs SITE_URL: mails hold links to the site.")
    return {
        "host": parts.hostname,
        "port": parts.port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "security": parts.scheme,
        "sender": sender,
    }


def env_secret_key() -> str:
    """Return the key from the environment or from the file that ./run makes, or "".

    Without a key Django refuses to sign anything, so only commands that need no key work.
    """
    key = os.environ.get("SECRET_KEY", "")
    if key and len(key) < 50:
        raise ImproperlyConfigured(f"SECRET_KEY must have 50 characters or more; leave it out to let {RUN} make one.")
    if not key:
        key = read_secret_key(VAR_DIR / "secret-key")
    return key or ("development-only-" + "x" * 50 if DEBUG else "")


def read_secret_key(path: Path) -> str:
    try:
        key = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} cannot be read: {error.strerror}. Run this as the user that Clubscore runs as."
        ) from None
    except UnicodeDecodeError:
        key = ""
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"{path} is damaged. Bring it back, or remove it and start {RUN}, which makes another: then everybody "
            "signs in once more."
        )
    return key


def parse_database(name: str, url: str) -> dict[str, Any]:
    """Return Django's settings for a database URL; `name` is the setting that has it."""
    if not url.startswith("sqlite"):
        refuse_bare_signs(name, url, may_follow=True)
    try:
        health_checks = not url.startswith("sqlite")
        # Closing the connection after each request halves the rate on PostgreSQL.
        return {**dj_database_url.parse(url, conn_max_age=None, conn_health_checks=health_checks)}
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {str(error).rstrip('.')}.") from None


def report_faults() -> None:
    """Send faults to Sentry, or to what speaks as it does, if SENTRY_DSN names one: where, not what was typed."""
    dsn = os.environ.get("SENTRY_DSN", "")
    if not dsn:
        return
    if sentence := settings_file.wrong_sentry_dsn():
        raise ImproperlyConfigured(sentence)
    try:
        sentry_sdk = import_module("sentry_sdk")
    except ImportError:
        raise ImproperlyConfigured(
            f"SENTRY_DSN needs its package: stop Clubscore, run '{RUN} install', then start it again."
        ) from None
    try:
        sentry_sdk.init(
            dsn,
            release=f"clubscore@{VERSION}",
            send_default_pii=False,
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            server_name="",
            before_send=logs.without_what_was_typed,
        )
    except ValueError as error:
        raise ImproperlyConfigured(f"SENTRY_DSN cannot be read: {error}.") from None


def env_faults_to() -> list[str]:
    """Return the addresses that faults are emailed to."""
    addresses = env_list("FAULTS_TO")
    wrong = [address for address in addresses if "@" not in address]
    if wrong:
        raise ImproperlyConfigured(f"FAULTS_TO must be mail addresses with commas between, not {wrong[0]!r}.")
    if addresses and not MAIL:
        raise ImproperlyConfigured("FAULTS_TO needs EMAIL_URL: faults are sent by email.")
    return addresses


def database_at(name: str, url: str) -> dict[str, Any]:
    """Return Django's settings for the database at an address; `name` is the setting or option that has it."""
    scheme = url.partition(":")[0]
    if scheme not in ("sqlite", "postgres", "postgresql"):
        raise ImproperlyConfigured(
            f"{name} must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME, "
            f"but it begins with {scheme[:20]!r}."
        )
    database = parse_database(name, url)
    if scheme == "sqlite":
        # IMMEDIATE is correctness: a transaction that reads and then writes would fail with "database is locked".
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": MAX_WAIT,
            "factory": sqlite_file.Connection,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
            **database.get("OPTIONS", {}),
        }
    else:
        database["OPTIONS"] = {**PREPARED, **database.get("OPTIONS", {})}
    return database


VAR_DIR = Path(os.environ.get("CLUBSCORE_VAR") or BASE_DIR / "var").resolve()
with suppress(OSError):
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = env_choice("DEBUG", ("0", "1"), "0") == "1"
SITE = env_site_url()
IS_HTTPS = SITE is not None and SITE.scheme == "https"
SECRET_KEY = env_secret_key()
ALLOWED_HOSTS = env_hosts()
CSRF_TRUSTED_ORIGINS = [f"{SITE.scheme}://{SITE.netloc}"] if SITE else []
# How many proxies are in front of the site; https needs at least one.
PROXIES = env_number("PROXIES", 1 if IS_HTTPS else 0, 0, 9)
# Each web process has its own database connections and cache.
WEB_PROCESSES = env_number("WEB_CONCURRENCY", 2, 1, 64)
# Whether anyone may register a club: on the internet, only if the operator says so.
SIGN_UP = env_choice("SIGN_UP", ("open", "closed"), "closed" if IS_HTTPS else "open") == "open"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "sessions_app",
    "sample_data",
]
MIDDLEWARE = [
    "sessions_app.web.middleware.SlowRequests",
    "django.middleware.security.SecurityMiddleware",
    "sessions_app.web.middleware.SecurityHeaders",
    "sessions_app.web.middleware.BodyLimit",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "sessions_app.web.middleware.SignInCookies",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "sessions_app.web.middleware.KeepSignedIn",
    "sessions_app.web.middleware.OwnPasswordFirst",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "sessions_app.web.middleware.FiguresInPlace",
]
ROOT_URLCONF = "clubscore.site.urls"
WSGI_APPLICATION = "clubscore.site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sessions_app.web.requests.site_in_templates",
            ],
            "libraries": {f"{room}_tags": f"sessions_app.{room}.tags" for room in ("web", "rules", "table", "league")},
        },
    }
]

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'clubscore.sqlite3'}"
DATABASES = {"default": database_at("DATABASE_URL", DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "sessions_app.User"
PASSWORD_HASHERS = ["sessions_app.people.accounts.OneAtATimeArgon2"]
# Of new passwords; shorter ones from before go on working.
PASSWORD_LENGTH = 12
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": PASSWORD_LENGTH},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

PASSWORD_RESET_TIMEOUT = DAY

# The name that an app for codes shows. Wrong codes are counted as all else that can be guessed (people/throttling.py).
OTP_TOTP_ISSUER = "Clubscore"
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0

MAIL = env_mail()
SENDS_MAIL = bool(MAIL)
EMAIL_HOST = MAIL.get("host", "")
EMAIL_PORT = MAIL.get("port", 25)
EMAIL_HOST_USER = MAIL.get("user", "")
EMAIL_HOST_PASSWORD = MAIL.get("password", "")
EMAIL_USE_TLS = MAIL.get("security") == "smtp+tls"
EMAIL_USE_SSL = MAIL.get("security") == "smtps"
EMAIL_TIMEOUT = 10
# How many emails (results, answers to score queries) a club may send a day; 0 stops all clubs.
CLUB_EMAILS_PER_DAY = env_number("CLUB_EMAILS_PER_DAY", 100, 0, 10_000)
# A club younger than this emails only people who have agreed to it, and all such clubs share a limit.
NEW_CLUB_DAYS = env_number("NEW_CLUB_DAYS", 14, 0, 365)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL.get("sender", "")
ADMINS = [("", address) for address in env_faults_to()]

SESSION_ENGINE = "sessions_app.people.sign_ins"
# Eight weeks from the last day of use (sessions_app.web.middleware.KeepSignedIn), so that none ends during a meeting.
SESSION_COOKIE_AGE = 56 * DAY

# The largest upload is a meeting's file; the form with most fields is a list of a thousand people.
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 12_000
DATA_UPLOAD_MAX_NUMBER_FILES = 5

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env_time_zone()
USE_TZ = True

# What `manage.py game_site` draws pages for; None on a server.
GAME_SITE = None

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "clubscore.site.static_storage.BuiltFiles",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "clubscore.site.static_storage.StaticStorage"},
}

# On a hall's own network the site is plain http, so cookies are Secure only if SITE_URL is https.
SESSION_COOKIE_SECURE = IS_HTTPS
# A browser takes a cookie of such a name from this host alone, and over https alone.
SESSION_COOKIE_NAME = "__Host-sessionid" if IS_HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if IS_HTTPS else "csrftoken"
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_FAILURE_VIEW = "sessions_app.web.error_pages.refuse_form"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_SSL_HOST = SITE.netloc if SITE and IS_HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
SECURE_HSTS_SECONDS = 365 * DAY if IS_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Only the site's owner knows whether its subdomains are https too and belong on browsers' preload lists.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "clubscore.site.logs.Lines", "format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "clubscore.site.logs.JsonLines"},
    },
    "filters": {
        "without_keys": {"()": "clubscore.site.logs.WithoutKeys"},
        "no_fault": {"()": "clubscore.site.logs.NoFault"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": env_choice("LOG_FORMAT", ("line", "json"), "line"),
            "filters": ["without_keys"],
        },
        "mail": {"class": "clubscore.site.logs.FaultMail", "filters": ["without_keys"]},
    },
    "root": {
        "handlers": ["stderr", *(["mail"] if ADMINS else [])],
        "level": env_choice("LOG_LEVEL", LOG_LEVELS, "INFO"),
    },
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"propagate": True},
        "django.security.DisallowedHost": {"filters": ["no_fault"]},
    },
}

report_faults()
