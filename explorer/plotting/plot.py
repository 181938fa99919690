"""`plot`: the kinds of things and the modules that draw them. HoloViews is loaded only when something is drawn."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from explorer.checks import Refusal, WrongType, echo, join_list
from explorer.public_names.synonyms import explain_wrong_calls

from .loading import BACKENDS

if TYPE_CHECKING:
    from xarray import Dataset

    from .drawings import Drawing, Panels


TEST, LAB = "explorer.discrepancy.results.test_result.TestResult", "explorer.workbench.result.Result"
# class of a thing -> module of this package and its function; by name, so that the class need not be imported
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
    LAB: ("results", "of_result"),
}
WORDS = (
    "a test's result, a scan's, a Monitor, an embedding or a witness, a Gram matrix (a square array), a kernel with X=,"
    " an estimator with X=, losses ({name: array} or an array, with x=), a distribution or a fitted density, what"
    " bandwidth_curve, monk_mmd, monk_steps, lepski, herd and compare return, a lab's result, and the data set of a"
    " sweep"
)


@explain_wrong_calls
def plot(thing: Any, **options: Any) -> Any:
    """Draw a result as a HoloViews object in the style of the labs: `*` overlays, `+` lays out, `.opts(...)` restyles.

    Use it for tests, estimates, kernels and sweeps, in a notebook or a script. To write a file use `save`, and for
    sliders `explore`.

    Parameters
    ----------
    thing : object
        What is drawn, see the notes.
    **options
        Options of this kind of thing, see the notes. For every kind: `backend`, "bokeh" (default) or "matplotlib",
        which is loaded and shows the plot in the same look. `save` needs no backend.

    Returns
    -------
    picture : holoviews object
        An Overlay, a Layout or a QuadMesh. `save` writes it as a page that needs no network, or as a figure.

    Raises
    ------
    TypeError
        If the thing cannot be drawn.
    ValueError
        If it cannot have one of the options.

    Notes
    -----
    Things that can be drawn, and their options:

    TestResult
        Its null distribution, statistic and threshold, in the statistic's own numbers. Options: level=0.05, bins.
    ScanResult
        The statistic at every split, its threshold, the best split and the breaks. Option: level=0.05.
    Monitor
        The wealth after each row on a log axis, and the alarm.
    Embedding
        In one dimension the function with its weights as stems, in two its values as an image with the points, areas
        |weight|. Otherwise the weights in their order, or the values at symbols. A witness or a difference is one too.
        Options: role="skmse", label, names of coordinates, grid.
    Gram matrix
        Its entries as an image: a symmetric array (n, n), or a kernel with X=. A kernel with at=x is drawn as the
        function k(x, .).
    losses
        {name: (m,) or (m, replicates)} or an array, over x=values (m,): means with 95 % intervals over replicates.
        Options: x_label and y_label (a text, a HoloViews dimension or a model's field), log_x, log_y.
    Estimator
        With X=sample its leave-one-out score along its parameter, or with law= its exact loss. Option: values.
    distribution
        The density in one or two dimensions of a distribution such as GaussianMixture; likewise a fitted MixtureDensity
        (history=True for its objective) or MaximumEntropy.
    bandwidth_curve
        MMD² by bandwidth with the threshold at each. Options: level, quantity="p" for p-values.
    monk_mmd
        The estimate after each iteration, or with quantity="blocks" the block means, as for each of monk_steps.
    lepski, herd
        The estimates by the number of blocks; the distance to the target by the number of points.
    compare
        Both samples of the columns that differ most, each in its own units. Option: columns=["age"].
    result of a lab
        Every picture that its page shows, as in plot(lab.result()); picture="null" for the one of a name.
    Dataset of a sweep
        Curves or a heat map. Options: value, x, by, row, col.

    HoloViews is loaded when `plot` is called, with Bokeh inline, unless one of its backends is loaded already.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, mmd_test, plot
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(0.0, 1.0, (30, 1)), rng.normal(1.0, 1.0, (30, 1))
    >>> result = mmd_test(X, Y, Gaussian(1.0), n_resamples=199, rng=0)
    >>> [type(element).__name__ for element in plot(result)]
    ['Curve', 'Rectangles', 'Rectangles', 'VLines', 'VLines', 'Points']
    """
    from .pictures import drawn  # this loads Bokeh

    if (backend := options.pop("backend", "bokeh")) not in BACKENDS:
        raise Refusal(f"backend must be one of {join_list(BACKENDS)}, not {echo(backend)}.")
    return drawn(drawing_of(thing, **options), backend)


def drawing_of(thing: Any, **options: Any) -> Drawing | Panels:
    """Return what `plot` draws of a thing, as pictures of marks.

    Parameters
    ----------
    thing : object
        See `plot`.
    **options
        See `plot`.

    Returns
    -------
    drawing : Drawing or Panels
        One picture, or several.
    """
    draw = _way(thing, options)
    _refuse_unknown(thing, draw, options)
    return draw(thing, **options)


def options_of(thing: Any, options: Mapping[str, Any]) -> list[str]:
    """Return the names of the options of this kind of thing.

    Parameters
    ----------
    thing : object
        See `plot`.
    options : mapping
        Those that are given: an array with x is losses.

    Returns
    -------
    names : list of str
        The names, without `backend`.
    """
    return list(inspect.signature(_way(thing, options)).parameters)[1:]


def _way(thing, options):
    """Return the function that draws a thing, or refuse what cannot be drawn."""
    module, name = _place(thing, options)
    return getattr(import_module(f".{module}", __package__), name)


def _place(thing, options):
    """Return the names of the module and of the function that draw a thing."""
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
    """Return the names of a thing's class and of its bases, with their modules.

    Parameters
    ----------
    thing : object
        Any object.

    Returns
    -------
    names : list of str
        Qualified names in method resolution order.
    """
    return [f"{base.__module__}.{base.__qualname__}" for base in type(thing).__mro__]


def is_dataset(thing: object) -> TypeGuard[Dataset]:
    """Return whether a thing is an xarray.Dataset, without importing xarray: if it is not loaded, there is none."""
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(thing, xarray.Dataset)


def _refuse_unknown(thing, draw, options):
    """Refuse options that this kind of thing does not have."""
    known = [name for name in inspect.signature(draw).parameters][1:]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise Refusal(
            f"plot has no option {unknown[0]!r} for a {type(thing).__name__}; it takes {join_list(known)}."
            " For sizes, titles and colours use .opts(...) of what it returns."
        )
