"""Sessions that a tablet starts without the network have a key, by which each is started once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0034_subscriptions_are_kept"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="tablet_key",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.UniqueConstraint(
                condition=models.Q(("tablet_key__isnull", False)),
                fields=("club", "tablet_key"),
                name="session_once_a_tablet_key",
            ),
        ),
    ]
