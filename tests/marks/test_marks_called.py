"""Properties of labelled marks: the legend, the description of a picture, its table, and contrast."""

from dataclasses import replace
from types import SimpleNamespace

import every_lab
import numpy as np
import pytest

from explorer.datasets.columns.quantity import Quantity
from explorer.marks import (
    ESTIMATES,
    ROLES,
    Axis,
    Picture,
    Polyline,
    ReferenceLine,
    TextLabel,
    area,
    boxes,
    by,
    curve,
    dots,
    field_of,
    horizontal_lines,
    rings,
    segments,
    signed_log,
    signed_value,
    vertical_lines,
    words,
)
from explorer.marks.description import WAITS, describe_picture
from explorer.marks.legend import keys_of
from explorer.marks.table import numbers_of
from explorer.views.view import View
from explorer.workbench import registry

X, Y = Axis("λ (log scale)", (0.1, 1000.0), log=True), Axis("loss", (0.0, 2.0))
AT = np.array([0.1, 1.0, 10.0, 100.0])
FALLS = {"x": AT, "y": np.array([1.5, 0.5, 0.75, 1.25])}
MOST_KEYS = 5  # most entries of a legend
NOTHING = {"x": np.zeros(0), "y": np.zeros(0)}


def picture(*marks, sources=None, base=Picture, **said):
    """Return a picture of these marks over four values of λ."""
    read = {source for mark in marks for source, _ in getattr(mark, "columns", ()) if not mark.pinned}
    numbers = {"s": FALLS} if "s" in read and sources is None else sources
    said = {"name": "one", "title": "A title", "x": X, "y": Y, "marks": marks, **said}
    return base(**said, sources=lambda result: numbers)


def keys(of, result=None):
    return [tuple(key) for key in keys_of(of, result, of.data(result))]


def told(of, result=None):
    """Return the sentences about a picture's marks."""
    return [each for each in describe_picture(of, result) if not each.startswith(("A title", "Across", "Up"))]


# the legend ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "sign"),
    [
        (curve("s", "kme", label="it"), ""),
        (curve("s", "kme", dash="dashed", label="it"), "7 4"),
        (horizontal_lines("s", "kme", dash="dotted", label="it"), "2 3"),
        (dots("s", "kme", label="it"), "circle"),
        (rings("s", "kme", label="it"), "hollow circle"),
        (dots("s", "kme", fill=0.1, label="it"), "hollow circle"),
        (dots("s", "kme", marker="x", label="it"), "x"),
        (dots("s", "kme", marker="square", label="it"), "square"),
        (dots("s", "kme", marker="triangle", label="it"), "triangle"),
        (dots("s", "kme", marker="inverted_triangle", label="it"), "inverted_triangle"),
        (dots("s", "kme", marker="diamond", label="it"), "diamond"),
        (rings("s", "kme", marker="diamond", label="it"), "hollow diamond"),
        (area("s", "kme", label="it"), "band"),
        (ReferenceLine("kme", y=1, style={"dash": "dashed"}, label="it"), "7 4"),
        (Polyline("kme", (0.1, 1.0), (0.0, 1.0), label="it"), ""),
    ],
)
def test_a_sign_is_as_its_mark(mark, sign):
    place = {"background": (mark,)} if isinstance(mark, ReferenceLine) else {}
    of = picture(*(() if place else (mark,)), **place)
    assert keys(of) == [("it", "kme", sign)]


def test_who_is_not_called_or_has_nothing_to_show_has_no_key():
    marks = (curve("s", "kme"), curve("none", "kme", label="nothing"), curve("nan", "kme", label="nowhere"))
    nowhere = {"x": AT, "y": np.full(4, np.nan)}
    assert keys(picture(*marks, sources={"s": FALLS, "none": NOTHING, "nan": nowhere})) == []
    assert keys(picture(curve("s", "kme", pinned=True, label="pinned"))) == []
    assert keys(picture(curve("s", "kme", label=lambda result: None))) == []


def test_a_word_depends_on_the_result_and_stands_once():
    marks = (curve("s", "kme", label=lambda result: f"level {result}"), dots("s", "kme", label="level 3"))
    assert keys(picture(*marks), 3) == [("level 3", "kme", "")]


