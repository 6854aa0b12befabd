"""One word per thing: what people read uses the terms of docs/glossary.md, and none of the words that they replaced."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
# A word that must not come back, and the one to use. Those of the third column are for screens alone.
REPLACED = [
    (r"afternoons?|club nights?|days? of play", "meeting"),
    (r"(take|takes|taken|took|taking|brought|bring) (it |them |in |this )?(out|along)", "export, remove or cancel"),
    (r"(take|taken|took|taking) (it |them |the \w+ )?in(?! (tiles|order|turn))", "import"),
    (r"(put|puts) (it |them )?back", "restore"),
    (r"(put|puts|putting) (it |them )?aside", "set aside"),
    (r"(throw|thrown|threw|throws) (it |them )?away", "discard"),
    (r"bring (it |them )?back", "restore"),
    (r"anew", "again"),
    (r"editions?", "version"),
    (r"open to question|doubt(s|ed|ful)?", "query, or please check"),
    (r"(the |secretary’s )desk", "Club admin"),
    (r"sign(s|ed)? (a|your own|their|the|your) clubs? up", "register a club"),
    (r"log ?ins?|logged (in|out)", "account, username or sign in"),
    (r"e-mails?|mails?|mailed", "email"),
    (r"meanwhile|until now", "since, so far or current"),
    (r"(is|are|was) over (?=since)|(link|invitation|time) is over", "expired, or time is up"),
    (r"somebody|everybody|whoever|whosoever", "someone, everyone, or the person"),
    (r"for instance", "for example"),
    (r"part scores?", "fishing score"),
    (r"standings", "league table"),
    (r"rule sets?", "rules"),
    (r"mend(s|ed|ing)?", "fix"),
    (r"reckon(s|ed)?", "work out"),
    (r"wish(es)?", "seating request"),
    (r"\d+ signs|unknown signs?|holds? a sign|control signs?", "character"),
    (r"counted are|the how-manieth|how it is counted", "the words of docs/glossary.md"),
    (r"below the line|not ranked because", "not ranked yet"),
    (r"drawn twice|without a place|left over", "sits out, or no table yet"),
    (r"(ca|do|does|is|are|was|were|wo|would|could|should|did|has|have|had)n[’']t", "the word without a contraction"),
    (r"can’t|can't|won’t|cannot be no|is no (number|date|name|time|hand|whole|table|player)", "not a …"),
    (r"the server|is heard|are heard", "when the Wi-Fi is back"),
]
PATTERNS = [(re.compile(rf"(?<![\w/-])(?:{old})(?![\w/-])", re.IGNORECASE), new) for old, new in REPLACED]
# What an operator reads in a terminal may say more: names of commands, of settings and of what Django calls login.
NOT_FOR_PLAYERS = ("management/commands", "clubscore/settings", "clubscore/logs", "tools/", "/migrations/")
# A term that looks replaced and is right where it stands: file, words.
ALLOWED = {
    # Stored words, contracts and a column's heading in a file.
    ("sessions_app/exchange/exports/club_csv.py", "standings"),
    ("sessions_app/exchange/exports/club_night.py", "taken out"),
    ("sessions_app/exchange/imports/club_night_file.py", "taken out"),
    ("sessions_app/exchange/imports/players_file.py", "mail"),
    ("sessions_app/exchange/imports/sheet_shapes.py", "rule set"),
    ("sessions_app/people/accounts.py", "login"),
    ("sessions_app/people/log_sentences.py", "login"),
    ("sessions_app/people/mailing.py", "mail"),
    ("sessions_app/people/throttling.py", "mail"),
    ("sessions_app/meetings/drawing.py", "left over"),
    ("sessions_app/league/models.py", "rule sets"),
    ("sessions_app/models.py", "doubt"),
    # For developers and operators: a trigger's message, a command, a name of the code.
    ("sessions_app/database_guards.py", "edition"),
    ("sessions_app/exchange/backups/club_restore.py", "login"),
    ("sessions_app/table/reconcile.py", "edition"),
}


def text_of_template(path):
    text = re.sub(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", " ", path.read_text(encoding="utf-8"), flags=re.S)
    words_in_tags = re.findall(r'(?:title|label|placeholder|alt|caption|content)="([^"]*)"', text)
    quoted = re.findall(r'\{%[^%]*?"([^"%]* [^"%]*)"[^%]*%\}', text)
    text = re.sub(r"<script\b.*?</script>|<style\b.*?</style>|\{%.*?%\}|<[^>]*>", "\n", text, flags=re.S)
    return [re.sub(r"\{\{.*?\}\}", "…", part) for part in [*text.split("\n"), *words_in_tags, *quoted]]


def texts_of_python(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body
        if isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
            continue
        if " " in node.value or node.value[:1].isupper():
            yield node.value


def texts_of_script(path):
    text = re.sub(r"^\s*//.*$|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return [part for part in re.findall(r'"([^"\n]*)"|`([^`]*)`', text) for part in part if " " in part]


def sources():
    yield from ((path, text_of_template) for path in sorted((ROOT / "templates").rglob("*.*")) if path.suffix != ".js")
    for folder in ("sessions_app", "clubscore"):
        yield from ((path, texts_of_python) for path in sorted((ROOT / folder).rglob("*.py")))
    yield from (
        (path, texts_of_script) for path in sorted((ROOT / "static").rglob("*.js")) if "vendor" not in path.parts
    )


def replaced_words():
    found = []
    for path, texts in sources():
        name = str(path.relative_to(ROOT))
        if any(part in name for part in NOT_FOR_PLAYERS):
            continue
        for text in texts(path):
            for pattern, new in PATTERNS:
                for match in pattern.finditer(text):
                    if (name, match[0].lower()) not in ALLOWED:
                        found.append(f"{name}: “{match[0]}” in “{' '.join(text.split())[:90]}”: use {new}")
    return found


def test_no_replaced_word_is_read_by_players():
    assert replaced_words() == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Take in a list of players", True),
        ("Import players", False),
        ("Somebody comes", True),
        ("It can't be undone", True),
        ("Choose who went Mah-jong", False),
    ],
)
def test_the_search_finds_what_it_should(text, is_found):
    assert any(pattern.search(text) for pattern, _ in PATTERNS) == is_found


def test_every_word_explained_to_players_is_in_the_glossary():
    page = (ROOT / "templates" / "web" / "words.html").read_text(encoding="utf-8")
    rows = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    in_glossary = {term.strip() for row in rows if row.startswith("| ") for term in row.split("|")[1].split(", ")}
    terms = re.findall("<dt>(.*?)</dt>", page)
    assert len(terms) > 20
    assert [term for term in terms if term not in in_glossary] == []
