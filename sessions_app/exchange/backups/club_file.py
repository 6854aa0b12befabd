"""One club's backup: a zip with a file of JSON lines for each table, and a manifest with counts and checksums."""

import hashlib
import json
import os
import zipfile
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from sessions_app.exchange.backups.club_models import accounts_of, club_models, rows_of
from sessions_app.exchange.backups.retention import KEEP, KEEP_DAYS, beside, kept, next_number, rotate, writing_into
from sessions_app.exchange.backups.scratch import one_moment
from sessions_app.models import Club, User

FORMAT = 1


MANIFEST = "manifest.json"


# An installation's rights are not a club's to give.
NOT_OF_A_LOGIN = {"is_superuser", "is_staff"}


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
        with one_moment() as alias, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as file:
            told = {name: _table(file, name, fields, rows) for name, fields, rows in _tables(club, alias)}
            manifest = {
                "format": FORMAT,
                "version": settings.VERSION,
                "migration": newest_migration(alias),
                "made_at": timezone.now().isoformat(),
                "club": {"slug": club.slug, "name": club.name},
                "tables": told,
            }
            file.writestr(MANIFEST, json.dumps(manifest, indent=1))
        beside(path).write_text(json.dumps({"number": next_number(into)}), encoding="utf-8")
        unfinished.rename(path)
    except BaseException:
        for left in (unfinished, beside(path)):
            left.unlink(missing_ok=True)
        raise
    return path, sum(table["rows"] for table in told.values())


def _tables(club, alias):
    logins = [field for field in User._meta.concrete_fields if field.name not in NOT_OF_A_LOGIN]
    yield "user", logins, accounts_of(club.pk, alias)
    for model in club_models():
        yield model._meta.model_name, model._meta.concrete_fields, rows_of(model, club.pk, alias)


def _table(file, name, fields, rows):
    """Write one table; return its number of rows and its checksum."""
    digest, count = hashlib.sha256(), 0
    names = [field.attname for field in fields]
    with file.open(f"{name}.jsonl", "w", force_zip64=True) as out:
        for row in rows.values_list(*names).iterator(chunk_size=2000):
            line = json.dumps(dict(zip(names, row, strict=True)), default=_plain, ensure_ascii=False).encode() + b"\n"
            digest.update(line)
            out.write(line)
            count += 1
    return {"rows": count, "sha256": digest.hexdigest()}


def _plain(value):
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    raise TypeError(f"{value!r} cannot be written as JSON")


def newest_migration(alias: str = "default") -> Any:
    applied = MigrationRecorder.Migration.objects.using(alias).filter(app="sessions_app")
    return applied.order_by("-name").values_list("name", flat=True).first()
