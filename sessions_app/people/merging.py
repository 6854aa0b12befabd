"""Merges two players who are one person, and undoes it; erases a player or an account. The log has what moved."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from sessions_app.models import (
    Attendance,
    Change,
    Club,
    Command,
    Contact,
    CupWinner,
    DrawnTable,
    Entry,
    HandQuery,
    Import,
    Invite,
    MeetingFee,
    Membership,
    PairWish,
    Player,
    Reply,
    Season,
    Seat,
    Session,
    SignIn,
    Subscription,
    Tally,
    User,
    WaitingGame,
)
from sessions_app.people import phone_code
from sessions_app.people.clubs import remove_person
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor, as_logged, changed_fields, log_change, log_sentences
from sessions_app.people.players import FACTS, refuse_seated
from sessions_app.people.transactions import ServiceError, write_transaction

MOVED = {model._meta.model_name: model for model in (Seat, Tally, Attendance, Reply, MeetingFee, Subscription, Invite)}

# A player has at most one of these: it moves if the other player has none.
SINGLE = {model._meta.model_name: model for model in (Contact, Membership)}

# Ways to show a name in public, strictest first.
STRICTEST = ("off", "nobody", "initials", "short", "full")


log_sentences(
    {
        "merge": "merged {player} into {into}",
        "unmerge": "undid the merge of {player} into {into}",
        "erase": "erased the names of a player, now shown as {player}",
    },
    into=lambda it: it.names.player((it.before | it.after).get("into", 0)),
)


def differing_facts(gone: Player, kept: Player) -> dict[str, Any]:
    """Return those of FACTS in which two players differ, with the default for each.

    The default is the stricter choice for public lists, member over guest, other members over
    beginners, and current over former.
    """
    strictest = min((kept, gone), key=lambda player: STRICTEST.index(player.in_public or player.club.public_names))
    defaults = {
        "guest": gone.guest and kept.guest,
        "beginner": gone.beginner and kept.beginner,
        "left_on": max(gone.left_on, kept.left_on) if gone.left_on and kept.left_on else None,
        "in_public": strictest.in_public,
    }
    return {name: defaults[name] for name in FACTS if getattr(gone, name) != getattr(kept, name)}


def merge_players(gone: Player, kept: Player, *, by: Actor, facts: dict[str, Any] | None = None) -> None:
    """Merge `gone` into `kept`: everything of theirs moves. ServiceError if they must be two people.

    `facts` has the values chosen where FACTS differ; the rest are as in `differing_facts`.
    """
    with write_transaction():
        gone, kept = _locked(gone.club_id, gone.pk, kept.pk)
        if problems := why_not_merge(gone, kept):
            raise ServiceError(" ".join(problems))
        # Where both answered for a meeting, the answer of the player who stays counts.
        Reply.objects.filter(player=gone, meeting__in=kept.replies.values("meeting")).delete()
        single = {name: model for name, model in SINGLE.items() if not model.objects.filter(player=kept).exists()}
        moved = {name: _move(model.objects.all(), gone, kept) for name, model in (MOVED | single).items()}
        moved["player"] = list(Player.objects.filter(merged_into=gone).order_by("pk").values_list("pk", flat=True))
        Player.objects.filter(pk__in=[*moved["player"], gone.pk]).update(merged_into=kept)
        wishes, tables = _move_wishes(gone, kept), _move_in_draw(gone, kept)
        after = {"into": kept.pk, "moved": moved, "wishes": wishes, "drawn": tables}
        changed = _change_facts(kept, differing_facts(gone, kept) | (facts or {}))
        if changed:
            after["facts"] = changed
        _raise_versions(kept.seats.values("pk") if changed else moved["seat"])
        log_change(gone.club, by, "merge", gone, {}, after)


def undo_merge(gone: Player, *, by: Actor) -> None:
    """Undo a merge: what moved goes back, if the other player still has it."""
    with write_transaction():
        gone = Player.objects.select_for_update().get(pk=gone.pk)
        if gone.merged_into_id is None:
            raise ServiceError(f"{gone} has not been merged with anyone.")
        gone, kept = _locked(gone.club_id, gone.pk, gone.merged_into_id)
        if gone.erased_as:
            raise ServiceError("The names are erased, so the merge cannot be undone.")
        merge = Change.objects.filter(club=gone.club_id, action="merge", subject_type="player", subject_id=str(gone.pk))
        done = {"moved": {}, "wishes": [], "drawn": [], "facts": {}} | merge.latest("pk").after
        if locked := _locked_seasons(done["moved"].get("seat", [])):
            raise ServiceError(" ".join(locked))
        models = MOVED | SINGLE
        merged_before = done["moved"].pop("player", [])
        back = {name: _move(models[name].objects.filter(pk__in=pks), kept, gone) for name, pks in done["moved"].items()}
        Player.objects.filter(pk__in=merged_before, merged_into=kept).update(merged_into=gone)
        Player.objects.filter(pk=gone.pk).update(merged_into=None)
        _return_wishes(done["wishes"], gone)
        for table in done["drawn"]:
            DrawnTable.objects.filter(pk=table["table"], session=None).update(players=table["players"])
        # Facts that the merge changed, unless they have changed since.
        now = as_logged({name: getattr(kept, name) for name in done["facts"]})
        restored = {name: fact["was"] for name, fact in done["facts"].items() if now[name] == fact["is"]}
        Player.objects.filter(pk=kept.pk).update(**restored)
        _raise_versions([*back["seat"], *(kept.seats.values_list("pk", flat=True) if restored else ())])
        before = {"into": kept.pk, "moved": {**back, "player": merged_before}}
        log_change(gone.club, by, "unmerge", gone, before, {})


def why_not_merge(gone: Player, kept: Player) -> list[str]:
    """Return the reasons why these two cannot be merged; an empty list if they can."""
    if gone.pk == kept.pk:
        return ["Choose two different names."]
    for player in (gone, kept):
        if player.merged_into_id or player.erased_as:
            return [f"Choose someone else. {player} has already been merged or erased."]
    return [*_both_at_once(gone, kept), *_locked_seasons(gone.seats.values_list("pk", flat=True))]


def _both_at_once(gone: Player, kept: Player) -> Iterator[str]:
    """Yield where both were at once, so that they are two people or one was entered by mistake."""
    sat = Session.objects.filter(seats__player=gone).filter(seats__player=kept).order_by("date", "table")
    for session in sat[:1]:
        yield (
            f"Both sat at table {session.table} of {day_words(session.date)}, so they are two people there. "
            f"If one of them was someone else, correct that at the table first."
        )
    for model, what in ((Attendance, "of who came"), (MeetingFee, "of fees")):
        meetings = model.objects.filter(player=kept).values("meeting")
        for row in model.objects.filter(player=gone, meeting__in=meetings).select_related("meeting")[:1]:
            yield f"Both are on the list {what} on {day_words(row.meeting.date)}. Remove one of them from it first."
    years = Subscription.objects.filter(player=kept).values("year")
    for both in Subscription.objects.filter(player=gone, year__in=years)[:1]:
        yield f"Both have a subscription for {both.year}, so they are two people there."


def _locked_seasons(seats: QuerySet[Seat, int]) -> list[Any]:
    """Return an error for each locked season in which these seats are."""
    seasons = Season.objects.filter(sessions__seats__in=list(seats), locked=True).order_by("starts_on").distinct()
    return [f"The season “{season}” is locked, and its tables would change. Unlock it first." for season in seasons]


def _locked(club_id: int, gone_id: int, kept_id: int) -> tuple[Player, Player]:
    """Lock the sessions of either, then both players, in the same order as commands do; return the players."""
    sat = Seat.objects.filter(player__in=[gone_id, kept_id]).values("session")
    list(Session.objects.filter(pk__in=sat).select_for_update().order_by("pk").values_list("pk", flat=True))
    both = Player.objects.of_club(club_id).filter(pk__in=[gone_id, kept_id]).select_for_update().order_by("pk")
    players = {player.pk: player for player in both}
    return players[gone_id], players[kept_id]


def _move(rows, giver, taker):
    """Give those of the rows that are `giver`'s to `taker`; return their ids."""
    pks = list(rows.filter(player=giver).order_by("pk").values_list("pk", flat=True))
    rows.model.objects.filter(pk__in=pks).update(player=taker)
    return pks


