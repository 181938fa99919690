"""Ways into the reference: packages, topics, the types of annotations, and the methods that all models have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import explorer.types
from explorer.learner import Learner, Transformer
from explorer.markup import Markup, joined, markup
from explorer.model import Model
from explorer.printing import echo
from explorer.site.documents import contents, document, plain, rst

from .bibliography import SHEET
from .names import PublicName, constants

TOPIC_LENGTH, PREVIEW_LENGTH = 40, 8  # how many names the page of a topic has, and the list of topics for each
ALIAS = re.compile(r"^(\w+): TypeAlias = (.*?)(?:  # (.*))?$", re.MULTILINE)


class Topic(NamedTuple):
    """A subject of the library.

    Attributes
    ----------
    title : str
        The title of its page.
    pattern : str
        A regular expression that docstrings on it match.
    words : tuple of str
        The words under which the search and the index list it.
    """

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
    Topic("λ, how much is shrunk or regularised", r"λ|\\lambda\b", ("λ", "lambda", "shrinkage", "regularisation")),
    Topic("Two samples: are they of one distribution?", r"\bP = Q\b|two samples|mmd", ("two-sample test", "MMD")),
    Topic("Permutation tests and their p-values", r"permut", ("permutation", "p-value")),
    Topic("Level and power of a test", r"\blevel\b|\bpower\b", ("level", "power")),
    Topic("Independence", r"independen|HSIC", ("independence", "HSIC")),
    Topic("Given a third variable", r"given z|given Z|conditional", ("conditional independence",)),
    Topic("Goodness of fit to a model", r"\bksd|score of|goodness of fit|Stein", ("goodness of fit", "Stein", "KSD")),
    Topic("Outliers", r"outlier|median of means|robust|contaminat", ("outliers", "robust", "median of means")),
    Topic("Change over time", r"order of time|ordered by time|stream|change", ("change point", "drift", "monitor")),
    Topic(
        "Conditional distributions",
        r"Conditional|conditional (?:mean|embedding)|β\(x\)|\\beta\(x\)",
        ("conditional embedding",),
    ),
    Topic("Bayes' rule, filters and graphs", r"[Bb]ayes|posterior|belief", ("Bayes", "posterior", "hidden Markov")),
    Topic("Components and operators", r"component|eigen|operator", ("kernel PCA", "eigenvalues", "components")),
    Topic("Densities and few points that stand for many", r"densit|herd|stand for", ("density", "herding", "thinning")),
    Topic("Clusters and classes", r"cluster|classes|classif", ("clusters", "classification")),
    Topic("Bags: samples as points", r"\bbag", ("bags", "distribution regression")),
    Topic("Another domain, and effects of treatments", r"domain|treatment|source", ("covariate shift", "treatment")),
    Topic("Cause and effect", r"cause|acts on|additive noise", ("causality",)),
    Topic("Noise σ around every point", r"σ|\\sigma\b|marginaliz", ("σ", "noise", "marginalized")),
    Topic("Many points: kernels of finite rank", r"finite rank|approximation|landmark", ("nystrom", "many points")),
    Topic("Strings and categories", r"string|letters|categor|words", ("strings", "DNA", "categories")),
    Topic("Tables and files", r"\bfile\b|tables?\b|DataFrame", ("csv", "table", "read data")),
    Topic("Pictures", r"HoloViews|picture|page that needs no network", ("plot", "picture")),
)


def summaries(names: Iterable[PublicName]) -> str:
    """Return a table of names with the first sentences of their docstrings."""
    rows = "\n".join(f"   ~{each.address}" for each in names)
    return rst(f".. currentmodule:: None\n\n.. autosummary::\n   :nosignatures:\n\n{rows}")


def front(packages: dict[str, ModuleType], names: list[PublicName]) -> str:
    """Return the first page of the reference: the packages with their names, and the other ways in."""
    parts = []
    for package, module in packages.items():
        inside = [each for each in names if each.package == package]
        first = [each for each in inside if each.module == "explorer"]
        others = [each for each in inside if each.module != "explorer"]
        title, heading = f"[{package}](room-{package}.md)", (module.__doc__ or "").partition("\n\n")[0]
        parts += [f"## {title}", plain(heading), _links(first, "first") + _links(others, "others")]
    return document(
        "Reference",
        SHEET,
        "Look here for what a function computes, promises and returns, once you know which one you need. If you do not,"
        f" begin with {_elsewhere('guide/library', 'the library, by task')}, or with [a topic](topics.md). To learn"
        f" what a kernel mean is, read {_elsewhere('essays/index', 'an essay')} or"
        f" {_elsewhere('lessons/index', 'a lesson')} first.",
        f"{len(names)} functions and classes in {len(packages)} packages, each with its formulas, an example and its"
        " sources.",
        *parts,
        contents([*(f"room-{package}" for package in packages), "topics", "models", "types", "bibliography"]),
        about="Every function and class of the library with its formulas, an example and its sources",
    )


def _elsewhere(page, words):
    """Return a link to a page that is not in the reference, which is also built alone."""
    return str(markup("<a href='../{}.html'>{}</a>", page, words))


def _links(names, kind):
    links = (markup("<a href='{}.html'>{}</a>", each.page, each.name) for each in names)
    return markup("<p class='all {}'>{}</p>", kind, joined(links, " ")) if names else markup("")


def package_page(package: str, module: ModuleType, names: list[PublicName]) -> str:
    """Return the page of a package: its docstring, its functions and classes, and its constants."""
    inside = [each for each in names if each.package == package]
    exported = [each for each in inside if hasattr(module, each.name)]
    others = [each for each in inside if not hasattr(module, each.name)]
    parts: list[str | Markup] = [rst(f".. automodule:: explorer.{package}")]
    parts += ["## Functions and classes", summaries(exported)] if exported else []
    parts += ["## What they return", summaries(others)] if others else []
    parts += ["## Constants", _constants(module, constants(module))] if constants(module) else []
    return document(
        package, SHEET, *parts, contents(each.page for each in inside), about=(module.__doc__ or "").partition("\n")[0]
    )


def _constants(module, names):
    """List the values of constants: autodoc shows only those with a docstring."""
    rows = (
        markup("<dt><code>{}</code></dt><dd><code>{}</code></dd>", name, echo(getattr(module, name))) for name in names
    )
    return markup("<dl class='names'>{}</dl>", joined(rows))


def topics(names: list[PublicName]) -> str:
    """Return the page of all topics, each with the names that are most about it."""
    parts = []
    for topic in TOPICS:
        parts += [f"## [{topic.title}]({topic.page}.md)", _links(names_about(topic, names)[:PREVIEW_LENGTH], "first")]
    return document(
        "By topic", SHEET, *parts, contents(topic.page for topic in TOPICS),
        about="Functions and classes of the library by what they are about",
    )  # fmt: skip


def topic_page(topic: Topic, names: list[PublicName]) -> str:
    """Return the page of a topic. A search for its words finds it: they are entries of the index."""
    entries = (f"```{{index}} ! {word}\n```" for word in topic.words)
    # MyST writes no anchors for the entries of the index, which link to them
    anchors = joined(markup("<span id='index-{}'></span>", i) for i in range(len(topic.words)))
    about = f"Functions and classes of the library about: {', '.join(topic.words)}"
    return document(
        topic.title, SHEET, *entries, anchors, summaries(names_about(topic, names)[:TOPIC_LENGTH]), about=about
    )


def names_about(topic: Topic, names: list[PublicName]) -> list[PublicName]:
    """Return the names whose docstrings match a topic, the most relevant ones first.

    A match in the name or the summary counts most, then whether `explorer` itself exports the name.
    """
    scored = []
    for each in names:
        text = " ".join((each.value.__doc__ or "").split()).replace(each.use, "")  # which names other functions
        if matches := len(re.findall(topic.pattern, text)):
            score = 10 * len(re.findall(topic.pattern, f"{each.name} {each.summary}")) + matches
            scored.append((-score - 3 * (each.module == "explorer"), each.name.lower(), each))
    return [each for _, _, each in sorted(scored, key=lambda row: row[:2])]


@cache
def aliases() -> dict[str, tuple[str, str]]:
    """Return the types of `explorer.types` by name, each with its definition and its meaning."""
    source = Path(explorer.types.__file__ or "").read_text(encoding="utf-8")
    return {name: (definition, meaning or "") for name, definition, meaning in ALIAS.findall(source)}


def types() -> str:
    """Return the page of the type aliases: autodoc cannot show the comments that say what they mean."""
    rows = joined(
        markup("<dt id='{}'><code>{}</code></dt><dd><p>{}</p><p><code>{}</code></p></dd>",
               name.lower(), name, meaning, definition)
        for name, (definition, meaning) in aliases().items()
    )  # fmt: skip
    lead = "The types in annotations, with their shapes: n points of d coordinates are the rows of an (n, d) array."
    return document("Types", SHEET, lead, markup("<dl class='names'>{}</dl>", rows), about=lead)


def models() -> str:
    """Return the page of what all models have: kernels, estimators and learners."""
    classes = (f".. autoclass:: {cls.__module__}.{cls.__name__}\n   :members:" for cls in (Model, Learner, Transformer))
    return document(
        "What all models have",
        SHEET,
        *map(rst, classes),
        about="Methods of every kernel, estimator and learner of the library",
    )
