"""How the home page looks: one sheet for its text, one for the places of its parts. Colours are the page's own."""

from __future__ import annotations

from explorer.pages.narrow import NARROW

# words left, picture right; on a narrow page the picture stands between what is said of it and the buttons
PLACES = f"""
:host {{ display: grid !important; grid-template: 'words picture' auto 'verdicts picture' auto 'buttons picture' 1fr
  / minmax(0, 1fr) minmax(0, 1.45fr); column-gap: 40px; align-content: center; }}
{NARROW} {{ :host {{ grid-template: 'words' auto 'verdicts' auto 'picture' auto 'buttons' auto / minmax(0, 1fr); }} }}
"""

# the picture grows with the window, which Bokeh's own heights do not; a hand needs no frame about what it holds
PICTURE = """
:host { height: clamp(230px, 20vw, 380px) !important; flex: none !important; }
:host(:focus:not(:focus-visible)) { outline: none; }
"""

BODY = f"""
:host {{ max-width: 1560px; width: 100%; margin: 0 auto !important; padding: 26px 24px 32px; box-sizing: border-box;
  gap: 30px; max-height: none; }}
{NARROW} {{ :host {{ padding: 16px 14px 32px; gap: 22px; }} }}
"""

TEXT = f"""
:host {{ font-variant-numeric: tabular-nums; color: var(--ink); }}
h1 {{ font-size: clamp(25px, 2.7vw, 46px); line-height: 1.14; letter-spacing: -0.02em; font-weight: 640;
  margin: 0 0 10px; text-wrap: balance; }}
.intro {{ margin: 0; font-size: 16px; line-height: 1.5; color: var(--soft); max-width: 48ch; }}
.verdicts {{ display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 16px; margin-top: 16px;
  align-items: baseline; font-size: 17px; line-height: 1.35; }}
.verdict {{ display: contents; }}
.verdict a {{ color: inherit; text-decoration-color: var(--line); text-underline-offset: 4px; }}
.verdict a:hover {{ text-decoration-color: currentColor; }}
.verdict b {{ font-weight: 640; }}
.verdict i {{ font-style: normal; display: inline-block; width: 1em; }}
.verdict span {{ white-space: nowrap; }}
.misses span {{ color: var(--harm); }}
.verdict small {{ grid-column: 1 / -1; margin-bottom: 9px; }}
.verdict small, .how {{ font-size: 13px; line-height: 1.4; color: var(--soft); margin-top: 0; }}
.buttons {{ display: flex; flex-wrap: wrap; gap: 8px; margin-top: 16px; }}
.button {{ padding: 8px 15px; border-radius: 9px; border: 1px solid var(--line); color: inherit; text-decoration: none;
  font-size: 14.5px; }}
.button:hover {{ border-color: currentColor; }}
.chosen {{ background: var(--ink); color: var(--ground); border-color: var(--ink); }}
a:focus-visible {{ outline: 2px solid currentColor; outline-offset: 3px; border-radius: 4px; }}
.questions {{ display: grid; grid-template: repeat(4, auto) / repeat(4, minmax(0, 1fr)); gap: 0 24px; }}
article {{ display: grid; grid-template-rows: subgrid; grid-row: span 4; border-top: 2px solid var(--ink);
  padding-top: 10px; }}
.picture {{ display: block; aspect-ratio: 260 / 84; color: inherit; }}
.picture svg {{ display: block; width: 100%; }}
h2 {{ font-size: 17px; line-height: 1.25; font-weight: 640; margin: 10px 0 4px; text-wrap: balance; }}
article p {{ font-size: 13.5px; line-height: 1.45; color: var(--soft); margin: 0 0 6px; }}
article nav {{ display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 15px; }}
article nav a, .rest a {{ color: inherit; text-decoration-color: var(--line); text-underline-offset: 4px; }}
article nav a:hover, .rest a:hover {{ text-decoration-color: currentColor; }}
.rest {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 8px 32px; font-size: 13.5px;
  line-height: 1.6; color: var(--soft); border-top: 1px solid var(--line); padding-top: 12px; }}
.rest h3 {{ font-size: 13.5px; font-weight: 640; color: var(--ink); margin: 0; }}
.rest p {{ margin: 0 0 10px; }}
@media (min-width: 1700px) {{
  .intro {{ font-size: 19px; }} .verdicts {{ font-size: 20px; }} .verdict small, .how {{ font-size: 15px; }}
  h2 {{ font-size: 20px; }} article p, .rest {{ font-size: 15px; }} article nav {{ font-size: 17px; }}
}}
@media (prefers-reduced-motion: no-preference) {{
  article {{ transition: transform 0.15s ease-out; }}
  article:hover {{ transform: translateY(-3px); }}
}}
{NARROW} {{
  .verdicts {{ font-size: 15px; column-gap: 9px; }}
  .questions {{ display: block; }}
  article {{ grid-template: 'picture question' auto 'picture says' auto 'picture labs' 1fr / 36% minmax(0, 1fr);
    gap: 0 14px; margin-bottom: 18px; }}
  .picture {{ grid-area: picture; }}
  h2 {{ margin-top: 0; }}
}}
"""