def test_rows_of_one_mark_have_names_of_their_own():
    """Marks that look alike have no legend entry, because no sign distinguishes them."""
    sources = {"s": {"x": AT, "y": AT / 100, "fill": np.array([0.0, 1.0, 1.0, 1.0])}}
    row = dots("s", "kme", fill=by("fill"), label=("best", "chosen", "", ""))
    assert keys(picture(row, sources=sources)) == [("best", "kme", "hollow circle"), ("chosen", "kme", "circle")]
    alike = dots("s", "kme", label=("one", "two", "", ""))
    assert keys(picture(alike, sources=sources)) == []
    assert told(picture(alike, sources=sources)) == ["one: λ = 0.1, loss = 0.001.", "two: λ = 1, loss = 0.01."]


def test_what_a_picture_writes_itself_is_not_said_again():
    said = words("w", "kme", says=lambda result: "KME")
    sources = {"s": FALLS, "w": {"x": np.array([1.0]), "y": np.array([1.0])}}
    assert keys(picture(curve("s", "kme", label="KME"), said, sources=sources)) == []
    assert keys(picture(curve("s", "kme", label="one noisy"), TextLabel("kme", 1, 1, "─ one noisy"))) == []
    assert keys(picture(curve("s", "kme", label="KME"), TextLabel("kme", 1, 1, "MKME"))) == [("KME", "kme", "")]


def test_a_mark_of_several_roles_has_the_state_s():
    of = picture(curve("s", ESTIMATES, label="it"), role=lambda result: result)
    assert keys(of, "mkme") == [("it", "mkme", "")]


def test_a_key_replaces_a_label_and_marks_that_share_it_share_an_entry():
    marks = [curve("s", role, label=f"half of {role}", key="half") for role in ("kme", "skmse")]
    assert keys(picture(*marks, curve("s", "truth", label="truth", key=""))) == [("half", "kme", "")]


@pytest.mark.parametrize(
    ("values", "found"), [([1, -1], ["f > 0", "f < 0"]), ([0, 1], ["f"]), ([0, -1], ["f"]), ([0, 0], [])]
)
def test_a_field_has_a_key_for_each_sign_that_it_has(values, found):
    sources = {"image": {"w": np.array(values, float)}, "ground": {"x": [0.1], "y": [0.0], "dw": [1.0], "dh": [1.0]}}
    made = keys(picture(field_of("image", "ground", 1, label="f"), sources=sources))
    assert [words for words, *_ in made] == found
    assert all(sign == "band" and role.startswith("#") for _, role, sign in made)


def test_a_veiled_legend_leaves_out_what_a_story_asks_for_wherever_it_is_drawn():
    answer = curve("s", "kme", is_story_answer=True, label="split")
    pictures = [
        replace(picture(answer), name="first"),
        replace(picture(curve("s", "kme", label="split")), name="second"),
    ]
    pictures.append(replace(picture(curve("s", "kme", label="KME")), name="third"))
    result = SimpleNamespace(row=0)
    view = View(pictures, result)
    numbers = {each.name: each.data(result) for each in pictures}
    drawn = {veiled: view.legends(result, numbers, veiled) for veiled in (False, True)}
    assert [[key.words for key in each] for each in drawn[True].values()] == [[], [], ["KME"]]
    assert [[key.words for key in each] for each in drawn[False].values()] == [["split"], ["split"], ["KME"]]


@pytest.mark.parametrize("name", every_lab.ROWS)
def test_every_picture_s_legend_is_short(name):
    result = every_lab.lab_of(name).result()
    seen = [each for each in registry.role(name, "figures").PICTURES if each.is_visible(result) and each.legend]
    for each in seen:
        found = keys_of(each, result, each.data(result))
        assert len(found) <= MOST_KEYS
        assert sum(len(key.words) for key in found) < 110


# descriptions ------------------------------------------------------------------------------------------------------


def test_a_curve_has_its_ends_its_extremes_and_its_value_here():
    of = picture(
        curve("s", "kme", label="KME"),
        vertical_lines("line"),
        sources={"s": FALLS, "line": {"x": np.array([9.0])}},
        slider_line="line",
        background=(ReferenceLine("kme", y=1, label="KMEs"),),
    )
    assert describe_picture(of, None) == [
        "A title.",
        "Across: λ, from 0.1 to 1000, logarithmic.",
        "Up: loss, from 0 to 2.",
        "KME: from 1.5 at λ = 0.1 to 1.25 at 100, lowest 0.5 at 1, 0.75 at the slider's 9, above KMEs from 100 on.",
        "KMEs: loss = 1.",
    ]


