"""An SVG of ours as pixels, without a browser: what `explorer.svg` writes, and no more of the language than that.

Shapes are drawn a few times as large as they are wanted and made smaller at the end, which smooths their edges.
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

from . import letters

FINER = 3  # times as many pixels along a side, before they are smoothed
ROUND = np.linspace(0, 2 * np.pi, 49)[:-1]  # angles of a circle's corners
INHERITED = ("stroke", "fill", "stroke-width", "stroke-opacity", "fill-opacity", "stroke-dasharray", "fill-rule")
TOKEN = re.compile(r"[MmLlHhVvZz]|-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TURN = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
ALIGNED = {"start": 0.0, "middle": 0.5, "end": 1.0}
Points: TypeAlias = np.ndarray[Any, Any]  # (n, 2)
Box: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom


class Hatch(NamedTuple):
    """Lines that rise to the right: how far apart along an axis, how wide, their colour and its strength."""

    apart: float
    width: float
    colour: str
    alpha: float


class Pen(NamedTuple):
    """Where an element stands: attributes that it inherits, px of its own -> px of the image, and what cuts it off."""

    given: Mapping[str, str]
    turn: Points  # (2, 3)
    within: Box

    @property
    def scale(self) -> float:
        """How many px of the image one of the element's own takes."""
        return math.sqrt(abs(np.linalg.det(self.turn[:, :2])))

    def places(self, points: Points | Sequence[tuple[float, float]]) -> Points:
        """Points in px of the image."""
        return np.asarray(points, dtype=float).reshape(-1, 2) @ self.turn[:, :2].T + self.turn[:, 2]

    def number(self, name: str, usual: float = 0.0) -> float:
        """An attribute as a number."""
        return float(self.given.get(name, usual))


class Shape(NamedTuple):
    """An element that paints something, and all that decides what: equal shapes paint the same."""

    kind: str
    pen: Pen
    text: str
    hatch: Hatch | None

    def as_before(self, other: Shape) -> bool:
        """Whether it paints the same as another one."""
        (given, turn, within), (its_given, its_turn, its_within) = self.pen, other.pen
        same = (self.kind, self.text, self.hatch, within) == (other.kind, other.text, other.hatch, its_within)
        names = {*given, *its_given} - ({"fill"} if self.hatch else set())  # a hatch's name is its picture's own
        return same and np.array_equal(turn, its_turn) and all(given.get(n) == its_given.get(n) for n in names)


def image_of(svg: str, width: int, height: int, dark: bool = False) -> Image.Image:
    """An SVG of ours of that size in px, as an image of that size, in the colours of light ground or of dark."""
    return next(images_of([svg], width, height, dark))


def images_of(svgs: Iterable[str], width: int, height: int, dark: bool = False) -> Iterator[Image.Image]:
    """The images of several SVGs of one size: what one begins with as the one before it does is drawn once."""
    begun, held, before = Raster(width, height), [], []
    for svg in svgs:
        shapes = list(shapes_of(svg, width, height, dark))
        if _alike(shapes, held) < len(held):
            begun, held = Raster(width, height), []
        alike = _alike(shapes, before)
        for shape in shapes[len(held) : alike]:
            begun.draw(shape)
        held, before = shapes[: max(len(held), alike)], shapes
        whole = begun.copy()
        for shape in shapes[len(held) :]:
            whole.draw(shape)
        yield whole.smooth


def _alike(shapes, others):
    """How many shapes both lists begin with."""
    pairs = enumerate(zip(shapes, others, strict=False))
    return next((i for i, (one, other) in pairs if not one.as_before(other)), min(len(shapes), len(others)))


def shapes_of(svg: str, width: int, height: int, dark: bool = False) -> Iterator[Shape]:
    """What an SVG paints, one Shape after the other."""
    root = ElementTree.fromstring(str(svg))
    if dark:
        _darken(root)
    turn = np.array([[FINER, 0, 0], [0, FINER, 0]], dtype=float)
    return _inside(root, Pen({}, turn, (0, 0, width * FINER, height * FINER)), _hatches(root))


