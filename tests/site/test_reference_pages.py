"""The reference's pages: what stands on them, where their links lead, and what a search finds first."""

import re
from urllib.parse import quote

import pytest

from explorer.citations import references
from explorer.site.reference import indexes, write
from explorer.site.reference.names import by_name, rooms, things
from explorer.site.reference.outside import addresses
from explorer.site.reference.page import members, page
from explorer.site.reference.prose import Scope, anchor, told

PLACES = {"index", "topics", "types", "models", "bibliography"} | {topic.page for topic in indexes.TOPICS}
PAGES = {thing.page for thing in things()} | {f"room-{name}" for name in rooms()} | PLACES
LINK = re.compile(r"href='([^']*)'")


def strays(text):
    """The links of a page that lead to no page."""
    links = set(LINK.findall(text)) - {"../_static/reference.css"}
    return sorted(link for link in links if not _known(link))


def _known(link):
    if link.startswith("https:"):
        return link in addresses().values()
    file, _, place = link.partition("#")
    if file == "bibliography.html":
        return place in references() or not place
    return not file or file.removesuffix(".html") in PAGES or file == "../guide/errata.html"


@pytest.fixture(scope="module")
def mmd_test():
    return page(by_name()["mmd_test"])


def test_a_page_has_the_parts_of_a_reference(mmd_test):
    assert "from explorer import mmd_test" in mmd_test
    assert "<span class='argument'>n_resamples</span>: int = 999" in mmd_test
    assert "<mfrac>" in mmd_test  # the p-value on a line of its own
    assert "bibliography.html#gretton2012twosample" in mmd_test
    assert "(0.005, 0.363, np.float64(0.052))" in mmd_test
    assert "<svg" in mmd_test
    assert "```{py:function} mmd_test\n:module: explorer\n:no-typesetting:" in mmd_test
    assert strays(mmd_test) == []


def test_a_fast_page_lacks_the_picture_alone(mmd_test):
    fast = page(by_name()["mmd_test"], pictures=False)
    assert "<svg" not in fast
    assert "(0.005, 0.363, np.float64(0.052))" in fast


def test_a_class_has_its_fields_with_bounds_and_units_and_its_methods():
    text = page(by_name()["SKMSE"])
    assert re.search(r"<td><code>lam</code></td><td>λ</td>.*?\[0, ∞\)", text)
    assert "### loocv" in text
    assert {"embed", "loocv"} <= {member.name for member in members(by_name()["SKMSE"])}


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("as `mmd2` has it", "mmd2.html"),
        ("of `Kernel.contrast`", "Kernel.html#explorer.Kernel.contrast"),
        ("by `discrepancy.least_pvalue(n, m, groups)`", "least_pvalue.html"),
        ("paper 002, eq. (10) says", "bibliography.html#muandet2016shrinkage"),
        ("Gretton et al. 2012 (J. Mach. Learn. Res. 13)", "bibliography.html#gretton2012twosample"),
        ("as printed (errata E-17, E-18)", "../guide/errata.html#erratum-e-18"),
        ("where erratum 24 is", "../guide/errata.html#erratum-24"),
        ("Raises ValueError for others", "https://docs.python.org/3/library/exceptions.html#ValueError"),
        ("a numpy.random.Generator", addresses()["numpy.random.Generator"]),
        ("scikit-learn's `mutual_info_regression`", addresses()["sklearn.feature_selection.mutual_info_regression"]),
    ],
)
def test_what_a_sentence_names_is_a_link(text, link):
    assert f"href='{link}'" in told(text)


def test_an_argument_is_no_link_and_a_method_of_the_class_leads_to_its_place():
    scope = Scope(frozenset({"kernel", "variance"}), frozenset(), {"embed": "explorer.KME.embed"})
    assert told("the `kernel`", scope) == "the <code>kernel</code>"
    assert "href='#explorer.KME.embed'" in told("what `embed` returns", scope)
    assert anchor(by_name()["KME"], "embed") == "explorer.KME.embed"


def test_text_of_a_docstring_is_no_markup():
    assert "<b>" not in told("a <b> & `<i>`")


@pytest.mark.thorough
def test_every_link_of_every_page_leads_somewhere(tmp_path):
    write(tmp_path, True)
    written = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.joinpath("reference").glob("*.md")}
    assert set(written) == PAGES
    assert {name: strays(text) for name, text in written.items() if strays(text)} == {}


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.parametrize(
    ("word", "page"),
    [("permutation", "topic-permutation"), ("λ", "topic-lambda"), ("mmd_test", "mmd_test"), ("KernelPCA", "KernelPCA")],
)
def test_a_search_finds_the_page_that_is_meant_first(word, page, address, chromium):
    tab = chromium.new_page()
    tab.goto(f"{address}search.html?q={quote(word)}")
    found = tab.locator("#search-results li a")
    found.first.wait_for()
    assert found.first.get_attribute("href").partition("?")[0].startswith(f"reference/{page}.html")
    tab.close()
