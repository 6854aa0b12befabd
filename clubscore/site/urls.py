"""Addresses of the whole site."""

from django.urls import include, path

urlpatterns = [path("", include("sessions_app.urls"))]
handler400 = "sessions_app.web.error_pages.unreadable"
handler500 = "sessions_app.web.error_pages.fault"
