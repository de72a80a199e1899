"""REST: what is answered to interactions, with their tokens."""

from __future__ import annotations

from typing import Final

from bot.sandbox.model.accounts import BOT
from bot.sandbox.model.interactions import Answer, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import Api, Call, Routes

routes: Final = Routes()
_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_SENT: Final = (f"{_WEBHOOK}/messages/@original", f"{_WEBHOOK}/messages/{{message_id}}")


@routes("POST", "/interactions/{interaction_id}/{interaction_token}/callback", tokenless=True)
def respond(api: Api, call: Call) -> Payload | None:
    """The first answer to an interaction."""
    interaction = api.interactions.unanswered(
        call.id("interaction_id"), call.params["interaction_token"]
    )
    api.callbacks.respond(interaction, call.draft())
    return _outcome(interaction) if call.wants("with_response") else None


@routes("POST", _WEBHOOK, tokenless=True)
def follow_up(api: Api, call: Call) -> Payload:
    """One more message."""
    return api.callbacks.follow_up(_interaction(api, call), call.draft()).payload()


@routes("GET", *_SENT, tokenless=True)
def show_sent(api: Api, call: Call) -> Payload:
    """A message that was sent."""
    return _message(call, _interaction(api, call)).payload()


@routes("PATCH", *_SENT, tokenless=True)
def edit_sent(api: Api, call: Call) -> Payload:
    """A message that was sent, changed."""
    interaction = _interaction(api, call)
    message = _message(call, interaction)
    api.callbacks.amend(interaction, message, call.draft())
    return message.payload()


@routes("DELETE", *_SENT, tokenless=True)
def delete_sent(api: Api, call: Call) -> None:
    """Remove a message that was sent."""
    api.world.delete(_message(call, _interaction(api, call)))


def _interaction(api: Api, call: Call) -> Interaction:
    if call.id("webhook_id") != BOT:
        raise RequestRefused(Rule.UNKNOWN_WEBHOOK)
    return api.interactions.answered(call.params["webhook_token"])


def _message(call: Call, interaction: Interaction) -> Message:
    message = interaction.original
    if "message_id" in call.params:
        message_id = call.id("message_id")
        own = (interaction.original, *interaction.followups)
        message = next((each for each in own if each and each.id == message_id), None)
    if message is None or message.deleted:
        raise RequestRefused(Rule.UNKNOWN_MESSAGE)
    return message


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
