"""One club's backup, a zip with JSON lines for each table and checksums; and restoring it under new ids."""

import hashlib
import json
import re
import zipfile
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from graphlib import TopologicalSorter
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import ForeignKey, JSONField, Model, QuerySet
from django.utils import timezone

from sessions_app.database_state import NOT_READY, pending_migrations
from sessions_app.exchange.backups.databases import insert, snapshot
from sessions_app.exchange.backups.retention import (
    KEPT,
    Backup,
    BackupError,
    new_backup,
    one_at_a_time,
    remove_old,
)
from sessions_app.models import Change, Club, Membership, OldAddress, Session, User
from sessions_app.people.accounts import account_called
from sessions_app.people.clubs import is_slug_taken
from sessions_app.people.transactions import write_transaction
from sessions_app.table.reconcile import compare_session
from sessions_app.table.season_assignment import misplaced_sessions

# The keys in JSON whose values are ids, or lists or dictionaries of ids, with the model that these are of.
WORDS = {
    **{model: model for model in ("player", "meeting", "season", "session", "user", "invite", "tally")},
    **dict.fromkeys(("players", "merged_into", "into", "first", "second", "tables", "guests"), "player"),
    "sessions": "session",
    "secretary": "user",
}

JSON_WITH_IDS = {
    ("change", "before"),
    ("change", "after"),
    ("command", "body"),
    ("drawntable", "players"),
    ("import", "names"),
    ("import", "made"),
    ("import", "tables"),
}


def club_models() -> list[type[Model]]:
    """Return the models with a club's rows, each after those it points to."""
    own = {model for model in apps.get_app_config("sessions_app").get_models() if hasattr(model, "CLUB_PATH")}
    own.add(Club)
    points_to = {
        model: {field.related_model for field in foreign_keys(model)} & own - {model}
        for model in sorted(own, key=table_name)
    }
    return list(TopologicalSorter(points_to).static_order())


def table_name(model: type[Model]) -> str:
    """Return the name of a model's table in the zip."""
    return model._meta.db_table.removeprefix("sessions_app_")


def foreign_keys(model: type[Model]) -> list[ForeignKey]:
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]


def json_fields(model: type[Model]) -> list[JSONField]:
    return [field for field in model._meta.concrete_fields if isinstance(field, JSONField)]


def rows_of(model: type[Model], club_id: int) -> QuerySet:
    """Return a club's rows of a model, in the order in which they were made."""
    path = getattr(model, "CLUB_PATH", "pk")
    return model._base_manager.filter(**{path: club_id}).order_by("pk")


def remapped_json(model: Any, field: JSONField, row: dict[str, Any], ids: dict[str, dict[int, int]]) -> Any:
    """Return a JSON value of a row with new ids; `ids` has the new id by table and old id."""
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
    return {str(ids["player"].get(int(pk), 0)): here for pk, here in value.items()}


def _tables_of_players(value, ids):
    return {number: _remapped(people, ids, "players") for number, people in value.items()}


def _merged(state, ids):
    """Return what moved when a player was merged into another: rows by table, seating requests, drawn tables."""
    moved = {name: [ids[name].get(pk, 0) for pk in pks] for name, pks in state.get("moved", {}).items()}
    wishes = [{**_remapped(wish, ids), "wish": ids["pairwish"].get(wish["wish"])} for wish in state.get("wishes", [])]
    drawn = [
        {**_remapped(table, ids), "table": ids["drawntable"].get(table["table"], 0)} for table in state.get("drawn", [])
    ]
    made = {"moved": moved, "wishes": wishes, "drawn": drawn}
    return {name: made[name] if name in made else _remapped(value, ids, name) for name, value in state.items()}


BY_ACTION = {
    "attendance": _player_keys,
    "fees": _player_keys,
    "subscriptions": _player_keys,
    "reply": _player_keys,
    "places": _tables_of_players,
    "merge": _merged,
    "unmerge": _merged,
}


def remapped_subject(row: dict[str, Any], ids: dict[str, dict[int, int]]) -> str:
    """Return the new subject of a log line; 0, which nothing has, for rows that were deleted since."""
    if row["subject_type"] not in ids or not row["subject_id"].isdecimal():
        return row["subject_id"]
    return str(ids[row["subject_type"]].get(int(row["subject_id"]), 0))


FORMAT = 1
MANIFEST = "manifest.json"

# Rights over the whole installation.
NOT_EXPORTED = {"is_superuser", "is_staff"}

# Replaces these fields of accounts in a secretary's download: their owners then need a link for a new password.
WITHHELD = {"password": "!", "email": "", "email_confirmed": False}


def write(club: Club, into: Path, kept: Sequence[int] = KEPT) -> tuple[Backup, int]:
    """Write a club's backup into a folder and remove its old ones; return it and its number of rows."""
    with one_at_a_time():
        with new_backup(into, f"club-{club.slug}", ".zip") as (unfinished, backup):
            rows = write_zip(club, unfinished)
        remove_old(backup, kept)
    return backup, rows


