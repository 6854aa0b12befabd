"""Addresses of the pages."""

from django.urls import path

from sessions_app.views import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
]
