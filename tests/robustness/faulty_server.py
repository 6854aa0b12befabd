"""Starts the web server for the site with faults; it waits less long than usual."""

import sys

from clubscore.site import server

# In its processes too, which import this first.
server.SIGN_EVERY, server.HUNG_AFTER, server.START_AGAIN_AFTER = 1, 6, 1

if __name__ == "__main__":
    server.serve(sys.argv[1], int(sys.argv[2]), "tests.robustness.with_faults:application")
