"""Each request of a tournament in trouble: the rounds after it make everything good, once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Final

import pytest

from bot.sandbox import Message
from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.web.calls import Reply
from bot.screens.tournament_controls import TournamentAction
from bot.storage.check.games import false_tournaments
from bot.table.seats import PersonId
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import standings
from bot.tournaments.tournament import Stage
from bot.ui import retries, router
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import EDIT, MESSAGES, Fault, Gate
from tests.bot.ui.conftest import Open
from tests.bot.ui.hall import NONE_YET, Hall, guests, meant

CALLBACK: Final = "/interactions/{interaction_id}/{interaction_token}/callback"
DEFERRED: Final = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
MEMBER: Final = "/guilds/{guild_id}/members/{user_id}"

REQUESTS: Final = {
    "look for the sign-up": ("GET", MESSAGES, ""),
    "sign-up": ("POST", MESSAGES, ":join:"),
    "answer to the host": ("PATCH", DEFERRED, says("tournament.opened")),
    "answer to a player": ("POST", CALLBACK, ":join:"),
    "first round": ("PATCH", EDIT, ":table:"),
    "thread": ("POST", f"{EDIT}/threads", ""),
    "board": ("POST", MESSAGES, "p1:1:"),
    "call": ("POST", MESSAGES, ":here:"),
    "last move": ("POST", CALLBACK, ":tournament"),
    "call taken away": ("DELETE", EDIT, ""),
    "end of a match": ("POST", MESSAGES, ":standings:"),
    "board of the next round": ("POST", MESSAGES, "p1:2:"),
    "call of the next round": ("POST", MESSAGES, ":here:2"),
    "end": ("PATCH", EDIT, ":again:"),
    "winner": ("GET", MEMBER, ""),
    "role": ("PUT", f"{MEMBER}/roles/{{role_id}}", ""),
    "podium": ("POST", MESSAGES, ":share:"),
}
"""The requests of a tournament by name, in order: method, path, and a part of what they send."""

AWAY: Final = timedelta(minutes=5)
"""Longer than Discord remembers nonces, and shorter than a first move is waited for."""
UNAVAILABLE: Final = Reply(503, {"message": "Made to fail", "code": 0})
TROUBLE: Final[Mapping[str, Callable[..., Fault]]] = {
    "fails": partial(Fault, reply=UNAVAILABLE),
    "is cut": Fault,
    "is cut and carried out": partial(Fault, carried_out=True),
}

APART: Final = 5
"""The requests between two that are tried in the same tournament."""

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.sampled(1),
    pytest.mark.parametrize("first", range(APART)),
]


async def played(hall: Hall) -> None:
    """Play a tournament of three, each match as soon as its people are called."""
    champion = hall.bot.sandbox.world.guild.roles[0]
    await hall.honour_winners(champion.id)
    if hall.number is NONE_YET:
        await hall.sign_up(format="all_play_all", places="3", start="full")
    while not hall.messages:
        await hall.later()
    for person in hall.people[1:]:
        if (await hall.tournament()).entry_of(PersonId(int(person.id))) is None:
            await hall.press(person, TournamentAction.JOIN)
    while _is_unfinished(hosted := await hall.hosted()):
        if not hosted.to_call:
            await hall.play_boards()
        await hall.later()


def _is_unfinished(hosted: HostedTournament) -> bool:
    """Whether it goes on, or something of it is still to be shown or taken away."""
    told = not hosted.calls and not [*hosted.to_tell]
    return hosted.live or hosted.shown < hosted.revision or not told


async def everything_is_there_once(hall: Hall) -> None:
    """One first message, one thread, one podium and role; nothing paired, dealt or told twice."""
    world, found = hall.bot.sandbox.world, await hall.tournament()
    assert found.stage is Stage.OVER
    assert len(hall.messages) == 1
    threads = [each for each in world.channels.values() if each.kind is ChannelKind.THREAD]
    assert len(threads) == 2, "one is there from the start"
    assert hall.thread in threads
    winner = hall.bot.sandbox.world.accounts[standings(found)[0].person]  # type: ignore[index]
    assert winner.roles == {world.guild.roles[0].id}
    podium = like("tournament.podium")
    assert sum(podium.search(each.text) is not None for each in hall.told("games")) == 1
    met = Counter(frozenset(leg.entries) for leg in found.legs if leg.table)
    assert [*met.values()] == [1, 1, 1]
    matches = hall.told(hall.thread.name)
    assert controls(matches, "p1") == {str(leg.table): 1 for leg in found.legs if leg.table}
    assert not any(":here:" in str(each.buttons) for each in matches), "calls are taken away"
    assert sum(":standings:" in str(each.buttons) for each in matches) == len(met)
    assert await hall.bot.store.database.run(lambda c: [*false_tournaments(c)]) == []


def controls(messages: list[Message], kind: str) -> Counter[str]:
    """The number of messages of each table, or of another thing, by the ids of their controls."""
    own = (
        {i.custom_id.split(":")[1] for i in m.buttons if i.custom_id.startswith(kind)}
        for m in messages
    )
    return Counter(each for ids in own for each in ids)


@pytest.mark.parametrize("trouble", TROUBLE)
async def test_after_requests_in_trouble_everything_is_there_once(
    open_bot: Open, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, first: int, trouble: str
) -> None:
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)  # else it is tried again at once
    async with open_bot() as bot:
        for request in [*REQUESTS][first::APART]:
            method, path, of = meant(*REQUESTS[request])
            sandbox.trouble(TROUBLE[trouble](method, path, of=of))

        hall = Hall(bot, guests(sandbox, 3))
        await played(hall)

        assert not sandbox.troubled, "the requests were made"
        await everything_is_there_once(hall)


async def test_after_stops_in_mid_request_everything_is_there_once(
    open_bot: Open, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.setattr(router, "LAST_ANSWERS", 0.0)
    number, away = NONE_YET, timedelta()
    for request in [*REQUESTS][first::APART]:
        method, path, of = meant(*REQUESTS[request])
        gate = Gate()
        sandbox.trouble(Fault(method, path, gate=gate, of=of))
        async with open_bot(later=away) as bot:
            hall = Hall(bot, guests(sandbox, 3), number=number)
            playing = asyncio.create_task(played(hall))
            await gate.reached()
            playing.cancel()
        await gate.passed()  # it had left, and nobody hears the answer
        sandbox.advance(AWAY.total_seconds())
        number, away = hall.number, away + AWAY
    async with open_bot(later=away) as bot:
        hall = Hall(bot, guests(sandbox, 3), number=number)
        await played(hall)

        await everything_is_there_once(hall)
