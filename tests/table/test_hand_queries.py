"""Is that right?: asking about a hand, the secretary's answer, who sees what, and the log."""

from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.urls import reverse

from sessions_app.exchange.exports.club_csv import log_csv
from sessions_app.models import Change, Entry, HandQuery, User
from tests.factories import record, totals
from tests.logins import signed_in
from tests.reconciled import reconcile

WORDS = "I had 40, not 20."


def of_hand(name, at_home):
    return reverse(name, args=[at_home.club.slug, at_home.table_session.pk, at_home.hand_key])


def ask(user, at_home, text=WORDS):
    return signed_in(user).post(of_hand("hand-query", at_home), {"text": text})


def answer(at_home, outcome="stands", text="The tiles say 20.", query=None):
    query = query or HandQuery.objects.get()
    address = reverse("score-query", args=[at_home.club.slug, query.pk])
    return signed_in(at_home.secretary).post(address, {"outcome": outcome, "text": text})


def page(user, at_home):
    return signed_in(user).get(of_hand("hand", at_home)).content.decode()


def test_a_member_asks_the_secretary_answers_and_the_asker_reads_it_with_the_hand(at_home):
    asked = ask(at_home.member, at_home)
    assert (asked.status_code, asked["Location"]) == (302, of_hand("hand", at_home))
    assert "The secretary has not answered yet." in page(at_home.member, at_home)
    desk = signed_in(at_home.secretary).get(reverse("desk", args=[at_home.club.slug]))
    assert "1 score query to answer<" in desk.content.decode()
    open_ones = signed_in(at_home.secretary).get(reverse("score-queries", args=[at_home.club.slug]))
    assert [found.query.text for found in open_ones.context["waiting"]] == [WORDS]

    assert answer(at_home).status_code == 302
    shown = page(at_home.member, at_home)
    for words in (WORDS, "bramley-member", "bramley-secretary", "The score is right.", "The tiles say 20."):
        assert words in shown
    assert "has not answered" not in shown
    waiting = signed_in(at_home.secretary).get(reverse("score-queries", args=[at_home.club.slug])).context
    assert (waiting["waiting"], [found.query.outcome for found in waiting["answered"]]) == ([], ["stands"])


def club_page(user, at_home):
    return signed_in(user).get(reverse("club", args=[at_home.club.slug])).content.decode()


ANSWERED = "The secretary has answered your question about"


def test_who_asked_finds_the_answer_on_the_clubs_page_until_it_is_read(at_home):
    ask(at_home.member, at_home)
    assert ANSWERED not in club_page(at_home.member, at_home)
    answer(at_home)
    shown = club_page(at_home.member, at_home)
    address = of_hand("hand", at_home)
    assert (
        f'{ANSWERED} <a href="{address}">hand 1 of table 1, 12 November</a>: the score is right. “The tiles say 20.”'
        in shown
    )
    assert ANSWERED not in club_page(at_home.scorekeeper, at_home)
    signed_in(at_home.scorekeeper).post(of_hand("answer-read", at_home))
    assert ANSWERED in club_page(at_home.member, at_home)
    read = signed_in(at_home.member).post(of_hand("answer-read", at_home))
    assert read["Location"] == reverse("club", args=[at_home.club.slug])
    assert ANSWERED not in club_page(at_home.member, at_home)


def test_the_sheet_marks_a_hand_while_its_question_is_open(at_home):
    sheet = reverse("session-sheet", args=[at_home.club.slug, at_home.table_session.pk])
    sheets = reverse("meeting-sheets", args=[at_home.club.slug, at_home.table_session.meeting_id])
    marked = []
    for step in (None, ask, answer):
        if step:
            step(*([at_home.member, at_home] if step is ask else [at_home]))
        pages = [signed_in(at_home.member).get(one).content.decode() for one in (sheet, sheets)]
        marked.append(["score query" in one for one in pages])
    assert marked == [[False, False], [True, True], [False, False]]


@pytest.mark.parametrize("is_away", [False, True])
def test_the_answer_comes_by_mail_and_a_mail_server_that_is_away_holds_up_nothing(
    at_home, settings, django_capture_on_commit_callbacks, is_away
):
    settings.SENDS_MAIL, settings.SITE = True, urlsplit("https://club.example.org")
    settings.DEFAULT_FROM_EMAIL = "scores@example.org"
    if is_away:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    User.objects.filter(pk=at_home.member.pk).update(email="pat@example.org", email_confirmed=True)
    ask(at_home.member, at_home)
    with django_capture_on_commit_callbacks(execute=True):
        assert answer(at_home).status_code == 302
    assert HandQuery.objects.get().outcome == "stands"
    assert [one.to for one in mail.outbox] == ([] if is_away else [["pat@example.org"]])
    for one in mail.outbox:
        assert one.subject == "Bramley: your question about hand 1"
        assert one.body == (
            "You asked about hand 1 of table 1, 12 November 2026:\n\n  I had 40, not 20.\n\n"
            "The secretary has answered: the score is right.\n\n  The tiles say 20.\n\n"
            f"The hand: https://club.example.org{of_hand('hand', at_home)}\n"
        )


