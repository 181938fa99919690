"""Comparison of all pairs of groups of a table, with one level over all pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal, echo
from explorer.datasets.column_selection import refuse_unknown_policy
from explorer.datasets.columns.word_scales import Order
from explorer.datasets.files.encodings import use_encoding
from explorer.discrepancy.columns.step_down import holm
from explorer.discrepancy.results.answer import Decision, checked_level
from explorer.files.file_endings import refuse_other_than_a_page
from explorer.files.whole_files import writable, write
from explorer.printing import WHOLE, join_list, plural, printed, short_name
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.recipe import Script
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.types import MissingCells, Rng

from .calls import call_of
from .compare import compare_pairs, taken_as_missing
from .distinct import by_distinct_rows
from .inputs import CompareOptions, read_samples
from .result import Comparison, ungrouped_text
from .sources import keep_pipes

if TYPE_CHECKING:
    import pandas

MOST = 20  # most groups that are compared: 190 pairs


@printed
@record(kw_only=True)
class GroupComparison(Decision):
    """Comparison of all pairs of groups of a table; str() is the verdict.

    Attributes
    ----------
    pvalue : float
        Least adjusted p of all pairs.
    pairs : tuple of Comparison
        Comparison of each pair of groups, starting with the pairs of the first group, with p `adjusted` for all pairs
        by `holm`.
    groups : tuple of str
        Names of the groups, in their order.
    by : str
        The column, or the period, that names the groups.
    level : float
        Level over all pairs together.
    seed : int
        Seed of the resamples.
    python : str
        Python code that repeats the comparison.
    ungrouped : int
        Number of rows that name no group and are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.comparison import GroupComparison, compare_groups
    >>> x = np.random.default_rng(0).normal(size=60) + np.repeat([0.0, 0.0, 2.0], 20)
    >>> found: GroupComparison = compare_groups({"arm": np.repeat(["a", "b", "c"], 20), "x": x}, by="arm", rng=0)
    >>> [pair.names for pair in found.differing]
    [('a', 'c'), ('b', 'c')]
    """

    pvalue: float
    pairs: tuple[Comparison, ...]
    groups: tuple[str, ...]
    by: str
    level: float
    seed: int
    python: str = Script()
    ungrouped: int = 0

    @property
    def differ(self) -> bool:
        """True if some pair of groups differs at the level over all pairs."""
        return self.pvalue <= self.level

    @property
    def differing(self) -> tuple[Comparison, ...]:
        """The pairs that differ at the level over all pairs, least adjusted p first."""
        return tuple(sorted((pair for pair in self.pairs if pair.differ), key=lambda pair: pair.adjusted))

    @property
    def verdict(self) -> str:
        """Sentences on how many pairs differ, and which."""
        some, count, least = self.differing, len(self.pairs), ""
        if count > self.level * (1 + self.pairs[0].resamples):
            least = (
                f" No adjusted p can be below {count / (1 + self.pairs[0].resamples):.2g}: {count} pairs need"
                f" {math.ceil(2 * count / self.level):,} resamples."
            )
        said = [ungrouped_text(self.ungrouped, self.by)] if self.ungrouped else []
        said += [self.pairs[0].encodings_note.removeprefix("; ")] if self.pairs[0].encodings_note else []
        least = "".join([*(f" {each}." for each in said), least])
        many = f"{count} pair{'' if count == 1 else 's'} of the {len(self.groups)} groups of {short_name(self.by)}"
        over = f"at the level {self.level:g} over all pairs (least adjusted p = {self.pvalue:.3g})"
        if not some:
            return f"None of {many} is found to differ {over}.{least}"
        each = [f"{' and '.join(map(short_name, pair.names))} (p = {pair.adjusted:.3g})" for pair in some]
        return (
            f"{len(some)} of {many} differ{'s' if len(some) == 1 else ''} {over}: {join_list(each, 400, '; ')}.{least}"
        )

    def __str__(self) -> str:
        return self.verdict[:WHOLE]

    def _parts(self) -> list[tuple[str, Any]]:
        shown = ("pvalue", "groups", "by", "level", "seed")
        return [*((name, getattr(self, name)) for name in shown), ("pairs", [pair.names for pair in self.pairs])]

    def _picture(self):
        from .pairs_report import table_of_pairs

        return table_of_pairs(self)

    def to_frame(self) -> pandas.DataFrame:
        """Return a row for each pair: the groups, their rows, p, the adjusted p, and the columns that differ.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, n, m, pvalue, adjusted and columns.
        """
        import pandas

        return pandas.DataFrame([_line(pair) for pair in self.pairs])

    def to_dict(self) -> dict[str, Any]:
        """Return the results in a form that JSON can hold: the verdict, and for each pair what `to_frame` has.

        Returns
        -------
        dict
            With the pairs as a list of dicts.
        """
        lines = [{**_line(pair), "differ": pair.differ} for pair in self.pairs]
        known = {"differ": self.differ, "pvalue": self.pvalue, "level": self.level, "by": self.by}
        known |= {
            "groups": list(self.groups),
            "ungrouped": self.ungrouped,
            "pairs": lines,
            "seed": self.seed,
            "python": self.python,
        }
        return known | {"sentence": self.verdict}

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Return the report as one HTML page that needs no network; write it to a path if one is given.

        Parameters
        ----------
        path : str, path-like or None, default None
            File to write, with an ending of an HTML page.

        Returns
        -------
        str
            The page.
        """
        from .pairs_report import pairs_report

        if path is not None:
            refuse_other_than_a_page(path)
            writable(path)
        page = pairs_report(self)
        if path is not None:
            write(path, page)
        return str(page)


