"""Drawing: shapes and words on a canvas, and its PNG.

Lengths are pixels of the finished picture, x to the right and y downwards, and may be fractions.
Everything is drawn three times as large and reduced at the end, which smooths the edges. Numbers
and signs have the letters that come with Pillow, captions those of their font. Pillow itself is
loaded with the first picture: that takes 40 ms, and most starts of Parlour come long before one.

Boards are made of tiles, which are square. The same painters paint them for emoji and pictures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from heapq import nlargest
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias, TypeVar

from bot.message.fonts import PILLOW, Caption, opened

if TYPE_CHECKING:
    from PIL.Image import Image

K = TypeVar("K", bound=Hashable)

A_PALETTE: Final = 3_000
"""The bytes of a picture with a palette, besides one for each pixel."""

Point: TypeAlias = tuple[float, float]
Paint: TypeAlias = str
"""A colour, as #rrggbb."""
MARK: Final = "#f4900c"
"""The background of what the last move changed, on the boards of all games."""
SIDE: Final = 96
"""The side of an emoji."""

TIMES: Final = 3
EXACT: Final = 4
"""One in so many colours of a palette is exact."""
FEW_COLOURS: Final = 3
COMPRESSION: Final = 5
"""The compression level of PNG, 0-9: a higher one saves little and takes several times as long."""


class Canvas:
    """A picture in the making; without a background it is transparent where nothing is drawn."""

    def __init__(self, width: int, height: int, background: Paint | None = None) -> None:
        from PIL import Image as Images  # noqa: PLC0415 - see the module's docstring
        from PIL import ImageDraw  # noqa: PLC0415 - see the module's docstring

        size = (width * TIMES, height * TIMES)
        if background is None:
            self._image = Images.new("RGBA", size)
        else:
            self._image = Images.new("RGB", size, background)
        self._draw = ImageDraw.Draw(self._image)

    def rectangle(self, at: Point, to: Point, fill: Paint, *, radius: float = 0) -> None:
        """A rectangle between two corners, the upper left one first."""
        (left, top), (right, bottom) = _enlarged((at, to))
        box = (left, top, right - 1, bottom - 1)
        self._draw.rounded_rectangle(box, radius=radius * TIMES, fill=fill)

    def circle(self, centre: Point, radius: float, fill: Paint) -> None:
        """A disc."""
        x, y = centre
        box = _enlarged(((x - radius, y - radius), (x + radius, y + radius)))
        self._draw.ellipse([*box], fill=fill)

    def polygon(self, corners: Iterable[Point], fill: Paint, *, rounding: float = 0) -> None:
        """A filled polygon that is `rounding` larger to every side, and round at its corners."""
        points = _enlarged(corners)
        self._draw.polygon(points, fill=fill)
        if rounding:
            width = round(2 * rounding * TIMES)
            self._draw.line([*points, *points[:2]], fill=fill, width=width, joint="curve")

    def line(self, points: Iterable[Point], fill: Paint, *, width: float) -> None:
        """A line from point to point, with round ends."""
        enlarged = _enlarged(points)
        self._draw.line(enlarged, fill=fill, width=round(width * TIMES), joint="curve")
        for x, y in (enlarged[0], enlarged[-1]):
            reach = width * TIMES / 2
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=fill)

    def ring(self, centre: Point, radius: float, fill: Paint, *, width: float) -> None:
        """A circle's line, of which `radius` is the middle."""
        x, y = centre
        outer = radius + width / 2
        box = _enlarged(((x - outer, y - outer), (x + outer, y + outer)))
        self._draw.ellipse([*box], outline=fill, width=round(width * TIMES))

    def write(
        self,
        centre: Point,
        words: str | Caption,
        fill: Paint,
        *,
        size: float,
        outline: Paint | None = None,
        within: float = math.inf,
    ) -> None:
        """Write bold words in one line, captions centred by font, others by ink.

        A caption wider than `within` is written smaller.
        """
        ((x, y),) = _enlarged((centre,))
        if isinstance(words, Caption):
            font, way = opened(words.face, size * TIMES), words.direction
            wide = self._draw.textlength(words.words, font, way) / TIMES
            if wide > within:
                font = opened(words.face, size * TIMES * within / wide)
            self._draw.text((x, y), words.words, fill, font, anchor="mm", direction=way)
            return
        font, bold = opened(PILLOW, size * TIMES), round(size * TIMES / 24)
        words = " ".join(words.split())
        left, top, right, bottom = self._draw.textbbox((0, 0), words, font, stroke_width=bold)
        at = (x - (left + right) / 2, y - (top + bottom) / 2)
        if outline is not None:
            wide = bold + round(size * TIMES / 12)
            self._draw.text(at, words, outline, font, stroke_width=wide, stroke_fill=outline)
        self._draw.text(at, words, fill, font, stroke_width=bold, stroke_fill=fill)

    def collage(self) -> Collage:
        """The finished picture, to put others on."""
        return Collage(self._image.reduce(TIMES))

    def png(self) -> bytes:
        """The finished picture."""
        return self.collage().png()


