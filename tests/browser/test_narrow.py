"""Narrow screens: no name is broken within a word or lies under a figure, and what belongs together stays in a line."""

import uuid

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from sessions_app.models import Club
from sessions_app.people.players import add_player
from sessions_app.table.apply_command import apply_command
from sessions_app.table.sessions import start_session

from .conftest import AFTERNOON, BY

PHONES = ((320, 640), (390, 844))
# East, South, West and North; the last name of each is what the table shows where nothing shorter was typed.
NAMES = {
    "long": ("Christopher", "Margaret Wintringham", "Alexandrina", "Bartholomew"),
    "longer": ("Featherstonehaughs", "Christopher", "Papadimitrakopoulou", "Venkatanarasimharaju"),
}
NAMED = ".seat-name, .final-name, .next-east, .sheet thead .num, .totals tbody th"
# The table under a watched one slides where it is too wide.
WHOLE = f"{NAMED}, .watch-page .table-scores :is(th, td)"
# Words whose letters stand on more than one line; a line may end only where a word does.
BROKEN_WORDS = """(selector) => [...document.querySelectorAll(selector)].flatMap((named) => {
  const texts = document.createTreeWalker(named, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const word of text.data.matchAll(/[^\\s-]+/g)) {
      const letters = document.createRange();
      letters.setStart(text, word.index);
      letters.setEnd(text, word.index + word[0].length);
      if (new Set([...letters.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
# Names of which a part is not shown.
CUT = """(selector) => [...document.querySelectorAll(selector)].filter((named) =>
  named.scrollWidth > named.clientWidth + 1 && getComputedStyle(named).overflowX === "hidden",
).map((named) => named.textContent)"""
# Figures or the words above them that are wider than their place.
WIDER = """(selector) => [...document.querySelectorAll(selector)].filter((cell) => cell.scrollWidth > cell.clientWidth)
  .map((cell) => cell.dataset.label)"""
# Names that run out of the screen, or whose letters lie in one line with those of a figure and over them.
OUT_OF_PLACE = """(selector) => {
  const linesOf = (one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    const edge = getComputedStyle(one).overflowX === "hidden" ? one.getBoundingClientRect().right : Infinity;
    return [...words.getClientRects()].map(({ left, top, bottom, height, right }) =>
      ({ left, top, bottom, height, right: Math.min(right, edge) })).filter((line) => line.right - line.left > 1);
  };
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 &&
    Math.abs(one.top + one.bottom - other.top - other.bottom) < (one.height + other.height) / 2;
  const figures = [...document.querySelectorAll(".balance, tbody .num")].flatMap(linesOf);
  return [...document.querySelectorAll(selector)].filter((named) => linesOf(named).some((line) =>
    line.left < 0 || line.right > innerWidth || figures.some((figure) => meet(line, figure)),
  )).map((named) => named.textContent);
}"""


@pytest.fixture(params=NAMES)
def long_named(club, request):
    Club.objects.filter(pk=club.club.pk).update(public_names="full")
    seated = [add_player(club.club, full_name=name, by=BY) for name in NAMES[request.param]]
    table = start_session(club.club, AFTERNOON, 1, seated, "bmja", {}, by=BY, starting_balance=2000)
    for winner in (2, 4, 1):
        hands = {str(seat): {"total": 640 if seat == winner else 12} for seat in range(1, 5)}
        command = {"key": str(uuid.uuid4()), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": str(winner)}}}
        assert apply_command(table.pk, command, BY).outcome == "recorded"
    return table


@pytest.fixture(params=["", "large"], ids=["usual type", "large type"])
def narrow(tablet, club, request):
    """A phone, its type as it is and large."""
    one = tablet(club.scorekeeper, size=PHONES[0])
    if request.param:
        one.context.add_cookies([{"name": "looks", "value": request.param, "url": one.url}])
    return one


def test_no_name_is_broken_within_a_word_or_lies_under_a_figure(narrow, club, long_named):
    at_table = [club.club.slug, long_named.pk]
    for name, args in {"table": at_table, "session-sheet": at_table, "watch": [long_named.watching_key]}.items():
        narrow.open(reverse(name, args=args))
        narrow.page.locator(NAMED).first.wait_for()
        for width, height in PHONES:
            narrow.page.set_viewport_size({"width": width, "height": height})
            wrong = (narrow.page.evaluate(BROKEN_WORDS, WHOLE), narrow.page.evaluate(OUT_OF_PLACE, NAMED))
            assert wrong == ([], []), (name, width)
            # Seats show names of 20 letters whole; only large type cuts them, and the totals of the sheet never.
            is_large = narrow.page.evaluate("document.documentElement.classList.contains('is-large')")
            shown_whole = ".totals tbody th" if is_large else ".seat-name, .totals tbody th"
            assert narrow.page.evaluate(CUT, shown_whole) == [], (name, width)
            assert narrow.page.evaluate("document.documentElement.scrollWidth") == width, name
            assert narrow.page.evaluate(WIDER, ".totals td") == [], (name, width)


@pytest.mark.long
def test_each_figure_of_the_sheet_has_its_name_in_sight(narrow, club, long_named):
    """In the head, which stays while one scrolls, or over the figure where names do not stand side by side."""
    narrow.open(reverse("session-sheet", args=[club.club.slug, long_named.pk]))
    last = narrow.page.locator(".sheet tbody tr").last
    for width, height in PHONES:
        narrow.page.set_viewport_size({"width": width, "height": height})
        last.scroll_into_view_if_needed()
        names = narrow.page.locator(".sheet thead .num").all_inner_texts()
        is_large = narrow.page.evaluate("document.documentElement.classList.contains('is-large')")
        if width == PHONES[1][0] and not is_large:
            for head in narrow.page.locator(".sheet thead .num").all():
                expect(head).to_be_in_viewport(ratio=1)
            cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.dataset.label)"
            assert narrow.page.locator(".totals td").evaluate_all(cut) == []
        else:
            shown = last.locator(".num").evaluate_all(
                "(all) => all.map((one) => getComputedStyle(one, '::before').content)"
            )
            assert shown == [f'"{name}"' for name in names]


@pytest.mark.long
@pytest.mark.parametrize("size", [(1024, 768), (390, 844)], ids=["landscape", "phone"])
def test_a_name_to_confirm_and_what_is_done_with_it_stand_apart(tablet, club, size):
    """Confirm and Change stand in one line, not one under the other, and touch nothing of the next name."""
    for name in ("Jon Fearnly", "The sister of Mrs Patel"):
        add_player(club.club, full_name=name, guest=True, to_confirm=True, by=BY)
    one = tablet(club.secretary, size=size)
    one.open(reverse("players", args=[club.club.slug]))
    for row in one.page.locator(".to-confirm > li").all():
        confirm, change = (row.get_by_role(role).bounding_box() for role in ("button", "link"))
        assert abs(confirm["y"] + confirm["height"] / 2 - change["y"] - change["height"] / 2) < 4
        assert change["x"] >= confirm["x"] + confirm["width"] + 6


@pytest.mark.long
def test_what_a_hand_taken_out_changes_stands_under_the_names(tablet, club, table):
    """On a phone each figure begins where the player's name above the columns does."""
    hands = {str(seat): {"total": 40} for seat in range(1, 5)}
    command = {"key": str(uuid.uuid4()), "kind": "hand", "body": {"hands": hands, "mahjong": {"by": "1"}}}
    assert apply_command(table.pk, command, BY).outcome == "recorded"
    one = tablet(club.scorekeeper, size=PHONES[1], java_script_enabled=False)
    one.open(reverse("hand", args=[club.club.slug, table.pk, command["key"]]))
    one.page.get_by_role("button", name="Remove this hand").tap()
    one.page.locator(".preview").wait_for()
    edges = {name.inner_text(): name.bounding_box()["x"] for name in one.page.locator(".preview thead .num").all()}
    figures = one.page.locator(".preview tbody .num").all()
    assert len(edges) == 4
    assert len(figures) >= 8
    assert [cell.bounding_box()["x"] for cell in figures] == [
        pytest.approx(edges[cell.get_attribute("data-name")], abs=1) for cell in figures
    ]
