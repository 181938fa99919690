"""Text of an essay: a Markdown file with the places of its pictures, and words that show them.

    # Title, and below it the question as a paragraph
    ## Heading of a part
    ![caption](name)    the place of the picture that Python draws under that name
    [words](#name)      words that show this picture

A part has one picture or more. The first begins with the part, each other at the first words of the part that show it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it.token import Token

from explorer.markup import text_of
from explorer.printing import echo, join_list
from explorer.site.prose import Prose, ProseHtml, inside, names
from explorer.workbench.markdown import markdown


class EssayHtml(ProseHtml):
    """Renderer of an essay: `env` also has `figures` and `captions`, the HTML of both by the name of the picture."""

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the figure of a picture."""
        return str(env["figures"][tokens[idx].attrGet("src")])

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the tag of a link. One that shows a picture has its name, for the script, and its caption."""
        link = tokens[idx]
        if (target := str(link.attrGet("href"))).startswith("#"):
            name = target[1:]
            link.attrs = {"href": target, "class": "shows", "data-scene": name, "title": text_of(env["captions"][name])}
        return self.renderToken(tokens, idx, options, env)


class Part(NamedTuple):
    """A part of an essay.

    Attributes
    ----------
    heading : list of Token
        Its heading.
    blocks : list of list of Token
        The blocks below the heading.
    pictures : list of str
        The names of its pictures, in order.
    """

    heading: list[Token]
    blocks: list[list[Token]]
    pictures: list[str]


class Text(Prose):
    """The text of an essay.

    Parameters
    ----------
    path : Path
        The Markdown file.
    scenes : collection of str
        The names of the pictures that Python draws.

    Attributes
    ----------
    title, question : str
        Its title, and the question that it answers.
    parts : list of Part
        Its parts.
    captions : dict of str to sequence of Token
        The caption of each picture, in order.

    Raises
    ------
    ValueError
        If the file names a picture that Python does not draw, has no place for one that it draws, has one that no words
        show, or links to something else than a picture or a page on the web.
    """

    markdown = markdown(EssayHtml)

    def __init__(self, path: Path, scenes: Collection[str]) -> None:
        super().__init__(path)
        if [block[0].tag for block in self.blocks[:3]] != ["h1", "p", "h2"]:
            raise ValueError(f"{path}:1: an essay begins with '# title', its question, and '## heading'.")
        head, rest = self.blocks[:2], self.blocks[2:]
        for block in head:
            for name in names(block):
                raise self.error(block, f"{{{name}}}", "the title and the question are shown without values")
        self.title, self.question = (" ".join(block[1].content.split()) for block in head)
        self.captions: dict[str, Sequence[Token]] = {}
        self.parts: list[Part] = []
        for block in rest:
            if block[0].tag == "h2":
                self.parts.append(Part(block, [], []))
            else:
                self.parts[-1].blocks.append(block)
        for part in self.parts:
            self._check(part, scenes)
        if left := [name for name in scenes if name not in self.captions]:
            raise ValueError(f"{path}: the text has no place for {join_list(left)}; write ![caption](name) for each.")

    def _check(self, part, scenes):
        """Give the pictures of a part their places, and check the words that show them."""
        shown = {}
        for block in (part.heading, *part.blocks):
            for token in inside(block):
                if token.type == "image":
                    self._place(token, block, part, scenes)
                elif token.type == "link_open" and (name := self._target(token, block, scenes)):
                    shown[name] = None
        if not part.pictures:
            raise self.error(part.heading, "", "a part has a picture; write ![caption](name)")
        later = part.pictures[1:]
        if unseen := [name for name in later if name not in shown]:
            message = f"no words of this part show {join_list(unseen)}; link to each as [words](#name)"
            raise self.error(part.heading, "", message)
        if (order := [name for name in shown if name in later]) != later:
            message = f"the words show {join_list(order)}, but the pictures are {join_list(later)}; use one order"
            raise self.error(part.heading, "", message)

    def _place(self, image, block, part, scenes):
        """Give a picture its place, with no paragraph around its figure."""
        name = str(image.attrGet("src"))
        for is_so, message in (
            (name not in scenes, f"no picture is called {echo(name)}; the names are {join_list(scenes)}"),
            (name in self.captions, f"the picture {name} has a place already"),
            (not image.children, f"the picture {name} has no caption"),
            (len(block) != 3 or len(block[1].children) > 1, f"the picture {name} is not in a paragraph of its own"),
        ):
            if is_so:
                raise self.error(block, f"]({name})", message)
        block[0].hidden = block[-1].hidden = True
        self.captions[name] = image.children
        part.pictures.append(name)

    def _target(self, link, block, scenes):
        """Return the name of the picture that a link shows, or "" for a page on the web."""
        target = str(link.attrGet("href"))
        if target.startswith("https://"):
            return ""
        if not (target.startswith("#") and target[1:] in scenes):
            message = f"a link shows #name or leads to https://..., and this one is {echo(target)}"
            raise self.error(block, f"]({target})", f"{message}; the names are {join_list(scenes)}")
        return target[1:]
