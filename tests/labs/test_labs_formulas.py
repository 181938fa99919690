"""Formulas as MathML, and captions: their numbers are the result's, and what they propose can be set."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qsl
from xml.dom import minidom

import numpy as np
import pytest
from every_lab import ROWS, lab_of, result_of, states, with_shared_cache

from explorer.discrepancy import mmd2
from explorer.marks.roles import ROLES
from explorer.markup import Markup
from explorer.model import parse_field
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.numbers import adding_up, format_number
from explorer.workbench.prose import attempt, still, tries
from explorer.workbench.tex_to_mathml import equation, formula

pytestmark = pytest.mark.thorough  # every state's formula

PRESETS = [  # the first preset of each lab by default, except for Sweep, whose map takes seconds
    pytest.param(
        name,
        preset.fields,
        id=f"{name}: {preset.name}",
        marks=[pytest.mark.thorough] if place or name == "sweep" else [],
    )
    for name in ROWS
    for place, preset in enumerate(content_of(name).presets)
]


def caption_of(name, fields):
    """Return the caption of a state."""
    return registry.role(name, "words").caption(result_of(name, fields))


def without_tags(markup):
    """Return a text without its tags."""
    return unescape(re.sub("<[^>]*>", "", str(markup)))


def equation_of(name, **fields):
    """Return the text of a lab's equation without spaces."""
    return without_tags(re.search("<span class='equation'>.*?</span>", str(caption_of(name, fields))).group())


