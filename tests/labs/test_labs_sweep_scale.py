"""The colours of the Sweep lab's map: what the scale says, and that words on a cell can be read."""

import numpy as np
import pytest

from explorer.labs.sweep.figures import ROLES
from explorer.labs.sweep.scale import FULL, PALE, Scale, short_number
from explorer.marks.roles import ROLES as COLOURS
from explorer.marks.roles import colour

LEGIBLE = 4.5  # contrast of words of this size, WCAG 2.2, 1.4.3


def luminance(rgb):
    """Return relative luminance of an sRGB colour, 0 to 255 each."""
    shares = np.asarray(rgb) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def rgb(role, dark):
    code = colour(role, dark)
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("role", [*ROLES, "harm"])
def test_words_on_a_cell_can_be_read(role, dark):
    assert role in COLOURS
    words = luminance(rgb("truth", dark))
    for alpha in np.linspace(PALE, FULL, 9):
        ground = luminance(alpha * rgb(role, dark) + (1 - alpha) * rgb("ground", dark))
        assert (max(words, ground) + 0.05) / (min(words, ground) + 0.05) >= LEGIBLE


@pytest.mark.parametrize(
    ("scale", "shares", "ticks"),
    [
        (("relative", 0, 2), {0: 1, 0.5: 0.5, 1: 0, 1.5: 0.5, 2: 1, 9: 1}, "0 0.5 1 1.5 2+"),
        (("p", 0.001, 1), {1e-5: 1, 0.001: 1, 0.1: 1 / 3, 1: 0}, "0.001 0.01 0.1 1"),
        (("linear", -1, 5), {-1: 0, 0.5: 0.25, 5: 1}, "−1 1 3 5"),
        (("linear", 3, 3), {3: 0.5}, "3"),
        (("log", 0.1, 10), {0.1: 0, 1: 0.5, 10: 1}, "0.1 1 10"),
        (("log", 0.2, 30), {}, "1 10"),
        (("log", 1e-9, 1), {}, "1e−9 1e−6 0.001 1"),
    ],
    ids=str,
)
def test_a_value_has_its_share_of_the_colour_and_ticks_stand_at_their_values(scale, shares, ticks):
    kind, low, high = scale
    scale, values = Scale(kind, "monk", low, high), np.array(list(shares), dtype=float)
    roles, alpha = scale.shades(values)
    assert np.allclose((alpha - PALE) / (FULL - PALE), list(shares.values()))
    assert [role == "harm" for role in roles] == [kind == "relative" and value > 1 for value in values]
    assert list(scale.ticks().values()) == ticks.split()
    heights = scale.heights(np.array(list(scale.ticks())))
    assert ((heights >= 0) & (heights <= 1)).all()
    assert (np.diff(heights) > 0).all()
    if low < high:  # the bar goes through it
        assert np.allclose(scale.heights(scale.bar(10)), (np.arange(10) + 0.5) / 10)


@pytest.mark.parametrize(
    ("value", "word"), [(0.0838, "0.084"), (1.0, "1"), (17.94, "17.9"), (-0.5, "−0.5"), (0, "0"), (2e-7, "2e−7")]
)
def test_a_number_is_short(value, word):
    assert short_number(value) == word
