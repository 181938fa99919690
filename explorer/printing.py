"""How values are written: `code` rebuilds a value however long it is, `brief` and `shown` stay short for a reader.

`repr` of our values is their code while that is short: arrays of at most ARRAY characters and WHOLE in all. Beyond that
an array is written as <500 x 500 numbers>, which is no Python, so that nobody takes an abbreviation for code.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import html_tables
from .markup import Markup, markup

if TYPE_CHECKING:
    from pandas import DataFrame

    from explorer.types import Values


Decorated = TypeVar("Decorated")

ARRAY = 200  # characters of a field that a repr still writes out
WHOLE = 600  # characters of a whole sentence
REPR = 300  # characters of a whole repr: two lines of a wide window
NAME = 60  # characters of a table's name, or of a column's, a group's or a bag's, that a sentence repeats
SENTENCE = 60  # characters of a field that a sentence still bears
ECHO = 120  # characters of a value that a refusal repeats: two of them and 360 of its own make one of 600
# what a spreadsheet computes; + and - begin one too, where no number follows
FORMULA = re.compile(r"[=@\t\r\n＝＠＋－]|[+-](?!(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|inf$|nan$)")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
UNBROKEN = "\N{NO-BREAK SPACE}"
CLOSE = ("", "\N{DEGREE SIGN}")  # what stands beside a number without a space


def minus(words: str) -> str:
    """Words with minus signs in place of the hyphens before numbers: for readers, not for Python."""
    return re.sub(r"(?<![\w^)])-(?=\.?\d)|(?<=\de)-(?=\d)", "−", words)


def power_of_ten(exponent: int) -> str:
    """A tick of a logarithmic axis: a plain decimal where that is short, else 10ⁿ."""
    if -4 <= exponent <= 5:
        return f"{10.0**exponent:g}"
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"


def format_number(value: Any) -> str:
    """Three significant digits with a true minus sign, in plain decimals where they are readable."""
    if value is None:
        return "auto"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if math.isnan(value):
        return "nan"
    if value != 0 and not 1e-5 <= abs(value) < 1e6:
        digits, exponent = f"{value:.3g}".split("e")
        return f"{minus(digits)} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    plain = f"{float(f'{value:.3g}'):.8f}".rstrip("0").rstrip(".")
    return minus("0" if plain == "-0" else plain)


def value_of(quantity: Any, x: float) -> str:
    """A number of a column in words: in the column's own units where it was scaled, with the unit that it has."""
    if not quantity.is_scaled and not quantity.dates:
        return format_number(float(x))
    return with_unit(minus(quantity.format(x)), quantity)


def with_unit(words: str, quantity: Any) -> str:
    """A number in words, with the unit that stands beside those of a column."""
    unit = quantity.unit if quantity.unit not in quantity.name else ""
    return f"{words}{'' if unit in CLOSE else UNBROKEN}{unit}"


def length_of(quantity: Any, x: float) -> str:
    """A distance along a column in words, such as a bandwidth or a deviation: as `value_of`, and no date."""
    return (
        with_unit(format_number(quantity.size * float(x)), quantity) if quantity.is_scaled else format_number(float(x))
    )


def percent(share: float) -> str:
    """A share as a percentage without its sign, whole from 9.5 % on."""
    return f"{round(100 * abs(share), 0 if abs(share) >= 0.095 else 1):g} %"


def _says_fields(value: Any) -> bool:
    """Whether a dataclass has a repr of its fields."""
    return value.__dataclass_params__.repr


def code(value: Any) -> str:
    """Python that rebuilds a value, whatever its length: for copied code, links and stores."""
    if hasattr(type(value), "_code"):
        return value._code()
    if isinstance(value, np.ndarray):
        return code(value.tolist()) if value.dtype.kind == "O" else repr(value.tolist())
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
        value = value.item()  # repr would need numpy's name: np.int64(1)
    if isinstance(value, float) and math.isinf(value):
        return f"float('{value}')"
    if type(value) is list:
        return f"[{', '.join(map(code, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(code, value))}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        return f"{{{', '.join(f'{code(key)}: {code(each)}' for key, each in value.items())}}}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and _says_fields(value):
        parts = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.repr and f.init)
        return call(type(value).__qualname__, parts)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return call(type(value).__qualname__, fields_of(value))
    return repr(value)


def call(name: str, parts: Iterable[tuple[str, Any]]) -> str:
    """`name(field=value, ...)` in full, from (field, value) pairs."""
    return f"{name}({', '.join(f'{field}={code(value)}' for field, value in parts)})"


