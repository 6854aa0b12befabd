"""One word per thing: what people read uses the terms of docs/glossary.md, and none of the words that they replaced."""

import ast
import functools
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# A word that must not come back, and the one to use.
REPLACED = [
    (r"(take|takes|taken|took|taking|brought|bring) (it |them |in |this )?(out|along)", "export, remove or cancel"),
    (r"(take|taken|took|taking) (it |them |the \w+ )?in(?! (tiles|order|turn))", "import"),
    (r"(put|puts) (it |them )?back", "restore"),
    (r"(put|puts|putting) (it |them )?aside", "do not send, leave out"),
    (r"(throw|thrown|threw|throws) (it |them )?away", "discard"),
    (r"bring (it |them )?back", "restore"),
    (r"anew", "again"),
    (r"open to question", "please check"),
    (r"sign(s|ed)? (a|your own|their|the|your) clubs? up", "register a club"),
    (r"meanwhile|until now", "since, so far or current"),
    (r"(is|are|was) over (?=since)|(link|invitation|time) is over", "expired, or time is up"),
    (r"somebody|everybody|whoever|whosoever", "someone, everyone, or the person"),
    (r"for instance", "for example"),
    (r"rule sets?", "rules"),
    (r"mend(s|ed|ing)?", "fix"),
    (r"reckon(s|ed)?", "work out"),
    (r"\d+ signs|unknown signs?|holds? a sign|control signs?", "character"),
    (r"counted are|the how-manieth|how it is counted", "the words of docs/glossary.md"),
    (r"not ranked because", "not ranked yet"),
    (r"drawn twice|without a place", "sits out, or no table yet"),
    (r"(ca|do|does|is|are|was|were|wo|would|could|should|did|has|have|had)n[’']t", "the word without a contraction"),
    (r"can’t|can't|won’t|cannot be no|is no (number|date|name|time|hand|whole|table|player)", "not a …"),
    (r"the server|is heard|are heard", "when the Wi-Fi is back"),
    (r"sessions?", "table, or meeting"),
]
# A term of docs/glossary.md, and other names that clubs, their programs and Clubscore itself have had for it.
SECOND_NAMES = {
    "meeting": r"afternoons?|club (nights?|days?)|days? of play|get-togethers?|gatherings?|fixtures?",
    "table": r"sittings?(?! out)|rubbers?",
    "entry": r"ledger (lines?|rows?)|lines? of the (sheet|table|log)",
    "seat": r"chairs?",
    "sits out": r"left over|(has|gets|is given) (the|a) bye|dummy",
    "wind of the round": r"round wind|prevalent wind",
    "no winner": r"drawn (hand|game)s?|wash-?outs?|dead hands?|wall game",
    "fishing": r"ready hands?|tenpai|calling(?! (after|at))",
    "Kong box": r"dead wall|flower wall",
    "penalty": r"fines?|fouls?",
    "limit": r"ceiling|cut (off )?at",
    "special hand": r"named hands?",
    "fishing score": r"part scores?",
    "won or lost": r"net (score|result|total|gain)s?",
    "tally sticks": r"counters|chips|tallies|purses?",
    "score query": r"doubt(s|ed|ful)?|disputes?|complaints?|objections?",
    "league table": r"standings|leaderboards?|ladders?|rankings|ranking (list|table)s?|table of (places|positions)",
    "position": r"placings?",
    "not ranked yet": r"unranked|unplaced|below the line",
    "roll of honour": r"honours (list|board|page)|hall of fame",
    "guest": r"visitors?|non-members?",
    "version": r"editions?|revisions?",
    "seating draw": r"seating plans?|table plans?",
    "seating request": r"wish(es)?|seating (preference|choice)s?",
    "venue": r"locations?",
    "join code": r"pin|pass ?codes?|access codes?|codes? of the day",
    "QR code": r"bar ?codes?|QR squares?",
    "Club admin": r"desk|dashboard|back office|admin (area|panel|pages?)|secretary’s pages?",
    "account, username, sign in": r"log-?ins?|log(s|ged|ging)? (in|on|out|off)|user ?ids?|sign(s|ed)? on",
    "import, export": r"upload(s|ed|ing)?",
    "remove, restore": r"delet(e|es|ed|ing)|undelete|reinstate(d)?|tak(e|es|en|ing) out|put(s)? back",
    "discard, do not send": r"thr(ow|own|ew) away|put aside",
    "not sent yet": r"pending|queued|unsent|unsynced",
    "hands to check": r"what waits|moderation",
    "history": r"audit (log|trail)s?|the log|logs?",
    "text size and colours": r"appearance|display settings|looks(?= (on|of) this tablet)",
    "email": r"e-mails?|mail(s|ed)?",
}
# Words that stand in no name of the code, with the one to use.
REPLACED_NAMES = [
    (re.compile(r"chairs?"), "seat, seat_no or seating"),
    (re.compile(r"doubt(s|ed|ful)?"), "query, or unsure"),
    (re.compile(r"fines?|fouls?"), "penalty"),
    (re.compile(r"taken out"), "removed"),
]
# What is stored, or passed on to tablets: docs/glossary.md has them too.
STORED_NAMES = {"chairs", "misnamed_fine", "false_mahjong_fine", "false_hu_fine", "shown_tiles_fine"}
PATTERNS = [
    (re.compile(rf"(?<![\w/-])(?:{old})(?![\w/-])", re.IGNORECASE), new)
    for old, new in [*REPLACED, *((names, term) for term, names in SECOND_NAMES.items())]
]
# Most texts have none of them, which one look finds out.
ANY_PATTERN = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in PATTERNS), re.IGNORECASE)
# What an operator reads in a terminal may say more: names of commands, of settings and of what Django calls login.
NOT_FOR_PLAYERS = (
    "management/commands",
    "clubscore/engine/build",
    "clubscore/site/settings",
    "clubscore/logs",
    "tools/",
    "/migrations/",
)
# Those that clubs and operators read; the others are for developers.
DOCUMENTS = [
    "README.md", "CHANGELOG.md", "docs/backups.md", "docs/data.md", "docs/draw.md", "docs/hosting.md",
    "docs/league.md", "docs/settings.md", "docs/when-the-wifi-fails.md",
]  # fmt: skip
# A term that looks replaced and is right where it stands: file, words.
ALLOWED = {
    # Stored words, contracts and a column's heading in a file.
    ("sessions_app/exchange/exports/club_csv.py", "standings"),
    ("sessions_app/exchange/exports/meeting.py", "taken out"),
    ("sessions_app/exchange/imports/meeting_file.py", "taken out"),
    ("sessions_app/exchange/imports/people_list.py", "mail"),
    ("sessions_app/exchange/imports/people_list.py", "chair"),
    # Words that a club's file may have instead of a name.
    ("sessions_app/exchange/imports/name_matches.py", "visitor"),
    ("sessions_app/exchange/imports/name_matches.py", "dummy"),
    ("sessions_app/exchange/imports/sheet_shapes.py", "rule set"),
    ("sessions_app/exchange/imports/sheet_shapes.py", "afternoon"),
    ("sessions_app/exchange/imports/sheet_figures.py", "mail"),
    ("sessions_app/people/accounts.py", "login"),
    ("sessions_app/people/club_admin.py", "mail"),
    # Words that people type under Find a page.
    *(("sessions_app/people/club_admin.py", word) for word in ("dispute", "delete", "upload")),
    ("sessions_app/people/mailing.py", "mail"),
    ("sessions_app/people/throttling.py", "mail"),
    ("sessions_app/meetings/drawing.py", "left over"),
    ("sessions_app/league/models.py", "rule sets"),
    # Explains the term.
    *(("templates/web/words.html", old) for old in ("get-together", "chair", "counters")),
    # The name that the rules' source has.
    ("clubscore/scoring/rulesets/beginners.py", "calling"),
    ("clubscore/scoring/rulesets/british.py", "gathering"),
    ("clubscore/scoring/rulesets/chinese_official.py", "prevalent wind"),
    ("clubscore/scoring/rulesets/western.py", "calling"),
    ("clubscore/scoring/settlement.py", "fouls"),
    ("clubscore/scoring/sticks.py", "tallies"),
    # What other clubs' spreadsheets and calendars call it.
    ("sessions_app/exchange/imports/sheet_shapes.py", "net score"),
    ("sessions_app/exchange/imports/sheet_values.py", "afternoon"),
    ("sessions_app/exchange/imports/sheet_shapes.py", "net total"),
    ("sessions_app/web/calendar.py", "location"),
    # What files exported earlier, and other clubs' spreadsheets, call a table.
    ("sessions_app/exchange/imports/sheet_figures.py", "sessions"),
    ("sessions_app/exchange/imports/sheet_shapes.py", "session"),
    ("sessions_app/exchange/imports/sheet_values.py", "sessions"),
    # A session in the code, or where “tables” would be the database's: names of models, the log of errors, backups.
    *(
        (f"sessions_app/{file}.py", "session")
        for file in (
            "meetings/models",
            "people/models",
            "table/models",
            "table/result_models",
            "table/reconcile",
            "table/views/command_requests",
        )
    ),
    *(("README.md", old) for old in ("session", "sessions")),
    *((file, "sessions") for file in ("docs/backups.md", "sessions_app/exchange/backups/full_backup.py")),
    # For developers and operators: a trigger's message, a command, a name of the code.
    ("sessions_app/exchange/backups/club_backup.py", "login"),
    ("sessions_app/table/reconcile.py", "edition"),
    ("sessions_app/database_guards.py", "delete"),
    ("sessions_app/database_guards.py", "the log"),
    ("sessions_app/exchange/backups/sqlite.py", "delete"),
    ("sessions_app/people/log.py", "the log"),
    ("docs/data.md", "log"),
    ("docs/hosting.md", "the server"),
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


def texts_of_document(path):
    """Return its lines without commands and names of the code, which stand in backticks or indented, and addresses."""
    text = re.sub(r"^ {4}.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text).splitlines()


def sources():
    yield from ((ROOT / name, texts_of_document) for name in DOCUMENTS)
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
        for text in filter(ANY_PATTERN.search, texts(path)):
            for pattern, new in PATTERNS:
                words = [match[0] for match in pattern.finditer(text) if (name, match[0].lower()) not in ALLOWED]
                found += [f"{name}: “{word}” in “{' '.join(text.split())[:90]}”: use {new}" for word in words]
    return found


def test_no_replaced_word_and_no_second_name_is_read():
    assert replaced_words() == []


def names_of_python(path):
    """Return the names in a module; those in texts are keys of what is stored, or read by test_no_replaced_word."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                yield name


def names_of_script(path):
    text = re.sub(r"^\s*//.*$|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r'"[^"\n]*"', "", text)
    # Words between a template's braces are what people read.
    return re.findall(r"[A-Za-z_$][\w$]*", re.sub(r">[^<>`${}]*<", "", text))


def names_of_template(path):
    text = re.sub(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", " ", path.read_text(encoding="utf-8"), flags=re.S)
    tags = " ".join(re.findall(r"\{\{.*?\}\}|\{%.*?%\}", text, flags=re.S))
    written = re.findall(r'(?:class|id|name|aria-labelledby)="([^"]*)"', text)
    return re.findall(r"[\w-]+", " ".join([re.sub(r'"[^"]*"', "", tags), *written]))


def names_of_style(path):
    return re.findall(r"[.#]([A-Za-z][\w-]*)", re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S))


def named_things():
    for folder in ("sessions_app", "clubscore", "sample_data", "tools"):
        yield from ((path, names_of_python) for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts)
    yield from ((path, names_of_template) for path in (ROOT / "templates").rglob("*.html"))
    for ending, names in ((".js", names_of_script), (".css", names_of_style)):
        found = (ROOT / "static").rglob(f"*{ending}")
        yield from ((path, names) for path in found if "vendor" not in path.parts)


@functools.cache
def replaced_in(name):
    """Return the word to use instead of one in a name, which is split at capitals, underscores and hyphens; or ""."""
    words = " ".join(re.findall(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+", name)).lower()
    found = (new for old, new in REPLACED_NAMES if re.search(rf"\b(?:{old.pattern})\b", words))
    return "" if name in STORED_NAMES else next(found, "")


def test_no_name_in_the_code_has_a_replaced_word():
    found = {(path.relative_to(ROOT), name) for path, names in named_things() for name in names(path)}
    assert len(found) > 20_000
    assert sorted(f"{path}: {name}: use {new}" for path, name in found if (new := replaced_in(name))) == []


def test_every_term_with_a_second_name_is_in_the_glossary():
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").lower()
    terms = {term for row in SECOND_NAMES for term in row.lower().split(", ")}
    assert len(terms) > 40
    assert [term for term in sorted(terms) if term not in glossary] == []


def test_every_word_explained_to_players_is_in_the_glossary():
    page = (ROOT / "templates" / "web" / "words.html").read_text(encoding="utf-8")
    rows = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    in_glossary = {term.strip() for row in rows if row.startswith("| ") for term in row.split("|")[1].split(", ")}
    terms = re.findall("<dt>(.*?)</dt>", page)
    assert len(terms) > 20
    assert [term for term in terms if term not in in_glossary] == []
