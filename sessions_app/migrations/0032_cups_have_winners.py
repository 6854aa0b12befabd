"""Cups have winners by year."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0031_replies_and_frames"),
    ]

    operations = [
        migrations.CreateModel(
            name="CupWinner",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cup", models.CharField(max_length=60)),
                ("year", models.CharField(max_length=20)),
                ("winner", models.CharField(max_length=80)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
            ],
            options={
                "ordering": ["cup", "-year", "winner"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "cup", "year", "winner"), name="cup_winner_once_a_year")
                ],
            },
        ),
    ]
