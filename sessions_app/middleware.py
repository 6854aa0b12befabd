"""What every answer carries: security headers, and a sign-in that lasts as long as it is used."""

from django.conf import settings
from django.utils import timezone

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# The screen is kept awake during play; nothing else of the device is wanted.
PERMISSIONS_POLICY = (
    "screen-wake-lock=(self), accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
)
LAST_USED = "last_used"


class SecurityHeaders:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # A page is for whoever asked: no proxy keeps it, and after signing out nobody is shown an old one unasked.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class KeepSignedIn:
    """Start the sign-in's weeks anew on each day of use: one write a day, so that pages that only read stay so."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            today = timezone.now().date().isoformat()
            if request.session.get(LAST_USED) != today:
                request.session[LAST_USED] = today
        return self.get_response(request)


def note_sign_in(sender, request, user, **kwargs):
    """Spare the first page after signing in that write."""
    request.session[LAST_USED] = timezone.now().date().isoformat()