def write_zip(club: Club, into: Path | BinaryIO, withheld: dict[str, Any] | None = None) -> int:
    """Write a club's zip to a path or an open file; return its number of rows.

    `withheld` replaces fields of every account.
    """
    user_fields = [field for field in User._meta.concrete_fields if field.name not in NOT_EXPORTED]
    accounts = User.objects.filter(memberships__club=club).order_by("pk")
    with snapshot(), zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as file:
        tables = {"user": _table(file, "user", user_fields, accounts, withheld or {})}
        for model in club_models():
            name = table_name(model)
            tables[name] = _table(file, name, model._meta.concrete_fields, rows_of(model, club.pk), {})
        manifest = {
            "format": FORMAT,
            "version": settings.VERSION,
            "migration": newest_migration(),
            "made_at": timezone.now().isoformat(),
            "club": {"slug": club.slug, "name": club.name},
            "tables": tables,
        }
        file.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return sum(table["rows"] for table in tables.values())


def _table(file, name, fields, rows, withheld):
    """Write one table, and return its number of rows and its checksum."""
    digest, number = hashlib.sha256(), 0
    names = [field.attname for field in fields]
    with file.open(f"{name}.jsonl", "w", force_zip64=True) as out:
        for row in rows.values_list(*names).iterator(chunk_size=2000):
            facts = dict(zip(names, row, strict=True)) | withheld
            line = json.dumps(facts, default=_plain, ensure_ascii=False).encode() + b"\n"
            digest.update(line)
            out.write(line)
            number += 1
    return {"rows": number, "sha256": digest.hexdigest()}


def _plain(value: Any) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(f"{value!r} cannot be written as JSON")


def newest_migration() -> str | None:
    applied = MigrationRecorder.Migration.objects.filter(app="sessions_app")
    return applied.order_by("-name").values_list("name", flat=True).first()


def new_ids(model: type[Model], number: int) -> list[int]:
    """Return that many ids that have never been used, in rising order."""
    if not number:
        return []
    table, column = model._meta.db_table, model._meta.pk.column or "id"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [table, column, number]
            )
            return sorted(row[0] for row in cursor.fetchall())
        # Ids of deleted rows are not used again, as the log may still name them.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
    last = row[0] if row else 0
    return list(range(last + 1, last + 1 + number))


# Raised when parts of a file are missing, or are not what they should be.
INVALID = (AttributeError, LookupError, TypeError, ValueError)
# Of a file, unpacked: several times what a large club has in ten years.
MAX_LINE, MAX_UNPACKED = 20_000_000, 1_000_000_000


def restore(file: str | Path, slug: str | None = None) -> list[str]:
    """Restore a club, with another slug if given; return sentences about it. BackupError if nothing was changed."""
    file = Path(file)
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    if pending_migrations(connection):
        raise BackupError(NOT_READY)
    try:
        with zipfile.ZipFile(file) as opened:
            rows = _read(opened, file.name)
    except BackupError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, *INVALID) as error:
        raise BackupError(f"{file.name} is not a backup of a club, or is damaged.") from error
    try:
        with write_transaction():
            return _Restore(rows, slug).run()
    except INVALID as error:
        raise BackupError(f"{file.name} is not a backup of a club, or is damaged.") from error


def _read(opened: zipfile.ZipFile, name: str) -> dict[str, list[dict[str, Any]]]:
    if sum(part.file_size for part in opened.infolist()) > MAX_UNPACKED:
        raise BackupError(f"{name} is larger, unpacked, than a club's backup can be. Nothing was changed.")
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
    rows: dict[str, list[dict[str, Any]]] = {}
    for table, facts in manifest["tables"].items():
        digest, rows[table] = hashlib.sha256(), []
        with opened.open(f"{table}.jsonl") as lines:
            while line := lines.readline(MAX_LINE):
                digest.update(line)
                rows[table].append(json.loads(line))
        if (len(rows[table]), digest.hexdigest()) != (facts["rows"], facts["sha256"]):
            raise BackupError(f"{name} is damaged. Its table {table} has changed since it was written.")
    return rows


