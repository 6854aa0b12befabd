"""Half-entered hands stay on their tablets."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0053_how_fees_were_paid"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="device",
            name="name",
        ),
        migrations.RemoveField(
            model_name="device",
            name="user",
        ),
        migrations.DeleteModel(
            name="Draft",
        ),
    ]
