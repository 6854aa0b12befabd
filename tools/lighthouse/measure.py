"""Run Lighthouse on a table's pages as for a tablet on slow 4G, and compare the medians with our targets.

`./run lighthouse` calls it. It needs Node.js with npm, and Chromium. npm's packages are installed in this folder.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
FLAGS = "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
TARGETS = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}
FIGURES = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest paint",
    "total-blocking-time": "blocked",
    "cumulative-layout-shift": "shift",
}
PAGES = ("table", "hand-new", "session-sheet", "standings", "player")
# What a visitor opens who is not signed in, by search engines too.
OPEN = ("front", "games")
PATIENCE = 120


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def served(var):
    """Serve Clubscore with the demonstration club from the folder `var`, and yield its address."""
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(CLUBSCORE_VAR=var, LOG_LEVEL="ERROR")
    port = free_port()
    server = subprocess.Popen([str(ROOT / "run"), "--port", str(port), "--demo"], stdout=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(PATIENCE * 4):
            try:
                with urllib.request.urlopen(f"{url}/healthz", timeout=2):
                    break
            except OSError:
                time.sleep(0.25)
        yield url
    finally:
        server.terminate()
        server.wait()


def addresses():
    """Return the path of each page, and the cookie of a scorekeeper."""
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from sessions_app.models import Session, User

    table_session = Session.objects.filter(club__slug="demonstration", state="open").earliest("pk")
    slug = table_session.club.slug
    player = table_session.seats.earliest("seat_no").player_id
    arguments = {"standings": [slug], "player": [slug, player]}
    client = Client()
    client.force_login(User.objects.get(username="demo-scorekeeper"))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    found = {page: reverse(page, args=arguments.get(page, [slug, table_session.pk])) for page in PAGES}
    return found | {page: reverse(page) for page in OPEN}, f"{cookie.key}={cookie.value}"


def report(url, cookie, folder):
    """Run Lighthouse once, with its standard slow 4G and slow processor, and return its report."""
    answer = Path(folder) / "report.json"
    command = [
        str(HERE / "node_modules" / ".bin" / "lighthouse"), url, "--quiet", "--output=json", f"--output-path={answer}",
        f"--only-categories={','.join(TARGETS)}", f"--chrome-flags={FLAGS}",
        f"--extra-headers={json.dumps({'Cookie': cookie} if cookie else {})}",
    ]  # fmt: skip
    # Sometimes Chromium does not record the start of the page, so try twice.
    for is_last in (False, True):
        done = subprocess.run(command, check=is_last, env={**os.environ, "CHROME_PATH": CHROMIUM}, timeout=300)
        if done.returncode == 0:
            break
    return json.loads(answer.read_text(encoding="utf-8"))


def medians(reports):
    scores = {name: statistics.median(one["categories"][name]["score"] * 100 for one in reports) for name in TARGETS}
    figures = {
        name: statistics.median(one["audits"][name]["numericValue"] for one in reports) for name in FIGURES
    }  # fmt: skip
    return scores, figures


def failed(reports, is_open):
    """Yield the audits that failed, those of search engines only where they come."""
    for one in reports[:1]:
        for category in ("accessibility", "best-practices", "seo") if is_open else ("accessibility", "best-practices"):
            for ref in one["categories"][category]["auditRefs"]:
                audit = one["audits"][ref["id"]]
                if audit["score"] is not None and audit["score"] < 1 and ref["weight"]:
                    yield f"{ref['id']}: {audit['title']}"


def main():
    parser = argparse.ArgumentParser(prog="run lighthouse", description="Run Lighthouse on a table's pages.")
    parser.add_argument("pages", nargs="*", help=f"only these of {', '.join((*PAGES, *OPEN))}")
    parser.add_argument("--runs", type=int, default=5, help="how often each, for the median (5)")
    options = parser.parse_args()
    if not CHROMIUM or not shutil.which("npm"):
        raise SystemExit("Lighthouse needs Chromium and npm: 'sudo apt install chromium npm' brings them.")
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=HERE, check=True)
    # Exit normally, so that the server is stopped too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    short = []
    print(f"| page | {' | '.join(TARGETS)} | {' | '.join(FIGURES.values())} |")
    print(f"| --- |{' ---: |' * (len(TARGETS) + len(FIGURES))}")
    with tempfile.TemporaryDirectory(prefix="clubscore-lighthouse-") as var, served(var) as url:
        paths, cookie = addresses()
        for page in options.pages or (*PAGES, *OPEN):
            who = "" if page in OPEN else cookie
            reports = [report(url + paths[page], who, var) for _ in range(options.runs)]
            scores, figures = medians(reports)
            shift = figures.pop("cumulative-layout-shift")
            cells = [f"{score:.0f}" for score in scores.values()]
            cells += [f"{figure:.0f} ms" for figure in figures.values()] + [f"{shift:.3f}"]
            print(f"| {page} | {' | '.join(cells)} |", flush=True)
            wanted = {name: least for name, least in TARGETS.items() if page in OPEN or name != "seo"}
            short += [f"{page}: {name} {scores[name]:.0f}" for name, least in wanted.items() if scores[name] < least]
            short += [f"{page}: {words}" for words in failed(reports, page in OPEN)]
    if short:
        raise SystemExit("Below what is wanted:\n  " + "\n  ".join(short))


if __name__ == "__main__":
    main()
