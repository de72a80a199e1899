"""Reading what a message shall say: a new one, or the change of an old one.

In a change, a field that is absent stays as it was and one that is null is emptied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.attachments import Attachment, Upload
from bot.sandbox.model.components import Component, texts
from bot.sandbox.model.emojis import Emojis
from bot.sandbox.model.messages import PLAIN, Body, Flag
from bot.sandbox.rules.attachments import Keep, read_files
from bot.sandbox.rules.embeds import read_embeds
from bot.sandbox.rules.forms import Form
from bot.sandbox.rules.layout import Layout
from bot.sandbox.rules.mentions import Allowed, mentioned, read_allowed
from bot.sandbox.rules.refusals import Refused, Rule
from bot.sandbox.snowflakes import Snowflake

_MOST_CONTENT: Final = 2000
_CAN_CHANGE: Final = Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2
_CAN_SET: Final = _CAN_CHANGE | Flag.SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class Desk:
    """What reading a message needs besides the request: who there is, and where files go."""

    accounts: Mapping[Snowflake, Account]
    emojis: Emojis
    mint: Callable[[], Snowflake]
    keep: Keep


@dataclass(frozen=True, slots=True)
class Draft:
    """What a request wants a message to say, and whom it may notify."""

    body: Body
    allowed: Allowed


def new_body(form: Form, uploads: Sequence[Upload], desk: Desk, *, also: Flag = PLAIN) -> Draft:
    """The body of a new message; flags in `also` may be set besides the usual ones.

    Raises:
        Refused: A rule is broken.
    """
    flags = Flag(form.number("flags", default=0)) & (_CAN_SET | also)
    return _written(form, uploads, desk, Body(flags=flags))


def changed_body(form: Form, uploads: Sequence[Upload], desk: Desk, before: Body) -> Draft:
    """The body after an edit of `before`; components of the second version stay what they are.

    Raises:
        Refused: A rule is broken.
    """
    flags = before.flags & ~Flag.LOADING
    if form.given("flags"):
        kept = flags & ~Flag.SUPPRESS_EMBEDS
        flags = kept | Flag(form.number("flags", default=0)) & _CAN_CHANGE
    return _written(form, uploads, desk, replace(before, flags=flags))


def _written(form: Form, uploads: Sequence[Upload], desk: Desk, before: Body) -> Draft:
    files = read_files(form, uploads, before.attachments, desk.keep)
    content = form.text("content", longest=_MOST_CONTENT)
    body = Body(
        content=content if "content" in form else before.content,
        embeds=read_embeds(form, files.named) if "embeds" in form else before.embeds,
        components=_components(form, files.named, desk, before),
        attachments=files.all,
        flags=before.flags,
    )
    _check_unsupported(form)
    _check_second_version(form, body)
    allowed = read_allowed(form)
    form.problems.check()
    if not (body.content.strip() or body.embeds or body.components or body.attachments):
        raise Refused(Rule.EMPTY_MESSAGE)
    said = mentioned((body.content, *texts(body.components)), allowed, desk.accounts)
    return Draft(replace(body, mentions=said.users, everyone=said.everyone), allowed)


def _components(
    form: Form, files: Mapping[str, Attachment], desk: Desk, before: Body
) -> tuple[Component, ...]:
    if "components" not in form:
        return before.components
    layout = Layout(form, files, desk.mint, desk.emojis)
    return layout.components() if Flag.COMPONENTS_V2 in before.flags else layout.legacy()


def _check_unsupported(form: Form) -> None:
    for key in ("poll", "sticker_ids"):
        if form.value(key):
            form.fail(key, "NOT_IN_THE_SANDBOX", "The sandbox knows neither polls nor stickers.")


def _check_second_version(form: Form, body: Body) -> None:
    if Flag.COMPONENTS_V2 not in body.flags:
        return
    for key, value in (("content", body.content), ("embeds", body.embeds)):
        if value:
            code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
            words = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.fail(key, code, words)
    if not body.components and not form.value("components"):
        form.fail("components", "BASE_TYPE_REQUIRED", "This field is required")
