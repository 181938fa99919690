"""The user's strings: a file with classes, or two files, dropped, chosen or pasted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.datasets.string_classes import NoClasses
from explorer.markup import markup
from explorer.printing import join_list, short_name

from .base_widget import LARGE, Asked, Use, UserData, or_error, or_sentence
from .inputs.intake import Examples
from .inputs.upload import Upload, in_reader_thread

LIVE = 50  # number of reads of each class that the page opens with
SHOWN = 12  # most characters of a read in the preview

PASTED = "pasted second.txt"  # file name of the second class's pasted reads
HINT = ">read1 EI\nCCAGCTG\n>read2 IE\nTTACG"
ABOUT = (
    "Two files, a class each, as FASTA or with a string in each line; or one file that names each string's class: FASTA"
    " with names such as '>read17 EI', or lines such as 'EI,CCAGCTG'. Up to 20 MB. Your reads stay in this session: no"
    " link carries them."
)


class UserStrings(UserData):
    """Widget for the user's strings: one or two files, a preview, and the two classes.

    Parameters
    ----------
    use : callable
        Called as `use(strings, fields)` with the StringSet and the fields that identify it.
    asked : callable
        Returns the lab's current fields, with which a link may have named the data.
    examples : mapping of str to callable, or None, default None
        Labels of examples, each with a function that shows the example.
    groups : callable
        Reads the two classes from the text of the field that names them.
    **params : dict
        Parameters of the Panel component.
    """

    about_it = ABOUT
    pasted = "pasted.txt"

    def __init__(
        self,
        use: Use,
        asked: Asked,
        examples: Examples = None,
        *,
        groups: Callable[[str], Sequence[str]],
        **params: Any,
    ) -> None:
        super().__init__("Use these reads", asked, examples, "Or paste reads", HINT, **params)
        self._use, self._groups = use, groups
        self.strings: Any = None  # the StringSet of the files
        self._raw: dict[int, tuple[bytes, str]] = {}
        second = Upload(self._refused, label="Drop the second class's file here, if it has one, or choose it")
        second.param.watch(self._chosen, "value")
        self.files: list[Upload] = [self.file, second]
        self.first: pmui.Select = pmui.Select(label="first class", options=[], size="small", width=200, visible=False)
        self.second: pmui.Select = pmui.Select(label="second class", options=[], size="small", width=200, visible=False)
        self._layout = pn.Column(
            self.intake,
            second,
            self.about,
            self.trouble,
            pn.FlexBox(self.first, self.second, gap="8px", margin=(4, 0)),
            self.button,
            sizing_mode="stretch_width",
        )

    def __panel__(self) -> pn.Column:
        return self._layout

    def _name_of_pasted(self):
        """Return the name of a pasted text: the second class's if the first file has no classes."""
        return PASTED if 0 in self._raw and 1 not in self._raw and self.strings is None else self.pasted

    async def _chosen(self, event):
        if event.new is None:
            return
        place = self.files.index(event.obj)
        if place == 0:
            self.intake.forget()
        await self._receive_files({**self._raw, place: (event.new, event.obj.filename)})

    async def _receive(self, raw, name):
        """Take a pasted text."""
        await self._receive_files({**self._raw, 1: (raw, name)} if name == PASTED else {0: (raw, name)})

    async def _receive_files(self, chosen):
        """Look into the bytes of one or both classes, unless other files arrive in the meantime."""
        self._raw = chosen
        if sum(len(raw) for raw, _ in chosen.values()) > LARGE:
            self.about.object = markup("<div class='caption'>Reading {} ...</div>", short_name(chosen[max(chosen)][1]))
        read = await in_reader_thread(self._read, chosen)
        if self._raw is not chosen:  # another file has been chosen in the meantime
            return
        with pn.io.hold(self._doc):
            self._show(*read)

    def choose(self, *chosen: tuple[bytes, str]) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  # each class may have a file
        """Show the preview of files. After a refusal the reads in use stay in use.

        Parameters
        ----------
        *chosen : tuple of (bytes, str)
            The bytes and the name of each file; each class may have one.
        """
        self._raw = dict(enumerate(chosen))
        self._show(*self._read(self._raw))

    def _refused(self, sentence):
        """Show why an upload was refused."""
        self._raw = {}
        self._show(None, sentence)

    def _read(self, chosen):
        """Return (strings, "", preview), or (None, message, ABOUT) if the files cannot be read.

        The message is "" if no file is chosen, or if other files have arrived since.
        """
        if not chosen or chosen is not self._raw:
            return None, "", ABOUT
        strings, sentence = or_sentence(_of_classes, chosen)
        return strings, sentence, ABOUT if strings is None else _preview(strings)

    def _show(self, strings, refusal, preview=ABOUT):
        self.strings = strings
        classes = [] if strings is None else list(dict.fromkeys(strings.target.tolist()))
        asked = self._asked()
        named = self._groups(asked["groups"]) if strings is not None and asked.get("hash") == strings.hash else ()
        chosen = named if set(named) <= set(classes) else ()
        for menu, value in zip((self.first, self.second), chosen or classes[:2] or ("", ""), strict=True):
            menu.param.update(options=classes, value=value or None, visible=bool(classes))
        self.button.visible = bool(classes)
        self.about.object = markup("<div class='caption'>{}</div>", preview)
        self._say(refusal)

    async def _pressed(self, event=None):
        if self.strings is None:
            return  # the button was not visible
        self._say("")
        _, error = or_error(self.use)
        if error is not None:
            self._say(str(error))
            self.say_whether_used(str(error))

    def use(self) -> None:
        """Pass the reads on, with the fields that identify them.

        Returns
        -------
        object
            What the function `use` returns.

        Raises
        ------
        Refusal
            If the two classes are the same, or if one has fewer than two reads.
        """
        labels, counts = (self.first.value, self.second.value), Counter(self.strings.target.tolist())
        if labels[0] == labels[1]:
            raise Refusal(f"Both classes are {labels[0]}; choose two, or compare one with itself above.")
        fewest = min(counts[label] for label in labels)
        if fewest < 2:
            raise Refusal(
                f"A class has 1 read ({', '.join(f'{label}: {counts[label]}' for label in labels)}); at least 2 are "
                "needed of each."
            )
        asked, names = self._asked(), [name for _, (_, name) in sorted(self._raw.items())]
        known = asked.get("hash") == self.strings.hash and asked["n"] <= fewest
        fresh = (
            {}
            if known
            else {
                "n": min(fewest, LIVE),
                "contaminated": 0,
                "blocks": _odd(min(fewest, LIVE, 11)),
                "compare": "both classes",
            }
        )
        return self._use(
            self.strings,
            {
                "source": "file",
                "file": names[0],
                "second_file": names[1] if len(names) > 1 else "",
                "rows": self.strings.n,
                "hash": self.strings.hash,
                "groups": json.dumps(labels),
                **fresh,
            },
        )


def _of_classes(chosen):
    """Return the strings of two files, a class each, or of one with classes; `chosen` has (bytes, name) of 0 and 1."""
    if len(chosen) == 2:
        return two_classes(*(read_strings(raw, name) for raw, name in (chosen[0], chosen[1])))
    ((raw, name),) = chosen.values()
    try:
        return read_string_classes(raw, name)
    except NoClasses as error:
        alone = read_strings(raw, name)  # raises a better message if the file has no strings either
        raise Refusal(
            f"{name} has {alone.n} strings and no classes: choose the other class's file too. Or, as one file: {error}"
        ) from error


def _odd(number):
    """Return the largest odd number that is at most `number`."""
    return number - 1 + number % 2


def _preview(strings):
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
