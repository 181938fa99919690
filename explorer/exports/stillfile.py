"""A state of a lab as an HTML file that stands still: its pictures, and all that its page says of it."""

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

from .markup import Beside, page
from .paper import foot
from .texts import told

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.lab import Lab

LARGE = 760.0  # px that the main picture is wide


def still_file(lab: Lab, name: str, why: str, beside: Beside | None = None) -> Markup:
    """A state of a lab as a page without a slider; `why` says why, and `name` what the state is called."""
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
        html=told(result, twin),
        beside=beside,
        still=True,
    )


def _figure(drawing):
    return markup("<figure>{}</figure>", drawing)
