"""Ids of controls: what is written is read again, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import Final

import pytest

from bot.games.catalogue import CATALOGUE
from bot.screens.counteroffers import OpenInstead, PressAgain
from bot.screens.dice import WordForm
from bot.screens.games import GamesPage
from bot.screens.help import HelpPage
from bot.screens.history import HistoryControl
from bot.screens.me import ForgetAnswer, OwnSetting
from bot.screens.pager import RecordKind, RecordsPage, Scope, SharedRecords, When
from bot.screens.settings import GuildSetting
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.screens.tournament_panel import NewTournament, TournamentForm
from bot.table.actions import Action, parsed
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.variation import Variation
from bot.tournaments.tournament import TournamentId
from bot.ui.custom_ids import (
    BoardControl,
    PuzzleControl,
    VariationControl,
    board_id,
    page_id,
    puzzle_id,
    read,
    variation_id,
)

LARGEST = PersonId((1 << 63) - 1)
"""The longest possible id."""


def pages() -> Iterator[object]:
    for what in RecordKind:
        for game in (*CATALOGUE, None):
            if game is not None or what is RecordKind.HISTORY:
                for scope in Scope:
                    for when in (None, *When):
                        yield RecordsPage(what, game, scope, LARGEST, 999_999, when)
    for player in (None, PersonId(7), LARGEST):
        for number in (0, 999_999):
            yield GamesPage(player, number)
    yield HelpPage(999_999)
    yield from (*OwnSetting, *ForgetAnswer, *GuildSetting)
    yield HistoryControl.REPLAY


@pytest.mark.parametrize("ids", [*pages()], ids=page_id)
def test_a_page_is_found_again_by_its_id(ids: object) -> None:
    assert read(page_id(ids)) is ids or read(page_id(ids)) == ids
    assert type(read(page_id(ids))) is type(ids)
    assert len(page_id(ids)) <= 100


def test_a_page_from_before_there_were_seasons_is_still_found() -> None:
    asked = RecordsPage(RecordKind.LEADERBOARD, "ludo", Scope.HERE, PersonId(7), 3)
    assert read("s1:leaderboard:ludo:here:7:3") == asked


WORDS: Final = """
    m roll accept decline join leave withdraw table add remove preset rules rule auto partners
    board word fill start resign give-up cancel undo undo-yes undo-no back offer agree refuse claim
    rematch
    more to-more view words play roll-words how share share-replay share-board animate proof seal
    replay first previous next last go show hint show-hint why why-this what-if try on review
    share-review share-game tree text