def _change_facts(kept: Player, facts: dict[str, Any]) -> dict[str, Any]:
    """Save the facts of the player who stays, and return what changed as the log stores it."""
    before, after = changed_fields(kept, facts)
    if after.get("left_on"):
        refuse_seated(kept, "left_on")
    Player.objects.filter(pk=kept.pk).update(**after)
    before, after = as_logged(before), as_logged(after)
    return {name: {"was": before[name], "is": after[name]} for name in after}


def _move_wishes(gone: Player, kept: Player) -> list[dict[str, Any]]:
    """Move seating requests to the other player; return them as they were, with the id of the row if it stays."""
    before = []
    for wish in PairWish.objects.filter(Q(first=gone) | Q(second=gone), club=gone.club_id).order_by("pk"):
        was = {"first": wish.first_id, "second": wish.second_id, "kind": wish.kind}
        pair = sorted({kept.pk if pk == gone.pk else pk for pk in (wish.first_id, wish.second_id)})
        if len(pair) == 1 or PairWish.objects.filter(first_id=pair[0], second_id=pair[1]).exists():
            wish.delete()
            before.append({**was, "wish": None})
        else:
            wish.first_id, wish.second_id = pair
            wish.save(update_fields=["first", "second"])
            before.append({**was, "wish": wish.pk})
    return before


