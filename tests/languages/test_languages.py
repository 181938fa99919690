"""Translations: one file per lab, with English texts as keys; placeholders and tags agree, and no text is missing."""

import ast
import re
import string
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from helpers.naming import names_all
from helpers.page_helpers import error_at, notice
from language_recorder import recorded_language

import explorer
from explorer import languages
from explorer.labs.shrinkage import ShrinkageLab
from explorer.languages import bind_language, catalogues, current_language, linked, translate, use_language
from explorer.markup import Later, markup, text_of
from explorer.pages import page_class
from explorer.pages.index import home_text as home_words
from explorer.pages.index.home import HomePage
from explorer.pages.index.lab_thumbnails import family_thumbnails
from explorer.pages.previews.first_paint import first_paint
from explorer.pages.previews.link_summary import state_of
from explorer.pages.sections import help as guide
from explorer.pages.sections import tour_of_labs
from explorer.pages.sections.story import onward_from
from explorer.pages.serving.scheduler import Scheduler
from explorer.pages.serving.shared_value import SharedValuePerLanguage
from explorer.pages.template import shared_first_result
from explorer.workbench import registry

ROOT = Path(explorer.__file__).parent
LABS = ("shrinkage", "kernel_pca")  # translated labs
# English words that are not German words; file names of lessons and names of estimators do not count
ENGLISH = re.compile(
    r"\b(the|of|and|with|is|are|has|from|to|by|than|which|this|that|no|not|its|on|at)\b", re.IGNORECASE
)
STYLE = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)
TAG = re.compile(r"</?[a-z][^>]*>|&\w+;")


def everything():
    return [(file, key, value) for file, texts in catalogues("de").items() for key, value in texts.items()]


def places(template):
    """Return the placeholders of a template; those without a name are numbered."""
    found = [(name, spec) for _, name, spec, _ in string.Formatter().parse(template) if name is not None]
    return sorted((name or str(i), spec) for i, (name, spec) in enumerate(found))


def tags(template):
    """Return the tags of a template without the attributes that are read aloud, because these are texts."""
    return sorted(re.sub(r"(alt|title|aria-label)='[^{][^']*'", r"\1", tag) for tag in TAG.findall(template))


@cache
def constants():
    """Return every string literal of the source, and every text that a script translates."""
    texts = set()
    for path in ROOT.rglob("*.py"):
        if "languages" not in path.parts:
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            texts |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    scripts = (path.read_text(encoding="utf-8") for path in (ROOT / "browser").glob("*.js"))
    return texts | {words for script in scripts for words in re.findall(r"said\(model, '([^']+)'\)", script)}


def everywhere(page):
    """Open every part of a lab's page and return all texts that it shows."""
    shown = []

    def look():
        result, view = page.result, page.view
        page.rest()
        with page.speaking():
            frame, numbers = page.chrome, view.numbers(result)
            shown.extend(map(text_of, (frame.headline.object, frame.hint.object or "", frame.caption.object or "")))
            shown.extend(sentence for each in view.words(result, numbers).values() for sentence in each)
            shown.extend(key.words for key in view.legend(result, numbers))
            shown.extend(map(translate, page.measures(result)))
        for name in view.visible(result):
            plot = view.figures[name]
            labels = (plot.title.text, plot.xaxis[0].axis_label or "", plot.yaxis[0].axis_label or "")
            shown.extend(str(getattr(each, "text", each)) for each in labels)
        shown.extend(str(each) for each in page.chrome.story.card.shown.values() if isinstance(each, str))

    page.chrome.accordion.active = list(range(len(page.chrome.sections)))
    for preset in page.presets:
        page.navigation.go_to(preset)
        look()
    page.navigation.go_to(page.presets[0])
    for name, chooser in page.choice.items():
        if name not in ("source", "missing", "second"):  # the second kernel's menu has the first one's names
            for value in page.lab_class.fields[name].words.values() if hasattr(chooser, "options") else ():
                page.choose(name, value)
                look()
    for story in page.stories:
        for i, step in enumerate(story.steps):
            page.chrome.story.open(story, i)
            shown.append(text_of(page.chrome.headline.object))
            page.chrome.story.guess(0 if step.guess is not None else -1)
            look()
    page.chrome.story.leave()
    page.chrome.comparison.toggle()
    page.move("n", n=33)
    page.rest()
    shown.append(text_of(page.chrome.comparison.table.object))
    shown.append(STYLE.sub("", page.chrome.help.text))
    for widget in (*page.choice.values(), *page.pressed.values(), *(each.slider for each in page.sliders.values())):
        shown.append(widget.label)
        if hasattr(widget, "options") and isinstance(widget.options, dict) and widget in page.choice.values():
            shown.extend(widget.options)
    with page.speaking():
        shown.extend(page.chrome.story.titles)
    shown.extend([*page.chrome.presets.words, *page.chrome.comparison.menu.words])
    return shown


