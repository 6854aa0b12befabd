"""The learner's stages on this tablet, for everybody who holds it, signed in or not."""

from django.conf import settings
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.http import require_http_methods

from sessions_app.learning import BY_KEY, COOKIE, STAGES, stage_of
from sessions_app.views.way_back import way_back

A_YEAR = 365 * 24 * 60 * 60


@require_http_methods(["GET", "HEAD", "POST"])
def learning(request):
    back = way_back(request) or {"address": resolve_url("front"), "words": "Go on"}
    if request.method == "POST":
        return _choose(request, back)
    context = {"stages": STAGES, "chosen": stage_of(request), "back": back}
    return render(request, "sessions_app/learning.html", context)


def _choose(request, back):
    """Keep the stage and go back to where it was wanted; a stage nobody knows changes nothing."""
    response = redirect(back["address"])
    stage = BY_KEY.get(request.POST.get("stage", ""))
    if stage:
        response.set_cookie(
            COOKIE,
            stage.key,
            max_age=A_YEAR,
            samesite="Lax",
            httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response
