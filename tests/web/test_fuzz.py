"""A few hundred generated requests at every address, and that the check itself would see what it looks for."""

import io
import os
import secrets
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.http import HttpResponse, HttpResponseRedirect, StreamingHttpResponse

from tests.web.test_walk import TABLE
from tools.fuzz.driver import faults_of, named

ROOT = Path(__file__).parent.parent.parent
IN_CI = os.environ.get("CI", "") not in ("", "0", "false")
POLICY = {"Content-Security-Policy": "default-src 'none'"}


@pytest.mark.long
def test_a_few_hundred_requests_break_nothing(capsys):
    seed = "1" if IN_CI else str(secrets.randbelow(1_000_000))
    command = [sys.executable, "-m", "tools.fuzz", "--requests", "600", "--seed", seed]
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
