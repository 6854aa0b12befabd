"""Makes clubs that have not played yet: people, accounts, house rules, club hands, seasons."""

import datetime
from dataclasses import dataclass, field

from django.contrib.auth.hashers import make_password
from django.utils.crypto import get_random_string

from clubscore import scoring
from clubscore.play.outcomes import Outcome
from sessions_app.league.seasons import add_season
from sessions_app.models import Club, ClubHand, ClubRules, Membership, Player, Season, User
from sessions_app.people.clubs import READABLE, free_slug, make_club
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player
from sessions_app.rules.club_rules import add_club_hand, save_version
from sessions_app.table.apply_command import apply_command

from .calendar import shuffled
from .luck import Luck

BY = Actor(name="An installation made for trying out")
TOWNS = """
Ambleside Bakewell Crediton Dorking Evesham Frome Godalming Helmsley Ilkley Kendal Ludlow Malvern Nantwich Oakham
Petworth Richmond Skipton Tavistock Uppingham Wareham Yarm Alnwick Bridport Cirencester Droitwich
"""
FIRST = """
Ann Brian Carol Derek Eileen Frank Gwen Harold Irene John Kath Len Maureen Norman Olive Pat Queenie Ray Sheila Tom
Una Vera Wilf Yvonne Alan Barbara Colin Doreen Eric Freda
"""
LAST = """
Ashworth Barlow Crossley Dobson Earnshaw Fielding Greenwood Hartley Illingworth Jessop Kershaw Lumb Midgley Nuttall
Ogden Pickles Redfearn Sutcliffe Thwaite Uttley Varley Wadsworth
"""
MAX_PLAYERS = len(FIRST.split()) * len(LAST.split())
PLAYED = (
    ("bmja",),
    ("u3a",),
    ("bmja", "u3a", "western"),
    ("chinese_official",),
    ("western",),
    ("beginners", "u3a"),
    ("baggaley",),
    ("turner",),
    ("u3a", "bmja"),
)
HOUSE_RULES = {"bmja": {"limit": 500}, "u3a": {"east_max": None}, "western": {"limit": 1000}}
CLUB_HAND = {
    "name": "The Parish Pump",
    "tiles": "1C 1C 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 7C 7C",
    "worth": "limit",
    "fishing": None,
    "concealed": True,
    "text": "Seven pairs of characters in a row.",
}


@dataclass
class MadeClub:
    """A club with what its sessions need."""

    club: Club
    rules: tuple[str, ...]
    players: list[Player]
    by: tuple[Actor, ...]
    sticks: str
    editions: dict[str, ClubRules]
    club_hands: list[dict]
    seasons: list[Season] = field(default_factory=list)


def record(session, kind, body, key, by):
    """Send a command as a tablet would; RuntimeError if it is not recorded."""
    answer = apply_command(session.pk, {"key": str(key), "kind": kind, "body": body}, by=by)
    if answer.outcome is not Outcome.RECORDED:
        raise RuntimeError(f"A made-up session could not be recorded: {answer.message}")


def rules_played(number):
    """Return the rule sets that the club with this number plays, its main one first."""
    return PLAYED[number % len(PLAYED)]


def make_clubs(count, players, first_day, last_day, seed):
    """Make clubs with their people and seasons; return them, and the new password of all their accounts."""
    password = get_random_string(16, READABLE)
    hashed = make_password(password)
    return [_club(number, players, first_day, last_day, seed, hashed) for number in range(count)], password


def _club(number, players, first_day, last_day, seed, hashed):
    luck = Luck(f"{seed}/club/{number}")
    rules, towns = rules_played(number), TOWNS.split()
    name = f"{towns[number % len(towns)]} {('u3a Mah-jong', 'Mah-jong Club', 'Village Hall')[number % 3]}"
    club = make_club(name, rules[0], by=BY, slug=free_slug(name))
    sticks = "guide" if number % 8 == 1 else ""
    public = ("nobody", "initials", "short", "full")[number % 4]
    Club.objects.filter(pk=club.pk).update(stick_set=sticks, public_names=public)
    names = shuffled([f"{first} {last}" for first in FIRST.split() for last in LAST.split()], luck)[:players]
    people = [add_player(club, name, guest=place >= 0.9 * players, by=BY) for place, name in enumerate(names)]
    keeper, *_ = (_account(club, role, hashed) for role in ("scorekeeper", "secretary", "member"))
    made = MadeClub(
        club=club,
        rules=rules,
        players=people,
        by=(Actor.of_user(keeper), Actor(name="tablet at table 1")),
        sticks=sticks,
        editions=_editions(club, rules, number),
        club_hands=_club_hands(club, rules, number, first_day),
    )
    made.seasons = _seasons(club, rules, first_day, last_day, number)
    return made


def _account(club, role, hashed):
    user = User.objects.create(username=f"{club.slug}-{role}", password=hashed, first_name=club.slug, last_name=role)
    Membership.objects.create(user=user, club=club, role=role)
    return user


def _editions(club, rules, number):
    if number % 3 or rules[0] not in HOUSE_RULES:
        return {}
    return {rules[0]: save_version(club, rules[0], HOUSE_RULES[rules[0]], 0, by=BY)}


def _club_hands(club, rules, number, first_day):
    if number % 5 or not scoring.RULE_SETS[rules[0]].takes_club_hands:
        return []
    add_club_hand(club, by=BY, since=first_day, **CLUB_HAND)
    return [hand.frozen() for hand in ClubHand.objects.of_club(club)]


def _seasons(club, rules, first_day, last_day, number):
    """Add seasons from September to August from the first day to the last."""
    recording = scoring.house_rules(rules[0], None).recording
    method = ("average", "total", "best_n")[number % 3]
    years = range(first_day.year - (first_day.month < 9), last_day.year + (last_day.month >= 9))
    return [
        add_season(
            club,
            f"{year} to {year + 1}",
            datetime.date(year, 9, 1),
            datetime.date(year + 1, 8, 31),
            by=BY,
            rules=list(rules),
            recording=recording,
            method=method,
        )
        for year in years
    ]
