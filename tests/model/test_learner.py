"""Common to all learners: scikit-learn's conventions, columns matched by name, DataFrames as output."""

import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from helpers.naming import naming
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted

from explorer import (
    DICA,
    KME,
    SKMSE,
    BayesianKME,
    BeliefPropagation,
    ConditionalEmbedding,
    CovariateShift,
    CrossCovariance,
    DistributionRegression,
    Gaussian,
    HMMFilter,
    Kernel,
    KernelBayesRule,
    KernelCCA,
    KernelFDA,
    KernelKMeans,
    KernelPCA,
    LevelTwo,
    Linear,
    LocationScaleShift,
    MaximumEntropy,
    MixtureDensity,
    OneClassSMM,
    Product,
    SupportMeasureMachine,
    TargetShift,
    bag_gram,
    bags_of,
    distributional_variance,
)
from explorer.checks import ExplorerWarning
from explorer.estimators import Estimator
from explorer.learner import Transformer
from explorer.parameters import LogNumber, Part

rng = np.random.default_rng(0)
P, Q = (pd.DataFrame(rng.normal(size=(24, 3)) + shift, columns=["a", "b", "c"]) for shift in (0, 0.3))
Y, SIDES = P["a"].to_numpy() ** 2, np.arange(24) % 2
BAGS, OF_BAGS = [P[i : i + 4] for i in range(0, 24, 4)], np.arange(6) % 2
LIBRARIES = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


def bayes(X):
    return KernelBayesRule(None, Gaussian(1.0), 0.1, 0.1).fit(X, Y, KME(Gaussian(1.0)).embed(Y))


def beliefs(X):
    return BeliefPropagation([("a", "b")], {"a": None, "b": None}, 0.1).fit({"a": X, "b": Y})


