"""Private screens on a phone: each is seen at once, however much there is to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from io import BytesIO
from itertools import count
from random import randbytes
from typing import Final, TypeAlias

import discord
from selenium.webdriver import Chrome

from bot.games.catalogue import CATALOGUE, badges_of
from bot.games.variants import duels
from bot.locales import shipped
from bot.message.blocks import Picture, Prose, Screen
from bot.message.text import Text
from bot.records.badges import PUZZLE_WEEK
from bot.records.puzzles import Edition, LeagueLine, PuzzleAnswer, PuzzleDay, PuzzleRecord
from bot.records.rating import Rating, Season
from bot.records.results import Outcome
from bot.records.reviewed import ReviewedGame, SeatReview, TurningPoint
from bot.records.standings import Standing, Tally
from bot.records.summaries import (
    GAMES_ON_A_PAGE,
    EarnedBadge,
    Finished,
    History,
    Leaderboard,
    LevelResult,
    Opponent,
    Point,
    Ranked,
    Remembered,
    ReviewedPlay,
    Stats,
)
from bot.screens import puzzle as puzzle_screen
from bot.screens.help import COMMANDS, HelpPage, help_screen
from bot.screens.history import history
from bot.screens.leaderboard import PICTURE as PODIUM
from bot.screens.leaderboard import leaderboard, podium_picture
from bot.screens.lesson import trial
from bot.screens.me import me, question
from bot.screens.pager import PUZZLE, RecordKind, RecordsPage, Scope, When
from bot.screens.profiles import Profile
from bot.screens.puzzle import ANSWER, POSITION, Attempt, answered, news, puzzle_pictures, warning
from bot.screens.replay import Replay
from bot.screens.review import PICTURE as REVIEW
from bot.screens.review import review, review_picture
from bot.screens.settings import arena_settings, more_settings, settings
from bot.screens.stats import PICTURE, is_lettered, on_page, stats, stats_picture
from bot.screens.tournament import MOST_MATCHES, how, message
from bot.screens.tournament_panel import open_tournaments
from bot.screens.tournament_table import PICTURE as BRACKET
from bot.screens.tournament_table import shared, tournament_picture
from bot.screens.tournament_table import table as tournament_table
from bot.service.variations import Trial
from bot.storage.choices import Choices, Form, GuildSettings
from bot.table.seats import Computer, Human, Level, Pace, PersonId
from bot.table.session import Ending, SessionId
from bot.table.table import Place, Table
from bot.table.variation import Variation
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import advanced, decided, join, start
from bot.tournaments.tournament import (
    THE_SERVER,
    Competitor,
    EntryNumber,
    Format,
    Stage,
    Tournament,
    TournamentId,
)
from bot.ui.render import Drawing
from bot.ui.words import Words
from engine import review as reviews
from engine.game import Move, Options, Seat
from engine.review import Puzzle, Task
from tests.bot.english import ENGLISH_WORDS
from tests.bot.games.ludo.ludo_tables import random_moves, table
from tests.bot.kit import stored
from tests.bot.tournaments.test_tournaments import begun, played_out
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.test_ludo_on_a_phone import constructed
from tests.browser import Window
from tests.samples import Sample

HIGH: Final = 636
"""So much is seen at once on a phone of 360 x 740, in pixels."""
WIDTHS: Final = (360, 320)
"""The widths of phones, in pixels: a usual one, and the narrowest."""
SOME: Final = 1
"""The languages that are tried in a run."""
NOBODY: Final = discord.AllowedMentions.none()
NOW: Final = datetime(2026, 5, 1, tzinfo=UTC)
PEOPLE: Final = tuple(map(PersonId, range(11, 15)))
PROFILES: Final = dict(zip(PEOPLE, map(Profile, ("Ann", "Benedikta", "Цветана", "D")), strict=True))
LINKS: Final = {f"help.{key}": "https://example.org" for key in ("invite", "account", "source")}
SHOWN: Final = "return document.querySelector(`[data-message-id='${arguments[0]}']`) !== null"
DRAWN: Final = """
    const message = document.querySelector(`[data-message-id='${arguments[0]}']`);
    return [...message.querySelectorAll("img")].every((each) => each.complete);
"""
HEIGHT: Final = """
    const message = document.querySelector(`[data-message-id='${arguments[0]}']`);
    return message.getBoundingClientRect().height;
