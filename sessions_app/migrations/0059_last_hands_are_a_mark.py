"""The notes that said “Last 3 hands” by their words alone get the mark that pages read, in the log too."""

from django.db import migrations

WORDS = "Last 3 hands"


def mark(apps, schema_editor):
    sessions = set()
    for entry in apps.get_model("sessions_app", "Entry").objects.filter(kind="note", body__text=WORDS):
        sessions.add(entry.session_id)
        entry.body["last"] = 3
        entry.save(update_fields=["body"])
    for change in apps.get_model("sessions_app", "Change").objects.filter(session_id__in=sessions):
        states = [*(change.before.get("entries") or {}).values(), *(change.after.get("entries") or {}).values()]
        notes = [state for state in states if state and state["kind"] == "note" and state["body"]["text"] == WORDS]
        for state in notes:
            state["body"]["last"] = 3
        if notes:
            change.save(update_fields=["before", "after"])


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0058_games_wait_for_the_club"),
    ]

    operations = [
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
