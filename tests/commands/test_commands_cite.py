"""`explorer cite`: the papers behind a name, found by what its docstring cites."""

import copy
import pickle
import re

import numpy as np
import pytest
from helpers.naming import names_all, naming

import explorer
from explorer.__main__ import main
from explorer.citations import KEYED, NUMBERED, PAPERS, SOFTWARE, behind, cited, documentation, references
from explorer.papers.erratum import PAPERS as TEXTS

# authors and a year, as docstrings cite: "Shah and Peters 2020", "Song et al. 2008"
CITATION = re.compile(r"(?:[A-ZŚ][\w-]+(?:, and |, | and ))*[A-ZŚ][\w-]+(?: et al\.)?,? (?:18|19|20)\d\d\b")


def keys(name):
    return [reference.key for reference in behind(name)]


def test_names_with_their_papers():
    assert keys("FKMSE") == ["muandet2014stein", "muandet2016shrinkage"]
    assert keys("kci_test") == ["shah2020hardness", "zhang2011kci"]
    assert keys("MKME") == ["xia2021corrupted"]
    assert keys("monk_test") == ["lerasle2019monk"]
    assert "gretton2012twosample" in keys("mmd_test")
    assert keys("sweep") == []


def test_whatever_a_docstring_cites_has_one_entry():
    citations = {citation: name for name in explorer.__all__ for citation in CITATION.findall(documentation(name))}
    assert len(citations) > 50
    assert not [(name, citation) for citation, name in citations.items() if len(cited(citation)) != 1]


def test_each_test_names_a_paper():
    assert not [name for name in explorer.__all__ if name.endswith("_test") and not keys(name)]


def test_every_entry_is_cited_or_one_of_the_five_texts():
    used = {key for name in explorer.__all__ for key in keys(name)}
    assert set(references()) == used | set(PAPERS.values())
    assert set(PAPERS) == set(TEXTS)


def test_entries_are_well_formed_and_say_where_they_came_out():
    for entry in references().values():
        fields = dict(re.findall(r"  (\w+) = \{(.*)\},\n", entry.bibtex))
        assert {"author", "title", "year"} < set(fields)
        assert {"journal", "booktitle", "publisher", "eprint", "howpublished"} & set(fields)
        assert entry.bibtex.count("{") == entry.bibtex.count("}")
    assert list(references()) == sorted(references())


def test_a_key_in_brackets_is_a_citation():
    assert [each.key for each in cited("Theorem 3 of [muandet2016shrinkage], unlike [n, d] and [1]")] == [PAPERS["002"]]
    known = set(references())
    for name in explorer.__all__:
        assert set(KEYED.findall(documentation(name))) <= known, name


def test_docstrings_cite_by_key_and_not_by_number():
    assert not [name for name in explorer.__all__ if NUMBERED.search(documentation(name))]


def test_addresses_are_of_papers_that_have_one():
    entries = references()
    assert entries["stein1981mean"].address == "https://doi.org/10.1214/aos/1176345632"
    assert entries["muandet2016shrinkage"].address.startswith("https://jmlr.org/papers/v17/")
    addresses = [each.address for each in entries.values() if each.address]
    assert len(addresses) == len(set(addresses)) > 55
    assert all(re.fullmatch(r"https://[\w./()-]+", each) for each in addresses)
    assert all(entries[key].address for key in PAPERS.values())


def test_the_list_of_papers_finds_a_key_and_a_number(capsys):
    main(["list", "papers", "002", "muandet2016shrinkage"])
    told = capsys.readouterr().out
    assert names_all(told, "[muandet2016shrinkage]", "Kernel Mean Shrinkage Estimators", "https://jmlr.org")
    main(["list", "papers"])
    assert all(key in capsys.readouterr().out for key in ["zhang2011kci"])


def test_the_command_prints_each_paper_once(capsys):
    main(["cite", "FKMSE", "SKMSE", "sweep"])
    told = capsys.readouterr().out
    assert told.startswith("% FKMSE: muandet2014stein, muandet2016shrinkage\n% SKMSE: ")
    assert any(names_all(line, "% sweep", "no paper") for line in told.splitlines())
    assert told.count(SOFTWARE) == told.count("Kernel Mean Shrinkage Estimators") == 1
    assert explorer.__version__ in SOFTWARE


def test_a_name_that_the_library_lacks_is_a_sentence(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["cite", "FKMSEE"])
    assert ended.value.code == 2
    assert re.search(naming("FKMSEE", "FKMSE"), capsys.readouterr().err)


# results name their papers


X = np.random.default_rng(0).normal(size=(12, 2))
RESULTS = {
    "mmd_test": lambda: explorer.mmd_test(X, X + 1, n_resamples=19, rng=0),
    "monk_test": lambda: explorer.monk_test(X, X + 1, n_resamples=19, rng=0),
    "hsic_test": lambda: explorer.hsic_test(X[:, :1], X[:, 1:], n_resamples=19, rng=0),
    "mmdagg_test": lambda: explorer.mmdagg_test(X, X + 1, n_resamples=19, rng=0),
    "scan": lambda: explorer.scan(X[:, 0].repeat(2), n_resamples=19, rng=0),
    "compare": lambda: explorer.compare(X, X + 1, n_resamples=19, rng=0),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_names_the_papers_of_the_function_that_gave_it(name):
    result = RESULTS[name]()
    assert [*result.cites] == behind(name) != []
    assert result.cites == pickle.loads(pickle.dumps(result)).cites == copy.copy(result).cites
    assert all(paper.short in result._repr_html_() for paper in result.cites)
    assert f"explorer cite {name}" in result._repr_html_()


def test_a_result_that_one_makes_names_none():
    made = explorer.TestResult(3.0, [1.0, 2.0], "a statistic", explorer.Gaussian(1.0), n=10)
    assert [*made.cites] == behind("TestResult")


def test_a_page_of_a_comparison_names_its_papers():
    assert names_all(RESULTS["compare"]().to_html(), "Papers", "Schrab et al. 2023", "explorer cite compare")


def test_a_paper_is_named_as_prose_cites_it():
    short = {paper.short for paper in references().values()}
    assert {"Muandet et al. 2014", "Shah and Peters 2020", "Wikipedia contributors 2026"} <= short
    named = [paper for paper in references().values() if len(paper.surnames) != 1]
    assert all(paper.cited.fullmatch(paper.short) for paper in named)
