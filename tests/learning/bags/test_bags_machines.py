"""Machines on bags: the support vector machines of points, conditions of the optimum, scikit-learn's conventions."""

import pickle

import numpy as np
import pytest
from helpers.naming import naming
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC, OneClassSVM
from sklearn.utils.validation import check_is_fitted

from explorer import (
    KME,
    MKME,
    SKMSE,
    DistributionRegression,
    Gaussian,
    GaussianMixture,
    LevelTwo,
    Linear,
    OneClassSMM,
    SupportMeasureMachine,
    bag_gram,
)
from explorer.learning.bags.optimum import classifier

KINDS = ["linear", "gaussian", "exponential", "cauchy", "generalized-t", "inverse-multiquadric"]
SCALES = np.tile([1.0, 1.6, 2.4], 12)


def bags(seed=0, sizes=(12, 20), scales=SCALES):
    rng = np.random.default_rng(seed)
    return [scale * rng.normal(size=(rng.integers(*sizes), 2)) for scale in scales]


BAGS, NAMES = bags(), np.tile(["narrow", "middle", "wide"], 12)
TWO = np.where(NAMES == "narrow", 1, 0)
TESTS = bags(1, scales=SCALES[:9])
LEARNERS = {
    "machine": (SupportMeasureMachine(Gaussian(1.0)), NAMES),
    "one class": (OneClassSMM(Gaussian(1.0), LevelTwo("gaussian")), None),
    "regression": (DistributionRegression(Gaussian(1.0), LevelTwo("gaussian"), lam=1e-3), SCALES),
}
every_learner = pytest.mark.parametrize(("model", "y"), LEARNERS.values(), ids=LEARNERS)


def answers(fitted, samples):
    return fitted.decision_function(samples) if hasattr(fitted, "decision_function") else fitted.predict(samples)


# the machine ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("level_two", [LevelTwo(), LevelTwo("gaussian", 0.7)], ids=str)
def test_one_point_a_bag_is_the_support_vector_machine_of_the_points(classes, level_two):
    """Under "gaussian" of the distances sqrt(2 - 2k) of points, the kernel exp(-(1 - k)/s²)."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2)) * 1.3
    y, Z = rng.integers(classes, size=80), rng.normal(size=(30, 2))

    def kernel(A, B):
        K = Gaussian(1.1)(A, B)
        return np.exp(-(1 - K) / 0.7**2) if level_two.of_distances else K

    ours = SupportMeasureMachine(Gaussian(1.1), level_two, C=3.0).fit(X[:, None], y)
    theirs = SVC(C=3.0, kernel=kernel, tol=1e-7).fit(X, y)
    # theirs stops at 1e-7 of the margin, and a decision sums some of these
    np.testing.assert_allclose(ours.decision_function(Z[:, None]), theirs.decision_function(Z), atol=1e-5)
    np.testing.assert_array_equal(ours.predict(Z[:, None]), theirs.predict(Z))
    if not level_two.of_distances:
        plain = SVC(C=3.0, gamma=1 / (2 * 1.1**2), tol=1e-7).fit(X, y)
        np.testing.assert_allclose(ours.decision_function(Z[:, None]), plain.decision_function(Z), atol=1e-5)


def test_gaussians_of_one_covariance_are_points_under_a_wider_kernel():
    rng = np.random.default_rng(0)
    means, y, t = rng.normal(size=(40, 2)), rng.integers(2, size=40), 0.5
    laws = [GaussianMixture([1.0], m[None], t * np.eye(2)) for m in means]
    factor, wide = 1 / (1 + 2 * t), np.sqrt(1 + 2 * t)
    ours = SupportMeasureMachine(Gaussian(1.0), C=2.0 / factor).fit(laws, y)
    theirs = SVC(C=2.0, gamma=1 / (2 * wide**2), tol=1e-7).fit(means, y)
    np.testing.assert_allclose(ours.decision_function(laws), theirs.decision_function(means), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_dual_s_conditions(kind):
    """0 <= a <= C, Σ a_i y_i = 0, y f >= 1 if a = 0, and y f <= 1 if a = C, to the solver's tolerance."""
    machine = SupportMeasureMachine(Gaussian(1.0), LevelTwo(kind), C=5.0).fit(BAGS, TWO)
    signs, a = 2 * TWO - 1, np.zeros(36)
    a[machine.support_] = machine.dual_coef_[0] * signs[machine.support_]
    assert 0 <= a.min() <= a.max() <= 5.0 * (1 + 1e-12)
    assert a @ signs == pytest.approx(0, abs=1e-9)
    margin = signs * machine.decision_function(BAGS)
    assert (margin[a == 0] > 1 - 1e-8).all()
    assert (margin[a > 5.0 * (1 - 1e-9)] < 1 + 1e-8).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_decision_is_the_kernel_expansion(kind):
    """It takes the Gram matrix of all bags at once, and LevelTwo of inner products and squared norms."""
    machine = SupportMeasureMachine(Gaussian(1.0), LevelTwo(kind)).fit(BAGS, TWO)
    G = bag_gram([*BAGS, *TESTS], Gaussian(1.0))
    K = machine.level_two_(G[36:, :36], G.diagonal()[36:], G.diagonal()[:36])
    expected = K[:, machine.support_] @ machine.dual_coef_[0] + machine.intercept_
    np.testing.assert_allclose(machine.decision_function(TESTS), expected, atol=1e-8)


