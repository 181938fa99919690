"""`plot`: which kind of thing is drawn by which module. Nothing of HoloViews is loaded before something is drawn."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from explorer.checks import Refusal, WrongType, echo, join_list
from explorer.synonyms import explain_wrong_calls

if TYPE_CHECKING:
    from xarray import Dataset


TEST, LAB = "explorer.discrepancy.results.test_result.TestResult", "explorer.workbench.result.Result"
# the class of what it is -> the module here and its function; by name, as who has none of a class need not load it
KINDS = {
    "explorer.changes.result.ScanResult": ("changes", "of_scan"),
    "explorer.changes.monitor.Monitor": ("changes", "of_monitor"),
    TEST: ("null", "of_test"),
    "explorer.embeddings.embedding.Embedding": ("embedding", "of_embedding"),
    "explorer.kernels.base.Kernel": ("gram", "of_kernel"),
    "explorer.estimators.base.Estimator": ("along", "of_estimator"),
    "explorer.embeddings.law.Law": ("density", "of_distribution"),
    "explorer.learning.mixture_density.MixtureDensity": ("density", "of_mixture_density"),
    "explorer.learning.maximum_entropy.MaximumEntropy": ("density", "of_maximum_entropy"),
    "explorer.discrepancy.mmd.bandwidth_curve.BandwidthCurve": ("bandwidths", "of_bandwidths"),
    "explorer.discrepancy.monk.estimates.MonkResult": ("blocks", "of_monk"),
    "explorer.discrepancy.monk.estimates.MonkStep": ("blocks", "of_step"),
    "explorer.discrepancy.monk.lepski.LepskiResult": ("blocks", "of_lepski"),
    "explorer.learning.herding.Herd": ("herding", "of_herd"),
    "explorer.comparison.result.Comparison": ("comparison", "of_comparison"),
    LAB: ("pictures", "of_result"),
}
WORDS = (
    "a test's result, a scan's, a Monitor, an embedding or a witness, a Gram matrix (a square array), a kernel with X=,"
    " an estimator with X=, losses ({name: array} or an array, with x=), a distribution or a fitted density, what"
    " bandwidth_curve, monk_mmd, monk_steps, lepski, herd and compare return, a lab's result, and the data set of a"
    " sweep"
)


@explain_wrong_calls
def plot(thing: Any, **options: Any) -> Any:
    """A HoloViews object of a result, styled as the labs are: `*` overlays, `+` lays out, `.opts(...)` restyles.

    What can be drawn, and the options that it takes:

    TestResult        its null distribution, statistic and threshold, in the statistic's own numbers; level=0.05, bins
    ScanResult        the statistic at every split, its threshold, the best split and the breaks; level=0.05
    Monitor           the wealth after each row on a logarithmic axis, and where the alarm was raised
    Embedding         in one dimension the function with its weights as stems, in two dimensions its values as an
                      image with the points, areas |weight|; else the weights in their order, or the values at symbols;
                      a witness or a difference is one too; role="skmse", label, names of coordinates, grid
    a Gram matrix     its entries as an image: a symmetric array (n, n), or a kernel with X=; a kernel with at=x is
                      drawn as the function k(x, .)
    losses            {name: (m,) or (m, replicates)} or an array, over x=values (m,): means with 95 % intervals over
                      replicates; x_label and y_label (a text, a HoloViews dimension or a model's field), log_x, log_y
    Estimator         with X=sample: its leave-one-out score along its parameter, or with law= its exact loss; values
    a distribution    such as GaussianMixture, its density in one or two dimensions; a fitted MixtureDensity
                      (history=True for its objective) or MaximumEntropy likewise
    bandwidth_curve   MMD² over the bandwidth with the threshold at each; level, quantity="p" for p-values
    monk_mmd          the estimate after each iteration, or with quantity="blocks" the block means, as for each of
                      monk_steps
    lepski, herd      the estimates by the number of blocks; the distance to the target by the number of points
    compare           both samples of the columns that differ most, each in its own units; columns=["age"] chooses
    a lab's result    every picture that its page shows, as in plot(lab.result()); picture="null" for the one of a name
    a sweep's Dataset curves or a heat map: value, x, by, row, col

    `save` writes it as a page that needs no network. HoloViews is loaded when `plot` is called, with Bokeh inline,
    unless a backend of it is loaded already. Raises TypeError for what cannot be drawn and ValueError for options that
    it cannot have.

    >>> import numpy as np
    >>> from explorer import Gaussian, mmd_test, plot
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> picture = plot(mmd_test(X, Y, Gaussian(1.0), n_resamples=199, rng=0))
    >>> [type(element).__name__ for element in picture]
    ['Curve', 'Rectangles', 'Rectangles', 'VLines', 'VLines', 'Points']
    """
    module, name = _way(thing, options)
    draw = getattr(import_module(f".{module}", __package__), name)
    _refuse_unknown(thing, draw, options)
    return draw(thing, **options)


def _way(thing, options):
    """The module and the function that draw a thing; a sentence for what cannot be drawn."""
    if isinstance(thing, np.ndarray):
        matrix = thing.ndim == 2 and thing.shape[0] == thing.shape[1] and "x" not in options
        return ("gram", "of_gram") if matrix else ("losses", "of_losses")
    if is_dataset(thing):
        return "dataset", "of_dataset"
    for name in classes_of(thing):
        if name in KINDS:
            return KINDS[name]
    if isinstance(thing, Mapping):
        return "losses", "of_losses"
    if inspect.isclass(thing):
        raise WrongType(f"plot takes a value and not the class {thing.__name__}: make one first, then plot it.")
    raise WrongType(f"plot cannot draw {echo(thing)}, of type {type(thing).__name__}; it draws {WORDS}.")


def classes_of(thing: object) -> list[str]:
    """The names of its class and of what that is made of, with their modules."""
    return [f"{base.__module__}.{base.__qualname__}" for base in type(thing).__mro__]


def is_dataset(thing: object) -> TypeGuard[Dataset]:
    """Whether it is an xarray.Dataset, without importing xarray: nobody has one who has not."""
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(thing, xarray.Dataset)


def _refuse_unknown(thing, draw, options):
    """A sentence for options that this kind of thing does not take."""
    known = [name for name in inspect.signature(draw).parameters][1:]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise Refusal(
            f"plot has no option {unknown[0]!r} for a {type(thing).__name__}; it takes {join_list(known)}."
            " For sizes, titles and colours use .opts(...) of what it returns."
        )
