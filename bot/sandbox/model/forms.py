"""Forms: the JSON objects that a bot sends, as classes that declare the limits of each field.

As with Discord, null is the same as nothing, a number may be written as a string, and what a form
does not know is passed over. A form with a wrong field is refused by pydantic; the faults of
Discord's own have Discord's codes.
"""

from __future__ import annotations

from collections.abc import Sized
from operator import not_
from typing import Annotated, Final, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StrictInt,
    model_validator,
)
from pydantic_core import PydanticCustomError

from bot.sandbox.payload import Payload, is_object
from bot.sandbox.snowflakes import Snowflake

S = TypeVar("S", bound=Sized)


class JsonForm(BaseModel):
    """A JSON object with known fields."""

    model_config = ConfigDict(serialize_by_alias=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: object) -> object:
        if is_object(data) and None in data.values():
            return {key: value for key, value in data.items() if value is not None}
        return data

    def payload(self) -> Payload:
        """The object as Discord sends it."""
        return self.model_dump(mode="json")


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

Id = Annotated[Snowflake, PlainValidator(_snowflake), PlainSerializer(str)]
"""The id of anything; it is told as a string."""

SPARSE: Final = Field(exclude_if=not_)
"""Marks a field that is told only if there is something in it."""
