"""The first steps of a newcomer, as a script does them: sign in, the table in play, one hand, the CSV."""

import subprocess
import sys
from pathlib import Path

import pytest

from sample_data.demo import load_demo
from sessions_app.models import Hand, Session

SCRIPT = Path(__file__).parent.parent.parent / "tools" / "try_it.py"


def run(*arguments):
    # Isolated: the script must do with the standard library alone.
    command = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_script_signs_in_records_a_hand_and_finds_it_in_the_csv(live_server):
    table = Session.objects.get(club=load_demo(), state="open", table=1)
    before = Hand.objects.filter(session=table).count()
    done = run("--url", live_server.url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Hand {before + 1} was recorded")
    assert Hand.objects.filter(session=table).count() == before + 1


@pytest.mark.long
def test_a_wrong_login_is_told_in_a_sentence(live_server):
    load_demo()
    done = run("--url", live_server.url, "--login", "nobody-at-all")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.long
def test_a_silent_address_is_told_in_a_sentence():
    done = run("--url", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Nothing answers at http://127.0.0.1:9: start Clubscore with ./run first.\n"
