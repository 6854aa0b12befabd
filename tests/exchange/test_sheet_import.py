"""A club's own spreadsheet comes in by three pages: chosen, its columns said, checked and saved."""

import datetime
import io
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Max
from django.urls import reverse
from openpyxl import Workbook

from sessions_app.exchange.imports.name_matches import field_of
from sessions_app.exchange.imports.summary import FIELD
from sessions_app.exchange.imports.take_back import take_back
from sessions_app.league.seasons import add_season, change_season, save_leagues
from sessions_app.models import Change, Import, Meeting, Player, Season, Session, Tally
from sessions_app.people.log_pages import LogFilter, log_page
from sessions_app.people.players import add_player
from sessions_app.table.sessions import start_session
from tests.clubs import everything_of
from tests.factories import BY, season
from tests.logins import logins, signed_in

CROSS = (
    "Mah-jong league 2025-26\n\nName,4 Sep,11 Sep,18 Sep,Total\n"
    'SMITH Jean,120,–,(40),80\n"Hall, Bob",-120,60,40,-20\nAnn Lee,,-60,,-60\nTotal,0,0,0,0\n'
)


NETS = {"Jean Smith": 80, "Bob Hall": -20, "Ann Lee": -60}


class Pages:
    """The secretary's browser; each step sends on what the page before kept."""

    def __init__(self, client, url):
        self.client, self.url = client, url

    def choose(self, content, name="results.csv"):
        if isinstance(content, str):
            content = content.encode()
        return self.client.post(self.url, {"file": SimpleUploadedFile(name, content)})

    def columns(self, page, **changes):
        fields = {"kept": page.context["kept"], "order": page.context["choices"].order}
        fields |= {"rules": page.context["choices"].rules, "recording": page.context["choices"].recording}
        fields["figures"] = page.context["choices"].figures
        for one in page.context["sheets"]:
            fields |= {f"shape-{one.number}": one.layout.shape, f"header-{one.number}": one.header}
            fields |= {f"years-{one.number}": one.years}
            fields |= {f"use-{one.number}": "on"} if one.layout.used else {}
            fields |= {column.field: column.meaning for column in [*one.columns, *one.folded]}
        return self.client.post(self.url, fields | changes)

    def check(self, page, **changes):
        fields = {"kept": page.context["kept"], "choices": page.context["choices"], "checked": "1"}
        fields["seasons_shown"] = page.context["preview"].seasons_words
        if page.context["preview"].adds_seasons:
            fields["seasons"] = "on"
        return self.client.post(self.url, fields | changes)

    def save(self, page, **changes):
        """Compare the dates and totals of the page as it is with the changes, tick them, and save."""
        page = self.check(page, **changes) if changes else page
        if "preview" not in page.context:
            return page
        return self.check(page, do="record", **{FIELD: page.context["preview"].will_be.key} | changes)

    def everything(self, page):
        """Every tick of the page and the first answer to each choice."""
        questions = page.context["preview"].questions
        answers = {question.field: question.options[0][0] for question in questions if question.options}
        return answers | {"accept": [question.key for question in questions]}

    def looked_at(self, content, **changes):
        return self.columns(self.choose(content), **changes)

    def saved(self, content, **changes):
        answer = self.save(self.looked_at(content), **changes)
        assert answer.status_code == 302, [str(one) for one in answer.context["errors"]]
        return answer


@pytest.fixture
def pages(club):
    return Pages(signed_in(logins(club)["secretary"]), reverse("import-totals", args=[club.slug]))


def nets(club):
    found = {}
    for tally in Tally.objects.of_club(club).select_related("player"):
        found[str(tally.player)] = found.get(str(tally.player), 0) + tally.net
    return found


def sentences(page):
    return [question.sentence for question in page.context["preview"].questions]


