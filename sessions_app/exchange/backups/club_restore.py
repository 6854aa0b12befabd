"""A club's zip: JSON lines for each table, checksums; importing it, all or nothing, under new ids."""

import hashlib
import json
import os
import re
import zipfile
import zlib
from base64 import b64encode
from collections import Counter
from datetime import date, datetime, time
from decimal import Decimal
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import ForeignKey, JSONField
from django.utils import timezone

from sessions_app.exchange.backups.databases import BackupError, insert, new_ids, one_moment
from sessions_app.exchange.backups.full_backup import pending_migrations
from sessions_app.exchange.backups.retention import KEEP, KEEP_DAYS, facts_file, kept, next_number, rotate, writing_into
from sessions_app.models import Change, Club, Membership, OldAddress, Session, User
from sessions_app.people.clubs import is_slug_taken
from sessions_app.people.transactions import write_transaction
from sessions_app.table.reconcile import compare_session
from sessions_app.table.season_assignment import misplaced_sessions

# Ids in JSON are found by the word they stand under; a list or a dictionary of them likewise.
WORDS = {
    "player": "player",
    "players": "player",
    "merged_into": "player",
    "into": "player",
    "meeting": "meeting",
    "season": "season",
    "session": "session",
    "sessions": "session",
    "user": "user",
    "secretary": "user",
    "invite": "invite",
    "first": "player",
    "second": "player",
    "tables": "player",
    "guests": "player",
    "tally": "tally",
}

JSON_WITH_IDS = {("change", "before"), ("change", "after"), ("command", "body"), ("drawntable", "players")}


def club_models() -> Any:
    """Return the models of a club, each after those it points to."""
    own = {model for model in apps.get_app_config("sessions_app").get_models() if hasattr(model, "CLUB_PATH")}
    own.add(Club)
    points_to = {
        model: {field.related_model for field in foreign_keys(model)} & own - {model}
        for model in sorted(own, key=table_name)
    }
    return list(TopologicalSorter(points_to).static_order())


def table_name(model: Any) -> str:
    """Return the name of a model's table in a club's zip, which stays when the model is renamed."""
    return model._meta.db_table.removeprefix("sessions_app_")


def foreign_keys(model: Any) -> Any:
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def json_fields(model: Any) -> Any:
    return [field for field in model._meta.concrete_fields if isinstance(field, JSONField)]


def rows_of(model: Any, club_id: Any, alias: Any) -> Any:
    """Return a queryset of the club's rows of a model, in the order in which they were made."""
    path = getattr(model, "CLUB_PATH", "pk")
    return model._base_manager.using(alias).filter(**{path: club_id}).order_by("pk")


def accounts_of(club_id: Any, alias: Any) -> list[User]:
    return User.objects.using(alias).filter(memberships__club=club_id).order_by("pk")


def remapped_json(model: Any, field: JSONField, row: dict[str, Any], ids: dict[str, dict[int, int]]) -> Any:
    """Return a JSON value of a row with the ids in it replaced; `ids` maps old to new by model's name."""
    value = row[field.attname]
    if (table_name(model), field.name) not in JSON_WITH_IDS:
        return value
    special = BY_ACTION.get(row["action"]) if model is Change else None
    return special(value, ids) if special else _remapped(value, ids, field.name)


