"""Every kind of command is one row, and no other module says what a kind is."""

import ast
import re
from pathlib import Path

import pytest

from clubscore.play.command_kinds import AT_TABLE, BY_SECRETARY, KINDS, ROWS, for_browser, kind_of
from clubscore.play.edits import EDITS
from sessions_app.table.carry_out import SECRETARY_EDITS

ROOT = Path(__file__).parents[2]
ROWS_MODULE = ROOT / "clubscore/play/command_kinds.py"

# Words that mean something else as well. What a module compares or looks up by them is no kind of command.
OTHER_MEANINGS = {
    "clubscore/play/meeting_lines.py": {"exchange"},
    "clubscore/play/replay.py": {"void", "exchange"},
    "clubscore/play/table_words.py": {"void", "exchange"},
    "clubscore/play/edits.py": {"exchange"},
    "sessions_app/table/state.py": {"exchange", "seating", "arrive", "leave"},
    "sessions_app/exchange/imports/meeting_plan.py": {"exchange"},
    "sessions_app/rules/rule_pages.py": {"fine"},
    "sessions_app/table/hand_form.py": {"fine"},
    "sessions_app/table/ledger.py": {"void"},
    "sessions_app/table/views/hand_change.py": {"insert"},
    "sessions_app/table/views/hand_entry.py": {"hand"},
    "sessions_app/table/views/new_table.py": {"seating", "arrive", "leave"},
    "sessions_app/table/views/views_of_table.py": {"seating", "arrive", "leave"},
    "sessions_app/table/season_assignment.py": {"void"},
}


# Stored commands and entries hold these; a later kind is not in the lists below.
STORED = {
    "hand", "arrive", "leave", "seating", "exchange", "fine", "note", "insert", "correct", "agree", "take_out",
    "put_back", "change_player", "finish", "reopen", "undo", "redo", "choose", "void", "count_again", "move", "go_back",
}  # fmt: skip


def keys_where(*names):
    return {row.key for row in ROWS if all(getattr(row, name) for name in names)} & STORED


def test_no_two_rows_share_a_key_and_none_of_those_stored_goes():
    assert len(KINDS) == len(ROWS)
    assert STORED - KINDS.keys() == set()


def test_every_row_is_applied_somewhere():
    through_the_log = {"undo", "redo", "choose"}
    assert {*EDITS, *SECRETARY_EDITS} | through_the_log == {*KINDS}
    assert {*SECRETARY_EDITS} == BY_SECRETARY


@pytest.mark.parametrize(
    ("flag", "keys"),
    [
        ("adds_entry", {"hand", "arrive", "leave", "seating", "exchange", "fine", "note"}),
        ("checks_version", {"correct", "take_out", "put_back"}),
        ("has_entry_body", {"correct", "insert"}),
        ("names_player", {"arrive", "change_player"}),
        ("is_undo_or_redo", {"undo", "redo"}),
        ("without_ledger", {"void", "count_again", "move"}),
        ("secretary_only", {"reopen", "void", "count_again", "move", "go_back"}),
        ("when_finished", {"reopen", "undo", "redo", "choose", "void", "count_again", "move", "go_back"}),
    ],
)
def test_which_kinds_have_a_flag(flag, keys):
    assert keys_where(flag) == keys


def test_what_undo_passes_over_and_what_is_not_recorded_late():
    assert STORED - keys_where("can_be_undone") == {"undo", "redo", "void", "count_again", "move"}
    assert AT_TABLE & STORED - keys_where("can_be_recorded_late") == {"finish", "reopen", "undo", "redo", "choose"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_every_row_has_its_sentences(row):
    slots = {"number": 3, "text": "a note", "seat": "{2}", "step": "Hand 3", "won": "{2}, 64", "pair": "{1} and {2}"}
    assert row.message.format(**slots, by="{1}", to=" to {2}", amount="50").endswith(".")
    assert row.name
    assert row.log


@pytest.mark.parametrize("sent", ["nonsense", None, 3, ["undo"], {"undo": 1}, True])
def test_what_is_no_kind_has_no_row(sent):
    assert kind_of(sent) is None


def test_the_browser_knows_every_kind_sent_from_a_table():
    told = for_browser()
    assert set(told) == AT_TABLE
    flags = {"is_undo": "undo", "is_redo": "redo", "finishes": "finish", "reopens": "reopen", "is_hand": "hand"}
    assert {flag: [key for key in told if told[key].get(flag)] for flag in flags} == {
        flag: [key] for flag, key in flags.items()
    }


def kinds_named(tree):
    """Yield the literals by which a module asks for kinds or lists them: compared, looked up, in a table or a set."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            yield from strings([node.left, *node.comparators])
        elif isinstance(node, ast.Dict):
            found = strings(node.keys)
            yield from found if len(found) > 1 else ()
        elif isinstance(node, ast.Set | ast.Tuple | ast.List):
            found = strings(node.elts)
            yield from found if len(found) > 1 else ()
        elif isinstance(node, ast.MatchValue):
            yield from strings([node.value])


def strings(nodes):
    """Return the kinds among literals, also of the sets and tuples that they are compared with."""
    inner = [one for node in nodes for one in getattr(node, "elts", [node])]
    return [one.value for one in inner if isinstance(one, ast.Constant) and one.value in KINDS]


def literals_elsewhere():
    for path in sorted([*(ROOT / "sessions_app").rglob("*.py"), *(ROOT / "clubscore/play").rglob("*.py")]):
        where = path.relative_to(ROOT).as_posix()
        if path == ROWS_MODULE or {"migrations", "populating"} & {*path.parts}:
            continue
        found = set(kinds_named(ast.parse(path.read_text(encoding="utf-8")))) - OTHER_MEANINGS.get(where, set())
        yield from ((where, key) for key in sorted(found))


def test_no_other_module_names_a_kind_but_to_send_one():
    assert list(literals_elsewhere()) == []


NAMED = f'"(?:{"|".join(KINDS)})"'
ASKED = re.compile(rf"\bkind *[!=]==? *{NAMED}|{NAMED} *[!=]==? *kind\b|\[[^\]\n]*{NAMED}, *{NAMED}")


def test_no_script_asks_for_a_kind_by_its_name():
    scripts = [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]
    found = [(path.name, line) for path in scripts for line in path.read_text().splitlines() if ASKED.search(line)]
    assert len(scripts) > 30
    assert found == []


@pytest.mark.parametrize(
    "line", ['if (one.kind === "undo") {', 'const LINES = ["hand", "arrive"];', 'const isHand = "hand" == kind;']
)
def test_the_check_itself_finds_kinds_in_scripts(line):
    assert ASKED.search(line)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("if kind == 'undo': pass", ["undo"]),
        ("if kind in ('undo', 'other'): pass", ["undo"]),
        ("WORDS = {'take_out': 1, 'put_back': 2}", ["take_out", "put_back"]),
        ("KINDS = {'take_out', 'put_back'}", ["take_out", "put_back"]),
        ("send(session, 'take_out', {'kind': 'hand'})", []),
    ],
)
def test_the_check_itself_finds_kinds(code, found):
    assert sorted(set(kinds_named(ast.parse(code)))) == sorted(found)


def test_every_kind_that_undo_takes_back_says_what_it_is_in_few_letters():
    """The button is half a column wide: with "hand 12" in it two lines hold it."""
    assert {row.key for row in ROWS if row.undo} == {row.key for row in ROWS if row.can_be_undone}
    assert max(len(row.undo.format("hand 12")) for row in ROWS) <= 20
