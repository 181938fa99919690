"""The Sweep lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from html import escape

import numpy as np

from explorer.workbench.numbers import number, signed

from .sweep_cost import cores


def listed(words):
    """Words with commas and a last 'and'."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def counted(count, one="fit"):
    """So many of something, in words."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def at(result, index):
    """Where a cell is, counted through all of them."""
    return f"at {where(result, np.unravel_index(index, result.counts.shape))}"


def where(result, places):
    """The values of a cell at its places along the axes."""
    return ", ".join(f"{each.name} = {each.words[i]}" for each, i in zip(result.axes, places, strict=True))


def seconds(time):
    """A time in words, to about two digits."""
    if time < 1:
        return "less than a second"
    if time < 100:
        return f"{float(f'{time:.2g}'):g} s"
    return f"{time / 60:.0f} min" if time < 6000 else f"{time / 3600:.2g} hours"


def headline(result, row):
    """Where the measure is lowest and highest, in HTML: one sentence, and one line that says how far to trust it."""
    over = listed([f"<span class='name'>{escape(each.name)}</span>" for each in result.axes])
    if not result.counts.any():
        what = "None of its fits has such a number." if result.done else "Press Run to begin."
        return (
            f"<div class='says'>How '{escape(result.measure)}' in the lab {result.lab.lab} hangs on {over}: "
            f"<b>{counted(result.grid.size)}</b>.</div><div class='trust'>{what}</div>"
        )
    middle = result.quartiles[1]
    ends = [
        (signed(float(middle.flat[i])), at(result, i)) for i in (int(np.nanargmin(middle)), int(np.nanargmax(middle)))
    ]
    found = " to ".join(f"<b>{value}</b> {escape(cell)}" for value, cell in dict.fromkeys(ends))
    says = (
        f"Over {over} the median of '{escape(result.measure)}' {'goes from' if ends[0] != ends[1] else 'is'} {found}."
    )
    return f"<div class='says'>{says}</div><div class='trust'>{_trust(result)}</div>"


def _trust(result):
    replicates = result.lab.replicates
    seeds = "with the same seeds in every cell" if result.lab.paired else "with seeds of its own"
    said = f"Each cell has {counted(replicates, 'replicate')} {seeds}."
    if not result.whole:
        said += f" {result.done:,} of {counted(result.grid.size)} are done."
    if result.impossible:
        said += f" {counted(result.impossible)} have no such number: the lab cannot be there, or does not know it."
    return said


def budget(result):
    """What a sweep costs, before it has begun."""
    cost, fits = result.replicates, counted(result.grid.size)
    if cost is None:
        return f"{fits}; one is being timed."
    if not cost.seconds:
        return f"{fits}, and none that was tried can be. {cost.refused}"
    there_are = f" Not every cell can be: {cost.refused}" if cost.refused else ""
    about = seconds(cost.of(result.grid.size))
    about = about if about.startswith("less") else f"about {about}"
    return f"{fits}, {about} on {counted(cores(), 'core')} once their processes have started.{there_are}"


def standing(result):
    """How far a sweep is that nobody runs just now."""
    if not result.done:
        return budget(result)
    if result.whole:
        return f"All {counted(result.grid.size)} are done{_took(result.cells.seconds)}."
    return f"{result.done:,} of {counted(result.grid.size)} are done; Resume goes on."


def _took(time):
    return f", in {seconds(time)}" if time >= 1 else ""


def progress(step):
    """How far a sweep is that is running."""
    if step is None or step.done == step.kept:
        return f"{0 if step is None else step.done:,} fits are done; the processes are starting."
    return (
        f"{step.done:,} of {counted(step.total)}, {number(float(f'{step.rate:.2g}'))} a second,"
        f" {seconds(step.remaining)} to go."
        if step.done < step.total
        else f"{counted(step.total)} are done."
    )


def caption(result):
    """What is swept, and what the other fields are, in HTML."""
    axes = "; ".join(f"<b>{escape(each.called)}</b>: {escape(', '.join(each.words))}" for each in result.axes)
    rest = f"the preset '{escape(result.lab.at)}'" if result.lab.at else "the lab's defaults"
    return f"{axes}. All other fields are those of {rest}; the sweep's seed is {result.lab.seed}."
