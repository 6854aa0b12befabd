"""Addresses that any page needs: health, service worker, text size and colours."""

from django.urls import path

from sessions_app.web import health, looks, offline

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("sw.js", offline.service_worker, name="service-worker"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("outbox/", offline.outbox, name="outbox"),
    path("first-hand/", offline.first_hand, name="first-hand"),
    path("when-the-wifi-fails/", offline.wifi, name="wifi"),
    path("words/", offline.words, name="words"),
    path("looks/", looks.looks, name="looks"),
]
