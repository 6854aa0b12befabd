"""Gunicorn's settings: worker, processes, and the same log format as the site's."""

from clubscore.settings import LOGGING, WEB_PROCESSES

worker_class = "clubscore.gunicorn_worker.BufferingWorker"
workers = WEB_PROCESSES
threads = 4
# The worker sends responses from memory, not from files.
sendfile = False
# Gunicorn's default of two seconds would collide with pages that poll every two seconds.
keepalive = 10
loglevel = "warning"
control_socket_disable = True
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": LOGGING["formatters"],
    "filters": LOGGING["filters"],
    "handlers": {"stderr": LOGGING["handlers"]["stderr"]},  # type: ignore[index]
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {"gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False}},
}
