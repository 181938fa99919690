"""Copies of rows within and between tables: counts by brute force, the number due to chance, and the remaining rows."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all

from explorer.comparison import copies
from explorer.comparison.copies import columns_of, copies_of, copies_of_tables
from explorer.comparison.sources import table_of


def rows_of(columns):
    return list(zip(*(np.asarray(column).tolist() for column in columns), strict=True))


def matrix(found):
    return np.column_stack(found) * 1.0


def measured(rng, n, d=3):
    return rng.normal(size=(n, d))


def amounts(rng, n):
    return matrix([np.exp(rng.normal(3, 0.5, n)).round(2), rng.integers(0, 3, n)])


# what is counted


@pytest.mark.parametrize("seed", range(5))
def test_repeats_and_rows_in_both_are_those_of_multisets(seed):
    rng = np.random.default_rng(seed)
    a, b = ([rng.integers(0, 3, n), rng.choice(["u", "v", "<b>&"], n)] for n in (40, 55))
    found = copies_of(a, b)
    one, other = Counter(rows_of(a)), Counter(rows_of(b))
    assert found.rows == (40, 55)
    assert found.repeats == (40 - len(one), 55 - len(other))
    assert found.common == (one & other).total()
    for columns, new, both in ((a, found.new[0], one - other), (b, found.new[1], other - one)):
        assert Counter(row for row, kept in zip(rows_of(columns), new, strict=True) if kept) == both


def test_copies_are_left_out_and_one_of_each_stays():
    rng = np.random.default_rng(0)
    once, b = measured(rng, 100), measured(rng, 80)
    a = rng.permutation(np.concatenate([once, once[:30], once[:10]]))
    found = copies_of(a, b)
    assert found.copies == found.repeats == (40, 0)
    assert found.many
    assert found.shares == (40 / 140, 0)
    assert sorted(a[found.distinct[0]].tolist()) == sorted(once.tolist())
    assert found.distinct[1].all()
    assert (found.common, found.contains) == (0, "")


@pytest.mark.parametrize("times", [2, 3, 8])
def test_a_table_that_was_appended_to_itself(times):
    """One of each set of copies stays, so that rows that were equal by chance stay equal."""
    rng = np.random.default_rng(times)
    once = amounts(rng, 300)
    found = copies_of(rng.permutation(np.tile(once, (times, 1))), amounts(rng, 300))
    assert found.times == (times, 1)
    assert 300 * (times - 1) * 0.85 <= found.copies[0] <= found.repeats[0]
    assert found.distinct[0].sum() == 300
    assert f"{times} times" in found.sentences("a.csv", "b.csv")


def test_a_table_that_contains_the_other_has_new_rows():
    rng = np.random.default_rng(0)
    old, new = measured(rng, 200), measured(rng, 40)
    b = rng.permutation(np.concatenate([old, new]))
    found = copies_of(old, b)
    assert (found.common, found.overlap, found.contains) == (200, 200, "b")
    assert sorted(b[found.new[1]].tolist()) == sorted(new.tolist())
    assert not found.new[0].any()
    assert names_all(found.sentences("a", "b"), "200 of the 240 rows", "b")
    assert copies_of(b, old).contains == "a"
    assert copies_of(old, rng.permutation(old)).contains == "both"
    assert copies_of(old[:150], b[:150]).contains == ""


def test_coarse_tables_contain_each_other_by_chance():
    rng = np.random.default_rng(0)
    few, many = rng.integers(0, 3, (20, 2)), rng.integers(0, 3, (600, 2))
    found = copies_of(few, many)
    assert (found.common, found.overlap, found.contains) == (20, 0, "")
    assert copies_of(few, few).contains == ""


# what chance gives


def brute(columns):
    """Return the largest of B_j B_k / C_jk, and A, from all pairs of rows."""
    different = np.array([column[:, None] != column[None] for column in columns])
    pairs = different[:, *np.triu_indices(len(columns[0]), 1)]
    alone = [np.sum(pairs[j] & (pairs.sum(axis=0) == 1)) for j in range(len(columns))]
    both = {
        (j, k): np.sum(pairs[j] & pairs[k] & (pairs.sum(axis=0) == 2)) for j, k in combinations(range(len(columns)), 2)
    }
    return max(alone[j] * alone[k] / count for (j, k), count in both.items() if count), np.sum(pairs.sum(axis=0) == 0)


@pytest.mark.parametrize("seed", range(3))
def test_chance_is_that_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    once = [rng.choice(list("abcdefghijkl"), 300) for _ in range(3)]
    a = [np.concatenate([column, column[:120]]) for column in once]
    expected, equal = brute(a)
    found = copies_of(a, once)
    assert found.copies[0] == round(found.repeats[0] * (1 - expected / equal))
    assert 60 < found.copies[0] <= found.repeats[0]


def likert(rng, n, d, load):
    z = load * rng.normal(size=(n, 1)) + np.sqrt(1 - load**2) * rng.normal(size=(n, d))
    return np.digitize(z, [-1.2, -0.4, 0.4, 1.2])


def bodies(rng, n, rho):
    z = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n)
    return (z * [9, 11] + [170, 70]).round()


def lookup(rng, n):
    product = rng.choice(80, n, p=np.random.default_rng(0).dirichlet(np.full(80, 3.0)))
    price = np.random.default_rng(1).permutation(1000)[:80]
    return matrix([product, price[product]])


def off(rng, n):
    return np.where(rng.random((n, 1)) < 0.2, 0, rng.normal(size=(n, 4)).round(2))


NULL = {
    "one rating": lambda rng, n: rng.integers(1, 6, (n, 1)),
    "two ratings": lambda rng, n: rng.integers(1, 6, (n, 2)),
    "eight ratings": lambda rng, n: rng.integers(1, 6, (n, 8)),
    "yes and no": lambda rng, n: rng.integers(0, 2, (n, 10)),
    "rarely yes": lambda rng, n: rng.random((n, 10)) < 0.05,
    "correlated answers": lambda rng, n: likert(rng, n, 5, 0.9),
    "two correlated answers": lambda rng, n: likert(rng, n, 2, 0.9),
    "height and weight": lambda rng, n: bodies(rng, n, 0.95),
    "a product and its price": lookup,
    "products bought": lambda rng, n: matrix([*lookup(rng, n).T, rng.poisson(2, n)]),
    "a sensor that is off": off,
    "capped": lambda rng, n: np.minimum(rng.exponential(size=(n, 2)), 1.0).round(2),
    "rounded": lambda rng, n: rng.normal(size=(n, 1)).round(1),
    "ages and sexes": lambda rng, n: matrix([rng.integers(18, 80, n), rng.integers(0, 2, n)]),
    "new identifiers": lambda rng, n: matrix([rng.permutation(n) + rng.integers(10**6), rng.integers(0, 3, n)]),
}


@pytest.mark.parametrize("n", [60, 300])
@pytest.mark.parametrize("kind", NULL)
def test_equal_rows_of_coarse_tables_are_no_copies(kind, n):
    """At a rate of at most 5 %, 12 pairs of tables should be without copies."""
    rng = np.random.default_rng(n)
    for _ in range(12):
        found = copies_of(NULL[kind](rng, n) * 1.0, NULL[kind](rng, n) * 1.0)
        assert (found.copies, found.overlap, found.many, found.contains) == ((0, 0), 0, False, "")
        assert found.distinct[0].all()
        assert found.sentences("a", "b") == ""


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 300, 1000])
@pytest.mark.parametrize("kind", NULL)
def test_copies_by_chance_are_rare(kind, n):
    """If 5 % have copies, more than 18 of 200 pairs of tables have some with a probability below .1 %."""
    rng = np.random.default_rng(1000 + n)
    several = 0
    for _ in range(200):
        found = copies_of(NULL[kind](rng, n) * 1.0, NULL[kind](rng, n) * 1.0)
        several += found.copies != (0, 0) or found.overlap > 0
    assert several <= 18


FINE = {
    "measurements": lambda rng, n: measured(rng, n),
    "a measurement and a kind": lambda rng, n: matrix([rng.normal(size=n), rng.integers(0, 3, n)]),
    "ages and five answers": lambda rng, n: matrix([rng.integers(18, 80, n), *rng.integers(0, 4, (5, n))]),
    "identifiers and answers": lambda rng, n: matrix([rng.permutation(n), *rng.integers(0, 3, (2, n))]),
}


@pytest.mark.parametrize("kind", FINE)
def test_a_tenth_of_the_rows_stands_twice(kind):
    rng = np.random.default_rng(0)
    a, b = FINE[kind](rng, 400), FINE[kind](rng, 400) + 1000
    found = copies_of(np.concatenate([a, a[:40]]), b)
    assert 30 <= found.copies[0] <= 44
    assert found.copies[1] == 0
    assert found.many


def test_an_identifier_that_differs_makes_a_row_of_its_own():
    rng = np.random.default_rng(0)
    a = matrix([np.arange(100) + 500, rng.integers(0, 2, 100)])
    again = a + np.array([100, 0])
    found = copies_of(np.concatenate([a, again]), a)
    assert (found.repeats, found.copies, found.overlap) == ((0, 0), (0, 0), 100)


# what changes nothing


@pytest.mark.parametrize("kind", [measured, amounts])
def test_neither_the_order_of_rows_nor_that_of_columns_matters(kind):
    rng = np.random.default_rng(0)
    a = kind(rng, 200)
    a, b = np.concatenate([a, a[:60]]), np.concatenate([a[:100], kind(rng, 150)])
    found = copies_of(a, b)
    rows, columns = rng.permutation(len(a)), rng.permutation(a.shape[1])
    again = copies_of(a[rows][:, columns], b[::-1][:, columns])
    assert again[:6] == found[:6]
    assert sorted(a[rows][again.new[0]].tolist()) == sorted(a[found.new[0]].tolist())
    assert sorted(a[rows][again.distinct[0]].tolist()) == sorted(a[found.distinct[0]].tolist())
    turned = copies_of(b, a)
    assert turned.repeats == found.repeats[::-1]
    assert turned.copies == found.copies[::-1]
    assert (turned.common, turned.overlap) == (found.common, found.overlap)


def test_gaps_and_zeros_equal_themselves():
    a = [np.array([np.nan, 0.0, 1.5, np.inf]), np.array(["", "u", "u", "v"])]
    b = [np.array([np.nan, -0.0, 1.5, np.inf]), np.array(["", "u", "v", "v"])]
    assert copies_of(a, b).common == 3


def test_a_collision_of_hashes_decides_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    a, b = measured(rng, 50), measured(rng, 60)
    expected = copies_of(a, b)
    real, calls = copies._summed, []

    def summed(columns, rows):
        calls.append(rows)
        return np.zeros(rows, np.uint64) if len(calls) == 1 else real(columns, rows)

    monkeypatch.setattr(copies, "_summed", summed)
    found = copies_of(a, b)
    assert len(calls) == 2
    assert found[:6] == expected[:6]


def test_small_and_constant_tables():
    one = np.array([[1.0, 2.0]])
    assert copies_of(one, one)[:6] == ((1, 1), (0, 0), (0, 0), (1, 1), 1, 0)
    assert copies_of(np.ones((30, 2)), np.ones((20, 2))).copies == (0, 0)
    assert copies_of(np.zeros((0, 2)), one).common == 0
    huge = np.array([[1e308, 1e-310], [-1e308, 0.0], [1e308, 1e-310]])
    assert copies_of(huge, huge).repeats == (1, 1)


# tables as the reader returns them


def test_a_column_that_counts_the_rows_is_no_part_of_a_row():
    rng = np.random.default_rng(0)
    once = pd.DataFrame({"x": rng.normal(size=60), "kind": rng.choice(["u", "v"], 60)})
    twice = pd.concat([once, once]).reset_index(drop=True)
    a, b = (frame.assign(row=np.arange(len(frame)) + 1, ticket=7) for frame in (twice, once))
    tables = [table_of(frame, name) for frame, name in ((a, "a"), (b.rename(columns={"ticket": "other"}), "b"))]
    assert columns_of(*tables) == ("x", "kind")
    found = copies_of_tables(*tables)
    assert found.columns == ("x", "kind")
    assert (found.copies, found.times, found.common) == ((60, 0), (2, 1), 60)
    some = (np.arange(30, 90), np.arange(60))
    found = copies_of_tables(*tables, ["x"], some)
    assert (found.rows, found.common, found.columns) == ((60, 60), 60, ("x",))
