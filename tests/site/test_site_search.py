"""The search of the site: what its index has of a page, and what it finds first."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from explorer.site import search
from explorer.workbench import registry

PAGE = """<head><meta content="About &amp; more" name="description"></head><body><nav>bar</nav><main><article>
<h1>One <code>title</code><a class="headerlink" href="#one">#</a></h1><h2>A part<a class="headerlink" href="#a-part"
title="Link">#</a></h2><p>Words of λ, 12 and kernels.</p><svg><text>drawn</text></svg><script>code()</script>
<dt class="sig sig-object py" id="explorer.mmd_test">mmd_test</dt></article></main></body>"""


def test_a_page_is_read_with_its_headings_names_and_words():
    entry, words = search.read("guide/page.html", PAGE)
    assert entry == ("guide/page.html", "Guide", "One title", "About & more", [("A part", "a-part")], ["mmd_test"], ())
    assert {"words", "λ", "kernels", "mmd_test"} <= words
    assert not words & {"drawn", "code", "bar", "12"}


def test_every_lab_has_words_that_find_it():
    assert set(search.LABS) == set(registry.names())


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("median of means", "labs/monk-"),
        ("permutation", "reference/topic-permutation.html"),
        ("λ", "reference/topic-lambda.html"),
        ("mmd_test", "reference/mmd_test.html"),
        ("KernelPCA", "reference/KernelPCA.html"),
        ("why shrink?", "essays/shrink.html"),
        ("supported versions", "guide/versions.html"),
        ("your own data", "guide/data.html"),
        ("two samples", "labs/twosample-a-real-shift.html"),
        ("kernel PCA", "labs/kernel_pca-"),
        ("independence", "labs/independence-"),
        ("outliers", "labs/monk-five-bad-pairs.html"),
        ("covariate shift", "labs/adaptation-covariate-shift.html"),
        ("Stein's surprise and shrinkage", "lessons/02_"),
        ("what a kernel cannot see", "essays/what-a-kernel-cannot-see.html"),
        ("has my data changed", "lessons/15_"),
        ("bandwidth", "reference/topic-bandwidth.html"),
    ],
)
def test_the_page_that_is_meant_is_found_first(words, page, address, chromium):
    tab = chromium.new_page()
    tab.goto(f"{address}search.html?q={quote(words)}")
    results = tab.locator("#search-results li a")
    results.first.wait_for()
    assert results.first.get_attribute("href").startswith(page)
    tab.close()
