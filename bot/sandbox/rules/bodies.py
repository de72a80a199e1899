"""Reading what a message shall say: a new one, or the change of an old one.

In a change, a field that is absent stays as it was and one that is null is emptied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import AfterValidator

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.components import ComponentLayout, LegacyRows, texts
from bot.sandbox.model.controls import Component, ComponentContext
from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.model.files import MessageFile, Upload
from bot.sandbox.model.forms import JsonForm, Number, fault, sized
from bot.sandbox.model.messages import PLAIN, Body, Flag
from bot.sandbox.payload import Payload, is_object
from bot.sandbox.rules.forms import Path, invalid, read
from bot.sandbox.rules.mentions import EVERYBODY, AllowedMentions, mentioned
from bot.sandbox.rules.message_files import Attachments, Keep, read_files
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake

_CAN_CHANGE: Final = Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2
_CAN_SET: Final = _CAN_CHANGE | Flag.SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class MessageContext:
    """The context in which a message is read: accounts, emoji, and the keeper of files."""

    accounts: Mapping[Snowflake, Account]
    emojis: ApplicationEmojis
    keep: Keep


@dataclass(frozen=True, slots=True)
class Draft:
    """A message as sent: the JSON, found `at` a path of the request, and its files."""

    data: object
    uploads: Sequence[Upload] = ()
    at: Path = ()


def _refuse(value: object) -> object:
    if value:
        raise fault("NOT_IN_THE_SANDBOX", "Parlour sends none, so the sandbox has none.")
    return value


Unsupported = Annotated[object, AfterValidator(_refuse)]


class MessageForm(JsonForm):
    """The fields of a message, except for its components."""

    content: Annotated[str, sized(0, 2000)] = ""
    flags: Number | None = None
    attachments: Attachments = ()
    allowed_mentions: AllowedMentions = EVERYBODY
    embeds: Unsupported = None
    poll: Unsupported = None
    sticker_ids: Unsupported = None
    message_reference: Unsupported = None


def new_body(draft: Draft, context: MessageContext, *, also: Flag = PLAIN) -> Body:
    """The body of a new message; flags in `also` may be set besides the usual ones.

    Raises:
        RequestRefused: A rule is broken.
    """
    form = read(MessageForm, draft.data, at=draft.at)
    flags = Flag(form.flags or 0) & (_CAN_SET | also)
    return _written(form, draft, context, Body(flags=flags))


def changed_body(draft: Draft, context: MessageContext, before: Body) -> Body:
    """The body after an edit of `before`; components of the second version stay what they are.

    Raises:
        RequestRefused: A rule is broken.
    """
    form = read(MessageForm, draft.data, at=draft.at)
    flags = before.flags & ~Flag.LOADING
    if form.flags is not None:
        flags = flags & ~Flag.SUPPRESS_EMBEDS | Flag(form.flags) & _CAN_CHANGE
    return _written(form, draft, context, replace(before, flags=flags))


def _written(form: MessageForm, draft: Draft, context: MessageContext, before: Body) -> Body:
    given: Payload = draft.data if is_object(draft.data) else {}
    listed = form.attachments if "attachments" in given else None
    earlier = before.attachments
    files, referable = read_files(listed, draft.uploads, earlier, context.keep, at=draft.at)
    components = before.components
    if "components" in given:
        components = _components(draft, before.flags, context, referable)
    content = form.content if "content" in given else before.content
    if Flag.COMPONENTS_V2 in before.flags:
        _check_second_version(content, components, draft.at)
    if not (content.strip() or components or files):
        raise RequestRefused(Rule.EMPTY_MESSAGE)
    allowed = form.allowed_mentions
    said = mentioned((content, *texts(components)), allowed, context.accounts)
    return Body(content, components, files, before.flags, *said)


def _components(
    draft: Draft, flags: Flag, context: MessageContext, files: Mapping[str, MessageFile]
) -> Sequence[Component]:
    held_against = ComponentContext(context.emojis, files)
    if Flag.COMPONENTS_V2 in flags:
        return read(ComponentLayout, draft.data, at=draft.at, context=held_against).components
    return read(LegacyRows, draft.data, at=draft.at, context=held_against).components


def _check_second_version(content: str, components: Sequence[Component], at: Path) -> None:
    if content:
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        words = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        raise invalid(code, words, at=(*at, "content"))
    if not components:
        raise invalid("BASE_TYPE_REQUIRED", "This field is required", at=(*at, "components"))
