"""Settings from the environment: what a right value does, and the sentence that a wrong one gets."""

import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import brotli
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OWN = (
    "ALLOWED_HOSTS", "CLUBSCORE_VAR", "DATABASE_URL", "DEBUG", "EMAIL_URL", "FAULTS_TO", "LOG_FORMAT", "LOG_LEVEL",
    "CLUB_EMAILS_PER_DAY", "NEW_CLUB_DAYS",
    "MAIL_FROM", "PROXIES", "SECRET_KEY", "SIGN_UP", "SITE_URL", "TIME_ZONE",
    "WEB_CONCURRENCY",
)  # fmt: skip
SHOW = """
import json
from clubscore.site import settings
print(json.dumps({name: value for name, value in vars(settings).items() if name.isupper()}, default=str))
"""


def run_python(code, folder, input=None, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in OWN}
    kept |= {"CLUBSCORE_VAR": str(folder), **environment}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=kept, input=input, capture_output=True, text=True)


def load_settings(folder, **environment):
    return run_python(SHOW, folder, **environment)


def settings_of(folder, **environment):
    done = load_settings(folder, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


ESCAPED = "there, write %2F for /, %3F for ? and %23 for #."


WRONG = [
    ("DEBUG", "yes", "DEBUG must be one of 0, 1, not 'yes'."),
    ("LOG_LEVEL", "loud", "LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, not 'loud'."),
    (
        "TIME_ZONE",
        "Mars/Phobos",
        "TIME_ZONE must be the name of a time zone such as Europe/London, not 'Mars/Phobos'.",
    ),
    (
        "ALLOWED_HOSTS",
        "a.example, http://b.example",
        "ALLOWED_HOSTS must be host names or addresses with commas between, or *, not 'http://b.example'.",
    ),
    ("SECRET_KEY", "hush", "SECRET_KEY must have 50 characters or more; leave it out to let ./run make one."),
    (
        "DATABASE_URL",
        "mysql://club:hush@db.example/club",
        "DATABASE_URL must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME, but it begins with 'mysql'.",
    ),
    ("LOG_FORMAT", "xml", "LOG_FORMAT must be one of line, json, not 'xml'."),
    ("FAULTS_TO", "pat", "FAULTS_TO must be mail addresses with commas between, not 'pat'."),
    ("FAULTS_TO", "pat@club.example", "FAULTS_TO needs EMAIL_URL: faults are sent by email."),
    ("SIGN_UP", "yes", "SIGN_UP must be one of open, closed, not 'yes'."),
    ("CLUB_EMAILS_PER_DAY", "many", "CLUB_EMAILS_PER_DAY must be a number from 0 to 10000, not 'many'."),
    ("NEW_CLUB_DAYS", "-1", "NEW_CLUB_DAYS must be a number from 0 to 365, not '-1'."),
    ("PROXIES", "two", "PROXIES must be a number from 0 to 9, not 'two'."),
    ("WEB_CONCURRENCY", "two", "WEB_CONCURRENCY must be a number from 1 to 64, not 'two'."),
    ("WEB_CONCURRENCY", "0", "WEB_CONCURRENCY must be a number from 1 to 64, not '0'."),
    (
        "EMAIL_URL",
        "smtp://club:hush@mail.example",
        "EMAIL_URL must be smtp+tls://USER:PASSWORD@HOST:PORT, or begin with smtps or smtp, but it begins with "
        "'smtp' or lacks the host or the port.",
    ),
    (
        "EMAIL_URL",
        "smtp://club:hush@mail.example:587",
        "EMAIL_URL begins with smtp://, which would send its password unencrypted: write smtp+tls:// (mostly port "
        "587) or smtps:// (mostly port 465). Without a user and password, smtp:// may stay.",
    ),
    *[
        (name, value, f"{name} has a /, ? or # in its username or password: {ESCAPED}")
        for name, value in (
            ("EMAIL_URL", "smtp+tls://club:hush#1@mail.example:587"),
            ("EMAIL_URL", "smtp+tls://club:hush/1@mail.example:587"),
            ("EMAIL_URL", "smtps://club:hush?1@mail.example:465"),
            ("EMAIL_URL", "smtps://club:12#hush@mail.example:465"),
            ("EMAIL_URL", "smtps://club@x:h@hush/1@mail.example:465"),
            ("DATABASE_URL", "postgresql://club:hush#1@db.example/club"),
            ("DATABASE_URL", "postgresql://club:12/hush@db.example/club"),
            ("DATABASE_URL", "postgres://club:hush?1@db.example/club"),
        )
    ],
    (
        "EMAIL_URL",
        "smtps://club:hush@mail.example:465",
        "MAIL_FROM must be the address mails come from where EMAIL_URL is set, not ''.",
    ),
    *[
        (
            "SITE_URL",
            value,
            "SITE_URL must be http://NAME or https://NAME, with a port if need be and nothing after it, "
            f"not {value!r}.",
        )
        for value in ("club.example", "ftp://club.example", "https://", "https://a.example/b", "http://a:port")
    ],
]

# Each value is tried by itself, in one process.
TRY = """
import json, os, runpy, sys
for name, value in json.load(sys.stdin):
    os.environ[name] = value
    try:
        runpy.run_module("clubscore.site.settings")
        print("taken")
    except Exception as error:
        print(f"{type(error).__module__}.{type(error).__qualname__}: {error}")
    del os.environ[name]
"""


def test_a_wrong_value_is_named(tmp_path):
    wrong = json.dumps([(name, value) for name, value, _ in WRONG])
    done = run_python(TRY, tmp_path, input=wrong)
    assert done.stderr == ""
    said = dict(zip(((name, value) for name, value, _ in WRONG), done.stdout.splitlines(), strict=True))
    assert said == {
        (name, value): f"django.core.exceptions.ImproperlyConfigured: {sentence}" for name, value, sentence in WRONG
    }
    assert "hush" not in "".join(said.values())


def test_a_wrong_value_stops_the_start(tmp_path):
    done = load_settings(tmp_path, DEBUG="yes")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"django.core.exceptions.ImproperlyConfigured: {WRONG[0][2]}"


def test_faults_are_shown_in_full_only_where_told(tmp_path):
    assert settings_of(tmp_path)["DEBUG"] is False
    assert settings_of(tmp_path, DEBUG="1")["DEBUG"] is True


def test_plain_http_needs_no_secure_cookies(tmp_path):
    found = settings_of(tmp_path, SITE_URL="http://192.168.1.20:8000")
    assert [found["SESSION_COOKIE_SECURE"], found["CSRF_COOKIE_SECURE"], found["SECURE_SSL_REDIRECT"]] == [False] * 3
    assert found["SECURE_HSTS_SECONDS"] == 0
    assert found["CSRF_TRUSTED_ORIGINS"] == ["http://192.168.1.20:8000"]
    assert found["ALLOWED_HOSTS"] == ["192.168.1.20", "localhost", "127.0.0.1", "[::1]"]


def test_https_makes_cookies_secure(tmp_path):
    found = settings_of(tmp_path, SITE_URL="https://club.example/", ALLOWED_HOSTS="old.example")
    assert [found["SESSION_COOKIE_SECURE"], found["CSRF_COOKIE_SECURE"], found["SECURE_SSL_REDIRECT"]] == [True] * 3
    names = [found["SESSION_COOKIE_NAME"], found["CSRF_COOKIE_NAME"]]
    assert names == ["__Host-sessionid", "__Host-csrftoken"]
    assert [settings_of(tmp_path)[name] for name in ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME")] == [
        "sessionid",
        "csrftoken",
    ]
    assert found["SECURE_HSTS_SECONDS"] == 31_536_000
    assert found["SECURE_SSL_HOST"] == "club.example"
    assert found["ALLOWED_HOSTS"] == ["old.example", "club.example", "localhost", "127.0.0.1", "[::1]"]


def test_mail_is_sent_where_the_environment_says_how(tmp_path):
    found = settings_of(
        tmp_path,
        EMAIL_URL="smtp+tls://club%40mail.example:h%2Fush@mail.example:587",
        MAIL_FROM="scores@club.example",
        SITE_URL="https://club.example",
    )
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == ("mail.example", 587, True)
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("club@mail.example", "h/ush")
    assert found["DEFAULT_FROM_EMAIL"] == "scores@club.example"
    assert found["SENDS_MAIL"]
    assert not settings_of(tmp_path)["SENDS_MAIL"]


@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("smtp://mail.example:25", ""),
        ("smtp://club:hush@localhost:25", "hush"),
        ("smtp://club:hush@[::1]:25", "hush"),
        ("smtp+tls://club:a+b%2Fc%3Fd%23e%25@f@mail.example:587", "a+b/c?d#e%@f"),
    ],
)
def test_a_password_goes_out_over_an_encrypted_line_or_to_this_machine(tmp_path, url, password):
    found = settings_of(
        tmp_path,
        EMAIL_URL=url,
        MAIL_FROM="scores@club.example",
        SITE_URL="https://club.example",
        FAULTS_TO="a@b.example",
    )
    assert found["EMAIL_HOST_PASSWORD"] == password


