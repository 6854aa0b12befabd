"""Call members' questions about a hand queries; their table keeps its name."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0027_rule_labels_in_plain_words"),
    ]

    operations = [
        migrations.AlterModelTable(name="doubt", table="sessions_app_doubt"),
        migrations.RenameModel(old_name="Doubt", new_name="HandQuery"),
        migrations.AlterField(
            model_name="handquery",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="queries", to="sessions_app.session"
            ),
        ),
        migrations.AlterField(
            model_name="handquery",
            name="entry",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="queries", to="sessions_app.entry"
            ),
        ),
    ]
