"""Each thing that is printed fills the pages of A4 it should, in no smaller type than 12 points."""

import pytest

from .pages import demonstration
from .prints import A4, PRINTS, faults_on_paper, pages_of, printed

# What runs over first.
FULLEST = ("session-sheet-16", "attendance-list-60", "certificate-long")
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
