"""A club's meetings as a calendar file (iCalendar, RFC 5545)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from icalendar import Calendar
from icalendar import Event as Entry

from sessions_app.models import Club, Meeting
from sessions_app.people.dates import is_possible

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
    host = (settings.SITE and settings.SITE.hostname) or request.get_host().partition(":")[0]
    text = meetings_ics(club, events, host, today, page)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}-meetings.ics"'
    return response


def meetings_ics(club: Club, events: list[Event], host: str, today: date, page: str) -> str:
    """Return the meetings as a calendar; `host` makes the ids of events unique, and `page` is their address."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", PRODUCT)
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", printable(club.name))
    # A calendar refuses the whole file for a year of less than four digits.
    for event in events:
        if is_possible(event.meeting.date):
            calendar.add_component(_entry(club, event, host, today, page))
    return calendar.to_ical(sorted=False).decode()


def _entry(club: Club, event: Event, host: str, today: date, page: str) -> Entry:
    meeting = event.meeting
    name = f"{club.name}: {meeting.title}" if meeting.title else club.name
    entry = Entry()
    entry.add("uid", f"meeting-{meeting.pk}.{club.slug}@{host}")
    entry.add("dtstamp", datetime.combine(today, time(0), UTC))
    if meeting.starts_at is None:
        # An event of the whole day needs no end.
        entry.add("dtstart", meeting.date)
    else:
        begins = datetime.combine(meeting.date, meeting.starts_at, ZoneInfo(club.time_zone)).astimezone(UTC)
        entry.add("dtstart", begins)
        entry.add("dtend", begins + LASTS)
    entry.add("summary", printable(f"{name} ({event.status})" if event.status else name))
    if meeting.place:
        entry.add("location", printable(meeting.place))
    entry.add("url", page)
    return entry


def printable(text: str) -> str:
    """Leave control characters out of a text, but for the ends of its lines."""
    return "".join(character for character in text if character.isprintable() or character in "\r\n")
