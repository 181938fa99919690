"""Formulas as MathML, which browsers set by themselves: no script, no font, and screen readers read it.

They are written in the TeX that the labs and the lessons need. `\\role{skmse}{...}` gives a part the colour of its
curve, see `explorer.views.style.ROLES`.
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
NAMED = ("exp", "cos", "sin", "log", "ln")  # functions, upright
STYLED = {"mathbb": {"E": "𝔼", "R": "ℝ"}, "mathbf": {"1": "𝟏"}}  # letters that are signs of their own
SIZES = ("bigl", "bigr", "Bigl", "Bigr")  # a fence that follows is drawn as high as what it encloses
LARGE = {
    "sum": "∑",
    "prod": "∏",
    "sup": "sup",
    "med": "med",
    "min": "min",
    "max": "max",
}  # what takes its limits below and above
ACCENTS = {"hat": "^", "bar": "¯", "tilde": "~"}
SPACES = {",": "0.17em", ";": "0.28em", "!": "-0.17em", " ": "0.28em", "quad": "1em", "qquad": "2em"}
# as a letter: only what \left and \right stand before grows with what it encloses
AS_HIGH = markup(" stretchy='false'")
BARE = AS_HIGH + markup(" lspace='0' rspace='0'")  # it has no left and right form whose space a browser would know
FENCES = dict.fromkeys("()[]⟨⟩", AS_HIGH) | dict.fromkeys("|‖", BARE)
SIGNS = {"-": "−", "\\|": "‖", "\\%": "%", "\\{": "{", "\\}": "}", "\\langle": "⟨", "\\rangle": "⟩"}


def formula(tex: str) -> Markup:
    """A formula within a line of text."""
    return markup("<math>{}</math>", _row(tex))


def equation(*parts: str) -> Markup:
    """A formula on a line of its own, which may be broken between its parts."""
    set_apart = joined(markup("<math displaystyle='true'>{}</math>", _row(part)) for part in parts if part)
    return markup("<span class='equation'>{}</span>", set_apart)


@lru_cache(maxsize=1000)
def _row(tex):
    """A formula's own element; much of what a caption sets is what it was."""
    return _Reader(tex).whole()


class _Reader:
    """Reads one formula from left to right."""

    def __init__(self, tex: str) -> None:
        self.tex, self.at = tex, 0

    def whole(self) -> Markup:
        """The formula."""
        return markup("<mrow>{}</mrow>", self._until(None))

    def _next(self) -> Any:
        """The next token, or None at the end."""
        found = TOKEN.search(self.tex, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def _peek(self):
        at, token = self.at, self._next()
        self.at = at
        return token

    def _until(self, end):
        """All up to a token, which is passed."""
        made = []
        while (token := self._next()) != end:
            if token is None:
                raise ValueError(f"a formula ends before {end}: {self.tex}")
            made.append(self._with_scripts(token))
        return joined(made)

    def _argument(self):
        """What a command or a script takes: a group, or the next token."""
        token = self._next()
        if token is None:
            raise ValueError(f"a formula ends where something has to follow: {self.tex}")
        return markup("<mrow>{}</mrow>", self._until("}")) if token == "{" else self._one(token)

    def _plain(self):
        """A group as it is written."""
        start = self.tex.index("{", self.at) + 1
        self.at = self.tex.index("}", start) + 1
        return self.tex[start : self.at - 1]

    def _with_scripts(self, token):
        """A token with what stands below and above it."""
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
        """A token without what stands below and above it."""
        if token == "{":
            return markup("<mrow>{}</mrow>", self._until("}"))
        if token in SIGNS or token in FENCES or not (token[0].isalnum() or token[0] == "\\"):
            sign: Any = SIGNS.get(token, token)
            return markup("<mo{}>{}</mo>", FENCES.get(sign, ""), sign)
        if token[0].isdigit():
            return markup("<mn>{}</mn>", token)
        return markup("<mi>{}</mi>", token) if token[0] != "\\" else self._command(token[1:])

    def _command(self, name):
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
        """The sign that a letter becomes in a style, or the letter where it has none."""
        letter = self._plain() if self._peek() == "{" else self._next()
        return STYLED[name].get(letter, letter)

    def _fraction(self):
        return markup("<mfrac>{}{}</mfrac>", self._part(), self._part())

    def _part(self):
        """A part of a fraction: a group, or one sign, such as each digit of `\\frac12`."""
        token = self._peek()
        if token is None or not token[0].isdigit():
            return self._argument()
        self.at = self.tex.index(token, self.at) + 1
        return markup("<mn>{}</mn>", token[0])

    def _braced(self):
        """A part with a brace below it and, below that, what it stands for."""
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
