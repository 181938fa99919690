"""Translations: a catalogue has the messages of the source, translations fit them, and a page has no English left."""

import ast
import re
from functools import cache
from html import unescape
from pathlib import Path
from textwrap import dedent

import pytest
from helpers.guide_texts import GUIDE, under
from helpers.naming import names_all
from helpers.page_helpers import error_at, notice
from language_recorder import recorded_language

import explorer
from explorer import languages
from explorer.labs.shrinkage import ShrinkageLab
from explorer.languages import (
    bind_language,
    catalogue,
    codes,
    coverage,
    current_language,
    linked,
    offered,
    translate,
    translate_plural,
    upkeep,
    use_language,
)
from explorer.languages.__main__ import main
from explorer.languages.extraction import extract, is_message, rank
from explorer.languages.upkeep import faults, missing, progress, summary
from explorer.markup import Later, markup, text_of
from explorer.pages import page_class
from explorer.pages.index import home_text as home_words
from explorer.pages.index.home import HomePage
from explorer.pages.index.lab_thumbnails import family_thumbnails
from explorer.pages.previews.first_paint import first_paint
from explorer.pages.previews.link_summary import state_of
from explorer.pages.sections import help as guide
from explorer.pages.sections import tour_of_labs
from explorer.pages.sections.navbar import language_menu
from explorer.pages.sections.story import onward_from
from explorer.pages.serving.scheduler import Scheduler
from explorer.pages.serving.shared_value import SharedValuePerLanguage
from explorer.pages.template import shared_first_result

ROOT = Path(explorer.__file__).parent
LABS = ("shrinkage", "kernel_pca")  # translated labs
# English words that are not German words; file names of lessons and names of estimators do not count
ENGLISH = re.compile(
    r"\b(the|of|and|with|is|are|has|from|to|by|than|which|this|that|no|not|its|on|at)\b", re.IGNORECASE
)
ESTIMATOR = re.compile("James-Stein|F-KMSE|robust KME")  # names that no language translates
STYLE = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)
TAG = re.compile(r"</?[a-z][^>]*>|&\w+;")


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
            shown.extend(key.words for keys in view.legends(result, numbers).values() for key in keys)
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


@pytest.fixture
def own_language(tmp_path, monkeypatch):
    """Return a function that makes the language `lb` of this text, as the only language beside English."""

    def made(text):
        path = tmp_path / "lb" / "LC_MESSAGES" / "explorer.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        head += '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        path.write_text(head + dedent(text), encoding="utf-8")
        languages._read.cache_clear()
        languages.offered.cache_clear()

    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    monkeypatch.setattr(upkeep, "FOLDER", tmp_path)
    made("")
    yield made
    languages._read.cache_clear()
    languages.offered.cache_clear()


# files of a language


@pytest.mark.parametrize("code", codes())
def test_a_catalogue_has_the_messages_of_the_source_and_translations_fit_them(code):
    """`python -m explorer.languages update` adds messages that are missing here, and removes those that are gone."""
    assert faults(code) == []


def test_nothing_that_a_module_makes_as_it_is_loaded_has_a_translation():
    """Otherwise the text would stay in the language of the first page."""
    texts = {each.id for each in catalogue("de") if each.id and each.string}
    for path in ROOT.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                name = getattr(node.value.func, "id", "")
                first = node.value.args[0] if node.value.args else None
                if name in ("markup", "translate"):
                    assert not (isinstance(first, ast.Constant) and first.value in texts), path


def test_a_fuzzy_translation_and_one_without_all_its_forms_are_never_shown(own_language):
    own_language(
        """
        msgid "Yes"
        msgstr "Jo"

        #, fuzzy
        msgid "No"
        msgstr "Noa"

        msgid "{} row"
        msgid_plural "{} rows"
        msgstr[0] "oa Zeiln"
        msgstr[1] "{} Zeiln"

        msgid "Undo"
        msgstr ""
        """
    )
    with use_language("lb"):
        assert (translate("Yes"), translate("No"), translate("Undo"), translate("")) == ("Jo", "No", "Undo", "")
        assert [translate_plural("{} row", "{} rows", n) for n in (1, 2)] == ["oa Zeiln", "2 Zeiln"]
    assert [translate_plural("{} row", "{} rows", n) for n in (1, 2)] == ["1 row", "2 rows"]
    assert coverage("lb") == 0.5
    assert missing("lb") == ["No", "Undo"]


