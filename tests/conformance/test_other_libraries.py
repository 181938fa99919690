"""Names, keywords and words of other libraries get a sentence that names ours, everywhere in the public API."""

import importlib
import inspect
import pickle
import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from kernels_and_estimators import PUBLIC

import explorer
from explorer import (
    KME,
    BeliefPropagation,
    Delta,
    Embedding,
    Energy,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Matern,
    SupportMeasureMachine,
    mmd2,
    mmd_test,
)
from explorer.model import Model
from explorer.parameters import Part, Seed
from explorer.public_names.synonyms import attribute, explain_wrong_calls, ours_by_word, unknown_keyword_message

NAMES, KERNELS, ESTIMATORS = map(ours_by_word, ("names", "kernels", "estimators"))
RENAMED = {word: ours.split() for word, ours in ours_by_word("renamed").items()}
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 2)), RNG.normal(size=(12, 2)) + 1
FUNCTIONS = {name: thing for name, thing in PUBLIC.items() if inspect.isfunction(thing)}
MODELS = {name: thing for name, thing in PUBLIC.items() if isinstance(thing, type) and issubclass(thing, Model)}
REQUIRED = {  # arguments that have no default
    "KernelBayesRule": {"kernel_x": None, "kernel_y": None, "lam": 0.1, "lam_posterior": 0.1},
    "HMMFilter": {"kernel_state": None, "kernel_obs": None, "lam": 0.1, "lam_posterior": 0.1},
    "BeliefPropagation": {"edges": [("a", "b")], "kernels": {"a": None, "b": None}, "lam": 0.1},
    "MaximumEntropy": {"kernel": None, "eps": 0.1},
    "Landmarks": {"kernel": Gaussian(1.0), "landmarks": [[0.0]]},
    "FourierFeatures": {"kernel": Gaussian(1.0), "frequencies": [[1.0]]},
    "GaussianMixture": {"weights": [1.0], "means": [[0.0]], "covariances": [[1.0]]},
    "StudentT": {"df": 5.0, "mean": [0.0], "covariance": [[1.0]]},
    "Pareto": {"shape": 3.0},
    "Precomputed": {"gram": [[1.0]]},
    "Product": {"factors": {0: Gaussian(1.0)}},
}
PEOPLE_KNOW = (
    "MMD RBF HSIC energy_distance median_heuristic Nystroem KernelMean MMDTest gaussian_kernel SVM SVC RBFSampler"
    " rbf_kernel laplacian_kernel MMDDrift RBFKernel MaternKernel GaussianProcessRegressor KernelRidge OneClassSVM"
    " Dcorr KMeans PCA KernelDensity mmd hsic_gamma distance_correlation DisCo KSample maximum_mean_discrepancy"
    " kernel_mean mean_embedding rff MedianHeuristic"
).split()


def sentence_of(call):
    with pytest.raises(TypeError) as caught:
        call()
    return str(caught.value)


def is_ours(code):
    """Return whether a dotted name that a sentence calls is a public one."""
    thing = explorer
    for part in code.removeprefix("explorer.").split("."):
        thing = getattr(thing, part)
    return callable(thing)


@pytest.mark.parametrize("name", PEOPLE_KNOW)
def test_a_name_that_people_know_gets_one_sentence_that_names_ours(name):
    assert not hasattr(explorer, name)
    with pytest.raises(AttributeError) as caught:
        getattr(explorer, name)
    said = str(caught.value)
    assert said.startswith(f"explorer has no {name}; ")
    named = re.findall(r"(explorer(?:\.\w+)+|(?<![\w.])[A-Za-z]\w+)(?=[(.]|\?)", said.partition("; ")[2])
    assert any(each in PUBLIC or each.startswith("explorer.discrepancy.") for each in named)
    assert len(re.findall(r"[.?](?= |$)", said)) == 1
    with pytest.raises(ImportError, match=re.escape(said)):
        exec(f"from explorer import {name}", {})


