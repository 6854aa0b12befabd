"""Clubs and their members: registering, settings, roles, invitations, linked players, handing over."""

import datetime
from itertools import chain, count
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.dates import MONTHS
from django.utils.text import slugify

from clubscore import scoring
from sessions_app.models import Club, Invite, Membership, OldAddress, Player, User
from sessions_app.people.accounts import account_called, make_account, refuse_name_of_member
from sessions_app.people.log import (
    Actor,
    changed_fields,
    differences_of,
    label_in,
    log_change,
    log_sentences,
    or_none,
    yes_or_no,
)
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.plain_text import plain_name
from sessions_app.people.transactions import ServiceError, write_transaction

# Letters and digits that are hard to mistake when a password is read aloud.
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
SLUG_TAKEN = "Choose another address. This one is taken."

# Settings of a club that are not about its rules.
CLUB_SETTINGS = {
    "name": ("name", or_none),
    "slug": ("address", or_none),
    "time_zone": ("time zone", or_none),
    "usual_place": ("usual venue", or_none),
    "usual_time": ("usual start", lambda value: value[:5] if value else "none"),
    "contact_email": ("contact", or_none),
    "stick_set": ("tally sticks", or_none),
    "asks_agreement": ("another player agrees to each hand", yes_or_no),
    "public_names": ("names in public", label_in(dict(Club.PublicNames.choices) | {Club.PublicNames.NOBODY: "none"})),
    "shows_standings": ("league table in public", yes_or_no),
    "shows_honours": ("roll of honour in public", yes_or_no),
    "shows_meetings": ("meetings in public", yes_or_no),
    "framed_by": ("websites that may show parts of the pages", or_none),
    "keeps_fees": ("a list of fees", yes_or_no),
    "currency": ("currency", or_none),
    "table_fee": ("fee for the table", or_none),
    "refreshments": ("refreshments", or_none),
    "subscription": ("yearly subscription", or_none),
    "joint_subscription": ("joint subscription", or_none),
    "year_begins": ("first month of the year", lambda month: str(MONTHS[month])),
    "points_rate": ("what points are worth", or_none),
}


def _role(role: str | None) -> str:
    return dict(Membership.Role.choices).get(role or "", "nothing").lower()


def _player(it: LoggedChange, words: str) -> str:
    player = it.after.get("player")
    return words.format(it.names.player(player)) if player else ""


def _plays_as(it: LoggedChange) -> str:
    user, player = it.names.user(it.subject), _player(it, "{}")
    return f"linked {user} to the player {player}" if player else f"noted that {user} does not play"


log_sentences(
    {
        ("add", "club"): "registered the club",
        ("change", "club"): "changed the club’s settings",
        "settings": "changed the club’s settings{settings}",
        "role": "made {user} {role}{earlier_role}",
        "remove": "removed {user} from the club",
        "hand over": "handed the club over to {user}",
        "plays as": "{plays_as}",
        "invite": "made an invitation to join as a {role}{for_player}",
        "revoke invite": "cancelled an invitation",
        "join": "joined the club as a {role} by invitation{playing}",
    },
    settings=differences_of(CLUB_SETTINGS),
    role=lambda it: _role(it.after.get("role")),
    earlier_role=lambda it: f" (was {_role(it.before['role'])})" if it.before.get("role") else "",
    for_player=lambda it: _player(it, " for {}"),
    playing=lambda it: _player(it, ", and plays as {}"),
    plays_as=_plays_as,
)


def make_club(name: str, rules: str = "bmja", *, by: Actor, slug: str = "", time_zone: str = "Europe/London") -> Club:
    """Create a club; without `slug` its address is made from its name.

    ServiceError for an empty name, an address that is taken, and an unknown rule set.
    """
    name = plain_name(name)
    if not name:
        raise ServiceError("Enter the name of the club.", "name")
    if rules not in scoring.RULE_SETS:
        raise ServiceError(f"Choose one of these rules: {', '.join(scoring.RULE_SETS)}.", "rules")
    with write_transaction():
        club = Club(name=name, slug=slug or free_slug(name), rules=rules, time_zone=time_zone)
        _refuse_slug(club.slug, club)
        try:
            with transaction.atomic():
                club.save()
        except IntegrityError as error:
            raise ServiceError(SLUG_TAKEN, "slug") from error
        log_change(club, by, "add", club, {}, {"rules": rules, "time_zone": time_zone})
    return club


