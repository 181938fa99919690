"""Number of threads: the limit inside a call and after it, what else limits them, and pieces side by side."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import explorer
from explorer import Gaussian, KernelPCA, mmd_test, threads
from explorer.checks import Refusal, WrongType
from explorer.execution import processors
from explorer.execution.cancellation import Cancelled, cancelled_by
from explorer.execution.processors import at_once, limit_threads_of_methods, one_thread, side_by_side, usable

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(2, 30, 2))


def blas():
    """Return the numbers of threads that the BLAS libraries have now."""
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@pytest.fixture
def two():
    """Set BLAS to two threads, whichever thread of this process has limited it before."""
    libraries = processors._libraries(True)
    before = [(each, each.get_num_threads()) for each in libraries]
    for each in libraries:
        processors._limit(each, 2)
    if blas() != {2}:
        pytest.skip("the BLAS of this machine takes no second thread")
    yield
    for each, count in before:
        processors._limit(each, count)


@pytest.fixture
def eight(monkeypatch):
    """Pretend to have eight processors that no variable limits."""
    monkeypatch.setattr(processors, "_given", lambda: 8)
    for name in processors.LIMITS:
        monkeypatch.delenv(name, raising=False)


# ---- BLAS inside a call ----


def test_a_call_holds_blas_and_lets_it_go(two, monkeypatch):
    seen = []
    monkeypatch.setattr(np, "einsum", lambda *args, own=np.einsum, **kw: (seen.append(blas()), own(*args, **kw))[1])
    mmd_test(X, Y, Gaussian(1.0), n_resamples=9, rng=0)
    assert seen
    assert all(each == {1} for each in seen)
    assert blas() == {2}


def test_it_is_let_go_where_the_call_fails(two):
    with pytest.raises(Refusal):
        mmd_test(X, Y, statistic="third")
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert blas() == {2}


def test_of_several_who_hold_it_each_has_one_thread_until_it_leaves(two):
    """The limit may be one of a thread or of the process."""
    inside, leave, seen = threading.Event(), threading.Event(), []

    def hold():
        with one_thread():
            seen.append(blas())
            inside.set()
            leave.wait(20)
            seen.append(blas())

    other = threading.Thread(target=hold)
    other.start()
    inside.wait(20)
    with one_thread():
        seen.append(blas())
    leave.set()
    other.join()
    assert seen == [{1}] * 3
    assert blas() == {2}


class Library:
    """A BLAS whose limit is one of the process."""

    user_api = "blas"

    def __init__(self):
        self.count = 4

    def get_num_threads(self):
        """Return the limit."""
        return self.count

    def set_num_threads(self, count):
        """Set the limit."""
        self.count = count


def test_a_limit_of_the_process_is_let_go_by_the_last_one(monkeypatch):
    library = Library()
    monkeypatch.setattr(processors, "_libraries", lambda _: [library])
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with one_thread():
            inside.set()
            leave.wait(20)

    other = threading.Thread(target=hold)
    other.start()
    inside.wait(20)
    with one_thread():
        assert library.count == 1
    assert library.count == 1
    leave.set()
    other.join()
    assert library.count == 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_that_is_forked_inside_leaves_by_itself(two):
    reading, writing = os.pipe()
    with one_thread():
        child = os.fork()
        within = blas()
    if child == 0:
        os.write(writing, f"{within} {blas()} {processors._holders}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 99).decode() == "{1} {2} 0"
    os.close(reading)
    os.close(writing)


def test_methods_and_properties_of_a_class_hold_it(two):
    @limit_threads_of_methods
    class Some:
        """A class with limited threads."""

        def method(self):
            """A method."""
            return blas()

        @property
        def asked(self):
            """A property."""
            return blas()

        def _own(self):
            return blas()

    assert (Some().method(), Some().asked, Some()._own()) == ({1}, {1}, {2})
    assert Some.asked.__doc__ == "A property."
    assert KernelPCA.fit.__held__
    assert Gaussian.__call__.__held__


NO_PRODUCTS = {"adaptation", "datasets", "kernels", "models", "plotting", "limits", "sketches", "sweeps"}


def test_all_public_functions_of_the_rooms_that_compute_hold_it():
    from explorer.site.reference.names import public_names

    free = {"look_pvalues", "james_stein_risk", "labelled", "density", "corrupted", "other_noise", "contaminate"}
    free |= {
        "signed_root",
        "least_pvalue",
        "relabellings",
        "detectable_shift",
        "rate_interval",
        "permutations",
        "splits",
    }
    free |= {"pvalue", "adjusted_pvalues"}  # numbers, points or orders, and no product of matrices
    functions = [each.value for each in public_names() if callable(each.value) and not isinstance(each.value, type)]
    not_held = {
        each.__name__
        for each in functions
        if each.__module__.split(".")[1] not in NO_PRODUCTS and not hasattr(each, "__held__")
    }
    assert not_held - free == set()


# ---- how many may compute ----


def test_the_least_of_what_is_said_counts(eight, monkeypatch):
    assert (usable(), at_once()) == (8, 8)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert (usable(), at_once()) == (8, 4)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "6")
    with threads(3):
        assert (usable(), at_once()) == (3, 3)
        with threads(5):
            assert at_once() == 4
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert at_once() == 6


def test_affinity_counts():
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system has no affinities")
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    code += "from explorer.execution.processors import usable; print(usable())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


@pytest.mark.parametrize(
    ("files", "share"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, np.inf),
        ({"a/b/cpu.max": "50000 100000\n", "cpu.max": "max 100000\n"}, 0.5),
        ({"a/cpu.max": "300000 100000", "a/b/cpu.max": "max 100000"}, 3.0),
        ({"cpu/cpu.cfs_quota_us": "200000", "cpu/cpu.cfs_period_us": "100000"}, 2.0),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, np.inf),
        ({"cpu.max": "nonsense"}, np.inf),
        ({}, np.inf),
    ],
)
def test_a_share_of_the_processors_counts(tmp_path, monkeypatch, files, share):
    """The share is that of a container's group, or of a group within it, of either version."""
    own = tmp_path / "own"
    own.write_text("0::/a/b\n", encoding="ascii")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(processors, "GROUPS", tmp_path)
    monkeypatch.setattr(processors, "OWN_GROUPS", own)
    assert processors._share.__wrapped__() == share


