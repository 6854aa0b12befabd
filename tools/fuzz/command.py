"""The command: python -m tools.fuzz --requests 100000 --seed 1. It works on throw-away databases."""

import argparse
import logging
import multiprocessing
import os
import secrets
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
    parser.add_argument(
        "--jobs", type=int, default=1, help="how many processes share them (1); the requests are the same"
    )
    return parser.parse_args(argv)


def main(argv):
    chosen = options(argv)
    jobs = [(chosen.seed, chosen.requests, part, chosen.jobs) for part in range(chosen.jobs)]
    # Each process begins again: a database's connection is not shared.
    with multiprocessing.get_context("spawn").Pool(chosen.jobs) as pool:
        first, *others = pool.starmap(fuzz, jobs)
    for other in others:
        first.add(other)
    return tell(chosen.seed, first)


def fuzz(seed, requests, part, parts):
    """Send one process's share of the requests to a database of its own; return the report."""
    with tempfile.TemporaryDirectory(prefix="clubscore-fuzz-") as folder:
        prepare(folder)
        # Models cannot be imported before Django is set up.
        from .driver import Fuzzer

        report = Fuzzer(seed).run(requests, part, parts)
        connection.close()
    return report


def prepare(folder):
    os.environ.update(DJANGO_SETTINGS_MODULE="clubscore.site.settings", CLUBSCORE_VAR=folder, DEBUG="0")
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
