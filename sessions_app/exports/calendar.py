"""The calendar of a club's meetings (iCalendar, RFC 5545), for anybody's own calendar."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

OCTETS = 75
PRODUCT = "-//Clubscore//Meetings//EN"
# Clubs say when they begin; a calendar wants to know an end.
LASTS = timedelta(hours=2)


def meetings_ics(club, meetings, host, today, page):
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
    for meeting in meetings:
        lines += [
            "BEGIN:VEVENT",
            f"UID:meeting-{meeting.pk}.{club.slug}@{host}",
            f"DTSTAMP:{today:%Y%m%d}T000000Z",
            *_span(meeting, zone),
            f"SUMMARY:{escaped(f'{club.name}: {meeting.name}' if meeting.name else club.name)}",
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


def escaped(text):
    """Write a text value: backslash, comma, semicolon and line ends escaped, other control characters left out."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join("".join(sign for sign in line if sign >= " " and sign != "\x7f") for line in lines)


def folded(line):
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
