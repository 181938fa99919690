"""Formulas of docstrings are set whole or left as they are."""

import inspect
import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.markup import text_of
from explorer.site.reference.equations import Formula, Unread, parted, tex
from explorer.site.reference.names import things
from explorer.workbench.formulas import formula

READ = {
    "p = (1 + #{null >= b}) / (1 + B)": r"p = \frac{1 + # \{ \;\mathrm{null}\; \ge b \}}{1 + B}",
    "exp(-|x - y|^2 / (2 θ^2))": r"\mathrm{exp} \left( - \frac{\left| x - y \right|^{2}}{2 θ^{2}} \right)",
    "μ̂_{Y|x} = Σ_i β_i(x) k_y(y_i, .)": r"\hat{μ}_{Y \mid x} = \sum_{i} β_{i} (x) k_{y} (y_{i} , \cdot)",
    "(K + λI)^-1": r"(K + λ I)^{-1}",
    "λ̃ >= 0": r"\tilde{λ} \ge 0",
    "Σ_{i≠j} h(x_i, x_j) / (n(n-1))": r"\sum_{i ≠ j} h (x_{i} , x_{j}) / (n (n - 1))",
    "<f, Ĉ_XY g>": r"\langle f , \hat{C}_{X Y} g \rangle",
    "z = √(1/m + 1/n)": r"z = \sqrt{\frac{1}{m} + \frac{1}{n}}",
    "b'K b": r"b^{\prime} K b",
    "f* = n²": r"f^{\ast} = n^{2}",
}
UNREAD = ["the kernel", "p(y |", "a + ", "x) m/n", "(1 + b", "= 3", "k(x, y", "T = √n mean", "", "min_size = 3", "1 -"]


@pytest.mark.parametrize("text", READ)
def test_a_formula_is_read(text):
    assert re.sub(" +", " ", tex(text, display=True)) == READ[text]
    formula(tex(text))


@pytest.mark.parametrize("text", UNREAD)
def test_what_is_not_understood_is_refused(text):
    with pytest.raises(Unread):
        tex(text)


def test_sentences_keep_their_words():
    parts = [part if isinstance(part, str) else [part.text] for part in parted("Of n >= 3 rows (K + λI)^-1, a level.")]
    assert parts == ["Of ", ["n >= 3"], " rows ", ["(K + λI)^-1"], ", a level."]


def test_what_a_word_is_taken_of_is_no_formula_of_its_own():
    assert list(parted("as foo(N_k)")) == ["as foo(N_k)"]


@pytest.mark.parametrize(
    "text",
    ["at level 5 % of 100 rows", "the sample's own", "a k-means start", "U-statistic, or N/A", "rejects 2, 3 and 6 %",
     "y as they come", "see I, II and III", "Int. Conf. Mach. Learn. 26, 16"],
)  # fmt: skip
def test_prose_is_no_formula(text):
    assert list(parted(text)) == [text]


def test_an_argument_is_a_name_where_a_formula_has_it():
    found = [part.text for part in parted("at least 1 - tolerance of it", {"tolerance"}) if isinstance(part, Formula)]
    assert found == ["1 - tolerance"]
    assert not any(isinstance(part, Formula) for part in parted("the tolerance of it", {"tolerance"}))


def sentences():
    """The paragraphs of all docstrings."""
    for thing in things():
        values = [thing.value, *(vars(thing.value).values() if thing.is_class else ())]
        for value in values:
            for text in re.split(r"\n\s*\n", inspect.getdoc(value) or ""):
                if ">>>" not in text and "`" not in text:
                    yield " ".join(text.split())


def signs(text):
    """How often each letter and digit stands in a text, whatever marks it has."""
    plain = unicodedata.normalize("NFKD", re.sub(r"sum(?=_| )|sqrt|[ΣΠ∑∏]", "", text))
    return Counter(sign for sign in plain if sign.isalnum())


def test_a_formula_has_every_letter_and_digit_of_its_text():
    """A second road: what the page shows, without tags, has the signs that the docstring has."""
    count = 0
    for sentence in sentences():
        parts = list(parted(sentence))
        assert "".join(part if isinstance(part, str) else part.text for part in parts) == sentence
        for part in parts:
            if isinstance(part, Formula):
                count += 1
                assert signs(text_of(formula(part.tex))) == signs(part.text), part
    assert count > 1000


@given(st.text(st.sampled_from("xyKλθ12 _^{}()|<>=+-/.,'√Σ²~*#"), max_size=20))
def test_any_text_is_set_whole_or_refused(text):
    try:
        set_apart = tex(text)
    except Unread:
        return
    assert signs(text_of(formula(set_apart))) == signs(text)


def test_nothing_is_set_by_half():
    """Beside a formula stands no sign that joins, nor a letter: these would be parts of it."""
    for sentence in sentences():
        parts = [*parted(sentence), ""]
        for before, part, after in zip(parts, parts[1:], parts[2:], strict=False):
            if isinstance(part, Formula):
                assert not re.search(r"[=<>+*/^_|≤≥~√'²-]\s*$|[\w)\]]$", before), (before, part)
                assert not re.match(r"\s*[=<>+*/^_|≤≥~√'²-]|[\w(\[{]", after), (part, after)
