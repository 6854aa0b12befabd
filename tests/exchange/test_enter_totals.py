"""One table's totals entered by form: the same rows, checks and log as an import of totals."""

import datetime
import re
import uuid

import pytest
from django.urls import reverse

from sessions_app.exchange.backups.club_backup import restore, write_zip
from sessions_app.models import Change, Meeting, Player, Season, Session, Tally
from sessions_app.people.log_pages import LogFilter, log_page
from tests.clubs import everything_of
from tests.factories import DAY, record, table_in_play, totals
from tests.logins import logins, signed_in


@pytest.fixture
def players(cast):
    return cast.all[:4]


@pytest.fixture
def page(club, players):
    """The secretary's browser on the form; `enter` sends the first players with these points."""
    client = signed_in(logins(club)["secretary"])
    url = reverse("enter-totals", args=[club.slug])

    class Page:
        third, fourth = (player.pk for player in players[2:4])

        def open(self, **asked):
            return client.get(url, asked)

        def enter(self, *nets, **changes):
            fields = {"date": "2025-11-13", "table": "1", "rules": "bmja", "recording": "settle", "why": "Misread"}
            for number, (player, net) in enumerate(zip(players, nets, strict=False), 1):
                fields |= {f"player_{number}": player.pk, f"net_{number}": net}
            return client.post(url, fields | changes)

        def enter_all_the_same(self, *nets, **changes):
            """Tick what is asked."""
            asked = self.enter(*nets, **changes)
            assert asked.status_code == 422
            return self.enter(*nets, **changes, accept=[question.key for question in asked.context["table_questions"]])

        def get(self, address):
            return client.get(address)

        def void(self, session):
            sent = {"key": uuid.uuid4(), "why": "By mistake"}
            assert client.post(reverse("session-void", args=[club.slug, session.pk]), sent).status_code == 302

        def count_again(self, session, **more):
            sent = {"key": uuid.uuid4(), **more}
            return client.post(reverse("session-count", args=[club.slug, session.pk]), sent)

    return Page()


def rows(club):
    return sorted(Tally.objects.of_club(club).values_list("player__full_name", "net", "gained", "lost", "hands", "won"))


def errors(answer):
    return [str(error) for some in answer.context["form"].errors.values() for error in some]


def test_the_totals_of_a_table_are_saved(club, players, page):
    answer = page.enter("120", "-40", "(30)", "−50")
    session = Session.objects.get(club=club)
    assert (answer.status_code, answer.url) == (302, reverse("session-sheet", args=[club.slug, session.pk]))
    assert (session.date, session.table, session.rules, session.recording, session.state, session.imported) == (
        datetime.date(2025, 11, 13), 1, "bmja", "settle", "finished", True
    )  # fmt: skip
    names = [str(player) for player in players]
    assert rows(club) == sorted([
        (names[0], 120, 120, 0, None, None),
        (names[1], -40, 0, -40, None, None),
        (names[2], -30, 0, -30, None, None),
        (names[3], -50, 0, -50, None, None),
    ])  # fmt: skip
    assert log_page(club, LogFilter()).lines[0].sentence == (
        "bramley-secretary entered the totals of table 1 of 13 November 2025: "
        f"{names[0]} +120, {names[1]} −40, {names[2]} −30, {names[3]} −50."
    )
    assert "The totals of table 1 on 13 November 2025 are saved." in page.get(answer.url).content.decode()


def test_hands_are_kept_where_they_are_known(club, page):
    page.enter("120", "-120", hands_1="16", hands_2="0")
    assert sorted(Tally.objects.values_list("net", "hands")) == [(-120, 0), (120, 16)]


def test_a_table_may_have_six_and_new_players(club, players, page):
    more = {"player_5": "new", "name_5": " Quentin  Quill ", "guest_5": "on", "net_5": "5"}
    more |= {"name_6": "Ursula Underwood", "net_6": "-5"}
    assert page.enter("1", "2", "-3", "0", **more).status_code == 302
    new = Player.objects.filter(club=club, full_name__in=["Quentin Quill", "Ursula Underwood"])
    assert sorted(new.values_list("full_name", "guest")) == [("Quentin Quill", True), ("Ursula Underwood", False)]
    assert Tally.objects.count() == 6


