"""What `explorer serve` says before anything is loaded: Python compiles all that a first start loads, for many seconds.

A Ctrl+C meanwhile ends the process at once, and not by a traceback from wherever the loading was.

The package imports it first, and it imports next to nothing: a command's own module is only found once the package is
there.
"""

import os
import signal
import sys

COMMAND = "explorer"
LINE = "Starting; a first start takes longer, as Python compiles what it loads ..."


def serves(words):
    """Whether the words of a process, as Python was given them, are those of `explorer serve`."""
    for place, word in enumerate(words[:-1]):
        is_script = place <= 1 and word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == COMMAND
        is_module = word == COMMAND and words[place - 1] == "-m"
        if is_script or is_module:
            return words[place + 1] == "serve" and not {"-h", "--help"}.intersection(words)
    return False


if serves(sys.orig_argv):
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # nothing is there yet that has to be ended
    print(LINE, flush=True)  # noqa: T201, the command's output
