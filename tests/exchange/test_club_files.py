"""Files as clubs keep them, no two alike, come in by three pages with nothing chosen; the sums are the files' own.

The sums of the .xlsx and .ods files were worked out by LibreOffice, which saved them; the others by hand. A long test
has LibreOffice add up all of them again.
"""

import csv
import io
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook

from sessions_app.exchange.imports.spreadsheets import read_workbook
from sessions_app.models import Club, Player, Season, Tally
from tests.exchange.test_sheet_import import pages  # noqa: F401

FILES = Path(__file__).parent.parent / "data" / "club-files"


# Each file with its results, its sums by season and player, and the rows that are left out.
EXPECTED = {
    "harwood-league.xlsx": (
        9, {"2025–26": {"Jean Smith": 300, "Bob Hall": -20, "Ann Lee": -280, "Cy Marsh": 0}}, 1
    ),
    "three-seasons.xlsx": (
        14,
        {
            "2023–24": {"Jean Smith": 24, "Bob Hall": 16, "Ann Lee": -40},
            "2024–25": {"Jean Smith": 128, "Bob Hall": -96, "Ann Lee": -32},
            "2025–26": {"Bob Hall": 512, "Ann Lee": -512},
        },
        0,
    ),
    "thursday-scores.xlsx": (7, {"2024–25": {"Jean Smith": -1144, "Bob Hall": 1220, "Pat O'Brien": -76}}, 3),
    "wharfe-results.xlsx": (
        6, {"2025–26": {"Jean Smith": -162, "Bob Hall": -88, "Ann Lee": 234, "Di Frost": 16}}, 2
    ),
    "spring-ladder.ods": (6, {"2025–26": {"Jean Smith": 112, "Bob Hall": -16, "Ann Lee": -96}}, 0),
    "excel-semicolons.csv": (4, {"2025–26": {"J Smith": 1190, "Zoë Müller": -1190}}, 1),
    "unicode-text.txt": (4, {"2025–26": {"Jean Smith": 1160, "Bob Hall": -1160}}, 0),
    "month-first.csv": (4, {"2025–26": {"Jean Smith": -18, "Bob Hall": 18}}, 0),
    "gained-and-lost.csv": (4, {"2025–26": {"Jean Smith": 34, "Bob Hall": -34}}, 0),
    "no-headings.txt": (4, {"2025–26": {"Jean Smith": 56, "Bob Hall": -56}}, 0),
    "day-by-day.csv": (4, {"2025–26": {"Jean Smith": 16, "Bob Hall": -20, "Ann Lee": 4}}, 2),
    "own-scores.csv": (4, {"2025–26": {"Jean Smith": 1300, "Bob Hall": 880, "Ann Lee": 400}}, 0),
}  # fmt: skip


def sums(club):
    found = defaultdict(lambda: defaultdict(int))
    for tally in Tally.objects.of_club(club).select_related("player", "season"):
        found[tally.season.name][str(tally.player)] += tally.net
    return {name: dict(of_season) for name, of_season in found.items()}


def test_every_file_has_its_sums():
    assert {path.name for path in FILES.iterdir()} == set(EXPECTED)


