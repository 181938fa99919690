"""Start of the command line, before anything else is imported.

`explorer serve` prints that it starts, because Python takes many seconds to compile everything on a first start. Ctrl+C
ends a command at any time with one line and exit code 130. The package imports this module first, and it imports
nothing from the package: a command's own module can be found only after the package has been imported.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType, TracebackType

COMMAND = "explorer"
CRASHED = 3  # exit code for an internal error
_interrupts: list[int] = []  # signals of Ctrl+C that have come
LINE = "Starting; a first start takes longer, as Python compiles what it loads ..."


def command_of(words: Sequence[str]) -> str | None:
    """Return the `explorer` command that a process runs, given its command line, or None for any other process."""
    for place, word in enumerate(words[:-1]):
        is_script = place <= 1 and word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == COMMAND
        is_module = word == COMMAND and words[place - 1] == "-m"
        if is_script or is_module:
            return words[place + 1]
    return None


def serves(words: Sequence[str]) -> bool:
    """Return whether a command line is that of `explorer serve`."""
    return command_of(words) == "serve" and not {"-h", "--help"}.intersection(words)


def end_in_a_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Handle uncaught exceptions: Ctrl+C prints one line, and a second Ctrl+C has nothing left to interrupt.

    Other errors that reach this hook come before the command runs, for example if a package cannot be imported. They
    get the exit code of an internal error.
    """
    if not issubclass(kind, KeyboardInterrupt) and not is_interrupted():
        sys.__excepthook__(kind, error, trace)
        sys.exit(CRASHED)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sentence = str(error) if issubclass(kind, KeyboardInterrupt) else ""
    print(f"{COMMAND} {command_of(sys.orig_argv)}: {sentence or 'stopped.'}", file=sys.stderr)  # noqa: T201
    sys.exit(130)


def remember_interrupt(number: int, frame: FrameType | None) -> None:
    """Raise the KeyboardInterrupt of Ctrl+C, and record it: a library may make another exception of it."""
    _interrupts.append(number)
    signal.default_int_handler(number, frame)


def is_interrupted() -> bool:
    """Return whether the user has pressed Ctrl+C.

    Returns
    -------
    bool
        True if a command of the terminal is to end.
    """
    return bool(_interrupts)


def come_again(lost: sys.UnraisableHookArgs) -> None:
    """Handle exceptions that Python cannot raise: a Ctrl+C inside a callback, as of a weak reference, is sent again."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    threading.Timer(0.01, _thread.interrupt_main).start()  # by that time the callback has ended


if command_of(sys.orig_argv) is not None:
    sys.excepthook = end_in_a_line
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, remember_interrupt)
    sys.unraisablehook = come_again
if serves(sys.orig_argv):
    print(LINE, flush=True)  # noqa: T201, the command's output
