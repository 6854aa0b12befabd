"""Backups of the whole database: online, tried out, kept in turn, restored in one command, on both databases."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from sessions_app.exchange.backups import databases
from sessions_app.exchange.backups import retention as kept
from sessions_app.exchange.backups.retention import BackupError
from sessions_app.management.commands.backup import span, whole_number
from tests.test_run import ROOT

from .installation import Installation


def only(backups, ending):
    [one] = [path for path in backups if path.name.endswith(ending)]
    return one


def rows_of(path, table="sessions_app_change"):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]


def test_a_backup_is_tried_out_and_restores_what_was_there(rich):
    said = rich.manage("backup")
    copy = only(rich.backups, "-backup.sqlite3")
    assert said.startswith(f"{copy} (")
    assert said.endswith("rows) was restored and is the same.\n")
    assert copy.stat().st_mode & 0o777 == 0o600
    answer = json.loads(copy.with_name(f"{copy.name}.json").read_text())
    assert (answer["verified"], answer["differences"]) == (True, 0)
    assert answer["replayed"] == answer["sessions"] == rows_of(copy, "sessions_app_session WHERE NOT imported")
    lines = rows_of(copy)
    rich.manage("give_login", "demonstration", "later", "member")
    assert rows_of(rich.folder / "clubscore.sqlite3") == lines + 1
    said = rich.manage("restore", copy)
    assert said.splitlines()[-1] == f"{copy} is restored."
    assert rows_of(rich.folder / "clubscore.sqlite3") == lines
    assert rows_of(only(rich.backups, "-before-restore.sqlite3")) == lines + 1
    assert rich.files("demonstration", "again") == rich.csv


def test_of_very_many_sessions_some_are_reckoned_anew_and_the_backup_says_so(rich):
    lines = """
