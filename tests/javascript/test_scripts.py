"""The scripts without a browser: one run of `node --test` over the *.test.mjs beside this file, in a few seconds.

Their pages are those that the server draws. What needs fingers, layout, workers or a real database is in tests/browser.
"""

import json
import os
import shutil
import subprocess
from datetime import time, timedelta
from pathlib import Path

from django.urls import reverse

from clubscore.engine import answers, league_answers
from clubscore.engine.build import LEAGUE_ENTRY, bundle
from sessions_app.meetings.services import plan_meeting
from sessions_app.models import Club, Player
from tests.conftest import missing
from tests.engine.questions import as_text, corpora, entered, evenings, examples, sheets, starts, tables
from tests.exchange.test_import_totals import CELLS
from tests.factories import BY, record, table_in_play
from tests.league import plain_seasons
from tests.logins import logins, signed_in
from tests.share import shared

HERE = Path(__file__).parent
PACKAGES = HERE.parent.parent / "tools" / "javascript" / "node_modules" / "jsdom"
WANTED = "Testing the scripts needs Node and npm: 'sudo apt install npm'. Then './run check' installs their packages."
MARKED = "<b>Bob</b><img src=x onerror=alert(1)>"
# The others share a process, as each begins jsdom and the rules anew; these have rules or a memory of their own.
ALONE = ("hand_entry", "image", "league", "tablet_league")
# Nobody chose the last tile.
BOBS = {
    "hands": {
        "2": {"sets": ["exposed pung 7D", "exposed pung 9B", "exposed pung 2C", "exposed pung R", "pair E"]},
        **{seat: {"sets": []} for seat in "134"},
    },
    "mahjong": {"by": "2", "from": "1", "tile": "7D"},
    "beside": {"unsure": {"2": ["any tile"]}},
}


def test_the_scripts(club, cast, tmp_path):
    if not shutil.which("node") or not PACKAGES.is_dir():
        missing(WANTED)
    users = logins(club)
    keeper, secretary = signed_in(users["scorekeeper"]), signed_in(users["secretary"])
    # A day on which a tablet asks for the meeting.
    plan_meeting(club, club.today + timedelta(days=5), starts_at=time(14), by=BY)
    plan_meeting(club, club.today + timedelta(days=5), name="Evening", by=BY)
    in_play = [table_in_play(club, cast.all[:4], number) for number in (1, 2, 3, 4)]
    # Nobody has gone Mah-jong at the third table, Bob at the fourth.
    record(in_play[2], {"hands": {}, "mahjong": None})
    bobs = record(in_play[3], BOBS).entry
    wanted = {"hand": ("hand-new", 0), "table": ("table", 0), "other table": ("table", 1), "paper": ("paper", 0)}
    wanted |= {"views": ("table-views", 0), "other views": ("table-views", 1)}
    wanted |= {"goulash": ("hand-new", 2), "change": ("hand-change", 3, bobs)}
    marked = Player.objects.create(club=club, full_name=MARKED, short_name=MARKED)
    in_play.append(table_in_play(club, [cast.alice, marked, cast.carol, cast.dave], 5))
    in_play.append(table_in_play(club, cast.all, 6))
    wanted |= {"marked": ("hand-new", 4), "paper of five": ("paper", 5)}
    addresses = {
        name: reverse(view, args=[club.slug, in_play[at].pk, *more]) for name, (view, at, *more) in wanted.items()
    }
    of_nobody = {"games": "games", "game": "game-table", "kept of games": "kept-of-games", "outbox": "outbox"}
    of_nobody |= {"tablet league": "tablet-league", "game copies": "game-copies", "into a club": "game-into-club"}
    addresses |= {name: reverse(view) for name, view in of_nobody.items()}
    of_club = {
        "start": "session-start",
        "new table": "new-table",
        "kept of club": "kept-of-club",
        "draw": "draw-here",
        "league table": "standings",
        "club": "club",
    }
    addresses |= {name: reverse(view, args=[club.slug]) for name, view in of_club.items()}
    pages = {name: {"address": address, "html": keeper.get(address).text} for name, address in addresses.items()}
    Club.objects.update(keeps_fees=True)
    desk = reverse("desk", args=[club.slug])
    pages["admin"] = {"address": desk, "html": secretary.get(desk).text}
    (tmp_path / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
    scripts = {path.name.partition(".")[0]: path.as_uri() for path in sorted(HERE.glob("*.test.mjs"))}
    together = "".join(f'import "{address}";\n' for name, address in scripts.items() if name not in ALONE)
    (tmp_path / "together.test.mjs").write_text(together, encoding="utf-8")
    alone = [str(HERE / f"{name}.test.mjs") for name in ALONE]
    command = ["node", "--test", "--test-reporter", "tap", str(tmp_path / "together.test.mjs"), *alone]
    (tmp_path / "rules.json").write_text(bundle(), encoding="utf-8")
    (tmp_path / "league.json").write_text(bundle(LEAGUE_ENTRY), encoding="utf-8")
    seasons = [*[question for question, _ in plain_seasons.corpora()], *plain_seasons.made_up(180)]
    asked = [[as_text(question), league_answers.answer(json.loads(json.dumps(question)))] for question in seasons]
    (tmp_path / "seasons.json").write_text(json.dumps(asked), encoding="utf-8")
    (tmp_path / "cells.json").write_text(json.dumps(CELLS), encoding="utf-8")
    (tmp_path / "questions.json").write_text(json.dumps(asked_and_answered()), encoding="utf-8")
    names = ("pages", "rules", "league", "seasons", "cells", "questions")
    files = {f"CLUBSCORE_{name.upper()}": str(tmp_path / f"{name}.json") for name in names}
    environment = {**os.environ, **files}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout + done.stderr
    # Without tests Node is content as well.
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


def asked_and_answered():
    """Return questions as a tablet sends them, each with the server's answer."""
    kinds = (corpora(), examples(), entered(60), evenings(10), tables(5), sheets(5), starts(60))
    questions = [json.loads(json.dumps(question)) for kind in kinds for question in shared(list(kind)[::4])]
    return [[as_text(question), json.dumps(answers.answer(question), ensure_ascii=False)] for question in questions]