"""
DOWN_TO_BUTTON: Final = """
    const message = document.querySelector(`[data-message-id='${arguments[0]}']`);
    const button = message.querySelector(".row button");
    return button.getBoundingClientRect().bottom - message.getBoundingClientRect().top;
"""
POSTS: Final = frozenset({"news", "news ludo", "podium"})
"""Messages for all, of which what is below their button is read as one scrolls."""

Files: TypeAlias = dict[str, bytes]
Made: TypeAlias = tuple[Screen, Files]


def a_stats(number: int, words: Words, *, earned: int = 99) -> Made:
    """All that there can be to tell of a player."""
    friends = tuple(Opponent(person, Tally(8, 1, 3)) for person in PEOPLE[1:])
    levels = tuple(
        LevelResult(level, Tally(12, 3, 4)) for level in (Level.EASY, Level.MEDIUM, Level.HARD)
    )
    rating = Rating(27.0, 2.0)
    record = Stats(
        PEOPLE[0],
        "ludo",
        1,
        Standing(rating, Tally(4, 0, 5), streak=3, best_streak=4),
        favourites=friends,
        toughest=tuple(reversed(friends)),
        levels=(*levels, LevelResult(Level.EXPERT, Tally(12, 0, 44))),
        curve=tuple(Point(NOW, Rating(25 + step / 10, 3.0)) for step in range(40)),
        played=ReviewedPlay(12, 0.93, -0.04),
        badges=tuple(
            EarnedBadge(badge.key, NOW) for badge in badges_of("ludo") if badge != PUZZLE_WEEK
        )[:earned],
        found=frozenset(badge.key for badge in badges_of("ludo")),
    )
    days = {date(2026, 5, 1) - timedelta(day): PuzzleAnswer(day % 9 > 0) for day in range(40)}
    page = RecordsPage(RecordKind.STATS, "ludo", Scope.HERE, PEOPLE[0], number)
    puzzles = PuzzleRecord(days, date(2026, 5, 1))
    lettered = is_lettered(on_page(record, number), words)
    screen = stats(record, puzzles, page, reader=PEOPLE[0], private=False, lettered=lettered)
    shown = on_page(record, number)
    return screen, {PICTURE: stats_picture(shown, words)} if shown.can_be_drawn else {}


def a_history(_: Words) -> Made:
    """A full page in the middle, of games of four."""
    entries = tuple(
        Remembered(
            Finished(
                session=SessionId(1230 + number),
                game="ludo",
                guild=1,
                channel=1,
                ending=Ending.RESIGNED,
                at=NOW - timedelta(days=number),
                occupants=(*map(Human, PEOPLE[:3]), Computer(Level.EXPERT)),
                sides=(0, 1, 2, 3),
                result=None,
            ),
            outcome=Outcome.LOSS,
            opponents=tuple(map(Seat, (1, 2, 3))),
        )
        for number in range(GAMES_ON_A_PAGE)
    )
    page = RecordsPage(RecordKind.HISTORY, "ludo", Scope.HERE, PEOPLE[0], 1)
    return history(
        History(1, 3 * GAMES_ON_A_PAGE, entries), page, reader=PEOPLE[0], place=Place(1, 1)
    ), {}


@cache
def a_game() -> Table:
    """A whole game of Ludo of four people."""
    session = table(4, {}, random_moves(4, {}, 5_000, seed=1))
    return stored(replace(session, seats=tuple(map(Human, PEOPLE))))


def a_review(words: Words) -> Made:
    """Four players, three turning points with captures, one of a token of the reader."""
    session = a_game().session
    path = session.game.path(len(session.seats), session.options, session.moves)
    captures = [
        ply
        for ply, (at, move) in enumerate(zip(path, session.moves, strict=False))
        if at.die and at.victims(move)
    ]
    seats = tuple(SeatReview(0.91, 12, 0.3, -0.11, 0.21) for _ in session.seats)
    points = tuple(
        TurningPoint(ply - 1, path[ply].seat, session.moves[ply - 1], -0.23, None)
        for ply in captures[-3:]
    )
    found = ReviewedGame(0, tuple((0.25,) * 4 for _ in path), seats, points)
    [(lost, _), *_] = path[captures[-1]].victims(session.moves[captures[-1]])
    return review(a_game(), found, PEOPLE[lost]), {REVIEW: review_picture(a_game(), found, words)}


def a_replay(_: Words) -> Made:
    replay = Replay(a_game())
    return replay.screen(replay.stop_at(a_game().session.ply)), {}


def a_turn_replayed(words: Words) -> Made:
    """The turn of which there is most to tell."""
    replay = Replay(a_game())
    screens = [replay.screen(stop) for stop in range(replay.stop_at(a_game().session.ply))]

    def length(screen: Screen) -> int:
        told = [line for block in screen.blocks if isinstance(block, Prose) for line in block.lines]
        return sum(len(words.of(line)) for line in told if isinstance(line, Text))

    return max(screens, key=length), {}


@cache
def puzzle_of(task: Task) -> Puzzle:
    day = date(2026, 5, 1)
    while (found := reviews.puzzle(day)).task is not task:
        day += timedelta(1)
    return found


def a_puzzle(task: Task, *, in_words: bool = False) -> Callable[[Words], Made]:
    """The answer to a wrong one."""

    def made(_: Words) -> Made:
        puzzle = puzzle_of(task)
        tried = tuple(choice.move for choice in puzzle.answer.choices[-2:])
        attempt = Attempt(PuzzleAnswer(solved=False, tried=tried), PuzzleRecord({}, puzzle.day))
        return answered(puzzle, PEOPLE[0], attempt, in_words=in_words), {}

    return made


def a_second_try(_: Words) -> Made:
    """The question after a wrong answer, with the hint."""
    puzzle = puzzle_of(Task.HOLD)
    return puzzle_screen.question(puzzle, PEOPLE[0], wrong=puzzle.answer.choices[-1].move), {}


def a_try(_: Words) -> Made:
    """Four tokens that may move, two of which capture, and what was played until then."""
    sessions = [session for session in constructed(PEOPLE) if session.solo]
    session = max(sessions, key=lambda each: len(each.legal))
    return trial(Trial(a_game(), Variation(3, 9, 7, 0), session)), {}


def a_try_over(_: Words) -> Made:
    """Four who have played for all places, against computers and in the game itself."""
    places: Options = {"finish": "places"}
    session = table(4, places, random_moves(4, places, 5_000, seed=1), people=1)
    real = replace(session, seats=tuple(map(Human, PEOPLE)))
    return trial(Trial(stored(real), Variation(3, 9, 7, 0), session)), {}


def a_me(_: Words) -> Made:
    choices = Choices(Form.WORDS, language="es-419", blocked=frozenset(PEOPLE))
    return me(choices, [*shipped()]), {}


def a_settings(_: Words) -> Made:
    guild = GuildSettings(frozenset(range(1, 26)), language="pt-BR", news_channel=1 << 60)
    games = [replace(a_game(), id=SessionId(number)) for number in range(25)]
    return settings(guild, (), NOW, [*shipped()], games), {}


def more_of_settings(_: Words) -> Made:
    return more_settings(GuildSettings(winner_role=7), {8: 100 * "x"}), {}


def a_tournament(_: Words) -> Made:
    """A round of as many matches as its message lists."""
    people = 2 * MOST_MATCHES
    entries = tuple(Competitor(EntryNumber(n), PEOPLE[n % 4], n) for n in range(1, people + 1))
    pairs = [(n, (EntryNumber(2 * n + 1), EntryNumber(2 * n + 2))) for n in range(MOST_MATCHES)]
    running = Tournament(
        "tictactoe",
        {"size": 3, "line": 3},
        Format.SWISS,
        Pace.LIVE,
        64,
        PEOPLE[0],
        Stage.RUNNING,
        round=2,
        rounds=6,
        entries=entries,
    ).with_legs(pairs, round_=2)
    return message(HostedTournament(TournamentId(1), running, 1, 2, "en-US", thread=3)), {}


def open_tournaments_here(_: Words) -> Made:
    """As many as there can be, and the weekly arena, for one who may manage them all."""
    entry, options = duels()["connectfour-9x7"]
    entries = tuple(Competitor(EntryNumber(n), PEOPLE[n % 4]) for n in range(1, 13))
    tournaments = [
        HostedTournament(
            TournamentId(number),
            Tournament(entry.game.key, options, each, Pace.LIVE, 64, host, entries=entries),
            *(1, 1 << 60, "en-US"),
            starts_at=NOW + timedelta(hours=6),
        )
        for number, (each, host) in enumerate(
            [*dict.fromkeys([*Format][:3], PEOPLE[0]).items(), (Format.ARENA, THE_SERVER)], 1
        )
    ]
    return open_tournaments(tournaments, {}, PEOPLE[1], manages=True), {}


@cache
def an_arena() -> HostedTournament:
    """One of twelve who have played for a while, with as many away as are told of."""
    people = tuple(range(1, 21))
    found = Tournament("connectfour", {}, Format.ARENA, Pace.BLITZ, 64, THE_SERVER)
    for number in people:
        found = join(found, PersonId(number))
    found = advanced(start(found, {EntryNumber(number): number for number in people}))
    for leg in [*found.open_legs()][:4]:
        found = decided(found, leg, [1, 0], absent=[True, True])
    for turn in range(60):
        leg = next(found.open_legs())
        ranks = [int(number % 3 != turn % 2) for number in leg.entries]
        found = advanced(decided(found, leg, ranks, played=[True, True]))
    entries = (replace(each, person=PEOPLE[each.number % 4]) for each in found.entries)
    running = replace(found, entries=tuple(entries))
    ends_at = NOW + timedelta(minutes=12)
    return HostedTournament(TournamentId(1), running, 1, 2, "en-US", ends_at=ends_at, thread=3)


def a_table_of_arena(words: Words) -> Made:
    hosted = an_arena()
    drawn = tournament_picture(hosted.tournament, words, PROFILES)
    return tournament_table(hosted, 0), {BRACKET: drawn}


def settings_of_arena(_: Words) -> Made:
    chosen = GuildSettings(arena_channel=1 << 60, arena_next=NOW)
    return arena_settings(chosen, (), "connectfour-7x6"), {}


@cache
def a_bracket() -> tuple[HostedTournament, bytes]:
    """The largest tournament, over, with its picture."""
    over = played_out(begun(Format.KNOCKOUT, 64))
    people = tuple(replace(each, person=PEOPLE[each.number % 4]) for each in over.entries)
    hosted = HostedTournament(
        TournamentId(1), replace(over, game="tictactoe", entries=people), 1, 2, "en-US"
    )
    return hosted, tournament_picture(hosted.tournament, ENGLISH_WORDS, PROFILES)


def a_table(show: Callable[[HostedTournament], Screen], _: Words) -> Made:
    hosted, picture = a_bracket()
    screen = show(hosted)
    pictured = any(isinstance(block, Picture) for block in screen.blocks)
    return screen, {BRACKET: picture} if pictured else {}


def a_league(_: Words) -> Made:
    line = LeagueLine(10, PEOPLE[0], 27.5, 15)
    lines = tuple(line._replace(place=place, person=PEOPLE[place % 3]) for place in range(1, 11))
    page = RecordsPage(RecordKind.LEADERBOARD, PUZZLE, Scope.HERE, PEOPLE[0], when=When.SEASON)
    best = Leaderboard(0, 10, lines, lines[-1])
    return leaderboard(best, page, When.SEASON.season(NOW), reader=PEOPLE[0], private=False), {}


def some_news(day: date, _: Words) -> Made:
    """Those of a server where many have tried."""
    tries = [PuzzleAnswer(solved=each % 3 > 0, tried=(Move(0),) * 2) for each in range(12)]
    answers = {PersonId(11 + number): answer for number, answer in enumerate(tries)}
    yesterday = PuzzleDay(day - timedelta(1), answers)
    best = [LeagueLine(place, PEOPLE[place], 10.5, 6) for place in (1, 2, 3)]
    today = PuzzleDay(day, answers)
    before, edition = reviews.puzzle(yesterday.day), Edition(today, 30, yesterday, 3, best)
    boards = dict(zip((POSITION, ANSWER), puzzle_pictures(before), strict=True))
    return news(reviews.puzzle(today.day), edition, before), boards


def a_podium(words: Words) -> Made:
    """The news of a Monday that begins a month, after a season in which each game was played."""
    day = date(2026, 6, 1)
    best = [
        Ranked(
            place,
            PEOPLE[place],
            Standing(Rating(25 - place, 1.0), Tally(12, 3, 4), rated=19, opponents=3),
            Season(202605),
        )
        for place in (1, 2, 3)
    ]
    yesterday = PuzzleDay(date(2026, 5, 31), {PEOPLE[0]: PuzzleAnswer(solved=True)})
    line = [LeagueLine(place, PEOPLE[place], 10.5, 6) for place in (1, 2, 3)]
    podiums, today = dict.fromkeys(CATALOGUE, best), PuzzleDay(day, {})
    edition = Edition(today, 30, yesterday, 0, line, Season(202605), podiums)
    before = reviews.puzzle(yesterday.day)
    boards = dict(zip((POSITION, ANSWER), puzzle_pictures(before), strict=True))
    pictures = {PODIUM: podium_picture(podiums, words, PROFILES), **boards}
    return news(reviews.puzzle(day), edition, before), pictures


def a_week_of_puzzles(_: Words) -> Made:
    """The answer that earns the badge for a week."""
    puzzle = puzzle_of(Task.HOLD)
    answer = PuzzleAnswer(solved=True, tried=(puzzle.answer.move,))
    days = {puzzle.day - timedelta(ago): answer for ago in range(7)}
    return answered(puzzle, PEOPLE[0], Attempt(answer, PuzzleRecord(days, puzzle.day))), {}


SCREENS: Final[Mapping[str, Callable[[Words], Made]]] = {
    "me": a_me,
    "forget": lambda _: (question(), {}),
    "settings": a_settings,
    "more settings": more_of_settings,
    "help": lambda _: (help_screen(LINKS, HelpPage(), manages=True), {}),
    "stats": partial(a_stats, 0),
    "stats computers": partial(a_stats, 1),
    "stats badges": partial(a_stats, 2),
    "stats some badges": partial(a_stats, 2, earned=8),
    "stats badges to come": partial(a_stats, 3, earned=0),
    "stats more badges to come": partial(a_stats, 4, earned=0),
    "history": a_history,
    "tournament": a_tournament,
    "open tournaments": open_tournaments_here,
    "arena": lambda _: (message(an_arena()), {}),
    "arena rules": lambda _: (how(an_arena(), timedelta(minutes=1)), {}),
    "arena settings": settings_of_arena,
    "arena table": a_table_of_arena,
    "tournament bracket": partial(a_table, partial(tournament_table, page=0)),
    "tournament matches": partial(a_table, partial(tournament_table, page=9)),
    "tournament shared": partial(a_table, shared),
    "league": a_league,
    "news": partial(some_news, date(2026, 5, 4)),
    "news ludo": partial(some_news, date(2026, 5, 6)),
    "podium": a_podium,
    "warning": lambda _: (warning(puzzle_of(Task.WIN), 30), {}),
    "puzzle badge": a_week_of_puzzles,
    "review": a_review,
    "replay": a_replay,
    "replay turn": a_turn_replayed,
    "replay start": lambda _: (Replay(a_game()).screen(0), {}),
    "try": a_try,
    "try over": a_try_over,
    **{f"puzzle {task}": a_puzzle(task) for task in Task},
    "puzzle again": a_second_try,
}


def commands() -> dict[str, str]:
    """Commands as they can be pressed."""
    names = [entry.command.name for entry in CATALOGUE.values()]
    names += [*COMMANDS, "tournament", "settings"]
    return {name: f"</{name}:12>" for name in names}


def view_of(screen: Screen, words: Words) -> discord.ui.LayoutView:
    """A screen as it is sent; where its controls lead does not matter here."""
    numbers = count()
    return Drawing(screen, lambda _: f"x{next(numbers)}", words)


async def test_every_private_screen_is_seen_at_once(
    running_bot: RunningBot, browser: Chrome, sample: Sample
) -> None:
    channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
    window = Window(browser, running_bot.sandbox.url)
    found: list[str] = []
    for locale in sample([*shipped()], SOME):
        words, shown = Words(shipped()[locale], commands()), dict[str, str]()
        for name, make in SCREENS.items():
            screen, pictures = make(words)
            files = [discord.File(BytesIO(png), of) for of, png in pictures.items()]
            view, nonce = view_of(screen, words), randbytes(12).hex()
            sent = await channel.send(view=view, files=files, allowed_mentions=NOBODY, nonce=nonce)
            shown[name] = str(sent.id)
        await window.open(person="Ann")
        for number in shown.values():
            await window.until(SHOWN, number)
            await window.until(DRAWN, number)
        for width in WIDTHS:
            await window.resize(width, 740)
            for name in shown:
                high = await window.run(DOWN_TO_BUTTON if name in POSTS else HEIGHT, shown[name])
                if high > HIGH:
                    found.append(f"{name} {locale} {width}: {high}")
    assert not found, "\n".join(found)
    await window.close()
