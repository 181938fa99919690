"""Pairs (x, y) in the plane of their first columns."""

from __future__ import annotations


def over_pairs(pairs, x, y):
    """The axes x and y where pairs come from, under their columns."""
    sides = zip((x, y), pairs.ends, pairs.on_axes, strict=True)
    return tuple(axis.along(quantity, *map(float, ends)) for axis, ends, quantity in sides)
