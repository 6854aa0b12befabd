"""The WSGI application, which clubscore/site/asgi.py serves."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from clubscore.site import sqlite_file

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.site.settings")
application = get_wsgi_application()
sqlite_file.require_existing(str(settings.DATABASES["default"]["NAME"]))
# Fail now if there is no key, not when someone signs in.
settings.SECRET_KEY  # noqa: B018
# Import every view before the first request, then keep the garbage collector off all these objects: scanning them would
# delay one request in some hundreds by longer than it takes to record a hand.
get_resolver().url_patterns  # noqa: B018
gc.collect()
gc.freeze()