def sign_up(
    club: dict[str, str], *, user: User | None = None, login: dict[str, str] | None = None
) -> tuple[Club, User]:
    """Create a club with its first secretary, an existing `user` or a new account; return both.

    club: arguments of make_club; login: arguments of make_account. On a ServiceError nothing is created.
    """
    with write_transaction():
        secretary = user or make_account(**login or {})
        by = Actor.of_user(secretary)
        made = make_club(**club, by=by)
        Membership.objects.create(club=made, user=secretary, role=SECRETARY)
        log_change(made, by, "role", secretary, {"role": ""}, {"role": SECRETARY})
    return made, secretary


def free_slug(name: str) -> str:
    """Return a slug made from a club's name that no other club has."""
    longest = Club._meta.get_field("slug").max_length or 0
    start = slugify(name)[: longest - 4].strip("-") or "club"
    slugs = chain([start], (f"{start}-{number}" for number in count(2)))
    return next(slug for slug in slugs if not is_slug_taken(slug))


def is_slug_taken(slug: str, club: Club | None = None) -> bool:
    """Return whether another club than this one has the address, or had it before."""
    own = club.pk if club else 0
    has, had = Club.objects.filter(slug=slug), OldAddress.objects.filter(slug=slug)
    return has.exclude(pk=own).exists() or had.exclude(club_id=own).exists()


def club_at(slug: str) -> Club | None:
    """Return the club that has the address, else the one that had it before, else None."""
    return Club.objects.filter(slug=slug).first() or Club.objects.filter(old_addresses__slug=slug).first()


def _refuse_slug(slug: str, club: Club) -> None:
    if is_slug_taken(slug, club):
        raise ServiceError(SLUG_TAKEN, "slug")


def give_login(club: Club, login: str, role: str, *, by: Actor) -> str | None:
    """Give an account a role in a club, creating the account if there is none; return the password of a new one.

    ServiceError for an unknown role, or the last secretary.
    """
    _check_role(role)
    with write_transaction():
        user, password = account_called(login), None
        if user is None:
            password = get_random_string(16, READABLE)
            user = make_account(login, password)
            # Whoever read the command's output knows it too.
            user.must_change_password = True
            user.save(update_fields=["must_change_password"])
        membership, is_new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
        if is_new:
            log_change(club, by, "role", user, {"role": ""}, {"role": role})
        else:
            set_role(membership, role, by=by)
    return password


def change_club_settings(club: Club, *, by: Actor, **settings: Any) -> bool:
    """Change those of CLUB_SETTINGS that are given, log what differs, and return whether anything did.

    A new address must be free, and the old one goes on working.
    """
    with write_transaction():
        now = Club.objects.select_for_update().get(pk=club.pk)
        settings = {name: value for name, value in settings.items() if name in CLUB_SETTINGS}
        before, after = changed_fields(now, settings)
        if "slug" in after:
            _refuse_slug(after["slug"], now)
            OldAddress.objects.filter(slug=after["slug"]).delete()
            OldAddress.objects.create(club=now, slug=now.slug)
        if after:
            Club.objects.filter(pk=club.pk).update(**after)
            log_change(club, by, "settings", club, before, after)
    for name, value in after.items():
        setattr(club, name, value)
    return bool(after)


# Members of a club: roles, invitations, linked players, handing the club over.


SECRETARY = Membership.Role.SECRETARY


