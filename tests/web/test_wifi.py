"""The page for the wall: the same in docs/ and on the site, in the words the tablet itself uses."""

import html
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SHEET = (ROOT / "docs" / "when-the-wifi-fails.md").read_text(encoding="utf-8")
SHIPPED = [("static", "*.js"), ("templates", "*.html"), ("sessions_app", "*.py")]


def sentences(text):
    """Return the words of the sheet, line by line, cell by cell."""
    for line in text.splitlines():
        for cell in line.strip("|").split("|"):
            words = re.sub(r"^(#+|\d+\.|-) ", "", cell.strip()).replace("*", "")
            if words and not words.startswith("---"):
                yield words


def test_the_page_says_what_the_sheet_says(client):
    page = client.get("/when-the-wifi-fails/")
    assert page.status_code == 200
    words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.text)).split())
    heads = {"The tablet says", "What it means", "What you do"}
    assert [one for one in sentences(SHEET) if one not in heads and one not in words] == []


def test_the_words_quoted_are_those_of_the_tablet():
    quoted = set(re.findall(r"“([^”]+)”", SHEET))
    assert len(quoted) > 10
    files = [path for folder, names in SHIPPED for path in (ROOT / folder).rglob(names) if path.stem != "wifi"]
    shipped = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert {words for words in quoted if words not in shipped} == set()


def test_the_table_and_the_readme_lead_to_it(client):
    assert "docs/when-the-wifi-fails.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "{% url 'wifi' %}" in (ROOT / "templates" / "table" / "_board_groups.html").read_text(encoding="utf-8")
