from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0019_sessions_going_on_are_found"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tally",
            name="hands",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
        migrations.AlterField(
            model_name="tally",
            name="won",
            field=models.PositiveIntegerField(blank=True, default=0, null=True),
        ),
    ]
