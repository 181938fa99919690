"""Every picture of every lab as a self-contained SVG."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path

import every_lab
import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import save
from explorer.checks import Refusal
from explorer.datasets.columns.quantity import Quantity
from explorer.marks import (
    Axis,
    Band,
    Box,
    Picture,
    PlanePicture,
    ReferenceLine,
    TextLabel,
    area,
    bars,
    bars_across,
    boxes,
    by,
    cells,
    circles,
    curve,
    decades,
    dots,
    ellipses,
    field_of,
    heatmap,
    horizontal_lines,
    mesh,
    segments,
    tipped,
    vertical_lines,
    words,
)  # fmt: skip
from explorer.marks import (
    Polyline as Line,
)
from explorer.plotting.results import lab_picture
from explorer.svg import draw_standalone
from explorer.svg.canvas import MOST
from explorer.svg.points import MARKERS
from explorer.workbench import registry

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 100_000  # bytes of an SVG
NO_NUMBER = re.compile("(?<![a-z])(nan|inf)(?![a-z])", re.IGNORECASE)
HOSTILE = "<b>&\"'</text><script>alert(1)</script>"
ADDRESSES = ("href", "src", "{http://www.w3.org/1999/xlink}href")


@cache
def result_of(name):
    """Return the result of a lab's opening state."""
    return every_lab.lab_of(name).result()


def stands_alone(drawn):
    """Check that an SVG is valid and self-contained, and return its root."""
    assert len(drawn.encode()) < LARGEST
    root = ET.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"  # title and description are its accessible name and description
    assert root[1].tag == f"{SVG}desc"
    assert root[0].text
    assert root[1].text
    ids = {each.get("id"): each for each in root.iter() if each.get("id")}
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        "svg", "title", "desc", "style", "defs", "pattern", "g", "path", "rect", "circle", "ellipse", "text", "image",
    }  # fmt: skip
    for each in root.iter():
        for key, value in each.attrib.items():
            assert not key.startswith("on")
            assert key == "href" or not NO_NUMBER.search(value)
            assert key not in ADDRESSES or value.startswith("data:image/png;base64,")
            assert "url(" not in value or value.removeprefix("url(#").removesuffix(")") in ids
    return root


def told(root):
    """Return all texts of a picture."""
    return [each.text for each in root.iter(f"{SVG}text")]


def anchored(root, anchor):
    """Return the unrotated texts with this anchor: start, middle or end."""
    texts = [each for each in root.iter(f"{SVG}text") if each.get("text-anchor") == anchor]
    return [each for each in texts if not each.get("transform")]


@pytest.mark.parametrize("name", every_lab.ROWS)
def test_every_picture_of_a_lab_stands_alone(name):
    result = result_of(name)
    for picture in registry.role(name, "figures").PICTURES:
        if picture.is_visible(result):
            stands_alone(lab_picture(result, picture.name))


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "fields"), every_lab.states())
def test_in_every_state(name, fields):
    result = every_lab.result_of(name, fields)
    for picture in registry.role(name, "figures").PICTURES:
        if picture.is_visible(result):
            stands_alone(lab_picture(result, picture.name))


# a picture with every kind of mark -----------------------------------------------------------------------------------

