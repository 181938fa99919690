"""Text forms of values: `code` rebuilds a value of any length, `short_repr` and `echo` stay short for a reader.

The `repr` of this library's objects is their code if that is short: at most ARRAY characters per array and REPR in all.
A longer array is written as <500 x 500 numbers>, which is not valid Python, so that it cannot be mistaken for code.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .markup import Markup, markup
from .tables import html_tables

if TYPE_CHECKING:
    from pandas import DataFrame

    from explorer.types import Values


Decorated = TypeVar("Decorated")

ARRAY = 200  # most characters of a field that a repr writes in full
WHOLE = 600  # most characters of a sentence
REPR = 300  # most characters of a repr: two lines of a wide window
NAME = 60  # most characters of the name of a table, column, group or bag in a sentence
SENTENCE = 60  # most characters of a field in a sentence
ECHO = 120  # most characters of a value in a refusal: two of them and 360 characters of text make 600
# Texts that a spreadsheet treats as formulas; + and - begin one, too, unless a number follows.
FORMULA = re.compile(r"[=@\t\r\n＝＠＋－]|[+-](?!(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|inf$|nan$)")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
UNBROKEN = "\N{NO-BREAK SPACE}"
CLOSE = ("", "\N{DEGREE SIGN}")  # units that follow a number without a space


def minus(words: str) -> str:
    """Replace the hyphens before numbers in a text by minus signs: for readers, not for Python.

    Parameters
    ----------
    words : str
        The text.

    Returns
    -------
    str
        The text with true minus signs.
    """
    return re.sub(r"(?<![\w^)])-(?=\.?\d)|(?<=\de)-(?=\d)", "−", words)


def power_of_ten(exponent: int) -> str:
    """Format a tick of a logarithmic axis: a plain decimal if that is short, otherwise 10ⁿ.

    Parameters
    ----------
    exponent : int
        The power n.

    Returns
    -------
    str
        The tick's label.
    """
    if -4 <= exponent <= 5:
        return f"{10.0**exponent:g}"
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"


def format_number(value: Any, digits: int = 3) -> str:
    """Format a number with three significant digits and a true minus sign, in plain decimals if they are readable.

    Parameters
    ----------
    value : float or None
        The number.
    digits : int, default 3
        The number of significant digits.

    Returns
    -------
    str
        The text; "auto" for None.
    """
    if value is None:
        return "auto"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if math.isnan(value):
        return "nan"
    if value != 0 and not 1e-5 <= abs(value) < 1e6:
        mantissa, exponent = f"{value:.{digits}g}".split("e")
        return f"{minus(mantissa)} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    plain = f"{float(f'{value:.{digits}g}'):.8f}".rstrip("0").rstrip(".")
    return minus("0" if plain == "-0" else plain)


def value_of(quantity: Any, x: float) -> str:
    """Format a number of a column with its unit; a scaled number is converted back to the column's own units.

    Parameters
    ----------
    quantity : Quantity
        The column's units and scale.
    x : float
        The number.

    Returns
    -------
    str
        The text.
    """
    if not quantity.is_scaled and not quantity.dates:
        return format_number(float(x))
    return with_unit(minus(quantity.format(x)), quantity)


def with_unit(words: str, quantity: Any) -> str:
    """Append the unit of a column to a formatted number.

    Parameters
    ----------
    words : str
        The number.
    quantity : Quantity
        The column. Its unit is left out if its name contains the unit.

    Returns
    -------
    str
        The number with its unit.
    """
    unit = quantity.unit if quantity.unit not in quantity.name else ""
    return f"{words}{'' if unit in CLOSE else UNBROKEN}{unit}"


def length_of(quantity: Any, x: float) -> str:
    """Format a distance along a column, such as a bandwidth or a deviation: like `value_of`, but never as a date.

    Parameters
    ----------
    quantity : Quantity
        The column's units and scale.
    x : float
        The distance.

    Returns
    -------
    str
        The text.
    """
    return (
        with_unit(format_number(quantity.size * float(x)), quantity) if quantity.is_scaled else format_number(float(x))
    )


def percent(share: float) -> str:
    """Format a share as a percentage, with no decimals from 9.5 % on.

    A change between two amounts needs words for its direction, which `explorer.workbench.numbers.compared` gives.

    Parameters
    ----------
    share : float
        The share; 1 is 100 %.

    Returns
    -------
    str
        The text, such as "12 %" or "−12 %".
    """
    rounded = round(100 * share, 0 if abs(share) >= 0.095 else 1)
    return minus(f"{rounded or 0:g} %")  # "or 0": no sign before a zero


def _says_fields(value: Any) -> bool:
    """Return whether a dataclass has a repr of its fields."""
    return value.__dataclass_params__.repr


def code(value: Any) -> str:
    """Return Python that rebuilds a value, whatever its length: for copied code, links and stores.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
        The code.
    """
    if hasattr(type(value), "_code"):
        return value._code()
    if isinstance(value, np.ndarray):
        return code(value.tolist()) if value.dtype.kind == "O" else repr(value.tolist())
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
        value = value.item()  # the repr of a numpy scalar would need the name np: np.int64(1)
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
    """Return the full code `name(field=value, ...)`.

    Parameters
    ----------
    name : str
        The name of the class or function.
    parts : iterable of (str, object)
        The arguments.

    Returns
    -------
    str
        The code.
    """
    return f"{name}({', '.join(f'{field}={code(value)}' for field, value in parts)})"


def model_text(model: Any) -> str:
    """Return a model as code for a sentence: four digits, and long values by their type or shape.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    str
        The text.
    """
    if hasattr(type(model), "_in_words"):
        return model._in_words()
    return f"{type(model).__name__}({', '.join(f'{field}={_in_a_sentence(value)}' for field, value in model._parts())})"


def brief_call(
    name: str, parts: Iterable[tuple[str, Any]], most: int = WHOLE, rounded: Callable[[Any], str] = str
) -> str:
    """Return `name(field=value, ...)` in at most `most` characters, with long fields abbreviated if necessary.

    Parameters
    ----------
    name : str
        The name of the class or function.
    parts : iterable of (str, object)
        The arguments.
    most : int, default WHOLE
        The largest number of characters.
    rounded : callable, default str
        Shortens the numbers in the text.

    Returns
    -------
    str
        The text.
    """
    parts = list(parts)
    for width in (ARRAY, 100, 60, 40, 24):
        text = rounded(f"{name}({', '.join(f'{field}={short_repr(value, width)}' for field, value in parts)})")
        if len(text) <= most:
            return text
    return truncate(f"<{name} of {len(parts)} fields>", most)


def short_repr(value: Any, most: int = ARRAY) -> str:
    """Return a value's code in at most `most` characters, or its kind and size in angle brackets.

    Parameters
    ----------
    value : object
        The value.
    most : int, default ARRAY
        The largest number of characters.

    Returns
    -------
    str
        The text.
    """
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
        # Python refuses to format integers of more than 4300 digits
        return f"<a whole number of {value.bit_length()} bits>"
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):  # for example a table, a tensor or a sparse matrix
        return truncate(f"<{type(value).__name__} of shape {shape}>", most)
    return truncate(code(value), most)


def echo(value: Any) -> str:
    """Return the text of a user's value for a refusal, in at most ECHO characters.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
        The text.
    """
    return float.__repr__(value) if isinstance(value, float) else short_repr(value, ECHO)


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a count and its noun, such as "1 row" or "2,000 rows".

    Parameters
    ----------
    count : int
        The number.
    noun : str
        The noun in the singular.
    nouns : str, default ""
        The noun in the plural; by default it ends in s.

    Returns
    -------
    str
        Text.

    Examples
    --------
    >>> plural(1, "row"), plural(2000, "row"), plural(0, "class", "classes")
    ('1 row', '2,000 rows', '0 classes')
    """
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def join_list(words: Iterable[Any], most: int = 300, between: str = ", ") -> str:
    """Join items to a list for a sentence; if it would be too long, the last items are replaced by their number.

    Parameters
    ----------
    words : iterable
        The items.
    most : int, default 300
        The largest number of characters.
    between : str, default ", "
        The text between two items.

    Returns
    -------
    str
        The list.
    """
    words = [truncate(word) for word in words]
    ends = np.cumsum([len(word) + len(between) for word in words])
    kept = max(int(np.count_nonzero(ends <= most)), 1)
    rest = f" and {len(words) - kept} more" if kept < len(words) else ""
    return between.join(words[:kept]) + rest


