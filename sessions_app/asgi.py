"""What the web server serves: the site, with what it watches and says of its database."""

from clubscore.site.asgi import Site, live_in_server
from sessions_app.exchange.backups.full_backup import location
from sessions_app.exchange.backups.retention import watch
from sessions_app.exchange.operator_views import SILENT

application = Site(SILENT, location)
live_in_server(watch)