def test_marks_of_one_name_are_told_apart_by_what_their_colour_is():
    score = {"dash": "dotted", "label": "score"}
    marks = (curve("s", "kme", label="KME"), curve("s", "kme", **score), curve("s", "skmse", **score))
    names = [each.split(":")[0] for each in told(picture(*marks, curve("s", "skmse", label="S-KMSE")))]
    assert names == ["KME", "KME, score", "S-KMSE, score", "S-KMSE"]


@pytest.mark.parametrize(
    ("mark", "columns", "sentence"),
    [
        (dots("s", "kme", label="it"), {"x": AT[:1], "y": AT[:1]}, "it: λ = 0.1, loss = 0.1."),
        (dots("s", "kme", label="it", height_is_decorative=True), {"x": AT[:2], "y": AT[:2]}, "it: λ = 0.1; λ = 1."),
        (
            dots("s", "kme", label="it"),
            {"x": AT[[0, 2, 1, 3]], "y": AT / 100},
            "it: 4 points, λ from 0.1 to 100, loss from 0.001 to 1.",
        ),
        (curve("s", "kme", label="it"), {"x": AT, "y": np.full(4, 0.5)}, "it: 0.5 throughout."),
        (curve("s", "kme", label="it"), {"x": AT, "y": np.full(4, np.nan)}, None),
        (
            curve("s", "kme", label="it"),
            {"x": AT, "y": 2 * AT / 100},
            "it: from 0.002 at λ = 0.1 to 2 or more at 100.",
        ),
        (horizontal_lines("s", "kme", label="it"), {"y": np.array([0.25])}, "it: loss = 0.25."),
        (vertical_lines("s", label="it"), {"x": np.array([5.0])}, "it: λ = 5."),
        (
            segments("s", "kme", label="it"),
            {"x": AT[:1], "low": np.array([0.2]), "high": np.array([0.6])},
            "it: from 0.2 to 0.6 at λ = 0.1.",
        ),
        (
            boxes("s", "kme", label="it"),
            {"left": AT[:3], "right": AT[1:], "top": np.array([0.2, 0.7, 0.0])},
            "it: 2 bars from λ = 0.1 to 10, the highest 0.7 from 1 to 10.",
        ),
        (
            area("s", "kme", low="low", label="it"),
            {"x": AT, "low": AT / 1000, "y": AT / 100},
            "it: between 0.0001 and 1.",
        ),
    ],
)
def test_each_kind_is_told_in_its_way(mark, columns, sentence):
    assert told(picture(mark, sources={"s": columns})) == ([] if sentence is None else [sentence])


def test_a_function_of_the_plane_has_its_sign_and_its_extremes():
    ground = {name: np.array([at]) for name, at in (("x", 0.0), ("y", 0.0), ("dw", 2.0), ("dh", 2.0))}
    of = picture(
        field_of("w", "ground", 2, label="witness"),
        sources={"w": {"w": np.array([1.0, -3.0, 2.0, 4.0])}, "ground": ground},
        x=Axis("x", (0.0, 2.0)),
    )
    assert told(of) == [
        "witness: above 0 on 75 % of the picture, highest at x = 1.5, loss = 1.5, lowest at x = 1.5, loss = 0.5."
    ]


def test_numbers_are_in_the_units_of_the_axes():
    degrees = Axis("", (-2.0, 2.0), column=Quantity("warmth", "°C", centre=20.0, size=5.0), inner=(-2.0, 2.0))
    of = picture(dots("s", "kme", label="it"), sources={"s": {"x": np.ones(1), "y": np.ones(1)}}, x=degrees)
    assert "Across: warmth, from 10\N{NO-BREAK SPACE}°C to 30\N{NO-BREAK SPACE}°C." in describe_picture(of, None)
    assert told(of) == ["it: warmth = 25\N{NO-BREAK SPACE}°C, loss = 1."]
    assert numbers_of(of, None)["warmth (°C)"].tolist() == [25.0]
    signed = Axis("an MMD (signed log scale)", (-3.0, 3.0), number_at=signed_value)
    of = picture(vertical_lines("s", label="it"), sources={"s": {"x": signed_log([-12.5])}}, x=signed)
    assert told(of) == ["it: an MMD = −12.5."]


