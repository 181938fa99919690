"""The project's SVG as pixels: each kind of shape is in its place, and every picture of a lab can be drawn."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from explorer.exports import raster, text_masks
from explorer.exports.card import HEIGHT, WIDTH, card
from explorer.markup import markup
from explorer.svg import draw_standalone
from explorer.workbench import registry

RED, WHITE = (255, 0, 0), (255, 255, 255)


def pixels(inside, size=40):
    """Return the pixels (size, size, 3) of an SVG that contains an element."""
    svg = markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {0}">{1}</svg>', size, inside)
    return np.asarray(raster.image_of(svg, size, size))


def reddish(image):
    """Return which pixels are painted."""
    return image[..., 1] < 200


@pytest.mark.parametrize(
    ("element", "inside", "outside"),
    [
        ('<rect x="10" y="10" width="20" height="10" fill="#f00" stroke="none"/>', [(15, 15)], [(25, 15), (5, 5)]),
        ('<circle cx="20" cy="20" r="8" fill="#f00"/>', [(20, 20), (14, 20)], [(10, 20), (13, 13)]),
        ('<ellipse cx="20" cy="20" rx="15" ry="4" fill="#f00"/>', [(20, 32)], [(27, 20)]),
        ('<path d="M5 5H35V15H5z" fill="#f00"/>', [(10, 20)], [(20, 20)]),
        ('<path d="M5 20L35 20" stroke="#f00" stroke-width="4" fill="none"/>', [(20, 10), (20, 30)], [(14, 20)]),
        ('<path d="m5 5l30 0v30h-30z" fill="#f00"/>', [(20, 20)], [(38, 38)]),
        ('<g transform="translate(20 20)"><rect width="9" height="9" fill="#f00"/></g>', [(25, 25)], [(5, 5)]),
        ('<g transform="scale(2)"><rect x="10" y="10" width="5" height="5" fill="#f00"/></g>', [(25, 25)], [(15, 15)]),
        ('<rect x="4" y="-2" width="9" height="4" fill="#f00" transform="rotate(90)"/>', [(8, 0)], [(1, 8)]),
        (
            '<svg width="20" height="40" viewBox="0 0 20 40"><rect width="40" height="40" fill="#f00"/></svg>',
            [(20, 10)],
            [(20, 30)],
        ),
        ('<g fill="#f00"><circle cx="9" cy="9" r="5"/><circle cx="30" cy="9" r="5"/></g>', [(9, 9)], [(9, 20)]),
    ],
)  # fmt: skip
def test_a_shape_is_where_it_should_be(element, inside, outside):
    image = pixels(markup(element.replace("{", "{{")))
    assert all(tuple(image[place]) == RED for place in inside)
    assert all(tuple(image[place]) == WHITE for place in outside)


def test_a_hole_stays_by_the_rule_of_even_and_odd():
    image = pixels(markup('<path d="M2 2H38V38H2zM12 12H28V28H12z" fill="#f00" fill-rule="evenodd"/>'))
    assert tuple(image[20, 20]) == WHITE
    assert tuple(image[6, 6]) == RED


def test_dashes_leave_gaps_and_strength_lets_the_ground_through():
    row = reddish(pixels(markup('<path d="M0 20H40" stroke="#f00" stroke-width="4" stroke-dasharray="6 6"/>')))[20]
    assert 0.3 < row.mean() < 0.7
    assert np.count_nonzero(np.diff(row.astype(int))) >= 6
    faint = pixels(markup('<rect width="40" height="40" fill="#f00" fill-opacity="0.5"/>'))[20, 20]
    assert faint[0] == 255
    assert 120 < faint[1] < 135


def test_a_hatch_paints_lines_inside_its_shape_alone():
    hatch = markup(
        '<defs><pattern id="h" width="6"><path d="M0 6L6 0" stroke="#f00" stroke-width="2"/></pattern></defs>'
        '<path d="M10 10H30V30H10z" fill="url(#h)" stroke="none"/>'
    )
    painted = reddish(pixels(hatch))
    assert 0.2 < painted[12:28, 12:28].mean() < 0.8
    assert not painted[:9].any()
    assert not painted[32:].any()


@pytest.mark.parametrize(("anchor", "left", "right"), [("start", 40, 68), ("middle", 26, 54), ("end", 12, 40)])
def test_words_stand_at_their_anchor(anchor, left, right):
    word = markup('<text x="40" y="45" font-size="16" fill="#f00" text-anchor="{}">mm</text>', anchor)
    across = np.flatnonzero(reddish(pixels(word, 80)).any(axis=0))
    assert left - 6 <= across.min()
    assert across.max() <= right + 6
    turned = markup('<text transform="translate(40 70) rotate(-90)" font-size="16" fill="#f00">mmm</text>')
    up = np.flatnonzero(reddish(pixels(turned, 80)).any(axis=1))
    assert up.max() - up.min() > 25
    assert up.max() <= 72


@pytest.mark.parametrize("letter", "λσθεαπΔΣ²−×·≈≤∞…éßж")
@pytest.mark.parametrize("bold", [False, True])
def test_the_letters_of_the_labs_are_there(letter, bold):
    nothing = text_masks.draw_text(text_masks.MISSING, 20, bold).ink
    assert text_masks.draw_text(letter, 20, bold).ink.tobytes() != nothing.tobytes()


@pytest.mark.parametrize("letter", ["中", "\u202e", "🙂", "\x07"])
def test_a_letter_that_no_font_has_fails_nobody(letter):
    assert text_masks.draw_text(f"a{letter}b", 20).width > 0
    assert card("MONK", letter * 500, letter)[:4] == b"\x89PNG"


@pytest.mark.few(4)
@pytest.mark.parametrize("name", registry.names())
def test_every_picture_of_a_lab_can_be_drawn_as_pixels(name):
    result = registry.entry(name).lab().result()
    blank = np.asarray(Image.new("RGB", (600, 600), "white"))
    for picture in (each for each in registry.role(name, "figures").PICTURES if each.is_visible(result)):
        image = np.asarray(raster.image_of(draw_standalone(picture, result), 600, 600))
        assert (image != blank).any()


def test_a_card_has_its_size_and_few_bytes():
    result = registry.entry("monk").lab().result()
    png = card("MONK", "short", "A sentence.", registry.role("monk", "figures").PICTURES[0], result)
    assert Image.open(io.BytesIO(png)).size == (WIDTH, HEIGHT)
    assert len(png) < 100_000
