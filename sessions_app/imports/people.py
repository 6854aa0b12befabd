"""Find the players of a club by the names in a file."""

from sessions_app.models import Club, Player


class People:
    """A club's players by name as written, else in other letter case; a merged one stands for the one he is now."""

    def __init__(self, club: Club):
        players = {player.pk: player for player in Player.objects.of_club(club).order_by("-pk")}
        self.written, self.folded = {}, {}
        for player in sorted(players.values(), key=is_present):
            kept = player
            while kept.merged_into_id:
                kept = players[kept.merged_into_id]
            self.add(str(player), kept)

    def add(self, name: str, player: Player) -> None:
        self.written[name] = self.folded[name.casefold()] = player

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Player:
        return self.written.get(name) or self.folded[name.casefold()]

    def get(self, name: str) -> Player | None:
        return self.written.get(name) or self.folded.get(name.casefold())


def is_present(player: Player) -> bool:
    return player.left_on is None and player.merged_into_id is None
