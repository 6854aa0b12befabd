"""Why a command is kept for the secretary becomes a field; until now only the sentence of its answer said so."""

from django.db import migrations, models

REASONS = {
    "This session is finished. What you sent is kept for the secretary.": "finished",
    "The season of this session is locked. What you sent is kept for the secretary.": "locked",
    "This tablet may not write at this table any more. What you sent is kept for the secretary.": "key_replaced",
}


def give_reasons(apps, schema_editor):
    commands = apps.get_model("sessions_app", "Command").objects.using(schema_editor.connection.alias)
    for command in commands.filter(outcome="late").only("answer").iterator():
        command.late_reason = REASONS.get(command.answer.get("message"), "finished")
        command.save(update_fields=["late_reason"])


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0020_totals_without_hands"),
    ]

    operations = [
        migrations.AlterField(
            model_name="command",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("applied", "Applied"),
                    ("contested", "Another hand stands there"),
                    ("late", "Kept for the secretary"),
                    ("dropped", "Not chosen"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="command",
            name="late_reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("finished", "The session was finished"),
                    ("locked", "The season was locked"),
                    ("key_replaced", "The tablet's code had been replaced"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.RunPython(give_reasons, migrations.RunPython.noop, elidable=True),
    ]
