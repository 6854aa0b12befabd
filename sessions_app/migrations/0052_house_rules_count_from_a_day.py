"""House rules say from which day they count; those there are count from the day they were saved."""

import datetime
from zoneinfo import ZoneInfo

from django.db import migrations, models


def from_the_day_they_were_saved(apps, schema_editor):
    """Fill the first day of every version, in its club's time."""
    for version in apps.get_model("sessions_app", "ClubRules").objects.select_related("club"):
        version.since = version.made_at.astimezone(ZoneInfo(version.club.time_zone)).date()
        version.save(update_fields=["since"])


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0051_the_words_of_the_glossary"),
    ]

    operations = [
        migrations.AddField("clubrules", "since", models.DateField(default=datetime.date(2000, 1, 1))),
        migrations.RunPython(from_the_day_they_were_saved, migrations.RunPython.noop),
    ]
