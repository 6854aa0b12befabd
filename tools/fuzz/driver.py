"""Drive Django's test client over every address with generated input, and hold each answer against what must be."""

import io
import json
import random
import re
import sqlite3
import time
import traceback
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from sessions_app.models import Membership
from tests.clubs import MARK, everything_of, furnished, strayed
from tests.reconciled import reconcile

from . import bodies
from .pages import Page
from .report import Report
from .values import FORMULA, SCRIPTS, chance, mutated, text

VIEWS = Path(__file__).parent.parent.parent / "sessions_app"
ASKED_FOR = re.compile(r"(?:GET|POST|_get_list|getlist)\W+(?:get\w*\()?\"([a-z_]+)\"")
METHODS = ("get",) * 30 + ("post",) * 60 + ("head", "put", "patch", "delete", "options", "trace")
TYPES = (
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded; charset=utf-7",
    "",
)
SEATS = '{"E": "1", "S": "2", "W": "3", "N": "4"}'
# After so many requests everything is as at the beginning: most of what can be reached needs people in their roles.
BATCH = 250
ROLES = ("secretary",) * 5 + ("scorekeeper",) * 2 + ("member", "tablet", "nobody")
REFUSED_FROM = 500
# After these someone may be signed out, or in as someone else.
CHANGES_WHO = {
    "sign-in", "sign-out", "sign-out-everywhere", "sign-up", "invite", "account-password", "recover", "hand-over",
    "person-role", "person-remove", "device-sign-out",
    "sign-in-code", "phone-code-off", "person-phone-code-off",
}  # fmt: skip