PLACES = np.array([0.2, 0.5, 0.8])
COLUMNS = {
    "x": PLACES, "y": PLACES, "low": PLACES - 0.1, "high": PLACES + 0.1, "left": PLACES - 0.05, "right": PLACES + 0.05,
    "bottom": PLACES - 0.1, "top": PLACES, "radius": PLACES / 9,
    "width": np.full(3, 0.1), "height": np.full(3, 0.1), "angle": PLACES,
    "words": np.array(["one", "two", HOSTILE]), "fill": PLACES, "w": np.array([-1.0, 0.0, 1.0]),
}  # fmt: skip
SOURCES = {
    "s": COLUMNS,
    "image": {"w": np.linspace(-1, 1, 30)},
    "ground": {"x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]},
    "shades": {"image": [np.array([[0.0, 0.5], [np.nan, 1.0]])]},
}
HATCH = ("right_diagonal_line", 0.5, 8)
EVERY = {
    "line": curve("s", "kme"),
    "area": area("s", "skmse", hatch=HATCH),
    "dot": dots("s", "kme", fill=by("fill")),
    "circle": circles("s", "monk"),
    "ellipse": ellipses("s", "truth"),
    "box": boxes("s", "kme", hatch=HATCH, inks=("fill", "line", "hatch")),
    "bar": bars("s", "mkme", breadth=0.1),
    "bar across": bars_across("s", "mkme", right="y", breadth=0.1),
    "cell": cells("s", "harm", fill=by("fill")),
    "stroke": segments("s", "robust"),
    "upright": vertical_lines("s"),
    "level": horizontal_lines("s", "kme"),
    "image": field_of("image", "ground", 5),
    "image of a role": field_of("image", "ground", 5, "mkme"),
    "table": field_of("image", "ground", 5, table=True),
    "shades": heatmap("shades", gaps=True),
    "mesh": mesh("s", "kme", Axis("w", (-1.0, 1.0))),
    "mesh of ratios": mesh("s", "kme", Axis("w", (0.1, 1.0), log=True)),
    "an interval": area("s", "kme", low="low", high="high", half="width"),
    "an image with a bar": field_of("image", "ground", 5, bar=Axis("f(x)", (-2.0, 2.0))),
    "words": words("s", "kme", halo=True),
    "said": TextLabel("kme", 0.5, 0.5, HOSTILE),
    "path": Line("kme", (0.0, 1.0), (0.0, 1.0)),
    "a box that stays": Box("harm", 0.0, 0.5, 0.0, 0.5, fill=0.1, hatch=HATCH),
    **{f"marker {name}": dots("s", "kme", marker=name, angle=0.3) for name in MARKERS},
}
GROUNDS = {
    "rule": ReferenceLine("harm", y=0.5),
    "rule of a result": ReferenceLine("harm", x=lambda result: 0.5),
    "tint": Band("harm", 0.5),
}


def picture(marks=(), sources=SOURCES, base=Picture, **said):
    """Return a picture of these marks, with those of the sources that they read."""
    said = {"name": "one", "title": "A picture", "marks": marks, "x": Axis("x", (0.0, 1.0)), **said}
    read = {source for mark in marks for source, _ in getattr(mark, "columns", ()) if not mark.pinned}
    return base(**said, sources=lambda result: {source: sources[source] for source in read & set(sources)})


def inked(drawn):
    """Return the number of shapes and texts in a picture."""
    return len(list(ET.fromstring(drawn).iter()))


@pytest.mark.parametrize("kind", [*EVERY, *GROUNDS])
def test_every_mark_inks_something(kind):
    with_it = picture((EVERY[kind],)) if kind in EVERY else picture(background=(GROUNDS[kind],))
    drawn = draw_standalone(with_it, None)
    stands_alone(drawn)
    assert inked(drawn) > inked(draw_standalone(picture(), None))


@pytest.mark.parametrize("kind", EVERY)
def test_what_is_not_finite_leaves_no_number(kind):
    """No attribute contains a number that is not finite, on linear and logarithmic axes; such marks are left out."""
    for bad in (np.nan, np.inf, -np.inf, 1e308):
        columns = {name: np.full(len(each), bad) if each.dtype.kind == "f" else each for name, each in COLUMNS.items()}
        columns |= {"fill": PLACES}
        half = {name: np.where([True, False, True], each, COLUMNS[name]) for name, each in columns.items()}
        for each in (columns, half):
            sources = {**SOURCES, "s": each, "image": {"w": np.full(30, bad)}}
            for log in (False, True):
                stands_alone(draw_standalone(picture((EVERY[kind],), sources, x=Axis("x", (0.1, 1.0), log=log)), None))


def names_in(drawn):
    """Return the ids in a picture."""
    return re.findall(r'\bid="([^"]*)"', drawn)


def test_pictures_on_one_page_share_no_name():
    """Different pictures share no id, and equal pictures have equal ids."""
    hatched = [
        picture((EVERY["box"], EVERY["area"]), {**SOURCES, "s": {**COLUMNS, "top": top}}) for top in (PLACES, -PLACES)
    ]
    first, second = (draw_standalone(each, None) for each in hatched)
    assert names_in(first)
    assert not set(names_in(first)) & set(names_in(second))
    assert draw_standalone(hatched[0], None) == first
    assert names_in(draw_standalone(picture((EVERY["dot"],)), None)) == []


TIPPED = ("box", "bar", "bar across", "cell", "dot", "circle", "ellipse", "stroke", "upright", "level", "marker x")


@pytest.mark.parametrize("kind", TIPPED)
def test_a_row_that_stands_for_a_value_says_it(kind):
    """Each row is a shape of its own with a tooltip; rows without a position have none."""
    tips = np.array(["first", HOSTILE, "third"], dtype=object)
    style = {name: 0.5 if isinstance(each, by) else each for name, each in EVERY[kind].style.items()}
    alike = replace(EVERY[kind], style=style)
    columns = {name: np.where([True, True, False], each, np.nan) if each.dtype.kind == "f" else each
               for name, each in COLUMNS.items()}  # fmt: skip
    root = stands_alone(draw_standalone(picture((tipped(alike),), {**SOURCES, "s": {**columns, "tip": tips}}), None))
    assert [each.text for each in root.iter(f"{SVG}title")] == ["A picture", "first", HOSTILE]


def test_nothing_is_pinned():
    """A pinned mark shows a pinned result's numbers, even if its source has the name of a current one."""
    assert draw_standalone(picture((curve("s", "kme", pinned=True),)), None) == draw_standalone(picture(), None)


def test_names_are_text():
    """Names from a table are escaped in every text of a picture."""
    column = Quantity(HOSTILE, "<i>")
    axis = Axis("", (0.0, 1.0), column=column, inner=(0.0, 1.0))
    marks = (EVERY["words"], dots("s", "kme", label=HOSTILE))
    of = picture(marks, title=HOSTILE, name=HOSTILE, x=axis, y=Axis(HOSTILE, (0.0, 1.0), {0.5: HOSTILE}))
    root = stands_alone(draw_standalone(of, None))
    assert HOSTILE in told(root)
    assert root.find(f"{SVG}title").text == HOSTILE


def test_bars_are_as_high_as_their_numbers():
    """Read by the picture's own axis, a histogram's bars are the result's shares."""
    result = result_of("twosample")
    root = stands_alone(lab_picture(result, "null"))
    null = next(each for each in registry.role("twosample", "figures").PICTURES if each.name == "null")
    at = {
        float(text.text): float(text.get("y")) for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "end"
    }
    (low, zero), (high, top) = (0.0, at[0.0]), max(at.items())
    tops = null.data(result)["null"]["top"]
    paths = [each for each in root.iter(f"{SVG}path") if not each.get("transform")]  # without the signs of the legend
    bars = [each.get("d") for each in paths if "f-kme" in each.get("class", "")]
    drawn = re.findall(r"M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)", bars[0])
    shares = [(float(foot) - float(head)) / (zero - top) * (high - low) for head, foot in drawn]
    assert len(shares) == np.isfinite(tops).sum()
    np.testing.assert_allclose(shares, tops[np.isfinite(tops)], atol=0.1 / (zero - top))


def test_a_line_keeps_its_shape_with_fewer_points():
    x = np.linspace(0, 1, 30_000)
    y = 0.5 + 0.4 * np.sin(40 * x)
    drawn = draw_standalone(picture((curve("s", "kme"),), {"s": {"x": x, "y": y}}), None)
    stands_alone(drawn)
    assert len(drawn) < 12_000
    heights = [float(each) for each in re.findall(r"L[\d.]+ ([\d.]+)", max(re.findall(r'd="([^"]*)"', drawn), key=len))]
    assert max(heights) - min(heights) == pytest.approx(0.8 * _height(drawn), abs=1)


def _height(drawn):
    """Return the height of a picture's frame, in px."""
    return float(re.search(r'<svg x=[^>]* height="([\d.]+)"', drawn).group(1))


def test_too_many_points_are_thinned_and_it_says_so():
    rng = np.random.default_rng(0)
    sources = {name: {"x": rng.random(n), "y": rng.random(n)} for name, n in (("s", 20_000), ("few", 7))}
    root = stands_alone(draw_standalone(picture((dots("s", "kme"), dots("few", "outlier")), sources), None))
    (said,) = (each for each in told(root) if each.endswith("of 20007 points drawn"))
    assert said in root.find(f"{SVG}desc").text
    many, few = (list(each.iter(f"{SVG}circle")) for each in root.iter(f"{SVG}g"))
    assert said.startswith(f"{len(many) + len(few)} of")
    assert MOST / 2 < len(many) <= MOST
    assert len(few) == 7  # the seven outliers stay, because users look for them


@pytest.mark.parametrize("log", [False, True])
def test_words_along_an_axis_never_touch(log):
    ticks = {10.0**-k: f"word {k}" for k in range(40)} | {k / 50: f"{k} of fifty" for k in range(1, 50)}
    of = picture(x=Axis("x", (1e-3, 1.0), ticks, log=log), y=Axis("y", (1e-3, 1.0), ticks, log=log))
    root = stands_alone(draw_standalone(of, None))
    across = sorted(float(each.get("x")) for each in anchored(root, "middle") if each.text != "x")
    up = sorted(float(each.get("y")) for each in anchored(root, "end"))
    assert min(np.diff(across)) > 40
    assert min(np.diff(up)) >= 12


def test_a_plane_is_square():
    @PlanePicture(
        title="A plane",
        marks=(circles("s", "kme"),),
        frame=lambda result: (0.0, 0.0, 2.0),
        quantities=lambda result: (Quantity("first"), Quantity("second", "cm")),
    )
    def plane(result):
        return {"s": {"x": np.zeros(1), "y": np.zeros(1), "radius": np.ones(1)}}

    root = stands_alone(draw_standalone(plane, None))
    above = ellipses("s", "kme", across=2.0, up=2.0, angle=0.0)
    round_ = stands_alone(draw_standalone(replace(plane, marks=(above,)), None))
    for each in (*root.iter(f"{SVG}ellipse"), *round_.iter(f"{SVG}ellipse")):
        assert float(each.get("rx")) == pytest.approx(float(each.get("ry")), abs=0.2)
    assert {"first", "second (cm)"} <= set(told(root))
    assert "Up: second (cm), from −2 to 2." in root.find(f"{SVG}desc").text  # ticks outside the frame are not described


def test_powers_of_ten_and_bare_axes():
    of = picture(x=Axis("x", (1e-3, 10.0), decades(-3, 1, 2), log=True), y=Axis("", (0.0, 1.0), bare=True, lines=False))
    assert {"0.001", "0.1", "10"} & set(told(stands_alone(draw_standalone(of, None))))
    nothing = picture(**{name: Axis("", (0.0, 1.0), bare=True, lines=False) for name in "xy"})
    assert told(stands_alone(draw_standalone(nothing, None))) == ["A picture"]


# where users look ---------------------------------------------------------------------------------------------------


def test_a_lab_s_result_is_saved(tmp_path):
    result = result_of("twosample")
    path = save(result, tmp_path / "plane.svg")
    assert any(names_all(text, "P", "Q") for text in told(stands_alone(path.read_text(encoding="utf-8"))))
    null = save(result, str(tmp_path / "null.svg"), picture="null").read_text(encoding="utf-8")
    assert any(names_all(text, "MMD²") for text in told(stands_alone(null)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"picture": "nil"}, naming("picture", "plane", "null", "'nil'")),
        ({"picture": "line"}, naming("picture", "'line'", "this state")),
        ({"bins": 3}, naming("picture", "bins")),
    ],
)
def test_what_is_refused_leaves_no_file(tmp_path, options, said):
    with pytest.raises(Refusal, match=said):
        save(result_of("twosample"), tmp_path / "a.svg", **options)
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_made_up(tmp_path):
    with pytest.raises(Refusal, match=naming("no", "does not exist")):
        save(result_of("twosample"), tmp_path / "no" / "a.svg")


def test_it_loads_nothing_that_draws():
    others = ["bokeh", "holoviews", "panel", "matplotlib"]
    code = f"import sys, explorer.svg; print([each for each in {others} if each in sys.modules])"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"
