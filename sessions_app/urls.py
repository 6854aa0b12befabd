"""Addresses of the pages, room by room."""

from django.urls import include, path

ROOMS = ("table", "league", "meetings", "rules", "people", "exchange", "web")

urlpatterns = [path("", include(f"sessions_app.{room}.urls")) for room in ROOMS]
