"""Taking a club in from its zip: every row under a new id, into an empty or a used installation, all or nothing."""

import hashlib
import json
import re
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection

from sessions_app.exchange.backups.club_file import FORMAT, MANIFEST, newest_migration
from sessions_app.exchange.backups.club_models import (
    club_models,
    foreign_keys,
    json_fields,
    remapped_json,
    remapped_subject,
)
from sessions_app.exchange.backups.copying import insert, new_ids
from sessions_app.exchange.backups.full_backup import pending_migrations
from sessions_app.exchange.backups.scratch import BackupError
from sessions_app.models import Change, Club, Membership, Session, User
from sessions_app.people.transactions import write_transaction
from sessions_app.table.reconcile import compare_session
from sessions_app.table.season_assignment import misplaced_sessions

# What reading says of parts that are missing, or are not what they should be.
MISSHAPEN = (AttributeError, LookupError, TypeError, ValueError)


LONGEST_LINE = 20_000_000


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
    for table, told in manifest["tables"].items():
        digest, rows[table] = hashlib.sha256(), []
        with opened.open(f"{table}.jsonl") as lines:
            while line := lines.readline(LONGEST_LINE):
                digest.update(line)
                rows[table].append(json.loads(line))
        if (len(rows[table]), digest.hexdigest()) != (told["rows"], told["sha256"]):
            raise BackupError(f"{name} is damaged. Its table {table} has changed since it was written.")
    return manifest, rows


class _Arrival:
    """One club on its way in: the rows of its tables, and what their ids have become here."""

    def __init__(self, manifest: Any, rows: Any, slug: str) -> None:
        self.manifest, self.rows = manifest, rows
        self.told = []
        [club] = rows["club"]
        self.slug = slug or club["slug"]
        self.ids = {"user": {}}
        self.new_keys = Counter()

    def settle(self) -> Any:
        self._check_slug()
        self._logins()
        for model in club_models():
            name = model._meta.model_name
            old = [row["id"] for row in self.rows[name]]
            self.ids[name] = dict(zip(old, new_ids(model, len(old)), strict=True))
        for model in club_models():
            self._fill(model)
        club = Club.objects.get(pk=self.ids["club"][self.rows["club"][0]["id"]])
        self._check(club)
        self.told += [_made_anew(*what, times) for what, times in self.new_keys.items()]  # type: ignore[call-arg]
        return [f"{club.name} is at /c/{club.slug}/, with {sum(map(len, self.rows.values()))} rows.", *self.told]

    def _check_slug(self):
        if not re.fullmatch(r"[a-z0-9-]{1,60}", self.slug):
            raise BackupError("A club's address part has small letters, digits and hyphens only.")
        if Club.objects.filter(slug=self.slug).exists():
            raise BackupError(f"There is a club at /c/{self.slug}/ already. Give this one another with --as.")

    def _logins(self):
        """Take over a login that is the same person's here, by its password; otherwise make a new one."""
        fresh = []
        for row in self.rows["user"]:
            same = User.objects.filter(username=row["username"], password=row["password"]).first()
            if same is not None:
                self.ids["user"][row["id"]] = same.pk
            else:
                fresh.append(row)
        for row, pk in zip(fresh, new_ids(User, len(fresh)), strict=True):
            name = self._free_login(row["username"])
            if name != row["username"]:
                self.told.append(f"{row['username']} is someone else’s username here. In this club it is {name}.")
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
        name = model._meta.model_name
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
        name = field.related_model._meta.model_name
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
            is_key = field.unique and not field.primary_key and field.has_default()
            if is_key and model._base_manager.filter(**{field.attname: row[field.attname]}).exists():
                row[field.attname] = field.get_default()
                self.new_keys[field, model] += 1
        return row

    def _check(self, club):
        """Hold what was filled against the file and the ledgers."""
        for model in club_models():
            name, path = model._meta.model_name, getattr(model, "CLUB_PATH", "pk")
            if model._base_manager.filter(**{path: club.pk}).count() != len(self.rows[name]):
                raise BackupError(f"The table {name} is incomplete. Nothing was changed.")
        if not Membership.objects.filter(club=club, role="secretary").exists():
            self.told.append(f"It has no secretary yet. Run 'manage.py give_login {club.slug} LOGIN secretary'.")
        differences = [f"{session}: its season" for session, _ in misplaced_sessions(club)]
        for pk in Session.objects.filter(club=club, imported=False).order_by("pk").values_list("pk", flat=True):
            differences += compare_session(pk).differences
        self.told += [f"As it was in the file: {difference}" for difference in differences]


def _read_row(model, row):
    """Return the values of a row as its columns take them."""
    as_they_are = [*json_fields(model), *foreign_keys(model)]
    try:
        return [
            field.get_db_prep_save(value if field in as_they_are else field.to_python(value), connection)
            for field, value in ((field, row[field.attname]) for field in model._meta.concrete_fields)
        ]
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        name = model._meta.model_name
        raise BackupError(f"A row of {name} in the file cannot be read. Nothing was changed.") from error


def _made_anew(field, model, times):
    """Say which keys are others here, as these stand in the addresses of another club."""
    whose = model._meta.verbose_name if times == 1 else model._meta.verbose_name_plural
    return f"Already in use here, so replaced: the {field.verbose_name} of {times} {whose}."
