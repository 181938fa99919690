"""Strings of one's own, in three clicks: choose a file with classes, or two files, look, and use them."""

from __future__ import annotations

import json
from collections import Counter
from html import escape

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import files, read_string_classes, read_strings, two_classes
from explorer.datasets.string_classes import NoClasses
from explorer.pages.text import html

from .upload import Upload, elsewhere

LIVE = 50  # reads of each class that the page opens with
LARGE = 200_000  # bytes: beyond it the page says that it reads
SHOWN = 12  # letters of a read in the preview

ACCEPT = ".fa,.fasta,.fna,.faa,.txt,.csv,.tsv"
ABOUT = (
    "Two files, a class each, as FASTA or with a string in each line; or one file that says each string's class: FASTA"
    " with names such as '>read17 EI', or lines such as 'EI,CCAGCTG'. Up to 20 MB. Your reads stay in this session: no"
    " link carries them."
)


class OwnStrings(pn.viewable.Viewer):
    """One or two files, a preview, the two classes. `use(strings, fields)` gets the set and the fields that name it.

    `asked()` gives the fields that a link may have brought: the files that they name open as their sender used them.
    `groups(text)` reads the two classes from the field that names them.
    """

    def __init__(self, use, asked, groups, **params):
        super().__init__(**params)
        self._doc = pn.state.curdoc  # kept, because a coroutine that has awaited no longer finds it
        self._use, self._asked, self._groups = use, asked, groups
        self.strings = None
        self._raw = {}
        self.files = []
        for label in ("Choose a file", "Choose the second class's file, if it has one"):
            chosen = Upload(self._refused, label=label, accept=ACCEPT, margin=(4, 10))
            chosen.param.watch(self._chosen, "value")
            self.files.append(chosen)
        self.about = html(f"<div class='caption'>{ABOUT}</div>")
        self.first = pmui.Select(label="first class", options=[], size="small", width=200, visible=False)
        self.second = pmui.Select(label="second class", options=[], size="small", width=200, visible=False)
        self.button = pmui.Button(
            label="Use these reads", variant="contained", visible=False, on_click=lambda event: self.use()
        )
        self.trouble = html("", visible=False)
        self._layout = pn.Column(
            pn.FlexBox(*self.files, gap="4px"),
            self.about,
            self.trouble,
            pn.FlexBox(self.first, self.second, gap="8px", margin=(4, 6)),
            self.button,
            sizing_mode="stretch_width",
        )

    def __panel__(self):
        return self._layout

    async def _chosen(self, event):
        if event.new is None:
            return
        place = self.files.index(event.obj)
        raw, name = event.new, event.obj.filename
        self._raw = chosen = {**self._raw, place: (raw, name)}
        if sum(len(raw) for raw, _ in chosen.values()) > LARGE:
            self.about.object = f"<div class='caption'>Reading {escape(name)} ...</div>"
        read = await elsewhere(self._read, chosen)
        if self._raw is not chosen:  # another file was chosen meanwhile
            return
        with pn.io.hold(self._doc):
            self._shown(*read)

    def choose(self, *chosen):
        """Show what files hold, each (bytes, name); a refusal leaves the reads in use as they are."""
        self._raw = dict(enumerate(chosen))
        self._shown(*self._read(self._raw))

    def _refused(self, sentence):
        """Say why an upload was refused."""
        self._raw = {}
        self._shown(None, sentence)

    def _read(self, chosen):
        """(The strings, no sentence, what to show of them) or (None, why not, ABOUT); nothing once others are."""
        if not chosen or chosen is not self._raw:
            return None, "", ABOUT
        try:
            with files.within_memory("the file"):
                strings = _of_classes(chosen)
                return strings, "", _preview(strings)
        except Refusal as error:
            return None, str(error), ABOUT

    def _shown(self, strings, refusal, preview=ABOUT):
        self.strings = strings
        classes = [] if strings is None else list(dict.fromkeys(strings.target.tolist()))
        asked = self._asked()
        named = self._groups(asked["groups"]) if strings is not None and asked.get("hash") == strings.hash else ()
        chosen = named if set(named) <= set(classes) else ()
        for menu, value in zip((self.first, self.second), chosen or classes[:2] or ("", ""), strict=True):
            menu.param.update(options=classes, value=value or None, visible=bool(classes))
        self.button.visible = bool(classes)
        self.about.object = f"<div class='caption'>{preview}</div>"
        self._say(refusal)

    def use(self):
        """Hand the reads over, with the fields that name them."""
        labels, counts = (self.first.value, self.second.value), Counter(self.strings.target.tolist())
        if labels[0] == labels[1]:
            return self._say(f"Both classes are {labels[0]}; choose two, or compare one with itself above.")
        fewest = min(counts[label] for label in labels)
        if fewest < 2:
            return self._say(
                f"A class has 1 read ({', '.join(f'{label}: {counts[label]}' for label in labels)}); at least 2 are "
                "needed of each."
            )
        self._say("")
        asked, names = self._asked(), [name for _, (_, name) in sorted(self._raw.items())]
        known = asked.get("hash") == self.strings.hash and asked["n"] <= fewest
        fresh = (
            {}
            if known
            else {
                "n": min(fewest, LIVE),
                "spoiled": 0,
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

    def _say(self, sentence):
        self.trouble.param.update(
            object=f"<div role='alert' class='trouble'>{escape(sentence)}</div>" if sentence else "",
            visible=bool(sentence),
        )


def _of_classes(chosen):
    """The strings of two files, a class each, or of one that says the classes; chosen: (bytes, name) by place."""
    if len(chosen) == 2:
        return two_classes(*(read_strings(raw, name) for raw, name in (chosen[0], chosen[1])))
    ((raw, name),) = chosen.values()
    try:
        return read_string_classes(raw, name)
    except NoClasses as error:
        alone = read_strings(raw, name)  # which says more, where it holds no strings either
        raise Refusal(
            f"{name} has {alone.n} strings and no classes: choose the other class's file too. Or, as one file: {error}"
        ) from error


def _odd(number):
    """The largest odd number up to a number."""
    return number - 1 + number % 2


def _preview(strings):
    """What a set holds, as HTML."""
    counts = Counter(strings.target.tolist())
    lengths = [len(s) for s in strings.X.tolist()]
    said = ", ".join(f"{count} of {escape(str(label))}" for label, count in counts.items())
    first = strings.X[0][:SHOWN] + ("..." if len(strings.X[0]) > SHOWN else "")
    letters = escape(strings.alphabet[:40])
    return (
        f"<b>{escape(strings.name)}</b>: {strings.n} strings, {said}; {min(lengths)} to {max(lengths)} letters each, of"
        f" {letters}; the first begins {escape(first)}"
    )
