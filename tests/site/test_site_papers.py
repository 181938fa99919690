"""The pages of the errata and of the verdicts contain all entries of the papers' lists and no others."""

import re
from collections import Counter

import pytest

from explorer.papers.catalogue import ENTRIES
from explorer.papers.errata import ERRATA
from explorer.papers.stored import stored
from explorer.printing import minus
from explorer.site import errata, verdicts

HREF = re.compile(r"href=['\"]([^'\"#]*)")


@pytest.fixture(scope="module")
def errata_page(tmp_path_factory):
    source = tmp_path_factory.mktemp("errata")
    errata.write(source, True)
    return (source / "guide" / "errata.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def verdicts_page(tmp_path_factory):
    source = tmp_path_factory.mktemp("verdicts")
    verdicts.write(source, True)
    return (source / "guide" / "verdicts.md").read_text(encoding="utf-8")


def test_every_erratum_has_one_place(errata_page):
    places = re.findall(r"<article class='erratum' id='([^']+)'", errata_page)
    assert sorted(places) == sorted(errata.anchor(number) for number in ERRATA)
    assert "erratum-24" in places
    assert "erratum-e-10" in places


def test_what_is_printed_stands_beside_what_is_right(errata_page):
    from markupsafe import escape

    for each in ERRATA.values():
        start = errata_page.index(f"id='{errata.anchor(each.number)}'")
        article = errata_page[start : errata_page.index("</article>", start)]
        printed, right = article.split("class='right'")
        assert str(escape(minus(each.printed))) in printed
        assert str(escape(minus(each.right).split("(erratum")[0].split("erratum")[0])) in right


def test_an_erratum_leads_to_where_it_is_seen(errata_page):
    start = errata_page.index("id='erratum-24'")
    links = HREF.findall(errata_page[start : errata_page.index("</article>", start)])
    assert "../reference/FKMSE.html" in links
    assert any(each.startswith("../labs/shrinkage-") for each in links)
    assert "verdicts.html" in links
    assert not [each for each in links if each.startswith(("http", "/"))]


def test_every_claim_is_listed_with_its_verdict_and_the_command_that_computes_it(verdicts_page):
    from markupsafe import escape

    for name, entry in ENTRIES.items():
        assert verdicts_page.count(f"id='{name}'") == 1
        assert f"explorer reproduce {name}" in verdicts_page
        for finding in stored()[name].findings(entry):
            assert str(escape(finding.claim)) in verdicts_page
            assert f"class='word'>{finding.word}<" in verdicts_page
    assert verdicts_page.count("class='word'>") == sum(len(entry.claims) for entry in ENTRIES.values())


def test_the_page_opens_with_how_many_claims_hold(verdicts_page):
    kinds = Counter(
        verdicts.kind(finding) for name, entry in ENTRIES.items() for finding in stored()[name].findings(entry)
    )
    opening = verdicts_page.partition("<table class='summary'>")[0]
    assert f"<strong>{kinds['holds']} hold, {kinds['fails']} do not</strong>" in " ".join(opening.split())
    rows = re.findall(r"<tr><td>[^<]*</td>((?:<td>\d+</td>)+)</tr>", verdicts_page)
    counts = [list(map(int, re.findall(r"\d+", row))) for row in rows]
    assert [sum(column) for column in zip(*counts, strict=True)] == [kinds[kind] for kind in verdicts.COLUMNS]


def test_a_stored_verdict_is_that_of_a_version_and_a_size(verdicts_page):
    for name in ENTRIES:
        study = stored()[name]
        assert study.version
        assert study.seconds > 0
    assert re.search(r"Version \S+, size “fast”, seed 0: \d+ s of a processor\.", verdicts_page)
