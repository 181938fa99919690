"""The table of entries: names that a study has, conditions and standards that are read, and rows that are refused."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.papers.catalogue import ENTRIES, read_entries
from explorer.papers.entry import Cell
from explorer.papers.quantifier import Every, Most, OnAverage, Some
from explorer.papers.standard import Less, More, Near, NoWorse

# names that the fast size leaves out, and studies whose numbers are times, which no seed decides
SLOW, TIMED = {"marginalized-table-4": {"F-KMSE"}}, ("monk-table-1", "monk-seconds", "shrinkage-seconds")


def computed(name, cell):
    """Return the numbers of a cell for a seed, or skip the test if a data set is not available."""
    try:
        return ENTRIES[name].study(**cell, seed=3)
    except FileNotFoundError:
        pytest.skip("the data set is not available")


@pytest.mark.parametrize("name", ENTRIES)
def test_a_study_has_every_number_that_is_drawn_or_claimed(name):
    entry = ENTRIES[name]
    cells = [
        dict(zip(grid.axes, values, strict=True))
        for grid in entry.grids("fast")
        for values in product(*grid.axes.values())
    ]
    row = computed(name, cells[0])
    assert set(entry.lines) - set(row) == SLOW.get(name, set())
    assert all(math.isfinite(number) for number in row.values())
    rng = np.random.default_rng(0)
    made = [Cell(cell, {each: 1 + rng.random(12) for each in row}) for cell in cells]
    assert [finding.claim for finding in entry.findings(made)] == [claim.says for claim in entry.claims]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in ENTRIES if name not in TIMED])
def test_a_seed_decides_a_study(name):
    cell = {axis: values[0] for axis, values in ENTRIES[name].grids("fast")[0].axes.items()}
    assert computed(name, cell) == computed(name, cell)


# a table of one entry -------------------------------------------------------------------------------------------------

ENTRY = {
    "name": "'a'",
    "paper": "'Of no paper'",
    "figure": "'Figure 1'",
    "about": "'losses'",
    "study": "'shrinkage:figure_1'",
    "sizes": "'shrinkage:FIGURE_1'",
    "summary": "'relative'",
    "unit": "'loss'",
    "lines": "['S-KMSE']",
}
CLAIM = {"says": "'it gains'", "measure": "['loss', 'S-KMSE', 'KME']", "asks": "'every: < 0'"}


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a table with one entry and one claim, some of their fields others."""

    def entry(changed=(), **claim):
        path = tmp_path / "entries.toml"
        fields = [f"{key} = {value}" for key, value in (ENTRY | dict(changed)).items()]
        row = ", ".join(f"{key} = {value}" for key, value in (CLAIM | claim).items() if value)
        text = "\n".join(["[[entry]]", *fields, "[[entry.statements]]", "quote = 'so'", f"claims = [{{{row}}}]"])
        path.write_text(text, "utf-8")
        return read_entries(path)["a"]

    return entry


@pytest.mark.parametrize(
    ("asks", "quantifier", "standard"),
    [
        ("every: < 0", Every, Less()),
        ("most: < -0.25, tie 0.005", Most, Less(-0.25, 0.005)),
        ("some: > 2", Some, More(2)),
        ("on average: no worse than 0.01", OnAverage, NoWorse(0.01)),
        ("every: = -0.5 ± 1e-09", Every, Near(1e-9, -0.5)),
    ],
)
def test_what_a_claim_asks_is_read(read, asks, quantifier, standard):
    (claim,) = read(asks=f"'{asks}'").claims
    assert (claim.quantifier, claim.standard, claim.quote) == (quantifier, standard, "so")


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        ("c = 10", {("LIN", 10.0), ("RBF", 10.0)}),
        ("kernel ≠ LIN and c <= 0.1", {("RBF", 0.01), ("RBF", 0.1)}),
        ("kernel = RBF or POLY2 and c > 0.1", {("RBF", 1.0), ("RBF", 10.0)}),
        ("c < 0.1 and kernel = LIN", {("LIN", 0.01)}),
        ("c >= 10", {("LIN", 10.0), ("RBF", 10.0)}),
    ],
)
def test_conditions_on_a_cell_are_read(read, where, chosen):
    (claim,) = read(where=f"'{where}'").claims
    values = product(("LIN", "RBF"), (0.01, 0.1, 1.0, 10.0))
    assert {each for each in values if claim.where(dict(zip(("kernel", "c"), each, strict=True)))} == chosen


