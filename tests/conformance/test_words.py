"""One term for one thing: no text of pages, commands, lessons or README has a retired word."""

import argparse
import ast
import json
import re
from pathlib import Path

import pytest
from every_lab import ROWS, at_step, complete_result, result_of, states
from helpers.guide_texts import TEXTS
from helpers.lab_pictures import descriptions, legend_keys

from explorer.__main__ import COMMANDS, command
from explorer.languages import use_language
from explorer.markup import Markup
from explorer.pages.layout.markup_pane import plain
from explorer.papers.catalogue import ENTRIES
from explorer.papers.errata import ERRATA
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.numbers import compared

ROOT = Path(__file__).parents[2]
RETIRED = {  # what is not to be read -> what is, instead
    r"\blaws?\b(?! of (total expectation|large numbers))": "distribution",
    r"\bnormal (distribution|law)s?\b": "Gaussian distribution",
    r"\b(?<!One )shuffl\w*": "permutation, permute",
    r"\bspoil\w*|\bstrays?\b": "contaminated, outlier",
    r"% (closer|further|farther|nearer)\b|\bno closer\b|\btimes as far\b": "less squared error",
    r"\b(says|tells|tell us|would say)\b": "estimates, shows",
    r"\bhangs? on\b": "depends on",
    r"\bfurther (ones?|samples?|draws?|coordinates?|frames?)\b": "more samples",
    r"\b(lets? go of|takes? away|taken away)\b": "remove, hide, unpin",
    r"\bstrings? of reads\b": "sequence, read",
    r"\b(doors?|roads?)\b|\b(the|a|your) hand\b": "setting, control; by hand",
    r"\bstill look alike\b|\bwhat makes (two|them)\b[^.]* alike\b": "similarity",
    r"\bstands? for a table\b": "Example: ...",
    r"\bis no field\b|\bit knows\b": "Unknown setting ... was ignored",
    r"\bhas such a square\b": "cannot be negative",
    r"\bheld, brings?\b|\bbrings? (S-KMSE|F-KMSE|MKME|MMKME|\d|\{)": "has ... less squared error",
    r"\bthe less the (longer|more)\b": "less so the farther",
    r"\b([a-z]{3,}) \1\b": "the word once",
    r"\bn pairs or steps\b|\bWhat z leaves\b|\bmark λ = c\b|\bdecay λ": "n, residuals, triangles at λ = c γ₀, decay",
    r"\b9[05] % band\b|\bband: 9[05] %": "a credible band of 95 % at each place, and what it covers here",
    r"\b(chang|differ)(e|es|ed|s|ing)? by (about |up to )?(\{\w*\}|[\d.]+) ?%": "less, more",
    r"\b(is|are) (therefore|thus|hence) (equal|independent|identical)\b": "no difference is found",
    r"(?<![\w^)\]−-])(?<!\^\()-(?=\.?\d)": "a true minus sign",
}
UNSURE = {  # sentences of a state, which tests one sample: what is not found may still be there
    r"\bBoth models fit\b": "Neither model is rejected",
    r"\bpasses the test\b|\bproves? that\b": "is not rejected",
    r"\b(P and Q|x and y|the samples) (are|do) (equal|alike|not differ|not depend)\b": "no difference found",
    r"−[\d.]+ % (less|more)\b": "the sign is in the word",
}
TYPED = r"(?<![\w^)\]−-])(?<!\^\()-(?=\.?\d)"  # a hyphen is right in typed input


def retired(text, typed=False):
    """Return the retired words of a text, with their replacements."""
    found = []
    for pattern, better in RETIRED.items():
        if not (typed and pattern == TYPED):
            found += [
                f"'{match.group()}' in '...{text[max(0, match.start() - 40) : match.end() + 30]}...': {better}"
                for match in re.finditer(pattern, text)
            ]
    return found


def texts_of(name, result):
    """Return all texts that a lab makes of a result."""
    words = registry.role(name, "words")
    rows = {result.row, *([0, len(result.stops) - 1] if result.stops else [])}
    yield from (words.headline(result, row) for row in rows)
    yield words.caption(result)
    yield from descriptions(result)
    yield from words.story_values(result).values()
    yield from (each.words for each in legend_keys(result))
    yield from result.measures


def read_of(name, result):
    """Return the retired words of a result, on the page and in its pictures, what is too sure, and badges within it."""
    texts = [plain(Markup(text)) for text in texts_of(name, result)]
    return [each for text in texts for each in (*retired(text), *unsure(text))] + badges(name, result)


def unsure(text):
    """Return what a text tells as if it were known, with the better words."""
    return [
        f"'{match.group()}': {better}" for pattern, better in UNSURE.items() for match in re.finditer(pattern, text)
    ]


