"""Any game of the roster as an environment of PettingZoo, for agents that learn.

It needs the extra `gym`. Seats are agents that take turns ("AEC": Justin Terry et al., "PettingZoo:
Gym for Multi-Agent Reinforcement Learning", 2021), named `seat_0`, `seat_1` and on; dice are rolled
in between, from the seed of `reset`. An observation has two parts: `observation`, numbers in [0, 1]
as the game's module `notation` says, and `action_mask`, 1 for each legal move. An action is a
move. Rewards are the payoffs, in [-1, 1], when the game is over.
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from engine import roster
from engine.game import CHANCE, Move, Options, Seat, checked
from engine.games import part
from engine.notation import notation


class NotObserved(ValueError):
    """The game's module `notation` has no function that turns positions into numbers."""


class GameEnv(AECEnv):
    """A table of a game of the roster; it is observed as a row of numbers, or as `planes`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "parlour_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "tictactoe",
        *,
        seats: int | None = None,
        options: Options | None = None,
        render_mode: str | None = None,
        planes: bool = False,
    ) -> None:
        super().__init__()
        self._rules = roster.game(game)
        kind = "planes" if planes else "observed"
        observed: Any = part(self._rules, f"notation.{kind}", None)
        actions: Any = part(self._rules, "notation.actions", None)
        if observed is None or actions is None:
            raise NotObserved(f"{game} has no positions in numbers")
        self._observed = observed
        self._seats, self._options = seats or self._rules.seats[0], options or {}
        self._state: Any = self._rules.start(self._seats, self._options)
        self._rng = Random()
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._seats)]
        self._moves = actions(self._state)
        shape = np.shape(self._observed(self._state, Seat(0)))
        self.action_spaces = {agent: Discrete(self._moves) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0.0, 1.0, shape, np.float32),
                    "action_mask": Box(0, 1, (self._moves,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401 - the extra's types
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401 - the extra's types
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: object = None) -> None:  # noqa: ARG002
        """Begin a new game; with the same seed the dice fall the same way."""
        self._rng = Random(seed)
        self._state = self._rules.start(self._seats, self._options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._roll()

    def step(self, action: int | None) -> None:
        """Play the move of the agent whose turn it is.

        Raises:
            IllegalMove: The move is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state = checked(self._state, Move(-1 if action is None else int(action)))
        self._roll()
        payoff = self._state.payoff()
        if payoff is not None:
            self.rewards = dict(zip(self.agents, payoff, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as an agent sees it, and its legal moves."""
        seat = Seat(self.possible_agents.index(agent))
        mask: Any = np.zeros(self._moves, np.int8)
        if self._state.turn == seat:
            mask[list(self._state.moves())] = 1
        seen = np.array(self._observed(self._state, seat), np.float32)
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        """The drawing of the position, in the mode `ansi`."""
        return notation(self._rules).drawing(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: a table has no resources to free."""

    def _roll(self) -> None:
        """Roll the dice until a seat has to move, and give it the turn."""
        while self._state.turn == CHANCE and self._state.moves():
            moves, odds = self._state.moves(), self._state.odds()
            self._state = self._state.play(self._rng.choices(moves, odds)[0])
        if self._state.turn != CHANCE:
            self.agent_selection = self.possible_agents[self._state.turn]
