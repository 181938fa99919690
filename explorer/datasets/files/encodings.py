"""Detection of a text's encoding: UTF-8 with a few bad bytes, or a code page of Windows, Macs, DOS or East Asia.

`chardet` ranks the encodings that make words of all bytes. An encoding that the user names is always used.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.printing import echo

LOOKED_AT = 50_000  # number of bytes of lines with characters beyond ASCII that are inspected
SOUND = 0.8  # if this share of the bytes beyond ASCII are characters in UTF-8, the others are damage
TORN = 0.1  # an encoding is wrong if it tears more than this share of the words, and more than the best one
MANY = 5_000_000  # characters of a text in UTF-8 whose words are compared with those of its other lines
LITTLE = 2  # with at most this many different words, every other encoding that fits casts doubt
CLOSE = 0.5  # a second encoding with this share of the first one's confidence casts doubt
WEST = "cp1252"
SINGLE = {  # single-byte encodings, the more frequent ones first -> alphabets that are written in each
    WEST: ("äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúüªº", "áâãàçéêíóôõúü", "àèéìíòóù", "åäöæøé", "áðéíóúýþæö", "ëéèïöü"),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ", "äöüß"),
    "cp1251": ("абвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґўђѓјљњћќџѕ",),
    "cp1253": ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",),
    "cp1254": ("çğıöşüâîûi̇",),
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"),
    "cp1255": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",),
    "cp1256": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيپچژگ",),
    "mac-roman": ("äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúüªº", "áâãàçéêíóôõúü", "àèéìíòóù", "åäöæøé"),
    "koi8-r": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё",),
    "cp866": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё",),
    "cp850": ("äöüß", "àâæçéèêëîïôùûüÿ", "áéíñóúüªº", "åäöæøé"),
    "cp852": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű", "čćđšž"),
}
DOUBLE = {  # multi-byte encodings -> how the Unicode names of their characters begin
    "cp932": ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC"),
    "gb18030": ("CJK UNIFIED", "FULLWIDTH", "IDEOGRAPHIC"),
    "cp949": ("HANGUL", "CJK UNIFIED", "FULLWIDTH", "IDEOGRAPHIC"),
    "big5": ("CJK UNIFIED", "FULLWIDTH", "IDEOGRAPHIC"),
    "euc_jis_2004": ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC"),
}
RARE = ("koi8-r", "cp866", "cp850", "cp852")  # considered only if none of the others fits
CALLED = {
    "cp932": "Shift-JIS",
    "gb18030": "GB18030",
    "cp949": "EUC-KR",
    "big5": "Big5",
    "euc_jis_2004": "EUC-JP",
    "mac-roman": "MacRoman",
    "koi8-r": "KOI8-R",
    "latin-1": "Latin-1",
    "iso8859-1": "Latin-1",
    "utf-8": "UTF-8",
}
READ_AS = "letters read as"  # beginning of a remark on an encoding
BEYOND = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")
LETTERS_OF_UTF8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}"
    rb"|[\xf1-\xf4][\x80-\xbf]{3}"
)
BYTES = re.compile(rb"[\x80-\xff]")
ESCAPED = "surrogateescape"  # bytes that are invalid in UTF-8 become \udc80 to \udcff
ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
CONTROL = re.compile(r"[\x80-\x9f\ufffd\ue000-\uf8ff]")
SIGN = re.compile(  # signs of measurements, prices and sentences, which English texts use too
    r"[±×÷·½¼¾©®™•…–—€§\u00a0]|°(?=[CFKNSEWcf]?\b|$|\W)|(?<=\w)[²³¹ªº]|[µμ](?=[A-Za-z])|[£¥](?=\s?\d)|(?<=\d)\s?[£¥]"
    r"|(?<!\w)[“„‘‚«‹]|[”“’»›](?!\w)|(?<=\w)’(?=\w)|\b[£¥]\b|(?<!\w)[£¥¿¡](?=\W|$)|(?<!\w)[¿¡](?=\w)"
)
TWO_SIGNS = re.compile(r"[±×÷·½¼¾§©®™£¥°¡¿²³ªº¬¦¤¨¸¶]{2}")
IN_A_ROW = re.compile(r"[^\x00-\x7f–—…“”„‘’«»]{2}")
WORD = re.compile(r"[^\s,;|\t\"]*[^\x00-\x7f][^\s,;|\t\"]*")

_named: ContextVar[str | None] = ContextVar("encoding", default=None)


class Encoding(NamedTuple):
    """Encoding of a text that is not, or not entirely, in UTF-8.

    codec
        Python's name of the encoding; "utf-8" for a text in UTF-8 that contains other bytes.
    others
        Encoding of these other bytes.
    doubt
        Encoding that is nearly as likely, or "".
    bad
        Number of inspected lines that contain such bytes.
    """

    codec: str
    others: str = ""
    doubt: str = ""
    bad: int = 0

    def decode(self, raw: bytes) -> str:
        """Return the text in these bytes. Raises UnicodeDecodeError if some are invalid in the encoding."""
        if self.codec != "utf-8" or not self.others:
            return raw.decode(self.codec)
        text, parts, end = raw.decode("utf-8", ESCAPED), [], 0
        for start, stop in _torn_lines(text):
            parts += [text[end:start], _line(text[start:stop].encode("utf-8", ESCAPED), self.others)]
            end = stop
        return "".join([*parts, text[end:]])

    @property
    def remark(self) -> str:
        """The remark on the encoding."""
        if self.codec == "utf-8" and self.others:
            lines = f"{self.bad} line{'' if self.bad == 1 else 's'}"
            return f"{READ_AS} UTF-8 but for {lines} with bytes that are none, taken as {encoding_label(self.others)}"
        doubt = f", perhaps {encoding_label(self.doubt)}" if self.doubt else ""
        return f"{READ_AS} {encoding_label(self.codec)}{doubt}"


@contextmanager
def use_encoding(encoding: str | None) -> Iterator[None]:
    """Read all text in a given encoding, whatever its bytes suggest.

    Parameters
    ----------
    encoding : str or None
        Name of the encoding; None detects it from the bytes.

    Yields
    ------
    None
        The encoding applies inside the `with` block.

    Raises
    ------
    Refusal
        If Python has no text encoding of this name.
    """
    token = _named.set(codec_of(encoding))
    try:
        yield
    finally:
        _named.reset(token)


def requested_encoding() -> str | None:
    """Return the encoding that the user has named for the current read, or None."""
    return _named.get()


def codec_of(encoding: str | None) -> str | None:
    """Return Python's name of an encoding, or None for None. Raises Refusal if there is no such encoding."""
    if encoding is None:
        return None
    advice = "give the name of one, such as utf-8, cp1252, cp1250, shift_jis or utf-16"
    if not isinstance(encoding, str):
        raise Refusal(f"encoding is {echo(encoding)}; {advice}.")
    try:
        codec = codecs.lookup(encoding)
        "a".encode(codec.name)
    except (LookupError, ValueError):
        raise Refusal(f"encoding is {echo(encoding)}, which is no encoding of text; {advice}.") from None
    return codec.name


