"""A bare page: what Django and the middleware cost before any view of Clubscore's does anything."""

from django.http import HttpResponse
from django.urls import path


def bare(request):
    return HttpResponse("bare")


urlpatterns = [path("", bare)]