# files of a language


@pytest.mark.parametrize("file", catalogues("de"))
def test_a_translation_has_the_places_and_the_tags_of_its_key(file):
    for key, value in catalogues("de")[file].items():
        assert places(value) == places(key), key
        assert tags(value) == tags(key), key
        assert [end in " \n" for end in (value[0], value[-1])] == [end in " \n" for end in (key[0], key[-1])], key


def test_no_key_stands_in_two_files():
    keys = [key for _, key, _ in everything()]
    assert len(keys) == len(set(keys))


def test_nothing_that_a_module_makes_as_it_is_loaded_has_a_translation():
    """Otherwise the text would stay in the language of the first page."""
    texts = languages.language("de").texts
    others = {ROOT / "labs" / name for name in registry.names() if name not in LABS}
    for path in ROOT.rglob("*.py"):
        if path.parent in others:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                name = getattr(node.value.func, "id", "")
                first = node.value.args[0] if node.value.args else None
                if name in ("markup", "said"):
                    assert not (isinstance(first, ast.Constant) and first.value in texts), path


def test_a_text_without_a_translation_stays_english():
    with use_language("de"):
        assert current_language() == "de"
        assert translate("nobody has this: {}", 3) == "nobody has this: 3"
        assert markup("<b>{}</b>", 3) == "<b>3</b>"
    assert current_language() == "en"
    with use_language("tlh"):
        assert current_language() == "en"


def test_a_constant_is_made_where_it_is_shown():
    later = Later("{} points", "<3>")
    assert markup("<p>{}</p>", later) == "<p>&lt;3&gt; points</p>"
    with use_language("de"):
        assert markup("<p>{}</p>", later) == "<p>&lt;3&gt; Punkte</p>"


def test_an_address_keeps_the_language():
    assert linked("monk?n=3") == "monk?n=3"
    with use_language("de"):
        assert (linked("monk"), linked("monk?n=3")) == ("monk?lang=de", "monk?n=3&lang=de")


def test_a_thread_speaks_what_is_spoken_where_it_was_asked():
    turns = Scheduler(2)
    with use_language("de"):
        german = turns.submit(current_language)
        here = bind_language(current_language)
    assert german.result(10) == "de"
    assert turns.submit(current_language).result(10) == "en"
    assert here() == "de"


def test_what_a_process_computes_once_it_computes_once_for_each_language():
    calls = []
    once = SharedValuePerLanguage(lambda: calls.append(current_language()) or translate("Yes"), 0.1)
    with use_language("de"):
        assert once.now() == once.now() == "Ja"
        assert once.ask().result(10) == "Ja"
    assert (once.value, once.now()) == (None, "Yes")
    assert calls == ["de", "en"]


# pages


@cache
def toured(name):
    """Return (all texts that a lab shows in German, the recorded language)."""
    with recorded_language("de") as heard:
        shown = everywhere(page_class(name)({"lang": "de"}))
    return shown, heard


@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", LABS)
def test_a_lab_in_german_has_no_english_left(name):
    shown, heard = toured(name)
    german = set(heard.values())
    left = {text for text in heard.missing if text not in german and ENGLISH.search(unescape(TAG.sub(" ", text)))}
    left = {text for text in left if not any(_made_of(text, each) for each in german)}
    assert left == set()
    assert [text for text in shown if ENGLISH.search(text)] == []