def encoding_label(codec: str) -> str:
    """Return what messages call an encoding."""
    return CALLED.get(codec, codec.upper() if codec.startswith("utf") else codec)


def is_encoding_remark(remark: str) -> bool:
    """Return whether a remark on a file is about its encoding.

    Parameters
    ----------
    remark : str
        The remark.

    Returns
    -------
    bool
        True if it is one of `Encoding.remark`.
    """
    return remark.startswith(READ_AS)


def encoding_of(raw: bytes) -> Encoding | None:
    """Return the encoding of a text that is neither ASCII nor UTF-8, or None if it is one of these.

    A text whose bytes beyond ASCII are mostly characters in UTF-8 is in UTF-8, and its other bytes are damage: their
    lines are read in the encoding that fits them. Otherwise the candidates are the encodings that tear the fewest words
    (a currency sign or a capital within a word), and among them those whose alphabet of some language has all the
    letters. `chardet` ranks these.
    """
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        first = error.start
    else:
        return None
    line = max(raw.rfind(mark, 0, first) for mark in (b"\n", b"\r")) + 1
    sound, bad = _in_utf8(_lines(raw, 0) + _lines(raw, line))
    if sound >= SOUND * (sound + bad):
        text = raw.decode("utf-8", ESCAPED)
        torn = [text[start:stop].encode("utf-8", ESCAPED) for start, stop in _torn_lines(text)]
        alone = [each for each in torn if not LETTERS_OF_UTF8.search(each)]
        others = _of_known_words(alone or torn, set(WORD.findall(text[:MANY])))
        return Encoding("utf-8", others or _likeliest(b"\n".join(alone or torn)[:LOOKED_AT])[0], bad=len(torn))
    codec, doubt = _likeliest(_lines(raw, line))
    return Encoding(codec, doubt=doubt)