@pytest.mark.parametrize(("most", "error"), [(0, Refusal), (-1, Refusal), (1.5, WrongType), ("2", WrongType)])
def test_what_is_no_number_of_threads_is_refused(most, error):
    with pytest.raises(error, match="most"):
        threads(most)


# ---- side by side ----


def test_pieces_come_in_order_and_several_at_once(eight):
    met = threading.Barrier(3, timeout=20)

    def meet(piece):
        if piece < 3:
            met.wait()  # passes only if three threads wait together
        return piece**2

    assert list(side_by_side(meet, range(40), 1.0)) == [i**2 for i in range(40)]


@pytest.mark.parametrize(("most", "seconds"), [(1, 1.0), (8, 0.0)])
def test_little_work_and_one_thread_take_no_pool(eight, monkeypatch, most, seconds):
    monkeypatch.setattr(processors, "ThreadPoolExecutor", None)
    with threads(most):
        assert list(side_by_side(str, range(3), seconds)) == ["0", "1", "2"]


def test_pieces_of_pieces_have_one_thread_and_the_caller_s_context(eight):
    with cancelled_by(lambda: False):
        assert list(side_by_side(lambda _: (at_once(), blas() <= {1}), range(4), 1.0)) == [(1, True)] * 4
    assert at_once() == 8


def test_what_fails_or_is_no_longer_wanted_ends_it(eight):
    done = []

    def fail(piece):
        if piece == 2:
            raise ZeroDivisionError
        done.append(piece)

    with pytest.raises(ZeroDivisionError):
        list(side_by_side(fail, range(1000), 1.0))
    assert len(done) < 100
    wanted = iter([False] * 5 + [True] * 1000)
    with pytest.raises(Cancelled), cancelled_by(lambda: next(wanted)):
        list(side_by_side(str, range(1000), 1.0))


