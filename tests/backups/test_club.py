"""One club's backup: into an empty and a used installation with every CSV byte for byte equal; keys and log with it."""

import hashlib
import json
import random
import shutil
import sqlite3
import zipfile
from contextlib import closing

import pytest
from django.apps import apps

from sessions_app.exchange.backups.club_backup import (
    JSON_WITH_IDS,
    club_models,
    json_fields,
)

from .installation import Installation

SLUG = "demonstration"


def query(home, statement):
    with closing(sqlite3.connect(home.folder / "clubscore.sqlite3")) as connection:
        return connection.execute(statement).fetchall()


@pytest.fixture(scope="module")
def used_once(tmp_path_factory):
    """An installation with two clubs in it already, and a login whose name someone in the rich club has too."""
    home = Installation(tmp_path_factory.mktemp("used"))
    home.migrate()
    home.code("""
from django.core.management import call_command
call_command("make_club", "Otley", secretary="demo-secretary")
call_command("make_club", "Ilkley", secretary="ilse")
call_command("import_totals", "tests/data/season-totals.csv", club="otley")
""")
    return home


@pytest.fixture
def used(used_once, tmp_path):
    """A copy of the used installation, to take something in."""
    home = Installation(tmp_path / "used")
    shutil.copyfile(used_once.folder / "clubscore.sqlite3", home.folder / "clubscore.sqlite3")
    return home


@pytest.mark.long
def test_into_an_empty_installation(rich, club_zip, tmp_path):
    file, empty = club_zip, Installation(tmp_path / "empty")
    assert file.stat().st_mode & 0o777 == 0o600
    empty.migrate()
    said = empty.manage("restore", file)
    assert said.splitlines() == [f"Demonstration Mah-jong Club is at /c/{SLUG}/, with {len_of(file)} rows."]
    assert empty.files(SLUG) == rich.csv
    assert empty.manage("reconcile") == ""
    keys = "SELECT scoring_key, watching_key FROM sessions_app_session ORDER BY id"
    assert query(empty, keys) == query(rich, keys)
    logins = "SELECT username, password, email, last_name FROM sessions_app_user ORDER BY id"
    assert query(empty, logins) == query(rich, logins)


def len_of(file):
    with zipfile.ZipFile(file) as opened:
        return sum(table["rows"] for table in json.loads(opened.read("manifest.json"))["tables"].values())


def test_into_a_used_installation(rich, club_zip, used):
    file = club_zip
    tallies = "SELECT id, player_id, net FROM sessions_app_tally WHERE club_id = 1 ORDER BY id"
    before = query(used, tallies)
    assert len(before) > 10
    said = used.manage("restore", file).splitlines()
    assert said[1:] == ["demo-secretary is someone else’s username here. In this club it is demo-secretary-2."]
    # The log names the account by what it is called here.
    log = rich.csv["log.csv"].replace(b"(demo-secretary)", b"(demo-secretary-2)")
    assert log != rich.csv["log.csv"]
    assert used.files(SLUG) == rich.csv | {"log.csv": log}
    assert query(used, tallies) == before
    assert used.manage("reconcile") == ""
    # Ids are others here, also where they stand in the log.
    subjects = "SELECT subject_id FROM sessions_app_change WHERE action = 'erase'"
    [(erased,)] = query(used, "SELECT id FROM sessions_app_player WHERE erased_as <> ''")
    assert query(used, subjects) == [(str(erased),)]
    assert query(rich, subjects) != query(used, subjects)


def test_a_restored_club_goes_on(club_zip, used):
    """Undo works after the move, because the log came along with its ids."""
    used.manage("restore", club_zip)
    said = used.python("tests.backups.undo_last", SLUG)
    assert said == "Change of player undone.\n"


def test_twice_into_one_installation(rich, club_zip):
    file = club_zip
    assert "There is a club at /c/demonstration/ already" in rich.manage("restore", file, expect=1)
    sessions = query(rich, "SELECT COUNT(*) FROM sessions_app_session")[0][0]
    said = rich.manage("restore", file, "--as", "second").splitlines()
    assert f"Already in use here, so replaced: the scoring key of {sessions} sessions." in said
    keys = "SELECT COUNT(*), COUNT(DISTINCT scoring_key) FROM sessions_app_session"
    assert query(rich, keys) == [(2 * sessions,) * 2]


HARMS = {
    "Its table player has changed since it was written": ("player.jsonl", b'"guest": false', b'"guest": true'),
    "is not a backup of a club, or is damaged": ("manifest.json", b"{", b"["),
    "was written by another version of Clubscore": ("manifest.json", b'"migration": "', b'"migration": "9999_'),
}


def test_a_damaged_file_changes_nothing(club_zip, used, tmp_path):
    file, broken = club_zip, tmp_path / "broken.zip"
    before = query(used, "SELECT COUNT(*) FROM sessions_app_change")
    for sentence, (harmed, old, new) in HARMS.items():
        with zipfile.ZipFile(file) as given, zipfile.ZipFile(broken, "w") as made:
            for name in given.namelist():
                text = given.read(name)
                made.writestr(name, text.replace(old, new, 1) if name == harmed else text)
        assert sentence in used.manage("restore", broken, expect=1)
    broken.write_text("hello")
    assert "is not a backup of a club, or is damaged" in used.manage("restore", broken, expect=1)
    assert query(used, "SELECT COUNT(*) FROM sessions_app_change") == before
    assert query(used, "SELECT COUNT(*) FROM sessions_app_club") == [(2,)]