"""
"""The words of buttons on messages that stand in channels."""


def test_the_words_of_boards_in_channels_are_buttons_still() -> None:
    assert {*WORDS.split()} <= {*Action}
    assert parsed("m4") == (Action.MOVE, 4)
    for action in (Action.PLAY, Action.TABLE, Action.RULE, Action.SHOW, Action.PLAY_ON):
        assert parsed(f"{action}-12") == (action, 12)


HELD = TournamentId(1 << 60)


@pytest.mark.parametrize(
    ("custom_id", "ids"),
    [
        ("p1:12:3:m4", BoardControl(SessionId(12), 3, "m4")),
        ("p1:12:3:rule-7", BoardControl(SessionId(12), 3, "rule-7")),
        ("p1:12:3:play-4", BoardControl(SessionId(12), 3, "play-4")),
        ("p1:12:3:play-4:0a1b2c3d", BoardControl(SessionId(12), 3, "play-4", "0a1b2c3d")),
        ("s1:stats:ludo:here:7:0", RecordsPage(RecordKind.STATS, "ludo", Scope.HERE, PersonId(7))),
        (
            "h1:stats:ludo:everywhere:7:2:-",
            SharedRecords(RecordKind.STATS, "ludo", Scope.EVERYWHERE, PersonId(7), 2),
        ),
        ("s1:replay", HistoryControl.REPLAY),
        ("g1:-:2", GamesPage(None, 2)),
        ("e1:1", HelpPage(1)),
        ("o1:9:ludo:0-1", OpenInstead(SessionId(9), "ludo", "0-1")),
        ("r1:9:12:start", PressAgain(SessionId(9), SessionId(12), Action.START)),
        ("d1:2026-05-01:m4", PuzzleControl(date(2026, 5, 1), "m4")),
        ("d1:2026-05-01:solve", PuzzleControl(date(2026, 5, 1), "solve")),
        ("w1:12", WordForm(SessionId(12))),
        ("c1:language", OwnSetting.LANGUAGE),
        ("f1:forget", ForgetAnswer.FORGET),
        ("k1:channels", GuildSetting.CHANNELS),
        (f"t1:{1 << 60}:join:0", TournamentControl(HELD, TournamentAction.JOIN)),
        (f"t1:{1 << 60}:here:5", TournamentControl(HELD, TournamentAction.HERE, 5)),
        ("n2", TournamentForm()),
        ("a1", NewTournament()),
    ],
)
def test_an_id_on_a_message_in_a_channel_is_the_control_that_it_was(
    custom_id: str, ids: object
) -> None:
    assert read(custom_id) == ids
    assert type(read(custom_id)) is type(ids)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (OwnSetting, "language challenges reminders streaks boards blocked export forget"),
        (ForgetAnswer, "forget keep export"),
        (GuildSetting, "channels games language boards news hour more threads role back close"),
        (
            TournamentAction,
            "join leave start rules table manage pause go_on end remove here again share",
        ),
    ],
)
def test_the_words_of_panels_and_tournaments_in_channels_are_controls_still(
    kind: type[StrEnum], words: str
) -> None:
    assert {*words.split()} <= {*kind}


@pytest.mark.parametrize("session", [1, 10**18 - 1])
@pytest.mark.parametrize("action", [*Action, "m999999999", "rule-" + 43 * "x"])
def test_a_control_of_a_board_is_found_again_by_its_id(session: int, action: str) -> None:
    custom_id = board_id(SessionId(session), 999_999_999, action)
    assert read(custom_id) == BoardControl(SessionId(session), 999_999_999, action)
    assert len(custom_id) <= 100


@pytest.mark.parametrize("action", ["m0", "m999999999", Action.SHARE])
def test_a_control_of_a_puzzle_is_found_again_by_its_id(action: str) -> None:
    day = date(2026, 5, 1)
    assert read(puzzle_id(day, action)) == PuzzleControl(day, action)


@pytest.mark.parametrize("action", ["m0", "m999999999", Action.ROLL, Action.WHAT_IF])
def test_a_control_of_a_try_is_found_again_by_its_id(action: str) -> None:
    variation = Variation(17, 240, 1 << 31, 1 << 600)
    custom_id = variation_id(SessionId(10**18 - 1), variation.line, action)
    assert read(custom_id) == VariationControl(SessionId(10**18 - 1), variation, action)
    assert len(custom_id) <= 100


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "p0:1:0:resign",
        "p1:1:0",
        "p1:1:0:resign\n",
        "p1:1:0:play-4:0A1B2C3D",
        f"p1:{10**18}:0:resign",
        "s1:stats:chess:here:1:0",
        "s1:stats:-:here:1:0",
        "s1:stats:ludo:there:1:0",
        "s1:stats:ludo:here:1:-1",
        "s1:leaderboard:ludo:here:1:0:never",
        "s1:stats:ludo:here:1:0\n",
        "s2:stats:ludo:here:1:0",
        "s1:resign",
        "g1",
        "g1:-:x",
        "g1:-:1:2",
        "g1:--:1",
        "s1:-:1",
        "f1:perhaps",
        "c1:colour",
        "k1:language\n",
        "d1:2026-02-30:m1",
        "d1:2026-05-01:resign",
        "d1:2026-05-01",
        "v1:1::m4",
        "v1:1:AAAA:m4",
    ],
)
def test_anything_else_is_none_of_ours(custom_id: str) -> None:
    assert read(custom_id) is None