def test_it_counts_in_the_season_of_its_day_and_says_where_there_is_none(club, page):
    answer = page.enter("40", "-40")
    sentence = "1 table (13 November 2025) will count once you add a season for those days."
    assert sentence in page.get(answer.url).content.decode()
    made = Season.objects.create(
        club=club, name="2025", starts_on="2025-09-01", ends_on="2025-12-31", rules=["bmja"], method="average_session"
    )
    page.enter("60", "-60", table="2", player_1=page.third, player_2=page.fourth)
    assert Session.objects.get(table=2).season == made


def test_points_must_add_up_to_0_where_players_pay_each_other(club, page):
    answer = page.enter("120", "-80")
    assert (answer.status_code, errors(answer)) == (422, ["Table 1 on 13 November 2025 adds up to +40, not 0."])
    assert 'value="-80"' in answer.content.decode()
    assert not Session.objects.exists()
    assert page.enter_all_the_same("120", "-80").status_code == 302
    Session.objects.all().delete()
    assert page.enter("120", "80", recording="straight").status_code == 302


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"date": ""}, "Enter the date, for example 12/11/2026."),
        ({"date": "2999-01-01"}, "Enter an earlier date. 1 January 2999 has not come yet."),
        ({"date": "0025-11-13"}, "Enter the year with four digits, for example 2026."),
        ({"table": "0"}, "Enter the table number, from 1 to 999."),
        ({"net_2": "ten"}, "Enter what player 2 won or lost as a whole number, for example 120 or -120."),
        ({"net_2": "9" * 40}, "Enter what player 2 won or lost as a whole number, for example 120 or -120."),
        # No thousands, and no whole number either.
        ({"net_2": "-1,00"}, "Enter what player 2 won or lost as a whole number, for example 120 or -120."),
        ({"net_2": "-1,5"}, "Enter what player 2 won or lost as a whole number, for example 120 or -120."),
        ({"net_2": ""}, "Enter what player 2 won or lost as a whole number, for example 120 or -120."),
        ({"player_2": ""}, "Choose player 2, or clear that row."),
        ({"player_2": "", "net_2": ""}, "Choose at least two players."),
        ({"player_1": "9" * 30}, "Choose player 1 from the list."),
        ({"player_2": "new"}, "Enter the new player’s name for player 2."),
        (
            {"hands_1": "-1"},
            "Enter the hands that player 1 played as a whole number, for example 16, or leave it blank.",
        ),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(club, page, changes, expected):
    before = everything_of(club)
    answer = page.enter("40", "-40", **changes)
    assert (answer.status_code, errors(answer)) == (422, [expected])
    [net] = re.findall(r'name="net_1" value="([^"]*)"', answer.content.decode())
    assert net == "40"
    assert everything_of(club) == before


def test_a_player_twice_and_a_name_that_is_there_are_refused(club, players, page):
    answer = page.enter("40", "-40", player_2=players[0].pk)
    assert errors(answer) == ["Choose another player 2. This one is in a row above."]
    answer = page.enter("40", "-40", player_2="new", name_2=str(players[1]).upper())
    sentence = f"Choose {str(players[1]).upper()} from the list for player 2. The club already has that name."
    assert errors(answer) == [sentence]


def test_a_name_like_a_players_is_asked_about_once(club, page):
    Player.objects.create(club=club, full_name="Margaret Hughes", short_name="Margaret")
    asked = {"player_2": "new", "name_2": "Margaret Hughs"}
    answer = page.enter("40", "-40", **asked)
    assert errors(answer) == ["Player 2: did you mean Margaret Hughes? If not, select “This is someone else”."]
    assert page.enter("40", "-40", **asked, somebody_else="on").status_code == 302


