"""A state of a lab as a static HTML file: its pictures, and the texts of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate
from explorer.marks.description import describe_picture
from explorer.markup import joined, markup
from explorer.svg import draw_standalone
from explorer.views.words import in_words
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much
from explorer.workbench.titles import titled

from .markup import SiteFiles, page
from .paper import foot
from .texts import state_texts

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.lab import Lab

LARGE = 760.0  # width of the main picture in px


def still_file(lab: Lab, name: str, why: str, site: SiteFiles | None = None) -> Markup:
    """Return a state of a lab as a page without a slider.

    Parameters
    ----------
    lab : Lab
        The state.
    name : str
        Name of the state.
    why : str
        Explanation of the missing slider.
    site : SiteFiles or None, default None
        Files that the page shares with others.

    Returns
    -------
    Markup
        The page.
    """
    refuse_too_much(lab.cost)
    own = registry.name_of(type(lab))
    entry, result = registry.entry(own), lab.result(wait=True)
    main, *others = registry.visible_pictures(own, result)
    twin = in_words(describe_picture(picture, result) for picture in (main, *others))
    return page(
        titled(own, result),
        " · ".join(translate(each) for each in (entry.title, name) if each),
        translate(entry.question),
        main=_figure(draw_standalone(main, result, LARGE)) + markup("<p class='still'>{}</p>", why),
        side=joined(_figure(draw_standalone(picture, result)) for picture in others),
        foot=foot(result.lab),
        scripts=markup(""),
        html=state_texts(result, twin),
        site=site,
        still=True,
    )


def _figure(drawing):
    return markup("<figure>{}</figure>", drawing)
