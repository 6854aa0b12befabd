#!/usr/bin/env python
"""Django's command line for Clubscore."""

import os
import sys

from clubscore.site import settings_file


def main():
    if os.name == "nt":
        # Files and programs that take what is written get UTF-8, as everywhere else.
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8")
    try:
        here = os.path.dirname(os.path.abspath(__file__))
        settings_file.read_settings(here)
    except ValueError as error:
        sys.exit(str(error))
    if sentence := settings_file.wrong_user(here):
        sys.exit(sentence)
    settings_file.work_directly()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
