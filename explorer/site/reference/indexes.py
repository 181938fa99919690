"""The ways into the reference: by room, by topic, and the types and methods that many names share."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from explorer.learner import Learner, Transformer
from explorer.markup import Markup, joined, markup
from explorer.model import Model
from explorer.printing import echo
from explorer.site.documents import contents, document

from .docstring import Paragraph, read
from .names import Thing, constants
from .parts import html
from .prose import IN_A_LINE, told
from .shown import SHEET
from .signature import aliases, signature, typed

MOST, FEW = 40, 8  # names of a topic, on its own page and among the others


class Topic(NamedTuple):
    """What one may look for: a title, what of it a docstring has, and the words under which a search finds it."""

    title: str
    pattern: str
    words: tuple[str, ...]

    @property
    def page(self) -> str:
        """The name of its page."""
        return "topic-" + "-".join(
            re.findall(r"[a-z]+", self.words[0].lower().replace("λ", "lambda").replace("σ", "sigma"))
        )


TOPICS = (
    Topic("Kernels: how alike two points are", r"\bk\(x, y\) =|\bkernel of", ("kernel", "similarity")),
    Topic("Bandwidth θ", r"bandwidth", ("bandwidth", "θ", "median heuristic")),
    Topic("λ, how much is shrunk or regularised", r"λ", ("λ", "lambda", "shrinkage", "regularisation")),
    Topic("Two samples: are they of one distribution?", r"\bP = Q\b|two samples|mmd", ("two-sample test", "MMD")),
    Topic("Permutation tests and their p-values", r"permut", ("permutation", "p-value")),
    Topic("Level and power of a test", r"\blevel\b|\bpower\b", ("level", "power")),
    Topic("Independence", r"independen|HSIC", ("independence", "HSIC")),
    Topic("Given a third variable", r"given z|given Z|conditional", ("conditional independence",)),
    Topic("Goodness of fit to a model", r"\bksd|score of|goodness of fit|Stein", ("goodness of fit", "Stein", "KSD")),
    Topic("Outliers", r"outlier|median of means|robust|contaminat", ("outliers", "robust", "median of means")),
    Topic("Change over time", r"order of time|ordered by time|stream|change", ("change point", "drift", "monitor")),
    Topic(
        "Conditional distributions", r"Conditional|conditional (?:mean|embedding)|β\(x\)", ("conditional embedding",)
    ),
    Topic("Bayes' rule, filters and graphs", r"[Bb]ayes|posterior|belief", ("Bayes", "posterior", "hidden Markov")),
    Topic("Components and operators", r"component|eigen|operator", ("kernel PCA", "eigenvalues", "components")),
    Topic("Densities and few points that stand for many", r"densit|herd|stand for", ("density", "herding", "thinning")),
    Topic("Clusters and classes", r"cluster|classes|classif", ("clusters", "classification")),
    Topic("Bags: samples as points", r"\bbag", ("bags", "distribution regression")),
    Topic("Another domain, and effects of treatments", r"domain|treatment|source", ("covariate shift", "treatment")),
    Topic("Cause and effect", r"cause|acts on|additive noise", ("causality",)),
    Topic("Noise σ around every point", r"σ|marginaliz", ("σ", "noise", "marginalized")),
    Topic("Many points: kernels of finite rank", r"finite rank|approximation|landmark", ("nystrom", "many points")),
    Topic("Strings and categories", r"string|letters|categor|words", ("strings", "DNA", "categories")),
    Topic("Tables and files", r"\bfile\b|tables?\b|DataFrame", ("csv", "table", "read data")),
    Topic("Pictures", r"HoloViews|picture|page that needs no network", ("plot", "picture")),
)


def first_sentence(thing: Thing) -> str:
    """The summary of a name."""
    return read(thing.value.__doc__ or "").summary


def rows(things: list[Thing]) -> Markup:
    """Names with what each is."""
    return markup(
        "<dl class='names'>{}</dl>",
        joined(
            markup(
                "<dt><a href='{}.html'><code>{}</code></a></dt><dd>{}</dd>",
                thing.page, thing.name, told(first_sentence(thing), IN_A_LINE),
            )
            for thing in things
        ),
    )  # fmt: skip


def front(rooms: dict[str, ModuleType], things: list[Thing]) -> str:
    """The reference's first page: its rooms, with the names of each, and the other ways in."""
    parts = []
    for name, module in rooms.items():
        inside = [thing for thing in things if thing.room == name]
        first = [thing for thing in inside if thing.home == "explorer"]
        others = [thing for thing in inside if thing.home != "explorer"]
        summary = read(module.__doc__ or "").summary
        parts.append(
            markup(
                "<section class='room'><h2><a href='room-{}.html'>{}</a></h2><p>{}</p>{}{}</section>",
                name, name, told(summary), _links(first, "first"), _links(others, "others"),
            )
        )  # fmt: skip
    return document(
        "Reference",
        SHEET,
        markup(
            "<p class='summary'>{} <a href='topics.html'>{}</a> {}</p>",
            f"{len(things)} functions and classes in {len(rooms)} rooms, each with its formulas and an example that"
            " ran when this page was made.",
            "By topic",
            "· or search at the top of the page.",
        ),
        *parts,
        contents([*(f"room-{name}" for name in rooms), "topics", "models", "types", "bibliography"]),
        about="Every function and class of the library with its formulas, an example and its sources",
    )


