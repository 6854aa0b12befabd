"""Read what a tablet has not sent from the code it shows (made by outbox/code_format.js). Nothing is written.

A part is `CS1z.<sum of the whole>.<number>.<of>.<sum of the part>.<payload>.` with its last full stop; the payloads
joined are base64url of JSON ("j") or of the same deflated ("z"). Sums are CRC-32 in eight hexadecimal digits.
"""

import base64
import re
import zlib
from dataclasses import dataclass
from typing import Any

from sessions_app.exchange.imports.sheet_values import ImportRefused
from sessions_app.models import Session
from sessions_app.people.dates import day_words
from sessions_app.people.plain_text import read_json
from sessions_app.people.transactions import ServiceError
from sessions_app.table.carry_out import clean_command

VERSION = 1
HOW = "jz"
MAX_TEXT = 400_000
MAX_JSON = 2_000_000
MAX_COMMANDS = 500
STARTS = re.compile(r"CS(\d{1,3})([a-z])\.")
PART = re.compile(r"CS(\d{1,3})([a-z])\.([0-9a-f]{8})\.(\d{1,3})\.(\d{1,3})\.([0-9a-f]{8})\.([A-Za-z0-9_-]*)\.")
UNREADABLE = "The code has a mistake in it. Make it again on the tablet, then import it again."


@dataclass(frozen=True)
class WaitingCode:
    """The commands of one tablet for one table, in order."""

    club: str
    session_id: int
    device: str
    commands: tuple[dict, ...]


def read_code(text: str) -> WaitingCode:
    """Read the code of a tablet; ImportRefused says what is wrong with it."""
    squeezed = "".join(text.split())
    if not squeezed:
        raise ImportRefused("Paste the text of the code, or choose its file.")
    if len(squeezed) > MAX_TEXT:
        raise ImportRefused("Paste only the text of the code. This is too long to be one.")
    how, payload = _joined_parts(squeezed)
    message = _decoded(how, payload)
    commands, session_id = message.get("commands"), message.get("session")
    if not isinstance(commands, list) or type(session_id) is not int or not commands:
        raise ImportRefused("There is nothing in this code.")
    if len(commands) > MAX_COMMANDS:
        raise ImportRefused(f"This code has {len(commands)} entries. You can import at most {MAX_COMMANDS} at once.")
    device = str(message.get("device") or "")[:80]
    read = tuple(_command(number, one, device) for number, one in enumerate(commands, 1))
    return WaitingCode(str(message.get("club")), session_id, device, read)


def check_place(code: WaitingCode, table_session: Session) -> None:
    """Refuse a code of another club or of another table, naming that table where it is the club's own."""
    if code.club != table_session.club.slug:
        raise ImportRefused("This code is from a table of another club.")
    if code.session_id == table_session.pk:
        return
    other = Session.objects.of_club(table_session.club).filter(pk=code.session_id).first()
    if other is None:
        raise ImportRefused("This code is from a table that is not here.")
    raise ImportRefused(
        f"This code is from table {other.table}, {day_words(other.date)}. Import it on that table’s page."
    )


def _joined_parts(text: str) -> tuple[str, str]:
    """Return how a code is packed, and the payload of all its parts."""
    starts = STARTS.findall(text)
    if not starts:
        raise ImportRefused("Paste the text of the code, which begins with CS1.")
    if any(int(version) > VERSION or how not in HOW for version, how in starts):
        raise ImportRefused("This code is from a newer version of Clubscore. Update this one first.")
    parts = PART.findall(text)
    codes: dict[tuple[str, str, str, int], dict[int, str]] = {}
    for version, how, whole, number, of, check, payload in parts:
        if _sum(payload) != check:
            raise ImportRefused(f"Part {int(number)} of {int(of)} has a mistake in it. Copy or scan it again.")
        codes.setdefault((version, how, whole, int(of)), {})[int(number)] = payload
    if len(parts) < len(starts):
        raise ImportRefused("The end of the code is missing. Copy or scan it again.")
    if len(codes) > 1:
        raise ImportRefused("These are parts of different codes. Import one code at a time.")
    [((_, how, whole, of), payloads)] = codes.items()
    missing = [str(number) for number in range(1, of + 1) if number not in payloads]
    if missing:
        *others, last = missing
        which = f"Parts {', '.join(others)} and {last} of {of} are" if others else f"Part {last} of {of} is"
        raise ImportRefused(f"{which} missing.")
    payload = "".join(payloads[number] for number in range(1, of + 1))
    if len(payloads) != of or not of or _sum(payload) != whole:
        raise ImportRefused(UNREADABLE)
    return how, payload


def _decoded(how: str, payload: str) -> dict[str, Any]:
    try:
        packed = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        text = packed if how == "j" else _inflated(packed)
        message = read_json(text.decode())
    except (ValueError, zlib.error) as error:
        raise ImportRefused(UNREADABLE) from error
    if not isinstance(message, dict):
        raise ImportRefused(UNREADABLE)
    return message


def _inflated(packed: bytes) -> bytes:
    inflater = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    text = inflater.decompress(packed, MAX_JSON)
    if not inflater.eof:
        raise ValueError("too long, or cut off")
    return text


def _command(number: int, command: dict[str, Any], device: str) -> dict[str, Any]:
    try:
        if not isinstance(command, dict):
            raise ServiceError("Scan or copy the code again.")
        return clean_command({**command, "device": device}) | {"made_at": str(command.get("made_at") or "")[:40]}
    except ServiceError as error:
        raise ImportRefused(f"Entry {number} of this code cannot be read. {error}") from error


def _sum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
