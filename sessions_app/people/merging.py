"""Merging two players who are one person, and undoing it; erasing a player or an account. The log has what moved."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from sessions_app.models import (
    Attendance,
    Change,
    Club,
    Command,
    Contact,
    CupWinner,
    Device,
    DrawnTable,
    Entry,
    HandQuery,
    Invite,
    MeetingFee,
    Membership,
    PairWish,
    Player,
    Reply,
    Season,
    Seat,
    Session,
    Subscription,
    Tally,
    User,
)
from sessions_app.people.clubs import remove_person
from sessions_app.people.log import Actor, log_change
from sessions_app.people.players import FACTS, plain_facts, refuse_seated
from sessions_app.people.transactions import ServiceError, write_transaction

FOLLOWING = (Seat, Tally, Attendance, Reply, MeetingFee, Subscription, Invite)

# A player has at most one of these: it moves if the other player has none.
SINGLE = (Contact, Membership)

# Ways to show a name in public, strictest first.
STRICTEST = ("off", "nobody", "initials", "short", "full")


def differing_facts(gone: Player, kept: Player) -> dict[str, Any]:
    """Return those of FACTS in which two players differ, with the default for each.

    The default is the stricter choice for public lists, member over guest, other members over
    beginners, and current over former.
    """
    strictest = min((kept, gone), key=lambda one: STRICTEST.index(one.in_public or one.club.public_names))
    likely = {
        "guest": gone.guest and kept.guest,
        "beginner": gone.beginner and kept.beginner,
        "left_on": max(gone.left_on, kept.left_on) if gone.left_on and kept.left_on else None,
        "in_public": strictest.in_public,
    }
    return {name: likely[name] for name in FACTS if getattr(gone, name) != getattr(kept, name)}


def merge_players(gone: Player, kept: Player, *, by: Actor, why: str = "", facts: dict[str, Any] | None = None) -> None:
    """Merge `gone` into `kept`: everything of theirs moves. ServiceError if they must be two people.

    `facts` has the values chosen where FACTS differ; the rest are as in `differing_facts`.
    """
    with write_transaction():
        gone, kept = _held(gone.club_id, gone.pk, kept.pk)
        problems = why_not_merge(gone, kept)
        if problems:
            raise ServiceError(" ".join(problems))
        # Where both answered for a meeting, the answer of the one who stays counts.
        Reply.objects.filter(player=gone, meeting__in=kept.replies.values("meeting")).delete()
        moved = {model._meta.model_name: _point(model, gone, kept) for model in FOLLOWING}
        for model in SINGLE:
            if not model.objects.filter(player=kept).exists():
                moved[model._meta.model_name] = _point(model, gone, kept)
        moved["player"] = list(Player.objects.filter(merged_into=gone).order_by("pk").values_list("pk", flat=True))
        Player.objects.filter(pk__in=[*moved["player"], gone.pk]).update(merged_into=kept)
        wishes, tables = _move_wishes(gone, kept), _redraw(gone, kept)
        after = {"into": kept.pk, "moved": moved, "wishes": wishes, "drawn": tables}
        changed = _hold(kept, differing_facts(gone, kept) | (facts or {}))
        if changed:
            after["facts"] = changed
        _tell_readers(kept.seats.values("pk") if changed else moved["seat"])
        log_change(gone.club, by, "merge", gone, {}, after, why)


def take_back_merge(gone: Player, *, by: Actor, why: str = "") -> None:
    """Undo a merge: what moved goes back, if the other player still has it."""
    with write_transaction():
        held = Player.objects.select_for_update().get(pk=gone.pk)
        if held.merged_into_id is None:
            raise ServiceError(f"{held} has not been merged with anyone.")
        gone, kept = _held(held.club_id, held.pk, held.merged_into_id)
        if gone.erased_as:
            raise ServiceError("The names are erased, so the merge cannot be undone.")
        done = _merge_of(gone)
        refuse = _locked(done["moved"].get("seat", []))
        if refuse:
            raise ServiceError(" ".join(refuse))
        back = {name: _return(name, pks, gone, kept) for name, pks in done["moved"].items() if name != "player"}
        back["player"] = done["moved"].get("player", [])
        Player.objects.filter(pk__in=back["player"], merged_into=kept).update(merged_into=gone)
        Player.objects.filter(pk=gone.pk).update(merged_into=None)
        _return_wishes(done["wishes"], gone)
        _return_drawn(done["drawn"])
        restored = _restore(kept, done["facts"])
        _tell_readers([*back["seat"], *(kept.seats.values_list("pk", flat=True) if restored else ())])
        log_change(gone.club, by, "unmerge", gone, {"into": kept.pk, "moved": back}, {}, why)


def why_not_merge(gone: Player, kept: Player) -> list[str]:
    """Return the reasons why these two cannot be merged; an empty list if they can."""
    if gone.pk == kept.pk:
        return ["Choose two different names."]
    for one in (gone, kept):
        if one.merged_into_id or one.erased_as:
            return [f"Choose someone else. {one} has already been merged or erased."]
    return [*_together(gone, kept), *_locked(gone.seats.values_list("pk", flat=True))]


def _together(gone, kept):
    """Yield where both were at once, so that they are two people or one was entered by mistake."""
    sat = Session.objects.filter(seats__player=gone).filter(seats__player=kept).order_by("date", "table")
    for session in sat[:1]:
        yield (
            f"Both sat at table {session.table} of {session.date:%-d %B %Y}, so they are two people there. "
            f"If one of them was someone else, correct that at the table first."
        )
    for model, what in ((Attendance, "of who came"), (MeetingFee, "of fees")):
        meetings = model.objects.filter(player=kept).values("meeting")
        for row in model.objects.filter(player=gone, meeting__in=meetings).select_related("meeting")[:1]:
            yield f"Both are on the list {what} on {row.meeting.date:%-d %B %Y}. Remove one of them from it first."
    years = Subscription.objects.filter(player=kept).values("year")
    for row in Subscription.objects.filter(player=gone, year__in=years)[:1]:
        yield f"Both have a subscription for {row.year}, so they are two people there."


def _locked(seats):
    names = (
        Session.objects.filter(seats__in=list(seats), season__locked=True)
        .order_by("season__starts_on")
        .values_list("season__name", flat=True)
        .distinct()
    )
    return [f"The season {name} is locked, and its sessions would change. Unlock it first." for name in names]


def _held(club_id, gone_id, kept_id):
    """Lock the sessions of either, then both players, in the same order as commands do."""
    sat = Seat.objects.filter(player__in=[gone_id, kept_id]).values("session")
    list(Session.objects.filter(pk__in=sat).select_for_update().order_by("pk").values_list("pk", flat=True))
    both = Player.objects.of_club(club_id).filter(pk__in=[gone_id, kept_id]).select_for_update().order_by("pk")
    players = {player.pk: player for player in both}
    return players[gone_id], players[kept_id]


def _point(model, gone, kept):
    rows = list(model.objects.filter(player=gone).order_by("pk").values_list("pk", flat=True))
    model.objects.filter(pk__in=rows).update(player=kept)
    return rows


def _return(name, pks, gone, kept):
    model = next(model for model in (*FOLLOWING, *SINGLE) if model._meta.model_name == name)
    rows = list(model.objects.filter(pk__in=pks, player=kept).order_by("pk").values_list("pk", flat=True))
    model.objects.filter(pk__in=rows).update(player=gone)
    return rows


def _merge_of(gone):
    change = Change.objects.filter(
        club=gone.club_id, action="merge", subject_type="player", subject_id=str(gone.pk)
    ).latest("pk")
    return {"moved": {}, "wishes": [], "drawn": [], "facts": {}} | change.after


def _hold(kept, facts):
    """Save the facts of the player who stays, and return what changed: before and after, as the log keeps it."""
    changed = {name: value for name, value in facts.items() if getattr(kept, name) != value}
    before = plain_facts({name: getattr(kept, name) for name in changed})
    if changed.get("left_on"):
        refuse_seated(kept)
    Player.objects.filter(pk=kept.pk).update(**changed)
    return {name: {"was": before[name], "is": value} for name, value in plain_facts(changed).items()}


def _restore(kept, facts):
    """Restore facts that the merge changed, unless they have changed since."""
    now = plain_facts({name: getattr(kept, name) for name in facts})
    was = {name: one["was"] for name, one in facts.items() if now[name] == one["is"]}
    Player.objects.filter(pk=kept.pk).update(**was)
    return was


def _move_wishes(gone, kept):
    """Let the wishes about one stand for the other; return them as they were, with `now` the row or None."""
    before = []
    for wish in PairWish.objects.of_club(gone.club_id).order_by("pk"):
        if gone.pk not in (wish.first_id, wish.second_id):
            continue
        was = {"first": wish.first_id, "second": wish.second_id, "kind": wish.kind}
        pair = sorted({kept.pk if pk == gone.pk else pk for pk in (wish.first_id, wish.second_id)})
        there = len(pair) == 2 and PairWish.objects.filter(first_id=pair[0], second_id=pair[1]).exists()
        if len(pair) == 1 or there:
            wish.delete()
            before.append({**was, "wish": None})
        else:
            wish.first_id, wish.second_id = pair
            wish.save(update_fields=["first", "second"])
            before.append({**was, "wish": wish.pk})
    return before


def _return_wishes(wishes, gone):
    for was in wishes:
        facts = {"first_id": was["first"], "second_id": was["second"]}
        known = Player.objects.of_club(gone.club_id).filter(pk__in=facts.values()).count()
        if known < 2 or PairWish.objects.filter(**facts).exists():
            continue
        kept = PairWish.objects.filter(pk=was["wish"]) if was["wish"] else PairWish.objects.none()
        if not kept.update(**facts):
            PairWish.objects.create(club_id=gone.club_id, kind=was["kind"], **facts)


def _redraw(gone, kept):
    """Replace one player by the other at drawn tables that have not begun; return these tables as they were."""
    before = []
    for table in DrawnTable.objects.of_club(gone.club_id).filter(session=None).order_by("pk"):
        if gone.pk in table.players:
            before.append({"table": table.pk, "players": table.players})
            table.players = [kept.pk if pk == gone.pk else pk for pk in table.players]
            table.save(update_fields=["players"])
    return before


def _return_drawn(tables):
    for was in tables:
        DrawnTable.objects.filter(pk=was["table"], session=None).update(players=was["players"])


def _tell_readers(seats):
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
        table = Seat.objects.filter(player=player, session__state="open").select_related("session").first()
        if table:
            raise ServiceError(
                f"{player.name} has a seat at table {table.session.table} of {table.session.date:%-d %B %Y}, which is "
                "still open. Finish it first."
            )
        if with_login:
            for user in accounts_of(player):
                if not is_in_other_clubs(user, club):
                    erase_login(user, by=by)
        for one in [player, *Player.objects.filter(merged_into=player)]:
            _empty(club, one)
            PairWish.objects.filter(Q(first=one) | Q(second=one)).delete()
            for model in (Contact, Reply):
                model.objects.filter(player=one).delete()
            Membership.objects.filter(player=one).update(player=None)
            Invite.objects.filter(player=one).update(player=None)
        forget_reasons(player)
        log_change(club, by, "erase", player, {}, {})
    return player.erased_as


def accounts_of(player: Player) -> list[User]:
    """Return the accounts linked to this player, or to one merged into them."""
    plays_as = Membership.objects.filter(Q(player=player) | Q(player__merged_into=player))
    return [one.user for one in plays_as.select_related("user").order_by("pk")]


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
        for model in (Command, Device):
            model.objects.filter(user=user).update(name="")
        HandQuery.objects.filter(asked_by=user).update(text="", name="")
        HandQuery.objects.filter(answered_by=user).update(answer="")
    return user.username


def _empty(club, player):
    taken = Player.objects.of_club(club).exclude(erased_as="").count()
    CupWinner.objects.of_club(club).filter(winner=player.full_name).update(winner=f"{NAMELESS} {taken + 1}")
    player.full_name = player.short_name = ""
    player.erased_as = f"{NAMELESS} {taken + 1}"
    player.reply_key = None
    player.left_on = timezone.now().date()
    # A player left off public lists stays off under the new name.
    player.in_public = player.in_public if player.in_public == Player.InPublic.OFF else ""
    player.save(update_fields=["full_name", "short_name", "erased_as", "left_on", "in_public", "reply_key"])


def forget_reasons(player: Player) -> None:
    """Erase the reasons of changes to this player and in their sessions, and the text of score queries there.

    This includes players merged into this one, and sessions in which their seat was given to another player. The
    database allows nothing else in the log to be erased.
    """
    own = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    sits = Seat.objects.filter(player__in=own).values_list("session", flat=True)
    sessions = {*sits, *_sat_once(player.club, set(own))}
    about = Q(session__in=sessions) | Q(subject_type="player", subject_id__in=map(str, own))
    Change.objects.filter(about, club=player.club_id).exclude(why="").update(why="")
    HandQuery.objects.filter(session__in=sessions).update(text="", answer="")


def _sat_once(club, players):
    """Yield the sessions in which one of these players had a seat that was then given to another player."""
    given = Change.objects.filter(club=club, session__isnull=False, before__has_key="seats")
    for session, before in given.values_list("session", "before").iterator(chunk_size=2000):
        seats = before.get("seats") or {}
        if any(isinstance(seat, dict) and seat.get("player") in players for seat in seats.values()):
            yield session


def notes_about(player: Player) -> list[Session]:
    """Return the sessions in which a note or the reason for a penalty contains one of the player's names."""
    names = [name for name in (player.full_name, player.short_name) if name]
    wanted = Q()
    for name in names:
        wanted |= Q(body__text__icontains=name) | Q(body__why__icontains=name)
    named = Entry.objects.filter(wanted, session=OuterRef("pk"))
    found = Session.objects.filter(Exists(named), pk__in=player.seats.values("session")).order_by("date", "table", "pk")
    return list(found) if names else []
