"""`/replay`: finished games turn by turn and as files, for those who may see them."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest

from bot.sandbox import Channel, Impossible, Interaction, Message
from engine.files import json_text, text
from engine.files.record import Record
from engine.files.text import turns
from tests.bot.english import like, says
from tests.bot.people import Person, has_won
from tests.bot.ui import fairness, ludo, panels
from tests.bot.ui.conftest import A, RunningBot, mark_on
from tests.bot.ui.finished import files_of

WAYS = [says("control.first"), says("control.previous"), says("control.next"), says("control.last")]


async def replay(person: Person, channel: Channel, **options: str) -> Message:
    """The private answer to `/replay`."""
    message = (await (await person.type(channel, "replay", **options)).answered()).message
    assert message.ephemeral, message.text
    return message


async def suggested(person: Person, channel: Channel, typed: str = "") -> list[str]:
    """The numbers of the games that are suggested."""
    return [str(found.value) for found in await person.complete(channel, "replay", "game", typed)]


def turn(number: int, emblem: str, player: Person, move: str) -> str:
    """A replay's text about a turn in a game of five moves."""
    shown = {"emblem": emblem, "player": f"\u2068{player.mention}\u2069", "move": move}
    return says("replay.move", number=str(number), of="5", **shown)


def enabled(message: Message) -> list[str]:
    """The ways that lead on."""
    return [b.label for b in message.buttons if b.label in WAYS and not b.disabled]


def rows(message: Message) -> list[str]:
    """The rows of a drawn board."""
    return re.findall("\u2066(.*)\u2069", message.text)


def squares(message: Message) -> list[str]:
    """The rows of a board of buttons."""
    signs = {"❌": "X", "❎": "X", "⭕": "O", "🔘": "O", "🟢": "O"}
    cells = [signs.get(mark_on(each) or "", " ") for each in message.buttons[:9]]
    return ["".join(cells[row : row + 3]) for row in (0, 3, 6)]


async def test_a_game_is_stepped_through_to_its_end_and_back(running_bot: RunningBot) -> None:
    await running_bot.won()
    ann, ben, cleo, _ = running_bot.people
    shown = await replay(cleo, running_bot.games, game="1")
    assert says("replay.start", of="5") in shown.text
    assert squares(shown) == ["   ", "   ", "   "]
    assert enabled(shown) == [says("control.next"), says("control.last")]
    assert [b.label for b in shown.buttons[9:]] == [
        *WAYS,
        says("control.why"),
        says("control.what_if"),
        says("control.review"),
        says("control.share"),
        says("control.as_files"),
    ]

    await running_bot.press(cleo, shown, says("control.next"))
    assert turn(1, "❌", ann, "a3") in shown.text
    assert squares(shown) == ["X  ", "   ", "   "]
    await running_bot.press(cleo, shown, says("control.next"))
    assert turn(2, "⭕", ben, "a2") in shown.text
    assert squares(shown) == ["X  ", "O  ", "   "]
    assert enabled(shown) == WAYS
    assert "🏆" not in shown.text

    await running_bot.press(cleo, shown, says("control.last"))
    assert turn(5, "❌", ann, "c3") in shown.text
    assert squares(shown) == ["XXX", "OO ", "   "]
    assert has_won(ann, shown.text, emblem="❌")
    assert enabled(shown) == [says("control.first"), says("control.previous")]
    await running_bot.press(cleo, shown, says("control.previous"))
    assert squares(shown) == ["XX ", "OO ", "   "]
    await running_bot.press(cleo, shown, says("control.first"))
    assert says("replay.start", of="5") in shown.text


async def test_whoever_reads_boards_in_words_replays_a_game_in_words(
    running_bot: RunningBot,
) -> None:
    await running_bot.won()
    ann, _, cleo, _ = running_bot.people
    await panels.choose(running_bot, cleo, "me boards", "words")
    shown = await replay(cleo, running_bot.games, game="1")
    await running_bot.press(cleo, shown, says("control.next"))
    assert turn(1, "❌", ann, "a3") in shown.text
    assert like("tictactoe.words.square", cell="a3", mark=says("side.x")).search(shown.text)
    assert like("board.words.turn", side=says("side.o")).search(shown.text), "it is not over yet"
    assert not any(":m" in each.custom_id for each in shown.buttons)
    await running_bot.press(cleo, shown, says("control.last"))
    assert like("board.words.won").search(shown.text)


