"""Backups of the whole database: online, tried out, kept in turn, restored in one command, on both databases."""

import errno
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from clubscore import __version__
from sessions_app.exchange.backups import full_backup
from sessions_app.exchange.backups import retention as kept
from sessions_app.exchange.backups.retention import BackupError
from tests.test_run import ROOT

from .installation import Installation


def only(backups, ending):
    [one] = [path for path in backups if path.name.endswith(ending)]
    return one


def rows_of(path, table="sessions_app_change"):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]


def every_row(path):
    with closing(sqlite3.connect(path)) as connection:
        return [line for line in connection.iterdump() if line.startswith("INSERT")]


def test_a_backup_is_tried_out_and_restores_what_was_there(rich):
    said = rich.manage("backup")
    copy = only(rich.backups, "-backup.sqlite3")
    sessions = rows_of(copy, "sessions_app_session WHERE NOT imported")
    worked_out = f"{sessions} of {sessions} sessions were worked out again"
    assert said.startswith(f"{copy} (")
    assert said.endswith(
        f" MB) holds the data of Clubscore {__version__}. It was restored and is whole; {worked_out}.\n"
    )
    assert copy.stat().st_mode & 0o777 == 0o600
    lines = rows_of(copy)
    rich.manage("give_login", "demonstration", "later", "member")
    assert rows_of(rich.folder / "clubscore.sqlite3") == lines + 1
    said = rich.manage("restore", copy)
    assert said.splitlines()[-1] == f"{copy} is restored; {worked_out}."
    assert rows_of(rich.folder / "clubscore.sqlite3") == lines
    assert rows_of(only(rich.backups, "-before-restore.sqlite3")) == lines + 1
    assert rich.files("demonstration", "again") == rich.csv
    with closing(sqlite3.connect(rich.folder / "clubscore.sqlite3")) as connection:
        for statement in ("UPDATE sessions_app_change SET name = ''", "DELETE FROM sessions_app_change"):
            with pytest.raises(sqlite3.IntegrityError, match="The log is append-only"):
                connection.execute(statement)


@pytest.mark.long
def test_of_very_many_sessions_some_are_worked_out_again_and_the_backup_says_so(rich):
    lines = """
from django.core.management import call_command
from sessions_app.exchange.backups import full_backup as whole, retention as kept
whole.REPLAYED = 3
call_command("backup")
call_command("restore", str(kept.full_backups()[0].path))
"""
    made, _, restored = rich.code(lines).splitlines()
    sessions = rows_of(rich.folder / "clubscore.sqlite3", "sessions_app_session WHERE NOT imported")
    assert sessions > 3
    assert made.endswith(f"; 3 of {sessions} sessions were worked out again.")
    assert restored.endswith(f"; 3 of {sessions} sessions were worked out again.")


def test_a_figure_that_does_not_follow_from_the_hands_is_said(rich):
    with closing(sqlite3.connect(rich.folder / "clubscore.sqlite3")) as connection:
        played = "SELECT MAX(t.id) FROM sessions_app_tally t JOIN sessions_app_session s ON s.id = session_id"
        connection.execute(
            f"UPDATE sessions_app_tally SET net = net + 10 WHERE id = ({played} WHERE NOT imported AND hands > 0)"
        )
        connection.commit()
    assert rich.manage("backup").endswith("1 stored figures do not follow from the hands: run 'manage.py reconcile'.\n")


def test_restoring_into_nothing(rich, backed_up, tmp_path):
    fresh = Installation(tmp_path / "fresh")
    assert fresh.manage("restore", backed_up).startswith(f"{backed_up} is restored; ")
    assert every_row(fresh.folder / "clubscore.sqlite3") == every_row(backed_up)


def test_restoring_over_a_broken_file(rich, backed_up):
    (rich.folder / "clubscore.sqlite3").write_bytes(b"not a database at all" * 1000)
    rich.manage("restore", backed_up)
    assert every_row(rich.folder / "clubscore.sqlite3") == every_row(backed_up)
    assert (rich.folder / "clubscore.sqlite3.broken").read_bytes().startswith(b"not a database")


def test_a_damaged_backup_is_refused_and_nothing_changes(rich, backed_up):
    copy, live = backed_up, rich.folder / "clubscore.sqlite3"
    whole_file, before = copy.read_bytes(), live.read_bytes()
    for harmed in (whole_file[:-4096], whole_file[:40960] + b"x" * 4096 + whole_file[45056:]):
        copy.write_bytes(harmed)
        assert f"{copy.name} is damaged" in rich.manage("restore", copy, expect=1)
    copy.unlink()
    assert f"There is no file {copy}." in rich.manage("restore", copy, expect=1)
    assert live.read_bytes() == before