class TestThreeSteps:
    def test_the_columns_are_guessed_and_shown_with_their_first_rows(self, club, pages):
        page = pages.choose(CROSS)
        assert page.status_code == 200
        [sheet] = page.context["sheets"]
        assert [(one.heading, one.values, one.meaning) for one in sheet.columns] == [
            ("Name", "SMITH Jean, Hall, Bob, Ann Lee", "player"),
            ("4 Sep", "120, -120, 0", "result"),
            ("11 Sep", "–, 60, -60", "result"),
            ("18 Sep", "(40), 40, 0", "result"),
            ("Total", "80, -20, -60", ""),
        ]
        assert page.context["choices"].recording == "settle"
        assert not Session.objects.exists()

    def test_looking_writes_nothing_and_tells_everything(self, club, pages):
        before = everything_of(club)
        look = pages.looked_at(CROSS).context["preview"]
        assert everything_of(club) == before
        assert (len(look.rows), look.names.new, look.questions) == (6, ["Jean Smith", "Bob Hall", "Ann Lee"], [])
        assert look.left_out == ["row 7: Total, 0, 0, 0, 0 (a total)"]
        assert [str(one) for one in look.seasons] == ["2025–26 (1 September 2025 to 31 August 2026)"]
        assert (look.notes, look.plan.summary) == ([], "3 new tables")
        assert look.will_be.when == "First day: 4 September 2025. Last day: 18 September 2025. 3 meetings, 6 results."
        assert [(one.name, one.results, one.total) for one in look.will_be.people] == [
            ("Jean Smith", 2, 80), ("Bob Hall", 3, -20), ("Ann Lee", 1, -60)
        ]  # fmt: skip

    def test_nothing_is_saved_without_the_tick_under_the_totals_that_are_shown(self, club, pages):
        page = pages.looked_at(CROSS)
        sentence = "Compare the dates and totals with your own. Then tick “These are our dates and totals”."
        other = pages.looked_at(CROSS.replace("18 Sep", "25 Sep")).context["preview"].will_be.key
        for ticked in ({}, {"accept_all": "1"}, {FIELD: other}):
            answer = pages.check(page, do="record", **ticked)
            assert (answer.status_code, answer.context["errors"]) == (422, [sentence])
        assert not Session.objects.exists()
        assert pages.check(page, do="record", **{FIELD: page.context["preview"].will_be.key}).status_code == 302

    def test_saved_it_counts_in_a_season_ranked_by_session(self, club, pages):
        pages.saved(CROSS)
        assert nets(club) == NETS
        made = Season.objects.get(club=club)
        assert (made.name, made.method, made.rules) == ("2025–26", "average_session", [club.rules])
        assert Session.objects.filter(season=made).count() == 3
        sentence = "bramley-secretary imported past totals from pasted totals: 3 new tables."
        assert log_page(club, LogFilter()).lines[0].sentence == sentence

    def test_twice_changes_nothing(self, club, pages):
        pages.saved(CROSS)
        before = everything_of(club)
        assert pages.save(pages.looked_at(CROSS)).status_code == 302
        assert everything_of(club) == before

    def test_who_is_no_secretary_sees_nothing_of_it(self, club, pages):
        page = pages.looked_at(CROSS)
        fields = {"kept": page.context["kept"], "choices": page.context["choices"], "do": "record"}
        keeper = signed_in(club.memberships.get(role="scorekeeper").user)
        assert keeper.post(reverse("import-totals", args=[club.slug]), fields).status_code == 403
        assert not Session.objects.exists()

    def test_what_cannot_be_recognised_is_asked_for_and_can_be_said(self, club, pages):
        page = pages.choose("Xyz;Qrs;Tuv\nAnn;14/10/2025;50\nBob;14/10/2025;-50\nCy;x;y\n")
        assert page.status_code in (200, 422)
        chosen = {"shape-0": "list", "header-0": "1", "column-0-0": "player", "column-0-1": "date", "column-0-2": "net"}
        page = pages.columns(page, **chosen)
        assert [(row.player, row.net) for row in page.context["preview"].rows] == [("Ann", 50), ("Bob", -50)]

    def test_a_column_that_is_missing_is_asked_for_with_the_file_kept(self, club, pages):
        page = pages.looked_at(CROSS, **{"column-0-0": ""})
        assert page.status_code == 422
        assert page.context["errors"] == ["Choose the column with the players’ names."]
        assert "SMITH Jean" in page.context["kept"]

    def test_dates_that_can_be_read_both_ways_are_asked_about_once(self, club, pages):
        text = "Date,Name,Score\n3/9/25,Ann,4\n3/9/25,Bob,-4\n10/9/25,Ann,6\n10/9/25,Bob,-6\n"
        page = pages.choose(text)
        assert "How are the dates written?" in page.content.decode()
        days = {row.date.month for row in pages.columns(page).context["preview"].rows}
        assert days == {9}
        days = {row.date.month for row in pages.columns(page, order="month").context["preview"].rows}
        assert days == {3, 10}
        assert "How are the dates written?" not in pages.choose(text.replace("10/9", "24/9")).content.decode()

    def test_the_columns_of_an_own_export_need_no_second_step(self, club, pages):
        page = pages.choose("date,table,rules,player,hands,won,net\n2025-11-12,1,bmja,Ann,8,2,40\n")
        assert page.context["preview"].names.new == ["Ann"]
        assert "Check and save" in page.content.decode()

    @pytest.mark.parametrize("field", ["kept", "choices"])
    def test_a_page_that_lost_its_file_asks_for_it_again(self, club, pages, field):
        page = pages.looked_at(CROSS)
        answer = pages.save(page, **{field: "["})
        assert answer.status_code == 422
        assert "Choose the file again." in answer.content.decode()


