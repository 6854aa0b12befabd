"""The switches of this device on the page's root, and the way to where they are turned."""

from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html

from sessions_app.looks import LOOKS, looks_of

register = template.Library()


@register.simple_tag(takes_context=True)
def looks_class(context):
    """Write the class attribute of <html>; a page made without a request, as an error's, has none."""
    request = context.get("request")
    on = looks_of(request) if request else []
    classes = " ".join(look.css_class for look in LOOKS if look.key in on)
    return format_html(' class="{}"', classes) if classes else ""


@register.simple_tag(takes_context=True)
def looks_address(context):
    """Return the address of the switches, from where one comes back to this page."""
    request = context.get("request")
    address = reverse("looks")
    if request is None or request.method != "GET" or request.path == address:
        return address
    return f"{address}?{urlencode({'next': request.get_full_path()})}"
