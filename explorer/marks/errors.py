"""Pictures of errors over many samples, on a logarithmic axis whose end does not change while a slider moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from explorer.languages import message, translate
from explorer.types import Vector

from .axes import Axis, power
from .curves_over_counts import LEADER, Line, apart, name_marks, named_end
from .mark import Marks, area, curve
from .picture import SecondaryPicture, Sources

LEAST = 4e-3  # lower end of an axis of errors
NEAREST = 0.11  # smallest distance of two names, relative to the axis: closer ones would overlap
ROOM = 1.4  # length of the other axis relative to the curves, which leaves space for their names


# labels of the axis of errors
SCALED = message({"error": "error (log scale)", "|μ̂ − μ|": "|μ̂ − μ| (log scale)"})


@dataclass(frozen=True, eq=False)
class Errors(SecondaryPicture):
    """Errors in new samples, from a stage with the picture's name; the function below it computes further sources.

    The names of the curves are at their right ends, moved apart if they would overlap.

    Parameters
    ----------
    subject : str
        What the title names.
    unknown : str
        Title if the truth is unknown and a study measures how far estimates move.
    over : str
        Label of the other axis.
    of : str
        What is measured.
    lines : mapping
        Name -> Line.
    start, stop : float
        Ends of the curves along the other axis.
    words_over : dict or None
        Ticks of the other axis.
    below : sequence of Mark
        Marks below the curves.
    limit : callable
        Takes the result and returns the end of the axis of errors.
    curves : callable
        Takes the ErrorStudy and returns name -> columns of each curve, x and middle among them.
    """

    height: int = 280
    subject: str = ""
    unknown: str = ""
    over: str = ""
    of: str = "error"
    lines: Mapping[Any, Line] = field(default_factory=dict)
    start: float = 0.0
    stop: float = 1.0
    words_over: dict[Any, str] | None = None
    below: Marks = ()
    limit: Any = None
    curves: Any = None

    def __post_init__(self) -> None:
        curves = [
            mark
            for name, line in self.lines.items()
            for mark in (
                area(
                    f"line_{name}",
                    line.role,
                    low="low",
                    high="high",
                    fill=0.1,
                    label=translate("{}, middle half", line.called),
                    key="middle half of the samples",
                ),
                curve(f"line_{name}", line.role, "x", "middle", width=line.width, dash=line.dash, label=line.called),
                *name_marks(name, line),
            )
        ]
        end = self.start + ROOM * (self.stop - self.start)
        x = Axis(self.over, (self.start, end), self.words_over)
        y = Axis(SCALED.get(self.of, self.of), (LEAST, 10), log=True)
        self._derive(marks=(*self.below, *curves), x=x, y=y)

    def compute(self, result: Any, *value: Any) -> Sources:
        study = getattr(result, self.name)
        drawn, top = self.curves(study) if study else {}, self.limit(result)
        for name, columns in drawn.items():
            drawn[name] = {k: v if k == "x" else np.clip(v, LEAST, top) for k, v in columns.items()}
        low, length = np.log(LEAST), np.log(top / LEAST)
        last = {name: (np.log(columns["middle"][-1]) - low) / length for name, columns in drawn.items()}
        at = dict(zip(last, np.exp(low + length * apart(list(last.values()), NEAREST)), strict=True))
        beside = self.stop + LEADER * (self.stop - self.start)
        ends = {name: (columns["x"][-1], columns["middle"][-1]) for name, columns in drawn.items()}
        names = {
            f"name_{name}": named_end(line.called, ends[name], (beside, at[name]))
            for name, line in self.lines.items()
            if name in at
        }
        curves = {f"line_{name}": drawn.get(name) for name in self.lines}
        return {**curves, **names, **(super().compute(result) or {})}

    def title_of(self, result: Any) -> str:
        study = getattr(result, self.name)
        if result.truth is None:
            return self.unknown or translate("{}: the truth of these data is unknown", translate(self.subject))
        subject = translate(self.subject)
        drawn = translate("{}, {} new samples", subject, study.count) if study else None
        return drawn or translate("{}, being drawn ...", subject)

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        limit = self.limit(result)
        powers = 10.0 ** np.arange(-2, np.log10(limit) + 0.5)
        ticks = {v: power(v) for v in powers[:: 2 if len(powers) > 5 else 1]}
        far = "moved by" if result.truth is None and self.unknown else self.of
        return self.x, Axis(translate("{} (log scale)", far), (LEAST, limit), ticks, log=True)


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
