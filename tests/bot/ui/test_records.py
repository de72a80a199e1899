"""`/stats`, `/leaderboard` and `/history` over the whole bot."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from itertools import pairwise
from random import Random
from threading import Event

import pytest

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Answer, Channel, Interaction, Message
from bot.screens.pager import EVERY_GAME, PUZZLE
from bot.table.seats import Level, PersonId
from bot.table.session import Session
from bot.ui import response
from tests.bot.english import like, pattern, says
from tests.bot.games.pixels import decoded
from tests.bot.people import Person, Value, button_on
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.finished import ELSEWHERE, agreed, played, resigned, store, won
from tests.bot.ui.ludo import labels

REPLAYS = "s1:replay"
"""The id of the menu of games to step through."""
STRANGERS = range(1001, 1024)
"""Ids of people who are not in the sandbox, but whom its bot remembers."""


async def ask(
    running_bot: RunningBot,
    person: Person,
    command: str,
    channel: Channel | None = None,
    **options: Value,
) -> Message:
    """Type a command; return the answer that only its author can see."""
    typed = await person.type(channel or running_bot.games, command, **options)
    message = (await typed.answered()).message
    assert message.ephemeral
    assert not message.pinged
    return message


def lines(message: Message) -> list[str]:
    """The readable text, without the characters that isolate names."""
    return message.text.translate({0x2068: None, 0x2069: None}).split("\n")


def level_line(level: str) -> str:
    """A line of what the picture tells of games against the computer, after one lost game."""
    tally = says("records.tally", wins="0", draws="0", losses="1")
    return says("stats.picture.level", level=says(f"choice.level.{level}"), tally=tally)


def score(*, wins: int = 0, losses: int = 0) -> str:
    """Games won, drawn and lost, as a line has them."""
    return says("records.score", wins=str(wins), draws="0", losses=str(losses))


def outcome(key: str) -> str:
    """The ending of a game for somebody, by its line of the history."""
    return f"**{says(key)}**"


def ended(ending: str) -> str:
    """The end of the second line of a game in the history."""
    said = {"at": "|", "ending": says(f"ending.{ending}")}
    line = says("history.line", sign="", outcome="", game="", number="", opponents="", **said)
    return line.rpartition("|")[2]


LEADER = re.compile(
    "|".join(
        pattern(key, place=r"\S+", person=r"\u2068?<@(\d+)>\u2069?", rating=r"(\d+)", score=".+")
        for key in ("leaderboard.line.provisional", "leaderboard.own.provisional")
    )
)


def leader(line: str) -> tuple[float, int] | None:
    """The rating and the id of whom a line of a leaderboard is about."""
    found = LEADER.fullmatch(line)
    if found is None:
        return None
    person, rating = filter(None, found.groups())
    return float(rating), int(person)


LISTED = re.compile(rf"{re.escape(says('game.tictactoe'))} (\d+) · ")


def chain(*people: Person | int) -> list[Session]:
    """Games of each of some people with the next, who loses."""
    return [won(better, worse) for better, worse in pairwise(people)]


async def test_stats_before_the_first_game_say_how_to_begin(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    own = await ask(running_bot, ann, "stats", game="tictactoe")
    assert like("stats.begin", game=says("game.tictactoe.within")).search(own.text)
    assert "</tictactoe:" in own.text
    assert not own.attachments
    others = await ask(running_bot, ann, "stats", player=ben, game="ludo")
    empty = like("stats.empty", person=ben.mention, game=says("game.ludo"))
    assert empty.search(others.text)
    assert "</ludo:" in others.text


async def test_a_game_played_on_the_board_counts_for_both(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    winner = lines(await ask(running_bot, ann, "stats"))
    title = {"game": says("game.tictactoe"), "where": says("scope.here")}
    assert winner[:2] == says("stats.title", person=ann.mention, **title).split("\n")
    tally = says("records.tally", wins="1", draws="0", losses="0")
    assert {*says("stats.people", share="100%", tally=tally).split("\n")} <= {*winner}
    assert says("stats.streak.won", count="1", best="1") in winner
    met = says("stats.opponent", person=ben.mention, score=score(wins=1))
    assert says("stats.favourites", people=met) in winner
    loser = lines(await ask(running_bot, ann, "stats", player=ben))
    tally = says("records.tally", wins="0", draws="0", losses="1")
    assert {*says("stats.people", share="0%", tally=tally).split("\n")} <= {*loser}
    assert says("stats.streak.lost", count="1", best="0") in loser
    met = says("stats.opponent", person=ann.mention, score=score(losses=1))
    assert says("stats.favourites", people=met) in loser
    assert not like("stats.toughest").search("\n".join(loser)), "nobody is named twice"


async def test_a_badge_is_told_by_the_board_of_the_game_that_earned_it_and_kept(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    first = says("badge.first_win")
    told = says("board.badge", person=f"\u2068{ann.mention}\u2069", emblem="🏅", badge=first)
    in_mid_month(running_bot)  # on the first of January there is a badge for all
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    assert says("board.badges", badges=told) in board.text
    assert board.text.count(first) == 1
    winners = await badges_of(running_bot, ann)
    assert like("stats.badge", badge=first).search(winners)
    assert winners.count(f"**{first}**") == 1
    assert says("badge.ten_wins.how") in winners
    assert says("stats.badges.none") in await badges_of(running_bot, ben)
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    assert first not in board.text, "it is told once"


async def test_a_game_given_up_at_once_says_that_it_counts_for_nothing(
    running_bot: RunningBot,
) -> None:
    """No badge, no tally and no place follow from it; the history has it."""
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1))
    asked = (await running_bot.press(ben, board, says("control.resign"))).message
    await running_bot.press(ben, asked, says("control.resign"))
    await running_bot.sandbox.until(lambda: says("board.short") in board.text)
    assert not like("board.badges").search(board.text)
    assert like("stats.empty", "stats.begin").search((await ask(running_bot, ann, "stats")).text)
    assert like("leaderboard.empty").search((await ask(running_bot, ann, "leaderboard")).text)
    assert not like("history.begin").search((await ask(running_bot, ann, "history")).text)


async def test_a_hidden_badge_is_shown_once_somebody_in_the_server_has_it(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    in_mid_month(running_bot)  # on the first of January there is another hidden one
    returned = (*[won(ben, ann)] * 5, won(ann, ben))
    await store(running_bot, *returned, guild=ELSEWHERE)
    await store(running_bot, won(cleo, ben))
    unknown = await badges_of(running_bot, cleo)
    assert "🌈" not in unknown
    await store(running_bot, *[won(ben, dan)] * 5, won(dan, ben))
    known = await badges_of(running_bot, cleo)
    assert "🌈" in known
    assert known.count("❔") == unknown.count("❔") - 1


async def badges_of(running_bot: RunningBot, person: Person) -> str:
    """The pages of somebody's badges, their own and those still to come, as they see them."""
    shown = await ask(running_bot, person, "stats")
    await running_bot.press(person, shown, says("control.next"))
    own = shown.text
    await running_bot.press(person, shown, says("control.next"))
    return f"{own}\n{shown.text}"


