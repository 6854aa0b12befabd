"""The page for whoever brings the laptop to a hall: an address that a tablet can open, or what to do."""

import platform
import re
import socket
from contextlib import closing

import pytest
from django.urls import reverse

from clubscore import own_address


@pytest.fixture
def hall():
    """Something that listens on every address of this machine, as ./run --host 0.0.0.0 does."""
    own = own_address.own_address()
    if not own:
        pytest.skip("This machine is on no network.")
    with closing(socket.create_server(("0.0.0.0", 0))) as listener:
        yield own, listener.getsockname()[1]


def shown(client, port):
    return client.get(reverse("laptop"), SERVER_PORT=str(port)).text


def test_the_address_of_the_laptop_is_shown_with_its_code(client, hall):
    own, port = hall
    page = shown(client, port)
    assert f'<a href="http://{own}:{port}">http://{own}:{port}</a>' in page
    assert 'aria-label="QR code of Clubscore on this laptop"' in page


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
