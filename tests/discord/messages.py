"""Discord's rules for what a message says, and for the files it has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, PlainValidator, StrictBool, model_validator

from bot.sandbox.model.components import JsonForm
from bot.sandbox.model.files import LARGEST_FILE, ApplicationEmojis
from bot.sandbox.model.messages import PLAIN, Body, Flag
from bot.sandbox.payload import Payload, is_array, is_object
from bot.sandbox.refusals import RequestRefused
from bot.sandbox.web.calls import Sent
from tests.discord.components import ComponentContext, ComponentLayout, LegacyRows
from tests.discord.forms import Id, Number, Path, fault, invalid, read, sized
from tests.discord.rules import EMPTY_MESSAGE, TOO_LARGE

_CAN_CHANGE: Final = Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2
_CAN_SET: Final = _CAN_CHANGE | Flag.SUPPRESS_NOTIFICATIONS
_MOST_FILES: Final = 10
_KINDS: Final = frozenset({"users", "roles", "everyone"})


def _refuse(value: object) -> object:
    if value:
        raise fault("NOT_IN_THE_SANDBOX", "Parlour sends none, so the sandbox has none.")
    return value


def _kinds(value: object) -> frozenset[object]:
    if not is_array(value) or not all(isinstance(kind, str) for kind in value):
        raise fault("BASE_TYPE_BAD_STRING", "Must be a string.")
    if not set(value) <= _KINDS:
        raise fault("BASE_TYPE_CHOICES", "Value must be one of {'everyone', 'roles', 'users'}.")
    return frozenset(value)


class AllowedMentions(JsonForm):
    """The mentions that notify."""

    kinds: Annotated[frozenset[object], PlainValidator(_kinds), Field(alias="parse")] = frozenset()
    users: Annotated[tuple[Id, ...], sized(0, 100)] = ()
    roles: Annotated[tuple[Id, ...], sized(0, 100)] = ()
    replied_user: StrictBool = False

    @model_validator(mode="after")
    def _users_are_named_or_not(self) -> Self:
        if self.users and "users" in self.kinds:
            code = "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
            raise fault(code, 'parse:["users"] and users: [ids...] are mutually exclusive.')
        return self


class AttachmentForm(JsonForm):
    """A file that the message keeps, or one that comes with the request."""

    id: Id
    filename: Annotated[str, sized(0, 1024)] = ""
    description: Annotated[str, sized(0, 1024)] | None = None


Unsupported = Annotated[object, AfterValidator(_refuse)]


class MessageForm(JsonForm):
    """The fields of a message, except for its components."""

    content: Annotated[str, sized(0, 2000)] = ""
    flags: Number | None = None
    attachments: Annotated[tuple[AttachmentForm, ...], sized(0, _MOST_FILES)] = ()
    allowed_mentions: AllowedMentions = Field(default_factory=AllowedMentions)
    embeds: Unsupported = None
    poll: Unsupported = None
    sticker_ids: Unsupported = None
    message_reference: Unsupported = None


def check_new(emojis: ApplicationEmojis, sent: Sent, *, at: Path = (), also: Flag = PLAIN) -> None:
    """Check a new message, found `at` a path of the request; it may have the flags in `also`.

    Raises:
        RequestRefused: A rule is broken.
    """
    form = read(MessageForm, sent.body, at=at)
    flags = Flag(form.flags or 0) & (_CAN_SET | also)
    _check(emojis, form, sent, Body(flags=flags), at)


def check_change(emojis: ApplicationEmojis, sent: Sent, before: Body, *, at: Path = ()) -> None:
    """Check an edit of `before`; components of the second version stay what they are.

    Raises:
        RequestRefused: A rule is broken.
    """
    form = read(MessageForm, sent.body, at=at)
    second = before.flags | (Flag(form.flags or 0) & Flag.COMPONENTS_V2)
    said = Body(before.content, before.components, before.attachments, second)
    _check(emojis, form, sent, said, at)


def _check(
    emojis: ApplicationEmojis, form: MessageForm, sent: Sent, before: Body, at: Path
) -> None:
    given: Payload = sent.body if is_object(sent.body) else {}
    listed = form.attachments if "attachments" in given else None
    names, files = _files(listed, sent, before, at)
    content = form.content if "content" in given else before.content
    components: Sequence[object] = before.components
    second = Flag.COMPONENTS_V2 in before.flags
    if "components" in given:
        context = ComponentContext(emojis, names)
        if second:
            components = read(ComponentLayout, sent.body, at=at, context=context).components
        else:
            components = read(LegacyRows, sent.body, at=at, context=context).components
    if second and content:
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        words = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        raise invalid(code, words, at=(*at, "content"))
    if second and not components:
        raise invalid("BASE_TYPE_REQUIRED", "This field is required", at=(*at, "components"))
    if not (content.strip() or components or files):
        raise RequestRefused(EMPTY_MESSAGE)


def _files(
    listed: Sequence[AttachmentForm] | None, sent: Sent, before: Body, at: Path
) -> tuple[Collection[str], int]:
    """The names that components can refer to as `attachment://name`, and the number of files.

    What an edit does not name stays, unless the edit has a list of attachments: then what is not
    in the list goes. Files are kept, and count, whether or not anything shows them.
    """
    if any(len(upload.data) > LARGEST_FILE for upload in sent.uploads):
        raise RequestRefused(TOO_LARGE)
    old = {file.id: file.filename for file in before.attachments}
    names = {upload.filename for upload in sent.uploads}
    if listed is None:
        names |= {*old.values()}
        kept = len(old)
    else:
        stays = [each for each in listed if each.id in old]
        # Discord resolves references to what stays only where the list names it in full.
        names |= {each.filename for each in stays if each.filename == old[each.id]}
        kept = len(stays)
    missing = {each.id for each in listed or ()} - old.keys()
    missing -= {upload.index for upload in sent.uploads}
    if missing:
        words = f"No attachment or file has the id {min(missing)}"
        raise invalid("ATTACHMENT_NOT_FOUND", words, at=(*at, "attachments"))
    if kept + len(sent.uploads) > _MOST_FILES:
        words = f"Must be {_MOST_FILES} or fewer in length."
        raise invalid("BASE_TYPE_MAX_LENGTH", words, at=(*at, "attachments"))
    return names, kept + len(sent.uploads)
