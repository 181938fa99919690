"""Names in the user's data are shown literally, never as tags, formulas or formats; long ones are cut."""

import csv
import io
import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from bokeh.models import Axis
from every_lab import ROWS, few_samples
from helpers.lab_pictures import legends_on
from helpers.page_helpers import notice, open_page, unfold

from explorer.labs.shrinkage import words as shrinkage_words
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.pages import page_class
from explorer.printing import NAME
from explorer.workbench import registry

pytestmark = pytest.mark.usefixtures("at_once")

LABS = [name for name in ROWS if "file" in registry.entry(name).lab.fields]
HOSTILE = {
    "tags": "\"><img src=x onerror=alert(1)><script>1</script>'",
    "entities": "&ampb &ltb&gt &#60i",
    "formats": "{}{0}{0.__class__}{{7*7}}${7}%s%(x)s",
    "formulas": r"$$\alpha$$ \(x\) \[y\] $z$ @{x}",
    "signs": "right\N{RIGHT-TO-LEFT OVERRIDE}left\x07",
    "lines": "one\n<b>two</b>",
}
UNSEEN = "[\N{RIGHT-TO-LEFT OVERRIDE}\x07]"  # characters that the reader of strings refuses
MOST = ("tags", "formulas")  # a lab's own texts could break these; two labs test the parts that all pages share
CHEAP = ("adaptation", "conditional", "dna", "shrinkage")
BOTH = ("dna", "shrinkage")
BEGINNING = 5  # number of a name's characters that every place shows at least
ROLES = ("file", "u", "v", "w", "bag", "group", "A", "B")


def named(word, long=0):
    """Return {role: name}: a letter, then `word`, then `long` further letters."""
    return {role: f"{letter}{word}{'x' * long}" for letter, role in zip("pqrstvwz", ROLES, strict=True)}


def table(names):
    """Return a table of twelve bags of six rows, each bag in one of two groups."""
    text, rng = io.StringIO(), np.random.default_rng(1)
    write = csv.writer(text, quoting=csv.QUOTE_ALL).writerow
    write([names[role] for role in ("bag", "u", "v", "w", "group")])
    for i in range(72):
        other = i // 6 % 2
        numbers = [f"{value:.3f}" for value in rng.normal(other, 1, 3)]
        write([f"no{i // 6}{names['bag']}", *numbers, names["B" if other else "A"]])
    return text.getvalue().encode()


def reads(names):
    """Return twelve strings of two classes as FASTA."""
    words = {role: "_".join(re.sub(UNSEEN, "", name).split()) for role, name in names.items()}
    lines = (f">read{i} {words['BA'[i % 2]]}\n{'ACGT'[i % 4] * 3}CA\n" for i in range(12))
    return "".join(lines).encode()


class Shown(HTMLParser):
    """Parser of a page's HTML: its tags with the names of their attributes, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add((tag, tuple(name for name, _ in attributes)))

    def handle_data(self, data):
        self.text += data


@cache
def _kept(lab):
    page = unfold(open_page(page_class(lab), **ROWS[lab].quick))
    page.chrome.comparison.toggle()
    return page


@pytest.fixture(scope="module", autouse=True)
def kept():
    """Share the module's pages, which take one table after another, and limit studies to few samples."""
    with pytest.MonkeyPatch.context() as patch:
        few_samples(patch)
        patch.setattr(registry.entry("independence").lab, "default_stops", [0.0, 1.0])
        yield
    _kept.cache_clear()
    harmless.cache_clear()


