"""Server times of one database: what pages and writes take, through the whole of Django, without the network.

Run by `./run bench` in a process of its own for each database and size, with DATABASE_URL in its environment; prints
JSON. Everything it writes is a table of today's in one club, which is put aside as void afterwards.
"""

import importlib
import json
import os
import sys

import django

ROUNDS = 60


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    django.setup()
    measured = importlib.import_module("tools.benchmarks.measured")
    # As a web process does: what is loaded is not looked through for garbage.
    importlib.import_module("clubscore.site.wsgi")

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    json.dump(measured.Measured(rounds).all(), sys.stdout)


if __name__ == "__main__":
    main()
