"""REST: what is answered to interactions, with their tokens."""

from __future__ import annotations

from bot.sandbox.model.accounts import BOT
from bot.sandbox.model.interactions import Answer, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import NOTHING, Call, Reply, Route


class WebhookRoutes:
    """The first answer to an interaction, and all that follows it."""

    def __init__(self, world: World, interactions: Interactions, callbacks: Callbacks) -> None:
        self._world = world
        self._interactions = interactions
        self._callbacks = callbacks

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        webhook = "/webhooks/{webhook_id}/{webhook_token}"
        original = f"{webhook}/messages/@original"
        one = f"{webhook}/messages/{{message_id}}"
        callback = "/interactions/{interaction_id}/{interaction_token}/callback"
        return [
            Route("POST", callback, self._respond, open=True),
            Route("POST", webhook, self._follow_up, open=True),
            Route("GET", original, self._get, open=True),
            Route("PATCH", original, self._edit, open=True),
            Route("DELETE", original, self._delete, open=True),
            Route("GET", one, self._get, open=True),
            Route("PATCH", one, self._edit, open=True),
            Route("DELETE", one, self._delete, open=True),
        ]

    def _respond(self, call: Call) -> Reply:
        interaction = self._interactions.unanswered(
            call.id("interaction_id"), call.params["interaction_token"]
        )
        self._callbacks.respond(interaction, call.body, call.uploads)
        return Reply(200, _outcome(interaction)) if call.wants("with_response") else NOTHING

    def _follow_up(self, call: Call) -> Reply:
        interaction = self._interaction(call)
        message = self._callbacks.follow_up(interaction, call.form(), call.uploads)
        return Reply(200, message.payload())

    def _get(self, call: Call) -> Reply:
        return Reply(200, self._message(call, self._interaction(call)).payload())

    def _edit(self, call: Call) -> Reply:
        interaction = self._interaction(call)
        message = self._message(call, interaction)
        self._callbacks.amend(interaction, message, call.form(), call.uploads)
        return Reply(200, message.payload())

    def _delete(self, call: Call) -> Reply:
        self._world.delete(self._message(call, self._interaction(call)))
        return NOTHING

    def _interaction(self, call: Call) -> Interaction:
        if call.id("webhook_id") != BOT:
            raise RequestRefused(Rule.UNKNOWN_WEBHOOK)
        return self._interactions.answered(call.params["webhook_token"])

    def _message(self, call: Call, interaction: Interaction) -> Message:
        if "message_id" not in call.params:
            message = interaction.original
        else:
            message_id = call.id("message_id")
            own = (interaction.original, *interaction.followups)
            found = (each for each in own if each is not None and each.id == message_id)
            message = next(found, None)
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
