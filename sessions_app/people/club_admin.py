"""Club admin: what is to do, a new club's first steps, and its pages in the order of the work."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone

from sessions_app.models import (
    Change,
    Club,
    ClubRules,
    Command,
    Contact,
    HandQuery,
    Import,
    Meeting,
    MeetingFee,
    Player,
    Season,
    Session,
    Subscription,
    WaitingGame,
)
from sessions_app.people.dates import FIRST_DAY, PLAYED, day_words

# How many tables, meetings with fees owing and years with subscriptions owing are listed one by one.
MANY = 5
CLOCKS_DIFFER = timedelta(minutes=10)
TWO_WEEKS, A_MONTH = timedelta(days=14), timedelta(days=30)
ENOUGH_PLAYERS = 4

# What the log calls a download from which the club can be restored.
BACKUP = "a backup of the whole club"

# URL name, page title, what it is for, and other words by which it is looked for, in the order they are needed.
SECTIONS = {
    "Meeting day": (
        (
            "meetings",
            "Meetings",
            "Who is here, the seating draw, the clock, results and fees.",
            "email send message chat WhatsApp calendar attendance came register coming reply pairs plan cancel",
        ),
        ("session-start", "Start a table", "One table: date, players and rules.", "new game score tablet"),
        (
            "session-start",
            "Type in a paper score sheet",
            "Start the table first, then open the sheet from its page.",
            "written scores",
        ),
        ("enter-totals", "Enter totals", "The results of a table, without its hands.", "scores correct wrong"),
        ("hall", "Watch all tables", "Everyone’s balances, for a big screen.", "television projector"),
        ("score-queries", "Score queries", "Questions about a hand, and your answers.", "wrong score dispute"),
        ("late", "Hands to check", "Late hands, or two versions of the same hand.", "twice conflict"),
        (
            "prints",
            "Paper",
            "Blank score sheets, the noticeboard, lists, certificates and the annual meeting.",
            "AGM annual general meeting print poster attendance register",
        ),
    ),
    "League": (
        (
            "standings",
            "League table",
            "Everyone’s position, and other ways to rank players.",
            "ranking chart pictures what if statistics report averages winner",
        ),
        ("noticeboard", "Noticeboard", "The league table and the best hands, to print.", "poster wall newsletter"),
        (
            "seasons",
            "Seasons",
            "First and last days, and how players are ranked.",
            "handicap lock new next year minimum method second two Tuesday Thursday",
        ),
        ("honours", "Roll of honour", "Special hands and records, with certificates.", "best limit"),
        (
            "trophies",
            "Trophies",
            "What the club gives at the end of a season.",
            "prizes awards winners AGM certificate",
        ),
        (
            "cups",
            "Cups",
            "Who won your club’s cups, year by year, with certificates.",
            "prizes awards AGM chairman shield",
        ),
    ),
    "People": (
        (
            "players",
            "Players",
            "Add or rename players, members and guests.",
            "merge twice duplicate same person new former left died lapsed contact address list email telephone "
            "numbers beginner import",
        ),
        (
            "people",
            "People and roles",
            "Who can do what, and invitations for new people.",
            "account password forgotten new secretary chairman committee scorekeeper treasurer hand over",
        ),
        (
            "data",
            "What is kept about people",
            "Download it for someone who asks, or erase their name.",
            "GDPR privacy delete remove forget",
        ),
    ),
    "Our rules": (
        (
            "house-rules",
            "House rules",
            "The rules your club uses, and everything you play differently.",
            "limit goulash",
        ),
        ("club-hands", "Own special hands", "Your club’s own special hands: tiles, score and dates.", "add"),
        (
            "rules-compare",
            "Compare rules",
            "Two kinds of rules, or two versions of your own, side by side.",
            "difference",
        ),
    ),
    "Money": (
        (
            "fees",
            "Who owes what",
            "Fees and subscriptions of everyone, and the totals for a year.",
            "treasurer reminder bank unpaid dues cash cheque",
        ),
        (
            "money-settings",
            "Fees and money",
            "What a meeting costs, and whether points are worth money.",
            "subscriptions treasurer price stake dues tea",
        ),
    ),
    "Club": (
        ("desk-settings", "Settings", "Name, address, logo, time zone, usual venue and start, tally sticks.", "rename"),
        ("public-settings", "Public pages", "What people outside the club can see.", "website internet privacy"),
        ("log", "History", "Who changed what, when and why.", "undo mistake restore cancelled take back"),
        (
            "imports",
            "Import",
            "Add players, past totals or past meetings from a file. Check them before you save.",
            "spreadsheet excel members list upload",
        ),
        (
            "exports",
            "Export",
            "Back up the whole club, or download any list as a spreadsheet.",
            "backup restore copy excel csv",
        ),
    ),
}


def next_meeting(club: Club) -> Meeting | None:
    """Return today's meeting or the next one that is planned; one query."""
    return Meeting.objects.of_club(club).filter(date__gte=club.today).order_by("date", "starts_at", "pk").first()