def test_the_same_again_changes_nothing_and_other_results_are_refused(club, page):
    page.enter("40", "-40")
    before = everything_of(club)
    answer = page.enter("40", "-40")
    assert answer.status_code == 302
    assert everything_of(club) == before
    sentence = "The totals of table 1 on 13 November 2025 were here already. Nothing was changed."
    assert sentence in page.get(answer.url).content.decode()
    for nets in (("60", "-60"), ("0", "0", "10", "-10")):
        refused = page.enter(*nets)
        sentence = "Enter another table number, or round 2. Table 1 already has results on 13 November 2025."
        assert (refused.status_code, errors(refused)) == (422, [sentence])
    assert everything_of(club) == before


def test_a_late_result_is_added_to_a_locked_season_which_stays_locked(club, page):
    Season.objects.create(
        club=club, name="2025", starts_on="2025-09-01", ends_on="2025-12-31", rules=["bmja"], locked=True
    )
    answer = page.enter("40", "-40")
    sentence = "The season “2025” is locked. If these totals belong in it, add them all the same."
    assert (answer.status_code, errors(answer)) == (422, [sentence])
    assert not Session.objects.exists()
    assert "Unlock, add, lock again" in answer.content.decode()
    assert page.enter("40", "-40", do="unlock").status_code == 302
    season = Season.objects.get()
    assert (season.locked, Session.objects.get().season) == (True, season)
    why = list(Change.objects.of_club(club).filter(subject_type="season").values_list("why", flat=True))
    assert why == ["Totals of table 1 on 13 November 2025"] * 2


class TestMeeting:
    def test_the_only_meeting_of_the_day_is_taken(self, club, page):
        meeting = Meeting.objects.create(club=club, date="2025-11-13", name="Tea")
        page.enter("40", "-40")
        assert Session.objects.get().meeting == meeting

    def test_of_two_one_is_asked_for(self, club, page):
        tea, ale = (Meeting.objects.create(club=club, date="2025-11-13", name=name) for name in ("Tea", "Ale"))
        answer = page.enter("40", "-40")
        assert errors(answer) == ["Which meeting is this table part of?"]
        assert page.enter("40", "-40", meeting=tea.pk).status_code == 302
        assert page.enter("60", "-60", meeting=ale.pk).status_code == 302
        assert sorted(Session.objects.values_list("meeting__name", "table")) == [("Ale", 1), ("Tea", 1)]

    def test_the_next_table_of_the_meeting_comes_after_it(self, club, page):
        meeting = Meeting.objects.create(club=club, date="2025-11-13", name="Tea")
        answer = page.enter("40", "-40", do="next")
        assert answer.url == f"{reverse('enter-totals', args=[club.slug])}?meeting={meeting.pk}&round=1"
        form = page.get(answer.url).context["form"]
        assert (form["date"].value(), form["table"].value()) == (datetime.date(2025, 11, 13), 2)
        assert form["meeting"].value() == meeting.pk


