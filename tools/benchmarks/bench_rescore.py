"""Scoring stored sessions again: hands a second with one process and with all; prints JSON.

The hands of some sessions are given an older edition first, which leaves their figures as they are.
"""

import importlib
import json
import os
import sys
import time

import django

SESSIONS = 6000


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    django.setup()
    json.dump(figures(importlib.import_module("sessions_app.models")), sys.stdout)


def figures(models):
    command = importlib.import_module("sessions_app.management.commands.rescore")
    found = {}
    finished = models.Session.objects.filter(state="finished", void=False, imported=False, season__locked=False)
    ids = list(finished.order_by("pk").values_list("pk", flat=True)[:SESSIONS])
    for name, processes in (("one process", 1), ("every processor", os.cpu_count())):
        hands = models.Hand.objects.filter(session__in=ids)
        hands.update(edition=0)
        began = time.perf_counter()
        outcomes = list(command.rescored(ids, "Measured", processes))
        assert set(outcomes) == {"same"}, set(outcomes)
        found[name] = hands.count() / (time.perf_counter() - began)
    return {"sessions": len(ids), **found}


if __name__ == "__main__":
    main()
