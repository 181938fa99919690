"""The pages of the reference: their content, the targets of their links, and what a search finds first."""

import re
from pathlib import Path

import pytest
from docutils.utils.math import MathError
from reference_docstrings import docstring_warnings

from explorer.citations import references
from explorer.site.documents import contents, document, rst, write_file
from explorer.site.reference import indexes
from explorer.site.reference.names import by_name, packages, public_names
from explorer.site.reference.page import page
from explorer.site.reference.sphinx_hooks import INVENTORIES, LIBRARIES, escaped, full_names, write_sections
from explorer.site.sphinx_mathml import mathml
from explorer.site.theme import pages_of

MODULE = '''
from explorer import Estimator, TestResult
from explorer.parameters import Real


def probe(X, kernel=None, shape=3) -> TestResult:
    r"""Probe a sample.

    The parameter `shape` is no link, nor is ``shape``, but `mmd2`, ``mmd2(X, Y)``, `discrepancy.least_pvalue` and
    `Kernel.contrast` are. As printed (errata E-17, E-18), or in erratum 24.

    Parameters
    ----------
    X : DataFrame or np.ndarray of shape (n, d)
        The sample.
    kernel : Kernel or None, default None
        The kernel with :math:`\\hat\\mu_\\lambda`.
    shape : int, default 3
        A number.

    Returns
    -------
    TestResult
        The result.

    Raises
    ------
    ValueError
        If the sample is empty.

    References
    ----------
    Paper 002, eq. (10). Gretton et al.
    2012 (J. Mach. Learn. Res. 13).

    Examples
    --------
    >>> 1 + 1
    2
    """


class Probe(Estimator):
    """Estimate with a probe.

    Parameters
    ----------
    lam : float, default 1.0
        The shrinkage.
    """

    lam = Real(default=1.0, bounds=(0, None), symbol="λ", unit="nats", doc="the shrinkage")
    size = Real(default=2.0, bounds=(0, 5), inclusive_bounds=(False, True), doc="the size")


def malformed():
    """Do *something.

    .. math:: \\\\nosuchcommand
    """
'''


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the page of a module's docstrings, and return (page, warnings, the folder of the pages)."""
    folder = tmp_path_factory.mktemp("probed")
    Path(folder, "probed.py").write_text(MODULE, encoding="utf-8")
    source = folder / "source"
    directives = "autofunction:: probed.probe", "autoclass:: probed.Probe", "autofunction:: probed.malformed"
    write_file(source / "reference", "probed.md", document("Probed", *(rst(f".. {each}") for each in directives)))
    for name in ("mmd2", "least_pvalue", "Kernel", "TestResult"):
        write_file(source / "reference", f"{name}.md", page(by_name()[name], pictures=False))
    names = ("probed", "mmd2", "least_pvalue", "Kernel", "TestResult")
    write_file(source, "index.md", document("Home", contents(f"reference/{name}" for name in names)))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        warnings = pages_of(source, folder / "pages")
    pages = folder / "pages"
    return Path(pages, "reference", "probed.html").read_text(encoding="utf-8"), warnings, pages


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("mmd2", "mmd2.html#explorer.mmd2"),
        ("mmd2(X, Y)", "mmd2.html#explorer.mmd2"),
        ("discrepancy.least_pvalue", "least_pvalue.html#explorer.discrepancy.least_pvalue"),
        ("Kernel.contrast", "Kernel.html#explorer.Kernel.contrast"),
        ("TestResult", "TestResult.html#explorer.TestResult"),
        ("Kernel", "Kernel.html#explorer.Kernel"),
        ("Paper 002, eq. (10)", "bibliography.html#muandet2016shrinkage"),
        ("Gretton et al. 2012", "bibliography.html#gretton2012twosample"),
        ("E-18", "../guide/errata.html#erratum-e-18"),
        ("24", "../guide/errata.html#erratum-24"),
        ("ValueError", "https://docs.python.org/3/library/exceptions.html#ValueError"),
        ("DataFrame", "https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.html#pandas.DataFrame"),
        ("np.ndarray", "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html#numpy.ndarray"),
    ],
)
def test_what_a_docstring_names_is_a_link(built, text, link):
    links = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', built[0])
    assert link in [address for address, inside in links if re.sub("<.*?>", "", inside) == text]


def test_a_parameter_is_no_link_even_if_a_public_name_is_spelled_like_it(built):
    assert "shape" in by_name()
    assert "shape.html" not in built[0]


def test_a_class_has_its_parameters_with_bounds_symbol_and_unit(built):
    text = re.sub("<.*?>", "", built[0])
    assert re.search(r"The shrinkage\.\s*Allowed: \[0, ∞\)\. Symbol: λ\. Unit: nats\.", text)
    assert re.search(r"size\s*:?\s*default 2\.0\s*the size\s*Allowed: \(0, 5\]\.", text)


