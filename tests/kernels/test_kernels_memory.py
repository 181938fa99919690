"""Requests for more memory than there is are refused before any allocation, and the others are computed."""

import os
import re

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn

from explorer import FKMSE, KME, MKME, SKMSE, Gaussian, KernelPCA, Laplacian, low_rank, median_bandwidth, monk_mmd
from explorer.checks import Refusal
from explorer.execution import memory_limits
from explorer.kernels.distances import pair_distances
from explorer.workbench.safe_call import run_safely

MANY = np.linspace(0.0, 1.0, 2**20)[:, None]  # their kernel matrix would take 9 TB
TOO_LARGE = naming("40 points", "1.3e-05 GB", "1e-05 GB", "approximation='auto'")


@pytest.fixture
def little(monkeypatch):
    """A machine of 10 kB, which does not hold a matrix of 40 points, but one of 30."""
    monkeypatch.setattr(memory_limits, "SMALL", 0)
    monkeypatch.setattr(memory_limits, "total_bytes", lambda: 1e4)


def test_the_limit_is_the_memory_of_this_machine():
    if hasattr(os, "sysconf"):
        assert 2**28 < memory_limits.total_bytes() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_a_container_has_less(monkeypatch, tmp_path):
    limited, unlimited = tmp_path / "limited", tmp_path / "unlimited"
    limited.write_text("268435456\n", encoding="ascii")
    unlimited.write_text("max\n", encoding="ascii")
    monkeypatch.setattr(memory_limits, "CONTAINER", (str(tmp_path / "none"), str(unlimited), str(limited)))
    assert memory_limits.total_bytes.__wrapped__() == 2**28


def test_a_system_that_says_nothing_refuses_by_itself(monkeypatch):
    def none(name):
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", none)
    monkeypatch.setattr(memory_limits, "CONTAINER", ())
    assert memory_limits.total_bytes.__wrapped__() == np.inf
    monkeypatch.setattr(memory_limits, "total_bytes", memory_limits.total_bytes.__wrapped__)

    def full(*given):
        raise MemoryError

    monkeypatch.setattr(np, "empty", full)
    with pytest.raises(Refusal, match=naming("8,796 GB")):
        memory_limits.refuse_large_gram(len(MANY))


@pytest.mark.parametrize(
    "compute",
    [
        Gaussian(1.0),
        Gaussian(),
        Laplacian(1.0) + Gaussian(2.0),
        lambda X: Gaussian(1.0)(X, X),
        median_bandwidth,
        Gaussian().select,
        SKMSE().embed,
        FKMSE(Gaussian(1.0)).embed,
        MKME(Gaussian(1.0)).embed,
        KernelPCA(Gaussian(1.0)).fit,
        lambda X: monk_mmd(X, X, Gaussian(1.0)),
    ],
    ids=lambda compute: getattr(compute, "__name__", str(compute)),
)
def test_a_million_points_are_refused_at_once(compute):
    with pytest.raises(Refusal, match=r"[\d,]+ GB .*[\d,]+ GB"):
        compute(MANY)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_every_kernel_asks(row):
    kernel, X = drawn(row, 40)
    assert kernel(X[:30]).shape == (30, 30)
    with pytest.raises(Refusal, match=TOO_LARGE):
        kernel(X)
    with pytest.raises(Refusal, match=naming("40", "35", "1.1e-05 GB")):
        kernel(X, X[:35])
    assert kernel(X, X[:30]).shape == (40, 30)


@pytest.mark.usefixtures("little")
def test_distances_are_half_as_large():
    x = np.arange(50.0)
    assert pair_distances(x[:, None]).nbytes == 4 * 50 * 49
    assert median_bandwidth(x) == np.median(np.abs(x - x[:, None])[np.triu_indices(50, 1)])
    with pytest.raises(Refusal, match=naming("60", "1.4e-05 GB", "kernel.select(X[::1])")):
        median_bandwidth(np.arange(60.0))


@pytest.mark.usefixtures("little")
def test_what_stores_no_such_matrix_is_computed():
    X = np.linspace(0.0, 1.0, 200)[:, None]
    np.testing.assert_allclose(SKMSE(Gaussian(1.0), lam=1.0).embed(X).weights, 1 / 400, rtol=1e-14)
    low = low_rank(Gaussian(1.0), X, rank=5)
    assert KME(low).embed(X).norm() == pytest.approx(np.linalg.norm(low.features(X).mean(axis=0)), rel=1e-12)


@pytest.mark.usefixtures("little")
def test_a_page_shows_the_sentence():
    value, sentence = run_safely(lambda: Gaussian(1.0)(np.zeros((40, 1))), "a picture")
    assert value is None
    assert re.match(TOO_LARGE, sentence)
