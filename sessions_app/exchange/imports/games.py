"""Games that no club has come into one: all that a tablet brings are looked at together, and each comes in once."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from clubscore.play.meeting_lines import MOST_ENTRIES, MOST_GAMES
from clubscore.play.start import SENTENCES
from sessions_app.exchange.imports.meeting import (
    Brought,
    Loaded,
    Loader,
    add_seasons,
    finish,
    note_import,
    refuse_open_questions,
)
from sessions_app.exchange.imports.meeting_file import MeetingFile, read_games
from sessions_app.exchange.imports.meeting_plan import Plan, plans_of
from sessions_app.exchange.imports.name_matches import Names, People
from sessions_app.exchange.imports.sheet_values import ImportRefused, counted, refuse_too_many
from sessions_app.exchange.imports.totals_plan import Answers, Source
from sessions_app.models import Club, Command, Import, Meeting, Season
from sessions_app.people.dates import day_words
from sessions_app.people.log import Actor
from sessions_app.people.transactions import write_transaction
from sessions_app.table.season_assignment import season_for_session
from sessions_app.table.start_form import meeting_choices
from sessions_app.table.what_will_be import TableQuestion, TableResults, questions_about_tables

ALL_LEFT_OUT = "Every game is left out. Untick one of them."
NO_HANDS = "No hand was saved in it."
TWICE = "It is here twice. The other one has as many hands or more."


@dataclass
class Game:
    """A game with its meeting; `loaded` is what putting it into the club would do."""

    file: MeetingFile
    plans: list[Plan] = field(default_factory=list)
    fault: str = ""
    is_left_out: bool = False
    # Every hand of it is in the club.
    is_known: bool = False
    loaded: Loaded = field(default_factory=Loaded)
    meeting_name: str = ""
    league: str = ""
    season: Season | None = None

    @property
    def comes_in(self) -> bool:
        return not (self.fault or self.is_left_out or self.is_known)

    @property
    def day_words(self) -> str:
        return day_words(self.file.date)

    @property
    def table(self) -> int:
        return self.loaded.tables[0][0] if self.loaded.tables else 0

    @property
    def totals(self) -> dict[str, int]:
        return self.loaded.session_totals


@dataclass
class GamesPreview:
    """What would become of games, and what is asked about them; nothing is written."""

    names: Names
    games: list[Game]
    # Days with several meetings: the field, its label, its choices, which is chosen.
    days: list[tuple[str, str, list[tuple[str, str]], str]] = field(default_factory=list)
    # The seasons of each league to choose from, where it can differ, and the league that is chosen.
    leagues: list[tuple[str, str]] = field(default_factory=list)
    league: str = ""
    made: list[str] = field(default_factory=list)
    table_questions: list[TableQuestion] = field(default_factory=list)
    accepted: Collection[str] = ()

    @property
    def adds(self) -> list[Game]:
        return [game for game in self.games if game.comes_in]

    @property
    def shown(self) -> list[Game]:
        """Those to look at: not what the club has already."""
        return [game for game in self.games if not game.is_known]

    @property
    def known(self) -> list[Game]:
        return [game for game in self.games if game.is_known]

    @property
    def faults(self) -> list[str]:
        """Why nothing at all can be put into the club."""
        return [game.fault for game in self.games if game.fault] if not self.adds and not self.known else []

    @property
    def totals(self) -> dict[str, int]:
        """Everyone’s total of all games, best first."""
        found: Counter[str] = Counter()
        for game in self.adds:
            for name, total in game.totals.items():
                found[self.names.players.get(name, name)] += total
        return dict(sorted(found.items(), key=lambda row: -row[1]))

    @property
    def notes(self) -> list[str]:
        """Where the games count."""
        seasons = Counter(str(game.season) if game.season else "" for game in self.adds)
        counts = []
        for name, number in seasons.items():
            where = f"in the season “{name}”" if name else "in no league table. No season of that day has its rules"
            counts.append(f"{counted(number, 'game')} will count {where}.")
        return [*self.made, *counts]

    def refuse_open(self) -> None:
        """Raise ImportRefused while a name, a meeting or a fault is open."""
        faults = [game.fault for game in self.games if game.fault and not game.is_left_out]
        asked = [SENTENCES["meeting"] for *_, chosen in self.days if not chosen]
        none = [ALL_LEFT_OUT] if self.shown and not self.adds else []
        if sentences := [*faults, *self.names.open_questions, *asked[:1]] or none:
            raise ImportRefused(*sentences)


def preview_games(club: Club, text: str, chosen: Mapping[str, Any], *, by: Actor) -> GamesPreview:
    """Return what games would do to this club; everything is worked out in memory, and nothing is locked."""
    files = read_games(text.encode())
    refuse_too_many(len(files), MOST_GAMES, "games")
    refuse_too_many(sum(len(file.tables[0].hands) + len(file.tables[0].lines) for file in files), MOST_ENTRIES, "hands")
    left_out = set(chosen.getlist("leave_out") if hasattr(chosen, "getlist") else chosen.get("leave_out", ()))
    games = [Game(file, is_left_out=str(number) in left_out) for number, file in enumerate(files)]
    for game in games:
        try:
            game.plans = plans_of(game.file)
        except ImportRefused as refused:
            game.fault = str(refused)
    _find_known(club, games)
    for game in games:
        # A tablet may have another version of a game, read back from a copy.
        same = [other for other in games if other.comes_in and other.file.game == game.file.game != ""]
        if game.comes_in and game is not max(same, key=lambda other: len(other.plans[0].steps), default=game):
            game.fault = TWICE
    people = [name for game in games if game.comes_in for name in [*(game.file.members or []), *game.file.players]]
    preview = GamesPreview(Names(club, dict.fromkeys(people, []), chosen, is_asked=True), games)
    _find_meetings(club, preview, chosen)
    _find_seasons(club, preview)
    _try_out(club, preview, by)
    results = [table for game in preview.adds for table in game.loaded.results]
    preview.table_questions, preview.accepted = _questions(club, results), Answers.of(chosen).accepted
    return preview


def import_games(club: Club, text: str, chosen: Mapping[str, Any], *, by: Actor) -> list[Game]:
    """Put games into a club, all or none, and return them; or raise ImportRefused and write nothing.

    The games of a day that is past have finished, and those that were finished.
    """
    whole = Loaded()
    with write_transaction():
        preview = preview_games(club, text, chosen, by=by)
        preview.refuse_open()
        games = preview.adds
        for league in {game.league for game in games}:
            of_league = [game for game in games if game.league == league]
            plans = [plan for game in of_league for plan in game.plans]
            add_seasons(club, league, [game.file.date for game in of_league], plans, whole, by)
        people = People(club)
        for game in games:
            loaded = Loaded()
            same = {name: player for name, player in preview.names.same.items() if name in game.file.players}
            Loader(game.file, game.plans, by, club, loaded, people, game.meeting_name).run(same)
            finish(loaded, game.file, by, club)
            _add(whole, loaded)
        whole.table_questions = _questions(club, whole.results)
        refuse_open_questions(whole, Answers.of(chosen))
        if games:
            name = counted(len(games), "game") if len(games) > 1 else ""
            note_import(club, whole, by, Brought(source=Source(name, text.encode()), kind=Import.Kind.GAME))
    return games


def _find_known(club: Club, games: list[Game]) -> None:
    """Find the games of which the club has every hand, as it is in the game."""
    steps = [step for game in games for plan in game.plans for step in plan.steps]
    keys = {key for step in steps for key in (step.key, step.key_before)}
    rows = Command.objects.filter(session__club=club, key__in=keys)
    had = {str(key): body for key, body in rows.values_list("key", "body")}

    def is_same(step):
        key = step.key if step.key in had else step.key_before
        return key in had and (not step.hand or had[key] == step.body)

    for game in games:
        own = [step for plan in game.plans for step in plan.steps]
        game.fault = game.fault or ("" if own else NO_HANDS)
        game.is_known = not game.fault and all(map(is_same, own))


def _find_meetings(club: Club, preview: GamesPreview, chosen: Mapping[str, Any]) -> None:
    """Find the meeting of its day that each game becomes part of: the only one, or the one chosen.

    On a day without a meeting, one is made: in the league that was chosen, else in the one that most days propose.
    """
    days = {game.file.date for game in preview.games if game.comes_in}
    meetings: dict[date, list[Meeting]] = {day: [] for day in sorted(days)}
    for meeting in Meeting.objects.to_play_at(club).filter(date__in=days):
        meetings[meeting.date].append(meeting)
    found: dict[date, Meeting] = {}
    for day, of_day in meetings.items():
        name = f"meeting_{day}"
        which = [meeting for meeting in of_day if len(of_day) == 1 or str(meeting.pk) == chosen.get(name, "")]
        if which:
            found[day] = which[0]
        if len(of_day) > 1:
            choices = meeting_choices(of_day, club.today)
            preview.days.append((name, day_words(day), choices, str(which[0].pk) if which else ""))
    alone = [day for day, of_day in meetings.items() if not of_day]
    proposed = Counter(Meeting.objects.league_of(club, day) for day in alone if club.leagues)
    league = chosen.get("league", "")
    preview.league = league if league in club.leagues else max(proposed, key=lambda name: proposed[name], default="")
    if proposed:
        preview.leagues = [(name, _seasons_in_words(club, name, alone)) for name in club.leagues]
    for game in preview.games:
        if its_meeting := found.get(game.file.date):
            game.meeting_name, game.league = its_meeting.name, its_meeting.league
        else:
            game.meeting_name, game.league = "", preview.league
        game.file = replace(game.file, league=game.league)


def _seasons_in_words(club: Club, league: str, days: list[date]) -> str:
    """Name the seasons of a league in which these days are."""
    seasons = Season.objects.of_club(club).filter(league=league, starts_on__lte=max(days), ends_on__gte=min(days))
    names = [str(season) for season in seasons.order_by("starts_on")]
    return " and ".join(names) or f"{league}, a new season"


def _find_seasons(club: Club, preview: GamesPreview) -> None:
    seasons, made = list(Season.objects.of_club(club)), Loaded()
    for league in dict.fromkeys(game.league for game in preview.adds):
        of_league = [game for game in preview.adds if game.league == league]
        plans = [plan for game in of_league for plan in game.plans]
        seasons += add_seasons(club, league, [game.file.date for game in of_league], plans, made, None)
    preview.made += made.made
    for game in preview.adds:
        table, recording = game.file.tables[0], game.plans[0].ledger.house.recording
        game.season = season_for_session(seasons, game.file.date, table.rules, recording, game.league)


def _try_out(club: Club, preview: GamesPreview, by: Actor) -> None:
    taken: set[tuple[date, int]] = set()
    for game in preview.adds:
        facts = (game.file, game.plans, by, club, game.loaded, preview.names.people, game.meeting_name)
        try:
            Loader(*facts, is_preview=True, taken=taken).run(preview.names.same)
        except ImportRefused as refused:
            game.fault = str(refused)


def _questions(club: Club, results: list[TableResults]) -> list[TableQuestion]:
    """Return what is asked of games; each is a round of its own, so nobody is at two tables of it."""
    return [question for question in questions_about_tables(club, results) if question.kind != "two tables"]


def _add(whole: Loaded, loaded: Loaded) -> None:
    """Add what one game did to what all did."""
    whole.recorded += loaded.recorded
    whole.results += loaded.results
    whole.started += loaded.started
    whole.longer += loaded.longer
    for kind, rows in loaded.added.items():
        whole.added.setdefault(kind, []).extend(rows)