from django.core.management import call_command
from sessions_app.exchange.backups import full_backup as whole, retention as kept
whole.REPLAYED = 3
call_command("backup")
call_command("restore", str(kept.full_backups()[0].path))
call_command("backup", "--all")
"""
    some, _, restored, every = rich.code(lines).splitlines()
    sessions = rows_of(rich.folder / "clubscore.sqlite3", "sessions_app_session WHERE NOT imported")
    assert sessions > 3
    sentence = f"; of its {sessions} sessions the newest 1 and 2 others were replayed again"
    assert some.endswith(f" rows) was restored and is the same{sentence}.")
    assert restored.endswith(f" is restored{sentence}. 'manage.py reconcile' checks them all.")
    assert every.endswith(" rows) was restored and is the same.")


def test_the_log_cannot_be_changed_after_a_restore(rich):
    rich.manage("backup")
    rich.manage("restore", only(rich.backups, "-backup.sqlite3"))
    with closing(sqlite3.connect(rich.folder / "clubscore.sqlite3")) as connection:
        for statement in ("UPDATE sessions_app_change SET name = ''", "DELETE FROM sessions_app_change"):
            with pytest.raises(sqlite3.IntegrityError, match="The log is append-only"):
                connection.execute(statement)


def test_restoring_into_nothing(rich, tmp_path):
    rich.manage("backup")
    copy = only(rich.backups, "-backup.sqlite3")
    fresh = Installation(tmp_path / "fresh")
    assert fresh.manage("restore", copy) == f"{copy} is restored.\n"
    assert fresh.files("demonstration") == rich.csv


def test_restoring_over_a_broken_file(rich):
    rich.manage("backup")
    copy = only(rich.backups, "-backup.sqlite3")
    (rich.folder / "clubscore.sqlite3").write_bytes(b"not a database at all" * 1000)
    rich.manage("restore", copy)
    assert rich.files("demonstration", "again") == rich.csv
    assert (rich.folder / "clubscore.sqlite3.broken").read_bytes().startswith(b"not a database")


def test_a_damaged_backup_is_refused_and_nothing_changes(rich):
    rich.manage("backup")
    copy = only(rich.backups, "-backup.sqlite3")
    whole_file = copy.read_bytes()
    for harmed in (whole_file[:-4096], b"x" * 9000, whole_file[:-1] + b"x"):
        copy.write_bytes(harmed)
        assert "has been changed since it was made, or is damaged" in rich.manage("restore", copy, expect=1)
    copy.unlink()
    assert f"There is no file {copy}." in rich.manage("restore", copy, expect=1)
    assert rich.files("demonstration", "again") == rich.csv


def test_a_file_that_never_was_a_backup_is_refused(rich, tmp_path):
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE something (id INTEGER)")
    assert "other.sqlite3 is not a backup of Clubscore." in rich.manage("restore", other, expect=1)
    (tmp_path / "text.sqlite3").write_text("hello" * 100)
    assert "text.sqlite3 is not a database" in rich.manage("restore", tmp_path / "text.sqlite3", expect=1)
    (tmp_path / "some.dump").write_text("hello")
    assert "Its name would end in .sqlite3" in rich.manage("restore", tmp_path / "some.dump", expect=1)


def test_a_backup_made_while_others_write_is_of_one_moment(rich):
    """Someone moves points between two rows all the while: in every copy their sum is the same."""
    live = rich.folder / "clubscore.sqlite3"
    with closing(sqlite3.connect(live)) as connection:
        connection.execute("CREATE TABLE trial (id INTEGER PRIMARY KEY, points INTEGER)")
        connection.executemany("INSERT INTO trial VALUES (?, 1000)", [(n,) for n in range(1, 3)])
        connection.commit()
    stop, moved = threading.Event(), []

    def move():
        with closing(sqlite3.connect(live, timeout=30, isolation_level=None)) as connection:
            while not stop.is_set():
                connection.executescript(
                    "BEGIN IMMEDIATE; UPDATE trial SET points = points - 1 WHERE id = 1;"
                    "UPDATE trial SET points = points + 1 WHERE id = 2; COMMIT;"
                )
                moved.append(1)

    mover = threading.Thread(target=move)
    mover.start()
    try:
        for _ in range(3):
            rich.manage("backup")
    finally:
        stop.set()
        mover.join()
    copies = [path for path in rich.backups if path.name.endswith(".sqlite3")]
    assert len(moved) > 10
    assert len(copies) == 3
    for copy in copies:
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT SUM(points) FROM trial").fetchone() == (2000,)


def test_the_oldest_go_and_those_made_for_another_reason_stay(rich):
    rich.manage("backup", "--why", "before-upgrade")
    for _ in range(2):
        rich.manage("backup", "--keep", "1")
    lying = [path.name[16:] for path in rich.backups if path.name not in ("latest.json", ".lock")]
    assert lying == [
        "before-upgrade.sqlite3", "before-upgrade.sqlite3.json", "backup.sqlite3", "backup.sqlite3.json",
    ]  # fmt: skip


def test_where_there_is_nothing_to_back_up(tmp_path):
    empty = Installation(tmp_path / "empty")
    assert "No backup was made: There is no database yet." in empty.manage("backup", expect=1)
    said = empty.manage("backup", "--if-any")
    assert said == f"There is no database yet ({empty.folder}/clubscore.sqlite3), so none was backed up.\n"


def test_a_copy_that_is_not_like_the_original_is_told():
    same, was, now = {"c": [0, "0"]}, {"a": [3, "x"], "b": [1, "x"]}, {"a": [2, "x"], "b": [1, "y"]}
    with pytest.raises(BackupError) as refused:
        databases.compare(was | same, now | same)
    assert str(refused.value) == "The copy is not like the original: a (3 rows, then 2), b (1 rows, then 1)."


def test_a_fingerprint_asks_for_no_order_and_sees_a_row_that_comes_twice():
    one, other = [(1, "a"), (2, "b")], [(2, "b"), (1, "a")]
    assert databases.fingerprint(one) == databases.fingerprint(other)
    assert databases.fingerprint([(1, "a"), (1, "a")]) != databases.fingerprint([])
    assert databases.fingerprint(one)[0] == 2


def test_times_and_numbers_of_the_command():
    assert span("24h") == timedelta(days=1)
    assert span("7d") == timedelta(days=7)
    assert span("30m") == timedelta(minutes=30)
    assert whole_number("0") == 0
    for wrong in ("", "0h", "24", "h", "-1h", "1.5h"):
        with pytest.raises(Exception, match="is not a time"):
            span(wrong)


def test_a_backup_by_the_clock_goes_on_after_a_failure(tmp_path):
    """`--every` says why none was made and tries again; it ends only when it is stopped."""
    empty = Installation(tmp_path / "empty")
    live = empty.folder / "clubscore.sqlite3"
    command = [sys.executable, str(ROOT / "manage.py"), "backup", "--every", "1h"]
    for content, found in ((b"", "There is no database yet."), (b"no database" * 1000, "file is not a database.")):
        live.write_bytes(content)
        with subprocess.Popen(command, env=empty.environment, cwd=ROOT, stderr=subprocess.PIPE, text=True) as waiting:
            assert waiting.stderr.readline() == f"No backup was made: {found}\n"
            assert waiting.poll() is None
            waiting.kill()
        failed = json.loads((empty.folder / "backups" / "latest.json").read_text())["failed"]
        assert failed["sentence"] == found


def small_files(home, limit, *arguments):
    """Run a command for which no file may grow beyond a number of bytes, as on a full disk; return how it ended."""

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env=home.environment, preexec_fn=limited, capture_output=True, text=True, timeout=120
    )


def test_where_no_backup_of_what_is_there_can_be_made_nothing_is_restored(rich, tmp_path):
    """The disk is full: what is there stays byte for byte, and no half of a backup is left."""
    small = Installation(tmp_path / "small")
    small.migrate()
    live, copy = rich.folder / "clubscore.sqlite3", small.folder / "clubscore.sqlite3"
    before, limit = live.read_bytes(), copy.stat().st_size + 50_000
    assert len(before) > limit + 50_000
    done = small_files(rich, limit, ROOT / "manage.py", "restore", copy)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "CommandError: What is there now could not be backed up first, so nothing was changed: "
    )
    assert live.read_bytes() == before
    done = small_files(rich, limit, ROOT / "manage.py", "backup")
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: No backup was made: ")
    assert [path.name for path in rich.backups] == ["latest.json"]


def test_a_disk_that_fills_while_a_backup_is_put_in_place_harms_nothing(rich, tmp_path):
    small = Installation(tmp_path / "small")
    small.migrate()
    live, large = small.folder / "clubscore.sqlite3", rich.folder / "clubscore.sqlite3"
    before = live.read_bytes()
    assert large.stat().st_size > len(before) + 100_000
    put = (
        "import django, sys; django.setup(); from pathlib import Path;"
        "from sessions_app.exchange.backups import sqlite;"
        "from sessions_app.exchange.backups.databases import BackupError\n"
        "try: sqlite.replace(Path(sys.argv[1]))\n"
        "except BackupError as error: sys.exit(str(error))"
    )
    small.environment["DJANGO_SETTINGS_MODULE"] = "clubscore.settings"
    done = small_files(small, len(before) + 50_000, "-c", put, large)
    assert done.returncode == 1
    assert done.stderr.startswith("The backup could not be put in place; nothing was changed: ")
    assert live.read_bytes() == before
    assert not (small.folder / "clubscore.sqlite3.broken").exists()


def test_a_backup_of_a_newer_version_is_refused(rich):
    newer = rich.folder / "20990101-000000-backup.sqlite3"
    shutil.copyfile(rich.folder / "clubscore.sqlite3", newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('sessions_app', '9999_later', '2099-01-01')"
        )
        connection.commit()
    printed = rich.manage("restore", newer, expect=1)
    assert "was made by a newer version of Clubscore than this one" in printed
    assert "its 9999_later" in printed
    assert rich.files("demonstration", "again") == rich.csv


def test_what_was_made_before_changes_is_one_kind_and_nothing_grows_too_old(tmp_path):
    """Every change comes but once: without this the backups made before changes would never go."""
    day = datetime(2026, 11, 22, 3, 30, tzinfo=UTC)

    def made(days_ago, why, ending="sqlite3"):
        path = tmp_path / f"{day - timedelta(days=days_ago):%Y%m%d-%H%M%S}-{why}.{ending}"
        path.write_bytes(b"x")
        kept.facts_file(path).write_text("{}")
        return kept.read_backup(path)

    for number in range(1, 6):
        made(number, f"before-000{number}_change")
        made(number, "club-purbeck", "zip")
    made(400, "backup"), made(400, "club-wareham", "zip"), made(3, "backup")
    kept.rotate(made(0, "before-restore"), keep=2)
    before = [one.why for one in kept.all_backups(tmp_path) if one.kind[1] == "before"]
    assert before == ["before-restore", "before-0001_change"]
    assert [(day - one.made_at).days for one in kept.full_backups(tmp_path) if one.why == "backup"] == [3]
    kept.rotate(made(0, "club-purbeck", "zip"), keep=2)
    zips = [(one.why, (day - one.made_at).days) for one in kept.all_backups(tmp_path) if not one.is_full]
    assert zips == [("club-purbeck", 0), ("club-purbeck", 1), ("club-wareham", 400)]
    assert all(kept.facts_file(one.path).exists() for one in kept.all_backups(tmp_path))
    assert len(list(tmp_path.iterdir())) == 2 * len(kept.all_backups(tmp_path))


DAY = datetime(2026, 11, 22, 3, 30, tzinfo=UTC)


def made_on(folder, day, why="backup", number=None, ending="sqlite3"):
    """Lay a backup into a folder that the clock dated so; one with a number knows its place in the order."""
    path = folder / f"{day:%Y%m%d-%H%M%S}-{why}.{ending}"
    path.write_bytes(b"x")
    kept.facts_file(path).write_text(json.dumps({"number": number} if number else {}))
    return kept.read_backup(path)


@pytest.mark.parametrize("numbered", [False, True])
def test_backups_dated_ahead_do_not_drive_out_a_new_one(tmp_path, numbered):
    """The clock was ten years ahead for three weeks and was set right again."""
    for number in range(20):
        made_on(tmp_path, DAY + timedelta(days=3650 + number), number=numbered and number + 1)
    new = made_on(tmp_path, DAY, number=21)
    kept.rotate(new)
    assert new.path.exists()
    # Their numbers say which is the oldest of them; without, none is known to be older than the new one.
    assert len(kept.full_backups(tmp_path)) == (14 if numbered else 21)
    assert "Check the clock." in kept.clock_warning(tmp_path)
    assert new.path.name in kept.clock_warning(tmp_path)


@pytest.mark.parametrize("numbered", [False, True])
def test_a_clock_far_ahead_makes_no_backup_too_old(tmp_path, numbered):
    for number in range(5):
        made_on(tmp_path, DAY + timedelta(days=number), "before-upgrade", number=numbered and number + 1)
    for number in range(5, 9):
        made_on(tmp_path, DAY + timedelta(days=number), number=numbered and number + 1)
    assert kept.clock_warning(tmp_path) == ""
    for number in (10, 11):
        kept.rotate(made_on(tmp_path, DAY + timedelta(days=390 + number), number=number))
        assert len(kept.full_backups(tmp_path)) == number
        assert "20271227-033000-backup.sqlite3 was made after 20261130-033000-backup" in kept.clock_warning(tmp_path)
    # Set right again: the next one stays too, and still nothing is too old.
    kept.rotate(made_on(tmp_path, DAY + timedelta(days=9), number=12))
    assert len(kept.full_backups(tmp_path)) == 12
    assert "20261201-033000-backup.sqlite3 was made after 20271228-033000-backup" in kept.clock_warning(tmp_path)


def test_a_clock_that_fell_back_does_not_make_the_newest_the_oldest(tmp_path):
    """A computer without a battery begins in 2020: its backups are numbered on, and go in that order."""
    for number in range(1, 4):
        made_on(tmp_path, DAY + timedelta(days=number), number=number)
    for number in range(4, 7):
        kept.rotate(made_on(tmp_path, datetime(2020, 1, number, tzinfo=UTC), number=number), keep=4)
    assert [one.number for one in kept.full_backups(tmp_path)] == [6, 5, 4, 3]
    kept.rotate(made_on(tmp_path, DAY + timedelta(days=9), number=7), keep=4)
    assert [one.number for one in kept.full_backups(tmp_path)] == [7, 6, 5, 4]


def test_a_name_that_is_no_date_is_no_backup(tmp_path):
    made_on(tmp_path, DAY)
    (tmp_path / "20269999-999999-backup.sqlite3").write_bytes(b"x")
    assert len(kept.full_backups(tmp_path)) == 1


def test_the_command_tells_of_a_clock_that_jumped(rich):
    """Enough files dated ahead once drove out each new backup at once, while the command said that all was well."""
    (rich.folder / "backups").mkdir()
    for number in range(15):
        made_on(rich.folder / "backups", datetime(2099, 1, 1 + number, tzinfo=UTC))
        made_on(rich.folder / "backups", datetime(2099, 1, 1 + number, tzinfo=UTC), "club-demonstration", ending="zip")
    for command in (["backup"], ["backup", "--club", "demonstration"]):
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *command],
            cwd=ROOT, env=rich.environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        path = Path(done.stdout.split(" ")[0])
        assert path.exists()
        assert kept.read_backup(path).number
        assert "-backup.sqlite3 was made after 20990115-000000-club-demonstration.zip. Check the clock." in done.stderr
    assert len(kept.all_backups(rich.folder / "backups")) == 32
    assert kept.read_backup(path).number == 2


def backing_up(home, tmp, *arguments, before=()):
    """Start a backup and wait until it is tried out, its copy and a scratch copy half used."""
    tmp.mkdir(exist_ok=True)
    going_on = subprocess.Popen(
        [*before, sys.executable, str(ROOT / "manage.py"), "backup", *arguments],
        cwd=ROOT,
        env={**home.environment, "TMPDIR": str(tmp)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    give_up = time.monotonic() + 60
    while not list(tmp.glob("clubscore-scratch-*/scratch.sqlite3")):
        assert going_on.poll() is None, going_on.communicate()
        assert time.monotonic() < give_up
        time.sleep(0.005)
    return going_on


def test_two_begun_in_one_second_have_two_names(tmp_path, monkeypatch):
    monkeypatch.setattr(kept.timezone, "now", lambda: datetime(2026, 11, 24, 19, 30, 5, tzinfo=UTC))
    first = kept.free_path(tmp_path, "backup", ".zip")
    with kept.new_backup(first):
        second = kept.free_path(tmp_path, "backup", ".zip")
        with kept.new_backup(second):
            assert (first.name, second.name) == ("20261124-193005-backup.zip", "20261124-193006-backup.zip")
    assert sorted(path.name for path in tmp_path.glob("*.zip")) == [first.name, second.name]


def half_made(home, tmp):
    return sorted(path.name[-5:] for path in [*(home.folder / "backups").glob(".2*"), *tmp.iterdir()])


def test_what_a_killed_backup_leaves_goes_with_the_next_one(rich, tmp_path):
    tmp = tmp_path / "tmp"
    with backing_up(rich, tmp) as killed:
        killed.kill()
    found = rich.folder / "backups" / "20260101-000000-backup.sqlite3.json"
    found.write_text("{}")
    assert len(half_made(rich, tmp)) == 2
    rich.environment["TMPDIR"] = str(tmp)
    rich.manage("backup", "--club", "demonstration")
    assert [path.parent for path in [*tmp.iterdir(), *(rich.folder / "backups").glob(".2*")]] == [tmp]
    rich.manage("backup")
    assert half_made(rich, tmp) == []
    assert not found.exists()


def test_a_backup_that_is_being_made_is_left_alone_by_another(rich, tmp_path):
    tmp = tmp_path / "tmp"
    with backing_up(rich, tmp) as slow:
        slow.send_signal(signal.SIGSTOP)
        rich.environment["TMPDIR"] = str(tmp)
        try:
            rich.manage("backup")
        finally:
            # Otherwise a failure would wait for it forever.
            slow.send_signal(signal.SIGCONT)
        said, faults = slow.communicate(timeout=120)
    assert (slow.returncode, faults) == (0, "")
    assert said.endswith("rows) was restored and is the same.\n")
    assert len([path for path in rich.backups if path.suffix == ".sqlite3"]) == 2


def test_a_backup_asked_to_end_leaves_nothing(rich, tmp_path):
    tmp = tmp_path / "tmp"
    with backing_up(rich, tmp) as ended:
        ended.terminate()
    assert ended.returncode == 128 + signal.SIGTERM
    assert half_made(rich, tmp) == []


def test_as_process_1_of_a_container_it_ends_when_asked(rich, tmp_path):
    """A container's process 1 is sent SIGTERM, which does nothing where nobody listens, and is killed after a while."""
    unshare = ["unshare", "--pid", "--fork", "--kill-child"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        pytest.skip("Making a namespace of processes needs the administrator's rights.")
    with backing_up(rich, tmp_path / "tmp", "--every", "1h", before=unshare) as outside:
        assert outside.stdout.readline().endswith("rows) was restored and is the same.\n")
        [inside] = Path(f"/proc/{outside.pid}/task/{outside.pid}/children").read_text().split()
        os.kill(int(inside), signal.SIGTERM)
        try:
            assert outside.wait(timeout=20) == 0
        finally:
            outside.kill()


@pytest.mark.parametrize(
    "smuggled",
    [
        "CREATE TRIGGER later AFTER INSERT ON sessions_app_hand BEGIN DELETE FROM sessions_app_player; END",
        "CREATE VIEW later AS SELECT 1",
    ],
)
def test_a_backup_that_would_do_something_by_itself_is_refused(rich, smuggled):
    other = rich.folder / "other.sqlite3"
    shutil.copyfile(rich.folder / "clubscore.sqlite3", other)
    before = (rich.folder / "clubscore.sqlite3").read_bytes()
    with closing(sqlite3.connect(other)) as connection:
        connection.execute(smuggled)
    printed = rich.manage("restore", other, expect=1)
    assert "other.sqlite3 holds later, which Clubscore did not make. It was not restored." in printed
    assert (rich.folder / "clubscore.sqlite3").read_bytes() == before


def test_a_trigger_under_the_name_of_a_guard_does_not_come_back(rich):
    other, live = rich.folder / "other.sqlite3", rich.folder / "clubscore.sqlite3"
    shutil.copyfile(live, other)

    def triggers(path):
        with closing(sqlite3.connect(path)) as connection:
            return sorted(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))

    before = triggers(live)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("DROP TRIGGER guard_log_delete")
        connection.execute("CREATE TRIGGER guard_log_delete AFTER DELETE ON sessions_app_hand BEGIN SELECT 1; END")
    rich.manage("restore", other)
    assert triggers(live) == before