# what is learnt from a table in the order a, b, c, and its message for another one
MEETINGS = {
    "KernelPCA.transform": (KernelPCA(n_components=2).fit, KernelPCA.transform),
    "KernelPCA.reconstruction_error": (KernelPCA(n_components=2).fit, KernelPCA.reconstruction_error),
    "KernelPCA.pre_image": (KernelPCA(n_components=2).fit, KernelPCA.pre_image),
    "CrossCovariance.left": (lambda X: CrossCovariance().fit(X, Y), CrossCovariance.left),
    "CrossCovariance.right": (lambda X: CrossCovariance().fit(Y, X), CrossCovariance.right),
    "CrossCovariance": (lambda X: CrossCovariance().fit(X, Y), lambda fit, Z: fit(Z, Y)),
    "KernelCCA.transform": (lambda X: KernelCCA(lam=0.1).fit(X, Y), KernelCCA.transform),
    "KernelCCA.transform, Y": (lambda X: KernelCCA(lam=0.1).fit(Y, X), lambda fit, Z: fit.transform(Y=Z)),
    "ConditionalEmbedding.predict": (lambda X: ConditionalEmbedding(lam=0.1).fit(X, Y), ConditionalEmbedding.predict),
    "ConditionalEmbedding.weights": (lambda X: ConditionalEmbedding(lam=0.1).fit(X, Y), ConditionalEmbedding.weights),
    "ConditionalEmbedding.embed": (
        lambda X: ConditionalEmbedding(lam=0.1).fit(X, Y),
        lambda fit, Z: fit.embed(Z[:1]).weights,
    ),
    "ConditionalEmbedding.score": (lambda X: ConditionalEmbedding(lam=0.1).fit(X, Y), lambda fit, Z: fit.score(Z, Y)),
    "KernelBayesRule.embed": (bayes, lambda fit, Z: fit.embed(Z[:1]).weights),
    "HMMFilter.filter": (lambda X: HMMFilter(None, None, 0.1, 0.1).fit(Y, X), HMMFilter.filter),
    "BeliefPropagation.marginal": (beliefs, lambda fit, Z: fit.marginal("b", {"a": Z[:1]}).weights),
    "KernelKMeans.predict": (KernelKMeans(3, rng=0).fit, KernelKMeans.predict),
    "MixtureDensity.logpdf": (MixtureDensity(n_components=2, rng=0, starts=2).fit, MixtureDensity.logpdf),
    "SupportMeasureMachine": (
        lambda X: SupportMeasureMachine().fit(bags_of(X, SIDES * 2 + np.arange(24) // 12), [0, 1, 0, 1]),
        lambda fit, Z: fit.decision_function([Z]),
    ),
    "DistributionRegression": (
        lambda X: DistributionRegression().fit(bags_of(X, np.arange(24) // 4), OF_BAGS),
        lambda fit, Z: fit.predict([Z]),
    ),
    "OneClassSMM": (
        lambda X: OneClassSMM().fit(bags_of(X, np.arange(24) // 4)),
        lambda fit, Z: fit.decision_function([Z]),
    ),
    "bags to learn from": (
        lambda X: X,
        lambda X, Z: OneClassSMM().fit([X, Z, *bags_of(X, SIDES)]).weights_,
    ),
    "bag_gram": (lambda X: X, lambda X, Z: bag_gram([X, Z], None)),
    "bag_gram, other": (lambda X: X, lambda X, Z: bag_gram([X], None, [Z])),
    "BayesianKME.posterior": (lambda X: X, lambda X, Z: BayesianKME().posterior(X, Z)[1]),
    "distributional_variance": (lambda X: X, lambda X, Z: distributional_variance([X, Z])),
    "CovariateShift": (lambda X: X, lambda X, Z: CovariateShift().fit(X, Z).weights_),
    "CovariateShift.weights": (lambda X: CovariateShift().fit(X, 2 * P.to_numpy()), CovariateShift.weights),
    "TargetShift": (lambda X: X, lambda X, Z: TargetShift().fit(X, SIDES, Z).weights_),
    "LocationScaleShift": (lambda X: X, lambda X, Z: LocationScaleShift().fit(X, SIDES, Z).shift_),
    "LocationScaleShift.transform": (
        lambda X: LocationScaleShift().fit(X, SIDES, X),
        lambda fit, Z: fit.transform(Z, SIDES),
    ),
    "KernelFDA.transform": (lambda X: KernelFDA(lam=0.1).fit(X, SIDES), KernelFDA.transform),
    "DICA.transform": (lambda X: DICA().fit(X, SIDES), DICA.transform),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", MEETINGS)
def test_columns_meet_by_name(name, library):
    learn, says = MEETINGS[name]
    there = LIBRARIES[library]
    learnt = learn(there(P))
    np.testing.assert_array_equal(says(learnt, there(Q[["c", "a", "b"]])), says(learnt, there(Q)))
    for other, said in (
        (Q[["b", "a"]], ["'c'"]),
        (Q.assign(d=1.0), ["'d'"]),
        (Q.rename(columns={"c": "z"}), ["'c'", "'z'"]),
    ):
        with pytest.raises(ValueError, match=naming(*said, "'a', 'b', 'c'")):
            says(learnt, there(other))
    if name != "BeliefPropagation.marginal":  # arrays and tables without names are compared by position
        np.testing.assert_array_equal(says(learnt, Q.to_numpy()), says(learnt, there(Q)))


def test_a_grid_meets_by_name():
    model, two = MaximumEntropy(Gaussian(1.0), 0.3), P[["a", "b"]]
    fit = model.replace().fit(two)
    np.testing.assert_array_equal(fit.logpdf(two[["b", "a"]]), fit.logpdf(two))
    grid = pd.DataFrame(fit.grid_, columns=["a", "b"])
    np.testing.assert_array_equal(model.replace().fit(two, grid[["b", "a"]]).density_, fit.density_)


@pytest.mark.parametrize(
    "embedding",
    [
        KernelPCA(n_components=2).fit(P).component(1),
        KernelPCA(n_components=2).fit(P).reconstruction([1.0, 0.5]),
        DICA().fit(P, SIDES).component(0),
        CrossCovariance().fit(P, Y).left_embedding(0),
        KernelCCA(lam=0.1).fit(Y, P).right_embedding(0),
        ConditionalEmbedding(lam=0.1).fit(Y, P).embed(0.5),
        KernelBayesRule(None, Gaussian(1.0), 0.1, 0.1).fit(Y, P, KME(Gaussian(1.0)).embed(P)).embed(0.5),
        beliefs(P).marginal("a", {"b": 1.0}),
        KernelKMeans(2, rng=0).fit(P).means_[0],
        MixtureDensity(n_components=2, rng=0, starts=1, iterations=3).fit(P).embedding_,
        CovariateShift().fit(P, Q).embedding_,
    ],
)
def test_what_it_gives_knows_its_columns(embedding):
    assert embedding.columns == ("a", "b", "c")
    np.testing.assert_array_equal(embedding(Q[["b", "c", "a"]]), embedding(Q.to_numpy()))


def test_fields_of_a_structured_array_are_columns():
    kinds = np.dtype([(name, float) for name in "abc"])
    fields = [np.array(list(map(tuple, frame.to_numpy())), dtype=kinds) for frame in (P, Q)]
    pca = KernelPCA(n_components=2).fit(fields[0])
    assert pca.n_features_in_ == 3
    np.testing.assert_array_equal(pca.transform(fields[1][["c", "a", "b"]]), pca.transform(Q))
    with pytest.raises(ValueError, match=naming("Z", "'b'")):
        pca.transform(fields[1][["a", "c"]])


def test_warnings_name_the_column():
    stamps = P.assign(b=1.7e18 + 512 * np.arange(24))
    for act in (
        lambda: KernelPCA(n_components=1).fit(stamps),
        lambda: CrossCovariance().fit(stamps, Y),
        lambda: DICA().fit(stamps, SIDES),
        lambda: CovariateShift(bound=2.0).fit(stamps, stamps),
    ):
        with pytest.warns(ExplorerWarning, match="column 'b' of X"):
            act()
    still = P.assign(b=np.where(SIDES, P["b"], 1.0))
    with pytest.warns(ExplorerWarning, match=naming("'b'", "X", "0")):
        LocationScaleShift().fit(still, SIDES, P)


def test_a_warning_points_to_the_line_that_asked():
    with pytest.warns(ExplorerWarning) as told:
        KernelPCA(Linear(), n_components=20).fit(P)
    assert told[0].filename == __file__


def test_names_are_those_of_the_last_fit():
    pca = KernelPCA(n_components=2)
    assert not hasattr(pca, "feature_names_in_")
    assert not hasattr(pca, "n_features_in_")
    assert pca.fit(P).feature_names_in_.tolist() == ["a", "b", "c"]
    assert pca.n_features_in_ == 3
    for kept in (pickle.loads(pickle.dumps(pca)), copy.deepcopy(pca)):
        assert kept.feature_names_in_.tolist() == ["a", "b", "c"]
        np.testing.assert_array_equal(kept.transform(P[["b", "c", "a"]]), pca.transform(P))
    assert pca.fit(P[["b", "a"]]).feature_names_in_.tolist() == ["b", "a"]
    assert pca.fit(P.to_numpy()).n_features_in_ == 3
    assert not hasattr(pca, "feature_names_in_")  # an array has none
    assert not hasattr(KernelPCA().fit(pd.DataFrame(P.to_numpy())), "feature_names_in_")  # 0, 1, 2 only count
    sides = KernelCCA(lam=0.1).fit(P, Q.rename(columns=str.upper))
    assert sides.feature_names_in_.tolist() == ["a", "b", "c"]
    assert sides.columns_ == {"X": ("a", "b", "c"), "Y": ("A", "B", "C")}
    assert OneClassSMM().fit(BAGS).n_features_in_ == 3


def test_a_refused_fit_leaves_the_names():
    pca = KernelPCA(n_components=2).fit(P)
    with pytest.raises(ValueError, match=naming("2")):
        pca.fit(P[["b"]][:1])
    assert pca.feature_names_in_.tolist() == ["a", "b", "c"]


# parts ---------------------------------------------------------------------------------------------------------------


class Cauchy(Kernel):
    """One of a user's own, as the recipe makes it."""

    bounded = True
    scale: float = LogNumber(default=1.0, bounds=(0, None), doc="how far it reaches")

    def pairs(self, X, Y=None):
        return ((X[:, None] - (X if Y is None else Y)) ** 2).sum(axis=2)

    def of_pairs(self, S):
        return 1 / (1 + S / self.scale**2)

    def diagonal(self, X):
        return np.ones(len(self.points(X)))


class Halved(Estimator):
    """Half of the average, or another share of it."""

    share: float = LogNumber(default=0.5, bounds=(0, 1), doc="how much is left")
    base: Estimator = Part(class_=Estimator, default=KME(), allow_None=False, doc="of what")

    def embed(self, X):
        return self.share * self.base.replace(kernel=self.kernel).embed(X)


@pytest.mark.parametrize(
    "model",
    [
        Gaussian(1.0),
        Cauchy(2.0),
        2.0 * Gaussian() + Linear(),
        Product({0: Gaussian(), (1, 2): Linear()}),
        KME(Cauchy()),
        SKMSE(Gaussian(1.0), 0.5),
        Halved(Gaussian(1.0)),
        LevelTwo("cauchy"),
        KernelPCA(Cauchy(), covariance=SKMSE(lam=0.1)),
        CovariateShift(Gaussian(1.0)),
        SupportMeasureMachine(estimator=Halved(Cauchy())),
    ],
    ids=repr,
)
def test_a_clone_is_equal_and_shares_nothing_that_changes(model):
    fresh = clone(model)
    assert fresh == model
    assert fresh is not model
    before = model.key
    for name, value in model.get_params().items():
        if isinstance(value, float):
            fresh.set_params(**{name: value / 2})
            assert fresh.get_params()[name] == value / 2
    assert model.key == before
    with pytest.raises(ValueError, match=naming("gamma")):
        fresh.set_params(gamma=1)
    with pytest.raises(TypeError, match=naming(type(fresh).__name__)):
        setattr(fresh, next(iter(type(fresh).fields)), None)


def test_parts_of_parts_are_searched():
    deep = SupportMeasureMachine(estimator=Halved(Cauchy(), base=KME()))
    assert deep.get_params()["estimator__kernel__scale"] == 1.0
    assert deep.set_params(estimator__kernel__scale=3.0, estimator__share=0.1).estimator == Halved(Cauchy(3.0), 0.1)
    line = make_pipeline(StandardScaler(), KernelPCA(Cauchy(), n_components=3), LogisticRegression())
    grid = {"kernelpca__kernel__scale": [0.5, 2.0], "kernelpca__n_components": [1, None]}
    search = GridSearchCV(line, grid, cv=3).fit(P.to_numpy(), SIDES)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_[1].kernel_ == Cauchy(search.best_params_["kernelpca__kernel__scale"])
    theirs = GridSearchCV(SVC(kernel=Gaussian(1.0)), {"kernel__bandwidth": [0.5, 2.0]}, cv=3).fit(P, SIDES)
    assert theirs.best_estimator_.kernel.bandwidth == theirs.best_params_["kernel__bandwidth"]


def test_parts_of_a_default_are_searched():
    """A kernel that is None stands for Gaussian()."""
    line = make_pipeline(StandardScaler(), KernelPCA(n_components=3), LogisticRegression())
    search = GridSearchCV(line, {"kernelpca__kernel__bandwidth": [0.5, 2.0]}, cv=3).fit(P.to_numpy(), SIDES)
    assert search.best_estimator_[1].kernel_ == Gaussian(search.best_params_["kernelpca__kernel__bandwidth"])


@pytest.mark.parametrize(
    ("learner", "grid", "samples"),
    [
        (ConditionalEmbedding(Gaussian(1.0)), {"lam": [0.1, 1.0], "kernel_x__bandwidth": [0.5, 1.0]}, (P, Y)),
        (KernelKMeans(rng=0, starts=2), {"n_clusters": [1, 2]}, (P,)),
        (MixtureDensity(rng=0, starts=1, iterations=5), {"n_components": [1, 2]}, (P,)),
        (MaximumEntropy(Gaussian(1.0), 0.2), {"eps": [0.2, 0.3]}, (P[["a"]],)),
        (OneClassSMM(Gaussian(1.0)), {"kernel__bandwidth": [0.5, 1.0]}, (BAGS, [1, -1] * 3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_a_score_is_searched(learner, grid, samples):
    search = GridSearchCV(learner, grid, cv=2).fit(*samples)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_estimator_ == learner.replace().set_params(**search.best_params_)


# pipelines and what they give ----------------------------------------------------------------------------------------


def test_a_pipeline_of_transformers():
    X = P.to_numpy()
    line = make_pipeline(StandardScaler(), KernelPCA(n_components=2))
    scores = line.fit_transform(X)
    np.testing.assert_array_equal(scores, line.fit(X, SIDES).transform(X))
    np.testing.assert_array_equal(scores, KernelPCA(n_components=2).fit_transform(StandardScaler().fit_transform(X)))
    weighed = line.fit(X, kernelpca__weights=SIDES).transform(X)
    there = line[0].transform(X)
    direct = KernelPCA(n_components=2).fit(there, weights=SIDES).transform(there)
    np.testing.assert_array_equal(weighed, direct)
    assert "KernelPCA(n_components=2)" in repr(line)
    assert make_pipeline(StandardScaler(), DICA()).fit(X, SIDES).transform(X).shape == (24, 2)
    assert make_pipeline(StandardScaler(), KernelKMeans(2, rng=0)).fit_predict(X).shape == (24,)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_come_out_where_they_are_asked_for(library):
    frame = {"pandas": pd, "polars": pl}[library].DataFrame
    indexed = P.set_index(np.arange(100, 124))
    for model, fit, names in (
        (KernelPCA(n_components=2), (indexed,), ["kernelpca0", "kernelpca1"]),
        (DICA(n_components=1), (indexed, SIDES), ["dica0"]),
        (LocationScaleShift(), (indexed, SIDES, Q), ["a", "b", "c"]),
    ):
        plain = model.replace().fit(*fit).transform(*fit[:2] if model == LocationScaleShift() else fit[:1])
        asked = model.replace().set_output(transform=library)
        scores = asked.fit_transform(*fit)
        assert isinstance(scores, frame)
        assert list(scores.columns) == names == asked.get_feature_names_out().tolist()
        np.testing.assert_array_equal(scores.to_numpy(), plain)
        if library == "pandas":
            assert scores.index.tolist() == indexed.index.tolist()
        for kept in (clone(asked).fit(*fit), pickle.loads(pickle.dumps(asked))):
            assert isinstance(kept.transform(*fit[:2] if model == LocationScaleShift() else fit[:1]), frame)
        assert isinstance(asked.set_output(transform="default").fit_transform(*fit), np.ndarray)
    left, right = KernelCCA(lam=0.1).set_output(transform=library).fit_transform(P, Q)
    assert list(left.columns) == list(right.columns) == ["kernelcca0", "kernelcca1"]
    pca = KernelPCA(n_components=2).set_output(transform=library).fit(P)  # what it asks itself is an array still
    assert pca.reconstruction_error(P).shape == (24,)
    assert pca.pre_image(P[:2], method="regression").shape == (2, 3)


def test_frames_by_scikit_learn_s_own_setting():
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(KernelPCA(n_components=2).fit_transform(P), pd.DataFrame)
    assert isinstance(KernelPCA(n_components=2).fit_transform(P), np.ndarray)
    both = ColumnTransformer([("pca", KernelPCA(n_components=1), ["c", "a"])], remainder="passthrough")
    assert both.set_output(transform="pandas").fit_transform(P).columns.tolist() == ["pca__kernelpca0", "remainder__b"]


def test_names_out_are_refused_where_they_make_no_sense():
    pca = KernelPCA(n_components=2)
    with pytest.raises(NotFittedError, match="data"):
        pca.get_feature_names_out()
    with pytest.raises(ValueError, match=naming("input_features", "feature_names_in_")):
        pca.fit(P).get_feature_names_out(["a", "b", "d"])
    with pytest.raises(ValueError, match=naming("'default'", "'pandas'", "'polars'")):
        pca.set_output(transform="arrow")
    shift = LocationScaleShift().fit(P.to_numpy(), SIDES, Q.to_numpy())
    assert shift.get_feature_names_out().tolist() == ["x0", "x1", "x2"]
    assert shift.get_feature_names_out(["u", "v", "w"]).tolist() == ["u", "v", "w"]


# a learner to come ---------------------------------------------------------------------------------------------------


class Distances(Transformer):
    """The distance from the mean."""

    def fit(self, X, y=None):
        self.mean_ = np.asarray(X).mean(axis=0)
        return self

    def transform(self, Z):
        return np.linalg.norm(np.asarray(Z) - self._fitted().mean_, axis=1)[:, None]

    @property
    def _n_outputs(self):
        return 1


def test_a_new_learner_has_all_of_it_by_construction():
    fit = Distances().fit(P)
    np.testing.assert_array_equal(fit.transform(Q[["c", "b", "a"]]), fit.transform(Q))
    with pytest.raises(ValueError, match=naming("'c'")):
        fit.transform(Q[["a", "b"]])
    assert fit.n_features_in_ == 3
    check_is_fitted(fit)
    assert not clone(fit)._learnt()
    assert make_pipeline(StandardScaler(), Distances()).set_output(transform="pandas").fit(P).transform(P).shape == (
        24,
        1,
    )


def test_scikit_learn_is_loaded_by_those_who_use_it():
    code = (
        "import sys, explorer\n"
        "pca = explorer.KernelPCA(n_components=1)\n"
        "try: pca.transform([[1.0]])\n"
        "except ValueError as error: print(error)\n"
        "pca.get_params(), pca.set_params(n_components=2).fit_transform([[0.0], [1.0], [3.0]])\n"
        "print('sklearn' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split("\n")
    assert re.search(naming("fit(X)"), said[0])
    assert said[1] == "False"


def test_who_has_not_learnt_says_so_to_scikit_learn():
    with pytest.raises(NotFittedError) as caught:
        KernelKMeans(rng=0).predict(P)
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