def _of_known_words(lines, words):
    """Return the encoding that turns most words of some lines into words of the rest of the text, or ""."""
    texts = {codec: _text(b"\n".join(lines)[:LOOKED_AT], codec) for codec in (*SINGLE, *DOUBLE)}
    known = {codec: sum(word in words for word in WORD.findall(text)) for codec, text in texts.items()}
    best = max(known, key=lambda codec: known[codec])
    return best if known[best] else ""


def _lines(raw, start):
    """Return lines with characters beyond ASCII from a position on, up to the number of bytes that are inspected."""
    looked, size = [], 0
    for match in BEYOND.finditer(raw, start):
        looked.append(match.group())
        size += len(looked[-1])
        if size > LOOKED_AT:
            break
    return b"\n".join(looked)


def fallback_encoding(raw: bytes) -> Encoding:
    """Return the first encoding that can decode a text that its likeliest encoding cannot. Latin-1 decodes any text."""
    for codec in (*SINGLE, *DOUBLE):
        try:
            raw.decode(codec)
        except UnicodeDecodeError:
            continue
        return Encoding(codec, doubt="latin-1")
    return Encoding("latin-1")


def _torn_lines(text):
    """Yield (start, end) of each line of a text with bytes that are invalid in UTF-8."""
    match = ESCAPED_BYTE.search(text)
    while match:
        start = max(text.rfind("\n", 0, match.start()), text.rfind("\r", 0, match.start())) + 1
        ends = [end for mark in "\r\n" if (end := text.find(mark, match.start(), match.start() + LOOKED_AT)) >= 0]
        stop = min(ends, default=len(text))
        yield start, stop
        match = ESCAPED_BYTE.search(text, stop)


def _in_utf8(raw):
    """Return (number of bytes beyond ASCII that belong to characters in UTF-8, number of the others)."""
    bad = len(BYTES.findall(LETTERS_OF_UTF8.sub(b"", raw)))
    return len(BYTES.findall(raw)) - bad, bad


def _line(line, others):
    """Decode a line of a text in UTF-8 that may contain other bytes."""
    if not LETTERS_OF_UTF8.search(line):
        try:
            return line.decode(others)
        except UnicodeDecodeError:
            return line.decode("latin-1")
    single = others if others in SINGLE else WEST
    parts, end = [], 0
    for match in LETTERS_OF_UTF8.finditer(line):
        parts += [_bytes(line[end : match.start()], single), match.group().decode()]
        end = match.end()
    return "".join([*parts, _bytes(line[end:], single)])


def _bytes(raw, codec):
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return raw.decode("latin-1")


