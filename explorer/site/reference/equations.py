"""Formulas that docstrings write as text, such as `p = (1 + #{null >= observed}) / (1 + B)`, as the TeX of `formulas`.

`tex` reads a whole formula, or raises `Unread`: nothing is ever set by half. `parted` finds the formulas in a sentence:
a run of signs between words, taken as a formula only where all of it is understood and it has a sign that prose lacks.
What is not understood stays the text that it was.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator
from typing import NamedTuple

GREEK = "α-ωΑ-ΡΣ-Ωϵϕϱℓ"
MARKS = "\u0302\u0304\u0303\u0305"  # combining: a hat, a bar, a tilde, a line
ACCENTS = {"\u0302": "hat", "\u0304": "bar", "\u0305": "bar", "\u0303": "tilde", "~": "tilde"}
UPPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ", "0123456789-+n", strict=True))
LOWER = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True))
FUNCTIONS = {
    "exp",
    "log",
    "cos",
    "sin",
    "tan",
    "tanh",
    "tr",
    "diag",
    "sgn",
    "det",
    "chi",
    "arccos",
    "ln",
    "sqrt",
    "dCov",
    "dCor",
}
STATISTICS = {
    "mean",
    "median",
    "med",
    "var",
    "Var",
    "Cov",
    "cov",
    "sum",
    "min",
    "max",
    "sup",
    "inf",
    "argmin",
    "argmax",
}
LARGE = {"sum": "\\sum", "Σ": "\\sum", "Π": "\\prod", "∏": "\\prod", "max": "\\max", "min": "\\min", "sup": "\\sup"}
ACRONYMS = {"rank", "sd", "MMD", "HSIC", "KSD", "FSSD", "KME", "SKMSE", "FKMSE", "RKHS", "IMQ", "ESS"}
RELATIONS = {
    "=": "=", "<=": "\\le", ">=": "\\ge", "≤": "\\le", "≥": "\\ge", "<": "<", ">": ">", "~": "\\sim", "∝": "\\propto",
    "≈": "\\approx", "∈": "\\in", "->": "\\to", "→": "\\to", "<-": "←", "≠": "≠", "!=": "≠", ":": ":",
}  # fmt: skip
BETWEEN = {"+": "+", "·": "\\cdot", "×": "\\times", "*": "\\ast", "⊗": "\\otimes", "∘": "\\circ", "//": "//"}
SIGNED = {"-": "-", "−": "-", "±": "\\pm"}
PLAIN = {"∇": "\\nabla", "∂": "∂", "∞": "\\infty", "…": "\\ldots", "...": "\\ldots", "∫": "\\int", "#": "#"}
POSTFIX = {"'": "\\prime", "°": "\\circ"}  # above what they follow
OPENING = {"(": ")", "[": "]", "{": "}"}
COMPOSED = "[āâãȳŷỹẑŵūûũēêẽōôõñĀÂÃŪȲŶĈĤĴĜ]"  # a letter and its mark as one sign
TELLING = re.compile(rf"(?!N/A$)(?:[=<>≤≥∝≈∈^_√∫∇⊗∘²³⁻{GREEK}]|[\w)] [-+/*] |\w/\w|\|\S|(?<![\w.])[A-Za-z]\(\w)")
TOKEN = re.compile(
    rf"""(?P<space>\s+)
    | (?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?(?:e[-+]?\d+)?|(?<![\w.])\.\d+)
    | (?P<letters>[A-Za-z]+)
    | (?P<composed>{COMPOSED})
    | (?P<greek>[{GREEK}])
    | (?P<mark>[{MARKS}])
    | (?P<sign><=|>=|!=|->|<-|//|\.\.\.|.)""",
    re.VERBOSE | re.DOTALL,
)


class Unread(ValueError):
    """A text that is no formula which this module understands."""


class Token(NamedTuple):
    """A sign or a run of letters, where it begins, and whether a blank stands before and after it."""

    kind: str
    text: str
    start: int
    end: int
    before: bool
    after: bool