@pytest.mark.parametrize("ours", sorted({*NAMES.values()}))
def test_a_sentence_for_a_foreign_name_calls_only_what_there_is(ours):
    calls = re.findall(r"(?<![\w.)])((?:explorer\.)?[A-Za-z][\w.]*)\(", ours)
    assert all(is_ours(each) for each in calls if each not in ("kernel", "exp", "N", "help"))


@pytest.mark.parametrize(("misspelt", "right"), [("Gausian", "Gaussian"), ("mmd_tets", "mmd_test"), ("kme", "KME")])
def test_a_misspelt_name_gets_the_nearest(misspelt, right):
    with pytest.raises(AttributeError, match=rf"^explorer has no {misspelt}; did you mean {right}\?$"):
        getattr(explorer, misspelt)


def test_a_name_like_none_of_ours_is_sent_to_help():
    with pytest.raises(AttributeError, match=naming("explorer", "qqqq", "help(explorer)")):
        attribute("qqqq", lambda: {name: getattr(explorer, name) for name in dir(explorer)})


def test_the_packages_are_attributes_whether_they_are_loaded_or_not():
    for name in ("kernels", "checks", "papers", "workbench", "labs"):
        assert getattr(explorer, name) is importlib.import_module(f"explorer.{name}")


def test_completion_lists_public_names_alone():
    names = [name for name in dir(explorer) if not name.startswith("_")]
    assert names == sorted(PUBLIC)
    assert not any(inspect.ismodule(getattr(explorer, name)) for name in names)


def test_energy_distance_is_what_its_sentence_says():
    """2 E|X - Y| - E|X - X'| - E|Y - Y'| over all pairs, computed in full."""

    def mean(A, B):
        return np.mean([np.linalg.norm(a - b) for a in A for b in B])

    direct = 2 * mean(X, Y) - mean(X, X) - mean(Y, Y)
    assert 2 * mmd2(X, Y, Energy(), "biased") == pytest.approx(direct, rel=1e-12)  # sums of some hundred terms


def test_gamma_is_what_its_sentence_says():
    """scikit-learn's kernels, by their own formulas."""
    gamma = 0.3
    rbf = np.exp(-gamma * ((X[:, None] - Y) ** 2).sum(axis=2))
    laplacian = np.exp(-gamma * np.abs(X[:, None] - Y).sum(axis=2))
    np.testing.assert_allclose(Gaussian((1 / (2 * gamma)) ** 0.5)(X, Y), rbf, rtol=1e-12)
    np.testing.assert_allclose(Laplacian(1 / gamma)(X, Y), laplacian, rtol=1e-12)


def asks(parameter, kind):
    return kind in re.findall(r"\w+", str(parameter.annotation))


WORDS = [
    (name, each, kind)
    for name, function in FUNCTIONS.items()
    for each, parameter in inspect.signature(function).parameters.items()
    for kind in ("Kernel", "Estimator", "Embedding", "Law")
    if asks(parameter, kind) or (kind == "Estimator" and each == "estimator")
]


@pytest.mark.parametrize(("name", "parameter", "kind"), WORDS)
def test_a_function_answers_to_a_word_in_place_of_a_kernel_or_estimator(name, parameter, kind):
    function = FUNCTIONS[name]
    rest = {
        each: X
        for each, about in inspect.signature(function).parameters.items()
        if about.default is about.empty and each != parameter
    }
    if name == "risk" and parameter == "estimator":
        rest["law"] = GaussianMixture([1.0], [[0.0]], [[1.0]])
    rest = {each: Gaussian(1.0) if each.startswith("kernel") else value for each, value in rest.items()}
    rest = {each: KME(Gaussian(1.0)).embed(X) if each == "prior" else value for each, value in rest.items()}
    if name == "oracle_alpha" and parameter != "law":
        rest["law"] = GaussianMixture([1.0], [[0.0]], [[1.0]])
    if name == "mmd2_of_laws":
        rest |= dict.fromkeys({"P", "Q"} - {parameter}, GaussianMixture([1.0], [[0.0]], [[1.0]]))
    word, ours = {"Kernel": ("rbf", "Gaussian"), "Estimator": ("kme", "KME")}.get(kind, ("kme", ""))
    said = sentence_of(lambda: function(**rest, **{parameter: word}))
    assert ours in said
    assert said.startswith(f"{parameter.removesuffix('s') if parameter == 'kernels' else parameter} must be a")


