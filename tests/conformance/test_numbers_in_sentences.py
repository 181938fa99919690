"""No sentence and no repr writes a number of numpy's by its name, as in np.int64(1): they say 1."""

import ast
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

import explorer
from explorer import (
    DICA,
    KME,
    BeliefPropagation,
    Delta,
    Gaussian,
    Product,
    Subsequence,
    SupportMeasureMachine,
    contaminate,
    herd,
    lepski,
    load,
    mmd_test,
    monk_mmd,
    plot,
    sweep,
    thin,
)
from explorer.model import code
from explorer.printing import echo

PACKAGE = Path(explorer.__file__).parent
RAISED = {"Refusal", "WrongType", "TypeError", "ValueError", "TableRefusal", "warn"}
# what sentences may write by !r: our own values, texts, and words that are checked already
OURS = {"self", "self.lab", "kernel", "lab", "field", "error.name", "method", "approximation", "self.approximation"}
OURS |= {"exponential", "text[:60]", "text[:40]", "str(html)[:120]", "url[:100]", "title", "name", "both[0]"}
OURS |= {"SCALES[-1]", "scale", "values", "paths", "thing", "unknown[0]", "columns[0].name", "list(self.columns)"}
OURS |= {"array.item()", "options.by", "twice[0]", "named[0]"}
ONE, HALF = np.int64(1), np.float64(0.5)
X, K = np.random.default_rng(0).normal(size=(10, 2)), Gaussian(1.0)
CIRCLE = [tuple(edge) for edge in np.array([[0, 1], [1, 2], [2, 0]])]


def written_by_template(call):
    """Yield the values that a call's template, a text with placeholders, writes by !r."""
    is_template = ast.unparse(call.func).split(".")[-1] in ("Refusal", "WrongType") and call.args[1:]
    for text in ast.walk(call.args[0]) if is_template else ():
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            places = [conversion for _, field, _, conversion in Formatter().parse(text.value) if field is not None]
            yield from (each for each, how in zip(call.args[1:], places, strict=True) if how == "r")


def test_sentences_write_what_they_are_given_by_shown():
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in RAISED:
                texts = [each for each in ast.walk(node) if isinstance(each, ast.FormattedValue)]
                written = {ast.unparse(each.value) for each in texts if each.conversion == ord("r")}
                written |= set(map(ast.unparse, written_by_template(node)))
                found += [f"{path.relative_to(PACKAGE)}:{node.lineno}: {each}" for each in written - OURS]
    assert found == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: BeliefPropagation(CIRCLE, dict.fromkeys(np.arange(3)), 0.1),
        lambda: BeliefPropagation([*CIRCLE[:2], (np.int64(0), np.int64(2))], dict.fromkeys(np.arange(3)), 0.1),
        lambda: BeliefPropagation([*CIRCLE[:1], (ONE, ONE)], dict.fromkeys(np.arange(3)), 0.1),
        lambda: BeliefPropagation([*CIRCLE[:1], *CIRCLE[:1]], dict.fromkeys(np.arange(3)), 0.1),
        lambda: BeliefPropagation(CIRCLE[:2], dict.fromkeys(np.arange(2)), 0.1),
        lambda: BeliefPropagation(CIRCLE[:2], dict.fromkeys(np.arange(3), "rbf"), 0.1),
        lambda: BeliefPropagation(CIRCLE[:2], dict.fromkeys(np.arange(3)), 0.1).fit({ONE: X}),
        lambda: Product({np.float64(1): K}),
        lambda: Product({(np.int64(0), ONE): "rbf"}),
        lambda: Subsequence()([np.str_("ab"), ONE]),
        lambda: KME(Delta()).embed(np.array([np.str_("a"), (ONE, 2)], dtype=object)),
        lambda: mmd_test(X, X, rng=HALF),
        lambda: mmd_test(X, X, n_resamples=(ONE, 2)),
        lambda: mmd_test(X, X, n_resamples=9).threshold(np.float64(5)),
        lambda: thin(X, HALF),
        lambda: herd(KME(K).embed(X), [ONE]),
        lambda: Gaussian([ONE, 2]),
        lambda: sweep(lambda n, seed: {"a": 1}, {"n": [ONE, ONE]}, progress=False),
        lambda: sweep(lambda n, seed: {"a": 1}, {"n": [np.array([1])]}, progress=False),
        lambda: SupportMeasureMachine().fit([X, X], [ONE, ONE]),
        lambda: DICA(n_components=HALF),
        lambda: contaminate(X, HALF),
        lambda: monk_mmd(X, X, blocks=np.int64(99)),
        lambda: lepski(X, X, candidates=[ONE, np.int64(99)]),
        lambda: load("wine").where(np.int64(7)),
        lambda: plot({ONE: [1.0]}, x=[ONE, 2]),
    ],
)
def test_a_refusal_of_numpy_s_numbers_says_them_plainly(call):
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    assert "np." not in str(caught.value)


def test_code_and_reprs_of_numpy_s_numbers_are_plain():
    model = BeliefPropagation(CIRCLE[:2], dict.fromkeys(np.arange(3)), HALF)
    assert repr(model) == "BeliefPropagation(edges=((0, 1), (1, 2)), kernels={0: None, 1: None, 2: None}, lam=0.5)"
    assert code(model) == repr(model)
    assert code((ONE, [HALF, {ONE: np.bool_(True)}])) == echo((ONE, [HALF, {ONE: np.bool_(True)}]))
