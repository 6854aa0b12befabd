"""Players of a club: adding, renaming, leaving and returning, names in public, contact details."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, count
from typing import Any, TypeVar

from django.db.models import Exists, F, OuterRef

from sessions_app.models import Club, Contact, CupWinner, Player, Session
from sessions_app.people.dates import day_words
from sessions_app.people.fuzzy_names import TITLES
from sessions_app.people.log import (
    Actor,
    changed_fields,
    differences_of,
    format_date,
    label_in,
    log_change,
    log_sentences,
    yes_or_no,
)
from sessions_app.people.log_sentences import LoggedChange
from sessions_app.people.models import unguessable_key
from sessions_app.people.plain_text import plain_name
from sessions_app.people.transactions import ServiceError, write_transaction

FACTS = ("guest", "beginner", "left_on", "in_public")
CONTACTS = {"email": "email address", "telephone": "telephone number"}


def _contact(it: LoggedChange) -> str:
    player, kept = it.names.player(it.subject), [CONTACTS[key] for key in it.after.get("kept") or [] if key in CONTACTS]
    return f"saved {player}’s {' and '.join(kept)}" if kept else f"removed {player}’s contact details"


log_sentences(
    {
        ("add", "player"): "added {player} to the players",
        "rename": "renamed a player, now {player}",
        ("change", "player"): "changed the details of {player}{details}",
        "contact": "{contact}",
    },
    details=differences_of(
        {
            "guest": ("guest", yes_or_no),
            "beginner": ("beginner", yes_or_no),
            "to_confirm": ("to be confirmed", yes_or_no),
            "left_on": ("left", lambda value: f"on {format_date(value)}" if value else "no"),
            "in_public": ("in public", label_in(Player.InPublic.choices, "as the club shows names")),
        }
    ),
    contact=_contact,
)

# A limit, as anyone with a table's code can type a name.
MAX_TO_CONFIRM = 20

# In characters, as CupWinner holds it.
MAX_WINNER = 80

# For generated short names: the most characters, and the most of the surname.
SHORT_ENOUGH, MAX_INITIALS = 20, 3


def add_player(
    club: Club,
    full_name: str,
    short_name: str = "",
    guest: bool = False,
    *,
    by: Actor,
    to_confirm: bool = False,
    **more: Any,
) -> Player:
    """Add a player; an empty short name becomes the first name. `more` are other fields of Player.

    ServiceError for a taken name, and for too many names `to_confirm`.
    """
    full_name, short_name = plain_name(full_name), plain_name(short_name)
    with write_transaction():
        _refuse_taken(club, full_name)
        if to_confirm and Player.objects.of_club(club).filter(to_confirm=True).count() >= MAX_TO_CONFIRM:
            raise ServiceError("Too many new names are waiting to be confirmed. Ask the secretary.", "full_name")
        names = {"full_name": full_name, "short_name": short_name or _first_name(full_name)}
        player = Player.objects.create(club=club, guest=guest, to_confirm=to_confirm, **names, **more)
        log_change(club, by, "add", player, {}, {"guest": guest})
    return player


def confirm_player(player: Player, *, by: Any) -> None:
    """Confirm a player whose name was typed on a tablet without an account."""
    with write_transaction():
        if Player.objects.filter(pk=player.pk, to_confirm=True).update(to_confirm=False):
            log_change(player.club, by, "change", player, {"to_confirm": True}, {"to_confirm": False})


def rename_player(player: Player, full_name: str, short_name: str = "", *, by: Actor) -> Player:
    """Change a player's names. The log records it by id, without the names."""
    full_name, short_name = plain_name(full_name), plain_name(short_name)
    with write_transaction():
        _refuse_taken(player.club, full_name, player)
        # The cups won under the old name, unless the new one has the cup of that year already.
        wins, winner = CupWinner.objects.of_club(player.club_id), full_name[:MAX_WINNER]
        duplicates = wins.filter(cup=OuterRef("cup"), year=OuterRef("year"), winner=winner)
        wins.filter(~Exists(duplicates), winner=player.full_name).update(winner=winner)
        player.full_name, player.short_name = full_name, short_name or _first_name(full_name)
        player.save(update_fields=["full_name", "short_name"])
        _raise_versions(player)
        log_change(player.club, by, "rename", player, {}, {})
    return player


def _first_name(full_name):
    return full_name.split()[0][:SHORT_ENOUGH]


