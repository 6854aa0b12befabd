"""Try Clubscore on Windows' own Python, under Wine: set-up, a hand, a kill, backup, restore, upgrade, quick tests.

`./run windows` calls it. Without Wine, which make.sh installs on Debian and Ubuntu, it says so and leaves the rest out.
"""

import argparse
import hashlib
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock
from playwright.sync_api import expect, sync_playwright

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.tablet import Tablet, screen  # noqa: E402

# What installs, starts, locks and backs up. The digest of these files when the trial last passed is kept beside this.
CONCERNED = (
    "run",
    "*.cmd",
    "manage.py",
    "requirements.lock",
    "clubscore/site/*.py",
    "sessions_app/asgi.py",
    "sessions_app/apps.py",
    "sessions_app/database_state.py",
    "sessions_app/exchange/backups/*.py",
    "sessions_app/management/commands/backup.py",
    "sessions_app/management/commands/migrate.py",
    "sessions_app/management/commands/restore.py",
    "sessions_app/people/transactions.py",
    "tools/windows/*",
)
TRIED = HERE / "tried.txt"
PYTHON = "3.11"
# Apart, as Wine keeps every handle on a locked file open, and one process may have only so many.
QUICK_TESTS = ("engine", "league", "meetings", "people", "rules", "scoring", "table", "")
PATIENCE = 300


class Failure(Exception):
    """What did not work, as one sentence."""


def digest() -> str:
    found = hashlib.sha256()
    for path in sorted({path for pattern in CONCERNED for path in ROOT.glob(pattern)} - {TRIED}):
        if path.is_file():
            found.update(
                f"{path.relative_to(ROOT).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()
            )
    return found.hexdigest()


