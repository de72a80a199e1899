"""A backup in place of the database: old boards reach their own games, and never another's."""

from __future__ import annotations

from pathlib import Path

from bot.sandbox import Message
from bot.storage.backup import backup
from tests.bot.databases import file_of
from tests.bot.english import piece, says
from tests.bot.ui.conftest import House, Open, marks

A, B, E = (0, 0), (0, 1), (1, 1)
GONE = piece("refusal.unknown_control")


def restore(copy: Path, database: str) -> None:
    """Puts a copy in the place of the database, as `bot/deploy/running.md` says."""
    file = file_of(database)
    for beside in ("-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)
    copy.replace(file)


async def strangers(house: House) -> Message:
    """A game of Cleo, who has X, and Dan."""
    _, _, cleo, dan = house.people
    board = await house.opened(cleo, opponent=dan)
    await house.press(dan, board, says("control.accept"))
    return board


def number(board: Message) -> str:
    return board.buttons[0].custom_id.split(":")[1]


async def test_buttons_of_a_game_that_a_backup_lacks_never_reach_the_next_of_its_number(
    open_house: Open, database: str, tmp_path: Path
) -> None:
    async with open_house() as house:
        kept = await house.friends()
        backup(database, tmp_path / "copy.db")
        lacking = await house.friends()
        await house.play(lacking, A)
    restore(tmp_path / "copy.db", database)
    async with open_house() as house:
        ann, ben, cleo, _ = house.people
        other = await strangers(house)
        assert number(other) == number(lacking)
        for person, press in (
            (ben, E),
            (ann, says("control.cancel")),
            (cleo, A),
            (cleo, says("control.cancel")),
        ):
            assert GONE in await house.told(person, lacking, press)
        assert marks(other) == {}
        await house.mark(cleo, other, E)
        assert marks(other) == {E: "❌"}
        await house.play(kept, A, B)
        assert marks(kept) == {A: "❌", B: "⭕"}


async def test_a_question_about_a_game_that_a_backup_lacks_never_reaches_the_next_of_its_number(
    open_house: Open, database: str, tmp_path: Path
) -> None:
    async with open_house() as house:
        ann, *_ = house.people
        backup(database, tmp_path / "copy.db")
        lacking = await house.friends()
        await house.both_moved(lacking)
        asked = (await house.press(ann, lacking, says("control.resign"))).message
        assert asked is not None
        assert asked.ephemeral
    restore(tmp_path / "copy.db", database)
    async with open_house() as house:
        ann, *_ = house.people
        again = await house.friends()
        assert number(again) == number(lacking)
        assert GONE in await house.told(ann, asked, says("control.resign"))
        await house.mark(ann, again, A)
        assert marks(again) == {A: "❌"}


async def test_presses_are_refused_in_a_sentence_while_the_database_is_not_there(
    open_house: Open, database: str
) -> None:
    file = file_of(database)
    async with open_house() as house:
        ann, *_ = house.people
        board = await house.friends()
        file.rename(file.with_suffix(".away"))
        assert says("unavailable") in await house.told(ann, board, A)
        file.with_suffix(".away").rename(file)
        await house.play(board, A, B)
        assert marks(board) == {A: "❌", B: "⭕"}