def test_a_fact_has_its_further_arguments(read):
    fact = "['independence_claims:same_p_values', 'S-KMSE', 'KME']"
    (claim,) = read(measure="", asks="", fact=fact, reading="'a count'").claims
    p = np.array([0.1, 0.2])
    found = claim.finding([Cell({}, {"S-KMSE": p, "KME": p})])
    assert (found.word, found.reading) == ("holds", "a count")


@pytest.mark.parametrize(
    ("changed", "facts"),
    [
        ({"paper": "'Nobody'"}, ("a", "paper", "Nobody", "MONK")),
        ({"study": "'shrinkage:figure_9'"}, ("a", "shrinkage:figure_9")),
        ({"study": "'shrinkages:figure_1'"}, ("a", "shrinkages:figure_1")),
        ({"summary": "'relatives'"}, ("a", "relatives")),
        ({"printed": "'shrinkage:printed'"}, ("a", "shrinkage:printed")),
        ({"remarks_of": "'b'"}, ("a", "remarks_of", "b")),
        ({"remarks_of": "'a'"}, ("a", "remarks_of", "with remarks")),
        ({"lines": "[1]"}, ("row 1", "lines", "str")),
        ({"claims": "[]"}, ("row 1", "claims", "statements")),
    ],
)
def test_an_entry_that_is_not_right_is_refused_by_its_place(read, changed, facts):
    with pytest.raises(Refusal, match=naming("entries.toml", *facts)):
        read(changed)


@pytest.mark.parametrize(
    ("claim", "facts"),
    [
        ({"asks": "'always: < 0'"}, ("it gains", "asks", "every", "always")),
        ({"asks": "'every: below 0'"}, ("it gains", "asks", "no worse than", "below")),
        ({"asks": "'every: < x'"}, ("it gains", "asks", "< x")),
        ({"asks": ""}, ("it gains", "asks", "fact")),
        ({"reading": "'a count'"}, ("it gains", "measure", "reading")),
        ({"measure": "", "asks": "", "where": "'c = 1'", "fact": "['atlas:noise_is_ahead']"}, ("it gains", "fact")),
        ({"fact": "['atlas:noise_is_ahead']"}, ("it gains", "measure", "fact")),
        ({"measure": "['losses', 'S-KMSE']"}, ("it gains", "losses")),
        ({"measure": "['loss']"}, ("it gains", "measure", "arguments", "ours")),
        ({"measure": "['factor', 1]"}, ("it gains", "factor", "Measure", "10")),
        ({"where": "'colour = red'"}, ("it gains", "where", "colour = red")),
        ({"where": "'kernel'"}, ("it gains", "where", "kernel")),
        ({"where": "'kernel = EXP'"}, ("it gains", "kernel = EXP", "RBF")),
        ({"where": "'c <= 1 or 2'"}, ("it gains", "c <= 1 or 2")),
        ({"where": "'c <= one'"}, ("it gains", "number", "one")),
        ({"endless": "'m'"}, ("it gains", "endless", "axis", "m")),
        ({"quantifier": "'every'"}, ("row 1", "statements 1", "claims 1", "quantifier", "asks")),
        ({"says": ""}, ("row 1", "statements 1", "claims 1", "says")),
    ],
)
def test_a_claim_that_is_not_right_is_refused_by_its_place(read, claim, facts):
    with pytest.raises(Refusal, match=naming("entries.toml", *facts)):
        read(**claim)
