import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0016_members_say_which_player_they_are"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="goes_on_at",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="going_on",
                to="sessions_app.meeting",
            ),
        ),
        migrations.RemoveConstraint(model_name="drawntable", name="drawn_table_number_once"),
        migrations.AddConstraint(
            model_name="drawntable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("session", None)),
                fields=("meeting", "number"),
                name="drawn_table_number_once",
            ),
        ),
    ]
