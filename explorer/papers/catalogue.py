"""Catalogue of what can be reproduced: the papers' figures and tables, and claims of their texts, by name.

`entries.toml` has a row for each, with its texts and numbers. What is computed is Python, and the row names it as
"module:name" in this package, such as "shrinkage:figure_1". A measure without a module is one of `evidence`, and a
summary without a module one of `entry`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.files.toml_rows import read_rows
from explorer.printing import echo, join_list

from .claim import Claim, Fact, anywhere
from .effect import Measure
from .entry import ARTICLE, CORRUPTED, MONK, NO_PAPER, STEIN, Entry
from .quantifier import Every, Most, OnAverage, Quantifier, Some
from .standard import Less, More, Near, NoWorse, Standard

PAPERS = (STEIN, CORRUPTED, MONK, ARTICLE, NO_PAPER)
QUANTIFIERS: dict[str, Quantifier] = {"every": Every, "most": Most, "some": Some, "on average": OnAverage}
STANDARDS: dict[str, Callable[..., Standard]] = {
    "< {}": Less,
    "< {}, tie {}": Less,
    "> {}": More,
    "no worse than {}": NoWorse,
    "= {} ± {}": lambda at, margin: Near(margin, at),
}
SIGNS: dict[str, Callable[..., bool]] = {
    "=": lambda value, *wanted: value in wanted,
    "≠": lambda value, *wanted: value not in wanted,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
NUMBER = r"(-?\d+(?:\.\d+)?(?:e-\d+)?)"


class ClaimRow(NamedTuple):
    """A claim: what it asks of a measure, or the fact that decides it.

    Attributes
    ----------
    says : str
        The claim in a sentence.
    measure : tuple
        The name of a function that returns a `Measure`, and its arguments.
    asks : str
        A quantifier and a standard: "every: < 0", "every: < 0, tie 0.005", "most: > 0.5", "some: no worse than 0.1",
        "on average: = 0.5 ± 0.1".
    where : str
        Conditions on a cell's values: "kernel = RBF and c <= 1", "panel = a or b", "shape ≠ none".
    endless : str
        The axis along which the claim is about growth without end.
    fact : tuple of str
        In place of `measure` and `asks`: the name of a function of the cells that returns (True, False or None for
        undecided, the reason), and its further arguments.
    reading : str
        What the words of a fact are taken to ask, if it is not a plain fact.
    errata : tuple of str
        Numbers of errata.
    """

    says: str
    measure: tuple[str | int | bool, ...] = ()
    asks: str = ""
    where: str = ""
    endless: str = ""
    fact: tuple[str, ...] = ()
    reading: str = ""
    errata: tuple[str, ...] = ()


class Statement(NamedTuple):
    """The words of a paper and the claims that they make; without words the claims are ours."""

    claims: tuple[ClaimRow, ...]
    quote: str = ""


class EntryRow(NamedTuple):
    """An `Entry` with names in place of its study, sizes, summary and comparison with the printed table.

    `remarks_of` is the name of an entry whose remarks hold here, too.
    """

    name: str
    paper: str
    figure: str
    about: str
    study: str
    sizes: str
    summary: str
    unit: str
    lines: tuple[str, ...]
    statements: tuple[Statement, ...]
    errata: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    remarks_of: str = ""
    printed: str = ""
    data: tuple[str, ...] = ()


def read_entries(path: Path) -> dict[str, Entry]:
    """Read a table of entries.

    Parameters
    ----------
    path : Path
        The TOML file.

    Returns
    -------
    dict of {str: Entry}
        The entries by name, in the order of the file.

    Raises
    ------
    Refusal
        If a row is no `EntryRow`, names what does not exist, or has conditions that cannot be read. The message says
        which row.
    """
    rows = read_rows(path, EntryRow)
    return {name: _entry(row, rows, f"{path.name}, {name}") for name, row in rows.items()}


def _entry(row, rows, place):
    if row.paper not in PAPERS:
        raise Refusal(f"{place}: paper must be one of {join_list(PAPERS)}, not {echo(row.paper)}.")
    others = rows[row.remarks_of].remarks if row.remarks_of in rows else ()
    if row.remarks_of and not others:
        raise Refusal(f"{place}: remarks_of must be the name of an entry with remarks, not {echo(row.remarks_of)}.")
    sizes = _named(row.sizes, place)
    grids = [grid.axes for size in sizes.values() for grid in size]
    computed = {
        "study": _named(row.study, place),
        "sizes": sizes,
        "summary": _named(row.summary, place, "entry"),
        "printed": _named(row.printed, place) if row.printed else None,
        "remarks": (*others, *row.remarks),
        "claims": tuple(
            _claim(claim, each.quote, grids, f"{place}: {echo(claim.says)}")
            for each in row.statements
            for claim in each.claims
        ),
    }
    texts = {name: value for name, value in row._asdict().items() if name in Entry._fields}
    return Entry(**texts | computed)


def _claim(row, quote, grids, place):
    of_measure, of_fact = (row.measure, row.asks, row.where, row.endless), (row.fact, row.reading)
    if any(of_measure) == any(of_fact) or not (row.fact or (row.measure and row.asks)):
        raise Refusal(f"{place} must have either measure, asks and what goes with them, or fact and its reading.")
    if row.fact:
        judge, arguments = _named(row.fact[0], place), row.fact[1:]
        fact = Fact(row.says, lambda cells: judge(cells, *arguments), quote, row.errata)
        return fact._replace(reading=row.reading) if row.reading else fact
    if row.endless and not all(row.endless in axes for axes in grids):
        raise Refusal(f"{place}: endless must be an axis of every grid, not {echo(row.endless)}.")
    quantifier, standard = _asked(row.asks, place)
    where = _where(row.where, grids, place) if row.where else anywhere
    return Claim(row.says, quantifier, standard, _measure(row.measure, place), quote, row.errata, where, row.endless)


def _measure(call, place):
    """Return the measure that a function returns for its arguments."""
    try:
        found = _named(call[0], place, "evidence")(*call[1:])
    except TypeError as error:
        raise Refusal(f"{place}: measure has unsuitable arguments: {error}.") from None
    if not isinstance(found, Measure):
        raise Refusal(f"{place}: {call[0]} must return a Measure, not {echo(found)}.")
    return found


def _named(name, place, module=""):
    """Return the object of a name; `module` has those without a module."""
    module, _, attribute = name.rpartition(":") if ":" in name else (module, ":", name)
    try:
        return getattr(import_module(f".{module}", __package__), attribute)
    except (ModuleNotFoundError, AttributeError) as error:
        raise Refusal(f"{place} names {echo(name)}, which does not exist: {error}.") from None


def _asked(text, place):
    """Return (quantifier, standard) of a text."""
    often, _, much = text.partition(": ")
    for form, standard in STANDARDS.items():
        if (found := re.fullmatch(form.format(NUMBER, NUMBER), much)) and often in QUANTIFIERS:
            return QUANTIFIERS[often], standard(*map(float, found.groups()))
    forms = join_list(echo(form.format(0, 0.1)) for form in STANDARDS)
    raise Refusal(f"{place}: asks must be one of {join_list(QUANTIFIERS)}, a colon, and {forms}, not {echo(text)}.")


def _where(text, grids, place):
    """Return the function that tests whether a cell's values meet the conditions of a text."""
    conditions = [_condition(each, grids, place) for each in text.split(" and ")]
    return lambda values: all(SIGNS[sign](values[axis], *wanted) for axis, sign, wanted in conditions)


def _condition(text, grids, place):
    """Return (axis, sign, values) of a condition."""
    axis, sign, words = [*text.split(" ", 2), "", ""][:3]
    if sign not in SIGNS or not all(axis in axes for axes in grids):
        raise Refusal(f"{place}: where must compare an axis of every grid by {join_list(SIGNS)}, not {echo(text)}.")
    known = {value for axes in grids for value in axes[axis]}
    numbers = not any(isinstance(value, str) for value in known)
    try:
        wanted = [float(word) if numbers else word for word in words.split(" or ")]
    except ValueError:
        raise Refusal(f"{place}: {axis} must be compared with a number, not {echo(words)}.") from None
    if not known.issuperset(wanted) if sign in "=≠" else len(wanted) > 1:
        raise Refusal(f"{place}: {echo(text)} must have values of the grids: {join_list(map(str, known))}.")
    return axis, sign, wanted


ENTRIES: Mapping[str, Entry] = read_entries(Path(__file__).with_name("entries.toml"))
