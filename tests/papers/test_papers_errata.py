"""The list of errata: complete, named rightly by docstrings and figures, and shown at the places that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.naming import naming
from references import open_reference

import explorer
from explorer import FKMSE, GaussianMixture
from explorer.__main__ import main
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import ARTICLE, CORRUPTED, MONK, STEIN
from explorer.papers.errata import ERRATA, explain, mentioned
from explorer.papers.erratum import PAPERS

SOURCES = sorted(Path(explorer.__file__).parent.rglob("*.py"))
PAPERS_OF = {STEIN: {"001", "002"}, CORRUPTED: {"000"}, ARTICLE: {"003"}, MONK: {"004"}, "Of no paper": set(PAPERS)}


def test_the_list_is_whole():
    assert list(ERRATA) == [str(n) for n in range(1, 40)] + [f"E-{n}" for n in range(1, 26)]
    for number, entry in ERRATA.items():
        assert entry.number == number
        assert set(entry.paper.split(", ")) <= set(PAPERS)
        assert entry.place
        assert entry.printed.endswith(".")
        assert entry.right.endswith(".")
        assert entry.printed != entry.right


def test_every_erratum_is_shown_somewhere_and_its_places_open():
    for entry in ERRATA.values():
        assert entry.shown_in, entry.number
        for where in entry.shown_in:
            assert open_reference(where) is not None, (entry.number, where)


def test_a_lesson_that_shows_an_erratum_names_it():
    shown = [
        (entry.number, where) for entry in ERRATA.values() for where in entry.shown_in if where.startswith("lesson ")
    ]
    assert shown
    for number, where in shown:
        assert number in mentioned(open_reference(where))


def test_a_study_that_shows_an_erratum_names_it():
    for entry in ERRATA.values():
        for where in entry.shown_in:
            if where.startswith("reproduce "):
                figure = ENTRIES[where.removeprefix("reproduce ")]
                named = {*figure.errata, *(number for claim in figure.claims for number in claim.errata)}
                assert entry.number in named, (entry.number, figure.name)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("wrong (erratum 19), and", ["19"]),
        ("errata E-7,\n    E-8): it", ["E-7", "E-8"]),
        ("(11) with errata 1 to 4, one", ["1", "2", "3", "4"]),
        ("errata E-3 to E-5 and 6", ["E-3", "E-4", "E-5", "6"]),
        ("Errata 2 and 3; erratum 2", ["2", "3"]),
        ("no erratum here, 12", []),
    ],
)
def test_numbers_in_a_text(text, numbers):
    assert mentioned(text) == numbers


def test_every_number_in_the_sources_is_in_the_list():
    named = {path: mentioned(path.read_text(encoding="utf-8")) for path in SOURCES}
    unknown = {str(path): set(numbers) - set(ERRATA) for path, numbers in named.items()}
    assert {path: numbers for path, numbers in unknown.items() if numbers} == {}
    assert len({number for numbers in named.values() for number in numbers}) > 25  # the search does find them


def test_a_docstring_s_paper_is_that_of_the_erratum():
    """If a docstring says "paper 002 ... (erratum 19)" in one sentence, the list has that paper, too."""
    wrong = []
    for path in SOURCES:
        for sentence in re.split(r"(?<=[.;])\s", path.read_text(encoding="utf-8")):
            papers = set(re.findall(r"\b[Pp]apers? (00[0-4])", sentence))
            for number in mentioned(sentence) if papers else []:
                if not papers & set(ERRATA[number].paper.split(", ")):
                    wrong.append((path.name, number, papers))
    assert wrong == []


def test_figures_name_errata_of_their_own_papers():
    """Paper 000's baselines are those of 001 and 002, so erratum 24, on F-KMSE's score, touches its figure 2, too."""
    for entry in ENTRIES.values():
        for number in {*entry.errata, *(number for claim in entry.claims for number in claim.errata)}:
            papers = set(ERRATA[number].paper.split(", "))
            of_its_paper = papers & PAPERS_OF[entry.paper]
            assert of_its_paper or (entry.name, number) == ("marginalized-figure-2", "24"), (entry.name, number)


def test_erratum_10_is_on_hsic_and_not_on_two_samples():
    assert ERRATA["10"].place == "(32) and (33)"
    where = {
        name for name, entry in ENTRIES.items() if "10" in {*entry.errata, *(n for c in entry.claims for n in c.errata)}
    }
    assert where == {"marginalized-table-4"}


def test_a_docstring_is_explained():
    assert [entry.number for entry in explain(FKMSE)] == ["24", "22"]
    assert [entry.number for entry in explain(GaussianMixture.random)] == ["36"]
    with pytest.raises(TypeError, match=naming("explain", "docstring", "3")):
        explain(type("Bare", (), {"__doc__": None, "__repr__": lambda self: "3"})())


def test_the_list_is_printed(capsys):
    main(["list", "errata"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "errata:"
    assert [line.split()[0] for line in lines[1:]] == [*ERRATA, *PAPERS]
    for line in lines[1 : -len(PAPERS)]:
        assert re.search(r"Seen in: \S", line)
        assert "not built" not in line
    main(["list"])
    assert "errata" not in capsys.readouterr().out
