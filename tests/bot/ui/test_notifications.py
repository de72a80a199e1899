"""Notifications, person by person: a message reaches those it is meant for, nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from tests.bot.english import says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, RunningBot


class Allowed:
    """The allowed mentions of the bot's new messages, as they go over the wire."""

    def __init__(self) -> None:
        self._allowed: list[dict[str, Any]] = []

    def __call__(self, seen: Observed) -> None:
        if not isinstance(seen, Exchange) or not isinstance(seen.request, Mapping):
            return
        body = seen.request.get("data", seen.request)
        if seen.method == "POST" and isinstance(body, Mapping) and "allowed_mentions" in body:
            self._allowed.append(dict(body["allowed_mentions"]))

    def those(self, *people: Person) -> list[dict[str, Any]]:
        """The allowed mentions of a message that is meant for some people alone."""
        return [{"parse": [], "users": [int(person.id) for person in people]}]

    def taken(self) -> list[dict[str, Any]]:
        """The mentions allowed since the last call; messages that notify nobody are left out."""
        taken, self._allowed = self._allowed, []
        return [each for each in taken if each.get("users")]


@pytest.fixture
async def allowed(running_bot: RunningBot, sandbox: Sandbox) -> Allowed:
    """The messages after the first round, which could tell Ann early that Ben has accepted."""
    await running_bot.clock.waited_for()
    allowed = Allowed()
    sandbox.observe(allowed)
    return allowed


async def test_a_challenge_may_notify_the_person_challenged_and_their_answer_the_challenger(
    running_bot: RunningBot, allowed: Allowed
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    assert allowed.taken() == allowed.those(ben)
    await running_bot.press(ben, board, says("control.accept"))
    assert allowed.taken() == []
    await running_bot.later(timedelta(seconds=10))
    await running_bot.clock.waited_for()
    assert allowed.taken() == allowed.those(ann)


async def test_an_invitation_may_notify_those_invited_and_the_start_nobody(
    running_bot: RunningBot, allowed: Allowed
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player3=cleo)
    assert allowed.taken() == allowed.those(ben, cleo)
    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(cleo, board, says("control.join"))
    assert allowed.taken() == []


async def test_a_reminder_may_notify_the_person_reminded(
    running_bot: RunningBot, allowed: Allowed
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.mark(ann, board, A)
    allowed.taken()
    await running_bot.later(timedelta(minutes=4))
    await running_bot.clock.waited_for()
    assert allowed.taken() == allowed.those(ben)
    await running_bot.later(timedelta(minutes=1))
    await running_bot.clock.waited_for()
    assert allowed.taken() == allowed.those(ann)


async def test_what_people_say_of_each_other_notifies_nobody(
    running_bot: RunningBot, allowed: Allowed
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, A, B)
    allowed.taken()
    await running_bot.told(ann, board, B)
    await running_bot.resign(ben, board)
    for command in ("stats", "history", "leaderboard"):
        await running_bot.say(ann, command)
    await panels.choose(running_bot, ann, "me blocked", ben)
    assert allowed.taken() == []
