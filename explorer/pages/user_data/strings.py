"""The user's strings: a file with classes, or two files, dropped, chosen or pasted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.datasets.string_classes import NoClasses
from explorer.languages import message, translate
from explorer.markup import markup
from explorer.printing import join_list, plural, short_name

from .inputs.intake import DROP
from .inputs.upload import Upload
from .reading import Content

if TYPE_CHECKING:
    from explorer.datasets.files.parsed_file import ParsedFile

LIVE = 50  # number of reads of each class that the page opens with
SHOWN = 12  # most characters of a read in the preview

PASTED = "pasted second.txt"  # file name of the second class's pasted reads


class Strings(Content):
    """Slot of strings of two classes, in one file or in a file for each class. It reads a `StringSet`.

    Parameters
    ----------
    groups : callable
        Reads the two classes from the text of the field that names them.
    """

    label = message("Use these reads")
    paste = message("Or paste reads")
    hint = ">read1 EI\nCCAGCTG\n>read2 IE\nTTACG"
    pasted = "pasted.txt"
    about = message(
        "Two files, a class each, as FASTA or with a string in each line; or one file that names each string's class:"
        " FASTA with names such as '>read17 EI', or lines such as 'EI,CCAGCTG'. Up to 20 MB. Your reads stay in this"
        " session: no link carries them."
    )
    together = True
    strings: Any = None  # the StringSet of the files

    def __init__(self, groups: Callable[[str], Sequence[str]]) -> None:
        self.groups = groups

    def zones(self, *refuse: Callable[[str], object]) -> list[Upload]:
        second = "Drop the second class's file here, if it has one, or choose it"
        return [Upload(say, label=label) for say, label in zip(refuse, (translate(DROP), second), strict=True)]

    def build(self) -> dict[str, Any]:
        look: Any = {"options": [], "size": "small", "width": 200, "visible": False}
        self.first: pmui.Select = pmui.Select(label="first class", **look)
        self.second: pmui.Select = pmui.Select(label="second class", **look)
        return {"first": self.first, "second": self.second}

    def rows(self) -> Sequence[Any]:
        panel, classes = self.panel, pn.FlexBox(self.first, self.second, gap="8px", margin=(4, 0))
        return [panel.intake, panel.zones[1], panel.about, panel.trouble, classes, panel.button]

    # files

    @property
    def digest(self) -> str | None:
        return None if self.strings is None else self.strings.hash

    def pasted_second(self) -> str:
        # a text is the second class if the first file has no classes
        return PASTED if list(self.panel.files) == [0] and self.strings is None else ""

    def forget(self) -> None:
        self.panel.files = {}

    def take(self, zone: int, file: ParsedFile) -> dict[int, ParsedFile]:
        self.panel.files = {**self.panel.files, zone: file}
        return self.panel.files

    def preview(self, given: dict[int, ParsedFile]) -> Any:
        strings = _of_classes(given)
        return strings, _summary(strings)

    def present(self, zone: int, given: Any, preview: Any, refusal: str) -> str:
        if given is None:
            self.forget()
        panel, (self.strings, summary) = self.panel, preview or (None, self.about)
        classes = [] if self.strings is None else list(dict.fromkeys(self.strings.target.tolist()))
        named = self.groups(panel.asked()["groups"]) if classes and panel.is_named(self.digest) else ()
        chosen = named if set(named) <= set(classes) else ()
        for menu, value in zip((self.first, self.second), chosen or classes[:2] or ("", ""), strict=True):
            menu.param.update(options=classes, value=value or None, visible=bool(classes))
        panel.button.visible = bool(classes)
        panel.describe(summary)
        panel.say(refusal)
        return refusal

    # using the strings

    def _counts(self):
        """Return the number of strings of each chosen class."""
        counts = Counter(self.strings.target.tolist())
        return {label: counts[label] for label in (self.first.value, self.second.value)}

    def read(self) -> Any:
        if self.first.value == self.second.value:
            raise Refusal("Both classes are {}; choose two, or compare one with itself above.", self.first.value)
        counts = self._counts()
        if min(counts.values()) < 2:
            raise Refusal(
                "A class has 1 read ({}); at least 2 are needed of each.",
                ", ".join((f"{label}: {count}" for label, count in counts.items())),
            )
        return self.strings

    def identify(self, data: Any) -> dict[str, Any]:
        first, *others = (file.name for _, file in sorted(self.panel.files.items()))
        return {
            "source": "file",
            "file": first,
            "second_file": others[0] if others else "",
            "rows": data.n,
            "hash": data.hash,
            "groups": json.dumps((self.first.value, self.second.value)),
        }

    def is_named(self, asked: dict[str, Any], data: Any) -> bool:
        return asked["n"] <= min(self._counts().values())

    def opening(self, data: Any) -> dict[str, Any]:
        n = min(*self._counts().values(), LIVE)
        return {"n": n, "contaminated": 0, "blocks": _odd(min(n, 11)), "compare": "both classes"}

    def explain(self, error: Exception | None) -> None:
        if error is not None:
            self.panel.say(str(error))


def _of_classes(files):
    """Return the strings of two files, a class each, or of one with classes; `files` has those of the zones 0 and 1."""
    if len(files) == 2:
        return two_classes(*(read_strings(files[zone].raw, files[zone].name) for zone in (0, 1)))
    ((name, raw),) = ((file.name, file.raw) for file in files.values())
    try:
        return read_string_classes(raw, name)
    except NoClasses as error:
        alone = read_strings(raw, name)  # raises a better message if the file has no strings either
        raise Refusal(
            "{} has {} and no classes: choose the other class's file too. Or, as one file: {}",
            name,
            plural(alone.n, "string"),
            error,
        ) from error


def _odd(number):
    """Return the largest odd number that is at most `number`."""
    return number - 1 + number % 2


def _summary(strings):
    """Return an HTML summary of a set of strings."""
    counts = Counter(strings.target.tolist())
    lengths = [len(s) for s in strings.X.tolist()]
    said = join_list([f"{count} of {short_name(label)}" for label, count in counts.items()])
    first = strings.X[0][:SHOWN] + ("..." if len(strings.X[0]) > SHOWN else "")
    letters = strings.alphabet[:40]
    long = f"{min(lengths)}" if min(lengths) == max(lengths) else f"{min(lengths)} to {max(lengths)}"
    return markup(
        "<b>{}</b>: {} strings, {}; {} letters each, of {}; the first begins {}",
        short_name(strings.name),
        strings.n,
        said,
        long,
        letters,
        first,
    )
