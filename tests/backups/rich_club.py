"""A club in which everything has happened: `python -m tests.backups.rich_club` makes it in this environment's database,
which has its tables.

The shared afternoon and the shared season come in by their own commands; on top, whatever the log can tell.
"""

import os
import uuid
from pathlib import Path

import django


def make():
    from django.core.management import call_command

    from sample_data.demo import SLUG, load_demo
    from sessions_app.league.seasons import add_season
    from sessions_app.models import Change, Club, Player, Season, Session, User
    from sessions_app.people.clubs import give_login, link_player, make_invite
    from sessions_app.people.log import Actor, log_export
    from sessions_app.people.logos import change_logo
    from sessions_app.people.merging import erase_player, merge_players
    from sessions_app.people.players import add_player, change_player_facts, rename_player, set_contact
    from sessions_app.table.apply_command import apply_command, apply_secretary_command, move_session
    from sessions_app.table.hand_queries import answer_query, ask_query
    from sessions_app.table.sessions import start_session

    load_demo()
    club = Club.objects.get(slug=SLUG)
    call_command("import_totals", "tests/data/season-totals.csv", club=SLUG, verbosity=0)
    give_login(club, "kim", "member", by=Actor(name="The operator"))
    User.objects.filter(username="kim").update(first_name="Kim", last_name="Green")
    by = Actor.of_user(User.objects.get(username="demo-secretary"))
    starts = Season.objects.of_club(club).earliest("starts_on").starts_on
    add_season(
        club, "Long ago", starts.replace(year=starts.year - 30), starts.replace(year=starts.year - 29), by=by,
        rules=["bmja"],
    )  # fmt: skip
    change_logo(club, Path("tests/data/logos/logo.png").read_bytes(), by=by)
    open_table = Session.objects.of_club(club).filter(state="open").earliest("pk")
    finished = Session.objects.of_club(club).filter(state="finished", imported=False).order_by("pk")

    def send(kind, body, session=open_table, **more):
        command = {"key": str(uuid.uuid4()), "kind": kind, "body": body, **more}
        answer = (apply_secretary_command if kind in ("void", "go_back") else apply_command)(session.pk, command, by)
        assert answer.is_done, answer.message
        return answer

    step = Change.objects.filter(session=open_table).latest("pk").pk
    send("note", {"text": "Tea, =1+1 and “quotes”\nand a line\u2028and one more\u0085and\x1cthis"})
    send("fine", {"by": "1", "to": "2", "amount": 30, "why": "late"})
    hand = open_table.entries.filter(kind="hand").latest("position")
    send("take_out", {"entry": str(hand.key)}, why="Read out\u2028twice")
    send("undo", {})
    send("redo", {})
    fay = add_player(club, "Fay Newcomer", by=by)
    seated = set(open_table.seats.values_list("player", flat=True))
    send("change_player", {"seat": "1", "player": fay.pk}, why="It was Fay")
    send("go_back", {"change": step}, why="As it was before tea")
    send("undo", {})
    rename_player(fay, "Fay Oldhand", by=by)
    move_session(finished[0], str(uuid.uuid4()), finished[0].date, 77, "Moved", by=by, why="Wrong table")
    send("void", {}, session=finished[1], why="Started twice")
    gone = Player.objects.of_club(club).exclude(pk__in=seated).filter(tallies__hands__gt=0).earliest("pk")
    erase_player(gone, by=by)
    kim, asked = User.objects.get(username="kim"), finished[0].entries.filter(kind="hand", removed=False)
    first, second = asked[0], asked[1]
    answer_query(
        ask_query(first, "Was it concealed?\nI think so.", by=Actor.of_user(kim)), "stands", "It lay open.", by=by
    )
    ask_query(second, "And this one?", by=Actor(name="{1}, tablet at table 1"))
    twice, *others = (add_player(club, name, by=by) for name in ("Alan Coper", "Una Lee", "Vic Moor", "Wyn Nash"))
    start_session(club, finished[0].date, 78, [twice, *others], "bmja", {}, by=by)
    set_contact(twice, "alan@example.org", "01234 567", finished[0].date, by=by)
    change_player_facts(others[0], in_public="off", by=by)
    merge_players(twice, Player.objects.get(pk=min(seated)), by=by)
    link_player(club.memberships.get(user=kim), others[0], by=by)
    make_invite(club, "member", 7, True, by=by, player=others[1])
    log_export(club, "the league table", by=by)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubscore.site.settings")
    django.setup()
    make()