def _inside(parent, pen, hatches):
    """The shapes of an element's children, from below to above."""
    for element in parent:
        kind, held = _kind(element), _held(pen, element)
        if kind == "svg":  # a picture inside: what leaves it is cut off
            left, top, wide, high = map(float, element.get("viewBox", "").split())
            ends = held.places([(left, top), (left + wide, top + high)])
            held = held._replace(within=_common(_around(ends), held.within))
        if kind in ("svg", "g"):
            yield from _inside(element, held, hatches)
        elif kind in DRAWN:
            yield Shape(kind, held, "".join(element.itertext()), hatches.get(held.given.get("fill")))


def _hatches(root):
    """The reference to each pattern -> its Hatch."""
    found = {}
    for each in root.iter():
        if _kind(each) == "pattern":
            (line,) = each
            width, alpha = (float(line.get(name, 1)) for name in ("stroke-width", "stroke-opacity"))
            apart = float(each.get("width", 1))
            found[f"url(#{each.get('id')})"] = Hatch(apart, width, line.get("stroke", "none"), alpha)
    return found


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
        """What is drawn by now, to go on from."""
        other = copy(self)
        other.image = self.image.copy()
        return other

    @property
    def smooth(self) -> Image.Image:
        """The image in its own size."""
        return self.image.reduce(FINER)

    def draw(self, shape: Shape) -> None:
        """Draw a shape over what is there."""
        DRAWN[shape.kind](self, shape)

    # a kind of element each

    def _rect(self, shape):
        x, y, wide, high = (shape.pen.number(name) for name in ("x", "y", "width", "height"))
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        self._outlined(shape, [(shape.pen.places(corners), True)])

    def _round(self, shape):
        number = shape.pen.number
        x, y, across, up = number("cx"), number("cy"), number("rx", number("r")), number("ry", number("r"))
        corners = np.column_stack([x + across * np.cos(ROUND), y + up * np.sin(ROUND)])
        self._outlined(shape, [(shape.pen.places(corners), True)])

    def _path(self, shape):
        lines = outlines(shape.pen.given.get("d", ""))
        self._outlined(shape, [(shape.pen.places(points), closed) for points, closed in lines])

    def _image(self, shape):
        pen = shape.pen
        x, y, wide, high = (pen.number(name) for name in ("x", "y", "width", "height"))
        raw = base64.b64decode(pen.given.get("href", "").partition("base64,")[2])
        box = _around(pen.places([(x, y), (x + wide, y + high)]))
        size = box[2] - box[0], box[3] - box[1]
        if min(size) < 1 or max(size) > 4 * max(self.size):
            return
        table = Image.open(io.BytesIO(raw)).convert("RGBA").resize(size, Image.Resampling.NEAREST)
        kept = _common(box, pen.within)
        table = table.crop((kept[0] - box[0], kept[1] - box[1], kept[2] - box[0], kept[3] - box[1]))
        self.image.paste(table, kept, table)

    def _text(self, shape):
        pen, px = shape.pen, shape.pen.number("font-size", 12) * shape.pen.scale
        bold = pen.given.get("font-weight") == "bold"
        ((x, y),) = pen.places([(pen.number("x"), pen.number("y"))])
        drawn = letters.written(shape.text, px, bold, pen.number("stroke-width") * pen.scale)
        angle = math.atan2(pen.turn[1, 0], pen.turn[0, 0])
        before = ALIGNED[pen.given.get("text-anchor", "start")] * drawn.width
        halo = pen.given.get("stroke", "none") if drawn.halo is not None else "none"
        for mask, colour in ((drawn.halo, halo), (drawn.ink, pen.given.get("fill", "none"))):
            if mask is None or colour == "none":
                continue
            start = drawn.left - before, drawn.top
            if angle:
                mask, start = _turned(mask, start, angle)
            left, top = round(x + start[0]), round(y + start[1])
            self._paint(mask, (left, top), pen.within, colour, pen.number("fill-opacity", 1))

    # what they share

    def _outlined(self, shape, parts):
        """Outlines with what fills them and the line around them: (points, whether closed) in px of the image."""
        pen = shape.pen
        parts = [(points, closed) for points, closed in parts if np.isfinite(points).all() and len(points)]
        if not parts:
            return
        width, stroke, fill = pen.number("stroke-width", 1) * pen.scale, pen.given.get("stroke"), pen.given.get("fill")
        everywhere = np.vstack([points for points, _ in parts])
        box = _common(_around(everywhere, math.ceil(width) + 1), pen.within)
        if box[2] <= box[0] or box[3] <= box[1]:
            return
        moved = [(points - box[:2], closed) for points, closed in parts]
        size = box[2] - box[0], box[3] - box[1]
        if fill and fill != "none":
            self._fill(shape, _filled(size, [points for points, _ in moved], pen.given.get("fill-rule")), box, fill)
        if stroke and stroke != "none":
            dash = [float(each) * pen.scale for each in pen.given.get("stroke-dasharray", "").split()]
            mask = _lined(size, moved, width, dash)
            self._paint(mask, box[:2], pen.within, stroke, pen.number("stroke-opacity", 1))

    def _fill(self, shape, mask, box, fill):
        pen, hatch = shape.pen, shape.hatch
        if hatch is None:
            self._paint(mask, box[:2], pen.within, fill, pen.number("fill-opacity", 1))
        else:
            lines = _hatched(mask.size, box[:2], hatch, pen.scale)
            self._paint(ImageChops.multiply(mask, lines), box[:2], pen.within, hatch.colour, hatch.alpha)

    def _paint(self, mask, place, within, colour, alpha):
        """A colour through a mask whose upper left corner is at a place, inside what cuts it off."""
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


