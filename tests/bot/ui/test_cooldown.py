"""The limit of one person's requests: no player meets it, and a flood ends there."""

from __future__ import annotations

from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.ui.handlers import SHARE
from bot.ui.router import AN_ALLOWANCE, COMMAND, FULL, PRESS, REFILL, REMEMBERED, Cooldown
from tests.bot.kit import ANN, BEN


def admitted(cooldown: Cooldown, person: PersonId, cost: float, *, at: float) -> bool:
    try:
        cooldown.charge(person, cost, at)
    except Refusal:
        return False
    return True


def test_a_child_that_presses_as_fast_as_it_can_is_never_refused() -> None:
    cooldown = Cooldown()
    presses = [second + nth / 8 for second in range(25) for nth in range(8)]
    assert all(admitted(cooldown, ANN, PRESS, at=at) for at in presses), "eight a second, 25 s on"
    assert all(admitted(cooldown, BEN, PRESS, at=at / 4) for at in range(2_400)), "four, 10 min on"


def test_commands_one_after_another_are_never_refused_to_a_person_who_types() -> None:
    cooldown = Cooldown()
    assert all(admitted(cooldown, ANN, COMMAND, at=at) for at in range(600))


def test_a_flood_is_cut_to_what_comes_back_and_costs_nobody_else_anything() -> None:
    cooldown = Cooldown()
    seconds = 60
    through = [admitted(cooldown, ANN, PRESS, at=nth / 100) for nth in range(100 * seconds)]
    assert sum(through) <= FULL + REFILL * seconds
    assert not all(through[:200])
    assert admitted(cooldown, BEN, PRESS, at=seconds)


def test_after_a_pause_a_person_may_go_on() -> None:
    cooldown = Cooldown()
    while admitted(cooldown, ANN, COMMAND, at=0):
        pass
    assert not admitted(cooldown, ANN, COMMAND, at=COMMAND / REFILL / 2)
    assert admitted(cooldown, ANN, COMMAND, at=2 * COMMAND / REFILL)


def test_a_small_allowance_admits_everything_after_a_pause() -> None:
    for full in range(1, FULL):
        cooldown = Cooldown(full)
        assert admitted(cooldown, ANN, PRESS, at=0)
        assert admitted(cooldown, ANN, SHARE, at=0)


def test_the_memory_of_allowances_is_bounded() -> None:
    cooldown = Cooldown()
    room = REMEMBERED // AN_ALLOWANCE
    for number in range(2 * room):
        cooldown.charge(PersonId(number), PRESS, 0)
    assert [*cooldown.left] == [*range(room, 2 * room)], "those of the latest people"