@pytest.mark.parametrize("y", [TWO, NAMES], ids=["two", "three"])
def test_a_bag_that_is_left_out_is_judged_by_a_refit(y):
    """At the bandwidth and the scale of all bags."""
    model = SupportMeasureMachine(Gaussian(1.0), LevelTwo("gaussian"))
    scale = model.replace().fit(BAGS, y).level_two_.scale
    found = model.left_out(BAGS, y)
    for i in (0, 17, 35):
        rest = [j for j in range(36) if j != i]
        fitted = model.replace(level_two=LevelTwo("gaussian", scale)).fit([BAGS[j] for j in rest], y[rest])
        np.testing.assert_allclose(found[i], fitted.decision_function([BAGS[i]])[0], rtol=1e-8, atol=1e-10)
    with pytest.raises(ValueError, match=naming("class", 0, "one bag")):
        model.left_out(BAGS[:3], [0, 1, 1])


def test_a_class_of_two_bags_has_one_left_when_the_other_is_left_out():
    model, y = SupportMeasureMachine(Gaussian(1.0), LevelTwo("linear")), np.array([0, 0, 1, 1])
    found = model.left_out(BAGS[:4], y)
    for i in range(4):
        rest = [j for j in range(4) if j != i]
        fitted = model.replace().fit([BAGS[j] for j in rest], y[rest])
        np.testing.assert_allclose(found[i], fitted.decision_function([BAGS[i]])[0], rtol=1e-8, atol=1e-10)


def test_labels_come_back_as_they_were():
    for y in (NAMES, TWO, TWO.astype(bool), TWO.astype(float), NAMES.astype(object).tolist()):
        machine = SupportMeasureMachine(Gaussian(1.0)).fit(BAGS, y)
        assert set(machine.predict(TESTS)) <= set(np.asarray(y).tolist())
        np.testing.assert_array_equal(machine.classes_, np.unique(y))
        assert machine.score(BAGS, y) == np.mean(machine.predict(BAGS) == np.asarray(y))


