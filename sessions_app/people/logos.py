"""A club's logo: which pictures are accepted, their size, and saving one."""

import struct

from sessions_app.models import Club, Logo
from sessions_app.people.log import Actor, log_change
from sessions_app.people.models import unguessable_key
from sessions_app.people.transactions import ServiceError, write_transaction

# A picture of few bytes may still have too many pixels for a tablet.
MAX_BYTES, MAX_PIXELS = 200_000, 4000
PICTURE_WANTED = f"Choose a PNG, JPEG or WebP picture of at most {MAX_BYTES // 1000} kB."
TOO_MANY_PIXELS = f"Choose a picture of at most {MAX_PIXELS:,} by {MAX_PIXELS:,} pixels."
# In the page head, in pixels.
HEIGHT, MAX_WIDTH = 40, 160

# What a picture begins with, and its content type. No SVG, as one may contain a script.
PICTURE_KINDS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))

# The segments of a JPEG picture that have its size: all of 0xC0 to 0xCF except tables.
FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def content_type(picture: bytes) -> str:
    """Return the content type by the first bytes, for example image/png; an empty string for any other file."""
    return next((kind for start, kind in PICTURE_KINDS if picture.startswith(start)), "")


def size_of(picture: bytes) -> tuple[int, int] | None:
    """Return the width and height of a PNG, JPEG or WebP picture; None for any other file."""
    readers = {"image/png": _png_size, "image/jpeg": _jpeg_size, "image/webp": _webp_size}
    read = readers.get(content_type(picture))
    try:
        width, height = read(picture) if read else (0, 0)
    except (IndexError, struct.error):
        return None
    return (width, height) if width and height else None


def _png_size(picture):
    return struct.unpack_from(">II", picture, 16) if picture[12:16] == b"IHDR" else (0, 0)


def _jpeg_size(picture):
    at = 2
    while picture[at] == 0xFF:
        if picture[at + 1] in FRAMES:
            height, width = struct.unpack_from(">HH", picture, at + 5)
            return width, height
        # A segment may be preceded by more than one 0xFF.
        at += 1 if picture[at + 1] == 0xFF else 2 + struct.unpack_from(">H", picture, at + 2)[0]
    return 0, 0


def _webp_size(picture):
    if picture[8:12] != b"WEBP":
        return 0, 0
    match picture[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", picture, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            [bits] = struct.unpack_from("<I", picture, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return tuple(int.from_bytes(picture[at : at + 3], "little") + 1 for at in (24, 27))
    return 0, 0


def fault_of(picture: bytes) -> str:
    """Return why this cannot be a logo; an empty string if it can."""
    size = size_of(picture)
    if not size or len(picture) > MAX_BYTES:
        return PICTURE_WANTED
    return TOO_MANY_PIXELS if max(size) > MAX_PIXELS else ""


def change_logo(club: Club, picture: bytes, *, by: Actor) -> bool:
    """Save a club's logo, or remove it if the picture is empty; return whether that is a change.

    ServiceError for a picture that cannot be a logo.
    """
    if picture and (fault := fault_of(picture)):
        raise ServiceError(fault, "logo")
    width, height = size_of(picture) or (0, 0)
    with write_transaction():
        deleted, _ = Logo.objects.of_club(club).delete()
        if not picture and not deleted:
            return False
        club.logo_key, club.logo_width = "", 0
        if picture:
            Logo.objects.create(club=club, picture=picture)
            club.logo_key, club.logo_width = unguessable_key(), min(MAX_WIDTH, -(-HEIGHT * width // height))
        club.save(update_fields=["logo_key", "logo_width"])
        log_change(club, by, "logo" if picture else "remove logo", club, {}, {})
    return True
