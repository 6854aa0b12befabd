"""Run it: python -m tests.fuzz --requests 100000 --seed 1. It works on a throw-away database."""

import argparse
import logging
import os
import secrets
import sys
import tempfile

import django
from django.conf import settings
from django.db import connection

SHOWN = 20


def options(argv):
    parser = argparse.ArgumentParser(prog="run fuzz", description="Send generated requests to every address.")
    parser.add_argument("--requests", type=int, default=10_000, help="how many (10000)")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(1_000_000), help="what they are made from; printed"
    )
    return parser.parse_args(argv)


def main(argv):
    chosen = options(argv)
    with tempfile.TemporaryDirectory(prefix="clubscore-fuzz-") as folder:
        prepare(folder)
        # Models cannot be imported before Django is set up.
        from .driver import Fuzzer

        report = Fuzzer(chosen.seed).run(chosen.requests)
        connection.close()
    return tell(chosen.seed, report)


def prepare(folder):
    os.environ.update(DJANGO_SETTINGS_MODULE="clubscore.settings", CLUBSCORE_VAR=folder, DEBUG="0")
    os.environ.pop("DATABASE_URL", None)
    settings.SECRET_KEY = "a key for tests only, of more than fifty characters"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.STATIC_ROOT = folder
    # Guessed passwords would take most of the time.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django.setup()
    logging.disable(logging.CRITICAL)
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    connection.creation.create_test_db(verbosity=0)


def tell(seed, report):
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(report.codes.items()))
    rate = report.requests / max(report.seconds, 0.001)
    print(f"Seed {seed}: {report.requests} requests to {len(report.addresses)} addresses, {rate:.0f} a second.")
    print(f"Answers: {codes}.")
    print(f"Changes written: {report.written}. Slowest: {report.slowest[0]:.2f} s, {report.slowest[1]}.")
    for fault in report.faults[:SHOWN]:
        print(f"\nFAULT {fault}")
    print(
        f"{len(report.faults)} faults."
        if report.faults
        else "No fault: nothing broke, nothing leaked, nothing unescaped."
    )
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