def test_ticks_that_are_names_are_told_as_names():
    rows = Axis("", (0.5, 3.5), {1.0: "first", 2.0: "second", 3.0: "third"})
    sources = {"s": {"x": np.array([0.5, 1.0, 1.5]), "y": np.array([1.0, 2.0, 3.0])}}
    of = picture(dots("s", "kme", label="gain"), sources=sources, x=Axis("gain", (0.0, 2.0)), y=rows)
    assert "Up: first, second, third." in describe_picture(of, None)
    assert told(of) == ["gain: 0.5 at first; 1 at second; 1.5 at third."]


def test_what_a_statistician_adds_comes_last_and_what_waits_has_no_numbers():
    of = picture(curve("s", "kme", label="it"), description=lambda result: "It is well.")
    assert describe_picture(of, None)[-1] == "It is well."
    waits = picture(curve("s", "kme", label="it"), deferred="later")
    result = SimpleNamespace(pending=lambda: ("later",), why_not=lambda stage: "")
    assert told(waits, result) == [WAITS]


# numbers as a table -------------------------------------------------------------------------------------------------


def test_a_table_has_a_row_for_each_row_of_each_called_mark():
    ends = {"left": AT[:1], "right": AT[1:2], "top": np.array([0.5])}
    of = picture(
        curve("s", "kme", label="KME"),
        curve("s", "skmse"),
        boxes("b", "kme", label="bar"),
        sources={"s": FALLS, "b": ends},
    )
    found = numbers_of(of, None)
    assert list(found) == ["mark", "λ", "loss", "λ, to", "loss, to"]
    assert found["mark"].tolist() == ["KME"] * 4 + ["bar"]
    assert found["loss"].tolist() == [1.5, 0.5, 0.75, 1.25, 0.0]
    assert found["λ, to"].tolist() == ["", "", "", "", 1.0]
    assert numbers_of(picture(), None) == {}


@pytest.mark.parametrize("name", every_lab.ROWS)
def test_every_picture_has_words_and_columns_of_one_length(name):
    result = every_lab.lab_of(name).result()
    for each in registry.role(name, "figures").PICTURES:
        if each.is_visible(result):
            assert len(describe_picture(each, result)) > 1
            assert len({len(column) for column in numbers_of(each, result).values()}) <= 1


# contrast ------------------------------------------------------------------------------------------------------------

LEAST = 3.0  # contrast of graphics by WCAG 2.2, 1.4.11
FAINT = {  # kind or name: why it may be fainter
    "area": "a band lies behind its curve, and windows overlap; the words have their ends",
    "image": "a scale of shades, from nothing on",
    "noisy copies": "a cloud of a thousand points, whose density is seen",
    "pairs": "below the discs that are their weights",
    "samples": "dots that lie on each other, their mean above them",
}


def channels(colour):
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def luminance(colour):
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(role, alpha, dark):
    """Return the contrast of a role's colour, at an opacity, with the background."""
    ground, ink = (channels(ROLES[name][dark]) for name in ("ground", role))
    low, high = sorted(map(luminance, (ground, alpha * ink + (1 - alpha) * ground)))
    return (high + 0.05) / (low + 0.05)


def opacities(mark):
    """Yield the opacities of a mark's line and fill."""
    style, inks = mark.style, getattr(mark, "inks", ("line",))
    if "line" in inks and style.get("width", 1) != 0:
        yield style.get("alpha", 1.0)
    if "fill" in inks:
        yield 1.0 if isinstance(style["fill"], by) else style["fill"]


@pytest.mark.parametrize("name", every_lab.ROWS)
def test_what_is_called_can_be_seen_on_both_grounds(name):
    pale = []
    for picture in registry.role(name, "figures").PICTURES:
        for mark in (*picture.marks, *picture.background):
            kind = getattr(mark, "kind", "line")
            if not getattr(mark, "label", "") or getattr(mark, "pinned", False) or kind in ("words", "image", "shades"):
                continue
            if kind in FAINT or mark.label in FAINT or not mark.role:
                continue
            for role in mark.role if isinstance(mark.role, tuple) else (mark.role,):
                best = [max(contrast(role, alpha, dark) for alpha in opacities(mark)) for dark in (False, True)]
                if min(best) < LEAST:
                    pale.append((picture.name, kind, role, mark.label, min(best)))
    assert pale == []
