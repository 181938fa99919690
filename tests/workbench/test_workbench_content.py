"""The content of labs: what content.toml may have, and the refusal of each mistake by its place."""

from __future__ import annotations

from operator import attrgetter
from string import Formatter
from types import SimpleNamespace

import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.languages import use_language
from explorer.languages.extraction import of_content
from explorer.markup import markup
from explorer.parameters import Choice, LogNumber, Whole
from explorer.workbench import Choose, Lab, Place, Result, effect, registry
from explorer.workbench.content import content_of, read_content
from explorer.workbench.explanation import Explanation, read_explanation
from explorer.workbench.stories import P_VALUES, SHARES

PLACE = "tiny/content.toml"
WHOLE = """
explanation = '''
**The mean** is $\\hat\\mu$.

{two_kernels}
'''

[[presets]]
name = "Few points"
says = "Two points."
state = { n = 2, lam = "auto" }
claim = "the half <= 1.5"
then = ["n = 3", { n = 3 }]
was = "Some points"

[[stories]]
key = "more"
title = "More points"

[[stories.steps]]
asks = "How much is a half?"
says = "{half}."
preset = "Few points"
state = { picture = "curve" }
guess = { of = "half", answers = ["little", 0.5, "some", 2, "much"] }
large = true

[[stories.steps]]
asks = "And now?"
says = "Half of it."
guess = { of = "half", name = "the half", scale = { low = -1, high = 1, step = 0.1, digits = 2 } }
"""


class TinyLab(Lab):
    n: int = Whole(default=1, bounds=(1, 9), doc="how many")
    lam: float | None = LogNumber(None, bounds=(1e-3, 1), allow_None=True, doc="lambda")
    picture: str = Choice(default="dots", objects={"the dots": "dots", "the curve": "curve"}, doc="the picture")


class TinyResult(Result[TinyLab]):
    half = effect("the half", compute=lambda result: result.lab.n / 2)


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "tiny" / "content.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return read_content(path, TinyLab, ("half",))

    return read


def test_presets_and_stories_are_read_with_their_states(read):
    content = read(WHOLE)
    (preset,), (story,) = content.presets, content.stories
    assert (preset.name, preset.says, preset.fields) == ("Few points", "Two points.", {"n": 2, "lam": None})
    assert (preset.effect, preset.at_least, preset.at_most) == ("the half", float("-inf"), 1.5)
    assert (preset.then, preset.was) == (("n = 3", {"n": 3}), "Some points")
    assert (story.key, story.title, story.was) == ("more", "More points", "")
    first, second = story.steps
    assert (first.fields, first.large) == ({"n": 2, "lam": None, "picture": "curve"}, True)
    assert (second.fields, second.large) == ({}, False)


def test_a_preset_tells_how_many_other_samples_show_the_same(read):
    (preset,) = read(WHOLE.replace("[[stories]]", "in_samples = 40\n\n[[stories]]", 1)).presets
    assert preset.sentence() == "Two points. Of 100 other samples, 40 show this."
    assert read(WHOLE).presets[0].sentence() == "Two points."
    assert [preset.is_claimed(value) for value in (1.5, 1.6)] == [True, False]


def test_an_answer_tells_how_many_other_samples_give_it(read):
    (first, second) = read(WHOLE.replace("large = true", "in_samples = 1")).stories[0].steps
    assert first.answer({"half": "0.5"}) == "0.5. Of 100 other samples, 1 gives this answer."
    assert second.answer({}) == "Half of it."


def test_a_guess_is_among_answers_or_on_a_scale(read):
    first, second = (step.guess for step in read(WHOLE).stories[0].steps)
    assert isinstance(first, Choose)
    assert (first.words, first.cuts) == (("little", "some", "much"), (0.5, 2))
    assert first.truth(SimpleNamespace(half=2.5)) == 2
    assert isinstance(second, Place)
    assert second.truth(SimpleNamespace(half=0.25)) == 0.25
    assert (len(second.scale.stops), second.scale.stops[0], second.scale.stops[-1]) == (21, -1, 1)
    assert second.scale.write(-0.25) == "−0.25"


@pytest.mark.parametrize(("text", "scale"), [("", SHARES), (', scale = "p-values"', P_VALUES)])
def test_a_scale_has_shares_or_p_values(read, text, scale):
    guess = '{ of = "half", answers = ["little", 0.5, "some", 2, "much"] }'
    content = read(WHOLE.replace(guess, f'{{ of = "half", name = "the half"{text} }}'))
    assert content.stories[0].steps[0].guess.scale is scale


@pytest.mark.parametrize(
    ("claim", "bounds"),
    [
        ("the half >= -1e-3", (-1e-3, float("inf"))),
        ("0.1 <= the half <= 2", (0.1, 2.0)),
        ("3 <= the half", (3.0, float("inf"))),
    ],
)
def test_a_claim_is_about_an_effect(read, claim, bounds):
    (preset,) = read(WHOLE.replace("the half <= 1.5", claim)).presets
    assert (preset.effect, preset.at_least, preset.at_most) == ("the half", *bounds)


