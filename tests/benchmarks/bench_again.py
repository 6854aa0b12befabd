"""Whether what was filled in bulk is what the tables would have written; prints JSON, and fails where it is not.

A thousand sessions are replayed and compared row by row, a hundred recorded again through the door; nothing is written.
"""

import importlib
import json
import os
import random
import sys
import time

import django

COMPARED, RECORDED = 1000, 100


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "clubscore.site.settings"
    django.setup()
    models = importlib.import_module("sessions_app.models")
    # Those of the benchmark itself are void, and what it has corrected is no longer as it was sent.
    made = models.Session.objects.filter(imported=False, void=False).exclude(changes__name="Benchmark")
    editions = {
        key: rule_set.edition for key, rule_set in importlib.import_module("clubscore.scoring").RULE_SETS.items()
    }
    rows = set(made.order_by().values_list("pk", "rules", "edition"))
    ids = sorted(pk for pk, _, _ in rows)
    # By an older edition of the rules a hand may have been worth something else; another part of the benchmark takes
    # hands out and scores some again, which the log tells.
    excluded = set(models.Change.objects.filter(action__in=["export", "rescore"]).values_list("session", flat=True))
    newest = sorted(pk for pk, rules, edition in rows if edition == editions[rules] and pk not in excluded)
    rng = random.Random(1)
    found = compared(rng.sample(ids, min(COMPARED, len(ids))))
    json.dump(found | again(rng.sample(newest, min(RECORDED, len(newest)))), sys.stdout)


def compared(ids):
    look = importlib.import_module("sessions_app.table.reconcile").compare_session
    parallel_map = importlib.import_module("sessions_app.table.reconcile").parallel_map
    began = time.perf_counter()
    found = [sentence for one in parallel_map(look, ids, os.cpu_count()) for sentence in one.differences]
    return _silent(found) | {"compared": len(ids), "seconds": time.perf_counter() - began}


def again(ids):
    differences = importlib.import_module("tests.exchange.recorded_again").differences
    began = time.perf_counter()
    found = [sentence for session_id in ids for sentence in differences(session_id)]
    return _silent(found) | {"recorded": len(ids), "recording": time.perf_counter() - began}


def _silent(found):
    if found:
        sys.exit(f"{len(found)} differences, the first: {found[0]}")
    return {}


if __name__ == "__main__":
    main()
