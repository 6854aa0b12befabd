"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.settings")
application = get_wsgi_application()
# Without a key Django fails only when somebody signs in: better not to start.
settings.SECRET_KEY  # noqa: B018