class TestDefaults:
    def test_the_rules_are_chosen_by_name_for_all_results(self, club, pages):
        page = pages.choose(CROSS)
        assert '<option value="bmja" selected>British (BMJA)</option>' in page.content.decode()
        assert {row.rules for row in pages.columns(page, rules="u3a").context["preview"].rows} == {"u3a"}

    def test_own_totals_that_nobody_loses_are_guessed(self, club, pages):
        page = pages.choose("Date,Name,Score\n24/9/25,Ann,400\n24/9/25,Bob,60\n")
        assert page.context["choices"].recording == "straight"
        assert pages.columns(page).context["preview"].questions == []


class TestNames:
    def test_the_best_match_is_chosen(self, club, pages):
        jean = add_player(club, "Jean Smith", by=BY)
        text = "Date,Name,Score\n24/9/25,J Smith,4\n24/9/25,Bob Hall,-4\n"
        page = pages.looked_at(text)
        [choice] = page.context["preview"].names.choices
        assert (choice.name, choice.chosen) == ("J Smith", str(jean.pk))
        assert page.context["preview"].names.new == ["Bob Hall"]
        assert pages.save(page).status_code == 302
        assert nets(club) == {"Jean Smith": 4, "Bob Hall": -4}

    def test_someone_new_can_be_chosen_and_is_counted(self, club, pages):
        add_player(club, "Jean Smith", by=BY)
        page = pages.looked_at("Date,Name,Score\n24/9/25,J Smith,4\n24/9/25,Bob Hall,-4\n")
        page = pages.check(page, **{field_of("J Smith"): "new"})
        assert page.context["preview"].names.new == ["J Smith", "Bob Hall"]

    def test_two_spellings_in_the_file_are_one_new_player(self, club, pages):
        text = "Date,Name,Score\n24/9/25,J Smith,4\n24/9/25,Bob Hall,-4\n25/9/25,Jean Smith,6\n25/9/25,Bob Hall,-6\n"
        page = pages.looked_at(text)
        assert page.context["preview"].names.new == ["Bob Hall", "Jean Smith"]
        assert pages.save(page).status_code == 302
        assert nets(club) == {"Jean Smith": 10, "Bob Hall": -10}

    def test_two_who_played_on_one_day_are_not_taken_for_one(self, club, pages):
        page = pages.looked_at("Date,Name,Score\n24/9/25,J Smith,4\n24/9/25,Jean Smith,-4\n")
        [choice] = page.context["preview"].names.choices
        assert (choice.chosen, choice.reason) == ("new", "played on a day when Jean Smith did")
        assert page.context["preview"].questions == []

    def test_a_choice_is_remembered_for_the_next_file(self, club, pages):
        jean = add_player(club, "Jean Smith", by=BY)
        add_player(club, "June Smith", by=BY)
        text = "Date,Name,Score\n24/9/25,J Smith,4\n24/9/25,Bob Hall,-4\n"
        other = Player.objects.get(full_name="June Smith")
        for chosen in (other, jean):
            page = pages.looked_at(text)
            answer = pages.save(page, **{field_of("J Smith"): chosen.pk}, replace="on")
            assert answer.status_code == 302
            text = text.replace("24/9", "25/9") if "24/9" in text else text.replace("25/9", "26/9")
            [choice] = pages.looked_at(text).context["preview"].names.choices
            assert (choice.chosen, choice.reason) == (str(chosen.pk), "as you chose last time")

    def test_no_name_stands_in_the_log(self, club, pages):
        add_player(club, "Jean Smith", by=BY)
        pages.saved("Date,Name,Score\n24/9/25,J Smith,4\n24/9/25,Bob Hall,-4\n")
        assert "Smith" not in str(Change.objects.get(action="import totals").after)
        assert "Smith" not in str(Import.objects.values())


