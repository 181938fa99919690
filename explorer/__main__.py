"""`python -m explorer`: the command line; each command is a module of `explorer.commands`."""

# PYTHON_ARGCOMPLETE_OK, which tells argcomplete's global completion that this program answers it

from __future__ import annotations

import os
import sys
import textwrap
import traceback
import warnings
from argparse import ArgumentParser, HelpFormatter
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType

from explorer.checks import ExplorerWarning, Refusal
from explorer.commands.spelling import spell_streams
from explorer.public_names.help_text import VERSION
from explorer.public_names.missing_packages import naming_what_to_install
from explorer.startup import CRASHED, is_interrupted

COMMANDS = {
    "serve": "serve the labs and open them in a browser",
    "sweep": "run a study over the grid that a TOML file describes",
    "sketch": "summarise the rows of files in a sketch, which can be compared later without the rows",
    "test": "test whether two tables are samples of one distribution",
    "scan": "find when the rows of a table changed, and in which columns",
    "report": "write an HTML report of which columns differ between tables, and by how much",
    "reproduce": "compute the papers' figures and tables, and check their claims",
    "export": "write a state of a lab as one HTML file that needs no server",
    "film": "write the animation that Play shows in a lab as a GIF or an MP4",
    "site": "write essays, reference, lessons and labs as a folder of files for any static host",
    "handout": "copy lessons for students, without solutions and outputs",
    "cite": "print BibTeX entries of the papers behind functions and classes",
    "list": "list labs, kernels, estimators and data sets",
    "completion": "print the script that lets a shell complete commands, options and names",
}
REFUSED, READER_GONE = 2, 141  # exit codes; 1 is reserved for verdicts, and 141 is a shell's code for SIGPIPE
ABOUT = f"""examples:
  explorer serve
  explorer report before.csv after.csv
  explorer test --help

exit codes:
  0    done
  1    the tables differ, and report has --fail; nothing else ends with 1
  {REFUSED}    refused: a message on standard error states why and what to do
  {CRASHED}    an error of the program: its traceback is on standard error
  130  stopped by Ctrl+C
  {READER_GONE}  the program that reads the output has ended, as in explorer list | head -1
"""


class HelpOfLines(HelpFormatter):
    """Help formatter that keeps line breaks and folds lines that are too long for the terminal."""

    def _fill_text(self, text, width, indent):
        """Fold each line of a text by itself."""
        fold = textwrap.TextWrapper(width, initial_indent=indent, break_long_words=False, break_on_hyphens=False)
        lines = []
        for line in text.splitlines():
            fold.subsequent_indent = indent + " " * (len(line) - len(line.lstrip()) + 2)
            lines.append(fold.fill(line))
        return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line and run its command; `explorer --help` lists the exit codes."""
    words = sys.argv[1:] if arguments is None else arguments
    spell_streams()
    if "_ARGCOMPLETE" in os.environ:
        complete(os.environ["COMP_LINE"].split()[1:])
    try:
        try:
            with _plain_warnings(), naming_what_to_install():
                _obey(words)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(READER_GONE)
    except (Refusal, OSError, BrokenExecutor, MemoryError) as error:
        _let_go_of_output()
        if is_interrupted():  # a library made this of Ctrl+C
            raise KeyboardInterrupt from None
        notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
        _end(REFUSED, words, f"{_sentence(error)}{notes}")
    except Exception:
        if is_interrupted():
            raise KeyboardInterrupt from None
        traceback.print_exc()
        _end(
            CRASHED,
            words,
            f"this is an error of the program, version {VERSION}; the traceback above shows where. Please report both,"
            " and the command that you typed. Another option or a smaller table may work in the meantime.",
        )


def _end(code, words, sentence):
    """Print a sentence after the command's name, and end with an exit code."""
    name = _named(words)
    with suppress(OSError):  # standard error may be redirected to a full disk, too
        print(f"explorer {name}: {sentence}" if name else f"explorer: {sentence}", file=sys.stderr)  # noqa: T201
    sys.exit(code)


def _sentence(error):
    """Return the message for an error that is not a fault of the program."""
    if isinstance(error, MemoryError):
        return "this needs more memory than is available; use fewer rows, columns, permutations or features."
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        return f"{place}{error.strerror}."
    return str(error)


def _let_go_of_output():
    """Discard unwritten output if it cannot be written; otherwise the interpreter would report an error at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _plain_warnings():
    """Print this project's warnings as sentences, without the line of code that caused them, while the block runs."""
    usual = warnings.formatwarning

    def told(message, category, *where):
        return f"{message}\n" if issubclass(category, ExplorerWarning) else usual(message, category, *where)

    warnings.formatwarning = told
    try:
        yield
    finally:
        warnings.formatwarning = usual


def _obey(words):
    """Parse the arguments and run the command that they name."""
    options = parser_of(words).parse_args(words)
    command(options.command).run(options)


def _named(words):
    """Return the name of the command on a command line, or None."""
    return next((word for word in words if word in COMMANDS), None)


def parser_of(words: Sequence[str]) -> ArgumentParser:
    """Return the parser of a command line; only the named command is imported and gets its arguments."""
    parser = ArgumentParser(
        prog="explorer", description="Kernel Mean Explorer", epilog=ABOUT, formatter_class=HelpOfLines
    )
    parser.add_argument("-V", "--version", action="version", version=f"explorer {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    named = _named(words)
    for name, about in COMMANDS.items():
        each = commands.add_parser(name, help=about, description=about, formatter_class=HelpOfLines)
        if name == named:
            arguments_of(name, each)
    return parser


def arguments_of(name: str, parser: ArgumentParser) -> None:
    """Add a command's arguments to a parser; its help ends with the command's examples."""
    module = command(name)
    module.arguments(parser)
    examples = "\n".join(["examples:", *(f"  {line}" for line in module.EXAMPLES)])
    parser.epilog = f"{examples}\n\n{parser.epilog}" if parser.epilog else examples


def complete(words: Sequence[str]) -> None:
    """Print the completions of a line for a shell, and end."""
    from argcomplete import autocomplete

    autocomplete(parser_of(words))


def command(name: str) -> ModuleType:
    """Return the module of a command."""
    return import_module(f"explorer.commands.{name}")


if __name__ == "__main__":
    main()