class TestRounds:
    def saved(self):
        found = Session.objects.filter(imported=True, void=False).with_rounds().order_by("table", "round")
        return [
            (one.meeting.name, one.table, one.round, sorted(one.tallies.values_list("net", flat=True))) for one in found
        ]

    def test_a_table_may_have_a_second_round_at_the_meeting(self, club, page):
        Meeting.objects.create(club=club, date="2025-11-13", name="Tea")
        page.enter("40", "-40")
        answer = page.enter("60", "-60", round="2")
        assert answer.status_code == 302
        assert "The totals of table 1, round 2 on 13 November 2025 are saved." in page.get(answer.url).content.decode()
        assert self.saved() == [("Tea", 1, 1, [-40, 40]), ("Tea", 1, 2, [-60, 60])]
        assert Meeting.objects.count() == 1

    def test_the_same_round_again_changes_nothing(self, club, page):
        page.enter("40", "-40")
        answer = page.enter_all_the_same("40", "-40", round="2")
        assert answer.status_code == 302
        assert page.enter("40", "-40", round="2").status_code == 302
        assert self.saved() == [("", 1, 1, [-40, 40]), ("", 1, 2, [-40, 40])]

    def test_a_round_before_it_has_to_be_there(self, club, page):
        answer = page.enter("40", "-40", round="2")
        sentence = "Enter round 1 first. Table 1 has no results of it on 13 November 2025."
        assert (answer.status_code, errors(answer), self.saved()) == (422, [sentence], [])
        assert errors(page.enter("40", "-40", round="0")) == ["Choose the round from the list."]

    def test_the_next_table_is_the_next_without_this_round(self, club, page):
        page.enter("40", "-40")
        page.enter("20", "-20", table="2")
        answer = page.enter("60", "-60", round="2", do="next")
        form = page.get(answer.url).context["form"]
        assert (form["table"].value(), form["round"].value()) == (2, 2)

    def test_a_corrected_round_counts_once_and_the_other_stays(self, club, page):
        page.enter("40", "-40")
        page.enter("60", "-60", round="2")
        first = Session.objects.order_by("pk")[0]
        assert page.open(session=first.pk).context["form"]["round"].value() == 1
        assert page.enter("44", "-44", session=first.pk).status_code == 302
        assert [nets for *_, nets in self.saved()] == [[-44, 44], [-60, 60]]

    def test_a_round_keeps_its_place_however_often_it_is_corrected(self, club, page):
        for nth, net in enumerate((40, 60, 80), 1):
            page.enter(str(net), str(-net), round=str(nth))
        for net in (44, 48):
            first = Session.objects.filter(imported=True, void=False, tallies__net__in=(40, 44)).distinct().get()
            answer = page.enter(str(net), str(-net), session=first.pk)
            assert "The totals of table 1 on 13 November 2025 are saved." in page.get(answer.url).content.decode()
        assert [(nth, nets) for _, _, nth, nets in self.saved()] == [(1, [-48, 48]), (2, [-60, 60]), (3, [-80, 80])]
        new = Session.objects.filter(tallies__net=48).get()
        assert (new.table_words, page.open(session=new.pk).context["form"]["round"].value()) == ("table 1", 1)
        # The totals are those of the first round in the file of totals too: saving them again changes nothing.
        answer = page.enter("48", "-48", session=new.pk)
        assert "were here already. Nothing was changed" in page.get(answer.url).content.decode()
        # A later round is entered after the last, and one that is moved to another table is that table's first.
        assert page.enter("10", "-10", round="4").status_code == 302
        second = Session.objects.filter(imported=True, void=False, tallies__net=60).get()
        page.enter("60", "-60", session=second.pk, table="2")
        assert [(table, nth, nets[1]) for _, table, nth, nets in self.saved()] == [
            (1, 1, 48), (1, 2, 80), (1, 3, 10), (2, 1, 60),
        ]  # fmt: skip

    def test_a_corrected_round_comes_back_from_a_backup_as_it_was(self, club, page, tmp_path):
        page.enter("40", "-40")
        page.enter("60", "-60", round="2")
        page.enter("44", "-44", session=Session.objects.order_by("pk")[0].pk)
        write_zip(club, tmp_path / "club.zip")
        restore(tmp_path / "club.zip", "again")
        assert [(nth, nets) for _, _, nth, nets in self.saved()] == [(1, [-44, 44])] * 2 + [(2, [-60, 60])] * 2


