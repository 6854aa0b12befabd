import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0012_tablets_see_each_other"),
    ]

    operations = [
        migrations.CreateModel(
            name="MeetingFee",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table_fee", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("refreshments", models.DecimalField(decimal_places=2, default=0, max_digits=6)),
                ("paid", models.BooleanField(default=False)),
            ],
        ),
        migrations.AddField(
            model_name="club",
            name="keeps_fees",
            field=models.BooleanField(default=False, verbose_name="a list of fees at each meeting"),
        ),
        migrations.AddField(
            model_name="club",
            name="points_rate",
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=7, null=True),
        ),
        migrations.AddField(
            model_name="club",
            name="refreshments",
            field=models.DecimalField(decimal_places=2, default=0, max_digits=6),
        ),
        migrations.AddField(
            model_name="club",
            name="shows_honours",
            field=models.BooleanField(default=False, verbose_name="honours are public"),
        ),
        migrations.AddField(
            model_name="club",
            name="shows_meetings",
            field=models.BooleanField(default=False, verbose_name="meetings are public"),
        ),
        migrations.AddField(
            model_name="club",
            name="shows_standings",
            field=models.BooleanField(default=False, verbose_name="standings are public"),
        ),
        migrations.AddField(
            model_name="club",
            name="table_fee",
            field=models.DecimalField(decimal_places=2, default=0, max_digits=6),
        ),
        migrations.AddField(
            model_name="meeting",
            name="place",
            field=models.CharField(blank=True, default="", max_length=120),
        ),
        migrations.AddField(
            model_name="meeting",
            name="starts_at",
            field=models.TimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("refreshments__gte", 0), ("table_fee__gte", 0)), name="club_fees_not_below_nothing"
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("points_rate", None), ("points_rate__gt", 0), _connector="OR"),
                name="club_points_rate_above_nothing",
            ),
        ),
        migrations.AddField(
            model_name="meetingfee",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="sessions_app.club"
            ),
        ),
        migrations.AddField(
            model_name="meetingfee",
            name="meeting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="fees", to="sessions_app.meeting"
            ),
        ),
        migrations.AddField(
            model_name="meetingfee",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="fees", to="sessions_app.player"
            ),
        ),
        migrations.AddConstraint(
            model_name="meetingfee",
            constraint=models.UniqueConstraint(fields=("meeting", "player"), name="meeting_fee_once_a_meeting"),
        ),
        migrations.AddConstraint(
            model_name="meetingfee",
            constraint=models.CheckConstraint(
                condition=models.Q(("refreshments__gte", 0), ("table_fee__gte", 0)),
                name="meeting_fee_not_below_nothing",
            ),
        ),
    ]
