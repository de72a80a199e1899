"""Reading what a bot sent, and answering with what is wrong about it.

Discord answers with a tree of faults that has the shape of the request:
`{"components": {"0": {"label": {"_errors": [...]}}}}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.sandbox.rules.refusals import RequestRefused, Rule

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
    return RequestRefused(Rule.INVALID_FORM, tree)


def _told(error: ErrorDetails) -> tuple[str, str]:
    if error["type"].isupper():
        return error["type"], error["msg"]
    return _CODES.get(error["type"], _NO_OBJECT)


def _path(error: ErrorDetails) -> Iterator[str]:
    for before, step in pairwise(("", *error["loc"])):
        # After a place in an array stands which member of a union it is.
        member = isinstance(step, int) and isinstance(before, int)
        if not member and step != "[key]":
            yield str(step)
    if error["type"].startswith("union_tag_"):
        yield "type"
    yield from filter(None, error.get("ctx", {}).get("at", "").split("."))
