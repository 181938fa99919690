"""Belief propagation: enumeration of discrete models, any root, loops, and what it refuses."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from helpers.naming import naming
from probability_tables import enumerate_tree

from explorer import BeliefPropagation, Delta, Gaussian
from explorer.checks import ExplorerWarning, Refusal

PARENTS = {"a": None, "b": "a", "c": "a", "d": "c"}
EDGES = [("a", "b"), ("a", "c"), ("c", "d")]
TABLES = {
    "a": np.array([0.25, 0.75]),
    "b": np.array([[0.5, 0.5], [0.25, 0.75]]),
    "c": np.array([[0.25, 0.25, 0.5], [0.5, 0.5, 0.0]]),
    "d": np.array([[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]),
}


def exact_samples(parents, tables, unit):
    """Return a sample {node: (n,)} that holds every state as often as the product of the tables says.

    n is the product of their denominators.
    """
    rows = [({}, 1.0)]
    for node, parent in parents.items():
        rows = [
            ({**state, node: value}, p * probability)
            for state, p in rows
            for value, probability in enumerate(tables[node] if parent is None else tables[node][state[parent]])
        ]
    counts = np.array([p * unit for _, p in rows])
    assert np.array_equal(counts, counts.round())
    return {node: np.repeat([state[node] for state, _ in rows], counts.astype(int)).astype(float) for node in parents}


def fitted(edges=EDGES, **options):
    kernels = dict.fromkeys(PARENTS, Delta())
    return BeliefPropagation(edges, kernels, 1e-9, **options).fit(exact_samples(PARENTS, TABLES, 256))


EVIDENCE = [{}, {"d": 1}, {"b": 0, "d": 1}, {"a": 1}, {"c": 2}, {"c": 1, "d": 0}, {"a": 0, "b": 1, "d": 0}]


@pytest.mark.parametrize("evidence", EVIDENCE, ids=str)
def test_it_is_enumeration(evidence):
    tree = fitted()
    marginals, total = enumerate_tree(PARENTS, TABLES, evidence)
    assert tree.evidence(evidence) == pytest.approx(total, abs=1e-6)
    for node, table in marginals.items():
        belief = tree.marginal(node, evidence)
        assert belief(np.arange(len(table))) == pytest.approx(table / total, abs=1e-6)
        assert belief.weights.sum() == pytest.approx(1, abs=1e-12)


def test_which_way_the_edges_point_changes_no_belief():
    """A tree may hang from any of its nodes: the messages use the conditional means of either direction."""
    for edges in ([("d", "c"), ("c", "a"), ("a", "b")], [("c", "a"), ("c", "d"), ("a", "b")]):
        turned = fitted(edges)
        for evidence in EVIDENCE[1:]:
            for node in PARENTS:
                expected = fitted().marginal(node, evidence)
                assert turned.marginal(node, evidence).distance(expected) < 1e-7
            assert turned.evidence(evidence) == pytest.approx(fitted().evidence(evidence), abs=1e-7)


def test_a_branch_without_evidence_says_nothing_at_any_lam():
    X = exact_samples(PARENTS, TABLES, 256)
    rough = BeliefPropagation(EDGES, dict.fromkeys(PARENTS, Delta()), 5.0).fit(X)
    assert rough.evidence({}) == 1.0
    assert rough.marginal("a").weights == pytest.approx(np.full(256, 1 / 256))
    pair = BeliefPropagation([("a", "b")], dict.fromkeys("ab", Delta()), 5.0).fit({n: X[n] for n in "ab"})
    assert rough.marginal("a", {"b": 1}).weights == pytest.approx(pair.marginal("a", {"b": 1}).weights)


def test_several_trees_multiply():
    X = exact_samples(PARENTS, TABLES, 256)
    apart = BeliefPropagation([("a", "b"), ("c", "d")], dict.fromkeys(PARENTS, Delta()), 1e-9).fit(X)
    one, other = ({"b": 1}, {"d": 0})
    assert apart.evidence(one | other) == pytest.approx(apart.evidence(one) * apart.evidence(other))
    alone = BeliefPropagation([], {"a": Delta()}, 0.1).fit({"a": X["a"]})
    assert alone.evidence({"a": 1}) == pytest.approx(0.75)


def test_on_a_tree_the_rounds_end_at_the_messages():
    for evidence in EVIDENCE:
        loopy = fitted(loopy=True, tolerance=1e-12)
        for node in PARENTS:
            expected = fitted().marginal(node, evidence)
            assert loopy.marginal(node, evidence).distance(expected) < 1e-8


def test_rounds_end_if_no_message_changes_by_more_than_the_tolerance():
    """The only message that is not constant goes from b to a: it is half of itself and of the 1 before."""
    samples = {node: exact_samples(PARENTS, TABLES, 256)[node] for node in "ab"}
    loopy = BeliefPropagation([("a", "b")], dict.fromkeys("ab", Delta()), 1e-3, loopy=True, rounds=1).fit(samples)
    message = loopy._message("a", (samples["b"] == 1).astype(float).ravel())
    change = float(np.abs((1 + message / message.max()) / 2 - 1).max())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loopy.replace(tolerance=change).fit(samples).marginal("a", {"b": 1})
    with pytest.warns(ExplorerWarning, match="1 rounds"):
        loopy.replace(tolerance=change * (1 - 1e-12)).fit(samples).marginal("a", {"b": 1})


def square(n=400, seed=0):
    """Return four numbers in a circle, neighbours alike."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(size=(n, 1))
    points = centre + 0.5 * rng.normal(size=(n, 4))
    return dict(zip("abcd", points.T, strict=True))


