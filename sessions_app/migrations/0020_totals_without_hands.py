from django.db import migrations, models

from sessions_app.database_guards import DropGuards, MakeGuards


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0019_sessions_going_on_are_found"),
    ]

    operations = [
        DropGuards(),
        migrations.AlterField(
            model_name="tally",
            name="hands",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="tally",
            name="won",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        MakeGuards(),
    ]
