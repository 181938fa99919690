"""From a state of the DNA lab to its result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer import checks
from explorer.discrepancy import mmd_test, monk_test, renewed_gram
from explorer.kernels import Precomputed, Subsequence

from .base import Cache
from .dna_profile import Profile
from .dna_rates import Rates
from .dna_result import DnaResult
from .dna_sources import READ_FIELDS, SPOILED_FIELDS, samples, spoiled, the_set, titles


def kernel_of(lab):
    """The kernel of a lab."""
    return Subsequence(lab.length, lab.decay, lab.normalized)


def compute(lab, own, cache):
    """A DnaResult from a snapshot of the lab; what has not changed since the last one comes from the cache."""
    strings, kernel = the_set(lab, own, cache), kernel_of(lab)
    clean, reads = (tuple(getattr(lab, field) for field in fields) for fields in (READ_FIELDS, SPOILED_FIELDS))
    X, good = cache.get(("reads", clean), lambda: samples(lab, strings))
    Y = cache.get(("spoiled", reads), lambda: spoiled(lab, good))
    whole = cache.get(("gram", clean, kernel.key), lambda: checks.read_only(kernel(np.concatenate([X, good]))))
    key = reads, kernel.key
    K = cache.get(("spoiled gram", key), lambda: renewed_gram(kernel, whole, np.concatenate([X, Y]), lab.spoiled))
    plain, monk = tests(lab, kernel, K, cache, key)
    profile = cache.get(("profile", reads), lambda: Profile.of(X, Y[: lab.n - lab.spoiled]))
    return DnaResult(
        lab=lab,
        titles=titles(lab),
        note=strings.note,
        X=X,
        Y=Y,
        kernel=kernel,
        K=K,
        plain=plain,
        monk=monk,
        profile=profile,
        replicates=cache.peek(rates_key(lab)),
    )


def tests(lab, kernel, K, cache, key):
    """Both tests, from the Gram matrix of the pooled reads, which `key` names."""
    table = cache.get(("precomputed", key), lambda: Precomputed(K))
    X, Y = np.split(np.arange(2 * lab.n), 2)

    def plain():
        return replace(mmd_test(X, Y, table, n_resamples=lab.shuffles, rng=lab.seed), kernel=kernel)

    def monk():
        return replace(
            monk_test(X, Y, table, lab.blocks, lab.method, n_resamples=lab.flips, rng=lab.seed), kernel=kernel
        )

    return (
        cache.get(("plain", key, lab.shuffles), plain),
        cache.get(("monk", key, lab.flips, lab.blocks, lab.method), monk),
    )


def rates_key(lab):
    """Under which key a lab's cache has its further draws; level, pair and picture change nothing in them."""
    fields = (*SPOILED_FIELDS, "length", "decay", "normalized", "shuffles", "flips", "blocks", "method", "samples")
    return "rates", *(getattr(lab, field) for field in fields)


def repeat(lab, own, stopped):
    """The Rates of further draws of reads; None as soon as `stopped()` says so."""
    found, sets, kernel = [], Cache(), kernel_of(lab)
    for i in range(lab.samples):
        if stopped():
            return None
        here = lab.replace(seed=(lab.seed + 1 + i) % 2**32)
        X, good = samples(here, the_set(here, own, sets))
        K = kernel(np.concatenate([X, spoiled(here, good)]))
        found.append([test.pvalue for test in tests(here, kernel, K, Cache(), None)])
    return Rates(*np.array(found).T)
