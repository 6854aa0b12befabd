"""The address of this machine that a tablet in the same hall can open, if there is one."""

import os
import platform
import re
import socket
from contextlib import closing

# The networks that Docker, Podman and the Windows Subsystem for Linux make within a machine.
INNER = re.compile(r"172\.(1[6-9]|2\d|3[01])\.|10\.88\.|10\.0\.2\.")


def own_address() -> str:
    """Return this machine's address in the network that it is in, or ""."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # Connecting a UDP socket sends nothing; this address is reserved for examples.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if address.startswith(("127.", "0.")) else address


def is_inner(address: str) -> bool:
    """Whether no tablet can reach an address, as it is that of a container, or of Linux within Windows."""
    # Our image sets the first, as Podman and systemd do.
    is_within = "container" in os.environ or "microsoft" in platform.release().lower()
    return is_within and INNER.match(address) is not None


def open_to_tablets(port: int) -> tuple[str, str]:
    """Return the address that tablets open, or "", and then why there is none."""
    own = own_address()
    if is_inner(own):
        return "", "inner"
    if not own:
        return "", "no network"
    if not answers(own, port):
        return "", "alone"
    return f"http://{own}:{port}", ""


def answers(address: str, port: int) -> bool:
    """Whether something is served at an address of this machine."""
    try:
        with socket.create_connection((address, port), timeout=1):
            return True
    except OSError:
        return False