def test_a_file_that_never_was_a_backup_is_refused(rich, tmp_path):
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE something (id INTEGER)")
    assert "other.sqlite3 is not a backup of Clubscore." in rich.manage("restore", other, expect=1)
    (tmp_path / "text.sqlite3").write_text("hello" * 100)
    assert "text.sqlite3 is damaged, or is no backup: file is not a database." in rich.manage(
        "restore", tmp_path / "text.sqlite3", expect=1
    )
    (tmp_path / "some.dump").write_text("hello")
    assert "Its name would end in .sqlite3" in rich.manage("restore", tmp_path / "some.dump", expect=1)


@pytest.mark.long
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


def test_where_there_is_nothing_to_back_up(tmp_path):
    empty = Installation(tmp_path / "empty")
    assert "No backup was made: There is no database yet." in empty.manage("backup", expect=1)
    said = empty.manage("backup", "--if-any")
    assert said == f"There is no database yet ({empty.folder}/clubscore.sqlite3), so none was backed up.\n"


def test_a_failure_is_heard_in_the_log_and_on_the_operators_page(rich):
    """What the log calls an error is emailed to FAULTS_TO."""
    made = Path(rich.manage("backup").split(" (")[0])
    (rich.folder / "clubscore.sqlite3").write_bytes(b"no database" * 1000)
    said = rich.manage("backup", expect=1)
    assert "ERROR sessions_app.exchange.backups.retention: No backup was made: file is not a database.\n" in said
    assert said.endswith("CommandError: No backup was made: file is not a database.\n")
    shown = "from sessions_app.exchange.backups.retention import last_try; made, failed = last_try()"
    path, failed = rich.code(f"{shown}; print(made.path); print(failed)").splitlines()
    assert path == str(made)
    assert re.fullmatch(r"The last backup, on \d.* at \d\d:\d\d, failed: file is not a database\.", failed)


def small_files(home, limit, *arguments):
    """Run a command for which no file may grow beyond a number of bytes, as on a full disk; return how it ended."""

    def limited():
        import resource  # Windows has none

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env=home.environment, preexec_fn=limited, capture_output=True, text=True, timeout=120
    )


@pytest.mark.long
def test_where_no_backup_of_what_is_there_can_be_made_nothing_is_restored(rich, tmp_path):
    """The disk is full: what is there stays byte for byte, and no half of a backup is left."""
    small = Installation(tmp_path / "small")
    small.migrate()
    live, copy = rich.folder / "clubscore.sqlite3", small.folder / "clubscore.sqlite3"
    before, limit = live.read_bytes(), copy.stat().st_size + 50_000
    assert len(before) > limit + 50_000
    done = small_files(rich, limit, ROOT / "manage.py", "restore", copy)
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: What is there could not be backed up first, so nothing was changed: ")
    assert live.read_bytes() == before
    (rich.folder / "backups" / "20200101-000000-backup.sqlite3").write_bytes(b"x")
    done = small_files(rich, limit, ROOT / "manage.py", "backup", "--keep", "1", "0", "0")
    assert done.returncode == 1
    assert "\nCommandError: No backup was made: " in done.stderr
    assert [path.name for path in rich.backups] == ["20200101-000000-backup.sqlite3", "latest.json"]


