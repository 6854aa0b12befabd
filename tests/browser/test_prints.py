"""Each thing that is printed fills the pages of A4 it should, in no smaller type than 12 points."""

import pytest

from clubscore.scoring import RULE_SETS

from .pages import VISITS, demonstration
from .prints import A4, PRINTS, faults_on_paper, pages_of, printed
from .visits import address

# What runs over first.
FULLEST = ("session-sheet-16", "league-table")
OTHERS = tuple(name for name in PRINTS if name not in FULLEST)


@pytest.mark.parametrize("names", [FULLEST, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["fullest", "others"])
def test_every_print_fills_its_pages_of_a4(tablet, live_server, names):
    scene = demonstration()
    tablets, found, faults = {}, {}, {}
    for name in names:
        (who, visit), _, lie = PRINTS[name]
        if who not in tablets:
            tablets[who] = tablet(getattr(scene, who))
        visit(tablets[who], scene)
        found[name] = pages_of(printed(tablets[who]))
        faults[name] = faults_on_paper(tablets[who], lie)
    assert found == {name: [A4[lie]] * pages for name, (_, pages, lie) in PRINTS.items() if name in names}
    assert faults == {name: [] for name in names}


@pytest.mark.long
def test_a_loose_sheet_says_what_it_is_and_casts_no_shadow(tablet, live_server):
    """What stands at the foot of every page, and no grey where the screen has shadows."""
    scene = demonstration()
    member = tablet(scene.member)
    for name in ("annual-meeting", "noticeboard"):
        PRINTS[name][0][1](member, scene)
        foot = member.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--print-foot')")
        day = member.page.evaluate(
            "new Date().toLocaleDateString('en-GB', {day: 'numeric', month: 'short', year: 'numeric'})"
        )
        title = member.page.title().removesuffix(" – Clubscore")
        assert foot.replace("\u00a0", " ") == f'"{title}, printed {day}"'
        with_foot = printed(member)
        member.page.evaluate("document.documentElement.style.removeProperty('--print-foot')")
        assert len(printed(member)) < len(with_foot)
        member.page.emulate_media(media="print")
        shadows = "[...document.querySelectorAll('*')].map((one) => getComputedStyle(one).boxShadow)"
        assert set(member.page.evaluate(shadows)) == {"none"}
        member.page.emulate_media(media="null")


@pytest.mark.long
def test_the_rules_print_on_few_pages(tablet, live_server):
    scene = demonstration()
    member = tablet(scene.member)
    member.open(address("rules"))
    assert len(pages_of(printed(member))) <= 8
    assert faults_on_paper(member, "portrait") == []


@pytest.mark.long
def test_the_sheet_of_rules_fits_on_two_pages(tablet, live_server):
    scene = demonstration()
    member = tablet(scene.member)
    pages = {}
    for key in RULE_SETS:
        member.open(address("rules", rules=key, sheet=1))
        pages[key] = len(pages_of(printed(member)))
        assert faults_on_paper(member, "portrait") == []
    assert max(pages.values()) <= 2, pages


@pytest.mark.long
def test_no_card_of_a_player_cuts_off_its_last_column(tablet, live_server):
    scene = demonstration()
    who, visit = VISITS["player"]
    one = tablet(getattr(scene, who))
    visit(one, scene)
    cut = "[...document.querySelectorAll('.panel .scroll-x')].filter((one) => one.scrollWidth > one.clientWidth).length"
    for width in (1024, 1280, 1366):
        one.page.set_viewport_size({"width": width, "height": 768})
        assert one.page.evaluate(cut) == 0, width
