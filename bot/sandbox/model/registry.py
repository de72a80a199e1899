"""The interactions that are going on: who may answer which, and for how long."""

from __future__ import annotations

import secrets
from typing import Final

from bot.sandbox.model.accounts import BOT, Account, Membership
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Act, Interaction, Progress
from bot.sandbox.model.messages import Message
from bot.sandbox.model.news import InteractionChange
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, Snowflake, is_object
from bot.sandbox.refusals import (
    ALREADY_ACKNOWLEDGED,
    INVALID_WEBHOOK_TOKEN,
    UNKNOWN_INTERACTION,
    UNKNOWN_WEBHOOK,
    ActRefused,
    RequestRefused,
)

TIME_TO_ANSWER: Final = 3.0
"""Seconds until an interaction that nobody acknowledged is given up."""

TOKEN_LIFE: Final = 15 * 60.0
"""Seconds for which the token of an interaction can be used."""


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
            raise RequestRefused(UNKNOWN_INTERACTION)
        if interaction.response is not None:
            raise RequestRefused(ALREADY_ACKNOWLEDGED)
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
            raise RequestRefused(INVALID_WEBHOOK_TOKEN)
        if interaction.response is None:
            raise RequestRefused(UNKNOWN_WEBHOOK)
        return interaction

    def close(self) -> None:
        """Cancel all timers."""
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


def owners(
    world: World, person: Account, channel: Channel, data: Payload, source: Message | None
) -> Payload:
    """The ids of those who added the application: the server ("0"), a person ("1"), or both.

    For a control of a message it is the person whose command the message goes back to.
    """
    told: Payload = {}
    if world.inside(channel):
        told["0"] = "0" if channel.guild_id is None else str(channel.guild_id)
    if source is not None:
        by: object = source.origin.get("interaction_metadata")
        known: object = by.get("authorizing_integration_owners") if is_object(by) else None
        return told | ({"1": known["1"]} if is_object(known) and "1" in known else {})
    named = (each for each in world.commands if str(each.id) == data.get("id"))
    command = next(named, None)
    if person.has_app and command is not None and 1 in command.integration_types:
        told["1"] = str(person.id)
    return told


def origin(interaction: Interaction, original: Message | None) -> Payload:
    """The fields of a message that answers; `original` is the first answer, of a later one."""
    told: Payload = {
        "application_id": str(BOT),
        "webhook_id": str(BOT),
        "interaction_metadata": _metadata(interaction, original),
    }
    if interaction.act is Act.COMMAND and original is None:
        told["interaction"] = {
            "id": str(interaction.id),
            "type": interaction.act.value,
            "name": command_words(interaction.data),
            "user": interaction.person.payload(),
        }
    return told


def command_words(data: Payload) -> str:
    """The command of an interaction in full: `settings show`."""
    words = [str(data.get("name"))]
    options = data.get("options")
    while isinstance(options, list) and options and options[0]["type"] in {1, 2}:
        words.append(options[0]["name"])
        options = options[0].get("options")
    return " ".join(words)


def _metadata(interaction: Interaction, original: Message | None) -> Payload:
    told: Payload = {
        "id": str(interaction.id),
        "type": interaction.act.value,
        "user": interaction.person.payload(),
        "authorizing_integration_owners": interaction.owners,
    }
    if interaction.act is Act.COMMAND:
        told |= {
            "name": command_words(interaction.data),
            "command_type": interaction.data["type"],
        }
    if original is not None:
        told["original_response_message_id"] = str(original.id)
    if interaction.act is Act.COMPONENT and interaction.source is not None:
        told["interacted_message_id"] = str(interaction.source.id)
    if interaction.trigger is not None:
        told["triggering_interaction_metadata"] = _metadata(interaction.trigger, None)
    return told
