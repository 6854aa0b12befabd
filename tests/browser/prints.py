"""What a club prints: how each is reached in the demonstration club, its pages of A4, and which way they lie."""

import re
import uuid

from sessions_app.models import Meeting, Player, Season
from sessions_app.people.log import Actor
from sessions_app.people.players import add_player, rename_player
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import current_seating, start_session

from .pages import VISITS
from .visits import address
from .visits_paper import drawn_meeting, special_hand

BY = Actor(name="The test")
MAX_NAME = "Wilhelmina Featherstonehaugh-Cholmondeley (the younger, of Wool and of Bere Regis)"

A4 = {"portrait": (595, 842), "landscape": (842, 595)}
# In pixels of 1/96 inch, within the margins of 12 mm.
INSIDE_THE_MARGINS = {"portrait": {"width": 702, "height": 1031}, "landscape": {"width": 1031, "height": 702}}
FAULTS = """() => [...document.querySelectorAll("body *")].flatMap((one) => {
  const { right, width } = one.getBoundingClientRect();
  if (width < 2) return [];
  const words = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
  const points = parseFloat(getComputedStyle(one).fontSize) * 0.75;
  const small = words && points < 11.95 ? [`${points} pt: ${words}`] : [];
  return right > innerWidth + 0.5 ? [...small, `too wide: ${one.tagName} ${one.className}`] : small;
})"""


def score_sheet(players):
    return "member", lambda one, scene: one.open(address("score-sheet", players=players))


def names_on_sheets(one, scene):
    """Blank sheets for a meeting drawn at two tables, one of five."""
    one.open(address("score-sheet", meeting=drawn_meeting(scene).pk))


def sixteen_hands(one, scene):
    """The sheet of five players who played sixteen hands: with the line it begins with, what a paper form holds."""
    players = list(Player.objects.of_club(scene.club).present()[:5])
    session = start_session(scene.club, scene.finished.date, 22, players, "bmja", {}, by=BY)
    for number in range(16):
        session.refresh_from_db()
        seated = [str(seat) for seat in current_seating(session).seated.values()]
        winner = seated[number % 4]
        hands = {seat: {"total": 320 if seat == winner else 8 * place} for place, seat in enumerate(seated)}
        play(session, "hand", {"hands": hands, "mahjong": {"by": winner}, "penalties": []})
    play(session, "finish", {})
    one.open(address("session-sheet", session.pk))


def play(session, kind, body):
    last = session.entries.order_by("position").last()
    after = str(last.key) if last and kind == "hand" else None
    answer = apply_command(session.pk, {"key": str(uuid.uuid4()), "kind": kind, "body": body, "after": after}, by=BY)
    assert answer.is_done, answer


def people(wanted):
    """The list for the door of a club of so many."""

    def visit(one, scene):
        number = Player.objects.of_club(scene.club).present().count()
        for more in range(number, wanted):
            add_player(scene.club, f"Member {more + 1} of the Club", by=BY)
        one.open(address("attendance-list", Meeting.objects.of_club(scene.club).latest("date").pk))

    return "scorekeeper", visit


def forty_ranked(one, scene):
    """The noticeboard of a season in which forty and one have a place."""
    Season.objects.of_club(scene.club).update(minimum_sessions=1)
    for table in range(7):
        players = [add_player(scene.club, f"Player {table + 1}{letter} of Forty", by=BY) for letter in "abcd"]
        session = start_session(scene.club, scene.finished.date, 30 + table, players, "bmja", {}, by=BY)
        seats = {str(seat): {"total": 8 * seat} for seat in range(1, 5)}
        play(session, "hand", {"hands": seats, "mahjong": {"by": "1"}, "penalties": []})
        play(session, "finish", {})
    one.open(address("noticeboard"))


def longest_name(one, scene):
    """A certificate for the longest name that the club's list takes."""
    hand = special_hand(scene)
    winner = hand.player_hands.get(won=True).seat.player
    rename_player(winner, MAX_NAME, by=BY)
    one.open(address("certificate", hand.session_id, hand.entry.key))


# The name of the file: who prints it and how it is reached, its pages, how they lie.
PRINTS = {
    "session-sheet": (VISITS["session-sheet, finished"], 1, "portrait"),
    "session-sheet-16": (("member", sixteen_hands), 1, "portrait"),
    "score-sheet-3": (score_sheet(3), 1, "portrait"),
    "score-sheet-4": (score_sheet(4), 1, "portrait"),
    "score-sheet-5": (score_sheet(5), 1, "portrait"),
    "score-sheet-names": (("member", names_on_sheets), 2, "portrait"),
    "noticeboard": (VISITS["noticeboard"], 1, "portrait"),
    "league-table": (VISITS["standings"], 1, "portrait"),
    "attendance-list": (VISITS["attendance-list, with fees"], 1, "portrait"),
    "who-sits-where": (VISITS["who-sits-where"], 1, "portrait"),
    "certificate": (VISITS["certificate"], 1, "landscape"),
    "annual-meeting": (VISITS["annual-meeting"], 2, "portrait"),
    "trial-kit": (("member", VISITS["trial-kit"][1]), 1, "portrait"),
    "rules-sheet": (VISITS["rules, on two pages"], 2, "portrait"),
    # These add to the club, so they come last.
    "attendance-list-28": (people(28), 1, "portrait"),
    "attendance-list-42": (people(42), 1, "portrait"),
    "attendance-list-60": (people(60), 2, "portrait"),
    "noticeboard-40": (("member", forty_ranked), 2, "portrait"),
    "certificate-long": (("member", longest_name), 1, "landscape"),
}
# Printed by the tests alone: the fullest that a club may have.
NOT_KEPT = (
    "score-sheet-names",
    "league-table",
    "attendance-list-28",
    "attendance-list-42",
    "attendance-list-60",
    "noticeboard-40",
    "certificate-long",
)


def printed(one, path=None):
    """Print the page as it stands; return the PDF."""
    one.page.evaluate("document.fonts.ready.then(() => true)")
    return one.page.pdf(path=path, prefer_css_page_size=True)


def faults_on_paper(one, lie):
    """Return the texts under 12 pt, and what is wider than the paper: Chromium then prints the whole page smaller."""
    size = one.page.viewport_size
    one.page.emulate_media(media="print")
    one.page.set_viewport_size(INSIDE_THE_MARGINS[lie])
    faults = one.page.evaluate(FAULTS)
    one.page.set_viewport_size(size)
    one.page.emulate_media(media="null")
    return faults


def pages_of(pdf):
    """Return width and height of each page of a PDF as Chromium writes it, in whole points."""
    pages = re.findall(rb"/Type\s*/Page\b[^s].*?endobj", pdf, re.DOTALL)
    boxes = [re.search(rb"/MediaBox\s*\[([^\]]*)\]", page).group(1).split() for page in pages]
    return [(round(float(right)), round(float(top))) for _, _, right, top in boxes]
