"""The model and service tests once more, on PostgreSQL."""

import os
import subprocess
import sys
from pathlib import Path

from .conftest import missing
from .postgres import POSTGRES_WANTED, private_server, server_binaries

ROOT = Path(__file__).parent.parent
PACKAGES = [f"tests/{room}" for room in ("people", "rules", "table", "league", "meetings", "exchange", "web")]


def run_tests(database_url):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", *PACKAGES, "-p", "no:cacheprovider"]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**environment, "DATABASE_URL": database_url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=2400,
    )


def test_models_and_services_on_postgresql():
    if os.environ.get("DATABASE_URL_TEST_POSTGRES"):
        done = run_tests(os.environ["DATABASE_URL_TEST_POSTGRES"])
    elif binaries := server_binaries():
        with private_server(binaries) as url:
            done = run_tests(url)
    else:
        missing(POSTGRES_WANTED)
    assert done.returncode == 0, done.stdout
