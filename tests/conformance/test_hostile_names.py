"""Notebook output with foreign names: only tags of this project, and the names as text."""

from xml.etree import ElementTree

import numpy as np
import pytest

from explorer import BeliefPropagation, Delta
from explorer.checks import Refusal
from explorer.datasets import read_strings, read_table
from explorer.markup import UNSEEMLY, Markup, joined
from explorer.printing import WHOLE, printed
from explorer.svg import inline_pictures
from explorer.tables import html_tables

NAMES = {
    "a tag": "<img src=x onerror=window.ran=1>",
    "a script": "</script><script>window.ran=1</script><!--",
    "quotes": "\"'><b onclick='window.ran=1'>",
    "a link": "javascript:window.ran=1",
    "entities": "&amp; &lt;b&gt;",
    "turned text": "abc\u202edef",
    "templates": "{} {0.__class__} {{7*7}} ${7*7} %s %n",
    "formulas": r"$$\alpha$$ \(x\) $x$",
    "controls": "a\0b\x1bc\x7fd",
    "lines": "a\u2028b\u2029c",
    "a long name": "x" * 10_000,
}
TAGS = {"div", "p", "table", "thead", "tbody", "tr", "td", "th", "svg", "g", "path", "circle", "text", "title"}
every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


def read(html):
    """Return the tree of a cell's output, which has our elements and no attribute that runs anything."""
    assert isinstance(html, Markup)
    tree = ElementTree.fromstring(str(html))
    for each in tree.iter():
        assert each.tag.rpartition("}")[2] in TAGS
        assert not any(name.startswith("on") or "href" in name for name in each.attrib)
    return tree


def shows(html, name):
    """Check that the name is shown as text, cut if it is long, and without characters that no page can show."""
    tree = read(html)
    words = " ".join([*tree.itertext(), *(value for each in tree.iter() for value in each.attrib.values())])
    expected = " ".join(UNSEEMLY.sub("\N{REPLACEMENT CHARACTER}", name)[:30].split())
    return expected in " ".join(words.split())


@every_name
def test_cells_of_pictures(name):
    assert shows(inline_pictures.histogram([1.0, 2.0, 3.0], 2.0, "a label", name), name)
    assert shows(inline_pictures.intervals([name, "b"], [0.0, 1.0], [0.5, 0.5], "a label"), name)
    assert shows(inline_pictures.bars([1.0, -2.0], name), name)
    assert shows(html_tables.table((name, "b"), [("a", 1.0)]), name)
    assert shows(html_tables.table(("a", "b"), [(name, 1.0)]), name)


def quoted(name):
    """Return a name as a cell of CSV, which has no zero bytes."""
    return '"{}"'.format(name.replace("\0", "").replace('"', '""'))


@every_name
def test_cells_of_tables(name):
    column = name[:900]  # a longer one is refused
    rows = "\n".join(f"{i},{i * i}" for i in range(9))
    table = read_table(f"{quoted(column)},b\n{rows}\n".encode(), name=name)
    html = table._repr_html_()
    assert shows(html, name)
    assert shows(html, table.names[0])


@every_name
def test_cells_of_strings(name):
    called = "".join(letter for letter in name if letter.isprintable())  # others are refused
    read(read_strings(f">{called}\nACGT\n>two\nAG\n".encode(), name=name)._repr_html_())


@every_name
def test_a_refusal_repeats_a_long_name_in_brief(name):
    for raw in (b"", b"a,b\n", f"{quoted(name)},{quoted(name)}\n1,2\n".encode(), b"a,a\n1,2\n"):
        with pytest.raises(Refusal) as refused:
            read_table(raw, name=name)
        assert len(str(refused.value)) <= WHOLE
    with pytest.raises(Refusal) as refused:
        read_strings(b">x\n", name=name)
    assert len(str(refused.value)) <= WHOLE


@every_name
def test_cells_of_nodes(name):
    rng = np.random.default_rng(0)
    days = {name: rng.integers(2, size=9), "wet": rng.integers(2, size=9)}
    tree = BeliefPropagation([(name, "wet")], dict.fromkeys(days, Delta()), 1e-3)
    read(tree._repr_html_())
    read(tree.fit(days)._repr_html_())


def test_a_picture_of_plain_text_is_refused():
    @printed
    class Careless:
        def _picture(self):
            return "<svg></svg>"

    Careless._parts = lambda self: []  # for a dataclass the parts are its fields
    with pytest.raises(TypeError, match="to be Markup"):
        Careless()._repr_html_()
    assert joined(["<"]) == "&lt;"