@pytest.mark.parametrize(
    ("tex", "mathml"),
    [
        ("x", "<mi>x</mi>"),
        (r"\lambda", "<mi>λ</mi>"),
        (r"\Delta", "<mi mathvariant='normal'>Δ</mi>"),
        ("-1.5", "<mo>−</mo><mn>1.5</mn>"),
        ("2 × 10⁻⁶", "<mn>2</mn><mo>×</mo><mn>10⁻⁶</mn>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        ("x_i", "<msub><mi>x</mi><mi>i</mi></msub>"),
        ("x^2_i", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"\hat\mu_P", "<msub><mover accent='true'><mi>μ</mi><mo stretchy='false'>^</mo></mover><mi>P</mi></msub>"),
        (r"\frac{1}{n}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\tfrac1n", "<mstyle displaystyle='false'><mfrac><mn>1</mn><mi>n</mi></mfrac></mstyle>"),
        (r"\mathbb R^d", "<msup><mi mathvariant='normal'>ℝ</mi><mi>d</mi></msup>"),
        (r"\mathbf{1}", "<mi mathvariant='normal'>𝟏</mi>"),
        (r"\exp x", "<mi>exp</mi><mi>x</mi>"),
        (r"\bigl(x", "<mo>(</mo><mi>x</mi>"),
        (r"\langle x", "<mo stretchy='false'>⟨</mo><mi>x</mi>"),
        (r"\underbrace{x}", "<munder><mrow><mi>x</mi></mrow><mo stretchy='true'>⏟</mo></munder>"),
        (
            r"\underbrace{x}_y",
            "<munder><munder><mrow><mi>x</mi></mrow><mo stretchy='true'>⏟</mo></munder><mi>y</mi></munder>",
        ),
        (r"\sqrt{x}", "<msqrt><mrow><mi>x</mi></mrow></msqrt>"),
        (r"\sum_i", "<munder><mo movablelimits='true'>∑</mo><mi>i</mi></munder>"),
        (r"\mathrm{tr}", "<mi mathvariant='normal'>tr</mi>"),
        (r"\text{a < b}", "<mtext>a &lt; b</mtext>"),
        (r"(f)", "<mo stretchy='false'>(</mo><mi>f</mi><mo stretchy='false'>)</mo>"),
        (r"\|", "<mo stretchy='false' lspace='0' rspace='0'>‖</mo>"),
        (r"\left(x\right)^2", "<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>"),
        (r"\role{kme}{y}", "<mrow class='name kme'><mrow><mi>y</mi></mrow></mrow>"),
    ],
)
def test_a_formula_is_mathml(tex, mathml):
    assert formula(tex) == f"<math><mrow>{mathml}</mrow></math>"


@pytest.mark.parametrize("tex", [r"\unheard", "{x", r"\left(x", "x^", r"\sqrt", r"\frac1"])
def test_a_formula_that_is_none_is_a_bug_that_is_named(tex):
    with pytest.raises(ValueError, match="formula"):
        formula(tex)


def test_an_equation_may_be_broken_between_its_parts():
    assert equation("x", "", "= y").count("<math displaystyle='true'>") == 2


@pytest.mark.parametrize(("name", "fields"), states())
def test_captions_are_well_formed_and_name_roles_and_fields_that_there_are(name, fields):
    text, taken = caption_of(name, fields), registry.entry(name).lab.fields
    minidom.parseString(f"<p>{str(text).replace('&nbsp;', ' ')}</p>")
    for role in re.findall("class='name ([^']*)'", text):
        assert role in ROLES
    for field in re.findall("data-field='([^']*)'", text):
        assert field in taken
    assert "<button" not in still(text)


@pytest.mark.parametrize("name", ROWS)
def test_how_to_read_this_is_well_formed(name):
    minidom.parseString(Markup.escape(content_of(name).explanation))


@pytest.mark.parametrize("name", ROWS)
def test_each_lab_proposes_something_and_names_a_control_or_a_curve(name):
    text = caption_of(name, {})
    assert "class='try'" in text, "the caption ends with prose.tries(result.lab, (label, fields), ...)"
    assert "class='control'" in text or "<span class='name" in text


@pytest.mark.few(100)
@pytest.mark.parametrize(("name", "fields"), [*states(), *PRESETS])
def test_what_a_caption_proposes_can_be_set(name, fields):
    """Each `data-set` of each state and preset is a field and a value that the lab takes, and that changes it."""
    text, lab = caption_of(name, fields), with_shared_cache(lab_of(name, **fields))
    before = lab.replace()
    for words in re.findall("data-set='([^']*)'", text):
        changes = {field: parse_field(type(lab).fields[field], word) for field, word in parse_qsl(unescape(words))}
        assert changes
        lab.move(**{**before.values(), **changes})
        assert lab != before
        if name != "sweep":  # whose map would have to be computed first
            lab.result()


def test_what_the_lab_is_at_is_not_proposed():
    lab = lab_of("shrinkage", n=200)
    assert tries(lab, ("n = 200", {"n": 200})) == ""
    first = tries(lab, ("n = 200", {"n": 200}), ("λ by leave-one-out", {"lam": 0.1}), ("d = 3", {"d": 3}))
    assert without_tags(first) == " Try λ by leave-one-out."
    assert attempt("auto", lam=None, n=5).count("data-set='lam=auto&amp;n=5'") == 1


# the numbers are the result's


def test_shrinkage_substitutes_noise_and_bias():
    result = lab_of("shrinkage", lam=0.5).result()
    noise, bias = (float(part[result.row]) for part in result.risk_parts())
    text = equation_of("shrinkage", lam=0.5)
    first, second, total = map(float, re.search(r"=([\d.]+)Δ\+([\d.]+)Δ=([\d.]+)Δ", text).groups())
    assert (first, total) == (round(noise, 2), round(noise + bias, 2))
    assert second == pytest.approx(bias, abs=0.0101)  # what is left to the total, both rounded to two digits
    assert first + second == pytest.approx(total, abs=1e-9)
    assert text.endswith(f"={format_number(1 / 3)}")
    assert "f∗" in equation_of("shrinkage", target="blob")


def test_marginalized_substitutes_the_bandwidth():
    result = lab_of("marginalized", sigma=0.5).result()
    sigma, theta = float(result.mkme.deviations[result.row, 0]), result.kernel.bandwidth
    wide = format_number(np.sqrt(theta**2 + 2 * sigma**2))
    assert equation_of("marginalized", sigma=0.5).endswith(f"={format_number(theta)}2+2·{format_number(sigma)}2={wide}")


def test_monk_substitutes_its_estimate():
    result = lab_of("monk", blocks=5).result()
    assert equation_of("monk", blocks=5).endswith(f"≈{format_number(result.estimate.value)}")


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("kernel", ["RBF", "LIN", "POLY2"])
def test_twosample_substitutes_three_averages_that_add_up(statistic, kernel):
    fields = {"n": 20, "m": 25, "statistic": statistic, "kernel": kernel}
    result = lab_of("twosample", **fields).result()
    within, other, between = result.samples.averages(result.kernel, statistic == "unbiased")
    assert within + other - 2 * between == pytest.approx(result.statistic, rel=1e-8)
    assert result.statistic == pytest.approx(mmd2(result.samples.X, result.samples.Y, result.kernel, statistic))
    text = equation_of("twosample", **fields).replace("−", "-")
    assert text.endswith(f"={format_number(result.statistic)}".replace("−", "-"))
    shown = re.search(r"PQ=(-?[\d.]+)([+-][\d.]+)([+-])2·([\d.]+)=", text)
    first, second, between = float(shown[1]), float(shown[2]), float(shown[3] + shown[4])
    # one digit more than the three of the sum, so that it comes out to them
    assert first + second + 2 * between == pytest.approx(result.statistic, rel=5e-3)


def test_twosample_has_no_averages_where_weights_differ():
    text = equation_of("twosample", statistic="biased", estimator="S-KMSE", n=25, m=20)
    assert "PQ" not in text


def test_independence_substitutes_the_trace():
    result = lab_of("independence", n=30).result()
    K, L = (kernel(Z) for kernel, Z in zip(result.kernels, (result.pairs.X, result.pairs.Y), strict=True))
    H = np.eye(30) - 1 / 30
    trace = float(np.trace(K @ H @ L @ H))
    assert equation_of("independence", n=30).endswith(f"={format_number(trace)}302={format_number(result.statistic)}")


@pytest.mark.parametrize("picture", ["cut", "bayes"])
def test_conditional_substitutes_the_mean(picture):
    result = lab_of("conditional", picture=picture, n=50).result()
    belief = result.belief or result.posterior
    mean = float(belief.weights @ belief.points[:, 0])
    text = equation_of("conditional", picture=picture, n=50)
    assert f"yi={format_number(mean)}" in text
    assert text.endswith(f"={format_number(result.exact_mean)}")


def test_dna_substitutes_the_kernel_and_the_averages():
    lab = lab_of("dna", n=12, blocks=5, decay=0.5, length=2)
    result = lab.result()
    i, j = result.pair
    text = equation_of("dna", n=12, blocks=5, decay=0.5, length=2)
    assert "|u|=20.5" in text
    assert text.endswith(f"={format_number(float(result.K[i, j]))}")
    said = without_tags(registry.role("dna", "words").equation(result))
    xx, yy, xy, total = map(float, re.search(r"=([\d.]+)\+([\d.]+)−2·([\d.]+)=(−?[\d.]+)", said).groups())
    assert xx + yy - 2 * xy == pytest.approx(total, rel=5e-3)


def test_terms_have_the_digits_that_their_sum_needs():
    assert adding_up((0.312041, 0.297713, 0.300819), 0.008116) == ["0.312041", "0.297713", "0.300819"]
    assert adding_up((1234.5678, -3.0), 400.0) == ["1234.57", "−3.00"]
    assert adding_up((0.5, 0.5), 0) == ["0.50", "0.50"]
