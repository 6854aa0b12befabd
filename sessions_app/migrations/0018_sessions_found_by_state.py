from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0017_sessions_go_on_another_day"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["club", "state", "date"], name="session_by_state"),
        ),
    ]