def set_role(membership: Membership, role: Any, *, by: Actor) -> Membership:
    """Change a member's role; the invitations of a former secretary are cancelled, and those to be secretary again.

    ServiceError for an unknown role and for the last secretary.
    """
    _check_role(role)
    with write_transaction():
        membership = _locked(membership)
        if membership.role == role:
            return membership
        if role != SECRETARY:
            _keep_a_secretary(membership)
        ending = invites_ending(membership, role)
        before, membership.role = membership.role, role
        membership.save(update_fields=["role"])
        log_change(membership.club, by, "role", membership.user, {"role": before}, {"role": role})
        _cancel(ending, by)
    return membership


def remove_person(membership: Membership, *, by: Actor) -> None:
    """Remove a member from the club at once, and cancel the invitations they made or could open.

    ServiceError for the last secretary.
    """
    with write_transaction():
        membership = _locked(membership)
        _keep_a_secretary(membership)
        log_change(membership.club, by, "remove", membership.user, {"role": membership.role}, {})
        _cancel(invites_ending(membership), by)
        membership.delete()


def hand_over(giver: Membership, taker: Membership, after: str, *, by: Actor) -> None:
    """Make `taker` a secretary and give `giver` the role `after`, or remove them if it is empty."""
    if taker.pk == giver.pk:
        raise ServiceError("Choose someone else. You are already the secretary.", "taker")
    with write_transaction():
        taker = set_role(taker, SECRETARY, by=by)
        secretaries = {"secretary": giver.user_id}, {"secretary": taker.user_id}
        log_change(taker.club, by, "hand over", taker.user, *secretaries)
        if after:
            set_role(giver, after, by=by)
        else:
            remove_person(giver, by=by)


def link_player(membership: Membership, player: Player | None, *, by: Actor) -> Membership:
    """Link a member to a player, or to none; they can then choose for that player.

    ServiceError for a player of another club, one merged or erased, and one linked to another account.
    """
    with write_transaction():
        membership = _locked(membership)
        if membership.player_id == (player and player.pk):
            return membership
        if player is not None:
            _refuse_player(membership.club_id, player)
            other = Membership.objects.filter(player=player).select_related("user").first()
            if other:
                error = f"Choose another player. {player} is linked to {other.user.get_username()}."
                raise ServiceError(error, "player")
        before, membership.player = membership.player_id, player
        membership.save(update_fields=["player"])
        players = {"player": before}, {"player": membership.player_id}
        log_change(membership.club, by, "plays as", membership.user, *players)
    return membership


def make_invite(club: Club, role: str, days: int, once: bool, *, by: Actor, player: Player | None = None) -> Invite:
    """Create an invitation to join the club in a role, for one person or many.

    With a player it is for that person, whose account is linked to the player. ServiceError if that is not allowed.
    """
    _check_role(role)
    if role == SECRETARY and not once:
        raise ServiceError("Choose “One person” to invite a secretary.", "how_many")
    if player and not once:
        error = "Choose “One person”, or choose “No one in particular” as the player."
        raise ServiceError(error, "how_many")
    with write_transaction():
        if player:
            _refuse_player(club.pk, player)
        invite = Invite.objects.create(
            club=club,
            role=role,
            once=once,
            player=player,
            made_by=by.user,
            expires_at=timezone.now() + datetime.timedelta(days=days),
        )
        log_change(club, by, "invite", invite, {}, {"role": role, "once": once, "days": days, **_playing(player)})
    return invite


def revoke_invite(invite: Invite, *, by: Actor) -> None:
    """Cancel an invitation; people who joined with it stay."""
    with write_transaction():
        if Invite.objects.filter(pk=invite.pk, revoked_at=None).update(revoked_at=timezone.now()):
            log_change(invite.club, by, "revoke invite", invite, {"role": invite.role}, {})


def invites_ending(membership: Membership, role: str = "") -> QuerySet[Invite]:
    """Return the usable invitations that end when this member gets another role, or leaves.

    A secretary can open every invitation of the club: those for one person end too if they would give back more.
    """
    usable = Invite.objects.of_club(membership.club).usable()
    if role == SECRETARY:
        return usable.none()
    theirs = Q(made_by=membership.user)
    if membership.role == SECRETARY:
        # The roles are in the order of their rights, the most first.
        roles = Membership.Role.values
        theirs |= Q(once=True, role__in=roles[: roles.index(role)] if role in roles else roles)
    return usable.filter(theirs)


