"""Translators' commands: `python -m explorer.languages update de` and `python -m explorer.languages check`."""

from __future__ import annotations

import argparse

from . import codes
from .upkeep import faults, missing, summary, update


def main(words: list[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    words : list of str or None, default None
        The words after the program's name; None for those of the process.

    Returns
    -------
    int
        The exit status: 1 if a catalogue has a fault.
    """
    parser = argparse.ArgumentParser("python -m explorer.languages", description=__doc__)
    parser.add_argument("command", choices=("update", "check"))
    parser.add_argument("code", nargs="*", help="codes of languages, such as de; by default all that have a catalogue")
    parser.add_argument("--missing", action="store_true", help="list the texts without a translation")
    options = parser.parse_args(words)
    found = []
    for code in options.code or codes():
        if options.command == "update":
            update(code)
        found += faults(code)
        print(*found, *(missing(code) if options.missing else ()), summary(code), sep="\n")  # noqa: T201
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