CALLS = {
    "mmd_test": lambda X, Y: mmd_test(X, Y, n_resamples=99, rng=0),
    "mmdagg_test": lambda X, Y: explorer.mmdagg_test(X, Y, n_resamples=99, rng=0),
    "hsicagg_test": lambda X, Y: explorer.hsicagg_test(X, Y, n_resamples=49, rng=0),
    "ksdagg_test": lambda X, Y: explorer.ksdagg_test(X, lambda x: -x, n_resamples=99, rng=0),
    "scan": lambda X, Y: explorer.scan(np.vstack([X, Y]), n_resamples=49, rng=0),
    "scan by landmarks": lambda X, Y: explorer.scan(X, n_resamples=49, approximation="nystrom", rank=20, rng=0),
    "row_dependence": lambda X, Y: explorer.row_dependence(X, n_resamples=49, rng=0),
    "kci_test": lambda X, Y: explorer.kci_test(X[:, 0], Y[:, 0], X[:, 1], n_resamples=99, rng=0),
    "conditional_test": lambda X, Y: explorer.conditional_test(X, Y, X + 0.5, Y, n_resamples=49, rng=0),
    "hsic_test": lambda X, Y: explorer.hsic_test(X, Y, n_resamples=99, rng=0),
    "mmd_test, blocks": lambda X, Y: mmd_test(X, Y, approximation="nystrom", rank=20, n_resamples=49, rng=0),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_number_of_threads_changes_no_bit(eight, monkeypatch, name):
    monkeypatch.setattr(processors, "PAYS", 0.0)
    X, Y = np.random.default_rng(1).normal(size=(2, 250, 2))
    found = []
    for most in (1, 2, 8):
        with threads(most), threadpool_limits(most, user_api="blas"):
            result = CALLS[name](X, Y)
            found.append((result.statistic, result.pvalue, result.null_distribution.tobytes()))
    assert found[0] == found[1] == found[2]


CHOSEN = """
import sys
import numpy as np
import explorer as ex
from explorer.estimators import Spectrum

X, Y = np.random.default_rng(3).normal(size=(2, 400, 2))
K = ex.Gaussian(1.0)(X)
chosen = [
    ex.FKMSE().select(X).lam,
    ex.FKMSE().best_lam(Spectrum(K)),
    ex.FKMSE(selection="theorem-4").best_lam(Spectrum(K)),
    ex.SpectralKMSE(ex.Gaussian(1.0)).select(X).lam,
    ex.SKMSE().select(X).lam,
    ex.MKME().select(X).sigma,
    ex.ConditionalEmbedding().fit(X, Y).lam_,
    *Spectrum(K).loss([0.5], K.mean(axis=0), 0.3),
]
tests = [ex.mmd_test(X, Y, n_resamples=99, rng=0), ex.hsic_test(X, Y, n_resamples=99, rng=0)]
print(*(float(each).hex() for each in chosen))
print(*(float(each.statistic).hex() for each in tests))
print(*(each.pvalue for each in tests))
"""


def chosen_under(**variables):
    """Return the chosen values, the statistics and the p's of a new process, as text."""
    free = {name: value for name, value in os.environ.items() if name not in processors.LIMITS}
    options = {"env": {**free, **variables}, "capture_output": True, "text": True, "check": True}
    done = subprocess.run([sys.executable, "-c", CHOSEN], **options)
    return [line.split() for line in done.stdout.splitlines()]


@pytest.mark.thorough
def test_a_process_of_two_threads_chooses_the_same_to_the_last_bit():
    found = [chosen_under(OMP_NUM_THREADS=count, OPENBLAS_NUM_THREADS=count, NUMBA_NUM_THREADS=count) for count in "12"]
    assert found[0] == found[1] == chosen_under()


@pytest.mark.thorough
@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])
def test_another_processor_changes_digits_that_the_guide_states(processor):
    """OpenBLAS takes the routines of the processor that this variable names, if the machine can execute them."""
    here, there = chosen_under(), chosen_under(OPENBLAS_CORETYPE=processor)
    for (line, other), tolerance in zip(zip(here[:2], there[:2], strict=True), (1e-7, 1e-11), strict=True):
        np.testing.assert_allclose(*(list(map(float.fromhex, each)) for each in (line, other)), rtol=tolerance)
    assert here[2] == there[2]


def test_the_lam_of_fkmse_is_the_same_under_any_number_of_threads(eight):
    X = np.random.default_rng(2).normal(size=(300, 3))
    found = []
    for most in (1, 2, 8):
        with threads(most), threadpool_limits(most, user_api="blas"):
            found.append(explorer.FKMSE().select(X).lam)
    assert found[0] == found[1] == found[2]
