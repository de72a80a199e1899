"""The answers to an interaction: at once, later, a change, a modal, or suggestions."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from pydantic import Field

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.command_options import OptionChoice
from bot.sandbox.model.controls import ComponentContext
from bot.sandbox.model.forms import JsonForm, Number, sized
from bot.sandbox.model.interactions import Act, Answer, Interaction
from bot.sandbox.model.messages import Body, Flag, Message
from bot.sandbox.model.modals import Modal
from bot.sandbox.model.news import InteractionChange
from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import Draft, MessageContext, changed_body, new_body
from bot.sandbox.rules.forms import invalid, read
from bot.sandbox.rules.origins import origin
from bot.sandbox.rules.refusals import RequestRefused, Rule

_COMMAND_RESPONSE: Final = 20
_REPLY: Final = 19
_ALLOWED: Final = {
    Act.COMMAND: frozenset({Answer.MESSAGE, Answer.THINKING, Answer.MODAL}),
    Act.COMPONENT: frozenset(Answer) - {Answer.CHOICES},
    Act.AUTOCOMPLETE: frozenset({Answer.CHOICES}),
    Act.MODAL: frozenset({Answer.MESSAGE, Answer.THINKING}),
}
_UPDATES: Final = frozenset({Answer.LATER_UPDATE, Answer.UPDATE})
_MOST_FOLLOW_UPS: Final = 5
"""The most follow-ups of an application that only a person has added."""


class CallbackForm(JsonForm):
    """An answer: its type, and what it says."""

    type: Number
    data: dict[str, object] = Field(default_factory=dict)


class ThinkingForm(JsonForm):
    """The data of an answer that only says that the bot is thinking."""

    flags: Number = 0


class Suggestions(JsonForm):
    """The data of an answer to an autocompletion."""

    choices: Annotated[tuple[OptionChoice, ...], sized(0, 25)]


class Callbacks:
    """Carries out the bot's answers."""

    def __init__(self, world: World, context: MessageContext) -> None:
        self._world = world
        self._context = context

    def respond(self, interaction: Interaction, draft: Draft) -> None:
        """Carry out the first answer to an interaction that has none yet.

        Raises:
            RequestRefused: A rule is broken; the interaction is still without an answer then.
        """
        form = read(CallbackForm, draft.data)
        allowed = _ALLOWED[interaction.act]
        if interaction.act is Act.MODAL and interaction.source is not None:
            allowed |= _UPDATES
        if form.type not in allowed:
            words = f"Value must be one of {set(map(int, allowed))}."
            raise invalid("BASE_TYPE_CHOICES", words, at=("type",))
        answer = Answer(form.type)
        self._carry_out(interaction, answer, Draft(form.data, draft.uploads, ("data",)))
        interaction.acknowledge(answer)
        self._world.news.tell(InteractionChange(interaction))

    def _carry_out(self, interaction: Interaction, answer: Answer, draft: Draft) -> None:
        data, at = draft.data, draft.at
        match answer:
            case Answer.MESSAGE:
                body = new_body(draft, self._context, also=Flag.EPHEMERAL)
                interaction.original = self._write(interaction, body)
            case Answer.THINKING:
                flags = Flag(read(ThinkingForm, data, at=at).flags) & Flag.EPHEMERAL
                interaction.original = self._write(interaction, Body(flags=flags | Flag.LOADING))
            case Answer.UPDATE:
                interaction.original = _existing(interaction.source)
                self.edit(interaction.original, draft)
            case Answer.LATER_UPDATE:
                interaction.original = interaction.source
            case Answer.MODAL:
                held_against = ComponentContext(self._context.emojis)
                interaction.modal = read(Modal, data, at=at, context=held_against)
            case Answer.CHOICES:
                choices = read(Suggestions, data, at=at).choices
                locale = interaction.person.locale
                interaction.choices = tuple(choice.translated(locale) for choice in choices)

    def follow_up(self, interaction: Interaction, draft: Draft) -> Message:
        """One more message; the first one after "thinking" takes the place of that.

        Raises:
            RequestRefused: A rule is broken.
        """
        original = interaction.original
        if original is not None and original.thinking and not original.deleted:
            self.amend(interaction, original, draft)
            return original
        if interaction.by_user_alone and len(interaction.followups) >= _MOST_FOLLOW_UPS:
            raise RequestRefused(Rule.TOO_MANY_FOLLOW_UPS)
        body = new_body(draft, self._context, also=Flag.EPHEMERAL)
        message = self._write(interaction, body, original=original)
        interaction.followups.append(message)
        self._world.news.tell(InteractionChange(interaction))
        return message

    def amend(self, interaction: Interaction, message: Message, draft: Draft) -> None:
        """Change an answer, which may end the thinking.

        Raises:
            RequestRefused: A rule is broken.
        """
        self.edit(message, draft)
        self._world.news.tell(InteractionChange(interaction))

    def edit(self, message: Message, draft: Draft) -> None:
        """Change what the message says.

        Raises:
            RequestRefused: A rule is broken.
        """
        self._world.rewrite(message, changed_body(draft, self._context, message.body))

    def _write(
        self, interaction: Interaction, body: Body, *, original: Message | None = None
    ) -> Message:
        if self._private(interaction):
            body = replace(body, flags=body.flags | Flag.EPHEMERAL)
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

    def _private(self, interaction: Interaction) -> bool:
        """Whether Discord shows new messages to the person alone, whatever the bot wants."""
        if not interaction.by_user_alone or interaction.channel.guild_id is None:
            return False
        may = self._world.permissions(interaction.person, interaction.channel)
        return Permission.USE_EXTERNAL_APPS not in may


def _existing(message: Message | None) -> Message:
    if message is None or message.deleted:
        raise RequestRefused(Rule.UNKNOWN_MESSAGE)
    return message