def test_a_language_is_offered_if_nearly_all_of_its_texts_are_translated(own_language):
    def texts(done):
        return "\n".join(f'msgid "text {i}"\nmsgstr "{"Text" if i < done else ""}"\n' for i in range(100))

    own_language(texts(97))
    assert "lb" not in offered()
    with use_language("lb"):  # a link opens it nevertheless, and its page leads back
        assert translate("text 3") == "Text"
        assert [each.languages for each in language_menu()] == [
            [["lb", "Lëtzebuergesch"], *map(list, offered().items())]
        ]
    own_language(texts(98))
    assert offered()["lb"] == "Lëtzebuergesch"
    assert "98 of 100 messages are translated (98 %), in the menu" in summary("lb")
    (menu,) = language_menu()
    assert (menu.current, menu.languages[0]) == ("en", ["en", "English"])
    assert ["lb", "Lëtzebuergesch"] in menu.languages


def test_the_check_names_what_does_not_fit(own_language):
    own_language(
        """
        msgid "{} of {}"
        msgstr "{} von"

        msgid "<b>{}</b> rows"
        msgstr "{} Zeilen"

        msgid " and "
        msgstr "und"

        msgid "**The mean** $x_{1}$ of {}"
        msgstr "*Das Mittel* $x_{2}$ von {}"
        """
    )
    found = faults("lb")
    assert "The formulas of '*Das Mittel* $x_{2}$ von {}' are not those of '**The mean** $x_{1}$ of {}'." in found
    assert "The tags of '*Das Mittel* $x_{2}$ von {}' are not those of '**The mean** $x_{1}$ of {}'." in found
    assert not any("placeholders of '*Das" in fault for fault in found)  # the braces of a formula are none
    assert "The placeholders of '{} von' are not those of '{} of {}'." in found
    assert "The tags of '{} Zeilen' are not those of '<b>{}</b> rows'." in found
    assert "'und' does not begin and end with spaces as ' and ' does." in found
    assert "The source no longer has '<b>{}</b> rows'." in found
    assert "The catalogue lacks 'Undo'." in found


def test_placeholders_are_numbered_for_another_order_and_what_a_page_cannot_fill_is_a_fault(own_language):
    own_language(
        """
        msgid "{} of {}"
        msgstr "{1} hat {0}"

        msgid "{} by {}"
        msgstr "{1} bei {}"

        msgid "{} and {}"
        msgstr "{ an {}"
        """
    )
    with use_language("lb"):
        assert translate("{} of {}", 3, 4) == "4 hat 3"
    reason = "cannot be read: close each brace, and number all of them or none."
    assert [each for each in faults("lb") if each.startswith("The placeholders")] == [
        f"The placeholders of {text!r} {reason}" for text in ("{1} bei {}", "{ an {}")
    ]


def test_a_plural_form_for_several_numbers_needs_the_number(own_language):
    own_language(
        """
        msgid "{} row"
        msgid_plural "{} rows"
        msgstr[0] "eng Zeil"
        msgstr[1] "Zeilen"
        """
    )
    assert [each for each in faults("lb") if "Zeil" in each] == [
        "The placeholders of 'Zeilen' are not those of '{} rows'. It is for 0, 2, 3, 4, ..., so it needs the number."
    ]


@pytest.mark.parametrize("line", ['msgstr "Retour', "msgstr Retour", 'msgstr "Re"tour"', 'msgstrr "Retour"'])
def test_a_line_that_cannot_be_read_is_named_and_nothing_is_lost(own_language, line, capsys):
    own_language(f'msgid "Undo"\n{line}\n')
    path = languages.FOLDER / "lb" / "LC_MESSAGES" / "explorer.po"
    before = path.read_text(encoding="utf-8")
    assert main(["update", "lb"]) == 1
    assert f"Line 7 cannot be read: {line}" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.usefixtures("own_language")
@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["update", "French"], "'French' is no code of a language; take one such as fr"),
        (["update", "pt-BR"], "take one such as fr or pt_BR"),
        (["check", "fr"], "python -m explorer.languages update fr makes it"),
    ],
)
def test_a_command_without_its_language_says_what_to_do(words, advice, capsys):
    with pytest.raises(SystemExit):
        main(words)
    assert advice in capsys.readouterr().err
    assert codes() == ("lb",)