class TestFromATable:
    def test_a_table_without_hands_gives_its_players_and_is_cancelled(self, club, players, page):
        begun = table_in_play(club, players, number=3)
        form = page.open(session=begun.pk).context["form"]
        assert (form["table"].value(), form["date"].value(), form["session"].value()) == (3, DAY, begun.pk)
        assert [form[f"player_{number}"].value() for number in range(1, 5)] == [one.pk for one in players]
        answer = page.enter("40", "-40", table="3", date=str(DAY), session=begun.pk)
        assert answer.status_code == 302
        begun.refresh_from_db()
        assert (begun.void, begun.state) == (True, "finished")
        assert Session.objects.get(imported=True).table == 3
        why = Change.objects.filter(session=begun, action="void").values_list("why", flat=True)
        assert list(why) == ["Totals were entered instead"]

    def test_a_table_with_hands_stays_as_it_is(self, club, players, page):
        begun = table_in_play(club, players, number=3)
        record(begun, totals(begun, 1, seat1=100))
        form = page.open(session=begun.pk).context["form"]
        assert (form["table"].value(), form["session"].value()) == (4, None)
        before = everything_of(club)
        answer = page.enter("40", "-40", table="3", date=str(DAY), session=begun.pk)
        sentence = f"Enter another table number, or round 2. Table 3 already has results on {DAY.day} {DAY:%B %Y}."
        assert (answer.status_code, errors(answer)) == (422, [sentence])
        assert everything_of(club) == before

    def test_what_is_refused_cancels_nothing(self, club, players, page):
        begun = table_in_play(club, players, number=3)
        page.enter("40", "-40", table="4", date=str(DAY))
        before = everything_of(club)
        assert page.enter("60", "-60", table="4", date=str(DAY), session=begun.pk).status_code == 422
        assert everything_of(club) == before


class TestLinks:
    def test_the_secretary_is_led_there_from_the_table_the_meeting_and_club_admin(self, club, players, page):
        begun = table_in_play(club, players)
        url = reverse("enter-totals", args=[club.slug])
        where = {
            reverse("table", args=[club.slug, begun.pk]): f"{url}?session={begun.pk}",
            reverse("meeting", args=[club.slug, begun.meeting_id]): f"{url}?meeting={begun.meeting_id}",
            reverse("desk", args=[club.slug]): url,
        }
        for address, link in where.items():
            assert f'href="{link}"' in page.get(address).content.decode()
        record(begun, totals(begun, 1, seat1=100))
        assert url not in page.get(reverse("table", args=[club.slug, begun.pk])).content.decode()

    def test_a_scorekeeper_is_not(self, club, players, page):
        begun = table_in_play(club, players)
        keeper = signed_in(club.memberships.get(role="scorekeeper").user)
        for name, pk in (("table", begun.pk), ("meeting", begun.meeting_id)):
            assert "desk/totals/" not in keeper.get(reverse(name, args=[club.slug, pk])).content.decode()
        assert keeper.get(reverse("enter-totals", args=[club.slug])).status_code == 403