NOTHING = Token("", "", 0, 0, True, True)  # beyond the ends of a text


def tokens(text: str) -> list[Token]:
    """The signs of a text in their order; a letter with its mark is two."""
    found = list(TOKEN.finditer(text))
    made = []
    for i, each in enumerate(found):
        kind, sign, (start, end) = each.lastgroup or "", each[0], each.span()
        before = i == 0 or found[i - 1].lastgroup == "space"
        after = i + 1 == len(found) or found[i + 1].lastgroup == "space"
        if kind == "composed":
            letter, mark = unicodedata.normalize("NFD", sign)
            made.append(Token("letters", letter, start, end, before, False))
            made.append(Token("mark", mark, end, end, False, after))
        elif kind != "space":
            made.append(Token(kind, sign, start, end, before, after))
    return made


def tex(text: str, names: Container[str] = (), display: bool = False) -> str:
    """A formula as TeX; Unread where it is none, or not all of it is understood.

    names    words that stand for values, such as the arguments of the function that is spoken of
    display  on a line of its own: what is plainly a fraction is set as one
    """
    reader = _Reader(tokens(text), names, display)
    made = reader.row(None)
    if not made or reader.peek() is not None:
        raise Unread(text)
    return made


class _Reader:
    """Reads a formula from left to right: terms with operators between, relations between these."""

    def __init__(self, read: list[Token], names: Container[str], display: bool) -> None:
        self.tokens, self.names, self.display, self.at = read, names, display, 0
        self.counted = False  # within #{...}, which words may describe

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def text(self):
        token = self.peek()
        return token.text if token else None

    def next(self):
        token = self.peek()
        if token is None:
            raise Unread("a formula ends where something has to follow")
        self.at += 1
        return token

    def row(self, end):
        """All up to a closing sign, which is not passed: operands with signs between them."""
        made, ready = [], False  # whether an operand stands before
        while (token := self.peek()) is not None and not self._closes(token, end):
            text = token.text
            if text in (*SIGNED, "+") and (ready or not token.after):
                made.append(SIGNED.get(self.next().text, "+"))
                ready = False
            elif text in BETWEEN and ready:
                made.append(BETWEEN[self.next().text])
                ready = False
            elif text in RELATIONS and ready and (token.after or text == ":" or end == "}"):
                made.append(RELATIONS[self.next().text])
                ready = False
            elif text == "/" and ready:
                self.next()
                made = self._over(made)
            elif text in ",;" and ready and token.after and end is not None:
                made.append(self.next().text)
                ready = False
            elif text == "|" and ready and end is not None and (token.after or end == "}"):
                self.next()
                made.append("\\mid")
                ready = False
            else:
                made.append(self.operand())
                ready = True
        if not ready and made:
            raise Unread("a formula ends after a sign that joins")
        return " ".join(made)

    def _closes(self, token, end):
        if end == "|":
            return token.text == "|" and not (token.before and token.after)
        if end == ">":
            return token.text == ">" and not token.before
        return token.text == end or (end is None and token.text in ")]}")

    def _over(self, made):
        """What stands before and after a slash: a fraction where both are one thing, else a slash."""
        under = self.operand()
        follows = self.peek()
        alone = follows is None or follows.text in RELATIONS or follows.text in SIGNED or follows.text in "),]}+"
        if self.display and alone and made and (len(made) == 1 or made[-2] in {"=", "+", "-"}):
            return [*made[:-1], f"\\frac{{{_bare(made[-1])}}}{{{_bare(under)}}}"]
        return [*made, "/", under]

    # operands ----------------------------------------------------------------------------------------------------

    def operand(self):
        """A letter, a number, a bracket or a function, with what stands below and above it."""
        token = self.next()
        base = self._base(token)
        return self._scripted(base)

    def _base(self, token):
        kind, text = token.kind, token.text
        if kind == "number":
            return text.replace(",", "{,}")
        if kind in ("letters", "greek"):
            return self._letters(token)
        if text in OPENING:
            return self._bracket(text)
        if text == "#" and self.text() == "{":
            return self._count()
        if text == "|" and not token.after:
            return f"\\left| {self._until('|')} \\right|"
        if text == "<" and not token.after:
            return f"\\langle {self._until('>')} \\rangle"
        if text == "√":
            return self._root()
        if text == "." and self._between_commas():
            return "\\cdot"
        if text in PLAIN:
            return PLAIN[text]
        raise Unread(f"no formula has {text!r} there")

    def _between_commas(self):
        """Whether a dot stands for an argument, as in k(x, .)."""
        before, after = self.tokens[self.at - 2 : self.at - 1], self.peek()
        return bool(before) and before[0].text in "(,⊗|" and after is not None and after.text in "),|"

    def _count(self):
        """#{...}, how many of something there are, which words may say."""
        self.next()
        self.counted, was = True, self.counted
        inner = self._until("}")
        self.counted = was
        return f"# \\{{ {inner} \\}}"

    def _bracket(self, text):
        inner, closing = self._until(OPENING[text]), OPENING[text]
        if "\\frac" in inner:  # as high as it
            return f"\\left{text} {inner} \\right{closing}" if text != "{" else f"\\left\\{{ {inner} \\right\\}}"
        return f"\\{{ {inner} \\}}" if text == "{" else f"{text}{inner}{closing}"

    def _until(self, end):
        inner = self.row(end)
        if self.text() != end or not inner:
            raise Unread(f"a bracket is not closed by {end}")
        self.next()
        return inner

    def _root(self):
        token = self.next()
        inner = self._until(")") if token.text == "(" else self._scripted(self._base(token))
        return f"\\sqrt{{{inner}}}"

    def _letters(self, token):
        text = token.text
        if text in LARGE and not self._names_a_value():
            return LARGE[text]
        if self.counted and len(text) > 2:
            return f"\\;\\mathrm{{{text}}}\\;"
        name = self._code(token)
        if name is not None:
            return f"\\,\\mathrm{{{name}}}\\," if token.before or token.after else f"\\mathrm{{{name}}}"
        if text == "E" and not token.after:
            return "\\mathbb{E}"
        if text == "sqrt":
            return self._root()
        if text in LARGE:
            raise Unread(f"{text} begins a name")
        if text in ACRONYMS:
            return f"\\mathrm{{{text}}}"
        if text in FUNCTIONS or text in STATISTICS:
            following = self.peek() or NOTHING
            closes = following.text in ")]},|" and (following.text != "|" or following.after)
            if closes or following.text in RELATIONS:
                raise Unread(f"{text} of what?")
            return f"\\mathrm{{{text}}}" + ("\\," if token.after else "")  # keeps its distance
        if len(text) > 1 and not self._product(token):
            raise Unread(f"{text} is a word")
        *factors, last = text
        self.tokens[self.at - 1] = token._replace(text=last)  # what follows belongs to the last
        return " ".join([*factors, self._accented(last)])

    def _names_a_value(self):
        """Whether what stands below is a word: of a name such as min_size."""
        below = self._after(1)
        return self.text() == "_" and below is not None and below.kind == "letters" and len(below.text) > 3

    def _code(self, token):
        """A name of the program with its underscores, where letters begin one."""
        parts, at = [token.text], self.at
        while at + 1 < len(self.tokens) and self.tokens[at].text == "_" and not self.tokens[at].before:
            following = self.tokens[at + 1]
            if following.kind not in ("letters", "number") or following.before:
                break
            parts.append(following.text)
            at += 2
        name = "_".join(parts)
        if len(token.text) == 1 and not (len(parts) == 2 and len(parts[1]) > 6 and name in self.names):
            return None
        if name not in self.names and len(parts) == 1:
            return None
        if len(parts) > 1 and name not in self.names:
            return None
        self.at = at
        return name

    def _product(self, token):
        """Whether letters are factors: capitals, or small ones that touch another sign of a formula."""
        text = token.text
        if text.isupper() and len(text) <= 4:
            return True
        touching = [t for t in (self.at - 2, self.at) if 0 <= t < len(self.tokens)]
        greek = any(
            self.tokens[t].kind in ("greek", "number") and abs(self.tokens[t].start - token.start) <= len(text)
            for t in touching
            if (t < self.at and not token.before) or (t >= self.at and not token.after)
        )
        return len(text) == 2 and greek

    def _accented(self, letter):
        made = letter
        while (token := self.peek()) is not None and not token.before:
            if token.kind == "mark" or token.text == "~":
                made = f"\\{ACCENTS[self.next().text]}{{{made}}}"
            else:
                break
        return made

    # scripts -----------------------------------------------------------------------------------------------------

    def _scripted(self, base):
        below, above = "", ""
        while (token := self.peek()) is not None and not token.before:
            text = token.text
            if text == "_" and not below:
                self.next()
                below = self._script()
            elif text == "^" and not above:
                self.next()
                above = self._script(above=True)
            elif text in UPPER:
                above += self._run(UPPER)
            elif text in LOWER and not below:
                below = self._run(LOWER)
            elif text in POSTFIX:
                above += POSTFIX[self.next().text]
            elif text == "!":
                self.next()
                base += "!"
            elif text == "*" and (token.after or (f := self._after(1)) is None or f.text in "(),") and not above:
                self.next()
                above = "\\ast"
            else:
                break
        return base + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")

    def _after(self, steps):
        at = self.at + steps
        return self.tokens[at] if at < len(self.tokens) else None

    def _run(self, table):
        made = ""
        while (token := self.peek()) is not None and token.text in table and (not made or not token.before):
            made += table[self.next().text]
        return made

    def _script(self, above=False):
        """What stands below or above: a group, a bracket, or letters and digits up to the next sign."""
        token = self.next()
        if token.before:
            raise Unread("a script stands apart from its letter")
        if token.text == "{":
            return self._until("}")
        if token.text == "(":
            inner = self._until(")")
            return inner if above and re.fullmatch(r"-?\d+/\d+|-?\d+ / \d+|[-\d/ ]+", inner) else f"({inner})"
        made = ""
        if token.text in (*SIGNED, "⊗"):
            made, token = SIGNED.get(token.text, "\\otimes "), self.next()
        if token.kind == "number":
            return made + token.text
        if token.kind == "greek":
            return made + self._accented(token.text)
        if token.kind == "letters" or token.text in "~*":
            letters = token.text
            if letters in "~*":
                return "\\sim" if letters == "~" else "\\ast"
            while (more := self.peek()) is not None and not more.before and more.kind in ("letters", "greek", "number"):
                letters += self.next().text
            if len(letters) == 1:
                return made + self._accented(letters)
            word = len(letters) > 2 and letters.isascii() and letters.isalpha()
            return made + (f"\\mathrm{{{letters}}}" if word else " ".join(letters))
        raise Unread(f"no script begins with {token.text!r}")


