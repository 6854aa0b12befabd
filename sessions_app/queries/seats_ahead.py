"""Who sits where in the coming hands, as data for a tablet that has to go on without the server."""

from clubscore.scoring.rotation import ahead

PASSES = 20


def seats_ahead(chairs, house):
    """Return the seating now and after the deal has passed once, twice … twenty times running, as plain rows."""
    return [seat_row(coming) for coming in (chairs, *ahead(chairs, house, PASSES))]


def seat_row(chairs):
    """Return one seating as a plain row."""
    return {
        "seats": {wind: str(seat) for wind, seat in chairs.seated.items()},
        "out": [str(seat) for seat in chairs.out],
        "wind_of_round": chairs.wind_of_round,
        "new_game": chairs.is_new_game,
        "new_round": not chairs.hands_in_round,
    }


def deal_rules(rule_set, house):
    """Return what decides whether the deal stays or passes after a hand, as rule set and house rules have it."""
    return {
        "stays_on_win": bool(house.east_stays_on_win),
        "stays_on_draw": bool(house.east_stays_on_draw),
        "east_max": house.east_max,
        "goulash": bool(house.goulash),
        "false_mahjong_voids": rule_set.false_mahjong_voids,
    }
