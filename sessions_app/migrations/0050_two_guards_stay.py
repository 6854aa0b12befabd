"""Drop the triggers of earlier versions that kept rows of two clubs apart: the code and its tests do that."""

from django.db import migrations

from sessions_app.database_guards import drop_guards


def drop(apps, schema_editor):
    drop_guards(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0044_nobody_who_never_joined_has_a_tally"),
    ]

    operations = [migrations.RunPython(drop, migrations.RunPython.noop)]
