"""The rules of a tournament, as a reader sees them before it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.message.blocks import Prose
from bot.message.text import text
from bot.screens.tournament import how
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import Format, TournamentId
from tests.bot.tournaments.test_tournaments import begun

WAIT = timedelta(minutes=10)


@pytest.mark.parametrize("format_", [each for each in Format if each is not Format.ARENA])
def test_who_comes_late_loses_no_match_at_tables_where_the_computer_plays_on(
    format_: Format,
) -> None:
    hosted = HostedTournament(TournamentId(1), begun(format_, 4), 1, 2, "en-US")
    (rules,) = how(hosted, WAIT).blocks
    assert isinstance(rules, Prose)
    key = "tournament.rules.at_tables" if format_ is Format.HEATS else "tournament.rules"
    assert rules.lines[-1] == text(key, wait=WAIT)