# Where each player's results stand in the files, as a person adds them up in LibreOffice: cells of the sheet of that
# season (else the only one), by season and player. Of a text file LibreOffice is given its encoding and separators.
CELLS = {
    "harwood-league.xlsx": {
        "2025–26": {"Jean Smith": "SUM(B4:E4)", "Bob Hall": "SUM(B5:E5)", "Ann Lee": "SUM(B6:E6)",
                    "Cy Marsh": "SUM(B7:E7)"},
    },
    "three-seasons.xlsx": {
        "2023–24": {"Jean Smith": "SUM(B2:C2)", "Bob Hall": "SUM(B3:C3)", "Ann Lee": "SUM(B4:C4)"},
        "2024–25": {"Jean Smith": "SUM(B2:D2)", "Bob Hall": "SUM(B3:D3)", "Ann Lee": "SUM(B4:D4)"},
        "2025–26": {"Bob Hall": "SUM(B2:B2)", "Ann Lee": "SUM(B3:B3)"},
    },
    "thursday-scores.xlsx": {
        "2024–25": {"Jean Smith": "SUM(C4:C5,C7)", "Bob Hall": "SUM(D4:D5,D7)", "Pat O'Brien": "SUM(E4:E5,E7)"},
    },
    "wharfe-results.xlsx": {
        "2025–26": {"Jean Smith": "SUM(D4,D10)", "Bob Hall": "SUM(D5)", "Ann Lee": "SUM(D7,D11)",
                    "Di Frost": "SUM(D8)"},
    },
    "spring-ladder.ods": {
        "2025–26": {"Jean Smith": "SUM(D2:F2)", "Bob Hall": "SUM(D3:F3)", "Ann Lee": "SUM(D4:F4)"},
    },
    "excel-semicolons.csv": {"2025–26": {"J Smith": "D2+D5", "Zoë Müller": "D3+D6"}},
    "unicode-text.txt": {"2025–26": {"Jean Smith": "C2+C4", "Bob Hall": "C3+C5"}},
    "month-first.csv": {"2025–26": {"Jean Smith": "C2+C4", "Bob Hall": "C3+C5"}},
    "gained-and-lost.csv": {"2025–26": {"Jean Smith": "C2-D2+C4-D4", "Bob Hall": "C3-D3+C5-D5"}},
    "no-headings.txt": {"2025–26": {"Jean Smith": "C1+C3", "Bob Hall": "C2+C4"}},
    "day-by-day.csv": {"2025–26": {"Jean Smith": "B5+B11", "Bob Hall": "B6", "Ann Lee": "B12"}},
    "own-scores.csv": {"2025–26": {"Jean Smith": "D2+D4", "Bob Hall": "D3", "Ann Lee": "D5"}},
}  # fmt: skip

# Separator, quotes and encoding as LibreOffice numbers them; every column is read as text.
TEXT_FILES = {
    "excel-semicolons.csv": "59,34,1",
    "unicode-text.txt": "9,34,65535",
    "month-first.csv": "44,34,76",
    "gained-and-lost.csv": "124,34,76",
    "no-headings.txt": "9,34,76",
    "day-by-day.csv": "44,34,76",
    "own-scores.csv": "44,39,76",
}


def as_figure(cell):
    """Return a formula of the figure in a cell of text: without thousands separators, "(60)" and "60-" as negatives."""
    plain = f'SUBSTITUTE({cell},"\u2212","-")'
    for separator in (" ", ",", "\u00a0", "\u202f"):
        plain = f'SUBSTITUTE({plain},"{separator}","")'
    return (
        f'(IF(LEFT({plain},1)="(",-VALUE(MID({plain},2,LEN({plain})-2)),'
        f'IF(RIGHT({plain},1)="-",-VALUE(LEFT({plain},LEN({plain})-1)),VALUE({plain}))))'
    )


def in_sheet(formula, title, is_text):
    """Return a formula with its cells as those of another sheet."""
    cells = rf"'{title}'!\g<0>"
    return re.sub(r"\b[A-Z]\d+(:[A-Z]\d+)?", as_figure(cells) if is_text else cells, formula)


