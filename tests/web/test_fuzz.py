"""A few hundred generated requests at every address, and that the check itself would see what it looks for."""

import io
import os
import random
import secrets
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.http import HttpResponse, HttpResponseRedirect, StreamingHttpResponse

from tests.fuzz.driver import faults_of, named, words_asked_for
from tests.fuzz.pages import Page
from tests.fuzz.values import SCRIPTS, text
from tests.share import share_of
from tests.web.test_walk import TABLE

ROOT = Path(__file__).parent.parent.parent


IN_CI = os.environ.get("CI", "") not in ("", "0", "false")


POLICY = {"Content-Security-Policy": "default-src 'none'"}


def test_a_few_hundred_requests_break_nothing(capsys):
    seed = "1" if IN_CI else str(secrets.randbelow(1_000_000))
    command = [sys.executable, "-m", "tests.fuzz", "--requests", str(share_of(600)), "--seed", seed]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    with capsys.disabled():
        print(f"\n{done.stdout.splitlines()[0] if done.stdout else done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No fault" in done.stdout


def test_every_address_is_among_those_tried():
    assert set(dict(named())) == set(TABLE)


def zipped(text):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("players.csv", text)
    return held.getvalue()


@pytest.mark.parametrize(
    ("answer", "faults"),
    [
        (HttpResponse("<p>Zzyzx</p>", headers=POLICY), ["another club’s words"]),
        (HttpResponse("Zzyzx,1", content_type="text/csv", headers=POLICY), ["another club’s words"]),
        (HttpResponse("a,=fz(1)", content_type="text/csv", headers=POLICY), ["a formula in a CSV file"]),
        (HttpResponse(zipped("a,=fz(1)"), content_type="application/zip", headers=POLICY), ["a formula in a CSV file"]),
        (HttpResponse(zipped("a,'=fz(1)"), content_type="application/zip", headers=POLICY), []),
        (StreamingHttpResponse([b"Zzy", b"zx"], headers=POLICY), ["another club’s words"]),
        (HttpResponse(status=500, headers=POLICY), ["answered 500"]),
        (HttpResponse(status=503, headers=POLICY), ["answered 503"]),
        (HttpResponse("<p>All is well</p>"), ["no content security policy"]),
        (HttpResponseRedirect("https://evil.example/", headers=POLICY), ["leads to 'https://evil.example/'"]),
        (HttpResponse('<a href="javascript:onfz()">x</a>', headers=POLICY), ["not escaped: href='javascript:onfz()'"]),
        (HttpResponse("<p>&lt;fz-x&gt;</p>", headers=POLICY), []),
    ],
)
def test_the_check_sees_what_it_looks_for(answer, faults):
    assert list(faults_of(answer)) == faults


@pytest.mark.parametrize("place", ["<p>{}</p>", '<input value="{}">', "<p title='{}'></p>", "<textarea>{}</textarea>"])
def test_a_script_that_was_not_escaped_is_seen_wherever_it_stands(place):
    seen = {script for script in SCRIPTS if Page(place.format(script)).strays}
    assert seen


@pytest.mark.parametrize("place", ["<p>{}</p>", "<script type='application/json'>{}</script>", "<title>{}</title>"])
def test_an_element_of_somebodys_making_is_seen(place):
    assert Page(place.format("</script></title><fz-x>")).strays


def test_forms_are_read_with_what_stands_in_them():
    [form] = Page(
        "<form method=post action='/x/'><input name=a value=1><input type=checkbox name=b><select name=c>"
        "<option value=2></select><textarea name=d></textarea></form><input name=e>"
    ).forms
    assert (form.action, form.method) == ("/x/", "post")
    assert form.fields == [("a", "1"), ("b", "on"), ("c", "2"), ("d", "")]


def test_the_same_seed_sends_the_same():
    first, second = (random.Random("1/0") for _ in range(2))
    assert [text(first) for _ in range(50)] == [text(second) for _ in range(50)]
    assert {"key", "next", "full_name", "player", "season"} <= set(words_asked_for())