def accept_invite(invite: Invite, user: User, *, by: Actor) -> Membership:
    """Accept an invitation and return the membership. It never lowers a role.

    ServiceError if the invitation can no longer be used, perhaps since a moment ago, or another member goes by the
    user's name.
    """
    with write_transaction():
        invite = Invite.objects.select_for_update(of=("self",)).select_related("club").get(pk=invite.pk)
        membership = Membership.objects.select_for_update().filter(club=invite.club, user=user).first()
        # The roles are in the order of their rights, the most first.
        roles = Membership.Role.values
        if membership and roles.index(membership.role) <= roles.index(invite.role):
            return membership
        if not invite.is_usable:
            raise ServiceError("This invitation has expired. Ask the person who sent it for a new one.")
        if membership is None:
            refuse_name_of_member(user.display_name, user, [invite.club])
        before = {"role": membership.role} if membership else {}
        player = _free_player(invite, membership) or _namesake(invite.club, user, membership)
        membership, _ = Membership.objects.update_or_create(
            club=invite.club, user=user, defaults={"role": invite.role, **({"player": player} if player else {})}
        )
        Invite.objects.filter(pk=invite.pk).update(used=F("used") + 1)
        after = {"role": invite.role, "invite": invite.pk, **_playing(player)}
        log_change(invite.club, by, "join", user, before, after)
    return membership


def _cancel(invites: QuerySet[Invite], by: Actor) -> None:
    """Cancel a former secretary's invitations, as they could join again with one, even as secretary."""
    for invite in invites.select_related("club").order_by("pk"):
        revoke_invite(invite, by=by)


def _free_player(invite: Invite, membership: Membership | None) -> Player | None:
    """Return the invitation's player if neither member nor player is linked yet."""
    if not invite.player_id or (membership and membership.player_id):
        return None
    player = Player.objects.select_for_update().get(pk=invite.player_id)
    return None if Membership.objects.filter(player=player).exists() else player


def _namesake(club: Club, user: User, membership: Membership | None) -> Player | None:
    """Return the only player with the user's name, if not linked to anyone and without choices of their own."""
    if not user.get_full_name() or (membership and membership.player_id):
        return None
    free = Player.objects.of_club(club).present().filter(to_confirm=False, memberships=None, contact=None, in_public="")
    found = free.filter(full_name__iexact=user.get_full_name())[:2]
    return found[0] if len(found) == 1 else None


def _playing(player: Player | None) -> dict[str, Any]:
    return {"player": player.pk} if player else {}


def _refuse_player(club_id: int, player: Player) -> None:
    known = Player.objects.of_club(club_id).filter(pk=player.pk, merged_into=None, erased_as="")
    if known.select_for_update(of=("self",)).first() is None:
        raise ServiceError("Choose a player from the list.", "player")


def _check_role(role: str) -> None:
    if role not in Membership.Role.values:
        raise ServiceError(f"Choose one of these roles: {', '.join(Membership.Role.values)}.", "role")


def _locked(membership: Membership) -> Membership:
    """Reload and lock a membership and every secretary of its club, so that two cannot step down at once."""
    secretaries = Membership.objects.select_for_update().filter(club=membership.club_id, role=SECRETARY)
    list(secretaries.order_by("pk"))
    found = Membership.objects.select_for_update(of=("self",)).select_related("club", "user")
    try:
        return found.get(pk=membership.pk)
    except Membership.DoesNotExist as error:
        raise ServiceError("This person is no longer in the club.") from error


def _keep_a_secretary(membership: Membership) -> None:
    secretaries = Membership.objects.of_club(membership.club).filter(role=SECRETARY)
    if membership.role == SECRETARY and not secretaries.exclude(pk=membership.pk).exists():
        raise ServiceError("A club needs a secretary, and there is no other. Hand the club over first.")