@pytest.fixture(scope="module")
def libreoffice_sums(tmp_path_factory):
    """Each file's sums by season and player, read and added up by LibreOffice."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed.")
    folder = tmp_path_factory.mktemp("office")

    def convert(kind, out, files, *options):
        subprocess.run(
            [office, f"-env:UserInstallation=file://{folder}/home", "--headless", *options, "--convert-to", kind,
             "--outdir", str(out), *map(str, files)],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip

    read, made, as_text = folder / "read", folder / "made", folder / "as_text"
    convert("xlsx", read, [FILES / name for name in CELLS if name not in TEXT_FILES])
    for name, options in TEXT_FILES.items():
        columns = "/".join(f"{number}/2" for number in range(1, 8))
        convert("xlsx", read, [FILES / name], f"--infilter=Text - txt - csv (StarCalc):{options},1,{columns}")
    made.mkdir()
    for name, seasons in CELLS.items():
        book = load_workbook(read / f"{Path(name).stem}.xlsx")
        sheets = {sheet.title.replace("-", "–"): sheet.title for sheet in book}
        sheet = book.create_sheet("Sums")
        for season, players in seasons.items():
            title = sheets.get(season, book.worksheets[0].title)
            for player, formula in players.items():
                sheet.append([season, player, f"={in_sheet(formula, title, is_text=name in TEXT_FILES)}"])
        book.save(made / f"{Path(name).stem}.xlsx")
    convert("csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1", as_text, made.iterdir())
    found = {}
    for name in CELLS:
        lines = csv.reader((as_text / f"{Path(name).stem}-Sums.csv").read_text().splitlines())
        found[name] = defaultdict(dict)
        for season, player, total in lines:
            found[name][season][player] = int(total)
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", EXPECTED)
def test_what_came_in_is_what_libreoffice_adds_up(club, pages, libreoffice_sums, name):  # noqa: F811
    pages.saved((FILES / name).read_bytes())
    assert sums(club) == libreoffice_sums[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_as_a_club_keeps_it_comes_in_with_its_own_sums(club, pages, name):  # noqa: F811
    results, by_season, left_out = EXPECTED[name]
    page = pages.looked_at((FILES / name).read_bytes())
    look = page.context["preview"]
    assert [question.sentence for question in look.questions] == []
    assert (len(look.rows), len(look.left_out)) == (results, left_out)
    assert look.names.choices == []
    assert pages.save(page).status_code == 302
    assert sums(club) == by_season
    before = Tally.objects.count()
    assert pages.save(pages.looked_at((FILES / name).read_bytes())).status_code == 302
    assert Tally.objects.count() == before


def test_own_scores_are_recorded_straight_with_their_hands(club, pages):  # noqa: F811
    pages.saved((FILES / "own-scores.csv").read_bytes())
    made = Season.objects.get(club=club)
    assert (made.recording, made.method) == ("straight", "average_session")
    assert sorted(Tally.objects.values_list("hands", flat=True)) == [4, 4, 16, 16]


def test_a_guest_is_known_by_the_word_behind_the_name(club, pages):  # noqa: F811
    pages.saved((FILES / "harwood-league.xlsx").read_bytes())
    assert list(Player.objects.filter(guest=True).values_list("full_name", flat=True)) == ["Cy Marsh"]


def test_a_hidden_sheet_is_told():
    assert read_workbook((FILES / "three-seasons.xlsx").read_bytes()).notes == [
        "The hidden sheet “Phone numbers” was left out.",
    ]


class TestCommandLine:
    def call(self, name, *options):
        out, err = io.StringIO(), io.StringIO()
        call_command("import_totals", str(FILES / name), "--club", "bramley", *options, stdout=out, stderr=err)
        return out.getvalue()

    @pytest.mark.parametrize("name", EXPECTED)
    def test_the_same_files_come_in_by_the_command(self, club, name):
        results, by_season, _ = EXPECTED[name]
        self.call(name, "--seasons", "--accept")
        assert (Tally.objects.count(), sums(club)) == (results, by_season)
        assert self.call(name, "--accept") == "Nothing changes.\n"

    def test_a_column_that_is_not_found_is_refused(self, club, tmp_path):
        file = tmp_path / "own.csv"
        file.write_text("Wann,Wer,Total,Zahl\n24/9/25,Ann,9,4\n24/9/25,Bob,9,-4\n")
        with pytest.raises(CommandError, match="Choose the column with the players’ names"):
            self.call(file)

    def test_what_looks_wrong_is_refused_unless_it_is_accepted(self, db, tmp_path):
        file = tmp_path / "own.csv"
        file.write_text("Date,Name,Score\n24/9/25,Ann,4904\n24/9/25,Bob,-4\n")
        with pytest.raises(CommandError, match=r"Table 1 on 24 September 2025 adds up to \+4,900, not 0"):
            self.call(file)
        assert not Club.objects.exists()
        assert self.call(file, "--accept") == "1 new table.\n"
