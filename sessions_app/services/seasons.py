"""Seasons of a club, and which session counts in which."""

from django.db.models import F

from sessions_app.models import Season, Session, Tally

from .errors import ServiceError
from .log import log_change
from .transactions import write_transaction

RANKING = ("method", "minimum_sessions", "minimum_hands", "best_n")
SPAN = ("starts_on", "ends_on", "rules", "recording")
LIKE_THE_LAST = (*RANKING, "rules", "recording", "trophies")


def season_of(seasons, date, rules, recording):
    """Return the season among these in which such a session counts, or None."""
    for season in seasons:
        if season.starts_on <= date <= season.ends_on and rules in season.rules and recording == season.recording:
            return season
    return None


def season_on(club, date, rules, recording):
    """Return the club's season in which a session of that date, rule set and recording counts, or None."""
    spans = Season.objects.of_club(club).filter(starts_on__lte=date, ends_on__gte=date)
    return season_of(spans, date, rules, recording)


def raise_version(*season_ids):
    """Tell the readers of these seasons that something in them changed; None is no season."""
    ids = sorted({pk for pk in season_ids if pk is not None})
    if ids:
        Season.objects.filter(pk__in=ids).update(version=F("version") + 1)


def like_the_last(club):
    """Return the settings of the club's newest season, which the next one begins with."""
    last = Season.objects.of_club(club).order_by("-starts_on").first()
    return {name: getattr(last, name) for name in LIKE_THE_LAST} if last else {}


def add_season(club, name, starts_on, ends_on, *, by, why="", **settings):
    """Open a season; sessions of its dates that match it count in it at once."""
    season = Season(club=club, name=name, starts_on=starts_on, ends_on=ends_on, **settings)
    with write_transaction():
        _hold_sessions(club)
        _check(season)
        looked_back_on = _looked_back_on(club)
        season.save()
        _refuse_another_before(club, looked_back_on)
        log_change(club, by, "add", season, {}, _facts(season), why)
        place_sessions(club)
    return season


def change_season(season, *, by, why="", **settings):
    """Change a season's name, span or ranking, or lock it; sessions move in or out as its span says.

    ServiceError where it is locked: it must be unlocked first, with nothing changed beside.
    """
    with write_transaction():
        _hold_sessions(season.club)
        before = _facts(season)
        _refuse_locked(season, settings)
        refuse_lock(season, settings.get("locked", season.locked))
        looked_back_on = _looked_back_on(season.club)
        for field, value in settings.items():
            setattr(season, field, value)
        _check(season)
        season.save(update_fields=list(settings))
        _refuse_another_before(season.club, looked_back_on)
        log_change(season.club, by, "change", season, before, _facts(season), why)
        raise_version(season.pk)
        place_sessions(season.club)
    season.refresh_from_db()
    return season


def misplaced_sessions(club):
    """Return pairs (session, the season it belongs in) for every session of a club whose season is another now."""
    seasons = list(Season.objects.of_club(club))
    for session in Session.objects.of_club(club).order_by("pk"):
        season = None if session.practice else season_of(seasons, session.date, session.rules, session.recording)
        if session.season_id != (season and season.pk):
            yield session, season


def place_sessions(club):
    """Put every session of a club, with its tallies, in the season it belongs in."""
    for session, season in list(misplaced_sessions(club)):
        raise_version(session.season_id, season and season.pk)
        Session.objects.filter(pk=session.pk).update(season=season, version=F("version") + 1)
        Tally.objects.filter(session=session).update(season=season)


def _hold_sessions(club):
    """Lock the club's sessions before its seasons, in the order in which the tables' door does."""
    list(Session.objects.of_club(club).select_for_update().order_by("pk").values_list("pk", flat=True))


def _refuse_locked(season, settings):
    kept = {name: getattr(season, name) for name in (*SPAN, *RANKING, "name")}
    if season.locked and any(settings.get(name, value) != value for name, value in kept.items()):
        raise ServiceError(f"The season {season.name} is locked: unlock it before you change it.")


def refuse_lock(season, locked):
    """Refuse what would leave a locked season to look back on an open one, whose results may still change."""
    seasons = Season.objects.of_club(season.club)
    before, after = seasons.before(season).first(), seasons.after(season).first()
    if locked and not season.locked and season.looks_back and before and not before.locked:
        raise ServiceError(f"{season.name} looks back on {before.name}, which is not locked: lock {before.name} first.")
    if season.locked and not locked and after and after.locked and after.looks_back:
        raise ServiceError(f"{after.name} is locked and looks back on {season.name}: unlock {after.name} first.")


def _looked_back_on(club):
    """Return what each locked season that looks back looks back on: the season before it and its days."""
    seasons = Season.objects.of_club(club)
    befores = {one: seasons.before(one).first() for one in seasons.filter(locked=True) if one.looks_back}
    return {one: before and (before.pk, before.starts_on, before.ends_on) for one, before in befores.items()}


def _refuse_another_before(club, looked_back_on):
    now = _looked_back_on(club)
    for season, before in looked_back_on.items():
        if now.get(season, before) != before:
            raise ServiceError(
                f"{season.name} is locked and looks back on the season before it, which would be another one: "
                f"unlock {season.name} first.",
                "starts_on",
            )


def _facts(season):
    facts = {field: getattr(season, field) for field in (*SPAN, *RANKING, "name", "locked", "trophies")}
    return {**facts, "starts_on": str(season.starts_on), "ends_on": str(season.ends_on)}


def _check(season):
    if season.ends_on < season.starts_on:
        raise ServiceError("The last day is before the first day.", "ends_on")
    others = Season.objects.of_club(season.club).exclude(pk=season.pk)
    other = others.filter(starts_on__lte=season.ends_on, ends_on__gte=season.starts_on).first()
    if other:
        raise ServiceError(f"These dates overlap with the season {other.name}.", "starts_on")
    if others.filter(name=season.name).exists():
        raise ServiceError(f"There is already a season named {season.name}.", "name")
