"""Every deal that may come in the next hands, so that a page can follow the rotation without knowing its rules."""

from dataclasses import replace

from clubscore.scoring.rotation import WINDS, Outcome, next_chairs


def deals_ahead(chairs, house, hands):
    """Return the deals within reach of so many hands, the coming one first.

    Each is {"winds": {"E": "1", ...}, "out": ["5"], "round": "E", "goulash": False, "next": [numbers of the deals after
    East wins, after another wins, after nobody does]}; `next` is empty for deals that lie too far ahead.
    """
    place = {_plain(chairs, house): 0}
    reached = list(place)
    following = {}
    frontier = reached
    for _ in range(hands):
        coming = []
        for deal in frontier:
            after = [_plain(next_chairs(deal, outcome, house), house) for outcome in _outcomes(deal)]
            coming += [one for one in dict.fromkeys(after) if one not in place and one not in coming]
            following[deal] = after
        for one in coming:
            place[one] = len(place)
        reached, frontier = reached + coming, coming
    return [_for_page(deal, [place[one] for one in following.get(deal, ())]) for deal in reached]


def _outcomes(deal):
    another = next(seat for seat in deal.winds[1:] if seat is not None)
    return Outcome("won", (deal.east,)), Outcome("won", (another,)), Outcome("drawn")


def _plain(chairs, house):
    """Forget what no later deal depends on, so that the deals stay few."""
    return replace(chairs, hands_in_round=0, game=1, kept=0 if house.east_max is None else chairs.kept)


def _for_page(deal, following):
    return {
        "winds": {wind: str(deal.seated[wind]) for wind in WINDS if wind in deal.seated},
        "out": [str(seat) for seat in deal.out],
        "round": deal.wind_of_round,
        "goulash": deal.goulash,
        "next": following,
    }
