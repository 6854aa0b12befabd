"""A club's logo: which pictures are accepted, and drawing one again as small as it is shown."""

import io
import struct
from typing import Any

from PIL import ExifTags, Image

from sessions_app.models import Club, Logo
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.models import unguessable_key
from sessions_app.people.transactions import ServiceError, write_transaction

# A picture of few bytes may still have too many pixels for the server's memory.
MAX_BYTES, MAX_PIXELS = 200_000, 4000
PICTURE_WANTED = f"Choose a PNG, JPEG or WebP picture of at most {MAX_BYTES // 1000} kB."
DAMAGED = "Choose another picture. This one is damaged, or not whole."
TOO_MANY_PIXELS = f"Choose a picture of at most {MAX_PIXELS:,} by {MAX_PIXELS:,} pixels."
# In the page head, in pixels; and how many more are kept for sharp screens and prints.
HEIGHT, MAX_WIDTH, SHARPER = 40, 160, 4
QUALITY = 90

# What a picture begins with, and its content type. No SVG, as one may contain a script.
PICTURE_KINDS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))
FORMATS = ("PNG", "JPEG", "WEBP")
# What Pillow raises for a file that is damaged.
FAULTS = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error)

# By what a camera noted of how it was held. Pillow's own exif_transpose fails where the rest of the notes is damaged.
TURNS: dict[Any, Image.Transpose] = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# A size is refused in a sentence here.
Image.MAX_IMAGE_PIXELS = None

log_sentences({"logo": "changed the club’s logo", "remove logo": "removed the club’s logo"})


def content_type(picture: bytes) -> str:
    """Return the content type by the first bytes, for example image/png; an empty string for any other file."""
    return next((kind for start, kind in PICTURE_KINDS if picture.startswith(start)), "")


def drawn_again(picture: bytes) -> tuple[bytes, int]:
    """Return a picture without what a camera noted in it, turned as it was held, and its width when 40 pixels high.

    ServiceError for one that cannot be a logo.
    """
    if len(picture) > MAX_BYTES or not content_type(picture):
        raise ServiceError(PICTURE_WANTED, "logo")
    try:
        image = Image.open(io.BytesIO(picture), formats=FORMATS)
        if max(image.size) > MAX_PIXELS:
            raise ServiceError(TOO_MANY_PIXELS, "logo")
        # A large JPEG is read in a fraction of its pixels, and so of the memory.
        image.draft(None, (SHARPER * MAX_WIDTH, SHARPER * HEIGHT))
        image.load()
        turn = TURNS.get(image.getexif().get(ExifTags.Base.Orientation))
        # Pillow would make 16 bits of grey white.
        turned = image.point(lambda grey: grey / 256) if image.mode == "I;16" else image
        turned = turned.convert("RGBA" if image.has_transparency_data else "RGB")
        turned = turned if turn is None else turned.transpose(turn)
    except ServiceError:
        raise
    except FAULTS:
        raise ServiceError(DAMAGED, "logo") from None
    width, height = turned.size
    turned.info.clear()
    turned.thumbnail((SHARPER * MAX_WIDTH, SHARPER * HEIGHT))
    kept = io.BytesIO()
    turned.save(kept, image.format, quality=QUALITY)
    return kept.getvalue(), min(MAX_WIDTH, -(-HEIGHT * width // height))


def change_logo(club: Club, picture: bytes, *, by: Actor) -> bool:
    """Save a club's logo, or remove it if the picture is empty; return whether that is a change.

    ServiceError for a picture that cannot be a logo.
    """
    picture, width = drawn_again(picture) if picture else (b"", 0)
    with write_transaction():
        deleted, _ = Logo.objects.of_club(club).delete()
        if not picture and not deleted:
            return False
        club.logo_key, club.logo_width = unguessable_key() if picture else "", width
        if picture:
            Logo.objects.create(club=club, picture=picture)
        club.save(update_fields=["logo_key", "logo_width"])
        log_change(club, by, "logo" if picture else "remove logo", club, {}, {})
    return True
