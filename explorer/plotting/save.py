"""`save`: a picture as a standalone file that needs no network."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path
from typing import Any

from explorer.checks import Refusal, WrongType, echo, join_list
from explorer.files.whole_files import writable
from explorer.files.whole_files import write as write_whole
from explorer.public_names.synonyms import explain_wrong_calls

from .files import backend_of, write
from .plot import LAB, TEST, classes_of, is_dataset, plot
from .results import lab_picture


@explain_wrong_calls
def save(thing: Any, path: str | os.PathLike[str], title: str | None = None, **options: Any) -> Path:
    """Write a picture as an HTML page that needs neither a server nor a network.

    Use it to send a plot to somebody. To show it in a notebook use `plot`.

    Parameters
    ----------
    thing : object
        What `plot` returns, also combined by `*` and `+` and restyled by `.opts(...)`, or what it draws.
    path : str or path
        Ends in .html. A sweep's Dataset also supports .svg and .png, which need matplotlib; the result of a test or of
        a lab
        supports .svg, which needs nothing.
    title : str or None, default None
        The title of the page. None takes the name of the file.
    **options
        Options of `plot`, if it has yet to draw the thing. For the .svg of a lab's result, `picture` is the name of a
        picture;
        without it the first that its page shows is written.

    Returns
    -------
    path : Path
        The file that was written. An existing file of that name is replaced.

    Raises
    ------
    ValueError
        If the path has another suffix or its folder does not exist, or for options that `plot` refuses.
    TypeError
        If the path is not a path, or the thing cannot be drawn.

    Notes
    -----
    The page contains all its scripts, some 1.3 MB, whereas `hv.save` of HoloViews links to them.

    Examples
    --------
    >>> import tempfile
    >>> from explorer import Gaussian, mmd_test, plot, save
    >>> result = mmd_test([0.1, 0.4, 0.8, 1.1], [1.9, 2.3, 2.8, 3.3], Gaussian(1.0), rng=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     "<script" in save(plot(result), f"{folder}/test.html").read_text(encoding="utf-8")
    True
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongType(f"path must be the name of a file, such as 'test.html', not {echo(path)}.")
    if {LAB, TEST}.intersection(classes_of(thing)) and str(path).lower().endswith(".svg"):
        return _as_svg(thing, Path(path), title, options)
    file, backend = Path(path), backend_of(path)
    if is_dataset(thing):
        picture = plot(thing, backend=backend, **options)
    elif backend != "bokeh":
        raise Refusal(f"{file.suffix} files are for a sweep's Dataset; this picture is drawn for {file.stem}.html.")
    elif not _is_drawn(thing):
        picture = plot(thing, **options)
    elif options:
        raise Refusal(f"{', '.join(options)} is for plot, which drew this picture already: give it there.")
    else:
        picture = thing
    write(picture, file, file.stem if title is None else title)
    return file


def _as_svg(result, path, title, options):
    """Write a result's picture as an SVG. It is Markup, which escapes all names of a table."""
    if title is not None:
        raise Refusal("title is that of a page; a picture has its own.")
    draw = lab_picture if LAB in classes_of(result) else _of_test
    known = list(inspect.signature(draw).parameters)[1:]
    if unknown := [name for name in options if name not in known]:
        raise Refusal(f"this picture as .svg takes {join_list(known)}, not {join_list(unknown)}.")
    return write_whole(writable(path), draw(result, **options))


def _of_test(result, level=0.05, bins=None):
    """Return a test's null distribution as a standalone SVG, as `plot` draws it."""
    from explorer.marks.nulls import OneTest, null_of_test
    from explorer.svg import draw_standalone

    return draw_standalone(null_of_test, OneTest.of(result, level, bins))


def _is_drawn(thing):
    """Return whether a thing is a HoloViews object, without importing HoloViews: if it is not loaded, there is none."""
    holoviews = sys.modules.get("holoviews")
    return holoviews is not None and isinstance(thing, holoviews.core.Dimensioned)
