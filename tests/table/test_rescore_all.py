"""Many sessions scored again by the command: stopped and begun again, saying what changed, never a locked season's."""

import datetime
import os
import re
import signal
import subprocess
import sys
from collections import Counter

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.models import F

from clubscore.scoring import RULE_SETS
from sample_data.installation import populate
from sessions_app.models import Change, Club, Hand, PlayerHand, Season, Session
from sessions_app.people.log import Actor
from sessions_app.table.rescore import look_at, rescore_all, waiting_sessions
from tests.reconciled import reconcile

pytestmark = pytest.mark.slow

OLDER = "UPDATE sessions_app_hand SET edition = 0; UPDATE sessions_app_session SET edition = 0"


@pytest.fixture
def made(db):
    """Two clubs whose every hand is of an older edition; in one session it had given the first seat 2 more."""
    list(populate(2, 8, 120, seed=3, last_day=datetime.date(2026, 11, 20), processes=1))
    Hand.objects.update(edition=0)
    wrong = PlayerHand.objects.filter(won=True).order_by("pk").first()
    PlayerHand.objects.filter(pk=wrong.pk).update(net=wrong.net + 2)
    return wrong.hand.session


@pytest.mark.django_db
def test_all_are_rescored_and_the_one_that_changes_is_counted(made, capsys):
    sessions = Session.objects.count()
    call_command("rescore", why="The scorer was mended", processes=1)
    printed = capsys.readouterr().out.splitlines()[-1]
    assert re.fullmatch(rf"{sessions} sessions in \d+ s; in 1 of them scores changed\.", printed)
    newest = {(key, rule_set.edition) for key, rule_set in RULE_SETS.items()}
    assert set(Hand.objects.values_list("session__rules", "edition")) <= newest
    assert reconcile() == []
    printed = Change.objects.filter(action="rescore", why="The scorer was mended")
    assert printed.count() == sessions
    # Whose figures stay, tells the editions alone.
    newest = RULE_SETS[made.rules].edition
    others = printed.exclude(session=made).filter(session__rules=made.rules)
    assert {(str(one.before), str(one.after)) for one in others} == {("{'edition': 0}", f"{{'edition': {newest}}}")}
    call_command("rescore", why="Once more", processes=1)
    assert capsys.readouterr().out == "Every hand is scored with the newest version already.\n"


@pytest.mark.django_db
def test_a_session_that_has_changed_since_is_compared_again(made):
    ids = waiting_sessions()
    busy, rounds = ids[0] if ids[0] != made.pk else ids[1], []

    def look(session_ids):
        rounds.append(sorted(session_ids))
        found = [look_at(session_id) for session_id in session_ids]
        if len(rounds) == 1:
            Session.objects.filter(pk=busy).update(version=F("version") + 1)
        return found

    assert Counter(rescore_all(ids, Actor(name="Ann"), "Mended", look)) == {"same": len(ids) - 1, "changed": 1}
    assert rounds == [ids, [busy]]
    assert waiting_sessions() == []
    assert reconcile() == []


@pytest.mark.django_db
def test_one_club_alone_and_no_locked_season(made):
    first, second = Club.objects.order_by("pk")
    Season.objects.filter(club=second).update(locked=True)
    practised = Session.objects.filter(club=second, practice=True).count()
    assert len(waiting_sessions(club=second)) == practised
    call_command("rescore", why="Mended", club=first.slug, processes=1)
    assert not Hand.objects.filter(session__club=first, edition=0).exists()
    assert Hand.objects.filter(session__club=second).exclude(edition=0).count() == 0


@pytest.mark.django_db
def test_a_reason_and_a_known_club_are_wanted():
    with pytest.raises(CommandError, match="^Give a reason"):
        call_command("rescore", why=" ")
    with pytest.raises(CommandError, match="^There is no club nowhere"):
        call_command("rescore", why="Mended", club="nowhere")


@pytest.mark.long
def test_it_is_stopped_and_goes_on_with_every_processor(tmp_path):
    own = {"DATABASE_URL": f"sqlite:///{tmp_path}/some.sqlite3", "SECRET_KEY": "x" * 60, "PYTHONUNBUFFERED": "1"}
    environment = {**os.environ, **own}
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]

    def run(*words):
        return subprocess.run([*manage, *words], env=environment, check=True, capture_output=True, text=True).stdout

    run("migrate", "-v0")
    run("populate", "--clubs", "3", "--players", "12", "--hands", "4000")
    for statement in OLDER.split("; "):
        run("shell", "-v0", "-c", f"from django.db import connection; connection.cursor().execute({statement!r})")
    command = [*manage, "rescore", "--why", "Mended", "--processes", "2"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as stopped:
        assert " of " in stopped.stdout.readline()
        stopped.send_signal(signal.SIGINT)
        printed, _ = stopped.communicate(timeout=60)
    assert printed.splitlines()[-1].startswith("Stopped after ")
    rest = run("rescore", "--why", "Mended", "--processes", "2").splitlines()[-1]
    assert rest.endswith("in 0 of them scores changed.")
    assert run("rescore", "--why", "Mended") == "Every hand is scored with the newest version already.\n"
    assert run("reconcile", "--strict") == ""
