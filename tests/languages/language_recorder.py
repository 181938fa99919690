"""Recording of translations: the texts that pages request from a language, and those that are missing."""

import re
from contextlib import contextmanager
from unittest.mock import patch

from explorer import languages

TAGS = re.compile(r"<style>.*?</style>|<[^>]*>|\{[^}]*\}|&\w+;", re.DOTALL)
WORD = re.compile(r"[A-Za-z]{2,}")


class RecordedTexts(dict):
    """The texts of a language. `asked` are all requested texts, `missing` those without a translation."""

    def __init__(self, texts):
        super().__init__(texts)
        self.missing, self.asked = set(), set()

    def __bool__(self):
        return True

    def get(self, text, default=None):
        self.asked.add(str(text))
        if text not in self and WORD.search(TAGS.sub(" ", text)):
            self.missing.add(str(text))
        return super().get(text, default)


@contextmanager
def recorded_language(code):
    """Record the texts that are requested from a language inside the context."""
    heard = RecordedTexts(languages.language(code).texts)
    other = languages.Language(code, heard)
    with patch.object(languages, "language", lambda asked: other if asked == code else languages.PLAIN):
        yield heard
