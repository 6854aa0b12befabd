"""What happened to a line of the ledger, read from the log: who changed what, when and why."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from clubscore.scoring.words import actor_name, with_commas
from clubscore.table.command_kinds import kind_of
from sessions_app.models import Change

FORMS = {"total": "total {}", "points": "{} points", "special": "special hand {}", "fishing_for": "fishing for {}"}


@dataclass(frozen=True)
class Version:
    at: datetime
    words: str
    why: str
    details: tuple[str, ...]
    # The change after which the hand was otherwise than it is now, so that it can be brought back.
    earlier: int | None = None


def versions_of(entry, seats, say):
    """Return the changes of an entry, the latest first; empty while it stands as it was first recorded.

    `say` fills a template in the table's words.
    """
    key = str(entry.key)
    touched = Q(before__entries__has_key=key) | Q(after__entries__has_key=key)
    changes = Change.objects.filter(touched, session=entry.session_id).order_by("-id").select_related("user")
    names = {str(seat.chair): seat.player.name for seat in seats}
    versions = [_version(change, entry, names, say) for change in changes]
    return versions if len(versions) > 1 else []


def _version(change, entry, names, say):
    key = str(entry.key)
    before = (change.before.get("entries") or {}).get(key)
    after = (change.after.get("entries") or {}).get(key)
    who, row = actor_name(change.name, change.user_id, names) or "Someone", kind_of(change.action)
    return Version(
        at=change.at,
        words=f"{who} {(row and row.hand_history) or change.action}",
        why=change.why,
        details=tuple(_differences(before, after, names, say)) if before and after else (),
        earlier=change.pk if after and after.get("body") != entry.body and not entry.taken_out else None,
    )


def _differences(before, after, names, say):
    """Say player by player what was declared before and after."""
    was, now = before.get("body") or {}, after.get("body") or {}
    won = [winner_words(body, names, say) for body in (was, now)]
    if won[0] != won[1]:
        yield "; then ".join(won)
    for seat, name in names.items():
        old, new = ((body.get("hands") or {}).get(seat) for body in (was, now))
        if old != new:
            yield f"{name}: {hand_words(old, say)}; then {hand_words(new, say)}"


def winner_words(body, names, say):
    """Say in a few words who went Mah-jong: "Ann goes Mah-jong"."""
    mahjong = body.get("mahjong")
    winners = mahjong if isinstance(mahjong, list) else [mahjong] if mahjong else []
    who = " and ".join(names.get(str(one.get("by")), "?") for one in winners)
    return say("{who} go Mah-jong" if len(winners) > 1 else "{who} goes Mah-jong", who=who or "nobody")


def hand_words(form, say):
    """Say in a few words what was declared for one player."""
    if form is None:
        return "no hand"
    for key, words in FORMS.items():
        if key in form:
            number = form.get("doubles")
            doubles = f", {number} double{'' if number == 1 else 's'}" if number else ""
            return words.format(with_commas(form[key])) + doubles
    parts = [*(say(text) for text in form.get("sets") or []), form.get("tiles"), form.get("bonus")]
    return ", ".join(part for part in parts if part) or "nothing to score"