def _bare(part):
    """A part of a fraction without the brackets around all of it."""
    if not (part.startswith("(") and part.endswith(")")):
        return part
    depth = 0
    for i, sign in enumerate(part):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and i < len(part) - 1:
            return part
    return part[1:-1]


# formulas in sentences --------------------------------------------------------------------------------------------


class Formula(NamedTuple):
    """A part of a sentence that is a formula: as it is written, and as TeX."""

    text: str
    tex: str


def parted(text: str, names: Container[str] = ()) -> Iterator[str | Formula]:
    """A sentence as plain text and formulas, which together are all of it."""
    at = 0
    for start, end in _runs(text, names):
        found = _formula(text[start:end], names)
        if found is not None:
            yield text[at:start]
            yield Formula(text[start:end], found)
            at = end
    yield text[at:]


def _formula(run, names):
    """The TeX of a run of signs, or None where it is no formula, or not understood."""
    if not TELLING.search(run):
        return None
    try:
        return tex(run, names)
    except Unread:
        return None


def _runs(text, names):
    """(start, end) of each run of signs and single letters between words, without brackets of the sentence around."""
    run: list[Token] = []
    depth, counts = 0, 0  # how many brackets are open, and how many of these are of #{...}
    tainted = False  # by a word that the run is of, as in foo(x)
    read = tokens(text)
    for i, token in enumerate(read):
        counted = counts > 0 and token.kind == "letters"
        word = not counted and _is_word(read, i, names)
        if word or (depth <= 0 and token.text in ",;:.!?" and token.after) or (not run and token.text in ",;:.!?)]}"):
            yield from _trimmed(run if not tainted else [])
            run, depth, counts, tainted = [], 0, 0, word and _calls(read, i)
            continue
        if token.text in OPENING or (token.text == "<" and not token.after):
            depth += 1
            counts += token.text == "{" and bool(run) and (counts > 0 or run[-1].text == "#")
        elif token.text in ")]}" or (token.text == ">" and not token.before):
            depth -= 1
            counts = max(0, counts - 1) if token.text == "}" else counts
        run.append(token)
    yield from _trimmed(run if not tainted else [])


