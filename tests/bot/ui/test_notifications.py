"""Whom each message may notify, person by person: those it is meant for, and nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from tests.bot.english import says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo
from tests.bot.ui.conftest import House

A, B = (0, 0), (0, 1)


class Allowed:
    """What new messages of the bot allow, as it goes over the wire."""

    def __init__(self) -> None:
        self._allowed: list[dict[str, Any]] = []

    def __call__(self, seen: Observed) -> None:
        if not isinstance(seen, Exchange) or not isinstance(seen.request, Mapping):
            return
        body = seen.request.get("data", seen.request)
        if seen.method == "POST" and isinstance(body, Mapping) and "allowed_mentions" in body:
            self._allowed.append(dict(body["allowed_mentions"]))

    def those(self, *people: Person) -> list[dict[str, Any]]:
        """What a message allows that is meant for some people alone."""
        return [{"parse": [], "users": [int(person.id) for person in people]}]

    def taken(self) -> list[dict[str, Any]]:
        """What was allowed since this was asked last; nothing that notifies nobody."""
        taken, self._allowed = self._allowed, []
        return [each for each in taken if each.get("users")]


@pytest.fixture
def allowed(sandbox: Sandbox) -> Allowed:
    allowed = Allowed()
    sandbox.observe(allowed)
    return allowed


async def test_a_challenge_may_notify_the_person_challenged_and_their_answer_the_challenger(
    house: House, allowed: Allowed
) -> None:
    ann, ben, *_ = house.people
    board = await house.opened(ann, opponent=ben)
    assert allowed.taken() == allowed.those(ben)
    await house.press(ben, board, says("control.accept"))
    assert allowed.taken() == []
    await house.later(timedelta(seconds=10))
    await house.clock.waited_for()
    assert allowed.taken() == allowed.those(ann)


async def test_an_invitation_may_notify_those_invited_and_the_start_nobody(
    house: House, allowed: Allowed
) -> None:
    ann, ben, cleo, _ = house.people
    board = await ludo.opened(house.sandbox, ann, player2=ben, player3=cleo)
    assert allowed.taken() == allowed.those(ben, cleo)
    await house.press(ben, board, says("control.join"))
    await house.press(cleo, board, says("control.join"))
    assert allowed.taken() == []


async def test_a_reminder_may_notify_the_person_reminded(house: House, allowed: Allowed) -> None:
    ann, ben, *_ = house.people
    board = await house.friends()
    await house.mark(ann, board, A)
    allowed.taken()
    await house.later(timedelta(minutes=4))
    await house.clock.waited_for()
    assert allowed.taken() == allowed.those(ben)
    await house.later(timedelta(minutes=1))
    await house.clock.waited_for()
    assert allowed.taken() == allowed.those(ann)


async def test_what_people_say_of_each_other_notifies_nobody(
    house: House, allowed: Allowed
) -> None:
    ann, ben, *_ = house.people
    board = await house.friends()
    await house.play(board, A, B)
    allowed.taken()
    await house.told(ann, board, B)
    await house.resign(ben, board)
    for command in ("stats", "history", "leaderboard"):
        await house.say(ann, command)
    await house.say(ann, "me block", user=ben)
    assert allowed.taken() == []
