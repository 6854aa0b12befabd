"""The one command: what it refuses in one sentence, what it makes, and that it makes nothing twice."""

import configparser
import contextlib
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from filelock import FileLock

from clubscore.site import own_address, settings_file
from tests.migrated_file import copy_migrated
from tests.postgres import POSTGRES_WANTED, private_server, server_binaries

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SHIPPED = (
    "run",
    "manage.py",
    *("requirements.txt", "requirements-dev.txt", "requirements-second-opinion.txt"),
    *("requirements.lock", "requirements-dev.lock", "requirements-second-opinion.lock"),
    "clubscore",
    "sessions_app",
    "sample_data",
    "templates",
    "static",
)


def load_run(path=ROOT / "run"):
    loader = SourceFileLoader("run_script", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_script", loader))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


run = load_run()


def copy_of_project(folder):
    folder.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            # With what Python has compiled, as every process would compile it again.
            shutil.copytree(ROOT / name, folder / name)
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture
def installed(tmp_path, collected_static_files):
    """A copy of the project as someone has it who cloned it; its packages and static files are those of the tests."""
    house = copy_of_project(tmp_path / "clubscore")
    (house / ".venv").mkdir()
    # A folder of its own for the stamps, over the packages that are there.
    for entry in Path(sys.prefix).iterdir():
        if entry.suffix != ".stamp":
            (house / ".venv" / entry.name).symlink_to(entry)
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-second-opinion.txt"):
        own = load_run(house / "run")
        own.write_stamp(house / ".venv" / f"{name}.stamp", own.digest_of(own.requirement_files(name)))
    shutil.copytree(ROOT / "staticfiles", house / "staticfiles")
    return house


@pytest.fixture
def migrated(installed):
    """Give that copy its database, for what begins where there is one."""
    (installed / "var").mkdir()
    copy_migrated(installed / "var" / "clubscore.sqlite3")


def call(house, *arguments, **environment):
    command = [sys.executable, str(house / "run"), *arguments]
    return subprocess.run(
        command, env=clean_environment(**environment), cwd="/", capture_output=True, text=True, timeout=300
    )


def clean_environment(**more):
    kept = {name: value for name, value in os.environ.items() if name not in settings_file.NAMES}
    # The settings of a developer are not for the tests either.
    return {**kept, "CLUBSCORE_ENV": "", **more}


def free_port():
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def served(house, *arguments, **environment):
    """Start `./run`; yield its process, the address and what it printed by the time it served."""
    port = free_port()
    log = house.parent / f"served-{port}.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, str(house / "run"), "--port", str(port), *arguments],
            # One web process is enough to see what is served.
            env=clean_environment(**{"WEB_CONCURRENCY": "1", **environment}),
            cwd="/",
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", server, log)
        yield server, f"http://127.0.0.1:{port}", log
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=40)


def wait_for(address, server, log):
    give_up = time.monotonic() + 180
    while time.monotonic() < give_up and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"{address} did not answer:\n{log.read_text()}")


def test_old_pythons_are_told(tmp_path, monkeypatch):
    run.check_python((3, 11, 0))
    run.check_python((4, 0))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(run.Problem, match=r"^Clubscore needs Python 3\.11 or newer, and this is Python 3\.9: install"):
        run.check_python((3, 9, 18, "final", 0))
    # What is there is named, and nothing else.
    for name in ("python3.10", "python3.12"):
        (tmp_path / name).touch(0o755)
    with pytest.raises(run.Problem, match=r"and this is Python 3\.9: start it with 'python3\.12 run'\.$"):
        run.check_python((3, 9, 18, "final", 0))