def _return_wishes(wishes, gone):
    for wish in wishes:
        pair = {"first_id": wish["first"], "second_id": wish["second"]}
        are_there = Player.objects.of_club(gone.club_id).filter(pk__in=pair.values()).count() == 2
        if not are_there or PairWish.objects.filter(**pair).exists():
            continue
        if not PairWish.objects.filter(pk=wish["wish"]).update(**pair):
            PairWish.objects.create(club_id=gone.club_id, kind=wish["kind"], **pair)


def _move_in_draw(gone: Player, kept: Player) -> list[dict[str, Any]]:
    """Replace one player by the other at drawn tables that have not begun; return these tables as they were."""
    before = []
    for table in DrawnTable.objects.of_club(gone.club_id).filter(session=None).order_by("pk"):
        if gone.pk in table.players:
            before.append({"table": table.pk, "players": table.players})
            table.players = [kept.pk if pk == gone.pk else pk for pk in table.players]
            table.save(update_fields=["players"])
    return before


def _raise_versions(seats: Iterable[Any]) -> None:
    """Raise the versions of the sessions and seasons in which a name has changed."""
    sessions = Session.objects.filter(seats__in=seats)
    seasons = set(sessions.exclude(season=None).values_list("season", flat=True))
    Session.objects.filter(pk__in=list(sessions.values_list("pk", flat=True))).update(version=F("version") + 1)
    Season.objects.raise_version(*seasons)


# Erasing a player or an account: the names go, every figure stays. It cannot be undone.


NAMELESS = "Former player"


def erase_player(player: Player, *, by: Actor, with_login: bool = False) -> str:
    """Erase a player's names, contact details and reasons in the log; return the name shown instead.

    Hands, payments and totals stay. `with_login` erases their account too, if it is in no other club. ServiceError
    for a player already erased, seated at an open table, or whose account is the club's last secretary.
    """
    with write_transaction():
        club = Club.objects.select_for_update().get(pk=player.club_id)
        player = Player.objects.select_for_update().get(pk=player.pk)
        if player.erased_as:
            raise ServiceError("This player has already been erased.")
        refuse_seated(player)
        if with_login:
            for user in accounts_of(player):
                if not is_in_other_clubs(user, club):
                    erase_login(user, by=by)
        everyone = [player, *Player.objects.filter(merged_into=player)]
        for erased in everyone:
            _erase_names(club, erased)
        PairWish.objects.filter(Q(first__in=everyone) | Q(second__in=everyone)).delete()
        for forgotten in (Contact, Reply):
            forgotten.objects.filter(player__in=everyone).delete()
        for kept in (Membership, Invite):
            kept.objects.filter(player__in=everyone).update(player=None)
        _forget_names_in_files(club, {erased.pk for erased in everyone})
        _erase_reasons(player)
        log_change(club, by, "erase", player, {}, {})
    return player.erased_as


