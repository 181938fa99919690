r"""Formulas as MathML, which browsers typeset without scripts or fonts and screen readers can read.

They are written in the subset of TeX that the labs and the lessons need. `\\role{skmse}{...}` gives a part the colour
of its curve, see `explorer.views.style.ROLES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from explorer.markup import joined, markup

if TYPE_CHECKING:
    from explorer.markup import Markup


TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9][0-9.⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*|\S", re.DOTALL)
LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "lambda": "λ", "mu": "μ", "sigma": "σ",
    "ell": "ℓ", "kappa": "κ", "Delta": "Δ", "Lambda": "Λ", "phi": "φ", "infty": "∞", "Omega": "Ω",
    "epsilon": "ϵ", "varepsilon": "ε", "varphi": "φ", "eta": "η", "nu": "ν", "omega": "ω", "pi": "π", "tau": "τ",
    "top": "⊤", "nabla": "∇",
}  # fmt: skip
OPERATORS = {
    "cdot": "·", "times": "×", "le": "≤", "ge": "≥", "approx": "≈", "sim": "∼", "in": "∈", "ldots": "…",
    "prime": "′", "ast": "∗", "otimes": "⊗", "dots": "…", "mid": "∣", "to": "→", "circ": "∘", "pm": "±",
    "propto": "∝", "int": "∫",
}  # fmt: skip
NAMED = ("exp", "cos", "sin", "log", "ln")  # functions, set upright
STYLED = {"mathbb": {"E": "𝔼", "R": "ℝ"}, "mathbf": {"1": "𝟏"}}  # letters with a character of their own in a style
SIZES = ("bigl", "bigr", "Bigl", "Bigr")  # a fence after one of these is as high as its content
LARGE = {
    "sum": "∑",
    "prod": "∏",
    "sup": "sup",
    "med": "med",
    "min": "min",
    "max": "max",
}  # operators with limits below and above
ACCENTS = {"hat": "^", "bar": "¯", "tilde": "~"}
SPACES = {",": "0.17em", ";": "0.28em", "!": "-0.17em", " ": "0.28em", "quad": "1em", "qquad": "2em"}
# Fences do not stretch by default: only those of \left and \right grow with their content.
AS_HIGH = markup(" stretchy='false'")
BARE = AS_HIGH + markup(" lspace='0' rspace='0'")  # without a left and a right form, browsers do not know its spacing
FENCES = dict.fromkeys("()[]⟨⟩", AS_HIGH) | dict.fromkeys("|‖", BARE)
SIGNS = {"-": "−", "\\|": "‖", "\\%": "%", "\\{": "{", "\\}": "}", "\\langle": "⟨", "\\rangle": "⟩"}


def formula(tex: str) -> Markup:
    """Return a formula within a line of text.

    Parameters
    ----------
    tex : str
        The formula in TeX.

    Returns
    -------
    Markup
        A math element.
    """
    return markup("<math>{}</math>", _row(tex))


def equation(*parts: str) -> Markup:
    """Return a formula on a separate line, which may be broken between its parts.

    Parameters
    ----------
    *parts : str
        The parts in TeX; empty ones are left out.

    Returns
    -------
    Markup
        A span with a math element for each part.
    """
    set_apart = joined(markup("<math displaystyle='true'>{}</math>", _row(part)) for part in parts if part)
    return markup("<span class='equation'>{}</span>", set_apart)


@lru_cache(maxsize=1000)
def _row(tex):
    """Return a formula's row element. Results are cached, because a caption repeats most of its formulas."""
    return _Reader(tex).whole()


