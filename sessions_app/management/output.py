"""Write to a command's standard output without the console's encoding or line ends."""


def write_exactly(stdout, text: str) -> None:
    """Write text as UTF-8 bytes where there are bytes underneath, else (a test's buffer) as it is."""
    buffer = getattr(stdout, "buffer", None)
    if buffer is None:
        stdout.write(text, ending="")
    else:
        buffer.write(text.encode())
        buffer.flush()