def test_no_answer_goes_to_an_address_that_is_not_confirmed_nor_where_clubs_send_no_mail(
    at_home, settings, django_capture_on_commit_callbacks
):
    settings.SENDS_MAIL, settings.SITE = True, urlsplit("https://club.example.org")
    settings.DEFAULT_FROM_EMAIL = "scores@example.org"
    User.objects.filter(pk=at_home.member.pk).update(email="pat@example.org")
    for emails_per_day, is_confirmed in ((100, False), (0, True)):
        settings.CLUB_EMAILS_PER_DAY = emails_per_day
        User.objects.filter(pk=at_home.member.pk).update(email_confirmed=is_confirmed)
        ask(at_home.member, at_home)
        with django_capture_on_commit_callbacks(execute=True):
            assert answer(at_home).status_code == 302
        HandQuery.objects.all().delete()
    assert mail.outbox == []


def test_put_right_is_believed_only_of_a_hand_that_changed(at_home):
    ask(at_home.member, at_home)
    refused = answer(at_home, "corrected", "You are right.")
    assert refused.status_code == 422
    assert "This hand has not changed since the query." in refused.content.decode()
    assert "You are right." in refused.content.decode()
    body = {**totals(at_home.table_session, 1, seat1=100, seat2=40)}
    record(at_home.table_session, {"entry": at_home.hand_key, "body": body}, kind="correct")
    assert answer(at_home, "corrected", "You are right.").status_code == 302
    assert HandQuery.objects.get().outcome == "corrected"
    again = answer(at_home)
    assert (again.status_code, "already been answered" in again.content.decode()) == (422, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("  ", "Enter what you think is wrong."),
        ("x" * 501, "Enter 500 characters or fewer."),
    ],
)
def test_what_is_typed_wrongly_comes_back(at_home, text, sentence):
    refused = ask(at_home.member, at_home, text)
    assert (refused.status_code, sentence in refused.content.decode()) == (422, True)
    assert text.strip() in refused.content.decode()
    assert not HandQuery.objects.exists()


def test_asking_twice_waits_for_the_first_answer(at_home):
    ask(at_home.member, at_home)
    again = ask(at_home.member, at_home, "And another thing.")
    assert again.status_code == 422
    assert "You have already asked about this hand." in again.content.decode()
    assert "And another thing." in again.content.decode()
    assert ask(at_home.scorekeeper, at_home).status_code == 302
    answer(at_home, query=HandQuery.objects.first())
    assert ask(at_home.member, at_home, "And another thing.").status_code == 302
    assert HandQuery.objects.count() == 3


def test_a_removed_hand_cannot_be_asked_about(at_home):
    record(at_home.table_session, {"entry": at_home.hand_key}, kind="take_out")
    refused = ask(at_home.member, at_home)
    assert (refused.status_code, "has been removed" in refused.content.decode()) == (422, True)


def test_a_tablet_asks_while_its_table_is_in_play(client, at_home):
    client.get(reverse("by-key", args=[at_home.table_session.scoring_key]))
    assert client.post(of_hand("hand-query", at_home), {"text": WORDS}).status_code == 302
    assert "tablet at table 1" in page(at_home.member, at_home)
    assert client.get(reverse("score-queries", args=[at_home.club.slug])).status_code == 302
    answer(at_home)
    table = reverse("table", args=[at_home.club.slug, at_home.table_session.pk])
    sentence = "The secretary has answered a question about"
    assert sentence in client.get(table).content.decode()
    assert sentence not in signed_in(at_home.scorekeeper).get(table).content.decode()
    assert client.post(of_hand("answer-read", at_home))["Location"] == table
    assert sentence not in client.get(table).content.decode()
    record(at_home.table_session, {}, kind="finish")
    assert client.post(of_hand("hand-query", at_home), {"text": "More."}).status_code == 403
    assert "Ask about this hand" not in client.get(of_hand("hand", at_home)).content.decode()


def test_the_log_tells_it_and_the_hand_stays_as_it_is(at_home):
    before = Entry.objects.values_list("body", "version").get(key=at_home.hand_key)
    ask(at_home.member, at_home)
    answer(at_home)
    assert Entry.objects.values_list("body", "version").get(key=at_home.hand_key) == before
    assert reconcile() == []
    lines = log_csv(at_home.club)
    about = "hand 1 at table 1 of 12 November 2026"
    assert f"bramley-member sent a score query about {about}." in lines
    assert f"bramley-secretary answered the score query about {about}: the score is right." in lines
    assert WORDS not in lines
    assert not Change.objects.filter(action__in=["ask", "answer"]).exclude(why="").exists()


def test_undo_passes_over_what_was_asked(at_home):
    ask(at_home.member, at_home)
    assert record(at_home.table_session, {}, kind="undo").outcome == "recorded"
    assert Entry.objects.get(key=at_home.hand_key).removed
    assert WORDS in page(at_home.member, at_home)