CIRCLE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]


def test_in_a_circle_the_rounds_settle_near_the_regression():
    loopy = BeliefPropagation(CIRCLE, dict.fromkeys("abcd", Gaussian(1.0)), 1.0, loopy=True).fit(square())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        belief = loopy.marginal("c", {"a": 1.5})
    mean = belief.weights @ belief.points[:, 0]
    # corr(a, c) = 1/1.25: the regression is 1.2; beliefs that go round both ways overshoot or not, by no sign
    assert 0.5 < mean < 1.8
    with pytest.warns(ExplorerWarning, match=naming("2 rounds", "tolerance", "1e-09", "lam")):
        loopy.replace(rounds=2, tolerance=1e-9).fit(square()).marginal("c", {"a": 1.5})
    with pytest.raises(Refusal, match="tree"):
        loopy.evidence({"a": 1.5})


def test_numbers_on_a_chain_are_near_the_exact_conditional():
    """x -> y -> z Gaussian. Evidence under a bandwidth θ is x + N(0, θ²) = 1: E[z] = 0.64 / (1 + θ²)."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=500)
    y = 0.8 * x + 0.6 * rng.normal(size=500)
    z = 0.8 * y + 0.6 * rng.normal(size=500)
    chain = BeliefPropagation([("x", "y"), ("y", "z")], dict.fromkeys("xyz"), 0.5).fit({"x": x, "y": y, "z": z})
    for seen, asked in (("x", "z"), ("z", "x")):
        belief = chain.marginal(asked, {seen: 1.0})
        blurred = 0.64 / (1 + chain.kernels_[seen].bandwidth ** 2)
        # 500 rows: a correlation of 0.64 is known to 0.03 or so, and λ shrinks a little
        assert belief.weights @ belief.points[:, 0] == pytest.approx(blurred, abs=0.06)


def test_an_unseen_symbol_has_no_chance():
    tree = fitted()
    assert tree.evidence({"d": 7}) == 0.0
    assert tree.evidence({"d": 7, "b": 1}) == 0.0
    for node in "ad":
        with pytest.raises(Refusal, match=naming("'d'")):
            tree.marginal(node, {"d": 7})


def tables_with_zeros(seed):
    """Return a random tree of four nodes, {node: its parent}, and tables of quarters, about half of them 0."""
    rng = np.random.default_rng(seed)
    names = [str(name) for name in rng.permutation(list("abcd"))]
    parents = {name: None if not i else names[rng.integers(i)] for i, name in enumerate(names)}
    rows = np.array([[4, 0, 0], [0, 4, 0], [0, 0, 4], [2, 2, 0], [0, 3, 1], [1, 0, 3], [1, 2, 1]]) / 4
    return parents, {
        name: rows[rng.integers(len(rows), size=3)] if parent else rows[rng.integers(3, 7)]
        for name, parent in parents.items()
    }


@pytest.mark.few(5)
@pytest.mark.thorough(default=["0-False", "3-False"])
@pytest.mark.parametrize(
    ("seed", "loopy"),
    [
        pytest.param(seed, loopy, id=f"{seed}-{loopy}", marks=pytest.mark.slow if loopy and seed > 3 else ())
        for seed in range(12)
        for loopy in (False, True)
    ],
)
def test_impossible_evidence_is_refused_wherever_it_lies(seed, loopy, monkeypatch):
    """Every evidence set of a tree with zero cells, 255 of them: the right belief, or a sentence where P is 0."""
    heard, rounds = {}, BeliefPropagation._rounds

    def once(self, seen):
        """Under one evidence all nodes hear by the same rounds, whichever is asked."""
        evidence = tuple((node, x.item()) for node, (x, _) in seen.items())
        if evidence not in heard:
            heard[evidence] = rounds(self, seen)
        return heard[evidence]

    monkeypatch.setattr(BeliefPropagation, "_rounds", once)
    parents, tables = tables_with_zeros(seed)
    edges = [(parent, node) for node, parent in parents.items() if parent]
    tree = BeliefPropagation(edges, dict.fromkeys(parents, Delta()), 1e-9, loopy=loopy, tolerance=1e-9)
    tree = tree.fit(exact_samples(parents, tables, 256))
    refused = 0
    for values in itertools.product([None, 0, 1, 2], repeat=4):
        evidence = {node: value for node, value in zip("abcd", values, strict=True) if value is not None}
        marginals, total = enumerate_tree(parents, tables, evidence)
        refused += total == 0
        if not loopy:
            assert tree.evidence(evidence) == pytest.approx(total, abs=1e-8)
        for node, table in marginals.items():
            if total == 0:
                with pytest.raises(Refusal, match=naming("0", "observation")):
                    tree.marginal(node, evidence)
            else:
                assert tree.marginal(node, evidence)(np.arange(3)) == pytest.approx(table / total, abs=1e-6)
    assert refused > 20


def test_evidence_of_another_tree_counts_too():
    X = exact_samples(PARENTS, TABLES, 256)
    apart = BeliefPropagation([("a", "b"), ("c", "d")], dict.fromkeys(PARENTS, Delta()), 1e-9).fit(X)
    with pytest.raises(Refusal, match=naming("node 'd'")):
        apart.marginal("a", {"d": 7})


def test_a_long_chain_needs_no_recursion():
    n = 2000
    edges = [(i, i + 1) for i in range(n)]
    chain = BeliefPropagation(edges, dict.fromkeys(range(n + 1), Delta()), 1e-9)
    chain = chain.fit({node: [0.0, 1.0] for node in range(n + 1)})
    assert chain.marginal(0, {n: 1})([0, 1]) == pytest.approx([0, 1], abs=1e-5)


def test_it_is_a_value():
    tree = fitted()
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert again.marginal("a", {"d": 1}) == tree.marginal("a", {"d": 1})
    assert eval(repr(tree), {"BeliefPropagation": BeliefPropagation, "Delta": Delta}) == tree
    with pytest.raises(TypeError):
        tree.kernels["a"] = Gaussian()


D = Delta()
REFUSED = {
    "a circle": (
        lambda: BeliefPropagation([("a", "b"), ("b", "c"), ("c", "a")], dict.fromkeys("abc", D), 0.1),
        ("circle",),
    ),
    "two parents": (
        lambda: BeliefPropagation([("a", "c"), ("b", "c")], dict.fromkeys("abc", D), 0.1),
        ("'c'", "'b'"),
    ),
    "itself": (lambda: BeliefPropagation([("a", "a")], {"a": D}, 0.1), ("'a'", "itself")),
    "twice": (
        lambda: BeliefPropagation([("a", "b"), ("b", "a")], dict.fromkeys("ab", D), 0.1),
        ("'a'", "'b'"),
    ),
    "no pair": (lambda: BeliefPropagation([("a", "b", "c")], dict.fromkeys("abc", D), 0.1), ("edges", "pairs")),
    "a word": (lambda: BeliefPropagation("ab", dict.fromkeys("ab", D), 0.1), ("edges", "list")),
    "no kernel": (lambda: BeliefPropagation([("a", "b")], {"a": D}, 0.1), ("kernels", "'b'")),
    "no mapping": (lambda: BeliefPropagation([("a", "b")], [D, D], 0.1), ("BeliefPropagation.kernels", "mapping")),
    "a class": (lambda: BeliefPropagation([("a", "b")], dict.fromkeys("ab", Delta), 0.1), ("kernel",)),
    "nothing": (lambda: BeliefPropagation([], {}, 0.1), ("kernels", "empty")),
    "no lam": (lambda: BeliefPropagation([("a", "b")], dict.fromkeys("ab", D), 0), ("BeliefPropagation.lam", "0")),
    "not fitted": (
        lambda: BeliefPropagation([("a", "b")], dict.fromkeys("ab", D), 1).marginal("a"),
        ("fit",),
    ),
    "no sample": (lambda: BeliefPropagation([("a", "b")], dict.fromkeys("ab", D), 1).fit({"a": [1]}), ("'b'",)),
    "no samples": (lambda: BeliefPropagation([], {"a": D}, 1).fit([[1]]), ("samples",)),
    "another sample": (
        lambda: BeliefPropagation([], {"a": D}, 1).fit({"a": [1], "b": [1]}),
        ("'b'",),
    ),
    "other lengths": (
        lambda: BeliefPropagation([("a", "b")], dict.fromkeys("ab", D), 1).fit({"a": [1], "b": [1, 2]}),
        ("'a'", "1", "'b'", "2"),
    ),
    "evidence nowhere": (lambda: fitted().marginal("a", {"z": 1}), ("'z'",)),
    "a node nowhere": (lambda: fitted().marginal("z"), ("'z'",)),
    "two values": (lambda: fitted().evidence({"a": [0, 1]}), ("2 points", "one")),
    "no evidence": (lambda: fitted().evidence([1]), ("evidence",)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    act, parts = REFUSED[case]
    with pytest.raises(Refusal, match=naming(*parts)):
        act()
