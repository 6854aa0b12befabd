"""A backup as ./run backup makes it, written and tried out, and then brought back in place; prints JSON.

What is brought back is what was there, so the database is afterwards as it was.
"""

import importlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import django


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    django.setup()
    json.dump(figures(importlib.import_module("sessions_app.exchange.backups.full_backup")), sys.stdout)


def figures(whole):
    with tempfile.TemporaryDirectory(dir=os.environ["CLUBSCORE_VAR"]) as folder:
        began = time.perf_counter()
        made, shown = whole.back_up("bench", Path(folder))
        backed_up = time.perf_counter()
        before, _ = whole.restore(made.path)
        restored = time.perf_counter()
        before.path.unlink()
        size = made.size
    return {"seconds": backed_up - began, "restoring": restored - backed_up, "size": size, "shown": shown}


if __name__ == "__main__":
    main()
