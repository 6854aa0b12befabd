"""A season may count each meeting as one result, and give points for the positions there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0028_hand_queries"),
    ]

    operations = [
        migrations.AddField(model_name="season", name="by_meeting", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="season", name="position_points", field=models.JSONField(blank=True, default=list)
        ),
        migrations.AddField(model_name="season", name="drop_worst", field=models.PositiveSmallIntegerField(default=0)),
    ]