@pytest.mark.long
def test_no_damage_to_a_file_ends_in_a_traceback(club_zip, used, tmp_path):
    """Bytes are turned over anywhere in the zip, and parts of it are missing or of another kind, checksums and all."""
    file = club_zip
    whole, luck = file.read_bytes(), random.Random(15)
    broken = []
    for _number in range(60):
        harmed = bytearray(whole)
        for _ in range(luck.choice((1, 1, 30))):
            harmed[luck.choice((luck.randrange(len(harmed)), -luck.randrange(1, 3000)))] = luck.randrange(256)
        broken.append(bytes(harmed[: luck.choice((len(harmed), luck.randrange(len(harmed))))]))
    with zipfile.ZipFile(file) as given:
        parts = {name: given.read(name) for name in given.namelist()}
    for change in (
        lambda manifest: manifest["tables"].clear(),
        lambda manifest: manifest.update(tables=[]),
        lambda manifest: manifest.update(tables={"club": 5}),
        lambda manifest: manifest["tables"].pop("player"),
        lambda manifest: manifest["tables"].pop("user"),
        lambda manifest: manifest["tables"].update(user={"rows": 1, "sha256": hashlib.sha256(b"5\n").hexdigest()}),
    ):
        manifest = json.loads(parts["manifest.json"])
        change(manifest)
        no_row = manifest["tables"] and manifest["tables"].get("user", {}).get("rows") == 1
        others = {"manifest.json": json.dumps(manifest), **({"user.jsonl": "5\n"} if no_row else {})}
        with zipfile.ZipFile(tmp_path / "made.zip", "w") as made:
            for name, content in (parts | others).items():
                made.writestr(name, content)
        broken.append((tmp_path / "made.zip").read_bytes())
    for number, content in enumerate(broken):
        (tmp_path / f"broken-{number:03}.zip").write_bytes(content)
    lines = f"""
from pathlib import Path
from sessions_app.exchange.backups import club_backup, full_backup as whole
from sessions_app.exchange.backups.retention import BackupError
for number, path in enumerate(sorted(Path({str(tmp_path)!r}).glob("broken-*.zip"))):
    try:
        with whole.readable_errors():
            club_backup.restore(path, f"harmed-{{number}}")
        print("restored")
    except BackupError as error:
        assert str(error).startswith(path.name) and "Traceback" not in str(error), str(error)
        print("refused")
"""
    outcomes = used.code(lines).split()
    # A byte of no account, as in a time, changes nothing.
    assert len(outcomes) == len(broken)
    assert outcomes.count("refused") > 40
    assert outcomes[-6:] == ["refused"] * 6


@pytest.mark.long
def test_a_club_goes_to_postgresql(rich, club_zip, tmp_path, database):
    there = Installation(tmp_path / "there", database.url)
    there.migrate()
    there.manage("make_club", "Otley", "--secretary", "olive")
    there.manage("restore", club_zip)
    assert there.files(SLUG) == rich.csv
    assert there.manage("reconcile") == ""
    assert there.python("tests.backups.undo_last", SLUG) == "Change of player undone.\n"


# What belongs to no club: it stays with the installation.
NO_CLUBS = {"user", "throttle", "signin"}


def test_every_model_is_a_clubs_or_named_as_none():
    own = {model._meta.model_name for model in club_models()}
    every = {model._meta.model_name for model in apps.get_app_config("sessions_app").get_models()}
    assert every - own == NO_CLUBS


JSON_WITHOUT_IDS = {
    ("club", "leagues"),
    ("club", "suit_names"),
    ("clubrules", "house_rules"),
    ("season", "rules"),
    ("season", "trophies"),
    ("season", "position_points"),
    ("session", "house_rules"),
    ("session", "club_hands"),
    ("session", "seating"),
    ("entry", "body"),
    ("entry", "played_in"),
    ("command", "seats"),
    ("command", "answer"),
    ("hand", "seating"),
    ("playerhand", "lines"),
    ("tally", "sticks"),
    ("tally", "owes"),
}


def test_every_json_field_says_whether_it_holds_ids():
    found = {(model._meta.model_name, field.name) for model in club_models() for field in json_fields(model)}
    assert found == JSON_WITH_IDS | JSON_WITHOUT_IDS


@pytest.mark.long
def test_a_file_that_would_fill_the_memory_changes_nothing(club_zip, used, tmp_path):
    """A few bytes can be two gigabytes unpacked."""
    huge, content = tmp_path / "huge.zip", bytearray(club_zip.read_bytes())
    size = content.index(b"PK\x01\x02") + 24
    content[size : size + 4] = b"\xff\xff\xff\x7f"
    huge.write_bytes(content)
    assert "huge.zip is larger, unpacked, than a club's backup can be" in used.manage("restore", huge, expect=1)
    assert query(used, "SELECT COUNT(*) FROM sessions_app_club") == [(2,)]
