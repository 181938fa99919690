"""A docstring of this library, read into its parts: no markup, but columns, indents and blank lines have a meaning.

    One sentence that says what it is.

    Paragraphs, which may cite: Gretton et al. 2012, and name others: `mmd2`.

        p = a formula or a call, on lines that are set apart

    kernel   what a word means, in columns: the text begins after two blanks
             or more, and what goes on is indented
    path: what a word means, in a block that has several words with a colon

    >>> an example

`read` gives these as values, in their order, and leaves no word out.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

WIDTH = 120  # of a line of source: by it one tells a line that was broken from one that ends
COLUMNS = re.compile(r"(\S.*?)\s{2,}(?=\S)")
COLON = re.compile(r"((?:[a-z]\w*, )*[a-z]\w*:) (?=\S)")
ABREAST = re.compile(r"[a-z_]\w*(?: \([^)]*\))?, \w+ \w+")  # a word with what is said of it, beside others
UNDERLINE = re.compile(r"^\s*-{4,}\s*$", re.MULTILINE)  # of numpydoc, in which others' docstrings are written
CLOSING = re.compile(r"Raises |Returns |Our warning ")


class Paragraph(NamedTuple):
    """Sentences."""

    text: str

    @property
    def words(self) -> list[str]:
        return self.text.split()


class Apart(NamedTuple):
    """Lines that are set apart: a formula, or a call."""

    lines: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        return " ".join(self.lines).split()


class Example(NamedTuple):
    """What a doctest runs, as it is written."""

    text: str

    @property
    def words(self) -> list[str]:
        return self.text.split()


class Points(NamedTuple):
    """Short lines one below the other, each a point of its own."""

    points: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        return " ".join(self.points).split()


class Item(NamedTuple):
    """A word of a list, or several, and what is said of it."""

    term: str
    blocks: tuple[Block, ...]

    @property
    def words(self) -> list[str]:
        return [*self.term.split(), *words_of(self.blocks)]


class Definitions(NamedTuple):
    """Words and what they mean, below a line that says of what; that may be empty."""

    lead: str
    items: tuple[Item, ...]

    @property
    def words(self) -> list[str]:
        return self.lead.split() + [word for item in self.items for word in item.words]


Block = Paragraph | Apart | Example | Points | Definitions


class Docstring(NamedTuple):
    """A summary of one sentence, and what follows it."""

    summary: str
    blocks: tuple[Block, ...]

    @property
    def words(self) -> list[str]:
        """Every word of the docstring in its order."""
        return self.summary.split() + words_of(self.blocks)


def words_of(blocks: tuple[Block, ...]) -> list[str]:
    """Every word of some blocks in its order."""
    return [word for block in blocks for word in block.words]


def read(docstring: str) -> Docstring:
    """The parts of a docstring, as `__doc__` has it."""
    first, _, rest = docstring.strip().expandtabs().partition("\n")
    margin = min((len(line) - len(line.lstrip()) for line in rest.splitlines() if line.strip()), default=0)
    whole = f"{first}\n{textwrap.dedent(rest)}"
    summary, *others = re.split(r"\n\s*\n", whole.strip())
    return Docstring(" ".join(summary.split()), blocks_of(others, WIDTH - margin))


def blocks_of(texts: list[str], width: int) -> tuple[Block, ...]:
    """The blocks of texts that blank lines part; lists that follow one another are one."""
    made: list[Block] = []
    for text in texts:
        for block in _read(text.strip("\n").splitlines(), width):
            last = made[-1] if made else None
            if isinstance(block, Definitions) and isinstance(last, Definitions) and not block.lead:
                made[-1] = Definitions(last.lead, last.items + block.items)
            else:
                made.append(block)
    return tuple(made)


def _read(lines, width) -> Iterator[Block]:
    """The blocks of a text without blank lines."""
    if UNDERLINE.search("\n".join(lines)):
        yield Apart(tuple(lines))
    elif lines[0].lstrip().startswith(">>>"):
        yield Example(textwrap.dedent("\n".join(lines)))
    elif all(line.startswith(" ") for line in lines):
        inner = textwrap.dedent("\n".join(lines)).splitlines()
        in_columns = len(inner) > 1 and all(COLUMNS.match(line) for line in inner)
        yield from _in_columns(inner, width) if in_columns else [Apart(tuple(inner))]
    elif sum(bool(COLON.match(line)) for line in lines) > 1:
        yield from _with_colons(lines, width)
    elif rows := _abreast(lines):
        points, rest = rows
        yield Points(tuple(map(_joined, points)))
        if rest:
            yield from _read(rest, width)
    elif any(COLUMNS.match(line) for line in lines):
        yield from _in_columns(lines, width)
    else:
        yield from _with_code(lines)


def _with_code(lines) -> Iterator[Block]:
    """A paragraph, and lines within it that are set apart."""
    for apart, text in _runs(lines, lambda line: line.startswith("    ")):
        yield Apart(tuple(textwrap.dedent("\n".join(text)).splitlines())) if apart else Paragraph(_joined(text))


def _runs(lines, kind):
    """(kind, lines) of lines that follow one another and are of one kind."""
    runs = []
    for line in lines:
        if runs and runs[-1][0] == kind(line):
            runs[-1][1].append(line)
        else:
            runs.append((kind(line), [line]))
    return runs


def _abreast(lines):
    """(cells, the lines after them) where words stand abreast, each with what is said of it; None for other lines."""
    points = []
    for i, line in enumerate(lines):
        first, *others = re.split(r"\s{2,}", line)
        if points and not first:
            points[-1].append(line)
        elif others and ABREAST.match(first):
            points += [[cell] for cell in (first, *others)]
        else:
            return (points, lines[i:]) if points else None
    return points, []


# words in columns -------------------------------------------------------------------------------------------------


def _in_columns(lines, width) -> Iterator[Block]:
    """A list in columns: perhaps a line before that ends with a colon, and sentences after."""
    lead = []
    while lines and lines[0].endswith(":") and not COLUMNS.match(lines[0]):
        lead.append(lines[0])
        lines = lines[1:]
    column = _usual(lines)
    items, last = [], []
    for line in lines:
        if line.startswith(" ") and (last or items):
            (last or items[-1][1]).append(line)
        elif not (cells := _cells(line, column)):
            last.append(line)
        elif last:  # a sentence between two lists
            yield from _listed(lead, items, width)
            yield Paragraph(_joined(last))
            lead, items, last = [], cells, []
        else:
            items += cells
    yield from _listed(lead, items, width)
    if last:
        yield Paragraph(_joined(last))


def _listed(lead, items, width):
    if items:
        yield Definitions(_joined(lead), tuple(Item(term, _body(text, width)) for term, text in items))
    elif lead:
        yield Paragraph(_joined(lead))


def _usual(lines):
    """Where the text begins in most of the lines."""
    starts = Counter(match.end() for line in lines if (match := COLUMNS.match(line)))
    return starts.most_common(1)[0][0]


def _cells(line, column):
    """[(term, [text])] of a line, two of them where it has four cells; none where it is a sentence."""
    start = COLUMNS.match(line)
    if start is None:  # a long term leaves one blank
        term, text = line[:column], line[column:]
        return [(term.strip(), [text])] if term.endswith(" ") and term[:2] != term[:2].title() and text.strip() else []
    cells = re.split(r"\s{2,}", line)
    if len(cells) % 2 or not all(cell.startswith('"') for cell in cells[::2]):
        return [(start[1], [line[start.end() :]])]
    return [(term, [text]) for term, text in zip(cells[::2], cells[1::2], strict=True)]


def _body(lines, width):
    """What is said of a word: its first line, and those below it without what they are indented by."""
    first, *rest = lines
    rest = textwrap.dedent("\n".join(rest)).splitlines()
    return blocks_of(["\n".join([first, *rest])], width)


# words with colons ------------------------------------------------------------------------------------------------


def _with_colons(lines, width) -> Iterator[Block]:
    """A list of `word: text`, with points below that are indented; sentences after."""
    items, last = [], []
    for line in lines:
        if match := COLON.match(line):
            items.append((match[1], [line[match.end() :]]))
        elif CLOSING.match(line) or last:
            last.append(line)
        elif items:
            items[-1][1].append(line)
        else:
            yield Paragraph(line.strip())
    yield Definitions("", tuple(Item(term, tuple(_told(text, width))) for term, text in items))
    if last:
        yield Paragraph(_joined(last))


def _told(lines, width) -> Iterator[Block]:
    """Sentences, and points among them: indented lines below a colon, or such as begin with a word and a colon."""
    told = [lines[0]]
    points: list[list[str]] = []
    for above, line in pairwise(lines):
        inner = line.strip()
        if not line.startswith(" "):
            if points:
                yield Points(tuple(map(_joined, points)))
                points = []
                told = []
            told.append(inner)
        elif points and (line.startswith("    ") or _broken(above, inner, width)):
            points[-1].append(inner)
        elif points or above.endswith(":") or COLON.match(inner):
            if not points:
                yield Paragraph(_joined(told))
                told = []
            points.append([inner])
        else:
            told.append(inner)
    if points:
        yield Points(tuple(map(_joined, points)))
    elif told:
        yield Paragraph(_joined(told))


def _broken(line, below, width):
    """Whether a line was broken for its length: the first word below would not have fitted."""
    return len(line) + 1 + len(below.split()[0]) > width


def _joined(lines):
    return " ".join(" ".join(lines).split())
