"""Served pages in two languages in one process: results of worker threads are in the language of their page."""

import ast
import pickle
from html import unescape
from pathlib import Path

import pytest
from helpers.naming import names_all
from helpers.page_helpers import notice, open_page, paste, run_callbacks, use

import explorer
from explorer.checks import Refusal
from explorer.languages import current_language
from explorer.pages import MonkPage
from explorer.pages.user_data import panel


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
    with german.speaking():
        german.user_data.say(str(Refusal("{} has {} rows. A series needs at least {}.", "t.csv", 3, 20)))
    assert "t.csv hat 3 Zeilen. Eine Zeitreihe braucht mindestens 20." in german.user_data.trouble.object


def test_a_refusal_is_english_and_keeps_its_template():
    refusal = pickle.loads(pickle.dumps(Refusal("{} has no column {}.", "wine", "'hue'")))
    assert str(refusal) == "wine has no column 'hue'."
    assert str(refusal).template == "{} has no column {}."


# handlers of the browser's events, which have no language

TABLE = b"height,weight\n1.5,60\n1.6,62\n1.8,80\n1.7,75\n"


def send_file(page, raw, name="mine.csv"):
    """Send a file to a page as a browser does."""
    upload = page.user_data.file
    part = {"status": "upload_event", "name": name, "data": raw, "chunk": 1, "total_chunks": 1}
    for message in ({"status": "initializing"}, part, {"status": "finished"}):
        upload._handle_msg(message)


@pytest.mark.usefixtures("at_once")
def test_a_preview_is_in_the_language_of_its_page(monkeypatch):
    monkeypatch.setattr(panel, "LARGE", 10)
    for code, words in (("de", ("mine.csv wird gelesen", "4 Zeilen")), ("en", ("Reading mine.csv", "4 rows"))):
        page, texts = open_page(lang=code), []
        page.user_data.about.param.watch(lambda event, texts=texts: texts.append(str(event.new)), "object")
        send_file(page, TABLE)
        assert all(any(word in unescape(text) for text in texts) for word in words), texts


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("act", "german"),
    [
        (lambda page: send_file(page, None), "Die Datei"),
        (lambda page: send_file(page, b"a\nx\ny\nz\n"), "keine"),
        (lambda page: page.user_data.file._handle_msg({"status": "strange"}), "Die Datei"),
        (lambda page: paste(page, " "), "leer"),
        (lambda page: (send_file(page, b"a,b\n1,2\n"), use(page)), "mindestens"),
    ],
)
def test_a_refusal_of_a_file_is_in_the_language_of_its_page(act, german):
    said = {}
    for code in ("de", "en"):
        page = open_page(lang=code)
        act(page)
        said[code] = unescape(str(page.user_data.trouble.object) + notice(page))
    assert german in said["de"], said
    assert said["en"]
    assert german not in said["en"]


INSIDE = {
    "self.changed": "enters the page's language itself, also if a script calls it",
    "self._follow": "has no text",
    "lambda event: self._mark()": "has no text: labels are numbers",
    "lambda event: self.box.param.update(value=self.box.value_input)": "has no text",
    "partial(io.BytesIO, raw)": "has no text but the user's",
    "lambda message: loop.add_callback(self.hear, comm, message['content']['data'])": "passes a notebook's messages on",
}


def handlers(path):
    """Yield the source of each function that a module registers as a handler of events."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            place = 1 if called.endswith(".on_change") else 0
            if called.endswith((".param.watch", ".on_msg", ".on_change")):
                yield ast.unparse(node.args[place])
            yield from (ast.unparse(each.value) for each in node.keywords if each.arg in ("on_click", "callback"))


def test_every_handler_runs_in_the_language_of_its_page():
    folders = (Path(explorer.__file__).parent / name for name in ("pages", "labs"))
    # the report is English
    files = [path for folder in folders for path in folder.rglob("*.py") if path.parent.name != "report"]
    found = {each for path in files for each in handlers(path)}
    assert len([each for each in found if each.startswith("bind_language(")]) > 20
    assert {each for each in found if not each.startswith("bind_language(")} <= {*INSIDE}
