"""Fork sweeps that are killed while they run, from a process with all imports done: `python killed_sweeps.py`.

It reads lines of JSON, answers each with one, and ends with its input.
"""

import json
import os
import resource
import signal
import sys
import time
import warnings
from contextlib import suppress

from studies import slow

from explorer import sweep
from explorer.checks import Refusal
from explorer.sweeps import InProcess

CELLS = {"i": list(range(30))}


def killed(store, executor, after):
    """Start a sweep, kill it and its workers after some seconds, and return whether it was still running."""
    begun, said = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        warnings.simplefilter("ignore")
        made = InProcess() if executor == "here" else None
        sweep(slow, {"i": [0, 1]}, executor=made, progress=False)  # the workers have started
        os.write(said, b"!")
        with suppress(Refusal, FileExistsError):  # `finished` reports the errors of the store
            sweep(slow, CELLS, executor=made, store=store, progress=False)
        os._exit(0)
    os.close(said)
    assert os.read(begun, 1) == b"!"
    os.close(begun)
    time.sleep(after)
    os.killpg(child, signal.SIGKILL)  # the process group exists until the child is waited for
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def finished(store, answer):
    """Continue a sweep; write its numbers or its error message, its warnings, and its peak memory to a file."""
    child = os.fork()
    if child == 0:
        numbers, said = None, ""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                numbers = sweep(slow, CELLS, executor=InProcess(), store=store, progress=False).to_dict()
            except (Refusal, OSError) as refusal:
                said = str(refusal)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with open(answer, "w") as file:
            json.dump([numbers, said, [str(each.message) for each in told], memory], file)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


if __name__ == "__main__":
    sweep(slow, {"i": [0]}, executor=InProcess(), store=sys.argv[1], progress=False)  # load all modules
    print("begun", flush=True)  # noqa: T201
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps({"killed": killed, "finished": finished}[name](*arguments)), flush=True)  # noqa: T201
