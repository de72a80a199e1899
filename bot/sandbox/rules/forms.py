"""Reading what a bot sent: each field by its rule, each fault noted at its place.

Discord reads the whole of a request before it answers, and answers with a tree of faults that
has the shape of the request: `{"components": {"0": {"label": {"_errors": [...]}}}}`.
"""

from __future__ import annotations

from collections.abc import Collection, KeysView, Sequence
from typing import Final, TypeAlias, TypeGuard

from bot.sandbox.payload import Payload
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake

Path: TypeAlias = tuple[str, ...]

_LARGEST: Final = 2**53 - 1


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Whether the JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether the JSON value is an array."""
    return isinstance(value, list)


class Problems:
    """The faults found in one request."""

    def __init__(self) -> None:
        self._found: list[tuple[Path, Payload]] = []

    def note(self, path: Path, code: str, words: str) -> None:
        """Remember a fault."""
        self._found.append((path, {"code": code, "message": words}))

    def check(self) -> None:
        """Go on only if there is no fault.

        Raises:
            RequestRefused: There is one; the answer names all of them.
        """
        if self._found:
            raise RequestRefused(Rule.INVALID_FORM, _tree(self._found))


def _tree(found: Sequence[tuple[Path, Payload]]) -> Payload:
    here = [fault for path, fault in found if not path]
    if here:
        return {"_errors": here}
    steps = dict.fromkeys(path[0] for path, _ in found)
    return {
        step: _tree([(path[1:], fault) for path, fault in found if path[0] == step])
        for step in steps
    }


class JsonForm:
    """A JSON object being read; what is wrong with it goes to `problems`."""

    __slots__ = ("_data", "_path", "problems")

    def __init__(self, data: object, problems: Problems, path: Path = ()) -> None:
        self.problems = problems
        self._path = path
        if is_object(data):
            self._data = data
        else:
            self._data = {}
            self.fail("", "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def given(self, key: str) -> bool:
        """Whether there is a value, and not null."""
        return self._data.get(key) is not None

    def value(self, key: str) -> object:
        """The value as it came; None where there is none."""
        return self._data.get(key)

    def keys(self) -> KeysView[str]:
        """The names of the fields that came."""
        return self._data.keys()

    def fail(self, key: str, code: str, words: str) -> None:
        """Note a fault of the field, or of the object itself where `key` is empty."""
        self.problems.note((*self._path, key) if key else self._path, code, words)

    def require(self, key: str) -> bool:
        """Whether the field is there; a fault where it is not."""
        if not self.given(key):
            self.fail(key, "BASE_TYPE_REQUIRED", "This field is required")
        return self.given(key)

    def text(self, key: str, *, longest: int, shortest: int = 0) -> str:
        """The string of between `shortest` and `longest` characters; empty where none came."""
        value = self._data.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.fail(key, "BASE_TYPE_BAD_STRING", "Must be a string.")
            return ""
        if not shortest <= len(value) <= longest:
            self._bad_length(key, shortest, longest)
        return value

    def required_text(self, key: str, *, longest: int, shortest: int = 1) -> str:
        """As `text`, of a field that must be there."""
        return self.text(key, longest=longest, shortest=shortest) if self.require(key) else ""

    def number(self, key: str, *, default: int, least: int = 0, most: int = _LARGEST) -> int:
        """The whole number between `least` and `most`; `default` where none came."""
        value = self._data.get(key)
        if value is None:
            return default
        if isinstance(value, str) and value.lstrip("-").isdecimal():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(key, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return default
        if not least <= value <= most:
            words = f"int value should be between {least} and {most}."
            self.fail(key, "NUMBER_TYPE_MIN" if value < least else "NUMBER_TYPE_MAX", words)
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Yes or no; `default` where nothing came."""
        value = self._data.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fail(key, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
            return default
        return value

    def one_of(self, key: str, allowed: Collection[int], *, default: int) -> int:
        """The number, which is among `allowed`; `default` where none came."""
        value = self.number(key, default=default, least=-_LARGEST)
        if self.given(key) and value not in allowed:
            choices = ", ".join(map(str, sorted(allowed)))
            self.fail(key, "BASE_TYPE_CHOICES", f"Value must be one of {{{choices}}}.")
            return default
        return value

    def snowflake(self, key: str) -> Snowflake | None:
        """The id; None where none came."""
        return self._as_snowflake(key, self._data.get(key))

    def part(self, key: str) -> JsonForm | None:
        """The object inside; None where none came."""
        if not self.given(key):
            return None
        return JsonForm(self._data[key], self.problems, (*self._path, key))

    def parts(self, key: str, *, most: int, fewest: int = 0) -> list[JsonForm]:
        """The objects inside, between `fewest` and `most` of them; none where nothing came."""
        values = self.items(key, most=most, fewest=fewest)
        path = (*self._path, key)
        return [JsonForm(value, self.problems, (*path, str(i))) for i, value in enumerate(values)]

    def items(self, key: str, *, most: int, fewest: int = 0) -> Sequence[object]:
        """The values of the array as they came."""
        value = self._data.get(key)
        if value is None:
            return ()
        if not is_array(value):
            self.fail(key, "BASE_TYPE_ITERABLE", "Only iterables may be used in a ListType")
            return ()
        if not fewest <= len(value) <= most:
            self._bad_length(key, fewest, most)
        return value

    def snowflakes(self, key: str, *, most: int) -> list[Snowflake]:
        """The ids of the array."""
        found = (self._as_snowflake(key, value) for value in self.items(key, most=most))
        return [snowflake for snowflake in found if snowflake is not None]

    def texts(self, key: str, *, most: int) -> list[str]:
        """The strings of the array."""
        values = self.items(key, most=most)
        if not all(isinstance(value, str) for value in values):
            self.fail(key, "BASE_TYPE_BAD_STRING", "Must be a string.")
        return [value for value in values if isinstance(value, str)]

    def _as_snowflake(self, key: str, value: object) -> Snowflake | None:
        if value is None:
            return None
        if isinstance(value, int | str) and not isinstance(value, bool) and str(value).isdecimal():
            return Snowflake(int(value))
        self.fail(key, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return None

    def _bad_length(self, key: str, least: int, most: int) -> None:
        if least:
            words = f"Must be between {least} and {most} in length."
            self.fail(key, "BASE_TYPE_BAD_LENGTH", words)
        else:
            self.fail(key, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
