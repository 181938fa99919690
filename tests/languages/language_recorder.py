"""Recording of translations: the texts that pages request from a language, and those that are missing."""

from contextlib import contextmanager
from gettext import NullTranslations
from unittest.mock import patch

from explorer import languages
from explorer.languages.extraction import is_message


class RecordedTexts(NullTranslations):
    """The texts of a language.

    `asked` are all requested texts, `given` their translations, and `missing` those that have none.
    """

    def __init__(self, texts):
        super().__init__()
        self.texts = texts
        self.asked, self.missing, self.given = set(), set(), set()

    def gettext(self, text):
        return self._recorded(text, self.texts.gettext(text))

    def ngettext(self, one, many, count):
        self._recorded(one, self.texts.ngettext(one, many, 1))
        return self._recorded(many, self.texts.ngettext(one, many, count))

    def _recorded(self, text, translation):
        self.asked.add(str(text))
        if translation != text:
            self.given.add(str(translation))
        elif is_message(text):
            self.missing.add(str(text))
        return translation


@contextmanager
def recorded_language(code):
    """Record the texts that are requested from a language inside the context."""
    heard = RecordedTexts(languages.language(code).texts)
    other = languages.Language(code, heard)
    with patch.object(languages, "language", lambda asked: other if asked == code else languages.PLAIN):
        yield heard
