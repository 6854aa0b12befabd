"""Addresses of the pages, room by room."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

ROOMS = ("table", "league", "meetings", "rules", "people", "exchange", "web")


class KeyConverter(StringConverter):
    """A key or token in an address. One that was cut short is looked for too, so that its page can say so."""

    regex = "[A-Za-z0-9_-]{1,64}"


register_converter(KeyConverter, "key")
urlpatterns = [path("", include(f"sessions_app.{room}.urls")) for room in ROOMS]
