"""The way back: the page somebody came from, carried along in the address."""

from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

WORDS = {
    "hand": "Back to the hand",
    "hand-new": "Back to the hand",
    "hand-change": "Back to the hand",
    "hand-insert": "Back to the hand",
    "practice": "Back to the hand",
    "worth": "Back to the hand",
    "table": "Back to the table",
}


def way_back(request):
    """Return the address and the words of the way back, or None; an address of another site is nothing."""
    address = request.POST.get("back") or request.GET.get("back", "")
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        return None
    try:
        name = resolve(address.partition("#")[0].partition("?")[0]).url_name
    except Resolver404:
        return None
    return {"address": address, "words": WORDS.get(name, "Back")}