def truncate(text: str, most: int = ECHO) -> str:
    """Return a text on one line, cut to `most` characters with an ellipsis.

    Parameters
    ----------
    text : str
        The text.
    most : int, default ECHO
        The largest number of characters.

    Returns
    -------
    str
        The text.
    """
    if len(text) > most:
        text = f"{text[: max(most - 3, 0)]}..."
    return re.sub(r"\s+", " ", text)


def short_name(name: str) -> str:
    """Return a name from a table on one line and cut if long, so that a sentence or an axis can show several.

    Parameters
    ----------
    name : str
        The name.

    Returns
    -------
    str
        The name in at most NAME characters.
    """
    return truncate(str(name), NAME)


def short_names(called: Sequence[str]) -> tuple[str, ...]:
    """Split the common ending off the names of two samples: ("group a", "group b", " of t.csv").

    Parameters
    ----------
    called : sequence of str
        The two names.

    Returns
    -------
    (str, str, str)
        The two short names and the ending, which is empty if they share none.
    """
    (one, _, of), (other, _, too) = (name.rpartition(" of ") for name in called)
    return (one, other, f" of {of}") if one and other and of == too else (*called, "")


def cell(value: Any) -> Any:
    """Return a value for a file that a spreadsheet may open: text that would be a formula gets an apostrophe.

    Parameters
    ----------
    value : object
        The value of a cell.

    Returns
    -------
    object
        The value.

    Examples
    --------
    >>> [cell(each) for each in ("=1+1", "-x", "-1.5e3", -2.0, "wine")]
    ["'=1+1", "'-x", '-1.5e3', -2.0, 'wine']
    """
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def cells(table: DataFrame) -> DataFrame:
    """Return a pandas DataFrame with its names and texts written by `cell`.

    Parameters
    ----------
    table : DataFrame
        The table.

    Returns
    -------
    DataFrame
        The safe table.
    """
    texts = {name: table[name].map(cell) for name in table.columns if table[name].dtype.kind not in "biufcmM"}
    return table.assign(**texts).rename(columns=cell)