class _Restore:
    """Restores one club: `rows` are those of the zip by table, `ids` their new ids by table and old id."""

    def __init__(self, rows: dict[str, list[dict]], slug: str | None) -> None:
        self.rows = rows
        self.notes: list[str] = []
        [club] = rows["club"]
        self.slug: str = slug or club["slug"]
        self.ids: dict[str, dict[int, int]] = {"user": {}}
        self.new_keys: Counter = Counter()

    def run(self) -> list[str]:
        self._check_slug()
        self._restore_accounts()
        for model in club_models():
            name = table_name(model)
            old = [row["id"] for row in self.rows[name]]
            self.ids[name] = dict(zip(old, new_ids(model, len(old)), strict=True))
        for model in club_models():
            self._restore_rows(model)
        club = Club.objects.get(pk=self.ids["club"][self.rows["club"][0]["id"]])
        self._check(club)
        for (field, model), number in self.new_keys.items():
            whose = model._meta.verbose_name if number == 1 else model._meta.verbose_name_plural
            self.notes.append(f"Already in use here, so replaced: the {field.verbose_name} of {number} {whose}.")
        return [f"{club.name} is at /c/{club.slug}/, with {sum(map(len, self.rows.values()))} rows.", *self.notes]

    def _check_slug(self) -> None:
        if not re.fullmatch(r"[a-z0-9-]{1,60}", self.slug):
            raise BackupError("A club's address part has small letters, digits and hyphens only.")
        if is_slug_taken(self.slug):
            raise BackupError(f"There is a club at /c/{self.slug}/ already. Give this one another with --as.")

    def _restore_accounts(self) -> None:
        """Use the account that has the same username and password here; otherwise make a new one."""
        new = []
        for row in self.rows["user"]:
            same = User.objects.filter(username=row["username"], password=row["password"]).first()
            # A password that was withheld does not identify anyone.
            if same is not None and same.password != WITHHELD["password"]:
                self.ids["user"][row["id"]] = same.pk
            else:
                new.append(row)
        for row, pk in zip(new, new_ids(User, len(new)), strict=True):
            name = self._free_username(row["username"])
            if name != row["username"]:
                self.notes.append(f"{row['username']} is someone else’s username here. In this club it is {name}.")
            self.ids["user"][row["id"]] = pk
            new_values = {"id": pk, "username": name, "is_staff": False, "is_superuser": False}
            insert(User, [_read_row(User, row | new_values)])

    def _free_username(self, name):
        names = chain([name], (f"{name[:140]}-{number}" for number in count(2)))
        return next(free for free in names if account_called(free) is None)

    def _restore_rows(self, model: type[Model]) -> None:
        name = table_name(model)
        rows, later = [], {}
        for old in self.rows[name]:
            row = old | {"id": self.ids[name][old["id"]]}
            for field in foreign_keys(model):
                row[field.attname] = self._new_id(field, old[field.attname])
                if field.related_model is model and row[field.attname] is not None:
                    later[row["id"]] = {field.attname: row[field.attname]}
                    row[field.attname] = None
            for json_field in json_fields(model):
                row[json_field.attname] = remapped_json(model, json_field, old, self.ids)
            rows.append(self._with_unique_values(model, row))
        insert(model, [_read_row(model, row) for row in rows])
        for pk, values in later.items():
            model._base_manager.filter(pk=pk).update(**values)

    def _new_id(self, field, old):
        if old is None:
            return None
        name = table_name(field.related_model)
        if name == "user":
            # An account that has left the club is in its log by name only.
            return self.ids["user"].get(old)
        # The log may be about a table that was taken back.
        return self.ids[name][old] if field.db_constraint else self.ids[name].get(old)

    def _with_unique_values(self, model, row):
        """Return a row with new values where another row here has the same key."""
        if model is Club:
            row["slug"] = self.slug
        if model is Change:
            row["subject_id"] = remapped_subject(row, self.ids)
        for field in model._meta.concrete_fields:
            is_own = field.unique and not (field.primary_key or field.is_relation)
            is_key = is_own and (field.has_default() or field.null) and row[field.attname] is not None
            # A club's old address must not be the present one of another.
            models = [model, Club] if model is OldAddress else [model]
            value = {field.attname: row[field.attname]}
            if is_key and any(other._base_manager.filter(**value).exists() for other in models):
                row[field.attname] = field.get_default()
                self.new_keys[field, model] += 1
        return row

    def _check(self, club: Club) -> None:
        """Compare the restored rows with the file and the ledgers."""
        for model in club_models():
            name = table_name(model)
            if rows_of(model, club.pk).count() != len(self.rows[name]):
                raise BackupError(f"The table {name} is incomplete. Nothing was changed.")
        if not Membership.objects.filter(club=club, role="secretary").exists():
            self.notes.append(f"It has no secretary yet. Run 'manage.py give_login {club.slug} LOGIN secretary'.")
        differences = [f"{session}: its season" for session, _ in misplaced_sessions(club)]
        for pk in Session.objects.filter(club=club, imported=False).order_by("pk").values_list("pk", flat=True):
            differences += compare_session(pk).differences
        self.notes += [f"As it was in the file: {difference}" for difference in differences]


def _read_row(model: type[Model], row: dict[str, Any]) -> list[Any]:
    """Return the values of a row for the database."""
    as_they_are = [*json_fields(model), *foreign_keys(model)]
    try:
        return [
            value if field in as_they_are else field.to_python(value)
            for field, value in ((field, row[field.attname]) for field in model._meta.concrete_fields)
        ]
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        name = table_name(model)
        raise BackupError(f"A row of {name} in the file cannot be read. Nothing was changed.") from error
