"""A club's meetings as a calendar file (iCalendar, RFC 5545)."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from sessions_app.models import Club, Meeting

OCTETS = 75
PRODUCT = "-//Clubscore//Meetings//EN"

# Meetings have no end, but calendars need one.
LASTS = timedelta(hours=2)


@dataclass(frozen=True)
class Event:
    """A meeting in a calendar; `status` is what its owner answered, for example "you are coming"."""

    meeting: Meeting
    status: str = ""


def calendar_answer(request: HttpRequest, club: Club, events: list[Event], today: date, page: str) -> HttpResponse:
    """Return a calendar file of a club's meetings; `page` is the address to which its events link."""
    host = settings.SITE.hostname if settings.SITE else request.get_host().partition(":")[0]
    text = meetings_ics(club, events, host, today, page)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}-meetings.ics"'
    return response


def meetings_ics(club: Club, events: list[Event], host: str, today: date, page: str) -> str:
    """Return the meetings as a calendar; `host` makes the ids of events unique, and `page` is their address."""
    zone = ZoneInfo(club.time_zone)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escaped(club.name)}",
    ]
    for event in events:
        meeting = event.meeting
        name = f"{club.name}: {meeting.name}" if meeting.name else club.name
        lines += [
            "BEGIN:VEVENT",
            f"UID:meeting-{meeting.pk}.{club.slug}@{host}",
            f"DTSTAMP:{today:%Y%m%d}T000000Z",
            *_span(meeting, zone),
            f"SUMMARY:{escaped(f'{name} ({event.status})' if event.status else name)}",
        ]
        if meeting.place:
            lines.append(f"LOCATION:{escaped(meeting.place)}")
        lines += [f"URL:{page}", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return "".join(f"{fold_line(line)}\r\n" for line in lines)


def _span(meeting, zone):
    if meeting.starts_at is None:
        # An event of the whole day needs no end.
        return [f"DTSTART;VALUE=DATE:{meeting.date:%Y%m%d}"]
    begins = datetime.combine(meeting.date, meeting.starts_at, zone).astimezone(UTC)
    return [f"DTSTART:{begins:%Y%m%dT%H%M%SZ}", f"DTEND:{begins + LASTS:%Y%m%dT%H%M%SZ}"]


def escaped(text: str) -> str:
    """Escape a text value: backslash, comma, semicolon and line ends; other control characters are left out."""
    for character in ("\\", ";", ","):
        text = text.replace(character, f"\\{character}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join(re.sub(r"[\x00-\x1f\x7f]", "", line) for line in lines)


def fold_line(line: str) -> str:
    """Fold a line after 75 octets, never within a character; continuation lines begin with a blank."""
    parts, size = [""], 0
    for character in line:
        octets = len(character.encode())
        if size + octets > OCTETS:
            parts.append(" ")
            size = 1
        parts[-1] += character
        size += octets
    return "\r\n".join(parts)