class TestTreasurer:
    HEAD = "Date,Table,Name,Score\n"

    def test_all_questions_come_at_once_and_stop_the_import_with_the_file_kept(self, club, pages):
        text = self.HEAD + "24/9/25,1,Ann,4904\n24/9/25,1,Bob,-4\n24/9/25,1,Ann,0\n25/9/25,1,Cy,ten\n31/9/25,1,Di,4\n"
        page = pages.looked_at(text)
        found = [
            "Cell D5: what Cy won or lost is “ten”, which is not a whole number. Enter it like 120 or -120.",
            "Cell A6: the date is “31/9/25”, which is not in the calendar. Enter it like 12/11/2026.",
            "Ann has 2 results on 24 September 2025: 4,904 and 0.",
            "Table 1 on 24 September 2025 adds up to +4,900, not 0.",
        ]
        assert sentences(page) == found
        refused = pages.save(page)
        assert refused.status_code == 422
        assert refused.context["errors"] == found
        assert "4904" in refused.context["kept"]
        assert not Session.objects.exists()

    def test_a_figure_is_changed_in_its_place(self, club, pages):
        page = pages.looked_at(self.HEAD + "24/9/25,1,Ann,4900\n24/9/25,1,Bob,-49\n")
        [question] = page.context["preview"].questions
        assert [(one.label, one.text, one.where) for one in question.cells] == [
            ("Ann", "4900", "Cell D2"), ("Bob", "-49", "Cell D3")
        ]  # fmt: skip
        page = pages.check(page, **{"cell-0-1-3": "49"})
        assert page.context["preview"].questions == []
        assert pages.save(page).status_code == 302
        assert nets(club) == {"Ann": 49, "Bob": -49}

    def test_it_is_taken_as_it_is_with_a_tick(self, club, pages):
        page = pages.looked_at(self.HEAD + "24/9/25,1,Ann,4900\n24/9/25,1,Bob,-49\n")
        [question] = page.context["preview"].questions
        assert pages.save(page).status_code == 422
        assert pages.save(page, accept=[question.key]).status_code == 302
        assert nets(club) == {"Ann": 4900, "Bob": -49}

    def test_what_cannot_be_read_is_left_out_with_a_tick_alone(self, club, pages):
        page = pages.looked_at(self.HEAD + "24/9/25,1,Ann,40\n24/9/25,1,Bob,ten\n24/9/25,1,Cy,-40\n")
        assert page.context["preview"].will_be.left_out == ["1 result of Bob that cannot be read."]
        assert pages.save(page, accept_all="1").status_code == 422
        assert pages.save(page, **pages.everything(page)).status_code == 302

    def test_the_same_table_twice_is_asked_about(self, club, pages):
        rows = "24/9/25,1,Ann,48\n24/9/25,1,Bob,-48\n25/9/25,2,Ann,48\n25/9/25,2,Bob,-48\n"
        assert sentences(pages.looked_at(self.HEAD + rows)) == [
            "Table 2 on 25 September 2025 has the same players and results as table 1 on 24 September 2025."
        ]

    def test_a_date_that_has_not_come_yet_is_asked_about(self, club, pages):
        day = club.today + datetime.timedelta(days=400)
        rows = f"{day},1,Ann,48\n{day},1,Bob,-48\n"
        assert sentences(pages.looked_at(self.HEAD + rows)) == [f"{day.day} {day:%B %Y} has not come yet."]

    def test_the_files_own_total_is_held_against_the_sum(self, club, pages):
        page = pages.looked_at(CROSS.replace("(40),80", "(40),90"))
        assert sentences(page) == ["Cell E4: the file’s total of Jean Smith is +90, but the results add up to +80."]

    def test_a_season_is_added_only_for_days_that_have_none(self, club, pages):
        season(club)
        rows = "24/9/25,1,Ann,48\n24/9/25,1,Bob,-48\n24/9/26,1,Ann,60\n24/9/26,1,Bob,-60\n"
        look = pages.looked_at(self.HEAD + rows).context["preview"]
        assert [str(one) for one in look.seasons] == ["2025–26 (1 September 2025 to 31 August 2026)"]
        assert look.notes[-1] == (
            "The season Autumn 2026 is ranked by average per hand, so these results will not count there. "
            "To count them, change the season to “Average per table”."
        )

    def test_without_the_tick_no_season_is_added(self, club, pages):
        page = pages.looked_at(CROSS)
        fields = {"kept": page.context["kept"], "choices": page.context["choices"], "checked": "1", "do": "record"}
        fields[FIELD] = page.context["preview"].will_be.key
        client = signed_in(club.memberships.get(role="secretary").user)
        assert client.post(reverse("import-totals", args=[club.slug]), fields).status_code == 302
        assert not Season.objects.exists()
        assert nets(club) == NETS

    def test_a_corrected_file_takes_the_place_of_the_first_after_it_is_said_what_changes(self, club, pages):
        pages.saved(CROSS)
        page = pages.looked_at(CROSS.replace("120", "100"))
        plan = page.context["preview"].plan
        assert plan.summary == "1 table corrected"
        assert plan.corrected == ["Table 1 on 4 September 2025: Jean Smith +120 → +100 and Bob Hall −120 → −100."]
        assert nets(club) == NETS
        assert pages.save(page, **pages.everything(page)).status_code == 302
        assert nets(club) == {"Jean Smith": 60, "Bob Hall": 0, "Ann Lee": -60}

    def test_a_guest_stays_one_where_the_file_says_nothing_of_guests(self, club, pages):
        Player.objects.create(club=club, full_name="Ann", short_name="Ann", guest=True)
        pages.saved(self.HEAD + "24/9/25,1,Ann,48\n24/9/25,1,Bob,-48\n")
        assert Player.objects.get(full_name="Ann").guest