def _made_of(text, template):
    """Return whether a text is a translated template with its placeholders filled."""
    pattern = ".*".join(map(re.escape, re.split(r"\{[^}]*\}", template)))
    return "{" in template and re.fullmatch(pattern, text, re.DOTALL) is not None


@pytest.mark.thorough
def test_home_in_german_has_no_english_left():
    with recorded_language("de") as heard:
        page = HomePage({"lang": "de"})
        with use_language("de"):
            parts = (home_words.opening(), home_words.buttons(), page.verdicts.object, page.questions.object)
            shown = [*map(text_of, parts), text_of(home_words.footer({}))]
    keys = {text for text in heard.missing if ENGLISH.search(unescape(TAG.sub(" ", text)))}
    assert keys == set()
    assert [text for text in shown if ENGLISH.search(text.replace("U-Statistik", ""))] == []
    assert "href='shrinkage?lang=de'" in page.questions.object


@pytest.mark.thorough
def test_every_key_occurs_in_the_english_texts():
    texts = constants()
    with recorded_language("de") as heard:
        HomePage({"lang": "de"})
    asked = heard.asked.union(*(toured(name)[1].asked for name in LABS))
    stale = [(file, key) for file, key, _ in everything() if key not in texts and key not in asked]
    unread = [key for _, key in stale if not re.search(r"squared error|auto λ|leaves λ|CSV|PNG|SVG|\{value\}", key)]
    assert unread == []


def test_two_pages_of_two_languages_never_mix():
    german, english = page_class("shrinkage")({"lang": "de"}), page_class("shrinkage")({})
    for n in (30, 40):
        german.move("n", n=n)
        english.move("n", n=n)
        german.rest()
        english.rest()
        assert "als das einfache Mittel" in german.chrome.headline.object
        assert "than the plain average" in english.chrome.headline.object
        assert f"n = {n} Punkte" in german.chrome.caption.object
        assert f"n = {n} points" in english.chrome.caption.object
    assert german.view.figures["loss"].title.text == "Linie ziehen: relativer quadratischer Fehler"
    assert english.view.figures["loss"].title.text == "Drag the line: relative squared error"
    german.move("samples", samples=20)
    english.move("samples", samples=20)
    assert "In 20 weiteren Stichproben" in german.chrome.headline.object
    assert "In 20 more samples" in english.chrome.headline.object
    assert current_language() == "en"


def test_the_link_keeps_the_language_and_english_has_none():
    german, english = page_class("shrinkage")({"lang": "de", "n": "30"}), page_class("shrinkage")({"n": "30"})
    assert "lang=de" in german.link()
    assert "lang" not in english.state()
    assert german.lab == english.lab == ShrinkageLab(n=30)
    assert "<a class='home' href='./'>" not in str(german.chrome.bar.parts)


def test_a_language_that_is_not_there_is_english():
    page = page_class("shrinkage")({"lang": "tlh"})
    assert page.language == "en"
    assert "than the plain average" in page.chrome.headline.object


def test_refusals_of_the_controls_are_german():
    page = page_class("shrinkage")({"lang": "de"})
    page.move(None, n=10, outliers=20)
    assert names_all(unescape(notice(page)), "20 Ausreißer", "mindestens 21", "n ist 10")
    page.controls["n"].box.value = "-3"
    assert names_all(error_at(page, "n"), "n", "ganze Zahl", "2 bis 2000", "-3")
    page.controls["lam"].box.value = "-1"
    assert names_all(error_at(page, "lam"), "λ", "Zahl", 0, "auto")
    page.move(None, source="wine")
    page.repeat()
    assert "keine weiteren Stichproben" in unescape(notice(page))