class Fuzzer:
    def __init__(self, seed):
        self.seed = seed
        self.own, self.other = furnished("Bramley"), furnished("Otley", MARK)
        self.patterns = dict(named())
        self.words = words_asked_for()
        self.theirs = everything_of(self.other.club)
        self.report = Report()
        self.refused = set()
        self.snapshot = sqlite3.connect(":memory:")
        connection.connection.backup(self.snapshot)

    def run(self, requests, part=0, parts=1):
        """Send so many requests, or a part of their batches; a batch depends on the seed and its number alone."""
        began = time.monotonic()
        for first in range(part * BATCH, requests, BATCH * parts):
            self._batch(first // BATCH, min(BATCH, requests - first))
        self.report.seconds = time.monotonic() - began
        return self.report

    def _batch(self, number, requests):
        self.snapshot.backup(connection.connection)
        self.source = random.Random(f"{self.seed}/{number}")
        self.clients = {role: self._client(role) for role in set(ROLES)}
        self.forms = {}
        lines = self.own.club.changes.count()
        for _ in range(requests):
            self._one()
        self.report.written += self.own.club.changes.count() - lines
        self._check_database(number)

    def _client(self, role):
        client = Client()
        user = Membership.objects.filter(club=self.own.club, role=role).select_related("user").first()
        if user:
            client.force_login(user.user)
        elif role == "tablet":
            client.get(reverse("by-key", args=[self.own.scoring_key]))
        return client

    # One request

    def _one(self):
        source = self.source
        name = source.choice(list(self.patterns))
        role = source.choice(ROLES)
        method = source.choice(METHODS)
        if (name, method) in self.refused and chance(source, 95):
            method = "post" if method == "get" else "get"
        sent = {"role": role, "name": name, "method": method, "path": self._path(name)}
        self._send({**sent, **self._input(name), **self._filled_form(sent)})
        if name in CHANGES_WHO and method == "post":
            self.clients = {role: self._client(role) for role in set(ROLES)}

    def _path(self, name):
        """Return an address: mostly the own club's, else with another club's ids or with rubbish in it."""
        arguments = {word: self._argument(word) for word in self.patterns[name].words}
        try:
            return reverse(name, kwargs=arguments)
        except NoReverseMatch:
            path = self.patterns[name].route
            for word, value in arguments.items():
                path = re.sub(rf"<(?:\w+:)?{word}>", lambda found, value=value: quote(str(value), safe=""), path)
            return f"/{path}"

    def _argument(self, word):
        source = self.source
        kind = source.randrange(100)
        if kind < 78:
            return getattr(self.own, word, "MQ")
        if kind < 88 and word not in ("token", "scoring_key"):
            return getattr(self.other, word, "Mg")
        return source.choice((0, 1, 10**12, 10**30, text(source)[:300], "%00", "..", "-"))

    def _filled_form(self, sent):
        """Fill in a form of the page as it is given out, a little wrong; nothing where there is none."""
        if sent["method"] != "post" or chance(self.source, 45):
            return {}
        key = sent["role"], sent["path"]
        if key not in self.forms:
            answer = self._answered({**sent, "method": "get", "fields": {}})
            self.forms[key] = Page(answer.content.decode("utf-8", "replace")).forms if is_page(answer) else []
        posts = [form for form in self.forms[key] if form.method == "post" and not form.action.startswith("/sign-out")]
        if not posts:
            return {}
        form = self.source.choice(posts)
        fields = {}
        for name, value in form.fields:
            if name not in fields or chance(self.source, 30):
                fields[name] = value
        for name in list(fields):
            if chance(self.source, 25):
                fields[name] = mutated(self.source, fields[name])
        return {"path": form.action or sent["path"], "fields": fields, "body": None}

    def _input(self, name):
        """Return what goes with a request besides its path: fields, or a body of some type; and headers."""
        source = self.source
        sent = {"headers": self._headers()}
        if name == "commands" and chance(source, 85):
            ids = source.choice((self.own, self.own, self.own, self.other))
            return sent | {"body": bodies.command(source, ids), "type": "application/json"}
        if chance(source, 4):
            return sent | {"body": text(source), "type": source.choice(TYPES)}
        fields = {source.choice(self.words): self._value() for _ in range(source.randrange(7))}
        if name.startswith("hand-") and chance(source, 50):
            fields |= {"body": json.dumps(bodies.hand(source)), "seats": SEATS}
        if chance(source, 4):
            file = "".join(letter for letter in text(source)[:60] if letter not in "/\\\0").strip(". ") or "x"
            fields["file"] = SimpleUploadedFile(file, text(source).encode("utf-8", "replace"))
        return sent | {"fields": fields}

    def _headers(self):
        source = self.source
        possible = {
            "HX-Request": "true",
            "Accept": source.choice(("application/json", "text/html", text(source)[:80])),
            "X-Forwarded-For": text(source)[:80],
            "Referer": source.choice(SCRIPTS),
            "User-Agent": text(source)[:200],
        }
        return {header: clean_header(value) for header, value in possible.items() if chance(source, 12)}

    def _value(self):
        source = self.source
        if chance(source, 30):
            ids = source.choice((self.own, self.own, self.other))
            return str(
                getattr(
                    ids,
                    source.choice(
                        ("player_id", "season_id", "session_id", "meeting_id", "key", "waiting", "change_id")
                    ),
                )
            )
        if chance(source, 8):
            return [text(source) for _ in range(3)]
        return text(source)

    # What comes back

    def _send(self, sent):
        report = self.report
        report.requests += 1
        report.addresses[sent["name"]] += 1
        began = time.monotonic()
        try:
            answer = self._answered(sent)
        except Exception:
            report.codes[500] += 1
            self._fault("raised", sent, traceback.format_exc())
            return
        took = time.monotonic() - began
        if took > report.slowest[0]:
            report.slowest = took, f"{sent['method'].upper()} {sent['name']}"
        report.codes[answer.status_code] += 1
        if answer.status_code == 405:
            self.refused.add((sent["name"], sent["method"]))
        for fault in faults_of(answer):
            self._fault(fault, sent)

    def _answered(self, sent):
        client = self.clients[sent["role"]]
        method = getattr(client, sent["method"])
        headers = sent.get("headers") or {}
        if sent["method"] == "trace":
            return method(sent["path"], headers=headers)
        if sent.get("body") is not None:
            address = sent["path"]
            if sent["method"] in ("get", "head"):
                return method(address, headers=headers)
            body = sent["body"].encode("utf-8", "replace")
            return client.generic(sent["method"].upper(), address, body, sent["type"], headers=headers)
        return method(sent["path"], sent.get("fields") or {}, headers=headers)

    def _fault(self, what, sent, more=""):
        found = {key: value if len(str(value)) < 3000 else f"{str(value)[:3000]}…" for key, value in sent.items()}
        self.report.faults.append(f"{what}: {found}\n{more}")

    def _check_database(self, number):
        if everything_of(self.other.club) != self.theirs:
            self.report.faults.append(f"batch {number}: another club’s rows were changed")
        if strayed():
            self.report.faults.append(f"batch {number}: {strayed()[:5]}")
        wrong = [line for line in reconcile() if "question" not in line]
        if wrong:
            self.report.faults.append(f"batch {number}: the ledger and its results differ: {wrong[:3]}")


@dataclass(frozen=True)
class Address:
    route: str
    words: tuple


def named(resolver=None, before="", words=()):
    """Yield every address by its name, with its route and the words in it."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern)
        inside = (*words, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            yield from named(pattern, route, inside)
        elif isinstance(pattern, URLPattern):
            yield pattern.name, Address(route, inside)


def words_asked_for():
    """Return every name that a view or a form asks a request for."""
    found = {"key", "after", "body", "seats", "device", "why", "csrfmiddlewaretoken"}
    for path in [path for path in VIEWS.rglob("*.py") if re.search("view|form", str(path.relative_to(VIEWS)))]:
        source = path.read_text(encoding="utf-8")
        found |= set(ASKED_FOR.findall(source))
        found |= set(re.findall(r"^    (\w+) = (?:forms\.|\w*[Ff]ield\(|whole_number\()", source, re.M))
    return sorted(found)


def is_page(answer):
    return answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming


def faults_of(answer):
    """Return what is wrong with an answer, in words."""
    if answer.status_code >= REFUSED_FROM:
        yield f"answered {answer.status_code}"
    if "Content-Security-Policy" not in answer.headers:
        yield "no content security policy"
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if MARK.encode() in content or MARK in str(answer.headers):
        yield "another club’s words"
    target = urlsplit(answer.headers.get("Location", ""))
    if target.netloc or answer.headers.get("Location", "").startswith(("//", "/\\", "\\")):
        yield f"leads to {answer.headers['Location']!r}"
    if is_page(answer):
        yield from (f"not escaped: {stray}" for stray in Page(content.decode("utf-8", "replace")).strays)
    elif any(f",{FORMULA}".encode() in text for text in csv_texts(answer, content)):
        yield "a formula in a CSV file"


def csv_texts(answer, content):
    """Yield the CSV files of an answer as bytes: itself, or those in its zip."""
    kind = answer.headers.get("Content-Type", "")
    if kind.startswith("text/csv"):
        yield content
    elif kind == "application/zip" and zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            yield from (file.read(name) for name in file.namelist() if name.endswith(".csv"))


def clean_header(value):
    """Return what a web server would let through as a header."""
    return "".join(letter for letter in value if " " <= letter <= "~" or "\xa0" <= letter <= "\xff")
