"""Names of a table that look like markup, scripts, formulas or templates are shown, and nothing of them runs.

The same table goes to every lab that takes one: its file, columns, groups, bags and classes have such names.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlparse
from xml.etree import ElementTree

import numpy as np
import pytest
from every_lab import TAKING_TABLES
from helpers.browsing import SHRINKAGE, LabEntry
from helpers.server_process import until

from explorer import plot, sweep
from explorer.pages.sections.downloads import FILE as FILE_BUTTON
from explorer.plotting import files
from explorer.sweeps import InProcess
from explorer.workbench.content import content_of

STORIES = content_of("shrinkage").stories

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TAG = "<img src=x onerror=window.ran=1>"
FILE = f"{TAG}'.csv"
COLUMNS = (TAG, r"$$\alpha$$ {0.__class__} ${7*7} {{7*7}} %s &lt;", "'><script>window.ran=1</script>")
BAG, CLASS = "<svg onload=window.ran=1>", "javascript:window.ran=1"
CLASSES = ("<b onclick=window.ran=1>one</b>", "\u202e{two} $x$ \\(y\\)")
READS = "".join(
    f'"{name}",{bases}{end}\n'
    for end in ("A", "C", "GG", "TT", "ACA", "CAC")
    for name, bases in zip(CLASSES, ("ACGTACGT", "GGCATTGA"), strict=True)
).encode()
# what a reader sees of a page, whatever shadow it stands in
SEEN = """() => {
  const seen = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data
    if (['SCRIPT', 'STYLE', 'TEMPLATE'].includes(node.nodeName)) return ''
    return [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(seen).join(' ')
  }
  return seen(document.body)
}"""
# elements that our own markup never has
STRANGE = """() => {
  const within = (each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]
  const all = (root) => [...root.querySelectorAll('*')].flatMap(within)
  const runs = ({name, value}) => /^on(error|load|click)$/.test(name) && value.includes('ran')
    || /^(href|src|action)$/.test(name) && value.trim().startsWith('javascript:')
  return all(document).filter((each) => [...each.attributes].some(runs)).map((each) => each.outerHTML.slice(0, 200))
}"""


def table():
    """Return six rows in each of twelve bags, six bags of a class."""
    rng, quoted = np.random.default_rng(0), '"{}"'.format
    head = ",".join(map(quoted, (*COLUMNS, BAG, CLASS)))
    rows = []
    for i in range(72):
        numbers = ",".join(f"{value:.4f}" for value in rng.normal(loc=i // 36, size=3))
        rows.append(f"{numbers},{quoted(f'{TAG}{i // 6}')},{quoted(CLASSES[i // 36])}")
    return "\n".join([head, *rows]).encode()


def watched(lab_page):
    """Return a page that must not run what a name says; the test uses a kept page last, and leaves its table there."""
    lab_page.page.bring_to_front()
    lab_page.page.on(
        "dialog", lambda dialog: (lab_page.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss())
    )
    lab_page.page.on("request", lambda request: _of_a_name(lab_page, request))
    return lab_page


def _of_a_name(lab_page, request):
    if urlparse(request.url).path.endswith("/x"):
        lab_page.complaints.append(f"fetched: {request.url}")


def harmless(page):
    assert page.evaluate("window.ran") is None
    assert page.evaluate(STRANGE) == []


def taken(lab_page, raw, button):
    """Upload the file to the page, and return the visible text."""
    lab_page.unfold("Your data")
    lab_page.choose({"name": FILE, "mimeType": "text/csv", "buffer": raw})
    lab_page.button(button).click()
    until(lambda: lab_page.fields.get("file") == FILE, "the file in the link")
    return sound(lab_page)


def sound(lab_page):
    """Check that nothing has run, also with all sections open, and return the visible text."""
    harmless(lab_page.page)
    lab_page.turn(expanded=True)
    until(lab_page.is_idle, "a page at rest")
    harmless(lab_page.page)
    assert lab_page.complaints == []
    return lab_page.page.evaluate(SEEN)


OFTEN = ("conditional", "density", "adaptation")  # the others in the slow run
WATCHED = [
    pytest.param(LabEntry(name), id=name, marks=() if name in OFTEN else pytest.mark.slow)
    for name in TAKING_TABLES
    if name != "shrinkage"  # the page of further tests below
]


@pytest.mark.few(2)
@pytest.mark.parametrize("place", WATCHED)
def test_names_of_a_table_are_text(lab_pages, place):
    assert TAG in taken(watched(lab_pages(place)), table(), "^Use this table$")


def test_names_of_classes_of_reads_are_text(lab_pages):
    assert CLASSES[0] in taken(watched(lab_pages(LabEntry("dna"))), READS, "^Use these reads$")


@pytest.fixture(scope="module")
def strange(lab_pages):
    """Return a page that has taken the table."""
    lab_page = watched(lab_pages(SHRINKAGE))
    assert TAG in taken(lab_page, table(), "^Use this table$")
    return lab_page


def opens(context, file):
    """Check that a separate file in a browser runs nothing of a name, fetches nothing and causes no complaint."""
    page, complaints = context.new_page(), []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: request.url.startswith(("data:", "blob:")) or complaints.append(request.url))
    page.goto(file.as_uri())
    until(lambda: page.evaluate("document.readyState") == "complete", "the whole file")
    page.wait_for_timeout(500)  # an image that is not to be fetched would be asked for now
    harmless(page)
    assert complaints == [file.as_uri()]
    seen = page.evaluate(SEEN)
    page.close()
    return seen


def test_an_exported_file_and_pictures_have_the_names_as_text(strange, tmp_path):
    lab_page = strange
    lab_page.turn(expanded=True)
    for button in (re.escape(FILE_BUTTON), "^sample SVG$"):
        with lab_page.page.expect_download() as waiting:
            lab_page.button(button).last.click()  # the first is in the menu that shares
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        if file.suffix == ".html":
            assert TAG in opens(lab_page.page.context, file)
        else:
            tags = {each.tag.rpartition("}")[2] for each in ElementTree.fromstring(file.read_text()).iter()}
            assert not tags & {"img", "script", "b"}
    assert lab_page.complaints == []


class Tags(HTMLParser):
    """The tags of HTML, each with its attributes."""

    def __init__(self, html):
        super().__init__()
        self.all = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.all.append((tag, dict(attributes)))


def test_what_leads_to_a_page_has_the_names_as_text(strange):
    lab_page = strange
    lab_page.turn(expanded=False)
    ((tag, attributes),) = Tags(lab_page.copied("^Copy iframe$")).all
    assert (tag, list(attributes)) == ("iframe", ["src", "width", "height", "style"])
    assert dict(parse_qsl(urlparse(attributes["src"]).query, keep_blank_values=True)) == {
        **lab_page.params,
        "ui": "min",
    }
    assert lab_page.copied("^Copy link$") == lab_page.page.url
    until(lambda: lab_page.folds("Share").count(), "the menu's own words")
    lab_page.share("^QR code$")
    lab_page.page.get_by_alt_text("QR code of its link").wait_for()
    lab_page.page.keyboard.press("Escape")
    lab_page.begin(STORIES[0])
    lab_page.page.locator(".story").wait_for()
    until(lab_page.is_idle, "a page at rest")
    harmless(lab_page.page)
    assert lab_page.complaints == []


def test_a_plot_has_the_names_as_text(profile, tmp_path):
    def study(n, how, seed):
        return {TAG: float(n + seed % 7)}

    axes = {"n": [1, 2, 3], "how": [COLUMNS[2], COLUMNS[1]]}
    picture = plot(sweep(study, axes, 3, executor=InProcess(), progress=False))
    files.write(picture, tmp_path / "a.html", COLUMNS[2])
    opens(profile, tmp_path / "a.html")
