"""How the page looks: its sheet for what is text, and light and dark, where the toggle repaints what has a colour."""

from __future__ import annotations

from bokeh.models import CustomJS

from explorer.views.style import ROLES

STYLE = """
:host { font-variant-numeric: tabular-nums; }
.says { font-size: 22px; line-height: 1.35; font-weight: 400; text-wrap: balance; }
.says b { font-weight: 700; }
.says b, .name { white-space: nowrap; }
.trust { font-size: 15px; line-height: 1.45; opacity: 0.78; margin-top: 4px; }
.told { margin: 0; }
.notice { margin: 0; padding: 10px 14px 10px 30px; border-left: 4px solid #B3261E; background: rgba(179, 38, 30, 0.09);
          font-size: 15px; line-height: 1.45; border-radius: 2px; }
.trouble { font-size: 14px; line-height: 1.4; padding: 6px 10px; border-left: 4px solid #B3261E;
           background: rgba(179, 38, 30, 0.09); border-radius: 2px; }
.badge { border: 1px solid currentColor; border-radius: 10px; padding: 0 8px; font-size: 13px; white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; align-items: center; margin: 0 0 0 8px; }
.legend span { display: inline-flex; align-items: center; gap: 6px; white-space: nowrap; }
.legend svg { flex: none; }
.labs { display: flex; gap: 2px; overflow-x: auto; font-size: 15px; }
.labs a { color: inherit; text-decoration: none; padding: 6px 12px; border-radius: 4px; white-space: nowrap; }
.labs a[aria-current] { background: rgba(127, 127, 127, 0.25); }
.bar { justify-content: flex-end; }
.bar a { color: #FFFFFF; }
.bar a:hover { background: rgba(0, 0, 0, 0.12); }
.bar a[aria-current] { background: rgba(0, 0, 0, 0.25); }
.caption { font-size: 15px; line-height: 1.55; max-width: 78ch; }
.code { font: 13px/1.5 ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace; overflow-x: auto; margin: 0;
        padding: 12px 14px; border: 1px solid rgba(127, 127, 127, 0.35); border-radius: 4px; }
.pair { font-size: 13px; }
.read { font: 15px/1.6 ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace; overflow-wrap: anywhere; }
.who { font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.story { font-size: 16px; line-height: 1.5; max-width: 78ch; padding: 8px 14px; border-left: 4px solid #1F5FBF; }
.story summary { cursor: pointer; font-weight: 600; padding: 4px 0; }
.preview { overflow-x: auto; }
.preview caption { text-align: left; font-size: 13px; padding: 10px 0 2px 0; opacity: 0.78; }
.preview table { border-collapse: collapse; font-size: 13px; }
.preview th, .preview td { text-align: right; padding: 3px 10px; border-bottom: 1px solid rgba(127, 127, 127, 0.25); }
.preview th { font-weight: 600; }
.preview .words { opacity: 0.55; }
.operators { display: flex; flex-wrap: wrap; gap: 14px 28px; }
.operators caption { text-align: left; font-size: 14px; font-weight: 600; padding: 0 0 4px 0; white-space: nowrap; }
.operators table { border-collapse: collapse; font-size: 14px; }
.operators th, .operators td { text-align: right; padding: 3px 8px;
                               border-bottom: 1px solid rgba(127, 127, 127, 0.25); }
.operators th { font-weight: 400; opacity: 0.78; white-space: nowrap; }
@media (max-width: 700px) { .says { font-size: 19px; } }
"""

TOOL = {"variant": "text", "size": "small"}  # a button that is always at hand and never in the way

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
