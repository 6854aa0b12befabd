from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0056_corrected_totals_are_one_table"),
    ]

    operations = [
        migrations.RemoveField(model_name="session", name="replaces"),
    ]
