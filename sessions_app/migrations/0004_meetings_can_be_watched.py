from django.db import migrations, models

import sessions_app.people.models


def give_keys(apps, schema_editor):
    Meeting = apps.get_model("sessions_app", "Meeting")
    meetings = list(Meeting.objects.using(schema_editor.connection.alias).filter(watching_key=None))
    for meeting in meetings:
        meeting.watching_key = sessions_app.people.models.unguessable_key()
    Meeting.objects.using(schema_editor.connection.alias).bulk_update(meetings, ["watching_key"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0003_hands_remember_their_chairs"),
    ]

    # Each meeting gets a key of its own, so the column is filled before it must be there.
    operations = [
        migrations.AddField(
            model_name="meeting",
            name="watching_key",
            field=models.CharField(max_length=40, null=True),
        ),
        migrations.RunPython(give_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="meeting",
            name="watching_key",
            field=models.CharField(default=sessions_app.people.models.unguessable_key, max_length=40, unique=True),
        ),
    ]