def badges(name, result):
    """Return the badges of a headline that do not end a sentence or a line."""
    headline = str(registry.role(name, "words").headline(result, result.row))
    found = re.finditer(r"(.?)\s*<span class='badge'>[^<]*</span>(.{0,9})", headline, re.DOTALL)
    return [each.group() for each in found if each[1] not in ".)" or re.match(r"\s*[a-z,;]", each[2])]


@pytest.mark.few(60)
@pytest.mark.parametrize(("name", "fields"), states())
def test_no_state_shows_a_retired_word(name, fields):
    assert read_of(name, result_of(name, fields)) == []


@pytest.mark.few(60)
@pytest.mark.parametrize(("name", "fields"), states())
def test_a_headline_and_its_trust_are_short(name, fields):
    """At 1250 px two lines of 22 px hold some 220 characters, and a line of 15 px some 180: a few states take more."""
    result = result_of(name, fields)
    says, _, trust = registry.role(name, "words").headline(result, result.row).partition("</div><div")
    assert len(plain(says)) <= 200
    assert len(plain(trust.partition(">")[2])) <= (230 if fields else 200)


PRESETS = [
    pytest.param(name, preset, id=f"{name}: {preset.name}")
    for name in ROWS
    if name != "sweep"  # whose presets take minutes
    for preset in content_of(name).presets
]


@pytest.mark.few(40)
@pytest.mark.thorough(default=["shrinkage: A table: wine"])
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_no_preset_shows_a_retired_word(name, preset):
    """A deferred study is one of few samples, or the one that the preset's promise has."""
    promised = preset.effect in result_of(name, preset.fields).effects
    result = complete_result(name, preset.fields) if promised else result_of(name, preset.fields, late=True)
    assert read_of(name, result) == []


STEPS = [
    pytest.param(name, story.key, i, id=f"{name}: {story.key} {i}")
    for name in ROWS
    for story in content_of(name).stories
    for i in range(len(story.steps))
]


@pytest.mark.few(50)
@pytest.mark.thorough(default=["shrinkage: stein 0"])
@pytest.mark.parametrize(("name", "key", "i"), STEPS)
def test_no_step_shows_a_retired_word(name, key, i):
    assert read_of(name, at_step(name, key, i)) == []


@pytest.mark.parametrize("name", ROWS)
def test_no_lab_explains_itself_in_a_retired_word(name):
    entry = registry.entry(name)
    docs = [field.doc for field in entry.lab.fields.values()]
    labels = [field.label for field in entry.lab.labelled().values()]
    texts = [Markup.escape(content_of(name).explanation), entry.title, entry.question, *docs, *labels]
    assert [each for text in texts for each in retired(plain(Markup(text)), typed=text in docs)] == []


@pytest.mark.parametrize("name", ROWS)
def test_no_preset_and_no_step_is_told_in_a_retired_word(name):
    content = content_of(name)
    texts = [text for preset in content.presets for text in (preset.name, preset.says)]
    texts += [text for story in content.stories for step in story.steps for text in (story.title, step.asks, step.says)]
    assert [each for text in texts for each in retired(text)] == []


