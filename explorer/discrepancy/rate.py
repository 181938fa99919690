"""How sure a rate is."""

from __future__ import annotations


def rate_interval(found, count, confidence=0.95):
    """Clopper and Pearson's interval, (low, high), for the chance of what happened `found` times in `count`."""
    from scipy.stats import binomtest  # here: a page that shows no rate opens without it

    low, high = binomtest(int(found), int(count)).proportion_ci(confidence)
    return float(low), float(high)