def test_a_malformed_docstring_is_reported_with_its_name(built):
    lines = [line for line in built[1] if "docstring of probed." in line]
    assert all("docstring of probed.malformed" in line for line in lines)
    assert any("nosuchcommand" in line for line in lines)
    assert any("emphasis" in line for line in lines)


def test_a_document_of_ours_that_is_malformed_is_an_error(tmp_path):
    write_file(tmp_path / "source", "index.md", "# Home\n\n[](nowhere.md)\n")
    with pytest.raises(RuntimeError, match="nowhere"):
        pages_of(tmp_path / "source", tmp_path / "pages")


def test_formulas_are_mathml():
    assert '<msub><mover accent="true"><mi>μ</mi>' in mathml(r"\hat\mu_\lambda")  # the λ at the side of the μ
    assert "<munder>" in mathml(r"\sum_i x_i", display=True)
    assert mathml("n ≥ 3") == mathml(r"n \geq 3")
    with pytest.raises(MathError, match="nosuchcommand"):
        mathml(r"\nosuchcommand")


def test_every_field_of_every_model_is_documented():
    for name in public_names():
        if name.is_class and hasattr(name.value, "fields"):
            lines = [name.summary]
            write_sections(None, "class", name.address, name.value, None, lines)
            assert {field for field in name.value.fields if f"**{field}**" not in "\n".join(lines)} == set(), name.name


def test_inventories_name_libraries_and_are_short_names_of_one_thing():
    assert {path.stem for path in INVENTORIES.glob("*.txt")} == set(LIBRARIES)
    names = [name for short, name in full_names().items() if short != name]
    assert len(set(names)) == len(names)


def test_pages_have_signature_members_and_sources():
    text = page(by_name()["SKMSE"], pictures=False)
    assert "from explorer import SKMSE" in text
    assert ".. autoclass:: explorer.SKMSE" in text
    assert ".. automethod:: explorer.SKMSE.loocv" in text
    assert "bibliography.html#muandet2016shrinkage" in text
    assert "Returned by" in page(by_name()["TestResult"], pictures=False)


def test_a_page_has_the_picture_of_its_example_unless_it_is_not_wanted():
    assert "<svg" in page(by_name()["mmd_test"])
    assert "<svg" not in page(by_name()["mmd_test"], pictures=False)


def test_the_page_of_a_name_begins_with_what_it_is_for(built):
    """The summary and the use are above the signature, and are not repeated below it."""
    html = (built[2] / "reference" / "mmd2.html").read_text(encoding="utf-8")
    text = " ".join(re.sub("<.*?>", "", html[html.index("<h1>") : html.index("Parameters")]).split())
    name = by_name()["mmd2"]
    plain = [part.replace("`", "") for part in (name.summary, name.use)]
    assert text.find(plain[0]) < text.find(plain[1]) < text.find("from explorer import mmd2") < text.find("mmd2(X")
    assert [text.count(each) for each in plain] == [1, 1]


def test_every_name_is_on_the_page_of_its_package():
    names = public_names()
    for package, module in packages().items():
        text = indexes.package_page(package, module, names)
        assert [each for each in names if each.package == package and f"~{each.address}\n" not in text + "\n"] == []


@pytest.mark.thorough
def test_every_page_and_every_method_is_at_its_address(site):
    pages = {path.stem: path.read_text(encoding="utf-8") for path in Path(site, "reference").glob("*.html")}
    for name in public_names():
        assert f'id="{name.address}"' in pages[name.page]
        assert [each for each in name.members if f'id="{name.address}.{each}"' not in pages[name.page]] == []
    others = {"index", "topics", "types", "models", "bibliography"} | {topic.page for topic in indexes.TOPICS}
    assert others | {f"room-{package}" for package in packages()} <= set(pages)
    assert [key for key in references() if f"id='{key}'" not in pages["bibliography"]] == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("the norm |f - g| and ``|x|``", r"the norm \|f - g\| and ``|x|``"),
        ("lam_ after fit, `lam_` too", r"lam\_ after fit, `lam_` too"),
        (r":math:`\hat\mu_P |x|` of |y|", r":math:`\hat\mu_P |x|` of \|y\|"),
        (r"\| stays", r"\| stays"),
        (">>> a | b_", ">>> a | b_"),
    ],
)
def test_bars_and_last_underscores_of_prose_are_characters(line, text):
    assert escaped([line]) == [text]


def test_formulas_and_doctests_stay_as_they_are():
    lines = [".. math::", "", "    |x_i|_", "", "then |y|", "", ">>> f_", "|1|", "", "|z|"]
    assert escaped(lines) == [*lines[:4], r"then \|y\|", *lines[5:9], r"\|z\|"]


@pytest.fixture(scope="module")
def malformed():
    """Return the warnings about docstrings by package."""
    return docstring_warnings()


@pytest.mark.thorough
def test_no_docstring_is_malformed(malformed):
    assert malformed == {}
