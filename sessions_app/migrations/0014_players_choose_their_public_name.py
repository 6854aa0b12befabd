import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0013_meetings_have_a_time_a_place_and_fees"),
    ]

    operations = [
        migrations.CreateModel(
            name="Contact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                ("telephone", models.CharField(blank=True, default="", max_length=40)),
                ("agreed_on", models.DateField()),
            ],
        ),
        migrations.AddField(
            model_name="player",
            name="in_public",
            field=models.CharField(
                blank=True,
                choices=[
                    ("initials", "Initials"),
                    ("short", "First name"),
                    ("full", "Full name"),
                    ("off", "Not at all: left off every public list"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("in_public__in", ["", "initials", "short", "full", "off"])),
                name="player_in_public_known",
            ),
        ),
        migrations.AddField(
            model_name="contact",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
            ),
        ),
        migrations.AddField(
            model_name="contact",
            name="player",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="contact", to="sessions_app.player"
            ),
        ),
        migrations.AddConstraint(
            model_name="contact",
            constraint=models.CheckConstraint(
                condition=models.Q(("email", ""), ("telephone", ""), _negated=True), name="contact_says_something"
            ),
        ),
    ]
