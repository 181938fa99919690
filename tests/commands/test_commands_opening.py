"""How a served page opens: its HTML before its models, and the models of many pages one after the other."""

from __future__ import annotations

import asyncio
import re

import pytest
from bokeh.application import Application
from bokeh.application.handlers.function import FunctionHandler
from bokeh.server.contexts import ApplicationContext
from bokeh.server.tornado import BokehTornado
from panel.io.application import build_applications

from explorer import startup
from explorer.commands import page_handler
from explorer.commands.page_handler import PageHtml, SessionQueue
from explorer.pages import HOME, open_page
from explorer.pages import template as shell
from explorer.pages.previews.first_paint import first_paint
from explorer.pages.serving.shared_value import SharedValue
from explorer.pages.template import first_result
from explorer.workbench import registry

# identifiers of models and slots, which differ in each session
NAMES = re.compile(r"\bp\d+\b|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.fixture(scope="module", autouse=True)
def loop():
    """An event loop, as a server has one."""
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def page_html_of(name, loop):
    """Return the PageHtml that is made of a page's session."""
    asyncio.set_event_loop(loop)
    app = build_applications({"/": lambda: open_page(name, shared=True)})["/"]
    try:
        return PageHtml.of(ApplicationContext(app, url="/"), BokehTornado({}).resources())
    finally:
        asyncio.set_event_loop(None)


@pytest.fixture(scope="module")
def context():
    """The application of one page, as a server has it."""
    return ApplicationContext(build_applications({"/dna": lambda: open_page("dna", shared=True)})["/dna"], url="/dna")


@pytest.fixture(scope="module")
def page_html(loop):
    """The PageHtml of all pages, made of home's session."""
    return page_html_of(HOME, loop)


def test_a_page_says_what_it_finds_before_it_asks_for_a_script(page_html):
    html = page_html.page("<DNA>", "<meta name=told>", "<p>first</p>", "TOKEN")
    assert "<script" not in html[: html.index("<p>first</p>")]
    assert "<title>&lt;DNA&gt;</title>" in html
    assert html.index("<meta name=told>") < html.index("</head>")
    assert html.index("<body>") < html.index("<p>first</p>") < html.index("bokeh.min.js") < html.index("TOKEN")
    assert html.count("<script") == html.count("</script>") > 5


@pytest.mark.thorough
def test_a_page_has_every_script_and_sheet_of_one_that_panel_makes_whole(context, page_html, loop):
    from panel.io.resources import Resources
    from panel.io.server import server_html_page_for_session
    from panel.io.session import generate_session
    from panel.io.state import set_curdoc

    asyncio.set_event_loop(loop)
    session = generate_session(context.application)
    doc = session.document
    with set_curdoc(doc):
        whole = server_html_page_for_session(
            session,
            Resources.from_bokeh(BokehTornado({}).resources()),
            doc.title,
            template=doc.template,
            template_variables=doc.template_variables,
        )
    asyncio.set_event_loop(None)
    for wanted in (r'src="[^"]+"', r'href="[^"]+"', r"<title>[^<]*", r'content="[^"]*"'):
        told = doc.template_variables["told"]
        assert re.findall(wanted, page_html.page(doc.title, told, "", session.token)) == re.findall(wanted, whole)
    assert page_html.body.count("data-root-id") == whole.count("data-root-id") == len(doc.roots)


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", registry.names())
def test_no_lab_s_html_differs_from_home_s_but_by_its_title_and_its_names(name, page_html, loop):
    one, other = (NAMES.sub("", each.page("", "", "", "")) for each in (page_html_of(name, loop), page_html))
    assert one == other


def test_of_a_lab_whose_first_result_is_still_to_come_nothing_is_said(monkeypatch):
    monkeypatch.setattr(shell, "_beginnings", {})
    assert "class='says'" not in first_paint("dna", {})


@pytest.mark.parametrize("words", [{}, {"v": "1"}, {"theme": "dark"}])
def test_the_headline_of_a_lab_at_its_beginning_is_there_at_once(words):
    result = first_result(registry.entry("dna").lab)
    assert registry.role("dna", "words").headline(result, result.row) in first_paint("dna", words)


@pytest.mark.parametrize(("name", "words"), [("dna", {"n": "12"}), ("dna", {"story": "x"}), ("home", {}), ("", {})])
def test_of_another_state_nothing_is_said_before_it_is_known(name, words):
    assert "class='says'" not in first_paint(name, words)


@pytest.mark.parametrize(("theme", "grounds"), [("dark", ["#14171C"]), ("light", ["#FBFBF9"]), ("<", ["#FBFBF9"])])
def test_it_has_the_ground_that_a_link_asks_for(theme, grounds):
    assert re.findall("--ground: (#[0-9A-F]+)", first_paint("dna", {"theme": theme})) == grounds
    assert re.findall("--ground: (#[0-9A-F]+)", first_paint("dna", {})) == [
        "#FBFBF9",
        "#14171C",
    ]  # as the system has it


def context_of(build):
    """Return a context whose documents `build(doc)` makes, and its queue of sessions."""
    context = ApplicationContext(Application(FunctionHandler(build, trap_exceptions=False)))
    return context, SessionQueue({"": context})


def test_what_comes_while_pages_wait_is_answered_between_two_of_them():
    made, heard = [], []

    async def visits():
        context, _ = context_of(lambda doc: made.append(doc.session_context.id))
        asked = [asyncio.ensure_future(context.create_session_if_needed(f"s{i}")) for i in range(3)]
        while not all(task.done() for task in asked):
            heard.append(len(made))
            await asyncio.sleep(0)
        again = await context.create_session_if_needed("s0")
        assert again is asked[0].result()

    asyncio.run(visits())
    assert made == ["s0", "s1", "s2"]
    assert {1, 2} <= set(heard)


def test_a_session_that_two_ask_for_is_made_once():
    made = []

    async def visits():
        context, _ = context_of(lambda doc: made.append(doc.session_context.id))
        both = await asyncio.gather(*(context.create_session_if_needed("s") for _ in range(2)))
        assert both[0] is both[1]

    asyncio.run(visits())
    assert made == ["s"]


def test_a_page_that_fails_holds_no_other_up():
    async def visits():
        context, _ = context_of(lambda doc: 1 / (doc.session_context.id != "bad"))
        for _ in range(2):  # the second does not wait for the first for ever
            with pytest.raises(ZeroDivisionError):
                async with asyncio.timeout(5):
                    await context.create_session_if_needed("bad")
        assert (await context.create_session_if_needed("good")).id == "good"

    asyncio.run(visits())


def test_pages_are_made_ready_between_visitors_and_those_who_come_are_first(monkeypatch):
    made = []
    monkeypatch.setattr(page_handler, "IDLE", 0.05)
    monkeypatch.setattr(registry, "names", lambda: ("one", "two", "three"))
    monkeypatch.setattr(page_handler, "shared_first_result", lambda name: SharedValue(lambda: name, 0.0))
    monkeypatch.setattr(
        page_handler, "shared_complete_result", lambda name: SharedValue(lambda: made.append(f"whole {name}"), 0.0)
    )

    async def visits():
        contexts = {
            name: ApplicationContext(Application(FunctionHandler(lambda doc, name=name: made.append(name))))
            for name in (*registry.names(), "report")
        }
        others = {"report": (SharedValue(lambda: made.append("example"), 0.0),)}
        warming = asyncio.ensure_future(SessionQueue(contexts, others=others).warm())
        await contexts["three"].create_session_if_needed("visitor")
        assert made == ["three"]
        await warming

    asyncio.run(visits())
    assert made == ["three", "one", "two", "report", "example", "whole one", "whole two", "whole three"]


@pytest.mark.parametrize(
    ("words", "serves"),
    [
        ("python -m explorer serve --port 5006", True),
        ("/usr/bin/python /venv/bin/explorer serve", True),
        (r"C:\venv\Scripts\explorer.exe serve", True),
        ("python -m explorer serve --help", False),
        ("python -m explorer list serve", False),
        ("python -m pytest explorer serve", False),
        ("python", False),
    ],
)
def test_a_server_says_that_it_starts_and_no_other_command_does(words, serves):
    assert startup.serves(words.split()) is serves
