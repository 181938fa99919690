"""Sentences of the Drift lab. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.markup import markup
from explorer.printing import join_list, minus, short_name
from explorer.workbench.kernels import has_bandwidth, spoken
from explorer.workbench.numbers import WAITING, format_number, length_of, value_of
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import DriftResult, Watch


SCAN = r"Z_t = \frac{U_t}{\mathrm{sd}(U_t)}"
KINDS = {
    "shift": "a shift",
    "spread": "a wider spread",
    "dependence": "a change of dependence",
    "slow": "a slow drift",
}


def headline(result: DriftResult, row: int | None = None) -> Markup:
    """Return the finding of the scan, and below it the alarms of both tests."""
    own, test = result.scanned_at(row)
    parts = _changed(result, test), watchers(result, own), _without_change(result), _drawn(result)
    detail = markup("{}{}{}{}", *parts)
    return in_html(_scan(result, own, test), detail)


def _scan(result, own, test):
    """Return the scan's verdict as one sentence."""
    if test is None:
        return markup(
            "The best split is at {}{}; its p is {}.",
            _bold(result, own.split),
            _from_the_break(result, own),
            translate(WAITING),
        )
    p, breaks = format_number(test.pvalue), result.breaks or ()
    if test.pvalue > result.lab.alpha and breaks:
        found = markup("a <b>break</b> at") if len(breaks) == 1 else markup("<b>{} breaks</b> at", len(breaks))
        return markup(
            "The scan of all rows finds no change (p = {}). The search finds {} {}.", p, found, _listed(result, breaks)
        )
    if test.pvalue > result.lab.alpha:
        missed = (
            translate(" and misses {} from {} on", translate(KINDS[result.lab.kind]), result.place(own.row))
            if result.changes(own)
            else ""
        )
        return markup("The scan finds <b>no change</b> (p = {}){}.", p, missed)
    if len(breaks) > 1:
        return markup("The scan finds <b>{} breaks</b>, at {} (p = {}).", len(breaks), _listed(result, breaks), p)
    wrong = "" if result.changes(own) or not result.lab.toy else translate(": a false alarm")
    at = result.place(own.split, dated=False)
    date, distance = result.place(own.split).removeprefix(at), _from_the_break(result, own)
    return markup("The scan finds a <b>change at {}</b>{} (p = {}){}{}.", at, date, p, distance, wrong)


def _bold(result, row):
    """Return a row by its number in bold, with its date."""
    kind, count = result.place(row, dated=False).split(" ", 1)
    return markup("{} <b>{}</b>{}", kind, count, result.place(row).removeprefix(f"{kind} {count}"))


def _listed(result, rows):
    """List several rows: "rows 40, 80", or lines of a file with their dates."""
    places = [result.place(row) for row in rows]
    kind = places[0].split(" ", 1)[0]
    numbers = [place.split(" ", 1)[1] for place in places]
    plural = kind if len(places) == 1 else f"{kind}s"
    dated = not result.lab.toy and result.times is not None
    return f"{plural} {join_list(numbers, 160, '; ' if dated else ', ')}"


def _changed(result, test):
    """Say which columns of a table change at the break, once that is known."""
    if result.lab.toy or test is None or len(test.changes) < 2 or not test.rejected(result.lab.alpha):
        return ""
    names = [short_name(result.quantities[j].name) for j in _changing(result, test)]
    return (
        translate("Columns that change: {}. ", join_list(names, 160))
        if names
        else translate("No column by itself is found to change. ")
    )


def _changing(result, test):
    """Return the columns that change at the level, by position, those with the least adjusted p first."""
    found = [j for j, column in enumerate(test.changes) if column.adjusted <= result.lab.alpha]
    return sorted(found, key=lambda j: test.changes[j].adjusted)


def _from_the_break(result, own):
    """Say how far the best split is from the break."""
    if not result.changes(own):
        return ""
    if result.lab.kind == "slow":
        return translate("; the drift begins at {}", result.place(own.row))
    return f", {_apart(result.apart(own))}"


def _apart(rows):
    return translate("exactly at the break") if rows == 0 else translate("{} from the break", _rows(rows))


def _capitalised(words):
    return words[:1].upper() + words[1:]


def _rows(count):
    return translate_plural("{:,} row", "{:,} rows", count)


