"""Add players' replies about meetings, the keys by which they give them, and the websites that may frame a page."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0030_clubs_change_name_and_address"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="framed_by",
            field=models.CharField(blank=True, default="", max_length=400),
        ),
        migrations.AddField(
            model_name="player",
            name="reply_key",
            field=models.CharField(blank=True, max_length=40, null=True, unique=True),
        ),
        migrations.CreateModel(
            name="Reply",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_coming", models.BooleanField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="replies", to="sessions_app.meeting"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="replies", to="sessions_app.player"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "replies",
                "constraints": [models.UniqueConstraint(fields=("meeting", "player"), name="reply_once_a_meeting")],
            },
        ),
    ]
