"""Pages of one's own account: name, email address, password, signing in and out, and a forgotten password."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sessions_app.models import Membership, User
from sessions_app.people import accounts, throttling
from sessions_app.people.account_forms import DetailsForm, ForgottenForm, NewPasswordForm, OwnPasswordForm, SignInForm
from sessions_app.people.codes import CONFIRMATION, RECOVERY
from sessions_app.people.log import Actor
from sessions_app.people.mailing import mail_about_account, tell_owner
from sessions_app.people.password_views import count_password, password_tries
from sessions_app.people.permissions import SECRETARY
from sessions_app.people.phone_code import phone_of
from sessions_app.people.phone_code_views import ask_code
from sessions_app.people.sign_ins import confirm_sign_in, devices_of, end_sign_in
from sessions_app.people.transactions import write_transaction
from sessions_app.web.access import SignedInRequest, actor, with_code
from sessions_app.web.middleware import MUST_CHANGE
from sessions_app.web.requests import Request, address_in, errors_in, posted


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account(request: SignedInRequest) -> HttpResponse:
    user, email_before = request.user, request.user.email
    form = DetailsForm(user, posted(request))
    if form.changes_email:
        form.throttle_error = count_password(request)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            accounts.change_details(user, form.cleaned_data["name"], form.cleaned_data["email"], by=actor(request))
            if user.email != email_before:
                throttling.forget_tries(*password_tries(request))
                tell_owner("new_address", user, email_before)
            messages.success(request, "Your name and email address are saved.")
            return redirect("account")
    memberships, phone = list(_memberships_of(user)), phone_of(user)
    context = {
        "form": form,
        "memberships": memberships,
        # For those with much to lose; members are not bothered.
        "offers_code": phone or user.is_superuser or any(membership.role in SECRETARY for membership in memberships),
        "phone": phone,
        "sends_mail": settings.SENDS_MAIL,
        "devices": devices_of(user, request.session.session_key),
        "today": timezone.now().date(),
    }
    return render(request, "people/account.html", context, status=422 if form.errors else 200)


def _memberships_of(user: User) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user).select_related("club").order_by("club__name")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account_password(request: SignedInRequest) -> HttpResponse:
    is_first = request.user.must_change_password
    form = OwnPasswordForm(request.user, posted(request))
    if request.method == "POST":
        form.throttle_error = count_password(request)
        if form.is_valid():
            with write_transaction():
                user = form.save()
                accounts.log_account_change(user, "new password", actor(request))
            throttling.forget_tries(*password_tries(request))
            tell_owner("new_password", user)
            update_session_auth_hash(request, user)
            request.session[MUST_CHANGE] = False
            confirm_sign_in(request.session)
            messages.success(request, "Your new password is saved. You are signed out on your other devices.")
            return redirect("front" if is_first else "account")
    context = {"form": form, "is_first": is_first}
    return render(request, "people/account_password.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def send_confirmation(request: SignedInRequest) -> HttpResponse:
    """Send a link to one's own address, throttled, as the mailbox may be another person's."""
    user = request.user
    if settings.SENDS_MAIL and user.email and not user.email_confirmed:
        limit = throttling.account_mail("confirm_address")
        minutes = throttling.count_tries((limit, str(user.pk)), (limit, user.email.casefold()))
        if minutes:
            messages.error(request, f"You have asked for too many links. {throttling.in_minutes(minutes)}")
        else:
            path = reverse("account-confirm", args=[accounts.address_tokens.make_token(user)])
            accounts.run_in_background(mail_about_account, "confirm_address", user.email, user.get_username(), path)
            messages.success(request, f"We have sent a link to {user.email}. It works for a day.")
    return redirect("account")


@with_code(CONFIRMATION)
@never_cache
@login_required
def confirm(request: SignedInRequest, token: str) -> HttpResponse:
    """Confirm one's own address: signed in, and by pressing a button, as mail programs open links too."""
    user = request.user
    is_good = bool(user.email) and accounts.address_tokens.check_token(user, token)
    if is_good and request.method == "POST":
        accounts.confirm_address(user, by=actor(request))
        messages.success(request, "Your email address is confirmed.")
        return redirect("account")
    return render(request, "people/account_confirm.html", {"is_good": is_good}, status=200 if is_good else 410)


