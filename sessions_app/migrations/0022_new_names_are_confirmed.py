from django.db import migrations, models

from sessions_app.database_guards import DropGuards, MakeGuards


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0021_late_commands_have_a_reason"),
    ]

    operations = [
        DropGuards(),
        migrations.AddField(
            model_name="player",
            name="to_confirm",
            field=models.BooleanField(default=False),
        ),
        MakeGuards(),
    ]
