"""`python -m tests.backups.undo_last SLUG`: undo the last step of a club's open table, and say what the door says."""

import os
import sys
import uuid

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.site.settings")
    django.setup()
    from sessions_app.models import Session
    from sessions_app.people.log import Actor
    from sessions_app.table.apply_command import apply_command

    table = Session.objects.filter(club__slug=sys.argv[1], state="open").earliest("pk")
    command = {"key": str(uuid.uuid4()), "kind": "undo", "body": {}}
    print(apply_command(table.pk, command, Actor(name="The test")).message)
