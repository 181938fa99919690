"""The labs of the site: a file for each preset, one script for all, and the page that lists them."""

from __future__ import annotations

import re
from html import unescape

import pytest

from explorer.exports.markup import SiteFiles
from explorer.exports.state_pages import shared_script
from explorer.languages import use_language
from explorer.site import frame, labs
from explorer.site.links import lab as place_of
from explorer.workbench import registry
from explorer.workbench.links import address
from explorer.workbench.titles import titled

BESIDE = SiteFiles("living.js", "index.html", head=frame.head("../"), bar=frame.bar("../", "labs"))
TITLE = re.compile(r"<title>(.*?)</title>")


@pytest.mark.parametrize(
    ("preset", "word"),
    [
        ("A little helps", "a-little-helps"),
        ("One σ too many", "one-sigma-too-many"),
        ("Identical?!", "identical"),
        ("A treatment's effect", "a-treatments-effect"),
        ("16 points for 256", "16-points-for-256"),
    ],
)
def test_a_preset_s_name_is_a_word_of_an_address(preset, word):
    assert labs.key(preset) == word


@pytest.mark.parametrize("name", registry.names())
def test_every_preset_has_a_file_of_its_own(name):
    files = [labs._file(name, place) for place in range(len(labs._presets(name)))]
    assert len({*files}) == len(files)
    assert all(re.fullmatch(r"[a-z0-9_]+(-[a-z0-9]+)+\.html", file) for file in files)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return (folder, job -> Example, job -> page) of a lab that moves, one that does not, and one in German."""
    folder = tmp_path_factory.mktemp("labs")
    jobs = [("shrinkage", 0), ("dna", 0), ("kernel_pca", 1)]
    with pytest.MonkeyPatch.context() as patch:  # only one lab is translated
        patch.setattr(labs, "coverage", lambda code, files: float(files == "labs/shrinkage/"))
        examples = {job: labs._made(folder, BESIDE, False, job) for job in jobs}
    return folder, examples, {job: folder.joinpath(each.file).read_text() for job, each in examples.items()}


def test_a_file_has_its_data_alone_and_one_script_beside_it(made):
    _, _, pages = made
    page = pages["shrinkage", 0]
    assert len(page.encode()) < 300e3
    assert 500e3 < len(shared_script().encode()) < 600e3  # packed: Bokeh alone has 1.2 MB
    assert page.count("<script src='living.js'></script>") == 1
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "script-src 'self' 'unsafe-inline'" in unescape(policy)
    assert "default-src 'none'" in unescape(policy)
    assert "Bokeh.version" not in page


@pytest.mark.parametrize("job", [("shrinkage", 0), ("dna", 0), ("kernel_pca", 1)])
def test_a_file_is_called_after_what_it_shows_and_leads_to_the_whole_lab_and_to_all_labs(made, job):
    _, _, pages = made
    (name, place), page = job, pages[job]
    lab = registry.entry(name).lab(**labs._presets(name)[place].fields)
    assert unescape(TITLE.search(page)[1]) == titled(name, lab.result(wait=True))
    assert f'<code id="link">{address(name, lab).replace("&", "&amp;")}</code>' in page
    assert "python -m explorer serve" in page
    assert "href='../labs/index.html' aria-current='true'" in page


def test_a_file_has_the_site_s_bar_and_leads_to_the_lab_s_other_presets(made):
    _, _, pages = made
    for (name, place), page in pages.items():
        assert "<header class='bar'>" in page
        (strip,) = re.findall(r"<nav class='presets'.*?</nav>", page)
        files = [labs._file(name, i) for i in range(len(labs._presets(name)))]
        assert re.findall(r"<a href='([^']*)'>", strip) == [file for i, file in enumerate(files) if i != place]
        assert strip.count("aria-current='page'") == 1


def test_a_slider_has_its_name_its_ends_and_play(made):
    _, _, pages = made
    (ends,) = re.findall(r"<div class='ends'>.*?</div>", pages["shrinkage", 0])
    assert re.findall(r"<span>([^<]*)</span>", ends) == ["0.0001", "100"]
    assert "λ, how strongly every weight is shrunk" in ends
    assert "data-play='Play λ' data-pause='Pause λ'" in ends
    assert "id='play'" not in pages["dna", 0]


def test_what_needs_a_server_stands_still_and_says_so(made):
    _, examples, pages = made
    assert examples["shrinkage", 0].why == ""
    for job, why in ((("dna", 0), "sliders of this lab need"), (("kernel_pca", 1), "slider of bandwidth needs")):
        assert why in examples[job].why
        assert examples[job].why in pages[job]
        assert "living" not in pages[job]
        assert pages[job].count("<figure><svg") >= 2


def test_a_lab_that_speaks_german_has_a_file_in_it(made):
    folder, _, pages = made
    german = folder.joinpath("shrinkage-a-little-helps.de.html").read_text()
    lab = registry.entry("shrinkage").lab(**labs._presets("shrinkage")[0].fields)
    with use_language("de"):
        assert unescape(TITLE.search(german)[1]) == titled("shrinkage", lab.result(wait=True))
    assert '<html lang="de">' in german
    assert "href='shrinkage-a-little-helps.html' lang='en'" in german
    assert "href='shrinkage-a-little-helps.de.html' lang='de'" in pages["shrinkage", 0]
    assert '.exported.turn({"de": "shrinkage-a-little-helps.de.html"})' in pages["shrinkage", 0]
    assert "hreflang" not in pages["dna", 0]
    assert not folder.joinpath("dna-two-kinds-of-junction.de.html").exists()


def test_an_example_without_its_data_is_listed_and_says_so(tmp_path, monkeypatch):
    def missing(self, wait=False):
        raise OSError("no such table")

    monkeypatch.setattr(registry.entry("dna").lab, "result", missing)
    example = labs._made(tmp_path, BESIDE, False, ("dna", 0))
    assert (example.file, example.why) == ("", labs.ABSENT)
    listed = labs._card(example)
    assert labs.ABSENT in listed
    assert "<a " not in listed


def test_the_list_has_each_lab_s_question_and_a_way_to_each_example(made):
    _, examples, _ = made
    text = labs._index({name: [example] for (name, _), example in examples.items()})
    for (name, _), example in examples.items():
        entry = registry.entry(name)
        assert f"## {entry.title}" in text
        assert entry.question in text
        assert f"<a href='#{labs.key(entry.title)}'>{entry.title}</a>" in text
        assert f"<a href='{example.file}'>{example.name}</a>" in text
        assert example.says in unescape(text)
        assert example.picture in text


def test_the_labs_are_in_the_order_of_the_first_page():
    assert sorted(labs._ordered()) == sorted(registry.names())
    assert labs._ordered()[:2] == ["twosample", "fit"]


@pytest.mark.thorough
def test_the_whole_section_in_a_quick_build(tmp_path):
    labs.write(tmp_path, fast=True)
    folder = tmp_path / "_extra" / "labs"
    (script,) = folder.glob("*.js")
    for name in registry.names():
        first, *others = (folder / labs._file(name, place) for place in range(len(labs._presets(name))))
        assert "<figure>" in first.read_text()
        for place, other in enumerate(others, 1):
            assert f'<a href="{first.name}">' in other.read_text()
            lab = registry.entry(name).lab(**labs._presets(name)[place].fields)
            assert place_of(address(name, lab)).file == f"../labs/{other.name}"
    assert script.name in (folder / labs._file("shrinkage", 0)).read_text()
    assert (tmp_path / "labs" / "index.md").read_text().count("<li>") == len(registry.names())
