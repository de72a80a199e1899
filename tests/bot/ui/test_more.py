"""The panel behind *More*: what one may do besides moving, for one reader, in their language."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest

from bot.locales import one_of
from bot.message.blocks import Prose
from bot.message.text import text
from bot.screens.table_panel import more, resign_question
from bot.table.actions import Action
from bot.table.ending import resign
from bot.table.seat_log import Preferences
from bot.table.seats import Level
from bot.table.table import Place
from bot.ui.render import BLANK
from tests.bot.english import like, says
from tests.bot.kit import ANN, BEN, CLEO, Sits, at_random, new_game, table_of
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot, control
from tests.bot.ui.ludo import labels


async def test_a_running_game_of_ludo_has_its_choices_and_more_alone(
    running_bot: RunningBot,
) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    assert labels(board) == [says("control.ludo.roll"), says("control.more")]


async def test_a_board_with_three_other_buttons_shows_them_itself(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 1))
    below = [button.label for button in board.buttons if button.label.strip(BLANK)]
    assert below == [*map(says, ("control.take_back", "control.offer", "control.resign"))]


async def test_a_player_has_all_of_it_and_an_onlooker_what_is_theirs(
    running_bot: RunningBot,
) -> None:
    ann, _, cleo, _ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    for_all = [*map(says, ("control.view", "control.rules", "control.proof"))]
    assert labels(await running_bot.more(cleo, board)) == for_all
    own = [*for_all, says("control.auto_roll.on"), says("control.cancel")]
    assert labels(await running_bot.more(ann, board)) == own


async def test_it_speaks_the_language_of_its_reader(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    ben.locale = "de"
    german = one_of("de")
    assert german is not None
    assert german.template("control.rules") in labels(await running_bot.more(ben, board))


async def test_it_gives_way_to_what_is_asked_for_and_comes_back(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    panel = await running_bot.more(ann, board)
    offered = labels(panel)
    for label in (says("control.rules"), says("control.view")):
        assert (await running_bot.press(ann, panel, label)).message is panel
        assert labels(panel)[-1] == says("control.back_to_more")
        await running_bot.press(ann, panel, says("control.back_to_more"))
        assert labels(panel) == offered
        assert not panel.attachments


async def test_a_game_that_is_cancelled_there_ends_on_its_board(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    panel = (await running_bot.press(ann, board, says("control.cancel"))).message
    assert panel.text == says("resign.done")
    assert not panel.buttons
    await running_bot.sandbox.until(lambda: says("closed.cancelled") in board.text)


async def test_giving_up_is_asked_in_its_place(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    await running_bot.both_moved(board)
    panel = (await running_bot.press(ann, board, says("control.resign"))).message
    assert says("resign.lose") in panel.text
    assert labels(panel) == [says("control.resign"), says("control.back_to_more")]
    await running_bot.press(ann, panel, says("control.resign"))
    await running_bot.sandbox.until(lambda: like("won.resigned").search(board.text))


@pytest.mark.parametrize(
    ("third", "key"),
    [(CLEO, "resign.last"), (Level.EASY, "resign.lose")],
    ids=["alone", "computer"],
)
def test_the_last_person_at_a_table_of_several_is_told_who_wins_by_resigning(
    third: Sits, key: str
) -> None:
    session = at_random(new_game("ludo", ANN, BEN, third), Random(1), 30)
    for leaving in session.people[1:]:
        session = resign(session, leaving)
    (told, _) = resign_question(session).blocks
    assert told == Prose((text(key),))
    payoff = resign(session, ANN).payoff
    assert payoff is not None
    assert (payoff[0] > 0) == (key == "resign.last")


def test_to_resign_is_offered_to_those_alone_who_still_play_for_a_place() -> None:
    rng = Random(1)
    session = new_game("ludo", ANN, BEN, CLEO, options={"tokens": 1, "finish": "places"})
    while not session.position.placed:
        session = at_random(session, rng, session.ply + 1)
    table = table_of(session, datetime(2026, 11, 2, tzinfo=UTC), Place(1, 2))
    offering = {
        person for person in (ANN, BEN, CLEO) if Action.ASK_TO_RESIGN in str(more(table, person))
    }
    assert offering == {p for p in (ANN, BEN, CLEO) if not session.has_place(p)}
    assert len(offering) == 2


async def test_what_is_pressed_there_too_late_is_refused_with_a_link(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    panel = await running_bot.more(ann, board)
    await running_bot.resign(ben, board)
    told = await running_bot.told(ann, panel, says("control.auto_roll.on"))
    assert like("refusal.linked").search(told)
    assert f"/{board.id}" in told
    assert not panel.buttons


@pytest.mark.parametrize("action", [Action.RULES, Action.VIEW, Action.PROOF])
async def test_buttons_of_boards_drawn_before_there_was_more_go_on_working(
    running_bot: RunningBot, action: Action
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    former = await ludo.forged(running_bot, board, action)
    shown = (await running_bot.press(ben, former, action)).message
    assert shown.ephemeral
    assert not control(shown, Action.BACK_TO_MORE)


@pytest.mark.parametrize(
    ("auto_roll", "key"),
    [(None, "more.auto_roll.stops"), (True, "more.auto_roll.off"), (False, "more.auto_roll.on")],
)
def test_dice_that_stop_for_news_are_not_said_to_roll_on_until_there_is_a_choice(
    *, auto_roll: bool | None, key: str
) -> None:
    session = replace(
        new_game("ludo", ANN, Level.EASY), preferences=Preferences(auto_roll=auto_roll)
    )
    panel = more(table_of(session, datetime(2026, 11, 2, tzinfo=UTC), Place(1, 2)), ANN)
    told = panel.blocks[0]
    assert isinstance(told, Prose)
    assert text(key) in told.lines


async def test_auto_roll_is_switched_on_a_board_drawn_before(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    former = await ludo.forged(running_bot, board, Action.AUTO_ROLL)
    await running_bot.press(ann, former, Action.AUTO_ROLL)
    await running_bot.sandbox.until(lambda: says("control.ludo.roll") not in labels(board))