def model_text(model: Any) -> str:
    """A model as code for a sentence: four digits, and what is too long for one named by its type or shape."""
    if hasattr(type(model), "_in_words"):
        return model._in_words()
    return f"{type(model).__name__}({', '.join(f'{field}={_in_a_sentence(value)}' for field, value in model._parts())})"


def brief_call(
    name: str, parts: Iterable[tuple[str, Any]], most: int = WHOLE, rounded: Callable[[Any], str] = str
) -> str:
    """`name(field=value, ...)` in at most `most` characters, after `rounded` has made the numbers shorter.

    The code where it fits, else with long fields abbreviated.
    """
    parts = list(parts)
    for width in (ARRAY, 100, 60, 40, 24):
        text = rounded(f"{name}({', '.join(f'{field}={short_repr(value, width)}' for field, value in parts)})")
        if len(text) <= most:
            return text
    return truncate(f"<{name} of {len(parts)} fields>", most)


def short_repr(value: Any, most: int = ARRAY) -> str:
    """A value's code in at most `most` characters, or what kind of value it is and how large, in angle brackets."""
    if hasattr(type(value), "_brief"):
        return value._brief(most)
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
        value = value.item()
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not _says_fields(value):
        return truncate(repr(value), most)
    if (parts := fields_of(value)) is not None:
        return brief_call(type(value).__name__, parts, most)
    if isinstance(value, (str, bytes)):
        return _brief_text(value, most)
    if isinstance(value, (np.ndarray, list, tuple, dict, set, frozenset)):
        return _brief_collection(value, most)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return f"<a whole number of {value.bit_length()} bits>"  # Python refuses to write one of more than 4300 digits
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):  # a table, a tensor, a sparse matrix
        return truncate(f"<{type(value).__name__} of shape {shape}>", most)
    return truncate(code(value), most)


def echo(value: Any) -> str:
    """A value that a refusal repeats, in at most ECHO characters."""
    return float.__repr__(value) if isinstance(value, float) else short_repr(value, ECHO)


def join_list(words: Iterable[Any], most: int = 300, between: str = ", ") -> str:
    """Words as a list for a sentence, of at most `most` characters, with `between` between them.

    Of many only the first, and how many more there are.
    """
    words = [truncate(word) for word in words]
    ends = np.cumsum([len(word) + len(between) for word in words])
    kept = max(int(np.count_nonzero(ends <= most)), 1)
    rest = f" and {len(words) - kept} more" if kept < len(words) else ""
    return between.join(words[:kept]) + rest


def truncate(text: str, most: int = ECHO) -> str:
    """A text on one line, cut to `most` characters with an ellipsis where it is longer."""
    if len(text) > most:
        text = f"{text[: max(most - 3, 0)]}..."
    return re.sub(r"\s+", " ", text)


def short_name(name: str) -> str:
    """A name that came with a table, for a sentence or an axis, which may have several: one line, cut where long."""
    return truncate(str(name), NAME)


def short_names(called: Sequence[str]) -> tuple[str, ...]:
    """What two samples are called without what both are of, and this: ("group a", "group b", " of t.csv")."""
    (one, _, of), (other, _, too) = (name.rpartition(" of ") for name in called)
    return (one, other, f" of {of}") if one and other and of == too else (*called, "")


def cell(value: Any) -> Any:
    """A cell of a file that a spreadsheet may open: text that would be a formula there begins with an apostrophe.

    >>> [cell(each) for each in ("=1+1", "-x", "-1.5e3", -2.0, "wine")]
    ["'=1+1", "'-x", '-1.5e3', -2.0, 'wine']
    """
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def cells(table: DataFrame) -> DataFrame:
    """A table of pandas with its names and texts as `cell` writes them."""
    texts = {name: table[name].map(cell) for name in table.columns if table[name].dtype.kind not in "biufcmM"}
    return table.assign(**texts).rename(columns=cell)


def count(array: Values) -> str:
    """The size of an array in words: "500 x 500 numbers"."""
    word = "strings" if array.dtype.kind in "USO" else "numbers"
    if array.shape == (1,):
        word = word.removesuffix("s")
    return f"{' x '.join(map(str, array.shape)) or '1'} {word}"