def say(words: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {words}", flush=True)


class Windows:
    """Python for Windows in a folder of its own, and a copy of Clubscore beside it, as one unpacks it."""

    def __init__(self, folder: Path) -> None:
        self.made = folder / f"python-{PYTHON}"
        self.app = folder / "Zoë’s club"
        self.log = folder / "log.txt"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CLUBSCORE_")}
        self.environment = {**kept, "CLUBSCORE_ENV": "", "LC_ALL": "C.UTF-8"}

    def make(self) -> str:
        """Make Python for Windows, if it is not there; return why it cannot be had, or ""."""
        if not (self.made / "stop").exists() or subprocess.call(
            [self.made / "python", "-V"], stdout=subprocess.DEVNULL
        ):
            shutil.rmtree(self.made, ignore_errors=True)
            done = subprocess.run([HERE / "make.sh", self.made, PYTHON], capture_output=True, text=True)
            if done.returncode:
                return (done.stderr.strip() or done.stdout.strip()).splitlines()[-1]
        self.stop()
        return ""

    def unpack(self) -> None:
        shutil.rmtree(self.app, ignore_errors=True)
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.check_output(listed, cwd=ROOT, text=True).split("\0"):
            if name and (ROOT / name).is_file():
                (self.app / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, self.app / name)

    def begin(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        with self.log.open("a") as log:
            return subprocess.Popen(
                [self.made / "python", *arguments],
                cwd=self.app,
                env={**self.environment, **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            )

    def call(self, *arguments: str, **environment: str) -> str:
        """Run Python; return what it printed. Failure if it fails."""
        command, own = [self.made / "python", *arguments], {**self.environment, **environment}
        done = subprocess.run(command, cwd=self.app, env=own, capture_output=True, encoding="utf-8", errors="replace")
        if done.returncode:
            raise Failure(f"{' '.join(arguments)} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def stop(self) -> None:
        """End all that runs there, at once and unasked, as a power cut does."""
        subprocess.run([self.made / "stop"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @contextmanager
    def served(self, *options: str, **environment: str) -> Iterator[str]:
        """Start `py run`; yield its address, and end it as a power cut does."""
        port = free_port()
        server = self.begin("run", "--port", str(port), *options, **environment)
        try:
            yield self.answering(server, port)
        finally:
            self.stop()
            server.wait(60)

    def answering(self, server: subprocess.Popen[str], port: int) -> str:
        url, give_up = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
        while time.monotonic() < give_up and server.poll() is None:
            try:
                with urllib.request.urlopen(f"{url}/readyz", timeout=5):
                    return url
            except OSError:
                time.sleep(0.5)
        raise Failure(f"{url} did not answer:\n{self.log.read_text(encoding='utf-8', errors='replace')[-3000:]}")


def free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wanted(what: object, words: str) -> None:
    if not what:
        raise Failure(words)


# What is tried


def enter_a_hand(url: str) -> int:
    """Enter a hand at the demonstration club's table in play with a browser; return its number."""
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        one = Tablet(browser.new_context(**screen()), url)
        one.open("/sign-in/")
        for name in ("username", "password"):
            one.page.locator(f"input[name={name}]").fill("demo-scorekeeper")
        one.page.locator("main form button[type=submit]").first.tap()
        one.page.locator('a[href$="/table/"]').first.tap()
        one.follow_to_entry()
        winner = one.page.get_by_role("group", name=re.compile("^Who went Mah.[Jj]ong")).get_by_role("button").first
        name = winner.inner_text().strip().splitlines()[-1]
        winner.tap()
        one.choose_hand(name, "total")
        one.figures("24")
        one.everybody()
        names = [name.strip() for name in one.page.locator(".seat-card .seat-name").all_inner_texts()]
        for other in names:
            if other != name:
                one.choose_hand(other, "nothing")
        save = one.page.get_by_role("button", name=re.compile(r"^Save hand \d+$"))
        number = int(save.inner_text().split()[-1])
        save.tap()
        expect(one.page.locator("#messages")).to_contain_text(f"Hand {number}: ")
        # The tablet shows a hand before the server has it.
        expect(one.page.locator("#saved-words")).to_have_text("All saved")
        wanted(not one.complaints, f"The browser complained: {one.complaints}")
        browser.close()
    return number


def shown_hand(url: str) -> int:
    """Record one hand more from outside, which finds it in the CSV; return its number."""
    done = subprocess.run([sys.executable, ROOT / "tools/try_it.py", "--url", url], capture_output=True, text=True)
    found = re.match(r"Hand (\d+) was recorded", done.stdout)
    if not found:
        raise Failure(f"No hand was recorded: {done.stdout}{done.stderr}")
    return int(found[1])


def starts_and_keeps(windows: Windows) -> None:
    say("py run, from an empty folder to the first page ...")
    begun = time.monotonic()
    with windows.served() as url:
        say(f"It answers after {time.monotonic() - begun:.0f} seconds. A browser enters a hand, and it is killed ...")
        number = enter_a_hand(url)
    say("It starts again ...")
    with windows.served() as url:
        wanted(shown_hand(url) == number + 1, f"Hand {number} was lost.")
        say("Another at the same port is refused; a backup is made and brought back while it serves ...")
        port = url.rpartition(":")[2]
        again = subprocess.run([windows.made / "python", "run", "--port", port], cwd=windows.app, capture_output=True)
        wanted(again.returncode == 1 and b" is in use" in again.stdout, f"Port {port} was given twice.")
        made = windows.call("run", "backup")
        wanted("was restored and is whole" in made, made)
        wanted(shown_hand(url) == number + 2, "After the backup no hand was taken.")
        restored = windows.call("run", "restore", made.partition(" (")[0].strip())
        wanted("is restored" in restored, restored)
        wanted(shown_hand(url) == number + 2, "The backup did not bring the older hands back.")
    say("Over a damaged database ...")
    newest = sorted((windows.app / "var/backups").glob("*-backup.sqlite3"))[-1]
    (windows.app / "var/clubscore.sqlite3").write_bytes(b"damaged" * 5000)
    windows.call("run", "restore", str(newest.relative_to(windows.app)))
    with windows.served() as url:
        wanted(shown_hand(url) == number + 2, "The backup did not replace the damaged database.")


def two_at_once(windows: Windows) -> None:
    say("Two starts at once, without a database ...")
    environment, ports = {"CLUBSCORE_VAR": "two at once"}, (free_port(), free_port())
    servers = [windows.begin("run", "--no-demo", "--port", str(port), **environment) for port in ports]
    try:
        for server, port in zip(servers, ports, strict=True):
            windows.answering(server, port)
    finally:
        windows.stop()
        for server in servers:
            server.wait(60)
    wanted(windows.call("manage.py", "reconcile", **environment, **INSIDE) == "", "Figures differ.")


# The Python of .venv, for what is not called by run.
INSIDE = {"PYTHON": ".venv/Scripts/python.exe", "PYTHONUTF8": "1"}


def upgrades(windows: Windows) -> None:
    say("The installation of 26 November 2026 is upgraded, and exports what it did then ...")
    var = windows.app / "older"
    var.mkdir()
    with (
        zipfile.ZipFile(ROOT / "tests/data/installation-0037.zip") as before,
        closing(sqlite3.connect(var / "clubscore.sqlite3")) as database,
    ):
        database.executescript(before.read("sqlite.sql").decode())
    done = windows.call("run", "upgrade", CLUBSCORE_VAR="older")
    wanted("is whole" in done and "Clubscore is up to date" in done, done)
    wanted(windows.call("manage.py", "reconcile", CLUBSCORE_VAR="older", **INSIDE) == "", "Figures differ.")
    test = "tests/test_migrations.py::test_an_installation_of_migration_0037_is_brought_up_to_date[sqlite]"
    windows.call("-m", "pytest", "-q", "-p", "no:cacheprovider", test, **INSIDE)


def commands_start(windows: Windows) -> None:
    say("run.cmd starts it too, and says where Python is to be had ...")
    base = str(windows.made / "base").replace("/", "\\")
    for path, words in ((f"Z:{base}", "py run restore FILE"), ("Z:\\nowhere", "https://www.python.org/downloads/")):
        wine = {"WINEPREFIX": str(windows.made / "prefix"), "WINEDEBUG": "-all", "WINEPATH": path}
        command = f"cd '{windows.app}' && wine cmd /c run.cmd --help </dev/null 2>&1 | cat"
        printed = subprocess.check_output(["bash", "-c", command], env={**windows.environment, **wine}, text=True)
        wanted(words in printed, f"run.cmd printed {printed}")


def quick_tests(windows: Windows) -> None:
    failed = []
    for name in QUICK_TESTS:
        # Those of no folder last.
        others = [] if name else [f"--ignore=tests/{path.parent.name}" for path in ROOT.glob("tests/*/__init__.py")]
        try:
            done = windows.call(
                "-m", "pytest", "--quick", "-rN", "-p", "no:cacheprovider", f"tests/{name}", *others, **INSIDE
            )
            say(f"The quick tests of tests/{name}: {done.strip().splitlines()[-1]}")
        except Failure as failure:
            failed.append(str(failure))
    wanted(not failed, "\n".join(failed))


def install_for_tests(windows: Windows) -> None:
    say("The packages for the tests, with their hashes ...")
    windows.call("-c", "import runpy; runpy.run_path('run')['install']('requirements-dev.txt')")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="run windows", description=__doc__.partition("\n")[0])
    parser.add_argument("--if-changed", action="store_true", help="only if what it concerns has changed")
    parser.add_argument(
        "--without-tests", action="store_true", help="leave out the quick tests, which concern all code"
    )
    options = parser.parse_args(argv)
    now = digest()
    if options.if_changed and TRIED.exists() and TRIED.read_text(encoding="utf-8").strip() == now:
        print("Nothing that installs, starts, locks or backs up has changed since it was last tried on Windows.")
        return 0
    folder = Path(tempfile.gettempdir()) / "clubscore-windows"
    folder.mkdir(exist_ok=True)
    # Another checkout may be trying it: they share what was made, and would end each other.
    with FileLock(folder / "lock"):
        return try_it(Windows(folder), now, quick=not (options.without_tests or options.if_changed))


def try_it(windows: Windows, now: str, quick: bool) -> int:
    if why := windows.make():
        print(f"Windows is left out, as Wine cannot be had here: {why}")
        return 0
    try:
        windows.unpack()
        commands_start(windows)
        starts_and_keeps(windows)
        two_at_once(windows)
        install_for_tests(windows)
        upgrades(windows)
        TRIED.write_text(f"{now}\n", encoding="utf-8")
        if quick:
            quick_tests(windows)
    except Failure as failure:
        print(failure)
        return 1
    finally:
        windows.stop()
    print("Clubscore works on Windows. Commit tools/windows/tried.txt, so that it is not tried again until it changes.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