async def test_the_button_of_a_finished_board_opens_it_before_the_first_move(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.won()
    cleo = running_bot.people[2]
    shown = (await running_bot.press(cleo, board, says("control.replay"))).message
    assert shown.ephemeral
    assert says("replay.start", of="5") in shown.text
    assert like("won.played").search(board.text)
    await running_bot.press(cleo, shown, says("control.next"))
    assert like("replay.move", number="1", of="5").search(shown.text)


async def test_the_same_press_twice_leads_to_the_same_turn(running_bot: RunningBot) -> None:
    await running_bot.won()
    cleo = running_bot.people[2]
    shown = await replay(cleo, running_bot.games)
    both = [
        await cleo.press(shown, says("control.next")),
        await cleo.press(shown, says("control.next")),
    ]
    for press in both:
        await press.answered()
    assert like("replay.move", number="1", of="5").search(shown.text)


async def test_whoever_played_replays_it_anywhere_and_others_where_it_was_played(
    running_bot: RunningBot,
) -> None:
    await running_bot.won()
    ann, ben, cleo, _ = running_bot.people
    lounge = running_bot.sandbox.channel("lounge")
    for person, channel in ((ann, ann.dm), (ben, lounge), (cleo, running_bot.games)):
        shown = await replay(person, channel, game="1")
        await running_bot.press(person, shown, says("control.last"))
        assert turn(5, "❌", ann, "c3") in shown.text
        assert await suggested(person, channel) == ["1"]
    refused = await replay(cleo, lounge, game="1")
    assert like("refusal.nothing_to_replay", "refusal.no_game_here").search(refused.text)
    assert await suggested(cleo, lounge) == []


@pytest.mark.parametrize("number", ["1", "404", "rubbish", "9" * 40, "²"])
async def test_a_game_that_there_is_not_is_refused_with_the_way_to_one(
    running_bot: RunningBot, number: str
) -> None:
    refused = await replay(running_bot.people[0], running_bot.games, game=number)
    assert like("refusal.nothing_to_replay", "refusal.no_game_here").search(refused.text)
    assert "</tictactoe:" in refused.text


async def test_where_nothing_was_finished_there_is_nothing_to_replay(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    assert like("refusal.nothing_to_replay", "refusal.no_game_here").search(
        (await replay(ann, running_bot.games)).text
    )
    board = await running_bot.opened(ann, opponent=ben)
    await running_bot.press(ben, board, says("control.decline"))
    for options in ({}, {"game": "1"}):
        assert like("refusal.nothing_to_replay", "refusal.no_game_here").search(
            (await replay(ann, running_bot.games, **options)).text
        )
    assert await suggested(ann, running_bot.games) == []


async def test_a_game_that_runs_is_not_replayed(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    assert says("refusal.not_over") in (await replay(ann, running_bot.games, game="1")).text
    assert says("control.replay") not in [button.label for button in board.buttons]


async def test_a_game_without_a_move_has_its_start_alone(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(
        lambda: says("control.claim") in [b.label for b in board.buttons]
    )
    await running_bot.press(ben, board, says("control.claim"))
    shown = await replay(ann, running_bot.games)
    assert says("replay.start", of="0") in shown.text
    assert like("board.lapsed", "won.time").search(shown.text)
    assert enabled(shown) == []


async def test_without_a_number_it_is_the_own_latest_game_or_else_the_channels(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    own = await running_bot.friends()
    await running_bot.resign(ann, own)
    await running_bot.later(timedelta(hours=1))
    other = await running_bot.opened(cleo, level="easy")
    await running_bot.resign(cleo, other)
    assert ben.mention in (await replay(ann, running_bot.games)).text
    assert cleo.mention in (await replay(dan, running_bot.games)).text
    assert await suggested(ann, running_bot.games) == ["2", "1"]


async def test_suggestions_say_what_was_played_and_follow_what_is_typed(
    running_bot: RunningBot,
) -> None:
    await running_bot.won()
    ann = running_bot.people[0]
    (found,) = await ann.complete(running_bot.games, "replay", "game", "")
    game, rules = says("game.tictactoe"), says("board.in_a_row", size="3x3", line="3")
    assert like("replay.choice", number="1", game=game, rules=rules).fullmatch(found.name)
    assert re.search(r"\b\w+ \d+, \d{4}\b", found.name)
    assert await suggested(ann, running_bot.games, game[:3].upper()) == ["1"]
    assert await suggested(ann, running_bot.games, "ludo") == []


async def test_a_long_name_of_a_game_is_cut_where_discord_would_refuse_it(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    table = await ludo.opened(running_bot.sandbox, ann)
    await ludo.set_up(ann, table, says("menu.house_rules"))
    panel = ann.sees(running_bot.games)[-1]
    for rule, choice in (
        ("extra_six", "no"),
        ("extra_capture", "no"),
        ("stars_safe", "no"),
        ("blocks", "off"),
    ):
        value = says(f"rule.ludo.{rule}.{choice}")
        picked = says("rules.line", rule=says(f"rule.ludo.{rule}"), value=value)
        await ludo.pick(ann, panel, picked, menu=ludo.RULES)
    await ludo.set_up(ann, table, says("menu.add_computer", level=says("choice.level.easy")))
    await running_bot.press(ann, table, says("control.start"))
    (running,) = await ann.complete(running_bot.games, "board", "game", "")
    await running_bot.resign(ann, table)
    (ended,) = await ann.complete(running_bot.games, "replay", "game", "")
    assert [len(found.name) for found in (running, ended)] == [100, 100]


async def test_a_game_is_taken_along_as_text_and_as_json_with_one_press(
    running_bot: RunningBot,
) -> None:
    await running_bot.won()
    ann, *_ = running_bot.people
    shown = await replay(ann, running_bot.games)
    record = await taken(running_bot, ann, shown)
    assert record.number == 1
    assert record.moves == (0, 3, 1, 4, 2)
    assert (record.ending, [*map(int, record.result)]) == ("played", [1, -1])
    for content in (await contents(running_bot, ann, shown)).values():
        assert str(ann.id) not in content


async def contents(running_bot: RunningBot, person: Person, shown: Message) -> dict[str, str]:
    """The files of a replay by their names."""
    files = await files_of(running_bot, person, shown, says("control.as_files"))
    return {file.filename: file.data.decode() for file in files}


async def taken(running_bot: RunningBot, person: Person, shown: Message) -> Record:
    """The game that is in both files of a replay."""
    found = await contents(running_bot, person, shown)
    record = json_text.read(found.pop("game-1.json"))
    assert found == {"game-1.txt": text.written(record)}
    return record


async def test_a_game_that_was_given_up_is_taken_along_with_how_it_ended(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends(size=4, line=3)
    ann, ben, *_ = running_bot.people
    await running_bot.play(board, A)
    await running_bot.resign(ben, board)
    record = await taken(running_bot, ann, await replay(ann, running_bot.games))
    assert (record.ending, [*map(int, record.result)]) == ("resigned", [1, -1])
    assert record.options == {"size": 4, "line": 3}


def tells(asked: Interaction, key: str) -> bool:
    """Whether an answer to a press says a text."""
    answers = (asked.original, *asked.followups)
    return any(each is not None and like(key).search(each.text) for each in answers)


async def long_replay(running_bot: RunningBot) -> tuple[Message, Message]:
    """The board of a game of Ludo of Ann and Ben, played to its end, and its replay for Ann."""
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben), rules="quick")
    await ludo.to_the_end(running_bot.sandbox, board)
    shown = (await running_bot.press(ann, board, says("control.replay"))).message
    return board, shown


async def test_the_menu_of_a_long_game_also_leads_to_what_if_and_the_review(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    _, shown = await long_replay(running_bot)
    menu = says("menu.go_to")
    with pytest.raises(Impossible):
        await ludo.pick(ann, shown, says("control.what_if"), menu=menu)
    await ludo.pick(ann, shown, says("control.last"), menu=menu)
    for label, answer in (("control.what_if", "why.move"), ("control.review", "review.title")):
        asked = await ludo.pick(ann, shown, says(label), menu=menu)
        await running_bot.sandbox.until(partial(tells, asked, answer))


async def test_ludo_is_replayed_turn_by_turn_with_its_dice_and_their_proof(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board, shown = await long_replay(running_bot)
    record = await taken(running_bot, ann, shown)
    assert record.ending == "played"
    played = [*turns(record.game, record.seats, record.options, record.moves)]
    roll_off = [turn for turn in played if turn.opening]
    stops = [roll_off[-1], *(turn for turn in played if not turn.opening)]

    assert says("replay.start", of=str(len(stops))) in shown.text
    assert len(rows(shown)) == 17
    assert not ludo.offers(shown)
    told: list[str] = []
    for number, turn in enumerate(stops, 1):
        await running_bot.press(ann, shown, says("control.next"))
        emblem, who = (("🔴", ann.mention), ("🟡", ben.mention))[turn.seat]
        plain = shown.text.translate({0x2068: None, 0x2069: None}).split("\n")
        at = {"number": str(number), "of": str(len(stops))}
        shown_turn = says("replay.turn", emblem=emblem, player=who, **at)
        whose = says("replay.roll_off", **at) if turn.opening else shown_turn
        rolled = re.search("🎲 ((?:[1-6] ?)+)$", plain[0])
        assert rolled is not None
        assert plain[0] == says("replay.rolls", turn=whose, rolls=rolled[1])
        told += rolled[1].split()
    assert ludo.winners(shown) == ludo.winners(board)
    await ludo.pick(ann, shown, "0", menu=says("menu.go_to"))
    assert like("replay.start").search(shown.text)
    await ludo.pick(ann, shown, str(len(stops)), menu=says("menu.go_to"))
    assert rows(shown) == rows(board)

    proof = await ludo.proof(ann, shown)
    secret = ludo.secret_in(proof)
    rolls = fairness.rolls(record.seats, record.options, record.moves)
    assert told == [str(pips) for pips in rolls.values()]
    for ply, pips in rolls.items():
        assert fairness.due(secret, fairness.label(1, board.id, [], ply)) == pips
    assert ludo.number_of(shown) == ludo.number_of(board)
    assert await ludo.proof(ann, board) == proof
    assert " ".join(f"{ply}={pips}" for ply, pips in rolls.items()) in proof