class _Reader:
    """Parser of one formula, from left to right."""

    def __init__(self, tex: str) -> None:
        self.tex, self.at = tex, 0

    def whole(self) -> Markup:
        """Return the whole formula."""
        return markup("<mrow>{}</mrow>", self._until(None))

    def _next(self) -> Any:
        """Return the next token, or None at the end."""
        found = TOKEN.search(self.tex, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def _peek(self):
        """Return the next token without consuming it."""
        at, token = self.at, self._next()
        self.at = at
        return token

    def _until(self, end):
        """Return everything up to a token, and consume that token."""
        made = []
        while (token := self._next()) != end:
            if token is None:
                raise ValueError(f"a formula ends before {end}: {self.tex}")
            made.append(self._with_scripts(token))
        return joined(made)

    def _argument(self):
        """Return the argument of a command or a script: a group, or the next token."""
        token = self._next()
        if token is None:
            raise ValueError(f"a formula ends where something has to follow: {self.tex}")
        return markup("<mrow>{}</mrow>", self._until("}")) if token == "{" else self._one(token)

    def _plain(self):
        """Return the text of a group, unparsed."""
        start = self.tex.index("{", self.at) + 1
        self.at = self.tex.index("}", start) + 1
        return self.tex[start : self.at - 1]

    def _with_scripts(self, token):
        """Return a token with its subscript and superscript."""
        base, scripts = self._one(token), {}
        while self._peek() in ("_", "^"):
            place = self._next()
            scripts[place] = self._argument()
        if not scripts:
            return base
        limits = token[1:] in LARGE
        tag = {"_": "munder" if limits else "msub", "^": "mover" if limits else "msup"}.get("".join(scripts))
        if tag is None:
            tag = "munderover" if limits else "msubsup"
        return markup("<{0}>{1}{2}{3}</{0}>", tag, base, scripts.get("_", ""), scripts.get("^", ""))

    def _one(self, token: Any) -> Markup:
        """Return a token without its subscript and superscript."""
        if token == "{":
            return markup("<mrow>{}</mrow>", self._until("}"))
        if token in SIGNS or token in FENCES or not (token[0].isalnum() or token[0] == "\\"):
            sign: Any = SIGNS.get(token, token)
            return markup("<mo{}>{}</mo>", FENCES.get(sign, ""), sign)
        if token[0].isdigit():
            return markup("<mn>{}</mn>", token)
        return markup("<mi>{}</mi>", token) if token[0] != "\\" else self._command(token[1:])

    def _command(self, name):
        """Return the element of a command."""
        if name in LETTERS:
            upright = markup(" mathvariant='normal'") if name[0].isupper() else ""
            return markup("<mi{}>{}</mi>", upright, LETTERS[name])
        if name in OPERATORS:
            return markup("<mo>{}</mo>", OPERATORS[name])
        if name in LARGE:
            return markup("<mo movablelimits='true'>{}</mo>", LARGE[name])
        if name in NAMED:
            return markup("<mi>{}</mi>", name)
        if name in STYLED:
            return markup("<mi mathvariant='normal'>{}</mi>", self._styled(name))
        if name in SIZES:
            fence = self._next()
            return markup("<mo>{}</mo>", SIGNS.get(fence, fence))
        if name in SPACES:
            return markup("<mspace width='{}'></mspace>", SPACES[name])
        if name in ACCENTS:
            return markup(
                "<mover accent='true'>{}<mo stretchy='false'>{}</mo></mover>", self._argument(), ACCENTS[name]
            )
        if name not in READ:
            raise ValueError(f"no such command in a formula: \\{name}")
        return READ[name](self)

    def _styled(self, name):
        """Return the character of a letter in a style, or the letter itself if there is none."""
        letter = self._plain() if self._peek() == "{" else self._next()
        return STYLED[name].get(letter, letter)

    def _fraction(self):
        return markup("<mfrac>{}{}</mfrac>", self._part(), self._part())

    def _part(self):
        r"""Return a part of a fraction: a group, or one character, such as each digit of `\\frac12`."""
        token = self._peek()
        if token is None or not token[0].isdigit():
            return self._argument()
        self.at = self.tex.index(token, self.at) + 1
        return markup("<mn>{}</mn>", token[0])

    def _braced(self):
        """Return a part with a brace below it and, below that, its explanation."""
        part = markup("<munder>{}<mo stretchy='true'>⏟</mo></munder>", self._argument())
        if self._peek() != "_":
            return part
        self._next()
        return markup("<munder>{}{}</munder>", part, self._argument())

    def _role(self):
        return markup("<mrow class='name {}'>{}</mrow>", self._plain(), self._argument())

    def _fenced(self):
        left, inner, right = self._next(), self._until("\\right"), self._next()
        return markup("<mrow><mo>{}</mo>{}<mo>{}</mo></mrow>", SIGNS.get(left, left), inner, SIGNS.get(right, right))


READ: dict[str, Callable[[_Reader], Markup]] = {
    "frac": _Reader._fraction,
    "tfrac": lambda reader: markup("<mstyle displaystyle='false'>{}</mstyle>", reader._fraction()),
    "underbrace": _Reader._braced,
    "sqrt": lambda reader: markup("<msqrt>{}</msqrt>", reader._argument()),
    "mathrm": lambda reader: markup("<mi mathvariant='normal'>{}</mi>", reader._plain()),
    "text": lambda reader: markup("<mtext>{}</mtext>", reader._plain()),
    "role": _Reader._role,
    "left": _Reader._fenced,
}
