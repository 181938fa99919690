"""What the command line does before anything is loaded.

`explorer serve` says that it starts, as Python compiles all that a first start loads, for many seconds. Ctrl+C ends a
command, whenever it comes, with one line and the code 130. The package imports this first, and it imports nothing of
the package: a command's own module is only found once the package is there.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Sequence
from types import TracebackType

COMMAND = "explorer"
CRASHED = 3  # the exit code of a fault of the program
LINE = "Starting; a first start takes longer, as Python compiles what it loads ..."


def command_of(words: Sequence[str]) -> str | None:
    """The command of `explorer` that a process runs, by its words as Python was given them; None in any other."""
    for place, word in enumerate(words[:-1]):
        is_script = place <= 1 and word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == COMMAND
        is_module = word == COMMAND and words[place - 1] == "-m"
        if is_script or is_module:
            return words[place + 1]
    return None


def serves(words: Sequence[str]) -> bool:
    """Whether the words of a process are those of `explorer serve`."""
    return command_of(words) == "serve" and not {"-h", "--help"}.intersection(words)


def end_in_a_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A hook for what nobody caught: a Ctrl+C is a line, and a second one has nothing more to interrupt.

    Another error comes before the command does, as of a package that cannot be loaded; it has the code of a fault.
    """
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        sys.exit(CRASHED)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    print(f"{COMMAND} {command_of(sys.orig_argv)}: {str(error) or 'stopped.'}", file=sys.stderr)  # noqa: T201
    sys.exit(130)


def come_again(lost: sys.UnraisableHookArgs) -> None:
    """A hook for what Python can raise to nobody: a Ctrl+C in a callback, as of a weak reference, comes once more."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return
    threading.Timer(0.01, _thread.interrupt_main).start()  # by then the callback has ended


if command_of(sys.orig_argv) is not None:
    sys.excepthook = end_in_a_line
    sys.unraisablehook = come_again
if serves(sys.orig_argv):
    print(LINE, flush=True)  # noqa: T201, the command's output
