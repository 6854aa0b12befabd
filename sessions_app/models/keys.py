"""Keys that stand in addresses."""

import secrets


def unguessable_key():
    """128 bits, safe in an address."""
    return secrets.token_urlsafe(16)
