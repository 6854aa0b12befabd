"""Each import is a row; the log may be about a table that was taken back."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0054_no_half_entered_hands_on_the_server"),
    ]

    operations = [
        migrations.AlterField(
            model_name="change",
            name="session",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="changes",
                to="sessions_app.session",
            ),
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, default="", max_length=120)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("totals", "Totals"), ("meeting", "A meeting"), ("game", "A game")], max_length=10
                    ),
                ),
                ("file_name", models.CharField(blank=True, default="", max_length=200)),
                ("digest", models.CharField(blank=True, default="", max_length=64)),
                ("choices", models.JSONField(blank=True, default=dict)),
                ("names", models.JSONField(blank=True, default=dict)),
                ("made", models.JSONField(blank=True, default=dict)),
                ("tables", models.JSONField(blank=True, default=list)),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imports", to="sessions_app.club"
                    ),
                ),
                (
                    "in_place_of",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="successor",
                        to="sessions_app.import",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["totals", "meeting", "game"])), name="import_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("taken_back_at", None), ("in_place_of", None), _connector="OR"),
                        name="import_taken_back_replaces_nothing",
                    ),
                ],
            },
        ),
    ]
