import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

import sessions_app.people.models


def first_editions(apps, schema_editor):
    """Where a club differs from its rule set, its rules so far become its first edition."""
    alias = schema_editor.connection.alias
    Club, ClubRules = (apps.get_model("sessions_app", name) for name in ("Club", "ClubRules"))
    for club in Club.objects.using(alias).exclude(house_rules={}):
        ClubRules.objects.using(alias).create(club=club, rules=club.rules, number=1, house_rules=club.house_rules)


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0005_practice_tables_never_count"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClubRules",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rules",
                    models.CharField(
                        choices=sessions_app.people.models.rule_set_choices, max_length=40, verbose_name="rule set"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("house_rules", models.JSONField(blank=True, default=dict)),
                ("note", models.CharField(blank=True, default="", max_length=200)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rules_editions",
                        to="sessions_app.club",
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
                "verbose_name_plural": "editions of club rules",
                "ordering": ["rules", "-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "rules", "number"), name="club_rules_number_once"),
                    models.CheckConstraint(condition=Q(number__gte=1), name="club_rules_number_counts_from_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClubHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=60)),
                ("tiles", models.CharField(blank=True, default="", max_length=80)),
                ("text", models.CharField(blank=True, default="", max_length=300)),
                (
                    "worth",
                    models.CharField(
                        choices=[
                            ("limit", "The limit"),
                            ("half limit", "Half the limit"),
                            ("points", "So many points"),
                        ],
                        default="limit",
                        max_length=10,
                    ),
                ),
                ("points", models.PositiveIntegerField(blank=True, null=True)),
                ("fishing", models.PositiveIntegerField(blank=True, null=True)),
                ("concealed", models.BooleanField(default=True)),
                ("since", models.DateField()),
                ("until", models.DateField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="own_hands", to="sessions_app.club"
                    ),
                ),
            ],
            options={
                "ordering": ["name", "since", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "key"), name="club_hand_key_once_a_club"),
                    models.CheckConstraint(
                        condition=Q(until=None) | Q(until__gte=F("since")), name="club_hand_ends_after_start"
                    ),
                    models.CheckConstraint(
                        condition=Q(worth="points", points__isnull=False)
                        | Q(worth__in=["limit", "half limit"], points__isnull=True),
                        name="club_hand_worth_known",
                    ),
                ],
            },
        ),
        migrations.AddField(model_name="session", name="house_edition", field=models.PositiveIntegerField(default=0)),
        migrations.AddField(model_name="session", name="club_hands", field=models.JSONField(blank=True, default=list)),
        migrations.RunPython(first_editions, migrations.RunPython.noop),
    ]
