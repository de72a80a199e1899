"""Matches of Ludo with the luck of the dice taken out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.arena import Match
from engine.workers import total


class Share(NamedTuple):
    """The share of games won by the first agent, with its interval of 95 %."""

    share: float
    low: float
    high: float


def share_without_luck(match: Match, games: int) -> Share:
    """The share of games that the first agent of a match wins."""
    return Share(*total(replace(match, without_luck=True), games).without_luck())
