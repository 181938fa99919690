"""The labs: every preset as a file whose slider works without a server, and a page that lists them."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.exports.markup import SiteFiles
from explorer.exports.state_pages import one_file, shared_script, still_file
from explorer.languages import ENGLISH, OFFERED, codes, coverage, translate, use_language
from explorer.markup import Markup, joined, markup
from explorer.pages.serving.process_settings import settle
from explorer.svg import thumbnail
from explorer.sweeps.executors import local_processes
from explorer.workbench import registry
from explorer.workbench.content import content_of

from . import frame
from .documents import document, html, plain, write_file

NAME, UP = "labs", "../"
TITLE = "Labs"
ABOUT = "Labs about kernel means, each at all its examples, with a slider that moves without a server."
SHEET = markup("<link rel='stylesheet' href='../_static/labs.css'>")
INTRODUCTION = (
    "An example opens in your browser and needs no server: its main slider moves. Everything else in it moves where the"
    " lab is served; run `python -m explorer serve` and open the address below the example."
)
PROCESSES = 2
DEAR = ("sweep", "causes")  # labs whose examples take longest
SERVER = "The slider of {} needs a server here, so the picture does not move."
WITHOUT = "The sliders of this lab need a server, so the picture does not move."
# the questions that labs answer, in the order of the first page, which does not list the last
QUESTIONS = {**registry.FAMILIES, registry.RESEARCH: "How does a result depend on its settings?"}
ABSENT = "Its data were not available when this site was built."
QUICK = "A quick build of the site leaves this example out."
LEFT_OUT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: {name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"></head>
<body><main><h1>{title}: {name}</h1><p>{says}</p><p>{why}
<a href="{first}">The first example of {title}</a></p></main></body></html>
"""


class Example(NamedTuple):
    """A preset in the list of labs: its text, its file, its picture, and why it does not move.

    A preset whose data are missing has no file, and `why` explains it.
    """

    name: str
    says: str
    file: str
    picture: Markup
    why: str


def key(preset: str) -> str:
    """Return the name of a preset for a file name: "One σ too many" is "one-sigma-too-many"."""
    told = "".join(map(_spelt, unicodedata.normalize("NFKD", preset.lower().replace("'", ""))))
    return "-".join(re.findall("[a-z0-9]+", told))


def _spelt(letter):
    """Return a Greek letter by its name."""
    name = unicodedata.name(letter, "")
    return name.rpartition(" ")[2].lower() if name.startswith("GREEK SMALL LETTER") else letter


def write(source: Path, fast: bool) -> None:
    """Write a file for each preset, the script that they share, and the page that lists them.

    `fast` writes the first preset of each lab; the files of the others only say so.
    """
    folder, script = source / "_extra" / NAME, shared_script()
    living = f"living-{sha256(script.encode()).hexdigest()[:8]}.js"
    beside = SiteFiles(living, "index.html", head=frame.head(UP), bar=frame.bar(UP, NAME))
    write_file(folder, beside.script, script)
    jobs = [(name, place) for name in registry.names() for place in range(len(_presets(name)))]
    if fast:
        for name, place in jobs:
            _leave_out(folder, name, place, QUICK)
        jobs = [(name, 0) for name in registry.names()]
    jobs.sort(key=lambda job: job[0] not in DEAR)  # the slowest begin first
    with local_processes(PROCESSES) as pool, warnings.catch_warnings():
        # loky warns if it replaces a worker that holds much memory, which does no harm
        warnings.filterwarnings("ignore", "A worker was restarted|A worker stopped")
        made = dict(zip(jobs, pool.map(partial(_made, folder, beside, fast), jobs), strict=True))
    for (name, place), example in made.items():
        if not example.file:
            _leave_out(folder, name, place, ABSENT)
    every = {name: [made[job] for job in sorted(made) if job[0] == name] for name in _ordered()}
    write_file(source / NAME, "index.md", _index(every))


def _presets(name):
    return content_of(name).presets


