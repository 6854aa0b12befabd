"""A tablet's sign-in calls the seat of its player as the code does."""

from importlib import import_module

from django.conf import settings
from django.db import migrations


def rename(apps, schema_editor):
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    for row in apps.get_model("sessions_app", "SignIn").objects.all():
        data = store.decode(row.session_data)
        if "table_keys" in data:
            for tablet in data["table_keys"].values():
                tablet["seat_no"] = tablet.pop("chair", "")
            row.session_data = store.encode(data)
            row.save(update_fields=["session_data"])


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0059_last_hands_are_a_mark"),
    ]

    operations = [
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