@pytest.mark.parametrize(
    "error",
    [sqlite3.OperationalError("database or disk is full"), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/var/x")],
)
def test_a_full_disk_is_called_one(error):
    with pytest.raises(BackupError, match=r"^The disk is full\.$"), full_backup.readable_errors():
        raise error


@pytest.mark.long
def test_a_disk_that_fills_while_a_backup_is_put_in_place_harms_nothing(rich, tmp_path):
    small = Installation(tmp_path / "small")
    small.migrate()
    live, large = small.folder / "clubscore.sqlite3", rich.folder / "clubscore.sqlite3"
    before = live.read_bytes()
    assert large.stat().st_size > len(before) + 100_000
    put = (
        "import django, sys; django.setup(); from pathlib import Path;"
        "from sessions_app.exchange.backups import sqlite;"
        "from sessions_app.exchange.backups.retention import BackupError\n"
        "try: sqlite.replace(Path(sys.argv[1]))\n"
        "except BackupError as error: sys.exit(str(error))"
    )
    small.environment["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    done = small_files(small, len(before) + 50_000, "-c", put, large)
    assert done.returncode == 1
    assert done.stderr.startswith("The backup could not be put in place; nothing was changed: ")
    assert live.read_bytes() == before
    assert not (small.folder / "clubscore.sqlite3.broken").exists()


def test_a_backup_of_a_newer_version_is_refused(rich):
    newer, live = rich.folder / "20990101-000000-backup.sqlite3", rich.folder / "clubscore.sqlite3"
    before = live.read_bytes()
    newer.write_bytes(before)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('sessions_app', '9999_later', '2099-01-01')"
        )
        connection.commit()
    printed = rich.manage("restore", newer, expect=1)
    assert "was not restored. The database was made by a newer version of Clubscore than this one" in printed
    assert printed.strip().endswith("Install that version and restore with it.")
    assert "its 9999_later" in printed
    assert live.read_bytes() == before


DAY = datetime(2026, 11, 22, 3, 30, tzinfo=UTC)


def made_on(folder, day, why="backup", ending="sqlite3"):
    """Lay a backup into a folder that the clock dated so."""
    path = folder / f"{day:%Y%m%d-%H%M%S}-{why}.{ending}"
    path.write_bytes(b"x")
    return kept.read_backup(path)


def every_night(folder, first, nights):
    """Make a backup on each of some nights, and return the days of those that stay, the newest first."""
    for night in range(nights):
        kept.remove_old(made_on(folder, first + timedelta(days=night)))
    return [backup.made_at.date().isoformat() for backup in kept.full_backups(folder)]


def test_fourteen_days_eight_weeks_and_twelve_months_are_kept(tmp_path):
    stay = every_night(tmp_path, DAY - timedelta(days=800), 801)
    # 22 November 2026 is a Sunday: the newest of a week was made on one, the newest of a month on its last day.
    days = [f"2026-11-{day:02}" for day in range(22, 8, -1)]
    weeks = ["2026-11-08", "2026-11-01", "2026-10-25", "2026-10-18", "2026-10-11", "2026-10-04"]
    months = ["2026-10-31", "2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30", "2026-05-31", "2026-04-30"]
    months += ["2026-03-31", "2026-02-28", "2026-01-31", "2025-12-31"]
    assert stay == sorted({*days, *weeks, *months}, reverse=True)


def test_the_way_back_stays_whatever_else_is_made_that_day(tmp_path):
    made_on(tmp_path, DAY, "before-upgrade")
    for hour in range(1, 14):
        kept.remove_old(made_on(tmp_path, DAY + timedelta(hours=hour)))
    assert [backup.why for backup in kept.full_backups(tmp_path)] == ["backup"] * 13 + ["before-upgrade"]
    kept.remove_old(made_on(tmp_path, DAY + timedelta(hours=14)))
    assert [backup.why for backup in kept.full_backups(tmp_path)] == ["backup"] * 14


def test_a_clubs_zip_goes_only_for_a_newer_one_of_that_club(tmp_path):
    for day in range(20):
        made_on(tmp_path, DAY + timedelta(days=day), "club-purbeck", "zip")
        made_on(tmp_path, DAY + timedelta(days=day), "club-wareham", "zip")
        made_on(tmp_path, DAY + timedelta(days=day))
    kept.remove_old(made_on(tmp_path, DAY + timedelta(days=20), "club-purbeck", "zip"), (2, 0, 0))
    found = Counter(backup.why for backup in kept.all_backups(tmp_path))
    assert found == {"club-purbeck": 2, "club-wareham": 20, "backup": 20}


def test_backups_dated_ahead_do_not_drive_out_a_new_one(tmp_path, caplog):
    """The clock was ten years ahead for three weeks and was set right again."""
    every_night(tmp_path, DAY, 5)
    every_night(tmp_path, DAY + timedelta(days=3650), 20)
    for night in range(5, 9):
        new = made_on(tmp_path, DAY + timedelta(days=night))
        kept.remove_old(new)
        assert new.path.exists()
        assert caplog.messages[-1].startswith("2036")
        assert "Check the clock" in caplog.messages[-1]


def test_a_clock_far_ahead_costs_none_from_before(tmp_path):
    before = every_night(tmp_path, DAY - timedelta(days=400), 401)
    made = made_on(tmp_path, DAY + timedelta(days=3650))
    kept.remove_old(made)
    stay = [backup.made_at.date().isoformat() for backup in kept.full_backups(tmp_path)]
    # It takes the place of one day, one week and one month, as any other would.
    assert stay[0] == "2036-11-19"
    assert len(set(before) - set(stay)) <= 3


def test_a_clock_that_fell_back_costs_none_from_before(tmp_path):
    """A computer without a battery begins in 2020."""
    before = every_night(tmp_path, DAY - timedelta(days=400), 401)
    stay = every_night(tmp_path, datetime(2020, 1, 1, tzinfo=UTC), 30)
    assert set(before) < set(stay)
    assert "2020-01-30" in stay


def test_a_name_that_is_no_date_is_no_backup(tmp_path):
    made_on(tmp_path, DAY)
    (tmp_path / "20269999-999999-backup.sqlite3").write_bytes(b"x")
    assert len(kept.full_backups(tmp_path)) == 1


def test_the_command_tells_of_a_clock_that_was_ahead(rich):
    """Enough files dated ahead once drove out each new backup at once, while the command said that all was well."""
    (rich.folder / "backups").mkdir()
    for number in range(15):
        made_on(rich.folder / "backups", datetime(2099, 1, 1 + number, tzinfo=UTC))
        made_on(rich.folder / "backups", datetime(2099, 1, 1 + number, tzinfo=UTC), "club-demonstration", "zip")
    for command in (["backup"], ["backup", "--club", "demonstration"]):
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *command],
            cwd=ROOT, env=rich.environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert Path(done.stdout.split(" ")[0]).exists()
        assert "20990115-000000-club-demonstration.zip is dated later than this one. Check the clock" in done.stderr
    assert len(kept.all_backups(rich.folder / "backups")) == 32


