"""From a page's controls to its lab: sliders, typed values, menus and drags, and what is refused of them."""

from __future__ import annotations

import logging
import re
from functools import partial

from explorer.checks import Refusal

WENT_WRONG = "Something went wrong here, and the picture is the last good one. It is a bug of ours, and it is logged."
TOO_LARGE = "This takes more memory than there is, so the picture is the last good one; ask for fewer points or blocks."
LOG = logging.getLogger("explorer")


def attempted(compute, what):
    """(what it gives, no sentence), or (None, why not): a refusal's own words, or that of a bug, which is logged."""
    try:
        return compute(), ""
    except Refusal as refusal:
        return None, str(refusal)
    except (MemoryError, RecursionError):
        return None, TOO_LARGE
    except Exception:
        LOG.exception("%s failed", what)
        return None, WENT_WRONG


class Hand:
    """The part of a page that leads from its controls to the lab."""

    def move(self, name, **changes):
        """Change fields of the lab; a refusal is said at the control `name`, and the picture stays."""
        _, sentence = attempted(partial(self.lab.move, **changes), f"{self.lab} on its way to {changes}")
        self.refuse(name, sentence)

    def choose(self, name, value):
        """A menu of the page was moved to another value."""
        self.move(name, **{name: value})

    def refuse(self, name, sentence):
        """Say a refusal beside its control, or above the pictures where it has none; nothing takes it back."""
        if sentence:  # most moves have none, and the words of a class take as long as a picture
            sentence = without_classes(sentence, self.lab_class)
        if name in self.controls:
            self.controls[name].refuse(sentence)
            (self._refused.add if sentence else self._refused.discard)(name)
        elif sentence:
            self.frame.say([sentence])

    def _slid(self, name, value):
        if not self.pacer.live and not self._quiet:
            self.move(name, **{name: value})

    def _typed(self, name, text):
        if self._quiet:
            return None
        if text.strip() in (self.controls[name].word, ""):
            self.controls[name].note(getattr(self.lab, name))
            return self.refuse(name, "")
        try:
            value = self.lab_class.fields[name].parse(self.controls[name].inside(text))
        except Refusal as refusal:
            return self.refuse(name, str(refusal))
        return self.move(name, **{name: value})

    def _asked(self, values):
        """Answer a browser: {control: [index, or what a handle was dragged to, whether it drew the answer itself]}."""
        self._asking, self._quiet = values.keys() & self.sliders.keys(), all(drawn for _, drawn in values.values())
        self.view.overdrawn |= any(drawn for _, drawn in values.values())
        with self.hold():  # one message: the browser asks on as soon as it has it, and only then draws
            try:
                for name, (value, _) in values.items():
                    if name in self.sliders:
                        self._move_to_stop(name, value)
                    else:
                        self.put(name, value)
            finally:
                self._asking, self._quiet = set(), False
                if not self._busy:
                    self.pacer.done()

    def _move_to_stop(self, name, index):
        value, sentence = attempted(partial(self.sliders[name].at, index), f"stop {index} of {name}")
        if sentence:
            self.refuse(name, sentence)
        else:
            self.move(name, **{name: value})

    def put(self, name, value):
        """A handle of the page was dragged; a page without handles has none to drag."""


def without_classes(sentence, lab_class):
    """A refusal in the page's terms: a field has its symbol and no class before it, and None is what one types."""
    for each in lab_class.__mro__:
        for name, field in lab_class.fields.items():
            sentence = re.sub(rf"\b{each.__name__}\.{name}\b", getattr(field, "symbol", "") or name, sentence)
        sentence = sentence.replace(f"{each.__name__}.", "")
    return sentence.replace("or None for the automatic choice", "or auto")
