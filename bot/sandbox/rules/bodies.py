"""Reading what a message shall say: a new one, or the change of an old one.

In a change, a field that is absent stays as it was and one that is null is emptied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.components import Component, texts
from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.model.files import MessageFile, Upload
from bot.sandbox.model.messages import PLAIN, Body, Flag
from bot.sandbox.rules.forms import JsonForm
from bot.sandbox.rules.layout import LayoutReader
from bot.sandbox.rules.mentions import mentioned, read_allowed
from bot.sandbox.rules.message_files import Keep, read_files
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake

_MOST_CONTENT: Final = 2000
_CAN_CHANGE: Final = Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2
_CAN_SET: Final = _CAN_CHANGE | Flag.SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class MessageContext:
    """What reading a message needs besides the request: who there is, and where files go."""

    accounts: Mapping[Snowflake, Account]
    emojis: ApplicationEmojis
    mint: Callable[[], Snowflake]
    keep: Keep


def new_body(
    form: JsonForm, uploads: Sequence[Upload], context: MessageContext, *, also: Flag = PLAIN
) -> Body:
    """The body of a new message; flags in `also` may be set besides the usual ones.

    Raises:
        RequestRefused: A rule is broken.
    """
    flags = Flag(form.number("flags", default=0)) & (_CAN_SET | also)
    return _written(form, uploads, context, Body(flags=flags))


def changed_body(
    form: JsonForm, uploads: Sequence[Upload], context: MessageContext, before: Body
) -> Body:
    """The body after an edit of `before`; components of the second version stay what they are.

    Raises:
        RequestRefused: A rule is broken.
    """
    flags = before.flags & ~Flag.LOADING
    if form.given("flags"):
        kept = flags & ~Flag.SUPPRESS_EMBEDS
        flags = kept | Flag(form.number("flags", default=0)) & _CAN_CHANGE
    return _written(form, uploads, context, replace(before, flags=flags))


def _written(
    form: JsonForm, uploads: Sequence[Upload], context: MessageContext, before: Body
) -> Body:
    files = read_files(form, uploads, before.attachments, context.keep)
    content = form.text("content", longest=_MOST_CONTENT)
    body = Body(
        content=content if "content" in form else before.content,
        components=_components(form, files.named, context, before),
        attachments=files.all,
        flags=before.flags,
    )
    _check_unsupported(form)
    _check_second_version(form, body)
    allowed = read_allowed(form)
    form.problems.check()
    if not (body.content.strip() or body.components or body.attachments):
        raise RequestRefused(Rule.EMPTY_MESSAGE)
    said = mentioned((body.content, *texts(body.components)), allowed, context.accounts)
    return replace(body, mentions=said.users, everyone=said.everyone)


def _components(
    form: JsonForm, files: Mapping[str, MessageFile], context: MessageContext, before: Body
) -> tuple[Component, ...]:
    if "components" not in form:
        return before.components
    layout = LayoutReader(form, files, context.mint, context.emojis)
    return layout.components() if Flag.COMPONENTS_V2 in before.flags else layout.legacy()


def _check_unsupported(form: JsonForm) -> None:
    for key in ("embeds", "poll", "sticker_ids", "message_reference"):
        if form.value(key):
            form.fail(key, "NOT_IN_THE_SANDBOX", "Parlour sends none, so the sandbox has none.")


def _check_second_version(form: JsonForm, body: Body) -> None:
    if Flag.COMPONENTS_V2 not in body.flags:
        return
    if body.content:
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        words = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        form.fail("content", code, words)
    if not body.components and not form.value("components"):
        form.fail("components", "BASE_TYPE_REQUIRED", "This field is required")