def _line(pair):
    """Return the facts on a pair as plain values."""
    first, second = pair.names
    return {
        "first": first,
        "second": second,
        "n": pair.n,
        "m": pair.m,
        "pvalue": float(pair.pvalue),
        "adjusted": float(pair.adjusted),
        "columns": [column.label for column in pair.differing],
    }


@explain_wrong_calls
def compare_groups(
    table: Any,
    *,
    by: str,
    columns: Sequence[str | int] | None = None,
    within: str | None = None,
    missing: MissingCells = "value",
    order: Order = None,
    placeholders: Literal["missing", "value"] = "missing",
    level: float = 0.05,
    n_resamples: int = 999,
    rng: Rng = None,
    encoding: str | None = None,
) -> GroupComparison:
    """Compare each pair of groups of a table as `compare` does, with one level over all pairs.

    Use it for a table with three or more groups. For two tables use `compare`.

    Parameters
    ----------
    table : table
        The table, as in `compare`.
    by : str
        The column that names the groups, or a period such as "month", as in `compare`; at most 20 groups.
    columns : sequence of str or int or None, default None
        As in `compare`.
    within : str or None, default None
        As in `compare`. A pair is compared over the subjects that both groups have.
    missing : {"value", "drop", "refuse"}, default "value"
        As in `compare`.
    order : dict or None, default None
        As in `compare`.
    placeholders : {"missing", "value"}, default "missing"
        As in `compare`.
    level : float, default 0.05
        Level over all pairs together.
    n_resamples : int, default 999
        Number of permutations. A p that is too close to the level gets more, as in `compare`.
    rng : int, Generator or None, default None
        Seed of the permutations.
    encoding : str or None, default None
        As in `compare`.

    Returns
    -------
    GroupComparison
        The verdict, and a Comparison of each pair.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        What `compare` raises, and a ValueError if there are more than 20 groups.

    Notes
    -----
    Each pair has the joint p of `compare`, exact for exchangeable rows (within subjects, with `within`), and is
    adjusted for all k (k - 1) / 2 pairs by `holm`: P(some adjusted p of two groups of one distribution <= level) <=
    level, whichever other groups differ.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.comparison import compare_groups
    >>> x = np.random.default_rng(0).normal(size=60) + np.repeat([0.0, 0.0, 2.0], 20)
    >>> found = compare_groups({"arm": np.repeat(["a", "b", "c"], 20), "x": x}, by="arm", rng=0)
    >>> found.differ, len(found.pairs), len(found.differing)
    (True, 3, 2)
    """
    level, n_resamples = checked_level(level), checks.whole(n_resamples, "n_resamples", 1)
    refuse_unknown_policy(missing, ("value", "drop", "refuse"))
    taken = taken_as_missing(placeholders)
    given = seed_of(rng)
    seed = int(stream(rng, "comparison").integers(2**32)) if given is None else given
    with use_encoding(encoding), keep_pipes(table, None) as (kept, _):
        samples, raw = read_samples(kept, None, CompareOptions(columns, by, missing, within, order=order, taken=taken))
    names = tuple(one.name for one in samples.tables)
    if len(names) > MOST:
        raise Refusal(
            f"column {echo(by)} has {plural(len(names), 'group')}, and at most {MOST} can be compared in pairs; leave"
            " groups"
            " out, or call compare, which compares all others with the group reference=."
        )
    both = [by_distinct_rows(samples.pair(j, i), raw, samples.by) for i, j in combinations(range(len(names)), 2)]
    each = compare_pairs(both, level, n_resamples, seed)
    adjusted = holm(np.array([one.pvalue for one in each]))
    pairs = tuple(replace(one, adjusted=float(p)) for one, p in zip(each, adjusted, strict=True))
    options = {"by": by, "columns": columns, "within": within, "missing": missing, "order": order, "level": level}
    options |= {"placeholders": placeholders, "encoding": encoding}
    python = call_of(compare_groups, table, None, **options, n_resamples=n_resamples, rng=seed)
    return GroupComparison(
        pvalue=float(adjusted.min()),
        pairs=pairs,
        groups=names,
        by=by,
        level=level,
        seed=seed,
        python=python,
        ungrouped=samples.ungrouped,
    )
