"""Erasing a player or an account: the names go, every figure stays. It cannot be undone."""

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from sessions_app.models import (
    Change,
    Club,
    Command,
    Contact,
    Device,
    Entry,
    HandQuery,
    Invite,
    Membership,
    PairWish,
    Player,
    Seat,
    Session,
    User,
)
from sessions_app.people.log import Actor, log_change
from sessions_app.people.roles import remove_person
from sessions_app.people.transactions import ServiceError, write_transaction

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
            Contact.objects.filter(player=one).delete()
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
    player.full_name = player.short_name = ""
    player.erased_as = f"{NAMELESS} {taken + 1}"
    player.left_on = timezone.now().date()
    # A player left off public lists stays off under the new name.
    player.in_public = player.in_public if player.in_public == Player.InPublic.OFF else ""
    player.save(update_fields=["full_name", "short_name", "erased_as", "left_on", "in_public"])


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
    told = Entry.objects.filter(wanted, session=OuterRef("pk"))
    found = Session.objects.filter(Exists(told), pk__in=player.seats.values("session")).order_by("date", "table", "pk")
    return list(found) if names else []
