"""REST: what is answered to interactions, with their tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pydantic import Field

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.commands import OptionChoice
from bot.sandbox.model.components import JsonForm, Modal, arrange, read
from bot.sandbox.model.interactions import Act, Answer, Interaction
from bot.sandbox.model.messages import Body, Flag, Message
from bot.sandbox.model.news import InteractionChange
from bot.sandbox.model.registry import origin
from bot.sandbox.payload import Payload
from bot.sandbox.refusals import UNKNOWN_MESSAGE, RequestRefused
from bot.sandbox.web.calls import Api, Call, Routes, Sent
from bot.sandbox.web.messages import new_body, rewrite

routes: Final = Routes()
_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_SENT: Final = (f"{_WEBHOOK}/messages/@original", f"{_WEBHOOK}/messages/{{message_id}}")
_COMMAND_RESPONSE: Final = 20
_REPLY: Final = 19


class CallbackForm(JsonForm):
    """An answer: its type, and what it says."""

    type: Answer
    data: Payload = Field(default_factory=dict)


class ThinkingForm(JsonForm):
    """The data of an answer that only says that the bot is thinking."""

    flags: int = 0


class Suggestions(JsonForm):
    """The data of an answer to an autocompletion."""

    choices: tuple[OptionChoice, ...]


@routes("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
def respond(api: Api, call: Call) -> Payload | None:
    """The first answer to an interaction."""
    token = call.params["interaction_token"]
    interaction = api.interactions.unanswered(call.id("interaction_id"), token)
    form = read(CallbackForm, call.sent.body)
    _answer(api, interaction, form.type, replace(call.sent, body=form.data))
    interaction.acknowledge(form.type)
    api.world.news.tell(InteractionChange(interaction))
    return _outcome(interaction) if call.wants("with_response") else None


def _answer(api: Api, interaction: Interaction, answer: Answer, sent: Sent) -> None:
    match answer:
        case Answer.MESSAGE:
            body = new_body(api, sent, also=Flag.EPHEMERAL)
            interaction.original = _write(api, interaction, body)
        case Answer.THINKING:
            flags = Flag(read(ThinkingForm, sent.body).flags) & Flag.EPHEMERAL
            interaction.original = _write(api, interaction, Body(flags=flags | Flag.LOADING))
        case Answer.UPDATE:
            interaction.original = _existing(interaction.source)
            rewrite(api, interaction.original, sent)
        case Answer.LATER_UPDATE:
            interaction.original = interaction.source
        case Answer.MODAL:
            modal = read(Modal, sent.body)
            arrange(modal.components, api.world.emojis, {})
            interaction.modal = modal
        case Answer.CHOICES:
            choices = read(Suggestions, sent.body).choices
            locale = interaction.person.locale
            interaction.choices = tuple(choice.translated(locale) for choice in choices)


@routes("POST", _WEBHOOK)
def follow_up(api: Api, call: Call) -> Payload:
    """One more message; the first one after "thinking" takes the place of that."""
    interaction = _interaction(api, call)
    original = interaction.original
    if original is not None and original.thinking and not original.deleted:
        return _amended(api, interaction, original, call.sent)
    body = new_body(api, call.sent, also=Flag.EPHEMERAL)
    message = _write(api, interaction, body, original=original)
    interaction.followups.append(message)
    api.world.news.tell(InteractionChange(interaction))
    return message.payload()


@routes("GET", *_SENT)
def show_sent(api: Api, call: Call) -> Payload:
    """A message that was sent."""
    return sent_message(call, _interaction(api, call)).payload()


@routes("PATCH", *_SENT)
def edit_sent(api: Api, call: Call) -> Payload:
    """A message that was sent, changed."""
    interaction = _interaction(api, call)
    return _amended(api, interaction, sent_message(call, interaction), call.sent)


@routes("DELETE", *_SENT)
def delete_sent(api: Api, call: Call) -> None:
    """Remove a message that was sent."""
    api.world.delete(sent_message(call, _interaction(api, call)))


def _interaction(api: Api, call: Call) -> Interaction:
    return api.interactions.answered(call.params["webhook_token"])


def sent_message(call: Call, interaction: Interaction) -> Message:
    """The message of an interaction that the path names.

    Raises:
        RequestRefused: There is none.
    """
    message = interaction.original
    if "message_id" in call.params:
        message_id = call.id("message_id")
        own = (interaction.original, *interaction.followups)
        message = next((each for each in own if each and each.id == message_id), None)
    return _existing(message)


def _existing(message: Message | None) -> Message:
    if message is None or message.deleted:
        raise RequestRefused(UNKNOWN_MESSAGE)
    return message


def _amended(api: Api, interaction: Interaction, message: Message, sent: Sent) -> Payload:
    """An answer, changed, which may end the thinking."""
    rewrite(api, message, sent)
    api.world.news.tell(InteractionChange(interaction))
    return message.payload()


def _write(
    api: Api, interaction: Interaction, body: Body, *, original: Message | None = None
) -> Message:
    channel, person = interaction.channel, interaction.person
    foreign = interaction.by_user_alone and channel.guild_id is not None
    if foreign and Permission.USE_EXTERNAL_APPS not in api.world.permissions(person, channel):
        # Discord shows what they write to the person alone, whatever the bot wants.
        body = replace(body, flags=body.flags | Flag.EPHEMERAL)
    replied_to = original or interaction.source
    by_command = interaction.act is Act.COMMAND and original is None
    return api.world.write(
        channel,
        api.world.bot,
        body,
        kind=_COMMAND_RESPONSE if by_command else _REPLY if replied_to else 0,
        reader=person if Flag.EPHEMERAL in body.flags else None,
        origin=origin(interaction, original),
        reply_to=replied_to,
    )


def _outcome(interaction: Interaction) -> Payload:
    told: Payload = {"id": str(interaction.id), "type": interaction.act.value}
    message = interaction.original
    if message is None:
        return {"interaction": told}
    told["response_message_id"] = str(message.id)
    told["response_message_loading"] = message.thinking
    told["response_message_ephemeral"] = message.ephemeral
    if interaction.response not in {Answer.MESSAGE, Answer.UPDATE}:
        return {"interaction": told}
    resource: Payload = {"type": interaction.response.value, "message": message.payload()}
    return {"interaction": told, "resource": resource}
