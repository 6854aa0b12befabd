from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0004_meetings_can_be_watched"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="practice",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=Q(practice=False) | Q(season=None), name="session_practice_is_in_no_season"
            ),
        ),
    ]
