"""The cells of a sweep as links: to the lab, in the state that the cell's first replicate had."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

import numpy as np

from explorer.labs.sweep_words import where
from explorer.workbench.numbers import number

from .addresses import LABS
from .places import VERSION

SHOWN = 300  # rows: a longer table is for a file


def link(result, places):
    """Where a cell opens, and why nowhere: (address, "") or ("", sentence)."""
    try:
        _, state = result.cell(places)
    except ValueError as error:
        return "", str(error)
    default = type(state)().flat()
    words = {name: word for name, word in state.flat().items() if word != default[name] or name == "seed"}
    return f"{result.lab.lab}?{urlencode({'v': VERSION, **words})}", ""


def card(result):
    """The cell that is picked, in HTML."""
    if result.picked is None:
        return (
            "<div class='trust'>Press a value in the picture to open the lab there; the table below has a link for"
            " each.</div>"
        )
    low, middle, high = (float(part[result.picked]) for part in result.quartiles)
    said = (
        f"median {number(middle)}, middle half {number(low)} to {number(high)}"
        if np.isfinite(middle)
        else "no number yet"
    )
    if result.done and not np.isfinite(middle) and result.whole:
        said = "no such number there"
    address, refused = link(result, result.picked)
    opens = _anchor(result, address, f"Open it in {LABS[result.lab.lab].called}") if address else escape(refused)
    return f"<div class='trust'><b>{escape(where(result, result.picked))}</b>: {said}. {opens}</div>"


def table(result):
    """All cells, each with its link, in HTML."""
    count = result.counts.size
    head = "".join(f"<th>{escape(each.called)}</th>" for each in result.axes)
    rows = "".join(_row(result, np.unravel_index(i, result.counts.shape)) for i in range(min(count, SHOWN)))
    kept = f"the first {SHOWN} of {count:,} cells; the download has all" if count > SHOWN else f"{count} cells"
    return (
        f"<div class='preview' tabindex='0'><table><caption>{escape(result.measure)}:"
        f" {kept}</caption><tr>{head}<th>lower quartile</th><th>median</th><th>upper"
        f" quartile</th><th>lab</th></tr>{rows}</table></div>"
    )


def _row(result, places):
    values = "".join(f"<td>{escape(each.words[i])}</td>" for each, i in zip(result.axes, places, strict=True))
    numbers = "".join(
        f"<td>{number(v) if np.isfinite(v := float(part[places])) else '–'}</td>" for part in result.quartiles
    )
    address, _ = link(result, places)
    name = f"open {LABS[result.lab.lab].called} at {where(result, places)}"
    opens = _anchor(result, address, "open", name) if address else "cannot be"
    return f"<tr>{values}{numbers}<td>{opens}</td></tr>"


def _anchor(result, address, words, name=""):
    """A link that leaves the sweep where it is."""
    label = f" aria-label='{escape(name)}'" if name else ""
    return (
        f"<a href='{escape(address)}' target='_blank' rel='noopener' style='color: inherit'{label}>{escape(words)}</a>"
    )
