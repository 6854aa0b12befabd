"""How fees and subscriptions were paid can be noted."""

from django.db import migrations, models


def how():
    """Return the field, the same for both."""
    choices = [("cash", "in cash"), ("bank", "to the bank"), ("cheque", "by cheque")]
    return models.CharField(blank=True, choices=choices, default="", max_length=10)


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0052_house_rules_count_from_a_day"),
    ]

    operations = [
        migrations.AddField("meetingfee", "how", how()),
        migrations.AddField("subscription", "how", how()),
    ]
