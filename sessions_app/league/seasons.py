"""Seasons of a club, which session counts in which, and the winners of its cups."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from clubscore.scoring import rule_set_name
from clubscore.scoring.words import listed
from sessions_app.league.records import TROPHIES
from sessions_app.league.season_settings import SEASON_SETTINGS
from sessions_app.models import Club, CupWinner, Meeting, Season, Session
from sessions_app.people.dates import LAST_DAY
from sessions_app.people.log import (
    Actor,
    differences_of,
    format_date,
    join_names,
    label_in,
    log_change,
    log_sentences,
    or_none,
)
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.transactions import ServiceError, write_transaction
from sessions_app.table.season_assignment import assign_seasons, refuse_lock

# A first season ranks by what needs no number of hands, as totals are often entered without.
FIRST_METHOD = "average_session"
SPAN = ("league", "starts_on", "ends_on", "rules", "recording")
COPIED_SETTINGS = (*SEASON_SETTINGS, "rules", "recording", "trophies")

COUNTED = {"settle": "those settled up", "straight": "those added up"}


def _locked(it: LoggedChange) -> str:
    before, after = it.before.get("locked"), it.after.get("locked")
    return "changed" if before == after else "locked" if after else "unlocked"


log_sentences(
    {
        ("add", "season"): "opened the season {season}",
        ("change", "season"): "{locked} the season{season_name}{season_changes}",
    },
    locked=_locked,
    season_name=lambda it: f" {it.names.seasons.get(it.subject, '')}".rstrip(),
    season_changes=differences_of(
        {
            "name": ("name", or_none),
            "league": ("league", or_none),
            "starts_on": ("first day", format_date),
            "ends_on": ("last day", format_date),
            "rules": ("rules that count", join_names(rule_set_name)),
            "recording": ("tables that count", lambda recording: COUNTED.get(recording, recording)),
            **{row.name: (row.label.lower(), row.kind.in_log) for row in SEASON_SETTINGS.values()},
            "trophies": ("trophies", join_names(label_in((key, trophy.name) for key, trophy in TROPHIES.items()))),
        }
    ),
)


def settings_of_last_season(club: Club, league: str = "") -> dict[str, Any]:
    """Return the settings of a league's newest season, to be copied to the next one."""
    last = Season.objects.of_club(club).filter(league=league).order_by("-starts_on").first()
    return {name: getattr(last, name) for name in COPIED_SETTINGS} if last else {}


def next_season(club: Club, league: str = "") -> dict[str, Any]:
    """Return name and dates that a league's season after the newest one most likely has: as many months, or days.

    Of a name only years are known: that of a season of a year.
    """
    seasons = Season.objects.of_club(club).filter(league=league, ends_on__lt=LAST_DAY)
    last = seasons.order_by("-starts_on").first()
    if last is None:
        return {}
    first = last.ends_on + timedelta(days=1)
    months = (first.year - last.starts_on.year) * 12 + first.month - last.starts_on.month
    if first.day == last.starts_on.day == 1 and months:
        year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
        ends_on = date(year, month + 1, 1) - timedelta(days=1)
    else:
        ends_on = last.ends_on + (first - last.starts_on)
    found: dict[str, Any] = {"starts_on": first, "ends_on": ends_on}
    if months == 12 and (years := YEARS.search(last.name)):
        found["name"] = last.name.replace(years[0], YEAR.sub(_year_after, years[0]))
    return found


YEARS = re.compile(r"\b20\d\d(?:[-–/](?:20)?\d\d)?\b")
YEAR = re.compile(r"(?:20)?\d\d(?!\d)")


def _year_after(year: re.Match[str]) -> str:
    return f"{int(year[0]) + 1:02}"


def add_season(club: Club, name: str, starts_on: date, ends_on: date, *, by: Actor, **settings: Any) -> Season:
    """Add a season, of the club's first league unless another is given; the sessions that match count in it at once."""
    settings = {"league": club.first_league, **settings}
    season = Season(club=club, name=name, starts_on=starts_on, ends_on=ends_on, **settings)
    with write_transaction():
        _lock_sessions(club)
        _check(season)
        seasons_before = _seasons_before(club)
        season.save()
        _refuse_another_before(club, seasons_before)
        log_change(club, by, "add", season, {}, _facts(season))
        assign_seasons(club)
    return season


def change_season(season: Season, *, by: Actor, why: str = "", **settings: Any) -> Season:
    """Change a season's name, dates or ranking, or lock it; sessions move in or out of it.

    ServiceError if it is locked: it must be unlocked first, with nothing else changed.
    """
    with write_transaction():
        _lock_sessions(season.club)
        before = _facts(season)
        unchangeable = {name: getattr(season, name) for name in (*SPAN, *SEASON_SETTINGS, "name")}
        if season.locked and any(settings.get(name, value) != value for name, value in unchangeable.items()):
            raise ServiceError(f"The season “{season}” is locked. Unlock it before you change it.")
        refuse_lock(season, settings.get("locked", season.locked))
        seasons_before = _seasons_before(season.club)
        for field, value in settings.items():
            setattr(season, field, value)
        _check(season)
        season.save(update_fields=list(settings))
        _refuse_another_before(season.club, seasons_before)
        log_change(season.club, by, "change", season, before, _facts(season), why)
        Season.objects.raise_version(season.pk)
        assign_seasons(season.club)
    season.refresh_from_db()
    return season


