"""An SVG of `explorer.svg` as pixels, without a browser: only the part of SVG that `explorer.svg` writes is supported.

Shapes are drawn a few times larger than needed and reduced at the end, which smooths their edges.
"""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, TypeAlias
from xml.etree import ElementTree

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from explorer.svg.colours import COLOURS, PAINTS

from . import text_masks

FINER = 3  # factor on the pixels along a side before smoothing
ROUND = np.linspace(0, 2 * np.pi, 49)[:-1]  # angles of a circle's corners
INHERITED = ("stroke", "fill", "stroke-width", "stroke-opacity", "fill-opacity", "stroke-dasharray", "fill-rule")
TOKEN = re.compile(r"[MmLlHhVvZz]|-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TURN = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
ALIGNED = {"start": 0.0, "middle": 0.5, "end": 1.0}
Points: TypeAlias = np.ndarray[Any, Any]  # (n, 2)
Box: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom


class Hatch(NamedTuple):
    """Lines that rise to the right: their distance along an axis, width, colour and opacity."""

    apart: float
    width: float
    colour: str
    alpha: float


class Pen(NamedTuple):
    """State of an element: its attributes with inherited ones, the map from its px to the image's, and the clip box."""

    attributes: Mapping[str, str]
    turn: Points  # (2, 3)
    within: Box

    @property
    def scale(self) -> float:
        """Number of px of the image for one px of the element."""
        return math.sqrt(abs(np.linalg.det(self.turn[:, :2])))

    def to_image(self, points: Points | Sequence[tuple[float, float]]) -> Points:
        """Return points in px of the image."""
        return np.asarray(points, dtype=float).reshape(-1, 2) @ self.turn[:, :2].T + self.turn[:, 2]

    def attribute_as_float(self, name: str, usual: float = 0.0) -> float:
        """Return an attribute as a number."""
        return float(self.attributes.get(name, usual))


class Shape(NamedTuple):
    """An element that paints something, and everything that decides what: equal shapes paint the same."""

    kind: str
    pen: Pen
    text: str
    hatch: Hatch | None

    def paints_like(self, other: Shape) -> bool:
        """Return whether this shape paints the same as another one."""
        (given, turn, within), (its_given, its_turn, its_within) = self.pen, other.pen
        same = (self.kind, self.text, self.hatch, within) == (other.kind, other.text, other.hatch, its_within)
        names = {*given, *its_given} - ({"fill"} if self.hatch else set())  # each picture names its hatches differently
        return same and np.array_equal(turn, its_turn) and all(given.get(n) == its_given.get(n) for n in names)


def image_of(svg: str, width: int, height: int, dark: bool = False) -> Image.Image:
    """Return an SVG of that size in px as an image, in the colours of light or of dark ground."""
    return next(images_of([svg], width, height, dark))


def images_of(svgs: Iterable[str], width: int, height: int, dark: bool = False) -> Iterator[Image.Image]:
    """Yield the images of several SVGs of one size; first shapes that equal those of the SVG before are drawn once."""
    base, shared, before = Raster(width, height), [], []
    for svg in svgs:
        shapes = list(shapes_of(svg, width, height, dark))
        if _common_prefix(shapes, shared) < len(shared):
            base, shared = Raster(width, height), []
        alike = _common_prefix(shapes, before)
        for shape in shapes[len(shared) : alike]:
            base.draw(shape)
        shared, before = shapes[: max(len(shared), alike)], shapes
        whole = base.copy()
        for shape in shapes[len(shared) :]:
            whole.draw(shape)
        yield whole.smooth


def _common_prefix(shapes, others):
    """Return the number of shapes with which both lists begin."""
    pairs = enumerate(zip(shapes, others, strict=False))
    return next((i for i, (one, other) in pairs if not one.paints_like(other)), min(len(shapes), len(others)))


def shapes_of(svg: str, width: int, height: int, dark: bool = False) -> Iterator[Shape]:
    """Yield the Shapes that an SVG paints, one after the other."""
    root = ElementTree.fromstring(str(svg))
    if dark:
        _darken(root)
    turn = np.array([[FINER, 0, 0], [0, FINER, 0]], dtype=float)
    return _inside(root, Pen({}, turn, (0, 0, width * FINER, height * FINER)), _hatches(root))


def _inside(parent, pen, hatches):
    """Yield the shapes of an element's children, from below to above."""
    for element in parent:
        kind, own_pen = _kind(element), _pen_of(pen, element)
        if kind == "svg":  # an inner picture clips its contents
            left, top, wide, high = map(float, element.get("viewBox", "").split())
            ends = own_pen.to_image([(left, top), (left + wide, top + high)])
            own_pen = own_pen._replace(within=_common(_around(ends), own_pen.within))
        if kind in ("svg", "g"):
            yield from _inside(element, own_pen, hatches)
        elif kind in DRAWN:
            yield Shape(kind, own_pen, "".join(element.itertext()), hatches.get(own_pen.attributes.get("fill")))


def _hatches(root):
    """Return {reference to a pattern: its Hatch}."""
    hatches = {}
    for each in root.iter():
        if _kind(each) == "pattern":
            (line,) = each
            width, alpha = (float(line.get(name, 1)) for name in ("stroke-width", "stroke-opacity"))
            apart = float(each.get("width", 1))
            hatches[f"url(#{each.get('id')})"] = Hatch(apart, width, line.get("stroke", "none"), alpha)
    return hatches


def _darken(root):
    """Give each shape the colours that its classes have on dark ground."""
    attributes = {letter: name for name, letter in PAINTS}
    for element in root.iter():
        for letter, _, role in (word.partition("-") for word in element.get("class", "").split()):
            if role in COLOURS:
                element.set(attributes[letter], COLOURS[role][1])


class Raster:
    """The image of an SVG of that size in px, while it is drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width * FINER, height * FINER
        self.image: Image.Image = Image.new("RGB", self.size, "white")

    def copy(self) -> Raster:
        """Return a copy of the drawing so far, to continue from."""
        other = copy(self)
        other.image = self.image.copy()
        return other

    @property
    def smooth(self) -> Image.Image:
        """The image in its final size."""
        return self.image.reduce(FINER)

    def draw(self, shape: Shape) -> None:
        """Draw a shape over the image."""
        DRAWN[shape.kind](self, shape)

    # The next methods draw one kind of element each.
    def _rect(self, shape):
        x, y, wide, high = (shape.pen.attribute_as_float(name) for name in ("x", "y", "width", "height"))
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        self._paint_outlines(shape, [(shape.pen.to_image(corners), True)])

    def _round(self, shape):
        number = shape.pen.attribute_as_float
        x, y, across, up = number("cx"), number("cy"), number("rx", number("r")), number("ry", number("r"))
        corners = np.column_stack([x + across * np.cos(ROUND), y + up * np.sin(ROUND)])
        self._paint_outlines(shape, [(shape.pen.to_image(corners), True)])

    def _path(self, shape):
        lines = outlines(shape.pen.attributes.get("d", ""))
        self._paint_outlines(shape, [(shape.pen.to_image(points), closed) for points, closed in lines])

    def _image(self, shape):
        pen = shape.pen
        x, y, wide, high = (pen.attribute_as_float(name) for name in ("x", "y", "width", "height"))
        raw = base64.b64decode(pen.attributes.get("href", "").partition("base64,")[2])
        box = _around(pen.to_image([(x, y), (x + wide, y + high)]))
        size = box[2] - box[0], box[3] - box[1]
        if min(size) < 1 or max(size) > 4 * max(self.size):
            return
        table = Image.open(io.BytesIO(raw)).convert("RGBA").resize(size, Image.Resampling.NEAREST)
        visible = _common(box, pen.within)
        table = table.crop((visible[0] - box[0], visible[1] - box[1], visible[2] - box[0], visible[3] - box[1]))
        self.image.paste(table, visible, table)

    def _text(self, shape):
        pen, px = shape.pen, shape.pen.attribute_as_float("font-size", 12) * shape.pen.scale
        bold = pen.attributes.get("font-weight") == "bold"
        ((x, y),) = pen.to_image([(pen.attribute_as_float("x"), pen.attribute_as_float("y"))])
        drawn = text_masks.draw_text(shape.text, px, bold, pen.attribute_as_float("stroke-width") * pen.scale)
        angle = math.atan2(pen.turn[1, 0], pen.turn[0, 0])
        before = ALIGNED[pen.attributes.get("text-anchor", "start")] * drawn.width
        halo = pen.attributes.get("stroke", "none") if drawn.halo is not None else "none"
        for mask, colour in ((drawn.halo, halo), (drawn.ink, pen.attributes.get("fill", "none"))):
            if mask is None or colour == "none":
                continue
            start = drawn.left - before, drawn.top
            if angle:
                mask, start = _rotate_mask(mask, start, angle)
            left, top = round(x + start[0]), round(y + start[1])
            self._paint(mask, (left, top), pen.within, colour, pen.attribute_as_float("fill-opacity", 1))

    # The next methods are shared by all kinds.
    def _paint_outlines(self, shape, parts):
        """Paint the fill and the line of outlines: (points, whether closed) in px of the image."""
        pen = shape.pen
        parts = [(points, closed) for points, closed in parts if np.isfinite(points).all() and len(points)]
        if not parts:
            return
        width, stroke, fill = (
            pen.attribute_as_float("stroke-width", 1) * pen.scale,
            pen.attributes.get("stroke"),
            pen.attributes.get("fill"),
        )
        everywhere = np.vstack([points for points, _ in parts])
        box = _common(_around(everywhere, math.ceil(width) + 1), pen.within)
        if box[2] <= box[0] or box[3] <= box[1]:
            return
        moved = [(points - box[:2], closed) for points, closed in parts]
        size = box[2] - box[0], box[3] - box[1]
        if fill and fill != "none":
            self._fill(
                shape, _fill_mask(size, [points for points, _ in moved], pen.attributes.get("fill-rule")), box, fill
            )
        if stroke and stroke != "none":
            dash = [float(each) * pen.scale for each in pen.attributes.get("stroke-dasharray", "").split()]
            mask = _line_mask(size, moved, width, dash)
            self._paint(mask, box[:2], pen.within, stroke, pen.attribute_as_float("stroke-opacity", 1))

    def _fill(self, shape, mask, box, fill):
        pen, hatch = shape.pen, shape.hatch
        if hatch is None:
            self._paint(mask, box[:2], pen.within, fill, pen.attribute_as_float("fill-opacity", 1))
        else:
            lines = _hatch_mask(mask.size, box[:2], hatch, pen.scale)
            self._paint(ImageChops.multiply(mask, lines), box[:2], pen.within, hatch.colour, hatch.alpha)

    def _paint(self, mask, place, within, colour, alpha):
        """Paint a colour through a mask whose upper left corner is at a position, inside the clip box."""
        left, top = place
        box = _common((left, top, left + mask.width, top + mask.height), within)
        if box[2] <= box[0] or box[3] <= box[1]:
            return
        mask = mask.crop((box[0] - left, box[1] - top, box[2] - left, box[3] - top))
        if alpha < 1:
            mask = mask.point(lambda each: round(each * alpha))
        self.image.paste(colour, box, mask)


DRAWN = {
    "rect": Raster._rect,
    "circle": Raster._round,
    "ellipse": Raster._round,
    "path": Raster._path,
    "image": Raster._image,
    "text": Raster._text,
}


def _kind(element):
    return element.tag.rpartition("}")[2]


def _pen_of(pen, element):
    """Return the pen of an element: its own and the inherited attributes, and its own transform."""
    inherited = {name: word for name, word in pen.attributes.items() if name in INHERITED}
    turn = pen.turn
    for kind, words in TURN.findall(element.get("transform", "")):
        turn = _after(turn, kind, [float(word) for word in words.split()])
    return Pen({**inherited, **element.attrib}, turn, pen.within)


def _after(turn, kind, numbers):
    """Return a transform that first moves, turns or scales, and then does what the given transform does."""
    if kind == "rotate" and len(numbers) == 3:
        angle, x, y = numbers
        for each, how in (("translate", [x, y]), ("rotate", [angle]), ("translate", [-x, -y])):
            turn = _after(turn, each, how)
        return turn
    step = np.eye(3)
    if kind == "translate":
        step[:2, 2] = numbers
    elif kind == "scale":
        step[:2, :2] *= numbers[0]
    else:
        angle = math.radians(numbers[0])
        step[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return turn @ step


def outlines(d: str) -> Iterator[tuple[Points, bool]]:
    """Yield (points, whether closed) of each part of a path that consists of straight lines."""
    at, points, closed, command, tokens = (0.0, 0.0), [], False, "M", TOKEN.findall(d)
    i = 0
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
            if command in "zZ":
                yield np.array(points), True
                at, points, closed = points[0], [points[0]], True
                continue
        if command in "HhVv":
            step, i = float(tokens[i]), i + 1
            base = at if command.islower() else (0.0, 0.0)
            at = (base[0] + step, at[1]) if command in "Hh" else (at[0], base[1] + step)
        else:
            x, y, i = float(tokens[i]), float(tokens[i + 1]), i + 2
            at = (at[0] + x, at[1] + y) if command.islower() else (x, y)
        if command in "Mm":
            if points and not closed:
                yield np.array(points), False
            points, command = [], "l" if command == "m" else "L"
        points.append(at)
        closed = False
    if points and not closed:
        yield np.array(points), False


def _around(points, more=0):
    """Return the box that contains points, with `more` px more on each side."""
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return math.floor(left) - more, math.floor(top) - more, math.ceil(right) + more, math.ceil(bottom) + more


def _common(one, other):
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _fill_mask(size, parts, rule):
    """Return a mask of the inside of outlines; by the rule "evenodd" an outline inside another is a hole."""
    mask = Image.new("L", size)
    for points in parts:
        if len(points) < 3:
            continue
        corners = list(map(tuple, points.tolist()))
        if rule == "evenodd":
            one = Image.new("L", size)
            ImageDraw.Draw(one).polygon(corners, fill=255)
            mask = ImageChops.difference(mask, one)
        else:
            ImageDraw.Draw(mask).polygon(corners, fill=255)
    return mask


def _line_mask(size, parts, width, dash):
    """Return a mask of the lines along outlines."""
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    for points, closed in parts:
        whole = np.vstack([points, points[:1]]) if closed else points
        for line in _dashes(whole, dash) if dash else [whole]:
            corners = list(map(tuple, line.tolist()))
            draw.line(corners, fill=255, width=max(round(width), 1), joint="curve")
    return mask


def _dashes(points, dash):
    """Yield the parts of a dashed line; the lengths of dashes and gaps alternate in the pattern."""
    along = np.append(0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))
    ends, at, turn = [], 0.0, 0
    while at < along[-1]:
        ends.append((at, min(at + dash[turn % len(dash)], along[-1])))
        at, turn = at + dash[turn % len(dash)], turn + 1
    for start, stop in ends[::2]:
        inside = (along > start) & (along < stop)
        places = np.concatenate([[start], along[inside], [stop]])
        yield np.column_stack([np.interp(places, along, each) for each in points.T])


def _hatch_mask(size, place, hatch, scale):
    """Return a mask of lines that rise to the right, at the same positions in every shape."""
    mask = Image.new("L", size)
    draw, apart = ImageDraw.Draw(mask), max(hatch.apart * scale, 2.0)
    wide, high = size
    first = -((place[0] + place[1]) % apart)
    for at in np.arange(first, wide + high + apart, apart):
        draw.line([(at, 0), (at - high, high)], fill=255, width=max(round(hatch.width * scale), 1))
    return mask


def _rotate_mask(mask, start, angle):
    """Return a mask rotated about the text's start, and the position of its corner."""
    turned = mask.rotate(-math.degrees(angle), expand=True, resample=Image.Resampling.BICUBIC)
    corners = np.array([(x, y) for x in (start[0], start[0] + mask.width) for y in (start[1], start[1] + mask.height)])
    cos, sin = math.cos(angle), math.sin(angle)
    middle = (corners @ np.array([[cos, sin], [-sin, cos]])).mean(axis=0)
    return turned, (middle[0] - turned.width / 2, middle[1] - turned.height / 2)
