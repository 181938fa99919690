"""Pictures of errors over many samples, on a logarithmic axis whose end does not change while a slider moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from explorer.types import Vector

from .axes import Axis, power
from .curves_over_counts import Line, apart
from .geometry import nothing
from .mark import Marks, Numbers, area, curve, words
from .old_form import SecondaryPicture

LEAST = 4e-3  # lower end of an axis of errors
NEAREST = 0.11  # smallest distance of two names, relative to the axis: closer ones would overlap
ROOM = 1.3  # length of the other axis relative to the curves, which leaves space for their names


class Errors(SecondaryPicture):
    """Errors in new samples, from a deferred stage with the picture's name; `lines` maps a name to its Line.

    The names of the curves are at their right ends, moved apart if they would overlap. `limit(result)` is the end of
    the axis of errors, `words_over` are the ticks of the other axis, `below` are marks below the curves.
    """

    height = 280
    subject = ""  # name of the picture
    over = ""  # label of the other axis
    of = "error"
    lines: ClassVar[Mapping[Any, Line]] = {}
    moved = ""  # title if the truth is unknown and a study measures how far estimates move
    start: ClassVar[float] = 0.0  # ends of the other axis
    stop: ClassVar[float] = 1.0
    words_over: ClassVar[dict[Any, str] | None] = None
    below: ClassVar[Marks] = ()
    marks: ClassVar[Marks]
    x: ClassVar[Axis]
    y: ClassVar[Axis]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        curves = [
            mark
            for name, line in cls.lines.items()
            for mark in (
                area(f"line_{name}", line.role, low="low", high="high", fill=0.1, label=f"{line.called}, middle half"),
                curve(f"line_{name}", line.role, "x", "middle", width=line.width, dash=line.dash, label=line.called),
                words(f"name_{name}", line.role, dx=6),
            )
        ]
        cls.marks = (*cls.below, *curves)
        end = cls.start + ROOM * (cls.stop - cls.start)
        cls.x = Axis(cls.over, (cls.start, end), cls.words_over)
        cls.y = Axis(f"{cls.of} (log scale)", (LEAST, 10), log=True)

    @staticmethod
    def limit(result: Any) -> float:
        """Return the end of the axis of errors.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        float
            The end.
        """
        raise NotImplementedError

    @classmethod
    def curves(cls, result: Any, study: Any) -> dict[int | str, dict[str, Vector]]:
        """Return the columns of each curve, x and middle among them.

        Parameters
        ----------
        result : Result
            The result.
        study : ErrorStudy
            The errors.

        Returns
        -------
        dict
            Name -> columns.
        """
        raise NotImplementedError

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        study = getattr(result, cls.name)
        drawn, top = cls.curves(result, study) if study else {}, cls.limit(result)
        for name, columns in drawn.items():
            drawn[name] = {k: v if k == "x" else np.clip(v, LEAST, top) for k, v in columns.items()}
        low, length = np.log(LEAST), np.log(top / LEAST)
        last = {name: (np.log(columns["middle"][-1]) - low) / length for name, columns in drawn.items()}
        at = dict(zip(last, np.exp(low + length * apart(list(last.values()), NEAREST)), strict=True))
        empty = {**nothing("x", "y"), "words": np.zeros(0, dtype=str)}
        names = {
            name: {"x": np.array([cls.stop]), "y": np.array([at[name]]), "words": np.array([line.called])}
            for name, line in cls.lines.items()
            if name in at
        }
        return {
            **{f"line_{name}": drawn.get(name, nothing("x", "low", "middle", "high")) for name in cls.lines},
            **{f"name_{name}": names.get(name, empty) for name in cls.lines},
        }

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        study, limit = getattr(result, cls.name), cls.limit(result)
        powers = 10.0 ** np.arange(-2, np.log10(limit) + 0.5)
        ticks = {v: power(v) for v in powers[:: 2 if len(powers) > 5 else 1]}
        far = "moved by" if result.truth is None and cls.moved else cls.of
        if result.truth is None:
            title = cls.moved or f"{cls.subject}: the truth of these data is unknown"
        else:
            title = f"{cls.subject}, {f'{study.count} new samples' if study else 'being drawn ...'}"
        return title, cls.x, Axis(f"{far} (log scale)", (LEAST, limit), ticks, log=True)


def over_counts(study: Any, names: Mapping[Any, Line]) -> dict[int | str, dict[str, Vector]]:
    """Return the median and the quartiles of an ErrorStudy's errors over its counts.

    Parameters
    ----------
    study : ErrorStudy
        The errors.
    names : mapping
        Name -> Line.

    Returns
    -------
    dict
        Name -> columns.
    """
    counts, shares = np.array(study.counts, float), {"low": 0.25, "middle": 0.5, "high": 0.75}
    return {
        name: {"x": counts, **{column: study.quantile(name, share) for column, share in shares.items()}}
        for name in names
        if name in study.errors
    }


def over_rarity(study: Any, names: Mapping[Any, Line], stop: float) -> dict[int | str, dict[str, Vector]]:
    """Return an ErrorStudy's errors over ln(1/η): one sample in 1/η has a larger error.

    The k-th largest of m errors is placed at η = (k - 1/2) / m.

    Parameters
    ----------
    study : ErrorStudy
        The errors.
    names : mapping
        Name -> Line.
    stop : float
        Largest ln(1/η).

    Returns
    -------
    dict
        Name -> columns.
    """
    rarity = np.log(study.count / (np.arange(study.count) + 0.5))[::-1]
    near = rarity <= stop
    curves = {name: np.sort(study.errors[name])[near] for name in names if name in study.errors}
    return {name: {"x": rarity[near], **dict.fromkeys(("low", "middle", "high"), y)} for name, y in curves.items()}
