"""A member may be a beginner, whose league table is one for beginners."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0032_cups_have_winners"),
    ]

    operations = [
        migrations.AddField(model_name="player", name="beginner", field=models.BooleanField(default=False)),
    ]
