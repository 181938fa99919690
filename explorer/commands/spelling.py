"""ASCII spellings of characters that a terminal's encoding lacks: lambda for λ, <= for ≤."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from io import TextIOWrapper

HANDLER = "explorer.spelled"  # name of the error handler that is registered with `codecs`
WORDS = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "─": "-", "╌": "-", "│": "|", "∣": "|", "‖": "||", "⁄": "/",
    "×": "x", "·": "*", "∗": "*", "⊗": "(x)", "±": "+/-", "√": "sqrt", "∞": "inf", "∼": "~", "≈": "~",
    "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "←": "<-", "↔": "<->", "⟨": "<", "⟩": ">", "∈": "in", "∘": "o",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "′": "'", "‹": "'", "›": "'",
    "°": "deg", "µ": "u", "€": "EUR", "£": "GBP", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "•": "*", "●": "o", "○": "o",
    "∑": "sum", "∏": "prod", "∫": "int", "∂": "d", "∇": "grad", "\ufeff": "", "\u200b": "",
}  # fmt: skip
GREEK = {"SMALL LETTER LAMDA": "lambda", "CAPITAL LETTER LAMDA": "Lambda", "SMALL LETTER FINAL SIGMA": "sigma"}
RAISED = "⁺⁻ⁿⁱ"  # superscripts other than digits


def spell_streams() -> None:
    """Make standard output and standard error write ASCII spellings of characters that their encodings lack.

    A closed stream is replaced by one that writes nowhere. Otherwise the next file to be opened would get its number,
    and with it everything that is printed.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def spelled(letter: str) -> str:
    r"""Return a character in ASCII: a word, its base letters without accents, or its number as `\u4e2d`."""
    if letter.isascii():
        return letter
    if letter in WORDS:
        return WORDS[letter]
    if unicodedata.combining(letter):
        return ""
    if (plain := unicodedata.normalize("NFKD", letter)) != letter:
        return "".join(map(spelled, plain))
    alphabet, _, name = unicodedata.name(letter, "").partition(" ")
    case, _, word = name.partition(" LETTER ")
    if (alphabet == "GREEK" and word.isalpha()) or name in GREEK:
        return GREEK.get(name) or (word.capitalize() if case == "CAPITAL" else word.lower())
    return letter.encode("ascii", "backslashreplace").decode()


def _is_raised(letter):
    """Return whether a character is a superscript."""
    return letter in RAISED or unicodedata.decomposition(letter).startswith("<super> 003")


def _is_word(letter):
    """Return whether a character's spelling is a separate word, as for σ or ∇; False for ä or ß."""
    return len(spelled(letter)) > 1 and spelled(letter).isalpha() and "LATIN" not in unicodedata.name(letter, "")


def _spelled_run(error):
    """Return (spelling, position): the ASCII spelling for a UnicodeEncodeError, and where encoding continues.

    Superscripts that follow an encoded superscript are written as numbers of characters: "10¹^0" would be another
    number.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, at, said = error.object, error.start, error.object[max(error.start - 1, 0) : error.start]
    begun, word_before = len(said), False
    while at < error.end:
        end = at
        while end < len(text) and _is_raised(text[end]):
            end += 1
        if end == at:
            part, end, word = spelled(text[at]), at + 1, _is_word(text[at])
        elif at == error.start and begun and _is_raised(said):
            part, word = text[at:end].encode("ascii", "backslashreplace").decode(), False
        else:
            part, word = "^" + "".join(map(spelled, text[at:end])), False
        if (word or word_before) and said[-1:].isalpha() and part[:1].isalpha():
            said += " "
        said, at, word_before = said + part, end, word
    if word_before and text[at : at + 1].isalpha():
        said += " "
    return said[begun:], at


codecs.register_error(HANDLER, _spelled_run)
