"""When the Wi-Fi fails: the one page for the wall, to read or to print; docs/when-the-wifi-fails.md says the same."""

from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def wifi(request):
    return render(request, "sessions_app/wifi.html")
