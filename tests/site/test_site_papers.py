"""The pages of the errata and of the verdicts contain all entries of the papers' lists and no others."""

import re

import pytest

from explorer.papers.catalogue import ENTRIES
from explorer.papers.errata import ERRATA
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


def test_every_claim_is_listed_with_the_command_that_judges_it(verdicts_page):
    from markupsafe import escape

    for name, entry in ENTRIES.items():
        assert verdicts_page.count(f"id='{name}'") == 1
        assert f"explorer reproduce {name}" in verdicts_page
        for claim in entry.claims:
            assert str(escape(claim.says)) in verdicts_page
    assert verdicts_page.count("<li class='open'>") == sum(len(entry.claims) for entry in ENTRIES.values())


def test_a_fast_page_has_no_verdict_and_says_so(verdicts_page):
    assert "class='word'>" not in verdicts_page
    assert "verdicts" in verdicts_page


@pytest.mark.thorough
def test_a_verdict_is_that_of_the_study():
    done = verdicts.reproduced(("article-kinds",))
    text = str(verdicts._study(ENTRIES["article-kinds"], done[0]))
    assert [each.claim for each in done[0].findings] == [claim.says for claim in ENTRIES["article-kinds"].claims]
    for finding in done[0].findings:
        assert f"class='word'>{finding.word}<" in text
    assert re.search(r"Version \S+, size “fast”, seed 0: \d+\.\d s\.", text)


def test_no_study_begins_once_the_seconds_are_over():
    assert verdicts.reproduced(seconds=-1.0) == []


def test_the_quick_studies_read_no_data_set():
    assert [name for name in verdicts.QUICK if ENTRIES[name].needs(verdicts.SIZE)] == []
