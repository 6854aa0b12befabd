"""The plan of every query of every page, with all the rows there are; prints JSON."""

import importlib
import json
import os
import sys

import django


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    django.setup()
    plans = importlib.import_module("tests.benchmarks.plans")
    looked_at, found = plans.whole_reads(plans.a_busy_session())
    json.dump({"looked_at": looked_at, "found": found}, sys.stdout)


if __name__ == "__main__":
    main()