class TestCorrecting:
    def saved(self, page, *nets, **changes):
        assert page.enter(*nets, **changes).status_code == 302
        return Session.objects.get(imported=True, void=False)

    def test_saved_totals_are_shown_to_be_corrected(self, club, players, page):
        session = self.saved(page, "60", "-40", "-20", hands_1="16")
        answer = page.open(session=session.pk)
        form = answer.context["form"]
        assert [form[f"player_{number}"].value() for number in (1, 2, 3, 4)] == [*(one.pk for one in players[:3]), None]
        assert [form[f"net_{number}"].value() for number in (1, 2, 3)] == [60, -40, -20]
        assert [form[f"hands_{number}"].value() for number in (1, 2, 3)] == [16, None, None]
        assert (form["session"].value(), form["table"].value()) == (session.pk, 1)
        assert "These totals will replace those saved for table 1 on 13 November 2025." in answer.content.decode()

    def test_the_same_table_has_the_corrected_totals_and_its_history_the_old_ones(self, club, players, page):
        old = self.saved(page, "60", "-40", "-20")
        assert errors(page.enter("60", "-50", "-10", session=old.pk, why=" ")) == [
            "Enter a reason. It is kept in the history."
        ]
        assert page.enter("60", "-50", "-10", session=old.pk).status_code == 302
        assert Session.objects.get() == old
        assert sorted(old.tallies.values_list("net", flat=True)) == [-50, -10, 60]
        history = page.get(reverse("session-history", args=[club.slug, old.pk])).content.decode()
        sentence = "corrected the totals of table 1 of 13 November 2025: {} −40 → −50, {} −20 → −10."
        assert sentence.format(*players[1:3]) in history
        assert "Reason: Misread" in history
        # It counts once, whatever is pressed afterwards.
        page.void(old)
        page.count_again(old)
        assert sorted(Tally.objects.values_list("net", flat=True)) == [-50, -10, 60]

    def test_a_locked_season_is_unlocked_for_a_correction_and_locked_again(self, club, players, page):
        season = Season.objects.create(
            club=club, name="2025", starts_on="2025-09-01", ends_on="2025-12-31", rules=["bmja"]
        )
        old = self.saved(page, "60", "-40", "-20")
        Season.objects.update(locked=True)
        asked = page.enter("60", "-50", "-10", session=old.pk)
        sentence = "The season “2025” is locked. If the correction is right, save it all the same."
        assert (asked.status_code, errors(asked)) == (422, [sentence])
        assert "Unlock, correct, lock again" in asked.content.decode()
        assert sorted(old.tallies.values_list("net", flat=True)) == [-40, -20, 60]
        assert page.enter("60", "-50", "-10", session=old.pk, do="unlock").status_code == 302
        assert sorted(old.tallies.values_list("net", flat=True)) == [-50, -10, 60]
        season.refresh_from_db()
        assert season.locked
        why = Change.objects.of_club(club).filter(subject_type="season").values_list("why", flat=True)
        assert list(why) == ["Totals of table 1 on 13 November 2025"] * 2

    def test_a_player_is_exchanged_and_the_table_moved(self, club, players, page):
        old = self.saved(page, "60", "-60")
        changes = {"player_2": players[3].pk, "table": "4", "session": old.pk}
        assert page.enter("60", "-60", **changes).status_code == 302
        new = Session.objects.get(imported=True, void=False)
        assert new.table == 4
        assert set(new.tallies.values_list("player", flat=True)) == {players[0].pk, players[3].pk}

    def test_what_the_form_does_not_ask_stays(self, club, players, page):
        old = self.saved(page, "60", "-60", hands_1="16", hands_2="16")
        Tally.objects.filter(session=old, player=players[0]).update(won=5, gained=100, lost=-40)
        page.enter("60", "-64", "4", session=old.pk, hands_1="16", hands_2="16")
        found = Tally.objects.filter(session__void=False, player=players[0]).values("won", "gained", "lost", "net")
        assert list(found) == [{"won": 5, "gained": 100, "lost": -40, "net": 60}]

    def test_nothing_changed_writes_nothing(self, club, players, page):
        old = self.saved(page, "60", "-60")
        before = everything_of(club)
        assert page.enter("60", "-60", session=old.pk).status_code == 302
        assert everything_of(club) == before

    def test_points_that_do_not_add_up_cancel_nothing(self, club, players, page):
        old = self.saved(page, "60", "-60")
        before = everything_of(club)
        answer = page.enter("60", "-64", session=old.pk)
        assert (answer.status_code, errors(answer)) == (422, ["Table 1 on 13 November 2025 adds up to −4, not 0."])
        assert everything_of(club) == before

    def test_someone_who_has_left_can_still_be_in_them(self, club, players, page):
        old = self.saved(page, "60", "-60")
        Player.objects.filter(pk=players[1].pk).update(left_on="2025-12-01")
        assert page.open(session=old.pk).context["form"]["player_2"].value() == players[1].pk
        assert page.enter("64", "-64", session=old.pk).status_code == 302

    def test_only_the_secretary_is_led_there(self, club, players, page):
        old = self.saved(page, "60", "-60")
        sheet = reverse("session-sheet", args=[club.slug, old.pk])
        link = f'href="{reverse("enter-totals", args=[club.slug])}?session={old.pk}"'
        keeper = signed_in(club.memberships.get(role="scorekeeper").user)
        assert link in page.get(sheet).content.decode()
        assert link not in keeper.get(sheet).content.decode()
