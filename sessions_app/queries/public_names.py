"""The names players are shown by: to members the ones of the table, to everybody else what club and player allow."""

from collections import Counter

from sessions_app.models import Club, Player

MEMBERS = "members"
SOMEBODY = "Somebody"


def public_names(club, players):
    """Return by id what each of these players is called in public, or None for who stands on no public list.

    Each player's own choice goes before the club's; a club that shows nothing shows nobody. Whoever was erased is left
    off as well. Names that would be alike get a number. Places and totals of a list stay what they are without them.
    """
    return _numbered({player.pk: _in_public(player, club.public_names) for player in players})


def shown_names(players, style):
    """Return the name of each player by id, where everybody has to be called something: a table's board, a sheet.

    `style` is MEMBERS, or what the club shows in public. Who is left off public lists, or erased, is "Somebody".
    """
    way = member_name if style == MEMBERS else lambda player: _in_public(player, style)
    return _numbered({player.pk: way(player) or SOMEBODY for player in players})


def _in_public(player, style):
    # A guest has agreed to nothing with the club: without their own choice they stand on no public list.
    is_unasked_guest = player.guest and not player.in_public
    if style == Club.PublicNames.NOBODY or player.in_public == Player.InPublic.OFF or is_unasked_guest:
        return None
    return WAYS[player.in_public or style](player) or None


def _numbered(names):
    """Put a number after names that are alike, in the order in which the players came to the club."""
    times = Counter(name for name in names.values() if name)
    seen = Counter()
    for key in sorted(names):
        name = names[key]
        if times[name] > 1:
            seen[name] += 1
            names[key] = f"{name} {seen[name]}"
    return names


def member_name(player):
    return player.name


def initials(player):
    return " ".join(f"{word[0].upper()}." for word in _bare(player.full_name) if word[0].isalnum())


def short_name(player):
    """The first word of the short name, with at most the initial of the next: never more than the club allows."""
    first, *others = _bare(player.short_name or player.full_name.partition(" ")[0]) or [""]
    return f"{first} {others[0][0]}" if others else first


def _bare(name):
    """Return the words of a name without what tells namesakes apart, which stands in brackets."""
    return name.partition(" (")[0].split()


WAYS = {
    Club.PublicNames.FULL.value: lambda player: player.full_name,
    Club.PublicNames.SHORT.value: short_name,
    Club.PublicNames.INITIALS.value: initials,
}