def sections(club: Club) -> list[tuple[str, list[tuple[str, str, str, str]]]]:
    """Return the pages of Club admin; fees only if the club keeps them."""
    return [
        (title, [page for page in pages if page[0] != "fees" or club.keeps_fees]) for title, pages in SECTIONS.items()
    ]


def number_to_do(club: Club) -> int:
    """Count the score queries, hands, games and tables never finished that wait, for the page head; one query."""
    queries, *others = _waiting_for_the_secretary(club)
    return queries.values("pk").union(*(waiting.values("pk") for waiting in others), all=True).count()


def _waiting_for_the_secretary(club: Club) -> tuple[QuerySet[Any], ...]:
    played = Session.objects.of_club(club).being_played()
    queries, hands = HandQuery.objects.of_club(club).open(), Command.objects.of_club(club).waiting()
    return queries.order_by(), hands, WaitingGame.objects.of_club(club), played.filter(date__lt=club.today)


def to_do(club: Club) -> list[tuple[str, str]]:
    """Return what waits for the secretary as (sentence, address), the most urgent first; a fixed number of queries."""
    behind = clock_behind(Change.objects.of_club(club), club.time_zone)
    found = [(f"{behind}: tell the person who looks after it", _address(club, "log"))] if behind else []
    asked, late, brought, never_finished = _waiting_for_the_secretary(club)
    if queries := asked.count():
        found.append((f"{queries} score quer{pluralize(queries, 'y,ies')} to answer", _address(club, "score-queries")))
    if hands := late.count():
        found.append((f"{hands} hand{pluralize(hands)} to check", _address(club, "late")))
    if brought.exists():
        found.append(("Games to import", _address(club, "waiting-games")))
    in_order = ("date", "table", "pk")
    for table in never_finished.order_by(*in_order)[:MANY]:
        never = f"Table {table.table} of {day_words(table.date)} was never finished"
        found.append((never, _address(club, "table", table.pk)))
    to_come = Q(date__gt=club.today + timedelta(days=PLAYED.after))
    wrongly_dated = Session.objects.of_club(club).filter(Q(date__lt=FIRST_DAY) | to_come, void=False)
    for table in wrongly_dated.order_by(*in_order)[:MANY]:
        wrong = f"Table {table.table} is dated {day_words(table.date)}. Move it if that is wrong"
        found.append((wrong, _address(club, "session-move", table.pk)))
    if club.keeps_fees:
        found += [*_fees_owing(club), *_subscriptions_owing(club)]
    return [*found, *_not_sent(club), *_backup(club)]


def _address(club: Club, name: str, *args: int) -> str:
    return reverse(name, args=[club.slug, *args])


def _fees_owing(club: Club) -> Iterator[tuple[str, str]]:
    unpaid = MeetingFee.objects.of_club(club).filter(paid=False, player__erased_as="")
    owed = unpaid.exclude(table_fee=0, refreshments=0).values_list("meeting", "meeting__date")
    sums = owed.annotate(people=Count("pk"), owed=Sum(F("table_fee") + F("refreshments")))
    for meeting, day, people, amount in sums.order_by("-meeting__date", "meeting")[:MANY]:
        sentence = f"{club.currency}{amount:.2f} is still owed by {_people(people)} for {day_words(day)}"
        yield sentence, _address(club, "meeting-fees", meeting)


def _people(number: int) -> str:
    return f"{number} {pluralize(number, 'person,people')}"