EXAMPLES = Path(__file__).parent.parent.parent / "static" / "exchange" / "examples"


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir()))
def test_an_example_file_comes_in_without_a_question(club, pages, name):
    page = pages.looked_at((EXAMPLES / name).read_bytes())
    assert (sentences(page), page.context["preview"].names.choices) == ([], [])
    assert pages.save(page).status_code == 302
    assert nets(club)["Bob Hall"] == -80


def book_of(**sheets):
    """Return a workbook with these sheets: {name: rows}."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def results_on(*days):
    days = [datetime.date(2025, 9, day) for day in days]
    first, second = (day.day * 10 for day in days)
    return [["Player", *days], ["Ann", first, second], ["Bob", -first, 10], ["Cat", 0, -second - 10]]


def test_a_book_with_two_leagues_comes_in_as_two_after_one_question(pages, club):
    content = book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11))
    [question] = pages.looked_at(content).context["preview"].questions
    assert question.sentence == "Are “Tuesday” and “Thursday” leagues of their own?"
    pages.saved(content, **{question.field: "yes"})
    club.refresh_from_db()
    assert club.leagues == ["Tuesday", "Thursday"]
    assert [str(season) for season in Season.objects.order_by("pk")] == ["Tuesday, 2025–26", "Thursday, 2025–26"]
    assert [
        (
            made.league,
            {tally.session.meeting.league for tally in made.tallies.all()},
            made.tallies.aggregate(Max("net")),
        )
        for made in Season.objects.order_by("pk")
    ] == [("Tuesday", {"Tuesday"}, {"net__max": 90}), ("Thursday", {"Thursday"}, {"net__max": 110})]


def test_a_club_that_met_on_thursdays_goes_on_in_that_league(pages, club):
    days = datetime.date(2026, 9, 1), datetime.date(2027, 8, 31)
    now = add_season(club, "2026–27", *days, rules=["bmja"], method="total", by=BY)
    Meeting.objects.create(club=club, date=datetime.date(2026, 9, 3))
    content = book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11))
    page = pages.looked_at(content)
    [question] = page.context["preview"].questions
    said = pages.check(page, **{question.field: "yes"}).context["preview"].notes
    assert "All meetings and seasons so far will belong to the league “Thursday”." in said
    pages.saved(content, **{question.field: "yes"})
    now.refresh_from_db()
    club.refresh_from_db()
    assert (now.league, club.leagues) == ("Thursday", ["Thursday", "Tuesday"])
    assert tables_by_league() == [("Thursday", 4, 1), ("Thursday", 11, 1), ("Tuesday", 2, 1), ("Tuesday", 9, 1)]


def test_a_season_that_only_the_answer_makes_missing_is_added_with_it(pages, club):
    """The club’s season has the days of both sheets until they are leagues of their own."""
    days = datetime.date(2025, 9, 1), datetime.date(2026, 8, 31)
    add_season(club, "2025–26", *days, rules=["bmja"], method="total", by=BY)
    page = pages.looked_at(book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11)))
    assert 'name="seasons_shown" value=""' in page.text
    [question] = page.context["preview"].questions
    tick = {FIELD: page.context["preview"].will_be.key}
    assert pages.check(page, do="record", **{question.field: "yes"}, **tick).status_code == 302
    assert tables_by_league() == [("Thursday", 4, 1), ("Thursday", 11, 1), ("Tuesday", 2, 1), ("Tuesday", 9, 1)]


def test_results_that_are_here_are_put_into_the_leagues_of_a_book(pages, club):
    content = book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11))
    [question] = pages.looked_at(content).context["preview"].questions
    pages.saved(content, **{question.field: "no"})
    page = pages.save(pages.looked_at(content), **{question.field: "yes"})
    assert "Each counts in its own league now." in pages.client.get(page.url).text
    assert tables_by_league() == [("Thursday", 4, 1), ("Thursday", 11, 1), ("Tuesday", 2, 1), ("Tuesday", 9, 1)]


def test_a_sheet_without_a_name_cannot_be_a_league(pages, club):
    page = pages.looked_at(book_of(**{" ": results_on(2, 9), "Thursday": results_on(4, 11)}))
    [question] = page.context["preview"].questions
    refused = pages.save(page, **{question.field: "yes"})
    assert (refused.status_code, refused.context["errors"]) == (422, ["Enter a name for each of the two leagues."])
    assert not Session.objects.exists()


EXPORTED = "Date,Table,Rules,Player,Hands,Hands won,Won or lost,League\n"


def test_a_file_of_totals_says_which_seasons_its_leagues_lack(pages, club):
    """Without a meeting on Thursdays yet, its days are not taken for Tuesday’s."""
    save_leagues(club, ["Tuesday", "Thursday"], by=BY)
    days = ((2, "Tuesday"), (4, "Thursday"))
    rows = [
        f"2025-09-0{day},1,bmja,{name},8,4,{net},{on}\n"
        for day, on in days
        for name, net in (("A B", day), ("C D", -day))
    ]
    page = pages.choose(EXPORTED + "".join(rows))
    assert [season.league for season in page.context["preview"].seasons] == ["Tuesday", "Thursday"]
    assert pages.save(page).status_code == 302
    assert tables_by_league() == [("Thursday", 4, 1), ("Tuesday", 2, 1)]


def test_seasons_that_a_file_adds_count_what_is_in_it_and_rank_as_the_last_of_their_league(pages, club):
    save_leagues(club, ["Tuesday", "Thursday"], by=BY)
    days = datetime.date(2024, 9, 1), datetime.date(2025, 8, 31)
    add_season(club, "2024–25", *days, league="Thursday", rules=["u3a"], method="total", by=BY)
    straight = "each adds up their own score"
    content = EXPORTED.replace("Rules", "Rules,How it was scored") + "".join(
        f"2025-09-0{day},1,bmja,{how},{name},8,4,{net},Thursday\n"
        for day, how, nets in ((4, straight, (80, 30)), (5, "players pay each other", (7, -7)), (6, straight, (9, 8)))
        for name, net in zip(("A B", "C D"), nets, strict=True)
    )
    page = pages.choose(content)
    assert "They will be ranked by total." in page.text
    [note] = page.context["preview"].notes
    assert note.startswith(
        "1 table (5 September 2025) will not count in any league table, as the season “Thursday, 2025"
    )
    assert pages.save(page).status_code == 302
    season = Season.objects.get(starts_on=datetime.date(2025, 9, 1))
    assert (season.recording, season.method, season.rules) == ("straight", "total", ["bmja", "u3a"])
    assert sorted(season.sessions.values_list("date__day", flat=True)) == [4, 6]


def test_a_table_that_comes_back_to_its_day_comes_back_into_its_league(pages, club):
    """Without another meeting on a Thursday nothing but what was there says so."""
    save_leagues(club, ["Tuesday", "Thursday"], by=BY)
    content = EXPORTED + "".join(
        f"2025-09-04,1,bmja,{name},8,4,{net},Thursday\n" for name, net in (("A B", 9), ("C D", -9))
    )
    for day in ("09-04", "09-05"):
        page = pages.choose(content.replace("09-04", day))
        assert pages.save(page, file_name="results.csv").status_code == 302
    assert [str(meeting.date) for meeting in Meeting.objects.all()] == ["2025-09-05"]
    take_back(Import.objects.last(), by=BY)
    [meeting] = Meeting.objects.all()
    assert (str(meeting.date), meeting.league) == ("2025-09-04", "Thursday")


def test_a_title_above_a_file_of_totals_hides_nothing_of_it(pages, club):
    """How it was scored is still known; a seat that cannot be read is no result that is left out."""
    content = (
        "Our club\n\nDate,Table,Rules,How it was scored,Player,Seat,Hands,Hands won,Won or lost\n"
        "2025-09-04,1,bmja,each adds up their own score,Bob,9,8,4,90\n"
        "2025-09-04,1,bmja,each adds up their own score,Dave,2,8,4,40\n"
    )
    page = pages.choose(content)
    assert sentences(page) == ["Cell F4: seat is 9. Enter a number from 1 to 5."]
    assert page.context["preview"].will_be.left_out == ["1 cell that cannot be read."]
    assert pages.save(page, **pages.everything(page)).status_code == 302
    assert (Session.objects.get().recording, nets(club)) == ("straight", {"Bob": 90, "Dave": 40})


def test_a_file_of_totals_saved_by_a_spreadsheet_has_the_day_first(pages, club):
    """The club’s own spreadsheet before it had the month first."""
    pages.saved("Player,9/25/2025,10/2/2025\nBob,100,-20\nDave,-100,20\n")
    page = pages.choose(EXPORTED + "04/09/2025,1,bmja,Bob,8,4,9,\n04/09/2025,1,bmja,Dave,8,4,-9,\n")
    assert page.context["preview"].will_be.when.startswith("One day: 4 September 2025.")


def test_what_is_previewed_goes_by_the_leagues_of_the_book(pages, of_leagues):
    """Thursday counts another set of rules, and Tuesday's table by hands says nothing of Thursdays."""
    Season.objects.filter(league="Thursday").update(rules=["u3a"])
    Season.objects.filter(league="Improvers").update(method="average")
    # By their weekdays the days of the second sheet would be Tuesday's.
    content = book_of(Tuesday=results_on(2, 16), Thursday=results_on(9, 23))
    page = pages.looked_at(content)
    [question] = page.context["preview"].questions
    notes = pages.check(page, **{question.field: "yes"}).context["preview"].notes
    assert [note for note in notes if "league table" in note] == [
        "2 tables (9 September 2025 to 23 September 2025) will not count in any league table, "
        "as the season “Thursday, 2025–26” does not count British (BMJA), settled."
    ]