def _calls(read, i):
    """Whether a word has a bracket of its own."""
    return not read[i].after and _at(read, i + 1).text in OPENING


def _is_word(read, i, names):
    """Whether letters are a word of the sentence, or a sign is one of prose."""
    token = read[i]
    text, before, after = token.text, _at(read, i - 1), _at(read, i + 1)
    if token.kind != "letters":
        return text in '`"%'
    if text == "s" and before.text in "'’" and not token.before:
        return True
    if text == "a" and token.before and token.after:
        return not any(after.text in signs for signs in (RELATIONS, SIGNED, BETWEEN))
    if text == "I" and token.before and token.after:
        return after.kind == "letters"
    if text == "sum" and token.before and (i == 0 or _is_prose(before)):
        return after.text not in ("_", "(")
    if len(text) == 1 or text in FUNCTIONS or text in STATISTICS or text in ACRONYMS:
        return False
    if (before.text in ("_", "^") and not token.before) or (after.text in ("_", "^", "'") and not token.after):
        return False
    if len(text) < 4 and (text.isupper() or (after.text == "(" and not token.after)):
        return False
    if text in names and any(each.text in (*RELATIONS, *SIGNED, *BETWEEN, "/") for each in (before, after)):
        return False
    touching = (before, token.before), (after, token.after)
    return len(text) > 2 or all(apart or each.kind not in ("greek", "number") for each, apart in touching)


def _at(read, i):
    return read[i] if 0 <= i < len(read) else NOTHING


def _is_prose(token):
    return token.kind == "letters" and len(token.text) > 1


def _trimmed(run):
    """A run without the brackets of the sentence at its ends, or from a bracket on that holds words."""
    while run and run[0].text in OPENING and _open(run) == 0 < len(run):
        run = run[1:]
    at = _open(run)
    if at is not None and run[at].before:
        run = run[:at]
    while run and (sum(t.text in OPENING for t in run) < sum(t.text in ")]}" for t in run)) and run[-1].text in ")]}":
        run = run[:-1]
    while run and run[-1].text in ".,;:!?" and not run[-1].before:
        run = run[:-1]
    if run:
        yield run[0].start, run[-1].end


def _open(run):
    """Where the first bracket stands that is not closed, or None."""
    opened = []
    for i, token in enumerate(run):
        if token.text in OPENING:
            opened.append(i)
        elif token.text in ")]}" and opened:
            opened.pop()
    return opened[0] if opened else None
