"""Progress line in a terminal, which shows the elapsed time of a computation of more than two seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from tqdm import tqdm

PATIENCE, STEP = 2.0, 0.5  # seconds before the line appears, and between its updates


@contextmanager
def waiting(about: str) -> Iterator[None]:
    """Print on stderr what is computed and for how long, while the block runs; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    done = Event()
    line = Thread(target=_counted, args=(about, done), daemon=True)
    line.start()
    try:
        yield
    finally:
        done.set()
        line.join()


def _counted(about, done):
    """Update the line until `done` is set."""
    if done.wait(PATIENCE):
        return
    with tqdm(bar_format="{desc}, {postfix}", desc=about, leave=False) as line:
        seconds = PATIENCE
        while not done.is_set():
            line.set_postfix_str(f"{seconds:.0f} s")
            done.wait(STEP)
            seconds += STEP