def test_the_browser_s_words_are_sent_in_german_alone():
    german, english = page_class("shrinkage")({"lang": "de"}), page_class("shrinkage")({})
    assert german.chrome.story.card.speaks["Next"] == "Weiter"
    assert english.chrome.story.card.speaks == {}
    assert german.chrome.bar.share.languages == [["en", "English"]]
    assert english.chrome.bar.share.languages == [["de", "Deutsch"]]


def test_the_pictures_of_home_are_named_in_each_language():
    with use_language("de"):
        german = family_thumbnails("better")
    assert "Schrumpfung: Hilft es, das Mittel in Richtung 0 zu schrumpfen?" in unescape(german["shrinkage"])
    assert "Shrinkage: Does shrinking the average towards 0 help?" in unescape(family_thumbnails("better")["shrinkage"])


def test_the_help_and_its_plan_are_german():
    page = page_class("shrinkage")({"lang": "de"})
    assert "<h3>Tasten</h3>" in page.chrome.help.text
    assert "<details><summary>Stichprobe</summary>" in page.chrome.help.text
    with recorded_language("de") as heard, use_language("de"):
        guide.HelpOverlay().point_at(page.chrome.pictures)
    assert set(guide.PARTS.values()) <= heard.asked - heard.missing


def test_the_tour_is_german_and_stays_so():
    for stop in range(1, len(tour_of_labs.STOPS) + 1):
        with recorded_language("de") as heard, use_language("de"):
            bar = tour_of_labs.bar(stop)
        assert f"Rundgang: {stop} von 4" in bar
        assert {tour_of_labs.STOPS[stop - 1].says, tour_of_labs.STOPS[stop - 1].do} <= heard.asked - heard.missing
        assert bar.count("lang=de") == 2


def test_a_title_is_german_and_says_the_finding():
    page = page_class("shrinkage")({"lang": "de"})
    summary, query = page.chrome._summed_up()
    assert summary.title == "Schrumpfung: 30 % weniger quadratischen Fehler"
    assert names_all(summary.says, "30 %", "S-KMSE", "λ aus Leave-one-out")
    assert "lang=de" in query
    page = page_class("kernel_pca")({"lang": "de", "picture": "denoised"})
    assert page.chrome._summed_up()[0].title.startswith("Kern-PCA: ")
    assert "squared" not in page.chrome._summed_up()[0].title


def test_what_is_known_of_a_link_is_known_for_each_language():
    with use_language("de"):
        german, home = state_of("shrinkage", {"lang": "de", "n": "30"}), state_of("home", {})
    english = state_of("shrinkage", {"n": "30"})
    assert german.lab == english.lab == ShrinkageLab(n=30)
    assert german.query == f"{english.query}&lang=de"
    assert german.default.title == "Schrumpfung: Hilft es, das Mittel in Richtung 0 zu schrumpfen?"
    assert (home.query, state_of("home", {}).query) == ("lang=de", "")
    shared_first_result("shrinkage").now()
    assert "als das einfache Mittel" in first_paint("shrinkage", {"lang": "de"})
    assert "than the plain average" in first_paint("shrinkage", {})


def test_a_story_leads_on_in_german():
    with use_language("de"):
        onward = onward_from("shrinkage")
    assert onward["words"].startswith("Nächste Geschichte: ")
    assert onward["link"].endswith("&lang=de")
    page = page_class("shrinkage")({"lang": "de"})
    page.chrome.story.open(page.stories[0], len(page.stories[0].steps) - 1)
    page.chrome.story.guess(0)
    assert re.fullmatch(r"Bei 1 von \d+ Schritten geraten, [01] davon richtig\.", page.chrome.story.card.shown["score"])
    assert page.chrome.story.card.shown["onward"]["words"].startswith("Nächste Geschichte: ")


def test_the_panel_for_the_user_s_data_is_german():
    page = page_class("shrinkage")({"lang": "de"})
    with use_language("de"):
        texts = [translate(words) for words in ("Use this table", "Or paste a table", "columns")]
    own = page.user_data
    assert [own.button.label, own.intake.paste.label, own.columns.label] == texts
    assert not set(texts) & {"Use this table", "Or paste a table", "columns"}