class Written:
    """What is written as a call of its class; a subclass says by `_parts()` with which (field, value) pairs."""

    __slots__ = ()

    if TYPE_CHECKING:

        def _parts(self) -> Any: ...

    def __repr__(self) -> str:
        return self._brief(REPR)

    def _code(self):
        return call(type(self).__name__, self._parts())

    def _brief(self, most):
        return brief_call(type(self).__name__, self._parts(), most)

    def _repr_html_(self):
        """The HTML of a notebook cell: a sentence, and a picture or a table."""
        picture = self._picture()
        if not isinstance(picture, Markup):
            name = type(self).__name__
            raise TypeError(
                f"the picture of {name} is to be Markup, as explorer.inline_pictures and explorer.html_tables give it."
            )
        papers = getattr(self, "_papers", str)()  # of an answer; "" for what has none
        note = markup("<p style='font-size: smaller'>{}</p>", papers) if papers else ""
        return markup("<div><p>{}</p>{}{}</div>", self._sentence(), picture, note)

    def _sentence(self):
        """What the picture is shown with, and described by."""
        return str(self)

    def _picture(self):
        """An SVG image or an HTML table: here one of the fields."""
        return html_tables.table(("field", "value"), [(field, short_repr(value, 80)) for field, value in self._parts()])


def printed(cls: type[Decorated]) -> type[Decorated]:
    """A class decorator for dataclasses and NamedTuples that users meet: a repr in two lines and the HTML of `Written`.

    The repr shows all fields but those that are None or empty, numbers to six digits and long arrays by their shape.
    """
    written: Any = cls
    written.__repr__, written._repr_html_, written._brief = Written.__repr__, Written._repr_html_, _brief_result
    if "_parts" not in vars(cls):
        written._parts = filled_fields
    for name in ("_sentence", "_picture"):  # a class may have its own, and one that inherits it keeps it
        if not hasattr(cls, name):
            setattr(cls, name, getattr(Written, name))
    return cls


def filled_fields(value: Any) -> list[tuple[str, Any]]:
    """Return the fields of a result that are neither None nor empty, each with its value."""
    return [(name, each) for name, each in fields_of(value) if each is not None and not _is_empty(each)]


def _is_empty(value):
    return isinstance(value, tuple) and all(map(_is_empty, value))


def _brief_result(self, most):
    return brief_call(type(self).__name__, self._parts(), most, six_digits)


def six_digits(text: str) -> str:
    """A text whose decimals of more than eight characters have six digits."""
    return re.sub(r"(?=[\d.e+-]{9})\d+\.\d+(e[+-]?\d+)?", lambda found: f"{float(found[0]):.6g}", text)


def _in_a_sentence(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray) and 2 * value.size > SENTENCE:
        return f"array of shape {value.shape}"
    if (words := getattr(type(value), "_in_words", None)) is not None:
        return words(value)
    text = short_repr(value, SENTENCE)
    return type(value).__name__ if "<" in text else text


def fields_of(value: Any) -> Any:
    """(field, value) pairs of a dataclass, without fields of repr=False, or of a NamedTuple; None for another value."""
    if isinstance(value, tuple) and (names := getattr(value, "_fields", None)) is not None:
        return list(zip(names, value, strict=True))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.repr]
    return None


def _brief_text(text, most):
    if len(text) <= most and len(repr(text)) <= most:
        return repr(text)
    kind = "characters" if isinstance(text, str) else "bytes"
    end = f"... <{len(text)} {kind}>"
    kept = max((most - len(end) - 3) // 2, 0)  # half: an escaped character may take several
    start = repr(text[:kept])
    return f"{start}{end}" if kept and len(start) + len(end) <= most else f"<{len(text)} {kind}>"


def _brief_collection(values, most):
    is_array = isinstance(values, np.ndarray)
    size = values.size if is_array else len(values)
    if 2 * size <= most:  # each entry takes two characters at least: a large value is never written out to be measured
        text = _brief_entries(values, most)
        if len(text) <= most:
            return text
    if is_array:
        return f"<{count(values)}>"
    return f"<{type(values).__name__} of {size} {'entry' if size == 1 else 'entries'}>"


def _brief_entries(values, most):
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        return code(values)
    if isinstance(values, np.ndarray):
        return short_repr(values.tolist(), most)
    if isinstance(values, dict):
        return f"{{{', '.join(f'{short_repr(key, most)}: {short_repr(each, most)}' for key, each in values.items())}}}"
    inside = ", ".join(short_repr(each, most - 2) for each in values) if most > 2 else ""
    if isinstance(values, list):
        return f"[{inside}]"
    if isinstance(values, tuple):
        return f"({inside}{',' if len(values) == 1 else ''})"
    return f"{{{inside}}}" if values else f"{type(values).__name__}()"
