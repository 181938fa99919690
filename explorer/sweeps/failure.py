"""Exceptions raised by a study in a worker process. They carry the cell and the study's traceback, pickled or not."""

from __future__ import annotations

import pickle
import traceback
from pathlib import Path
from typing import Any

FRAMES = 3  # frames of the study that are shown from each end of the traceback
TEXT = 1000  # most characters of an exception's text
ENGINE = Path(__file__).parent


class StudyError(RuntimeError):
    """Replacement of an exception that a study raised in another process and that cannot be pickled."""


class Failure:
    """A cell that raised: its index, the exception, its type and text, and the study's frames.

    `elsewhere` tells whether it was raised in another process.
    """

    index: int
    kind: str
    text: str
    frames: str
    error: Exception

    def __init__(self, index: int, error: BaseException) -> None:
        self.index, self.kind, self.text, self.frames = index, type(error).__name__, text_of(error), frames_of(error)
        # Otherwise sys.exit() in a study would end the whole program without a message.
        self.error = error if isinstance(error, Exception) else self.replacement()
        self.elsewhere = False

    def replacement(self) -> StudyError:
        """Return an exception that replaces one that cannot be sent here."""
        return StudyError(f"the study raised {self.kind}: {self.text}")

    def __getstate__(self) -> dict[str, Any]:
        from cloudpickle import dumps

        try:
            sent = dumps(self.error)
        except Exception:  # pickling runs code of the study's exception, which may raise anything
            sent = None
        return {**vars(self), "error": sent, "elsewhere": True}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        try:
            error = pickle.loads(state["error"])
        except Exception:  # unpickling runs such code, too
            error = None
        self.error = error if isinstance(error, Exception) else self.replacement()

    def describe(self, cell: str) -> str:
        """Return a description: the cell, the study's frames, and the exception."""
        return f"the study raised {self.kind} in the cell {cell}:\n{self.frames}{self.kind}: {self.text}"


def text_of(error: BaseException) -> str:
    """Return an exception's text, shortened, even if its class fails to produce one.

    Parameters
    ----------
    error : BaseException
        The exception.

    Returns
    -------
    str
        At most 1000 characters of the text.
    """
    try:
        text = str(error)
    except Exception as other:  # a failing __str__ must not hide the exception itself
        return f"(its text cannot be shown: its __str__ raised {type(other).__name__})"
    return text if len(text) <= TEXT else f"{text[:TEXT]}... ({len(text)} characters)"


def frames_of(error: BaseException) -> str:
    """Return the study's part of a traceback, as text."""
    frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in frames if Path(frame.filename).parent != ENGINE]
    if len(frames) <= 2 * FRAMES:
        return "".join(traceback.format_list(frames))
    between = f"  ... {len(frames) - 2 * FRAMES} more\n"
    ends = traceback.format_list(frames[:FRAMES]), traceback.format_list(frames[-FRAMES:])
    return between.join(map("".join, ends))
