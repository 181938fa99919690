"""Ordered scales in a comparison: their statistic by brute force, its power, their pairs and their pictures."""

import numpy as np
import pandas as pd
import pytest

from explorer import compare, read_tables
from explorer.comparison.columns import ColumnTests, changes, scores_of
from explorer.comparison.pictures import plot_data
from explorer.comparison.resamples import Resamples
from explorer.datasets.columns.treatment import ColumnTreatment
from explorer.discrepancy.columns.scores import level_scores, number_scores, scale_scores
from explorer.discrepancy.columns.ties import Ties

STEPS = ("never", "rarely", "sometimes", "often", "always")


def survey(rng, n, shares=(0.2, 0.2, 0.2, 0.2, 0.2)):
    return pd.DataFrame({"x": rng.choice(STEPS, n, p=shares), "y": rng.normal(size=n)})


@pytest.mark.parametrize("answers", [5, 4])
def test_scores_are_those_of_numbers_and_of_levels_with_equal_deviations(answers):
    """The last level is not a step if there are four answers: its rows have the mean score of the others."""
    rng = np.random.default_rng(0)
    codes = rng.choice(5, 400, p=[0.1, 0.4, 0.2, 0.2, 0.1]).astype(float)
    column = ColumnTreatment("x", "category", levels=STEPS, ordered=answers)
    on = codes < answers
    numbers = np.zeros((400, 5))
    numbers[on] = number_scores(Ties.of(codes[on]).ranks())
    numbers[on] -= numbers[on].mean(axis=0)
    numbers /= np.sqrt(np.linalg.norm(numbers.T @ numbers / 400))
    levels = level_scores(codes, 5)
    levels /= np.sqrt(np.linalg.norm(np.cov(levels.T, bias=True)))
    np.testing.assert_allclose(scores_of(codes, column), np.hstack([numbers, levels]), rtol=1e-9, atol=1e-12)


def test_a_scale_turned_round_has_the_same_statistic():
    rng = np.random.default_rng(1)
    codes = rng.choice(5, 200, p=[0.1, 0.4, 0.2, 0.2, 0.1])
    shares = np.bincount(codes) / 200
    apart = [
        scale_scores(p, 5)[z[:90]].mean(axis=0) - scale_scores(p, 5)[z[90:]].mean(axis=0)
        for p, z in ((shares, codes), (shares[::-1], 4 - codes))
    ]
    assert np.sum(apart[0] ** 2) == pytest.approx(np.sum(apart[1] ** 2))


def test_levels_that_do_not_occur_change_nothing():
    few, more = scale_scores(np.array([0.2, 0.5, 0.3]), 3), scale_scores(np.array([0.2, 0.0, 0.5, 0.3]), 4)
    np.testing.assert_allclose((more @ more.T)[np.ix_([0, 2, 3], [0, 2, 3])], few @ few.T, atol=1e-12)
    assert np.isfinite(scale_scores(np.array([1.0, 0.0]), 2)).all()
    assert np.isfinite(scale_scores(np.array([0.0, 1.0]), 1)).all()


def test_a_shift_and_a_change_of_one_level_are_both_seen():
    rng = np.random.default_rng(2)
    a = survey(rng, 800)

    def change(shares):
        tables = read_tables([a, survey(rng, 800, shares)])
        P = np.concatenate([one.X for one in tables])
        tests = ColumnTests.of(P, tables, Resamples(800, 800, 99, 0))
        return changes(tables, P[:800], P[800:], tests, 0.05)[0]

    shifted, middle = change([0.12, 0.16, 0.2, 0.24, 0.28]), change([0.165, 0.165, 0.34, 0.165, 0.165])
    assert max(shifted.adjusted, middle.adjusted) <= 0.05
    assert shifted.superiority > 0.55
    assert middle.superiority == pytest.approx(0.5, abs=0.05)
    assert (middle.moves, middle.levels[0][0]) == (False, "sometimes")


def test_answers_that_are_no_steps_are_a_level_and_have_no_rank():
    rng = np.random.default_rng(3)
    a, b = (survey(rng, 200) for _ in range(2))
    b.loc[:59, "x"] = "don't know"
    column = compare(a, b, n_resamples=199, rng=0).columns[0]
    assert column.shares["don't know"] == (0, 0.3)
    assert column.adjusted <= 0.05
    assert column.superiority == pytest.approx(0.5, abs=0.06)
    assert set(column.middle) <= set(STEPS)


def test_pairs_go_by_ranks():
    rng = np.random.default_rng(4)
    a, b = (survey(rng, 80) for _ in range(2))
    b["x"] = np.array(STEPS)[np.clip(np.round(b["y"] + 2), 0, 4).astype(int)]
    (pair,) = compare(a, b, n_resamples=99, rng=0).pairs
    assert pair.measure == "Spearman's rank correlation"
    assert pair.after > 0.8 > abs(pair.before) + 0.5


def test_pictures_show_steps_in_order():
    rng = np.random.default_rng(5)
    found = compare(survey(rng, 60), survey(rng, 60), n_resamples=19, rng=0)
    assert list(plot_data(found, found.columns[0]).numbers["levels"]["words"]) == list(STEPS)


def test_what_would_be_found_of_a_scale_is_a_share():
    rng = np.random.default_rng(6)
    found = compare(survey(rng, 200), survey(rng, 200), n_resamples=199, rng=0)
    first = found.detectable[0]
    assert (first.shift, first.value in STEPS) == (None, True)
    assert 0.05 < first.share < 0.3


def test_files_in_pieces_have_the_same_scale(tmp_path, monkeypatch):
    import explorer.comparison.inputs as reading

    rng = np.random.default_rng(7)
    paths = [tmp_path / f"{name}.csv" for name in "ab"]
    for path in paths:
        survey(rng, 300).to_csv(path, index=False)
    whole = compare(*paths, n_resamples=19, rng=0)
    monkeypatch.setattr(reading, "is_large", lambda path: True)
    pieces = compare(*paths, order={"x": list(STEPS)}, n_resamples=19, rng=0)
    assert whole.columns[0].shares == pieces.columns[0].shares
    assert (list(pieces.columns[0].shares), pieces.columns[0].ordered) == (list(STEPS), True)
