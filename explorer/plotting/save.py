"""`save`: a picture as a file: a page that needs no network, or a figure for a paper."""

from __future__ import annotations

import inspect
import os
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from explorer.checks import Refusal, WrongType, echo, join_list
from explorer.files.whole_files import writable
from explorer.files.whole_files import write as write_whole
from explorer.public_names.synonyms import explain_wrong_calls

from .files import backend_of, write
from .plot import LAB, TEST, classes_of, options_of, plot
from .results import lab_picture, visible_pictures


@explain_wrong_calls
def save(
    thing: Any,
    path: str | os.PathLike[str],
    title: str | None = None,
    *,
    width: float | None = None,
    height: float | None = None,
    font: str | None = None,
    size: float | None = None,
    dpi: float | None = None,
    x_label: Any = None,
    y_label: Any = None,
    **options: Any,
) -> Path:
    """Write a picture as a figure for a paper, or as an HTML page that needs neither a server nor a network.

    Use it to send a plot to somebody. To show it in a notebook use `plot`.

    Parameters
    ----------
    thing : object
        What `plot` returns, also combined by `*` and `+` and restyled by `.opts(...)`, or what it draws.
    path : str or path
        Ends in .pdf, .svg or .png, for a figure, or in .html.
    title : str or None, default None
        The title of the figure, "" for none, or of the page. None takes the picture's own, or the name of the page's
        file.
    width : float or None, default None
        Width of the figure in mm. A column of a journal often has 85. None takes that of the picture, at most 170.
    height : float or None, default None
        Height in mm. None takes that which suits the width.
    font : str or None, default None
        Name of an installed font, or "serif". None takes the one that comes with matplotlib, DejaVu Sans.
    size : float or None, default None
        Font size of all texts in points. None takes 8.
    dpi : float or None, default None
        Dots per inch of a .png. None takes 300.
    x_label, y_label : str or None, default None
        Labels of the axes instead of the picture's own, "" for none. For losses that `plot` has yet to draw also what
        it takes.
    **options
        Options of `plot`, if it has yet to draw the thing. For a lab's result, `picture` is the name of a picture;
        without it a figure shows the first that its page shows.

    Returns
    -------
    path : Path
        The file that was written. An existing file of that name is replaced, whole or not at all.

    Raises
    ------
    ValueError
        If the path has another suffix or its folder does not exist, for options that neither `save` nor `plot` has, for
        those of figures with a page, if the figure is too small for its texts, or if matplotlib is missing.
    TypeError
        If the path is not a path, or the thing cannot be drawn.

    Notes
    -----
    A figure is a vector graphic on white ground, whatever the page or the notebook shows. Its legend is above the
    frame, and lines and dots are as thin as the font size demands. A .pdf embeds its fonts, and an .svg has its text as
    paths, so that both look the same everywhere. Figures need matplotlib: ``pip install
    'kernel-mean-explorer[pictures]'``.

    The .svg of a test's or a lab's result without a title, a size, a font or labels is not a figure but a picture for
    pages: it needs no matplotlib, follows a dark ground, and shows numbers under the pointer.

    A page contains all its scripts, some 1.3 MB, whereas `hv.save` of HoloViews links to them.

    Examples
    --------
    >>> import tempfile
    >>> from explorer import Gaussian, mmd_test, plot, save
    >>> result = mmd_test([0.1, 0.4, 0.8, 1.1], [1.9, 2.3, 2.8, 3.3], Gaussian(1.0), rng=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     figure = save(plot(result), f"{folder}/test.pdf", width=85, size=8, x_label="MMD²")
    ...     page = save(plot(result), f"{folder}/test.html")
    ...     figure.read_bytes()[:4], "<script" in page.read_text(encoding="utf-8")
    (b'%PDF', True)
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongType(f"path must be the name of a file, such as 'test.html', not {echo(path)}.")
    file, wishes = Path(path), {"width": width, "height": height, "font": font, "size": size, "dpi": dpi}
    labels = {"x_label": x_label, "y_label": y_label}
    is_result, is_svg = {LAB, TEST}.intersection(classes_of(thing)), file.suffix.lower() == ".svg"
    wanted = [name for name, each in {**wishes, **labels, "title": title}.items() if each is not None]
    if is_result and is_svg and not wanted:
        return write_whole(writable(file), _for_pages(thing, options))
    is_drawn = _is_drawn(thing)
    if not is_drawn:
        known = options_of(thing, options)
        _refuse_unknown(thing, options, known)
        # losses have labels of their own, which may be a model's field with its unit
        own = {name: each for name, each in labels.items() if name in known and each is not None}
        options, labels = {**options, **own}, {**labels, **dict.fromkeys(own)}
    elif options:
        raise Refusal(f"{', '.join(options)} is for plot, which drew this picture already: give it there.")
    if backend_of(file) == "bokeh":
        if of_figures := [name for name, each in {**wishes, **labels}.items() if each is not None]:
            raise Refusal(
                f"{of_figures[0]} is for files that end in .pdf, .svg or .png; for a page restyle the picture,"
                " as in save(plot(thing).opts(...), path)."
            )
        write(thing if is_drawn else plot(thing, **options), file, title)
        return file
    if LAB in classes_of(thing) and "picture" not in options:
        options["picture"] = next(iter(visible_pictures(thing)))
    write(thing if is_drawn else plot(thing, **options), file, title, **wishes, **labels)
    return file


def _refuse_unknown(thing, options, known):
    """Refuse an option that neither a figure nor this kind of thing has, and name a similar one."""
    own = [name for name, each in inspect.signature(save).parameters.items() if each.kind is each.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            near = get_close_matches(name, [*own, *known, "title"], 1)
            raise Refusal(
                f"save has no option {echo(name)} for a {type(thing).__name__}"
                + (f"; did you mean {near[0]}?" if near else f"; it takes {join_list(['title', *own, *known])}.")
            )


def _for_pages(result, options):
    """Return a result's picture as an SVG for pages. It is Markup, which escapes all names of a table."""
    draw = lab_picture if LAB in classes_of(result) else _of_test
    _refuse_unknown(result, options, list(inspect.signature(draw).parameters)[1:])
    return draw(result, **options)


def _of_test(result, level=0.05, bins=None):
    """Return a test's null distribution as a standalone SVG, as `plot` draws it."""
    from explorer.marks.nulls import OneTest, null_of_test
    from explorer.svg import draw_standalone

    return draw_standalone(null_of_test, OneTest.of(result, level, bins))


def _is_drawn(thing):
    """Return whether a thing is a HoloViews object, without importing HoloViews: if it is not loaded, there is none."""
    holoviews = sys.modules.get("holoviews")
    return holoviews is not None and isinstance(thing, holoviews.core.Dimensioned)
