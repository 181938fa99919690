"""Cost of a move on the network.

One message with the answer and the permission to ask again; no style rule is written twice or requested in vain.
"""

from __future__ import annotations

import pytest
from helpers.server_process import until

pytestmark = pytest.mark.browser


@pytest.mark.thorough
def test_an_answer_is_one_message_that_lets_the_browser_ask_again(lab_page):
    frames = []
    lab_page.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))

    def answers():
        lab_page.page.evaluate("0")  # Playwright delivers messages during its calls
        return [frame for frame in frames if isinstance(frame, str) and '"attr":"answered"' in frame]

    lab_page.open()
    lab_page.press("bandwidth")
    lab_page.follows(bandwidth=lab_page.says("bandwidth"))  # the server knows that the page is there
    for count in range(2, 5):
        lab_page.press("bandwidth")
        until(lambda count=count: len(answers()) == count, "an answer")
    # the curves, the words and the leave travel together, and no curve travels by itself
    assert [answer for answer in answers()[1:] if not ("ColumnDataChanged" in answer and '"text"' in answer)] == []
    asked = [frame for frame in frames if isinstance(frame, str) and '["flexible_loss"' in frame]
    assert asked[-3:] == answers()[1:]


@pytest.mark.thorough
def test_what_is_drawn_asks_for_no_rule_of_style_and_no_rule_names_it(lab_page):
    """No line or word looks up its colour in a rule, so no rule on the page may have one."""
    lab_page.page.add_init_script("""
        window.asked = 0
        const style = getComputedStyle(document.createElement('i')).constructor.prototype, get = style.getPropertyValue
        style.getPropertyValue = function (name) {
            if (name.startsWith('--bk-')) window.asked += 1
            return get.call(this, name)
        }""")
    lab_page.open()
    lab_page.press("bandwidth")
    assert lab_page.page.evaluate("window.asked") == 0
    rules = r"""() => {
        const roots = [document], seen = []
        for (const root of roots) {
            for (const each of root.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot)
            for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets])
                for (const rule of sheet.cssRules) if (/--bk-[a-z-]+\s*:/.test(rule.cssText)) seen.push(rule.cssText)
        }
        return [roots.length, seen]
    }"""
    count, named = lab_page.page.evaluate(rules)
    assert count > 50  # parts of the page have sheets of their own
    assert named == []


def test_a_part_with_nothing_in_it_keeps_its_first_place(lab_page):
    last = lab_page.page.evaluate("""() => ['', 'p'].map(inside => {
        const part = document.body.appendChild(document.createElement('div')), root = part.attachShadow({mode: 'open'})
        const sheet = root.appendChild(document.createElement('style'))
        if (inside) root.appendChild(document.createElement(inside))
        const after = (...all) => {
            for (const rules of all) sheet.textContent = `:host { ${rules} }`
            return [getComputedStyle(part).left, getComputedStyle(part).display]
        }
        const found = [after('position: absolute; left: 10px', 'position: absolute; left: 20px'),
                       after('display: none'), after('position: absolute; left: 30px')]
        part.remove()
        return found
    })""")
    assert last[0] == [["10px", "block"], ["auto", "none"], ["30px", "block"]]  # what is hidden or shown is so at once
    assert last[1] == [["20px", "block"], ["auto", "none"], ["30px", "block"]]


def test_rules_of_style_that_stand_are_not_written_again(lab_page):
    written = lab_page.page.evaluate("""async () => {
        const sheet = document.head.appendChild(document.createElement('style'))
        let count = 0
        new MutationObserver((changes) => { count += changes.length }).observe(sheet, {childList: true})
        const counts = []
        for (const rules of ['a {color: red}', 'a {color: red}', 'a {color: blue}', '']) {
            sheet.textContent = rules
            await Promise.resolve()
            counts.push([count, sheet.textContent])
        }
        sheet.remove()
        return counts
    }""")
    assert written == [[1, "a {color: red}"], [1, "a {color: red}"], [2, "a {color: blue}"], [3, ""]]