def test_the_last_bit_of_the_gram_matrix_moves_no_more_than_itself():
    """A solver alone would stop elsewhere within its tolerance."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)) * 1.3, np.where(rng.random(80) < 0.5, -1.0, 1.0)
    K = Gaussian(1.1)(X)
    found = []
    for _ in range(5):
        noise = rng.uniform(-1e-16, 1e-16, size=K.shape)
        found.append(classifier(K * (1 + noise + noise.T), y, 3.0).weights)
    assert np.ptp(found, axis=0).max() < 1e-11


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e6])
def test_equal_bags_and_every_cost_have_an_answer(C):
    """A singular Gram matrix settles no weights, and the solver's answer stands."""
    twice, labels = [*BAGS[:6], *BAGS[:6]], np.tile(TWO[:6], 2)
    machine = SupportMeasureMachine(Gaussian(1.0), LevelTwo("gaussian"), C=C).fit(twice, labels)
    decision = machine.decision_function(BAGS[:6])
    assert np.isfinite(decision).all()
    np.testing.assert_allclose(machine.decision_function(twice[6:]), decision, rtol=1e-9, atol=1e-12)
    contradiction = SupportMeasureMachine(Gaussian(1.0), C=C).fit([BAGS[0], BAGS[0]], [0, 1])
    assert abs(contradiction.decision_function(BAGS[:1])[0]) < 1e-4
    assert np.isfinite(OneClassSMM(Gaussian(1.0)).fit([BAGS[0]] * 5).decision_function(BAGS)).all()


def test_shrinking_every_bag_alike_is_another_cost():
    """S-KMSE at a given λ multiplies the linear Gram matrix by 1 / (1 + λ)², as C divided by it does."""
    plain = SupportMeasureMachine(Gaussian(1.0), C=4.0).fit(BAGS, TWO)
    shrunk = SupportMeasureMachine(Gaussian(1.0), C=16.0, estimator=SKMSE(lam=1.0)).fit(BAGS, TWO)
    np.testing.assert_allclose(shrunk.decision_function(TESTS), plain.decision_function(TESTS), rtol=1e-8)


# one class -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nu", [0.05, 0.1, 0.3, 0.5, 1.0])
def test_the_one_class_machine(kind, nu):
    machine = OneClassSMM(Gaussian(1.0), LevelTwo(kind), nu).fit(BAGS)
    a, l = machine.weights_, len(BAGS)
    assert a.sum() == pytest.approx(1, abs=1e-12)
    assert a.min() >= 0
    assert a.max() <= 1 / (nu * l) * (1 + 1e-9)
    decision = machine.decision_function(BAGS)
    # what lies on the boundary is known to rounding
    slack = 1e-9 * np.abs(decision + machine.rho_).max()
    assert np.mean(decision < -slack) <= nu + 1e-12 <= np.mean(a > 0) + 2e-12
    G = bag_gram(BAGS, Gaussian(1.0))
    K = machine.level_two_(G, G.diagonal())
    np.testing.assert_allclose(decision, K @ a - machine.rho_, atol=1e-8)
    if nu < 1:  # at 1 scikit-learn refuses, as any ρ from the largest Ka on will do
        theirs = OneClassSVM(kernel="precomputed", nu=nu, tol=1e-8).fit(K)
        np.testing.assert_allclose(decision, theirs.decision_function(K) / (nu * l), atol=2e-5)
    np.testing.assert_allclose(machine.score_samples(BAGS), K @ a, atol=1e-8)
    np.testing.assert_array_equal(machine.fit_predict(BAGS), np.where(decision >= 0, 1, -1))


def test_a_tiny_gram_matrix_is_solved_as_well():
    """Under scikit-learn's absolute tolerance the first iterate would do."""
    machines = [OneClassSMM(Linear(), nu=0.2).fit([u * b + u for b in BAGS]) for u in (1.0, 2.0**-20)]
    np.testing.assert_allclose(machines[1].weights_, machines[0].weights_, atol=1e-9)


def test_it_finds_the_bag_that_is_unlike_the_others():
    rng = np.random.default_rng(3)
    same = [rng.normal(size=(40, 2)) for _ in range(30)]
    ring = rng.normal(size=(40, 2))
    ring *= 2 / np.linalg.norm(ring, axis=1)[:, None]  # each of its points alone would pass
    machine = OneClassSMM(Gaussian(1.0), LevelTwo("gaussian"), nu=0.05).fit(same)
    assert machine.predict([ring]).tolist() == [-1]
    assert machine.score([*same[:5], ring], [1] * 5 + [-1]) >= 5 / 6


