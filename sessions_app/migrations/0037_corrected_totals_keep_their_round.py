"""Totals that correct others know which, and so keep their round."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0036_clubs_have_logos"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="replaces",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="sessions_app.session",
            ),
        ),
    ]
