"""Sums of many chunks, in this process or on an executor: whole numbers, so the order of chunks changes no bit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from typing import TYPE_CHECKING, TypeVar

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FeatureSums

if TYPE_CHECKING:
    from .chunks import NumericReader

AnySketch = TypeVar("AnySketch", bound=FeatureSums)
OUT = 16  # most submitted chunks at a time, which keeps an executor busy and limits the memory


def sum_chunks(empty: AnySketch, chunks: Iterable[NumericReader], executor: Executor | None) -> AnySketch:
    """Return the sketch of all chunks.

    Parameters
    ----------
    empty : FeatureSums
        A sketch without rows, which has the features.
    chunks : iterable of callable
        Readers of the chunks.
    executor : Executor or None
        Executor that sums the chunks; None sums them in this process.

    Returns
    -------
    FeatureSums
        The sum.

    Raises
    ------
    Refusal
        If the source has no rows.
    """
    total = empty.copy()
    found = (
        map(lambda chunk: _sketch(empty, chunk), chunks) if executor is None else _submitted(empty, chunks, executor)
    )
    for each in found:
        total += each
    if total.low is None:
        raise Refusal("the source has no rows; give one with some.")
    return total


def _submitted(empty, chunks: Iterable[NumericReader], executor) -> Iterator[FeatureSums]:
    """Yield the sketches of the chunks in the order in which an executor finishes them."""
    out, waiting = set(), iter(chunks)
    try:
        for chunk in waiting:
            out.add(executor.submit(_sketch, empty, chunk))
            if len(out) >= OUT:
                done, out = wait(out, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        while out:
            done, out = wait(out, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in done)
    finally:
        for each in out:
            each.cancel()


def _sketch(empty, chunk):
    """Return the sketch of one chunk, or an empty one for a chunk without rows."""
    names, rows, _ = chunk()
    made = empty.copy()
    made.columns = names
    return made.update(rows) if len(rows) else made
