import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

import sessions_app.people.models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0007_house_rules_are_editions"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tries",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "verbose_name_plural": "tries",
            },
        ),
        migrations.AddField(
            model_name="meeting",
            name="joining_code",
            field=models.CharField(blank=True, max_length=6, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="user",
            name="sign_ins_ended",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="Invite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "token",
                    models.CharField(default=sessions_app.people.models.unguessable_key, max_length=40, unique=True),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("secretary", "Secretary"), ("scorekeeper", "Scorekeeper"), ("member", "Member")],
                        max_length=12,
                    ),
                ),
                ("once", models.BooleanField(default=True)),
                ("used", models.PositiveIntegerField(default=0)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="invites", to="sessions_app.club"
                    ),
                ),
                (
                    "made_by",
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
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(role__in=["secretary", "scorekeeper", "member"]), name="invite_role_known"
                    )
                ],
            },
        ),
    ]
