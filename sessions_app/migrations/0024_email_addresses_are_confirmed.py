from django.db import migrations, models


def confirm_known_addresses(apps, schema_editor):
    """Addresses from before were in use without a link, and go on being used."""
    users = apps.get_model("sessions_app", "User").objects.using(schema_editor.connection.alias)
    users.exclude(email="").update(email_confirmed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0023_sticks_remember_debts"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="email_confirmed",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(confirm_known_addresses, migrations.RunPython.noop),
    ]
