"""How an exported file looks: its sheet, and the colours of axes and words on light and on dark ground."""

from __future__ import annotations

from bokeh.core.properties import value
from bokeh.models import Text

from explorer.marks.roles import FONT, INK, LINE, ROLES, SOFT

COLOURS = {**ROLES, "ink": INK, "soft": SOFT, "line": LINE}  # (on light ground, on dark ground)
# the colour properties of a figure's parts that have no role of their own
AXIS = {
    "axis_label_text_color": SOFT,
    "major_label_text_color": SOFT,
    "axis_line_color": LINE,
    "major_tick_line_color": LINE,
}
GRID = {"grid_line_color": LINE}
# pictures grow with the window, the main one most
TALL = """
:host { height: clamp(%s) !important; }
@media (max-width: 760px) { :host { height: %s !important; } }
"""
MAIN, SIDE = TALL % ("300px, 48vh, 640px", "260px"), TALL % ("200px, 33vh, 440px", "220px")


def variables(dark):
    """The colours as variables of a sheet."""
    return " ".join(f"--{name}: {pair[dark]};" for name, pair in COLOURS.items())


def dress(view):
    """Give each figure of a view the file's ink, type and heights, and no title: it stands above, as text.

    (model, property, colour on light ground, on dark ground) of all that has a colour.
    """
    plots = list(view.figures.values())
    painted = [(model, name, *ROLES[role]) for model, name, role in view.paint.painted if model not in plots]
    for plot in plots:
        plot.title.visible = False
        plot.min_border_top = 10
        plot.background_fill_color = plot.border_fill_color = None  # the page's own shines through
        plot.grid.grid_line_alpha = 1
        plot.stylesheets = [MAIN if plot is view.hero else SIDE]
        for models, colours in ((plot.axis, AXIS), (plot.grid, GRID)):
            for model in models:
                for name, pair in colours.items():
                    setattr(model, name, pair[0])
                    painted.append((model, name, *pair))
        for axis in plot.axis:
            axis.axis_label_text_font = axis.major_label_text_font = FONT
        for words in plot.select(Text):
            words.text_font = value(FONT)
    return painted


# a name wears its curve's colour, with as much ink as small words need
STYLE = f"""
:root {{ color-scheme: light dark; {variables(False)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {variables(True)} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 {FONT};
        font-variant-numeric: tabular-nums; }}
header {{ display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; padding: 11px max(24px, 50vw - 716px);
          border-bottom: 1px solid var(--line); }}
header h1 {{ font-size: 15px; font-weight: 400; margin: 0; }}
header b {{ font-weight: 650; }}
header p {{ margin: 0; color: var(--soft); font-size: 14px; }}
main {{ max-width: 1480px; margin: 0 auto; padding: 14px 24px 40px; }}
.says {{ font-size: 22px; line-height: 1.3; letter-spacing: -0.01em; text-wrap: pretty; }}
.says b {{ font-weight: 680; }}
.says b, .name {{ white-space: nowrap; }}
.trust {{ font-size: 14px; line-height: 1.45; color: var(--soft); margin-top: 4px; }}
.badge {{ border: 1px solid currentColor; border-radius: 10px; padding: 0 8px; font-size: 13px; white-space: nowrap; }}
.body {{ display: grid; grid-template: 'main side' auto 'text side' 1fr / minmax(0, 1.75fr) minmax(0, 1fr);
         gap: 0 28px; margin-top: 10px; }}
.main {{ grid-area: main; }} .side {{ grid-area: side; }} .text {{ grid-area: text; }}
.main, .side {{ visibility: hidden; }}
.ready .main, .ready .side {{ visibility: visible; }}
figure {{ margin: 0 0 10px; min-width: 0; }}
figcaption {{ display: flex; gap: 12px; align-items: center; justify-content: space-between; min-height: 30px;
              font-size: 14px; line-height: 1.35; color: var(--soft); }}
.now {{ display: flex; gap: 8px; align-items: center; color: var(--ink); white-space: nowrap; }}
.now i {{ font: italic 600 17px Georgia, 'DejaVu Serif', serif; }}
.now span {{ min-width: 68px; text-align: right; border: 1px solid var(--line); border-radius: 7px;
               padding: 1px 9px; }}
.now button {{ font: inherit; font-size: 13px; color: inherit; background: none; cursor: pointer;
               border: 1px solid var(--line); border-radius: 7px; padding: 2px 10px; }}
.now button[aria-pressed=true] {{ background: var(--ink); color: var(--ground); border-color: var(--ink); }}
input[type=range] {{ -webkit-appearance: none; appearance: none; display: block; width: 100%; height: 26px; margin: 0;
                     background: none; cursor: pointer; touch-action: pan-y; }}
input::-webkit-slider-runnable-track {{ height: 3px; border-radius: 2px; background: var(--line); }}
input::-moz-range-track {{ height: 3px; border-radius: 2px; background: var(--line); }}
input::-webkit-slider-thumb {{ -webkit-appearance: none; width: 20px; height: 20px; margin-top: -9px;
                               border-radius: 50%; border: 0; background: var(--ink); }}
input::-moz-range-thumb {{ width: 20px; height: 20px; border-radius: 50%; border: 0; background: var(--ink); }}
:focus-visible {{ outline: 2px solid var(--soft); outline-offset: 2px; border-radius: 7px; }}
.legend {{ display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; color: var(--soft); margin: 6px 0 0; }}
.legend span {{ display: inline-flex; align-items: center; gap: 6px; white-space: nowrap; }}
.legend svg {{ flex: none; }}
.text {{ border-top: 1px solid var(--line); margin-top: 12px; }}
#caption {{ max-width: 86ch; margin: 10px 0; }}
math {{ font-family: 'Cambria Math', 'STIX Two Math', 'Latin Modern Math', math, serif; font-size: 1.12em; }}
.equation {{ display: flex; flex-wrap: wrap; gap: 0 0.5em; align-items: baseline; line-height: 1.3;
             margin-bottom: 3px; }}
.state {{ font-size: 13px; color: var(--soft); margin: 12px 0; overflow-wrap: anywhere; }}
details {{ border-top: 1px solid var(--line); padding: 7px 0; }}
summary {{ cursor: pointer; font-size: 14px; }}
details p {{ max-width: 86ch; }}
pre {{ font: 13px/1.5 ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace; overflow-x: auto; padding: 12px;
       border: 1px solid var(--line); border-radius: 7px; }}
.unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
@media (max-width: 760px) {{
  header, main {{ padding-left: 14px; padding-right: 14px; }}
  header p {{ font-size: 13px; }}
  .says {{ font-size: 18px; }}
  .trust {{ font-size: 13px; }}
  .body {{ grid-template: 'main' 'side' 'text' / minmax(0, 1fr); }}
  .side {{ margin-top: 10px; }}
}}
""" + "\n".join(f".name.{role} {{ color: color-mix(in srgb, var(--{role}) 65%, var(--ink)); }}" for role in ROLES)
