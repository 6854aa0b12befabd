"""The day and the season of a club, in the club's own time zone."""

from sessions_app.models import Season


def today_in(club):
    return club.today


def season_of(club, day):
    """Return the season that holds the day, else the latest one that has begun, else None."""
    return Season.objects.of_club(club).filter(starts_on__lte=day).order_by("-starts_on").first()
