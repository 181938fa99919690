"""Text in the page's style."""

from __future__ import annotations

import re
from html import escape

import panel as pn

from explorer.views.legend import legend as in_line
from explorer.views.style import colour
from explorer.workbench.numbers import number

from .theme import STYLE


def html(text, **options):
    """A pane of text in the page's style."""
    return pn.pane.HTML(text, stylesheets=[STYLE], **{"sizing_mode": "stretch_width", "margin": (4, 10), **options})


def legend(strokes, dark):
    """Which stroke is what, in one line, on light or on dark ground."""
    return in_line(strokes, lambda role: colour(role, dark))


def plain(markup):
    """Markup without its tags, for those who listen."""
    return " ".join(re.sub("<[^>]*>", " ", markup).split())


def twin(sentences, tables):
    """The pictures in words, and the first rows of each table."""
    words = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f"<div class='caption'>{words}</div>" + "".join(_table(name, columns) for name, columns in tables.items())


def _said(value):
    return escape(value) if isinstance(value, str) else number(float(value))


def _table(name, columns, rows=13):
    """Every k-th row, so that the whole range is there."""
    length = len(next(iter(columns.values())))
    picked = range(0, length, max(1, -(-length // rows)))
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_said(v[i])}</td>" for v in columns.values()) + "</tr>" for i in picked)
    shown = f"{len(picked)} of {length} rows; the download has all" if len(picked) < length else f"{length} rows"
    return (
        f"<div class='preview' tabindex='0'><table><caption>{escape(name)}:"
        f" {shown}</caption><tr>{head}</tr>{body}</table></div>"
    )
