"""Names and levels of a sweep that look like markup, formulas or templates are shown literally in its pictures."""

from xml.etree import ElementTree

import pytest
from helpers.figures import squeezed, words

from explorer import plot, sweep
from explorer.plotting import files
from explorer.sweeps import InProcess

NAMES = {
    "a tag": "<img src=x onerror=window.ran=1>",
    "a script": "</script><script>window.ran=1</script><!--",
    "quotes": "\"'><b onclick='window.ran=1'>",
    "templates": "{} {0.__class__} {{7*7}} ${7*7} %s",
    "formulas": r"$$\alpha$$ \(x\) $x$ x_1^2",
    "one dollar": "$",
    "turned text": "abc\u202edef",
    "lines": "a\nb\u2028c",
    "a long name": "x" * 10_000,
}
every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


def picture(name, backend):
    """Return a sweep of two levels over numbers, with intervals; measures, axes and levels have this name."""

    def study(n, how, seed):
        return {name: float(n + len(how) + seed % 7)}

    axes = {"n": [1, 2, 3], "how": [name, "plain"]}
    return plot(sweep(study, axes, 3, executor=InProcess(), progress=False), backend=backend)


@pytest.mark.few(4)
@pytest.mark.thorough
@every_name
def test_an_svg_has_the_names_as_text(name, tmp_path):
    drawn = picture(name, "matplotlib")
    files.write(drawn, tmp_path / "a.svg")
    tree = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    tags = {each.tag.rpartition("}")[2] for each in tree.iter()}
    assert not tags & {"img", "script", "b", "a", "foreignObject"}
    if name.isprintable():
        assert squeezed(name)[:20] in "".join(words(drawn))
    assert "window.ran" not in " ".join(value for each in tree.iter() for value in each.attrib.values())


@pytest.mark.few(3)
@pytest.mark.thorough
@every_name
def test_a_png_is_written(name, tmp_path):
    files.write(picture(name, "matplotlib"), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.few(3)
@pytest.mark.thorough(default=["a script"])
@every_name
def test_a_page_holds_the_names_as_data(name, tmp_path):
    files.write(picture(name, "bokeh"), tmp_path / "a.html", name)
    page = (tmp_path / "a.html").read_text()
    assert "<img src=x" not in page
    assert "<script>window.ran" not in page
    assert "<b onclick" not in page
