"""How gunicorn serves Clubscore: with so many processes, and its own log written as the site's."""

from clubscore.settings import LOGGING, WEB_PROCESSES

# Threads, and none for a client that sends or reads slowly. An answer is sent from memory, so no file goes past it.
worker_class = "clubscore.gunicorn_worker.BufferingWorker"
# On a machine with more processors, one for each of them.
workers = WEB_PROCESSES
threads = 4
sendfile = False
# Two seconds, gunicorn's own, would collide with pages that ask every two seconds.
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
