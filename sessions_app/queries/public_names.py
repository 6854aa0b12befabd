"""The names players are shown by: to members the ones of the table, to everybody else what the club allows."""

from collections import Counter

from sessions_app.models import Club

MEMBERS = "members"
SOMEBODY = "Somebody"


def shown_names(players, style):
    """Return the name of each player by id; players whose names would be alike get a number after it."""
    names = {player.pk: WAYS[style](player) or SOMEBODY for player in players}
    times = Counter(names.values())
    seen = Counter()
    for key, name in names.items():
        if times[name] > 1:
            seen[name] += 1
            names[key] = f"{name} {seen[name]}"
    return names


def initials(player):
    return " ".join(f"{word[0].upper()}." for word in player.full_name.split())


def short_name(player):
    """The short name, else the first of the full one: never more than the club allows."""
    return player.short_name or player.full_name.partition(" ")[0]


WAYS = {
    MEMBERS: lambda player: player.name,
    Club.PublicNames.FULL.value: lambda player: player.full_name,
    Club.PublicNames.SHORT.value: short_name,
    Club.PublicNames.INITIALS.value: initials,
}
