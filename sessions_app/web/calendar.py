"""The calendar of a club's meetings (iCalendar, RFC 5545), for anybody's own calendar."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from sessions_app.models import Club, Meeting

OCTETS = 75
PRODUCT = "-//Clubscore//Meetings//EN"

# Clubs say when they begin; a calendar wants to know an end.
LASTS = timedelta(hours=2)


@dataclass(frozen=True)
class Event:
    """A meeting in a calendar; `status` is what its owner said about it, for example "you are coming"."""

    meeting: Meeting
    status: str = ""


def calendar_answer(request: HttpRequest, club: Club, events: list[Event], today: date, page: str) -> HttpResponse:
    """Answer with a calendar file of a club's meetings; `page` is the address that its events lead to."""
    host = settings.SITE.hostname if settings.SITE else request.get_host().partition(":")[0]
    text = meetings_ics(club, events, host, today, page)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}-meetings.ics"'
    return response


def meetings_ics(club: Club, events: list[Event], host: str, today: date, page: str) -> str:
    """Return the meetings as a calendar.

    `host` makes each event's name unique, `today` is when it was written, `page` the address that tells of them.
    """
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
    return "".join(f"{folded(line)}\r\n" for line in lines)


def _span(meeting, zone):
    """A meeting without a time is one of the whole day, which needs no end."""
    if meeting.starts_at is None:
        return [f"DTSTART;VALUE=DATE:{meeting.date:%Y%m%d}"]
    begins = datetime.combine(meeting.date, meeting.starts_at, zone).astimezone(UTC)
    return [f"DTSTART:{begins:%Y%m%dT%H%M%SZ}", f"DTEND:{begins + LASTS:%Y%m%dT%H%M%SZ}"]


def escaped(text: str) -> str:
    """Write a text value: backslash, comma, semicolon and line ends escaped, other control characters left out."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join("".join(sign for sign in line if sign >= " " and sign != "\x7f") for line in lines)


def folded(line: str) -> str:
    """Fold a line after 75 octets, never within a character; what follows begins with a blank."""
    parts, size = [""], 0
    for sign in line:
        octets = len(sign.encode())
        if size + octets > OCTETS:
            parts.append(" ")
            size = 1
        parts[-1] += sign
        size += octets
    return "\r\n".join(parts)
