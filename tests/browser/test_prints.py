"""Each thing that is printed fills the pages of A4 it should, by the PDF that Chromium prints."""

import pytest

from .pages import demonstration
from .prints import A4, PRINTS, pages_of, printed


@pytest.mark.long
def test_every_print_fills_its_pages_of_a4(tablet, live_server):
    scene = demonstration()
    tablets, found = {}, {}
    for name, ((who, visit), _, _) in PRINTS.items():
        if who not in tablets:
            tablets[who] = tablet(getattr(scene, who))
        visit(tablets[who], scene)
        found[name] = pages_of(printed(tablets[who]))
    assert found == {name: [A4[lie]] * pages for name, (_, pages, lie) in PRINTS.items()}
