"""The rules on a tablet: the modules of the game made ready for MicroPython, which the browser runs."""
