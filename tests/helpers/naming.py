"""Checks of messages by their facts, in any order, which leave the wording to the author."""

import re
from html import unescape

TAGS_IN_LINE = re.compile(r"</?(?:a|b|bdi|button|code|em|i|span|strong|sub|sup)\b[^>]*>")
ENDS = re.compile(r"(?<=[.!?])\s+|</?[a-z][^>]*>|\n")  # of sentences, and of paragraphs and cells


def naming(*parts: str) -> str:
    """Return a pattern for `pytest.raises(match=...)` that finds every part in a message, in any order.

    A part is an argument's name, a value, a limit or what to use instead. It is found as a whole word: "n" is not in
    "mean", and "1" is not in "0.12".
    """
    return "(?s:" + "".join(f"(?=.*{_word(str(part))})" for part in parts) + ")"


def names_all(text: str, *parts: str) -> bool:
    """Return whether a text contains every part as a whole word, in any order."""
    return re.match(naming(*parts), str(text)) is not None  # a search for what is missing would take quadratic time


def one_sentence_names(text: str, *parts: str) -> bool:
    """Return whether one sentence of a text or of HTML contains every part as a whole word, in any order."""
    words = unescape(TAGS_IN_LINE.sub("", str(text)))
    return any(names_all(sentence, *parts) for sentence in ENDS.split(words))


def _word(part):
    before = r"(?<![\w.])" if part[:1].isdigit() else r"(?<!\w)"  # 5 is not in 0.5, and n is in Lab.n
    return rf"{before}{re.escape(part)}(?!\w|\.\d)"
