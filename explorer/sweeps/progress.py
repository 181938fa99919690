"""Progress of a sweep: a bar in a terminal, a line and a picture in a notebook, lines in a log."""

from __future__ import annotations

import math
import sys
from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.markup import markup, meant
from explorer.svg import inline_pictures

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .run import Progress, Run

NOTEBOOK = 0.5  # seconds between updates of a notebook's line
PICTURE = 1.0  # seconds between updates of its picture
LINES = 12  # most lines of the picture
POINTS = 200  # most points of a line of the picture
LOG = 10.0  # seconds between the first lines of a log; later the gap is a tenth of the time that has passed


def followed(run: Run, picture: bool = True) -> Generator[Any, None, None]:
    """Return the steps of a run, each reported to a terminal or a log on the error channel, or to a notebook's cell.

    Parameters
    ----------
    run : Run
        The run.
    picture : bool, default True
        Whether a notebook shows, below the line, a picture that fills.

    Returns
    -------
    Iterator of Progress
        The steps of the run. Iterate over them to run it.

    Examples
    --------
    >>> from explorer.sweeps import InProcess, followed, planned
    >>> def study(x, seed):
    ...     return {"value": x**2}
    >>> run = planned(study, {"x": [1, 2, 3]}, executor=InProcess())
    >>> list(followed(run))[-1].done
    3
    """
    if in_notebook():
        return _in_a_cell(run, picture)
    return _in_a_terminal(run) if sys.stderr.isatty() else _in_a_log(run)


def in_notebook() -> bool:
    """Return whether this code runs in a cell of a notebook, which shows the objects that IPython displays.

    Returns
    -------
    bool
        Whether there is a notebook's kernel.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def line_of(step: Progress) -> str:
    """Return the text of a step, such as "120 of 240 cells, 40.0 a second, 3 s left"."""
    words = [f"{step.done:,} of {step.total:,} cells"]
    if step.done < step.total and step.rate > 0:
        words += [f"{step.rate:,.1f} a second", f"{duration(step.remaining)} left"]
    elif step.done > step.kept:
        words.append(f"in {duration(step.seconds)}")
    if step.kept:
        words.append(f"{step.kept:,} of them from the store")
    return ", ".join(words)


def duration(seconds: float) -> str:
    """Return a time as text: "3 s", "2 min 5 s", "1 h 12 min".

    Parameters
    ----------
    seconds : float
        The time in seconds.

    Returns
    -------
    str
        The text.
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _in_a_terminal(run):
    from tqdm import tqdm  # not tqdm.auto, which warns in a notebook without ipywidgets

    bar = None
    try:
        for step in run:
            if bar is None:  # the first step counts the cells from the store, which must not count for the rate
                bar = tqdm(total=step.total, initial=step.kept, unit=" cells", smoothing=0)
            bar.update(step.done - bar.n)
            yield step
    finally:
        if bar is not None:
            bar.close()


def _in_a_log(run):
    """Yield steps and print some of them: a short sweep prints nothing, and a longer one ends with a line."""
    start = perf_counter()
    due, last, reported = LOG, None, None
    for step in run:
        last, passed = step, perf_counter() - start
        if passed >= due and step.done < step.total:
            reported, due = step, passed + max(LOG, passed / 10)
            _report(step)
        yield step
    if reported is not None and last != reported:
        _report(last)


def _report(step):
    print(f"sweep: {line_of(step)}", file=sys.stderr, flush=True)  # noqa: T201


def _in_a_cell(run, picture):
    """Yield steps, with one output for the line and one for the picture, each changed in place without flicker."""
    from IPython.display import HTML, display

    def line(step):
        words = line_of(step)
        bar = markup('<progress value="{}" max="{}" aria-label="{}"></progress>', step.done, step.total, words)
        return HTML(markup("{} {}", bar, words))

    start = perf_counter()
    below, updated, drawn, step = None, 0.0, 0.0, None
    above = None
    for step in run:
        passed = perf_counter() - start
        if above is None:
            above = display(line(step), display_id=True)
        elif passed - updated >= NOTEBOOK:
            above.update(line(step))
            updated = passed
        if picture and passed >= drawn + PICTURE:
            if below is None:
                below = display(HTML(meant(progress_picture(run))), display_id=True)
            else:
                below.update(HTML(meant(progress_picture(run))))
            drawn = perf_counter() - start
            drawn += 20 * (drawn - passed)  # a slow picture of many cells takes at most a twentieth of the time
        yield step
    if above is not None:
        above.update(line(step))
    if below is not None:
        below.update(HTML(meant(progress_picture(run))))


def progress_picture(run: Run) -> Markup:
    """Return an SVG of a run's first number over its longest numeric axis, a line for each value of the next axis.

    The points are means of the finished cells over the other axes and the replicates. A long axis, and many lines, are
    thinned evenly.
    """
    grid = run.grid
    numeric = [name for name, values in grid.axes.items() if _are_numbers(values)]
    if not run.values or not numeric:
        return _empty(run)
    name = next(iter(run.values))
    along = max(numeric, key=lambda each: len(grid.axes[each]))
    others = [each for each in grid.axes if each != along and len(grid.axes[each]) > 1]
    by = others[:1]
    dims = [grid.dims.index(each) for each in (*by, along)]
    values = np.where(run.done, run.values[name], np.nan).reshape(grid.shape)
    values = np.moveaxis(values, dims, range(len(dims))).reshape(*(grid.shape[i] for i in dims), -1)
    finite = np.isfinite(values)
    counts = finite.sum(-1)
    means = np.where(counts > 0, np.where(finite, values, 0.0).sum(-1) / np.maximum(counts, 1), np.nan)
    x = np.array(grid.axes[along], dtype=float)
    order = np.argsort(x)
    order = order[:: math.ceil(len(order) / POINTS)]
    lines, x = np.atleast_2d(means)[:: math.ceil(len(np.atleast_2d(means)) / LINES)][:, order], x[order]
    called = f"{name} over {along}{f', a line for each {by[0]}' if by else ''}, of what is done"
    by_ratios = x.min() > 0 and x.max() / x.min() >= 20
    return inline_pictures.lines(x, lines, f"{name} over {along}", called, by_ratios)


def _empty(run):
    """Return a bar of the share of finished cells, for a run without a numeric axis."""
    return inline_pictures.share(run.done.mean(), f"{int(run.done.sum())} of {run.grid.size} cells")


def _are_numbers(values):
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values)
