"""The interactions that are going on: who may answer which, and for how long."""

from __future__ import annotations

import secrets

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.errors import ActRefused
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.interactions import TIME_TO_ANSWER, TOKEN_LIFE, Act, Interaction, Progress
from bot.sandbox.model.messages import Message
from bot.sandbox.model.news import InteractionChange
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.origins import owners
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake


class Interactions:
    """All interactions whose token is alive."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_token: dict[str, Interaction] = {}
        self._by_id: dict[Snowflake, Interaction] = {}

    def start(
        self,
        act: Act,
        person: Account,
        channel: Channel,
        data: Payload,
        *,
        source: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        """A new interaction, which the bot has three seconds to acknowledge.

        Raises:
            Impossible: The bot is not there and no person has added it, or there is an outage.
        """
        guild = self._world.guild_of(channel)
        found = owners(self._world, person, channel, data, source)
        if not found or (guild is not None and guild.membership is Membership.UNAVAILABLE):
            raise ActRefused("refused.unheard", place=channel.name)
        self._forget_the_old()
        interaction = Interaction(
            self._world.mint(),
            secrets.token_urlsafe(),
            act,
            person,
            channel,
            data,
            self._world.clock.now(),
            found,
            source,
            trigger,
        )
        self._by_token[interaction.token] = interaction
        self._by_id[interaction.id] = interaction
        interaction.deadline = self._world.clock.after(
            TIME_TO_ANSWER, lambda: self._give_up(interaction)
        )
        self._world.news.tell(InteractionChange(interaction, started=True))
        return interaction

    def get(self, interaction_id: Snowflake) -> Interaction | None:
        """The interaction with that id, while its token lives."""
        return self._by_id.get(interaction_id)

    def pending(self) -> list[Interaction]:
        """The interactions that wait for an answer, oldest first."""
        return [each for each in self._by_id.values() if each.progress is Progress.PENDING]

    def unanswered(self, interaction_id: Snowflake, token: str) -> Interaction:
        """The interaction that the bot wants to acknowledge.

        Raises:
            RequestRefused: There is no such interaction, it was given up after three seconds, or it
                has been acknowledged before.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.failed:
            raise RequestRefused(Rule.UNKNOWN_INTERACTION)
        if interaction.response is not None:
            raise RequestRefused(Rule.ALREADY_ACKNOWLEDGED)
        return interaction

    def answered(self, token: str) -> Interaction:
        """The acknowledged interaction whose token this is.

        Raises:
            RequestRefused: The token is unknown or older than 15 minutes, or the interaction has
                not been acknowledged yet.
        """
        self._forget_the_old()
        interaction = self._by_token.get(token)
        if interaction is None:
            raise RequestRefused(Rule.INVALID_WEBHOOK_TOKEN)
        if interaction.response is None:
            raise RequestRefused(Rule.UNKNOWN_WEBHOOK)
        return interaction

    def close(self) -> None:
        """Let no timer go on."""
        for interaction in self._by_id.values():
            if interaction.deadline is not None:
                interaction.deadline.cancel()

    def _give_up(self, interaction: Interaction) -> None:
        interaction.give_up()
        self._world.news.tell(InteractionChange(interaction))

    def _forget_the_old(self) -> None:
        oldest = self._world.clock.now() - TOKEN_LIFE
        while self._by_id and (first := next(iter(self._by_id.values()))).started < oldest:
            del self._by_token[first.token]
            del self._by_id[first.id]
