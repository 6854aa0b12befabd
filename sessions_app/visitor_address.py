"""From which address of the network a request came, behind as many proxies as the settings tell of."""

import ipaddress

from django.conf import settings

# Whoever has one address of IPv6 has the rest of its network too.
NETWORK_BITS = 64


def address_of(request):
    """Return the visitor's address, an IPv6 one as its network; what a visitor could have written is not believed."""
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    told = forwarded[-settings.PROXIES :][:1] if settings.PROXIES else []
    address = told[0] if told and len(forwarded) >= settings.PROXIES else request.META.get("REMOTE_ADDR", "")
    return _network(address)


def _network(address):
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:40]
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, NETWORK_BITS), strict=False))