def _lock_sessions(club: Club) -> None:
    """Lock the club's sessions before its seasons, in the same order as commands do."""
    list(Session.objects.of_club(club).select_for_update().order_by("pk").values_list("pk", flat=True))


def _seasons_before(club: Club) -> dict[Season, tuple[int, date, date] | None]:
    """Return the season before each locked season that uses it, with its dates."""
    seasons = Season.objects.of_club(club)
    using = [season for season in seasons.filter(locked=True) if season.uses_season_before]
    return {season: seasons.before(season).values_list("pk", "starts_on", "ends_on").first() for season in using}


def _refuse_another_before(club: Club, seasons_before: dict[Season, tuple[int, date, date] | None]) -> None:
    now = _seasons_before(club)
    for season, before in seasons_before.items():
        if now.get(season, before) != before:
            raise ServiceError(
                f"{season} is locked and uses the results of the season before it. "
                f"Unlock {season} before you change which season that is.",
                "starts_on",
            )


def _facts(season: Season) -> dict[str, Any]:
    facts = {field: getattr(season, field) for field in (*SPAN, *SEASON_SETTINGS, "name", "locked", "trophies")}
    return {**facts, "starts_on": str(season.starts_on), "ends_on": str(season.ends_on)}


def _check(season: Season) -> None:
    facts = season.league, season.name, season.starts_on, season.ends_on
    for field, sentence in season_errors(season.club, *facts, season).items():
        raise ServiceError(sentence, field)


def season_errors(
    club: Club,
    league: str,
    name: str | None,
    starts_on: date | None,
    ends_on: date | None,
    season: Season | None = None,
) -> dict[str, str]:
    """Return what is wrong with the name and the dates of a league's season, by field; None is not checked."""
    errors = {}
    others = Season.objects.of_club(club).filter(league=league).other_than(season)
    if name and others.filter(name=name).exists():
        errors["name"] = f"Enter another name. There is already a season named {name}."
    if starts_on and ends_on and ends_on < starts_on:
        errors["ends_on"] = "Enter a last day that is not before the first day."
    elif starts_on and ends_on:
        other = others.filter(starts_on__lte=ends_on, ends_on__gte=starts_on).first()
        if other:
            errors["starts_on"] = f"Enter dates that do not overlap with the season {other}."
    return errors


# Leagues, as Tuesdays and Thursdays, in a club that has several


log_sentences(
    {"leagues": "changed the club’s leagues: {leagues}"},
    leagues=lambda it: listed(it.after["leagues"], "and") or "one for all",
)


def what_is_in_league(club: Club, league: str, with_empty_seasons: bool = True) -> str:
    """Return which meetings and seasons belong to a league, in words; empty if none do."""
    meetings = Meeting.objects.of_club(club).filter(league=league).count()
    seasons = Season.objects.of_club(club).filter(league=league)
    if not with_empty_seasons:
        seasons = seasons.exclude(sessions=None)
    words = [f"{meetings} meeting{'s' * (meetings > 1)}"] if meetings else []
    return listed([*words, *(f"the season {season}" for season in seasons)], "and")


def save_leagues(club: Club, names: Sequence[str], *, by: Actor) -> None:
    """Rename a club's leagues and add others: `names` begins with the new names of those that it has.

    A league without a name is removed, with seasons in which nobody played; if one is left, the club has one league for
    all again. ServiceError if meetings or seasons belong to a league that is removed, or if two have one name.
    """
    before, after = club.leagues or [""], [name for name in names if name]
    if not club.leagues and len(after) < len(names):
        raise ServiceError("Enter a name for each of the two leagues.")
    if len({name.casefold() for name in after}) < len(after) or any(
        new != old and new in before for old, new in zip(before, names, strict=False)
    ):
        raise ServiceError("Enter a different name for each league.")
    after = after if len(after) > 1 else []
    with write_transaction():
        for old, new in zip(before, names, strict=False):
            if not new:
                if what := what_is_in_league(club, old, with_empty_seasons=False):
                    raise ServiceError(f"The league {old} has {what}. Move them to another league first.")
                Season.objects.of_club(club).filter(league=old).delete()
            for model in (Season, Meeting):
                model.objects.of_club(club).filter(league=old).update(league=new if after else "")
        Club.objects.filter(pk=club.pk).update(leagues=after)
        log_change(club, by, "leagues", club, {"leagues": club.leagues}, {"leagues": after})
    club.leagues = after


# Winners of cups


log_sentences(
    {
        ("add", "cupwinner"): "added a winner of {cup}",
        ("remove", "cupwinner"): "removed a winner of {cup}",
    },
    cup=lambda it: "{cup}, {year}".format(**it.before | it.after),
)


def add_cup_winner(club: Club, *, by: Actor, **facts: Any) -> CupWinner:
    """Add the winner of a cup, unless it is there."""
    with write_transaction():
        winner, is_new = CupWinner.objects.get_or_create(club=club, **facts)
        if is_new:
            log_change(club, by, "add", winner, {}, {"cup": winner.cup, "year": winner.year})
    return winner


def remove_cup_winner(winner: CupWinner, *, by: Actor) -> None:
    with write_transaction():
        log_change(winner.club, by, "remove", winner, {"cup": winner.cup, "year": winner.year}, {})
        winner.delete()