def _subscriptions_owing(club: Club) -> Iterator[tuple[str, str]]:
    """Each year's; this year's with the members for whom nothing is entered yet, as their page counts them."""
    owed = Subscription.objects.of_club(club).filter(paid=False, player__erased_as="").exclude(amount=0)
    sums = owed.values_list("year").annotate(people=Count("pk"), sum=Sum("amount"))
    owing = {year: (people, amount) for year, people, amount in sums}
    if club.subscription:
        year, members = club.year, Player.objects.of_club(club).present().filter(guest=False, to_confirm=False)
        others = members.exclude(subscriptions__year=year).count()
        people, amount = owing.get(year, (0, 0))
        owing[year] = people + others, amount + others * club.subscription
    for year, (people, amount) in sorted(owing.items(), reverse=True)[:MANY]:
        if people:
            words = club.year_words(year)
            sentence = f"{club.currency}{amount:.2f} is still owed by {_people(people)} in subscriptions for {words}"
            yield sentence, f"{_address(club, 'subscriptions')}?year={year}"


def clock_behind(changes: QuerySet[Change], time_zone: str) -> str:
    """Say so if the newest record is dated ahead of the clock by more than two machines differ, else return ""."""
    newest = changes.order_by("-pk").values_list("at", flat=True).first()
    if not newest or newest <= timezone.now() + CLOCKS_DIFFER:
        return ""
    last, now = (moment.astimezone(ZoneInfo(time_zone)) for moment in (newest, timezone.now()))
    return (
        f"The last record is of {day_words(last)}, {last:%H:%M}, but the computer that keeps the scores says it is "
        f"{day_words(now)}, {now:%H:%M}. Its clock is wrong"
    )


def _not_sent(club: Club) -> Iterator[tuple[str, str]]:
    """The last meeting, if every table has finished, members have an address, and nothing was sent yet."""
    sessions = Session.objects.filter(meeting=OuterRef("pk"), practice=False)
    played = Meeting.objects.of_club(club).filter(
        Exists(sessions),
        ~Exists(sessions.filter(state=Session.State.OPEN)),
        Exists(Contact.objects.of_club(club).exclude(email="")),
        date__range=(club.today - TWO_WEEKS, club.today),
    )
    last = played.order_by("-date", "-pk").first()
    if last and not Change.objects.of_club(club).filter(action="mail", subject_id=str(last.pk)).exists():
        yield f"The results of {day_words(last.date)} have not been sent", _address(club, "meeting-mail", last.pk)


def _backup(club: Club) -> Iterator[tuple[str, str]]:
    """The last backup of the whole club, if that was long ago; a club without sessions needs none."""
    last = last_downloaded(club)
    if Session.objects.of_club(club).exists() and (last is None or last <= club.today - A_MONTH):
        when = f"Last backup: {day_words(last)}" if last else "No backup yet"
        yield f"Back up the club. {when}", _address(club, "exports")


def last_downloaded(club: Club) -> date | None:
    """Return the day on which the whole club was last downloaded, in its time zone, if ever."""
    backups = Change.objects.of_club(club).filter(action="export", after__what__in=[BACKUP, "the whole club"])
    last = backups.order_by("-pk").values_list("at", flat=True).first()
    return last and last.astimezone(ZoneInfo(club.time_zone)).date()


@dataclass(frozen=True)
class FirstStep:
    """One of a new club's first steps."""

    words: str
    page: str
    is_done: bool
    is_needed: bool = True


def first_steps(club: Club) -> list[FirstStep]:
    """Return a new club's first steps with those done; none once all that are needed are done. At most two queries."""
    sessions = Session.objects.filter(club=OuterRef("pk"), practice=False)
    [has] = Club.objects.filter(pk=club.pk).values(
        present=Count("players", filter=Q(players__left_on=None)),
        own_rules=Exists(ClubRules.objects.filter(club=OuterRef("pk"))),
        season=Exists(Season.objects.filter(club=OuterRef("pk"))),
        imported=Exists(Import.objects.filter(club=OuterRef("pk"))),
        played=Exists(sessions.filter(imported=False)),
    )
    # A club that has no table of hands may enter the totals of its tables.
    has["played"] = has["played"] or Change.objects.of_club(club).filter(action="enter totals").exists()
    steps = [
        FirstStep("Add your players", "players", has["present"] >= ENOUGH_PLAYERS),
        FirstStep("Add a season", "seasons", has["season"]),
        FirstStep("Choose your rules", "house-rules", has["own_rules"] or has["played"]),
        FirstStep("Start a table", "session-start", has["played"]),
        FirstStep("Import earlier results, if you have any", "imports", has["imported"], is_needed=False),
    ]
    return [] if all(step.is_done for step in steps if step.is_needed) else steps
