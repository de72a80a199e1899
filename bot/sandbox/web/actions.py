"""The acts that the page carries out for its person.

Each action is a JSON object with a `type`, and `as`, the person's id.
"""

from __future__ import annotations

from typing import Final

from bot.sandbox.client import TypedCommand
from bot.sandbox.model.accounts import Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import LOCALES
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.registry import Interactions
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, is_array, is_object, snowflake
from bot.sandbox.person import Person
from bot.sandbox.refusals import ActRefused, Impossible

_LONGEST_STEP: Final = 60 * 86_400
_MOST_CONTENT: Final = 2000


class PageActions:
    """Reads what the page has sent, and does it."""

    def __init__(self, world: World, interactions: Interactions) -> None:
        self._world = world
        self._interactions = interactions
        self._people = [Person(account, world, interactions) for account in world.people]

    def person(self, value: object) -> Person:
        """The person with that id.

        Raises:
            Impossible: There is no such person.
        """
        found = (person for person in self._people if str(person.id) == value)
        person = next(found, None)
        if person is None:
            raise Impossible(f"There is no person with the id {value!r}.")
        return person

    def person_named(self, name: str) -> Person:
        """The person with that name, or the first."""
        found = (person for person in self._people if person.name.lower() == name.lower())
        return next(found, self._people[0])

    async def act(self, body: Payload) -> tuple[int, Payload]:
        """Do it: 202 with the id of an interaction that was begun, else 200.

        Raises:
            Impossible: It cannot be done like that.
            NotAnswered: The bot suggests nothing in time.
        """
        person = self.person(body.get("as"))
        match body.get("type"):
            case "command":
                begun = person.command(self._channel(body), _typed(body))
            case "person-command":
                begun = person.on_person(self._channel(body), *self._chosen_for(body))
            case "message-command":
                begun = person.on_message(_text(body, "command"), self._message(body))
            case "component":
                begun = self._use(person, body)
            case "modal":
                begun = self._fill(person, body)
            case "autocomplete":
                typed = _typed(body, focused=_text(body, "focused"))
                asked = await person.command(self._channel(body), typed).answered()
                choices = [{"name": each.name, "value": each.value} for each in asked.choices]
                return 200, {"choices": choices}
            case kind:
                self._settle(person, kind, body)
                return 200, {}
        return 202, {"id": str(begun.id)}

    def _settle(self, person: Person, kind: object, body: Payload) -> None:
        account, on = person.account, body.get("on") is True
        match kind:
            case "message":
                person.write(self._channel(body), _text(body, "content")[:_MOST_CONTENT])
            case "dismiss":
                person.dismiss(self._message(body))
            case "delete":
                person.delete(self._message(body))
            case "manage":
                others = account.granted & ~Permission.MANAGE_GUILD
                person.permit(others | Permission.MANAGE_GUILD if on else others)
            case "direct-messages":
                self._world.change(account, takes_direct_messages=on)
            case "app":
                person.have_app(on=on)
            case "locale":
                self._world.change(account, locale=_locale(body))
            case "advance":
                self._world.advance(_seconds(body))
            case "reset":
                self._world.clear()
            case _:
                raise Impossible(f"The sandbox knows no action {kind!r}.")

    def _chosen_for(self, body: Payload) -> tuple[str, Account]:
        target = self._world.accounts.get(snowflake(body.get("target_id")))
        if target is None:
            raise Impossible("There is nobody with that id.")
        return _text(body, "command"), target

    def _use(self, person: Person, body: Payload) -> Interaction:
        message, custom_id = self._message(body), _text(body, "custom_id")
        found = (each for each in message.controls if each.custom_id == custom_id)
        control = next(found, None)
        if control is None:
            raise ActRefused("refused.no_control")
        values = body.get("values")
        return person.use(message, control, values if is_array(values) else ())

    def _fill(self, person: Person, body: Payload) -> Interaction:
        opened = self._interactions.get(snowflake(body.get("interaction_id")))
        if opened is None:
            raise ActRefused("refused.old_form")
        fields = body.get("fields")
        return person.fill_in(opened, fields if is_object(fields) else {})

    def _channel(self, body: Payload) -> Channel:
        channel = self._world.channels.get(snowflake(body.get("channel_id")))
        if channel is None:
            raise ActRefused("refused.no_channel")
        return channel

    def _message(self, body: Payload) -> Message:
        message = self._world.message(self._channel(body), snowflake(body.get("message_id")))
        if message is None:
            raise ActRefused("refused.no_message")
        return message


def _typed(body: Payload, *, focused: str | None = None) -> TypedCommand:
    options = body.get("options")
    return TypedCommand(_text(body, "command"), options if is_object(options) else {}, focused)


def _text(body: Payload, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise Impossible(f"{key} must be text.")
    return value


def _locale(body: Payload) -> str:
    locale = _text(body, "locale")
    if locale not in LOCALES:
        raise Impossible(f"Discord has no language {locale!r}.")
    return locale


def _seconds(body: Payload) -> float:
    seconds = body.get("seconds")
    if not isinstance(seconds, int) or not 0 < seconds <= _LONGEST_STEP:
        raise Impossible("The clock is moved on by 1 second to 60 days.")
    return seconds