def pythons(version):
    """Yield the programs of one version of Python: on the path, or kept by pyenv with others."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from kept.glob(f"{version}.*/bin/python")
    yield from Path("/usr/bin").glob(f"python{version}")


@pytest.mark.long
@pytest.mark.parametrize("version", ["2.7", "3.4", "3.6", "3.8", "3.10"])
def test_old_pythons_can_read_it(version):
    python = next(pythons(version), None)
    if python is None:
        pytest.skip(f"Python {version} is not on this machine.")
    done = subprocess.run([python, ROOT / "run"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Clubscore needs Python 3.11 or newer, and this is Python {version}: ")


def test_it_uses_no_grammar_of_newer_pythons():
    # The words are those of Python 2.7 but for what Python 3.4 reads alike: no f-strings, annotations or walrus.
    source = (ROOT / "run").read_text(encoding="ascii")
    assert ' f"' not in source
    assert "->" not in source
    assert ":=" not in source
    assert "print(" not in source


@pytest.mark.long
def test_a_missing_venv_module_is_told():
    run.check_modules(("venv", "ensurepip"))
    with pytest.raises(run.Problem, match=r"module no_such_module is missing: .* 'sudo apt install python3-venv'"):
        run.check_modules(("venv", "no_such_module"))


@pytest.mark.long
def test_a_read_only_folder_is_told(installed):
    done = call(installed, "--no-demo", "--port", str(free_port()), CLUBSCORE_VAR="/proc/clubscore")
    assert done.returncode == 1
    assert done.stderr == "The folder /proc/clubscore cannot be written to: No such file or directory.\n"


def test_a_port_in_use_is_told(installed):
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        done = call(installed, "--port", str(port))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"Port {port} on 127.0.0.1 is in use, perhaps by another Clubscore: choose another with --port.\n"
    )
    assert not (installed / "var").exists()


def test_a_hall_takes_the_next_free_port(capsys):
    """A double-click cannot say another one; a proxy asks for 8000 alone."""
    with contextlib.ExitStack() as stack:
        for port in (8000, 8001):
            with contextlib.suppress(OSError):
                stack.enter_context(closing(socket.create_server(("0.0.0.0", port))))
        port = run.free_port("0.0.0.0", None)
        assert 8002 <= port <= 8009
        assert capsys.readouterr().out == (
            f"Port 8000 is in use, perhaps by another Clubscore on this computer: this one takes {port}.\n"
        )
        for host, asked in (("0.0.0.0", 8000), ("127.0.0.1", None)):
            with pytest.raises(run.Problem, match=r"^Port 8000 on \S+ is in use"):
                run.free_port(host, asked)


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "none"], "a port is a number from 1 to 65535, not none"),
        (["--port", "65536"], "a port is a number from 1 to 65535, not 65536"),
        (["--sideways"], "unrecognized arguments: --sideways"),
        (["--demo", "--no-demo"], "not allowed with argument"),
    ],
)
def test_wrong_options_are_told(arguments, sentence):
    done = call(ROOT, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_an_unknown_address_is_told(installed):
    done = call(installed, "--host", "no-such-host.invalid")
    assert (done.returncode, done.stderr) == (1, "There is no address called no-such-host.invalid on this machine.\n")


@pytest.mark.long
def test_a_wrong_setting_is_told_in_its_own_words(installed):
    done = call(installed, "--port", str(free_port()), SITE_URL="clubscore.example")
    assert done.returncode == 1
    assert done.stderr.startswith("SITE_URL must be http://NAME or https://NAME")
    assert done.stderr.count("\n") == 1


def test_a_wrong_address_of_sentry_is_told_before_anything_is_installed(installed):
    for stamp in (installed / ".venv").glob("*.stamp"):
        stamp.unlink()
    done = call(installed, "--port", str(free_port()), SENTRY_DSN="nonsense")
    sentence = "SENTRY_DSN must be https://KEY@HOST/NUMBER, as Sentry or GlitchTip shows it for a project.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)


def test_a_first_start_without_the_internet_is_told(tmp_path):
    house = copy_of_project(tmp_path / "clubscore")
    # Nobody listens there.
    done = call(house, "install", PIP_INDEX_URL="http://127.0.0.1:1/simple", PIP_RETRIES="1", PIP_NO_CACHE_DIR="1")
    sentence = "This computer has no internet just now. The first start needs it; afterwards it does not.\n"
    assert (done.returncode, done.stderr) == (1, sentence)


@pytest.mark.long
def test_a_database_that_does_not_answer_is_told_without_its_password(installed):
    url = f"postgresql://clubscore:hush@127.0.0.1:{free_port()}/clubscore"
    done = call(installed, "--port", str(free_port()), DATABASE_URL=url)
    assert done.returncode == 1
    assert done.stderr.startswith("The database does not answer: ")
    assert re.search(r"\w[.?]\n$", done.stderr)
    assert "hush" not in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_that_of_the_newest_changes():
    [newest, *_] = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    version, day = newest.split(", ")
    [said] = call(ROOT, "--version").stdout.splitlines()
    assert said.partition(" (commit ")[0] == f"Clubscore {version}"
    assert re.fullmatch(r"\d\d? [A-Z][a-z]+ 20\d\d", day)


def test_the_version_names_the_commit_where_git_fetched_it(installed):
    assert "commit" not in call(installed, "--version").stdout
    git = ["git", "-C", installed, "-c", "user.name=pat", "-c", "user.email=pat@club.example"]
    subprocess.run(["git", "init", "--quiet", installed], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "One"], check=True)
    commit = subprocess.check_output([*git, "rev-parse", "HEAD"], text=True)
    assert call(installed, "--version").stdout.endswith(f" (commit {commit[:8]})\n")


@pytest.mark.skipif(getattr(os, "geteuid", int)() != 0, reason="Only root can give a folder to another user.")
@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_whoever_only_reads_need_not_own_the_folder(installed, asked):
    shutil.chown(installed, "nobody")
    done = call(installed, asked)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_help_names_every_command():
    done = call(ROOT, "--help")
    assert done.returncode == 0
    for words in ("--host", "--port", "--version", "--demo", "--no-demo", "--long"):
        assert words in done.stdout
    commands = set(re.findall(r"^  \./run (\w+)", done.stdout, re.M))
    assert commands | {"serve"} == set(load_run(ROOT / "run").COMMANDS)


def test_every_setting_of_the_document_is_known():
    """Two were once refused in clubscore.env by a ./run that did not know them."""
    named = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.M)
    assert sorted(named) == sorted(settings_file.NAMES)


@pytest.mark.long
def test_a_second_opinion_that_cannot_be_had_is_told_and_no_more(installed, monkeypatch, capsys):
    own = load_run(installed / "run")
    (installed / "requirements-second-opinion.lock").write_text("not-to-be-had @ file:///nowhere/at/all.whl\n")
    own.install("requirements-second-opinion.txt", own.NO_SECOND_OPINION)
    assert "second opinion are left out" in capsys.readouterr().out
    with pytest.raises(own.Problem, match="could not be installed"):
        own.install("requirements-second-opinion.txt")


def test_every_package_is_pinned_with_its_hashes_those_that_others_bring_too():
    versions = {}
    for wanted in sorted(ROOT.glob("requirements*.txt")):
        locked = wanted.with_suffix(".lock").read_text()
        pins = re.findall(
            r"^([a-z0-9.-]+)==(\S+)(?: ; [^\\]+)?((?: ?\\\n    --hash=sha256:[0-9a-f]{64})*)", locked, re.M
        )
        assert pins
        assert [name for name, _, hashes in pins if not hashes] == []
        for name, version, _ in pins:
            assert versions.setdefault(name, version) == version
        for line in wanted.read_text().splitlines():
            if "==" in line:
                name, version = line.partition(";")[0].strip().split("==")
                assert versions[name.partition("[")[0].lower()] == version
        assert "//" not in locked


@pytest.mark.long
@pytest.mark.parametrize(
    "changed",
    [
        "static/web/browser.js",
        "requirements.lock",
        "clubscore/site/static_storage.py",
        "clubscore/engine/answers.py",
        "clubscore/scoring/score.py",
        "clubscore/scoring/rulesets/bmja.py",
        "clubscore/seating_draw/table_sizes.py",
        "clubscore/play/seatings.py",
    ],
)
def test_static_files_are_made_again_when_anything_they_are_made_from_changes(installed, changed):
    """After an upgrade of the draw alone, tablets once went on drawing by the old rules."""
    own = load_run(installed / "run")
    before = own.static_digest()
    assert own.static_digest() == before
    with (installed / changed).open("a") as file:
        file.write("\n")
    assert own.static_digest() != before


@pytest.mark.long
def test_stamps_hold_until_a_file_changes(installed):
    own = load_run(installed / "run")
    files = own.requirement_files("requirements-dev.txt")
    names = ["requirements-dev.txt", "requirements-dev.lock", "requirements.txt", "requirements.lock"]
    assert [Path(name).name for name in files] == names
    before = own.digest_of(files)
    own.write_stamp(installed / "stamp", before)
    assert own.is_stamped(installed / "stamp", own.digest_of(files))
    os.utime(files[1], (0, 0))
    assert own.is_stamped(installed / "stamp", own.digest_of(files))
    Path(files[1]).write_text("Django\n")
    assert not own.is_stamped(installed / "stamp", own.digest_of(files))
    assert not own.is_stamped(installed / "no-stamp", before)


@pytest.mark.long
def test_the_secret_key_is_long_private_and_kept(installed):
    own = load_run(installed / "run")
    (installed / "var").mkdir()
    own.make_secret_key()
    path = installed / "var" / "secret-key"
    first = path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(first.strip()) == 64
    own.make_secret_key()
    assert path.read_text() == first
    assert [entry.name for entry in path.parent.iterdir()] == ["secret-key"]


def test_two_starts_the_second_makes_nothing(installed):
    with served(installed, "--no-demo") as (server, address, log):
        first = log.read_text()
        with urllib.request.urlopen(f"{address}/healthz") as answer:
            assert (answer.status, answer.read()) == (200, b"ok\n")
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
    assert server.returncode == 0
    assert "Making a new database, " in first
    assert f"Clubscore is at {address} (Ctrl-C stops it)." in first
    key = (installed / "var" / "secret-key").read_text()

    with served(installed, "--no-demo") as (server, address, log):
        assert log.read_text() == f"Clubscore is at {address} (Ctrl-C stops it).\n"
    assert (installed / "var" / "secret-key").read_text() == key
    assert not (installed / "var" / "backups").exists()


@pytest.mark.long
def test_a_new_database_gets_the_demonstration_club_once(installed):
    with served(installed) as (_, address, log):
        first = log.read_text()
    assert first.index("Loading the demonstration club ...") < first.index(f"Clubscore is at {address}")
    assert " password " in first
    with served(installed) as (_, address, log):
        assert log.read_text() == f"Clubscore is at {address} (Ctrl-C stops it).\n"


CLOSED = "Only you can add a club (docs/hosting.md). To let anyone register one, set SIGN_UP=open.\n"


@pytest.mark.long
def test_a_site_with_an_address_of_its_own_gets_no_demonstration_club(installed):
    """The command that the README gives for the internet; nobody else on the machine reads the database."""
    folder = installed / "data"
    folder.mkdir(mode=0o755)
    with served(installed, SITE_URL="https://scores.example", CLUBSCORE_VAR=str(folder)) as (_, _, log):
        assert "Loading" not in log.read_text()
        assert CLOSED in log.read_text()
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert {path.name for path in files} >= {"clubscore.sqlite3", "clubscore.sqlite3-wal", "secret-key"}
        assert {path.name: path.stat().st_mode & 0o077 for path in files} == {path.name: 0 for path in files}


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"SITE_URL": "https://scores.example"}, CLOSED),
        ({"SITE_URL": "https://scores.example", "SIGN_UP": "open"}, ""),
        ({"SITE_URL": "https://scores.example", "SIGN_UP": "closed"}, ""),
        ({"SITE_URL": "http://scores.example"}, ""),
    ],
)
def test_that_nobody_can_register_is_said_where_no_setting_says_so(installed, settings, said):
    code = f"import runpy; run = runpy.run_path({str(installed / 'run')!r}); run['start_django'](); "
    environment = clean_environment(CLUBSCORE_VAR=str(installed / "var"), **settings)
    done = subprocess.run(
        [sys.executable, "-c", code + "run['say_who_registers']()"], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, said)


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_a_clock_behind_the_newest_record_is_said_on_start(installed):
    live = installed / "var" / "clubscore.sqlite3"
    made = subprocess.run(
        [sys.executable, installed / "manage.py", "make_club", "Purbeck", "--secretary", "ann"],
        env=clean_environment(SECRET_KEY="k" * 50),
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    with served(installed, "--no-demo") as (_, _, log):
        assert "clock" not in log.read_text()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    with closing(sqlite3.connect(live)) as database:
        # The log cannot be changed otherwise.
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE sessions_app_change SET at = ?", [f"{tomorrow:%Y-%m-%d %H:%M:%S}"])
        database.commit()
    with served(installed, "--no-demo") as (_, _, log):
        assert re.search(
            r"The last record is of \d+ \w+ \d{4}, .* Its clock is wrong: set it before anybody plays\.\n",
            log.read_text(),
        )


@pytest.mark.long
def test_what_it_says_is_a_line_of_json_where_the_log_is(monkeypatch, capsys):
    run.say("Plainly.")
    assert capsys.readouterr().out == "Plainly.\n"
    monkeypatch.setenv("LOG_FORMAT", "json")
    run.say("Clubscore is at http://127.0.0.1:8000 (Ctrl-C stops it).")
    said = json.loads(capsys.readouterr().out)
    assert datetime.fromisoformat(said["at"]) - datetime.now(UTC) < timedelta(seconds=5)
    assert said["message"] == "Clubscore is at http://127.0.0.1:8000 (Ctrl-C stops it)."


@pytest.mark.long
def test_a_hall_gets_no_demonstration_club(installed):
    with served(installed, "--host", "0.0.0.0", PYTHONIOENCODING="utf-8") as (_, address, log):
        printed = log.read_text(encoding="utf-8")
        assert "Loading" not in printed
        # A QR code of 25 squares and its margin, two rows a line.
        code = [line for line in printed.splitlines() if set(line) and set(line) <= set("█▀▄ \xa0")]
        assert [len(line) for line in code] == [33] * 17
        asked = urllib.request.Request(f"{address}/healthz", headers={"Host": "laptop.hall"})
        with urllib.request.urlopen(asked) as answer:
            assert answer.status == 200


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_this_machine_answers_to_its_own_names_only(installed):
    with served(installed, "--no-demo") as (_, address, _):
        asked = urllib.request.Request(f"{address}/sign-in/", headers={"Host": "elsewhere.example"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        assert refused.value.code == 400


@pytest.mark.long
def test_addresses_as_one_types_them():
    assert run.address_of("127.0.0.1", 8000) == "127.0.0.1:8000"
    assert run.address_of("::1", 8000) == "[::1]:8000"
    assert run.hosts_to_open("192.168.1.20", "") == (["192.168.1.20"], "")


def test_a_laptop_without_a_network_is_told_where_the_code_will_be(monkeypatch):
    here = "http://127.0.0.1:8000"
    monkeypatch.setattr(own_address, "own_addresses", lambda: ["192.168.1.20", "10.8.0.2"])
    assert run.hosts_to_open("0.0.0.0", here) == (["192.168.1.20", "10.8.0.2"], "")
    monkeypatch.setattr(own_address, "own_addresses", list)
    assert run.hosts_to_open("0.0.0.0", here) == (
        [],
        "This laptop is not on a network. Join the Wi-Fi that the tablets use. Then open "
        "http://127.0.0.1:8000/your-laptop/ here: it shows the code for the tablets.",
    )


@pytest.mark.usefixtures("migrated")
def test_a_database_is_copied_before_migrations(installed):
    prepare = [sys.executable, "-c", f"import runpy; runpy.run_path({str(installed / 'run')!r})['prepare']()"]
    environment = clean_environment(PYTHONPATH=str(installed))
    database = installed / "var" / "clubscore.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        # No other table points to it, and no other migration needs it.
        connection.execute("DELETE FROM django_migrations WHERE app = 'otp_totp'")
        connection.execute("DROP TABLE otp_totp_totpdevice")
        connection.commit()
    done = subprocess.run(prepare, cwd=installed, env=environment, check=True, capture_output=True, text=True)
    (copy,) = (installed / "var" / "backups").glob("*.sqlite3")
    assert copy.name.endswith("-before-0003_add_timestamps.sqlite3")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert "Backing the database up first ..." in done.stdout
    assert f"{copy} (" in done.stdout
    assert "was restored and is whole" in done.stdout
    assert "Bringing the database up to date: 3 migrations ..." in done.stdout
    with closing(sqlite3.connect(copy)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "django_migrations" in tables
    assert "otp_totp_totpdevice" not in tables


@pytest.mark.long
def test_the_backup_before_an_upgrade_names_the_version_to_go_back_to(installed):
    git = ["git", "-C", installed, "-c", "user.name=pat", "-c", "user.email=pat@club.example"]
    subprocess.run(["git", "init", "--quiet", installed], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "One"], check=True)
    older = call(installed, "--version").stdout.strip()
    commit = re.search(r"\(commit (\w+)\)", older)[1]
    assert call(installed, "upgrade").returncode == 0
    # The newer version has one more migration.
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "Two"], check=True)
    newest = max(path.stem for path in (installed / "sessions_app" / "migrations").glob("0*.py"))
    (installed / "sessions_app" / "migrations" / "9999_later.py").write_text(
        "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
        f"    dependencies = [('sessions_app', '{newest}')]\n"
    )
    done = call(installed, "upgrade")
    assert (done.returncode, done.stderr) == (0, "")
    [copy] = (installed / "var" / "backups").glob("*-before-upgrade*")
    assert copy.name.endswith(f"-before-upgrade-of-{commit}.sqlite3")
    assert f"MB) holds the data of {older}. It was restored and is whole; its scores were not" in done.stdout
    assert call(installed, "--version").stdout.strip() in call(installed, "backup").stdout


@pytest.mark.long
@pytest.mark.parametrize("vendor", ["SQLite", "PostgreSQL"])
def test_two_started_at_once_do_not_migrate_at_once(installed, tmp_path, vendor):
    """Two that remade a table side by side once lost a column of it."""
    with contextlib.ExitStack() as stack:
        url = ""
        if vendor == "PostgreSQL":
            binaries = server_binaries()
            if binaries is None:
                pytest.skip(POSTGRES_WANTED)
            url = stack.enter_context(private_server(binaries))
        environment = clean_environment(DATABASE_URL=url)
        call(installed, "install")
        upgrade = [sys.executable, str(installed / "run"), "upgrade", "--no-backup"]
        started = [
            subprocess.Popen(
                upgrade, env=environment, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        printed = [(*one.communicate(timeout=300), one.returncode) for one in started]
    assert [code for *_, code in printed] == [0] * 3
    faults = [line for _, faults, _ in printed for line in faults.splitlines()]
    assert [line for line in faults if "Another Clubscore is updating the database; waiting for it" not in line] == []
    assert sum("Making a new database, " in said for said, _, _ in printed) == 1
    assert (installed / "var" / "secret-key").exists()


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_a_migration_waits_for_another_process(installed):
    live = installed / "var" / "clubscore.sqlite3"
    with FileLock(f"{live}.migrating") as lock:
        command = [sys.executable, str(installed / "manage.py"), "migrate"]
        with subprocess.Popen(command, env=clean_environment(), cwd="/", stdout=-1, stderr=-1, text=True) as waiting:
            assert "Another Clubscore is updating the database; waiting for it ..." in waiting.stderr.readline()
            assert waiting.poll() is None
            lock.release()
            assert waiting.wait(timeout=60) == 0


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
@pytest.mark.skipif(getattr(os, "geteuid", int)() != 0, reason="Only root can make what others cannot write to.")
@pytest.mark.parametrize("command", [["run", "backup"], ["run", "upgrade"], ["manage.py", "backup"]])
def test_root_makes_nothing_that_the_user_of_the_data_could_not_write_to(installed, command):
    shutil.chown(installed / "var", "nobody")
    script, *more = command
    done = subprocess.run(
        [sys.executable, installed / script, *more], env=clean_environment(), capture_output=True, text=True
    )
    wanted = f"{installed / 'var'} belongs to nobody: run this as nobody, with 'sudo -u nobody' before it.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", wanted)
    assert not (installed / "var" / "backups").exists()


def rows_in(database):
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_no_new_database_is_made_where_there_was_one(installed):
    live = installed / "var" / "clubscore.sqlite3"
    made = call(installed, "backup")
    copy = Path(made.stdout.split(" (")[0])
    live.unlink()
    sentence = f"There is no database at {live}, but there was one, as {copy} shows. Stop Clubscore and restore a"
    for _ in range(2):
        for command in (["--no-demo", "--port", str(free_port())], ["upgrade"]):
            done = call(installed, *command)
            assert (done.returncode, done.stderr.startswith(sentence)) == (1, True), done.stderr
        command = [sys.executable, str(installed / "manage.py"), "migrate"]
        done = subprocess.run(command, env=clean_environment(), cwd="/", capture_output=True, text=True)
        assert (done.returncode, done.stderr.startswith(f"CommandError: {sentence}")) == (1, True), done.stderr
        assert not live.exists() or rows_in(live) == 0
        # Nor where someone has looked for it with SQLite, which makes an empty file.
        live.touch()
    assert call(installed, "restore", str(copy)).returncode == 0
    live.unlink()
    with served(installed, "--no-demo", "--new-database") as (_, _, log):
        assert "Making a new database, " in log.read_text()


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_a_database_of_a_newer_version_is_not_started_on(installed):
    live = installed / "var" / "clubscore.sqlite3"
    with closing(sqlite3.connect(live)) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('sessions_app', '9999_later', '2099-01-01')"
        )
        connection.commit()
    for command in (["--no-demo", "--port", str(free_port())], ["upgrade"]):
        done = call(installed, *command)
        assert (done.returncode, done.stderr) == (
            1,
            "The database was made by a newer version of Clubscore than this one, which does not know its 9999_later. "
            "Fetch that version and start it, or bring a backup of this version back with './run restore FILE'.\n",
        )
    assert call(installed, "backup").returncode == 0


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_a_database_that_is_too_old_is_told_which_version_to_take_first(installed):
    live = installed / "var" / "clubscore.sqlite3"
    with closing(sqlite3.connect(live)) as connection:
        newest = "0037_corrected_totals_keep_their_round"
        assert connection.execute(f"DELETE FROM django_migrations WHERE name >= '{newest}'").rowcount > 1
        connection.commit()
    before = live.read_bytes()
    sentence = (
        "The database is older than 24 November 2026, so take the version of 27 November first, with "
        "'git checkout b33c6e9f && ./run upgrade', and then this one.\n"
    )
    for command in (["--no-demo", "--port", str(free_port())], ["upgrade"]):
        done = call(installed, *command)
        assert (done.returncode, done.stderr) == (1, sentence)
    command = [sys.executable, str(installed / "manage.py")]
    for name, said in (("migrate", sentence), ("reconcile", "The database is not ready for this version: ")):
        done = subprocess.run([*command, name], env=clean_environment(), cwd="/", capture_output=True, text=True)
        assert (done.returncode, done.stderr.startswith(f"CommandError: {said}")) == (1, True), done.stderr
    assert live.read_bytes() == before
    made = call(installed, "backup")
    assert " MB) holds the data of another version. It was restored and is whole; its scores were not" in made.stdout
    restored = call(installed, "restore", made.stdout.split(" (")[0])
    assert restored.returncode == 1
    assert restored.stderr.endswith(f"was not restored. {sentence}")


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_a_database_without_one_of_its_columns_is_not_started_on(installed):
    with closing(sqlite3.connect(installed / "var" / "clubscore.sqlite3")) as connection:
        connection.execute("ALTER TABLE sessions_app_throttle RENAME COLUMN count TO later")
        connection.commit()
    done = call(installed, "--no-demo", "--port", str(free_port()))
    assert (done.returncode, done.stderr) == (
        1,
        "The database lacks sessions_app_throttle.count. Bring a backup back with './run restore FILE'.\n",
    )


def test_backup_upgrade_and_restore_are_one_command_each(installed, migrated):
    made = call(installed, "backup")
    assert made.returncode == 0
    assert made.stdout.endswith(" sessions were worked out again.\n")
    copy = Path(made.stdout.split(" (")[0])
    assert copy.parent == installed / "var" / "backups"
    upgraded = call(installed, "upgrade").stdout
    assert upgraded.endswith("Clubscore is up to date: stop it and start it again.\n")
    assert len(list(copy.parent.glob("*-before-upgrade.sqlite3"))) == 1
    (installed / "var" / "clubscore.sqlite3").unlink()
    done = call(installed, "restore", str(copy))
    assert (done.returncode, done.stdout.startswith(f"{copy} is restored; ")) == (0, True), done.stderr
    nowhere = installed / "no-such-file.zip"
    missing = call(installed, "restore", str(nowhere))
    assert (missing.returncode, missing.stderr) == (1, f"There is no file {nowhere}.\n")


@pytest.mark.long
def test_every_command_finds_the_database_of_the_settings_file(installed, tmp_path):
    """A server's settings stand in one file: a command typed in a shell acts on the same database as the service."""
    settings = installed / "clubscore.env"
    settings.write_text(f"# where all is kept\n\nCLUBSCORE_VAR='{tmp_path}/data'\nLOG_FORMAT=json\n")
    environment = clean_environment()
    del environment["CLUBSCORE_ENV"]

    def command(*arguments, **more):
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], env={**environment, **more}, cwd="/", capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    live = tmp_path / "data" / "clubscore.sqlite3"
    code, said = command(installed / "run", "upgrade")
    assert (code, f"There is no database yet ({live}), so none was backed up.\n" in said) == (0, True), said
    assert f'"message": "Making a new database, {live} ..."}}\n' in said
    assert live.exists()
    code, said = command(installed / "run", "backup", "--if-any", "--into", "copies", CLUBSCORE_CALLED_IN=str(tmp_path))
    assert (code, said.startswith(f"Backing up {live} ...\n{tmp_path}/copies/")) == (0, True), said
    assert not (installed / "var").exists()
    # The environment wins.
    elsewhere = command(installed / "manage.py", "backup", CLUBSCORE_VAR=str(tmp_path / "other"))
    assert elsewhere[0] == 1
    assert elsewhere[1].endswith("CommandError: No backup was made: There is no database yet.\n")

    for wrong, sentence in (
        ("DATABSE_URL=sqlite:///x", "line 1: there is no setting DATABSE_URL; docs/settings.md lists them."),
        ("# first\nSITE_URL", "line 2: a setting is written NAME=value."),
    ):
        settings.write_text(wrong)
        assert command(installed / "run", "upgrade") == (1, f"{settings}, {sentence}\n")
        assert command(installed / "manage.py", "backup") == (1, f"{settings}, {sentence}\n")
    missing = tmp_path / "none.env"
    sentence = f"{missing} cannot be read: No such file or directory.\n"
    for script in ("run", "manage.py"):
        assert command(installed / script, "backup", CLUBSCORE_ENV=str(missing)) == (1, sentence)