PARTS = [(name, each) for name, cls in MODELS.items() for each, field in cls.fields.items() if isinstance(field, Part)]


@pytest.mark.parametrize(("name", "field"), PARTS)
def test_a_model_answers_to_a_word_in_place_of_a_kernel_or_estimator(name, field):
    word, ours = ("kme", "give KME()") if field in ("estimator", "centering", "covariance") else ("rbf", "Gaussian(")
    said = sentence_of(lambda: MODELS[name](**{**REQUIRED.get(name, {}), field: word}))
    assert f".{field} must be a" in said
    assert ours in said or field in ("level_two", "target")


def test_what_holds_kernels_answers_to_a_word_too():
    for call in (
        lambda: Embedding("rbf", X, np.ones(12)),
        lambda: GaussianMixture.random(2, 0).embed("rbf"),
        lambda: BeliefPropagation([("a", "b")], {"a": "rbf", "b": None}, 0.1),
        lambda: explorer.Product({0: "rbf"}),
    ):
        assert names_all(sentence_of(call), "'rbf'", "Gaussian()")
    assert re.search(naming("class Gaussian", "Gaussian()"), sentence_of(lambda: mmd_test(X, Y, Gaussian)))


@pytest.mark.parametrize("word", [*KERNELS, *ESTIMATORS])
def test_what_a_word_is_here_can_be_given(word):
    """`kernel=` takes what the sentence for a word names."""
    for words, call in ((KERNELS, mmd2), (ESTIMATORS, lambda X, Y, estimator: mmd2(X, X, None, "biased", estimator))):
        if (ours := words.get(word, "None")) and "Precomputed" not in ours and not ours.startswith("None"):
            thing = eval(ours, dict(PUBLIC))
            taken = ["ab", "abc"] if "Subsequence" in ours else X
            assert np.isfinite(call(taken, taken[:2] if taken is X else taken, thing))


WITH_RNG = [name for name, function in FUNCTIONS.items() if "rng" in inspect.signature(function).parameters]


@pytest.mark.parametrize("name", WITH_RNG)
@pytest.mark.parametrize("rng", ["0", 0.5, [0.5]], ids=["a word", "a fraction", "fractions"])
def test_a_function_answers_to_what_is_no_source_of_randomness(name, rng):
    """It does so whether it draws random numbers or not."""
    about = inspect.signature(FUNCTIONS[name]).parameters
    given = {each: X for each, parameter in about.items() if parameter.default is parameter.empty}
    given |= {each: Gaussian(1.0) for each in given if each.startswith("kernel")}
    given |= {each: KME(Gaussian(1.0)).embed(X) for each in given if each in ("prior", "embedding")}
    said = sentence_of(lambda: FUNCTIONS[name](**given, rng=rng))
    assert re.search(naming("rng", "Generator", "None"), said)


@pytest.mark.parametrize(
    ("name", "field"),
    [(name, each) for name, cls in MODELS.items() for each, field in cls.fields.items() if isinstance(field, Seed)],
)
def test_a_model_answers_to_what_is_no_source_of_randomness(name, field):
    for rng in ("0", 0.5):
        said = sentence_of(lambda rng=rng: MODELS[name](**REQUIRED.get(name, {}), **{field: rng}))
        assert names_all(said, field, "whole number")


