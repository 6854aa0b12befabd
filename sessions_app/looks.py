"""How pages look on one device: large type, high contrast, for the left hand; kept in a cookie, known to no account."""

from dataclasses import dataclass

COOKIE = "looks"


@dataclass(frozen=True)
class Look:
    """One switch; `css_class` stands on the page's root while it is on."""

    key: str
    name: str
    sentence: str

    @property
    def css_class(self):
        return f"is-{self.key}"


LOOKS = (
    Look("large", "Large type", "Every word is a quarter larger, and the smallest words most of all."),
    Look("contrast", "High contrast", "Black on white, or white on black in the dark, with a line round everything."),
    Look("left", "Left hand", "The tiles laid down and the main button stand on the left."),
)


def looks_of(request):
    """Return the keys of the switches that are on, in their order; whatever else the cookie holds is nothing."""
    kept = request.COOKIES.get(COOKIE, "").split(".")
    return [look.key for look in LOOKS if look.key in kept]


def turned(looks, key):
    """Return the cookie after one switch was turned over."""
    return ".".join(look.key for look in LOOKS if (look.key in looks) != (look.key == key))
