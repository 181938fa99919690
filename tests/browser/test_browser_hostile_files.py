"""Names of a table that would be tags, scripts, formulas or templates in what leaves the explorer: in one file and in
plots they are shown, and nothing runs.
"""

import csv
import io
from urllib.parse import urlparse

import numpy as np
import pytest

from explorer import sweep
from explorer.datasets import read_table
from explorer.exports.onefile import one_file
from explorer.labs.shrinkage import ShrinkageLab
from explorer.plotting import files
from explorer.plotting.dataset import of_dataset
from explorer.sweeps import InProcess

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TAG = "<img src=x onerror=window.ran=1>"
END = "</script><script>window.ran=1</script>"
TEX = r"$$\alpha$$ \(x\) $x$"
TEMPLATE = "{0.__class__} {{7*7}} ${7*7} %s {}"
QUOTES = "\"'><svg onload='window.ran=1'> &lt;b&gt; javascript:window.ran=1"
TURNED = "a\u202eb\u2028c"
LONG = "<b>" + "n" * 10_000
NAMES = (TAG, END, TEX, TEMPLATE, QUOTES, TURNED, LONG)
# elements that would be a name's, what would run in them, and what all parts of the page say
SEEN = """() => {
    const seen = {tags: [], acts: [], formulas: 0, text: '', ran: window.ran ?? null}
    const walk = (root) => {
        for (const element of root.querySelectorAll('*')) {
            if (element.shadowRoot) walk(element.shadowRoot)
            if (element.localName === 'img' || element.localName === 'b' && /^n{9}/.test(element.textContent))
                seen.tags.push(element.outerHTML.slice(0, 80))
            for (const {name, value} of element.attributes)
                if (name.startsWith('on') || /^javascript:/.test(value)) seen.acts.push(element.outerHTML.slice(0, 80))
            if (element.localName === 'mjx-container') seen.formulas += 1
        }
        seen.text += root.textContent
    }
    walk(document)
    return seen
}"""


def table(head, *columns):
    """A CSV file of columns under their names."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([head, *zip(*columns, strict=True)])
    return text.getvalue().encode()


A, B = np.random.default_rng(3).normal(size=(2, 60)).round(4)
PLAIN = table([TAG, QUOTES], A, B)


@pytest.fixture
def page(chromium):
    """A page that lets no complaint, no dialog and no foreign request pass."""
    context = chromium.new_context(viewport={"width": 1300, "height": 900})
    page = context.new_page()
    page.complaints, page.asked = [], []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: (page.complaints.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: page.asked.append(urlparse(request.url)))
    yield page
    context.close()
    assert page.complaints == []
    assert {each.path for each in page.asked if each.path.endswith("/x")} == set()
    assert {each.netloc for each in page.asked if each.scheme not in ("data", "blob", "file")} == set()


def harmless(page, name):
    """Nothing of a name has become an element or has run, and the name is read on the page."""
    seen = page.evaluate(SEEN)
    assert (seen["ran"], seen["tags"], seen["acts"], seen["formulas"]) == (None, [], [], 0)
    assert name in seen["text"]


def test_one_file_shows_them(page, tmp_path):
    own = read_table(PLAIN, name=TAG + TEX)
    lab = ShrinkageLab(source="file", n=20, file=TAG + TEX, rows=60, hash=own.hash)
    lab.table = own
    path = tmp_path / "one.html"
    path.write_text(one_file(lab, END), encoding="utf-8")
    page.goto(path.as_uri())
    page.locator("body.ready").wait_for()
    harmless(page, TAG)
    assert END in page.title()


def study(how, n, seed):
    return {TAG: n * 1.0, TEX: n * 2.0}


@pytest.mark.parametrize("asked", [{}, {"x": "how", "value": TAG}, {"col": "how", "value": TEX}])
def test_a_plot_shows_them(page, tmp_path, asked):
    axes = {"how": list(NAMES), "n": [1, 2, 3]}
    data = sweep(study, axes, 2, executor=InProcess(), progress=False)
    path = tmp_path / "plot.html"
    files.write(of_dataset(data, **asked), path, TAG)
    page.goto(path.as_uri())
    page.locator("canvas").first.wait_for()
    canvas = page.locator("canvas").first.bounding_box()
    page.mouse.move(canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2)  # a tooltip
    harmless(page, "")
    assert page.title() == TAG
