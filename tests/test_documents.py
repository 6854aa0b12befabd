"""Every file that a document names is there, and so is every name of the code."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("clubscore", "docs", "sample_data", "sessions_app", "static", "templates", "tests", "tools")
PATHS = [*ROOT.glob("*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
NAMES = {path.relative_to(ROOT).as_posix() for path in PATHS if "node_modules" not in path.parts}
CODE = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in NAMES
    if name.endswith((".py", ".js", ".mjs", ".html")) or name == "run"
}
WORDS = set(re.findall(r"\w+", " ".join(CODE.values())))
DOCUMENTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in NAMES if name.endswith(".md")}
PROSE = {name: " ".join(re.sub(r"^ {4}.*$", "", text, flags=re.M).split()) for name, text in DOCUMENTS.items()}
QUOTED = {(name, quoted) for name, text in PROSE.items() for quoted in re.findall(r"`([^`]+)`", text)}
A_PATH = re.compile(r"([\w.-]+/)*[\w.-]+\.(py|js|mjs|html|md|csv|json|jsonl|yaml|cmd)|([\w.-]+/)+[\w.-]*")
A_NAME = re.compile(r"_?[A-Za-z]+(_\w+|[a-z][A-Z]\w*)")
IN_A_FILE = re.compile(r"((?:`\w+`(?:, | and ))*`\w+`) (?:in|of) `([\w./-]+\.(?:py|js|html))`")
# What an installation makes, someone exports, or is not a file at all.
ELSEWHERE = re.compile(r"\./run|var/|app/|Europe/|meetings\.csv|seasons\.csv")


def files_named(path):
    """Return the files and folders that end with a path."""
    return [name for name in NAMES if f"/{name}".endswith(f"/{path.strip('/')}")]


def test_every_file_is_there():
    links = [(name, link) for name, text in DOCUMENTS.items() for link in re.findall(r"\]\((?!http)([^)#]+)", text)]
    assert [(name, link) for name, link in links if not ((ROOT / name).parent / link).exists()] == []
    paths = [(name, path) for name, path in QUOTED if A_PATH.fullmatch(path) and not ELSEWHERE.match(path)]
    assert len(paths) > 100
    assert [(name, path) for name, path in paths if not files_named(path)] == []


def test_every_name_is_in_the_code_and_in_the_file_that_is_given():
    names = [(name, word) for name, word in QUOTED if A_NAME.fullmatch(word)]
    assert len(names) > 100
    assert [(name, word) for name, word in names if word not in WORDS] == []
    given = [(name, *match) for name, text in PROSE.items() for match in IN_A_FILE.findall(text)]
    assert len(given) > 30
    in_file = [(name, word, path) for name, words, path in given for word in re.findall(r"\w+(?=`)", words)]
    assert [row for row in in_file if not any(row[1] in CODE[file] for file in files_named(row[2]))] == []
