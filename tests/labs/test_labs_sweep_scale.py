"""The colours of the Sweep lab's map: what the scale says, and that words on a cell can be read."""

import numpy as np
import pytest

from explorer.labs.sweep.figures import ROLES
from explorer.labs.sweep.scale import FULL, PALE, Scale, short
from explorer.marks.roles import ROLES as COLOURS
from explorer.marks.roles import colour

LEGIBLE = 4.5  # contrast of words of this size, WCAG 2.2, 1.4.3


def luminance(rgb):
    """Relative luminance of an sRGB colour, 0 to 255 each."""
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
    ("scale", "values", "shares"),
    [
        (Scale("relative", "skmse", 0, 2), [0, 0.5, 1, 1.5, 2, 9], [1, 0.5, 0, 0.5, 1, 1]),
        (Scale("p", "kme", 0.001, 1), [1e-5, 0.001, 0.1, 1], [1, 1, 1 / 3, 0]),
        (Scale("linear", "monk", 2, 6), [2, 3, 6], [0, 0.25, 1]),
        (Scale("log", "monk", 0.1, 10), [0.1, 1, 10], [0, 0.5, 1]),
        (Scale("linear", "monk", 3, 3), [3], [0.5]),
    ],
    ids=lambda each: each.kind if isinstance(each, Scale) else "",
)
def test_a_value_has_its_share_of_the_colour(scale, values, shares):
    roles, alpha = scale.shades(np.array(values, dtype=float))
    assert np.allclose((alpha - PALE) / (FULL - PALE), shares)
    harm = [scale.kind == "relative" and value > 1 for value in values]
    assert [role == "harm" for role in roles] == harm


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (Scale("relative", "skmse", 0, 2), ["0", "0.5", "1", "1.5", "2+"]),
        (Scale("p", "kme", 0.001, 1), ["0.001", "0.01", "0.1", "1"]),
        (Scale("linear", "monk", -1, 5), ["−1", "1", "3", "5"]),
        (Scale("log", "monk", 0.2, 30), ["1", "10"]),
        (Scale("log", "monk", 1e-9, 1), ["1e−9", "1e−6", "0.001", "1"]),
        (Scale("linear", "monk", 3, 3), ["3"]),
    ],
    ids=lambda each: each.kind if isinstance(each, Scale) else "",
)
def test_ticks_stand_at_their_values(scale, words):
    ticks = scale.ticks()
    assert list(ticks.values()) == words
    heights = scale.heights(np.array(list(ticks)))
    assert ((heights >= 0) & (heights <= 1)).all()
    assert (np.diff(heights) > 0).all()


def test_the_bar_goes_through_the_scale():
    for scale in (Scale("relative", "skmse", 0, 2), Scale("log", "monk", 0.1, 10), Scale("linear", "kme", -1, 5)):
        values = scale.bar(10)
        assert np.allclose(scale.heights(values), (np.arange(10) + 0.5) / 10)


@pytest.mark.parametrize(
    ("value", "word"), [(0.0838, "0.084"), (1.0, "1"), (17.94, "17.9"), (-0.5, "−0.5"), (0, "0"), (2e-7, "2e−7")]
)
def test_a_number_is_short(value, word):
    assert short(value) == word
