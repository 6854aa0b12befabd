"""A club has a contact, a usual venue and start, and keeps the addresses it had before."""

import django.db.models.deletion
from django.db import migrations, models

import sessions_app.people.models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0029_seasons_count_meetings"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="contact_email",
            field=models.EmailField(blank=True, default="", max_length=254, verbose_name="contact"),
        ),
        migrations.AddField(
            model_name="club",
            name="usual_place",
            field=models.CharField(blank=True, default="", max_length=120, verbose_name="usual venue"),
        ),
        migrations.AddField(
            model_name="club",
            name="usual_time",
            field=models.TimeField(blank=True, null=True, verbose_name="usual start"),
        ),
        migrations.CreateModel(
            name="OldAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.SlugField(default=sessions_app.people.models.unguessable_key, max_length=60, unique=True),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="old_addresses",
                        to="sessions_app.club",
                    ),
                ),
            ],
            options={"verbose_name_plural": "old addresses"},
        ),
    ]