class Collage:
    """A picture onto which others are pasted, which is much faster than drawing them."""

    def __init__(self, image: Image) -> None:
        self._image = image

    @classmethod
    def blank(cls, size: tuple[int, int], ground: Paint | None = None) -> Self:
        """A picture of one colour, or a transparent one."""
        from PIL import Image as Images  # noqa: PLC0415 - see the module's docstring

        return cls(Images.new("RGBA", size) if ground is None else Images.new("RGB", size, ground))

    @classmethod
    def within(cls, png: bytes, size: tuple[int, int]) -> Self:
        """An encoded picture, scaled to fit into a size."""
        from PIL import Image as Images  # noqa: PLC0415 - see the module's docstring
        from PIL import ImageOps  # noqa: PLC0415 - see the module's docstring

        return cls(ImageOps.contain(Images.open(BytesIO(png)).convert("RGBA"), size))

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height."""
        return self._image.size

    def put(self, other: Collage, at: tuple[int, int]) -> None:
        """Paste a picture onto this one, with its upper left corner at a point."""
        mask = other._image if other._image.mode == "RGBA" else None
        self._image.paste(other._image, at, mask)

    def copy(self) -> Collage:
        """A copy of this picture."""
        return Collage(self._image.copy())

    def stretched(self, size: tuple[int, int]) -> Collage:
        """This picture, which is of one colour, in another size."""
        return Collage(self._image.resize(size))

    def reduced(self, colours: int) -> Collage:
        """This picture in a palette of its own, a byte a pixel.

        Its most frequent colours stay exactly as they are, others become averages. Its PNG is half
        as large and faster to write. Finding the palette takes longer than all else about a
        picture; what is drawn often is made of parts that share one, see `in_one_palette`.
        """
        from PIL.Image import Dither, Quantize  # noqa: PLC0415 - see the module's docstring

        width, height = self.size
        counted: Sequence[tuple[int, Any]] = self._image.getcolors(width * height) or []
        frequent = [colour for _, colour in nlargest(min(width, colours // EXACT), counted)]
        sheet = self._image.crop((0, 0, width, height + 1))  # with a pixel of each in a row below
        for x, colour in enumerate(frequent):
            sheet.putpixel((x, height), colour)
        few = sheet.quantize(colours, method=Quantize.FASTOCTREE, dither=Dither.NONE)
        palette, depth = few.getpalette(sheet.mode) or [], len(sheet.mode)
        numbers = few.crop((0, height, len(frequent), height + 1)).tobytes()
        for number, colour in zip(reversed(numbers), reversed(frequent), strict=True):
            palette[depth * number : depth * (number + 1)] = colour
        few.putpalette(palette, sheet.mode)
        return Collage(few.crop((0, 0, width, height)))

    def matched(self, palette: Collage) -> Collage:
        """This picture, which is nowhere transparent, in the palette of a reduced one."""
        from PIL.Image import Dither  # noqa: PLC0415 - see the module's docstring

        image = self._image.convert("RGB")
        return Collage(image.quantize(palette=palette._image, dither=Dither.NONE))

    def png(self) -> bytes:
        """The picture as PNG."""
        file = BytesIO()
        level = FEW_COLOURS if self._image.mode == "P" else COMPRESSION
        self._image.save(file, "PNG", compress_level=level)
        return file.getvalue()


Painter: TypeAlias = Callable[[Canvas, Point, float], None]
"""Paints a tile, given its upper left corner and its side."""


def tile(side: int, *painters: Painter) -> Collage:
    """A picture of a tile, on which each painter paints over those before it."""
    canvas = Canvas(side, side)
    for paint in painters:
        paint(canvas, (0, 0), side)
    return canvas.collage()


def in_one_palette(
    tiles: Mapping[K, Collage], colours: int, ground: Paint | None = None
) -> Mapping[K, Collage]:
    """Tiles of one side on a ground, in a palette that all have, so that they can be put together.

    They take a quarter of the memory.
    """
    side = max(each.size[0] for each in tiles.values())
    sheet = Collage.blank((side * len(tiles), side), ground)
    for number, each in enumerate(tiles.values()):
        sheet.put(each, (side * number, 0))
    few = sheet.reduced(colours)._image  # noqa: SLF001 - a module's own
    return {
        name: Collage(few.crop((side * number, 0, side * (number + 1), side)))
        for number, name in enumerate(tiles)
    }


def emoji(*painters: Painter) -> bytes:
    """A tile as an emoji, as PNG."""
    return tile(SIDE, *painters).png()


def point(at: Point, side: float, x: float, y: float) -> Point:
    """A point of a tile, counted in pixels of an emoji."""
    return at[0] + x * side / SIDE, at[1] + y * side / SIDE


def animation(frames: Sequence[tuple[Collage, int]], *, colours: int = 64) -> bytes:
    """A GIF of pictures of one size, each shown for its milliseconds, again and again."""
    from PIL.Image import Dither, Quantize  # noqa: PLC0415 - see the module's docstring

    file, reduced = BytesIO(), []
    for frame, _ in frames:
        image = frame._image.convert("RGB")  # noqa: SLF001 - a module's own
        few = image.quantize(colours, method=Quantize.FASTOCTREE, dither=Dither.NONE)
        reduced.append(few)
    first, *others = reduced
    lasting = [milliseconds for _, milliseconds in frames]
    first.save(file, "GIF", save_all=True, append_images=others, duration=lasting, loop=0)
    return file.getvalue()


def letters() -> bool:
    """Whether Pillow can write words, for which it needs the library FreeType."""
    canvas = Canvas(16, 16, "#ffffff")
    blank = canvas.png()
    try:
        canvas.write((8, 8), "A", "#000000", size=12)
    except (ImportError, OSError):
        return False
    return canvas.png() != blank


def _enlarged(points: Iterable[Point]) -> list[Point]:
    return [(x * TIMES, y * TIMES) for x, y in points]