def watchers(result: DriftResult, own: Watch) -> str:
    """Say when the t tests and the betting test raise an alarm."""
    return translate("{}, and {}.", _looking(result, own), _betting(result, own))


def _looking(result, own):
    lab, at = result.lab, result.first_look(own)
    if not len(own.pvalues):
        return translate("Only {} are watched, too few for a t test every {} rows", _rows(lab.n - lab.start), lab.every)
    how = translate("A t test every {}", _rows(lab.every))
    if at is None:
        return translate("{} never rejects (smallest p = {})", how, format_number(float(own.pvalues.min())))
    return translate("{} first rejects at {}{}", how, result.place(at), _false(result, own, at))


def _betting(result, own):
    if own.alarm is None:
        return translate("the betting test raises no alarm (largest wealth {})", format_number(float(own.path.max())))
    return translate(
        "the betting test raises an alarm at {}{}", result.place(own.alarm), _false(result, own, own.alarm)
    )


def _false(result, own, at):
    """Mark an alarm at a row as false if it is known to be."""
    wrong = result.lab.toy and (not result.changes(own) or at < own.row)
    return translate(" (a false alarm)") if wrong else ""


def _without_change(result):
    """Say how often both tests raise an alarm in series without a change, if such series are watched."""
    quiet = result.quiet
    if quiet is None:
        return ""
    return markup(
        " In {} series without a change, the t tests raise an alarm in <b>{}</b> and the betting test in <b>{}</b>.",
        quiet.count,
        quiet.looks,
        quiet.betting,
    )


def _drawn(result):
    """Say how many rows of a table are drawn and left out, or return "" if all of them are drawn."""
    if result.lab.toy:
        return ""
    shown = translate("{:,} of {:,} rows are drawn", result.lab.n, result.total) if result.thinned else ""
    gone = result.lab.the_table().dropped
    out = (
        translate_plural(
            "{} with missing cells or dates is left out",
            "{} with missing cells or dates are left out",
            gone,
            _rows(gone),
        )
        if gone
        else ""
    )
    return f" {'; '.join(filter(None, (shown, out)))}." if shown or out else ""


def _state(result):
    """Describe the rows, the reference, the kernel and the seed."""
    lab = result.lab
    wide = translate(", bandwidth {}", format_number(result.kernel.bandwidth)) if has_bandwidth(result) else ""
    rows = translate("{} of {:,} rows, in order", lab.n, result.total) if result.thinned else f"n = {lab.n}"
    rows += "" if lab.toy or not lab.time or result.times is None else translate(" of {}", short_name(lab.time))
    return translate(
        "Series: {}, the first {} as reference; {} kernel{}; seed {}.",
        rows,
        lab.start,
        spoken(lab.kernel),
        wide,
        lab.seed,
    )


def caption(result: DriftResult) -> Markup:
    """Return the statistic with this state's numbers, the difference before and after, and what to try."""
    own, test = result.scanned_at()
    # a row number would not name the row of a file, where rows have their own lines
    highest = rf"Z_{{{own.split}}}" if result.lab.toy else r"\max_t Z_t"
    line = equation(SCAN, rf"\quad {highest} = {format_number(own.peak)}")
    words = markup("The {} of the profile is {}", named(translate("highest point"), "kme"), format_number(own.peak))
    if test is None:
        words += markup("; its p is {}. {}", translate(WAITING), split_words(result))
    else:
        words += markup(
            "; from {} on, p is at most {} ({} {}). {}",
            format_number(test.threshold(result.lab.alpha)),
            control(result.lab.level, "level"),
            len(test.null_distribution),
            test.resamples,
            split_words(result),
        )
    remark = f"{_columns(result, test)}{_several(result)} {_state(result)} {result.median[1]}".rstrip()
    return line + words + remark + tries(result.lab, *_tries(result.lab))


def _columns(result, test):
    """Describe the columns that change by median before and after the break and adjusted p; "" without a change."""
    if not _changed(result, test):
        return ""
    each = []
    for j in _changing(result, test):
        column, quantity = test.changes[j], result.quantities[j]
        first, second = (value_of(quantity, x) for x in column.medians)
        each.append(
            translate(
                "{}, median {} → {} (adjusted p = {})",
                short_name(quantity.name),
                first,
                second,
                format_number(column.adjusted),
            )
        )
    return (
        translate(" By columns: {}.", join_list(each, 400, "; "))
        if each
        else translate(" No column by itself is found to change.")
    )


