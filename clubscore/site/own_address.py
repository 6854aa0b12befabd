"""The addresses of this machine that a tablet in the same hall can open, the likeliest first."""

import os
import platform
import re
import socket
import struct
from contextlib import closing, suppress
from ipaddress import IPv4Address, ip_network

# Windows has none.
with suppress(ImportError):
    import fcntl

# The networks that Docker, Podman and the Windows Subsystem for Linux make within a machine.
INNER = re.compile(r"172\.(1[6-9]|2\d|3[01])\.|10\.88\.|10\.0\.2\.")
# The networks of homes, halls and telephones.
PRIVATE = [ip_network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")]
# By the names that Linux and macOS give: within this machine alone; Wi-Fi; tunnels, which lead elsewhere.
WITHIN = re.compile(r"lo|docker|br-|veth|virbr|vmnet|vboxnet|podman|cni|lxc")
WI_FI = re.compile(r"wl|en0$")
TUNNEL = re.compile(r"tun|tap|wg|ppp|utun|tailscale|zt|nordlynx")
# Asks for an interface's address; Linux and macOS number it differently.
SIOCGIFADDR = 0xC0206921 if platform.system() == "Darwin" else 0x8915


def own_addresses() -> list[str]:
    """Return this machine's addresses in the networks that it is in, the one that tablets most likely reach first."""
    found = {address: name for name, address in _interfaces() if not WITHIN.match(name)}
    usual = _usual_address()
    if usual:
        found.setdefault(usual, "")
    wanted = [address for address in found if address == usual or any(IPv4Address(address) in net for net in PRIVATE)]

    def how_unlikely(address: str) -> tuple[bool, bool, bool, bool, str]:
        name = found[address]
        # Without a name, as on Windows: a VPN is rarely in 192.168, and VirtualBox always in 192.168.56.
        is_homely = address.startswith("192.168.") and not address.startswith("192.168.56.")
        return bool(TUNNEL.match(name)), not WI_FI.match(name), not is_homely, address != usual, address

    return sorted(wanted, key=how_unlikely)


def _interfaces() -> list[tuple[str, str]]:
    """Return the name and address of each network that this machine is in; Windows tells no name."""
    if os.name == "nt":
        with suppress(OSError):
            return [("", address) for address in socket.gethostbyname_ex(socket.gethostname())[2]]
        return []
    found = []
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        for _, name in socket.if_nameindex():
            # One without an address is an OSError.
            with suppress(OSError):
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append((name, socket.inet_ntoa(answer[20:24])))
    return found


def _usual_address() -> str:
    """Return the address that this machine has towards the internet, or ""."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # Connecting a UDP socket sends nothing; this address is reserved for examples.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if address.startswith(("127.", "0.", "169.254.")) else address


def is_inner(address: str) -> bool:
    """Whether no tablet can reach an address, as it is that of a container, or of Linux within Windows."""
    # Our image sets the first, as Podman and systemd do.
    is_within = "container" in os.environ or "microsoft" in platform.release().lower()
    return is_within and INNER.match(address) is not None


def open_to_tablets(port: int) -> tuple[list[str], str]:
    """Return the addresses that tablets open, the likeliest first; or none, and why."""
    own = own_addresses()
    if not own:
        return [], "no network"
    outer = [address for address in own if not is_inner(address)]
    if not outer:
        return [], "inner"
    return [f"http://{address}:{port}" for address in outer if answers(address, port)], "alone"


def answers(address: str, port: int) -> bool:
    """Whether something is served at an address of this machine."""
    try:
        with socket.create_connection((address, port), timeout=1):
            return True
    except OSError:
        return False
