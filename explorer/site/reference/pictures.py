"""Pictures of examples: that of the last result that has one, as `plot` draws it or a notebook shows it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from explorer.checks import Refusal
from explorer.kernels import Kernel
from explorer.markup import Markup, from_library, markup
from explorer.plotting.plot import KINDS, classes_of
from explorer.site.gallery.drawing import plot_svg

ESTIMATOR = "explorer.estimators.base.Estimator"  # which has no picture without a sample


def picture(values: Iterable[Any]) -> Markup | None:
    """Return the picture of the last of some values that has one, or None if there is none."""
    for value in reversed(list(values)):
        if inspect.isclass(value) or inspect.ismodule(value) or inspect.isfunction(value):
            continue
        for way in (_drawn, _shown):
            made = way(value)
            if made is not None:
                return made
    return None


def _drawn(value):
    """Return the plot of a value above its sentence, or None if `plot` does not draw it."""
    kinds = [name for name in classes_of(value) if name in KINDS]
    if not kinds or kinds[0] == ESTIMATOR:
        return None
    options = {"at": 0.0} if isinstance(value, Kernel) else {}
    try:
        drawn = plot_svg(value, **options)
    except Refusal:  # such as a kernel of words
        return None
    return markup("<figure>{}{}</figure>", drawn, _caption(value))


def _caption(value):
    """Return the text below a picture: the sentence that a result prints, or the kernel."""
    if isinstance(value, Kernel):
        return markup("<figcaption>k(x, 0) of <code>{}</code></figcaption>", value)
    sentence = str(value)
    return markup("<figcaption>{}</figcaption>", sentence) if sentence.endswith(".") else ""


def _shown(value):
    """Return the image that a notebook shows of a value of this library, with its sentence, or None."""
    show = getattr(value, "_repr_html_", None)
    if show is None or not type(value).__module__.startswith("explorer."):
        return None
    html = show()
    return (html if isinstance(html, Markup) else from_library(html)) if "<svg" in html else None
