"""The front page, signing in and signing out."""

from django.conf import settings
from django.contrib.auth import login, logout
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.forms.sign_in import SignInForm
from sessions_app.models import Membership
from sessions_app.views.forms import posted


@require_safe
def front(request):
    if not request.user.is_authenticated:
        return render(request, "sessions_app/sign_in.html", {"form": SignInForm(request), "sign_up": settings.SIGN_UP})
    memberships = list(Membership.objects.filter(user=request.user).select_related("club").order_by("club__name"))
    if len(memberships) == 1:
        return redirect("club", memberships[0].club.slug)
    return render(request, "sessions_app/front.html", {"memberships": memberships})


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request):
    form = SignInForm(request, data=posted(request))
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return redirect(_where_to(request))
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_watching = wanted.startswith("/w/")
    context = {"form": form, "next": wanted, "sign_up": settings.SIGN_UP, "is_watching": is_watching}
    return render(request, "sessions_app/sign_in.html", context, status=422 if form.errors else 200)


@require_POST
def sign_out(request):
    where_to = _own_address(request)
    logout(request)
    return redirect(where_to or "sign-in")


def _where_to(request):
    return _own_address(request) or resolve_url("front")


def _own_address(request):
    """Return where one was going, when that is an address of this site; else nothing."""
    address = request.POST.get("next") or request.GET.get("next", "")
    is_own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_own and address.startswith("/") else ""
