"""Your first hand: the one page that leads a scorekeeper through a hand, to read or to print."""

from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def first_hand(request):
    return render(request, "sessions_app/first_hand.html")
