"""The WSGI application that gunicorn serves."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from clubscore import sqlite_file

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.settings")
application = get_wsgi_application()
sqlite_file.never_make(str(settings.DATABASES["default"]["NAME"]))
# Without a key Django fails only when someone signs in: better not to start.
settings.SECRET_KEY  # noqa: B018
# Every page is loaded before the first is asked for. What there is now stays: looking through it for garbage again and
# again would hold up one request in some hundreds, by longer than it takes to record a hand.
get_resolver().url_patterns  # noqa: B018
gc.collect()
gc.freeze()