def test_a_league_that_a_book_adds_to_those_of_the_club_is_named(pages, club):
    save_leagues(club, ["Tuesday", "Thursday"], by=BY)
    page = pages.looked_at(book_of(TUESDAY=results_on(2, 9), Beginners=results_on(4, 11)))
    [question] = page.context["preview"].questions
    notes = pages.check(page, **{question.field: "yes"}).context["preview"].notes
    assert notes == ["The club will have 1 more league: Beginners."]


def test_taking_a_book_of_leagues_back_takes_its_leagues_along(pages, club):
    content = book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11))
    [question] = pages.looked_at(content).context["preview"].questions
    pages.saved(content, **{question.field: "yes"})
    take_back(Import.objects.get(), by=BY)
    club.refresh_from_db()
    assert (club.leagues, Season.objects.count(), Meeting.objects.count()) == ([], 0, 0)


def test_leagues_of_a_book_that_is_taken_back_stay_where_something_is_in_them(pages, club):
    Meeting.objects.create(club=club, date=datetime.date(2026, 9, 3))
    content = book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11))
    [question] = pages.looked_at(content).context["preview"].questions
    pages.saved(content, **{question.field: "yes"})
    club.refresh_from_db()
    Meeting.objects.create(club=club, date=datetime.date(2026, 9, 8), league="Tuesday")
    take_back(Import.objects.get(), by=BY)
    club.refresh_from_db()
    assert club.leagues == ["Thursday", "Tuesday"]


