"""Clubs keep their members' yearly subscriptions, with a usual amount."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0033_players_are_beginners"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="subscription",
            field=models.DecimalField(decimal_places=2, default=0, max_digits=6),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("subscription__gte", 0)), name="club_subscription_not_below_nothing"
            ),
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("year", models.PositiveSmallIntegerField()),
                ("amount", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("paid", models.BooleanField(default=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="subscriptions",
                        to="sessions_app.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("player", "year"), name="subscription_once_a_year"),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 0)), name="subscription_not_below_nothing"
                    ),
                ],
            },
        ),
    ]
