"""A club's logo: which pictures are taken, who may choose one, where it is shown and who can open it."""

import io
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from sessions_app.exchange.backups.club_backup import restore
from sessions_app.models import Change, Club, Logo
from sessions_app.people.logos import change_logo
from sessions_app.people.transactions import ServiceError
from tests.factories import BY
from tests.logins import logins, signed_in

from .test_club_settings import change

PICTURES = Path(__file__).parent.parent / "data" / "logos"
PNG = (PICTURES / "logo.png").read_bytes()
WANTED = "Choose a PNG, JPEG or WebP picture of at most 200 kB."
DAMAGED = "Choose another picture. This one is damaged, or not whole."
TOO_MANY_PIXELS = "Choose a picture of at most 4,000 by 4,000 pixels."


@pytest.fixture
def secretary(at_home):
    return signed_in(at_home.secretary)


def upload(client, club, content, name="logo.png"):
    return change(client, club, logo=SimpleUploadedFile(name, content))


def logo_address(club):
    club.refresh_from_db()
    return reverse("club-logo", args=[club.slug, club.logo_key])


# The files were drawn 60 pixels wide and 30 high.
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("logo.png", "image/png"),
        ("logo.jpg", "image/jpeg"),
        ("lossy.webp", "image/webp"),
        ("lossless.webp", "image/webp"),
        ("alpha.webp", "image/webp"),
    ],
)
def test_a_picture_is_kept_and_served_as_what_it_is(secretary, client, club, name, kind):
    picture = (PICTURES / name).read_bytes()
    # What the file is called says nothing.
    assert upload(secretary, club, picture, "logo.txt").status_code == 302
    answer = client.get(logo_address(club))
    assert (answer.status_code, answer["Content-Type"]) == (200, kind)
    assert looks_alike(answer.content, picture)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    # Twice as wide as high, so 80 pixels wide at a height of 40.
    assert club.logo_width == 80


def looks_alike(picture, expected):
    """Compare the pixels: lossy kinds change them a little when they are saved again."""
    first, second = (Image.open(io.BytesIO(held)).convert("RGBA") for held in (picture, expected))
    assert first.size == second.size
    # What cannot be seen may have any colour.
    first, second = (Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen) for seen in (first, second))
    differences = [abs(a - b) for a, b in zip(first.tobytes(), second.tobytes(), strict=True)]
    return sum(differences) < 4 * len(differences)


def drawn(mode, size, kind):
    file = io.BytesIO()
    Image.new(mode, size).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(
    ("picture", "kept", "shown"),
    [
        # No more than four pixels are kept for each that is shown.
        (drawn("RGB", (4000, 3000), "JPEG"), (213, 160), 54),
        (drawn("CMYK", (400, 100), "JPEG"), (400, 100), 160),
        (drawn("P", (4000, 10), "PNG"), (640, 2), 160),
        (drawn("LA", (1, 4000), "PNG"), (1, 160), 1),
    ],
)
def test_a_large_picture_is_kept_as_small_as_it_is_shown(secretary, club, picture, kept, shown):
    assert upload(secretary, club, picture).status_code == 302
    assert Image.open(io.BytesIO(bytes(Logo.objects.get().picture))).size == kept
    club.refresh_from_db()
    assert club.logo_width == shown


def test_sixteen_bits_of_grey_are_not_made_white(secretary, client, club):
    file = io.BytesIO()
    Image.new("I;16", (60, 30), 0x4080).save(file, "PNG")
    assert upload(secretary, club, file.getvalue()).status_code == 302
    assert Image.open(io.BytesIO(client.get(logo_address(club)).content)).getpixel((30, 15)) == (0x40, 0x40, 0x40)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (SVG, WANTED),
        (b"<!doctype html><script>alert(1)</script>", WANTED),
        (PNG[:20], DAMAGED),
        (PNG.replace(b"IHDR", b"IDAT"), DAMAGED),
        (b"RIFF\x00\x00\x00\x00WAVEfmt " + bytes(40), DAMAGED),
        (drawn("P", (16, 16), "GIF"), WANTED),
        (b"", WANTED),
        (PNG + bytes(200_001 - len(PNG)), WANTED),
        (drawn("1", (4001, 10), "PNG"), TOO_MANY_PIXELS),
        (drawn("1", (20_000, 10_000), "PNG"), TOO_MANY_PIXELS),
    ],
)
def test_what_cannot_be_a_logo_is_refused_and_nothing_typed_is_lost(secretary, club, content, sentence):
    assert upload(secretary, club, PNG).status_code == 302
    before = logo_address(club)
    picture = SimpleUploadedFile("logo.png", content, "image/png")
    answer = change(secretary, club, logo=picture, usual_place="The annexe")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert "The annexe" in page
    assert logo_address(club) == before
    assert Logo.objects.get().club == club
    if content:
        with pytest.raises(ServiceError, match="Choose a"):
            change_logo(club, content, by=BY)