def backing_up(home):
    """Start a backup and wait until it is tried out, its copy and a scratch copy half used."""
    going_on = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "backup"],
        cwd=ROOT,
        env=home.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    give_up = time.monotonic() + 60
    while not list(home.folder.glob("backup-check/*.sqlite3")):
        assert (going_on.poll(), time.monotonic() < give_up) == (None, True), going_on.communicate()
        time.sleep(0.005)
    return going_on


def test_two_begun_in_one_second_have_two_names(tmp_path, monkeypatch):
    times = iter(datetime(2026, 11, 24, 19, 30, second, tzinfo=UTC) for second in (5, 5, 6))
    monkeypatch.setattr(kept.timezone, "now", lambda: next(times))
    for _ in range(2):
        with kept.new_backup(tmp_path, "backup", ".zip"):
            pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "20261124-193005-backup.zip", "20261124-193006-backup.zip",
    ]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_what_a_backup_that_was_ended_leaves_is_no_backup_and_goes_with_the_next_one(rich, how):
    with backing_up(rich) as ended:
        ended.send_signal(how)
    left = [rich.folder / "backups" / ".unfinished", rich.folder / "backup-check"]
    assert [path.exists() for path in left] == [True, True]
    assert kept.all_backups(rich.folder / "backups") == []
    made = Path(rich.manage("backup").split(" (")[0])
    assert [path.exists() for path in left] == [False, False]
    assert sorted(rich.backups) == [made, rich.folder / "backups" / "latest.json"]


@pytest.mark.long
def test_another_backup_waits_for_one_that_is_being_made(rich):
    with backing_up(rich) as slow:
        slow.send_signal(signal.SIGSTOP)
        command = [sys.executable, str(ROOT / "manage.py"), "backup"]
        with subprocess.Popen(command, cwd=ROOT, env=rich.environment, stdout=subprocess.PIPE, text=True) as other:
            try:
                with pytest.raises(subprocess.TimeoutExpired):
                    other.wait(timeout=4)
            finally:
                # Otherwise a failure would wait for it forever.
                slow.send_signal(signal.SIGCONT)
            said, faults = slow.communicate(timeout=120)
            assert (slow.returncode, faults, other.wait(timeout=120)) == (0, "", 0)
    assert "was restored and is whole" in said
    assert len(kept.full_backups(rich.folder / "backups")) == 2


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


@pytest.mark.long
def test_on_postgresql(rich, tmp_path, database):
    rich.manage("copy_database", "--to", database.url)
    there = Installation(tmp_path / "there", database.url)
    assert there.files("demonstration") == rich.csv
    said = there.manage("backup")
    is_whole = r"\. It was restored and is whole; (\d+) of \1 sessions were worked out again\.\n$"
    assert re.search(is_whole, said)
    copy = only(there.backups, "-backup.dump")
    # A backup that was killed has left its scratch database behind.
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE backup_check_postgres")
    there.manage("give_login", "demonstration", "later", "member")
    assert there.files("demonstration", "changed")["log.csv"] != rich.csv["log.csv"]
    assert there.manage("restore", copy).splitlines()[-1].startswith(f"{copy} is restored; ")
    assert there.files("demonstration", "again") == rich.csv
    with psycopg.connect(database.url, autocommit=True) as connection:
        left = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'backup_check%'").fetchall()
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
    harmed = tmp_path / copy.name
    harmed.write_bytes(copy.read_bytes()[:-500])
    assert "pg_restore failed" in there.manage("restore", harmed, expect=1)


def test_names_of_backups_tell_when_and_why(tmp_path):
    path = tmp_path / "20261121-200000-before-0007_house.sqlite3"
    path.write_bytes(b"x")
    [one] = kept.full_backups(tmp_path)
    assert (one.why, f"{one.made_at:%Y-%m-%d %H:%M}") == ("before-0007_house", "2026-11-21 20:00")
