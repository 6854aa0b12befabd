"""A backup brought back while the server is running: its tablets see the old state at once, and go on from there."""

import subprocess
import sys

import pytest

from tests.test_run import ROOT

from .site import Tablet, figures


def manage(site, *arguments):
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)], cwd=ROOT, env=site.environment,
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_restoring_under_a_running_server(site):
    house = site.house("make", 1)
    [table] = house["tables"]
    tablet = Tablet(site.port, house["slug"], house["cookie"])

    def record():
        return tablet.send(table, "hand", figures("1", s1=8))

    def hands():
        return len(site.house("check")["tables"][str(table)]["entries"])

    with site.serving():
        assert [record()["outcome"] for _ in range(3)] == ["recorded"] * 3
        # The server closes a connection on which nothing comes for ten seconds: each time another one.
        tablet.close()
        manage(site, "backup")
        [copy] = (path for path in (site.folder / "backups").iterdir() if path.suffix in (".sqlite3", ".dump"))
        late = record()
        assert late["outcome"] == "recorded", late
        assert hands() == 4
        tablet.close()
        manage(site, "restore", copy)
        assert hands() == 3
        # Sent again with its key, what the backup did not have yet is recorded once more, as a first time.
        tablet.answered.clear()
        assert record()["outcome"] == "recorded"
        again = tablet.send(table, "hand", figures("1", s1=8), key=late["entry"])
        assert (again["outcome"], again["entry"]) == ("recorded", late["entry"])
        tablet.close()
    assert tablet.faults == []
    assert hands() == 5
    assert site.house("check")["reconcile"] == []
