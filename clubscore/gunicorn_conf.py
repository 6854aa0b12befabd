"""How gunicorn serves Clubscore: with so many processes, and its own log written as the site's."""

import os

from clubscore.settings import LOGGING

worker_class = "gthread"
# Each with its own connections and cache; on a machine with more processors, one for each of them.
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
threads = 4
# Two seconds, gunicorn's own, would collide with pages that ask every two seconds.
keepalive = 10
loglevel = "warning"
control_socket_disable = True
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": LOGGING["formatters"],
    "handlers": {"stderr": LOGGING["handlers"]["stderr"]},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {"gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False}},
}
