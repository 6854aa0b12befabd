import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def take_old_answers_for_read(apps, schema_editor):
    doubts = apps.get_model("sessions_app", "Doubt").objects.using(schema_editor.connection.alias)
    doubts.exclude(answered_at=None).update(read_at=F("answered_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0015_members_question_hands"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="currency",
            field=models.CharField(
                choices=[
                    ("£", "Pounds (£)"),
                    ("€", "Euros (€)"),
                    ("$", "Dollars ($)"),
                    ("A$", "Australian dollars (A$)"),
                    ("NZ$", "New Zealand dollars (NZ$)"),
                    ("C$", "Canadian dollars (C$)"),
                    ("HK$", "Hong Kong dollars (HK$)"),
                    ("kr", "Crowns (kr)"),
                    ("CHF", "Swiss francs (CHF)"),
                ],
                default="£",
                max_length=4,
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("currency__in", ["£", "€", "$", "A$", "NZ$", "C$", "HK$", "kr", "CHF"])),
                name="club_currency_known",
            ),
        ),
        migrations.AddField(
            model_name="doubt",
            name="read_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="doubt",
            constraint=models.CheckConstraint(
                condition=models.Q(("read_at", None), ("answered_at__isnull", False), _connector="OR"),
                name="doubt_read_once_answered",
            ),
        ),
        migrations.RunPython(take_old_answers_for_read, migrations.RunPython.noop),
        migrations.AddField(
            model_name="invite",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="sessions_app.player",
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.CheckConstraint(
                condition=models.Q(("player", None), ("once", True), _connector="OR"),
                name="invite_of_a_player_is_for_one",
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="memberships",
                to="sessions_app.player",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("player",), name="membership_one_login_a_player"),
        ),
    ]