def _remapped(value, ids, word=None):
    if isinstance(value, dict):
        return {key: _remapped(inner, ids, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_remapped(inner, ids, word) for inner in value]
    if type(value) is int and word in WORDS:
        return ids[WORDS[word]].get(value)
    return value


def _player_keys(value, ids):
    """Who is here, by the player's id."""
    return {str(ids["player"].get(int(pk), 0)): here for pk, here in value.items()}


def _tables_of_players(value, ids):
    """Who sits at which table, by the table's number."""
    return {number: _remapped(people, ids, "players") for number, people in value.items()}


def _joined(state, ids):
    """What followed a player who was joined into another: rows by the name of their table, wishes, drawn tables."""
    moved = {name: [ids[name].get(pk, 0) for pk in pks] for name, pks in state.get("moved", {}).items()}
    wishes = [{**_remapped(wish, ids), "wish": ids["pairwish"].get(wish["wish"])} for wish in state.get("wishes", [])]
    drawn = [
        {**_remapped(table, ids), "table": ids["drawntable"].get(table["table"], 0)} for table in state.get("drawn", [])
    ]
    made = {"moved": moved, "wishes": wishes, "drawn": drawn}
    return {name: made[name] if name in made else _remapped({name: value}, ids)[name] for name, value in state.items()}


BY_ACTION = {
    "attendance": _player_keys,
    "fees": _player_keys,
    "subscriptions": _player_keys,
    "reply": _player_keys,
    "places": _tables_of_players,
    "merge": _joined,
    "unmerge": _joined,
}


def remapped_subject(row: Any, ids: Any) -> Any:
    """Return the subject of a line of the log; what is not the club's own any more becomes 0, which nothing has."""
    if row["subject_type"] not in ids or not row["subject_id"].isdecimal():
        return row["subject_id"]
    return str(ids[row["subject_type"]].get(int(row["subject_id"]), 0))


FORMAT = 1
MANIFEST = "manifest.json"

# An installation's rights are not a club's to give.
NOT_OF_A_LOGIN = {"is_superuser", "is_staff"}

# What a secretary does not get of an account: after a restore its owner needs a link for a new password.
WITHHELD = {"password": "!", "email": "", "email_confirmed": False}


def write(club: Club, into: Any, keep: Any = KEEP, days: int = KEEP_DAYS) -> Any:
    """Write a club into a new zip in a folder and let its oldest go; return its path and how many rows it holds."""
    with writing_into(into):
        path, rows = _write(club, into)
    rotate(kept(path), keep, days)
    return path, rows


def _write(club, into):
    path = into / f"{timezone.now():%Y%m%d-%H%M%S}-club-{club.slug}.zip"
    unfinished = path.with_name(f".{path.name}.part")
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        rows = write_zip(club, unfinished)
        facts_file(path).write_text(json.dumps({"number": next_number(into)}), encoding="utf-8")
        unfinished.rename(path)
    except BaseException:
        for left in (unfinished, facts_file(path)):
            left.unlink(missing_ok=True)
        raise
    return path, rows


def write_zip(club: Club, into: Any, moment: Any = one_moment, withheld: dict[str, Any] | None = None) -> int:
    """Write a club's zip into a path or an open file, and return how many rows it holds.

    `moment` holds the database still for it; `withheld` stands in place of some facts of every account.
    """
    with moment() as alias, zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as file:
        tables = {
            name: _table(file, name, fields, rows, withheld if name == "user" else None)
            for name, fields, rows in _tables(club, alias)
        }
        manifest = {
            "format": FORMAT,
            "version": settings.VERSION,
            "migration": newest_migration(alias),
            "made_at": timezone.now().isoformat(),
            "club": {"slug": club.slug, "name": club.name},
            "tables": tables,
        }
        file.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return sum(table["rows"] for table in tables.values())


def _tables(club, alias):
    logins = [field for field in User._meta.concrete_fields if field.name not in NOT_OF_A_LOGIN]
    yield "user", logins, accounts_of(club.pk, alias)
    for model in club_models():
        yield table_name(model), model._meta.concrete_fields, rows_of(model, club.pk, alias)


def _table(file, name, fields, rows, withheld):
    """Write one table; return its number of rows and its checksum."""
    digest, count = hashlib.sha256(), 0
    names = [field.attname for field in fields]
    with file.open(f"{name}.jsonl", "w", force_zip64=True) as out:
        for row in rows.values_list(*names).iterator(chunk_size=2000):
            facts = dict(zip(names, row, strict=True)) | (withheld or {})
            line = json.dumps(facts, default=_plain, ensure_ascii=False).encode() + b"\n"
            digest.update(line)
            out.write(line)
            count += 1
    return {"rows": count, "sha256": digest.hexdigest()}


def _plain(value):
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(f"{value!r} cannot be written as JSON")


def newest_migration(alias: str = "default") -> Any:
    applied = MigrationRecorder.Migration.objects.using(alias).filter(app="sessions_app")
    return applied.order_by("-name").values_list("name", flat=True).first()


# What reading says of parts that are missing, or are not what they should be.
MISSHAPEN = (AttributeError, LookupError, TypeError, ValueError)
MAX_LINE = 20_000_000


def restore(file: Any, slug: str | None = None) -> Any:
    """Take a club in; return sentences about it. BackupError where it cannot be, and then nothing was changed."""
    file = Path(file)
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if pending_migrations():
        raise BackupError("The database is not ready for this version: run 'python manage.py migrate' first.")
    try:
        with zipfile.ZipFile(file) as opened:
            manifest, rows = _read(opened, file.name)
    except BackupError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, *MISSHAPEN) as error:
        raise BackupError(f"{file.name} is not a backup of a club, or is damaged.") from error
    try:
        with write_transaction():
            return _Arrival(manifest, rows, slug).settle()
    except MISSHAPEN as error:
        raise BackupError(f"{file.name} is not a backup of a club, or is damaged.") from error


