"""Ids of controls: what is written is read again, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from bot.games.catalogue import CATALOGUE
from bot.screens.games import GamesPage
from bot.screens.help import HelpPage
from bot.screens.me import ForgetAnswer, OwnSetting
from bot.screens.pager import RecordKind, RecordsPage, Scope, When
from bot.screens.settings import GuildSetting
from bot.table.actions import Action
from bot.table.seats import Pace, PersonId
from bot.table.session import SessionId
from bot.table.variation import Variation
from bot.tournaments.event import TournamentDraft
from bot.tournaments.tournament import Format
from bot.ui.custom_ids import (
    BoardControl,
    Ids,
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


def pages() -> Iterator[Ids]:
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
    yield Action.REPLAY


@pytest.mark.parametrize("ids", [*pages()], ids=page_id)
def test_a_page_is_found_again_by_its_id(ids: Ids) -> None:
    assert read(page_id(ids)) is ids or read(page_id(ids)) == ids
    assert type(read(page_id(ids))) is type(ids)
    assert len(page_id(ids)) <= 100


def test_a_page_from_before_there_were_seasons_is_still_found() -> None:
    asked = RecordsPage(RecordKind.LEADERBOARD, "ludo", Scope.HERE, PersonId(7), 3)
    assert read("s1:leaderboard:ludo:here:7:3") == asked


def test_a_draft_from_before_rounds_were_chosen_is_still_found() -> None:
    draft = read("n1:tictactoe:3:swiss:8:live:host:places")
    assert draft == TournamentDraft(
        "tictactoe", "3", Format.SWISS, 8, Pace.LIVE, "host", "places", rounds=0
    )
    assert read(page_id(draft)) == draft


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