@pytest.mark.long
def test_the_service_waits_for_its_database_and_does_not_give_up():
    """A service that fails at once is started five times within ten seconds and then left: it must wait between."""
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    unit = configparser.ConfigParser()
    unit.read_string(textwrap.dedent(text[text.index("    [Unit]") : text.index("Start it, and see")]))
    assert "postgresql.service" in unit["Unit"]["After"].split()
    assert int(unit["Service"]["RestartSec"]) > 2


@pytest.mark.long
@pytest.mark.usefixtures("migrated")
def test_an_upgrade_gets_the_packages_before_its_backup(installed):
    """The new version makes the backup, and may need a package that the old one did not."""
    (installed / ".venv" / "requirements.txt.stamp").unlink()
    # Stands where pip does: it brings what the code needs.
    packages = installed / "packages"
    (installed / "sessions_app" / "__init__.py").write_text("import new_package\n")
    (packages / "pip").mkdir(parents=True)
    brought = f"open({str(packages / 'new_package.py')!r}, 'w').close()\n"
    (packages / "pip" / "__init__.py").touch()
    (packages / "pip" / "__main__.py").write_text(brought)
    done = call(installed, "upgrade", PYTHONPATH=str(packages))
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((installed / "var" / "backups").glob("*-before-upgrade.sqlite3"))) == 1


@pytest.mark.long
def test_from_nothing_with_its_own_packages(tmp_path):
    house = copy_of_project(tmp_path / "clubscore")
    (house / "var").mkdir()
    copy_migrated(house / "var" / "clubscore.sqlite3")
    done = call(house, "upgrade")
    assert done.returncode == 0, done.stderr
    said = ["Making", "Installing", "Backing", "Collecting", "Clubscore"]
    assert [word for word in (line.split()[0] for line in done.stdout.splitlines()) if word[0] != "/"] == said
    assert len(list((house / "var" / "backups").glob("*-before-upgrade.sqlite3"))) == 1
    assert call(house, "install").stdout == ""