def test_the_translators_commands_make_a_catalogue_and_check_it(own_language, capsys):
    assert main(["update", "lb"]) == 0
    assert {each.id for each in catalogue("lb")} == {each.id for each in extract()}
    before = languages.FOLDER.joinpath("lb/LC_MESSAGES/explorer.po").read_bytes()
    assert main(["update"]) == 0
    assert languages.FOLDER.joinpath("lb/LC_MESSAGES/explorer.po").read_bytes() == before
    assert main(["check", "lb", "--missing"]) == 0
    told = capsys.readouterr().out
    assert "Undo" in told.splitlines()
    assert re.search(r"Lëtzebuergesch: 0 of \d+ messages are translated \(0 %\), not in the menu", told)


def test_a_translator_reads_what_fills_a_text_and_where_it_stands():
    found = extract()
    assert found.get("Drop {} with missing values").auto_comments == ["{0}: rows_of(rows)"]
    assert found.get("as").auto_comments == ['as in "the same squared error as the plain average"']
    files = [each.locations[0][0] for each in found if each.id]
    assert files[0].startswith("pages/index/")
    assert files == sorted(files, key=rank)


def test_the_check_says_how_much_of_each_lab_is_left(own_language, capsys):
    own_language(
        """
        #: labs/few/lab.py labs/fit/lab.py
        msgid "one"
        msgstr ""

        #: labs/few/words.py
        msgid "two"
        msgstr "zwee"

        #: pages/index/home.py
        msgid "three"
        msgstr ""

        #: pages/chrome.py
        msgid "four"
        msgstr "véier"
        """
    )
    assert progress("lb") == ["pages/index: 0 of 1 (0%)", "labs/few: 1 of 2 (50%)", "labs/fit: 0 of 1 (0%)"]
    assert missing("lb", "labs/fit") == ["one"]
    main(["check", "lb", "--missing", "--folder", "labs/fit"])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "one"
    assert "three" not in told


@pytest.mark.usefixtures("own_language")
def test_the_recipe_for_translators(capsys):
    commands = re.findall(
        r"^python -m explorer\.languages (.*)$", under(GUIDE["recipes"], "## Translate the pages"), re.MULTILINE
    )
    assert [command.split()[0] for command in commands] == ["update", "check"]
    for command in commands:
        assert main(command.split()) == 0
    assert "français: 0 of" in capsys.readouterr().out
    assert "fr" in codes()
    path = languages.FOLDER / "fr" / "LC_MESSAGES" / "explorer.po"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgid "Undo"\nmsgstr ""', 'msgid "Undo"\nmsgstr "Annuler"'), encoding="utf-8")
    languages._read.cache_clear()
    with use_language("fr"):
        assert (translate("Undo"), translate("Help")) == ("Annuler", "Help")


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
    german = heard.given
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


@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", LABS)
def test_every_text_that_a_lab_asks_for_is_a_message(name):
    known = {text for each in catalogue("de") for text in ((each.id,) if isinstance(each.id, str) else each.id)}
    heard = toured(name)[1]
    made = {text for text in heard.asked if is_message(ESTIMATOR.sub("", text))} - known - heard.given
    templates = [each for each in (*heard.given, *known) if is_message(each)]
    assert {text for text in made if not any(_made_of(text, each) for each in templates)} == set()


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
    assert german.view.figures["loss"].title.text == "Quadratischer Fehler relativ zu KME"
    assert english.view.figures["loss"].title.text == "Squared error, relative to the plain average"
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
    page.bindings.press("hundred")
    assert "keine weiteren Stichproben" in unescape(notice(page))


def test_the_browser_s_words_are_sent_in_german_alone():
    german, english = page_class("shrinkage")({"lang": "de"}), page_class("shrinkage")({})
    assert german.chrome.story.card.speaks["Next"] == "Weiter"
    assert english.chrome.story.card.speaks == {}
    for page, code in ((german, "de"), (english, "en")):
        (menu,) = page.chrome.bar.languages
        assert (menu.languages, menu.current) == ([["en", "English"], ["de", "Deutsch"]], code)
        assert menu in page.chrome.bar.parts


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
    assert names_all(summary.says, "30 %", "S-KMSE")
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