async def test_a_rating_is_provisional_below_ten_games_against_three_people(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    await store(running_bot, *[won(ann, ben) for _ in range(10)])
    counted = {"count": "10", "least": "3"}
    text = (await ask(running_bot, ann, "stats")).text
    assert like("stats.rating.provisional", games="10", people="1", **counted).search(text)
    await store(running_bot, won(ann, cleo))
    text = (await ask(running_bot, ann, "stats")).text
    assert like("stats.rating.provisional", games="11", people="2", **counted).search(text)
    await store(running_bot, won(ann, dan))
    text = (await ask(running_bot, ann, "stats")).text
    rated = re.compile(pattern("stats.rating", rating=r"\d+", spread=r"\d+"))
    assert any(map(rated.fullmatch, text.split("\n")))
    assert not like("stats.rating.provisional").search(text)


async def test_the_numbers_shown_are_those_of_the_records(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    await store(running_bot, won(ann, ben), won(ben, ann), won(ann, cleo), agreed(ann.id, ben.id))
    record = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe")
    assert record.rating is not None
    text = (await ask(running_bot, ann, "stats")).text
    mu, sigma = record.rating.mu, record.rating.sigma
    points = round(1000 + 40 * (mu - 3 * sigma))
    rated = like("stats.rating.provisional", rating=str(points), spread=str(round(40 * sigma)))
    assert rated.search(text)
    leaders = (await ask(running_bot, ann, "leaderboard")).text
    assert like("leaderboard.own.provisional", rating=str(points)).search(leaders)
    tally = says("records.tally", wins="2", draws="1", losses="1")
    assert says("stats.people", share="50%", tally=tally) in text


async def test_games_against_the_computer_are_counted_apart_by_level(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    for level in ("easy", "perfect"):
        board = await running_bot.opened(ann, level=level)
        await running_bot.resign(ann, board)
    shown = await ask(running_bot, ann, "stats")
    assert like("stats.nobody_met").search(shown.text)
    told = (shown.pictures[0].description or "").splitlines()
    assert level_line("easy") in told
    assert level_line("perfect") in told
    best = await ask(running_bot, ann, "leaderboard")
    assert like("leaderboard.empty").search(best.text)


async def test_the_picture_is_a_png_told_in_words(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await store(
        running_bot, won(ann, ben), resigned("tictactoe", ann.id, Level.HARD, leaving=[ann.id])
    )
    shown = await ask(running_bot, ann, "stats")
    (picture,) = shown.pictures
    assert picture.file in shown.attachments
    (width, height), _ = decoded(shown.attachments[0].data)
    assert width == 720
    assert height > 300
    (curve,) = picture.description.splitlines()
    assert like("stats.picture.point").fullmatch(curve)
    assert re.search(r"\b\d{4}\b", curve)
    await running_bot.press(ann, shown, says("control.next"))
    (picture,) = shown.pictures
    assert picture.description == level_line("hard")
    assert says("stats.levels") in shown.text
    assert not like("stats.people").search(shown.text), "a page of its own"


async def test_without_a_game_the_one_last_played_is_meant(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    await store(running_bot, won(ann, ben), won(ben, ann, "ludo"), won(cleo, ann), guild=ELSEWHERE)
    await store(running_bot, won(ben, ann, "ludo"))
    assert lines(await ask(running_bot, ben, "stats"))[0] == f"## {says('game.ludo')}"
    assert lines(await ask(running_bot, ben, "leaderboard"))[0] == f"## {says('game.ludo')}"
    assert (
        lines(await ask(running_bot, ben, "stats", player=cleo))[0]
        == f"## {says('game.tictactoe')}"
    )


async def pick_game(person: Person, shown: Message, key: str) -> Interaction:
    """The game chosen in the menu of a page, and answered."""
    picked = await person.pick(shown, says(key), placeholder=says("control.all_games"))
    return await picked.answered()


async def test_a_menu_offers_every_game_and_nothing_else(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    offered = {
        "stats": [*CATALOGUE],
        "leaderboard": [*CATALOGUE, PUZZLE],
        "history": [EVERY_GAME, *CATALOGUE],
    }
    for command, games in offered.items():
        shown = await ask(running_bot, ann, command)
        *_, menu = shown.selects
        assert [choice.value for choice in menu.choices] == games
        assert [choice.value for choice in menu.choices if choice.default] == games[:1]


async def test_a_page_from_before_with_a_button_for_a_game_still_leads_there(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    shown = await ask(running_bot, ann, "stats")
    scope = next(b for b in shown.buttons if b.label == says("control.scope.everywhere"))
    older = scope.custom_id.replace("tictactoe", "ludo").replace("everywhere", "here")
    await ann.press_drawn(shown, older).answered()
    assert lines(shown)[0] == f"## {says('game.ludo')}"


async def test_another_game_takes_the_place_of_the_one_shown(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, won(ann, ben))
    shown = await ask(running_bot, ann, "stats")
    assert labels(shown) == [
        says("control.scope.everywhere"),
        says("control.share"),
        says("control.page_before"),
        says("control.next"),
    ]
    await pick_game(ann, shown, "game.ludo")
    assert lines(shown)[0] == f"## {says('game.ludo')}"
    assert not shown.attachments
    await pick_game(ann, shown, "game.tictactoe")
    assert lines(shown)[0] == f"## {says('game.tictactoe')}"
    assert len(shown.attachments) == 1


async def test_what_is_shared_names_nobody_who_was_met_in_another_server(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, won(ann, ben), guild=ELSEWHERE)
    shown = await ask(running_bot, ann, "stats")
    await running_bot.press(ann, shown, says("control.scope.everywhere"))
    assert ben.mention in shown.text
    shared = (await running_bot.press(ann, shown, says("control.share"))).message
    assert not shared.ephemeral
    assert says("scope.everywhere") in shared.text
    assert ben.mention not in shared.text


async def test_a_server_counts_its_own_games_and_everywhere_counts_all(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    await store(running_bot, won(ann, ben))
    await store(running_bot, won(ben, ann), won(cleo, ann), guild=ELSEWHERE)
    shown = await ask(running_bot, ann, "stats", game="tictactoe")
    assert says("records.tally", wins="1", draws="0", losses="0") in shown.text
    await running_bot.press(ann, shown, says("control.scope.everywhere"))
    assert says("scope.everywhere") in lines(shown)[1]
    assert says("records.tally", wins="1", draws="0", losses="2") in shown.text
    best = await ask(running_bot, ann, "leaderboard", scope="here")
    assert [line for line in lines(best) if "<@" in line and cleo.mention in line] == []
    best = await ask(running_bot, ann, "leaderboard", scope="everywhere")
    assert cleo.mention in "\n".join(lines(best))
    await running_bot.press(ann, best, says("control.scope.here"))
    assert cleo.mention not in "\n".join(lines(best))


async def test_in_direct_messages_every_game_counts(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, won(ann, ben))
    await store(running_bot, won(ann, ben), guild=ELSEWHERE)
    seasons = [says("control.when.season")]
    for command, options, others in (
        ("stats", {}, [says("control.page_before"), says("control.next")]),
        ("leaderboard", {"scope": "here"}, seasons),
    ):
        shown = await ask(running_bot, ann, command, ann.dm, **options)
        assert says("scope.everywhere") in shown.text
        assert labels(shown) == others
        assert "2" in shown.text
    past = await ask(running_bot, ann, "history", ann.dm)
    assert past.text.count(outcome("outcome.win")) == 2
    assert labels(past) == [says("control.review_file")]


async def test_whom_somebody_meets_in_other_servers_is_told_to_nobody_else(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    await store(running_bot, won(ann, ben))
    await store(running_bot, won(ann, cleo), won(cleo, ann), won(dan, ann), guild=ELSEWHERE)
    for command in ("stats", "history"):
        for reader, channel in ((dan, running_bot.games), (dan, dan.dm), (ann, running_bot.games)):
            shown = await ask(running_bot, reader, command, channel, player=ann, game="tictactoe")
            if says("control.scope.everywhere") in labels(shown):
                await running_bot.press(reader, shown, says("control.scope.everywhere"))
            assert (cleo.mention in shown.text) == (reader is ann)
    history = await ask(running_bot, dan, "history", player=ann)
    assert history.text.count(ben.mention) == 1
    await running_bot.press(dan, history, says("control.scope.everywhere"))
    assert history.text.count(says("history.somebody")) == 2
    assert history.text.count(ben.mention) == 1
    assert history.text.count(dan.mention) == 1
    own = await ask(running_bot, ann, "history", ann.dm)
    assert own.text.count(cleo.mention) == 2


@pytest.mark.parametrize("command", ["stats", "history"])
async def test_bots_have_no_records(running_bot: RunningBot, command: str) -> None:
    ann, *_ = running_bot.people
    robot = running_bot.sandbox.person("Robot")
    refused = await ask(running_bot, ann, command, player=robot)
    assert says("refusal.bots_have_no_records") in refused.text
    assert not refused.buttons


async def test_a_leaderboard_without_a_game_says_how_to_begin(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    shown = await ask(running_bot, ann, "leaderboard", game="ludo")
    assert like("leaderboard.empty").search(shown.text)
    assert like("leaderboard.begin").search(shown.text)
    assert "</ludo:" in shown.text


async def test_a_leaderboard_is_of_this_season_once_that_has_ten_games(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    month = in_mid_month(running_bot)
    await store(running_bot, *[won(ann, ben)] * 9)
    shown = await ask(running_bot, ann, "leaderboard")
    assert lines(shown)[1].endswith(says("season.ever"))
    await store(running_bot, won(ann, ben))
    shown = await ask(running_bot, ann, "leaderboard")
    assert lines(shown)[1].endswith(month)
    assert score(wins=10) in shown.text
    await running_bot.press(ann, shown, says("control.when.last"))
    assert not lines(shown)[1].endswith(month)
    assert like("leaderboard.empty.last").search(shown.text)


def in_mid_month(running_bot: RunningBot) -> str:
    """Moves the clock to the middle of a month, and names that."""
    now = running_bot.clock.now()
    middle = (now.replace(day=1) + timedelta(32)).replace(day=15)
    running_bot.clock.advance(middle - now)
    return f"{middle:%B %Y}"


async def test_a_season_ends_with_its_month_and_stays_to_be_looked_at(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    before = in_mid_month(running_bot)
    await store(running_bot, *[won(ann, ben)] * 3, won(ann, cleo), won(ann, dan))
    after = in_mid_month(running_bot)
    await store(running_bot, *[won(ben, ann)] * 3)
    for when, month, first, games in (
        ("season", after, ben, 3),
        ("last", before, ann, 5),
        ("ever", says("season.ever"), None, 8),
    ):
        shown = await ask(running_bot, ann, "leaderboard", when=when)
        assert lines(shown)[1].endswith(month)
        best = next(line for line in lines(shown) if line.startswith("🥇"))
        assert first is None or (first.mention in best and score(wins=games) in best)
        provisional = like("leaderboard.line.provisional", "leaderboard.own.provisional")
        assert bool(provisional.search(best)) == (games != 5)


async def test_the_best_come_first_page_by_page(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    in_mid_month(running_bot)
    await store(running_bot, *chain(*STRANGERS, ann))
    ranked = []
    shown = await ask(running_bot, ann, "leaderboard")
    for page in (1, 2, 3):
        assert says("records.page", page=str(page), pages="3") in lines(shown)
        ranked += [each for each in map(leader, lines(shown)) if each][:10]
        previous, following = (
            button_on(shown, says("control.page_before")),
            button_on(shown, says("control.next")),
        )
        assert (previous.disabled, following.disabled) == (page == 1, page == 3)
        if page < 3:
            await running_bot.press(ann, shown, says("control.next"))
    assert [rating for rating, _ in ranked] == sorted((r for r, _ in ranked), reverse=True)
    assert {person for _, person in ranked} == {*STRANGERS, int(ann.id)}
    await running_bot.press(ann, shown, says("control.page_before"))
    assert says("records.page", page="2", pages="3") in lines(shown)


async def test_ones_own_place_is_shown_on_every_page_and_marked(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    in_mid_month(running_bot)
    await store(running_bot, *chain(*STRANGERS, ann))
    shown = await ask(running_bot, ann, "leaderboard")
    for _ in range(2):
        (own,) = [line for line in lines(shown) if line.endswith("◀")]
        assert ann.mention in own
        place = re.search(r"\*\*(\d+)\.\*\*", own)
        assert place is not None
        assert says("leaderboard.standing", place=place[1], people="24") in lines(shown)
        await running_bot.press(ann, shown, says("control.next"))


async def test_whoever_has_no_place_is_told_how_to_get_one(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    await store(running_bot, won(ann, ben))
    shown = await ask(running_bot, cleo, "leaderboard")
    assert like("leaderboard.begin").search(shown.text)
    assert lines(shown)[2].startswith(f"🥇 {ann.mention} · **")
    assert lines(shown)[2].endswith(f"· {score(wins=1)}")
    assert like("leaderboard.line.provisional", score=score(wins=1)).fullmatch(lines(shown)[2])


async def test_computers_at_the_table_have_no_place(running_bot: RunningBot, rng: Random) -> None:
    ann, ben, *_ = running_bot.people
    four = (ann.id, Level.EASY, ben.id, Level.HARD)
    await store(running_bot, played("ludo", *four, rng=rng))
    shown = await ask(running_bot, ann, "leaderboard", game="ludo")
    places = [says("leaderboard.standing", place=each, people="2") for each in ("1", "2")]
    assert {*places} & {*lines(shown)}, "whoever of the two has won"
    assert len([line for line in lines(shown) if " · **" in line]) == 2, "those of the people"
    assert not like("player.computer").search(shown.text)


async def test_a_history_without_a_game_says_how_to_begin(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    own = await ask(running_bot, ann, "history")
    assert like("history.begin").search(own.text)
    assert "</tictactoe:" in own.text
    assert "</ludo:" in own.text
    others = await ask(running_bot, ann, "history", player=ben, game="ludo")
    assert like("history.empty").search(others.text)
    assert "</tictactoe:" not in others.text


async def test_finished_games_are_listed_the_latest_first(running_bot: RunningBot) -> None:
    ann, ben, cleo, dan = running_bot.people
    four = (ann.id, ben.id, Level.HARD, dan.id)
    numbers = await store(
        running_bot,
        won(ann, ben),
        agreed(ann.id, cleo.id),
        resigned("ludo", *four, leaving=[ann.id, ben.id, dan.id]),
        won(cleo, dan),
    )
    found = lines(await ask(running_bot, ann, "history"))
    lost, drawn, beaten = map(outcome, ("outcome.loss", "outcome.draw", "outcome.win"))
    away = says("player.absent", person=ben.mention)
    computer = says("player.computer", level=says("choice.level.hard"))
    tictactoe = says("game.tictactoe")
    first, second, third = (number for number in reversed(numbers[:3]))
    assert found[2] == (f"▫️ {lost} · {says('game.ludo')} {first} · {away}, {computer}, +1")
    assert found[3].endswith(ended("resigned"))
    assert found[4] == f"🤝 {drawn} · {tictactoe} {second} · {cleo.mention}"
    assert found[5].endswith(ended("agreed"))
    assert found[6] == f"🏆 {beaten} · {tictactoe} {third} · {ben.mention}"
    assert found[7].endswith(ended("resigned"))
    assert len(found) == 8


async def test_a_history_is_of_one_game_if_that_is_asked_for(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, won(ann, ben), won(ben, ann, "ludo"))
    shown = await ask(running_bot, ann, "history", game="ludo")
    assert shown.text.count(outcome("outcome.loss")) == 1
    assert outcome("outcome.win") not in shown.text
    assert labels(shown) == [says("control.scope.everywhere"), says("control.review_file")]
    await pick_game(ann, shown, "control.all_games")
    assert outcome("outcome.win") in shown.text
    assert outcome("outcome.loss") in shown.text


async def test_a_history_is_turned_page_by_page(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    numbers = await store(running_bot, *[won(ann, ben) for _ in range(19)])
    shown = await ask(running_bot, ben, "history", player=ann)
    seen = []
    for page in range(1, 6):
        assert says("records.page", page=str(page), pages="5") in lines(shown)
        seen += [int(number) for number in LISTED.findall(shown.text)]
        if page < 5:
            await running_bot.press(ben, shown, says("control.next"))
    assert seen == [*reversed(numbers)]
    assert button_on(shown, says("control.next")).disabled


async def test_a_game_of_the_history_is_replayed_where_it_may_be(running_bot: RunningBot) -> None:
    _, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    shown = await ask(running_bot, ben, "history")
    menu, _ = shown.selects
    assert [choice.label for choice in menu.choices] == [
        says(
            "history.choice", number="1", game=says("game.tictactoe"), outcome=says("outcome.loss")
        )
    ]
    replay = (await (await ben.pick(shown, "1", custom_id=REPLAYS)).answered()).message
    assert replay.ephemeral
    assert says("control.next") in labels(replay)


async def test_all_games_that_the_history_of_somebody_else_offers_can_be_replayed(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    await running_bot.won()
    elsewhere = [won(ann, ben), won(ann, cleo)]
    await store(running_bot, *elsewhere)
    for reader, games in ((ben, {"1", "2"}), (cleo, {"1", "3"}), (dan, {"1"})):
        shown = await ask(running_bot, reader, "history", player=ann)
        offered = {choice.value for choice in shown.selects[0].choices}
        assert offered == games
        for number in sorted(offered):
            picked = await (await reader.pick(shown, number, custom_id=REPLAYS)).answered()
            assert like("replay.start").search(picked.message.text)
    shown = await ask(running_bot, dan, "history", dan.dm, player=ann)
    assert REPLAYS not in [menu.custom_id for menu in shown.selects]


async def test_pages_are_turned_after_a_restart(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        await store(running_bot, *[won(ann, ben) for _ in range(5)])
        shown = await ask(running_bot, ann, "history")
    async with open_bot() as running_bot:
        await running_bot.press(ann, shown, says("control.next"))
        assert says("records.page", page="2", pages="2") in lines(shown)
        assert shown.text.count(outcome("outcome.win")) == 1


async def test_a_database_that_is_busy_for_long_is_waited_for(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, won(ann, ben))
    shown = await ask(running_bot, ann, "stats", game="ludo")
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    free = Event()
    busy = asyncio.create_task(running_bot.store.database.run(lambda _: free.wait(10)))
    typed = await (await ann.type(running_bot.games, "stats", game="tictactoe")).answered()
    pressed = await pick_game(ann, shown, "game.tictactoe")
    assert typed.message.thinking
    assert pressed.response is Answer.LATER_UPDATE
    assert not shown.attachments
    free.set()
    await busy
    await running_bot.sandbox.until(lambda: shown.attachments)
    assert lines(shown)[0] == f"## {says('game.tictactoe')}"
    await running_bot.sandbox.until(
        lambda: [len(each.attachments) for each in ann.sees(running_bot.games)] == [1, 1]
    )
    assert all(message.ephemeral for message in ann.sees(running_bot.games))
