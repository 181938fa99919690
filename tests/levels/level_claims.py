"""Claims of each public function that answers with a p, and how to call it with a null of any kind.

An entry has the function, the options that it stands for, a call that draws its data by a kind and returns
{answer: p}, and of each answer what is claimed:

    none          nothing is promised; it is measured to show what happens
    exact         P(p <= level) <= level for every number of rows and every kind
    in the limit  of many rows: at most the ceiling from the sizes on that the entry has
    about         at most the ceiling, on the kinds and sizes that the entry has
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from null_kinds import DANGEROUS, EXAMPLES, KINDS, SIZES, USUAL, Draw, Size

LEVEL = 0.05
FEW, MANY = 19, 199  # resamples: (B + 1) level is whole; many where the least of several p is taken


class Claim(NamedTuple):
    """One of the three words, the rate of p <= .05 that it allows, and from how many rows of each sample it holds."""

    word: str
    ceiling: float = LEVEL
    least: int = 0


EXACT, NOTHING = Claim("exact"), Claim("none", 1.0)


class Entry(NamedTuple):
    """A function under some options with nulls of all kinds that it takes.

    function  the public name; of a method as in "Comparison.without_influential_rows"
    options   the values of Literal-typed parameters that it stands for
    call      (draw, rng, size, seed) -> {answer: p}
    claims    answer -> Claim
    kinds     usual kinds, at the usual size
    more      (kind, size) of other sizes
    refuses   kinds that are refused in a sentence
    resamples B, for the record
    dear      whether a run takes so long that fewer kinds and runs have to do
    """

    name: str
    function: str
    call: Callable[[Draw, np.random.Generator, Size, int], Mapping[str, float]]
    claims: Mapping[str, Claim]
    options: Mapping[str, Any]
    kinds: tuple[str, ...]
    usual: Size
    more: tuple[tuple[str, Size], ...]
    refuses: frozenset[str]
    resamples: int
    dear: bool = False

    def cells(self) -> list[tuple[str, Size]]:
        """All pairs of a kind and a size that it is measured on."""
        return [*((kind, self.usual) for kind in self.kinds), *self.more]

    def claim(self, answer: str, size: Size) -> Claim:
        """Return the claim for an answer at a size. Below the claim's least size it is `NOTHING`."""
        claim = self.claims[answer]
        return claim if min(size) >= claim.least else NOTHING


ENTRIES: dict[str, Entry] = {}
NO_P = {  # public names that answer with p or rates, and make no claim about a sample at hand
    "adjusted_pvalues": "adjusts p that are given",
    "pvalue": "the share of given null values",
    "least_pvalue": "the least p that sizes allow",
    "level_check": "counts how often a given test rejects",
    "mmd_level": "counts how often `mmd_test` rejects halves of a sample",
    "hsic_level": "counts how often `hsic_test` rejects permuted pairs",
    "Comparison.level_check": "counts how often the joint test rejects random splits",
    "power_by_fraction": "counts how often `hsic_test` rejects parts of a sample, which differ in nothing but size",
    "most_influential": "the p of `mmd_test` without rows that were chosen, which describe",
    "mmd_convergence": "errors of estimates with intervals of a simulation's noise",
    "BandwidthSweep.test": "one of the tests of `bandwidth_sweep`",
    "SeveralResult.differing": "the pairs of `several_test` at a level",
    "Pairing.test": "the test of `hsic_test`, after its arguments are checked",
}


def entry(
    name: str,
    call: Callable[..., Any],
    claim: Claim | Mapping[str, Claim] = EXACT,
    *,
    function: str = "",
    options: Mapping[str, Any] | None = None,
    kinds: tuple[str, ...] | None = None,
    usual: Size = USUAL,
    sizes: tuple[Size, ...] = SIZES,
    examples: tuple[str, ...] = EXAMPLES,
    refuses: tuple[str, ...] = (),
    resamples: int = FEW,
    dear: bool = False,
) -> None:
    """Add an entry to the table; `call` returns a p, or {answer: p}.

    Unless kinds are given, the entry of a function's bare name is tested on all kinds, and those of its other methods
    on the most dangerous ones.
    """
    if kinds is None:
        kinds = DANGEROUS if "," in name else tuple(KINDS)

    def answers(draw, rng, size, seed):
        found = call(draw, rng, size, seed)
        return found if isinstance(found, dict) else {"p": found}

    ENTRIES[name] = Entry(
        name,
        function or name.split(",")[0],
        answers,
        claim if isinstance(claim, Mapping) else {"p": claim},
        options or {},
        kinds,
        usual,
        tuple((kind, size) for size in sizes for kind in examples if kind in kinds),
        frozenset(refuses) & frozenset(kinds),
        resamples,
        dear,
    )


# ---- designs: data of a kind -----------------------------------------------------------------------------------------


def two(test):
    """Two independent samples of n and m rows."""
    return lambda draw, rng, size, seed: test(draw(rng, size.n), draw(rng, size.m), seed)


def equal(test):
    """Two independent samples of m rows each, or {} if the sizes are unequal on purpose."""
    return lambda draw, rng, size, seed: test(draw(rng, size.m), draw(rng, size.m), seed)


