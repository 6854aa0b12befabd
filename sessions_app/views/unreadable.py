"""What is too large or too broken to be read at all, as a page."""

from django.shortcuts import render


def unreadable(request, exception):
    return render(request, "400.html", status=400)
