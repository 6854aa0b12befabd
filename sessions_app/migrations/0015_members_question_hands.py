import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0014_players_choose_their_public_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="Doubt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(blank=True)),
                ("entry_version", models.PositiveIntegerField()),
                ("hand_version", models.PositiveIntegerField()),
                ("name", models.CharField(blank=True, default="", max_length=120)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("stands", "It stands"), ("corrected", "It has been put right")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("answer", models.TextField(blank=True, default="")),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="doubts", to="sessions_app.entry"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="doubts", to="sessions_app.session"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(condition=models.Q(("outcome", "")), fields=["session"], name="doubt_open")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["", "stands", "corrected"])), name="doubt_outcome_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at", None), ("outcome", "")),
                            models.Q(models.Q(("outcome", ""), _negated=True), ("answered_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="doubt_answered_or_not",
                    ),
                ],
            },
        ),
    ]
