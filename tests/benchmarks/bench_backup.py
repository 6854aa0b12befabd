"""A backup as ./run backup makes it: written, restored into a scratch database and compared; prints JSON."""

import importlib
import json
import os
import sys
import tempfile
import time

import django


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.settings"
    django.setup()
    whole = importlib.import_module("sessions_app.backups.whole")
    with tempfile.TemporaryDirectory(dir=os.environ["CLUBSCORE_VAR"]) as folder:
        began = time.perf_counter()
        made = whole.back_up("bench", 1, folder)
        json.dump({"seconds": time.perf_counter() - began, "size": made.size, "rows": made.told["rows"]}, sys.stdout)


if __name__ == "__main__":
    main()
