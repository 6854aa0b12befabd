"""Run the command; it stands in a module of its own, so that its processes find it."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