def _read(opened, name):
    manifest = json.loads(opened.read(MANIFEST))
    if not isinstance(manifest, dict):
        raise ValueError("The manifest is none")
    if manifest.get("format") != FORMAT:
        raise BackupError(f"{name} is in a format that this version does not know.")
    if manifest["migration"] != newest_migration():
        raise BackupError(
            f"{name} was written by another version of Clubscore ({manifest['version']}, {manifest['migration']}). "
            "Update both installations to the same version first."
        )
    rows = {}
    for table, facts in manifest["tables"].items():
        digest, rows[table] = hashlib.sha256(), []
        with opened.open(f"{table}.jsonl") as lines:
            while line := lines.readline(MAX_LINE):
                digest.update(line)
                rows[table].append(json.loads(line))
        if (len(rows[table]), digest.hexdigest()) != (facts["rows"], facts["sha256"]):
            raise BackupError(f"{name} is damaged. Its table {table} has changed since it was written.")
    return manifest, rows


class _Arrival:
    """One club on its way in: the rows of its tables, and what their ids have become here."""

    def __init__(self, manifest: Any, rows: Any, slug: str) -> None:
        self.manifest, self.rows = manifest, rows
        self.notes = []
        [club] = rows["club"]
        self.slug = slug or club["slug"]
        self.ids = {"user": {}}
        self.new_keys = Counter()

    def settle(self) -> Any:
        self._check_slug()
        self._logins()
        for model in club_models():
            name = table_name(model)
            old = [row["id"] for row in self.rows[name]]
            self.ids[name] = dict(zip(old, new_ids(model, len(old)), strict=True))
        for model in club_models():
            self._fill(model)
        club = Club.objects.get(pk=self.ids["club"][self.rows["club"][0]["id"]])
        self._check(club)
        self.notes += [_replaced_keys(*what, times) for what, times in self.new_keys.items()]  # type: ignore[call-arg]
        return [f"{club.name} is at /c/{club.slug}/, with {sum(map(len, self.rows.values()))} rows.", *self.notes]

    def _check_slug(self):
        if not re.fullmatch(r"[a-z0-9-]{1,60}", self.slug):
            raise BackupError("A club's address part has small letters, digits and hyphens only.")
        if is_slug_taken(self.slug):
            raise BackupError(f"There is a club at /c/{self.slug}/ already. Give this one another with --as.")

    def _logins(self):
        """Take over a login that is the same person's here, by its password; otherwise make a new one."""
        fresh = []
        for row in self.rows["user"]:
            same = User.objects.filter(username=row["username"], password=row["password"]).first()
            # A password that was withheld tells nobody from another.
            if same is not None and same.password != WITHHELD["password"]:
                self.ids["user"][row["id"]] = same.pk
            else:
                fresh.append(row)
        for row, pk in zip(fresh, new_ids(User, len(fresh)), strict=True):
            name = self._free_login(row["username"])
            if name != row["username"]:
                self.notes.append(f"{row['username']} is someone else’s username here. In this club it is {name}.")
            self.ids["user"][row["id"]] = pk
            own = {"id": pk, "username": name, "is_staff": False, "is_superuser": False}
            insert(User, [_read_row(User, row | own)])

    def _free_login(self, name):
        number, free = 1, name
        while User.objects.filter(username__iexact=free).exists():
            number += 1
            free = f"{name[:140]}-{number}"
        return free

    def _fill(self, model):
        name = table_name(model)
        rows, later = [], {}
        for old in self.rows[name]:
            row = old | {"id": self.ids[name][old["id"]]}
            for field in foreign_keys(model):
                row[field.attname] = self._pointed(field, old[field.attname])
                if field.related_model is model and row[field.attname] is not None:
                    later[row["id"]] = {field.attname: row[field.attname]}
                    row[field.attname] = None
            for field in json_fields(model):
                row[field.attname] = remapped_json(model, field, old, self.ids)
            rows.append(self._own(model, row))
        insert(model, [_read_row(model, row) for row in rows])
        for pk, values in later.items():
            model._base_manager.filter(pk=pk).update(**values)

    def _pointed(self, field, old):
        if old is None:
            return None
        name = table_name(field.related_model)
        if name == "user":
            # Who has left the club stays in its log by name alone.
            return self.ids["user"].get(old)
        return self.ids[name][old]

    def _own(self, model, row):
        """Give a row what must be the only one of its kind here."""
        if model is Club:
            row["slug"] = self.slug
        if model is Change:
            row["subject_id"] = remapped_subject(row, self.ids)
        for field in model._meta.concrete_fields:
            is_own = field.unique and not (field.primary_key or field.is_relation)
            is_key = is_own and (field.has_default() or field.null) and row[field.attname] is not None
            # An address that a club had before is none that a club has now.
            used_by = [model, Club] if model is OldAddress else [model]
            if is_key and any(
                one._base_manager.filter(**{field.attname: row[field.attname]}).exists() for one in used_by
            ):
                row[field.attname] = field.get_default()
                self.new_keys[field, model] += 1
        return row

    def _check(self, club):
        """Hold what was filled against the file and the ledgers."""
        for model in club_models():
            name, path = table_name(model), getattr(model, "CLUB_PATH", "pk")
            if model._base_manager.filter(**{path: club.pk}).count() != len(self.rows[name]):
                raise BackupError(f"The table {name} is incomplete. Nothing was changed.")
        if not Membership.objects.filter(club=club, role="secretary").exists():
            self.notes.append(f"It has no secretary yet. Run 'manage.py give_login {club.slug} LOGIN secretary'.")
        differences = [f"{session}: its season" for session, _ in misplaced_sessions(club)]
        for pk in Session.objects.filter(club=club, imported=False).order_by("pk").values_list("pk", flat=True):
            differences += compare_session(pk).differences
        self.notes += [f"As it was in the file: {difference}" for difference in differences]


def _read_row(model, row):
    """Return the values of a row as its columns take them."""
    as_they_are = [*json_fields(model), *foreign_keys(model)]
    try:
        return [
            field.get_db_prep_save(value if field in as_they_are else field.to_python(value), connection)
            for field, value in ((field, row[field.attname]) for field in model._meta.concrete_fields)
        ]
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        name = table_name(model)
        raise BackupError(f"A row of {name} in the file cannot be read. Nothing was changed.") from error


def _replaced_keys(field, model, times):
    """Say which keys are others here, as these stand in the addresses of another club."""
    whose = model._meta.verbose_name if times == 1 else model._meta.verbose_name_plural
    return f"Already in use here, so replaced: the {field.verbose_name} of {times} {whose}."
