"""The page for whoever brings the laptop to a hall: an address that a tablet can open, or what to do."""

import os
import platform
import re
import shutil
import socket
import subprocess
import sys
from contextlib import closing

import pytest
from django.urls import reverse

from clubscore.site import own_address
from tests.test_run import ROOT


@pytest.fixture(autouse=True)
def without_an_address_in_its_settings(settings):
    settings.SITE = None


@pytest.fixture
def hall():
    """Something that listens on every address of this machine, as ./run --host 0.0.0.0 does."""
    own = own_address.own_addresses()
    if not own:
        pytest.skip("This machine is on no network.")
    with closing(socket.create_server(("0.0.0.0", 0))) as listener:
        yield own[0], listener.getsockname()[1]


def shown(client, port):
    return client.get(reverse("laptop"), SERVER_PORT=str(port)).text


def test_the_address_of_the_laptop_is_shown_with_its_code(client, hall):
    own, port = hall
    page = shown(client, port)
    assert f'<a href="http://{own}:{port}">http://{own}:{port}</a>' in page
    assert 'aria-label="QR code of Clubscore on this laptop"' in page


HALLS = {
    "a VPN has the way to the internet": (
        [("wlan0", "192.168.1.20"), ("tun0", "10.8.0.2"), ("docker0", "172.17.0.1"), ("lo", "127.0.0.1")],
        "10.8.0.2",
        ["192.168.1.20", "10.8.0.2"],
    ),
    "the laptop is the hotspot": ([("wlp3s0", "10.42.0.1")], "", ["10.42.0.1"]),
    "a cable and the Wi-Fi": (
        [("eth0", "192.168.1.21"), ("wlan0", "10.0.0.5")],
        "192.168.1.21",
        ["10.0.0.5", "192.168.1.21"],
    ),
    "Windows, which tells no names": (
        [("", "10.8.0.2"), ("", "192.168.56.1"), ("", "192.168.1.20"), ("", "169.254.7.7")],
        "10.8.0.2",
        ["192.168.1.20", "10.8.0.2", "192.168.56.1"],
    ),
    "no network yet": ([("lo", "127.0.0.1"), ("wlan0", "169.254.7.7")], "", []),
}  # fmt: skip


@pytest.mark.parametrize(("interfaces", "usual", "expected"), HALLS.values(), ids=HALLS)
def test_wi_fi_comes_first_and_what_no_tablet_reaches_not_at_all(client, monkeypatch, interfaces, usual, expected):
    monkeypatch.setattr(own_address, "_interfaces", lambda: interfaces)
    monkeypatch.setattr(own_address, "_usual_address", lambda: usual)
    monkeypatch.setattr(own_address, "answers", lambda address, port: True)
    assert own_address.own_addresses() == expected
    page = shown(client, 8000)
    assert re.findall(r'<a href="http://([\d.]+):8000">', page) == expected
    assert ("This laptop is not on a network." in page) == (not expected)
    assert "Is a VPN on" in page


def test_a_hotspot_of_its_own_is_found_without_a_way_to_the_internet():
    """As NetworkManager makes it: an address, and no route that leads anywhere else."""
    if not shutil.which("unshare") or not shutil.which("ip") or os.geteuid() != 0:
        pytest.skip("A network of its own needs Linux and the administrator's rights.")
    makes = "ip link set lo up; ip link add wlan0 type bridge; ip addr add 10.42.0.1/24 dev wlan0; ip link set wlan0 up"
    asks = f"{sys.executable} -c 'from clubscore.site import own_address; print(own_address.own_addresses())'"
    done = subprocess.run(["unshare", "-n", "sh", "-c", f"{makes}; {asks}"], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['10.42.0.1']\n", "")


def test_what_only_the_laptop_can_open_is_not_offered(client):
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        page = shown(client, listener.getsockname()[1])
    assert "QR code" not in page
    assert "./run --host 0.0.0.0" in page or "This laptop is not on a network." in page


def test_an_address_inside_a_container_is_not_offered(client, hall, monkeypatch):
    monkeypatch.setenv("container", "oci")
    monkeypatch.setattr(own_address, "INNER", re.compile(""))
    own, port = hall
    page = shown(client, port)
    assert "No tablet can reach Clubscore where it runs now." in page
    assert own not in page


@pytest.mark.parametrize(
    ("address", "release", "inner"),
    [
        ("172.28.117.4", "5.15.153.1-microsoft-standard-WSL2", True),
        # The network of Windows itself, mirrored.
        ("192.168.1.20", "5.15.153.1-microsoft-standard-WSL2", False),
        ("172.28.117.4", "6.1.0-21-amd64", False),
    ],
)
def test_linux_within_windows_is_known_by_its_network(address, release, inner, monkeypatch):
    monkeypatch.delenv("container", raising=False)
    monkeypatch.setattr(platform, "release", lambda: release)
    assert own_address.is_inner(address) == inner