@lru_cache(maxsize=64)
def _likeliest(raw: bytes) -> tuple[str, str]:
    """Return (likeliest encoding of lines that are not in UTF-8, one that is nearly as likely and decodes differently).

    The second is "" if there is none.
    """
    texts = {codec: text for codec in (*SINGLE, *DOUBLE) if (text := _text(raw, codec))}
    if not texts:
        return "latin-1", ""
    if SIGN.sub("", texts.get(WEST, "ß")).isascii() and not IN_A_ROW.search(texts[WEST]):
        return WEST, ""
    texts = {codec: text for codec, text in texts.items() if not TWO_SIGNS.search(text)} or texts
    texts = {codec: SIGN.sub("", text) if codec in SINGLE else text for codec, text in texts.items()}
    torn = {codec: _torn(text) for codec, text in texts.items()}
    most = max(min(torn.values()), TORN)
    whole = [codec for codec in texts if torn[codec] <= most]
    fitting = [codec for codec in whole if _fits(texts[codec], codec)] or whole
    order = _ranked(raw, [codec for codec in fitting if codec not in RARE] or fitting)
    little = len(set(WORD.findall(texts[order[0][0]]))) <= LITTLE
    if little and WEST in fitting:
        order.sort(key=lambda each: each[0] != WEST)
    (likeliest, confidence), *others = order
    first = next(
        codec for codec in texts if texts[codec] == texts[likeliest]
    )  # the most frequent encoding that gives this text
    least = 0.0 if little else CLOSE * confidence
    close = (codec for codec, each in others if each >= least and texts[codec] != texts[first])
    return first, next(close, "")


def _text(raw, codec):
    """Decode bytes in an encoding, or return "" if they are invalid in it."""
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return ""
    return "" if CONTROL.search(text) else text


def _ranked(raw, among):
    """Return (encoding, confidence) of each candidate, the likeliest first. Ties keep the order of the tables."""
    import chardet

    guesses = chardet.detect_all(
        raw, ignore_threshold=True, compat_names=False, include_encodings=among, no_match_encoding=among[0]
    )
    confidence = {each["encoding"]: each["confidence"] for each in guesses}
    return sorted(((codec, confidence.get(codec, 0.0)) for codec in among), key=lambda each: -each[1])


def _torn(text):
    """Return the share of words beyond ASCII that contain a sign no word has, or capitals after small letters."""
    words = set(WORD.findall(text))
    return sum(map(_is_torn, words)) / max(1, len(words))


@lru_cache(maxsize=4096)
def _is_torn(word):
    """Return whether a word has signs or marks among its letters, a capital after a small letter, or two scripts."""
    kinds = [unicodedata.category(c) for c in word if not c.isascii()]
    if any(c.isalpha() for c in word) and any(kind[0] in "SC" for kind in kinds):
        return True
    if any(kind[0] == "P" or kind in ("Lm", "No") for kind in kinds[:-1]):
        return True
    if any(a.islower() and b.isupper() and not (a + b).isascii() for a, b in pairwise(word)):
        return True
    inside = zip(word, word[1:], word[2:], strict=False)
    if any(a.isalpha() and b.isupper() and c.islower() and not b.isascii() for a, b, c in inside):
        return True
    return len({_script(c) for c in word if c.isalpha()}) > 1


@lru_cache(maxsize=4096)
def _script(letter):
    """Return the script of a letter, from its Unicode name. The scripts of Japan count as one."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if first in ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC") else first


def _fits(text, codec):
    """Return whether the letters beyond ASCII belong to the alphabet of one language that is written in an encoding."""
    letters = {c for c in text if not c.isascii() and c.isalpha()}
    if not letters:
        return False
    if codec in DOUBLE:
        return all(unicodedata.name(c, "").startswith(DOUBLE[codec]) for c in letters)
    small = {each for c in letters for each in c.lower()}
    return any(small <= set(alphabet) for alphabet in SINGLE[codec])
