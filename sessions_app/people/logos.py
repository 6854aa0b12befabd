"""A club's logo: which pictures are accepted, their size, and saving one without what a camera notes in it."""

import re
import struct
import zlib
from collections.abc import Iterator

from sessions_app.models import Club, Logo
from sessions_app.people.log import Actor, log_change, log_sentences
from sessions_app.people.models import unguessable_key
from sessions_app.people.transactions import ServiceError, write_transaction

# A picture of few bytes may still have too many pixels for a tablet.
MAX_BYTES, MAX_PIXELS = 200_000, 4000
PICTURE_WANTED = f"Choose a PNG, JPEG or WebP picture of at most {MAX_BYTES // 1000} kB."
DAMAGED = "Choose another picture. This one is damaged, or not whole."
TOO_MANY_PIXELS = f"Choose a picture of at most {MAX_PIXELS:,} by {MAX_PIXELS:,} pixels."
# In the page head, in pixels.
HEIGHT, MAX_WIDTH = 40, 160

# What a picture begins with, and its content type. No SVG, as one may contain a script.
PICTURE_KINDS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))

log_sentences({"logo": "changed the club’s logo", "remove logo": "removed the club’s logo"})

TURNED_BY_A_QUARTER = 5
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


# What a camera or a program notes in a picture, such as where it was taken, is left out; how to turn it stays.

# The end of a scan in a JPEG picture: a marker, but none of those within it.
AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
SCAN, END, EXIF = 0xDA, 0xD9, b"Exif\x00\x00"
# Segments of a JPEG picture that programs add and that change how it looks: JFIF, a colour profile, Adobe's colours.
ADDED, KEPT = {*range(0xE0, 0xF0), 0xFE}, {0xE0: b"JFIF", 0xE2: b"ICC_PROFILE", 0xEE: b"Adobe"}
PNG_KEPT = {b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"acTL", b"fcTL", b"fdAT"}
ORIENTATION = 0x0112
WEBP_EXIF, WEBP_XMP = 0x08, 0x04


class DamagedPicture(ValueError):
    """It ends too early, or a checksum is wrong."""


def without_details(picture: bytes) -> tuple[bytes, int]:
    """Return a picture without what was noted in it, and which way it is turned (1: not at all, 8 ways).

    DamagedPicture for one that is not whole.
    """
    cleaned = {"image/png": _clean_png, "image/jpeg": _clean_jpeg, "image/webp": _clean_webp}
    try:
        return cleaned[content_type(picture)](picture)
    except (IndexError, struct.error, KeyError):
        raise DamagedPicture from None


def _clean_jpeg(picture):
    kept, orientation = [], 1
    for marker, segment in _segments(picture):
        if marker == 0xE1 and segment[4:10] == EXIF:
            orientation = _orientation(segment[10:])
        if marker not in ADDED or (marker in KEPT and segment[4:].startswith(KEPT[marker])):
            kept.append(segment)
    if orientation != 1:
        noted = EXIF + _turned(orientation)
        kept.insert(0, struct.pack(">BBH", 0xFF, 0xE1, 2 + len(noted)) + noted)
    return b"\xff\xd8" + b"".join(kept), orientation


def _segments(picture: bytes) -> Iterator[tuple[int, bytes]]:
    at = 2
    while (marker := picture[at + 1]) != END:
        if picture[at] != 0xFF:
            raise DamagedPicture
        if marker == 0xFF:
            at += 1
            continue
        end = at + 2 + struct.unpack_from(">H", picture, at + 2)[0]
        if marker == SCAN:
            found = AFTER_SCAN.search(picture, end)
            end = found.start() if found else len(picture)
        yield marker, picture[at:end]
        at = end
    yield END, picture[at : at + 2]


def _clean_png(picture):
    at, kept, orientation, name = 8, [picture[:8]], 1, b""
    while name != b"IEND":
        [size], name = struct.unpack_from(">I", picture, at), picture[at + 4 : at + 8]
        content, end = picture[at + 8 : at + 8 + size], at + 12 + size
        if zlib.crc32(name + content) != struct.unpack_from(">I", picture, at + 8 + size)[0]:
            raise DamagedPicture
        if name == b"eXIf":
            orientation = _orientation(content)
            if orientation != 1:
                turned = name + _turned(orientation)
                kept.append(struct.pack(">I", len(turned) - 4) + turned + struct.pack(">I", zlib.crc32(turned)))
        # Those that every program must know begin with a capital.
        elif name[:1].isupper() or name in PNG_KEPT:
            kept.append(picture[at:end])
        at = end
    return b"".join(kept), orientation


def _clean_webp(picture):
    at, orientation, chunks = 12, 1, []
    until = 8 + struct.unpack_from("<I", picture, 4)[0]
    if until > len(picture):
        raise DamagedPicture
    while at < until:
        name, [size] = picture[at : at + 4], struct.unpack_from("<I", picture, at + 4)
        content, at = picture[at + 8 : at + 8 + size], at + 8 + size + size % 2
        if len(content) < size:
            raise DamagedPicture
        if name == b"EXIF":
            orientation = _orientation(content.removeprefix(EXIF))
        elif name != b"XMP ":
            chunks.append((name, content))
    if orientation != 1:
        chunks.append((b"EXIF", _turned(orientation)))
    noted = WEBP_EXIF if orientation != 1 else 0
    if chunks[0][0] == b"VP8X":
        header = chunks[0][1]
        chunks[0] = b"VP8X", bytes([header[0] & ~(WEBP_EXIF | WEBP_XMP) | noted]) + header[1:]
    body = b"".join(name + struct.pack("<I", len(c)) + c + bytes(len(c) % 2) for name, c in chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body, orientation


def _orientation(noted: bytes) -> int:
    """Return which way the camera was held, from what it noted; 1 if it says nothing."""
    order = {b"II*\x00": "<", b"MM\x00*": ">"}.get(noted[:4])
    try:
        [start] = struct.unpack_from(f"{order}I", noted, 4)
        [number] = struct.unpack_from(f"{order}H", noted, start)
        for entry in range(number):
            tag, kind, count, value = struct.unpack_from(f"{order}HHIH", noted, start + 2 + 12 * entry)
            if (tag, kind, count) == (ORIENTATION, 3, 1) and 1 <= value <= 8:
                return int(value)
    except struct.error:
        pass
    return 1


def _turned(orientation: int) -> bytes:
    """Return a note that says nothing but this."""
    return b"MM\x00*" + struct.pack(">IHHHIHHI", 8, 1, ORIENTATION, 3, 1, orientation, 0, 0)


def fault_of(picture: bytes) -> str:
    """Return why this cannot be a logo; an empty string if it can."""
    size = size_of(picture)
    if not size or len(picture) > MAX_BYTES:
        return PICTURE_WANTED
    if max(size) > MAX_PIXELS:
        return TOO_MANY_PIXELS
    try:
        without_details(picture)
    except DamagedPicture:
        return DAMAGED
    return ""


def change_logo(club: Club, picture: bytes, *, by: Actor) -> bool:
    """Save a club's logo, or remove it if the picture is empty; return whether that is a change.

    ServiceError for a picture that cannot be a logo.
    """
    if picture and (fault := fault_of(picture)):
        raise ServiceError(fault, "logo")
    orientation = 1
    if picture:
        picture, orientation = without_details(picture)
    width, height = size_of(picture) or (0, 0)
    # From the fifth on, what is stored is turned by a quarter.
    if orientation >= TURNED_BY_A_QUARTER:
        width, height = height, width
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
