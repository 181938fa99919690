"""A verdict on a claim "ours loses less than theirs": computed from paired losses, with its effect, interval and wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit
from scipy.stats import binomtest

LEVEL = 0.95


class Verdict(NamedTuple):
    """How the mean loss of `ours` compares with the mean loss of the strongest rival, the one of least mean loss.

    word     "holds" where ours loses less on average, beyond luck, and in every sample; "holds on average" where the mean
             alone does; "fails" where ours loses more on average, beyond luck; "open" where luck alone may decide
    effect   mean loss over the rival's, less 1; negative where ours is better. low, high: its 95 % interval
    wins     samples of `count` in which ours loses less than that rival
    held     cells of `cells` in which ours loses less on average, beyond luck
    signed   cells in which ours loses less in more samples than not, by the papers' paired sign test at 5 %
    """

    word: str
    ours: str
    rival: str
    effect: float
    low: float
    high: float
    wins: int
    count: int
    held: int
    signed: int
    cells: int = 1

    def __str__(self):
        return f"{self.word}: {self.said}"

    @property
    def said(self):
        """By how much and how surely, without the word."""
        side = "less" if self.effect < 0 else "more"
        cells = f", beyond luck in {self.held} of {self.cells} cells" if self.cells > 1 else ""
        signs = f"in {self.signed} of {self.cells} cells" if self.cells > 1 else "too" if self.signed else "not"
        return (
            f"{self.ours} loses {abs(self.effect):.2%} {side} than {self.rival} on average (95 % interval "
            f"{self.low:+.2%} to {self.high:+.2%}){cells}, and less in {self.wins} of {self.count} samples"
            f" (a majority by the paired sign test at 5 % {signs})."
        )


def verdict(losses, ours, rivals):
    """The verdict on "ours loses less than every one of rivals", from losses {name: (replicates,)} on the same samples.

    The interval is Student's for the ratio of two means, by the delta method: a mean of (L_i - r K_i) / mean(K).
    """
    rival = min(rivals, key=lambda name: np.mean(losses[name]))
    L, K = (np.asarray(losses[name], dtype=float) for name in (ours, rival))
    count, ratio = len(L), L.mean() / K.mean()
    error = np.std(L - ratio * K, ddof=1) / (K.mean() * np.sqrt(count))
    reach = float(stdtrit(count - 1, 0.5 + LEVEL / 2)) * error
    effect, wins = float(ratio - 1), int((L < K).sum())
    word = "open" if abs(effect) <= reach else "fails" if effect > 0 else "holds" if wins == count else "holds on average"
    majority = binomtest(wins, wins + int((L > K).sum())).pvalue <= 1 - LEVEL if 2 * wins > count else False
    return Verdict(word, ours, rival, effect, effect - reach, effect + reach, wins, count, int(effect < -reach), int(majority))


def over_cells(verdicts):
    """One verdict from those of a figure's cells: the mean effect and the mean of the intervals' ends, wins and counts together.

    Cells share seeds, so the interval is as wide as if all of them erred together. "holds" takes every cell to hold.
    """
    effect, low, high = (float(np.mean([getattr(v, part) for v in verdicts])) for part in ("effect", "low", "high"))
    word = "open" if low <= 0 <= high else "fails" if low > 0 else "holds on average"
    if all(v.word == "holds" for v in verdicts):
        word = "holds"
    rivals = " and ".join(dict.fromkeys(v.rival for v in verdicts))
    counts = (sum(getattr(v, part) for v in verdicts) for part in ("wins", "count", "held", "signed"))
    return Verdict(word, verdicts[0].ours, rivals, effect, low, high, *counts, len(verdicts))
