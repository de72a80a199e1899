"""Metrics of Parlour at work agree with the things that happened."""

from __future__ import annotations

import asyncio
import re
import socket
from datetime import timedelta
from pathlib import Path

import aiohttp

from bot.metrics import PrometheusMeter
from bot.ui.health import served
from bot.ui.requests import route
from tests.bot.english import like
from tests.bot.process import started
from tests.bot.ui.conftest import Open

EDIT, CALLBACK = "/channels/*/messages/*", "/interactions/*/*/callback"
WITHOUT = (
    "import sys; sys.modules['prometheus_client'] = None; from bot.__main__ import main; main()"
)


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return str(taken.getsockname()[1])


async def read(port: str, path: str) -> tuple[int, str]:
    url = f"http://127.0.0.1:{port}/{path}"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.text()


def figure(page: str, name: str, what: str | None = None) -> float:
    """A figure of a page for Prometheus; 0 where there is none yet."""
    label = "" if what is None else re.escape(f'{{what="{what}"}}')
    found = re.search(rf"^parlour_{name}{label} (\S+)$", page, re.MULTILINE)
    return 0.0 if found is None else float(found[1])


async def test_figures_agree_with_a_game_that_was_played(open_bot: Open) -> None:
    meter, port = PrometheusMeter(), free_port()
    async with (
        open_bot(meter=meter) as running_bot,
        served(running_bot.client, int(port), meter.exposition),
    ):
        ann, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.play(board, (0, 0), (0, 1), (1, 1), (0, 2))
        await running_bot.mark(running_bot.people[1], board, (2, 2))
        await running_bot.mark(ann, board, (2, 2))
        alone = await running_bot.opened(ann, level="hard", size=4)
        await running_bot.mark(ann, alone, (1, 1))
        await running_bot.later(timedelta(seconds=10))  # a round counts what is behind
        await running_bot.clock.waited_for()
        status, page = await read(port, "metrics")
        assert status == 200
        assert figure(page, "interactions_total", "application_command") == 2
        assert figure(page, "interactions_total", "component") == 8
        assert figure(page, "refusals_total", "not_your_turn") == 1
        assert figure(page, "acknowledgement_seconds_count") == 10
        assert figure(page, "answer_seconds_count") == 10
        assert figure(page, "search_seconds_count") == 1
        assert figure(page, "searches_waiting") == 0
        assert figure(page, "searches_lost_total", "late") == 0
        assert figure(page, "boards_behind") == 0
        assert figure(page, "database_seconds_count") >= 10
        callbacks = re.findall(
            r'_total.what="POST /interactions/\*/\*/callback (\d+)"\} (\S+)', page
        )
        assert callbacks == [("200", "10.0")]


async def test_what_discord_refuses_is_counted_by_route_and_status(open_bot: Open) -> None:
    meter = PrometheusMeter()
    async with open_bot(meter=meter) as running_bot:
        board = await running_bot.friends()
        running_bot.sandbox.fail_next("PATCH", EDIT, 403, 50013, "Missing Permissions")
        await running_bot.later(timedelta(minutes=5))
        await running_bot.clock.waited_for()
        assert not like("board.lapsed").search(board.text)
        page = meter.exposition().decode()
        assert figure(page, "discord_requests_total", f"PATCH {EDIT} 403") == 1
        assert figure(page, "boards_behind") == 1


async def test_what_is_tried_again_is_counted_by_its_status_too(open_bot: Open) -> None:
    meter = PrometheusMeter()
    async with open_bot(meter=meter) as running_bot:
        board = await running_bot.friends()
        running_bot.sandbox.fail_next("POST", CALLBACK, 503)
        running_bot.sandbox.cut_next("POST", CALLBACK)
        await running_bot.mark(running_bot.people[0], board, (1, 1))
        page = meter.exposition().decode()
        assert figure(page, "discord_requests_total", f"POST {CALLBACK} 503") == 1
        assert figure(page, "discord_requests_total", f"POST {CALLBACK} lost") == 1


def test_a_route_has_neither_ids_nor_tokens() -> None:
    assert route("/api/v10/channels/123/messages/45") == "/channels/*/messages/*"
    assert route("/api/v10/webhooks/1/aW50ZXI/messages/@original") == (
        "/webhooks/*/*/messages/@original"
    )
    assert route("/api/v10/interactions/1/aW50ZXI/callback") == "/interactions/*/*/callback"
    assert route("/api/v10/applications/7/commands") == "/applications/*/commands"


async def test_without_the_extra_a_sentence_says_how_to_install_it(tmp_path: Path) -> None:
    ports = {"PARLOUR_METRICS_PORT": free_port(), "PARLOUR_SANDBOX_PORT": "0"}
    async with started(tmp_path, "-c", WITHOUT, **ports) as process:
        assert process.stderr is not None
        async with asyncio.timeout(60):
            said = (await process.stderr.readline()).decode()
    assert "pip install -e '.[metrics]'" in said
