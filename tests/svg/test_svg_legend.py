"""The legend of a picture: its entries fill a line, then the next one."""

import xml.etree.ElementTree as ET

import pytest

from explorer.marks.legend import HOLLOW, SHAPES, Key
from explorer.markup import markup
from explorer.svg import legend, lettering
from explorer.svg.colours import StandaloneColours

INKS = StandaloneColours(lambda *told: "0")
SIGNS = ("", "7 4", *SHAPES, *(HOLLOW + each for each in SHAPES))
KEYS = [Key(f"what is called {'so ' * (i % 4)}{i}", "kme", sign) for i, sign in enumerate(SIGNS * 2)]
WIDE = {"": 26, "7 4": 26}  # widths of strokes in px; all other signs take 12


def placed(keys, width, top):
    """Return ([(left, right, y)] of the legend's entries, its depth), in px; an entry is a sign and its text."""
    drawn, deep = legend.drawn(keys, width, top, INKS)
    root = ET.fromstring(markup("<svg>{}</svg>", drawn))
    signs = [each.get("transform")[len("translate(") : -1].split() for each in root.iter("g")]
    texts = list(root.iter("text"))
    found = []
    for (left, y), text in zip(signs, texts, strict=True):
        found.append((float(left), float(text.get("x")) + lettering.width(text.text, 12), float(y)))
        assert float(text.get("y")) == pytest.approx(float(y) + 4.2, abs=0.06)  # the text is centred on the sign
    return found, deep


@pytest.mark.parametrize("width", [260, 300, 470, 5000])
def test_keys_stand_beside_each_other_until_a_line_is_full(width):
    found, deep = placed(KEYS, width, 30)
    assert found[0][0] == 8
    assert found[0][2] == 30
    for key, (_, right, y), (left, end, below) in zip(KEYS[1:], found, found[1:], strict=False):
        long = WIDE.get(key.sign, 12) + 6 + lettering.width(key.words, 12)
        beside = right + 16 + long <= width - 8
        assert left == pytest.approx(right + 16 if beside else 8, abs=0.11)
        assert below == (y if beside else y + 18)
        assert end == pytest.approx(left + long, abs=0.11)
        assert end <= width - 8 + 0.11
    assert deep == found[-1][2] - 30 + 18


def test_no_keys_take_no_room():
    assert placed([], 400, 30) == ([], 0.0)


def test_a_key_that_is_longer_than_a_line_is_cut():
    ((left, right, _),), deep = placed([Key("endless " * 20, "kme", "")], 200, 0)
    assert left == 8
    assert 150 < right <= 192
    assert deep == 18