def change_player_facts(player: Player, *, by: Actor, why: str = "", **facts: Any) -> Player:
    """Change any of FACTS: guest or member, beginner or not, the date they left, their name in public.

    Logged only if something differs. ServiceError for a player who leaves while seated at an open table.
    """
    with write_transaction():
        before, after = changed_fields(Player.objects.select_for_update().get(pk=player.pk), facts)
        if after:
            if after.get("left_on"):
                refuse_seated(player, "left_on")
            Player.objects.filter(pk=player.pk).update(**after)
            _raise_versions(player)
            log_change(player.club, by, "change", player, before, after, why)
    for name, value in after.items():
        setattr(player, name, value)
    return player


def set_contact(player: Player, email: str = "", telephone: str = "", agreed_on: Any = None, *, by: Actor) -> None:
    """Save a player's contact details with the date they agreed; both empty removes them. The log holds none of it."""
    details = {"email": email, "telephone": telephone}
    if not any(details.values()):
        agreed_on = None
    elif agreed_on is None:
        raise ServiceError("Enter the date the player agreed to this.", "agreed_on")
    with write_transaction():
        contact = Contact.objects.filter(player=player).first() or Contact()
        details["agreed_on"] = agreed_on
        if not any(changed_fields(contact, details)):
            return
        if agreed_on:
            Contact.objects.update_or_create(player=player, defaults={"club": player.club, **details})
        else:
            contact.delete()
        kept = [name for name in ("email", "telephone") if details[name]]
        log_change(player.club, by, "contact", player, {}, {"kept": kept})


def reply_key_of(player: Player) -> str:
    """Return the key of a player's own link, made the first time."""
    return player.reply_key or _give_reply_key(player)


def new_reply_key(player: Player) -> str:
    """Give a player a new link of their own; earlier ones stop working, and those of merged players too."""
    with write_transaction():
        Player.objects.filter(merged_into=player).update(reply_key=None)
        return _give_reply_key(player)


def _give_reply_key(player):
    player.reply_key = unguessable_key()
    player.save(update_fields=["reply_key"])
    return player.reply_key


def free_short_name(full_name: str, taken: set[str], others: Iterable[str] = ()) -> str:
    """Return a short name not in `taken` (case-folded): Jean, Jean A, Jean At, Jean Atk, then Jean 2.

    It never contains the whole surname, as a club may show only short names in public. It has as many letters of the
    surname as tell it from those of `others`, full names, with the same first name; or what is in brackets behind it.
    """
    first, *rest = _called(full_name)
    surname = rest[-1] if rest else ""
    most = len(surname) - 1 if len(surname) > 1 else len(surname)
    namesakes = [name for name in others if name != full_name and _called(name)[0].casefold() == first.casefold()]
    surnames = {_called(name)[-1].casefold() for name in namesakes}
    # A title alone is nobody's name.
    is_alone = not namesakes and first.casefold() not in TITLES
    letters = 0 if is_alone else _letters_apart(surname.casefold(), surnames)
    apart = re.search(r"\(([^)]+)\)\s*\Z", full_name)
    initials = [f" {surname[:number]}" for number in range(letters, 1 + min(most, MAX_INITIALS)) if surname[:number]]
    in_brackets = [f" ({apart[1]})"] if apart and surname.casefold() in surnames else []
    suffixes = chain([""] if is_alone else [], in_brackets, initials, (f" {number}" for number in count(2)))
    names = (first[: max(1, SHORT_ENOUGH - len(suffix))] + suffix for suffix in suffixes if len(suffix) < SHORT_ENOUGH)
    return next(name for name in names if name.casefold() not in taken)


class ShortNames:
    """Names at the table for new players of a club, one after the other; `names` are those of the new players."""

    def __init__(self, club: Club, names: Iterable[str] = ()) -> None:
        present = list(Player.objects.of_club(club).present().values_list("short_name", "full_name"))
        self.taken = {short_name.casefold() for short_name, _ in present}
        self.others = [*(full_name for _, full_name in present), *names]

    def take(self, full_name: str, wanted: str = "") -> str:
        """Return the name that was wanted, else one that nobody has; no later one gets it."""
        short_name = wanted or free_short_name(full_name, self.taken, self.others)
        self.taken.add(short_name.casefold())
        return short_name


def _called(full_name: str) -> list[str]:
    """Return the first name, or the title before initials alone, and the others: Mrs for Mrs P. Ackroyd."""
    words = _words(full_name) or [full_name]
    titles = [word for word in words[:-1] if word.rstrip(".").casefold() in TITLES]
    named = [word for word in words if word not in titles]
    if titles and (len(named) < 2 or len(named[0].rstrip(".")) < 2):
        return [titles[0].rstrip("."), *named[-1:]]
    return named or words


