"""How a bot may answer an interaction: at once, later, by a change, a modal, or suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.sandbox.model.files import Upload
from bot.sandbox.model.interactions import Act, Answer, Interaction
from bot.sandbox.model.messages import Body, Flag, Message
from bot.sandbox.model.news import Progressed
from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import MessageContext, changed_body, new_body
from bot.sandbox.rules.forms import JsonForm, Problems
from bot.sandbox.rules.modals import read_modal
from bot.sandbox.rules.origins import origin
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.rules.suggestions import read_suggestions

_COMMAND_RESPONSE: Final = 20
_REPLY: Final = 19
_ALLOWED: Final = {
    Act.COMMAND: frozenset({Answer.MESSAGE, Answer.THINKING, Answer.MODAL}),
    Act.COMPONENT: frozenset(Answer) - {Answer.CHOICES},
    Act.AUTOCOMPLETE: frozenset({Answer.CHOICES}),
    Act.MODAL: frozenset({Answer.MESSAGE, Answer.THINKING}),
}
_UPDATES: Final = frozenset({Answer.LATER_UPDATE, Answer.UPDATE})


class Callbacks:
    """Carries out the bot's answers."""

    def __init__(self, world: World, context: MessageContext) -> None:
        self._world = world
        self._context = context

    def respond(self, interaction: Interaction, data: object, uploads: Sequence[Upload]) -> None:
        """Carry out the first answer to an interaction that has none yet.

        Raises:
            RequestRefused: A rule is broken; the interaction is still without an answer then.
        """
        form = JsonForm(data, Problems())
        allowed = _ALLOWED[interaction.act]
        if interaction.act is Act.MODAL and interaction.source is not None:
            allowed |= _UPDATES
        form.require("type")
        answer = form.one_of("type", allowed, default=0)
        form.problems.check()
        inner = form.part("data") or JsonForm({}, form.problems)
        self._carry_out(interaction, Answer(answer), inner, uploads)
        interaction.acknowledge(Answer(answer))
        self._world.news.tell(Progressed(interaction))

    def _carry_out(
        self, interaction: Interaction, answer: Answer, form: JsonForm, uploads: Sequence[Upload]
    ) -> None:
        match answer:
            case Answer.MESSAGE:
                body = new_body(form, uploads, self._context, also=Flag.EPHEMERAL)
                interaction.original = self._write(interaction, body)
            case Answer.THINKING:
                flags = Flag(form.number("flags", default=0)) & Flag.EPHEMERAL
                form.problems.check()
                interaction.original = self._write(interaction, Body(flags=flags | Flag.LOADING))
            case Answer.UPDATE:
                interaction.original = _existing(interaction.source)
                self.edit(interaction.original, form, uploads)
            case Answer.LATER_UPDATE:
                interaction.original = interaction.source
            case Answer.MODAL:
                modal = read_modal(form, self._context.emojis)
                form.problems.check()
                interaction.modal = modal
            case Answer.CHOICES:
                interaction.choices = read_suggestions(form, interaction.person.locale)

    def follow_up(
        self, interaction: Interaction, form: JsonForm, uploads: Sequence[Upload]
    ) -> Message:
        """One more message; the first one after "thinking" takes the place of that.

        Raises:
            RequestRefused: A rule is broken.
        """
        original = interaction.original
        if original is not None and original.thinking and not original.deleted:
            self.amend(interaction, original, form, uploads)
            return original
        body = new_body(form, uploads, self._context, also=Flag.EPHEMERAL)
        message = self._write(interaction, body, original=original)
        interaction.followups.append(message)
        self._world.news.tell(Progressed(interaction))
        return message

    def amend(
        self, interaction: Interaction, message: Message, form: JsonForm, uploads: Sequence[Upload]
    ) -> None:
        """Change an answer, which may end the thinking.

        Raises:
            RequestRefused: A rule is broken.
        """
        self.edit(message, form, uploads)
        self._world.news.tell(Progressed(interaction))

    def edit(self, message: Message, form: JsonForm, uploads: Sequence[Upload]) -> None:
        """Change what the message says.

        Raises:
            RequestRefused: A rule is broken.
        """
        self._world.rewrite(message, changed_body(form, uploads, self._context, message.body))

    def _write(
        self, interaction: Interaction, body: Body, *, original: Message | None = None
    ) -> Message:
        replied_to = original or interaction.source
        by_command = interaction.act is Act.COMMAND and original is None
        return self._world.write(
            interaction.channel,
            self._world.bot,
            body,
            kind=_COMMAND_RESPONSE if by_command else _REPLY if replied_to else 0,
            reader=interaction.person if Flag.EPHEMERAL in body.flags else None,
            origin=origin(interaction, original),
            reply_to=replied_to,
        )


def _existing(message: Message | None) -> Message:
    if message is None or message.deleted:
        raise RequestRefused(Rule.UNKNOWN_MESSAGE)
    return message