def test_a_sheet_a_month_is_no_league_and_two_may_be_one(pages, club):
    assert (
        not pages.looked_at(book_of(September=results_on(2, 9), Later=results_on(16, 23))).context["preview"].questions
    )
    content = book_of(Tuesday=results_on(2, 9), Thursday=results_on(4, 11))
    [question] = pages.looked_at(content).context["preview"].questions
    pages.saved(content, **{question.field: "no"})
    club.refresh_from_db()
    assert (club.leagues, Season.objects.get().tallies.count()) == ([], 12)


@pytest.fixture
def of_leagues(club):
    """Return the seasons of three leagues that the club has, the last of which met on a day of the book below."""
    save_leagues(club, ["Tuesday", "Thursday"], by=BY)
    save_leagues(club, [*club.leagues, "Improvers"], by=BY)
    days = datetime.date(2025, 9, 1), datetime.date(2026, 8, 31)
    facts = {"rules": ["bmja"], "method": "total", "by": BY}
    seasons = {league: add_season(club, "2025–26", *days, league=league, **facts) for league in club.leagues}
    Meeting.objects.create(club=club, date=datetime.date(2025, 9, 2), name="Evening", league="Improvers")
    Meeting.objects.create(club=club, date=datetime.date(2025, 9, 23), league="Tuesday")
    people = [add_player(club, name, by=BY) for name in ("Ann", "Bob", "Cat", "Dan")]
    start_session(club, datetime.date(2025, 9, 2), 9, people, "bmja", {}, by=BY, meeting_name="Evening")
    return seasons