FOREIGN = ("gamma", "sigma", "length_scale", "random_state", "seed", "n_permutations", "num_resamples", "alpha", "tol")


@pytest.mark.parametrize("word", FOREIGN)
@pytest.mark.parametrize("name", [*FUNCTIONS, *MODELS])
def test_a_foreign_keyword_gets_a_sentence_with_what_is_taken(name, word):
    called = PUBLIC[name]
    taken = list(inspect.signature(called).parameters)
    if word in taken or "options" in taken:
        return
    said = sentence_of(lambda: called(**REQUIRED.get(name, {}), **{word: 1}))
    assert said.startswith(f"{name}: ")
    assert names_all(said, f"'{word}'") or "missing a required" in said
    assert said.endswith(f"it takes {', '.join(taken) or 'no arguments'}.") or len(taken) > 12
    ours = next((each for each in RENAMED.get(word, ()) if each in taken), None)
    if ours and not ("kernel" in " ".join(taken) and word in ("sigma", "length_scale")):
        assert f"here it is {ours}; " in said
    elif word == "gamma" and any(each.startswith("kernel") for each in taken):
        assert "bandwidth" in said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: mmd_test(X, Y, random_state=0), "here it is rng; it takes X, Y,"),
        (lambda: mmd_test(X, Y, n_permutations=9), "here it is n_resamples; "),
        (lambda: mmd_test(X, Y, alpha=0.05), r"a level is asked of the result, as in .rejected\(level=0.05\); "),
        (lambda: mmd2(X, Y, gamma=1.0), r"a kernel has its own parameters, as in kernel=Gaussian\(bandwidth=1.0\): γ"),
        (lambda: mmd2(X, Y, kernal=Gaussian()), r"did you mean kernel\? It takes X, Y,"),
        (lambda: Gaussian(length_scale=1.0), "Gaussian: .* here it is bandwidth; it takes bandwidth."),
        (lambda: SupportMeasureMachine(random_state=0), "nothing here is drawn at random; "),
        (lambda: GaussianMixture.random(2, 0).sample(5, random_state=0), "GaussianMixture.sample: .* here it is rng; "),
        (lambda: mmd_test(X), "mmd_test: missing a required argument: 'Y'; it takes X, Y,"),
    ],
)
def test_what_a_call_should_have_been(call, said):
    with pytest.raises(TypeError, match=said):
        call()


def test_every_renamed_keyword_names_a_parameter_of_ours():
    """Or of a lab, a study, or a method: the hint is asked with what is taken, so no other can be named."""
    taken = {each for thing in PUBLIC.values() for each in inspect.signature(thing).parameters}
    assert all(set(ours) & taken for ours in RENAMED.values())
    assert unknown_keyword_message("colour", ["X", "Y"]) == ""


def test_an_explained_function_is_still_itself():
    """It pickles, shows its own signature, and hides no TypeError that is raised inside."""
    assert pickle.loads(pickle.dumps(mmd_test)) is mmd_test
    assert list(inspect.signature(mmd_test).parameters)[:3] == ["X", "Y", "kernel"]

    @explain_wrong_calls
    def broken(x: int) -> int:
        return x + "1"

    with pytest.raises(TypeError, match="unsupported operand"):
        broken(1)


def test_every_function_of_the_front_door_is_explained():
    assert [name for name, function in FUNCTIONS.items() if not hasattr(function, "__wrapped__")] == []


def test_a_warning_names_the_line_of_the_caller():
    """The line is the caller's whatever is between it and the code that warns."""
    far = np.array([1e17, 1e17 + 64, 1e17 + 128])
    with pytest.warns(explorer.checks.ExplorerWarning, match="floats are") as caught:
        mmd2(far, far, Matern())
    with pytest.warns(explorer.checks.ExplorerWarning) as fitted:
        explorer.KernelPCA(Delta(), n_components=9).fit([1.0, 2.0])
    assert {each.filename for each in (*caught, *fitted)} == {__file__}