def exif(orientation, order):
    """What a camera notes: a make, a direction of the picture, and a place."""
    at, pack = struct.pack(f"{order}H", 3), lambda *entry: struct.pack(f"{order}HHIHH", *entry)
    held = at + pack(0x010F, 2, 4, 0, 0) + pack(0x0112, 3, 1, orientation, 0) + pack(0x8825, 4, 1, 60, 0)
    head = b"II*\x00" if order == "<" else b"MM\x00*"
    return head + struct.pack(f"{order}I", 8) + held + b"GPS 51.7N 2.1W"


def with_exif(name, orientation, order):
    """Put it into one of the pictures, as a camera or a phone does."""
    picture, noted = (PICTURES / name).read_bytes(), exif(orientation, order)
    if name.endswith("jpg"):
        segment = b"Exif\x00\x00" + noted
        return picture[:2] + struct.pack(">BBH", 0xFF, 0xE1, 2 + len(segment)) + segment + picture[2:] + b"GPS behind"
    if name.endswith("png"):
        return picture[:33] + png_chunk(b"eXIf", noted) + png_chunk(b"tEXt", b"Comment\x00GPS here") + picture[33:]
    xmp = b"XMP " + struct.pack("<I", 10) + b"<GPS></GPS"
    noted += bytes(len(noted) % 2)
    content = picture[12:20] + bytes([picture[20] | 0x0C]) + picture[21:] + b"EXIF" + struct.pack("<I", len(noted))
    content += noted + xmp
    return b"RIFF" + struct.pack("<I", 4 + len(content)) + b"WEBP" + content


def png_chunk(name, held):
    return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("name", ["logo.jpg", "logo.png", "alpha.webp"])
@pytest.mark.parametrize(("orientation", "turn"), [(1, 0), (3, 180), (6, 270)])
def test_where_a_picture_was_taken_is_not_kept_and_it_is_turned_as_it_was_held(
    secretary, club, name, order, orientation, turn
):
    assert upload(secretary, club, with_exif(name, orientation, order)).status_code == 302
    kept = bytes(Logo.objects.get().picture)
    assert b"GPS" not in kept
    assert not Image.open(io.BytesIO(kept)).getexif()
    turned = io.BytesIO()
    Image.open(PICTURES / name).convert("RGBA").rotate(turn, expand=True).save(turned, "PNG")
    assert looks_alike(kept, turned.getvalue())
    club.refresh_from_db()
    # Turned by a quarter it is half as wide as high.
    assert club.logo_width == (20 if turn == 270 else 80)


