"""Forms: the JSON objects that a bot sends, as classes that declare the limits of each field.

A number may be written as a string, as with Discord, and the faults have Discord's codes. Discord
answers with a tree of faults that has the shape of the request:
`{"components": {"0": {"label": {"_errors": [...]}}}}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from itertools import pairwise
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PlainValidator,
    StrictInt,
    ValidationError,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from bot.sandbox.payload import Snowflake
from bot.sandbox.refusals import INVALID_FORM, RequestRefused

S = TypeVar("S", bound=Sized)
F = TypeVar("F", bound=BaseModel)
Path: TypeAlias = tuple[str, ...]

_CODES: Final = {
    "missing": ("BASE_TYPE_REQUIRED", "This field is required"),
    "string_type": ("BASE_TYPE_BAD_STRING", "Must be a string."),
    "bool_type": ("BOOLEAN_TYPE_CONVERT", "Must be either true or false."),
    "int_type": ("NUMBER_TYPE_COERCE", "Value is not int."),
    "greater_than_equal": ("NUMBER_TYPE_MIN", "int value is too small."),
    "less_than_equal": ("NUMBER_TYPE_MAX", "int value is too large."),
    "tuple_type": ("BASE_TYPE_ITERABLE", "Only iterables may be used in a ListType"),
    "literal_error": ("BASE_TYPE_CHOICES", "Value is not among the choices."),
    "enum": ("BASE_TYPE_CHOICES", "Value is not among the choices."),
    "union_tag_invalid": ("UNION_TYPE_CHOICES", "Value of field is of no type that may be here."),
    "union_tag_not_found": ("BASE_TYPE_REQUIRED", "This field is required"),
}
_NO_OBJECT: Final = ("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")


def fault(code: str, words: str, *, at: str = "") -> PydanticCustomError:
    """A fault of the value that is validated, or of what is inside it `at` a path: `0.name`."""
    return PydanticCustomError(code, "{words}", {"words": words, "at": at})


def length_fault(shortest: int, longest: int, *, at: str = "") -> PydanticCustomError:
    """The fault of a text or array that does not have between `shortest` and `longest` parts."""
    if shortest:
        words = f"Must be between {shortest} and {longest} in length."
        return fault("BASE_TYPE_BAD_LENGTH", words, at=at)
    return fault("BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.", at=at)


def sized(shortest: int, longest: int) -> AfterValidator:
    """The rule that a text or array has between `shortest` and `longest` parts."""

    def check(value: S) -> S:
        if not shortest <= len(value) <= longest:
            raise length_fault(shortest, longest)
        return value

    return AfterValidator(check)


def some_of(*allowed: int) -> AfterValidator:
    """The rule that an array has one or more of the `allowed` numbers, each once."""

    def check(values: tuple[int, ...]) -> tuple[int, ...]:
        if not values or not set(values) <= set(allowed) or len(set(values)) < len(values):
            words = f"Value must be one of {set(allowed)}, each once."
            raise fault("BASE_TYPE_CHOICES", words)
        return values

    return AfterValidator(check)


def _number(value: object) -> object:
    return int(value) if isinstance(value, str) and value.lstrip("-").isdecimal() else value


def _snowflake(value: object) -> Snowflake:
    if isinstance(value, int | str) and not isinstance(value, bool) and str(value).isdecimal():
        return Snowflake(int(value))
    raise fault("NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')


Whole = Annotated[StrictInt, BeforeValidator(_number)]
"""A whole number, also a negative one."""

Number = Annotated[Whole, Field(ge=0, le=2**53 - 1)]
"""A whole number from 0."""

Id = Annotated[Snowflake, PlainValidator(_snowflake)]
"""The id of anything."""


def read(form: type[F], data: object, *, at: Path = (), context: object = None) -> F:
    """The data, which is to be found `at` a path of the request, as a form.

    Raises:
        RequestRefused: It breaks a rule of the form; the answer names all that are broken.
    """
    try:
        return form.model_validate(data, context=context)
    except ValidationError as error:
        raise _refusal(((*at, *_path(each)), *_told(each)) for each in error.errors()) from None


def invalid(code: str, words: str, *, at: Path) -> RequestRefused:
    """The refusal of a request for one fault at a path."""
    return _refusal([(at, code, words)])


def _refusal(faults: Iterable[tuple[Path, str, str]]) -> RequestRefused:
    tree: dict[str, Any] = {}
    for path, code, words in faults:
        place = tree
        for step in path:
            place = place.setdefault(step, {})
        place.setdefault("_errors", []).append({"code": code, "message": words})
    return RequestRefused(INVALID_FORM, tree)


def _told(error: ErrorDetails) -> tuple[str, str]:
    if error["type"].isupper():
        return error["type"], error["msg"]
    return _CODES.get(error["type"], _NO_OBJECT)


def _path(error: ErrorDetails) -> Iterator[str]:
    for before, step in pairwise(("", *error["loc"])):
        # After a place in an array, or a label's field, stands which member of a union it is.
        member = isinstance(step, int) and (isinstance(before, int) or before == "component")
        if not member and step != "[key]":
            yield str(step)
    if error["type"].startswith("union_tag_"):
        yield "type"
    yield from filter(None, error.get("ctx", {}).get("at", "").split("."))
