"""Light and dark: the page's toggle repaints what has a colour of its own."""

from __future__ import annotations

from bokeh.models import CustomJS

from explorer.views.style import ROLES

REPAINT = """
const dark = cb_obj.dark_theme ? 1 : 0
// the server never writes a colour, so it need not hear of these
painted.forEach(([model, property, role]) => { model.setv({[property]: roles[role][dark]}, {sync: false}) })
shaded.forEach(([mapper, palettes]) => { mapper.setv({palette: palettes[dark]}, {sync: false}) })
legend.text = texts.legends[dark]
"""

# system fonts only: a page must look right with no network at all
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif"

TYPE = {"fontFamily": FONT, "button": {"textTransform": "none"}}
# the bar stays dark under its white title, where the dark theme's buttons are light
BAR = {"MuiAppBar": {"styleOverrides": {"colorPrimary": {"backgroundColor": "#17345F", "color": "#FFFFFF"}}}}
THEME = {
    "light": {"palette": {"primary": {"main": "#1F5FBF"}}, "typography": TYPE},
    "dark": {
        "palette": {"primary": {"main": "#8AB4F8", "contrastText": "#10233F"}},
        "typography": TYPE,
        "components": BAR,
    },
}


FOLLOW_SYSTEM = """
if (cb_obj.tags.themed) return
cb_obj.tags.themed = true
const page = cb_obj.document.roots().find((root) => root.data && 'dark_theme' in root.data)
if (page && window.matchMedia('(prefers-color-scheme: dark)').matches) page.data.dark_theme = true
"""


def follow_system(figure):
    """Open dark where the visitor's system is dark: once, when a figure first learns its size.

    The toggle stays free.
    """
    figure.js_on_change("inner_width", CustomJS(code=FOLLOW_SYSTEM))


def follow(page, painter, legend, texts):
    """Repaint a view's roles and palettes, and its legend from `texts`, in the browser when the theme changes."""
    models = [[model, name, role] for model, name, role in painter.painted]
    shaded = [[mapper, list(palettes)] for mapper, palettes in painter.shaded]
    args = {"painted": models, "shaded": shaded, "roles": ROLES, "legend": legend, "texts": texts}
    page.jscallback(args=args, dark_theme=REPAINT)
