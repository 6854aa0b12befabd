from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0021_late_commands_have_a_reason"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="to_confirm",
            field=models.BooleanField(default=False),
        ),
    ]
