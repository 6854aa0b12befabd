"""An installation of a test's own: a folder and a database, used by commands in processes of their own."""

import subprocess
import sys

from tests.migrated_file import copy_migrated
from tests.test_run import ROOT, clean_environment

KEY = "k" * 60


class Installation:
    def __init__(self, folder, database_url=None):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.url = database_url or f"sqlite:///{folder}/clubscore.sqlite3"
        self.environment = clean_environment(CLUBSCORE_VAR=str(folder), DATABASE_URL=self.url, SECRET_KEY=KEY)
        self.environment["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"

    def manage(self, *arguments, expect=0):
        """Run a command; return what it printed."""
        return self._run([sys.executable, str(ROOT / "manage.py"), *map(str, arguments)], expect)

    def migrate(self):
        """Make every table."""
        if self.url.startswith("sqlite"):
            copy_migrated(self.folder / "clubscore.sqlite3")
        else:
            self.manage("migrate", "-v0")

    def python(self, module, *arguments):
        return self._run([sys.executable, "-m", module, *map(str, arguments)], 0)

    def code(self, lines):
        """Run lines of Python with Django; return what they printed."""
        return self._run([sys.executable, "-c", f"import django\ndjango.setup()\n{lines}"], 0)

    def _run(self, command, expect):
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout if expect == 0 else done.stderr

    def files(self, slug, name="csv"):
        """Return every CSV of a club by its name, as bytes."""
        self.manage("export_club", slug, self.folder / name, "--skip-checks")
        return {path.name: path.read_bytes() for path in sorted((self.folder / name).iterdir())}

    @property
    def backups(self):
        return sorted((self.folder / "backups").glob("*"))
