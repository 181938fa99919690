"""Forks sweeps that are killed in mid-run, from a process that has loaded all they need: `python killed_sweeps.py`.

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
    """Begin a sweep, kill it and its workers after some seconds; whether that met it at work."""
    begun, said = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        warnings.simplefilter("ignore")
        made = InProcess() if executor == "here" else None
        sweep(slow, {"i": [0, 1]}, executor=made, progress=False)  # the workers are there
        os.write(said, b"!")
        with suppress(Refusal, FileExistsError):  # `finished` tells what is said of the store
            sweep(slow, CELLS, executor=made, store=store, progress=False)
        os._exit(0)
    os.close(said)
    assert os.read(begun, 1) == b"!"
    os.close(begun)
    time.sleep(after)
    os.killpg(child, signal.SIGKILL)  # the group is there until the child is waited for
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def finished(store, answer):
    """Go on with a sweep; its numbers or a sentence, its warnings, and the most memory it took, into a file."""
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
    sweep(slow, {"i": [0]}, executor=InProcess(), store=sys.argv[1], progress=False)  # now all is loaded
    print("begun", flush=True)  # noqa: T201
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps({"killed": killed, "finished": finished}[name](*arguments)), flush=True)  # noqa: T201