def test_one_bag_is_a_class_of_its_own():
    machine = OneClassSMM(Gaussian(1.0)).fit(BAGS[:1])
    np.testing.assert_allclose(machine.decision_function(BAGS[:1]), 0, atol=1e-12)


# what all learners keep ----------------------------------------------------------------------------------------------


@every_learner
def test_other_bags_that_are_asked_about_do_not_matter(model, y):
    """Bandwidth and scale are those of the bags that were learnt from."""
    model = model.replace(kernel=None)
    fitted = model.fit(BAGS, y)
    alone = np.concatenate([answers(fitted, [bag]) for bag in TESTS])
    np.testing.assert_allclose(alone, answers(fitted, TESTS), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(answers(fitted, [*TESTS, 100 * TESTS[0]])[:9], answers(fitted, TESTS), rtol=1e-9)
    assert fitted.kernel_ == Gaussian().select(np.concatenate(BAGS))


@every_learner
def test_the_order_of_the_bags_does_not_matter(model, y):
    order = np.random.default_rng(0).permutation(36)
    first, second = model.fit(BAGS, y), model.replace().fit([BAGS[i] for i in order], None if y is None else y[order])
    np.testing.assert_allclose(answers(second, TESTS), answers(first, TESTS), atol=1e-9)


@every_learner
@pytest.mark.parametrize("estimator", [SKMSE(), MKME()], ids=str)
def test_any_estimator(model, y, estimator):
    fitted = model.replace(estimator=estimator, kernel=None).fit(BAGS[:12], None if y is None else y[:12])
    assert np.isfinite(answers(fitted, TESTS)).all()
    held = model.replace(estimator=estimator.replace(kernel=Gaussian(1.0)), kernel=None)
    assert held.fit(BAGS[:12], None if y is None else y[:12]).kernel_ == Gaussian(1.0)


@every_learner
def test_a_fitted_learner_survives_pickle(model, y):
    fitted = model.fit(BAGS, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again == fitted
    np.testing.assert_array_equal(answers(again, TESTS), answers(fitted, TESTS))


@every_learner
def test_an_array_of_bags_is_a_list_of_them(model, y):
    cube = np.random.default_rng(0).normal(size=(36, 10, 2)) * SCALES[:, None, None]
    np.testing.assert_array_equal(
        answers(model.fit(cube, y), TESTS), answers(model.replace().fit(list(cube), y), TESTS)
    )


# scikit-learn --------------------------------------------------------------------------------------------------------


@every_learner
def test_get_set_and_clone(model, y):
    params = model.get_params()
    assert params["kernel__bandwidth"] == 1.0
    assert set(model.get_params(deep=False)) == set(type(model).fields)
    fitted = model.replace().fit(BAGS, y)
    fresh = clone(fitted)
    assert fresh == fitted
    assert fresh is not fitted
    assert not fresh._learnt()
    with pytest.raises(ValueError, match=naming(type(fresh).__name__, "fit(bags)")):
        fresh.predict(BAGS)
    check_is_fitted(fitted)
    changed = fresh.set_params(kernel=Gaussian(3.0), level_two__kind="cauchy", level_two__scale=2.0)
    assert changed is fresh
    assert fresh == model.replace(kernel=Gaussian(3.0), level_two=LevelTwo("cauchy", 2.0))
    assert fresh.set_params(kernel__bandwidth=None).kernel == Gaussian()
    deep = SupportMeasureMachine(estimator=SKMSE(Gaussian(1.0)))
    assert deep.get_params()["estimator__kernel__bandwidth"] == 1.0
    assert deep.set_params(estimator__kernel__bandwidth=2.0, estimator__lam=0.5).estimator == SKMSE(Gaussian(2.0), 0.5)
    assert fitted == model
    wrongs = ({"gamma": 1}, "gamma"), ({"kernel__gamma": 1}, "gamma"), ({"kernel__bandwidth": -1.0}, "bandwidth")
    for wrong, name in (*wrongs, ({"estimator__lam": 1.0}, "estimator is None")):
        before = fresh.key
        with pytest.raises(ValueError, match=naming(name)):
            fresh.set_params(**wrong)
        assert fresh.key == before
    with pytest.raises(TypeError, match=naming(type(fresh).__name__, "kernel")):
        fresh.kernel = Gaussian(1.0)


def test_what_kind_of_learner_it_is():
    assert is_classifier(LEARNERS["machine"][0])
    assert is_regressor(LEARNERS["regression"][0])
    assert not is_classifier(LEARNERS["one class"][0])


@every_learner
def test_a_pipeline_s_last_step(model, y):
    doubled = FunctionTransformer(lambda samples: [2 * bag for bag in samples])
    line = make_pipeline(doubled, model.replace()).fit(BAGS, y)
    direct = model.replace().fit([2 * bag for bag in BAGS], y)
    np.testing.assert_array_equal(line.predict(TESTS), direct.predict([2 * bag for bag in TESTS]))
    if y is not None:
        assert line.score(BAGS, y) == direct.score([2 * bag for bag in BAGS], y)


@pytest.mark.parametrize("name", ["machine", "regression"])
def test_cross_validation_is_by_hand(name):
    model, y = LEARNERS[name]
    folds = [(np.r_[12:36], np.r_[:12]), (np.r_[:24], np.r_[24:36])]
    scores = cross_val_score(model, BAGS, y, cv=folds)
    for score, (train, test) in zip(scores, folds, strict=True):
        fitted = model.replace().fit([BAGS[i] for i in train], y[train])
        assert score == fitted.score([BAGS[i] for i in test], y[test])
    assert cross_val_predict(model, BAGS, y, cv=3).shape == (36,)


@pytest.mark.parametrize("name", ["machine", "regression"])
@pytest.mark.parametrize("line", [False, True])
def test_a_grid_search_over_parts_and_fields(name, line):
    model, y = LEARNERS[name]
    own = {"machine": ("C", [0.1, 10.0]), "regression": ("lam", [1e-4, 10.0])}[name]
    grid = {"kernel__bandwidth": [0.1, 1.0], "level_two": [LevelTwo(), LevelTwo("cauchy")], own[0]: own[1]}
    if line:
        model = make_pipeline(model.replace())
        grid = {f"{name_of(model)}__{key}": values for key, values in grid.items()}
    search = GridSearchCV(model, grid, cv=2).fit(BAGS, y)
    assert len(search.cv_results_["params"]) == 8
    assert (search.cv_results_["mean_test_score"][0] == search.cv_results_["mean_test_score"]).sum() < 8
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    best = search.best_estimator_
    best = best[-1] if line else best
    assert all(best.get_params()[key.split("__", int(line))[-1]] == v for key, v in search.best_params_.items())
    assert search.predict(TESTS).shape == (9,)


def name_of(line):
    return line.steps[-1][0]


def test_scorers_of_scikit_learn():
    assert cross_val_score(SupportMeasureMachine(Gaussian(1.0)), BAGS, TWO, cv=3, scoring="roc_auc").shape == (3,)
    outside = np.where(NAMES == "wide", -1, 1)
    assert cross_val_score(OneClassSMM(Gaussian(1.0)), BAGS, outside, cv=3, scoring="roc_auc").shape == (3,)
    assert cross_val_score(OneClassSMM(Gaussian(1.0)), BAGS, outside, cv=3).max() <= 1
    scores = cross_val_score(DistributionRegression(), BAGS, SCALES, cv=3, scoring="neg_mean_squared_error")
    assert scores.max() <= 0
    assert KME() == SupportMeasureMachine(estimator=KME()).estimator
