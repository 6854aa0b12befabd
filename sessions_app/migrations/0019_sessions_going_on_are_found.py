import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0018_sessions_found_by_state"),
    ]

    operations = [
        migrations.AlterField(
            model_name="session",
            name="goes_on_at",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="going_on",
                to="sessions_app.meeting",
            ),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(
                condition=models.Q(("goes_on_at__isnull", False)), fields=["goes_on_at"], name="session_going_on"
            ),
        ),
    ]