def count(array: Values) -> str:
    """Return the size of an array as text: "500 x 500 numbers"."""
    word = "strings" if array.dtype.kind in "USO" else "numbers"
    if array.shape == (1,):
        word = word.removesuffix("s")
    return f"{' x '.join(map(str, array.shape)) or '1'} {word}"


class Written:
    """Base class of objects that are written as a call of their class; `_parts()` yields the (field, value) pairs."""

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
        """Return the HTML of a notebook cell: a sentence, and a picture or a table."""
        picture = self._picture()
        if not isinstance(picture, Markup):
            name = type(self).__name__
            raise TypeError(f"the picture of {name} is to be Markup, as `inline_pictures` and `html_tables` give it.")
        papers = getattr(self, "_papers", str)()  # results cite papers; other objects do not
        note = markup("<p style='font-size: smaller'>{}</p>", papers) if papers else ""
        return markup("<div><p>{}</p>{}{}</div>", self._sentence(), picture, note)

    def _sentence(self):
        """Return the sentence that is shown with the picture and describes it."""
        return str(self)

    def _picture(self):
        """Return an SVG image or an HTML table; by default a table of the fields."""
        return html_tables.table(("field", "value"), [(field, short_repr(value, 80)) for field, value in self._parts()])


def printed(cls: type[Decorated]) -> type[Decorated]:
    """Give a public dataclass or NamedTuple a repr in two lines and the notebook HTML of `Written`; a class decorator.

    The repr shows all fields except those that are None or empty, numbers with six digits, and long arrays by their
    shape.

    Parameters
    ----------
    cls : type
        The class.

    Returns
    -------
    type
        The same class.
    """
    written: Any = cls
    written.__repr__, written._repr_html_, written._brief = Written.__repr__, Written._repr_html_, _brief_result
    if "_parts" not in vars(cls):
        written._parts = filled_fields
    for name in ("_sentence", "_picture"):  # a class may define or inherit its own
        if not hasattr(cls, name):
            setattr(cls, name, getattr(Written, name))
    return cls


