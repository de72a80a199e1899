"""What the page asks to be done for the person before it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.errors import Impossible
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.person import Person
from bot.sandbox.rules.command_input import TypedCommand
from bot.sandbox.rules.forms import is_array, is_object
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.snowflakes import Snowflake


class PageActions:
    """Reads what the page has sent, and does it."""

    def __init__(
        self, world: World, interactions: Interactions, people: Mapping[str, Person]
    ) -> None:
        self._world = world
        self._interactions = interactions
        self._people = {str(person.id): person for person in people.values()}

    def person(self, value: object) -> Person:
        """The person with that id.

        Raises:
            Impossible: There is none.
        """
        person = self._people.get(str(value))
        if person is None or person.account.bot:
            raise Impossible(f"There is no person with the id {value!r}.")
        return person

    async def act(self, body: Payload) -> tuple[int, Payload]:
        """A command, a press, a pick or a modal sent: 202; suggestions: 200.

        Raises:
            Impossible: It cannot be done like that.
            NotAnswered: The bot suggests nothing in time.
        """
        person = self.person(body.get("as"))
        match body.get("type"):
            case "command":
                return _started(person.command(self._channel(body), _typed(body)))
            case "component":
                return _started(self._use(person, body))
            case "modal":
                return _started(await self._fill(person, body))
            case "autocomplete":
                return await self._complete(person, body)
        raise Impossible("The type must be command, component, modal or autocomplete.")

    async def dismiss(self, body: Payload) -> tuple[int, Payload]:
        """An ephemeral message put away: 200.

        Raises:
            Impossible: It is none, or not this person's.
        """
        self.person(body.get("as")).dismiss(self._message(body))
        return 200, {}

    async def manage(self, body: Payload) -> tuple[int, Payload]:
        """The permission to manage the server, given or taken: 200.

        Raises:
            Impossible: The person owns the server.
        """
        person = self.person(body.get("as"))
        change = person.grant if body.get("manages") is True else person.revoke
        change(Permission.MANAGE_GUILD)
        return 200, {}

    def _use(self, person: Person, body: Payload) -> Interaction:
        message = self._message(body)
        custom_id = _text(body, "custom_id")
        found = (each for each in message.controls if each.custom_id == custom_id)
        control = next(found, None)
        if control is None:
            raise Impossible("The message has changed; that button or menu is gone.")
        values = body.get("values")
        return person.use(message, control, values if is_array(values) else ())

    async def _fill(self, person: Person, body: Payload) -> Interaction:
        opened = self._interactions.get(_snowflake(body.get("interaction_id")))
        if opened is None:
            raise Impossible("That form is too old.")
        fields = body.get("fields")
        return await person.fill(opened, fields if is_object(fields) else {})

    async def _complete(self, person: Person, body: Payload) -> tuple[int, Payload]:
        typed = _typed(body, focused=_text(body, "focused"))
        interaction = await person.command(self._channel(body), typed).answered()
        choices = [{"name": each.name, "value": each.value} for each in interaction.choices]
        return 200, {"choices": choices}

    def _channel(self, body: Payload) -> Channel:
        channel = self._world.channels.get(_snowflake(body.get("channel_id")))
        if channel is None:
            raise Impossible("There is no such channel.")
        return channel

    def _message(self, body: Payload) -> Message:
        message = self._world.message(self._channel(body), _snowflake(body.get("message_id")))
        if message is None:
            raise Impossible("That message is gone.")
        return message


def _typed(body: Payload, *, focused: str | None = None) -> TypedCommand:
    options = body.get("options")
    return TypedCommand(_text(body, "command"), options if is_object(options) else {}, focused)


def _started(interaction: Interaction) -> tuple[int, Payload]:
    return 202, {"id": str(interaction.id)}


def _text(body: Payload, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise Impossible(f"{key} must be text.")
    return value


def _snowflake(value: object) -> Snowflake:
    return Snowflake(int(str(value)) if str(value).isdecimal() else 0)