@pytest.mark.parametrize("expected", ["{}", '{"verified": true}', '{"sha256": 5, "tables": []}', '{"sha256": "x"}'])
def test_what_lies_beside_a_backup_may_be_damaged(rich, expected):
    rich.manage("backup")
    copy = only(rich.backups, "-backup.sqlite3")
    kept.facts_file(copy).write_text(expected)
    said = rich.manage("restore", copy, expect=0 if expected == "{}" else 1)
    assert "Traceback" not in said
    assert expected == "{}" or "CommandError: " in said


def test_on_postgresql(rich, tmp_path, database):
    rich.manage("copy_database", "--to", database.url)
    there = Installation(tmp_path / "there", database.url)
    assert there.files("demonstration") == rich.csv
    said = there.manage("backup")
    assert said.endswith("rows) was restored and is the same.\n")
    copy = only(there.backups, "-backup.dump")
    # A backup that was killed has left its scratch database behind.
    left_behind = f"clubscore_scratch_{zlib.crc32(b'postgres'):08x}_killed"
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {left_behind}")
    there.manage("give_login", "demonstration", "later", "member")
    assert there.files("demonstration", "changed")["log.csv"] != rich.csv["log.csv"]
    assert there.manage("restore", copy).splitlines()[-1] == f"{copy} is restored."
    assert there.files("demonstration", "again") == rich.csv
    with psycopg.connect(database.url, autocommit=True) as connection:
        left = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'clubscore_scratch%'").fetchall()
        assert left == []
        for statement in (
            "UPDATE sessions_app_change SET name = ''",
            "DELETE FROM sessions_app_change",
            "TRUNCATE sessions_app_change",
        ):
            with pytest.raises(psycopg.errors.IntegrityError, match="The log is append-only"):
                connection.execute(statement)
    # What comes after the restored rows gets ids of its own.
    there.manage("give_login", "demonstration", "later", "member")
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE FUNCTION later() RETURNS trigger AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql")
    there.manage("backup", "--why", "smuggled")
    smuggled = there.manage("restore", only(there.backups, "-smuggled.dump"), expect=1)
    assert "-smuggled.dump holds later, which Clubscore did not make. It was not restored." in smuggled
    harmed = tmp_path / copy.name
    harmed.write_bytes(copy.read_bytes()[:-500])
    assert "pg_restore failed" in there.manage("restore", harmed, expect=1)


def test_names_of_backups_tell_when_and_why(tmp_path):
    path = tmp_path / "20261121-200000-before-0007_house.sqlite3"
    path.write_bytes(b"x")
    [one] = kept.full_backups(tmp_path)
    assert (one.why, f"{one.made_at:%Y-%m-%d %H:%M}") == ("before-0007_house", "2026-11-21 20:00")
    assert not one.is_verified