def filled_fields(value: Any) -> list[tuple[str, Any]]:
    """Return the fields of a result that are neither None nor empty, each with its value.

    Parameters
    ----------
    value : object
        A dataclass or NamedTuple.

    Returns
    -------
    list of (str, object)
        The fields.
    """
    return [(name, each) for name, each in fields_of(value) if each is not None and not _is_empty(each)]


def _is_empty(value):
    """Return whether a value is a tuple of nothing but empty tuples."""
    return isinstance(value, tuple) and all(map(_is_empty, value))


def _brief_result(self, most):
    """Return the repr of a result in at most `most` characters."""
    return brief_call(type(self).__name__, self._parts(), most, six_digits)


def six_digits(text: str) -> str:
    """Round the decimals of a text that have more than eight characters to six digits."""
    return re.sub(r"(?=[\d.e+-]{9})\d+\.\d+(e[+-]?\d+)?", lambda found: f"{float(found[0]):.6g}", text)


def _in_a_sentence(value):
    """Return a value of a field for a sentence."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray) and 2 * value.size > SENTENCE:
        return f"array of shape {value.shape}"
    if (words := getattr(type(value), "_in_words", None)) is not None:
        return words(value)
    text = short_repr(value, SENTENCE)
    return type(value).__name__ if "<" in text else text


def fields_of(value: Any) -> Any:
    """Return the (field, value) pairs of a dataclass or NamedTuple, or None for any other value.

    Fields of a dataclass with repr=False are left out.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    list of (str, object) or None
        The fields.
    """
    if isinstance(value, tuple) and (names := getattr(value, "_fields", None)) is not None:
        return list(zip(names, value, strict=True))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.repr]
    return None


def _brief_text(text, most):
    """Return the repr of a text, or its beginning and its length, in at most `most` characters."""
    if len(text) <= most and len(repr(text)) <= most:
        return repr(text)
    kind = "characters" if isinstance(text, str) else "bytes"
    end = f"... <{len(text)} {kind}>"
    kept = max((most - len(end) - 3) // 2, 0)  # half, because an escaped character may take several
    start = repr(text[:kept])
    return f"{start}{end}" if kept and len(start) + len(end) <= most else f"<{len(text)} {kind}>"


def _brief_collection(values, most):
    """Return the code of a collection, or its type and size if that has more than `most` characters."""
    is_array = isinstance(values, np.ndarray)
    size = values.size if is_array else len(values)
    # An entry takes at least two characters, so a large value is never written out only to be measured.
    if 2 * size <= most:
        text = _brief_entries(values, most)
        if len(text) <= most:
            return text
    if is_array:
        return f"<{count(values)}>"
    return f"<{type(values).__name__} of {size} {'entry' if size == 1 else 'entries'}>"


def _brief_entries(values, most):
    """Return a collection with its entries in short form."""
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
