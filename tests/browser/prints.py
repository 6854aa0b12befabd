"""What a club prints: how each is reached in the demonstration club, its pages of A4, and which way they lie."""

import re

from .pages import VISITS
from .visits import address

A4 = {"portrait": (595, 842), "landscape": (842, 595)}


def score_sheet(players):
    return "member", lambda one, scene: one.open(address("score-sheet", players=players))


# The name of the file: who prints it and how it is reached, its pages, how they lie.
PRINTS = {
    "session-sheet": (VISITS["session-sheet, finished"], 1, "portrait"),
    "score-sheet-3": (score_sheet(3), 1, "portrait"),
    "score-sheet-4": (score_sheet(4), 1, "portrait"),
    "score-sheet-5": (score_sheet(5), 1, "portrait"),
    "noticeboard": (VISITS["noticeboard"], 1, "portrait"),
    "attendance-list": (VISITS["attendance-list, with fees"], 1, "portrait"),
    "certificate": (VISITS["certificate"], 1, "landscape"),
    "annual-meeting": (VISITS["annual-meeting"], 2, "portrait"),
}


def printed(one, path=None):
    """Print the page as it stands; return the PDF."""
    one.page.evaluate("document.fonts.ready.then(() => true)")
    return one.page.pdf(path=path, prefer_css_page_size=True)


def pages_of(pdf):
    """Return width and height of each page of a PDF as Chromium writes it, in whole points."""
    pages = re.findall(rb"/Type\s*/Page\b[^s].*?endobj", pdf, re.DOTALL)
    boxes = [re.search(rb"/MediaBox\s*\[([^\]]*)\]", page).group(1).split() for page in pages]
    return [(round(float(right)), round(float(top))) for _, _, right, top in boxes]
