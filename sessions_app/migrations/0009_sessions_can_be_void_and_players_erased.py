from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0008_people_come_in_by_invitation"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="void",
            field=models.BooleanField(default=False),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=Q(void=False) | Q(practice=True, state="finished"), name="session_void_never_counts"
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="erased_as",
            field=models.CharField(blank=True, default="", max_length=60),
        ),
    ]
