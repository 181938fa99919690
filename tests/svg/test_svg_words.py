"""Texts at a position in px: rotated ones are centred on their line, and none leaves the picture."""

import math
import xml.etree.ElementTree as ET
from functools import partial
from types import SimpleNamespace

import pytest

from explorer.svg import lettering, shapes
from explorer.svg.colours import StandaloneColours

SHEET = SimpleNamespace(width=300.0, inks=StandaloneColours(lambda *told: "0"))
spelt = partial(shapes.spelt, SHEET, "kme", "a name", px=10.0)


def place(drawn):
    text = ET.fromstring(drawn)
    return float(text.get("x")), float(text.get("y"))


@pytest.mark.parametrize("degrees", [15, 90, 200])
@pytest.mark.parametrize(
    ("baseline", "letters"), [("top", 0.85), ("middle", 0.35), ("bottom", -0.2), ("alphabetic", 0)]
)
def test_a_turned_word_hangs_across_its_line(degrees, baseline, letters):
    angle = math.radians(degrees)
    turned = spelt(x=150.0, y=80.0, baseline=baseline, angle=angle)
    x, y = (end - start for end, start in zip(place(turned), (150.0, 80.0), strict=True))
    along, across = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    assert (along, across) == (pytest.approx(0, abs=0.08), pytest.approx(10 * letters, abs=0.08))
    assert f"rotate(-{degrees}.0 " in turned


@pytest.mark.parametrize(("align", "before"), [("left", 0.0), ("center", 0.5), ("right", 1.0)])
@pytest.mark.parametrize("x", [-50.0, 5.0, 150.0, 296.0, 400.0])
def test_a_word_ends_four_pixels_before_the_picture_s_sides(align, before, x):
    long = lettering.width("a name", 10)
    left = place(spelt(x=x, y=80.0, align=align))[0] - before * long
    assert 4 - 0.06 <= left <= 296 - long + 0.06
    if 4 <= x - before * long <= 296 - long:
        assert left == pytest.approx(x - before * long, abs=0.06)
