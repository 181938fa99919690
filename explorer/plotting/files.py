"""Pictures as files: HTML that needs no network, PDF, SVG and PNG that need no browser."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

from explorer.checks import Refusal, echo
from explorer.files.whole_files import writable
from explorer.files.whole_files import write as write_whole
from explorer.markup import Markup, embedded, from_library, joined, markup, meant, script

SUFFIXES = {".html": "bokeh", ".pdf": "matplotlib", ".svg": "matplotlib", ".png": "matplotlib"}
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
        Bokeh for .html, matplotlib for .pdf, .svg and .png.

    Raises
    ------
    Refusal
        If the suffix is not that of a picture, the folder does not exist, or matplotlib is missing.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise Refusal(f"a picture is a file that ends in .html, .pdf, .svg or .png, not {echo(str(path))}.")
    writable(path)
    backend = SUFFIXES[path.suffix.lower()]
    if backend == "matplotlib" and find_spec("matplotlib") is None:
        raise Refusal(
            f"{path.suffix.lower()} pictures need matplotlib: pip install 'kernel-mean-explorer[pictures]';"
            " .html needs nothing more."
        )
    return backend


def write(picture: Any, path: str | Path, title: str | None = None, **wishes: Any) -> None:
    """Write what `plot` drew to a file. `title` is that of a figure, or of a page, by default the name of its file.

    `wishes` are the other fields of a figure's `paper.Page`.
    """
    path = Path(path)
    backend_of(path)
    write_whole(path, contents_of(picture, path.suffix, path.stem, title, **wishes))


def contents_of(picture: Any, suffix: str, stem: str, title: str | None = None, **wishes: Any) -> bytes:
    """Return the content of a file with this suffix for what `plot` drew.

    Parameters
    ----------
    picture : holoviews object
        The picture.
    suffix : {".html", ".pdf", ".svg", ".png"}
        The suffix of the file.
    stem : str
        The name of the file, which titles an HTML page without a title.
    title : str or None, default None
        The title of an HTML page or of a figure.
    **wishes
        The other fields of a figure's `paper.Page`.

    Returns
    -------
    contents : bytes
        The file's content.
    """
    if SUFFIXES[suffix.lower()] == "bokeh":
        return meant(html_of(picture, stem if title is None else title)).encode()
    from . import paper

    return paper.contents_of(picture, suffix, paper.Page(title=title, **wishes))


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