def _held(pen, element):
    """The pen of an element: its own attributes beside those that it inherits, and its own place."""
    inherited = {name: word for name, word in pen.given.items() if name in INHERITED}
    turn = pen.turn
    for kind, words in TURN.findall(element.get("transform", "")):
        turn = _after(turn, kind, [float(word) for word in words.split()])
    return Pen({**inherited, **element.attrib}, turn, pen.within)


def _after(turn, kind, numbers):
    """A place that is moved, turned or enlarged before it is moved as before."""
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
    """(points, whether closed) of each part of a path that has straight lines alone."""
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
    """The box that holds points, and so many px more on each side."""
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return math.floor(left) - more, math.floor(top) - more, math.ceil(right) + more, math.ceil(bottom) + more


def _common(one, other):
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _filled(size, parts, rule):
    """A mask of what outlines hold; by the rule "evenodd" one inside another is a hole."""
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


def _lined(size, parts, width, dash):
    """A mask of the lines along outlines."""
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    for points, closed in parts:
        whole = np.vstack([points, points[:1]]) if closed else points
        for line in _dashes(whole, dash) if dash else [whole]:
            corners = list(map(tuple, line.tolist()))
            draw.line(corners, fill=255, width=max(round(width), 1), joint="curve")
    return mask


def _dashes(points, dash):
    """A line in parts of the lengths of a pattern, every second one left out."""
    along = np.append(0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))
    ends, at, turn = [], 0.0, 0
    while at < along[-1]:
        ends.append((at, min(at + dash[turn % len(dash)], along[-1])))
        at, turn = at + dash[turn % len(dash)], turn + 1
    for start, stop in ends[::2]:
        inside = (along > start) & (along < stop)
        places = np.concatenate([[start], along[inside], [stop]])
        yield np.column_stack([np.interp(places, along, each) for each in points.T])


def _hatched(size, place, hatch, scale):
    """A mask of lines that rise to the right, at the same places in every shape."""
    mask = Image.new("L", size)
    draw, apart = ImageDraw.Draw(mask), max(hatch.apart * scale, 2.0)
    wide, high = size
    first = -((place[0] + place[1]) % apart)
    for at in np.arange(first, wide + high + apart, apart):
        draw.line([(at, 0), (at - high, high)], fill=255, width=max(round(hatch.width * scale), 1))
    return mask


def _turned(mask, start, angle):
    """A mask turned about the point that it starts from, and where it starts then."""
    turned = mask.rotate(-math.degrees(angle), expand=True, resample=Image.Resampling.BICUBIC)
    corners = np.array([(x, y) for x in (start[0], start[0] + mask.width) for y in (start[1], start[1] + mask.height)])
    cos, sin = math.cos(angle), math.sin(angle)
    middle = (corners @ np.array([[cos, sin], [-sin, cos]])).mean(axis=0)
    return turned, (middle[0] - turned.width / 2, middle[1] - turned.height / 2)
