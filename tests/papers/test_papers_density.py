"""One randomisation of the tables of fitted densities, the printed numbers, and the claims on both."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import FKMSE, KME, MKME, Gaussian, MixtureDensity, StudentT, load
from explorer.papers.catalogue import ENTRIES
from explorer.papers.density import tables
from explorer.papers.density.claims import difference
from explorer.papers.density.printed import STUDENT, TABLE_1, TABLE_3, smaller
from explorer.papers.entry import Cell
from explorer.papers.shrinkage import T4
from explorer.rng import stream

NAMES = {"KME", "S-KMSE", "F-KMSE", T4, "start", "steps"}


def test_a_cell_of_table_1_is_what_the_front_door_gives():
    found = tables.shrinkage_table_1("wine", "RBF", seed=3, iterations=20)
    assert set(found) == NAMES
    X = load("wine").standardised().X
    order = stream(3, "held out").permutation(178)
    train, test = X[order[53:]], X[order[:53]]  # 30 % of 178 is 53.4
    for name, estimator in (("KME", KME()), ("F-KMSE", FKMSE())):
        fit = MixtureDensity(None, estimator, rng=3, iterations=20).fit(train)
        # the study takes the start in the data's units and back, whose rounding 20 steps make 1e-7
        assert found[name] == pytest.approx(-fit.score(test), rel=1e-5)
        assert found["start"] == pytest.approx(-fit.start_score(test), rel=1e-9)


@pytest.mark.thorough
def test_a_cell_of_the_t_distribution():
    found = tables.student_table(20, 3, seed=1, iterations=10)
    assert set(found) == {*NAMES, "MKME", "MMKME", "truth"}
    A = stream(1, "law").normal(size=(3, 3))
    law = StudentT(5.0, np.zeros(3), A @ A.T)
    train, test = law.sample(20, stream(1, "sample")), law.sample(2000, stream(1, "test"))
    fit = MixtureDensity(Gaussian(), MKME(), rng=1, iterations=10).fit(train)
    assert found["MKME"] == pytest.approx(-fit.score(test), rel=1e-5)  # as above
    # no density has a larger expected log-likelihood than the truth, here by far more than sampling noise
    assert found["truth"] == min(value for name, value in found.items() if name != "steps")


@pytest.mark.thorough
def test_a_bandwidth_is_chosen_without_the_test_rows(monkeypatch):
    """Erratum 14: what is held out changes no choice."""
    chosen = []
    inner = tables.matched_scores

    def seen(train, test, kernel, *rest):
        chosen.append((len(train), len(test), kernel.bandwidth))
        return inner(train, test, kernel, *rest)

    monkeypatch.setattr(tables, "matched_scores", seen)
    found = tables.marginalized_table_3("wine", seed=0, iterations=5, factors="0.25 1")
    assert set(found) == {*NAMES - {"steps"}, "MKME", "MMKME"}
    assert [each[:2] for each in chosen[:2]] == [(83, 42), (83, 42)]  # 125 rows to train with, a third set aside
    assert all(each[:2] == (125, 53) for each in chosen[2:])
    assert chosen[1][2] == pytest.approx(2 * chosen[0][2])


def test_columns():
    assert tables.columns("wine").shape == (178, 13)
    np.testing.assert_allclose(tables.columns("wine").std(axis=0), 1)
    with pytest.raises(ValueError, match=naming("data", "ionosphere")):
        tables.columns("iris")
    with pytest.raises(ValueError, match=naming("kernel", "LIN")):
        tables.shrinkage_table_1("wine", "rbf")
    with pytest.raises(ValueError, match=naming("n", "10")):
        tables.student_table(9, 2)


@pytest.mark.thorough
def test_the_order_on_wine_is_that_of_another_reproduction():
    """The other reproduction has this order on other splits and after 2000 steps.

    Its numbers: start 15.02 < S-KMSE 17.16 < KME 17.23 < F-KMSE by Theorem 4 18.25.
    """
    rows = [tables.shrinkage_table_1("wine", "RBF", seed, iterations=600) for seed in range(4)]
    mean = {name: np.mean([row[name] for row in rows]) for name in rows[0]}
    assert mean["start"] < mean["S-KMSE"] < mean["KME"] < mean[T4]
    # splits move a mean of four by some 0.4
    assert mean["KME"] == pytest.approx(17.23, abs=1.5)
    assert mean["start"] == pytest.approx(15.02, abs=1.5)


@pytest.mark.thorough
@pytest.mark.parametrize("name", dict.fromkeys((*tables.DATA_1, *tables.DATA_3)))
def test_no_column_of_a_set_is_constant(name):
    try:
        X = tables.columns(name, tables.REAL.get(name))
    except FileNotFoundError:
        pytest.skip(f"the file of {name} is not there")
    np.testing.assert_allclose(X.std(axis=0), 1)


# the printed tables ---------------------------------------------------------------------------------------------------


def test_the_printed_tables_are_whole():
    assert len(TABLE_1) == 15 * 4
    assert len(STUDENT) == 12  # six rows over d at n = 100, six over n at d = 10, none of both
    assert len(TABLE_3) == 15
    assert TABLE_1["glass", "RBF"] == {"KME": 8.6167, "S-KMSE": 8.4992, "F-KMSE": 8.2469}
    assert TABLE_1["ionosphere", "LIN"]["S-KMSE"] == 33.0325
    assert STUDENT[100, 5]["MMKME"] == 7.6027
    assert STUDENT[15, 10]["KME"] == 36.1393
    assert TABLE_3["wdbc",]["MMKME"] == 26.6011


def test_erratum_35_counts_the_printed_wins():
    """The counts are over the fifteen rows of paper 001; paper 002 has the same numbers."""
    found = {}
    for kernel in ("LIN", "POLY2", "POLY3", "RBF"):
        rows = {at: row for at, row in TABLE_1.items() if at[1] == kernel}
        found[kernel] = tuple(smaller(rows, name, "KME")[0] for name in ("S-KMSE", "F-KMSE"))
    total = [sum(each[i] for each in found.values()) for i in (0, 1)]
    assert total == [smaller(TABLE_1, name, "KME")[0] for name in ("S-KMSE", "F-KMSE")]
    assert all(k < 15 or n < 15 for k, n in found.values())  # under no kernel do both always win


def test_a_difference_by_hand():
    table = {"a": np.array([1.0, 2.0, 3.0, 0.0]), "b": np.array([2.0, 4.0, 4.0, 1.0])}
    effect = difference(table, "a", "b")
    assert effect.value == pytest.approx(-1.25)
    # Student's 97.5 % point at 3 degrees of freedom, 3.182, times 0.5 / sqrt(4)
    assert effect.high == pytest.approx(-1.25 + 3.1824463 * 0.25, rel=1e-6)
    assert (effect.wins, effect.samples, effect.majority) == (4, 4, False)  # 2 / 2^4 is above 5 %
    many = {name: np.repeat(values, 2) for name, values in table.items()}
    assert difference(many, "a", "b").majority  # 2 / 2^8


def cells_of(axes, **tables):
    return [Cell(axes, {name: np.asarray(values, dtype=float) for name, values in tables.items()})]


def test_claims_follow_the_numbers():
    rng = np.random.default_rng(0)
    plain = 10 + rng.normal(size=10)
    cells = cells_of(
        {"data": "wine", "kernel": "RBF"},
        **{"KME": plain, "S-KMSE": plain - 1, "F-KMSE": plain + 1, T4: plain + 2, "start": plain - 3},
    )
    words = [finding.word for finding in ENTRIES["shrinkage-table-1"].findings(cells)]
    assert words == ["holds", "fails", "fails", "holds", "undecided", "fails", "holds", "undecided"]
    cells = cells_of(
        {"data": "wine"},
        **{"KME": plain, "S-KMSE": plain, T4: plain, "MKME": plain - 1, "MMKME": plain + 1, "start": plain},
    )
    words = [finding.word for finding in ENTRIES["marginalized-table-3"].findings(cells)]
    assert words == ["holds", "fails", "holds", "fails", "holds"]


@pytest.mark.parametrize(
    "name", ["shrinkage-table-1", "marginalized-table-1", "marginalized-table-2", "marginalized-table-3"]
)
def test_printed_numbers_stand_beside_ours(name):
    values = {"data": "wine", "kernel": "RBF", "n": 100, "d": 5}
    names = (*tables.ALL, "start", "truth")
    table = ENTRIES[name].printed([Cell(values, {name: np.array([1.0, 2.0]) for name in names})])
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert "1.50" in table.rows[0]
    assert "none" not in table.rows[0]