def _links(things, kind):
    links = (markup("<a href='{}.html'>{}</a>", each.page, each.name) for each in things)
    return markup("<p class='all {}'>{}</p>", kind, joined(links, " ")) if things else ""


def room(name: str, module: ModuleType, things: list[Thing]) -> str:
    """The page of a room: what it says of itself, and its names, grouped as its text names them."""
    docstring = read(module.__doc__ or "")
    left = [thing for thing in things if thing.room == name]
    every = [f"{thing.page}" for thing in left]
    parts: list[str | Markup] = [markup("<p class='summary'>{}</p>", told(docstring.summary))]
    for block in docstring.blocks:
        parts += html([block])
        if isinstance(block, Paragraph):
            named = list(dict.fromkeys(re.findall(r"\w+", block.text)))
            here = [each for word in named for each in left if each.name == word]
            left = [each for each in left if each not in here]
            parts += [rows(here)] if here else []
    if left:
        parts += [
            "## What they return, and what they are made of" if len(left) < len(every) else "## Names",
            rows(left),
        ]
    if values := constants(module):
        parts += ["## Constants", _constants(module, values)]
    return document(name, SHEET, *parts, contents(every), about=docstring.summary)


def _constants(module, names):
    return markup(
        "<dl class='names'>{}</dl>",
        joined(
            markup("<dt><code>{}</code></dt><dd><code>{}</code></dd>", name, echo(getattr(module, name)))
            for name in names
        ),
    )


def topics(things: list[Thing]) -> str:
    """The page of topics: each with the names that are most about it."""
    parts = [
        markup(
            "<section class='room'><h2><a href='{}.html'>{}</a></h2>{}</section>",
            topic.page, topic.title, _links(about(topic, things)[:FEW], "first"),
        )
        for topic in TOPICS
    ]  # fmt: skip
    return document(
        "By topic", SHEET, *parts, contents(topic.page for topic in TOPICS),
        about="Functions and classes of the library by what they are about",
    )  # fmt: skip


def topic_page(topic: Topic, things: list[Thing]) -> str:
    """The page of one topic, which a search for its words finds: names whose docstrings speak of it most, first."""
    found = (f"```{{index}} ! {word}\n```" for word in topic.words)
    # the places that the index of all names leads to, which HTML of ours does not take from Sphinx
    places = joined(markup("<span id='index-{}'></span>", i) for i in range(len(topic.words)))
    about_it = f"Functions and classes of the library about: {', '.join(topic.words)}"
    return document(topic.title, SHEET, *found, places, rows(about(topic, things)[:MOST]), about=about_it)


def about(topic: Topic, things: list[Thing]) -> list[Thing]:
    """The names that are about a topic: it is in the summary, or often in the text."""
    scored = []
    for thing in things:
        text = thing.value.__doc__ or ""
        score = (
            10 * len(re.findall(topic.pattern, f"{thing.name} {first_sentence(thing)}"))
            + 3 * (thing.home == "explorer")
            + len(re.findall(topic.pattern, text))
        )
        if re.search(topic.pattern, text):
            scored.append((-score, thing.name.lower(), thing))
    return [thing for _, _, thing in sorted(scored, key=lambda each: each[:2])]


def types() -> str:
    """The page of types that signatures name."""
    items = joined(
        markup("<dt id='{}'><code>{}</code></dt><dd><p>{}</p><p><code>{}</code></p></dd>",
               name.lower(), name, told(means), typed(stands))
        for name, (stands, means) in aliases().items()
    )  # fmt: skip
    lead = (
        "The types that signatures name, with their shapes: n points of d coordinates are the rows of an (n, d) array."
    )
    return document("Types", SHEET, markup("<p>{}</p><dl class='names'>{}</dl>", lead, items), about=lead)


def models() -> str:
    """The page of what all models have: kernels, estimators and learners."""
    parts = [part for cls in (Model, Learner, Transformer) for part in _common(cls)]
    return document(
        "What all models have", SHEET, *parts, about="Methods of every kernel, estimator and learner of the library"
    )


def _common(cls) -> Iterator[str | Markup]:
    docstring = read(cls.__doc__ or "")
    yield f"## {cls.__name__}"
    yield markup("<p>{}</p>", told(docstring.summary))
    yield from html(docstring.blocks)
    for name, value in vars(cls).items():
        value = getattr(value, "__func__", value)
        doc = inspect.getdoc(value) if inspect.isfunction(value) or isinstance(value, property) else None
        if doc and not name.startswith("_"):
            told_of = read(doc)
            yield f"### {name}"
            if callable(value):
                yield signature(value, name)
            yield markup("<p>{}</p>", told(told_of.summary))
            yield from html(told_of.blocks)
