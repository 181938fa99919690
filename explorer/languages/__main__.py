"""Translators' commands: `python -m explorer.languages update de` and `python -m explorer.languages check`."""

from __future__ import annotations

import argparse

from babel import Locale, UnknownLocaleError

from . import codes
from .upkeep import broken_lines, faults, missing, progress, summary, update


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
    parser.add_argument(
        "--folder", default="", help="list only those of a folder, such as labs/shrinkage, as the lines with #: name it"
    )
    options = parser.parse_args(words)
    for code in options.code:
        _require_code(parser, options.command, code)
    found = False
    for code in options.code or codes():
        if options.command == "update" and not broken_lines(code):
            update(code)
        wrong = faults(code)
        left = [text.replace("\n", " ") for text in missing(code, options.folder)] if options.missing else []
        print(*left, *progress(code), *wrong, summary(code), sep="\n")  # noqa: T201
        found = found or bool(wrong)
    return found


def _require_code(parser, command, code):
    """End the program if a word is no language code, or is that of a language that has no catalogue to check."""
    try:
        Locale.parse(code)
    except (ValueError, UnknownLocaleError):
        parser.error(f"{code!r} is no code of a language; take one such as fr or pt_BR.")
    if command == "check" and code not in codes():
        parser.error(f"{code!r} has no catalogue; python -m explorer.languages update {code} makes it.")


if __name__ == "__main__":
    raise SystemExit(main())
