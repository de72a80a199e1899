"""The origin of a message: the interaction that it answers, as Discord tells it."""

from __future__ import annotations

from bot.sandbox.model.accounts import BOT, Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Act, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, is_object


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
