"""What becomes of a command and why are codes; each reason has one sentence."""

import re
from pathlib import Path

from clubscore.play.outcomes import Outcome, Reason
from sessions_app.models import Command
from sessions_app.table.command_results import SENTENCES

ROOT = Path(__file__).parents[2]


def test_every_reason_has_its_sentence_and_no_other_does():
    assert set(SENTENCES) == set(Reason)
    assert [reason for reason, sentence in SENTENCES.items() if not sentence.endswith(".")] == []


def test_what_is_stored_stays_as_it_was():
    assert set(Command.Outcome.values) == {"applied", "contested", "late", "dropped"}
    assert set(Command.LateReason.values) == {"finished", "locked", "key_replaced"}


def scripts():
    return [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]


def test_the_tablet_knows_the_outcomes_by_the_same_codes():
    text = (ROOT / "static/table/outbox/commands.js").read_text(encoding="utf-8")
    servers, own = (set(re.findall(r'[A-Z]: "([^"]+)"', part)) for part in text.split("OwnOutcome"))
    assert servers
    assert servers < set(Outcome)
    assert own
    assert not own & set(Outcome)


TAKES_APART = re.compile(
    r"(textContent|innerText) [!=]==|(textContent|innerText|title)\.(replace|match|split|includes)"
)
# To write only what differs spares the browser laying out the page again.
WRITES_WHAT_DIFFERS = re.compile(r"if \((.+)\.textContent !== (\w+)\) \1\.textContent = \2;")


def test_no_script_compares_or_takes_apart_what_people_read():
    lines = [(path.name, line) for path in scripts() for line in path.read_text(encoding="utf-8").splitlines()]
    found = [
        (name, line.strip())
        for name, line in lines
        if TAKES_APART.search(line) and not WRITES_WHAT_DIFFERS.search(line)
    ]
    # The foot of a printed page has its title without the name of the site.
    assert [name for name, _ in found] == ["print.js"], found
    compared = [(name, line.strip()) for name, line in lines if re.search(r'outcome [!=]== "', line)]
    assert compared == []
