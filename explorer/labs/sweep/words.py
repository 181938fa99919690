"""Sentences of the Sweep lab. Every number is computed; none is typed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal
from explorer.execution.processors import usable
from explorer.languages import translate, translate_plural
from explorer.markup import Markup, joined, markup
from explorer.workbench.numbers import format_number
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.registry import entry

from .starting import START

if TYPE_CHECKING:
    from .result import SweepResult
    from .running import SweepRun


# The colour of a measure is that of the first of these names in it.
NAMED = {"F-KMSE": "fkmse", "S-KMSE": "skmse", "MMKME": "mmkme", "MKME": "mkme", "MONK": "monk"}
GAUGE = markup("""<style>
.gauge {{ height: 3px; border-radius: 2px; background: var(--line); overflow: hidden; margin: 2px 0 0; }}
.gauge div {{ height: 100%; background: var(--ink); transition: width 0.2s linear; }}
.run {{ font-size: 12px; line-height: 1.25; color: var(--soft); }}
@media (prefers-reduced-motion: reduce) {{ .gauge div {{ transition: none; }} }}
</style>""")
SHOWN = 300  # The most rows of the table. A longer table belongs in a file.


# Parts of a measure's name -> their form in a sentence.
SPOKEN = {
    "loss relative to loss of KME": "relative loss",
    "loss relative to that of KME": "relative loss",
    "lambda": "λ",
    "sigma": "σ",
    "MMD squared": "MMD²",
    ", beside that before": ", relative to before",
}


def measure_text(measure: str) -> str:
    """Return a measure's name for a sentence, such as "S-KMSE's relative loss"."""
    words, unit, _ = measure.partition(", data sd")
    name, _, estimator = words.rpartition(", ")
    if name and estimator in NAMED:
        words = f"{estimator}'s {name}"
    for long, short in SPOKEN.items():
        words = words.replace(long, short)
    return translate("{}, in data sd", words) if unit else words


def role(measure: str) -> str:
    """Return the role whose colour a measure's estimator has."""
    return next((each for name, each in NAMED.items() if name in measure), "kme")


def listed(words: Sequence[str]) -> str:
    """Return words joined by commas and a last 'and'."""
    *first, last = words
    return translate("{} and {}", ", ".join(first), last) if first else last


def counted(count: int) -> str:
    """Return a number of fits, as text."""
    return translate_plural("{:,} fit", "{:,} fits", count)


def at(result: SweepResult, index: int | np.intp) -> str:
    """Return the position of a cell as text. Its index counts all cells."""
    return translate("at {}", where(result, [int(i) for i in np.unravel_index(index, result.counts.shape)]))


def where(result: SweepResult, place: Sequence[int]) -> str:
    """Return the values of the cell at an index along the axes, as text."""
    return ", ".join(f"{each.name} = {each.words[i]}" for each, i in zip(result.axes, place, strict=True))


def seconds(time: float) -> str:
    """Return a time as text, to about two digits."""
    if time < 1:
        return translate("less than a second")
    if time < 100:
        return f"{float(f'{time:.2g}'):g} s"
    return translate("{:.0f} min", time / 60) if time < 6000 else translate("{:.2g} hours", time / 3600)


def headline(result: SweepResult, row: int) -> Markup:
    """Return the headline in HTML: where the measure is lowest, its extremes, and what each cell consists of."""
    over = listed([each.name for each in result.axes])
    shown, tint = Markup.escape(measure_text(result.measure_name)), role(result.measure_name)
    for name in (name for name, each in NAMED.items() if each == tint):
        shown = shown.replace(name, named(name, tint))
    if not result.counts.any():
        what = (
            translate("No fit of this sweep has this number.")
            if result.done
            else translate("No fit is done yet. Press Run.")
        )
        return in_html(
            markup("{}: {}, by {}: <b>{}</b>.", entry(result.lab.lab).title, shown, over, counted(result.grid.size)),
            what,
        )
    middle = result.middle
    ends = [
        (format_number(float(middle.flat[i])), at(result, i))
        for i in (int(np.nanargmin(middle)), int(np.nanargmax(middle)))
    ]
    (lowest, cell), (highest, other) = ends
    if ends[0] == ends[1]:
        return in_html(markup("The median of {} is <b>{}</b> {}.", shown, lowest, cell), _trust(result))
    trust = translate("There it is {}; the highest is {}, {}. {}", lowest, highest, other, _trust(result))
    return in_html(markup("The median of {} is lowest <b>{}</b>.", shown, cell), trust)


