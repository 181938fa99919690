"""`explorer cite`: the papers behind a name, found by what its docstring cites."""

import re

import pytest

import explorer
from explorer.__main__ import main
from explorer.papers.erratum import PAPERS as TEXTS
from explorer.papers.references import PAPERS, SOFTWARE, behind, cited, documentation, references

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


def test_the_command_prints_each_paper_once(capsys):
    main(["cite", "FKMSE", "SKMSE", "sweep"])
    told = capsys.readouterr().out
    assert told.startswith("% FKMSE: muandet2014stein, muandet2016shrinkage\n% SKMSE: ")
    assert "% sweep: no paper of its own\n" in told
    assert told.count(SOFTWARE) == told.count("Kernel Mean Shrinkage Estimators") == 1
    assert explorer.__version__ in SOFTWARE


def test_a_name_that_the_library_lacks_is_a_sentence(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["cite", "FKMSEE"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "explorer cite: explorer has no FKMSEE; did you mean FKMSE?\n"
