"""Text as pixels, in the font that comes with the pages' widgets, so that no system font is needed."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

PARTS = ("latin", "greek", "math", "latin-ext", "symbols", "cyrillic", "vietnamese", "greek-ext", "cyrillic-ext")
MISSING = "\uffff"  # no font has this character, so its glyph is the one for every missing character
LONGEST = 400  # most characters of a line
# Arrows, which no part of the font has, as quarter turns of the first one.
ARROWS = {"→": 0, "↓": 1, "←": 2, "↑": 3}
SHAFT, HEAD = [(-0.38, 0.0), (0.38, 0.0)], [(0.14, -0.22), (0.38, 0.0), (0.14, 0.22)]  # in units of the font size


class TextMask(NamedTuple):
    """A line of text as a mask, and its halo as another, if it has one; the text begins at (0, 0) on its base line.

    `left` and `top` are the position of the masks' upper left corner.
    """

    ink: Image.Image
    halo: Image.Image | None
    width: float
    left: float
    top: float


def draw_text(text: str, px: float, bold: bool = False, halo: float = 0.0) -> TextMask:
    """Return the mask of a text on one line, with a font size of `px` and a halo of this width."""
    size, edge = max(round(px), 1), round(halo / 2) + 2
    runs = [(part, font, len(part) * size if part[0] in ARROWS else font.getlength(part))
            for font, part in _runs(text[:LONGEST], size, bold)]  # fmt: skip
    width = sum(wide for *_, wide in runs)
    shape = round(width) + 2 * edge + size, 2 * size + 2 * edge
    base, masks = size + edge + size // 4, []
    for wide in (0, round(halo / 2)) if halo else (0,):
        mask = Image.new("L", shape)
        draw, x = ImageDraw.Draw(mask), float(edge)
        for part, font, along in runs:
            if part[0] in ARROWS:
                _arrows(draw, part, x, base, size, wide)
            else:
                draw.text((x, base), part, fill=255, font=font, anchor="ls", stroke_width=wide)
            x += along
        masks.append(mask)
    return TextMask(masks[0], masks[1] if halo else None, width, -edge, -base)


def _arrows(draw, part, x, base, size, halo):
    """Draw arrows one after the other, each as wide as a character is high."""
    for i, letter in enumerate(part):
        middle = x + (i + 0.5) * size, base - 0.33 * size
        for line in (SHAFT, HEAD):
            points = [(middle[0] + size * a, middle[1] + size * b) for a, b in (_turn_arrow(p, letter) for p in line)]
            draw.line(points, fill=255, width=max(round(size / 12), 1) + 2 * halo, joint="curve")


def _turn_arrow(point, letter):
    across, down = point
    for _ in range(ARROWS[letter]):
        across, down = -down, across
    return across, down


def _runs(text, size, bold):
    """Yield (font, part) of a text, each character in the first font that has it; arrows are separate parts."""
    for (_, part), group in groupby(text, key=lambda letter: (letter in ARROWS, _part(letter, bold))):
        yield _font(part, size, bold), "".join(group)


@lru_cache(maxsize=2000)
def _part(letter, bold):
    """Return the first part of the font that has a character; the first of all if none has it."""
    return next((part for part in PARTS if _has(_font(part, 20, bold), letter)), PARTS[0])


def _has(font, letter):
    if letter.isspace():
        return True
    glyph, missing = font.getmask(letter), font.getmask(MISSING)
    return glyph.size != missing.size or bytes(glyph) != bytes(missing)


@lru_cache(maxsize=100)
def _font(part, size, bold):
    return ImageFont.truetype(str(_file(part, bold)), size)


@cache
def _file(part, bold):
    """Return the file of a part of the font."""
    spec, name = find_spec("panel_material_ui"), f"roboto-{part}-{700 if bold else 400}-normal-*.woff"
    folders = (spec and spec.submodule_search_locations) or ()
    return next(file for folder in folders for file in Path(folder, "dist").glob(name))