def _letters_apart(surname: str, others: set[str]) -> int:
    """Return how many letters of a surname no other one begins with; 1 where they are the same."""
    different = others - {surname}
    for number in range(1, MAX_INITIALS + 1):
        if not any(another[:number] == surname[:number] for another in different):
            return number
    return 1


def with_suffix(full_name: str, suffix: str) -> str:
    """Return the name with what tells namesakes apart: Jean Atkins (Wool)."""
    return f"{plain_name(full_name)} ({plain_name(suffix).strip('()')})"


def refuse_seated(player: Player, field: str | None = None) -> None:
    """Raise ServiceError if the player has a seat at an open table."""
    table = Session.objects.filter(seats__player=player, state=Session.State.OPEN).first()
    if table:
        at = f"table {table.table} of {day_words(table.date)}"
        raise ServiceError(f"{player.name} has a seat at {at}, which is still open. Finish it first.", field)


def _raise_versions(player: Player) -> None:
    """Raise the version of the player's open tables, so that live pages show the change."""
    tables = Session.objects.filter(seats__player=player, state=Session.State.OPEN).values_list("pk", flat=True)
    Session.objects.filter(pk__in=list(tables)).update(version=F("version") + 1)


def _refuse_taken(club: Club, full_name: str, player: Player | None = None) -> None:
    if not full_name:
        raise ServiceError("Enter the player’s full name.", "full_name")
    if Player.objects.of_club(club).filter(full_name__iexact=full_name).other_than(player).exists():
        raise ServiceError(f"The club already has a player named {full_name}.", "full_name")


# Names of players: members see those used at the table, everyone else sees what club and player allow.

MEMBERS = "members"
Name = TypeVar("Name", str, str | None)


def public_names(club: Club, players: Iterable[Player]) -> dict[int, str | None]:
    """Return {player id: name in public}, None for a player left off public lists.

    A player's own choice comes before the club's; a club that shows no names shows no one. Erased players are left off.
    Equal names get a number. Positions and totals do not depend on who is left off.
    """
    return _numbered({player.pk: _in_public(player, club.public_names) for player in players})


def shown_names(players: Iterable[Player], style: str) -> dict[int, str]:
    """Return {player id: name} where every player needs a name, such as a table's page.

    `style` is MEMBERS, or what the club shows in public. A player left off public lists, or erased, is "Someone".
    """
    for_members = style == MEMBERS
    return _numbered({p.pk: (p.name if for_members else _in_public(p, style)) or "Someone" for p in players})


def _in_public(player: Player, style: str) -> str | None:
    # A guest has not agreed to anything, so is left off public lists unless they chose otherwise.
    is_unasked_guest = player.guest and not player.in_public
    if style == Club.PublicNames.NOBODY or player.in_public == Player.InPublic.OFF or is_unasked_guest:
        return None
    return PUBLIC_FORMS[player.in_public or style](player) or None


def _numbered(names: dict[int, Name]) -> dict[int, Name]:
    """Add a number to equal names, in order of player id."""
    times: Counter[str | None] = Counter(filter(None, names.values()))
    seen: Counter[str | None] = Counter()
    for key in sorted(names):
        name = names[key]
        if times[name] > 1:
            seen[name] += 1
            names[key] = f"{name} {seen[name]}"
    return names


def initials(player: Player) -> str:
    return " ".join(f"{word[0].upper()}." for word in _words(player.full_name) if word[0].isalnum())


def short_name(player: Player) -> str:
    """Return the first word of the short name, with at most the initial of the next: never more than a club allows."""
    first, *others = _words(player.short_name or player.full_name.partition(" ")[0]) or [""]
    return f"{first} {others[0][0]}" if others else first


def _words(name):
    """Return the words of a name without the suffix in brackets that tells namesakes apart."""
    return name.partition(" (")[0].split()


PUBLIC_FORMS = {"full": lambda player: player.full_name, "short": short_name, "initials": initials}


# The order of names in every list and file. Databases sort differently, and by code point small letters come last.

# Letters that are not an accent on another.
OTHER_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def name_order(named: object) -> tuple[str, str]:
    """Return what a person, or a name, is sorted by: its letters without accents, capitals, marks and a first title."""
    return _name_order(str(named))


@lru_cache(maxsize=5_000)
def _name_order(name: str) -> tuple[str, str]:
    bare = unicodedata.normalize("NFKD", name.casefold()).translate(OTHER_LETTERS)
    plain = "".join(letter for letter in bare if not unicodedata.combining(letter))
    words = re.sub(r"[^\w\s-]", "", plain).replace("-", " ").split()
    while len(words) > 1 and words[0] in TITLES:
        del words[0]
    return " ".join(words), name