def test_an_at_sign_after_the_databases_host_is_no_fault(tmp_path):
    url = "postgresql://club:hush%231@db.example/club?application_name=scores@club"
    found = settings_of(tmp_path, DATABASE_URL=url)["DATABASES"]["default"]
    assert (found["HOST"], found["PASSWORD"], found["NAME"]) == ("db.example", "hush#1", "club")
    assert settings_of(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/at@home/a.sqlite3")


def test_mail_needs_the_sites_own_address(tmp_path):
    done = load_settings(tmp_path, EMAIL_URL="smtp://mail.example:25", MAIL_FROM="scores@club.example")
    assert done.stderr.splitlines()[-1].endswith("EMAIL_URL needs SITE_URL: mails hold links to the site.")


def test_a_proxy_stands_before_an_https_site_and_clubs_sign_up_there_only_where_told(tmp_path):
    found = settings_of(tmp_path, SITE_URL="https://club.example")
    assert (found["PROXIES"], found["SIGN_UP"]) == (1, False)
    assert settings_of(tmp_path, SITE_URL="https://club.example", SIGN_UP="open")["SIGN_UP"] is True
    assert settings_of(tmp_path, SITE_URL="https://club.example", PROXIES="2")["PROXIES"] == 2
    at_home = settings_of(tmp_path)
    assert (at_home["PROXIES"], at_home["SIGN_UP"]) == (0, True)
    assert settings_of(tmp_path, SITE_URL="http://192.168.1.20:8000")["SIGN_UP"] is True
    assert settings_of(tmp_path, SIGN_UP="closed")["SIGN_UP"] is False
    assert at_home["WEB_PROCESSES"] == 2
    assert settings_of(tmp_path, WEB_CONCURRENCY="8")["WEB_PROCESSES"] == 8


def test_sqlite_waits_and_loses_nothing(tmp_path):
    database = settings_of(tmp_path)["DATABASES"]["default"]
    assert database["NAME"] == str(tmp_path / "clubscore.sqlite3")
    assert database["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "factory": "<class 'clubscore.site.sqlite_file.Connection'>",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
    assert database["CONN_MAX_AGE"] is None


def test_postgresql_keeps_its_connections(tmp_path):
    database = settings_of(tmp_path, DATABASE_URL="postgres://club:hush@db.example:5433/scores")["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["NAME"], database["HOST"], database["PORT"]) == ("scores", "db.example", 5433)
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (None, True)
    assert database["OPTIONS"] == {"server_side_binding": True, "prepare_threshold": 5}


def test_a_pooler_that_knows_no_prepared_statements_can_be_served(tmp_path):
    address = "postgres://club:hush@db.example:5433/scores?server_side_binding=false"
    database = settings_of(tmp_path, DATABASE_URL=address)["DATABASES"]["default"]
    assert database["OPTIONS"]["server_side_binding"] is False


def test_the_key_comes_from_the_environment_or_the_file(tmp_path):
    assert settings_of(tmp_path)["SECRET_KEY"] == ""
    (tmp_path / "secret-key").write_text("k" * 64 + "\n")
    assert settings_of(tmp_path)["SECRET_KEY"] == "k" * 64
    assert settings_of(tmp_path, SECRET_KEY="e" * 50)["SECRET_KEY"] == "e" * 50


def test_a_damaged_key_is_named_and_never_served_with(tmp_path):
    for content in (b"", b"short\n", b"\xff" * 64):
        (tmp_path / "secret-key").write_bytes(content)
        done = subprocess.run(
            [sys.executable, "manage.py", "backup"],
            cwd=ROOT,
            env=environment_of(tmp_path),
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"{tmp_path}/secret-key is damaged. Bring it back, or remove it and start ./run, which makes another: then "
            "everybody signs in once more.\n"
        )


def test_a_key_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "secret-key").mkdir()
    done = subprocess.run(
        [sys.executable, "manage.py", "backup"], cwd=ROOT, env=environment_of(tmp_path), capture_output=True, text=True
    )
    sentence = "cannot be read: Is a directory. Run this as the user that Clubscore runs as.\n"
    assert (done.returncode, done.stderr) == (1, f"{tmp_path}/secret-key {sentence}")


def environment_of(folder):
    kept = {name: value for name, value in os.environ.items() if name not in OWN}
    return {**kept, "CLUBSCORE_VAR": str(folder), "CLUBSCORE_ENV": ""}


def test_nothing_is_served_without_a_key(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    done = subprocess.run(
        [sys.executable, "-c", "import clubscore.site.wsgi"],
        cwd=ROOT,
        env={**environment, "CLUBSCORE_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("The SECRET_KEY setting must not be empty.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        # As the editor of Windows may write it.
        (b"\xef\xbb\xbfSIGN_UP=maybe\r\n", "SIGN_UP must be one of open, closed, not 'maybe'.\n"),
        (b"DATABSE_URL=postgresql://x\n", "line 1: there is no setting DATABSE_URL; docs/settings.md lists them.\n"),
    ],
)
def test_every_command_reads_the_file_and_knows_its_names(tmp_path, text, sentence):
    file = tmp_path / "clubscore.env"
    file.write_bytes(text)
    own = {**environment_of(tmp_path), "CLUBSCORE_ENV": str(file)}
    done = subprocess.run([sys.executable, "manage.py", "reconcile"], cwd=ROOT, env=own, capture_output=True, text=True)
    assert (done.returncode, done.stderr[-len(sentence) :]) == (1, sentence)


UNPACKED = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
FAULT = """
import django
django.setup()
import logging
from django.test import Client
from clubscore.site import urls
from django.urls import path

def broken(request, **parts):
    typed = "Alice Ashworth"
    raise ValueError(f"Key (name)=({typed}) already exists.")

urls.urlpatterns.insert(0, path("invite/<slug:key>/", broken))
client = Client(raise_request_exception=False, REMOTE_ADDR="203.0.113.7", SERVER_NAME="localhost")
client.post("/invite/HUSHHUSHHUSH/?name=Ashworth", {"name": "Alice Ashworth"})
import sentry_sdk
sentry_sdk.flush(10)
"""


def test_faults_go_to_sentry_where_it_is_named_without_what_was_typed(tmp_path, collected_static_files):
    received = []

    class Sentry(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append(UNPACKED[self.headers.get("Content-Encoding")](body).decode())
            self.send_response(200)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Sentry) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        own = {"SENTRY_DSN": f"http://key@127.0.0.1:{server.server_port}/1", "SECRET_KEY": "k" * 60}
        command = [sys.executable, "-c", FAULT]
        environment = {**environment_of(tmp_path), **own, "DJANGO_SETTINGS_MODULE": "clubscore.site.settings"}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=120)
        server.shutdown()
    sent = "\n".join(received)
    assert "ValueError" in sent
    assert "clubscore@" in sent
    assert "/invite/{key}/" in sent
    for word in ("Alice", "Ashworth", "HUSH", "203.0.113.7"):
        assert word not in sent, sent


def test_sentry_needs_its_package(tmp_path):
    code = "import sys; sys.modules['sentry_sdk'] = None; import clubscore.site.settings"
    own = {**environment_of(tmp_path), "SENTRY_DSN": "http://key@127.0.0.1:1/1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=own, capture_output=True, text=True)
    assert "SENTRY_DSN needs its package: stop Clubscore, run './run install', then start it again." in done.stderr
