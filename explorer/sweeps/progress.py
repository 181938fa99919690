"""How far a sweep is, said where it runs: a bar in a terminal, a line and a picture in a notebook, lines in a log."""

from __future__ import annotations

import sys
from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING, Any

from explorer.markup import markup, meant

from .filling import filling

if TYPE_CHECKING:
    from explorer.sweeps.run import Progress

    from .run import Run


NOTEBOOK = 0.5  # s between changes of a notebook's line
PICTURE = 1.0  # s between changes of its picture
LOG = 10.0  # s between the first lines of a log; later a tenth of the time that has passed


def followed(run: Run, picture: bool = True) -> Generator[Any, None, None]:
    """The steps of a run, told as they come: to a terminal or a log on the error channel, or to a notebook's cell.

    picture  whether a notebook shows, below the line, a picture that fills

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
    """Whether this code runs in a cell of a notebook, which shows what IPython displays."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def line_of(step: Progress) -> str:
    """A step in words, such as "120 of 240 cells, 40.0 a second, 3 s left"."""
    words = [f"{step.done:,} of {step.total:,} cells"]
    if step.done < step.total and step.rate > 0:
        words += [f"{step.rate:,.1f} a second", f"{duration(step.remaining)} left"]
    elif step.done > step.kept:
        words.append(f"in {duration(step.seconds)}")
    if step.kept:
        words.append(f"{step.kept:,} of them from the store")
    return ", ".join(words)


def duration(seconds: float) -> str:
    """A time in words: "3 s", "2 min 5 s", "1 h 12 min"."""
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
            if bar is None:  # the first step is what the store had; the rate is of what follows
                bar = tqdm(total=step.total, initial=step.kept, unit=" cells", smoothing=0)
            bar.update(step.done - bar.n)
            yield step
    finally:
        if bar is not None:
            bar.close()


def _in_a_log(run):
    """A short sweep leaves no line; one that has left a line ends with one."""
    start = perf_counter()
    due, last, told = LOG, None, None
    for step in run:
        last, passed = step, perf_counter() - start
        if passed >= due and step.done < step.total:
            told, due = step, passed + max(LOG, passed / 10)
            _tell(step)
        yield step
    if told is not None and last != told:
        _tell(last)


def _tell(step):
    print(f"sweep: {line_of(step)}", file=sys.stderr, flush=True)  # noqa: T201


def _in_a_cell(run, picture):
    """One output for the line and one for the picture, each changed in place: nothing moves and nothing flickers."""
    from IPython.display import HTML, display

    def line(step):
        words = line_of(step)
        bar = markup('<progress value="{}" max="{}" aria-label="{}"></progress>', step.done, step.total, words)
        return HTML(markup("{} {}", bar, words))

    start = perf_counter()
    below, shown, drawn, step = None, 0.0, 0.0, None
    above = None
    for step in run:
        passed = perf_counter() - start
        if above is None:
            above = display(line(step), display_id=True)
        elif passed - shown >= NOTEBOOK:
            above.update(line(step))
            shown = passed
        if picture and passed >= drawn + PICTURE:
            if below is None:
                below = display(HTML(meant(filling(run))), display_id=True)
            else:
                below.update(HTML(meant(filling(run))))
            drawn = perf_counter() - start
            drawn += 20 * (drawn - passed)  # a picture of many cells takes its time: at most a twentieth of all
        yield step
    if above is not None:
        above.update(line(step))
    if below is not None:
        below.update(HTML(meant(filling(run))))
