"""The sums of many pieces, here or on an executor: whole numbers, so the order in which pieces come changes no bit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from typing import TYPE_CHECKING, TypeVar

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FeatureSums

if TYPE_CHECKING:
    from .chunks import NumericReader

AnySketch = TypeVar("AnySketch", bound=FeatureSums)
OUT = 16  # pieces that are out at a time: an executor has enough to do, and memory an end


def sum_chunks(empty: AnySketch, pieces: Iterable[NumericReader], executor: Executor | None) -> AnySketch:
    """The sketch of all pieces."""
    total = empty.copy()
    found = (
        map(lambda piece: _sketch(empty, piece), pieces) if executor is None else _submitted(empty, pieces, executor)
    )
    for each in found:
        total += each
    if total.low is None:
        raise Refusal("the source has no rows; give one with some.")
    return total


def _submitted(empty, pieces: Iterable[NumericReader], executor) -> Iterator[FeatureSums]:
    """The sketches of the pieces as an executor gives them."""
    out, waiting = set(), iter(pieces)
    try:
        for piece in waiting:
            out.add(executor.submit(_sketch, empty, piece))
            if len(out) >= OUT:
                done, out = wait(out, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        while out:
            done, out = wait(out, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in done)
    finally:
        for each in out:
            each.cancel()


def _sketch(empty, piece):
    """The sketch of one piece; of one without rows, an empty one."""
    names, rows, _ = piece()
    made = empty.copy()
    made.columns = names
    return made.update(rows) if len(rows) else made
