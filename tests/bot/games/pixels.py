"""Pixels of PNGs, for tests of pictures."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TypeAlias

from PIL import Image

Rgb: TypeAlias = tuple[int, ...]
Look: TypeAlias = Callable[[float, float], Rgb]


def decoded(png: bytes) -> tuple[tuple[int, int], Look]:
    """The size of a picture, and its pixels by x and y."""
    image: Image.Image = Image.open(BytesIO(png), formats=["PNG"])
    image.load()
    if image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")

    def look(x: float, y: float) -> Rgb:
        pixel = image.getpixel((int(x), int(y)))
        assert isinstance(pixel, tuple)
        return pixel

    return image.size, look


def rgb(paint: str) -> Rgb:
    """A paint, as #rrggbb, by its red, green and blue."""
    return tuple(bytes.fromhex(paint.removeprefix("#")))


def close(seen: Rgb, paint: str) -> bool:
    """Whether a pixel has a paint, apart from the loss of few colours."""
    return all(abs(one - other) <= 6 for one, other in zip(seen[:3], rgb(paint), strict=True))


def share(look: Look, middle: tuple[float, float], reach: float, paint: str) -> float:
    """The share of a disc that has a paint, 0-1."""
    x, y = middle
    steps = [step * reach / 8 for step in range(-8, 9)]
    disc = [(a, b) for a in steps for b in steps if a * a + b * b <= reach * reach]
    return sum(close(look(x + a, y + b), paint) for a, b in disc) / len(disc)


def luminance(paint: str) -> float:
    """WCAG 2.2, "relative luminance"."""
    channels = [value / 255 for value in rgb(paint)]
    red, green, blue = (linear(value) for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, "contrast ratio", 1-21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def linear(value: float) -> float:
    """A channel of sRGB, 0-1, as an amount of light."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