def tables_by_league():
    return sorted(Session.objects.values_list("season__league", "date__day", "table"))


EVENING = ("Improvers", 2, 9)
BOOK = {"Tuesday": results_on(2, 9), "Thursday": results_on(4, 11)}


@pytest.mark.parametrize("names", [("Tuesday", "Thursday"), ("TUESDAY", "thursday")])
def test_a_book_of_leagues_leaves_the_meetings_of_another_league_alone(pages, of_leagues, names):
    change_season(of_leagues["Improvers"], by=BY, locked=True)
    content = book_of(**dict(zip(names, BOOK.values(), strict=True)))
    [question] = pages.looked_at(content).context["preview"].questions
    pages.saved(content, **{question.field: "yes"})
    assert tables_by_league() == [
        EVENING,
        ("Thursday", 4, 1),
        ("Thursday", 11, 1),
        ("Tuesday", 2, 1),
        ("Tuesday", 9, 1),
    ]


def test_a_book_of_leagues_brings_nothing_into_a_locked_season(pages, of_leagues):
    change_season(of_leagues["Thursday"], by=BY, locked=True)
    content = book_of(**BOOK)
    page = pages.looked_at(content)
    [question] = page.context["preview"].questions
    looked_at = pages.check(page, **{question.field: "yes"})
    assert "in the season Thursday, 2025–26, which is locked." in str(looked_at.context["preview"].refused)
    refused = pages.save(page, **{question.field: "yes"})
    assert refused.status_code == 422
    assert tables_by_league() == [EVENING]
