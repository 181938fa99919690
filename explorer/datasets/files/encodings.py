"""In which encoding a text's letters are: UTF-8 with single bad bytes, or a code page of Windows, Macs, DOS, or Asia.

`chardet` ranks the encodings that make words of all bytes; an encoding that is named is always taken.
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

LOOKED_AT = 50_000  # bytes of lines with letters beyond ASCII that decide
SOUND = 0.8  # of the bytes beyond ASCII: if so many are letters in UTF-8, the others are damage
TORN = 0.1  # of the words: an encoding that tears more of them than the best one does, and than this, is another one
MANY = 5_000_000  # letters of a text in UTF-8 whose words are compared with those of lines that are not
LITTLE = 2  # different words: of so few, every other encoding that fits them puts the letters in doubt
CLOSE = 0.5  # of the first one's confidence: a second encoding with as much puts the letters in doubt
WEST = "cp1252"
SINGLE = {  # encodings of one byte a letter, the more frequent ones first, and alphabets that are written in each
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
DOUBLE = {  # encodings of several bytes a letter, and what their letters are called
    "cp932": ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC"),
    "gb18030": ("CJK UNIFIED", "FULLWIDTH", "IDEOGRAPHIC"),
    "cp949": ("HANGUL", "CJK UNIFIED", "FULLWIDTH", "IDEOGRAPHIC"),
    "big5": ("CJK UNIFIED", "FULLWIDTH", "IDEOGRAPHIC"),
    "euc_jis_2004": ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC"),
}
RARE = ("koi8-r", "cp866", "cp850", "cp852")  # only of text that none of the others fits
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
READ_AS = "letters read as"  # how a remark on an encoding begins
BEYOND = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")
LETTERS_OF_UTF8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}"
    rb"|[\xf1-\xf4][\x80-\xbf]{3}"
)
BYTES = re.compile(rb"[\x80-\xff]")
ESCAPED = "surrogateescape"  # bytes that are no letters in UTF-8 become \udc80 to \udcff
ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
CONTROL = re.compile(r"[\x80-\x9f\ufffd\ue000-\uf8ff]")
SIGN = re.compile(  # of measurements, prices and sentences, where they stand in English texts too
    r"[±×÷·½¼¾©®™•…–—€§\u00a0]|°(?=[CFKNSEWcf]?\b|$|\W)|(?<=\w)[²³¹ªº]|[µμ](?=[A-Za-z])|[£¥](?=\s?\d)|(?<=\d)\s?[£¥]"
    r"|(?<!\w)[“„‘‚«‹]|[”“’»›](?!\w)|(?<=\w)’(?=\w)|\b[£¥]\b|(?<!\w)[£¥¿¡](?=\W|$)|(?<!\w)[¿¡](?=\w)"
)
TWO_SIGNS = re.compile(r"[±×÷·½¼¾§©®™£¥°¡¿²³ªº¬¦¤¨¸¶]{2}")
IN_A_ROW = re.compile(r"[^\x00-\x7f–—…“”„‘’«»]{2}")
WORD = re.compile(r"[^\s,;|\t\"]*[^\x00-\x7f][^\s,;|\t\"]*")

_named: ContextVar[str | None] = ContextVar("encoding", default=None)


class Encoding(NamedTuple):
    """The encoding of a text that is not, or not all, in UTF-8.

    codec   Python's name of it; "utf-8" of a text in UTF-8 that holds other bytes
    others  the encoding of these bytes
    doubt   the encoding that is nearly as likely, or ""
    bad     how many lines of what was looked at hold such bytes
    """

    codec: str
    others: str = ""
    doubt: str = ""
    bad: int = 0

    def decode(self, raw: bytes) -> str:
        """Return the text in these bytes; UnicodeDecodeError if they hold other bytes than the encoding has."""
        if self.codec != "utf-8" or not self.others:
            return raw.decode(self.codec)
        text, parts, end = raw.decode("utf-8", ESCAPED), [], 0
        for start, stop in _torn_lines(text):
            parts += [text[end:start], _line(text[start:stop].encode("utf-8", ESCAPED), self.others)]
            end = stop
        return "".join([*parts, text[end:]])

    @property
    def remark(self) -> str:
        """The remark on it."""
        if self.codec == "utf-8" and self.others:
            lines = f"{self.bad} line{'' if self.bad == 1 else 's'}"
            return f"{READ_AS} UTF-8 but for {lines} with bytes that are none, taken as {encoding_label(self.others)}"
        doubt = f", perhaps {encoding_label(self.doubt)}" if self.doubt else ""
        return f"{READ_AS} {encoding_label(self.codec)}{doubt}"


@contextmanager
def use_encoding(encoding: str | None) -> Iterator[None]:
    """Read all text in an encoding, whatever its bytes say; None is what they say.

    Raises
    ------
    Refusal
        If Python knows no such encoding of text.
    """
    token = _named.set(codec_of(encoding))
    try:
        yield
    finally:
        _named.reset(token)


def requested_encoding() -> str | None:
    """Return the encoding that is named for what is read now, or None."""
    return _named.get()


def codec_of(encoding: str | None) -> str | None:
    """Return Python's name of an encoding; a Refusal if it is the name of none."""
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
    """Return what sentences call an encoding."""
    return CALLED.get(codec, codec.upper() if codec.startswith("utf") else codec)