def in_short(result: SweepResult) -> str:
    """Return a title: the measure and the swept fields."""
    return translate("{}, by {}", measure_text(result.measure_name), listed([each.name for each in result.axes]))


def _trust(result):
    seeds = (
        translate("with the same seeds in all cells")
        if result.lab.paired
        else translate("with different seeds in every cell")
    )
    parts = [
        translate(
            "Each cell has {}, {}.", translate_plural("{:,} replicate", "{:,} replicates", result.lab.replicates), seeds
        )
    ]
    if not result.whole:
        parts.append(translate("{:,} of {} are done.", result.done, counted(result.grid.size)))
    if result.impossible:
        parts.append(
            translate(
                "{} without a value: the lab has no such state, or no such number there.", counted(result.impossible)
            )
        )
    return " ".join(parts)


def budget(result: SweepResult) -> str:
    """Return the expected cost of a sweep that has not begun, as text."""
    cost, fits = result.cost, counted(result.grid.size)
    if cost is None:
        return translate("{}. Timing one of them.", fits)
    if not cost.seconds:
        return translate("{}. The lab refused every one that was tried.", fits)
    computing, starting = cost.of(result.grid.size), START.expected or 0.0
    about = seconds(computing + starting)
    about = about if about.startswith("less") else translate("about {}", about)
    if starting >= 1:
        parts = translate(": {} to start {}, {} to compute", seconds(starting), processes(usable()), seconds(computing))
    else:
        parts = translate(" on {}", translate_plural("{:,} core", "{:,} cores", usable()))
    return f"{fits}, {about}{parts}."


def processes(count: int) -> str:
    """Return the number of processes as text."""
    return translate_plural("a process", "{:,} processes", count)


def idle_progress(result: SweepResult) -> str:
    """Return the progress of a sweep that is not running, as text."""
    if not result.done:
        return budget(result)
    if result.cells is not None and result.whole:
        took = translate(", in {}", seconds(result.cells.seconds)) if result.cells.seconds >= 1 else ""
        return translate("All {} are done{}.", counted(result.grid.size), took)
    return translate("{:,} of {} are done. Press Resume to go on.", result.done, counted(result.grid.size))


def progress(work: SweepRun) -> str:
    """Return the progress of a running sweep, as text."""
    step = work.step
    if step is None or step.done == step.kept:
        done = 0 if step is None else step.done
        if not work.waits:
            return translate("{} done.", counted(done))
        known = translate(" takes about {}", seconds(START.seconds)) if START.seconds and START.seconds >= 1 else ""
        return translate("{} done; starting {}{}.", counted(done), processes(usable()), known)
    if step.done == step.total:
        return translate("{} done.", counted(step.total))
    return translate("{:,} of {}, {} to go.", step.done, counted(step.total), seconds(step.remaining))


def gauge(words: str, share: float) -> Markup:
    """Return text above a bar that shows the percentage of finished fits, in HTML."""
    return markup(
        "{}<div class='run'>{}<div class='gauge' role='progressbar' aria-label='fits done'"
        " aria-valuemin='0' aria-valuemax='100' aria-valuenow='{:.0f}'><div"
        " style='width:{:.1f}%'></div></div></div>",
        GAUGE,
        words,
        share,
        share,
    )


def caption(result: SweepResult) -> Markup:
    """Return the caption in HTML: what is swept, and the values of the other fields."""
    axes = joined((markup("<b>{}</b>: {}", each.called, ", ".join(each.words)) for each in result.axes), "; ")
    rest = translate("those of the preset '{}'", result.lab.at) if result.lab.at else translate("the lab's defaults")
    per_cell = control(counted(result.lab.replicates), "replicates")
    return markup(
        "{}. All other settings are {}. Each cell has {}; the seed of the sweep is {}.{}",
        axes,
        rest,
        per_cell,
        result.lab.seed,
        tries(result.lab, ("20 fits per cell", {"replicates": 20})),
    )