@pytest.mark.parametrize("name", ["logo.png", "logo.jpg", "lossy.webp", "alpha.webp", "lossless.webp"])
def test_a_picture_that_is_cut_off_is_refused_in_a_sentence(secretary, club, name):
    whole = (PICTURES / name).read_bytes()
    for kept in (len(whole) * 9 // 10, len(whole) // 2):
        answer = upload(secretary, club, whole[:kept])
        assert DAMAGED in answer.content.decode(), kept
    assert not Logo.objects.exists()


def test_a_picture_with_a_wrong_letter_inside_is_refused(secretary, club):
    assert upload(secretary, club, PNG[:60] + bytes([PNG[60] ^ 1]) + PNG[61:]).status_code == 422


def test_a_picture_of_exactly_the_limit_is_taken(secretary, club):
    assert upload(secretary, club, PNG + bytes(200_000 - len(PNG))).status_code == 302
    assert Logo.objects.count() == 1


@pytest.mark.postgres
def test_another_picture_has_another_address_and_the_old_one_is_gone(secretary, client, club):
    upload(secretary, club, PNG)
    first = logo_address(club)
    upload(secretary, club, (PICTURES / "logo.jpg").read_bytes())
    assert client.get(first).status_code == 404
    assert client.get(logo_address(club))["Content-Type"] == "image/jpeg"
    assert Logo.objects.count() == 1
    # Saving the settings without choosing a picture leaves it.
    before = logo_address(club)
    change(secretary, club, usual_place="The annexe")
    assert logo_address(club) == before


def test_the_logo_is_removed(secretary, client, club):
    assert "Remove the logo" not in settings_page(secretary, club)
    upload(secretary, club, PNG)
    assert "Remove the logo" in settings_page(secretary, club)
    address = logo_address(club)
    change(secretary, club, removes_logo="on")
    club.refresh_from_db()
    assert (club.logo_key, club.logo_width, Logo.objects.count()) == ("", 0, 0)
    assert client.get(address).status_code == 404
    actions = Change.objects.of_club(club).filter(action__contains="logo").values_list("action", flat=True)
    assert list(actions) == ["logo", "remove logo"]
    log = secretary.get(reverse("log", args=[club.slug]), {"what": "settings"}).content.decode()
    assert "changed the club’s logo." in log
    assert "removed the club’s logo." in log
    # Once more is no change.
    change(secretary, club, removes_logo="on")
    assert Change.objects.of_club(club).filter(action__contains="logo").count() == 2


def settings_page(client, club):
    return client.get(reverse("desk-settings", args=[club.slug])).content.decode()


def test_the_secretary_alone_chooses_it(at_home, secretary, club, other_club):
    for user in (at_home.scorekeeper, at_home.member):
        assert upload(signed_in(user), club, PNG).status_code == 403
    assert upload(signed_in(logins(other_club)["secretary"]), club, PNG).status_code == 404
    assert Logo.objects.count() == 0


def test_nobody_finds_it_by_guessing_or_through_another_club(secretary, client, club, other_club):
    """A stranger has no page of a private club, and so no address of its logo."""
    assert client.get(reverse("club-logo", args=[club.slug, "none"])).status_code == 404
    upload(secretary, club, PNG)
    address = logo_address(club)
    assert len(club.logo_key) >= 22
    assert client.get(address.replace(club.slug, other_club.slug)).status_code == 404
    assert client.get(address.replace(club.logo_key, club.logo_key[:-1])).status_code == 404
    assert client.post(address).status_code == 405
    for name in ("front", "sign-in"):
        assert club.logo_key not in client.get(reverse(name)).content.decode()
    other = signed_in(logins(other_club)["secretary"])
    assert club.logo_key not in other.get(reverse("club", args=[other_club.slug])).content.decode()


SHOWN = ["club", "standings", "desk", "honours", "noticeboard", "certificates", "score-sheet", "meetings", "players"]


def test_the_pages_and_prints_of_the_club_show_it(secretary, client, club, at_home):
    pages = [reverse(name, args=[club.slug]) for name in SHOWN]
    pages.append(reverse("session-sheet", args=[club.slug, at_home.table_session.pk]))
    assert not [page for page in pages if "club-logo" in secretary.get(page).content.decode()]
    upload(secretary, club, PNG)
    image = f'<img class="club-logo" src="{logo_address(club)}" width="80" height="40" alt="Logo"> {club.name}'
    assert [page for page in pages if image not in secretary.get(page).content.decode()] == []
    Club.objects.filter(pk=club.pk).update(
        shows_standings=True, shows_meetings=True, public_names="initials", framed_by="https://example.org"
    )
    public = [reverse(name, args=[club.slug]) for name in ("public", "public-standings", "public-meetings")]
    for page in (*public, reverse("public-frame", args=[club.slug])):
        assert image in client.get(page).content.decode()
    watched = reverse("watch-hall", args=[at_home.table_session.meeting.watching_key])
    assert image in client.get(watched).content.decode()


def test_a_page_that_has_not_changed_is_sent_again_for_a_new_logo(secretary, club):
    address = reverse("standings", args=[club.slug])
    # The first answer of all brings the cookie against forgery along, and that is news.
    secretary.get(address)
    tag = secretary.get(address)["ETag"]
    assert secretary.get(address, headers={"If-None-Match": tag}).status_code == 304
    upload(secretary, club, PNG)
    assert secretary.get(address, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.postgres
def test_a_backup_of_the_club_brings_the_logo_back(secretary, client, club, tmp_path):
    upload(secretary, club, PNG)
    path = tmp_path / "backup.zip"
    path.write_bytes(secretary.get(reverse("backup-zip", args=[club.slug])).content)
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as file:
        assert len(file.read("logo.jsonl").splitlines()) == 1
    restore(path, "again")
    again = Club.objects.get(slug="again")
    logo = client.get(logo_address(club)).content
    assert client.get(logo_address(again)).content == logo
    assert looks_alike(logo, PNG)
    # Each has its own from then on.
    change(secretary, club, removes_logo="on")
    assert client.get(logo_address(again)).content == logo
