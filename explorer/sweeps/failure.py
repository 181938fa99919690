"""What a study raised in a cell: told where it was raised, and brought here even where the exception itself cannot."""

from __future__ import annotations

import pickle
import traceback
from pathlib import Path
from typing import Any

FRAMES = 3  # of the study that are shown, from the outermost and from the innermost each
TEXT = 1000  # characters of an exception's text
ENGINE = Path(__file__).parent


class StudyError(RuntimeError):
    """What a study raised in another process and could not be sent from there."""


class Failure:
    """A cell that raised: its index, the exception, its kind and text, and the study's frames.

    elsewhere  whether it was raised in another process
    """

    index: int
    kind: str
    text: str
    frames: str
    error: Exception

    def __init__(self, index: int, error: BaseException) -> None:
        self.index, self.kind, self.text, self.frames = index, type(error).__name__, text_of(error), frames_of(error)
        # sys.exit() in a study would end the whole program without a word
        self.error = error if isinstance(error, Exception) else self.replacement()
        self.elsewhere = False

    def replacement(self) -> StudyError:
        """An exception that stands for one that cannot be here."""
        return StudyError(f"the study raised {self.kind}: {self.text}")

    def __getstate__(self) -> dict[str, Any]:
        from cloudpickle import dumps

        try:
            sent = dumps(self.error)
        except Exception:  # what an exception holds, or how it is pickled, is the study's affair
            sent = None
        return {**vars(self), "error": sent, "elsewhere": True}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        try:
            error = pickle.loads(state["error"])
        except Exception:  # so is how it is unpickled
            error = None
        self.error = error if isinstance(error, Exception) else self.replacement()

    def told(self, cell: str) -> str:
        """The cell first, then where in the study it was raised, and what."""
        return f"the study raised {self.kind} in the cell {cell}:\n{self.frames}{self.kind}: {self.text}"


def text_of(error: BaseException) -> str:
    """An exception's text, whatever its class makes of it."""
    try:
        text = str(error)
    except Exception as other:  # a text that cannot be had must not hide what happened
        return f"(its text cannot be shown: its __str__ raised {type(other).__name__})"
    return text if len(text) <= TEXT else f"{text[:TEXT]}... ({len(text)} characters)"


def frames_of(error: BaseException) -> str:
    """The study's part of a traceback, as text."""
    frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in frames if Path(frame.filename).parent != ENGINE]
    if len(frames) <= 2 * FRAMES:
        return "".join(traceback.format_list(frames))
    between = f"  ... {len(frames) - 2 * FRAMES} more\n"
    shown = traceback.format_list(frames[:FRAMES]), traceback.format_list(frames[-FRAMES:])
    return between.join(map("".join, shown))