def _file(name, place):
    return f"{name}-{key(_presets(name)[place].name)}.html"


def _made(folder, beside, fast, job) -> Example:
    """Write the files of a preset and return its Example; it runs in a worker process."""
    settle()
    (name, place), file = job, _file(*job)
    entry, preset = registry.entry(name), _presets(name)[place]
    lab = entry.lab(**preset.fields)
    try:
        result = lab.result(wait=True)
    except (Refusal, OSError):
        folder.joinpath(file).unlink(missing_ok=True)
        return Example(preset.name, preset.sentence(), "", markup(""), ABSENT)
    files = {code: _in_language(file, code) for code in _tongues(name)}
    why = ""
    for code, each in files.items():
        others = {other: its for other, its in files.items() if other != code}
        with use_language(code):
            strip = _strip(name, place, ENGLISH if fast else code)
            page, why = _page(lab, preset.name, beside._replace(tongues=others, presets=strip))
        write_file(folder, each, page)
    picture = thumbnail(registry.visible_pictures(name, result)[0], result, preset.name)
    return Example(preset.name, preset.sentence(), file, picture, why)


def _in_language(file, code):
    return file if code == ENGLISH else file.replace(".html", f".{code}.html")


def _strip(name, place, code):
    """Return the lab's presets in the current language, each with its file in a language, that of `place` without."""
    files = ["" if i == place else _in_language(_file(name, i), code) for i in range(len(_presets(name)))]
    return [(translate(preset.name), file) for preset, file in zip(_presets(name), files, strict=True)]


def _tongues(name):
    """Return the codes of the languages that a lab is translated to, English last."""
    return [*(code for code in codes() if coverage(code, f"labs/{name}/") >= OFFERED), ENGLISH]


def _page(lab, name, beside):
    """Return (page, "") of a state, or (page, reason) if its picture cannot move without a server."""
    try:
        return one_file(lab, name, beside), ""
    except Refusal:
        slider = type(lab).slider
        why = translate(SERVER, type(lab).fields[slider].symbol) if slider else translate(WITHOUT)
        return still_file(lab, name, why, beside), why


def _leave_out(folder, name, place, why):
    preset, title = _presets(name)[place], registry.entry(name).title
    left_out = markup(LEFT_OUT, title=title, name=preset.name, says=preset.sentence(), why=why, first=_file(name, 0))
    write_file(folder, _file(name, place), left_out)


def _index(every):
    """Return the page that lists the labs, each with its question and its examples."""
    parts = [part for name, examples in every.items() for part in _listed(registry.entry(name), examples)]
    return document(TITLE, INTRODUCTION, html(SHEET + _ways(every)), *parts, about=ABOUT, wide=True)


def _ordered():
    """Return the names of the labs in the order of the first page: by the questions that they answer."""
    return [name for question in QUESTIONS for name in registry.family(question)]


def _ways(every):
    """Return the titles of the labs under their questions, each a link to its examples below."""
    groups = {title: [name for name in registry.family(each) if name in every] for each, title in QUESTIONS.items()}
    return markup(
        "<nav class='ways' aria-label='Labs'><dl>{}</dl></nav>",
        joined(
            markup("<dt>{}</dt><dd>{}</dd>", title, joined(map(_way, names), " "))
            for title, names in groups.items()
            if names
        ),
    )


def _way(name):
    title = registry.entry(name).title
    return markup("<a href='#{}'>{}</a>", key(title), title)


def _listed(entry, examples) -> Iterator[str | Markup]:
    yield f"## {plain(entry.title)}"
    yield plain(entry.question)
    yield html(markup("<ul class='labs'>{}</ul>", joined(map(_card, examples))))


def _card(example):
    """Return an example in the list; the whole card is a link to its file."""
    why = markup("<p class='why'>{}</p>", example.why) if example.why else ""
    name = markup("<a href='{}'>{}</a>", example.file, example.name) if example.file else example.name
    return markup("<li>{}<p class='name'>{}</p><p>{}</p>{}</li>", example.picture, name, example.says, why)
