"""The export of `/me`: everything about a person, held against what was played and chosen."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from bot.records.reviewed import ReviewedGame, SeatReview
from bot.sandbox import Message
from bot.sandbox.web import views
from bot.table.seats import Level, PersonId
from bot.table.session import SessionId
from engine.files import json_text
from engine.files.record import Record
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, C, D, E, RunningBot
from tests.bot.ui.finished import files_of, resigned, store
from tests.bot.ui.hall import over, started
from tests.bot.ui.own_data import Json, export, forget


async def replayed(running_bot: RunningBot, person: Person, board: Message) -> Record:
    """A finished game as its board gives it away as JSON."""
    shown = (await running_bot.press(person, board, says("control.replay"))).message
    _, file = await files_of(running_bot, person, shown, says("control.as_files"))
    return json_text.read(file.data.decode())


def record(game: Json) -> Record:
    return json_text.read(json.dumps(game["record"]))


async def test_who_never_played_gets_a_file_that_says_so(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    message, told = await export(running_bot, ann)
    assert message.text == says("me.export.nothing")
    assert (told["format"], told["version"]) == ("Parlour person", 1)
    assert told["person"] == str(ann.id)
    assert told["about"]["file"]
    assert (told["statistics"], told["games"]) == ([], [])
    (file,) = message.attachments
    assert file.filename == f"parlour-{told['made_at'][:10]}.json"


async def test_choices_are_those_that_were_made(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await panels.choose(running_bot, ann, "me language", "en-US")
    await panels.choose(running_bot, ann, "me challenges", "off")
    await panels.choose(running_bot, ann, "me blocked", ben)
    await panels.choose(running_bot, ann, "me boards", "words")
    _, told = await export(running_bot, ann)
    assert told["choices"] == {
        "board": "words",
        "language": "en-US",
        "challenges": False,
        "reminders": "on",
        "streaks": False,
        "blocked": [str(ben.id)],
    }
    message, told = await export(running_bot, ben)  # nobody is told who keeps them away
    assert told["choices"]["blocked"] == []
    assert str(ann.id) not in message.attachments[0].data.decode()


async def test_games_of_both_kinds_are_told_as_they_were_played(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, A, D, B, E, C)
    four = await ludo.begun(
        running_bot.sandbox, (ann, ben), rules="quick", computers=1, roll="auto"
    )
    await ludo.to_the_end(running_bot.sandbox, four)
    _, told = await export(running_bot, ann)
    first, second = told["games"]
    assert record(first).moves == (0, 3, 1, 4, 2)
    assert record(first) == await replayed(running_bot, ann, board)
    assert record(second) == await replayed(running_bot, ann, four)
    assert first["seats"] == [
        {"kind": "person", "person": str(ann.id)},
        {"kind": "person", "person": str(ben.id)},
    ]
    assert (first["number"], first["state"], first["own_seat"]) == (1, "finished", 0)
    assert (first["channel"], first["message"]) == (str(running_bot.games.id), str(board.id))
    assert first["result"]["outcome"] == "win"
    assert len(second["played_after"]) == len(second["record"]["moves"])
    assert second["played_after"] == sorted(second["played_after"])
    assert second["seats"][2] == {"kind": "computer", "level": "medium"}
    for message in (board, four):
        assert str(message.id) in json.dumps(told)


async def test_statistics_are_a_recount_of_the_games(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    lost, won = {"leaving": [ann.id]}, {"leaving": [ben.id]}
    await store(running_bot, *(resigned("tictactoe", ann.id, ben.id, **won) for _ in range(3)))
    await store(running_bot, resigned("tictactoe", cleo.id, ann.id, **lost))
    await store(running_bot, resigned("ludo", ann.id, Level.HARD, **lost))
    _, told = await export(running_bot, ann)
    server = str(running_bot.games.guild_id)
    assert [(each["game"], each["server"]) for each in told["statistics"]] == [
        ("ludo", None),
        ("ludo", server),
        ("tictactoe", None),
        ("tictactoe", server),
    ]
    for each in told["statistics"][:2]:
        assert each["people"] is None
        assert each["computers"] == [{"level": "hard", "wins": 0, "draws": 0, "losses": 1}]
    for each in told["statistics"][2:]:
        counted = {key: each["people"][key] for key in ("wins", "draws", "losses", "streak")}
        assert counted == {"wins": 3, "draws": 0, "losses": 1, "streak": -1}
        assert {(one["person"], one["wins"], one["losses"]) for one in each["opponents"]} == {
            (str(ben.id), 3, 0),
            (str(cleo.id), 0, 1),
        }
    curve = [game["result"]["rating"] for game in told["games"]]
    assert curve[-2] == told["statistics"][2]["people"]["rating"]
    assert curve[-1] is None
    assert [game["result"]["outcome"] for game in told["games"]] == ["win"] * 3 + ["loss"] * 2


async def test_tables_that_wait_or_run_are_told_without_the_dice_to_come(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await running_bot.opened(ben, opponent=ann)
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    secret = (await ludo.table_of(running_bot, board)).dice
    assert secret is not None
    message, told = await export(running_bot, ann)
    waits, runs = told["games"]
    assert (waits["state"], waits["own_seat"], waits["opened_by"]) == ("lobby", 1, str(ben.id))
    assert waits["seats"][1] == {"kind": "invited", "person": str(ann.id)}
    assert (runs["state"], runs["result"]) == ("running", None)
    assert (runs["record"]["ending"], runs["record"]["result"]) == (None, None)
    assert runs["record"]["moves"]
    assert secret.secret.hex() not in message.attachments[0].data.decode()


async def test_a_tournament_is_told_with_the_points_and_the_thinking_of_every_match(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4)
    played = await over(hall)
    for person in hall.people:
        entry = played.entry_of(PersonId(int(person.id)))
        assert entry is not None
        _, told = await export(running_bot, person)
        (tournament,) = told["tournaments"]
        assert tournament["place"] == entry.place
        assert tournament["matches"] == [
            {
                "round": leg.round,
                "game": leg.table,
                "points": part.points,
                "thought": part.thought,
                "present": part.present,
                "absent": part.absent,
            }
            for leg in played.legs
            for part in leg.parts
            if part.entry == entry.number
        ]
        games = {game["number"] for game in told["games"]}
        assert games == {each["game"] for each in tournament["matches"]} != {None}


async def test_a_reviewed_game_is_told_with_what_the_review_found_of_the_person(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, *[resigned("tictactoe", ann.id, ben.id, leaving=[ben.id])] * 2)
    first, second = SeatReview(0.25, 1, 0.5, 0.0, 0.5), SeatReview(None, 0, 0.0, 0.0, 0.5)
    reviewed = ReviewedGame(0, ((0.5, 0.5),), (first, second), ())
    await running_bot.parlour.stores.records.keep_review(SessionId(2), reviewed)
    for person, seat in ((ann, first), (ben, second)):
        _, told = await export(running_bot, person)
        assert [game["review"] for game in told["games"]] == [None, asdict(seat)]


async def test_somebody_forgotten_has_no_id_in_the_files_of_others(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, resigned("tictactoe", ann.id, ben.id, leaving=[ann.id]))
    await forget(running_bot, ann)
    message, told = await export(running_bot, ben)
    assert str(ann.id) not in message.attachments[0].data.decode()
    (game,) = told["games"]
    assert game["seats"][0] == {"kind": "person", "person": None}
    assert [each["person"] for each in told["statistics"][0]["opponents"]] == [None]


@pytest.mark.parametrize(("most", "suffix"), [(20_000, ".json"), (5_000, ".json.gz")])
async def test_a_file_that_is_too_large_is_compressed(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, most: int, suffix: str
) -> None:
    ann, ben, *_ = running_bot.people
    game = resigned("tictactoe", ann.id, ben.id, leaving=[ben.id])
    await store(running_bot, *[game] * 15)
    monkeypatch.setattr(views, "LARGEST_FILE", most)
    message, told = await export(running_bot, ann)
    (file,) = message.attachments
    assert file.filename.endswith(suffix)
    assert len(file.data) <= most
    assert len(told["games"]) == 15


async def test_a_file_that_is_too_large_even_so_is_refused_with_a_sentence(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *_ = running_bot.people
    await running_bot.friends()
    monkeypatch.setattr(views, "LARGEST_FILE", 300)
    said = (await panels.use(running_bot, ann, "me export")).message.text
    assert like("me.export.too_large").search(said)
