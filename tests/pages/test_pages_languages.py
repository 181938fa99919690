"""Served pages in two languages in one process: results of worker threads are in the language of their page."""

import pickle

from helpers.naming import names_all
from helpers.page_helpers import notice, open_page, run_callbacks

from explorer.checks import Refusal
from explorer.languages import current_language
from explorer.pages import MonkPage


def test_pictures_and_late_stages_of_threads_are_said_in_the_language_of_their_page(as_if_served):
    german, english = open_page(lang="de"), open_page()
    for page in (german, english):
        page.move(None, n=700)
    assert current_language() == "en"
    run_callbacks(as_if_served)
    assert "als das einfache Mittel" in german.chrome.headline.object
    assert "than the plain average" in english.chrome.headline.object
    for page in (german, english):
        page.move(None, n=20, samples=20)
        page.rest()
    run_callbacks(as_if_served, 1000)
    assert "In 20 weiteren Stichproben" in german.chrome.headline.object
    assert "In 20 more samples" in english.chrome.headline.object
    assert current_language() == "en"


def test_what_a_page_says_beside_its_pictures_is_in_its_language(as_if_served):
    german, english = open_page(lang="de"), open_page()
    for page in (german, english):
        page.move(None, n=10, outliers=20)
        page.runtime.show_wait(1, 3)
    assert "20 Ausreißer brauchen n von mindestens 21" in notice(german)
    assert names_all(notice(english), "20", "n", "21")
    assert "Wird berechnet, Teil 2 von 3" in german.chrome.waiting.words.object
    assert "Computing, part 2 of 3" in english.chrome.waiting.words.object


def test_refusals_with_values_are_in_the_language_of_their_page():
    german, english = (open_page(MonkPage, lang=code, n="20", blocks="5", outliers="0") for code in ("de", "en"))
    for page in (german, english):
        page.move(None, outliers=33)
    assert "33 Ausreißer brauchen 33 Paare, und n ist 20" in notice(german)
    assert "33 outliers need 33 pairs, and n is 20" in notice(english)
    german.user_data.say(str(Refusal("{} has {} rows. A series needs at least {}.", "t.csv", 3, 20)))
    assert "t.csv hat 3 Zeilen. Eine Zeitreihe braucht mindestens 20." in german.user_data.trouble.object


def test_a_refusal_is_english_and_keeps_its_template():
    refusal = pickle.loads(pickle.dumps(Refusal("{} has no column {}.", "wine", "'hue'")))
    assert str(refusal) == "wine has no column 'hue'."
    assert str(refusal).template == "{} has no column {}."