def paired(test):
    """Rows i of both samples depend on each other: in a half of the pairs they are equal; exchangeable within pairs."""

    def call(draw, rng, size, seed):
        a, b = draw(rng, size.m), draw(rng, size.m)
        same = rng.random(size.m) < 0.5
        b[same] = a[same]
        return test(a, b, seed)

    return call


def in_groups(test):
    """Samples of two groups that differ: to the numbers of the second 3 is added; test(a, b, labels, seed)."""

    def call(draw, rng, size, seed):
        a, b = draw(rng, size.n), draw(rng, size.m)
        labels = np.concatenate([np.arange(size.n) % 2, np.arange(size.m) % 2])
        for table, own in ((a, labels[: size.n]), (b, labels[size.n :])):
            for name in table.select_dtypes(float):
                table[name] += 3.0 * own
        return test(a, b, labels, seed)

    return call


def of_subjects(rows):
    """A design of m subjects: by `rows(rng, m)` of them each in both samples, with effects that are the same in both.

    Their numbers differ by 3, 6, 9, ...; of one row each a half of the subjects has it in both samples. One in ten
    subjects has rows in one sample alone. test(a, b, seed), with the column "subject".
    """

    def design(test):
        def call(draw, rng, size, seed):
            counts = rows(rng, size.m), rows(rng, size.m)
            subjects = [np.repeat(np.arange(size.m), each) for each in counts]
            a, b = (draw(rng, len(each)) for each in subjects)
            if all((each == 1).all() for each in counts):
                same = rng.random(size.m) < 0.5
                b[same] = a[same]
            effects = 3.0 * rng.integers(-5, 6, size.m)
            for table, own in zip((a, b), subjects, strict=True):
                for name in table.select_dtypes(float):
                    table[name] += effects[own]
                table["subject"] = own
            left = rng.random((2, size.m)) < 0.05
            samples = (t[~left[k][t["subject"]]] for k, t in enumerate((a, b)))
            return test(*(each.sample(frac=1.0, random_state=rng) for each in samples), seed)

        return call

    return design


def one_each(rng, m):
    """One row of each subject."""
    return np.ones(m, dtype=int)


def one_to_three(rng, m):
    """One to three rows of each subject."""
    return rng.integers(1, 4, m)


def pairs(test):
    """Pairs (x, y) of independent sides, m of them."""
    return lambda draw, rng, size, seed: test(draw(rng, size.m), draw(rng, size.m), seed)


def independent_given_z(test):
    """x and y are each the first number of z plus noise: independent given z, which is of the kind."""

    def call(draw, rng, size, seed):
        z = draw(rng, size.m)
        base = z.iloc[:, 0].to_numpy(float)
        base = np.tanh((base - np.median(base)) / max(base.std(), 1e-12))
        x, y = base + rng.normal(size=(2, size.m))
        return test(x, y, z, seed)

    return call


def with_independent_z(test):
    """x and y are of the kind, and z is independent of both."""
    return lambda draw, rng, size, seed: test(draw(rng, size.m), draw(rng, size.m), rng.normal(size=(size.m, 1)), seed)


def ordered(test):
    """Rows in order."""
    return lambda draw, rng, size, seed: test(draw(rng, size.m), seed)


def several(test):
    """Three independent samples of n, m and n rows."""
    return lambda draw, rng, size, seed: test([draw(rng, size.n), draw(rng, size.m), draw(rng, size.n)], seed)


def treated(test):
    """Covariates and an outcome of the kind, each independent of the other, and a treatment by a fair coin."""

    def call(draw, rng, size, seed):
        X, y = draw(rng, size.m), draw(rng, size.m)
        return test(X, y, rng.random(size.m) < 0.5, seed)

    return call


def chosen(test):
    """The log odds of the treatment are 1.5 x1 for the first covariate, in deviations, and y = -x1 + noise."""

    def call(draw, rng, size, seed):
        X = draw(rng, size.m)
        x = X.iloc[:, 0].to_numpy(float)
        x = np.clip((x - np.median(x)) / max(x.std(), 1e-12), -3, 3)
        takes = rng.random(size.m) < 1 / (1 + np.exp(-1.5 * x))
        return test(X, -x + rng.normal(size=size.m), takes, seed)

    return call


def moved(test):
    """x ~ N(0, 1) and N(1/2, 1), y of the kind in both samples; test(x, y, x2, y2, seed)."""

    def call(draw, rng, size, seed):
        x, x2 = rng.normal(size=size.n), rng.normal(0.5, 1.0, size.m)
        return test(x, draw(rng, size.n), x2, draw(rng, size.m), seed)

    return call


def few(test):
    """x is 0, 1 or 2 with other shares in each sample, y of the kind; test(x, y, x2, y2, seed)."""

    def call(draw, rng, size, seed):
        x, x2 = (rng.choice(3, k, p=shares) for k, shares in ((size.n, [0.5, 0.3, 0.2]), (size.m, [0.2, 0.3, 0.5])))
        return test(x, draw(rng, size.n), x2, draw(rng, size.m), seed)

    return call


def numbers(table):
    """A table's values as an array of floats."""
    return table.to_numpy(float)


def arrays(design, test):
    """A design whose tables are handed over as arrays of numbers."""

    def of_arrays(*samples):
        return test(*(numbers(each) if isinstance(each, pd.DataFrame) else each for each in samples))

    return design(of_arrays)
