"""A SQLite file with every table and nothing in it, made once for each state of the migrations and copied from then on.

All migrations take three seconds of a processor, and each process of the tests, and many a command that they start,
begins with an empty database. The file lies in pytest's own folder; Django still looks for migrations it has not had.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import django
from django.conf import settings
from filelock import FileLock

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".pytest_cache" / "migrated"
# What the tables, and the triggers on them, are made from.
MADE_FROM = ("migrations/*.py", "models.py", "database_guards.py")


def digest():
    made = hashlib.sha256(f"{django.__version__} {settings.INSTALLED_APPS}".encode())
    for path in sorted(path for pattern in MADE_FROM for path in (ROOT / "sessions_app").rglob(pattern)):
        made.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return made.hexdigest()[:20]


def copy_migrated(to):
    """Copy the file, made before where it is missing; of several processes one makes it, and the others wait."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{digest()}.sqlite3"
    with FileLock(KEPT / "lock"):
        if not kept.exists():
            for old in KEPT.glob("*.sqlite3"):
                old.unlink()
            _make(kept)
        # What a process of the same number has left when it was killed would be taken for this file's own.
        for left in Path(to).parent.glob(f"{Path(to).name}*"):
            left.unlink()
        shutil.copy(kept, to)


def _make(kept):
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        unfinished = Path(folder) / "clubscore.sqlite3"
        own = {"CLUBSCORE_ENV": "", "CLUBSCORE_VAR": folder, "DATABASE_URL": f"sqlite:///{unfinished}"}
        command = [sys.executable, str(ROOT / "manage.py"), "migrate", "-v0"]
        subprocess.run(command, cwd=ROOT, env={**os.environ, **own, "SECRET_KEY": "k" * 60}, check=True)
        unfinished.replace(kept)
