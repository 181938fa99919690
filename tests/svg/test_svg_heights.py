"""Pictures of several states have the same height, and their frames the same position."""

import re

import every_lab
import pytest

from explorer.svg import draw_standalone, frame_of
from explorer.workbench import registry

HIGH, LINE = re.compile(r'<svg [^>]*?height="([\d.]+)"'), re.compile(r'd="M([\d.]+) [\d.]+L\1 ')


def hero(name):
    result = every_lab.lab_of(name).result()
    return registry.visible_pictures(name, result)[0], result


@pytest.mark.parametrize("width", [420, 560])
@pytest.mark.parametrize("name", ["shrinkage", "drift"])
def test_the_line_of_a_picture_is_where_its_frame_says(name, width):
    picture, result = hero(name)
    (place,) = picture.data(result)[picture.slider_line]["x"]
    at = float(frame_of(picture, result, width).x(place))
    drawn = [float(each) for each in LINE.findall(draw_standalone(picture, result, width))]
    assert min(abs(at - each) for each in drawn) < 0.06


def test_a_higher_picture_has_its_frame_further_down_and_is_else_the_same():
    picture, result = hero("shrinkage")
    plain, high = draw_standalone(picture, result), draw_standalone(picture, result, high=500)
    low = float(HIGH.search(plain)[1])
    assert float(HIGH.search(high)[1]) == 500
    first, second = frame_of(picture, result), frame_of(picture, result, high=500)
    assert second.bottom - first.bottom == pytest.approx(500 - low)
    assert second.bottom - second.top == first.bottom - first.top
    assert draw_standalone(picture, result, high=low - 50) == plain
