"""Pictures as files: HTML that needs no network, PNG and SVG that need no browser."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

from explorer.checks import Refusal, echo
from explorer.files.whole_files import writable
from explorer.files.whole_files import write as write_whole
from explorer.markup import Markup, embedded, from_library, joined, markup, meant, script

SUFFIXES = {".html": "bokeh", ".png": "matplotlib", ".svg": "matplotlib"}
SHARP = 200  # dots per inch of a PNG
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
{scripts}</head><body>
{body}
</body></html>
"""
STYLE = "body { font: 16px/1.5 system-ui, sans-serif; margin: 24px }"


def backend_of(path: str | PathLike[str]) -> str:
    """Return the backend that writes a file of this name.

    Parameters
    ----------
    path : str or path
        The file, which need not exist.

    Returns
    -------
    backend : {"bokeh", "matplotlib"}
        Bokeh for .html, matplotlib for .png and .svg.

    Raises
    ------
    Refusal
        If the suffix is not that of a picture, the folder does not exist, or matplotlib is missing.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise Refusal(f"a picture is a file that ends in .html, .png or .svg, not {echo(str(path))}.")
    writable(path)
    backend = SUFFIXES[path.suffix.lower()]
    if backend == "matplotlib" and find_spec("matplotlib") is None:
        raise Refusal(
            f"{path.suffix.lower()} pictures need matplotlib: pip install 'kernel-mean-explorer[pictures]';"
            " .html needs nothing more."
        )
    return backend


def write(picture: Any, path: str | Path, title: str) -> None:
    """Write a HoloViews object, styled for the backend of this path, to a file; `title` is that of an HTML page."""
    path = Path(path)
    backend_of(path)
    write_whole(path, contents_of(picture, path.suffix, title))


def contents_of(picture: Any, suffix: str, title: str) -> bytes:
    """Return the content of a file with this suffix for a HoloViews object.

    Parameters
    ----------
    picture : holoviews object
        Styled for the backend of the suffix.
    suffix : {".html", ".png", ".svg"}
        The suffix of the file.
    title : str
        The title of an HTML page.

    Returns
    -------
    contents : bytes
        The file's content.
    """
    if SUFFIXES[suffix.lower()] == "bokeh":
        return meant(html_of(picture, title)).encode()
    import holoviews as hv
    from matplotlib import rc_context

    form = suffix.lower().lstrip(".")
    # text stays text, and the same picture gives the same file
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "explorer"}):
        renderer = hv.renderer("matplotlib").instance(fig=form, dpi=SHARP if form == "png" else 72)
        found, _ = renderer(picture, fmt=form)
    return found if isinstance(found, bytes) else found.encode()


def html_of(picture: Any, title: str) -> Markup:
    """Return a HoloViews object as an HTML page that needs neither a server nor a network."""
    import holoviews as hv
    from bokeh.embed import components
    from bokeh.models import Widget
    from bokeh.resources import Resources

    model = hv.render(picture, backend="bokeh")
    ours, body = map(from_library, components(model))
    parts: Any = (
        ["bokeh", "bokeh-widgets"] if model.select({"type": Widget}) else ["bokeh"]
    )  # a title over several panels is a widget
    plain = Resources(mode="inline", components=parts, log_level="warn")
    # `render` would add addresses of scripts that other models of the process need
    scripts = joined([*map(script, plain.js_raw), ours])
    return markup(PAGE, title=title, style=embedded(STYLE), scripts=scripts, body=body)
