"""The slash commands, a module each: its definition, its handlers, and the pages of its answer.

`/stats`, `/leaderboard` and `/history` share `records`; the games' own commands are `play`, and
`presses` is what the controls of their boards do.
"""

from __future__ import annotations

from collections.abc import Callable

from discord.app_commands import ContextMenu

from bot.service.reminder_rounds import ReminderRounds
from bot.service.use_cases import UseCases
from bot.ui.boards import Boards
from bot.ui.commands.board import BoardCommand
from bot.ui.commands.dice import DicePresses
from bot.ui.commands.explain import ExplainCommand, LessonPresses, VariationPresses
from bot.ui.commands.games import GamesCommand
from bot.ui.commands.help import HelpCommand
from bot.ui.commands.me import MeCommand
from bot.ui.commands.play import PlayCommands
from bot.ui.commands.presses import BoardPresses
from bot.ui.commands.puzzle import PuzzleCommand
from bot.ui.commands.records import RecordsCommands
from bot.ui.commands.replay import ReplayCommand
from bot.ui.commands.settings import SettingsCommand
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.commands.tournament import TournamentCommand
from bot.ui.tournament_messages import TournamentMessages


def commands(
    ask: UseCases,
    boards: Boards,
    reminders: ReminderRounds,
    tournaments: TournamentMessages,
    slash: SlashCommands,
    *,
    source: str | None,
    checker: Callable[[], str | None],
) -> list[Slash | ContextMenu]:
    """All commands, with the handlers of their controls registered.

    Raises:
        MissingText: The catalogues lack one of their texts.
    """
    stores = ask.stores
    board = BoardCommand(ask.tables, stores.people, boards)
    replay = ReplayCommand(ask.tables, stores.people, board)
    lessons = LessonPresses(ask.explanations, boards)
    play = PlayCommands(ask.tables, boards)
    games = GamesCommand(ask.tables)
    records = RecordsCommands(stores.records, ask.puzzles, ask.clock)
    puzzle = PuzzleCommand(ask.puzzles, stores.people, slash.router.handlers)
    tournament = TournamentCommand(ask.tournaments, tournaments, slash.router.handlers)
    shown = HelpCommand(source)
    me = MeCommand(stores.people, ask.privacy, ask.tables, boards, slash.router.earlier_answered)
    settings = SettingsCommand(
        stores.guilds,
        ask.weekly_arenas,
        ask.tables,
        boards,
        ask.clock,
        tournaments=ask.tournaments,
    )
    slash.router.handlers.add(
        BoardPresses(
            ask.tables,
            boards,
            board,
            handlers=slash.router.handlers,
            came=ask.tournaments.came,
            reminded=reminders.reminded,
            moved=reminders.moved,
            slips=slash.router.slips,
        ),
        VariationPresses(ask.tables, ask.explanations, stores.people),
        DicePresses(ask.tables, boards, checker),
        *(board, replay, lessons, play, games, records, puzzle, tournament, shown, me, settings),
    )
    return [
        *play.commands(slash),
        *play.challenges(slash),
        slash.on_person("stats", records.on_person),
        ExplainCommand(ask.tables, lessons, replay).command(slash),
        games.command(slash),
        board.command(slash),
        replay.command(slash),
        *records.commands(slash),
        puzzle.command(slash),
        shown.command(slash),
        me.command(slash),
        settings.command(slash),
        tournament.command(slash),
    ]