def is_encoding_remark(remark: str) -> bool:
    """Return whether a remark on a file is on its encoding."""
    return remark.startswith(READ_AS)


def encoding_of(raw: bytes) -> Encoding | None:
    """Return the encoding of a text that is no ASCII and not in UTF-8; None of UTF-8.

    A text whose bytes beyond ASCII are mostly letters in UTF-8 is in UTF-8, and its other bytes are damage: their
    lines are read in the encoding that fits them. Else the encodings are left that tear fewest words (a currency sign
    or a capital within a word), and among them those of whose languages one has all the letters; `chardet` ranks these.
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
    """The encoding in which most words of some lines are words of the rest of the text, or ""."""
    found = {codec: _text(b"\n".join(lines)[:LOOKED_AT], codec) for codec in (*SINGLE, *DOUBLE)}
    again = {codec: sum(word in words for word in WORD.findall(text)) for codec, text in found.items()}
    best = max(again, key=lambda codec: again[codec])
    return best if again[best] else ""


def _lines(raw, start):
    """Lines with letters beyond ASCII from a place on, as many as are looked at."""
    looked, size = [], 0
    for found in BEYOND.finditer(raw, start):
        looked.append(found.group())
        size += len(looked[-1])
        if size > LOOKED_AT:
            break
    return b"\n".join(looked)


def fallback_encoding(raw: bytes) -> Encoding:
    """Return the encoding of a text that the likeliest one cannot decode: the first that can; Latin-1 takes any."""
    for codec in (*SINGLE, *DOUBLE):
        try:
            raw.decode(codec)
        except UnicodeDecodeError:
            continue
        return Encoding(codec, doubt="latin-1")
    return Encoding("latin-1")


def _torn_lines(text):
    """Where the lines of a text begin and end in which bytes stand that are no letters in UTF-8."""
    found = ESCAPED_BYTE.search(text)
    while found:
        start = max(text.rfind("\n", 0, found.start()), text.rfind("\r", 0, found.start())) + 1
        ends = [end for mark in "\r\n" if (end := text.find(mark, found.start(), found.start() + LOOKED_AT)) >= 0]
        stop = min(ends, default=len(text))
        yield start, stop
        found = ESCAPED_BYTE.search(text, stop)


def _in_utf8(raw):
    """How many bytes beyond ASCII belong to letters in UTF-8, and how many do not."""
    bad = len(BYTES.findall(LETTERS_OF_UTF8.sub(b"", raw)))
    return len(BYTES.findall(raw)) - bad, bad


def _line(line, others):
    """A line of a text in UTF-8, in which other bytes may stand."""
    if not LETTERS_OF_UTF8.search(line):
        try:
            return line.decode(others)
        except UnicodeDecodeError:
            return line.decode("latin-1")
    single = others if others in SINGLE else WEST
    parts, end = [], 0
    for found in LETTERS_OF_UTF8.finditer(line):
        parts += [_bytes(line[end : found.start()], single), found.group().decode()]
        end = found.end()
    return "".join([*parts, _bytes(line[end:], single)])


def _bytes(raw, codec):
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return raw.decode("latin-1")


@lru_cache(maxsize=64)
def _likeliest(raw: bytes) -> tuple[str, str]:
    """(The likeliest encoding of lines that are not in UTF-8, one that is nearly as likely and reads otherwise)."""
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
    first = next(codec for codec in texts if texts[codec] == texts[likeliest])  # the most frequent that reads alike
    least = 0.0 if little else CLOSE * confidence
    close = (codec for codec, each in others if each >= least and texts[codec] != texts[first])
    return first, next(close, "")


def _text(raw, codec):
    """The text that bytes are in an encoding; "" if they are none in it."""
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return ""
    return "" if CONTROL.search(text) else text


def _ranked(raw, among):
    """(encoding, confidence) of each of some, the likeliest first; equal ones in the order of the tables."""
    import chardet

    found = chardet.detect_all(
        raw, ignore_threshold=True, compat_names=False, include_encodings=among, no_match_encoding=among[0]
    )
    confidence = {each["encoding"]: each["confidence"] for each in found}
    return sorted(((codec, confidence.get(codec, 0.0)) for codec in among), key=lambda each: -each[1])


def _torn(text):
    """The share of words beyond ASCII that hold a sign no word has, or capitals behind small letters."""
    words = set(WORD.findall(text))
    return sum(map(_is_torn, words)) / max(1, len(words))


@lru_cache(maxsize=4096)
def _is_torn(word):
    """Whether a word beyond ASCII holds signs or marks among its letters, a capital behind a small one, two scripts."""
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
    """The script of a letter, by its name; those of Japan are one."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if first in ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC") else first


def _fits(text, codec):
    """Whether the letters beyond ASCII are those of a language that is written in an encoding."""
    letters = {c for c in text if not c.isascii() and c.isalpha()}
    if not letters:
        return False
    if codec in DOUBLE:
        return all(unicodedata.name(c, "").startswith(DOUBLE[codec]) for c in letters)
    small = {each for c in letters for each in c.lower()}
    return any(small <= set(alphabet) for alphabet in SINGLE[codec])