@require_POST
@login_required
def sign_out_everywhere(request: SignedInRequest) -> HttpResponse:
    accounts.end_sign_ins(request.user, by=actor(request))
    logout(request)
    messages.success(request, "You are signed out on every device.")
    return redirect("sign-in")


@require_POST
@login_required
def device_sign_out(request: SignedInRequest) -> HttpResponse:
    """Sign out on one device of the list."""
    if end_sign_in(request.user, request.POST.get("device", "")):
        accounts.log_account_change(request.user, "sign out device", actor(request))
        messages.success(request, "That device is signed out.")
    else:
        messages.error(request, "That device was already signed out.")
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a password link to an address; response and time are the same whether an account has it or not."""
    form = ForgottenForm(posted(request)) if settings.SENDS_MAIL else None
    if request.method == "POST" and form:
        if error := throttling.network_error(throttling.FORGOTTEN, request):
            form.add_error(None, error)
        elif form.is_valid():
            email = form.cleaned_data["email"]
            if not throttling.count_try(throttling.account_mail("forgotten"), email.casefold()):
                # For no user the same work is done for a made-up one without an address: it takes as long.
                for user in list(form.get_users(email)) or [User(pk=0)]:
                    link = user.email, user.get_username(), accounts.recovery_path(user)
                    accounts.run_in_background(mail_about_account, "forgotten", *link)
            sent = "If an account has this email address, we have sent it a link. The link works for a day."
            messages.success(request, sent)
            return redirect("sign-in")
    status = 422 if form and form.errors else 200
    return render(request, "people/forgotten.html", {"form": form}, status=status)


class Recover(PasswordResetConfirmView):
    """A new password by a link: Django's view, which keeps the link out of the Referer header."""

    form_class = NewPasswordForm
    token_generator = accounts.recovery_tokens
    request: Request
    template_name = "people/recover.html"
    success_url = reverse_lazy("sign-in")
    http_method_names = ["get", "head", "post"]

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        user = form.user
        with write_transaction():
            answer = super().form_valid(form)
            accounts.log_account_change(user, "new password", Actor.of_user(user))
        tell_owner("new_password", user)
        self.request.signed_in_as = user.get_username()
        messages.success(self.request, "Your new password is saved. Sign in with it.")
        return answer

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 422 if context["form"] is not None and context["form"].errors else 200 if self.validlink else 410
        return super().render_to_response(context, status=status, **kwargs)


recover = with_code(RECOVERY)(never_cache(Recover.as_view()))


# The front page, signing in and signing out.


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    if settings.GAME_SITE:
        return render(request, "people/site_front.html")
    if not request.user.is_authenticated:
        context = {"form": SignInForm(request), "sign_up": settings.SIGN_UP, "is_front": True}
        return render(request, "people/sign_in.html", context)
    memberships = _memberships_of(request.user)
    if len(memberships) == 1:
        return redirect("club", memberships[0].club.slug)
    return render(request, "people/front.html", {"memberships": memberships})


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, data=posted(request))
    if request.method == "POST" and form.is_valid():
        if asked := ask_code(request, form.get_user()):
            return asked
        login(request, form.get_user())
        return redirect(address_in(request, "next") or "front")
    next_page = request.POST.get("next") or request.GET.get("next", "")
    is_watching = next_page.startswith("/w/")
    context = {"form": form, "next": next_page, "sign_up": settings.SIGN_UP, "is_watching": is_watching}
    return render(request, "people/sign_in.html", context, status=422 if form.errors else 200)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect(address_in(request, "next") or "sign-in")