def texts(lab, names):
    """Return ({place on the page: HTML}, labels of axes and titles) for data with these names."""
    page = _kept(lab)
    frame, own = page.chrome, page.user_data
    raw, ending = (reads(names), ".txt") if lab == "dna" else (table(names), ".csv")
    own.file.param.update(value=raw, filename=names["file"] + ending)
    html = {"about": own.about.object}
    assert own.button.visible, own.trouble.object
    own.button.clicks += 1
    assert (page.lab.source, notice(page), own.trouble.object) == ("file", "", "")
    panes = ("headline", "caption", "twin", "hint", "live", "code")
    html |= {name: getattr(frame, name).object for name in panes}
    html |= {"compare": frame.comparison.table.object, "legend": legends_on(page)}
    frame.say([f"Choose another file than {names['file'][:40]}."])
    html["notice"] = frame.notice.object
    around = [each for f in page.view.figures.values() for each in (f.title, *f.above, *f.below, *f.left, *f.right)]
    return html, [each.axis_label if isinstance(each, Axis) else getattr(each, "text", "") for each in around]


@cache
def harmless(lab):
    return texts(lab, named("name"))[0]


def same_tags(lab, html):
    """Return {place: tags that harmless names do not give}."""
    return {place: Shown(each).tags ^ Shown(harmless(lab)[place]).tags for place, each in html.items()}


def check(lab, names):
    """Check that no name becomes a tag or a formula; return the page's HTML by place."""
    html, marks = texts(lab, names)
    assert {place: tags for place, tags in same_tags(lab, html).items() if tags} == {}
    assert not any(re.search(r"\$\$|\\\(|\\\[", each) for each in marks if isinstance(each, str))
    return html


def when(lab, kind):
    """Return the pytest marks of a case."""
    if lab not in BOTH and kind not in MOST:
        return pytest.mark.slow
    return [] if (lab, kind) == ("adaptation", "tags") else pytest.mark.thorough


SOME = [pytest.param(lab, kind, marks=when(lab, kind)) for lab in LABS for kind in (HOSTILE if lab in CHEAP else MOST)]


@pytest.mark.few(12)
@pytest.mark.parametrize(("lab", "kind"), SOME)
def test_a_name_is_text_wherever_a_page_shows_it(lab, kind):
    names = named(HOSTILE[kind])
    html = check(lab, names)
    plain = {place: " ".join(Shown(each).text.split()) for place, each in html.items()}
    expected = {role: seemly(name) for role, name in names.items()}
    if lab == "dna":
        expected |= {role: "_".join(expected[role].split()) for role in "AB"}
    before = {place: " ".join(Shown(each).text.split()) for place, each in harmless(lab).items()}
    for place, text in before.items():
        for role, word in named("name").items():
            written = place == "code" or (place == "compare" and role != "file")  # Python or JSON literals
            if not written and word in text:
                assert expected[role][:BEGINNING] in plain[place], (place, role)


def seemly(name):
    """Return a name as a page shows it: on one line, with a replacement for each unprintable character."""
    return " ".join(re.sub(UNSEEN, "\N{REPLACEMENT CHARACTER}", name).split())


@pytest.mark.few(5)
@pytest.mark.thorough
@pytest.mark.parametrize("lab", LABS)
def test_long_names_are_cut_and_copied_python_has_them(lab):
    names = named("name", 200)  # a file's name has at most 255 characters
    names |= {role: named("name", 900)[role] for role in ("u", "v", "w", "bag", "group")}
    names |= {role: named("name", 90 if lab == "dna" else 9000)[role] for role in "AB"}
    html = check(lab, names)
    long = {place: len(each) for place, text in html.items() for each in re.findall("x+", Shown(text).text)}
    longest = max((length for place, length in long.items() if place != "code"), default=0)
    assert longest <= NAME
    assert names["file"] in Shown(html["code"]).text


# mistakes that a new lab could make


@pytest.mark.parametrize("role", ["headline", "caption"])
def test_words_that_are_a_plain_string_are_refused(role, monkeypatch):
    monkeypatch.setattr(shrinkage_words, role, lambda *args: "<b>3</b> points")
    with pytest.raises(TypeError, match=r"markup\("):
        ShrinkagePage({})


def test_an_f_string_of_words_is_refused(monkeypatch):
    caption = shrinkage_words.caption
    monkeypatch.setattr(shrinkage_words, "caption", lambda result: f"{caption(result)} More.")
    with pytest.raises(TypeError, match=r"markup\("):
        ShrinkagePage({})