@pytest.mark.parametrize(
    ("right", "wrong", "facts"),
    [
        ("[[presets]]", "[[presets]", ("TOML",)),
        ("[[presets]]", "title = 'Tiny'\n[[presets]]", ("title", "explanation")),
        ('claim = "the half <= 1.5"\n', "", ("presets 1", "claim")),
        ("was =", "were =", ("presets 1", "were", "name")),
        ('claim = "', 'in_samples = 101\nclaim = "', ("presets 1", "in_samples", "100")),
        ('"Two points."', "2", ("presets 1", "says", "str")),
        ("large = true", "large = 1", ("stories 1", "steps 1", "large", "bool")),
        ("large = true", "in_samples = 101", ("stories 1", "steps 1", "in_samples", "100")),
        (
            'says = "Half of it."',
            'says = "Half of it."\nin_samples = 50',
            ("stories 1", "steps 2", "in_samples", "answers"),
        ),
        ("state = { n = 2", "state = { m = 2", ("presets 1", "state", "m", "picture")),
        ("state = { n = 2", "state = { n = 20", ("presets 1", "state", "TinyLab.n", "20")),
        ("{ n = 3 }", "{ n = 30 }", ("presets 1", "then", "TinyLab.n", "30")),
        ('["n = 3", { n = 3 }]', '["n = 3"]', ("presets 1", "then", "label")),
        ('picture = "curve"', 'picture = "curves"', ("stories 1", "steps 1", "state", "picture", "curves")),
        ("the half <= 1.5", "a half <= 1.5", ("presets 1", "claim", "a half", "the half")),
        ("the half <= 1.5", "the half < 1.5", ("presets 1", "claim", "the half < 1.5", "p <= 0.05")),
        ("{half}", "{whole}", ("stories 1", "steps 1", "says", "whole", "half")),
        ('preset = "Few points"', 'preset = "Few"', ("stories 1", "steps 1", "preset", "Few points")),
        ('of = "half", answers', 'of = "whole", answers', ("stories 1", "steps 1", "guess", "whole", "TinyResult")),
        ("0.5, ", "", ("stories 1", "steps 1", "guess", "answers")),
        ("0.5, ", "5, ", ("stories 1", "steps 1", "guess", "increase")),
        ('name = "the half", ', "", ("stories 1", "steps 2", "guess", "answers", "name")),
        ("step = 0.1, ", "", ("stories 1", "steps 2", "guess", "scale", "step")),
        ("step = 0.1", "step = 0", ("stories 1", "steps 2", "guess", "step")),
        ("high = 1", "high = -1", ("stories 1", "steps 2", "guess", "step")),
        ("{ low = -1, high = 1, step = 0.1, digits = 2 }", '"p"', ("steps 2", "guess", "scale", "p-values")),
        ("{two_kernels}", "{some_kernels}", ("explanation", "paragraph 2", "some_kernels", "two_kernels")),
        ("\\hat", "\\heart", ("explanation", "paragraph 1", "heart")),
    ],
)
def test_a_mistake_is_a_sentence_with_its_place(read, right, wrong, facts):
    assert WHOLE.count(right) >= 1
    with pytest.raises(Refusal, match=naming(PLACE, *facts)):
        read(WHOLE.replace(right, wrong, 1))


def test_an_explanation_is_markdown_with_formulas():
    html = str(markup("{}", read_explanation("**A title.** 1 < 2,\nand *x*: $x^2$.\n\n{two_kernels}", "here")))
    assert "<p><b>A title.</b> 1 &lt; 2, and <i>x</i>: <math>" in html
    assert "<msup>" in html
    assert html.count("<p>") == 2
    assert "{two_kernels}" not in html


def test_a_paragraph_is_shown_in_the_language_of_the_page():
    explanation = content_of("fit").explanation
    english = str(markup("{}", explanation))
    with use_language("de"):
        german = str(markup("{}", explanation))
    assert "The model and the data." in english
    assert "Das Modell und die Daten." in german
    assert german.count("<math>") == english.count("<math>") == 3


def test_an_explanation_is_text_without_tags():
    assert "&lt;script&gt;" in markup("{}", Explanation(("<script>",)))


def test_each_text_of_the_content_is_a_message(tmp_path):
    path = tmp_path / "content.toml"
    path.write_text(WHOLE, "utf-8")
    with path.open("rb") as file:
        texts = [text for _, _, text, _ in of_content(file, (), (), {})]
    told = ["**The mean** is $\\hat\\mu$.", "Few points", "Two points.", "More points", "How much is a half?"]
    assert texts == [*told, "little", "some", "much", "And now?", "Half of it.", "the half"]


@pytest.mark.parametrize("name", registry.names())
def test_answers_have_the_names_that_the_lab_declares(name):
    words, lab_class = registry.role(name, "words"), registry.entry(name).lab
    values = words.story_values(lab_class(**content_of(name).presets[0].fields).result(wait=False))
    assert values.keys() <= {*getattr(words, "STORY_VALUES", ())}


@pytest.mark.parametrize("name", registry.names())
def test_each_value_of_a_lab_s_stories_is_in_an_answer(name):
    said = [step.says for story in content_of(name).stories for step in story.steps]
    named = {each for text in said for _, each, _, _ in Formatter().parse(text) if each is not None}
    assert sorted(getattr(registry.role(name, "words"), "STORY_VALUES", ())) == sorted(named)


def test_the_number_of_a_guess_is_an_attribute_of_the_result(read):
    number = read(WHOLE).stories[0].steps[0].guess.number
    assert isinstance(number, attrgetter)
    assert number(TinyLab(n=4).result()) == 2.0
