"""Addresses that any page needs: service worker, text size and colours."""

from django.urls import path

from sessions_app.web import views

urlpatterns = [
    path("sw.js", views.service_worker, name="service-worker"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("outbox/", views.outbox, name="outbox"),
    path("first-hand/", views.first_hand, name="first-hand"),
    path("trial-kit/", views.trial_kit, name="trial-kit"),
    path("your-laptop/", views.laptop, name="laptop"),
    path("when-the-wifi-fails/", views.wifi, name="wifi"),
    path("words/", views.words, name="words"),
    path("licences/", views.licences, name="licences"),
    path("looks/", views.looks, name="looks"),
]