def _several(result):
    """Report the search for several breaks, or return "" if there was none."""
    if not result.lab.several or result.lab.changes:
        return ""
    if result.breaks is None:
        return translate(" Several breaks: {}.", translate(WAITING))
    if not result.breaks:
        return translate(" No break is significant at level 0.05 over all intervals of rows.")
    count, rows = len(result.breaks), _listed(result, result.breaks).split(" ", 1)[1]
    called = translate("The one break") if count == 1 else translate("The {} breaks", count)
    return translate(" {} at level 0.05 over all intervals of rows: {}.", called, rows)


def _tries(lab):
    if not lab.changes:
        return (("2 rows per t test", {"every": 2}), ("another seed", {"seed": (lab.seed + 1) % 2**32}))
    return (("half the size", {"size": float(f"{lab.size / 2:.3g}")}), ("the linear kernel", {"kernel": "LIN"}))


def split_words(result: DriftResult) -> str:
    """Describe the drawn column before and after the best split, in file units, and its correlation with the second."""
    own = result.scanned_at().watch
    X, first = own.X[:, list(result.drawn_columns)], result.drawn_quantities[0]
    before, after = X[: own.split], X[own.split :]
    (a, b), (s, t) = ([value_of(first, float(Z[:, 0].mean())) for Z in (before, after)], _spreads(first, before, after))
    says = translate(
        "Before the best split {} has mean {} and standard deviation {}; after it, {} and {}",
        short_name(first.name),
        a,
        s,
        b,
        t,
    )
    if own.X.shape[1] < 2:
        return f"{says}."
    second = short_name(result.drawn_quantities[1].name)
    one, two = (_correlation(Z) for Z in (before, after))
    return translate("{}. Its correlation with {} is {} before and {} after.", says, second, one, two)


def _spreads(quantity, before, after):
    return [length_of(quantity, float(Z[:, 0].std())) for Z in (before, after)]


def _correlation(Z):
    """Return the correlation of the first two columns as text."""
    X = Z[:, :2] - Z[:, :2].mean(axis=0)
    size = np.sqrt((X**2).sum(axis=0).prod())
    return "undefined" if size == 0 else minus(f"{float(X[:, 0] @ X[:, 1] / size):.2f}".replace("-0.00", "0.00"))


def scan_words(result: DriftResult) -> str:
    """Describe the best split and its p."""
    own, test = result.scanned_at()
    p = translate(WAITING) if test is None else format_number(test.pvalue)
    return translate("The highest point is {}, at {}; p = {}.", format_number(own.peak), result.place(own.split), p)


def watchers_words(result: DriftResult) -> str:
    """Describe the break, and the alarms of both tests."""
    own = result.scanned_at().watch
    there = (
        translate("{} begins at {}. ", _capitalised(translate(KINDS[result.lab.kind])), result.place(own.row))
        if result.changes(own)
        else ""
    )
    return f"{there}{watchers(result, own)}"


STORY_VALUES = (
    "index", "apart", "peak", "p", "limit", "look", "least", "alarm", "wealth", "before", "after", "looks",
    "betting", "count",
)  # fmt: skip


def story_values(result: DriftResult) -> dict[str, str]:
    """Return the values of the placeholders in stories."""
    own, test = result.scanned_at()
    look, quiet, apart = result.first_look(own), result.quiet, result.apart(own)
    words = {
        "index": str(own.split),
        "apart": translate("no break") if apart is None else _apart(apart),
        "peak": format_number(own.peak),
        "p": translate(WAITING) if test is None else format_number(test.pvalue),
        "limit": translate(WAITING) if test is None else format_number(test.threshold(result.lab.alpha)),
        "look": "none" if look is None else str(look),
        "least": format_number(float(own.pvalues.min())) if len(own.pvalues) else "unknown",
        "alarm": "none" if own.alarm is None else str(own.alarm),
        "wealth": format_number(float(own.path.max())),
    }
    before, after = (_correlation(Z) for Z in (own.X[: own.split], own.X[own.split :])) if own.X.shape[1] > 1 else "––"
    words |= {"before": before, "after": after}
    if quiet is None:
        return words | dict.fromkeys(("looks", "betting", "count"), translate(WAITING))
    return words | {"looks": str(quiet.looks), "betting": str(quiet.betting), "count": str(quiet.count)}