def story_values(result: SweepResult) -> dict[str, Any]:
    """Return no values, because the lab has no stories."""
    return {}


def map_words(result: SweepResult) -> str:
    """Return the sentence on the smallest and largest medians, and on the variation between a cell's replicates."""
    if not result.counts.any():
        return translate("No fit of {} is done yet.", result.grid.size)
    low, middle, high = result.quartiles
    sentences = [
        translate(
            "The median of {}, by {}, ranges from {} {} to {} {}.",
            measure_text(result.measure_name),
            listed([each.called for each in result.axes]),
            format_number(float(np.nanmin(middle))),
            at(result, np.nanargmin(middle)),
            format_number(float(np.nanmax(middle))),
            at(result, np.nanargmax(middle)),
        )
    ]
    wide = high - low
    if np.isfinite(wide).any():
        sentences.append(
            translate(
                "The interquartile range of a cell is at most {}, {}.",
                format_number(float(np.nanmax(wide))),
                at(result, np.nanargmax(wide)),
            )
        )
    return " ".join(sentences)


# The cells, each with a link to the lab in the state of its first replicate. `address(lab)` is the link.


def card(result: SweepResult, address: Callable[..., Any]) -> Markup:
    """Return the card of the selected cell, in HTML."""
    place = result.picked
    if place is None and not result.done and result.cost and result.cost.refused:
        return markup("<div class='trust'>Some cells are refused: {}</div>", result.cost.refused)
    if place is None:
        first = (
            translate("Point at a cell to read it. Click it") if len(result.axes) == 2 else translate("Click a value")
        )
        return markup("<div class='trust'>{} for a link to the lab in that state.</div>", first)
    low, middle, high = (float(part[place]) for part in result.quartiles)
    if np.isfinite(middle):
        value = translate(
            "median {}, quartiles {} and {}", format_number(middle), format_number(low), format_number(high)
        )
    else:
        value = translate("no value") if result.whole else translate("no value yet")
    opens = _link(result, place, address, translate("Open it in {}", entry(result.lab.lab).title))
    return markup("<div class='trust' role='status'><b>{}</b>: {}. {}</div>", where(result, place), value, opens)


def table(result: SweepResult, address: Callable[..., Any]) -> Markup:
    """Return the table of all cells, each with its link, in HTML."""
    count, shape = result.counts.size, result.counts.shape
    head = joined(markup("<th>{}</th>", each.called) for each in result.axes)
    rows = joined(_row(result, np.unravel_index(i, shape), address) for i in range(min(count, SHOWN)))
    kept = (
        translate("the first {} of {:,} cells; the download has all", SHOWN, count)
        if count > SHOWN
        else translate("{} cells", count)
    )
    return markup(
        "<div class='preview' tabindex='0'><table><caption>{}: {}</caption><tr>{}<th>lower"
        " quartile</th><th>median</th><th>upper quartile</th><th>lab</th></tr>{}</table></div>",
        measure_text(result.measure_name),
        kept,
        head,
        rows,
    )


def _row(result, place, address):
    values = joined(markup("<td>{}</td>", each.words[i]) for each, i in zip(result.axes, place, strict=True))
    numbers = joined(
        markup("<td>{}</td>", format_number(v) if np.isfinite(v := float(part[place])) else "–")
        for part in result.quartiles
    )
    name = translate("open {} at {}", entry(result.lab.lab).title, where(result, place))
    opens = _link(result, place, address, "open", name, translate("no such state"))
    return markup("<tr>{}{}<td>{}</td></tr>", values, numbers, opens)


def _link(result, place, address, words, name="", refused=None):
    """Return a link that opens in another tab. For a refused state it is the reason, or other text to read."""
    try:
        opens = address(result.state(place))
    except Refusal as refusal:
        return refused or str(refusal)
    label = markup(" aria-label='{}'", name) if name else ""
    return markup("<a href='{}' target='_blank' rel='noopener' style='color: inherit'{}>{}</a>", opens, label, words)
