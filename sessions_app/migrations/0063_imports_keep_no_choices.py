from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("sessions_app", "0062_subscriptions_for_a_season"),
    ]

    operations = [
        migrations.RemoveField(model_name="import", name="choices"),
    ]