def accounts_of(player: Player) -> list[User]:
    """Return the accounts linked to this player, or to one merged into them."""
    plays_as = Membership.objects.filter(Q(player=player) | Q(player__merged_into=player))
    return [membership.user for membership in plays_as.select_related("user").order_by("pk")]


def is_in_other_clubs(user: User, club: Club) -> bool:
    return Membership.objects.filter(user=user).exclude(club=club).exists()


def erase_login(user: User, *, by: Actor) -> str:
    """Remove an account from its clubs and erase its personal data; return the username it has from now on.

    Only the log keeps the name under which changes were made. ServiceError for the last secretary of a club.
    """
    with write_transaction():
        for membership in Membership.objects.filter(user=user).select_related("club", "user").order_by("pk"):
            remove_person(membership, by=by)
        user.username = f"former-login-{user.pk}"
        user.first_name = user.last_name = user.email = ""
        user.email_confirmed = False
        user.is_active = user.is_staff = user.is_superuser = False
        user.last_login, user.date_joined = None, timezone.now()
        user.set_unusable_password()
        user.save()
        SignIn.objects.filter(user=user).delete()
        phone_code.forget(user)
        Command.objects.filter(user=user).update(name="")
        HandQuery.objects.filter(asked_by=user).update(text="", name="")
        HandQuery.objects.filter(answered_by=user).update(answer="")
    return user.username


def _erase_names(club: Club, player: Player) -> None:
    number = Player.objects.of_club(club).exclude(erased_as="").count() + 1
    if player.full_name:
        WaitingGame.objects.of_club(club).filter(text__icontains=player.full_name).delete()
    wins = CupWinner.objects.of_club(club).filter(winner=player.full_name)
    player.erased_as = f"{NAMELESS} {number}"
    wins.update(winner=player.erased_as)
    player.full_name = player.short_name = ""
    player.reply_key = None
    player.left_on = timezone.now().date()
    # A player left off public lists stays off under the new name.
    player.in_public = player.in_public if player.in_public == Player.InPublic.OFF else ""
    player.save(update_fields=["full_name", "short_name", "erased_as", "left_on", "in_public", "reply_key"])


def _forget_names_in_files(club: Club, players: set[int]) -> None:
    """Forget which names in imported files were these players’, though only digests of them are kept."""
    for row in Import.objects.of_club(club):
        names = {digest: kept for digest, kept in row.names.items() if kept["player"] not in players}
        if names != row.names:
            Import.objects.filter(pk=row.pk).update(names=names)


def _erase_reasons(player: Player) -> None:
    """Erase the reasons of changes to this player and in their sessions, and the text of score queries there.

    This includes players merged into this one, and sessions in which their seat was given to another player. The
    database allows nothing else in the log to be erased.
    """
    own = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    sits = Seat.objects.filter(player__in=own).values_list("session", flat=True)
    sessions = {*sits, *_sessions_once_of(player.club, set(own))}
    about = Q(session__in=sessions) | Q(subject_type="player", subject_id__in=map(str, own))
    Change.objects.filter(about, club=player.club_id).exclude(why="").update(why="")
    HandQuery.objects.filter(session__in=sessions).update(text="", answer="")


def _sessions_once_of(club: Club, players: set[Any]) -> Iterator[int]:
    """Yield the sessions in which one of these players had a seat that was then given to another player."""
    changes = Change.objects.filter(club=club, session__isnull=False, before__has_key="seats")
    for session, before in changes.values_list("session", "before").iterator(chunk_size=2000):
        seats = before.get("seats") or {}
        if any(isinstance(seat, dict) and seat.get("player") in players for seat in seats.values()):
            yield session


def notes_about(player: Player) -> list[Session]:
    """Return the sessions in which a note or the reason for a penalty contains one of the player's names."""
    named = Q(pk__in=[])
    for name in filter(None, (player.full_name, player.short_name)):
        named |= Q(body__text__icontains=name) | Q(body__why__icontains=name)
    entries = Entry.objects.filter(named, session=OuterRef("pk"))
    sessions = Session.objects.filter(Exists(entries), pk__in=player.seats.values("session"))
    return list(sessions.order_by("date", "table", "pk"))
