"""Extension of Sphinx for the reference: calls numpydoc, and adds what autodoc, numpydoc and intersphinx leave open.

- numpydoc's classes read the sections of docstrings. Its own extension compiles its template twice for every docstring,
  which takes a seventh of the time of a build.
- Models declare their parameters with bounds, units and symbols. These are added to the `Parameters` section of their
  docstrings, which would have to repeat them otherwise.
- Docstrings cite papers and errata in plain words ("Gretton et al. 2012", "errata E-17"). `explorer cite`
  finds them by these. On a page these words are links.
- A docstring may name every public name as users import it. Sphinx finds a name only in the module of the docstring.
- A page begins with the first sentences of its docstring: what the name is for comes before how it is called.
- Types in sections (`Kernel or None`) are links to classes. With `numpydoc_xref_param_type` every word would be one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from numpydoc.docscrape import Parameter
from numpydoc.docscrape_sphinx import SphinxClassDoc, SphinxDocString, SphinxObjDoc
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import make_refnode

from explorer.citations import ARTICLE, KEYED, NUMBERED, cited, references
from explorer.model import Model
from explorer.papers.errata import ERRATA
from explorer.printing import code

from .names import USE, by_name

if TYPE_CHECKING:
    from sphinx.application import Sphinx

INVENTORIES = Path(__file__).parent / "inventories"  # in Sphinx's first format, which is text: name, kind, page
LIBRARIES = {
    "numpy": "https://numpy.org/doc/stable/",
    "pandas": "https://pandas.pydata.org/docs/",
    "python": "https://docs.python.org/3/",
    "scipy": "https://docs.scipy.org/doc/scipy/",
    "sklearn": "https://scikit-learn.org/stable/",
    "xarray": "https://docs.xarray.dev/en/stable/",
}
SETTINGS = {
    "extensions": ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.intersphinx", __name__],
    "default_role": "py:obj",
    "add_module_names": False,
    "autodoc_typehints": "none",  # the sections have the types
    "autosummary_generate": False,  # the pages are written by `page`, at addresses that other sections link
    "toc_object_entries_show_parents": "hide",
    # inventories that come with the site: a build needs no network
    "intersphinx_mapping": {name: (url, str(INVENTORIES / f"{name}.txt")) for name, url in LIBRARIES.items()},
}
REFERENCE = "reference/"  # the documents that the links are made in
ERRATUM = r"\b(?:erratum|errata|Erratum|Errata) (?:(?:E-)?\d+(?:, (?=E-|\d)| and (?=E-|\d)| to (?=E-|\d))?)+"
PLACE = r"(?:, (?:in )?(?:eqs?\. ?\(?[\d.]+\)?|(?:section|theorem|proposition|algorithm|table) [\d.]*\d))?"
CODE = re.compile(r"((?::\w+:)?`[^`]+`|``.+?``)")  # kept by `split`, as it is one group
BAR, LAST_UNDERSCORE = re.compile(r"(?<!\\)\|"), re.compile(r"(?<=\w)(?<!\\)_(?=[^\w`]|$)")
TYPE = re.compile(r"\b(?:np|numpy|pandas|xarray|explorer)\.[\w.]+|\b[A-Z]\w+")
NO_PROSE = (
    *(nodes.literal, nodes.literal_block, nodes.doctest_block, nodes.math, nodes.math_block, nodes.raw),
    *(nodes.reference, nodes.title, nodes.comment, addnodes.pending_xref, addnodes.desc_signature, addnodes.index),
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the hooks."""
    app.connect("autodoc-process-docstring", write_sections)
    app.connect("missing-reference", resolve_public_name)
    app.add_transform(LeadFirst)
    app.add_transform(Links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# sections of docstrings --------------------------------------------------------------------------------------------


@cache
def _numpydoc_config() -> dict[str, Any]:
    """Return the settings of numpydoc: its own template, and no lists of members, which the pages have."""
    return {"template": SphinxDocString("").template, "show_class_members": False}


def write_sections(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Convert the sections of a docstring to reStructuredText, in place; the signature is that of autodoc's event.

    The bounds, symbol and unit of a model's parameters are added to its Parameters section. A parameter that the
    section lacks is added with its default and its own description.
    """
    if what == "module":
        return
    text = "\n".join(lines)
    if what == "class":
        docstring = SphinxClassDoc(value, doc=text, config=_numpydoc_config())
        if issubclass(value, Model):
            _document_fields(value.fields, docstring["Parameters"])
    else:
        docstring = SphinxObjDoc(value, doc=text, config=_numpydoc_config())
    lines[:] = escaped(str(docstring).splitlines())


def escaped(lines: Sequence[str]) -> list[str]:
    """Return reStructuredText whose bars and last underscores outside of code and formulas are characters.

    Docstrings write norms as ``|f - g|`` and learnt attributes as ``lam_``, which reStructuredText would read as a
    substitution and as a link. Doctests, literal blocks and displayed formulas stay as they are.

    Parameters
    ----------
    lines : sequence of str
        The lines of a docstring.

    Returns
    -------
    list of str
        As many lines.
    """
    verbatim, in_doctest, result = None, False, []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        in_doctest = bool(line.strip()) and (in_doctest or line.lstrip().startswith(">>>"))
        if verbatim is not None and line.strip() and indent <= verbatim:
            verbatim = None
        plain = verbatim is None and not in_doctest
        result.append("".join(_escape(each) for each in CODE.split(line)) if plain else line)
        if plain and (line.lstrip().startswith(".. ") or line.rstrip().endswith("::")):
            verbatim = indent
    return result


def _escape(text):
    """Return a part of a line, with its bars and last underscores escaped if it is prose."""
    if CODE.fullmatch(text):
        return text
    return LAST_UNDERSCORE.sub(r"\\_", BAR.sub(r"\\|", text))


def _document_fields(fields, parameters):
    listed = {each.name: each for each in parameters}
    for name, field in fields.items():
        if name not in listed:
            parameters.append(_described(name, field))
        elif facts := _facts(field):
            described = listed[name].desc
            described += ["", facts] if described else [facts]


def _described(name, field):
    """Return numpydoc's Parameter for a field that a docstring does not describe."""
    is_required = getattr(field, "required", False)
    default = code(field.default)
    default = "" if is_required else "optional" if default.startswith("<") else f"default {default}"
    text = [line for line in (field.doc or "", _facts(field)) if line]
    return Parameter(name, default, [each for line in text for each in (line, "")][:-1])


def _facts(field):
    """Return a line with the allowed values, the symbol and the unit of a field, or ""."""
    facts = {
        "Allowed": _allowed(field),
        "Symbol": getattr(field, "symbol", ""),
        "Unit": getattr(field, "unit", ""),
    }
    return " ".join(f"{label}: {fact}." for label, fact in facts.items() if fact)


def _allowed(field):
    """Return the interval or the choices of a field, or "" if its class is all that limits it."""
    bounds = getattr(field, "bounds", None)
    if bounds and any(end is not None for end in bounds):
        low, high = bounds
        has_low, has_high = getattr(field, "inclusive_bounds", (True, True))
        left = "(−∞" if low is None else f"{'[' if has_low else '('}{low:g}"
        right = "∞)" if high is None or high == math.inf else f"{high:g}{']' if has_high else ')'}"
        allowed = f"{left}, {right}"
    else:
        allowed = ", ".join(f"``{code(each)}``" for each in getattr(field, "objects", None) or ())
    return f"{allowed} or None" if allowed and field.allow_None else allowed


# names -------------------------------------------------------------------------------------------------------------


def location(name: str) -> tuple[str, str] | None:
    """Return (document, anchor) of a public name or of a member of one, such as "Kernel.contrast", or None."""
    name = name.removeprefix("explorer.")
    if name in by_name():
        return f"{REFERENCE}{by_name()[name].page}", by_name()[name].address
    owner, _, member = name.rpartition(".")
    if owner in by_name() and hasattr(by_name()[owner].value, member):
        return f"{REFERENCE}{by_name()[owner].page}", f"{by_name()[owner].address}.{member}"
    return None


def resolve_public_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Return a link to a public name that Sphinx does not find in the module of the docstring, or None."""
    if node.get("refdomain") != "py" or (target := location(node["reftarget"])) is None:
        return None
    return make_refnode(app.builder, node["refdoc"], *target, content, node["reftarget"])


@cache
def full_names() -> dict[str, str]:
    """Return the full names of other libraries' classes by their last parts, as prose and types write them."""
    lines = (line for path in INVENTORIES.glob("*.txt") for line in path.read_text(encoding="utf-8").splitlines()[3:])
    names = [line.split(" ")[0] for line in lines]
    return {name.rpartition(".")[2]: name for name in names} | {name: name for name in names}


class LeadFirst(SphinxTransform):
    """Moves the summary of a name, and the paragraph on its use, above its import line and its signature."""

    default_priority = 490

    def apply(self, **kwargs: Any) -> None:
        """Change the document in place, if it is the page of a public name."""
        page = self.env.docname.removeprefix(REFERENCE)
        if page == self.env.docname or page not in {name.page for name in by_name().values()}:
            return
        section = next(self.document.findall(nodes.section))
        described = next((node for node in section.children if isinstance(node, addnodes.desc)), None)
        content = described.children[-1].children if described else []
        lead = [node for node in content[:2] if isinstance(node, nodes.paragraph)]
        lead = lead[:1] + [node for node in lead[1:] if node.astext().startswith(USE)]
        for place, node in enumerate(lead, 1):  # the title is at 0
            node.parent.remove(node)
            node["classes"].append("summary" if place == 1 else "use")
            section.insert(place, node)


class Links(SphinxTransform):
    """Makes links of citations, errata, types in sections, and code that is a public name."""

    default_priority = 500

    def apply(self, **kwargs: Any) -> None:
        """Change the document in place, if it belongs to the reference."""
        if not self.env.docname.startswith(REFERENCE):
            return
        for node in self.document.findall():
            # MyST parses eval-rst into a document that refers to Sphinx's whole environment: without this line, Sphinx
            # pickles the environment with every page, which doubles the time of a build
            node.document = self.document
        for node in list(self.document.findall(nodes.literal)):
            self._link_literal(node)
        for text in list(_prose(self.document)):
            is_type = isinstance(text.parent, nodes.term | nodes.classifier)
            pattern, link = (TYPE, self._type) if is_type else (_citations(), _citation)
            if (parts := list(_replaced(text.astext(), pattern, link))) != [text.astext()]:
                text.parent.replace(text, [nodes.Text(part) if isinstance(part, str) else part for part in parts])

    def _link_literal(self, node):
        """Link code that is a public name or a call of it; names of parameters are no links."""
        name = node.astext().partition("(")[0]
        is_parameter = name in _parameters(node)
        if isinstance(node.parent, addnodes.pending_xref):
            if is_parameter:
                node.parent.replace_self(node)
            elif name in full_names():
                node.parent["reftarget"] = full_names()[name]
        elif not isinstance(node.parent, nodes.reference) and not is_parameter and location(name):
            node.replace_self(self._link(name, node.deepcopy()))

    def _type(self, match):
        name = re.sub(r"^np\.", "numpy.", match[0])
        name = full_names().get(name, name)
        is_known = name in full_names() or location(name)
        return self._link(name, nodes.inline("", match[0])) if is_known else match[0]

    def _link(self, name, content):
        return addnodes.pending_xref(
            "", content, refdomain="py", reftype="obj", reftarget=name, refdoc=self.env.docname, refwarn=False
        )


def _prose(node: nodes.Node) -> Iterator[nodes.Text]:
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield child
        elif not isinstance(child, NO_PROSE):
            yield from _prose(child)


def _parameters(node: nodes.Node) -> set[str]:
    """Return the names of the parameters of the functions and classes whose description a node belongs to."""
    names: set[str] = set()
    while node := node.parent:
        if isinstance(node, addnodes.desc):
            described = node.findall(addnodes.desc_parameter)
            names |= {re.split(r"[=:]", each.astext())[0].strip("* ") for each in described}
    return names


def _replaced(text: str, pattern: re.Pattern[str], link: Callable[[re.Match[str]], Any]) -> Iterator[Any]:
    """Yield the parts of a text, with the matches of a pattern replaced."""
    text = re.sub(r"\s*\n\s*", " ", text)  # a citation may be broken between two lines
    end = 0
    for match in pattern.finditer(text):
        yield from filter(None, [text[end : match.start()]])
        replaced = link(match)
        yield from replaced if isinstance(replaced, list) else [replaced]
        end = match.end()
    yield from filter(None, [text[end:]])


@cache
def _citations() -> re.Pattern[str]:
    """Return the pattern of errata and of the papers in the bibliography."""
    papers = "|".join(f"(?:{reference.cited.pattern})" for reference in references().values())
    forms = "|".join([NUMBERED.pattern, ARTICLE.pattern, KEYED.pattern, papers])
    return re.compile(rf"(?P<erratum>{ERRATUM})|(?:{forms}){PLACE}")


def _citation(match: re.Match[str]) -> Any:
    """Return the link of a citation, or a list of texts and links for several errata."""
    if match["erratum"]:
        parts = filter(None, re.split(r"((?:E-)?\d+)", match[0]))
        page = "../guide/errata.html#erratum-"
        return [_external(f"{page}{part.lower()}", part) if part in ERRATA else part for part in parts]
    papers = cited(match[0])
    return _external(f"bibliography.html#{papers[0].key}", match[0]) if papers else match[0]


def _external(address, text):
    """Return a link to a place that HTML of ours has, and Sphinx does not know."""
    return nodes.reference("", text, refuri=address, internal=True)