def sentences(path):
    """Return the texts of several words in a file, without docstrings and scripts."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    bodies = [
        node.body for node in nodes if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and node.body
    ]
    docs = {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            if " " in node.value and not any(mark in node.value for mark in ("=>", "const ", "{ ", "px")):
                yield plain(Markup(node.value))


PAGES = ("pages/**/*.py", "exports/*.py", "views/*.py", "labs/*/page.py", "labs/*/figures.py")


FILES = sorted(path for each in PAGES for path in (ROOT / "explorer").glob(each))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_label_and_no_notice_of_a_page_has_a_retired_word(path):
    assert [each for text in sentences(path) for each in retired(text, typed=True)] == []


@pytest.mark.parametrize("name", ROWS)
def test_no_refusal_has_a_retired_word(name):
    cls = registry.entry(name).lab
    words = {field: "[" for field in cls.fields} | {"bogus": "1"}
    refused = [sentence for field, word in words.items() for sentence in cls.from_flat({field: word})[1]]
    assert len(refused) > 3
    names = rf"\b({'|'.join(cls.fields)})\b"  # links keep what fields were called
    assert [each for sentence in refused for each in retired(re.sub(names, "", sentence), typed=True)] == []


@pytest.mark.parametrize("name", TEXTS)
def test_neither_readme_nor_guide_has_a_retired_word(name):
    assert retired(re.sub(r"```.*?```|`[^`]*`", " ", TEXTS[name], flags=re.DOTALL)) == []


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_no_lesson_has_a_retired_word(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    unread = r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\]\s?\(http[^)]*\)"  # formulas, code and the addresses of links
    texts = [re.sub(unread, " ", text, flags=re.DOTALL) for text in prose]
    assert [each for text in texts for each in retired(text)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_helps_in_a_retired_word(name):
    parser = argparse.ArgumentParser(description=COMMANDS[name])
    command(name).arguments(parser)
    assert retired(parser.format_help(), typed=True) == []


def test_no_claim_and_no_erratum_has_a_retired_word():
    """Quotations of the papers stay unchanged."""
    entries = ENTRIES.values()
    texts = [text for e in entries for text in (e.about, e.unit, *e.remarks, *(claim.says for claim in e.claims))]
    texts += [text for erratum in ERRATA.values() for text in (erratum.right, erratum.place)]
    assert [each for text in texts for each in retired(text, typed=True)] == []


def test_the_patterns_find_what_they_are_for():
    for text in (
        "S-KMSE is 30 % closer",
        "the error changes by 60 %",
        "the error differed by {gain} %",
        "the true law",
        "level level",
        "is -0.5",
        "Of 3 further samples",
        "it says 2",
    ):
        assert retired(text), text
    for text in ("law=P, One shuffle".replace("law=P, ", ""), "n⁻¹", "leave-one-out", "1 − 0.5", "[0.5, −1]"):
        assert retired(text) == [], text
    assert retired("an example is [0.5, -1]", typed=True) == []
    for text in ("Both models fit, so", "P and Q are equal", "−3 % more squared error"):
        assert unsure(text), text
    assert unsure("No difference shown between P and Q: −0.5, 3 % more") == []


def test_a_relative_change_has_its_direction_in_german():
    catalogue = (ROOT / "explorer/languages/de/LC_MESSAGES/explorer.po").read_text("utf-8")
    assert re.findall(r"(?:ändert|unterscheidet|unterscheiden|ändern) sich um (?:\{\w*\}|[\d.,]+) ?%", catalogue) == []
    for gain, word in ((0.3, "weniger"), (-0.3, "mehr"), (-1.5, "-mal so viel")):
        with use_language("de"):
            assert word in compared(gain).error
            assert word in compared(gain).share


# former sentences of a page -> the turn that made them hard to read
SENTENCES = {
    r"\b(so|too) (wide|narrow|large|small|few) an? \w+": "a kernel this wide",
    r"\bstands? here\b|\bstand here\b": "appears here",
    r"\bof the first ones together\b": "of the first components",
    r"\b(than|line|source|bag|narrow|wide) as it (is|was)\b": "unweighted, unchanged",
    r"\bthe machine('s| learns|, which)\b": "the classifier",
    r"\bwhere one ends\b": "where narrow ends and wide begins",
    r"\bOf (five|\d+|\{\}) points shrinking\b": "With five points per sample, shrinkage ...",
    r"\bscores? points held out\b": "fits new points",
    r"\bis not a good likelihood\b": "the likelihood can be poor",
    r"\bonly goes down\b": "stops at a local minimum",
    r"\bcount like\b": "effective sample size",
    r"\bof their absolute sum\b": "of the total absolute weight",
    r"\bwhere x is known\b|\bx that is known\b": "given x, observed x",
    r"\bNo line parts\b": "No straight line separates",
    r"\bin general no feature of any point\b": "is usually no point's feature",
    r"\bis like itself alone\b": "resembles only itself",
    r"\bis also what is gained\b": "and so is the gain",
    r"\bdoes harm from\b": "is worse than the plain average above",
    r"\bfollows luck\b": "fits noise in the sample",
    r"\bof the labels reach(es)? it\b": "None of ... permutations gives an MMD² this large",
    r"\bTo leave out rows after looking\b": "Removing rows after seeing the result",
    r"\bis the mean product of the entries\b": "averages the products of matching entries",
    r"\btake a while to start\b": "take a moment to start",
    r"\bbear more noise\b": "does more noise help",
    r"\bnear the line have the weights\b": "carry almost all the weight",
    r"\ba comma forgotten\b": "a decimal point was lost",
    r"\bbeside what it must exceed\b": "relative to its threshold",
    r"\bElse both are\b": "Otherwise both are",
}


def strings_of(path):
    """Return the strings of a source with its docstrings, of a notebook's prose, or a text's paragraphs."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        parts = (each.value for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Constant))
        yield from (part for part in parts if isinstance(part, str))
    elif path.suffix == ".ipynb":
        yield from ("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    else:
        yield from text.split("\n\n")


def test_no_sentence_that_was_hard_to_read_is_anywhere():
    sources = [path for end in ("py", "md") for path in (ROOT / "explorer").rglob(f"*.{end}")]
    places = [*sources, *(ROOT / "notebooks").glob("*.ipynb"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    found = {}
    for path in places:
        for text in map(plain, map(Markup, strings_of(path))):
            for pattern, better in SENTENCES.items():
                for match in re.finditer(pattern, text):
                    seen = text[max(0, match.start() - 50) : match.end() + 30]
                    found.setdefault(path.name, []).append(f"...{seen}...: {better}")
    assert found == {}
